//! `locus compose`: what Compose makes of files.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use locus_source::{Finding, Severity, sort_and_dedup};

use crate::Outcome;
use crate::args::{Global, TimeLimit};
use crate::deadline;
use crate::inputs::Input;
use crate::languages;
use crate::projects::{self, Options};
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

/// Commands for Compose files.
#[derive(Subcommand, Debug)]
pub(crate) enum ComposeCommand {
    Config(Config),
}

/// Print the canonical form of a project: variables replaced, files merged, short forms made long
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  locus compose config                        the project of this folder
  locus compose config a.yaml b.yaml          b.yaml put over a.yaml
  locus compose config --format json | jq .services

The result is what `docker compose config` prints, as data. Findings go to standard error.")]
pub(crate) struct Config {
    /// Compose files, later ones put over earlier ones [default: those that Compose finds]
    #[arg(conflicts_with = "file")]
    files: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Form::Yaml)]
    format: Form,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    limit: TimeLimit,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum Form {
    /// YAML
    Yaml,
    /// JSON
    Json,
}

pub(crate) fn run(command: &ComposeCommand, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let ComposeCommand::Config(command) = command;
    config(command, global, terminal)
}

/// The files that are named, or that Compose finds.
fn found(options: &Options) -> anyhow::Result<Vec<PathBuf>> {
    if options.parts.file.is_empty() {
        projects::find(&options.parts, options.project_directory.as_deref())
    } else {
        Ok(options.parts.file.clone())
    }
}

fn config(command: &Config, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    deadline::watch(command.limit.timeout, terminal)?;
    let session = Session::new(languages::ALL, &Setup::default())?;
    let limits = &session.config.limits;
    let paths = if command.files.is_empty() { found(&command.options)? } else { command.files.clone() };
    let mut files = Vec::new();
    for path in paths {
        files.push(session.read(&Input { path, named: true }, "compose.yaml")?);
    }
    let reading = projects::read(&files, &command.options, &session.sources, limits)?;
    let mut findings = reading.findings;
    if global.quiet {
        findings.retain(|finding: &Finding| finding.severity == Severity::Error);
    }
    sort_and_dedup(&mut findings, &session.sources);
    for finding in &findings {
        terminal.remark_finding(finding, &session.sources);
    }
    if let Some(why) = reading.unanswered.first() {
        bail!("the project was not read as a whole: {why}");
    }
    let Some(project) = reading.project else { return Ok(Outcome::Findings) };
    terminal.text(&match command.format {
        Form::Yaml => locus_compose::yaml(&project),
        Form::Json => locus_compose::json(&project),
    })?;
    Ok(Outcome::Clean)
}
