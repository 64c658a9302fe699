//! Steps and reasons in words.

use std::collections::BTreeSet;

use locus_aeolus::{Action, ComponentId, StateId, TypeId, Universe};

use crate::helpers::Helper;
use crate::problem::{Plan, Reason, Step};

/// How many components are named before the rest is counted.
const NAMED: usize = 3;

/// The name of a component of a plan.
pub fn component(plan: &Plan, id: ComponentId) -> &str {
    &plan.components[id.index()].name
}

/// The action of a step, in a few words: a verb, and the rest.
pub fn step(universe: &Universe, plan: &Plan, step: &Step) -> (&'static str, String) {
    let name = |id| component(plan, id);
    match &step.action {
        Action::New(id, kind) => ("new", format!("{} : {}", name(*id), universe.kind(*kind).shown())),
        Action::Delete(id) => ("delete", name(*id).to_owned()),
        Action::Bind(b) | Action::Unbind(b) => {
            let verb = if matches!(step.action, Action::Bind(_)) { "bind" } else { "unbind" };
            let port = universe.port_name(b.port);
            (verb, format!("{} to {} at {port}", name(b.requirer), name(b.provider)))
        }
        Action::Change(changes) => {
            let one = |change: &locus_aeolus::Change| {
                let kind = universe.kind(plan.components[change.component.index()].kind);
                let state = |state: StateId| kind.state(state).name.clone();
                format!("{} from {} to {}", name(change.component), state(change.from), state(change.to))
            };
            ("change", changes.iter().map(one).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Why a component is there for a while.
pub fn helper(universe: &Universe, plan: &Plan, helper: &Helper) -> String {
    let mut ports: Vec<&str> = helper.serves.iter().map(|&(port, _)| universe.port_name(port)).collect();
    ports.dedup();
    let served: BTreeSet<ComponentId> = helper.serves.iter().map(|&(_, requirer)| requirer).collect();
    let names = |ids: &BTreeSet<ComponentId>| {
        let mut names: Vec<String> =
            ids.iter().take(NAMED).map(|&id| component(plan, id).to_owned()).collect();
        if ids.len() > NAMED {
            names.push(format!("{} more", ids.len() - NAMED));
        }
        match names.split_last() {
            Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
            _ => names.concat(),
        }
    };
    let place = if helper.in_place_of.is_empty() {
        String::new()
    } else {
        format!(" in place of {}", names(&helper.in_place_of))
    };
    let verb = if served.len() == 1 { "needs" } else { "need" };
    format!(
        "{} is there for a while{place}: {} {verb} {} meanwhile",
        component(plan, helper.component),
        names(&served),
        ports.join(", "),
    )
}

/// Why there is no plan, one sentence for each link of the chain.
pub fn explain(universe: &Universe, reasons: &[Reason]) -> Vec<String> {
    let node = |&(kind, state): &(TypeId, StateId)| {
        let kind = universe.kind(kind);
        format!("{}@{}", kind.name, kind.state(state).name)
    };
    let list = |nodes: &[(TypeId, StateId)]| nodes.iter().map(node).collect::<Vec<_>>().join(", ");
    let one = |reason: &Reason| match reason {
        Reason::Port { of, port, providers } if providers.is_empty() => {
            format!("{} requires the port {}, which nothing provides", node(of), universe.port_name(*port))
        }
        Reason::Port { of, port, providers } => format!(
            "{} requires the port {}, which only {} provide{}, and that cannot be reached before",
            node(of),
            universe.port_name(*port),
            list(providers),
            if providers.len() == 1 { "s" } else { "" },
        ),
        Reason::NoWay { of, from } if from.is_empty() => {
            format!("no transition leads to {}", node(of))
        }
        Reason::NoWay { of, from } => {
            format!("{} is entered only from {}, which cannot be reached", node(of), list(from))
        }
        Reason::NotCreatable { kind, port } => format!(
            "no component {} can be created, since its initial state requires the port {}, and a new component has no \
             bindings",
            universe.kind(*kind).name,
            universe.port_name(*port),
        ),
    };
    reasons.iter().map(one).collect()
}
