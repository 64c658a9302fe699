//! Reading the entries of a mapping that has certain keys and no others.

use locus_source::words::{did_you_mean, did_you_mean_word, short};
use locus_source::{Finding, Node, tree::Entry};

use crate::rules::{MISSING_KEY, REPEATED_NAME, UNKNOWN_KEY, UNKNOWN_NAME, WRONG_TYPE};

/// The findings of a reading, as they are collected.
pub(super) struct Report {
    findings: locus_source::Report,
}

/// After this many, findings are only counted.
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

    pub(super) fn wrong_type(&mut self, node: Node<'_>, what: &str, expected: &str) {
        let message = format!("{what} must be {expected}, not {}", node.kind_name());
        self.add(|| Finding::new(&WRONG_TYPE, node.use_place(), message));
    }

    /// True or false; false if it is neither, which is said.
    pub(super) fn boolean(&mut self, node: Node<'_>, what: &str) -> bool {
        node.as_bool().unwrap_or_else(|| {
            self.wrong_type(node, what, "true or false");
            false
        })
    }

    pub(super) fn missing(&mut self, node: Node<'_>, message: &str, help: &str) {
        self.add(|| Finding::new(&MISSING_KEY, node.use_place(), message).help(help));
    }

    pub(super) fn repeated(&mut self, node: Node<'_>, message: String) {
        self.add(|| Finding::new(&REPEATED_NAME, node.use_place(), message));
    }

    /// Says that nothing has a name; of the names that there are, the nearest is proposed.
    pub(super) fn unknown<'a>(
        &mut self,
        node: Node<'_>,
        message: String,
        name: &str,
        known: impl Iterator<Item = &'a str>,
    ) {
        self.add(|| {
            let finding = Finding::new(&UNKNOWN_NAME, node.use_place(), message);
            did_you_mean(finding, name, known)
        });
    }

    pub(super) fn string<'t>(&mut self, node: Node<'t>, what: &str) -> Option<&'t str> {
        let text = node.as_str();
        if text.is_none() {
            self.wrong_type(node, what, "a string");
        }
        text
    }

    /// A whole number from `least` to 4,294,967,295.
    pub(super) fn number(&mut self, node: Node<'_>, what: &str, least: u32) -> Option<u64> {
        let number = node.as_i64().filter(|n| (i64::from(least)..=i64::from(u32::MAX)).contains(n));
        if number.is_none() {
            let message = format!("{what} must be a whole number from {least} to {}", u32::MAX);
            self.add(|| Finding::new(&WRONG_TYPE, node.use_place(), message));
        }
        number.map(i64::cast_unsigned)
    }

    /// The entries of a mapping whose keys are texts. Of repeated keys, which the reader of the tree has reported, the
    /// last counts.
    pub(super) fn entries<'t>(&mut self, node: Node<'t>, what: &str) -> Vec<(&'t str, Entry<'t>)> {
        if !node.is_mapping() && !node.is_null() {
            self.wrong_type(node, what, "the key of a mapping");
        }
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
        if !node.is_mapping() && !node.is_null() {
            self.wrong_type(node, of, "a mapping");
        }
        for entry in node.entries() {
            let Some(key) = self.string(entry.key, &format!("a key of {of}")) else { continue };
            match known.iter().position(|name| *name == key) {
                Some(index) => fields[index] = Some(entry.value),
                None => self.add(|| {
                    let message = format!("{of} has no key `{}`", short(key));
                    let finding = Finding::new(&UNKNOWN_KEY, entry.key.use_place(), message);
                    let finding = finding.help(format!("its keys are `{}`", known.join("`, `")));
                    did_you_mean_word(finding, key, known.iter().copied())
                }),
            }
        }
        fields
    }
}
