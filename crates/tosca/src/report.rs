//! Findings as they are collected: not more than anybody reads.

use std::cell::Cell;

pub(crate) use locus_source::words::{did_you_mean, did_you_mean_word, listed, short};
use locus_source::{Finding, Node, Place, Rule, SharedReport};

use crate::rules;

/// The findings so far. Values are evaluated on demand from many places, so it is shared.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: SharedReport,
    /// While something is only tried, nothing is kept.
    muted: Cell<bool>,
    /// Whether something was said of a path that leads to nothing, since the last time when nothing was to be kept.
    lost: Cell<bool>,
}

impl Report {
    /// Keeps nothing, or everything again. Gives how it was.
    pub(crate) fn mute(&self, muted: bool) -> bool {
        self.lost.set(false);
        self.muted.replace(muted)
    }

    /// Whether what is tried follows a path that leads to nothing.
    pub(crate) fn has_lost_its_way(&self) -> bool {
        self.lost.get()
    }

    pub(crate) fn add(&self, finding: Finding) {
        if self.muted.get() {
            self.lost.set(self.lost.get() || finding.code == rules::PATH.code);
            return;
        }
        self.findings.add(finding);
    }

    pub(crate) fn say(&self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_vec()
    }
}

/// The kind of a node, in the words of TOSCA.
pub(crate) fn kind(node: Node<'_>) -> &'static str {
    match node.kind_name() {
        "a sequence" => "a list",
        "a mapping" => "a map",
        "a number" => "a float",
        other => other,
    }
}
