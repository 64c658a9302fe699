//! Findings: everything that Locus tells a user about a file.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::{Fix, Place, Rule, RuleCode, Sources};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably not what was meant.
    Warning,
    /// Wrong: what the file describes cannot be, or cannot be built.
    Error,
}

impl Severity {
    /// `error`, `warning` or `note`: the word in every rendering.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

impl std::str::FromStr for Severity {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        [Self::Note, Self::Warning, Self::Error].into_iter().find(|s| s.as_str() == word).ok_or(())
    }
}

/// A place and what is to be said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub place: Place,
    /// A word on its part in the finding ("VM1 already has it"); may be empty.
    pub message: String,
}

/// Something that Locus tells a user about a file.
///
/// The message alone suffices to understand what is wrong; places say where, help says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The rule that it comes from.
    pub code: RuleCode,
    /// How bad it is.
    pub severity: Severity,
    /// The fault, in one sentence without a full stop, naming the things involved.
    pub message: String,
    /// Where.
    pub primary: Label,
    /// The other places involved.
    pub secondary: Vec<Label>,
    /// Further facts that belong to no place.
    pub notes: Vec<String>,
    /// Advice: how to mend it.
    pub help: Option<String>,
    /// How to do it.
    pub fix: Option<Fix>,
    /// How many findings more there are about the same file, which are not listed.
    pub more: usize,
}

/// Orders findings by file name, position, code and message, and drops those that say the same of the same
/// place. The result does not depend on the order of arrival, so neither do parallel runs.
pub fn sort_and_dedup(findings: &mut Vec<Finding>, sources: &Sources) {
    let by_name = |a: &Finding, b: &Finding| {
        if a.primary.place.file == b.primary.place.file {
            return Ordering::Equal;
        }
        let (a, b) = (sources.get(a.primary.place.file), sources.get(b.primary.place.file));
        a.name().cmp(b.name())
    };
    findings.sort_by(|a, b| {
        by_name(a, b)
            .then_with(|| a.primary.place.span.cmp(&b.primary.place.span))
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.code.cmp(&b.code))
            .then_with(|| a.message.cmp(&b.message))
    });
    findings.dedup_by(|b, a| {
        let same = a.code == b.code
            && a.primary.place.span == b.primary.place.span
            && by_name(a, b).is_eq()
            && a.message == b.message;
        if same {
            a.more = a.more.max(b.more);
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    const RULE: Rule = Rule::new("TST001", "test", Severity::Error, "A test.", "");
    const OTHER: Rule = Rule::new("TST002", "other", Severity::Warning, "Another.", "");
    const RARE: Rule = Rule::new("TST003", "rare", Severity::Warning, "A third.", "");

    #[test]
    fn what_is_not_kept_is_counted_and_errors_are_kept() {
        let sources = Sources::new();
        let place = sources.add("a", "text").place(Span::point(0));
        let mut collected = Collected::new(20);
        for _ in 0..30 {
            collected.add(Finding::new(&OTHER, place, "wrong"));
        }
        for rule in [&RULE, &OTHER, &RARE] {
            collected.add(Finding::new(rule, place, "wrong"));
        }
        collected.add_more(10);
        let mut findings = collected.into_vec();
        let shown: Vec<_> = findings[19..].iter().map(|one| (one.code.as_str(), one.more)).collect();
        assert_eq!(shown, [("TST002", 0), ("TST001", 0), ("TST003", 21)]);
        // Whoever silences the last of them does not silence those that are not listed.
        retain(&mut findings, |finding| finding.code != RARE.code);
        assert_eq!((findings.len(), findings[20].more), (21, 21));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let sources = Sources::new();
        let place = sources.add("a", "text").place(Span::point(0));
        let mut collected = Collected::new(2);
        for rule in [&RULE, &OTHER].repeat(100) {
            collected.add(Finding::new(rule, place, "wrong"));
        }
        assert!(collected.is_full() && collected.len() <= 2 * LEAST_OF_CODE);
        assert_eq!(collected.into_vec().iter().map(|one| 1 + one.more).sum::<usize>(), 200);
    }

    #[test]
    fn order_and_duplicates_do_not_depend_on_arrival() {
        let sources = Sources::new();
        let b = sources.add("b", "text").id();
        let a = sources.add("a", "text").id();
        let finding =
            |rule, file, start| Finding::new(rule, Place::new(file, Span::new(start, start + 1)), "wrong");
        let sorted =
            vec![finding(&RULE, a, 0), finding(&OTHER, a, 0), finding(&RULE, a, 2), finding(&RULE, b, 1)];
        let mut shuffled: Vec<_> = [3, 1, 2, 0, 2, 1].map(|i: usize| sorted[i].clone()).into();
        sort_and_dedup(&mut shuffled, &sources);
        assert_eq!(shuffled, sorted);
    }
}
