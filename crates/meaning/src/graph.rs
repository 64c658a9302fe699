//! A meaning as a location graph, as sections 5.1, 6.2, 7.1.2 and 7.1.4 of the report have it.
//!
//! An element is a location, and its sort is its type. Where one refers to another, the other provides a role and the
//! one requires it; each reference has a role of its own, since a role binds two. What nobody refers to provides one
//! role all the same, unless the language has it otherwise: it is there for somebody. A reference with a type may be a
//! location between the two instead. For the drawing there is a box around what exists already.

use std::sync::Arc;

use locus_graph::{Attributes, BoxId, Float, LocationGraph, LocationId, Name, Sort, Value};
use locus_schema::{Content, Datum, Field};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::shown::{Masker, Shown};
use crate::{Element, Link, Meaning, Standing, ThingId};

/// The box around what exists already.
const EXISTING: &str = "external";

/// How references that have a type are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relationships {
    /// As bindings between elements.
    #[default]
    Bindings,
    /// As locations of their own, as in the report.
    Locations,
}

impl Meaning<'_> {
    /// The location graph. Linear time.
    pub fn graph(&self, relationships: Relationships) -> LocationGraph {
        self.drawn(relationships, None).graph
    }

    /// The location graph, and the locations of each element. With a masker, attributes are there also where their
    /// values are not known or not shown.
    pub(crate) fn drawn(&self, relationships: Relationships, masker: Option<&mut Masker>) -> Drawn {
        let mut builder = Builder::new(self, relationships, masker);
        for (id, element) in self.made() {
            builder.locations(id, element);
        }
        let mut uses = self.uses.iter().peekable();
        for (id, element) in self.made() {
            builder.links(id, element);
            while uses.next_if(|one| one.from < id).is_some() {}
            while let Some(one) = uses.next_if(|one| one.from == id) {
                // An empty name names nothing that could be drawn.
                if !self.element(one.to).name.is_empty() {
                    builder.existing(one.to);
                    builder.bind(id, &Link::new(one.to, Arc::clone(&one.by), one.place));
                }
            }
        }
        for (id, element) in self.made() {
            builder.finish(id, element);
        }
        Drawn { graph: builder.graph, locations: builder.locations }
    }
}

/// A location graph, and which locations of it are each element.
pub(crate) struct Drawn {
    pub(crate) graph: LocationGraph,
    /// One of each element that is drawn, or one for each copy.
    pub(crate) locations: FxHashMap<ThingId, Vec<LocationId>>,
}

struct Builder<'b, 'd> {
    all: &'b Meaning<'d>,
    relationships: Relationships,
    /// Shows the values that are not plain; without one, they are left out.
    masker: Option<&'b mut Masker>,
    graph: LocationGraph,
    /// The locations of each element: one, or one for each copy.
    locations: FxHashMap<ThingId, Vec<LocationId>>,
    boxes: Vec<BoxId>,
    /// Those that provide something.
    provides: FxHashSet<LocationId>,
    /// The names of locations. Values may name others that are not there yet.
    taken: FxHashSet<Name>,
    /// How often a name for a role was wanted.
    roles: FxHashMap<String, usize>,
    /// How often a name for the location of a relationship was wanted.
    names: FxHashMap<String, usize>,
}

impl<'b, 'd> Builder<'b, 'd> {
    fn new(all: &'b Meaning<'d>, relationships: Relationships, masker: Option<&'b mut Masker>) -> Self {
        let mut graph = LocationGraph::new();
        let links: usize = all.elements.iter().map(|element| element.links.len() + 1).sum();
        graph.reserve(all.elements.len(), links + all.uses.len());
        let boxes: Vec<BoxId> = all.enclosures.iter().map(|one| graph.add_box(&one.name)).collect();
        for (one, &id) in all.enclosures.iter().zip(&boxes) {
            if let Some(place) = one.place {
                graph.set_box_place(id, place);
            }
            graph.nest_box(id, one.within.map(|outer| boxes[outer.0 as usize]));
        }
        Self {
            all,
            relationships,
            masker,
            graph,
            locations: FxHashMap::default(),
            boxes,
            provides: FxHashSet::default(),
            taken: FxHashSet::default(),
            roles: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }

    fn locations(&mut self, id: ThingId, element: &Element<'_>) {
        let copies = element.copies;
        let drawn = if copies.drawn_each { copies.count } else { 1 };
        let mut all = Vec::with_capacity(drawn as usize);
        for copy in 0..drawn {
            let name =
                if copies.drawn_each { copies.name(&element.name, copy) } else { (&*element.name).into() };
            let at = self.add(&name, &element.sort);
            let attributes = self.attributes(&element.properties);
            let entry = self.graph.entry_mut(at);
            entry.place = Some(element.place);
            entry.certainty = element.certainty.clone();
            entry.attributes = attributes;
            if let Some(place) = copies.place.filter(|_| !copies.drawn_each) {
                entry.attributes.push("replicas", Value::Int(copies.count.into()), Some(place));
            }
            if element.adopted {
                let around = self.graph.add_box(EXISTING);
                self.graph.entry_mut(at).within = Some(around);
            }
            all.push(at);
        }
        self.locations.insert(id, all);
    }

    /// A location with this name and sort. Elements of different sorts may have the same name.
    fn add(&mut self, name: &str, sort: &str) -> LocationId {
        let mut shown = name.to_owned();
        while is_taken(&self.graph, &self.taken, &shown) {
            shown = format!("{shown} ({sort})");
        }
        let at = self.graph.add(&shown);
        self.taken.insert(self.graph.entry(at).name);
        self.graph.entry_mut(at).sort = Sort::named(sort);
        at
    }

    fn links(&mut self, id: ThingId, element: &Element<'_>) {
        for link in element.links.iter().filter(|link| link.drawn) {
            self.bind(id, link);
        }
        let members = self.all.members_of(id).iter().filter(|&&member| self.all.element(member).drawn);
        for &member in members {
            self.bind(id, &Link::new(member, "members", self.all.element(member).place));
        }
        for offer in &element.offers {
            for at in self.locations[&id].clone() {
                let role = self.role(offer.role.to_string());
                let attributes = self.attributes(&offer.attributes);
                let port = self.graph.provide(at, &role);
                port.place = Some(offer.place);
                port.attributes = attributes;
                self.provides.insert(at);
            }
        }
    }

    /// The location for something that exists already.
    fn existing(&mut self, id: ThingId) {
        if self.locations.contains_key(&id) {
            return;
        }
        let element = self.all.element(id);
        let at = self.add(&element.name, &element.sort);
        let around = self.graph.add_box(EXISTING);
        let entry = self.graph.entry_mut(at);
        entry.place = Some(element.place);
        entry.certainty = element.certainty.clone();
        entry.within = Some(around);
        self.locations.insert(id, vec![at]);
    }

    /// The locations of one element require what those of another provide, each those that are next in turn.
    fn bind(&mut self, source: ThingId, link: &Link) {
        // A location cannot be bound to itself; that an element depends on itself is reported elsewhere.
        if link.to == source {
            return;
        }
        let (Some(sources), Some(targets)) = (self.locations.get(&source), self.locations.get(&link.to))
        else {
            return;
        };
        let (sources, targets) = (sources.clone(), targets.clone());
        let number = (link.number as usize).min(targets.len());
        for (index, &from) in sources.iter().enumerate() {
            for step in 0..number {
                self.bind_one(from, targets[(index + step) % targets.len()], link);
            }
        }
    }

    fn bind_one(&mut self, from: LocationId, to: LocationId, link: &Link) {
        let (source, target) = (self.graph.name_of(from).to_owned(), self.graph.name_of(to).to_owned());
        let by = &link.by;
        self.provides.insert(to);
        if let (Some(relationship), Relationships::Locations) = (&link.relationship, self.relationships) {
            let name = self.location_name(format!("{source} {by} {target}"));
            let at = self.graph.add(&name);
            self.taken.insert(self.graph.entry(at).name);
            let entry = self.graph.entry_mut(at);
            entry.sort = Sort::named(&relationship.sort);
            entry.place = Some(link.place);
            let requirement = self.role(format!("{by} of {source}"));
            let capability = self.role(format!("{} of {target}", relationship.capability));
            self.join(at, from, &requirement, link.place, &[]);
            self.join(to, at, &capability, link.place, &[]);
            return;
        }
        let wanted =
            link.role.as_deref().map_or_else(|| format!("{target} for {by} of {source}"), str::to_owned);
        let role = self.role(wanted);
        self.join(to, from, &role, link.place, &link.attributes);
    }

    /// A role that one location provides and another requires, which has the attributes.
    fn join(
        &mut self,
        provider: LocationId,
        requirer: LocationId,
        role: &str,
        place: Place,
        attributes: &[Field],
    ) {
        self.graph.provide(provider, role).place = Some(place);
        let attributes = self.attributes(attributes);
        let port = self.graph.require(requirer, role);
        port.place = Some(place);
        port.attributes = attributes;
    }

    fn attributes(&mut self, fields: &[Field]) -> Attributes {
        let mut all = Attributes::default();
        for field in fields {
            match &mut self.masker {
                None => push(&mut all, field),
                Some(masker) => {
                    let (key, shown) = masker.field(field);
                    if let Some(value) = shown.attribute(&mut self.graph) {
                        all.push(key, value, Some(field.value.place));
                    }
                }
            }
        }
        all
    }

    /// A name for a role that no other role has.
    fn role(&mut self, wanted: String) -> String {
        let symbols = self.graph.symbols();
        numbered(&mut self.roles, wanted, |name| symbols.find_role(name).is_none())
    }

    /// A name for the location of a relationship that no other location has.
    fn location_name(&mut self, wanted: String) -> String {
        let (graph, taken) = (&self.graph, &self.taken);
        numbered(&mut self.names, wanted, |name| !is_taken(graph, taken, name))
    }

    /// The box of a location, and a role if nobody refers to it.
    fn finish(&mut self, id: ThingId, element: &Element<'_>) {
        for at in self.locations[&id].clone() {
            if let Some(around) = element.within.filter(|_| !element.adopted) {
                self.graph.entry_mut(at).within = Some(self.boxes[around.0 as usize]);
            }
            if element.offers_itself && !self.provides.contains(&at) {
                let role = self.role(self.graph.name_of(at).to_owned());
                self.graph.provide(at, &role).place = Some(element.place);
            }
        }
    }
}

/// Whether a location has this name.
fn is_taken(graph: &LocationGraph, taken: &FxHashSet<Name>, name: &str) -> bool {
    graph.symbols().find_name(name).is_some_and(|name| taken.contains(&name))
}

/// The first of `wanted`, `wanted (2)` and so on that is free. `counts` has how many were tried of each.
fn numbered(counts: &mut FxHashMap<String, usize>, wanted: String, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(&wanted) {
        return wanted;
    }
    let count = counts.entry(wanted.clone()).or_insert(1);
    loop {
        *count += 1;
        let name = format!("{wanted} ({count})");
        if is_free(&name) {
            return name;
        }
    }
}

fn push(attributes: &mut Attributes, field: &Field) {
    // Nothing is said by a value that is null.
    if matches!(field.value.value, Content::Null) {
        return;
    }
    if let Some(value) = attribute(&field.value) {
        attributes.push(Arc::clone(&field.key), value, Some(field.value.place));
    }
}

/// A property as an attribute of a location, if all of it is known and none of it comes from a file.
fn attribute(datum: &Datum) -> Option<Value> {
    if datum.contents_of.is_some() {
        return None;
    }
    Some(match &datum.value {
        Content::Null => Value::Null,
        Content::Bool(value) => Value::Bool(*value),
        Content::Int(value) => Value::Int(*value),
        Content::Float(value) => Value::Float(Float(*value)),
        Content::Str(text) | Content::BigInt(text) => Value::Text(Arc::clone(text)),
        Content::List(items) => Value::list(items.iter().map(attribute).collect::<Option<Vec<_>>>()?),
        Content::Map(fields) => {
            let fields = fields.iter().map(|field| Some((Arc::clone(&field.key), attribute(&field.value)?)));
            Value::record(fields.collect::<Option<Vec<_>>>()?)
        }
        Content::Unknown(_) | Content::Location(_) | Content::Absent => return None,
    })
}

impl Shown {
    /// As an attribute of a location of this graph. Nothing is said by a value that is null or absent.
    fn attribute(&self, graph: &mut LocationGraph) -> Option<Value> {
        (!matches!(self, Self::Null | Self::Absent)).then(|| self.as_value(graph))
    }

    /// As a value of this graph.
    pub(crate) fn as_value(&self, graph: &mut LocationGraph) -> Value {
        match self {
            Self::Null | Self::Absent => Value::Null,
            Self::Bool(value) => Value::Bool(*value),
            Self::Int(value) => Value::Int(*value),
            Self::Float(value) => Value::Float(Float(*value)),
            Self::Text(text) | Self::BigInt(text) => Value::Text(Arc::clone(text)),
            Self::List(items) => {
                Value::list(items.iter().map(|item| item.as_value(graph)).collect::<Vec<_>>())
            }
            Self::Map(fields) => {
                let fields = fields.iter().map(|(key, value)| (Arc::clone(key), value.as_value(graph)));
                Value::record(fields.collect::<Vec<_>>())
            }
            Self::Element(name) => Value::Name(graph.symbols_mut().name(name)),
            Self::Unknown(unknown) => Value::Unknown(unknown.why.to_string().into()),
            Self::Masked(digest) | Self::Secret(digest) | Self::Contents { digest, .. } => {
                Value::Secret(Arc::clone(digest))
            }
        }
    }
}

impl Element<'_> {
    /// Whether a plan is about it: the document defines it and a deployment makes it.
    pub fn is_planned(&self) -> bool {
        self.standing == Standing::Defined && self.process.is_some()
    }
}
