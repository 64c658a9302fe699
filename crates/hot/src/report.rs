//! Findings as they are collected: not more than anybody reads.

use locus_source::{Finding, Node, Place, Rule};

/// After this many findings the rest is not kept.
const MOST: usize = 2_000;

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) findings: Vec<Finding>,
    dropped: bool,
}

impl Report {
    pub(crate) fn add(&mut self, finding: Finding) {
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

    pub(crate) fn say(&mut self, rule: &Rule, place: Place, message: impl Into<String>) {
        self.add(Finding::new(rule, place, message));
    }

    /// Something that should be of another kind.
    pub(crate) fn expected(&mut self, rule: &Rule, node: Node<'_>, what: &str, wanted: &str) {
        // The words of HOT, not those of YAML.
        let kind = match node.kind_name() {
            "a sequence" => "a list",
            "a mapping" => "a map",
            other => other,
        };
        let message = format!("{what} must be {wanted}, not {kind}");
        self.add(Finding::new(rule, node.use_place(), message));
    }
}
