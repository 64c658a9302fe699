//! The nodes of a topology as things with the Standard lifecycle of TOSCA: created, configured, started; stopped before they
//! are deleted.
//!
//! A node is created on a host that is started, and configured when what it depends on or connects to is started: the
//! declarative workflow of the Simple Profile. A template with a count is as many nodes. Properties are changed in place. What
//! exists already, and what another service takes the place of, is ready from the start and left out.
//!
//! What is not considered: operations of relationships, and workflows that a file gives itself.

use locus_graph::lifecycle::{Need, OnChange, Property, Thing};

use crate::topology::{Node, Topology};
use crate::value::{Datum, Value};

/// More nodes of one template than this are one thing.
const MOST_COPIES: i64 = 1_000;

const STARTED: &str = "started";
/// The phases by index.
const CREATED_AT: usize = 0;
const CONFIGURED_AT: usize = 1;

/// The things of a topology.
pub(crate) fn things(topology: &Topology) -> Vec<Thing> {
    let copies: Vec<Vec<String>> = topology.nodes.iter().map(copies).collect();
    let mut things = Vec::new();
    for (index, node) in topology.nodes.iter().enumerate() {
        let sort = node.types.first().map_or("?", |name| name);
        for (copy, name) in copies[index].iter().enumerate() {
            things.push(Thing {
                properties: node.properties.iter().map(property).collect(),
                needs: needs(topology, &copies, index, copy),
                place: Some(node.name.place),
                phases: ["created", "configured", STARTED].map(str::to_owned).into(),
                endings: vec!["stopped".to_owned()],
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

fn needs(topology: &Topology, copies: &[Vec<String>], source: usize, copy: usize) -> Vec<Need> {
    let mut needs = Vec::new();
    for relationship in topology.relationships.iter().filter(|one| one.source == source) {
        let Some(target) = relationship.target.filter(|&target| target != source) else { continue };
        let at = if Topology::is_a(&relationship.types, "HostedOn") { CREATED_AT } else { CONFIGURED_AT };
        let targets = &copies[target];
        let count = relationship.count.unwrap_or(1).clamp(0, targets.len() as i64) as usize;
        // Of several nodes each takes those that are next in turn, as in the location graph.
        let next = (0..count).map(|step| &targets[(copy + step) % targets.len()]);
        needs.extend(next.map(|name| Need { at, phase: Some(STARTED.to_owned()), ..Need::new(name) }));
    }
    needs
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
