//! Findings as they are collected: not more than anybody reads.

use std::collections::BTreeSet;

use locus_source::{Finding, Label, Place, Rule, Severity};
use rustc_hash::FxHashMap;

use crate::template::Made;
use crate::{Undeclared, rules};

/// After this many findings the rest is not kept.
const MOST: usize = 2_000;

/// So many other places that use a variable are shown.
const PLACES: usize = 5;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    /// Whether something is an error, kept or not.
    pub(crate) failed: bool,
    dropped: bool,
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

impl Report {
    /// Without findings, about files that use no value of some variables.
    pub(crate) fn hiding(hidden: BTreeSet<String>) -> Self {
        Self { hidden, ..Self::default() }
    }

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

    /// Says that a variable is not set, once for all places that use it.
    pub(crate) fn unset(&mut self, name: &str, place: Place) {
        if let Some(at) = self.unset.get(name) {
            let finding = &mut self.findings[*at];
            let other = Label { place, message: "also used here".to_owned() };
            if finding.secondary.len() < PLACES && finding.primary.place != place {
                finding.secondary.push(other);
            }
            return;
        }
        let message = format!("the variable `{name}` is not set and becomes an empty string");
        let help = format!("set it in the environment or in `.env`, or write `${{{name}:-default}}`");
        if self.findings.len() < MOST {
            self.unset.insert(name.to_owned(), self.findings.len());
        }
        self.add(Finding::new(&rules::UNSET_VARIABLE, place, message).help(help));
    }

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }
}
