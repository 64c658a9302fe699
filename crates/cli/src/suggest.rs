//! `locus check --suggest`: changes after which less is wrong, as a diff.

use std::fmt::Write;
use std::sync::Arc;

use locus_hot::suggest::{Suggestion, suggest};
use locus_source::{Finding, Severity, SourceFile, Sources};
use serde::Serialize;
use similar::TextDiff;

/// So many findings of a file are looked at.
const LOOKED_AT: usize = 20;

/// What to change in a file.
#[derive(Serialize)]
pub(crate) struct Suggested {
    /// The file.
    file: String,
    /// What is then no longer wrong.
    mends: Vec<Mended>,
    /// The change, as `patch` reads it.
    diff: String,
}

#[derive(Serialize)]
struct Mended {
    code: String,
    message: String,
}

/// A template as it was read, and everything that is wrong with it.
pub(crate) struct Judged {
    pub(crate) template: Option<locus_hot::Template>,
    pub(crate) findings: Vec<Finding>,
}

/// Looks for changes one after the other, each in the text that the one before gave. `judge` reads a text as if it
/// stood in the file.
pub(crate) fn changes(
    file: &SourceFile,
    judge: &dyn Fn(&Sources, &Arc<SourceFile>) -> anyhow::Result<Judged>,
) -> anyhow::Result<Option<Suggested>> {
    let findings_of = |text: &str| {
        let sources = Sources::new();
        let file = sources.add(file.name(), text);
        judge(&sources, &file).map(|judged| judged.findings).unwrap_or_default()
    };
    let mut text = file.text().to_owned();
    let mut mends: Vec<Mended> = Vec::new();
    let mut given_up: Vec<String> = Vec::new();
    for _ in 0..LOOKED_AT {
        let sources = Sources::new();
        let now = sources.add(file.name(), text.as_str());
        let judged = judge(&sources, &now)?;
        let Some(template) = &judged.template else { break };
        let next = judged
            .findings
            .iter()
            .find(|finding| finding.severity > Severity::Note && !given_up.contains(&finding.message));
        let Some(finding) = next else { break };
        match suggest(&now, template, &judged.findings, finding, &findings_of) {
            Some(Suggestion { text: better, .. }) => {
                let gone = findings_of(&better);
                let still = |one: &Finding| gone.iter().any(|other| other.message == one.message);
                mends.extend(
                    judged
                        .findings
                        .iter()
                        .filter(|one| !still(one))
                        .map(|one| Mended { code: one.code.to_string(), message: one.message.clone() }),
                );
                text = better;
            }
            None => given_up.push(finding.message.clone()),
        }
    }
    if mends.is_empty() {
        return Ok(None);
    }
    let diff = TextDiff::from_lines(file.text(), &text);
    let name = file.name();
    let diff = diff.unified_diff().context_radius(2).header(name, name).to_string();
    Ok(Some(Suggested { file: name.to_owned(), mends, diff }))
}

impl Suggested {
    /// For people.
    pub(crate) fn human(&self) -> String {
        let mut text = format!("suggested for {}:\n", self.file);
        for Mended { code, message } in &self.mends {
            let _ = writeln!(text, "  mends {code}: {message}");
        }
        let _ = writeln!(text, "\n{}", self.diff);
        text
    }
}
