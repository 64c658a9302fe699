//! Findings as they are collected: not more than anybody reads.

use std::cell::RefCell;
use std::sync::Arc;

use locus_source::{Finding, Place, SharedReport};

/// So many places of arguments without a value are kept.
const MOST: usize = 1_000;

/// The findings so far. Definitions are loaded from many places, so it is shared.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: SharedReport,
    /// Where arguments without a value are used, and their names.
    open: RefCell<Vec<(Place, Arc<str>)>>,
}

impl Report {
    pub(crate) fn add(&self, finding: Finding) {
        self.findings.add(finding);
    }

    /// An argument without a value is used.
    pub(crate) fn open(&self, place: Place, name: &str) {
        let mut open = self.open.borrow_mut();
        if open.len() < MOST {
            open.push((place, name.into()));
        }
    }

    /// The findings, and where arguments without a value are used.
    pub(crate) fn finish(self) -> (Vec<Finding>, Vec<(Place, Arc<str>)>) {
        let mut open = self.open.into_inner();
        open.sort_unstable();
        open.dedup();
        (self.findings.into_vec(), open)
    }
}
