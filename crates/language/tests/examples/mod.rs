//! Part of the tests of languages: whether each rule finds the text that breaks it, and not the one that comes close.
//!
//! A language includes this by `#[path]` and says how a text is read and judged ([`Findings`]).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use locus_language::RuleFiles;
use locus_source::Severity;

/// The findings about a text: code, severity and message of each.
pub(crate) type Findings = Vec<(String, Severity, String)>;

/// The texts in a file with a block for each rule, by code: the one that breaks the rule, and the other one.
fn texts(file: &str) -> Vec<(String, String, String)> {
    let block = |block: &str| {
        let (code, rest) = block.split_once("\n-- bad\n").expect("a block has a bad text");
        let (bad, good) = rest.split_once("\n-- good\n").expect("a block has a good text");
        (code.trim().to_owned(), bad.to_owned(), good.trim_end().to_owned())
    };
    file.split("\n== ").skip(1).map(block).collect()
}

/// The codes of the rules that a file of texts is about.
pub(crate) fn codes(file: &str) -> BTreeSet<String> {
    texts(file).into_iter().map(|(code, ..)| code).collect()
}

/// The message of the finding with this code.
///
/// # Panics
/// If there is none.
fn broken(code: &str, text: &str, found: &Findings) -> String {
    let broken = found.iter().find(|(found, ..)| found == code);
    let (_, _, message) = broken.unwrap_or_else(|| panic!("{code} is not found but {found:?} in:\n{text}"));
    format!("{code} {message}")
}

/// The messages of rules of a reader, each for the text that breaks it.
///
/// # Panics
/// If a rule does not find its text, or finds the other one, or that one has errors.
pub(crate) fn of_reader(file: &str, findings: impl Fn(&str) -> Findings) -> String {
    let mut messages = String::new();
    for (code, bad, good) in texts(file) {
        let _ = writeln!(messages, "{}", broken(&code, &bad, &findings(&bad)));
        let close = findings(&good);
        let is_clean = close.iter().all(|(found, severity, _)| *found != code && *severity < Severity::Error);
        assert!(is_clean, "{code}: {close:?} in:\n{good}");
    }
    messages
}

/// The messages of the rules in Alloy, each for its example.
///
/// # Panics
/// If a rule lacks something, does not find its example, or something is found in the other one; `may_be` says what
/// may.
pub(crate) fn in_alloy(files: &RuleFiles, may_be: &[&str], findings: impl Fn(&str) -> Findings) -> String {
    let mut messages = String::new();
    for (_, listed) in files.rules() {
        let code = listed.description.rule.code.to_string();
        assert!(listed.description.is_complete(), "{code} has a message, a place and help");
        let example = files.example(&code).unwrap_or_else(|| panic!("{code} has no example"));
        let _ = writeln!(messages, "{}", broken(&code, example.bad, &findings(example.bad)));
        let close: Vec<String> = findings(example.good).into_iter().map(|(code, ..)| code).collect();
        let close: Vec<_> = close.iter().filter(|one| !may_be.contains(&one.as_str())).collect();
        assert!(close.is_empty(), "{code}: {close:?} is found in:\n{}", example.good);
    }
    messages
}
