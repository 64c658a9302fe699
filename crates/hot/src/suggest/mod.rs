//! Suggestions: a smallest change to a template after which a rule is no longer broken.
//!
//! What is wrong points at values of the template. For each of them there are others to try, taken from the template
//! itself and from Heat's catalogue: another resource of the right kind, a free address in a network, a value that is
//! allowed, none at all; and where something is missing, a resource that provides it. A change is suggested only
//! after the changed template has been read and judged: what it is for must be gone, and nothing new may be wrong.
//! Of those the smallest is taken, one edit before two.

mod addresses;
mod edits;
mod slots;

use std::ops::Range;

use locus_source::{Finding, Severity, SourceFile};

use self::edits::Proposals;
use crate::template::Template;

/// So many changes are tried for one finding.
const TRIES: usize = 400;

/// A piece of the text and what is to stand there instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes to replace; empty where something is added.
    pub range: Range<usize>,
    /// What to write there.
    pub text: String,
}

/// What a text is after some edits.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| edit.range.start);
    let mut result = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in sorted {
        result.push_str(&text[at..edit.range.start]);
        result.push_str(&edit.text);
        at = edit.range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// A change that mends what a finding says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// What it consists of.
    pub edits: Vec<Edit>,
    /// What the text is after it.
    pub text: String,
}

/// The smallest change of a template after which a finding is gone, if one was found. `judge` gives everything that is
/// wrong with a text in the place of this one.
pub fn suggest(
    file: &SourceFile,
    template: &Template,
    findings: &[Finding],
    finding: &Finding,
    judge: &dyn Fn(&str) -> Vec<Finding>,
) -> Option<Suggestion> {
    if finding.primary.place.file != file.id() {
        return None;
    }
    let before: Vec<(&str, &str)> = findings.iter().map(key).collect();
    let mends = |text: &str| {
        let after = judge(text);
        let worse = |one: &Finding| one.severity > Severity::Note && !before.contains(&key(one));
        !after.iter().any(|one| key(one) == key(finding) || worse(one))
    };
    let proposals = Proposals::new(file, template, finding);
    let single = proposals.single();
    let mut tries = TRIES;
    let mut attempt = |edits: Vec<Edit>| {
        tries = tries.checked_sub(1)?;
        let text = apply(file.text(), &edits);
        mends(&text).then_some(Suggestion { edits, text })
    };
    for edit in &single {
        if let Some(found) = attempt(edit.clone()) {
            return Some(found);
        }
    }
    for (at, first) in single.iter().enumerate() {
        for second in &single[at + 1..] {
            if disjoint(first, second)
                && let Some(found) = attempt([first.as_slice(), second.as_slice()].concat())
            {
                return Some(found);
            }
        }
    }
    None
}

/// What makes a finding the same one in a text that is a little different.
fn key(finding: &Finding) -> (&str, &str) {
    (finding.code.as_str(), &finding.message)
}

/// Whether two changes can be made together.
fn disjoint(first: &[Edit], second: &[Edit]) -> bool {
    first.iter().all(|a| second.iter().all(|b| a.range.end < b.range.start || b.range.end < a.range.start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        let edit = |range: Range<usize>, text: &str| Edit { range, text: text.to_owned() };
        assert_eq!(apply("abcdef", &[edit(4..5, "X"), edit(1..3, "")]), "adXf");
        assert_eq!(apply("ab", &[edit(2..2, "c")]), "abc");
    }
}
