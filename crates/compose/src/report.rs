//! Findings as they are collected: not more than anybody reads.

use locus_source::{Finding, Place, Rule, Severity, words};

/// After this many findings the rest is not kept.
const MOST: usize = 2_000;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    /// Whether something is an error, kept or not.
    pub(crate) failed: bool,
    dropped: bool,
}

impl Report {
    pub(crate) fn add(&mut self, finding: Finding) {
        self.failed |= finding.severity == Severity::Error;
        if self.findings.len() < MOST {
            self.findings.push(finding);
        } else if !self.dropped {
            self.dropped = true;
            let more = format!("there are more than {MOST} findings; the rest is not shown");
            if let Some(last) = self.findings.last_mut() {
                last.notes.push(more);
            }
        }
    }

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }
}

/// "did you mean …?", if one of the names is near.
pub(crate) fn did_you_mean<'n>(
    finding: Finding,
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Finding {
    match words::nearest(word, names.into_iter().map(|name| (name, name))) {
        Some(near) => finding.help(format!("did you mean `{near}`?")),
        None => finding,
    }
}

/// A text for a message: on one line and not longer than one.
pub(crate) fn short(text: &str) -> String {
    let mut chars = text.chars();
    let short: String = chars.by_ref().take(60).flat_map(char::escape_debug).collect();
    if chars.next().is_some() { format!("{short}…") } else { short }
}
