//! Section 2 of the report, formula by formula, with no regard to speed.
//!
//! Names and order are the report's. Sets of locations are slices whose elements are told apart by where
//! they stand, as Alloy tells its atoms apart.

use std::collections::BTreeSet;

use locus_graph::semantics::{Context, Interaction, Label, Polarity};
use locus_graph::{Atom, Location, Name, Role};

pub(crate) type Locations<'a> = [&'a Location];

pub(crate) fn uniquely_named_locations(c: &Locations<'_>) -> bool {
    !disjoint_pairs(c).any(|(c1, c2)| c1.name() == c2.name())
}

pub(crate) fn uniquely_provided_roles(c: &Locations<'_>) -> bool {
    !disjoint_pairs(c).any(|(l, h)| some_in_common(l.provided(), h.provided()))
}

pub(crate) fn uniquely_required_roles(c: &Locations<'_>) -> bool {
    !disjoint_pairs(c).any(|(l, h)| some_in_common(l.required(), h.required()))
}

pub(crate) fn well_formed_location_set(c: &Locations<'_>) -> bool {
    uniquely_named_locations(c) && uniquely_provided_roles(c) && uniquely_required_roles(c)
}

pub(crate) fn bound_in_ls(r: Role, c: &Locations<'_>) -> bool {
    c.iter().any(|l1| c.iter().any(|l2| l1.provided().contains(&r) && l2.required().contains(&r)))
}

pub(crate) fn roles(c: &Locations<'_>) -> BTreeSet<Role> {
    c.iter().flat_map(|l| l.provided().iter().chain(l.required())).copied().collect()
}

pub(crate) fn bound_roles_in_ls(c: &Locations<'_>) -> BTreeSet<Role> {
    roles(c).into_iter().filter(|&r| bound_in_ls(r, c)).collect()
}

pub(crate) fn unbound_roles_in_ls(c: &Locations<'_>) -> BTreeSet<Role> {
    roles(c).difference(&bound_roles_in_ls(c)).copied().collect()
}

pub(crate) fn atoms_in_graph(c: &Locations<'_>) -> BTreeSet<Atom> {
    let mut atoms = BTreeSet::new();
    for l in c {
        atoms.extend(l.process().atoms());
        atoms.extend(l.sort().atoms());
        atoms.extend(l.provided().iter().map(|&r| Atom::Role(r)));
        atoms.extend(l.required().iter().map(|&r| Atom::Role(r)));
        atoms.insert(Atom::Name(l.name()));
    }
    atoms
}

pub(crate) fn mixable_ls(c1: &Locations<'_>, c2: &Locations<'_>) -> bool {
    c1.iter().all(|l| {
        c2.iter().all(|h| {
            l.name() != h.name()
                && !some_in_common(l.provided(), h.provided())
                && !some_in_common(l.required(), h.required())
        })
    })
}

/// A transition as plain data, which may break any fact.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) env: Context,
    pub(crate) init: Vec<Location>,
    pub(crate) signals: Vec<Interaction>,
    pub(crate) term: Vec<Location>,
}

impl Plain {
    pub(crate) fn init(&self) -> Vec<&Location> {
        self.init.iter().collect()
    }

    pub(crate) fn term(&self) -> Vec<&Location> {
        self.term.iter().collect()
    }
}

pub(crate) fn transitions_contexts_gather_all_atoms(t: &Plain) -> bool {
    atoms_in_graph(&t.init()).iter().all(|&atom| t.env.contains(atom))
}

pub(crate) fn a_transition_initial_graphs_not_empty(t: &Plain) -> bool {
    !t.init.is_empty()
}

pub(crate) fn signals_in_transitions_emitted_on_unbound_roles(t: &Plain) -> bool {
    let unbound = unbound_roles_in_ls(&t.init());
    t.signals.iter().all(|m| unbound.contains(&m.role))
}

pub(crate) fn signals_in_transitions_emitted_on_a_given_role_are_unique(t: &Plain) -> bool {
    t.signals.iter().all(|m| t.signals.iter().all(|n| m.role != n.role || m == n))
}

pub(crate) fn matched_signal_pair(m1: &Interaction, m2: &Interaction) -> bool {
    let polarities = matches!(
        (m1.polarity, m2.polarity),
        (Polarity::Plus, Polarity::Minus) | (Polarity::Minus, Polarity::Plus)
    );
    m1.role == m2.role && m1.payload == m2.payload && polarities
}

pub(crate) fn wf_signals(s: &BTreeSet<Interaction>) -> bool {
    s.iter().all(|m1| s.iter().all(|m2| m1.role != m2.role || m1.polarity != m2.polarity || m1 == m2))
}

pub(crate) fn matched_signals(s: &BTreeSet<Interaction>) -> bool {
    wf_signals(s) && s.iter().all(|m1| s.iter().filter(|m2| matched_signal_pair(m1, m2)).count() == 1)
}

/// The signals on bound roles, and the others.
pub(crate) fn split_signals(ts: &[Plain]) -> (BTreeSet<Interaction>, BTreeSet<Interaction>) {
    let init: Vec<&Location> = ts.iter().flat_map(|t| &t.init).collect();
    let bound = bound_roles_in_ls(&init);
    ts.iter().flat_map(|t| &t.signals).cloned().partition(|m| bound.contains(&m.role))
}

pub(crate) fn synchronized_transitions(ts: &[Plain]) -> bool {
    let (sb, _) = split_signals(ts);
    let one_env = ts.first().is_some_and(|first| ts.iter().all(|t| t.env == first.env));
    let init: Vec<&Location> = ts.iter().flat_map(|t| &t.init).collect();
    let term: Vec<&Location> = ts.iter().flat_map(|t| &t.term).collect();
    one_env
        && disjoint_pairs(ts).all(|(t1, t2)| mixable_ls(&t1.init(), &t2.init()))
        && well_formed_location_set(&init)
        && matched_signals(&sb)
        // Told apart by where they stand, locations of two terminal sets make the union ill-formed if they
        // are equal: the text's "their terminal configurations are Mixable".
        && well_formed_location_set(&term)
}

pub(crate) fn uncoupled_transition(t: &Plain, c: &Locations<'_>) -> bool {
    mixable_ls(&t.init(), c)
        && mixable_ls(&t.term(), c)
        && t.signals.iter().all(|m| !roles(c).contains(&m.role))
}

pub(crate) fn polarity_follows_position(t: &Plain) -> bool {
    t.signals.iter().all(|m| {
        t.init.iter().all(|l| match m.polarity {
            Polarity::Plus => !l.required().contains(&m.role),
            Polarity::Minus => !l.provided().contains(&m.role),
        })
    })
}

pub(crate) fn new_atoms_are_fresh(t: &Plain) -> bool {
    let mut old = atoms_in_graph(&t.init());
    t.signals.iter().for_each(|m| m.payload.each_atom(&mut |atom| _ = old.insert(atom)));
    atoms_in_graph(&t.term()).iter().all(|&atom| old.contains(&atom) || !t.env.contains(atom))
}

pub(crate) fn label(signals: &[Interaction]) -> Label {
    signals.iter().cloned().collect()
}

pub(crate) fn names(c: &Locations<'_>) -> BTreeSet<Name> {
    c.iter().map(|l| l.name()).collect()
}

/// All ordered pairs of different elements: `disj x, y: items`.
pub(crate) fn disjoint_pairs<T>(items: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let indices = 0..items.len();
    indices.flat_map(move |i| (0..items.len()).filter(move |&j| i != j).map(move |j| (&items[i], &items[j])))
}

fn some_in_common(a: &[Role], b: &[Role]) -> bool {
    a.iter().any(|role| b.contains(role))
}
