//! A project as a location graph: section 6.2 of the report.
//!
//! Services, networks, volumes, secrets and configs are locations. A service requires a role of each network, volume,
//! secret and config that it uses, and of each service that it depends on; the other side provides it. What belongs to the
//! use, such as an address, an alias, the target of a mount or the condition of a dependency, is an attribute of the role. A
//! published port is a role that the service provides to whoever is outside. A service with several containers is one
//! location with their number.
//!
//! For the drawing there is a box around each network with the services that are only in it.

use std::sync::Arc;

use locus_graph::{Attributes, LocationGraph, LocationId, Sort, Value as GraphValue};
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::containers::{Number, number};
use crate::datum::{Content, Datum, Map};
use crate::ports;
use crate::project::Project;

/// The location graph of a project. Linear time.
pub fn graph(project: &Project) -> LocationGraph {
    let mut builder = Builder { graph: LocationGraph::default(), locations: FxHashMap::default() };
    for (section, sort) in
        [("networks", "network"), ("volumes", "volume"), ("secrets", "secret"), ("configs", "config")]
    {
        let Some(items) = project.model.get(section).and_then(Datum::as_map) else { continue };
        for (name, entry) in &items.0 {
            builder.location(
                section,
                name,
                sort,
                entry.key,
                &entry.value,
                &["name", "driver", "external", "file"],
            );
        }
    }
    let Some(services) = project.model.get("services").and_then(Datum::as_map) else { return builder.graph };
    for (name, entry) in &services.0 {
        let keys = ["image", "container_name", "hostname", "restart", "network_mode", "privileged"];
        builder.location("services", name, "service", entry.key, &entry.value, &keys);
        builder.number(name, &entry.value);
    }
    for (name, service) in services.iter() {
        builder.service(name, service);
    }
    builder.graph
}

struct Builder<'p> {
    graph: LocationGraph,
    /// By section and name.
    locations: FxHashMap<(&'static str, &'p str), LocationId>,
}

impl<'p> Builder<'p> {
    fn location(
        &mut self,
        section: &'static str,
        name: &'p str,
        sort: &str,
        place: Place,
        value: &Datum,
        keys: &[&str],
    ) {
        // Things of different kinds may have the same name.
        let mut shown = name.to_owned();
        while self.graph.symbols().find_name(&shown).is_some() {
            shown = format!("{shown} ({sort})");
        }
        let at = self.graph.add(&shown);
        self.locations.insert((section, name), at);
        let within = (section == "networks").then(|| self.graph.add_box(&format!("network {name}")));
        let entry = self.graph.entry_mut(at);
        entry.sort = Sort::named(sort);
        entry.place = Some(place);
        entry.within = within;
        for key in keys {
            if let Some(value) = value.get(key) {
                push(&mut entry.attributes, key, value);
            }
        }
    }

    /// How many containers a service has, where the file says so.
    fn number(&mut self, name: &str, service: &Datum) {
        if let Number { count, place: Some(place) } = number(service) {
            let at = self.locations[&("services", name)];
            let attributes = &mut self.graph.entry_mut(at).attributes;
            attributes.push("replicas", GraphValue::Int(count), Some(place));
        }
    }

    fn service(&mut self, name: &'p str, service: &'p Datum) {
        let at = self.locations[&("services", name)];
        let networks = service.get("networks").and_then(Datum::as_map).unwrap_or(Map::empty());
        for (network, entry) in &networks.0 {
            self.bind(("networks", network), at, &format!("{network} of {name}"), entry.key, &entry.value);
        }
        if let (Some(only), None) = (networks.keys().next(), networks.keys().nth(1)) {
            let around = self.graph.add_box(&format!("network {only}"));
            self.graph.entry_mut(at).within = Some(around);
        }
        let named = [("volumes", "volumes"), ("secrets", "secrets"), ("configs", "configs")];
        for (key, section) in named {
            for item in service.get(key).and_then(Datum::as_list).unwrap_or_default() {
                let Some(source) = item.get("source").and_then(Datum::as_str) else { continue };
                let target = item.get("target").and_then(Datum::as_str).unwrap_or(source);
                self.bind((section, source), at, &format!("{target} of {name}"), item.place, item);
            }
        }
        if let Some(dependencies) = service.get("depends_on").and_then(Datum::as_map) {
            for (target, entry) in &dependencies.0 {
                let condition = entry.value.get("condition").and_then(Datum::as_str).unwrap_or_default();
                let role = match condition {
                    "service_healthy" => format!("{target} healthy for {name}"),
                    "service_completed_successfully" => format!("{target} done for {name}"),
                    _ => format!("{target} for {name}"),
                };
                self.bind(("services", target), at, &role, entry.key, &entry.value);
            }
        }
        for item in service.get("ports").and_then(Datum::as_list).unwrap_or_default() {
            let port = &*ports::long_form(item);
            let text = |key: &str| port.get(key).map(Datum::print).unwrap_or_default();
            let (published, host) = (text("published"), text("host_ip"));
            let shown =
                [host, published].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(":");
            let shown = if shown.is_empty() { "any port".to_owned() } else { shown };
            let role = self.role(&format!("host {shown} → {name}:{}/{}", text("target"), text("protocol")));
            let held = self.graph.provide(at, &role);
            held.place = Some(port.place);
            fill(&mut held.attributes, port);
        }
    }

    /// A service requires what a location provides, if that is there.
    fn bind(
        &mut self,
        target: (&'static str, &str),
        source: LocationId,
        role: &str,
        place: Place,
        value: &Datum,
    ) {
        let Some(target) = self.locations.get(&target).copied().filter(|target| *target != source) else {
            return;
        };
        let role = self.role(role);
        self.graph.provide(target, &role).place = Some(place);
        let held = self.graph.require(source, &role);
        held.place = Some(place);
        fill(&mut held.attributes, value);
    }

    /// A name for a role that no other role has.
    fn role(&self, wanted: &str) -> String {
        let mut role = wanted.to_owned();
        let mut count = 1;
        while self.graph.symbols().find_role(&role).is_some() {
            count += 1;
            role = format!("{wanted} ({count})");
        }
        role
    }
}

fn fill(attributes: &mut Attributes, value: &Datum) {
    for (key, value) in value.as_map().into_iter().flat_map(Map::iter) {
        push(attributes, key, value);
    }
}

fn push(attributes: &mut Attributes, key: &str, value: &Datum) {
    if let Some(fact) = fact(value) {
        attributes.push(key, fact, Some(value.place));
    }
}

/// A value as an attribute, if it is simple.
fn fact(value: &Datum) -> Option<GraphValue> {
    Some(match &value.content {
        Content::Bool(value) => GraphValue::Bool(*value),
        Content::Int(value) => GraphValue::Int(*value),
        Content::Str(text) => GraphValue::Text(Arc::from(text.as_str())),
        Content::List(items) => GraphValue::List(items.iter().map(fact).collect::<Option<_>>()?),
        _ => return None,
    })
}
