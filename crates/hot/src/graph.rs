//! A template as a location graph, as sections 7.1.2 and 7.1.4 of the report have it.
//!
//! A resource is a location, and its sort is its type. Where a resource refers to another, the other provides a
//! role and the one requires it; each reference has a role of its own, since a role binds two. What nobody
//! refers to provides one role all the same: a resource is there for somebody. What a property names and the
//! template does not define (a network, an image, a flavor) is a location too: it exists already. Resources
//! whose condition is false are left out.
//!
//! For the drawing there is a box around what exists already, and one around each network with its subnets and
//! ports.

use std::sync::Arc;

use locus_graph::{BoxId, Float, LocationGraph, LocationId, Sort, Value as GraphValue};
use locus_schema::{Content, Datum, Property, Type};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::template::{How, Kind, Reference, Resource, Template};

/// The box around what exists already.
const EXTERNAL: &str = "external";

/// The location graph of a template. Linear time.
pub fn graph(template: &Template) -> LocationGraph {
    let mut builder = Builder::default();
    let roles: usize = template.resources.iter().map(|resource| resource.references.len() + 1).sum();
    builder.graph.reserve(template.resources.len(), roles);
    let created = || template.resources.iter().filter(|resource| resource.created != Some(false));
    for resource in created() {
        builder.location(resource);
    }
    for resource in created() {
        builder.references(resource);
        builder.external_things(resource);
    }
    for resource in created() {
        builder.enclose(resource);
        let at = builder.locations[&resource.name.text];
        if !builder.provides.contains(&at) {
            let role = builder.role(resource.name.text.to_string());
            builder.graph.provide(at, &role).place = Some(resource.name.place);
        }
    }
    builder.graph
}

#[derive(Default)]
struct Builder {
    graph: LocationGraph,
    locations: FxHashMap<Arc<str>, LocationId>,
    /// Things that exist already, by their kind and name.
    external: FxHashMap<(Arc<str>, Arc<str>), LocationId>,
    /// Who provides something.
    provides: FxHashSet<LocationId>,
    /// How often a name for a role was wanted.
    roles: FxHashMap<String, usize>,
}

impl Builder {
    fn location(&mut self, resource: &Resource) {
        let at = self.graph.add(&resource.name.text);
        self.locations.insert(Arc::clone(&resource.name.text), at);
        let entry = self.graph.entry_mut(at);
        entry.sort = Sort::named(&resource.type_name.text);
        entry.place = Some(resource.name.place);
        for field in &resource.properties {
            if let Some(value) = fact(&field.value) {
                entry.attributes.push(Arc::clone(&field.key), value, Some(field.place));
            }
        }
        if resource.external_id.is_some() {
            let around = self.graph.add_box(EXTERNAL);
            self.graph.entry_mut(at).within = Some(around);
        }
    }

    fn references(&mut self, resource: &Resource) {
        let at = self.locations[&resource.name.text];
        for reference in &resource.references {
            if let Some(target) = self.locations.get(&reference.target).copied() {
                let what = means(reference);
                self.bind(target, at, &reference.target, &resource.name.text, what, reference.place);
            }
        }
    }

    /// One location requires what another provides.
    fn bind(
        &mut self,
        target: LocationId,
        source: LocationId,
        to: &str,
        from: &str,
        what: &str,
        place: Place,
    ) {
        // A location cannot be bound to itself; that a resource depends on itself is reported elsewhere.
        if target == source {
            return;
        }
        let role = self.role(format!("{to} for {what} of {from}"));
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

    /// What the properties of a resource name that is not in the template.
    fn external_things(&mut self, resource: &Resource) {
        let Kind::Known(kind) = &resource.kind else { return };
        for field in &resource.properties {
            if let Some(property) = kind.property(&field.key) {
                self.external_value(property, &field.value, &field.key, resource);
            }
        }
    }

    fn external_value(&mut self, property: &Property, datum: &Datum, what: &str, resource: &Resource) {
        match (&datum.value, property.kind) {
            (Content::Map(fields), Type::Map) => {
                for field in fields.iter() {
                    if let Some(nested) = property.get(&field.key) {
                        self.external_value(nested, &field.value, &field.key, resource);
                    }
                }
            }
            (Content::List(items), Type::List) => {
                // The constraint of a list may be on the list or on its items.
                let nested = property.get("*").unwrap_or(property);
                for item in items.iter() {
                    self.external_value(nested, item, what, resource);
                }
            }
            _ => {
                if let (Some(kind), Some(name)) = (property.names_kind(), name_of(datum)) {
                    let target = self.thing(kind, &name, datum.origin.unwrap_or(datum.place));
                    let at = self.locations[&resource.name.text];
                    self.bind(target, at, &name, &resource.name.text, what, datum.place);
                }
            }
        }
    }

    /// The location for something that exists already.
    fn thing(&mut self, kind: &str, name: &Arc<str>, place: Place) -> LocationId {
        let key = (Arc::from(kind), Arc::clone(name));
        if let Some(at) = self.external.get(&key) {
            return *at;
        }
        // Names of networks and images may be the same, and the same as those of resources.
        let mut shown = name.to_string();
        while self.graph.symbols().find_name(&shown).is_some() {
            shown = format!("{shown} ({kind})");
        }
        let at = self.graph.add(&shown);
        let around = self.graph.add_box(EXTERNAL);
        let entry = self.graph.entry_mut(at);
        entry.sort = Sort::named(kind);
        entry.place = Some(place);
        entry.within = Some(around);
        self.external.insert(key, at);
        at
    }

    /// Puts a subnet or a port into the box of its network.
    fn enclose(&mut self, resource: &Resource) {
        if !matches!(&*resource.type_name.text, "OS::Neutron::Subnet" | "OS::Neutron::Port") {
            return;
        }
        let network = ["network", "network_id"].iter().find_map(|name| resource.property(name));
        let Some(Content::Location(name)) = network.map(|datum| &datum.value) else { return };
        let Some(network) = self.locations.get(name).copied() else { return };
        if self.graph.entry(network).within.is_some_and(|around| self.graph.box_name(around) == EXTERNAL) {
            return;
        }
        let around: BoxId = self.graph.add_box(&format!("network {name}"));
        self.graph.entry_mut(network).within = Some(around);
        let at = self.locations[&resource.name.text];
        self.graph.entry_mut(at).within.get_or_insert(around);
    }
}

/// By which means one resource refers to another, for the name of the role.
fn means(reference: &Reference) -> &str {
    match &reference.how {
        How::DependsOn => "depends_on",
        How::Id | How::Attribute(_) => reference.via.as_deref().unwrap_or("metadata"),
    }
}

/// What something that exists already is called: by its name, or by the parameter that will tell it.
fn name_of(datum: &Datum) -> Option<Arc<str>> {
    match &datum.value {
        Content::Str(name) if !name.is_empty() => Some(Arc::clone(name)),
        Content::Int(_) | Content::BigInt(_) => datum.value.to_text(),
        Content::Unknown(unknown) => unknown.why.input().cloned(),
        _ => None,
    }
}

/// A property as an attribute of a location, if it is known and simple.
fn fact(datum: &Datum) -> Option<GraphValue> {
    Some(match &datum.value {
        Content::Bool(value) => GraphValue::Bool(*value),
        Content::Int(value) => GraphValue::Int(*value),
        Content::Float(value) => GraphValue::Float(Float(*value)),
        Content::Str(text) | Content::BigInt(text) => GraphValue::Text(Arc::clone(text)),
        Content::List(items) => GraphValue::List(items.iter().map(fact).collect::<Option<_>>()?),
        _ => return None,
    })
}
