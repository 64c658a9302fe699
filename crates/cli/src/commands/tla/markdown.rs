//! The verdict and a behaviour as Markdown, to be pasted into a discussion.

use std::fmt::Write;

use locus_source::Sources;
use locus_tla::check::CheckResult;

use crate::languages;

/// The verdict and the behaviour as Markdown.
pub(super) fn of(result: &CheckResult, sources: &Sources) -> String {
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
        let changed = step.shown().filter(|v| v.changed || index == 0);
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
