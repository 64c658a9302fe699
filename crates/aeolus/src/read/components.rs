//! The configuration of a document: components and bindings.

use locus_source::Node;

use locus_source::words::short;

use super::fields::Report;
use crate::document::Document;
use crate::{Action, Binding, Component, ComponentId, Refusal};

pub(super) fn configuration(node: Node<'_>, document: &mut Document, report: &mut Report) {
    let [components, bindings] = report.fields(node, "a configuration", &["components", "bindings"]);
    for (name, entry) in
        components.map_or_else(Vec::new, |node| report.entries(node, "the name of a component"))
    {
        component(name, entry.key, entry.value, document, report);
    }
    for node in bindings.into_iter().flat_map(Node::items) {
        binding(node, document, report);
    }
}

/// `web: wordpress@running`, or `web: {type: wordpress, state: running, machine: m1}`.
fn component(name: &str, key: Node<'_>, node: Node<'_>, document: &mut Document, report: &mut Report) {
    let (kind, state, machine) = if node.is_mapping() {
        let [kind, state, machine] = report.fields(node, "a component", &["type", "state", "machine"]);
        let Some(kind) = kind else {
            let message = format!("the component `{}` has no type", short(name));
            report.missing(node, &message, "name it under `type`");
            return;
        };
        let Some(text) = report.string(kind, "the name of a component type") else { return };
        let state =
            state.and_then(|node| report.string(node, "the name of a state").map(|text| (text, node)));
        ((text, kind), state, machine)
    } else {
        let Some(text) = report.string(node, "a component") else { return };
        match text.split_once('@') {
            Some((kind, state)) => ((kind, node), Some((state, node)), None),
            None => ((text, node), None, None),
        }
    };
    let Some(kind_id) = document.universe.find_type(kind.0) else {
        let message = format!("there is no component type `{}`", short(kind.0));
        let known = document.universe.types().map(|(_, kind)| kind.name.as_str());
        report.unknown(kind.1, message, kind.0, known);
        return;
    };
    let found = document.universe.kind(kind_id);
    let state = match state {
        None => found.initial,
        Some((state, node)) => {
            let Some(state_id) = found.find_state(state) else {
                let message =
                    format!("the component type `{}` has no state `{}`", short(kind.0), short(state));
                report.unknown(node, message, state, found.states.iter().map(|state| state.name.as_str()));
                return;
            };
            state_id
        }
    };
    let id = add(document, name, key, Component { kind: kind_id, state });
    if let Some(node) = machine
        && let Some(name) = report.string(node, "the name of a machine")
    {
        if let Some(index) = document.machines.iter().position(|machine| machine.name == name) {
            document.placement.insert(id, index);
        } else {
            let message = format!("there is no machine `{}`", short(name));
            let known = document.machines.iter().map(|machine| machine.name.as_str());
            report.unknown(node, message, name, known);
        }
    }
}

pub(super) fn add(document: &mut Document, name: &str, key: Node<'_>, component: Component) -> ComponentId {
    let id = ComponentId(document.names.len() as u32);
    document.names.push(name.to_owned());
    document.places.push(key.use_place());
    document.configuration.components.insert(id, component);
    id
}

/// `{port: httpd, requirer: web, provider: apache}`.
pub(super) fn binding(node: Node<'_>, document: &mut Document, report: &mut Report) {
    let keys = ["port", "requirer", "provider"];
    let [port, requirer, provider] = report.fields(node, "a binding", &keys);
    let (Some(port), Some(requirer), Some(provider)) = (port, requirer, provider) else {
        let help = "write `{port: …, requirer: …, provider: …}`";
        report.missing(node, "a binding has a port, a requirer and a provider", help);
        return;
    };
    let mut end = |node: Node<'_>| {
        let name = report.string(node, "the name of a component")?;
        let found = document.find(name);
        if found.is_none() {
            let message = format!("there is no component `{}`", short(name));
            report.unknown(node, message, name, document.names.iter().map(String::as_str));
        }
        found
    };
    let (Some(requirer_id), Some(provider_id)) = (end(requirer), end(provider)) else { return };
    let Some(name) = report.string(port, "the name of a port") else { return };
    let Some(port_id) = document.universe.find_port(name) else {
        let message = format!("no component type has a port `{}`", short(name));
        report.unknown(port, message, name, std::iter::empty());
        return;
    };
    let binding = Binding { port: port_id, requirer: requirer_id, provider: provider_id };
    let universe = std::mem::take(&mut document.universe);
    let bound = document.configuration.perform(&universe, &Action::Bind(binding));
    document.universe = universe;
    let name = short(name);
    let message = match bound {
        Ok(()) => return,
        Err(Refusal::NoPort(id)) if id == requirer_id => {
            format!("the component `{}` never requires the port `{name}`", document.name(id))
        }
        Err(Refusal::NoPort(id)) => {
            format!("the component `{}` never provides the port `{name}`", document.name(id))
        }
        Err(Refusal::Bound) => {
            report.repeated(node, format!("the two components are bound twice at the port `{name}`"));
            return;
        }
        Err(_) => format!("a component is not bound to itself, as this is at the port `{name}`"),
    };
    report.unknown(node, message, "", std::iter::empty());
}
