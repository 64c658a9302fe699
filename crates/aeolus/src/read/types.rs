//! The component types of a document.

use std::sync::Arc;

use locus_source::Node;
use rustc_hash::FxHashMap;

use locus_source::words::short;

use super::fields::Report;
use crate::{ComponentType, PortId, Provision, Requirement, State, StateId, Universe};

pub(super) fn types(node: Node<'_>, universe: &mut Universe, report: &mut Report) {
    for (name, entry) in report.entries(node, "the name of a component type") {
        let keys = ["initial", "states", "cost", "consumes", "delete", "ssh", "idempotent"];
        let [initial, states, cost, consumes, delete, ssh, idempotent] =
            report.fields(entry.value, "a component type", &keys);
        let mut kind = ComponentType {
            name: name.to_owned(),
            place: Some(entry.key.use_place()),
            cost: cost.and_then(|node| report.number(node, "a cost", 0)).unwrap_or(1),
            consumes: consumes.map_or_else(Vec::new, |node| amounts(node, report)),
            delete: delete.and_then(|node| report.string(node, "the path of a program")).map(Into::into),
            ssh: ssh.and_then(|node| report.string(node, "the name of a machine")).map(Into::into),
            is_idempotent: idempotent.is_some_and(|node| report.boolean(node, "`idempotent`")),
            ..ComponentType::default()
        };
        let declared = states.map_or_else(Vec::new, |node| report.entries(node, "the name of a state"));
        if declared.is_empty() {
            let message = format!("the component type `{}` has no states", short(name));
            report.missing(entry.value, &message, "list them under `states`");
            continue;
        }
        let ids: FxHashMap<&str, StateId> =
            declared.iter().enumerate().map(|(index, (name, _))| (*name, StateId(index as u32))).collect();
        let find = |node: Node<'_>, report: &mut Report| {
            let state = report.string(node, "the name of a state")?;
            let found = ids.get(state).copied();
            if found.is_none() {
                let message = format!("the component type `{}` has no state `{}`", short(name), short(state));
                report.unknown(node, message, state, declared.iter().map(|(name, _)| *name));
            }
            found
        };
        kind.initial = initial.and_then(|node| find(node, report)).unwrap_or_default();
        for (state, entry) in &declared {
            let keys = ["to", "provides", "requires", "conflicts", "final", "run"];
            let [to, provides, requires, conflicts, is_final, run] =
                report.fields(entry.value, "a state", &keys);
            let mut state = State { name: (*state).to_owned(), ..State::default() };
            state.place = Some(entry.key.use_place());
            for node in to.map_or_else(Vec::new, one_or_many) {
                state.next.extend(find(node, report));
            }
            if let Some(node) = provides {
                state.provides = self::provides(node, universe, report);
            }
            if let Some(node) = requires {
                let ports = ports(node, report, "a number of providers");
                state.requires = ports
                    .into_iter()
                    .map(|(port, number)| Requirement { port: universe.port(port), number })
                    .collect();
            }
            for node in conflicts.map_or_else(Vec::new, one_or_many) {
                let Some(port) = report.string(node, "the name of a port") else { continue };
                let port = universe.port(port);
                if state.requires.iter().any(|requirement| requirement.port == port) {
                    let message = format!(
                        "the state requires the port `{}` and is in conflict with it",
                        short(universe.port_name(port))
                    );
                    report.repeated(node, message);
                }
                state.requires.push(Requirement { port, number: 0 });
            }
            state.is_final = is_final.is_some_and(|node| report.boolean(node, "`final`"));
            state.run = run.and_then(|node| report.string(node, "the path of a program")).map(Into::into);
            kind.states.push(state);
        }
        universe.add(kind);
    }
}

/// The items of a sequence, or the value itself if it is not a sequence.
pub(super) fn one_or_many(node: Node<'_>) -> Vec<Node<'_>> {
    if node.is_sequence() { node.items().collect() } else { vec![node] }
}

fn provides(node: Node<'_>, universe: &mut Universe, report: &mut Report) -> Vec<Provision> {
    if !node.is_mapping() {
        let names: Vec<&str> = one_or_many(node)
            .into_iter()
            .filter_map(|node| report.string(node, "the name of a port"))
            .collect();
        return names
            .into_iter()
            .map(|name| Provision { port: universe.port(name), capacity: None })
            .collect();
    }
    let entries = report.entries(node, "the name of a port");
    let mut provisions = Vec::new();
    for (name, entry) in entries {
        let port: PortId = universe.port(name);
        let capacity = if entry.value.as_str() == Some("unlimited") || entry.value.is_null() {
            None
        } else {
            report.number(entry.value, "a capacity other than `unlimited`", 1).map(|number| number as u32)
        };
        provisions.push(Provision { port, capacity });
    }
    provisions
}

/// Names with numbers: `{a: 1, b: 2}`, or a list of names, each with 1.
fn ports<'t>(node: Node<'t>, report: &mut Report, what: &str) -> Vec<(&'t str, u32)> {
    if !node.is_mapping() {
        let names = one_or_many(node).into_iter();
        return names
            .filter_map(|node| report.string(node, "the name of a port").map(|name| (name, 1)))
            .collect();
    }
    let mut ports = Vec::new();
    for (name, entry) in report.entries(node, "the name of a port") {
        ports.extend(report.number(entry.value, what, 0).map(|number| (name, number as u32)));
    }
    ports
}

/// Resources with amounts.
pub(super) fn amounts(node: Node<'_>, report: &mut Report) -> Vec<(Arc<str>, u64)> {
    let mut amounts = Vec::new();
    for (name, entry) in report.entries(node, "the name of a resource") {
        amounts.extend(report.number(entry.value, "an amount", 0).map(|amount| (name.into(), amount)));
    }
    amounts.sort();
    amounts
}
