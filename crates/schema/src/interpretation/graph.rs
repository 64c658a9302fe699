//! An interpretation as a location graph, as sections 7.1.2 and 7.1.4 of the report have it.
//!
//! An element is a location, and its sort is its type. Where one refers to another, the other provides a role and the
//! one requires it; each reference has a role of its own, since a role binds two. What nobody refers to provides one
//! role all the same: it is there for somebody. For the drawing there is a box around what exists already.

use std::sync::Arc;

use locus_graph::{Float, LocationGraph, LocationId, Sort, Value};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Element, ElementId, Interpretation};
use crate::datum::{Content, Datum};

/// The box around what exists already.
const EXISTING: &str = "external";

impl Interpretation<'_> {
    /// The location graph. Linear time.
    pub fn graph(&self) -> LocationGraph {
        let mut builder = Builder::new(self);
        for (id, element) in self.made() {
            builder.location(id, element);
        }
        let mut uses = self.uses.iter().peekable();
        for (id, element) in self.made() {
            builder.links(id, element);
            while uses.next_if(|one| one.from < id).is_some() {}
            while let Some(one) = uses.next_if(|one| one.from == id) {
                // An empty name names nothing that could be drawn.
                if !self.element(one.to).name.is_empty() {
                    builder.existing(one.to);
                    builder.bind(one.to, id, &one.by, one.place);
                }
            }
        }
        for (id, element) in self.made() {
            builder.finish(id, element);
        }
        builder.graph
    }
}

struct Builder<'b, 'd> {
    all: &'b Interpretation<'d>,
    graph: LocationGraph,
    locations: FxHashMap<ElementId, LocationId>,
    /// The locations that provide something.
    provides: FxHashSet<LocationId>,
    /// How often a name for a role was wanted.
    roles: FxHashMap<String, usize>,
}

impl<'b, 'd> Builder<'b, 'd> {
    fn new(all: &'b Interpretation<'d>) -> Self {
        let mut graph = LocationGraph::new();
        let links: usize = all.elements.iter().map(|element| element.links.len() + 1).sum();
        graph.reserve(all.elements.len(), links + all.uses.len());
        Self {
            all,
            graph,
            locations: FxHashMap::default(),
            provides: FxHashSet::default(),
            roles: FxHashMap::default(),
        }
    }

    fn location(&mut self, id: ElementId, element: &Element<'_>) {
        let at = self.graph.add(&element.name);
        self.locations.insert(id, at);
        let entry = self.graph.entry_mut(at);
        entry.sort = Sort::named(&element.sort);
        entry.place = Some(element.place);
        entry.certainty = element.certainty.clone();
        for field in element.properties {
            if let Some(value) = attribute(&field.value) {
                entry.attributes.push(Arc::clone(&field.key), value, Some(field.place));
            }
        }
        if element.adopted {
            let around = self.graph.add_box(EXISTING);
            self.graph.entry_mut(at).within = Some(around);
        }
    }

    fn links(&mut self, id: ElementId, element: &Element<'_>) {
        for link in element.links.iter().filter(|link| link.drawn) {
            if let Some(target) = self.all.named(&link.to) {
                self.bind(target, id, &link.by, link.place);
            }
        }
        let members = self.all.members_of(id).iter().filter(|&&member| self.all.element(member).drawn);
        for &member in members {
            self.bind(member, id, "members", self.all.element(member).place);
        }
    }

    /// The location for something that exists already.
    fn existing(&mut self, id: ElementId) {
        if self.locations.contains_key(&id) {
            return;
        }
        let element = self.all.element(id);
        // Names of different kinds of things may be the same, and the same as those that the document defines.
        let mut shown = element.name.to_string();
        while self.graph.symbols().find_name(&shown).is_some() {
            shown = format!("{shown} ({})", element.sort);
        }
        let at = self.graph.add(&shown);
        let around = self.graph.add_box(EXISTING);
        let entry = self.graph.entry_mut(at);
        entry.sort = Sort::named(&element.sort);
        entry.place = Some(element.place);
        entry.certainty = element.certainty.clone();
        entry.within = Some(around);
        self.locations.insert(id, at);
    }

    /// One location requires what another provides.
    fn bind(&mut self, target: ElementId, source: ElementId, by: &str, place: Place) {
        // A location cannot be bound to itself; that an element depends on itself is reported elsewhere.
        if target == source {
            return;
        }
        let (to, from) = (&self.all.element(target).name, &self.all.element(source).name);
        let role = self.role(format!("{to} for {by} of {from}"));
        let (target, source) = (self.locations[&target], self.locations[&source]);
        self.graph.provide(target, &role).place = Some(place);
        self.graph.require(source, &role).place = Some(place);
        self.provides.insert(target);
    }

    /// A name for a role that no other role has.
    fn role(&mut self, wanted: String) -> String {
        if self.graph.symbols().find_role(&wanted).is_none() {
            return wanted;
        }
        let count = self.roles.entry(wanted.clone()).or_insert(1);
        loop {
            *count += 1;
            let role = format!("{wanted} ({count})");
            if self.graph.symbols().find_role(&role).is_none() {
                return role;
            }
        }
    }

    /// The box of a location, and a role if nobody refers to it.
    fn finish(&mut self, id: ElementId, element: &Element<'_>) {
        let at = self.locations[&id];
        if let Some(name) = element.within.as_ref().filter(|_| !element.adopted) {
            let around = self.graph.add_box(name);
            self.graph.entry_mut(at).within = Some(around);
        }
        if !self.provides.contains(&at) {
            let role = self.role(element.name.to_string());
            self.graph.provide(at, &role).place = Some(element.place);
        }
    }
}

/// A property as an attribute of a location, if it is known and simple.
fn attribute(datum: &Datum) -> Option<Value> {
    Some(match &datum.value {
        Content::Bool(value) => Value::Bool(*value),
        Content::Int(value) => Value::Int(*value),
        Content::Float(value) => Value::Float(Float(*value)),
        Content::Str(text) | Content::BigInt(text) => Value::Text(Arc::clone(text)),
        Content::List(items) => Value::List(items.iter().map(attribute).collect::<Option<_>>()?),
        _ => return None,
    })
}
