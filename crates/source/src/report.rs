//! Reports: the findings about a file as they are collected, not more than anybody reads.
//!
//! Out of scope: what findings are, and how they are written.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::{Finding, Place, Rule, RuleCode, Severity};

/// After this many findings the rest is only counted, unless a reader says another number.
const MOST: usize = 2_000;

/// Findings about a file as they are collected: not more than anybody reads, and how many more there are. A hostile
/// file must not make us hold millions.
///
/// Those that are not kept never change a verdict: errors have room of their own, and so have the first findings of
/// each code, since a configuration may give any code another severity.
#[derive(Debug)]
pub struct Report {
    findings: Vec<Finding>,
    most: usize,
    errors: usize,
    /// How many of each code there were, once there is no more room for all.
    of_code: BTreeMap<RuleCode, usize>,
    more: usize,
}

/// So many findings of each code are kept, however many others there are.
const LEAST_OF_CODE: usize = 10;

impl Default for Report {
    fn default() -> Self {
        Self::new(MOST)
    }
}

impl Report {
    /// At most so many, and as many errors, and a few of each code.
    pub fn new(most: usize) -> Self {
        Self { findings: Vec::new(), most, errors: 0, of_code: BTreeMap::new(), more: 0 }
    }

    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        let is_error = finding.severity == Severity::Error;
        let room = if is_error { self.errors < self.most } else { self.others() < self.most };
        if room || self.is_rare(&finding.code) {
            self.errors += usize::from(is_error);
            self.findings.push(finding);
        } else {
            self.more += 1 + finding.more;
        }
    }

    /// Adds a finding without help.
    pub fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }

    /// Adds a finding of a text whose every byte may be wrong: it is made only while there are few errors.
    pub fn add_while_few(&mut self, finding: impl FnOnce() -> Finding) {
        if self.is_full() {
            self.more += 1;
        } else {
            self.add(finding());
        }
    }

    /// Whether a code is one of which few were kept.
    fn is_rare(&mut self, code: &RuleCode) -> bool {
        if self.of_code.is_empty() {
            for one in &self.findings {
                *self.of_code.entry(one.code.clone()).or_default() += 1;
            }
        }
        let count = self.of_code.entry(code.clone()).or_default();
        *count += 1;
        *count <= LEAST_OF_CODE
    }

    /// How many are not errors.
    fn others(&self) -> usize {
        self.findings.len() - self.errors
    }

    /// So many more were found elsewhere and not kept.
    pub fn add_more(&mut self, more: usize) {
        self.more += more;
    }

    /// Whether there are more errors than anybody reads.
    pub fn is_full(&self) -> bool {
        self.errors >= self.most
    }

    /// How many were kept. They stay in their places.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Whether there is an error.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Those that were kept since there were so many, to say them in other words.
    pub fn since(&mut self, before: usize) -> &mut [Finding] {
        &mut self.findings[before..]
    }

    /// Those that were kept; the last of them says how many more there are.
    pub fn into_vec(mut self) -> Vec<Finding> {
        if let Some(last) = self.findings.last_mut() {
            last.more += self.more;
        }
        self.findings
    }
}

/// A report to which many places add, such as readers of further files and values that are evaluated on demand.
#[derive(Debug, Default)]
pub struct SharedReport(RefCell<Report>);

impl SharedReport {
    /// At most so many findings.
    pub fn new(most: usize) -> Self {
        Self(RefCell::new(Report::new(most)))
    }

    /// Adds a finding.
    pub fn add(&self, finding: Finding) {
        self.0.borrow_mut().add(finding);
    }

    /// Adds a finding without help.
    pub fn say(&self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }

    /// The findings that were kept.
    pub fn into_vec(self) -> Vec<Finding> {
        self.0.into_inner().into_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::retain;
    use crate::{Sources, Span};

    const RULE: Rule = Rule::new("TST001", "test", Severity::Error, "A test.", "");
    const OTHER: Rule = Rule::new("TST002", "other", Severity::Warning, "Another.", "");
    const RARE: Rule = Rule::new("TST003", "rare", Severity::Warning, "A third.", "");

    #[test]
    fn what_is_not_kept_is_counted_and_errors_are_kept() {
        let sources = Sources::new();
        let place = sources.add("a", "text").place(Span::point(0));
        let mut collected = Report::new(20);
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
        let mut collected = Report::new(2);
        for rule in [&RULE, &OTHER].repeat(100) {
            collected.add(Finding::new(rule, place, "wrong"));
        }
        assert!(collected.is_full() && collected.len() <= 2 * LEAST_OF_CODE);
        assert_eq!(collected.into_vec().iter().map(|one| 1 + one.more).sum::<usize>(), 200);
    }
}
