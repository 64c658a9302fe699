//! `locus check --suggest`: changes after which less is wrong, as a diff.

use std::fmt::Write;

use locus_hot::suggest::{self, Judged};
use locus_source::{Finding, SourceFile, Sources};
use serde::Serialize;
use similar::TextDiff;

/// What to change in a file.
#[derive(Serialize)]
pub(crate) struct Suggested {
    /// The file.
    file: String,
    /// What is then no longer wrong.
    mends: Vec<Named>,
    /// What no change that was tried mends.
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

/// Looks for a smallest change. `judge` reads a text as if it stood in the file.
pub(crate) fn changes(
    file: &SourceFile,
    judge: &dyn Fn(&Sources, &str) -> anyhow::Result<Judged>,
) -> Option<Suggested> {
    let found = suggest::suggest(file.text(), &|sources, text| judge(sources, text).ok())?;
    let diff = TextDiff::from_lines(file.text(), &found.text);
    let name = file.name();
    let diff = diff.unified_diff().context_radius(2).header(name, name).to_string();
    let named = |findings: &[Finding]| -> Vec<Named> {
        findings
            .iter()
            .map(|one| Named { code: one.code.to_string(), message: one.message.clone() })
            .collect()
    };
    let (mends, left) = (named(&found.mends), named(&found.left));
    Some(Suggested { file: name.to_owned(), mends, left, gave_up: found.gave_up, diff })
}

impl Suggested {
    /// For people.
    pub(crate) fn human(&self) -> String {
        let mut text = String::new();
        if !self.mends.is_empty() {
            let _ = writeln!(text, "suggested for {}:", self.file);
        }
        for Named { code, message } in &self.mends {
            let _ = writeln!(text, "  mends {code}: {message}");
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
