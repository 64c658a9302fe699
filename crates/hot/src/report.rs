//! Findings as they are collected: not more than anybody reads.

use locus_source::{Collected, FileId, Finding, Label, Node, Place, Rule};
use rustc_hash::FxHashMap;

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

    /// How many findings were kept.
    pub(crate) fn len(&self) -> usize {
        self.findings.len()
    }

    /// Those that were kept since there were so many.
    pub(crate) fn since(&mut self, before: usize) -> &mut [Finding] {
        self.findings.since(before)
    }

    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_vec()
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

/// So many places are named where a rule is broken many times in a file.
const PLACES: usize = 10;

/// Makes one finding of all those of a rule in a file: the first, with the places of the others.
pub(crate) fn once_a_file(findings: Vec<Finding>, rule: &Rule) -> Vec<Finding> {
    let mut kept: Vec<Finding> = Vec::new();
    // For each file the first finding among those that are kept, and how many there are.
    let mut firsts: FxHashMap<FileId, (usize, usize)> = FxHashMap::default();
    for finding in findings {
        if finding.code != rule.code {
            kept.push(finding);
            continue;
        }
        let (first, count) = firsts.entry(finding.primary.place.file).or_insert((kept.len(), 0));
        *count += 1;
        if *count == 1 {
            kept.push(finding);
        } else if *count <= PLACES {
            kept[*first].secondary.push(Label { place: finding.primary.place, message: finding.message });
        }
    }
    for (first, count) in firsts.into_values().filter(|(_, count)| *count > 1) {
        let finding = &mut kept[first];
        let more = format!("{}, and {} more in this file", finding.message, count - 1);
        finding.message = more;
    }
    kept
}
