//! `locus rules`: which rules there are, and what becomes of each.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use locus_language::Language;
use locus_source::{Limits, Rule, RuleCode, Severity, Sources, words};
use serde::Serialize;

use crate::Outcome;
use crate::args::{ReadingLimits, Rules, RulesCommand, TextFormat};
use crate::config::Config;
use crate::deadline;
use crate::inputs::{self, Input};
use crate::languages;
use crate::page::Page;
use crate::session::{self, ConfigChoice};
use crate::terminal::Terminal;

#[derive(Serialize)]
struct JsonRule<'a> {
    code: &'a str,
    name: &'a str,
    /// The severity of its own.
    severity: &'static str,
    /// The level of the rule here: a severity, or `off`.
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
    deadline::watch(command.limit.timeout, terminal)?;
    if let Some(name) = &command.resource_type {
        terminal.text(&type_module(name)?)?;
        return Ok(Outcome::Clean);
    }
    let sources = Sources::new();
    let read = |path: &PathBuf| {
        inputs::read(&Input { path: path.clone(), named: true }, "<stdin>", &sources, &Limits::default())
    };
    let files: Vec<_> = command.own.iter().map(read).collect::<anyhow::Result<_>>()?;
    let book = session::rulebook(languages::ALL, &files)?;
    let choice = command.config.as_deref().map_or(ConfigChoice::Nearest, ConfigChoice::Given);
    let policy = Config::load(choice, ReadingLimits::default(), &sources, &book)?.policy;
    let built_in = languages::ALL.iter().flat_map(Language::written_rules).map(|written| written.rule.code);
    let own =
        files.iter().flat_map(|file| locus_rules::scan(file.text())).map(|own| own.description.rule.code);
    let alloy: BTreeSet<RuleCode> = built_in.chain(own).collect();
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
    match command.format {
        TextFormat::Human => {
            let mut page = Page::new(terminal.style());
            for rule in &rules {
                let star = if rule.differs_in_some_files { "*" } else { "" };
                let state = format!("{}{star}", rule.state);
                let written = if rule.alloy { "alloy" } else { "" };
                page.line(&format!("{:8}{state:9}{written:7}{}", rule.code, rule.summary));
            }
            terminal.page(&page)?;
        }
        TextFormat::Json => terminal.json(serde_json::to_string_pretty(&rules)?)?,
    }
    Ok(Outcome::Clean)
}

/// The Alloy text of a type; in every language that has it, if there are several.
fn type_module(name: &str) -> anyhow::Result<String> {
    let module = |language: &'static dyn Language| Some((language.id(), language.type_module(name)?));
    let found: Vec<_> = languages::ALL.iter().filter_map(module).collect();
    if let [(_, text)] = &found[..] {
        return Ok(text.clone());
    }
    if !found.is_empty() {
        let texts = found.iter().map(|(id, text)| format!("-- {name} in the language {id}\n\n{text}"));
        return Ok(texts.collect::<Vec<_>>().join("\n"));
    }
    let names: Vec<_> = languages::ALL.iter().flat_map(Language::type_names).collect();
    match words::nearest(name, names.iter().map(|known| (*known, *known))) {
        Some(near) => bail!("no language has a type {name}; did you mean {near}?"),
        None => bail!("no language has a type {name}"),
    }
}
