//! Findings as they are collected: not more than anybody reads.

use std::collections::BTreeSet;

use locus_source::{Finding, Label, Place, Rule, Severity};
use rustc_hash::FxHashMap;

use crate::values::template::Made;
use crate::{Undeclared, rules};

/// So many other places that use a variable are shown.
const PLACES: usize = 5;

/// The findings so far.
#[derive(Debug)]
pub(crate) struct Report {
    findings: locus_source::Report,
    /// Whether there is an error after which nothing more can be said.
    failed: bool,
    /// Names of variables that the environment has and whose values are not to be seen.
    pub(crate) hidden: BTreeSet<String>,
    /// Values with such a variable.
    pub(crate) unknown: Vec<(String, Place)>,
    /// Networks and volumes that services use and nothing declares.
    pub(crate) undeclared: Vec<Undeclared>,
    /// The finding about each variable that is not set.
    unset: FxHashMap<String, usize>,
    /// The strings that were made of variables.
    pub(crate) made: Made,
}

/// The contents of a report at the end.
pub(crate) struct Reported {
    pub(crate) findings: Vec<Finding>,
    pub(crate) unknown: Vec<(String, Place)>,
    pub(crate) undeclared: Vec<Undeclared>,
}

impl Default for Report {
    fn default() -> Self {
        Self::hiding(BTreeSet::new())
    }
}

impl Report {
    /// Without findings, about files that use no value of some variables.
    pub(crate) fn hiding(hidden: BTreeSet<String>) -> Self {
        Self {
            findings: locus_source::Report::default(),
            failed: false,
            hidden,
            unknown: Vec::new(),
            undeclared: Vec::new(),
            unset: FxHashMap::default(),
            made: Made::default(),
        }
    }

    /// Whether there is an error after which nothing more can be said.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether something is an error, so that Compose would refuse the files.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.has_errors()
    }

    pub(crate) fn finish(self) -> Reported {
        let Self { findings, unknown, undeclared, .. } = self;
        Reported { findings: findings.into_vec(), unknown, undeclared }
    }

    pub(crate) fn add(&mut self, finding: Finding) {
        self.failed |= finding.severity == Severity::Error;
        self.findings.add(finding);
    }

    /// Adds an error that was corrected, as far as reading on goes.
    pub(crate) fn add_and_go_on(&mut self, finding: Finding) {
        self.findings.add(finding);
    }

    /// Says that a variable is not set, once for all places that use it.
    pub(crate) fn unset(&mut self, name: &str, place: Place) {
        if let Some(at) = self.unset.get(name) {
            let finding = &mut self.findings.since(*at)[0];
            let other = Label { place, message: "also used here".to_owned() };
            if finding.secondary.len() < PLACES && finding.primary.place != place {
                finding.secondary.push(other);
            }
            return;
        }
        let message = format!("the variable `{name}` is not set and becomes an empty string");
        let help = format!("set it in the environment or in `.env`, or write `${{{name}:-default}}`");
        let at = self.findings.len();
        self.add(Finding::new(&rules::UNSET_VARIABLE, place, message).help(help));
        if self.findings.len() > at {
            self.unset.insert(name.to_owned(), at);
        }
    }

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }
}
