//! Forms that only the Simple Profile has: filters, condition clauses, mappings, namespaces; part of the
//! [walk](crate::form::walk) over a file.
//!
//! A form that published files have and several tools accept is a warning here; one that the grammar excludes and none
//! of them needs is an error.

use locus_source::tree::Entry;
use locus_source::{Finding, Node, Severity};

use crate::form::walk::Walk;
use crate::read::files::scheme;
use crate::read::grammar::{CONDITION, FILTERED_CAPABILITY};
use crate::read::scalar::number_and_unit;
use crate::read::version::Version;
use crate::report::{did_you_mean, kind, listed, short};
use crate::rules;
use crate::types::units::Units;
use crate::types::world::World;

/// The operators that join condition clauses. The last is an older word for the first.
pub(crate) const JOINED_BY: [&str; 4] = ["and", "or", "not", "assert"];

impl<'t> Walk<'_, 't> {
    /// Warns of a form that the grammar excludes and published files have all the same.
    pub(crate) fn tolerated(&self, node: Node<'_>, what: &str, wanted: &str, section: &str) {
        let message = format!("{what} must be {wanted}, not {}", kind(node));
        let mut finding = Finding::new(&rules::WRONG_KIND, node.use_place(), message);
        finding.severity = Severity::Warning;
        self.world.add(self.file, finding.note(format!("Simple Profile 1.3, section {section}")));
    }

    /// The name of a namespace.
    pub(crate) fn uri(&self, node: Node<'t>, name: &str) {
        let Some(text) = node.as_str() else {
            self.expected(node, name, "a URI");
            return;
        };
        if scheme(text).is_none_or(|scheme| text.len() == scheme.len() + 1) {
            let message = format!("{name} is `{}`, which is not a URI", short(text));
            let finding = Finding::new(&rules::NAMESPACE, node.use_place(), message);
            let help = "a URI starts with a scheme, as in `https://example.org/types` or `urn:example:types`";
            self.world.add(self.file, finding.help(help));
        }
    }

    /// The properties of a node filter, or of a capability in one.
    pub(crate) fn property_filters(&self, node: Node<'t>, name: &str) {
        for item in self.listed(node, name) {
            self.single(item, name, "the property");
        }
    }

    /// The capabilities of a node filter.
    pub(crate) fn capability_filters(&self, node: Node<'t>, name: &str) {
        for item in self.listed(node, name).filter(|item| item.as_str().is_none()) {
            if let Some(entry) = self.single(item, name, "the capability") {
                self.element(entry.value, &FILTERED_CAPABILITY);
            }
        }
    }

    /// The entry of a map with one key. With several, as where the indentation is wrong, it is a warning, since tools
    /// accept it.
    fn single(&self, item: Node<'t>, name: &str, what: &str) -> Option<Entry<'t>> {
        let mut entries = item.entries();
        let (first, second) = (entries.next(), entries.next());
        if first.is_none() || second.is_some() {
            let message = format!("an item of {name} must be a map with one key, {what}");
            let mut finding = Finding::new(&rules::WRONG_KIND, item.use_place(), message);
            if first.is_some() {
                finding.severity = Severity::Warning;
            }
            self.world.add(self.file, finding.note("Simple Profile 1.3, section 3.6.5"));
        }
        first.filter(|_| second.is_none())
    }

    /// The items of a list; a finding if it is something else.
    fn listed(&self, node: Node<'t>, name: &str) -> impl Iterator<Item = Node<'t>> + use<'t> {
        if !node.is_sequence() {
            self.expected(node, name, "a list of maps with one key each");
        }
        node.items()
    }

    /// The condition of a trigger: a clause, or what version 1.3 calls the extended notation.
    pub(crate) fn condition(&self, node: Node<'t>) {
        // The other versions are not at hand, and the files that they have write all sorts of things here.
        if self.version != Version::V1_3 {
            return;
        }
        if is_extended(node) {
            self.element(node, &CONDITION);
        } else {
            self.clause(node);
        }
    }

    /// A condition clause, or a list of them.
    pub(crate) fn clause(&self, node: Node<'t>) {
        if self.version != Version::V1_3 {
            return;
        }
        if node.is_sequence() {
            node.items().for_each(|item| self.clause(item));
            return;
        }
        if !node.is_mapping() {
            self.expected(node, "a condition", "a map or a list of maps");
            return;
        }
        let joined = node.entries().filter(|entry| JOINED_BY[..3].contains(&entry.key.raw())).count();
        if joined > 1 {
            let message = "a condition has one of `and`, `or` and `not`, not several";
            self.say(&rules::WRONG_KIND, node, message);
        }
        for entry in node.entries() {
            let name = entry.key.raw();
            if !JOINED_BY.contains(&name) {
                self.constraints(entry.value);
            } else if entry.value.is_sequence() {
                self.clause(entry.value);
            } else {
                self.expected(entry.value, &format!("`{name}` of a condition"), "a list");
            }
        }
    }

    /// Whether a property is supported. TOSCA 2.0 has no list of words for it.
    pub(crate) fn status(&self, node: Node<'t>, name: &str) {
        self.text(node, name);
        let words = ["supported", "unsupported", "experimental", "deprecated"];
        if let Some(word) = node.as_str().filter(|word| self.version.is_simple() && !words.contains(word)) {
            let message = format!("{name} is `{}`, which is not one of {}", short(word), listed(words));
            let finding = Finding::new(&rules::WRONG_KIND, node.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, word, words));
        }
    }

    /// The values of a constraint.
    pub(crate) fn several(&self, node: Node<'t>, name: &str, count: Option<usize>) {
        let fits = node.is_sequence() && count.is_none_or(|count| node.len() == count);
        // A map is a function.
        if !fits && !node.is_mapping() {
            let wanted = if count.is_some() { "a list of two values" } else { "a list" };
            let message = format!("{name} must be {wanted}");
            self.say(&rules::WRONG_KIND, node, message);
        }
    }

    /// How long something takes.
    pub(crate) fn time(&self, node: Node<'t>, name: &str) {
        if node.is_mapping() {
            return; // A function.
        }
        let units = Units::time();
        if let Some(unit) = units.in_its_case(node.raw()) {
            let message = format!("{name} is `{}`, and the unit is `{unit}`", short(node.raw()));
            self.say(&rules::UNIT_CASE, node, message);
        } else if !node.is_scalar() {
            self.expected(node, name, "a time such as `60 s`");
        } else if number_and_unit(node.raw()).is_some_and(|(_, unit)| unit == "sec") {
            // The grammar has `# e.g., 60 sec` beside it (3.6.22.3.2), and no such unit (3.3.6.5.1).
            let message = format!("{name} is `{}`, and the unit is `s`", short(node.raw()));
            self.say(&rules::UNIT_CASE, node, message);
        } else if let Err(problem) = units.read(node.raw()) {
            let message = format!("{name} is `{}`, which {problem}", short(node.raw()));
            self.say(&rules::WRONG_KIND, node, message);
        }
    }

    /// How often something is done.
    pub(crate) fn count(&self, node: Node<'t>, name: &str) {
        match node.as_i64() {
            _ if node.is_mapping() => {} // A function.
            Some(1..) => {}
            Some(number) => {
                let message = format!("{name} is {number}, so the condition is never asserted");
                let mut finding = Finding::new(&rules::WRONG_KIND, node.use_place(), message);
                finding.severity = Severity::Warning;
                self.world.add(self.file, finding);
            }
            None => self.expected(node, name, "an integer"),
        }
    }

    /// Checks the targets to which the requirements of a substituted node are mapped.
    pub(crate) fn requirement_mappings(&self, node: Node<'t>, name: &str) {
        if node.is_sequence() {
            self.tolerated(node, &format!("{name} of a substitution mapping"), "a map", "3.8.13.1");
        } else {
            self.map(node, name);
        }
    }

    /// Checks the targets to which the interfaces of a substituted node are mapped.
    pub(crate) fn interface_mappings(&self, node: Node<'t>, name: &str) {
        self.map(node, name);
        for entry in node.entries().filter(|entry| !entry.value.is_null()) {
            let what = format!("the interface `{}` of a substitution mapping", short(entry.key.raw()));
            let wanted = "a map from operations to workflows";
            if entry.value.is_sequence() {
                self.tolerated(entry.value, &what, wanted, "3.8.12");
            } else if !entry.value.is_mapping() {
                self.expected(entry.value, &what, wanted);
            }
        }
    }
}

/// Checks what the Simple Profile demands of the YAML file of an archive that has no TOSCA.meta.
pub(crate) fn entry_of_archive(world: &World<'_>) {
    let root = world.file(0).tree.root();
    let metadata = root.get("metadata");
    let has = |name: &str| metadata.and_then(|all| all.get(name)).is_some_and(|one| !one.is_null());
    let missing: Vec<&str> =
        ["template_name", "template_version"].into_iter().filter(|name| !has(name)).collect();
    let first = root.entries().next();
    if let (false, Some(first)) = (missing.is_empty() || !world.version(0).is_simple(), first) {
        let message = format!(
            "the archive has no TOSCA.meta, and the metadata of its file have no {}",
            listed(missing)
        );
        let finding = Finding::new(&rules::UNNAMED_ARCHIVE, first.key.use_place(), message);
        world.add(
            0,
            finding.help("add it to `metadata`, or a file `TOSCA-Metadata/TOSCA.meta` to the archive"),
        );
    }
}

/// Whether the condition of a trigger is in the extended notation, whose keynames may be names of attributes as well:
/// the constraints of an attribute are a list.
pub(crate) fn is_extended(condition: Node<'_>) -> bool {
    let is_scalar = |name: &&str| condition.get(name).is_some_and(Node::is_scalar);
    condition.get("constraint").is_some() || ["period", "evaluations", "method"].iter().any(is_scalar)
}
