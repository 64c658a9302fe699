//! Findings as they are collected: not more than anybody reads.

use std::cell::{Cell, RefCell};

pub(crate) use locus_schema::words::{did_you_mean, did_you_mean_word};
use locus_source::{Collected, Finding, Node, Place, Rule};

use crate::rules;

/// After this many findings the rest is only counted.
const MOST: usize = 2_000;

/// The findings so far. Values are evaluated on demand from many places, so it is shared.
#[derive(Debug)]
pub(crate) struct Report {
    findings: RefCell<Collected>,
    /// While something is only tried, nothing is kept.
    muted: Cell<bool>,
    /// Whether something was said of a path that leads to nothing, since the last time when nothing was to be kept.
    lost: Cell<bool>,
}

impl Default for Report {
    fn default() -> Self {
        let findings = RefCell::new(Collected::new(MOST));
        Self { findings, muted: Cell::new(false), lost: Cell::new(false) }
    }
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
        self.findings.borrow_mut().add(finding);
    }

    pub(crate) fn say(&self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_inner().into_vec()
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

/// A text for a message: not longer than a line.
pub(crate) fn short(text: &str) -> String {
    let mut chars = text.chars();
    let short: String = chars.by_ref().take(60).flat_map(char::escape_debug).collect();
    if chars.next().is_some() { format!("{short}…") } else { short }
}

/// The names in a sentence: all of them if they are few.
pub(crate) fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut all = names.into_iter();
    let names: Vec<String> = all.by_ref().take(13).map(|name| format!("`{}`", short(name))).collect();
    if names.len() > 12 {
        return format!("{} and {} others", names[..10].join(", "), 3 + all.count());
    }
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
