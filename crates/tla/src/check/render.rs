//! The answer as text: for people, as JSON, as TLA+ and as Markdown. Pure functions of the result.

use std::fmt::Write as _;

use locus_source::Sources;
use serde_json::{Map, Value as Json, json};

use super::result::{ActionName, CheckResult, TraceStep, Verdict};

/// For people, on a terminal or in a log.
pub fn human(result: &CheckResult, sources: &Sources) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    for printed in &result.printed {
        line(printed.clone());
    }
    let mark = match result.verdict {
        Verdict::Ok => "ok",
        Verdict::Incomplete => "incomplete",
        _ => "error",
    };
    line(format!("{mark}: {}", result.message));
    if let Some(place) = result.place {
        line(format!("  at {}", sources.describe(place)));
    }
    for (name, place) in &result.trail {
        line(format!("  in {name}, {}", sources.describe(*place)));
    }
    for reason in &result.reasons {
        let bound: Vec<String> =
            reason.bound.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let with = if bound.is_empty() { String::new() } else { format!("  with {}", bound.join(", ")) };
        line(format!("  false: {}{with}", cut(&reason.text, 160)));
        line(format!("    at {}", sources.describe(reason.place)));
    }
    if !result.trace.is_empty() {
        line(String::new());
    }
    for (i, step) in result.trace.iter().enumerate() {
        line(format!("{}. {}", i + 1, title(step, i, sources)));
        for variable in &step.variables {
            if i == 0 || variable.changed {
                line(format!("     {} = {}", variable.name, variable.value));
            }
        }
    }
    match result.loops_to {
        Some(at) if at + 1 == result.trace.len() => line("and nothing changes any more.".to_owned()),
        Some(at) => line(format!("and back to state {}, for ever.", at + 1)),
        None => {}
    }
    if !result.trace.is_empty() {
        line(String::new());
    }
    for further in &result.further {
        line(format!("also: {further}"));
    }
    for warning in &result.warnings {
        let at = warning.place.map_or(String::new(), |place| format!(" ({})", sources.describe(place)));
        line(format!("warning: {}{at}", warning.message));
    }
    line(figures(result));
    out
}

fn figures(result: &CheckResult) -> String {
    let queue = if result.queue > 0 { format!(", {} not yet explored", result.queue) } else { String::new() };
    format!(
        "{} states generated, {} distinct{queue}, depth {}, {:.2} s; two states taken for one: probability {:.1e}",
        result.generated,
        result.distinct,
        result.depth,
        result.elapsed.as_secs_f64(),
        result.collision
    )
}

fn title(step: &TraceStep, index: usize, sources: &Sources) -> String {
    match &step.action {
        Some(action) => format!("{}  {}", call(action), sources.describe(action.place)),
        None if index == 0 => "initial state".to_owned(),
        None => "stuttering".to_owned(),
    }
}

fn call(action: &ActionName) -> String {
    let name = if action.name.is_empty() { "(unnamed action)" } else { &action.name };
    if action.parameters.is_empty() {
        return name.to_owned();
    }
    let values: Vec<&str> = action.parameters.iter().map(|(_, value)| value.as_str()).collect();
    format!("{name}({})", values.join(", "))
}

fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    format!("{}…", text.chars().take(length).collect::<String>())
}

/// As JSON.
pub fn json(result: &CheckResult, sources: &Sources) -> String {
    let place = |place: locus_source::Place| Json::String(sources.describe(place));
    let trace: Vec<Json> = result
        .trace
        .iter()
        .map(|step| {
            let mut state = Map::new();
            let mut values = Map::new();
            let mut changed = Vec::new();
            for variable in &step.variables {
                state.insert(variable.name.clone(), Json::String(variable.value.clone()));
                values.insert(variable.name.clone(), variable.json.clone());
                if variable.changed {
                    changed.push(Json::String(variable.name.clone()));
                }
            }
            let action = step.action.as_ref().map(|action| {
                let parameters: Map<String, Json> = action
                    .parameters
                    .iter()
                    .map(|(name, value)| (name.clone(), Json::String(value.clone())))
                    .collect();
                json!({ "name": action.name, "parameters": parameters, "place": place(action.place) })
            });
            json!({ "action": action, "state": state, "values": values, "changed": changed })
        })
        .collect();
    let reasons: Vec<Json> = result
        .reasons
        .iter()
        .map(|reason| {
            let bound: Map<String, Json> = reason
                .bound
                .iter()
                .map(|(name, value)| (name.clone(), Json::String(value.clone())))
                .collect();
            json!({ "text": reason.text, "place": place(reason.place), "bound": bound })
        })
        .collect();
    let coverage: Vec<Json> = result
        .coverage
        .iter()
        .map(|action| {
            json!({
                "action": action.name,
                "place": place(action.place),
                "generated": action.generated,
                "distinct": action.distinct,
            })
        })
        .collect();
    let warnings: Vec<Json> = result
        .warnings
        .iter()
        .map(|warning| json!({ "message": warning.message, "place": warning.place.map(place) }))
        .collect();
    let document = json!({
        "verdict": result.verdict.as_str(),
        "property": result.property,
        "message": result.message,
        "place": result.place.map(place),
        "reasons": reasons,
        "trace": trace,
        "loops_to": result.loops_to,
        "further": result.further,
        "generated": result.generated,
        "distinct": result.distinct,
        "depth": result.depth,
        "queue": result.queue,
        "seconds": result.elapsed.as_secs_f64(),
        "collision_probability": result.collision,
        "coverage": coverage,
        "warnings": warnings,
        "printed": result.printed,
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The trace as a TLA+ module: a sequence of records, one for each state.
pub fn tla(result: &CheckResult) -> String {
    let mut out = String::from("---- MODULE Trace ----\n");
    let _ = writeln!(out, "\\* {}", result.message.replace('\n', " "));
    out.push_str("Trace == <<\n");
    for (i, step) in result.trace.iter().enumerate() {
        if let Some(action) = &step.action {
            let _ = writeln!(out, "    \\* {}", call(action));
        }
        let fields: Vec<String> = step
            .variables
            .iter()
            .map(|variable| format!("{} |-> {}", variable.name, variable.value))
            .collect();
        let comma = if i + 1 < result.trace.len() { "," } else { "" };
        let _ = writeln!(out, "    [{}]{comma}", fields.join(", "));
    }
    out.push_str(">>\n");
    if let Some(at) = result.loops_to {
        let _ = writeln!(out, "LoopsTo == {}", at + 1);
    }
    out.push_str("====\n");
    out
}

/// As Markdown, for a comment or a report.
pub fn markdown(result: &CheckResult, sources: &Sources) -> String {
    let mut out = format!("**{}**: {}\n", result.verdict.as_str(), result.message);
    for reason in &result.reasons {
        let bound: Vec<String> =
            reason.bound.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
        let with = if bound.is_empty() { String::new() } else { format!(" with {}", bound.join(", ")) };
        let _ =
            writeln!(out, "- false: `{}`{with}, {}", cut(&reason.text, 160), sources.describe(reason.place));
    }
    if !result.trace.is_empty() {
        out.push_str("\n| step | action | changes |\n| --- | --- | --- |\n");
    }
    for (i, step) in result.trace.iter().enumerate() {
        let changes: Vec<String> = step
            .variables
            .iter()
            .filter(|variable| i == 0 || variable.changed)
            .map(|variable| format!("`{} = {}`", variable.name, variable.value.replace('|', "\\|")))
            .collect();
        let action = match &step.action {
            Some(action) => format!("`{}`", call(action).replace('|', "\\|")),
            None if i == 0 => "initial state".to_owned(),
            None => "stuttering".to_owned(),
        };
        let _ = writeln!(out, "| {} | {action} | {} |", i + 1, changes.join("<br>"));
    }
    match result.loops_to {
        Some(at) if at + 1 == result.trace.len() => out.push_str("\nThen nothing changes any more.\n"),
        Some(at) => {
            let _ = writeln!(out, "\nThen back to step {}, for ever.", at + 1);
        }
        None => {}
    }
    let _ = writeln!(out, "\n{}", figures(result));
    out
}
