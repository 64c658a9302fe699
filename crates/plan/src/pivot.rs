//! Things of any language as components with lifecycles: built, updated and taken down in order.
//!
//! A thing goes through its phases until it is ready, and needs other things from some phase on until it is gone. From an
//! old and a new version of the same things follows what is added, changed in place, replaced and removed, and why; and
//! the components with lifecycles that the planner works on:
//!
//! - what is changed in place goes to the state `updated`, after what it needs was updated;
//! - what is replaced is two components. Either the new one is ready, those who need it turn to it, and the old one is
//!   retired and deleted; or the old one stops before the new one enters some phase ([`Replacement`]).
//!
//! Where a document says step by step what is done ([`Procedure`](locus_graph::lifecycle::Procedure)), that is the order in which things
//! are made, or in which all is taken down.
//!
//! A milestone is a component like others, if it saves enough bindings. It is none of the things that are counted.

mod compare;
mod mutual;
mod procedure;

use std::borrow::Cow;

use locus_aeolus::{
    Binding, Component, ComponentId, ComponentType, Configuration, Provision, Requirement, State, StateId,
    Universe,
};
use locus_graph::lifecycle::{Need, Removal, Replacement, Thing, without_milestones};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::{Others, Problem, Wanted};
pub use compare::{Difference, Fate, Why};

/// Things as components with lifecycles.
#[derive(Clone, Debug)]
pub struct Pivot {
    /// A type for each thing, two for one that is replaced.
    pub universe: Universe,
    /// What is present at the start.
    pub start: Configuration,
    /// The names of the components that are present at the start.
    pub names: Vec<String>,
    /// What is to be present at the end.
    pub wanted: Vec<Wanted>,
    /// What becomes of each thing, in order of declaration: those of the new version first.
    pub differences: Vec<Difference>,
    /// What is taken to hold, in words.
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

/// From the old things to the new ones. Either may be nothing: then all is built, or taken down. Of two things with the
/// same name the first counts.
pub fn pivot(old: &[Thing], new: &[Thing]) -> Pivot {
    let (old, new) = (worthwhile(old), worthwhile(new));
    let (old, new) = (&*old, &*new);
    let differences = compare::compare(old, new);
    let milestones = compare::milestones(old, new, &differences);
    let fates = differences.iter().map(|difference| (difference.name.as_str(), difference.fate));
    let fates: Vec<(&str, Fate)> = milestones.iter().copied().chain(fates).collect();
    let (old_index, new_index) = (by_name(old), by_name(new));
    let mut builder = Builder {
        fates: fates.iter().copied().collect(),
        mutual: mutual::groups(old),
        gone_first: gone_first(new, &old_index, old, &fates),
        universe: Universe::new(),
        start: Configuration::new(),
        names: Vec::new(),
        wanted: Vec::new(),
        present: FxHashMap::default(),
        takedowns: if new.is_empty() { procedure::takedowns(old) } else { FxHashMap::default() },
    };
    for (name, fate) in fates {
        let old = old_index.get(name).map(|&index| &old[index]);
        let new = new_index.get(name).map(|&index| &new[index]);
        builder.thing(fate, old, new);
    }
    builder.bind();
    let assumptions = procedure::assumptions(old, new);
    let Builder { universe, start, names, wanted, .. } = builder;
    Pivot { universe, start, names, wanted, differences, assumptions }
}

/// The things without milestones that are not worth a component. Most documents have none.
fn worthwhile(things: &[Thing]) -> Cow<'_, [Thing]> {
    if things.iter().any(|thing| thing.is_milestone) {
        Cow::Owned(without_milestones(things.to_vec(), WORTH))
    } else {
        Cow::Borrowed(things)
    }
}

/// The place of each thing in a list; of two with the same name, of the first.
fn by_name(things: &[Thing]) -> FxHashMap<&str, usize> {
    things.iter().enumerate().rev().map(|(index, thing)| (thing.name.as_str(), index)).collect()
}

/// The things that are replaced so that nothing of the new version is there before the old one is gone.
fn gone_first<'t>(
    new: &'t [Thing],
    old_index: &FxHashMap<&str, usize>,
    old: &[Thing],
    fates: &[(&str, Fate)],
) -> FxHashSet<&'t str> {
    let replaced: FxHashSet<&str> =
        fates.iter().filter(|(_, fate)| *fate == Fate::Replace).map(|(name, _)| *name).collect();
    let goes = |thing: &Thing| {
        let old = old_index.get(thing.name.as_str()).map(|&index| &old[index]);
        replaced.contains(thing.name.as_str())
            && thing.replacement == Replacement::OldFirst { before: 0 }
            && old.is_some_and(|old| old.removal != Removal::Leave)
    };
    new.iter().filter(|thing| goes(thing)).map(|thing| thing.name.as_str()).collect()
}

struct Builder<'a> {
    fates: FxHashMap<&'a str, Fate>,
    /// Which things of the old version need each other.
    mutual: FxHashMap<&'a str, usize>,
    /// What is replaced so that nothing of the new version is there before the old one is gone.
    gone_first: FxHashSet<&'a str>,
    universe: Universe,
    start: Configuration,
    names: Vec<String>,
    wanted: Vec<Wanted>,
    /// The component that provides each port at the start.
    present: FxHashMap<String, ComponentId>,
    /// If all is taken down: the phases of that, of the things that say so.
    takedowns: FxHashMap<&'a str, &'a [String]>,
}

/// The port of a thing that has reached a phase; of one that is ready if no phase is given.
fn port(name: &str, phase: Option<&str>, version: &str) -> String {
    let mut port = name.to_owned();
    for part in [phase.unwrap_or(""), version] {
        if !part.is_empty() {
            port.push(' ');
            port.push_str(part);
        }
    }
    port
}

const UPDATED: &str = "updated";
const REPLACED: &str = "replaced";
const RETIRED: &str = "retired";

/// The ports that a thing provides once it has reached its first `count` phases.
fn ports(thing: &Thing, count: usize, version: &str) -> Vec<String> {
    let reached = thing.phases[..count].iter().map(|phase| port(&thing.name, Some(phase), version));
    let ready = (count == thing.phases.len()).then(|| port(&thing.name, None, version));
    if thing.phases.len() == 1 { ready.into_iter().collect() } else { reached.chain(ready).collect() }
}

impl Builder<'_> {
    /// The port at which the old version of a thing has what it needs.
    fn old_port(&self, need: &Need) -> Option<String> {
        match self.fates.get(need.target.as_str())? {
            Fate::Add => None,
            Fate::Replace if need.only_to_start => None,
            // What was ready has been through all phases.
            Fate::Keep | Fate::Change | Fate::Replace | Fate::Remove | Fate::Leave => {
                Some(port(&need.target, None, ""))
            }
        }
    }

    /// The port at which the new version of a thing has what it needs.
    fn new_port(&self, need: &Need) -> Option<String> {
        self.port_of(&need.target, need.phase.as_deref())
    }

    /// The port of the new version of a thing in a phase.
    fn port_of(&self, target: &str, phase: Option<&str>) -> Option<String> {
        let version = match self.fates.get(target)? {
            Fate::Remove | Fate::Leave => return None,
            Fate::Keep | Fate::Add => "",
            Fate::Change => UPDATED,
            Fate::Replace => REPLACED,
        };
        Some(port(target, phase, version))
    }

    /// What a thing needs that stays as it is: nothing of what is replaced or removed, since it does not change itself.
    fn kept_port(&self, need: &Need) -> Option<String> {
        let fate = self.fates.get(need.target.as_str())?;
        matches!(fate, Fate::Keep | Fate::Change).then(|| port(&need.target, None, ""))
    }

    fn state(&mut self, name: &str, provides: &[String], requires: &[String]) -> State {
        let mut ids = |ports: &[String]| {
            let mut ids: Vec<_> = ports.iter().map(|port| self.universe.port(port)).collect();
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
        let group = |name: &str| self.mutual.get(name);
        let own = group(&thing.name);
        let is_told = |name: &str| self.takedowns.contains_key(name);
        (own.is_none() || own != group(&need.target)) && !(is_told(&thing.name) && is_told(&need.target))
    }

    /// Whether the new version of a thing enters a phase only after the old one is gone, because both need something else
    /// of which that is true. Then it need not wait for the old one itself; and must not, for the old one cannot stay.
    fn follows_another(&self, old: &Thing, new: &Thing, phase: usize) -> bool {
        let holds = |target: &str| {
            let mut of_old = old.needs.iter().filter(|need| need.target == target);
            of_old.any(|need| !need.only_to_start && self.lasts(old, need))
        };
        old.removal != Removal::Leave
            && new.needs.iter().any(|need| {
                need.at <= phase && self.gone_first.contains(need.target.as_str()) && holds(&need.target)
            })
    }

    /// The state of a thing that is ready, as somebody built it before.
    fn ready(&mut self, thing: &Thing, requires: impl Fn(&Self, &Need) -> Option<String>) -> State {
        let needs = thing.needs.iter().filter(|need| self.lasts(thing, need));
        let requires: Vec<String> = needs.filter_map(|need| requires(self, need)).collect();
        let name = thing.phases.last().expect("there is at least one phase");
        self.state(name, &ports(thing, thing.phases.len(), ""), &requires)
    }

    fn thing(&mut self, fate: Fate, old: Option<&Thing>, new: Option<&Thing>) {
        match (fate, old, new) {
            (Fate::Add, _, Some(new)) => self.made(new, "", None),
            (Fate::Keep, _, Some(thing)) => {
                let state = self.ready(thing, Self::kept_port);
                self.deployed(thing, vec![state], Some(false));
            }
            (Fate::Remove, Some(old), _) => {
                let ready = self.ready(old, Self::old_port);
                let endings = self.takedown(old, &ready).unwrap_or_else(|| endings(old, &ready));
                let wanted = (!endings.is_empty()).then_some(true);
                self.deployed(old, [ready].into_iter().chain(endings).collect(), wanted);
            }
            // Nobody looks after it: what it needs may go, which the differences say.
            (Fate::Leave, Some(old), _) => {
                let state =
                    self.state(&old.phases[old.phases.len() - 1], &ports(old, old.phases.len(), ""), &[]);
                self.deployed(old, vec![state], Some(false));
            }
            (Fate::Change, Some(old), Some(new)) => {
                let ready = self.ready(old, Self::old_port);
                let requires: Vec<String> = new.needs.iter().filter_map(|need| self.new_port(need)).collect();
                let mut provides = ports(new, new.phases.len(), "");
                provides.extend(ports(new, new.phases.len(), UPDATED));
                let updated = self.state(UPDATED, &provides, &requires);
                self.deployed(old, vec![ready, updated], Some(false));
            }
            // The old one goes with those who need it, and the new one waits for nothing of that.
            (Fate::Replace, Some(old), Some(new)) if new.is_milestone => {
                let ready = self.ready(old, Self::old_port);
                self.deployed(old, vec![ready], None);
                self.made(new, REPLACED, None);
            }
            (Fate::Replace, Some(old), Some(new)) => self.replaced(old, new),
            _ => unreachable!("a fate has the versions that it is about"),
        }
    }

    fn replaced(&mut self, old: &Thing, new: &Thing) {
        let ready = self.ready(old, Self::old_port);
        let stays = old.removal == Removal::Leave;
        match new.replacement {
            Replacement::NewFirst => {
                let goes = port(&old.name, None, REPLACED);
                let mut endings = endings(old, &ready);
                if endings.is_empty() {
                    endings.push(State { name: RETIRED.to_owned(), ..State::default() });
                }
                let port = self.universe.port(&goes);
                for state in &mut endings {
                    state.requires = vec![Requirement { port, number: 1 }];
                }
                self.deployed(old, [ready].into_iter().chain(endings).collect(), Some(!stays));
                self.made(new, REPLACED, None);
            }
            Replacement::OldFirst { before } => {
                let gone = port(&old.name, None, RETIRED);
                let mut endings = endings(old, &ready);
                if endings.is_empty() {
                    endings.push(State { name: RETIRED.to_owned(), ..State::default() });
                }
                let last = endings.last_mut().expect("there is one");
                last.provides.push(Provision { port: self.universe.port(&gone), capacity: None });
                self.deployed(old, [ready].into_iter().chain(endings).collect(), Some(!stays));
                let wait = (!self.follows_another(old, new, before)).then_some((before, &gone));
                self.made(new, REPLACED, wait);
            }
        }
    }

    /// A component that is made, phase by phase; before one of them it waits until a port is there.
    fn made(&mut self, thing: &Thing, version: &str, wait: Option<(usize, &String)>) {
        let mut states = vec![State { name: "absent".to_owned(), ..State::default() }];
        for (index, phase) in thing.phases.iter().enumerate() {
            let needs = thing.needs.iter().filter(|need| need.at <= index && thing.building.is_none());
            let requires: Vec<String> = needs.filter_map(|need| self.new_port(need)).collect();
            let mut waits = self.awaited(thing, index);
            waits.extend(wait.filter(|(before, _)| *before == index).map(|(_, gone)| gone.clone()));
            if !waits.is_empty() {
                waits.extend(requires.iter().cloned());
                let waiting = self.state(&format!("before {phase}"), &ports(thing, index, version), &waits);
                states.push(waiting);
            }
            let state = self.state(phase, &ports(thing, index + 1, version), &requires);
            states.push(state);
        }
        let last = StateId(states.len() as u32 - 1);
        chain(&mut states);
        let name = if version.is_empty() { thing.name.clone() } else { format!("{} (new)", thing.name) };
        let kind = self.universe.add(ComponentType {
            name: name.clone(),
            title: Some(thing.sort.clone()),
            states,
            cost: 1,
            ..ComponentType::default()
        });
        self.wanted.push(Wanted { kind, state: last, existing: None, name: Some(name), then_delete: false });
    }

    /// A component that is there at the start, in the first of these states. It is wanted in the last of them if that is
    /// said, and then deleted if that is.
    fn deployed(&mut self, thing: &Thing, states: Vec<State>, wanted: Option<bool>) {
        // It cannot be made anew: what is described now is another version.
        let mut all = vec![State { name: "absent".to_owned(), ..State::default() }];
        all.extend(states);
        chain(&mut all);
        all[0].next.clear();
        // What was done to it can be taken back, until it is deleted.
        for (index, state) in all.iter_mut().enumerate().skip(READY.index() + 1) {
            state.next.insert(0, StateId(index as u32 - 1));
        }
        let last = StateId(all.len() as u32 - 1);
        let id = ComponentId(self.names.len() as u32);
        for provision in &all[READY.index()].provides {
            self.present.insert(self.universe.port_name(provision.port).to_owned(), id);
        }
        let kind = self.universe.add(ComponentType {
            name: thing.name.clone(),
            title: Some(thing.sort.clone()),
            states: all,
            cost: 1,
            ..ComponentType::default()
        });
        self.names.push(thing.name.clone());
        self.start.components.insert(id, Component { kind, state: READY });
        if let Some(then_delete) = wanted {
            let existing = Some(id);
            self.wanted.push(Wanted { kind, state: last, existing, name: None, then_delete });
        }
    }

    /// What is present at the start has what it requires.
    fn bind(&mut self) {
        let mut bindings = Vec::new();
        for (&requirer, component) in &self.start.components {
            for requirement in &self.universe.state(component.kind, READY).requires {
                let provider = self.present.get(self.universe.port_name(requirement.port));
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

/// The phases that a thing goes through before it is deleted. It still needs what it needs.
fn endings(thing: &Thing, ready: &State) -> Vec<State> {
    let state =
        |name: &String| State { name: name.clone(), requires: ready.requires.clone(), ..State::default() };
    thing.endings.iter().map(state).collect()
}

/// Each state leads to the next.
fn chain(states: &mut [State]) {
    let count = states.len();
    for (index, state) in states.iter_mut().enumerate().take(count - 1) {
        state.next = vec![StateId(index as u32 + 1)];
    }
}
