//! A service for its rules: nodes by the types that have a signature, capabilities, relationships with what they take
//! of a capability, and the phases of lifecycles where these leave a choice of order.
//!
//! Properties are there as far as the rules speak of them. Out of scope: the rules, which are in `rules/tosca`.

use std::sync::Arc;

use locus_meaning::{Meaning, PartId, Parts, Related, Subject, ThingId};
use locus_schema::{Content, Datum};
use locus_source::Place;

use super::process;
use crate::service::topology::{self, Capability, Node, Relationship, Topology};

/// The core that rules about services are written over.
pub(crate) const CORE: &str = "tosca/core";

/// The kind of a property that rules speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Text,
    Number,
}

/// The signatures with properties, and the properties that are fields of theirs.
const SPOKEN: [(&str, &[(&str, Kind)]); 5] = [
    (
        "Network",
        &[
            ("cidr", Kind::Text),
            ("start_ip", Kind::Text),
            ("end_ip", Kind::Text),
            ("gateway_ip", Kind::Text),
            ("ip_version", Kind::Number),
        ],
    ),
    ("Port", &[("ip_address", Kind::Text), ("ip_range_start", Kind::Text), ("ip_range_end", Kind::Text)]),
    (
        "Scalable",
        &[
            ("min_instances", Kind::Number),
            ("max_instances", Kind::Number),
            ("default_instances", Kind::Number),
        ],
    ),
    ("Endpoint", &[("port", Kind::Number), ("network_name", Kind::Text)]),
    ("AttachesTo", &[("location", Kind::Text), ("device", Kind::Text)]),
];

/// The types of nodes that have a signature of their own.
const NODES: [(&str, &str); 4] =
    [("Network", "Network"), ("Port", "Port"), ("Compute", "Compute"), ("Container.Runtime", "Runtime")];

/// The types of relationships that have one. Those that derive from others are tried first.
const RELATIONSHIPS: [&str; 6] = ["LinksTo", "BindsTo", "HostedOn", "AttachesTo", "ConnectsTo", "DependsOn"];

/// Adds what rules see, with the elements of the nodes in their order.
pub(super) fn add(all: &mut Meaning<'_>, topology: &Topology, ids: &[ThingId]) {
    for (node, &id) in topology.nodes.iter().zip(ids) {
        let kind = NODES.into_iter().find(|(name, _)| Topology::is_a(&node.types, name));
        all.element_mut(id).signature = Some(kind.map_or("Node", |(_, signature)| signature));
    }
    let parts = all.parts();
    let mut capabilities: Vec<Vec<PartId>> = Vec::with_capacity(ids.len());
    for (node, &id) in topology.nodes.iter().zip(ids) {
        let fields = node.properties.iter().map(|field| (&*field.key, &field.value));
        if let Some((_, signature)) = NODES.into_iter().find(|(name, _)| Topology::is_a(&node.types, name)) {
            properties(parts, id.into(), signature, fields);
        }
        let of_node = node.capabilities.iter().map(|one| capability(parts, id, &node.name.text, one));
        capabilities.push(of_node.collect());
        server_port(parts, id, node);
    }
    for one in &topology.relationships {
        relationship(parts, topology, one, ids, &capabilities);
    }
    phases(parts, topology, ids);
}

fn capability(parts: &mut Parts, node: ThingId, name: &str, one: &Capability) -> PartId {
    let kind = ["Scalable", "Endpoint"].into_iter().find(|kind| Topology::is_a(&one.types, kind));
    let signature = kind.unwrap_or("Capability");
    let part = parts.add(signature, format!("{} of {name}", one.name), one.place);
    parts.put(part, "Capability", "of", node.into(), one.place);
    if let Some(most) = one.most {
        parts.put(part, "Capability", "most", Related::Int(most), one.place);
    }
    properties(parts, part.into(), signature, fields(&one.properties));
    if signature == "Endpoint" {
        transport(parts, part, one);
    }
    part
}

/// The port of a database server, which has it as a property: one like that of an endpoint.
fn server_port(parts: &mut Parts, id: ThingId, node: &Node) {
    let Some(port) = topology::port_of_server(node) else { return };
    let place = port.place;
    let part = parts.add("Endpoint", format!("port of {}", node.name.text), place);
    parts.put(part, "Capability", "of", id.into(), place);
    properties(parts, part.into(), "Endpoint", std::iter::once(("port", port)));
    for (field, text) in [("transport", "tcp"), ("network_name", "PRIVATE")] {
        parts.put(part, "Endpoint", field, Related::Text(text.into()), place);
    }
}

fn fields(all: &[topology::Field]) -> impl Iterator<Item = (&str, &Datum)> {
    all.iter().map(|field| (&*field.key, &field.value))
}

/// The properties that the rules speak of, if the signature has any.
fn properties<'f>(
    parts: &mut Parts,
    of: Subject,
    signature: &'static str,
    fields: impl Iterator<Item = (&'f str, &'f Datum)>,
) {
    let Some((_, spoken)) = SPOKEN.iter().find(|(name, _)| *name == signature) else { return };
    for (key, datum) in fields {
        let Some(&(field, kind)) = spoken.iter().find(|(name, _)| *name == key) else { continue };
        let value = match (&datum.value, kind) {
            (Content::Int(value), Kind::Number) => Related::Int(*value),
            (Content::Str(text), Kind::Text) if field == "location" => Related::Text(place_of_disk(text)),
            (Content::Str(text), Kind::Text) => Related::Text(Arc::clone(text)),
            (Content::Unknown(_), Kind::Number) => Related::UnknownInt,
            (Content::Unknown(_), Kind::Text) => Related::UnknownText,
            _ => continue,
        };
        parts.put(of, signature, field, value, datum.place);
    }
}

/// Where a disk is attached, each place in one way of writing.
fn place_of_disk(text: &Arc<str>) -> Arc<str> {
    let trimmed = text.trim_end_matches('/');
    if trimmed.is_empty() { Arc::clone(text) } else { trimmed.into() }
}

/// How the port of an endpoint is reached: most protocols go over TCP, which is the default.
fn transport(parts: &mut Parts, part: PartId, one: &Capability) {
    let protocol = topology::field(&one.properties, "protocol").map(|field| &field.value);
    let place = protocol.map_or(one.place, |datum| datum.place);
    let value = match protocol.map(|datum| &datum.value) {
        Some(Content::Unknown(_)) => Related::UnknownText,
        Some(Content::Str(name)) if is_beside_tcp(name) => Related::Text(name.to_lowercase().into()),
        _ => Related::Text("tcp".into()),
    };
    parts.put(part, "Endpoint", "transport", value, place);
}

/// Whether a protocol has ports of its own beside those of TCP.
fn is_beside_tcp(protocol: &str) -> bool {
    ["udp", "sctp", "dccp", "icmp"].iter().any(|one| protocol.eq_ignore_ascii_case(one))
}

/// A relationship whose target is known.
fn relationship(
    parts: &mut Parts,
    topology: &Topology,
    one: &Relationship,
    ids: &[ThingId],
    capabilities: &[Vec<PartId>],
) {
    let Some(target) = one.target else { return };
    let place = one.name.place;
    let kind = RELATIONSHIPS.into_iter().find(|name| Topology::is_a(&one.types, name));
    let signature = kind.unwrap_or("Relationship");
    let label = format!("{} of {}", one.name.text, topology.nodes[one.source].name.text);
    let part = parts.add(signature, label, place);
    parts.put(part, "Relationship", "source", ids[one.source].into(), place);
    parts.put(part, "Relationship", "target", ids[target].into(), place);
    properties(parts, part.into(), signature, fields(&one.properties));
    let Some(capability) = one.capability else { return };
    let from = capabilities[target][capability];
    parts.put(part, "Relationship", "capability", from.into(), place);
    let offered = &topology.nodes[target].capabilities[capability].properties;
    for allocation in &one.allocations {
        let Some(limit) = topology::field(offered, &allocation.key) else { continue };
        if let (Some(amount), Some(limit)) = (units(allocation), units(limit)) {
            let label = format!("{} of {}", allocation.key, one.name.text);
            allocated(parts, label, from, (&allocation.key, amount, limit), allocation.value.place);
        }
    }
}

/// All that a relationship takes of a property of a capability, and how much there is of it.
fn allocated(
    parts: &mut Parts,
    label: String,
    from: PartId,
    (key, amount, limit): (&Arc<str>, i64, i64),
    place: Place,
) {
    let part = parts.add("Allocation", label, place);
    parts.put(part, "Allocation", "from", from.into(), place);
    parts.put(part, "Allocation", "key", Related::Text(Arc::clone(key)), place);
    parts.put(part, "Allocation", "amount", Related::Int(amount), place);
    parts.put(part, "Allocation", "limit", Related::Int(limit), place);
}

/// A quantity in whole base units, if it is known and one.
fn units(field: &topology::Field) -> Option<i64> {
    match (&field.value.value, field.amount) {
        (Content::Int(value), _) => Some(*value),
        (_, Some(amount)) if amount.fract() == 0.0 && amount.abs() < 1e15 => Some(amount as i64),
        _ => None,
    }
}

/// The order of phases, where lifecycles leave a choice.
fn phases(parts: &mut Parts, topology: &Topology, ids: &[ThingId]) {
    let phases = process::phases(topology);
    let name = |node: usize| &topology.nodes[node].name;
    let all: Vec<PartId> = phases
        .iter()
        .map(|one| {
            let label = format!("{} {}", name(one.node).text, one.name);
            parts.add("Phase", label, name(one.node).place)
        })
        .collect();
    for (one, &part) in phases.iter().zip(&all) {
        let place = name(one.node).place;
        parts.put(part, "Phase", "phase_of", ids[one.node].into(), place);
        for &before in &one.after {
            parts.put(part, "Phase", "waits_for", all[before].into(), place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::library::FILES;

    /// The fields of a signature of the core that hold a text or a number, as far as they are properties.
    fn declared(signature: &str) -> BTreeSet<(&'static str, &'static str)> {
        let core = FILES.module("core").expect("there is a core");
        let (_, rest) = core.split_once(&format!("\nsig {signature} extends")).expect("it is declared");
        let (body, _) = rest.split_once('}').expect("it ends");
        let fields = body.lines().filter_map(|line| line.trim().trim_end_matches(',').split_once(": lone "));
        fields.filter(|(name, _)| *name != "transport").collect()
    }

    #[test]
    fn the_properties_that_rules_speak_of_are_the_fields_of_the_core() {
        for (signature, fields) in SPOKEN {
            let kind = |kind| if kind == Kind::Text { "String" } else { "Int" };
            let spoken: BTreeSet<_> = fields.iter().map(|(name, holds)| (*name, kind(*holds))).collect();
            assert_eq!(spoken, declared(signature), "{signature}");
        }
    }
}
