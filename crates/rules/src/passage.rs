//! Two instances of the same rules as one: what a document says before a change and after it, with what comes and goes
//! in between.
//!
//! Out of scope: which steps there are, and what they do to which element.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use locus_alloy::model::FieldId;
use locus_alloy::types::SigId;
use locus_alloy::{Given, Passage, Passing, Span};
use locus_source::{Finding, Place, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use crate::check::{Bindings, Writer, distinct, not_shown};
use crate::description::When;
use crate::instance::{AtomId, Instance, Item, Sig, Tuple};

/// The fate of an element on the way from one document to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Passes {
    /// It is in both, under this number, and is not touched.
    Stays(u32),
    /// It is a version that comes or goes, by its number.
    Version(usize),
}

/// One of the two instances, and the fate of each of its elements.
pub struct Side<'s, 'r> {
    /// The instance.
    pub instance: &'s Instance<'r>,
    /// The fate of an element.
    pub passes: &'s dyn Fn(u32) -> Passes,
}

/// The way between the two: steps in a partial order.
pub struct Way<'a> {
    /// For each step, those that come right before it, which have smaller numbers.
    pub after: &'a [Vec<usize>],
    /// For each version, when it is there: within any of these.
    pub versions: &'a [Vec<Span>],
    /// For each version the words that tell it from the other one of the same element; empty if there is no other.
    pub marks: &'a [&'static str],
    /// When the search is given up.
    pub timeout: Duration,
}

/// A rule that some configuration on the way breaks.
#[derive(Clone, PartialEq, Debug)]
pub struct Broken {
    /// The finding.
    pub finding: Finding,
    /// For each step whether it is done then.
    pub done: Vec<bool>,
    /// The versions that the finding is about.
    pub versions: Vec<usize>,
}

/// The judgement of a way.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// The rules that are broken, whatever the values that are not known turn out to be.
    pub broken: Vec<Broken>,
    /// Rules that may be broken, depending on values that are not known.
    pub unsettled: Vec<Broken>,
    /// Rules of which it could not be told, by their codes, and why.
    pub not_told: Vec<(String, String)>,
}

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 20;

/// Judges the way from one instance to another of the same rules: every configuration that some order of the steps
/// passes through.
///
/// # Errors
/// If a rule cannot be evaluated, or the search takes too long; the finding says which and why.
pub fn judge_way(
    old: &Side<'_, '_>,
    new: &Side<'_, '_>,
    way: &Way<'_>,
    everything: Place,
) -> Result<Judged, Box<Finding>> {
    Both::of(old, new, way.marks).judge(way, everything)
}

/// Both instances as one.
struct Both<'r> {
    all: Instance<'r>,
    /// The version that each atom belongs to.
    version_of: Vec<Option<usize>>,
    /// The name of each atom without a word for its version.
    names: Vec<Arc<str>>,
}

impl<'r> Both<'r> {
    fn of(old: &Side<'_, 'r>, new: &Side<'_, 'r>, marks: &[&'static str]) -> Self {
        let mut merging = Merging {
            both: Both { all: old.instance.rules.instance(), version_of: Vec::new(), names: Vec::new() },
            shared: FxHashMap::default(),
            inputs: FxHashMap::default(),
        };
        let stays = |side: &Side<'_, '_>| -> BTreeMap<u32, Vec<AtomId>> {
            let mut found: BTreeMap<u32, Vec<AtomId>> = BTreeMap::new();
            for (at, atom) in side.instance.atoms.iter().enumerate() {
                if let Some(Passes::Stays(number)) = atom.of.map(side.passes) {
                    found.entry(number).or_default().push(AtomId::at(at));
                }
            }
            found
        };
        let (before, after) = (stays(old), stays(new));
        let none = FxHashMap::default();
        let old_atoms = merging.atoms(old, &none, marks);
        // What stays is one thing: its parts are found in the order in which both instances have them.
        let mut same: FxHashMap<AtomId, AtomId> = FxHashMap::default();
        for (number, there) in &after {
            let Some(here) = before.get(number) else { continue };
            for (there, here) in pairs(new.instance, there, old.instance, here) {
                same.insert(there, old_atoms[here.index()]);
            }
        }
        let new_atoms = merging.atoms(new, &same, marks);
        let kept: FxHashSet<AtomId> = same.values().copied().collect();
        let old_items = merging.items(old.instance, &old_atoms);
        let new_items = merging.items(new.instance, &new_atoms);
        for tuple in &old.instance.tuples {
            let owner = old_atoms[tuple.owner.index()];
            let item = old_items(&tuple.item);
            // Of what stays, the new document says what it is; the old one only what else it is related to meanwhile.
            let is_passing = matches!(&item, Item::Atom(to) if merging.both.version_of[to.index()].is_some());
            if !kept.contains(&owner) || is_passing {
                merging.both.tuple(owner, tuple, item);
            }
        }
        for tuple in &new.instance.tuples {
            let owner = new_atoms[tuple.owner.index()];
            merging.both.tuple(owner, tuple, new_items(&tuple.item));
        }
        for (side, items) in [(old, &old_items as &dyn Fn(&Item) -> Item), (new, &new_items)] {
            for given in side.instance.data.optionals() {
                if let Some(item) = Item::of(given) {
                    merging.both.all.optional(&items(&item));
                }
            }
        }
        merging.both
    }

    fn tuple(&mut self, owner: AtomId, from: &Tuple, item: Item) {
        self.all.relate(owner, from.field, item, from.place, from.origin);
    }

    fn judge(&self, way: &Way<'_>, everything: Place) -> Result<Judged, Box<Finding>> {
        let mut judged = Judged::default();
        let version_of: BTreeMap<String, usize> = (self.version_of.iter().enumerate())
            .filter_map(|(at, version)| Some((AtomId::at(at).name(), (*version)?)))
            .collect();
        if version_of.is_empty() {
            return Ok(judged);
        }
        let deadline = Instant::now() + way.timeout;
        let rules = self.all.rules;
        let is_asked = |fact: usize| {
            let description = rules.description(fact);
            description.native.is_none()
                && description.rule.severity == Severity::Error
                && description.when == Some(When::Always)
        };
        let passing = Passing {
            after: way.after,
            versions: way.versions,
            version_of: &version_of,
            is_asked: &is_asked,
            timeout: way.timeout,
        };
        let mut passage = rules.model.passage(&self.all.data, &passing)?;
        for (fact, why) in &passage.not_told {
            judged.not_told.push((rules.description(*fact).rule.code.to_string(), why.clone()));
        }
        let mut facts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, broken) in passage.broken.iter().enumerate() {
            facts.entry(broken.fact).or_default().push(at);
        }
        for (fact, ways) in facts {
            let is_truncated = passage.truncated.contains(&fact);
            let way = (way, deadline);
            self.broken(&mut passage, &ways, is_truncated, way, everything, &mut judged);
        }
        Ok(judged)
    }

    /// Adds the ways in which one rule is broken: each identity once.
    fn broken(
        &self,
        passage: &mut Passage<'_>,
        ways: &[usize],
        is_truncated: bool,
        (way, deadline): (&Way<'_>, Instant),
        everything: Place,
        judged: &mut Judged,
    ) {
        // What was wrong before is not made wrong on the way, and what is wrong in the end is said of the document.
        let (at_ends, open): (Vec<usize>, Vec<usize>) =
            ways.iter().partition(|&&at| passage.broken[at].at_ends);
        let known: FxHashSet<Identity<'_>> =
            at_ends.iter().map(|&at| self.identity(&passage.broken[at].bindings)).collect();
        let fact = passage.broken[ways[0]].fact;
        let (mut settled, mut unsettled) = (Vec::new(), Vec::new());
        let mut seen = known;
        for at in open {
            let bindings = passage.broken[at].bindings.clone();
            let identity = self.identity(&bindings);
            if seen.contains(&identity) {
                continue;
            }
            if Instant::now() >= deadline {
                let code = self.all.rules.description(fact).rule.code.to_string();
                let why = "the time was up before all ways to break it were looked at".to_owned();
                judged.not_told.extend(settled.is_empty().then_some((code, why)));
                break;
            }
            match passage.settled(at) {
                None => {}
                Some((true, done)) => {
                    seen.insert(identity);
                    settled.push((bindings, done));
                }
                Some((false, done)) => unsettled.push((bindings, done)),
            }
        }
        let settled = distinct(settled);
        let more = settled.len().saturating_sub(SHOWN);
        let has_any = !settled.is_empty();
        for (bindings, done) in settled.into_iter().take(SHOWN) {
            judged.broken.push(self.finding(fact, &bindings, done, way, everything));
        }
        if has_any
            && (more > 0 || is_truncated)
            && let Some(last) = judged.broken.last_mut()
        {
            last.finding.notes.push(not_shown(if is_truncated { 0 } else { more }));
        }
        unsettled.retain(|(bindings, _)| !seen.contains(&self.identity(bindings)));
        for (bindings, done) in distinct(unsettled).into_iter().take(SHOWN) {
            judged.unsettled.push(self.finding(fact, &bindings, done, way, everything));
        }
    }

    fn finding(
        &self,
        fact: usize,
        bindings: &Bindings,
        done: Vec<bool>,
        way: &Way<'_>,
        everything: Place,
    ) -> Broken {
        let is_done = |step: Option<usize>, without: bool| step.map_or(without, |step| done[step]);
        let is_there: Vec<bool> = (way.versions.iter())
            .map(|spans| spans.iter().any(|span| is_done(span.comes, true) && !is_done(span.goes, false)))
            .collect();
        let is_there = |atom: AtomId| self.version_of[atom.index()].is_none_or(|version| is_there[version]);
        let writer =
            Writer { instance: &self.all, by_owner: self.all.by_owner(), everything, is_there: &is_there };
        let finding = writer.finding(&self.all.rules.description(fact), bindings);
        Broken { versions: self.versions(&finding), finding, done }
    }

    /// The things that a violation is about, in whichever version.
    fn identity<'i>(&'i self, bindings: &Bindings) -> Identity<'i> {
        let thing = |given: &Given| match Item::of(given) {
            Some(Item::Atom(atom)) if self.version_of[atom.index()].is_some() => {
                Thing::Versioned(self.all.atoms[atom.index()].sig, &self.names[atom.index()])
            }
            _ => Thing::Other(given.clone()),
        };
        let mut things: Vec<Thing<'i>> = bindings.iter().map(|(_, given)| thing(given)).collect();
        things.sort_unstable();
        things
    }

    /// The versions whose places a finding names.
    fn versions(&self, finding: &Finding) -> Vec<usize> {
        let places: FxHashSet<Place> = finding.places().collect();
        let of_atoms = (self.all.atoms.iter().zip(&self.version_of))
            .filter(|(atom, _)| places.contains(&atom.place))
            .filter_map(|(_, version)| *version);
        let of_tuples = (self.all.tuples.iter())
            .filter(|tuple| places.contains(&tuple.place))
            .filter_map(|tuple| self.version_of[tuple.owner.index()]);
        let mut versions: Vec<usize> = of_atoms.chain(of_tuples).collect();
        versions.sort_unstable();
        versions.dedup();
        versions
    }
}

/// The identity of a violation of a rule: the things that it is about.
type Identity<'i> = Vec<Thing<'i>>;

/// A thing that a violation is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Thing<'i> {
    /// An atom that comes or goes: the other version of its element has the same signature and name.
    Versioned(SigId, &'i str),
    /// A value, or an atom that stays.
    Other(Given),
}

/// The atoms of an element in one instance and in the other: in order if they are of the same signatures, or else those
/// of the same signature with the same label.
fn pairs(
    there: &Instance<'_>,
    theirs: &[AtomId],
    here: &Instance<'_>,
    ours: &[AtomId],
) -> Vec<(AtomId, AtomId)> {
    let (sig_there, sig_here) =
        (|id: &AtomId| there.atoms[id.index()].sig, |id: &AtomId| here.atoms[id.index()].sig);
    if theirs.iter().map(sig_there).eq(ours.iter().map(sig_here)) {
        return theirs.iter().copied().zip(ours.iter().copied()).collect();
    }
    let mut open: FxHashMap<(SigId, &str), Vec<AtomId>> = FxHashMap::default();
    for id in ours.iter().rev() {
        open.entry((sig_here(id), &here.atoms[id.index()].label)).or_default().push(*id);
    }
    let pair = |id: &AtomId| {
        let known = open.get_mut(&(sig_there(id), &*there.atoms[id.index()].label))?;
        Some((*id, known.pop()?))
    };
    theirs.iter().filter_map(pair).collect()
}

/// The union of two instances, as it grows.
struct Merging<'r> {
    both: Both<'r>,
    /// Atoms that elements have in common, by signature and label.
    shared: FxHashMap<(SigId, Arc<str>), AtomId>,
    /// Values that are not known, by the inputs that they are.
    inputs: FxHashMap<Arc<str>, Item>,
}

impl<'r> Merging<'r> {
    /// The atom here of each atom of an instance; `same` has those that are known.
    fn atoms(
        &mut self,
        side: &Side<'_, '_>,
        same: &FxHashMap<AtomId, AtomId>,
        marks: &[&'static str],
    ) -> Vec<AtomId> {
        let instance = side.instance;
        let mut atoms = Vec::with_capacity(instance.atoms.len());
        for (at, atom) in instance.atoms.iter().enumerate() {
            let id = AtomId::at(at);
            if let Some(known) = same.get(&id) {
                atoms.push(*known);
                continue;
            }
            let version = match atom.of.map(side.passes) {
                Some(Passes::Version(version)) => Some(version),
                Some(Passes::Stays(_)) | None => None,
            };
            let is_unknown = instance.data.is_unknown(&id.name());
            let input = instance.inputs.get(&Item::Atom(id));
            let known = match (atom.of, is_unknown, input) {
                (_, true, Some(input)) => match self.inputs.get(input) {
                    Some(Item::Atom(known)) => Some(*known),
                    _ => None,
                },
                (None, false, _) => self.shared.get(&(atom.sig, Arc::clone(&atom.label))).copied(),
                _ => None,
            };
            let here = known.unwrap_or_else(|| {
                let mark = version.map_or("", |version| marks[version]);
                let label = match mark {
                    "" => Arc::clone(&atom.label),
                    mark => format!("{} ({mark})", atom.label).into(),
                };
                let here = self.both.all.atom(Sig(atom.sig), label, atom.place);
                let version = version.filter(|_| !(is_unknown && input.is_some()));
                self.both.version_of.push(version);
                self.both.names.push(Arc::clone(&atom.label));
                if is_unknown {
                    self.both.all.unknown_atom(here);
                }
                if let (true, Some(input)) = (is_unknown, input) {
                    self.inputs.insert(Arc::clone(input), Item::Atom(here));
                } else if atom.of.is_none() && !is_unknown {
                    self.shared.insert((atom.sig, Arc::clone(&atom.label)), here);
                }
                here
            });
            atoms.push(here);
        }
        atoms
    }

    /// All that each item of an instance is here.
    fn items<'i>(
        &mut self,
        instance: &'i Instance<'_>,
        atoms: &'i [AtomId],
    ) -> impl Fn(&Item) -> Item + use<'i, 'r> {
        let mut unknowns: FxHashMap<Item, Item> = FxHashMap::default();
        let given = instance.tuples.iter().map(|tuple| &tuple.item);
        for item in given.filter(|item| matches!(item, Item::Unknown(_))) {
            if unknowns.contains_key(item) {
                continue;
            }
            let input = instance.inputs.get(item);
            let known = input.and_then(|input| self.inputs.get(input)).cloned();
            let here = known.unwrap_or_else(|| self.both.all.another(item));
            if let Some(input) = input {
                self.inputs.entry(Arc::clone(input)).or_insert_with(|| here.clone());
            }
            unknowns.insert(item.clone(), here);
        }
        move |item| match item {
            Item::Atom(atom) => Item::Atom(atoms[atom.index()]),
            Item::Unknown(_) => unknowns.get(item).unwrap_or(item).clone(),
            Item::Int(_) | Item::Text(_) => item.clone(),
        }
    }
}

impl Instance<'_> {
    /// As [`Self::tuple`], by the field of the model.
    fn relate(&mut self, owner: AtomId, field: FieldId, item: Item, place: Place, origin: Option<Place>) {
        self.tuple(owner, crate::Field(field), item, place, origin);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use locus_alloy::NoFiles;
    use locus_source::{Sources, Span as TextSpan};
    use proptest::prelude::*;

    use super::*;
    use crate::Rules;

    /// Ports are on networks; rules about pairs, about something else that is to be there, about numbers and sums,
    /// about what is reached, and about all at once.
    const MODEL: &str = "module m
open util/integer
sig Net { range: lone String, next: set Net }
sig Port { on: set Net, address: lone String }
/** TST001 distinct: x.
 *  @message {p}
 *  @at p
 *  @when always */
fact distinct { all disj p, q: Port | some p.on & q.on implies no p.address & q.address }
/** TST002 placed: x.
 *  @message {p}
 *  @at p
 *  @when always */
fact placed { all p: Port | some p.on }
/** TST003 few: x.
 *  @message {n}
 *  @at n
 *  @when always */
fact few { all n: Net | #(on.n) <= 2 }
/** TST004 reached: x.
 *  @message {n} {p}
 *  @at n
 *  @also p
 *  @when always */
fact reached { all n: Net, p: on.n | some n.next implies some p.address & n.^next.range }
/** TST005 later: x.
 *  @message {n}
 *  @at n
 *  @when end */
fact later { all n: Net | some on.n }
/** TST006 sums: x.
 *  @message {n}
 *  @at n
 *  @when always */
fact sums { all n: Net | (sum p: on.n | plus[#p.address, #(p.on - n)]) <= 2 }
/** TST007 served: x.
 *  @message {p}
 *  @at p
 *  @when always */
fact served { all p: Port | some p.address implies some n: p.on | some n.range and n not in n.^next }
/** TST008 one: x.
 *  @message {n}
 *  @at n
 *  @when always */
fact single { all n: Net | some n.next implies lone p: on.n | no p.address or { q: Port | q.on = p.on } = p }
/** TST009 whole: x.
 *  @message ports
 *  @when always */
fact whole { some Port implies some Net and (no n: Net | n in n.next and n.range = Port.address) }
";

    /// All that there is of a port: the networks that it is on and its address.
    type Port = (Vec<usize>, Option<u8>);
    /// All that there is of a network: its range and those after it.
    type Net = (Option<u8>, Vec<usize>);

    #[derive(Clone, Debug)]
    struct Document {
        nets: Vec<Option<Net>>,
        ports: Vec<Option<Port>>,
    }

    const NETS: usize = 3;
    const PORTS: usize = 3;

    fn documents() -> impl Strategy<Value = Document> {
        let net = (prop::option::of(0..2u8), prop::collection::vec(0..NETS, 0..2));
        let port = (prop::collection::vec(0..NETS, 0..2), prop::option::of(0..2u8));
        let nets = prop::collection::vec(prop::option::weighted(0.8, net), NETS);
        let ports = prop::collection::vec(prop::option::weighted(0.8, port), PORTS);
        (nets, ports).prop_map(|(nets, ports)| Document { nets, ports })
    }

    /// Elements are numbered: networks first.
    fn instance<'r>(
        rules: &'r Rules,
        document: &Document,
        side: usize,
        file: locus_source::FileId,
    ) -> Instance<'r> {
        let mut instance = rules.instance();
        let (net, port) = (rules.sig("m", "Net").unwrap(), rules.sig("m", "Port").unwrap());
        let field = |sig, name| rules.field(sig, name).unwrap();
        let place = |at: usize| place(file, side, at);
        let mut nets = [None; NETS];
        for (at, _) in document.nets.iter().enumerate().filter(|(_, net)| net.is_some()) {
            instance.about(Some(at as u32));
            nets[at] = Some(instance.atom(net, format!("n{at}"), place(at)));
        }
        for (at, found) in document.nets.iter().enumerate() {
            let (Some((range, next)), Some(atom)) = (found, nets[at]) else { continue };
            if let Some(range) = range {
                instance.tuple(
                    atom,
                    field(net, "range"),
                    Item::Text(range.to_string().into()),
                    place(at),
                    None,
                );
            }
            for other in next.iter().filter_map(|&other| nets[other]) {
                instance.tuple(atom, field(net, "next"), Item::Atom(other), place(at), None);
            }
        }
        for (at, found) in document.ports.iter().enumerate() {
            let Some((on, address)) = found else { continue };
            instance.about(Some((NETS + at) as u32));
            let atom = instance.atom(port, format!("p{at}"), place(NETS + at));
            for other in on.iter().filter_map(|&other| nets[other]) {
                instance.tuple(atom, field(port, "on"), Item::Atom(other), place(NETS + at), None);
            }
            if let Some(address) = address {
                let text = Item::Text(address.to_string().into());
                instance.tuple(atom, field(port, "address"), text, place(NETS + at), None);
            }
        }
        instance
    }

    /// The element with a number, if it is there.
    fn element(document: &Document, at: usize) -> Option<(Option<&Net>, Option<&Port>)> {
        if at < NETS {
            document.nets[at].as_ref().map(|net| (Some(net), None))
        } else {
            document.ports[at - NETS].as_ref().map(|port| (None, Some(port)))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
        /// The judge finds the rules that some configuration breaks: those that a search through all of them finds,
        /// which knows nothing of how the judge works.
        #[test]
        fn all_configurations_are_judged_at_once(
            old in documents(),
            new in documents(),
            in_place in prop::collection::vec(any::<bool>(), NETS + PORTS),
            order in prop::collection::vec((0..8usize, 0..8usize), 0..6),
        ) {
            let sources = Sources::new();
            let file = sources.add("m.als", MODEL);
            let (rules, findings) = Rules::load(&sources, &NoFiles, file.id());
            let rules = rules.unwrap_or_else(|| panic!("{findings:?}"));
            // What both documents have alike stays; else a step changes it in place, or one makes the new and another
            // takes the old.
            let (mut spans, mut steps) = (Vec::new(), 0);
            let mut passes = [vec![Passes::Stays(0); NETS + PORTS], vec![Passes::Stays(0); NETS + PORTS]];
            for at in 0..NETS + PORTS {
                let (before, after) = (element(&old, at), element(&new, at));
                if before == after {
                    for side in &mut passes {
                        side[at] = Passes::Stays(at as u32);
                    }
                    continue;
                }
                let is_one_step = in_place[at] && before.is_some() && after.is_some();
                if before.is_some() {
                    passes[0][at] = Passes::Version(spans.len());
                    spans.push(vec![Span { comes: None, goes: Some(steps) }]);
                    steps += usize::from(!is_one_step);
                }
                if after.is_some() {
                    passes[1][at] = Passes::Version(spans.len());
                    spans.push(vec![Span { comes: Some(steps), goes: None }]);
                    steps += 1;
                }
            }
            prop_assume!(steps <= 9);
            let mut after = vec![Vec::new(); steps];
            for (first, then) in order.into_iter().filter(|&(first, then)| first < then && then < steps) {
                after[then].push(first);
            }
            let (before, then) = (instance(&rules, &old, 0, file.id()), instance(&rules, &new, 1, file.id()));
            let old_side = Side { instance: &before, passes: &|at| passes[0][at as usize] };
            let new_side = Side { instance: &then, passes: &|at| passes[1][at as usize] };
            let marks = vec![""; spans.len()];
            let way = Way { after: &after, versions: &spans, marks: &marks, timeout: Duration::from_mins(1) };
            let everything = Place::new(file.id(), TextSpan::point(0));
            let judged = judge_way(&old_side, &new_side, &way, everything).unwrap();
            prop_assert!(judged.not_told.is_empty() && judged.unsettled.is_empty());

            // The naive way: every set of steps that has all that come before its members, as an instance made by hand.
            let at = |done: usize| -> BTreeSet<(String, String)> {
                let is_there = |side: usize, at: usize| match passes[side][at] {
                    Passes::Stays(_) => true,
                    Passes::Version(version) => spans[version].iter().any(|span| {
                        span.comes.is_none_or(|step| done & (1 << step) != 0)
                            && span.goes.is_none_or(|step| done & (1 << step) == 0)
                    }),
                };
                let now = naive(&rules, [&old, &new], &passes, &is_there, file.id());
                let found = now.check(1000, everything).unwrap();
                let always = found.findings.iter().filter(|finding| finding.code.as_str() != "TST005");
                always.map(key).collect()
            };
            let is_closed = |done: &usize| {
                let has = |step: usize| done & (1 << step) != 0;
                (0..steps).all(|step| !has(step) || after[step].iter().all(|&first| has(first)))
            };
            let ways: Vec<usize> = (0..1usize << steps).filter(is_closed).collect();
            let ends: BTreeSet<_> = at(0).union(&at((1 << steps) - 1)).cloned().collect();
            // Of many that break a rule pairwise a finding names some, so that others are named where those are not
            // there: a rule that is broken at an end is not compared.
            let ended: BTreeSet<String> = ends.into_iter().map(|(code, _)| code).collect();
            let naive: BTreeSet<String> = ways
                .iter()
                .flat_map(|&done| at(done))
                .map(|(code, _)| code)
                .filter(|code| !ended.contains(code))
                .collect();
            let codes: BTreeSet<String> = judged
                .broken
                .iter()
                .map(|one| one.finding.code.to_string())
                .filter(|code| !ended.contains(code))
                .collect();
            prop_assert_eq!(naive, codes);
            for broken in &judged.broken {
                let done = broken.done.iter().enumerate();
                let done = done.fold(0, |all, (step, &done)| all | usize::from(done) << step);
                prop_assert!(ways.contains(&done), "not closed: {:?}", broken.done);
                // Of several that break it together, another one may be named.
                let code = broken.finding.code.as_str();
                prop_assert!(at(done).iter().any(|(other, _)| other == code), "{broken:?}");
            }
        }
    }

    /// The instance of a configuration: versions of elements side by side, each related to those of its own document.
    fn naive<'r>(
        rules: &'r Rules,
        documents: [&Document; 2],
        passes: &[Vec<Passes>; 2],
        is_there: &dyn Fn(usize, usize) -> bool,
        file: locus_source::FileId,
    ) -> Instance<'r> {
        let mut instance = rules.instance();
        let (net, port) = (rules.sig("m", "Net").unwrap(), rules.sig("m", "Port").unwrap());
        let field = |sig, name| rules.field(sig, name).unwrap();
        let mut atoms = [vec![None; NETS + PORTS], vec![None; NETS + PORTS]];
        for at in 0..NETS + PORTS {
            for side in 0..2 {
                if element(documents[side], at).is_none() || !is_there(side, at) {
                    continue;
                }
                // What stays is one thing.
                let stays = matches!(passes[side][at], Passes::Stays(_));
                let sig = if at < NETS { net } else { port };
                atoms[side][at] = match atoms[0][at].filter(|_| side == 1 && stays) {
                    Some(known) => Some(known),
                    None => Some(instance.atom(sig, label(at), place(file, side, at))),
                };
            }
        }
        for at in 0..NETS + PORTS {
            for side in 0..2 {
                let (Some(atom), Some(found)) = (atoms[side][at], element(documents[side], at)) else {
                    continue;
                };
                let (sig, name, to, of, value) = match found {
                    (Some((range, next)), _) => (net, "next", next, "range", range),
                    (_, Some((on, address))) => (port, "on", on, "address", address),
                    _ => continue,
                };
                for other in to.iter().filter_map(|&other| atoms[side][other]) {
                    instance.tuple(atom, field(sig, name), Item::Atom(other), place(file, side, at), None);
                }
                if let Some(value) = value {
                    instance.tuple(
                        atom,
                        field(sig, of),
                        Item::Text(value.to_string().into()),
                        place(file, side, at),
                        None,
                    );
                }
            }
        }
        instance
    }

    /// All that a reader sees of a finding.
    fn key(finding: &Finding) -> (String, String) {
        let places: Vec<String> = finding.places().map(|place| format!("{place:?}")).collect();
        (finding.code.to_string(), format!("{} {}", finding.message, places.join(" ")))
    }

    /// Where an element is written in one of the documents.
    fn place(file: locus_source::FileId, side: usize, at: usize) -> Place {
        let start = 20 * side + at;
        Place::new(file, TextSpan::new(start, start + 1))
    }

    fn label(at: usize) -> String {
        if at < NETS { format!("n{at}") } else { format!("p{}", at - NETS) }
    }
}
