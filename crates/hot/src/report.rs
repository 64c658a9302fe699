//! Findings in the words of HOT, and those that are said once for a file.

use locus_source::{FileId, Finding, Label, Node, Report, Rule};
use rustc_hash::FxHashMap;

/// Says that something should be of another kind.
pub(crate) fn expected(report: &mut Report, rule: &Rule, node: Node<'_>, what: &str, wanted: &str) {
    // The words of HOT, not those of YAML.
    let kind = match node.kind_name() {
        "a sequence" => "a list",
        "a mapping" => "a map",
        other => other,
    };
    report.say(rule, node.use_place(), format!("{what} must be {wanted}, not {kind}"));
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
