//! How findings leave: one place decides what is written in which format, and what the exit code is.

use std::fmt::Write;

use locus_source::render::{self, JsonFinding, Style};
use locus_source::{Finding, RuleBook, Severity, Sources};
use serde::Serialize;

use crate::Outcome;
use crate::args::{FailOn, Format};
use crate::suggest::Suggested;
use crate::terminal::Terminal;

/// All that a run of `locus check` has to say.
pub(crate) struct Report {
    pub(crate) sources: Sources,
    pub(crate) findings: Vec<Finding>,
    /// What could not be done.
    pub(crate) errors: Vec<anyhow::Error>,
    /// Number of files that were checked.
    pub(crate) files: usize,
    /// Changes after which less is wrong, if they were asked for.
    pub(crate) suggested: Option<Vec<Suggested>>,
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    findings: Vec<JsonFinding>,
    errors: Vec<String>,
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<&'a [Suggested]>,
}

#[derive(Serialize, Default)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Report {
    /// Writes the report and says how the run ended.
    pub(crate) fn write(
        &self,
        format: Format,
        fail_on: FailOn,
        quiet: bool,
        rules: &RuleBook,
        terminal: &Terminal,
    ) -> anyhow::Result<Outcome> {
        let text = match format {
            Format::Human => self.human(quiet, terminal),
            Format::Json => {
                let report = JsonReport {
                    version: render::JSON_VERSION,
                    findings: render::json_findings(&self.findings, &self.sources, rules),
                    errors: self.errors.iter().map(|error| format!("{error:#}")).collect(),
                    summary: self.summary(),
                    suggestions: self.suggested.as_deref(),
                };
                serde_json::to_string_pretty(&report)? + "\n"
            }
            Format::Sarif => {
                render::sarif(&self.findings, &self.sources, rules, env!("CARGO_PKG_VERSION")) + "\n"
            }
            Format::Github => render::github(&self.findings, &self.sources),
        };
        terminal.result(&text)?;
        for error in &self.errors {
            terminal.error(error);
        }
        Ok(self.outcome(fail_on))
    }

    fn outcome(&self, fail_on: FailOn) -> Outcome {
        let least = Severity::from(fail_on);
        if !self.errors.is_empty() {
            Outcome::CouldNotRun
        } else if self.findings.iter().any(|finding| finding.severity >= least) {
            Outcome::Findings
        } else {
            Outcome::Clean
        }
    }

    /// The findings alone, for people.
    pub(crate) fn findings_in_words(&self, terminal: &Terminal) -> String {
        let style = Style { colour: terminal.colour(), width: terminal.width() };
        let mut text = String::new();
        for finding in &self.findings {
            text.push_str(&render::human(finding, &self.sources, style));
            text.push_str("\n\n");
        }
        text
    }

    fn human(&self, quiet: bool, terminal: &Terminal) -> String {
        let mut text = self.findings_in_words(terminal);
        match self.suggested.as_deref() {
            None => {}
            Some(suggested) => suggested.iter().for_each(|one| text.push_str(&one.human())),
        }
        if !quiet && (self.files > 0 || self.errors.is_empty()) {
            let _ = writeln!(text, "{}", self.summary().in_words());
        }
        text
    }

    fn summary(&self) -> Summary {
        let mut summary = Summary { files: self.files, ..Summary::default() };
        for finding in &self.findings {
            match finding.severity {
                Severity::Error => summary.errors += 1,
                Severity::Warning => summary.warnings += 1,
                Severity::Note => summary.notes += 1,
            }
        }
        summary
    }
}

impl Summary {
    fn in_words(&self) -> String {
        let parts = [(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")];
        let parts: Vec<_> = parts.iter().filter(|(n, _)| *n > 0).map(|&(n, word)| counted(n, word)).collect();
        let found = if parts.is_empty() { "no findings".to_owned() } else { parts.join(", ") };
        format!("{found} in {}", counted(self.files, "file"))
    }
}

/// A number and its noun: `1 file`, `2 files`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
