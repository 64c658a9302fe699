//! Findings as they are collected: not more than anybody reads.

use locus_source::{Collected, Finding, Place, Rule};

/// After this many findings the rest is only counted.
const MOST: usize = 2_000;

/// The findings so far.
#[derive(Debug)]
pub(crate) struct Report {
    findings: Collected,
}

impl Default for Report {
    fn default() -> Self {
        Self { findings: Collected::new(MOST) }
    }
}

impl Report {
    pub(crate) fn add(&mut self, finding: Finding) {
        self.findings.add(finding);
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_vec()
    }

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }
}
