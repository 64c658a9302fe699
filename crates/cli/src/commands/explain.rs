//! `locus explain`: what a code means and what to do about it.

use std::fmt::Write;

use anyhow::bail;
use locus_hot::library;
use locus_rules::Listed;
use locus_source::{Rule, RuleCode, Severity};
use serde::Serialize;

use crate::Outcome;
use crate::args::{Explain, TextFormat};
use crate::rulebook::rulebook;
use crate::terminal::Terminal;

#[derive(Serialize)]
struct JsonRule<'a> {
    code: &'a str,
    name: &'a str,
    severity: &'static str,
    summary: &'a str,
    explanation: &'a str,
    /// Of a rule that is written in Alloy.
    #[serde(flatten)]
    written: Option<JsonWritten<'a>>,
}

#[derive(Serialize)]
struct JsonWritten<'a> {
    module: String,
    alloy: &'a str,
    openstack: Option<&'a str>,
    example: Option<JsonExample>,
}

#[derive(Serialize)]
struct JsonExample {
    breaks: &'static str,
    holds: &'static str,
}

pub(crate) fn run(command: &Explain, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let rules = rulebook();
    let upper = command.code.to_uppercase();
    let Some(rule) = RuleCode::parse(&upper).and_then(|code| rules.get(&code)) else {
        match rules.nearest(&upper) {
            Some(near) => bail!("there is no rule {}; did you mean {near}?", command.code),
            None => bail!("there is no rule {}; `locus rules` lists all", command.code),
        }
    };
    let written = library::rules().find(|(_, listed)| listed.description.rule.code == rule.code);
    let text = match command.format {
        TextFormat::Human => explanation(rule, written.as_ref()),
        TextFormat::Json => serde_json::to_string_pretty(&JsonRule::new(rule, written.as_ref()))? + "\n",
    };
    terminal.result(&text)?;
    Ok(Outcome::Clean)
}

fn explanation(rule: &Rule, written: Option<&(&str, Listed<'_>)>) -> String {
    let article = if rule.severity == Severity::Error { "an" } else { "a" };
    let mut text = format!(
        "{} {} ({article} {})\n\n{}\n\n{}\n",
        rule.code,
        rule.name,
        rule.severity,
        rule.summary,
        rule.explanation.trim_end()
    );
    if let Some((module, listed)) = written {
        if let Some(remark) = &listed.description.remark {
            let _ = write!(text, "\nWithout Locus: {remark}.\n");
        }
        let _ = write!(text, "\nThe rule (rules/hot/{module}.als):\n\n```alloy\n{}\n```\n", listed.text);
        if let Some(example) = library::example(rule.code.as_str()) {
            let _ = write!(text, "\nThis breaks it:\n\n```yaml\n{}```\n", example.bad);
            let _ = write!(text, "\nThis does not:\n\n```yaml\n{}```\n", example.good);
        }
    }
    text
}

impl<'a> JsonRule<'a> {
    fn new(rule: &'a Rule, written: Option<&'a (&str, Listed<'_>)>) -> Self {
        Self {
            code: rule.code.as_str(),
            name: &rule.name,
            severity: rule.severity.as_str(),
            summary: &rule.summary,
            explanation: &rule.explanation,
            written: written.map(|(module, listed)| JsonWritten {
                module: format!("hot/{module}"),
                alloy: listed.text,
                openstack: listed.description.remark.as_deref(),
                example: library::example(rule.code.as_str())
                    .map(|example| JsonExample { breaks: example.bad, holds: example.good }),
            }),
        }
    }
}
