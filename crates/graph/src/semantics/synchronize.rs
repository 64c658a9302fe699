//! Synchronizing transitions: several parts of a graph move at once.

use crate::semantics::label::{Interaction, SignalFault, check_matched_signals};
use crate::semantics::transition::join;
use crate::semantics::{Label, Transition};
use crate::{Atom, Clash, IllFormed, LocationSet, Role, Symbols};

/// The condition of `Synchronized_Transitions` that fails, in the report's order. Numbers are indices of the
/// transitions given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SynchronizeError {
    /// `one ts.env`, because there is no transition at all.
    NoTransition,
    /// `one ts.env`: these two have different contexts; with the atoms that only the one or the other knows.
    Contexts(usize, usize, Vec<Atom>),
    /// `MixableLS[t1.init, t2.init]`: these two cannot start together.
    InitialNotMixable(usize, usize, Clash),
    /// `WellFormedLocationSet[ts.init]`: one of them starts from an ill-formed set.
    InitialIllFormed(IllFormed),
    /// `Matched_Signals[sb]`: interactions on roles that are bound between the parts do not match.
    Signals(Vec<SignalFault>),
    /// These two cannot end together: "their terminal configurations are Mixable".
    ///
    /// Slip: that is the report's text. Its formula only asks that the union be well-formed, so that two
    /// transitions might end in one and the same location, and one of the two would be lost. We follow the
    /// text; uncoupling asks for the same.
    TerminalNotMixable(usize, usize, Clash),
    /// `WellFormedLocationSet[ts.term]`: one of them ends in an ill-formed set.
    TerminalIllFormed(IllFormed),
}

impl SynchronizeError {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        match self {
            Self::NoTransition => "there is no transition to synchronize".to_owned(),
            Self::Contexts(a, b, atoms) => format!(
                "transitions {a} and {b} have different contexts: only one of them knows {}",
                join(atoms.iter().map(|atom| atom.display(symbols).to_string()))
            ),
            Self::InitialNotMixable(a, b, clash) => {
                format!("transitions {a} and {b} cannot start together: {}", clash.display(symbols))
            }
            Self::InitialIllFormed(ill) => {
                format!("the initial locations are not well-formed: {}", ill.display(symbols))
            }
            Self::Signals(faults) => format!(
                "interactions on bound roles do not match: {}",
                faults.iter().map(|fault| fault.display(symbols).to_string()).collect::<Vec<_>>().join("; ")
            ),
            Self::TerminalNotMixable(a, b, clash) => {
                format!("transitions {a} and {b} cannot end together: {}", clash.display(symbols))
            }
            Self::TerminalIllFormed(ill) => {
                format!("the terminal locations are not well-formed: {}", ill.display(symbols))
            }
        }
    }
}

/// The synchronizing transition of some transitions (`Synchronizing_Transition`): all of them at once. Its
/// label holds what is left when the interactions between them are done.
///
/// A transition given twice clashes with itself. Takes O(k log k) for k locations, roles and signals in all.
///
/// # Errors
/// With the first of the report's conditions that fails (`Synchronized_Transitions`).
pub fn synchronize(transitions: &[&Transition]) -> Result<Transition, SynchronizeError> {
    let Some(first) = transitions.first() else { return Err(SynchronizeError::NoTransition) };
    let env = first.env().clone();
    if let Some(other) = transitions.iter().position(|t| *t.env() != env) {
        return Err(SynchronizeError::Contexts(0, other, difference(first, transitions[other])));
    }
    let inits: Vec<&LocationSet> = transitions.iter().map(|t| t.init()).collect();
    if let Some((a, b, clash)) = first_clash(&inits) {
        return Err(SynchronizeError::InitialNotMixable(a, b, clash));
    }
    let init: LocationSet = inits.into_iter().flatten().cloned().collect();
    init.check_well_formed().map_err(SynchronizeError::InitialIllFormed)?;

    let bound = init.bound_roles();
    let signals = transitions.iter().flat_map(|t| t.label().signals()).cloned();
    let is_inner = |signal: &Interaction| bound.binary_search(&signal.role).is_ok();
    let (inner, outer): (Vec<_>, Vec<_>) = signals.partition(is_inner);
    check_matched_signals(&Label::from_iter(inner)).map_err(SynchronizeError::Signals)?;

    let terms: Vec<&LocationSet> = transitions.iter().map(|t| t.term()).collect();
    if let Some((a, b, clash)) = first_clash(&terms) {
        return Err(SynchronizeError::TerminalNotMixable(a, b, clash));
    }
    let term: LocationSet = terms.into_iter().flatten().cloned().collect();
    term.check_well_formed().map_err(SynchronizeError::TerminalIllFormed)?;

    // The facts hold: each initial set is in the common context and not empty; what is left of the signals
    // was unbound in its own part and is not bound in the whole; and a role with signals of two parts is a
    // role of both, which, the parts being mixable, is bound, so that none of its signals is left.
    Ok(Transition::new(env, init, outer.into_iter().collect(), term)
        .expect("a synchronizing transition obeys the facts about transitions"))
}

fn difference(a: &Transition, b: &Transition) -> Vec<Atom> {
    let mut atoms = a.env().missing(b.env().atoms().iter().copied());
    atoms.extend(b.env().missing(a.env().atoms().iter().copied()));
    atoms.sort_unstable();
    atoms
}

/// The first two sets, in order, that are not mixable, and why.
fn first_clash(sets: &[&LocationSet]) -> Option<(usize, usize, Clash)> {
    /// The smallest pair of different owners of one item.
    fn first_pair<T: Ord>(mut items: Vec<(T, usize)>) -> Option<(usize, usize)> {
        items.sort_unstable();
        items.dedup();
        let pairs = items.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[0].1, w[1].1));
        pairs.min()
    }
    let owned = |roles: fn(&LocationSet) -> Vec<Role>| {
        let each = sets.iter().enumerate();
        first_pair(each.flat_map(|(i, set)| roles(set).into_iter().map(move |r| (r, i))).collect())
    };
    let names = sets.iter().enumerate();
    let names = first_pair(names.flat_map(|(i, set)| set.names().into_iter().map(move |n| (n, i))).collect());
    let pairs = [names, owned(LocationSet::provided), owned(LocationSet::required)];
    let (a, b) = pairs.into_iter().flatten().min()?;
    let clash = sets[a].check_mixable(sets[b]).expect_err("the two have something in common");
    Some((a, b, clash))
}
