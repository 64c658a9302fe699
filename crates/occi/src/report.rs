//! Findings as they are collected: not more than anybody reads.

use std::cell::RefCell;

use locus_source::{Collected, Finding};

/// After this many findings the rest is only counted.
const MOST: usize = 1_000;

/// The findings so far. They come from many places, so it is shared.
#[derive(Debug)]
pub(crate) struct Report(RefCell<Collected>);

impl Default for Report {
    fn default() -> Self {
        Self(RefCell::new(Collected::new(MOST)))
    }
}

impl Report {
    pub(crate) fn add(&self, finding: Finding) {
        self.0.borrow_mut().add(finding);
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.0.into_inner().into_vec()
    }
}
