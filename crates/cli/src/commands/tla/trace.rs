//! A behaviour as a TLA+ module, to be loaded again, and as Markdown, to be pasted into a discussion.

use std::fmt::Write;
use std::path::Path;

use anyhow::Context;
use locus_source::{SourceFile, Sources};
use locus_tla::check::CheckResult;

use crate::languages;

/// A module that defines the behaviour as a sequence of records.
pub(super) fn tla(result: &CheckResult, file: &SourceFile) -> anyhow::Result<String> {
    let name =
        Path::new(file.name()).file_stem().and_then(|stem| stem.to_str()).context("the file has no name")?;
    let mut text = format!("---- MODULE {name}_Trace ----\n");
    let _ = writeln!(text, "\\* {}: {}", result.verdict.as_str(), result.message);
    text.push_str("EXTENDS Integers, Sequences, FiniteSets, TLC\n");
    if !result.model_values.is_empty() {
        let _ = writeln!(text, "CONSTANTS {}", result.model_values.join(", "));
    }
    text.push_str("\nTrace == <<\n");
    for (index, step) in result.trace.iter().enumerate() {
        let fields: Vec<_> = step.variables.iter().map(|v| format!("{} |-> {}", v.name, v.value)).collect();
        let comma = if index + 1 < result.trace.len() { "," } else { "" };
        let nothing = if index == 0 { "initial state" } else { "nothing changes" };
        let action = step.action.as_ref().map_or(nothing, |action| action.name.as_str());
        let _ = writeln!(text, "  \\* {}: {action}\n  [{}]{comma}", index + 1, fields.join(", "));
    }
    text.push_str(">>\n");
    if let Some(to) = result.loops_to {
        let _ = writeln!(text, "\n\\* After the last state the behaviour goes on here.\nLoop == {}", to + 1);
    }
    text.push_str("====\n");
    Ok(text)
}

/// The verdict and the behaviour as Markdown.
pub(super) fn markdown(result: &CheckResult, sources: &Sources) -> String {
    let mut text = format!("**{}**: {}\n", result.verdict.as_str(), result.message);
    for reason in &result.reasons {
        let bound: Vec<_> = reason.bound.iter().map(|(name, value)| format!("`{name} = {value}`")).collect();
        let with = if bound.is_empty() { String::new() } else { format!(" with {}", bound.join(", ")) };
        let _ = writeln!(
            text,
            "- {}: `{}` ({}){with}",
            languages::said(reason),
            reason.text.replace('\n', " "),
            sources.describe(reason.place)
        );
    }
    if !result.trace.is_empty() {
        text.push_str("\n| | step | what changes |\n| --- | --- | --- |\n");
    }
    for (index, step) in result.trace.iter().enumerate() {
        let changed = step.variables.iter().filter(|v| v.changed || index == 0);
        let changed: Vec<_> =
            changed.map(|v| format!("`{} = {}`", v.name, v.value.replace('|', "\\|"))).collect();
        let title = languages::title(step, index, sources).replace('|', "\\|");
        let _ = writeln!(text, "| {} | {title} | {} |", index + 1, changed.join("<br>"));
    }
    if let Some(to) = result.loops_to {
        let by = result.returns_by.as_ref().map(|action| format!(" by {}", languages::name(action, sources)));
        let by = by.unwrap_or_default();
        let _ = writeln!(text, "\nThe behaviour goes on from state {} for ever{by}.", to + 1);
    }
    let _ = writeln!(text, "\n{}.", languages::figures(result));
    text
}
