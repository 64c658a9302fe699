//! The search for suggestions: the changes of a text after which less is wrong.
//!
//! A language says which changes there are and how they are written. There are two searches: [`fewest`] has the model
//! finder choose among many changes by the rules that are broken, [`one_by_one`] tries the one right change of each
//! finding. Both judge the changed text once more before anything is suggested.
//!
//! Out of scope: changes that are certain and that a finding carries with itself (`fix`).

pub mod fewest;
pub mod one_by_one;

use locus_source::{Finding, Severity, SourceFile};

/// So many bytes are read at most for all changes that are tried.
const READ: usize = 4 << 20;

/// Returns the key by which a finding is the same one in a text that is a little different.
fn key(finding: &Finding) -> (&str, &str) {
    (finding.code.as_str(), &finding.message)
}

/// Whether a change of a file is looked for because of a finding.
fn is_wanted(finding: &Finding, file: &SourceFile) -> bool {
    finding.severity > Severity::Note && finding.primary.place.file == file.id()
}
