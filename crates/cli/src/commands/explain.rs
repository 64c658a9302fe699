//! `locus explain`: what a code means and what to do about it.

use std::fmt::Write;

use anyhow::bail;
use locus_language::{Language, WrittenRule};
use locus_source::{Rule, RuleBook, RuleCode, Severity, words};
use serde::Serialize;

use crate::Outcome;
use crate::args::{Explain, TextFormat};
use crate::languages;
use crate::page::Page;
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
    module: &'a str,
    alloy: &'a str,
    without_locus: Option<&'a str>,
    example: Option<JsonExample<'a>>,
}

#[derive(Serialize)]
struct JsonExample<'a> {
    breaks: &'a str,
    holds: &'a str,
}

pub(crate) fn run(command: &Explain, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let rules = languages::ALL.rulebook();
    let rule = find(&rules, &command.code)?;
    let written =
        languages::ALL.iter().flat_map(Language::written_rules).find(|one| one.rule.code == rule.code);
    match command.format {
        TextFormat::Human => {
            let mut page = Page::new(terminal.style());
            page.text(&explanation(rule, written.as_ref()));
            terminal.page(&page)?;
        }
        TextFormat::Json => {
            terminal.json(serde_json::to_string_pretty(&JsonRule::new(rule, written.as_ref()))?)?;
        }
    }
    Ok(Outcome::Clean)
}

/// The rule with this code or name.
fn find<'r>(rules: &'r RuleBook, wanted: &str) -> anyhow::Result<&'r Rule> {
    let upper = wanted.to_uppercase();
    let by_code = RuleCode::parse(&upper).and_then(|code| rules.get(&code));
    if let Some(rule) = by_code.or_else(|| rules.named(&wanted.to_lowercase())) {
        return Ok(rule);
    }
    let by_name = || words::nearest(wanted, rules.iter().map(|rule| (&*rule.name, &*rule.name)));
    match rules.nearest(&upper).map(RuleCode::as_str).or_else(by_name) {
        Some(near) => bail!("there is no rule {wanted}; did you mean {near}?"),
        None => bail!("there is no rule {wanted}; `locus rules` lists all"),
    }
}

fn explanation(rule: &Rule, written: Option<&WrittenRule>) -> String {
    let article = if rule.severity == Severity::Error { "an" } else { "a" };
    let mut text = format!(
        "{} {} ({article} {})\n\n{}\n\n{}\n",
        rule.code,
        rule.name,
        rule.severity,
        rule.summary,
        rule.explanation.trim_end()
    );
    if let Some(written) = written {
        if let Some(remark) = &written.without_locus {
            let _ = write!(text, "\nWithout Locus: {remark}.\n");
        }
        let _ =
            write!(text, "\nThe rule (rules/{}.als):\n\n```alloy\n{}\n```\n", written.module, written.alloy);
        if let Some(example) = &written.example {
            let _ = write!(text, "\nThis breaks it:\n\n```yaml\n{}```\n", example.bad);
            let _ = write!(text, "\nThis does not:\n\n```yaml\n{}```\n", example.good);
        }
    }
    text
}

impl<'a> JsonRule<'a> {
    fn new(rule: &'a Rule, written: Option<&'a WrittenRule>) -> Self {
        Self {
            code: rule.code.as_str(),
            name: &rule.name,
            severity: rule.severity.as_str(),
            summary: &rule.summary,
            explanation: &rule.explanation,
            written: written.map(|written| JsonWritten {
                module: &written.module,
                alloy: &written.alloy,
                without_locus: written.without_locus.as_deref(),
                example: written
                    .example
                    .as_ref()
                    .map(|example| JsonExample { breaks: example.bad, holds: example.good }),
            }),
        }
    }
}
