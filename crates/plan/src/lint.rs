//! Mistakes in an Aeolus document beyond its text: states that cannot be reached, ports that nobody provides,
//! requirements that exclude each other, a configuration that is not correct, a want that no plan reaches.

use locus_aeolus::rules::{
    EXCLUDES_ITSELF, INCORRECT_CONFIGURATION, NOBODY_PROVIDES, UNREACHABLE_STATE, UNREACHABLE_WANT,
};
use locus_aeolus::{ComponentId, Configuration, Document, State, Universe, Violation, Want};
use locus_source::{Finding, Place};

use crate::configure::{Choice, choose};
use crate::goal::wanted;
use crate::place::{Placing, divide, place};
use crate::problem::{Answer, Problem};
use crate::reach::{Nodes, reach, reasons};
use crate::render::explain;
use crate::solve::{Limits, solve};

/// The findings about a document, and if not everything could be determined, the reason.
pub fn lint(document: &Document) -> (Vec<Finding>, Option<String>) {
    let universe = &document.universe;
    let mut findings = ports(universe);
    findings.extend(unreachable_states(document));
    for violation in document.configuration.violations(universe) {
        findings.extend(incorrect(document, &violation));
    }
    let mut open = None;
    if findings.iter().all(|finding| finding.code != INCORRECT_CONFIGURATION.code)
        && let Some((want, place)) = &document.want
    {
        let start = &document.configuration;
        let no = |why: Vec<String>| {
            let finding = Finding::new(&UNREACHABLE_WANT, *place, "the target cannot be reached");
            why.into_iter().fold(finding, Finding::note)
        };
        let (want, never) = match divide(want) {
            Ok(divided) => divided,
            Err(why) => return (findings, Some(format!("no wanted configuration was found {why}"))),
        };
        match choose(universe, start, &want) {
            Choice::None(why) => findings.push(no(why)),
            Choice::Unknown(bound) => open = Some(format!("no wanted configuration was found {bound}")),
            Choice::Chosen(chosen) => {
                let (wanted, others) = wanted(universe, start, &want, &chosen);
                let problem = Problem { universe, start, names: &document.names, wanted, others };
                match solve(&problem, Limits::default()).0 {
                    Answer::Plan(plan) => open = misplaced(document, &plan.end, &never),
                    Answer::None(why) => findings.push(no(explain(universe, &why))),
                    Answer::Unknown(bound) => open = Some(format!("no plan was found {bound}")),
                }
            }
        }
    }
    (findings, open)
}

/// Why the components of a configuration are not known to fit on the machines, if they are not.
fn misplaced(document: &Document, end: &Configuration, never: &[Want]) -> Option<String> {
    if document.machines.is_empty() && never.is_empty() {
        return None;
    }
    match place(document, end, never) {
        Placing::Placed { .. } => None,
        Placing::None(why) => Some(format!("the cheapest configuration cannot be placed: {why}")),
        Placing::Unknown(bound) => Some(format!("no placement was found {bound}")),
    }
}

/// Required ports that nobody provides, and states that require what they exclude.
fn ports(universe: &Universe) -> Vec<Finding> {
    let nodes = Nodes::new(universe);
    let mut findings = Vec::new();
    for (_, kind) in universe.types() {
        for state in &kind.states {
            let Some(place) = state.place.or(kind.place) else { continue };
            let name = format!("{}@{}", kind.name, state.name);
            for requirement in state.requires.iter().filter(|r| r.number > 0) {
                let (port, providers) =
                    (universe.port_name(requirement.port), &nodes.providers[requirement.port.index()]);
                if providers.is_empty() {
                    let message =
                        format!("{name} requires the port `{port}`, which no component type provides");
                    findings.push(Finding::new(&NOBODY_PROVIDES, place, message));
                    continue;
                }
                let excluded = |&provider: &u32| excludes(state, nodes.state(provider as usize));
                if providers.iter().all(excluded) {
                    let message = format!(
                        "{name} requires the port `{port}`, and is in conflict with all who provide it"
                    );
                    findings.push(Finding::new(&EXCLUDES_ITSELF, place, message));
                }
            }
        }
    }
    findings
}

/// Whether two states of different components exclude each other.
fn excludes(one: &State, other: &State) -> bool {
    let against =
        |a: &State, b: &State| a.requires.iter().any(|r| r.number == 0 && b.provision(r.port).is_some());
    against(one, other) || against(other, one)
}

fn unreachable_states(document: &Document) -> Vec<Finding> {
    let universe = &document.universe;
    let nodes = Nodes::new(universe);
    let all: Vec<_> = (0..nodes.len()).collect();
    let reached = reach(&nodes, &document.configuration, &all);
    let mut findings = Vec::new();
    for node in all.into_iter().filter(|&node| !reached.has(node)).take(200) {
        let (kind, state) = nodes.of(node);
        let kind = universe.kind(kind);
        let Some(place): Option<Place> = kind.state(state).place.or(kind.place) else { continue };
        let message = format!(
            "no component of type `{}` ever gets to the state `{}`",
            kind.name,
            kind.state(state).name
        );
        let why = explain(universe, &reasons(&nodes, &reached, node));
        let finding = Finding::new(&UNREACHABLE_STATE, place, message);
        findings.push(why.into_iter().take(5).fold(finding, Finding::note));
    }
    findings
}

fn incorrect(document: &Document, violation: &Violation) -> Option<Finding> {
    let component = match violation {
        Violation::TooFewProviders { component, .. }
        | Violation::TooManyBindings { component, .. }
        | Violation::Conflict { component, .. } => *component,
    };
    let place = *document.places.get(component.index())?;
    Some(Finding::new(&INCORRECT_CONFIGURATION, place, violation_in_words(document, violation)))
}

/// A violation as a sentence without full stop.
pub fn violation_in_words(document: &Document, violation: &Violation) -> String {
    words(&document.universe, |id| document.name(id), violation)
}

/// The same, for components with these names.
pub(crate) fn words<'n>(
    universe: &Universe,
    name: impl Fn(ComponentId) -> &'n str,
    violation: &Violation,
) -> String {
    let port = |port| universe.port_name(port);
    match violation {
        Violation::TooFewProviders { component, port: p, needed, found } => format!(
            "`{}` needs {needed} bindings to providers of `{}` and has {}",
            name(*component),
            port(*p),
            found.len()
        ),
        Violation::TooManyBindings { component, port: p, capacity, found } => format!(
            "the port `{}` of `{}` bears {capacity} bindings and has {}",
            port(*p),
            name(*component),
            found.len()
        ),
        Violation::Conflict { component, port: p, other } => format!(
            "`{}` is in conflict with the port `{}`, which `{}` provides",
            name(*component),
            port(*p),
            name(*other)
        ),
    }
}
