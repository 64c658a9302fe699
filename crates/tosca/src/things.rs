//! The nodes of a topology as things with the lifecycles that the file gives them, or else with the Standard lifecycle of TOSCA:
//! created, configured, started; stopped before they are deleted.
//!
//! In the Standard lifecycle a node is created on a host that is ready, and configured when what it depends on or connects to is
//! ready: the declarative workflow of the Simple Profile. A template with a count is as many nodes. Properties are changed in
//! place. What exists already, and what another service takes the place of, is ready from the start and left out.
//!
//! Not considered: operations of relationships, and workflows that a file gives itself.

use std::sync::Arc;

use locus_graph::lifecycle::{Need, OnChange, Property, Thing};

use crate::lifecycle::Lifecycle;
use crate::topology::{Node, Relationship, Topology};
use crate::value::{Datum, Value};

/// More nodes of one template than this are one thing.
const MOST_COPIES: i64 = 1_000;

/// The phase of the Standard lifecycle, by index, in which a node needs what it is not hosted on.
const CONFIGURED_AT: usize = 1;

/// The things of a topology.
pub(crate) fn things(topology: &Topology) -> Vec<Thing> {
    let copies: Vec<Vec<String>> = topology.nodes.iter().map(copies).collect();
    let standard = Lifecycle::standard();
    let mut things = Vec::new();
    for (index, node) in topology.nodes.iter().enumerate() {
        let lifecycle = node.lifecycle.as_ref().unwrap_or(&standard);
        let texts = |names: &[Arc<str>]| names.iter().map(ToString::to_string).collect();
        let sort = node.types.first().map_or("?", |name| name);
        for (copy, name) in copies[index].iter().enumerate() {
            things.push(Thing {
                properties: node.properties.iter().map(property).collect(),
                needs: needs(topology, lifecycle, &copies, index, copy),
                place: Some(node.name.place),
                phases: texts(&lifecycle.states),
                endings: texts(&lifecycle.endings),
                ..Thing::new(name, sort)
            });
        }
    }
    things
}

/// The names of the nodes that a template makes.
fn copies(node: &Node) -> Vec<String> {
    let name = &node.name.text;
    match node.count.unwrap_or(1) {
        _ if node.selected || node.substituted => Vec::new(),
        count if count == 1 || count > MOST_COPIES => vec![name.to_string()],
        count => (0..count.max(0)).map(|index| format!("{name}[{index}]")).collect(),
    }
}

fn needs(
    topology: &Topology,
    lifecycle: &Lifecycle,
    copies: &[Vec<String>],
    source: usize,
    copy: usize,
) -> Vec<Need> {
    let mut needs = Vec::new();
    for relationship in topology.relationships.iter().filter(|one| one.source == source) {
        let Some(target) = relationship.target.filter(|&target| target != source) else { continue };
        let (at, phase) = needed(lifecycle, relationship);
        let targets = &copies[target];
        let count = relationship.count.unwrap_or(1).clamp(0, targets.len() as i64) as usize;
        // Of several nodes each takes those that are next in turn, as in the location graph.
        let next = (0..count).map(|step| &targets[(copy + step) % targets.len()]);
        needs.extend(next.map(|name| Need { at, phase: phase.clone(), ..Need::new(name) }));
    }
    needs
}

/// From which state on a node needs what fulfils a requirement, and in which state; none for the last one of that.
fn needed(lifecycle: &Lifecycle, relationship: &Relationship) -> (usize, Option<String>) {
    let named = lifecycle.needs.iter().find(|need| need.requirement == relationship.name.text);
    match named {
        Some(need) => (need.state, need.target.as_ref().map(ToString::to_string)),
        // Only the Standard lifecycle has no place.
        None if lifecycle.place.is_some() || Topology::is_a(&relationship.types, "HostedOn") => (0, None),
        None => (CONFIGURED_AT, None),
    }
}

fn property(field: &crate::topology::Field) -> Property {
    Property {
        name: field.key.to_string(),
        value: text(&field.value),
        on_change: OnChange::InPlace,
        place: Some(field.value.place),
    }
}

/// A value as a text. What is not known counts as the same as long as the reason is.
fn text(datum: &Datum) -> String {
    match &datum.value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => text.to_string(),
        Value::List(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::Map(fields) => {
            let fields = fields.iter().map(|(key, value)| format!("{key}: {}", text(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Unknown(why) => format!("not known: {why}"),
    }
}
