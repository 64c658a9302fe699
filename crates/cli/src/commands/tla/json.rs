//! For programs: the whole answer, described in `docs/output.md`.

use locus_source::render::{JSON_VERSION, JsonFinding, json_findings};
use locus_source::{Place, Sources};
use locus_tla::check::{ActionName, CheckResult, TraceStep, When};
use serde::Serialize;

use super::Answer;
use crate::rulebook::rulebook;

#[derive(Serialize)]
struct JsonAnswer {
    version: u32,
    /// `null` if nothing could be checked.
    verdict: Option<&'static str>,
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
    warnings: Vec<JsonWarning>,
    printed: Vec<String>,
    /// What is wrong with the specification or its configuration.
    findings: Vec<JsonFinding>,
}

#[derive(Serialize)]
struct JsonSimulation {
    seed: u64,
    behaviours: u64,
    depth: u32,
}

#[derive(Serialize)]
struct JsonPlace {
    file: String,
    line: u32,
    column: u32,
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

#[derive(Serialize)]
struct JsonStep {
    state: usize,
    action: Option<JsonAction>,
    /// The values as JSON.
    variables: serde_json::Map<String, serde_json::Value>,
    /// The values as TLA+.
    values: serde_json::Map<String, serde_json::Value>,
    changed: Vec<String>,
}

#[derive(Serialize)]
struct JsonAction {
    name: String,
    parameters: serde_json::Map<String, serde_json::Value>,
    place: JsonPlace,
}

#[derive(Serialize)]
struct JsonCoverage {
    action: String,
    place: JsonPlace,
    generated: u64,
    distinct: u64,
}

#[derive(Serialize)]
struct JsonWarning {
    message: String,
    place: Option<JsonPlace>,
}

pub(super) fn render(answer: &Answer, sources: &Sources) -> anyhow::Result<String> {
    let json = match answer {
        Answer::Refused(findings) => refused(json_findings(findings, sources, &rulebook())),
        Answer::Checked(result, _) => checked(result, sources),
    };
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}

fn refused(findings: Vec<JsonFinding>) -> JsonAnswer {
    JsonAnswer {
        version: JSON_VERSION,
        verdict: None,
        property: None,
        message: "the specification or its configuration is wrong; nothing was checked".to_owned(),
        place: None,
        reasons: Vec::new(),
        trace: Vec::new(),
        loops_to: None,
        returns_by: None,
        further: Vec::new(),
        generated: 0,
        distinct: Some(0),
        depth: 0,
        queue: Some(0),
        seconds: 0.0,
        collision_probability: 0.0,
        simulation: None,
        coverage: Vec::new(),
        warnings: Vec::new(),
        printed: Vec::new(),
        findings,
    }
}

fn checked(result: &CheckResult, sources: &Sources) -> JsonAnswer {
    let place = |place: Place| json_place(place, sources);
    JsonAnswer {
        verdict: Some(result.verdict.as_str()),
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
        warnings: result
            .warnings
            .iter()
            .map(|warning| JsonWarning { message: warning.message.clone(), place: warning.place.map(place) })
            .collect(),
        printed: result.printed.clone(),
        ..refused(Vec::new())
    }
}

fn json_step(index: usize, step: &TraceStep, sources: &Sources) -> JsonStep {
    JsonStep {
        state: index + 1,
        action: step.action.as_ref().map(|action| json_action(action, sources)),
        variables: step.variables.iter().map(|v| (v.name.clone(), v.json.clone())).collect(),
        values: step.variables.iter().map(|v| (v.name.clone(), v.value.clone().into())).collect(),
        changed: step.variables.iter().filter(|v| v.changed).map(|v| v.name.clone()).collect(),
    }
}

fn json_action(action: &ActionName, sources: &Sources) -> JsonAction {
    JsonAction {
        name: action.name.clone(),
        parameters: texts(&action.parameters),
        place: json_place(action.place, sources),
    }
}

fn json_place(place: Place, sources: &Sources) -> JsonPlace {
    let start = sources.start(place);
    JsonPlace { file: sources.get(place.file).name().to_owned(), line: start.line, column: start.column }
}

fn texts(pairs: &[(String, String)]) -> serde_json::Map<String, serde_json::Value> {
    pairs.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect()
}
