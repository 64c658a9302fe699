//! Universes and configurations in the form of Zephyrus: version 1, and the lists of pairs that came before it.
//!
//! Zephyrus knows no lifecycle. A component type of its becomes one with two states: created, without ports, and
//! deployed, with all of them. Packages, repositories and implementations are read over: what they consume of a machine
//! and which exclude each other is not considered, and a note says so.

use std::sync::Arc;

use locus_source::{Finding, Node, Severity};

use super::components;
use locus_source::words::short;

use super::fields::Report;
use crate::document::{Document, Machine};
use crate::rules::WRONG_TYPE;
use crate::{Component, ComponentType, Provision, Requirement, State, StateId};

pub(super) fn universe(root: Node<'_>, document: &mut Document, report: &mut Report) {
    let keys = ["version", "component_types", "implementation", "repositories"];
    let [_, types, implementation, _] = report.fields(root, "a universe of Zephyrus", &keys);
    if let Some(node) = implementation.filter(|node| !node.is_empty()) {
        let message = "which packages implement a component type is not considered";
        report.add(|| Finding {
            severity: Severity::Note,
            ..Finding::new(&WRONG_TYPE, node.use_place(), message)
        });
    }
    for node in types.into_iter().flat_map(Node::items) {
        let keys = ["name", "provide", "require", "conflict", "consume"];
        let [name, provide, require, conflict, consume] =
            report.fields(node, "a component type of Zephyrus", &keys);
        let Some(name) = name else {
            report.missing(node, "a component type of Zephyrus has a name", "give it under `name`");
            continue;
        };
        let Some(text) = report.string(name, "the name of a component type") else { continue };
        if document.universe.find_type(text).is_some() {
            report.repeated(name, format!("there are two component types `{}`", short(text)));
            continue;
        }
        let place = Some(name.use_place());
        let mut state = State { place, ..State::default() };
        for (port, node) in pairs(provide, report) {
            let port = document.universe.port(port);
            let capacity = capacity(node, report);
            state.provides.push(Provision { port, capacity });
        }
        for (port, node) in pairs(require, report) {
            let port = document.universe.port(port);
            let number = report.number(node, "a number of providers", 0).unwrap_or(1);
            state.requires.extend((number > 0).then_some(Requirement { port, number: number as u32 }));
        }
        for node in conflict.into_iter().flat_map(Node::items) {
            let Some(port) = report.string(node, "the name of a port") else { continue };
            let port = document.universe.port(port);
            state.requires.push(Requirement { port, number: 0 });
        }
        let consumes = amounts(consume, report);
        let kind =
            ComponentType { name: text.to_owned(), cost: 1, consumes, place, ..ComponentType::default() };
        super::two_states(&mut document.universe, kind, state);
    }
}

/// A number, a number in a string, `infinity`, or one of the lists of earlier versions.
fn capacity(node: Node<'_>, report: &mut Report) -> Option<u32> {
    let mut items = node.items();
    match (items.next().and_then(Node::as_str), items.next(), node.as_str()) {
        (Some("FiniteProvide"), Some(number), _) => {
            report.number(number, "a capacity", 1).map(|number| number as u32)
        }
        (Some("InfiniteProvide"), ..) | (_, _, Some("InfiniteProvide" | "infinity" | "∞" | "inf")) => None,
        (_, _, Some(text)) if text.parse::<u32>().is_ok_and(|number| number > 0) => text.parse().ok(),
        _ => report.number(node, "a capacity", 1).map(|number| number as u32),
    }
}

/// The entries of a mapping, or of a list of pairs.
fn pairs<'t>(node: Option<Node<'t>>, report: &mut Report) -> Vec<(&'t str, Node<'t>)> {
    let Some(node) = node else { return Vec::new() };
    if node.is_mapping() {
        return report.entries(node, "a name").into_iter().map(|(key, entry)| (key, entry.value)).collect();
    }
    let mut pairs = Vec::new();
    for pair in node.items() {
        let mut items = pair.items();
        match (items.next().and_then(Node::as_str), items.next()) {
            (Some(name), Some(value)) => pairs.push((name, value)),
            _ => report.wrong_type(pair, "an entry", "a pair of a name and a value"),
        }
    }
    pairs
}

fn amounts(node: Option<Node<'_>>, report: &mut Report) -> Vec<(Arc<str>, u64)> {
    let mut amounts = Vec::new();
    for (name, node) in pairs(node, report) {
        amounts.extend(report.number(node, "an amount", 0).map(|amount| (name.into(), amount)));
    }
    amounts.sort();
    amounts
}

pub(super) fn configuration(root: Node<'_>, document: &mut Document, report: &mut Report) {
    let keys = ["version", "locations", "components", "bindings"];
    let [_, locations, listed, bindings] = report.fields(root, "a configuration of Zephyrus", &keys);
    document.machines.clear();
    for node in locations.into_iter().flat_map(Node::items) {
        let keys = ["name", "provide_resources", "repository", "packages_installed", "cost"];
        let [name, resources, _, _, cost] = report.fields(node, "a location of Zephyrus", &keys);
        let Some(name) = name.and_then(|node| report.string(node, "the name of a location")) else {
            continue;
        };
        document.machines.push(Machine {
            name: name.to_owned(),
            resources: amounts(resources, report),
            cost: cost.and_then(|node| report.number(node, "a cost", 0)).unwrap_or(1),
            count: 1,
            place: Some(node.use_place()),
        });
    }
    for node in listed.into_iter().flat_map(Node::items) {
        let field = |names: [&str; 2]| names.into_iter().find_map(|name| node.get(name));
        let name = field(["name", "component_name"]).and_then(Node::as_str);
        let kind = field(["type", "component_type"]).and_then(Node::as_str);
        let (Some(name), Some(kind)) = (name, kind) else {
            report.missing(node, "a component of Zephyrus has a name and a type", "give both");
            continue;
        };
        let Some(kind_id) = document.universe.find_type(kind) else {
            let message = format!("there is no component type `{}`", short(kind));
            report.unknown(
                node,
                message,
                kind,
                document.universe.types().map(|(_, kind)| kind.name.as_str()),
            );
            continue;
        };
        let deployed = document.universe.kind(kind_id).find_state(super::DEPLOYED).unwrap_or(StateId(0));
        let component = Component { kind: kind_id, state: deployed };
        let id = components::add(document, name, node, component);
        let location = field(["location", "component_location"]).and_then(Node::as_str);
        let machine = document.machines.iter().position(|machine| Some(machine.name.as_str()) == location);
        if let Some(machine) = machine {
            document.placement.insert(id, machine);
        }
    }
    for node in bindings.into_iter().flat_map(Node::items) {
        components::binding(node, document, report);
    }
}
