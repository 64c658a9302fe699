//! `locus rules`: which rules there are, and what becomes of each.

use std::fmt::Write;

use anyhow::bail;
use locus_source::policy::Policy;
use locus_source::{Rule, Severity, Sources, words};
use serde::Serialize;

use crate::Outcome;
use crate::args::{Rules, RulesCommand, TextFormat};
use crate::config;
use crate::rulebook::with_own;
use crate::terminal::Terminal;

#[derive(Serialize)]
struct JsonRule<'a> {
    code: &'a str,
    name: &'a str,
    /// The severity of its own.
    severity: &'static str,
    /// What becomes of it here: a severity, or `off`.
    state: &'static str,
    /// Whether `locus.toml` says something else for some files.
    differs_in_some_files: bool,
    /// Whether it is written in Alloy.
    alloy: bool,
    summary: &'a str,
}

pub(crate) fn run(command: &Rules, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if let Some(RulesCommand::Test(test)) = &command.command {
        return super::rules_test::run(test, terminal);
    }
    if let Some(name) = &command.resource_type {
        terminal.result(&type_module(name)?)?;
        return Ok(Outcome::Clean);
    }
    let sources = Sources::new();
    let (files, book) = with_own(&command.own, &sources)?;
    let policy = match config::path(command.config.as_deref())? {
        Some(path) => config::policy(&path, &sources, &book)?.0,
        None => Policy::default(),
    };
    let built_in = locus_hot::library::rules().map(|(_, rule)| rule.description.rule.code);
    let own =
        files.iter().flat_map(|file| locus_rules::scan(file.text())).map(|own| own.description.rule.code);
    let alloy: Vec<_> = built_in.chain(own).collect();
    let wanted = |rule: &&Rule| {
        let begins = |start: &String| rule.code.as_str().starts_with(&start.to_uppercase());
        command.codes.is_empty() || command.codes.iter().any(begins)
    };
    let rules: Vec<JsonRule<'_>> = book
        .iter()
        .filter(wanted)
        .map(|rule| {
            let (state, differs_in_some_files) = policy.state(rule);
            JsonRule {
                code: rule.code.as_str(),
                name: &rule.name,
                severity: rule.severity.as_str(),
                state: state.map_or("off", Severity::as_str),
                differs_in_some_files,
                alloy: alloy.contains(&rule.code),
                summary: &rule.summary,
            }
        })
        .collect();
    if rules.is_empty() {
        bail!("no code begins with {}; `locus rules` lists all", command.codes.join(" or "));
    }
    let text = match command.format {
        TextFormat::Human => rules.iter().fold(String::new(), |mut text, rule| {
            let star = if rule.differs_in_some_files { "*" } else { "" };
            let state = format!("{}{star}", rule.state);
            let written = if rule.alloy { "alloy" } else { "" };
            let _ = writeln!(text, "{:8}{state:9}{written:7}{}", rule.code, rule.summary);
            text
        }),
        TextFormat::Json => serde_json::to_string_pretty(&rules)? + "\n",
    };
    terminal.result(&text)?;
    Ok(Outcome::Clean)
}

/// The Alloy text of a resource type.
fn type_module(name: &str) -> anyhow::Result<String> {
    let module = name.replace("::", "_");
    if let Some(text) = locus_hot::library::module(&format!("types/{module}")) {
        return Ok(text);
    }
    let names = locus_hot::catalogue::type_names();
    match words::nearest(name, names.iter().map(|known| (*known, *known))) {
        Some(near) => bail!("Heat has no type {name}; did you mean {near}?"),
        None => bail!("Heat has no type {name}"),
    }
}
