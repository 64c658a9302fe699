//! From a meaning to a location graph with lifecycles.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use locus_graph::{LocationGraph, LocationId, Process as Term, Value};
use rustc_hash::FxHashMap;

use super::{ALL, FIRST, KEY, LEAVE, MOST, NONE, ORDINALS};
use crate::graph::Drawn;
use crate::shown::Masker;
use crate::{
    Element, Meaning, Naming, Need, Needed, OnChange, Process, Relationships, Removal, Replacement, ThingId,
};

/// A location graph with lifecycles, and what of the meaning it does not say.
#[derive(Debug)]
pub struct Pivot {
    /// The graph.
    pub graph: LocationGraph,
    /// The parts of the meaning that are not in it, each with the names of the elements.
    pub unsaid: BTreeMap<Unsaid, Vec<Arc<str>>>,
}

/// Something that a location graph does not say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Unsaid {
    /// The programs that make an element.
    Programs,
    /// The specification that a driver gets.
    Specification,
    /// The workflow by which everything is made.
    Deploy,
    /// The workflow by which everything is taken down.
    Undeploy,
    /// An element that only rules and plans see.
    Hidden,
    /// The types of references that are shown as bindings.
    Relationships,
    /// A key of several segments: in the graph, the name of a location is its identity.
    Key,
}

impl fmt::Display for Unsaid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Programs => "the programs of",
            Self::Specification => "what the driver is told of",
            Self::Deploy => "the workflow `deploy`; plans go by the lifecycles",
            Self::Undeploy => "the workflow `undeploy`; plans go by the lifecycles",
            Self::Hidden => "what only rules see",
            Self::Relationships => "the types of the relationships of",
            Self::Key => "the section, or the maker, that is part of the identity of",
        })
    }
}

/// Why a meaning is not written: milestones stand for too many elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its elements wait for more than {MOST} others in all, too many for a location graph")
    }
}

impl std::error::Error for TooLarge {}

impl Meaning<'_> {
    /// The location graph with the lifecycles of its locations, and with attributes that are not known or not shown.
    ///
    /// # Errors
    /// If it would be too large.
    pub fn pivot(&self, relationships: Relationships, masker: &mut Masker) -> Result<Pivot, TooLarge> {
        let Drawn { mut graph, locations } = self.drawn(relationships, Some(&mut *masker));
        let mut writer = Writer { all: self, locations: &locations, masker, room: MOST };
        let mut terms: FxHashMap<LocationId, Value> = FxHashMap::default();
        for (id, element) in self.elements() {
            for (copy, &at) in locations.get(&id).into_iter().flatten().enumerate() {
                let term = writer.lifecycle(&mut graph, element, copy)?;
                terms.insert(at, term);
            }
        }
        let all: Vec<LocationId> = graph.iter().map(|(id, _)| id).collect();
        for at in all {
            // The location of a relationship is there when its ends are.
            let term = terms.remove(&at).unwrap_or_else(|| Value::text(NONE));
            graph.entry_mut(at).process = Term(Value::record([(KEY, term)]));
        }
        Ok(Pivot { graph, unsaid: self.unsaid(relationships, &locations) })
    }

    fn unsaid(
        &self,
        relationships: Relationships,
        locations: &FxHashMap<ThingId, Vec<LocationId>>,
    ) -> BTreeMap<Unsaid, Vec<Arc<str>>> {
        let mut all: BTreeMap<Unsaid, Vec<Arc<str>>> = BTreeMap::new();
        for (id, element) in self.elements() {
            let is_hidden = !locations.contains_key(&id);
            let is_typed = relationships == Relationships::Bindings
                && element.links.iter().any(|link| link.relationship.is_some());
            let process = element.process.as_deref().filter(|_| element.is_planned());
            let holds = [
                (Unsaid::Programs, process.is_some_and(|process| process.programs.is_some())),
                (Unsaid::Specification, process.is_some_and(|process| !process.specifications.is_empty())),
                (Unsaid::Hidden, is_hidden),
                (Unsaid::Relationships, is_typed && !is_hidden),
                (Unsaid::Key, !is_hidden && element.key.as_name().is_none()),
            ];
            for (what, _) in holds.into_iter().filter(|(_, holds)| *holds) {
                all.entry(what).or_default().push(Arc::clone(&element.name));
            }
        }
        let workflows = self.given_workflows();
        for (what, steps) in [(Unsaid::Deploy, &workflows.deploy), (Unsaid::Undeploy, &workflows.undeploy)] {
            if !steps.is_empty() {
                all.insert(what, Vec::new());
            }
        }
        all
    }
}

/// Writes lifecycles.
struct Writer<'w, 'd> {
    all: &'w Meaning<'d>,
    locations: &'w FxHashMap<ThingId, Vec<LocationId>>,
    masker: &'w mut Masker,
    /// How many names may still be written.
    room: usize,
}

impl Writer<'_, '_> {
    fn lifecycle(
        &mut self,
        graph: &mut LocationGraph,
        element: &Element<'_>,
        copy: usize,
    ) -> Result<Value, TooLarge> {
        let Some(process) = element.process.as_deref().filter(|_| element.is_planned()) else {
            return Ok(Value::text(NONE));
        };
        let mut fields: Vec<(&str, Value)> = Vec::new();
        let texts = |all: &[Arc<str>]| Value::list(all.iter().map(|text| Value::Text(Arc::clone(text))));
        if element.planned_name() != &*element.name {
            fields.push(("name", Value::text(&Self::planned_name(element, copy))));
        }
        if element.planned_sort() != &*element.sort {
            fields.push(("sort", Value::text(element.planned_sort())));
        }
        if !element.copies.drawn_each && element.copies.count != 1 {
            fields.push(("copies", Value::Int(element.copies.count.into())));
        }
        if element.copies.naming == Naming::Ordinals && !element.copies.drawn_each {
            fields.push(("numbering", Value::text(ORDINALS)));
        }
        fields.push(("phases", texts(&process.phases)));
        if !process.endings.is_empty() {
            fields.push(("endings", texts(&process.endings)));
        }
        if process.in_effect != 0 {
            fields.push(("in-effect", index(process.in_effect)));
        }
        if process.holds_data {
            fields.push(("holds-data", Value::Bool(true)));
        }
        self.attributes(graph, process, &mut fields);
        let mut needs = Vec::new();
        for need in &process.needs {
            needs.extend(self.need(graph, need, copy)?);
        }
        if !needs.is_empty() {
            fields.push(("needs", Value::list(needs)));
        }
        if process.removal == Removal::Leave {
            fields.push(("removal", Value::text(LEAVE)));
        }
        if let Replacement::OldFirst { before } = process.replacement {
            fields.push(("old-first", index(before)));
        }
        if let Some(why) = &process.renewed {
            fields.push(("renewed", Value::text(why)));
        }
        Ok(Value::record(fields))
    }

    /// The name in plans of a copy that is a location of its own.
    fn planned_name(element: &Element<'_>, copy: usize) -> String {
        if element.copies.drawn_each {
            element.copies.name(element.planned_name(), copy as u32).into_owned()
        } else {
            element.planned_name().to_owned()
        }
    }

    fn attributes(
        &mut self,
        graph: &mut LocationGraph,
        process: &Process,
        fields: &mut Vec<(&'static str, Value)>,
    ) {
        if process.attributes.is_empty() {
            return;
        }
        let attribute = |one: &crate::Attribute| {
            (Arc::clone(&one.name), self.masker.value(&one.name, &one.value).as_value(graph))
        };
        fields.push(("attributes", Value::record(process.attributes.iter().map(attribute))));
        for (key, on_change) in
            [("replaces", OnChange::Replace), ("refuses", OnChange::Refuse), ("grows", OnChange::Grow)]
        {
            let names = process.attributes.iter().filter(|one| one.on_change == on_change);
            let names: Vec<Value> = names.map(|one| Value::Text(Arc::clone(&one.name))).collect();
            if !names.is_empty() {
                fields.push((key, Value::list(names)));
            }
        }
    }

    /// A need, as one or as several of single locations.
    fn need(&mut self, graph: &mut LocationGraph, need: &Need, copy: usize) -> Result<Vec<Value>, TooLarge> {
        let mut rest: Vec<(&str, Value)> = Vec::new();
        if need.at != 0 {
            rest.push(("at", index(need.at)));
        }
        if let Some(phase) = &need.phase {
            rest.push(("phase", Value::Text(Arc::clone(phase))));
        }
        if let Some(via) = &need.via {
            rest.push(("via", Value::Text(Arc::clone(via))));
        }
        if need.only_to_start {
            rest.push(("to-start", Value::Bool(true)));
        }
        let name = |at: LocationId| Value::Name(graph.entry(at).name);
        let whole = |more: Vec<(&'static str, Value)>| Value::record(more.into_iter().chain(rest.clone()));
        let (to, which) = match need.to {
            Needed::Milestone(index) => {
                let milestone = &self.all.milestones()[index];
                let of = milestone.members.iter().filter(|&&member| self.all.element(member).is_planned());
                let of: Vec<Value> = of
                    .filter_map(|member| self.locations.get(member))
                    .flatten()
                    .map(|&at| name(at))
                    .collect();
                self.room = self.room.checked_sub(of.len()).ok_or(TooLarge)?;
                let stands_for =
                    Value::record([("name", Value::text(&milestone.name)), ("of", Value::list(of))]);
                return Ok(vec![whole(vec![("milestone", stands_for)])]);
            }
            Needed::All(to) => (to, None),
            Needed::First(to) => (to, Some(1)),
            Needed::InTurn(to, number) => (to, Some(number as usize)),
        };
        let target = self.all.element(to);
        let Some(locations) = self.locations.get(&to).filter(|_| target.is_planned()) else {
            return Ok(Vec::new());
        };
        if !target.copies.drawn_each {
            // The copies are one location, of which some may be meant.
            let of = locations.iter().map(|&at| {
                let copies = match (need.to, target.copies.count) {
                    (_, 1) => None,
                    (Needed::All(_), _) => Some(Value::text(ALL)),
                    (Needed::InTurn(_, number), _) => Some(Value::Int(number.into())),
                    _ => Some(Value::text(FIRST)),
                };
                let copies = copies.map(|copies| ("copies", copies));
                whole(std::iter::once(("of", name(at))).chain(copies).collect())
            });
            return Ok(of.collect());
        }
        let start = if matches!(need.to, Needed::InTurn(..)) { copy } else { 0 };
        let number = which.unwrap_or(locations.len()).min(locations.len());
        self.room = self.room.checked_sub(number).ok_or(TooLarge)?;
        let one = |step: usize| whole(vec![("of", name(locations[(start + step) % locations.len()]))]);
        Ok((0..number).map(one).collect())
    }
}

fn index(at: usize) -> Value {
    Value::Int(at as i64)
}
