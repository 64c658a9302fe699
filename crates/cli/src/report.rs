//! How findings leave: one place decides what is written in which format, and what the exit code is.

use std::collections::BTreeSet;

use locus_language::{Attachment, Unanswered};
use locus_source::render::{self, JsonFinding};
use locus_source::{Finding, RuleBook, Severity, Sources};
use serde::Serialize;

use crate::Outcome;
use crate::args::{FailOn, Format};
use crate::page::Page;
use crate::suggest::Suggested;
use crate::terminal::Terminal;

/// All that a run has to say about files.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    /// Findings that depend on values that are not known.
    pub(crate) undecided: Vec<Finding>,
    /// Errors of the run itself.
    pub(crate) errors: Vec<anyhow::Error>,
    /// Questions about files that were not answered.
    pub(crate) unchecked: Vec<Unchecked>,
    /// Attachments of files that are not about a place in them.
    pub(crate) attached: Vec<Attached>,
    /// Number of files that were read.
    pub(crate) files: usize,
    /// How many findings were left out, because a baseline has them.
    pub(crate) known: usize,
    /// Changes after which less is wrong, if they were asked for.
    pub(crate) suggested: Option<Vec<Suggested>>,
}

/// A question about a file that was not answered.
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Unchecked {
    pub(crate) file: String,
    why: String,
    /// Whether the file does not say what to check, so that it may be a part of another.
    #[serde(skip)]
    pub(crate) nothing_to_check: bool,
}

impl Unchecked {
    pub(crate) fn new(file: &str, unanswered: Unanswered) -> Self {
        let Unanswered { why, nothing_to_check } = unanswered;
        Self { file: file.to_owned(), why, nothing_to_check }
    }
}

/// An attachment and the file that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Attached {
    file: String,
    pub(crate) attachment: Attachment,
}

impl Attached {
    pub(crate) fn new(file: &str, attachment: Attachment) -> Self {
        Self { file: file.to_owned(), attachment }
    }

    /// With the fields of the attachment beside those that say what it is.
    fn json(&self) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        object.insert("file".to_owned(), self.file.clone().into());
        object.insert("kind".to_owned(), self.attachment.kind.into());
        object.extend(self.attachment.json.as_object().cloned().unwrap_or_default());
        object.into()
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    findings: Vec<JsonFinding>,
    undecided: Vec<JsonFinding>,
    errors: Vec<String>,
    unchecked: &'a [Unchecked],
    summary: Summary,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<&'a [Suggested]>,
    #[serde(flatten)]
    more: serde_json::Map<String, serde_json::Value>,
}

#[derive(Serialize, Default)]
struct Summary {
    files: usize,
    /// Of these, those about which a question was not answered.
    unchecked: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// Findings that were left out, because a baseline has them.
    known: usize,
}

/// How a report is written.
pub(crate) struct Way<'a> {
    pub(crate) fail_on: FailOn,
    pub(crate) quiet: bool,
    /// Whether all attachments are shown, or only those of files with findings.
    pub(crate) verbose: bool,
    pub(crate) sources: &'a Sources,
    pub(crate) rules: &'a RuleBook,
    pub(crate) terminal: &'a Terminal,
}

impl Report {
    /// Writes the report and says how the run ended.
    pub(crate) fn write(&self, format: Format, way: &Way<'_>) -> anyhow::Result<Outcome> {
        match format {
            Format::Human => way.terminal.page(&self.human(way))?,
            Format::Json => {
                let attached: Vec<_> = self.attached.iter().map(Attached::json).collect();
                let more = [("attachments".to_owned(), attached.into())].into_iter().collect();
                way.terminal.json(self.json(more, way)?)?;
            }
            Format::Sarif => {
                let text = render::sarif(&self.findings, way.sources, way.rules, env!("CARGO_PKG_VERSION"));
                way.terminal.json(text)?;
            }
            Format::Github => way.terminal.text(&render::github(&self.findings, way.sources))?,
        }
        Ok(self.end(way))
    }

    /// Writes the report of a file as JSON, with the fields of its attachment beside those of the report. `otherwise`
    /// is for a file without one.
    pub(crate) fn write_flat(&self, otherwise: serde_json::Value, way: &Way<'_>) -> anyhow::Result<Outcome> {
        let fields = self.attached.first().map_or(otherwise, |one| one.attachment.json.clone());
        way.terminal.json(self.json(fields.as_object().cloned().unwrap_or_default(), way)?)?;
        Ok(self.end(way))
    }

    /// Says on standard error what was not done, and how the run ended.
    pub(crate) fn end(&self, way: &Way<'_>) -> Outcome {
        for error in &self.errors {
            way.terminal.error(error);
        }
        for Unchecked { file, why, .. } in &self.unchecked {
            way.terminal.error(&anyhow::anyhow!("{file}: not checked: {why}"));
        }
        let least = Severity::from(way.fail_on);
        if !self.errors.is_empty() || !self.unchecked.is_empty() {
            Outcome::CouldNotRun
        } else if self.findings.iter().any(|finding| finding.severity >= least) {
            Outcome::Findings
        } else {
            Outcome::Clean
        }
    }

    fn json(
        &self,
        more: serde_json::Map<String, serde_json::Value>,
        way: &Way<'_>,
    ) -> anyhow::Result<String> {
        let findings = |findings: &[Finding]| render::json_findings(findings, way.sources, way.rules);
        let report = JsonReport {
            version: render::JSON_VERSION,
            findings: findings(&self.findings),
            undecided: findings(&self.undecided),
            errors: self.errors.iter().map(|error| format!("{error:#}")).collect(),
            unchecked: &self.unchecked,
            summary: self.summary(),
            suggestions: self.suggested.as_deref(),
            more,
        };
        Ok(serde_json::to_string_pretty(&report)?)
    }

    fn human(&self, way: &Way<'_>) -> Page {
        let mut page = Page::new(way.terminal.style());
        for finding in &self.findings {
            page.finding(finding, way.sources);
        }
        let wrong: BTreeSet<String> = self
            .findings
            .iter()
            .map(|one| way.sources.get(one.primary.place.file).name().to_owned())
            .collect();
        for Attached { file, attachment } in &self.attached {
            if self.files == 1 || way.verbose || wrong.contains(file) {
                if self.files > 1 {
                    page.line(&format!("{file}:"));
                }
                page.pieces(&attachment.text, way.quiet);
            }
        }
        for one in self.suggested.iter().flatten() {
            page.text(&one.human());
        }
        if !way.quiet && (self.files > 0 || self.errors.is_empty()) {
            page.line(&self.summary().in_words());
        }
        page
    }

    fn summary(&self) -> Summary {
        let unchecked: BTreeSet<&str> = self.unchecked.iter().map(|one| one.file.as_str()).collect();
        let mut summary = Summary {
            files: self.files,
            unchecked: unchecked.len(),
            known: self.known,
            ..Summary::default()
        };
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
        let unchecked = match self.unchecked {
            0 => String::new(),
            _ => format!("; not checked: {}", counted(self.unchecked, "file")),
        };
        let known = match self.known {
            0 => String::new(),
            _ => format!("; left out by the baseline: {}", self.known),
        };
        format!("{found} in {}{known}{unchecked}", counted(self.files, "file"))
    }
}

/// A number and its noun: `1 file`, `2 files`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
