//! Repairs: smallest sets of changes after which facts hold of given data.
//!
//! The data is a partial instance: what no change touches is a constant, and costs the solver nothing. Every change
//! that could be made is one choice, and a tuple that changes add or take away is there exactly if the choices say
//! so. All facts go to the model finder. A way in which one is broken now is excepted until somebody asks for it to
//! be repaired, so that what cannot be repaired does not stand in the way of the rest. The translation is made once;
//! what is asked for, how many changes there may be and which, are assumptions of the solver.
//!
//! A value that is not known is a value unlike any other here, and what may not be there is there. So whoever needs
//! to be sure judges the changed data again.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use locus_relational::sat::{Hope, Interrupt};
use locus_relational::{
    Ast, Atom, Bounds, Compare, EvalError, Evaluator, Expr, Formula, Instance, IntMode, Relation, Search,
    TupleSet, Universe, Violations,
};
use locus_source::{Finding, Place, Span};
use rustc_hash::FxHashMap;

use crate::bounds::Space;
use crate::excepted::excepted;
use crate::ground::{Data, Given, Named, Subject};
use crate::model::FieldId;
use crate::translate::{self, Ground};
use crate::types::SigId;
use crate::worlds::{self, Layout};
use crate::{Model, native, rules};

/// So many ways in which one fact is broken are looked at.
const LIMIT: usize = 100;

/// No repair has more changes than this.
const MOST: usize = 12;

/// Integers of the solver: enough for ports and sizes.
const BITS: u32 = 32;

/// The effect of one change on data.
#[derive(Clone, Debug, Default)]
pub struct Change {
    added: Data,
    removed: Data,
}

impl Change {
    /// Returns the change that turns one data into another. The same atom has the same name in both.
    pub fn between(before: &Data, after: &Data) -> Self {
        Self { added: without(after, before), removed: without(before, after) }
    }
}

/// Returns the part of one data that is not in another.
fn without(data: &Data, other: &Data) -> Data {
    let mut rest = Data::new();
    for (&sig, names) in &data.atoms {
        let known: BTreeSet<&String> = other.atoms.get(&sig).into_iter().flatten().collect();
        let names: Vec<String> = names.iter().filter(|name| !known.contains(name)).cloned().collect();
        if !names.is_empty() {
            rest.atoms.insert(sig, names);
        }
    }
    for (&field, tuples) in &data.tuples {
        let known = other.tuples.get(&field);
        let tuples: BTreeSet<_> = tuples
            .iter()
            .filter(|tuple| !known.is_some_and(|known| known.contains(*tuple)))
            .cloned()
            .collect();
        if !tuples.is_empty() {
            rest.tuples.insert(field, tuples);
        }
    }
    rest.unknown_atoms = data.unknown_atoms.difference(&other.unknown_atoms).cloned().collect();
    rest.optional = data.optional.difference(&other.optional).cloned().collect();
    rest
}

/// The demands on repairs beside the facts.
pub struct Terms<'a> {
    /// Whether a fact, by its position, is to be repaired where it is broken. One that is not stays as it is.
    pub is_asked: &'a dyn Fn(usize) -> bool,
    /// For each change those after it that cannot be made together with it.
    pub apart: &'a [Vec<usize>],
    /// Other things to repair: for each the changes any one of which does it.
    pub others: &'a [Vec<usize>],
    /// When to give up.
    pub timeout: Duration,
}

/// The ways to repair given data by some of the changes that are possible.
pub struct Repairs {
    search: Search,
    choice: Relation,
    /// One atom for each change.
    choices: Vec<Atom>,
    repaired: Relation,
    /// One atom for each thing to repair.
    demands: Vec<Atom>,
    room: Relation,
    /// One atom for each number of changes, from one on.
    rooms: Vec<Atom>,
    place: Place,
}

impl Model {
    /// The ways to repair data by some of the changes.
    ///
    /// # Errors
    /// If a fact cannot be evaluated or solved for; the finding says why.
    pub fn repairs(
        &self,
        data: &Data,
        changes: &[Change],
        terms: &Terms<'_>,
    ) -> Result<Repairs, Box<Finding>> {
        let place = Place::new(self.world.modules[0].file, Span::point(0));
        let refuse = |message: String| Box::new(Finding::new(&rules::TOO_LARGE, place, message));
        let mut all = data.clone();
        for change in changes {
            all.extend(&change.added);
        }
        let Ground { mut space, facts, .. } = translate::ground(&self.world, &all)?;
        let open = open_tuples(&space, data, changes);
        let mut universe = space.bounds.universe().clone();
        let mut atoms = |count: usize, what: &str| -> Vec<Atom> {
            (0..count).map(|i| universe.add(format!("{what}{i}"))).collect()
        };
        let choices = atoms(changes.len(), "change");
        let rooms = atoms(changes.len().min(MOST), "room");
        let base = rebound(&mut space, universe, &open);
        let mut asking = Asking {
            choice: space.ast.relation("change", 1),
            repaired: space.ast.relation("repaired", 1),
            choices,
            demands: Vec::new(),
            formulas: Vec::new(),
            ast: space.ast,
        };
        space.ast = asking.ast.clone();
        let broken = self.broken(&space, &all, &base, &facts).map_err(|error| refuse(error.to_string()))?;
        let mut universe = space.bounds.universe().clone();
        for ((subject, formula), found) in facts.into_iter().zip(broken) {
            // Of a fact that is broken in very many ways, not all of them could be excepted.
            if found.truncated {
                continue;
            }
            let is_asked = matches!(subject, Subject::Fact(fact) if (terms.is_asked)(fact));
            let mut exceptions = Vec::new();
            for violation in found.list {
                // It may stay as long as nobody demands that it is repaired.
                let demand = (is_asked && violation.settled).then(|| asking.demand(&mut universe));
                let unless = demand.map(|demand| asking.is_repaired(demand));
                exceptions.push((violation.bindings, unless));
            }
            let formula = excepted(&mut asking.ast, formula, &exceptions);
            asking.formulas.push(formula);
        }
        for ways in terms.others {
            let demand = asking.demand(&mut universe);
            asking.other(demand, ways);
        }
        asking.choices_decide(&open);
        asking.keep_apart(terms.apart);
        asking.search(&space, universe, rooms, terms.timeout, place)
    }

    /// How each of the facts is broken without any change.
    fn broken(
        &self,
        space: &Space,
        data: &Data,
        base: &Instance,
        facts: &[(Subject, Formula)],
    ) -> Result<Vec<Violations>, EvalError> {
        let worlds = worlds::worlds(&self.world, data, &Layout::of(space));
        let mut evaluator = Evaluator::new(&space.ast, space.bounds.universe(), base)
            .with_ints(IntMode::Exact)
            .with_worlds(&worlds);
        facts.iter().map(|&(_, formula)| evaluator.violations(formula, LIMIT)).collect()
    }
}

impl Repairs {
    /// How many things there are to repair: ways in which facts are broken, then the others.
    pub fn demands(&self) -> usize {
        self.demands.len()
    }

    /// The fewest changes that repair some things, given by their numbers, and break no fact in a new way; of as few
    /// changes those that come first. Nothing if there are none.
    ///
    /// # Errors
    /// If the time is up.
    pub fn smallest(&mut self, demands: &[usize]) -> Result<Option<Vec<usize>>, Box<Finding>> {
        let all = self.choices.len();
        let Some(first) = self.solve(demands, None, &[], all)? else { return Ok(None) };
        let mut found = first;
        for size in 1..=self.rooms.len().min(found.len()) {
            if let Some(fewer) = self.solve(demands, Some(size), &[], all)? {
                found = fewer;
                break;
            }
        }
        if found.len() > self.rooms.len() {
            return Ok(Some(found));
        }
        // From the last one on, each as far to the front as can be.
        let size = Some(found.len());
        let mut fixed: Vec<usize> = Vec::new();
        let mut below = all;
        while fixed.len() < found.len() {
            let last = |found: &[usize], fixed: &[usize]| {
                found.iter().copied().filter(|one| !fixed.contains(one)).max().unwrap_or(0)
            };
            let (mut low, mut high) = (0, last(&found, &fixed));
            while low < high {
                let middle = low.midpoint(high);
                match self.solve(demands, size, &fixed, (middle + 1).min(below))? {
                    Some(better) => {
                        high = last(&better, &fixed);
                        found = better;
                    }
                    None => low = middle + 1,
                }
            }
            fixed.push(high);
            below = high;
        }
        found.sort_unstable();
        Ok(Some(found))
    }

    /// From now on, no repair has all of these changes.
    pub fn reject(&mut self, changes: &[usize]) {
        let tuples: Vec<[Atom; 1]> = changes.iter().map(|&change| [self.choices[change]]).collect();
        let together: Vec<(Relation, &[Atom])> =
            tuples.iter().map(|tuple| (self.choice, &tuple[..])).collect();
        self.search.forbid(&together);
    }

    /// Changes that repair these things: at most so many, with all that are fixed and no others from `below` on.
    fn solve(
        &mut self,
        demands: &[usize],
        size: Option<usize>,
        fixed: &[usize],
        below: usize,
    ) -> Result<Option<Vec<usize>>, Box<Finding>> {
        let mut assumed: Vec<(Relation, &[Atom], bool)> = Vec::new();
        assumed.extend(
            demands.iter().map(|&demand| (self.repaired, std::slice::from_ref(&self.demands[demand]), true)),
        );
        if let Some(size) = size {
            assumed.push((self.room, std::slice::from_ref(&self.rooms[size - 1]), true));
        }
        for (at, atom) in self.choices.iter().enumerate() {
            let is_fixed = fixed.contains(&at);
            if is_fixed || at >= below {
                assumed.push((self.choice, std::slice::from_ref(atom), is_fixed));
            }
        }
        let found = self
            .search
            .under(&assumed)
            .map_err(|error| Box::new(Finding::new(&rules::TOO_LARGE, self.place, error.to_string())))?;
        let Some(found) = found else { return Ok(None) };
        let chosen = found.instance.get(self.choice);
        let is_chosen =
            |atom: &Atom| chosen.is_some_and(|chosen| chosen.contains(std::slice::from_ref(atom)));
        Ok(Some((0..self.choices.len()).filter(|&at| is_chosen(&self.choices[at])).collect()))
    }
}

impl Data {
    /// The same with other names and values.
    #[must_use]
    pub fn renamed(&self, name: &dyn Fn(&Given) -> Given) -> Self {
        let atom = |own: &String| match name(&Given::Atom(own.clone())) {
            Given::Atom(new) => new,
            _ => own.clone(),
        };
        let tuples = self.tuples.iter().map(|(field, tuples)| {
            (*field, tuples.iter().map(|tuple| tuple.iter().map(name).collect()).collect())
        });
        Self {
            atoms: self.atoms.iter().map(|(sig, names)| (*sig, names.iter().map(atom).collect())).collect(),
            tuples: tuples.collect(),
            unknown_atoms: self.unknown_atoms.iter().map(atom).collect(),
            optional: self.optional.iter().map(name).collect(),
            only_facts: self.only_facts,
        }
    }

    fn extend(&mut self, more: &Self) {
        for (&sig, names) in &more.atoms {
            let own = self.atoms.entry(sig).or_default();
            let new: Vec<&String> = names.iter().filter(|name| !own.contains(name)).collect();
            own.extend(new.into_iter().cloned());
        }
        for (&field, tuples) in &more.tuples {
            self.tuples.entry(field).or_default().extend(tuples.iter().cloned());
        }
        self.unknown_atoms.extend(more.unknown_atoms.iter().cloned());
        self.optional.extend(more.optional.iter().cloned());
    }
}

/// A tuple that changes decide about.
struct OpenTuple {
    relation: Relation,
    tuple: Vec<Atom>,
    /// Whether it is there without any change.
    now: bool,
    added_by: Vec<usize>,
    removed_by: Vec<usize>,
}

/// The effect of changes on something.
#[derive(Default)]
struct Touched {
    added_by: Vec<usize>,
    removed_by: Vec<usize>,
}

/// The tuples that changes decide about, those of signatures included.
fn open_tuples(space: &Space, data: &Data, changes: &[Change]) -> Vec<OpenTuple> {
    let mut atoms: BTreeMap<(SigId, &str), Touched> = BTreeMap::new();
    let mut tuples: BTreeMap<(FieldId, &[Given]), Touched> = BTreeMap::new();
    for (at, Change { added, removed }) in changes.iter().enumerate() {
        for (part, is_added) in [(added, true), (removed, false)] {
            let note = |touched: &mut Touched| {
                let list = if is_added { &mut touched.added_by } else { &mut touched.removed_by };
                list.push(at);
            };
            for (&sig, names) in &part.atoms {
                for name in names {
                    note(atoms.entry((sig, name)).or_default());
                }
            }
            for (&field, own) in &part.tuples {
                for tuple in own {
                    note(tuples.entry((field, tuple)).or_default());
                }
            }
        }
    }
    let named = Named::of(space.bounds.universe(), &space.unknown);
    let find = |given: &Given| named.find(given);
    let mut open = Vec::new();
    for ((sig, name), Touched { added_by, removed_by }) in atoms {
        let Some(atom) = named.atom(name) else { continue };
        let now = data.atoms.get(&sig).is_some_and(|names| names.iter().any(|own| own == name));
        // It is in the relation of its own signature, and in those of all that this extends.
        for (index, expr) in space.sigs.iter().enumerate() {
            let is_in = space.sig_bounds[index].1.contains(&[atom]);
            if let Some(relation) = native::relation_of(&space.ast, *expr).filter(|_| is_in) {
                let (added_by, removed_by) = (added_by.clone(), removed_by.clone());
                open.push(OpenTuple { relation, tuple: vec![atom], now, added_by, removed_by });
            }
        }
    }
    for ((field, tuple), Touched { added_by, removed_by }) in tuples {
        let Some(relation) = native::relation_of(&space.ast, space.fields[field.index()]) else { continue };
        let Some(atoms) = tuple.iter().map(find).collect::<Option<Vec<Atom>>>() else { continue };
        let now = data.tuples.get(&field).is_some_and(|known| known.contains(tuple));
        open.push(OpenTuple { relation, tuple: atoms, now, added_by, removed_by });
    }
    open
}

/// Gives relations their bounds over a larger universe, with the tuples that changes decide about left open; and the
/// instance without any change.
fn rebound(space: &mut Space, universe: Universe, open: &[OpenTuple]) -> Instance {
    let mut by_relation: FxHashMap<Relation, Vec<&OpenTuple>> = FxHashMap::default();
    for tuple in open {
        by_relation.entry(tuple.relation).or_default().push(tuple);
    }
    let mut bounds = Bounds::new(universe);
    let mut base = Instance::new();
    for (relation, bound) in space.bounds.relations() {
        let open = by_relation.get(&relation).map_or(&[][..], Vec::as_slice);
        let of = |tuples: &mut dyn Iterator<Item = &&OpenTuple>| {
            TupleSet::from_tuples(bound.upper.arity(), tuples.map(|open| &open.tuple))
        };
        let lower = bound.upper.difference(&of(&mut open.iter()));
        base.set(relation, lower.union(&of(&mut open.iter().filter(|open| open.now))));
        bounds.bound(relation, lower, bound.upper.clone());
    }
    space.bounds = bounds;
    base
}

/// The formulas that go to the solver, as they grow.
struct Asking {
    ast: Ast,
    choice: Relation,
    repaired: Relation,
    choices: Vec<Atom>,
    demands: Vec<Atom>,
    formulas: Vec<Formula>,
}

impl Asking {
    fn demand(&mut self, universe: &mut Universe) -> Atom {
        let atom = universe.add(format!("demand{}", self.demands.len()));
        self.demands.push(atom);
        atom
    }

    fn constant(&mut self, atoms: impl IntoIterator<Item = Atom>) -> Expr {
        self.ast.constant_expr(TupleSet::unary(atoms))
    }

    fn is_repaired(&mut self, demand: Atom) -> Formula {
        let (atom, repaired) = (self.constant([demand]), self.ast.rel(self.repaired));
        self.ast.subset(atom, repaired)
    }

    /// Some of these changes is made.
    fn some_of(&mut self, changes: &[usize]) -> Formula {
        let atoms: Vec<Atom> = changes.iter().map(|&change| self.choices[change]).collect();
        let (atoms, choice) = (self.constant(atoms), self.ast.rel(self.choice));
        let both = self.ast.intersection(&[atoms, choice]);
        self.ast.some(both)
    }

    fn other(&mut self, demand: Atom, ways: &[usize]) {
        let (repaired, some) = (self.is_repaired(demand), self.some_of(ways));
        let formula = self.ast.implies(repaired, some);
        self.formulas.push(formula);
    }

    /// A tuple is there exactly if the choices say so.
    fn choices_decide(&mut self, open: &[OpenTuple]) {
        for OpenTuple { relation, tuple, now, added_by, removed_by } in open {
            let value = self.ast.constant_expr(TupleSet::from_tuples(tuple.len(), [tuple]));
            let relation = self.ast.rel(*relation);
            let is_there = self.ast.subset(value, relation);
            let added = self.some_of(added_by);
            let wanted = if *now {
                let removed = self.some_of(removed_by);
                let kept = self.ast.not(removed);
                self.ast.or(&[kept, added])
            } else {
                added
            };
            let formula = self.ast.iff(is_there, wanted);
            self.formulas.push(formula);
        }
    }

    fn keep_apart(&mut self, apart: &[Vec<usize>]) {
        for (at, others) in apart.iter().enumerate().filter(|(_, others)| !others.is_empty()) {
            let (this, other) = (self.some_of(&[at]), self.some_of(others));
            let both = self.ast.and(&[this, other]);
            let formula = self.ast.not(both);
            self.formulas.push(formula);
        }
    }

    /// Hands all to the solver.
    fn search(
        mut self,
        space: &Space,
        universe: Universe,
        rooms: Vec<Atom>,
        timeout: Duration,
        place: Place,
    ) -> Result<Repairs, Box<Finding>> {
        let room = self.count(&rooms);
        let Self { mut ast, choice, repaired, choices, demands, formulas } = self;
        let mut bounds = Bounds::new(universe);
        for (relation, bound) in space.bounds.relations() {
            bounds.bound(relation, bound.lower.clone(), bound.upper.clone());
        }
        for (relation, atoms) in [(choice, &choices), (repaired, &demands), (room, &rooms)] {
            bounds.upper(relation, TupleSet::unary(atoms.iter().copied()));
        }
        let formula = ast.and(&formulas);
        let options = locus_relational::Options {
            ints: IntMode::Wrap(BITS),
            symmetry: 0,
            fix_orders: false,
            hope: Hope::Model,
            interrupt: Interrupt::never().with_timeout(timeout),
            ..locus_relational::Options::default()
        };
        let search = Search::new(&ast, &bounds, formula, &options)
            .map_err(|error| Box::new(Finding::new(&rules::TOO_LARGE, place, error.to_string())))?;
        Ok(Repairs { search, choice, choices, repaired, demands, room, rooms, place })
    }

    /// In a room there are at most as many changes as its number says.
    fn count(&mut self, rooms: &[Atom]) -> Relation {
        let room = self.ast.relation("room", 1);
        let choice = self.ast.rel(self.choice);
        let count = self.ast.count(choice);
        for (atom, size) in rooms.iter().zip(1..) {
            let (atom, value) = (self.constant([*atom]), self.ast.rel(room));
            let is_in = self.ast.subset(atom, value);
            let size = self.ast.int_const(size);
            let few = self.ast.compare(Compare::Le, count, size);
            let formula = self.ast.implies(is_in, few);
            self.formulas.push(formula);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoFiles;
    use locus_source::Sources;

    const MODEL: &str = "sig Port { ip: lone String, net: set Net } sig Net {} \
        fact distinct { all disj p, q: Port | some p.ip implies p.ip != q.ip } \
        fact named { no p: Port | no p.ip and no p.net } \
        fact small { all p: Port | lone p.net }";

    /// A port with its addresses and its networks.
    type Port<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

    fn text(name: &str) -> Given {
        Given::Text(name.to_owned())
    }

    fn atom(name: &str) -> Given {
        Given::Atom(name.to_owned())
    }

    /// Ports with their addresses and networks.
    fn data(model: &Model, ports: &[Port<'_>]) -> Data {
        let (port, net) = (model.find_sig("Port").expect("a sig"), model.find_sig("Net").expect("a sig"));
        let (ip, on) =
            (model.find_field(port, "ip").expect("a field"), model.find_field(port, "net").expect("a field"));
        let mut data = Data::new();
        for name in ["N1", "N2"] {
            data.atom(net, name);
        }
        for (name, addresses, nets) in ports {
            data.atom(port, *name);
            for one in *addresses {
                data.tuple(ip, vec![atom(name), text(one)]);
            }
            for one in *nets {
                data.tuple(on, vec![atom(name), atom(one)]);
            }
        }
        data.is_well_formed();
        data
    }

    fn repairs(ports: &[Port<'_>], changed: &[&[Port<'_>]], others: &[Vec<usize>]) -> Repairs {
        let sources = Sources::new();
        let file = sources.add("m.als", MODEL);
        let (model, findings) = Model::load(&sources, &NoFiles, file.id());
        let model = model.unwrap_or_else(|| panic!("{findings:?}"));
        let before = data(&model, ports);
        let changes: Vec<Change> =
            changed.iter().map(|ports| Change::between(&before, &data(&model, ports))).collect();
        let apart = vec![Vec::new(); changes.len()];
        let terms = Terms { is_asked: &|_| true, apart: &apart, others, timeout: Duration::from_mins(1) };
        model.repairs(&before, &changes, &terms).unwrap_or_else(|finding| panic!("{finding:?}"))
    }

    #[test]
    fn one_change_that_repairs_everything_is_found_before_two() {
        // Three ports with one address: two of them have to move, and not to the same one.
        let ports: &[Port<'_>] = &[("A", &["1"], &[]), ("B", &["1"], &[]), ("C", &["2"], &[])];
        let to = |a, b| -> Vec<Port<'_>> { vec![("A", a, &[]), ("B", b, &[]), ("C", &["2"], &[])] };
        let (one, two, three): (&[&str], &[&str], &[&str]) = (&["1"], &["2"], &["3"]);
        let changed = [to(two, one), to(one, two), to(one, three), to(three, one)];
        let changed: Vec<&[_]> = changed.iter().map(Vec::as_slice).collect();
        let mut found = repairs(ports, &changed, &[]);
        let all: Vec<usize> = (0..found.demands()).collect();
        assert_eq!(all.len(), 2, "A with B, and B with A");
        // The first two would break the fact in a new way; of the others the first is taken.
        assert_eq!(found.smallest(&all).expect("in time"), Some(vec![2]));
        found.reject(&[2]);
        assert_eq!(found.smallest(&all).expect("in time"), Some(vec![3]));
        found.reject(&[3]);
        assert_eq!(found.smallest(&all).expect("in time"), None);
    }

    #[test]
    fn what_cannot_be_repaired_does_not_stand_in_the_way() {
        let ports: &[Port<'_>] = &[("A", &[], &[]), ("B", &["1"], &["N1", "N2"]), ("C", &[], &[])];
        let named: &[Port<'_>] = &[("A", &["7"], &[]), ("B", &["1"], &["N1", "N2"]), ("C", &[], &[])];
        let nothing: &[Port<'_>] =
            &[("A", &[], &["N1", "N2"]), ("B", &["1"], &["N1", "N2"]), ("C", &[], &[])];
        let mut found = repairs(ports, &[nothing, named], &[vec![1], vec![]]);
        assert_eq!(found.demands(), 5, "A and C have no name, B has two nets, and two others");
        let all: Vec<usize> = (0..5).collect();
        assert_eq!(found.smallest(&all).expect("in time"), None);
        let alone: Vec<Option<Vec<usize>>> =
            all.iter().map(|&demand| found.smallest(&[demand]).expect("in time")).collect();
        // Both ways to repair A are one change, but the first breaks another fact.
        assert_eq!(alone.iter().filter(|one| **one == Some(vec![1])).count(), 2);
        assert_eq!(alone.iter().filter(|one| one.is_none()).count(), 3);
    }
}
