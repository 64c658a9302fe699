//! Reading the entries of a mapping that has certain keys and no others.

use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Node, tree::Entry};

use crate::rules::{MISSING_KEY, UNKNOWN_KEY, WRONG_TYPE};

/// The findings of a reading, as they are collected.
pub(super) struct Report {
    findings: locus_source::Report,
}

/// After this many, we only count.
const MOST: usize = 200;

impl Default for Report {
    fn default() -> Self {
        Self { findings: locus_source::Report::new(MOST) }
    }
}

impl Report {
    pub(super) fn add(&mut self, finding: impl FnOnce() -> Finding) {
        self.findings.add_while_few(finding);
    }

    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings.into_vec()
    }

    /// Says that a node is not what it should be.
    pub(super) fn wrong_type(&mut self, node: Node<'_>, what: &str, expected: &str) {
        self.add(|| {
            let message = format!("{what} must be {expected}, not {}", node.kind_name());
            let finding = Finding::new(&WRONG_TYPE, node.use_place(), message);
            let is_scalar = !node.is_mapping() && !node.is_sequence() && !node.raw().is_empty();
            if expected == "a string" && is_scalar {
                finding.help(format!("put it in quotes to make it a string: \"{}\"", node.raw()))
            } else {
                finding
            }
        });
    }

    /// Says that a mapping lacks a key.
    pub(super) fn missing(&mut self, node: Node<'_>, message: &str, help: &str) {
        self.add(|| Finding::new(&MISSING_KEY, node.use_place(), message).help(help));
    }

    /// The text of a string; else says what is wrong.
    pub(super) fn string<'t>(&mut self, node: Node<'t>, what: &str) -> Option<&'t str> {
        let text = node.as_str();
        if text.is_none() {
            self.wrong_type(node, what, "a string");
        }
        text
    }

    /// The entries of a mapping whose keys are texts. Of repeated keys, which the reader of the tree has
    /// reported, the last counts.
    pub(super) fn entries<'t>(&mut self, node: Node<'t>, what: &str) -> Vec<(&'t str, Entry<'t>)> {
        let mut entries = Vec::new();
        for entry in node.entries() {
            let Some(key) = self.string(entry.key, what) else { continue };
            let counts = |last: Entry<'t>| last.key.is_same(entry.key) && last.value.is_same(entry.value);
            if node.get_entry(key).is_none_or(counts) {
                entries.push((key, entry));
            }
        }
        entries
    }

    /// The values of the known keys of a mapping, in the order of `known`; says which keys are not known.
    pub(super) fn fields<'t, const N: usize>(
        &mut self,
        node: Node<'t>,
        of: &str,
        known: &[&str; N],
    ) -> [Option<Node<'t>>; N] {
        let mut fields = [None; N];
        for entry in node.entries() {
            let Some(key) = self.string(entry.key, &format!("a key of {of}")) else { continue };
            match known.iter().position(|name| *name == key) {
                Some(index) => fields[index] = Some(entry.value),
                None => self.unknown(entry.key, key, of, known),
            }
        }
        fields
    }

    fn unknown(&mut self, node: Node<'_>, key: &str, of: &str, known: &[&str]) {
        self.add(|| {
            let finding =
                Finding::new(&UNKNOWN_KEY, node.use_place(), format!("{of} has no key `{}`", short(key)));
            did_you_mean_word(
                finding.help(format!("its keys are {}", list(known))),
                key,
                known.iter().copied(),
            )
        });
    }
}

fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
