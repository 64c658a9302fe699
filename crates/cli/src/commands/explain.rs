//! `locus explain`: what a code means and what to do about it.

use std::fmt::Write;

use anyhow::bail;
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
}

pub(crate) fn run(command: &Explain, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let rules = rulebook();
    let text = match (&command.code, command.format) {
        (None, TextFormat::Human) => rules.iter().fold(String::new(), |mut text, rule| {
            let _ = writeln!(text, "{:8}{:9}{}", rule.code, rule.severity, rule.summary);
            text
        }),
        (None, TextFormat::Json) => {
            let all: Vec<_> = rules.iter().map(JsonRule::from).collect();
            serde_json::to_string_pretty(&all)? + "\n"
        }
        (Some(code), format) => {
            let upper = code.to_uppercase();
            let Some(rule) = RuleCode::parse(&upper).and_then(|code| rules.get(&code)) else {
                match rules.nearest(&upper) {
                    Some(near) => bail!("there is no rule {code}; did you mean {near}?"),
                    None => bail!("there is no rule {code}; `locus explain` lists all"),
                }
            };
            match format {
                TextFormat::Human => explanation(rule),
                TextFormat::Json => serde_json::to_string_pretty(&JsonRule::from(rule))? + "\n",
            }
        }
    };
    terminal.result(&text)?;
    Ok(Outcome::Clean)
}

fn explanation(rule: &Rule) -> String {
    let article = if rule.severity == Severity::Error { "an" } else { "a" };
    format!(
        "{} {} ({article} {})\n\n{}\n\n{}\n",
        rule.code,
        rule.name,
        rule.severity,
        rule.summary,
        rule.explanation.trim_end()
    )
}

impl<'a> From<&'a Rule> for JsonRule<'a> {
    fn from(rule: &'a Rule) -> Self {
        Self {
            code: rule.code.as_str(),
            name: &rule.name,
            severity: rule.severity.as_str(),
            summary: &rule.summary,
            explanation: &rule.explanation,
        }
    }
}
