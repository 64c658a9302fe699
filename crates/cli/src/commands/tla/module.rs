//! A behaviour as a TLA+ module that extends the specification, to be checked and explored further.
//!
//! Its only behaviour is the one that was found. The configuration stands in the module, so that `locus tla check`
//! finds the same violation again, and definitions, invariants or properties that are added to it are evaluated along
//! this behaviour.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, bail};
use locus_source::SourceFile;
use locus_tla::check::{CheckResult, TraceVariable, Verdict};

use crate::languages::Checked;

/// The module for the behaviour of a check.
pub(super) fn of(checked: &Checked, file: &SourceFile) -> anyhow::Result<String> {
    let result = &checked.result;
    if result.trace.is_empty() {
        bail!("there is no behaviour to write: {}", result.message);
    }
    let extended =
        Path::new(file.name()).file_stem().and_then(|stem| stem.to_str()).context("the file has no name")?;
    let module = format!("{extended}_Trace");
    let names = Names::new(file.text());
    let mut text = format!("---- MODULE {module} ----\n");
    let _ = writeln!(text, "\\* {}: {}", result.verdict.as_str(), result.message);
    let states = states(result, &names);
    // `:>` and `@@`, with which functions are written, are operators of this module.
    let tlc = if states.contains(":>") { ", TLC" } else { "" };
    let _ = writeln!(text, "EXTENDS {extended}{tlc}\n");
    if !checked.undeclared.is_empty() {
        let _ = writeln!(text, "CONSTANTS {}", checked.undeclared.join(", "));
    }
    let _ = writeln!(text, "VARIABLE {}\n", names.position);
    text.push_str(&states);
    behaviour(&mut text, result, &names);
    text.push_str("====\n");
    configuration(&mut text, checked, &module, &names);
    Ok(text)
}

/// The names that the module adds. They are not those of the specification.
struct Names {
    position: String,
    step: String,
    states: String,
    specification: String,
}

impl Names {
    fn new(text: &str) -> Self {
        let free = |name: &str| {
            let mut name = name.to_owned();
            while text.contains(&name) {
                name.push('_');
            }
            name
        };
        Self {
            position: free("trace_position"),
            step: free("trace_step"),
            states: free("TraceStates"),
            specification: free("TraceSpec"),
        }
    }
}

/// The states as a sequence of records.
fn states(result: &CheckResult, names: &Names) -> String {
    let mut text = format!("{} == <<\n", names.states);
    for (index, step) in result.trace.iter().enumerate() {
        let fields: Vec<_> = step.variables.iter().map(|v| format!("{} |-> {}", v.name, v.value)).collect();
        let comma = if index + 1 < result.trace.len() { "," } else { "" };
        let nothing = if index == 0 { "initial state" } else { "nothing changes" };
        let action = step.action.as_ref().map_or(nothing, |action| action.name.as_str());
        let _ = writeln!(text, "  \\* {}: {action}\n  [{}]{comma}", index + 1, fields.join(", "));
    }
    text.push_str(">>\n\n");
    text
}

/// The specification whose only behaviour goes through the states.
fn behaviour(text: &mut String, result: &CheckResult, names: &Names) {
    let Names { position, step, states, specification } = names;
    let all = |prime: &str| {
        let equal =
            |v: &TraceVariable| format!("/\\ {}{prime} = {states}[{position}{prime}].{}", v.name, v.name);
        result.trace[0].variables.iter().map(equal).collect::<Vec<_>>().join("\n  ")
    };
    let count = result.trace.len();
    let mut steps: Vec<_> = (1..count).map(|at| format!("<<{at}, {}>>", at + 1)).collect();
    steps.extend(result.loops_to.filter(|to| to + 1 < count).map(|to| format!("<<{count}, {}>>", to + 1)));
    let variables: Vec<_> = result.trace[0].variables.iter().map(|v| v.name.as_str()).collect();
    let variables = format!("<<{position}, {}>>", variables.join(", "));
    let _ = writeln!(text, "{specification}Init ==\n  /\\ {position} = 1\n  {}\n", all(""));
    let _ = writeln!(text, "{specification}Next == \\E {step} \\in {{{}}}:", steps.join(", "));
    let _ = writeln!(text, "  /\\ {position} = {step}[1] /\\ {position}' = {step}[2]\n  {}\n", all("'"));
    let fair =
        if steps.is_empty() { String::new() } else { format!(" /\\ WF_{variables}({specification}Next)") };
    let _ = writeln!(
        text,
        "{specification} == {specification}Init /\\ [][{specification}Next]_{variables}{fair}\n"
    );
}

/// The configuration: the constants as they were, and what was violated.
fn configuration(text: &mut String, checked: &Checked, module: &str, names: &Names) {
    let result = &checked.result;
    let _ = writeln!(text, "---- CONFIG {module} ----\nSPECIFICATION {}", names.specification);
    for constant in &checked.constants {
        let _ = writeln!(text, "CONSTANT {constant}");
    }
    for value in &checked.undeclared {
        let _ = writeln!(text, "CONSTANT {value} = {value}");
    }
    match (&result.property, result.verdict) {
        (Some(name), Verdict::Invariant) => {
            let _ = writeln!(text, "INVARIANT {name}");
        }
        (Some(name), Verdict::Property) => {
            let _ = writeln!(text, "PROPERTY {name}");
        }
        _ => {}
    }
    if result.verdict != Verdict::Deadlock {
        text.push_str("CHECK_DEADLOCK FALSE\n");
    }
    text.push_str("====\n");
}
