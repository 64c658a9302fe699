//! The things that a document deploys, with their lifecycles: made phase by phase, changed, replaced and removed.
//!
//! A language maps its documents to [`Thing`]s once, and planning works on those alone. By default every location of a
//! graph is a thing with one phase ([`of_graph`]); languages that know more of their lifecycles say more: a service is
//! created, then started, then healthy, and others need it in one of these phases.
//!
//! Out of scope: which order follows from all that, and any particular language.

pub mod written;

use std::collections::BTreeMap;

use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::{LocationGraph, LocationId};

/// What becomes of a thing when a property of it changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum OnChange {
    /// It is changed in place.
    InPlace,
    /// It is replaced by another.
    Replace,
    /// The platform refuses the update.
    Refuse,
}

/// A property of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its value, as a text that is the same exactly if the value is.
    pub value: String,
    /// What becomes of the thing when it changes.
    pub on_change: OnChange,
    /// Where it is written.
    pub place: Option<Place>,
}

/// A thing of a deployment that a property of another refers to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referent {
    /// The property that refers to it.
    pub via: String,
    /// The thing, by the key under which the deployment has it.
    pub key: String,
    /// What becomes of the thing that refers to it when it is another.
    pub on_change: OnChange,
}

/// A thing needs another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// The name of the other.
    pub target: String,
    /// The property that refers to it; none for an order that is only asked for.
    pub via: Option<String>,
    /// The phase of its own, by index, before which the other must be ready; from then on it is needed.
    pub at: usize,
    /// The phase that the other must have reached; none for its last.
    pub phase: Option<String>,
    /// Whether the other may be replaced while this is in use: the need is about the order of starting alone.
    pub only_to_start: bool,
}

impl Need {
    /// A need of all of another thing, from the first phase on.
    pub fn new(target: impl Into<String>) -> Self {
        Self { target: target.into(), via: None, at: 0, phase: None, only_to_start: false }
    }
}

/// What happens to a thing that is no longer described.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Removal {
    /// It is deleted.
    #[default]
    Delete,
    /// It stays, and nobody looks after it any more.
    Leave,
}

/// How a thing is replaced.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Replacement {
    /// The new one is ready before the old one goes.
    #[default]
    NewFirst,
    /// The old one stops before the new one enters this phase, by index.
    OldFirst {
        /// The phase.
        before: usize,
    },
}

/// What is done to a thing, step by step, where the document says so.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedure {
    /// The phases that it goes through, in order.
    pub phases: Vec<String>,
    /// What must have happened to others before.
    pub after: Vec<After>,
    /// The operation that each phase calls; the others call nothing.
    pub calls: BTreeMap<String, String>,
    /// What is taken to hold when it is done so, in words.
    pub assumptions: Vec<String>,
}

/// A phase of a procedure waits for one of another thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct After {
    /// The phase that waits, by index.
    pub at: usize,
    /// The name of the other thing.
    pub target: String,
    /// The phase of that.
    pub phase: String,
}

/// The programs with which a thing is made, changed and removed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Programs {
    /// The file of each operation; a path that is not absolute starts at the folder of the document.
    pub operations: BTreeMap<String, String>,
    /// What they are told beside the properties of the thing.
    pub inputs: BTreeMap<String, String>,
    /// What they are told of others, or of their own thing, once that is known: the name of the thing, and that of an output of its programs.
    pub outputs: BTreeMap<String, (String, String)>,
    /// What they should be told and cannot be, with the reason.
    pub unknown: Vec<String>,
    /// Whether a program that was killed may be run again.
    pub is_idempotent: bool,
    /// The machine that they run on, as `ssh` takes it; none if it is this one.
    pub machine: Option<String>,
}

/// A thing: a resource, a service, a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Its name, by which two versions of it are known to be the same.
    pub name: String,
    /// What it is.
    pub sort: String,
    /// Its properties.
    pub properties: Vec<Property>,
    /// What it needs.
    pub needs: Vec<Need>,
    /// What its properties refer to, once it is deployed.
    pub referents: Vec<Referent>,
    /// Whether something was begun with it and not finished, so that it is to be changed whatever is wanted.
    pub is_unfinished: bool,
    /// Where it is declared.
    pub place: Option<Place>,
    /// The phases that it goes through until it is ready, in order. There is at least one.
    pub phases: Vec<String>,
    /// The phases that it goes through before it is deleted, in order.
    pub endings: Vec<String>,
    /// How it is made, if the document says so: then these are its phases, and it waits for nothing else.
    pub building: Option<Box<Procedure>>,
    /// How it is taken down when everything is, if the document says so.
    pub takedown: Option<Box<Procedure>>,
    /// What happens to it when it is no longer described.
    pub removal: Removal,
    /// How it is replaced.
    pub replacement: Replacement,
    /// Why it is replaced at every update, even if nothing about it changes.
    pub renewed: Option<String>,
    /// The programs that make it, if there are any.
    pub programs: Option<Box<Programs>>,
    /// What the driver that makes it is told, in its own words; empty if the properties are all.
    pub told: String,
    /// Whether it is a milestone: nothing is made, it is reached when all that it needs is there. Many that wait for the
    /// same things need it instead of each of them.
    pub is_milestone: bool,
}

/// The name of the only phase of a thing of which nothing else is said.
pub const PRESENT: &str = "present";

impl Thing {
    /// A thing with one phase, which is deleted when it is no longer described.
    pub fn new(name: impl Into<String>, sort: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            sort: sort.into(),
            properties: Vec::new(),
            needs: Vec::new(),
            referents: Vec::new(),
            is_unfinished: false,
            place: None,
            phases: vec![PRESENT.to_owned()],
            endings: Vec::new(),
            building: None,
            takedown: None,
            removal: Removal::default(),
            replacement: Replacement::default(),
            renewed: None,
            programs: None,
            told: String::new(),
            is_milestone: false,
        }
    }

    /// A milestone: it is reached when all that it needs is there.
    pub fn milestone(name: impl Into<String>, needs: Vec<Need>) -> Self {
        Self { phases: vec!["reached".to_owned()], needs, is_milestone: true, ..Self::new(name, MILESTONE) }
    }
}

/// The sort of milestones.
pub const MILESTONE: &str = "milestone";

/// The same things without those milestones that save less than `worth` needs: whoever needs one of them needs each thing
/// that it needs, instead. A milestone needs no other milestone.
#[must_use]
pub fn without_milestones(mut things: Vec<Thing>, worth: usize) -> Vec<Thing> {
    let mut members: FxHashMap<String, Vec<Need>> = FxHashMap::default();
    for thing in things.iter().filter(|thing| thing.is_milestone) {
        members.entry(thing.name.clone()).or_insert_with(|| thing.needs.clone());
    }
    if members.is_empty() {
        return things;
    }
    let mut users: FxHashMap<&str, usize> = FxHashMap::default();
    for need in things.iter().flat_map(|thing| &thing.needs) {
        *users.entry(&need.target).or_default() += 1;
    }
    members.retain(|name, needs| {
        let users = users.get(name.as_str()).copied().unwrap_or(0);
        (users * needs.len()).saturating_sub(users + needs.len()) < worth
    });
    things.retain(|thing| !thing.is_milestone || !members.contains_key(&thing.name));
    for thing in &mut things {
        if !thing.needs.iter().any(|need| members.contains_key(&need.target)) {
            continue;
        }
        for need in std::mem::take(&mut thing.needs) {
            match members.get(&need.target) {
                None => thing.needs.push(need),
                Some(all) => thing.needs.extend(all.iter().map(|one| Need {
                    via: need.via.clone(),
                    at: need.at,
                    only_to_start: need.only_to_start,
                    ..one.clone()
                })),
            }
        }
    }
    things
}

/// The locations of a graph as things, but for those that exist already: every bound role is a need, every attribute a
/// property that can be changed in place.
pub fn of_graph(graph: &LocationGraph, exists: impl Fn(LocationId) -> bool) -> Vec<Thing> {
    let mut things: Vec<Thing> = Vec::new();
    let mut index = vec![None; graph.len()];
    for (id, entry) in graph.iter().filter(|&(id, _)| !exists(id)) {
        index[id.index()] = Some(things.len());
        let properties = entry.attributes.into_iter().map(|attribute| Property {
            name: attribute.key.to_string(),
            value: attribute.value.display(graph.symbols()).to_string(),
            on_change: OnChange::InPlace,
            place: attribute.place,
        });
        things.push(Thing {
            properties: properties.collect(),
            place: entry.place,
            ..Thing::new(graph.name_of(id), entry.sort.0.display(graph.symbols()).to_string())
        });
    }
    for binding in graph.bindings() {
        let ends = (index[binding.requirer.index()], index[binding.provider.index()]);
        if let (Some(requirer), Some(provider)) = ends {
            let target = things[provider].name.clone();
            things[requirer].needs.push(Need::new(target));
        }
    }
    things
}

/// The operation that leads to a phase: those of the Standard lifecycle of TOSCA; any other phase names its own.
pub fn operation_to(phase: &str) -> &str {
    match phase {
        "created" | "present" => "create",
        "configured" => "configure",
        "started" => "start",
        "stopped" => "stop",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many users as are asked for, each of which waits for as many others.
    fn waiting(users: usize, members: usize) -> Vec<Thing> {
        let member = |at: usize| format!("member {at}");
        let mut things: Vec<Thing> = (0..members).map(|at| Thing::new(member(at), "thing")).collect();
        let needs = (0..members)
            .map(|at| Need { phase: Some(PRESENT.to_owned()), ..Need::new(member(at)) })
            .collect();
        things.push(Thing::milestone("all", needs));
        things.extend((0..users).map(|at| Thing {
            needs: vec![Need { at: 1, ..Need::new("all") }, Need::new("member 0")],
            ..Thing::new(format!("user {at}"), "thing")
        }));
        things
    }

    #[test]
    fn a_milestone_stays_where_it_saves_needs() {
        assert_eq!(without_milestones(waiting(20, 20), 100), waiting(20, 20));
        for things in [waiting(3, 2), waiting(1, 500)] {
            let (count, before) = (things.len(), things.last().expect("there is a user").clone());
            let things = without_milestones(things, 100);
            assert!(things.len() == count - 1 && things.iter().all(|thing| !thing.is_milestone));
            let user = things.last().expect("there is a user");
            let (last, inlined) = user.needs.split_last().expect("it has needs");
            assert_eq!(last, &before.needs[1]);
            assert!(inlined.iter().all(|need| need.at == 1 && need.phase.as_deref() == Some(PRESENT)));
        }
        assert_eq!(
            without_milestones(waiting(20, 20), usize::MAX).last().map(|user| user.needs.len()),
            Some(21)
        );
    }
}
