//! Universes in the form of Metis: a list of `u_cname` and `u_automaton`.

use locus_source::Node;
use rustc_hash::FxHashMap;

use locus_source::words::short;

use super::fields::Report;
use crate::document::Document;
use crate::{ComponentType, Provision, Requirement, State, StateId};

pub(super) fn universe(root: Node<'_>, document: &mut Document, report: &mut Report) {
    for node in root.items() {
        let [name, automaton] = report.fields(node, "a component type of Metis", &["u_cname", "u_automaton"]);
        let (Some(name), Some(automaton)) = (name, automaton) else {
            let help = "give both";
            report.missing(node, "a component type of Metis has `u_cname` and `u_automaton`", help);
            continue;
        };
        let Some(text) = report.string(name, "`u_cname`") else { continue };
        if document.universe.find_type(text).is_some() {
            report.repeated(name, format!("there are two component types `{}`", short(text)));
            continue;
        }
        let place = Some(name.use_place());
        let mut kind = ComponentType { name: text.to_owned(), cost: 1, place, ..ComponentType::default() };
        let mut ids: FxHashMap<&str, StateId> = FxHashMap::default();
        for (index, state) in automaton.items().enumerate() {
            if let Some(name) = state.get("u_name").and_then(|node| report.string(node, "`u_name`")) {
                if ids.insert(name, StateId(index as u32)).is_some() {
                    report.repeated(state, format!("there are two states `{}`", short(name)));
                }
            } else {
                report.missing(state, "a state of Metis has a name", "give it under `u_name`");
            }
        }
        for node in automaton.items() {
            kind.states.push(state(node, &ids, document, report));
        }
        if kind.states.is_empty() {
            let message = format!("the component type `{}` has no states", short(text));
            report.missing(automaton, &message, "list them under `u_automaton`");
            continue;
        }
        document.universe.add(kind);
    }
}

fn state(
    node: Node<'_>,
    ids: &FxHashMap<&str, StateId>,
    document: &mut Document,
    report: &mut Report,
) -> State {
    let keys = ["u_name", "u_successors", "u_provides", "u_requires", "u_final"];
    let [name, successors, provides, requires, _] = report.fields(node, "a state of Metis", &keys);
    let mut state = State { place: Some(node.use_place()), ..State::default() };
    name.and_then(Node::as_str).unwrap_or_default().clone_into(&mut state.name);
    for node in successors.into_iter().flat_map(Node::items) {
        let Some(name) = report.string(node, "the name of a state") else { continue };
        if let Some(&id) = ids.get(name) {
            state.next.push(id);
        } else {
            let mut known: Vec<&str> = ids.keys().copied().collect();
            known.sort_unstable();
            let message = format!("there is no state `{}`", short(name));
            report.unknown(node, message, name, known.into_iter());
        }
    }
    for node in provides.into_iter().flat_map(Node::items) {
        let Some(name) = report.string(node, "the name of a port") else { continue };
        state.provides.push(Provision { port: document.universe.port(name), capacity: None });
    }
    for node in requires.into_iter().flat_map(Node::items) {
        let Some(name) = report.string(node, "the name of a port") else { continue };
        state.requires.push(Requirement { port: document.universe.port(name), number: 1 });
    }
    state
}
