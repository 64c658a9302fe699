//! The things that a plan is about: one for each copy of each element that a deployment makes.
//!
//! They are made of a meaning ([`Meaning::things`]), or of a location graph as it is written ([`of_graph`]): then every
//! location is a thing with one phase.
//!
//! Out of scope: which order follows from all that, and any particular language.

use std::collections::BTreeMap;

use locus_graph::LocationGraph;
use locus_source::{Place, Sources};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::written::{self, Within};
use crate::{Attribute, Element, Key, Meaning, Needed, PRESENT, Process, ThingId, lifecycle, workflows};
pub use crate::{OnChange, Programs, Removal, Replacement};

/// A property of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its value, as a text that is the same exactly if the value is.
    pub value: String,
    /// The effect on the thing of a change of the property.
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
    /// The effect on the thing that refers to it when it is replaced by another.
    pub on_change: OnChange,
}

/// A thing needs another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// The other.
    pub target: Key,
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
    pub fn new(target: impl Into<Key>) -> Self {
        Self { target: target.into(), via: None, at: 0, phase: None, only_to_start: false }
    }
}

/// The procedure of a thing, step by step, where the document gives one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Procedure {
    /// The phases that it goes through, in order.
    pub phases: Vec<String>,
    /// The phases that others must have reached before.
    pub after: Vec<After>,
    /// The operation that each phase calls; the others call nothing.
    pub calls: BTreeMap<String, String>,
    /// The assumptions under which it is done so, in words.
    pub assumptions: Vec<String>,
}

/// A phase of a procedure waits for one of another thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct After {
    /// The phase that waits, by index.
    pub at: usize,
    /// The other thing.
    pub target: Key,
    /// The phase of that.
    pub phase: String,
}

/// A thing: a resource, a service, a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Its identity: two versions with the same key are the same thing.
    pub key: Key,
    /// Its name, for people.
    pub name: String,
    /// Its sort.
    pub sort: String,
    /// Its properties.
    pub properties: Vec<Property>,
    /// Its needs.
    pub needs: Vec<Need>,
    /// The things that its properties refer to, once it is deployed.
    pub referents: Vec<Referent>,
    /// Whether something was begun with it and not finished, so that it is to be changed whatever is wanted.
    pub is_unfinished: bool,
    /// The thing whose place it has: one that is made or started again only when this one is out of the way, if it is
    /// to be replaced so.
    pub in_place_of: Option<Key>,
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
    /// The treatment of the thing when it is no longer described.
    pub removal: Removal,
    /// Whether something is kept in it that is lost when it is deleted.
    pub holds_data: bool,
    /// How it is replaced.
    pub replacement: Replacement,
    /// Why it is replaced at every update, even if nothing about it changes.
    pub renewed: Option<String>,
    /// The programs that make it, if there are any.
    pub programs: Option<Box<Programs>>,
    /// The specification that its driver gets; none if the properties are all.
    pub specification: Option<serde_json::Value>,
    /// Whether it is a milestone: nothing is made, it is reached when all that it needs exists. Many that wait for the
    /// same things need it instead of each of them.
    pub is_milestone: bool,
}

impl Thing {
    /// A thing with one phase, which is deleted when it is no longer described. Its name is its key.
    pub fn new(name: impl Into<String>, sort: impl Into<String>) -> Self {
        let name = name.into();
        Self {
            key: Key::name(name.as_str()),
            name,
            sort: sort.into(),
            properties: Vec::new(),
            needs: Vec::new(),
            referents: Vec::new(),
            is_unfinished: false,
            in_place_of: None,
            place: None,
            phases: vec![PRESENT.to_owned()],
            endings: Vec::new(),
            building: None,
            takedown: None,
            removal: Removal::default(),
            holds_data: false,
            replacement: Replacement::default(),
            renewed: None,
            programs: None,
            specification: None,
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

/// The same things without those milestones that save less than `worth` needs: a thing that needs one of them needs
/// each thing that it needs, instead. A milestone needs no other milestone.
#[must_use]
pub fn without_milestones(mut things: Vec<Thing>, worth: usize) -> Vec<Thing> {
    let mut members: FxHashMap<Key, Vec<Need>> = FxHashMap::default();
    for thing in things.iter().filter(|thing| thing.is_milestone) {
        members.entry(thing.key.clone()).or_insert_with(|| thing.needs.clone());
    }
    if members.is_empty() {
        return things;
    }
    let mut users: FxHashMap<&Key, usize> = FxHashMap::default();
    for need in things.iter().flat_map(|thing| &thing.needs) {
        *users.entry(&need.target).or_default() += 1;
    }
    members.retain(|key, needs| {
        let users = users.get(key).copied().unwrap_or(0);
        (users * needs.len()).saturating_sub(users + needs.len()) < worth
    });
    things.retain(|thing| !thing.is_milestone || !members.contains_key(&thing.key));
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

impl Meaning<'_> {
    /// The things that a deployment makes of this document, in order; milestones come last. The sources hold the
    /// expressions of values that are not known.
    pub fn things(&self, sources: &Sources) -> Vec<Thing> {
        let written = |one: &Attribute| written::datum(&one.value, sources, self.notation, Within::Nothing);
        self.things_written(&|_, _, one| written(one))
    }

    /// The same with other texts of the attributes, which are told by their element and their place in its process.
    fn things_written(&self, written: &dyn Fn(ThingId, usize, &Attribute) -> String) -> Vec<Thing> {
        let mut making = Making { all: self, written, waited: Vec::new(), seen: FxHashSet::default() };
        let mut things = Vec::new();
        // The things of each element.
        let mut copies: Vec<std::ops::Range<usize>> = vec![0..0; self.elements.len()];
        for (id, element) in self.elements() {
            let Some(process) = element.process.as_deref().filter(|_| element.is_planned()) else { continue };
            let begin = things.len();
            for copy in 0..element.copies.count {
                things.push(making.thing(id, element, process, copy));
            }
            copies[id.index()] = begin..things.len();
        }
        for (element, phase) in std::mem::take(&mut making.waited) {
            let needs = self.keys(element).map(|key| Need {
                phase: phase.clone(),
                only_to_start: true,
                ..Need::new(key)
            });
            let needs = needs.collect();
            things.push(making.milestone_of_copies(element, phase.as_deref(), needs));
        }
        for (index, milestone) in self.milestones.iter().enumerate() {
            let needs =
                milestone.members.iter().flat_map(|&member| self.keys(member)).map(Need::new).collect();
            things.push(Thing {
                key: self.milestone_key(index),
                ..Thing::milestone(milestone.name.clone(), needs)
            });
        }
        workflows::deploy(&self.workflows.deploy, &copies, &mut things);
        workflows::undeploy(&self.workflows.undeploy, &copies, &mut things);
        things
    }

    /// The keys of the copies of an element, if a plan is about it.
    fn keys(&self, id: ThingId) -> impl Iterator<Item = Key> {
        let element = self.element(id);
        let count = if element.is_planned() { element.copies.count } else { 0 };
        (0..count).map(|copy| element.copies.key(&element.key, copy))
    }

    /// The key of a milestone: no element has one of that form.
    fn milestone_key(&self, index: usize) -> Key {
        Key::within(MILESTONE, self.milestones[index].name.as_str()).numbered(index as u32)
    }
}

/// Makes the things of elements.
struct Making<'m, 'd> {
    all: &'m Meaning<'d>,
    /// The text of an attribute.
    written: &'m dyn Fn(ThingId, usize, &Attribute) -> String,
    /// The elements of which some thing needs all of several copies, in a phase, in order.
    waited: Vec<(ThingId, Option<String>)>,
    seen: FxHashSet<(ThingId, Option<String>)>,
}

impl Making<'_, '_> {
    fn thing(&mut self, id: ThingId, element: &Element<'_>, process: &Process, copy: u32) -> Thing {
        let properties = process.attributes.iter().enumerate().map(|(at, one)| Property {
            name: one.name.to_string(),
            value: (self.written)(id, at, one),
            on_change: one.on_change,
            place: Some(one.place),
        });
        let texts = |all: &[std::sync::Arc<str>]| all.iter().map(ToString::to_string).collect();
        Thing {
            key: element.copies.key(&element.key, copy),
            properties: properties.collect(),
            needs: process.needs.iter().flat_map(|need| self.needs(need, copy)).collect(),
            place: Some(element.place),
            phases: texts(&process.phases),
            endings: texts(&process.endings),
            removal: process.removal,
            holds_data: process.holds_data,
            replacement: process.replacement,
            renewed: process.renewed.clone(),
            programs: process.programs.clone(),
            specification: process.specifications.get(copy as usize).cloned(),
            ..Thing::new(element.copies.name(element.planned_name(), copy), element.planned_sort())
        }
    }

    /// The needs of a copy of an element. Of several copies that it needs for a start only, it needs the milestone.
    fn needs(&mut self, need: &crate::Need, copy: u32) -> Vec<Need> {
        let phase = need.phase.as_ref().map(ToString::to_string);
        let one = |target: Key| Need {
            target,
            via: need.via.as_ref().map(ToString::to_string),
            at: need.at,
            phase: phase.clone(),
            only_to_start: need.only_to_start,
        };
        match need.to {
            Needed::Milestone(index) => vec![one(self.all.milestone_key(index))],
            Needed::First(id) => self.all.keys(id).next().map(one).into_iter().collect(),
            Needed::InTurn(id, number) => {
                let targets: Vec<Key> = self.all.keys(id).collect();
                let next = 0..(number as usize).min(targets.len());
                next.map(|step| one(targets[(copy as usize + step) % targets.len()].clone())).collect()
            }
            Needed::All(id) => {
                let is_several = self.all.keys(id).nth(1).is_some();
                if !(is_several && need.only_to_start) {
                    return self.all.keys(id).map(one).collect();
                }
                if self.seen.insert((id, phase.clone())) {
                    self.waited.push((id, phase.clone()));
                }
                vec![Need { phase: None, ..one(self.copies_key(id, phase.as_deref())) }]
            }
        }
    }

    /// The key of the milestone at which all copies of an element have reached a phase.
    fn copies_key(&self, id: ThingId, phase: Option<&str>) -> Key {
        let phase = Key::within(MILESTONE, phase.unwrap_or_default());
        let segments = phase.segments().iter().chain(self.all.element(id).key.segments());
        Key::of(segments.cloned().collect::<Vec<_>>())
    }

    fn milestone_of_copies(&self, id: ThingId, phase: Option<&str>, needs: Vec<Need>) -> Thing {
        let label = self.all.element(id).planned_name();
        let name = format!("all {label} {}", phase.unwrap_or("ready"));
        Thing { key: self.copies_key(id, phase), ..Thing::milestone(name, needs) }
    }
}

/// The locations of a graph as things, as their lifecycles say. A location without one is made at once: every bound
/// role is a need, every attribute a property that can be changed in place. `start` is the place of what has none.
pub fn of_graph(graph: &LocationGraph, start: Place) -> Vec<Thing> {
    let reading = lifecycle::read(graph, start);
    reading.meaning.things_written(&|id, at, _| reading.texts[&id][at].clone())
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
