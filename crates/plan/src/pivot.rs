//! Things of any language as components with lifecycles: built, updated and taken down in order.
//!
//! A thing goes through its phases until it is ready, and needs other things from some phase on until it is gone. From
//! an old and a new version of the same things follows what is added, changed in place, replaced and removed, and why;
//! and the components with lifecycles that the planner works on:
//!
//! - what is changed in place goes to the state `updated`, after what it needs was updated;
//! - what is replaced is two components. Either the new one is ready, those who need it turn to it, and the old one is
//!   retired and deleted; or the old one stops before the new one enters some phase ([`Replacement`]).
//!
//! Where a document says step by step what is done ([`Procedure`](locus_meaning::things::Procedure)), that is the order
//! in which things are made, or in which all is taken down.
//!
//! A milestone is a component like others, if it saves enough bindings. It is none of the things that are counted.

mod compare;
mod masked;
mod mutual;
mod parts;
mod ports;
mod procedure;

use std::borrow::Cow;

use locus_aeolus::{
    Binding, Component, ComponentId, ComponentType, Configuration, PortId, Provision, Requirement, State,
    StateId, TypeId, Universe,
};
use locus_meaning::Key;
use locus_meaning::things::{Need, Removal, Replacement, Thing, without_milestones};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::{Others, Problem, Wanted};
pub use compare::{Cause, Difference, Fate, Why};
use parts::Stages;
pub use parts::{Part, Stage};
use ports::{PortKey, Ports, Version};

/// Things as components with lifecycles.
#[derive(Clone, Debug)]
pub struct Pivot {
    /// A type for each thing, two for one that is replaced.
    pub universe: Universe,
    /// The thing that each type of the universe stands for, by the type's id.
    pub parts: Vec<Part>,
    /// The configuration at the start.
    pub start: Configuration,
    /// The names of the components that are present at the start.
    pub names: Vec<String>,
    /// The components that are wanted at the end.
    pub wanted: Vec<Wanted>,
    /// The fate of each thing, in order of declaration: those of the new version first.
    pub differences: Vec<Difference>,
    /// The assumptions, in words.
    pub assumptions: Vec<String>,
}

impl Pivot {
    /// The rest: nothing that is not wanted stays.
    pub const OTHERS: Others = Others::Delete;

    /// The problem for the planner: the wanted components, and nothing else stays.
    pub fn problem(&self) -> Problem<'_> {
        Problem {
            universe: &self.universe,
            start: &self.start,
            names: &self.names,
            wanted: self.wanted.clone(),
            others: Self::OTHERS,
        }
    }

    /// How many things have a fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.differences.iter().filter(|difference| difference.fate == fate).count()
    }
}

/// A milestone that saves fewer needs than this is not worth a component of its own.
const WORTH: usize = 100;

/// The state of a component of the old version at the start.
const READY: StateId = StateId(1);

/// That a thing is out of the way, or has changed, before another comes or changes. The two may be one thing, of which
/// then the old version goes before the new one is made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The thing that goes or changes first.
    pub first: Key,
    /// The thing that comes or changes then.
    pub then: Key,
}

/// From the old things to the new ones. Either may be nothing: then all is built, or taken down. Of two things with the
/// same key the first counts.
pub fn pivot(old: &[Thing], new: &[Thing]) -> Pivot {
    pivot_in_turn(old, new, &[])
}

/// The same with an order beside that which follows from the things.
pub fn pivot_in_turn(old: &[Thing], new: &[Thing], turns: &[Turn]) -> Pivot {
    let (old, mut new) = (worthwhile(old), worthwhile(new));
    let old = &*old;
    let differences = compare::compare(old, &new);
    if !turns.is_empty() {
        go_first(new.to_mut(), old, &differences, turns);
    }
    let new = &*new;
    let milestones = compare::milestones(old, new, &differences);
    let fates = differences.iter().map(|difference| (&difference.key, difference.fate));
    let fates: Vec<(&Key, Fate)> = milestones.iter().copied().chain(fates).collect();
    let (old_index, new_index) = (by_key(old), by_key(new));
    let mut holders = holders(old, new, &fates);
    for turn in turns.iter().filter(|turn| turn.first != turn.then) {
        let known = holders.entry(&turn.then).or_default();
        if !known.contains(&&turn.first) {
            known.push(&turn.first);
        }
    }
    let mut builder = Builder {
        fates: fates.iter().copied().collect(),
        old: old_index.iter().map(|(&key, &index)| (key, &old[index])).collect(),
        mutual: mutual::groups(old),
        gone_first: gone_first(new, &old_index, old, &fates),
        awaited: holders.values().flatten().copied().collect(),
        holders,
        universe: Universe::new(),
        parts: Vec::new(),
        ports: Ports::of(old.iter().chain(new)),
        start: Configuration::new(),
        names: Vec::new(),
        taken: FxHashSet::default(),
        wanted: Vec::new(),
        present: FxHashMap::default(),
        takedowns: if new.is_empty() { procedure::takedowns(old) } else { FxHashMap::default() },
    };
    for (key, fate) in fates {
        let old = old_index.get(key).map(|&index| &old[index]);
        let new = new_index.get(key).map(|&index| &new[index]);
        builder.thing(fate, old, new);
    }
    builder.bind();
    let assumptions = procedure::assumptions(old, new);
    let Builder { universe, parts, start, names, wanted, .. } = builder;
    Pivot { universe, parts, start, names, wanted, differences, assumptions }
}

/// The things without milestones that are not worth a component. Most documents have none.
fn worthwhile(things: &[Thing]) -> Cow<'_, [Thing]> {
    if things.iter().any(|thing| thing.is_milestone) {
        Cow::Owned(without_milestones(things.to_vec(), WORTH))
    } else {
        Cow::Borrowed(things)
    }
}

/// The place of each thing in a list; of two with the same key, of the first.
fn by_key(things: &[Thing]) -> FxHashMap<&Key, usize> {
    things.iter().enumerate().rev().map(|(index, thing)| (&thing.key, index)).collect()
}

/// The things that are replaced so that nothing of the new version is there before the old one is gone.
fn gone_first<'t>(
    new: &'t [Thing],
    old_index: &FxHashMap<&Key, usize>,
    old: &[Thing],
    fates: &[(&Key, Fate)],
) -> FxHashSet<&'t Key> {
    let replaced: FxHashSet<&Key> =
        fates.iter().filter(|(_, fate)| *fate == Fate::Replace).map(|(key, _)| *key).collect();
    let goes = |thing: &Thing| {
        let old = old_index.get(&thing.key).map(|&index| &old[index]);
        replaced.contains(&thing.key)
            && thing.replacement == Replacement::OldFirst { before: 0 }
            && old.is_some_and(|old| old.removal != Removal::Leave)
    };
    new.iter().filter(|thing| goes(thing)).map(|thing| &thing.key).collect()
}

/// Has things be replaced so that the old version goes first, if something is to come only then.
fn go_first(new: &mut [Thing], old: &[Thing], differences: &[Difference], turns: &[Turn]) {
    let replaced: FxHashSet<&Key> =
        differences.iter().filter(|one| one.fate == Fate::Replace).map(|one| &one.key).collect();
    let stay: FxHashSet<&Key> =
        old.iter().filter(|thing| thing.removal == Removal::Leave).map(|thing| &thing.key).collect();
    let first: FxHashSet<&Key> = turns.iter().map(|turn| &turn.first).collect();
    for thing in new {
        let goes = first.contains(&thing.key) && replaced.contains(&thing.key) && !stay.contains(&thing.key);
        if goes && thing.replacement == Replacement::NewFirst {
            thing.replacement = Replacement::OldFirst { before: 0 };
        }
    }
}

/// The things that are removed and have the place of another that is made or started only when they are out of the way:
/// by the key of that.
fn holders<'t>(old: &'t [Thing], new: &[Thing], fates: &[(&Key, Fate)]) -> FxHashMap<&'t Key, Vec<&'t Key>> {
    let mut holders: FxHashMap<&Key, Vec<&Key>> = FxHashMap::default();
    if old.iter().all(|thing| thing.in_place_of.is_none()) {
        return holders;
    }
    let removed: FxHashSet<&Key> =
        fates.iter().filter(|(_, fate)| *fate == Fate::Remove).map(|(key, _)| *key).collect();
    let waits = |thing: &&Thing| matches!(thing.replacement, Replacement::OldFirst { .. });
    let waiting: FxHashSet<&Key> = new.iter().filter(waits).map(|thing| &thing.key).collect();
    for thing in old.iter().filter(|thing| removed.contains(&thing.key)) {
        if let Some(place) = thing.in_place_of.as_ref().filter(|place| waiting.contains(place)) {
            holders.entry(place).or_default().push(&thing.key);
        }
    }
    holders
}

struct Builder<'a> {
    fates: FxHashMap<&'a Key, Fate>,
    old: FxHashMap<&'a Key, &'a Thing>,
    /// Which things of the old version need each other.
    mutual: FxHashMap<&'a Key, usize>,
    /// The things that are replaced so that nothing of the new version exists before the old one is gone.
    gone_first: FxHashSet<&'a Key>,
    /// The things that must be out of the way, or have changed, before another comes or changes, by that.
    holders: FxHashMap<&'a Key, Vec<&'a Key>>,
    /// All that something waits for so.
    awaited: FxHashSet<&'a Key>,
    universe: Universe,
    parts: Vec<Part>,
    ports: Ports<'a>,
    start: Configuration,
    names: Vec<String>,
    /// The names of components: things with different keys may have the same name.
    taken: FxHashSet<String>,
    wanted: Vec<Wanted>,
    /// The component that provides each port at the start.
    present: FxHashMap<PortId, ComponentId>,
    /// If all is taken down: the phases of that, of the things that say so.
    takedowns: FxHashMap<&'a Key, &'a [String]>,
}

/// The ports that a thing provides once it has reached its first `count` phases.
fn ports(thing: &Thing, count: usize, version: Version) -> Vec<PortKey<'_>> {
    let reached = thing.phases[..count].iter().map(|phase| PortKey::phase(&thing.key, phase, version));
    let ready = (count == thing.phases.len()).then(|| PortKey::ready(&thing.key, version));
    if thing.phases.len() == 1 { ready.into_iter().collect() } else { reached.chain(ready).collect() }
}

impl<'a> Builder<'a> {
    /// The port at which the old version of a thing has what it needs.
    fn old_port(&self, need: &'a Need) -> Option<PortKey<'a>> {
        match self.fates.get(&need.target)? {
            Fate::Add => None,
            Fate::Replace if need.only_to_start => None,
            // What was ready has been through all phases.
            Fate::Keep | Fate::Change | Fate::Replace | Fate::Remove | Fate::Leave => {
                Some(PortKey::ready(&need.target, Version::First))
            }
        }
    }

    /// The port at which the new version of a thing has what it needs.
    fn new_port(&self, need: &'a Need) -> Option<PortKey<'a>> {
        self.port_of(&need.target, need.phase.as_deref())
    }

    /// The port of the new version of a thing in a phase.
    fn port_of(&self, thing: &'a Key, phase: Option<&'a str>) -> Option<PortKey<'a>> {
        let version = match self.fates.get(thing)? {
            Fate::Remove | Fate::Leave => return None,
            Fate::Keep | Fate::Add => Version::First,
            Fate::Change => Version::Updated,
            Fate::Replace => Version::Replaced,
        };
        Some(PortKey { thing, phase, version })
    }

    /// The port of a need of a thing that stays as it is: of nothing that is replaced or removed, since the thing does
    /// not change itself.
    fn kept_port(&self, need: &'a Need) -> Option<PortKey<'a>> {
        let fate = self.fates.get(&need.target)?;
        matches!(fate, Fate::Keep | Fate::Change).then(|| PortKey::ready(&need.target, Version::First))
    }

    fn state(&mut self, name: &str, provides: &[PortKey<'a>], requires: &[PortKey<'a>]) -> State {
        let mut ids = |keys: &[PortKey<'a>]| {
            let mut ids: Vec<_> = keys.iter().map(|&key| self.ports.id(&mut self.universe, key)).collect();
            ids.sort_unstable();
            ids.dedup();
            ids
        };
        let (provides, requires) = (ids(provides), ids(requires));
        State {
            name: name.to_owned(),
            provides: provides.into_iter().map(|port| Provision { port, capacity: None }).collect(),
            requires: requires.into_iter().map(|port| Requirement { port, number: 1 }).collect(),
            ..State::default()
        }
    }

    /// Whether a thing that was built needs another until it is gone.
    fn lasts(&self, thing: &Thing, need: &Need) -> bool {
        let group = |key: &Key| self.mutual.get(key);
        let own = group(&thing.key);
        let is_told = |key: &Key| self.takedowns.contains_key(key);
        (own.is_none() || own != group(&need.target)) && !(is_told(&thing.key) && is_told(&need.target))
    }

    /// Whether the new version of a thing enters a phase only after the old one is gone, because both need something
    /// else of which that is true. Then it need not wait for the old one itself; and must not, for the old one cannot
    /// stay.
    fn follows_another(&self, old: &Thing, new: &Thing, phase: usize) -> bool {
        let holds = |target: &Key| {
            let mut of_old = old.needs.iter().filter(|need| need.target == *target);
            of_old.any(|need| !need.only_to_start && self.lasts(old, need))
        };
        old.removal != Removal::Leave
            && new
                .needs
                .iter()
                .any(|need| need.at <= phase && self.gone_first.contains(&need.target) && holds(&need.target))
    }

    /// The state of a thing that is ready, as somebody built it before.
    fn ready(
        &mut self,
        thing: &'a Thing,
        requires: impl Fn(&Self, &'a Need) -> Option<PortKey<'a>>,
    ) -> State {
        let needs = thing.needs.iter().filter(|need| self.lasts(thing, need));
        let requires: Vec<PortKey<'a>> = needs.filter_map(|need| requires(self, need)).collect();
        let name = thing.phases.last().expect("there is at least one phase");
        self.state(name, &ports(thing, thing.phases.len(), Version::First), &requires)
    }

    fn thing(&mut self, fate: Fate, old: Option<&'a Thing>, new: Option<&'a Thing>) {
        match (fate, old, new) {
            (Fate::Add, _, Some(new)) => {
                let waits = self.places_of(new);
                self.made(new, Version::First, &waits);
            }
            (Fate::Keep, _, Some(thing)) => {
                let state = self.ready(thing, Self::kept_port);
                self.deployed(thing, Stages::of(state), Some(false));
            }
            (Fate::Remove, Some(old), _) => {
                let ready = self.ready(old, Self::old_port);
                let mut endings = self.takedown(old, &ready).unwrap_or_else(|| self.endings(old));
                self.frees_place(old, &mut endings);
                let wanted = (!endings.is_empty()).then_some(true);
                self.deployed(old, Stages::of(ready).then(endings), wanted);
            }
            // Nobody looks after it: what it needs may go, which the differences say.
            (Fate::Leave, Some(old), _) => {
                let provides = ports(old, old.phases.len(), Version::First);
                let state = self.state(&old.phases[old.phases.len() - 1], &provides, &[]);
                self.deployed(old, Stages::of(state), Some(false));
            }
            (Fate::Change, Some(old), Some(new)) => {
                let ready = self.ready(old, Self::old_port);
                let requires: Vec<_> = new.needs.iter().filter_map(|need| self.new_port(need)).collect();
                let mut provides = ports(new, new.phases.len(), Version::First);
                provides.extend(ports(new, new.phases.len(), Version::Updated));
                let updated = self.state("updated", &provides, &requires);
                let mut stages = Stages::of(ready);
                let waits: Vec<_> = self.places_of(new).into_iter().map(|(_, port)| port).collect();
                if !waits.is_empty() {
                    let provides = ports(old, old.phases.len(), Version::First);
                    stages.push(Stage::Waiting, self.state("before updated", &provides, &waits));
                }
                self.deployed(old, stages.then(vec![(Stage::Updated, updated)]), Some(false));
            }
            // The old one goes with those who need it, and the new one waits for nothing of that.
            (Fate::Replace, Some(old), Some(new)) if new.is_milestone => {
                let ready = self.ready(old, Self::old_port);
                self.deployed(old, Stages::of(ready), None);
                self.made(new, Version::Replaced, &[]);
            }
            (Fate::Replace, Some(old), Some(new)) => self.replaced(old, new),
            _ => unreachable!("a fate has the versions that it is about"),
        }
    }

    fn replaced(&mut self, old: &'a Thing, new: &'a Thing) {
        let ready = self.ready(old, Self::old_port);
        let stays = old.removal == Removal::Leave;
        let mut endings = self.endings(old);
        if endings.is_empty() {
            let is_gone = !stays && new.replacement != Replacement::NewFirst;
            let stage = if is_gone { Stage::Gone } else { Stage::Retired };
            endings.push((stage, State { name: "retired".to_owned(), ..State::default() }));
        }
        let mut waits = self.places_of(new);
        waits.extend(match new.replacement {
            Replacement::NewFirst => {
                let goes = PortKey::ready(&old.key, Version::Replaced);
                let port = self.ports.id(&mut self.universe, goes);
                for (_, state) in &mut endings {
                    state.requires = vec![Requirement { port, number: 1 }];
                }
                None
            }
            Replacement::OldFirst { before } => {
                let gone = PortKey::ready(&old.key, Version::Retired);
                let port = self.ports.id(&mut self.universe, gone);
                let (_, last) = endings.last_mut().expect("there is one");
                last.provides.push(Provision { port, capacity: None });
                (!self.follows_another(old, new, before)).then_some((before, gone))
            }
        });
        self.deployed(old, Stages::of(ready).then(endings), Some(!stays));
        self.made(new, Version::Replaced, &waits);
    }

    /// The ports that are there when what must be out of the way of a thing is, or has changed, each with the phase
    /// before which that must be.
    fn places_of(&self, thing: &Thing) -> Vec<(usize, PortKey<'a>)> {
        let before = match thing.replacement {
            Replacement::OldFirst { before } => before,
            Replacement::NewFirst => 0,
        };
        let holders = self.holders.get(&thing.key).into_iter().flatten();
        let port = |key: &&'a Key| {
            let version = match self.fates.get(key)? {
                Fate::Change => Version::Updated,
                Fate::Remove | Fate::Replace => Version::Retired,
                Fate::Keep | Fate::Add | Fate::Leave => return None,
            };
            Some((before, PortKey::ready(key, version)))
        };
        holders.filter_map(port).collect()
    }

    /// Has a thing that is removed say when it is out of the way, if another waits for that.
    fn frees_place(&mut self, old: &'a Thing, endings: &mut Vec<(Stage, State)>) {
        if !self.awaited.contains(&old.key) {
            return;
        }
        if endings.is_empty() {
            endings.push((Stage::Gone, State { name: "retired".to_owned(), ..State::default() }));
        }
        let port = self.ports.id(&mut self.universe, PortKey::ready(&old.key, Version::Retired));
        let (_, last) = endings.last_mut().expect("there is one");
        last.provides.push(Provision { port, capacity: None });
    }

    /// The phases that a thing goes through before it is deleted. It is still there in the first phases of its life,
    /// for those that need it so; and needs others no further than it did then.
    fn endings(&mut self, old: &'a Thing) -> Vec<(Stage, State)> {
        let still = still_reached(old);
        let provides = ports(old, still, Version::First);
        let needs = old.needs.iter().filter(|need| still == 0 || need.at < still);
        let needs = needs.filter(|need| self.lasts(old, need));
        let requires: Vec<PortKey<'a>> = needs.filter_map(|need| self.ended_port(need)).collect();
        let ending = |name: &String| (Stage::Ending, self.state(name, &provides, &requires));
        old.endings.iter().map(ending).collect()
    }

    /// The port at which the old version of a thing, on its way out, has what it needs.
    fn ended_port(&self, need: &'a Need) -> Option<PortKey<'a>> {
        let port = self.old_port(need)?;
        let goes = matches!(self.fates.get(&need.target), Some(Fate::Replace | Fate::Remove));
        let other = self.old.get(&need.target).filter(|_| goes);
        let still = other.and_then(|other| {
            let phase = need.phase.as_deref()?;
            let reached = other.phases.iter().take(still_reached(other)).any(|reached| reached == phase);
            reached.then(|| PortKey::phase(&other.key, phase, Version::First))
        });
        Some(still.unwrap_or(port))
    }

    /// A component that is made, phase by phase; before some of them it waits until ports are there.
    fn made(&mut self, thing: &'a Thing, version: Version, wait: &[(usize, PortKey<'a>)]) {
        let mut stages = Stages::new();
        for (index, phase) in thing.phases.iter().enumerate() {
            let needs = thing.needs.iter().filter(|need| need.at <= index && thing.building.is_none());
            let requires: Vec<_> = needs.filter_map(|need| self.new_port(need)).collect();
            let mut waits = self.awaited(thing, index);
            waits.extend(wait.iter().filter(|&&(before, _)| before == index).map(|&(_, gone)| gone));
            if !waits.is_empty() {
                waits.extend(requires.iter().copied());
                let waiting = self.state(&format!("before {phase}"), &ports(thing, index, version), &waits);
                stages.push(Stage::Waiting, waiting);
            }
            let state = self.state(phase, &ports(thing, index + 1, version), &requires);
            stages.push(Stage::Phase, state);
        }
        let mut name = thing.name.clone();
        if version != Version::First {
            name.push_str(" (new)");
        }
        let name = self.unique(name);
        let last = stages.last();
        let kind = self.add(thing, name.clone(), stages, chain);
        self.wanted.push(Wanted { kind, state: last, existing: None, name: Some(name), then_delete: false });
    }

    /// A component that exists at the start, in the first of these states. It is wanted in the last of them if that is
    /// said, and then deleted if that is.
    fn deployed(&mut self, thing: &'a Thing, stages: Stages, wanted: Option<bool>) {
        let last = stages.last();
        let id = ComponentId(self.names.len() as u32);
        let name = self.unique(thing.name.clone());
        let kind = self.add(thing, name.clone(), stages, |states| {
            chain(states);
            // It cannot be made anew: what is described now is another version.
            states[0].next.clear();
            // What was done to it can be taken back, until it is deleted.
            for (index, state) in states.iter_mut().enumerate().skip(READY.index() + 1) {
                state.next.insert(0, StateId(index as u32 - 1));
            }
        });
        for provision in &self.universe.state(kind, READY).provides {
            self.present.insert(provision.port, id);
        }
        self.names.push(name);
        self.start.components.insert(id, Component { kind, state: READY });
        if let Some(then_delete) = wanted {
            let existing = Some(id);
            self.wanted.push(Wanted { kind, state: last, existing, name: None, then_delete });
        }
    }

    /// A name that no other component has.
    fn unique(&mut self, mut name: String) -> String {
        while !self.taken.insert(name.clone()) {
            name.push('\'');
        }
        name
    }

    /// Adds the type of a component that stands for a thing.
    fn add(&mut self, thing: &Thing, name: String, stages: Stages, link: impl Fn(&mut [State])) -> TypeId {
        let (stages, mut states) = stages.into_parts();
        link(&mut states);
        self.parts.push(Part { key: thing.key.clone(), thing: thing.name.clone(), stages });
        self.universe.add(ComponentType {
            name,
            title: Some(thing.sort.clone()),
            states,
            cost: 1,
            ..ComponentType::default()
        })
    }

    /// Binds what each component that is present at the start requires.
    fn bind(&mut self) {
        let mut bindings = Vec::new();
        for (&requirer, component) in &self.start.components {
            for requirement in &self.universe.state(component.kind, READY).requires {
                let provider = self.present.get(&requirement.port);
                bindings.extend(provider.map(|&provider| Binding {
                    port: requirement.port,
                    requirer,
                    provider,
                }));
            }
        }
        self.start.bindings.extend(bindings);
    }
}

/// How many of its phases a thing that is replaced has still reached when it has ended: those before which its place is
/// not free.
fn still_reached(thing: &Thing) -> usize {
    match thing.replacement {
        Replacement::OldFirst { before } if !thing.endings.is_empty() => {
            before.min(thing.phases.len().saturating_sub(1))
        }
        Replacement::OldFirst { .. } | Replacement::NewFirst => 0,
    }
}

/// Each state leads to the next.
fn chain(states: &mut [State]) {
    let count = states.len();
    for (index, state) in states.iter_mut().enumerate().take(count - 1) {
        state.next = vec![StateId(index as u32 + 1)];
    }
}
