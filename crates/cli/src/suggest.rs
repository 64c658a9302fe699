//! `locus check --suggest`: changes after which less is wrong, as a diff.

use std::fmt::Write;

use locus_language::Suggestion;
use locus_source::{Finding, SourceFile};
use serde::Serialize;
use similar::TextDiff;

/// A suggested change of a file.
#[derive(Serialize)]
pub(crate) struct Suggested {
    /// The file.
    file: String,
    /// The findings that it mends.
    mends: Vec<Named>,
    /// Findings that remain after every change that was tried.
    left: Vec<Named>,
    /// Why the search was not complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    gave_up: Option<String>,
    /// The change, as `patch` reads it; empty if there is none.
    diff: String,
}

#[derive(Serialize)]
struct Named {
    code: String,
    message: String,
}

impl Suggested {
    /// A suggestion for a file.
    pub(crate) fn new(file: &SourceFile, suggestion: Suggestion) -> Self {
        let diff = TextDiff::from_lines(file.text(), &suggestion.text);
        let name = file.name();
        let diff = diff.unified_diff().context_radius(2).header(name, name).to_string();
        let named = |findings: &[Finding]| -> Vec<Named> {
            let named = |one: &Finding| Named { code: one.code.to_string(), message: one.message.clone() };
            findings.iter().map(named).collect()
        };
        let (mends, left) = (named(&suggestion.mends), named(&suggestion.left));
        Self { file: name.to_owned(), mends, left, gave_up: suggestion.gave_up, diff }
    }

    /// For people.
    pub(crate) fn human(&self) -> String {
        let mut text = String::new();
        if !self.mends.is_empty() {
            let _ = writeln!(text, "suggested for {}:", self.file);
        }
        for Named { code, message } in &self.mends {
            let _ = writeln!(text, "  fixes {code}: {message}");
        }
        if !self.left.is_empty() {
            let _ = writeln!(text, "no small change was found in {} for:", self.file);
        }
        for Named { code, message } in &self.left {
            let _ = writeln!(text, "  {code}: {message}");
        }
        if let Some(why) = &self.gave_up {
            let _ = writeln!(text, "  the search was not complete: {why}");
        }
        let _ = writeln!(text, "\n{}", self.diff);
        text
    }
}
