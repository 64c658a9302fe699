//! Keys that stand twice in one map. YAML forbids it, and Heat's reader takes the last one without a word: a warning,
//! which says whether something that is written is lost.

use locus_source::{Finding, Node, Place, Severity, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

/// The code of the finding about such keys, which comes from the reader of YAML.
const CODE: &str = "YML002";

/// Makes warnings of findings about repeated keys, and says what Heat does.
pub(crate) fn judge(findings: &mut [Finding], trees: &[Tree]) {
    let mut repeated: Vec<&mut Finding> =
        findings.iter_mut().filter(|one| one.code.as_str() == CODE).collect();
    if repeated.is_empty() {
        return;
    }
    let mut harmless = FxHashSet::default();
    for tree in trees {
        collect(tree.root(), &mut harmless);
    }
    for finding in &mut repeated {
        finding.severity = Severity::Warning;
        if harmless.contains(&finding.primary.place) {
            finding.notes.push("both values are the same, so nothing is lost".to_owned());
        } else {
            finding.notes.push("Heat takes the last one, and the other is lost".to_owned());
        }
    }
}

/// The places of keys that repeat another one with the same value.
fn collect(node: Node<'_>, harmless: &mut FxHashSet<Place>) {
    if node.is_mapping() {
        let mut values: FxHashMap<&str, Node<'_>> = FxHashMap::default();
        for entry in node.written_entries() {
            if let Some(before) = values.insert(entry.key.raw(), entry.value)
                && same(before, entry.value)
            {
                harmless.insert(entry.key.place());
            }
            collect(entry.value, harmless);
        }
    } else {
        node.items().for_each(|item| collect(item, harmless));
    }
}

fn same(one: Node<'_>, other: Node<'_>) -> bool {
    if one.is_mapping() && other.is_mapping() {
        one.len() == other.len()
            && one.entries().zip(other.entries()).all(|(a, b)| same(a.key, b.key) && same(a.value, b.value))
    } else if one.is_sequence() && other.is_sequence() {
        one.len() == other.len() && one.items().zip(other.items()).all(|(a, b)| same(a, b))
    } else {
        one.is_scalar() && one.kind_name() == other.kind_name() && one.raw() == other.raw()
    }
}
