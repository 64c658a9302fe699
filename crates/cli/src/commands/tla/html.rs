//! A run as one HTML page that needs nothing else: the verdict, the findings, the behaviour as a table in which changes
//! are marked, how often each action was taken, and the state graph if it is small.

use std::fmt::Write;

use locus_draw::escaped;
use locus_source::{Finding, SourceFile, Sources};
use locus_tla::check::{CheckResult, TraceStep, TraceVariable, Verdict};

use super::picture;
use crate::languages;

/// The most states and steps of a graph on the page.
pub(super) const GRAPH: usize = 400;

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --changed: #f5b30044; --bad: #d33; --good: #2a2; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
code, td.value { font-family: ui-monospace, monospace; font-size: 13px; }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
th { background: var(--soft); } td.changed { background: var(--changed); } td.number { text-align: right; }
td.value { white-space: pre-wrap; overflow-wrap: anywhere; } .scroll { overflow-x: auto; }
.verdict { border-left: .4rem solid var(--bad); padding: .3rem .8rem; background: var(--soft); }
.verdict.good { border-color: var(--good); } .place { color: #888; font-size: 13px; }
svg { max-width: 100%; height: auto; }";

/// The page.
pub(super) fn of(result: &CheckResult, findings: &[Finding], file: &SourceFile, sources: &Sources) -> String {
    let title = escaped(file.name());
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let good = if result.verdict == Verdict::Ok { " good" } else { "" };
    let _ = writeln!(
        page,
        "<p class=\"verdict{good}\"><strong>{}</strong>: {}<br><small>{}</small></p>",
        result.verdict.as_str(),
        escaped(&result.message),
        escaped(&languages::figures(result))
    );
    said(&mut page, findings, sources);
    behaviour(&mut page, result, sources);
    coverage(&mut page, result, sources);
    if !result.printed.is_empty() {
        page.push_str("<h2>Printed by the specification</h2>\n<pre>");
        for line in &result.printed {
            let _ = writeln!(page, "{}", escaped(line));
        }
        page.push_str("</pre>\n");
    }
    graph(&mut page, result, file);
    page.push_str("</body>\n</html>\n");
    page
}

fn said(page: &mut String, findings: &[Finding], sources: &Sources) {
    if findings.is_empty() {
        return;
    }
    page.push_str("<h2>Findings</h2>\n<ul>\n");
    for finding in findings {
        let _ = write!(
            page,
            "<li><strong>{}</strong> <code>{}</code> {} <span class=\"place\">{}</span>",
            finding.severity.as_str(),
            escaped(&finding.code.to_string()),
            escaped(&finding.message),
            escaped(&sources.describe(finding.primary.place))
        );
        page.push_str("</li>\n");
    }
    page.push_str("</ul>\n");
}

/// The behaviour: a row for each state, a column for each variable.
fn behaviour(page: &mut String, result: &CheckResult, sources: &Sources) {
    let Some(first) = result.trace.first() else { return };
    page.push_str("<h2>Behaviour</h2>\n<div class=\"scroll\"><table>\n<tr><th></th><th>step</th>");
    let columns: Vec<&str> = first.shown().map(|variable| variable.name.as_str()).collect();
    for column in &columns {
        let _ = write!(page, "<th>{}</th>", escaped(column));
    }
    page.push_str("</tr>\n");
    for (index, step) in result.trace.iter().enumerate() {
        let title = languages::title(step, index, sources);
        let _ = write!(page, "<tr><td class=\"number\">{}</td><td>{}</td>", index + 1, escaped(&title));
        cells(page, step, &columns, index);
        page.push_str("</tr>\n");
    }
    page.push_str("</table></div>\n");
    if let Some(to) = result.loops_to {
        let how = match &result.returns_by {
            _ if to + 1 == result.trace.len() => "The behaviour stays in its last state for ever.".to_owned(),
            Some(action) => format!("{} leads back to state {}, and so on for ever.", action.name, to + 1),
            None => format!("The behaviour goes on from state {} for ever.", to + 1),
        };
        let _ = writeln!(page, "<p>{}</p>", escaped(&how));
    }
}

/// The values of a state. An ALIAS need not have the same fields everywhere.
fn cells(page: &mut String, step: &TraceStep, columns: &[&str], index: usize) {
    for column in columns {
        let value: Option<&TraceVariable> = step.shown().find(|variable| variable.name == *column);
        let changed = value.is_some_and(|value| value.changed && index > 0);
        let class = if changed { "value changed" } else { "value" };
        let text = value.map_or(String::new(), |value| escaped(&value.value));
        let _ = write!(page, "<td class=\"{class}\">{text}</td>");
    }
}

fn coverage(page: &mut String, result: &CheckResult, sources: &Sources) {
    if result.coverage.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Actions</h2>\n<table>\n<tr><th>action</th><th>generated</th><th>distinct</th><th></th></tr>\n",
    );
    for action in &result.coverage {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"place\">{}</td></tr>",
            escaped(&action.name),
            action.generated,
            action.distinct,
            escaped(&sources.describe(action.place))
        );
    }
    page.push_str("</table>\n");
    if !result.expressions.is_empty() {
        let listing = escaped(&languages::coverage(result, sources));
        let _ = writeln!(page, "<h2>Coverage</h2>\n<pre class=\"scroll\">{listing}</pre>");
    }
}

fn graph(page: &mut String, result: &CheckResult, file: &SourceFile) {
    let drawn = picture::scene(result, file)
        .and_then(|scene| Ok(locus_draw::svg(&scene, &locus_draw::Options::default())?));
    if let Ok(svg) = drawn {
        let _ = writeln!(page, "<h2>State graph</h2>\n<div class=\"scroll\">{svg}</div>");
    }
}
