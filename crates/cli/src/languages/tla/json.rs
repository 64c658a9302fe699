//! For programs: the whole answer, described in `docs/output.md`.

use locus_source::Sources;
use locus_source::render::{JsonPlace, json_place};
use locus_tla::check::{ActionName, CheckResult, TraceStep, When};
use serde::Serialize;

#[derive(Serialize)]
struct JsonAnswer {
    verdict: &'static str,
    property: Option<String>,
    message: String,
    place: Option<JsonPlace>,
    reasons: Vec<JsonReason>,
    trace: Vec<JsonStep>,
    loops_to: Option<usize>,
    returns_by: Option<JsonAction>,
    further: Vec<String>,
    generated: u64,
    /// `null` for a simulation, which does not know.
    distinct: Option<u64>,
    depth: u32,
    queue: Option<u64>,
    seconds: f64,
    collision_probability: f64,
    simulation: Option<JsonSimulation>,
    coverage: Vec<JsonCoverage>,
    expressions: Vec<JsonExpression>,
    printed: Vec<String>,
}

#[derive(Serialize)]
struct JsonSimulation {
    seed: u64,
    behaviours: u64,
    depth: u32,
}

#[derive(Serialize)]
struct JsonReason {
    text: String,
    place: JsonPlace,
    bound: serde_json::Map<String, serde_json::Value>,
    truth: bool,
    /// Of a temporal property: the state in which it is so.
    state: Option<usize>,
    /// Whether it is so from there on.
    for_ever: bool,
}

/// A part of the specification, with `--coverage`.
#[derive(Serialize)]
struct JsonExpression {
    place: JsonPlace,
    evaluated: u64,
    #[serde(rename = "true")]
    held: Option<u64>,
}

/// A state of a behaviour.
#[derive(Serialize)]
pub(crate) struct JsonStep {
    state: usize,
    action: Option<JsonAction>,
    /// The values as JSON.
    variables: serde_json::Map<String, serde_json::Value>,
    /// The values as TLA+.
    values: serde_json::Map<String, serde_json::Value>,
    changed: Vec<String>,
}

/// An action with its parameters.
#[derive(Serialize)]
pub(crate) struct JsonAction {
    name: String,
    parameters: serde_json::Map<String, serde_json::Value>,
    place: JsonPlace,
    /// Of a step of an algorithm: the process or procedure that it is in.
    #[serde(skip_serializing_if = "String::is_empty")]
    within: String,
}

#[derive(Serialize)]
struct JsonCoverage {
    action: String,
    place: JsonPlace,
    generated: u64,
    distinct: u64,
}

/// A result, as JSON.
pub(super) fn value(result: &CheckResult, sources: &Sources) -> serde_json::Value {
    serde_json::to_value(checked(result, sources)).unwrap_or_default()
}

fn checked(result: &CheckResult, sources: &Sources) -> JsonAnswer {
    let place = |place| json_place(place, sources);
    JsonAnswer {
        verdict: result.verdict.as_str(),
        property: result.property.clone(),
        message: result.message.clone(),
        place: result.place.map(place),
        reasons: result
            .reasons
            .iter()
            .map(|reason| JsonReason {
                text: reason.text.clone(),
                place: place(reason.place),
                bound: texts(&reason.bound),
                truth: reason.truth,
                state: match reason.when {
                    When::In(state) | When::From(state) => Some(state + 1),
                    When::Here | When::NotTaken => None,
                },
                for_ever: matches!(reason.when, When::From(_) | When::NotTaken),
            })
            .collect(),
        trace: result.trace.iter().enumerate().map(|(i, step)| json_step(i, step, sources)).collect(),
        loops_to: result.loops_to.map(|to| to + 1),
        returns_by: result.returns_by.as_ref().map(|action| json_action(action, sources)),
        further: result.further.clone(),
        generated: result.generated,
        distinct: result.simulation.is_none().then_some(result.distinct),
        depth: result.depth,
        queue: result.simulation.is_none().then_some(result.queue),
        seconds: result.elapsed.as_secs_f64(),
        collision_probability: result.collision,
        simulation: result.simulation.map(|simulation| JsonSimulation {
            seed: simulation.seed,
            behaviours: simulation.behaviours,
            depth: simulation.depth,
        }),
        coverage: result
            .coverage
            .iter()
            .map(|action| JsonCoverage {
                action: action.name.clone(),
                place: place(action.place),
                generated: action.generated,
                distinct: action.distinct,
            })
            .collect(),
        expressions: result
            .expressions
            .iter()
            .map(|expression| JsonExpression {
                place: place(expression.place),
                evaluated: expression.evaluated,
                held: expression.held,
            })
            .collect(),
        printed: result.printed.clone(),
    }
}

/// A state of a behaviour as JSON.
pub(crate) fn json_step(index: usize, step: &TraceStep, sources: &Sources) -> JsonStep {
    JsonStep {
        state: index + 1,
        action: step.action.as_ref().map(|action| json_action(action, sources)),
        variables: step.shown().map(|v| (v.name.clone(), v.json.clone())).collect(),
        values: step.shown().map(|v| (v.name.clone(), v.value.clone().into())).collect(),
        changed: step.shown().filter(|v| v.changed).map(|v| v.name.clone()).collect(),
    }
}

/// An action as JSON.
pub(crate) fn json_action(action: &ActionName, sources: &Sources) -> JsonAction {
    JsonAction {
        name: action.name.clone(),
        parameters: texts(&action.parameters),
        place: json_place(action.place, sources),
        within: action.within.clone(),
    }
}

fn texts(pairs: &[(String, String)]) -> serde_json::Map<String, serde_json::Value> {
    pairs.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}
