//! The walk over a file along the [grammar](crate::read::grammar): keys that do not exist, keys that are missing,
//! values of the wrong kind, names of types that nothing defines.

use locus_source::{Finding, Node, Severity};

use crate::read::grammar::{
    ACTIVITY, ARTIFACT, CONSTRAINT, Element, FILE, Family, IMPORT, Key, Kind, OPERATION,
    OPERATION_ASSIGNMENT, SCHEMA, Short,
};
use crate::read::range::{End, end_of_range};
use crate::read::scalar::is_version;
use crate::read::version::{Version, truth};
use crate::report::{did_you_mean_word, kind, listed, short};
use crate::rules;
use crate::types::names::Meaning;
use crate::types::world::World;

/// Checks the form of a whole file.
pub(crate) fn file(world: &World<'_>, at: usize) {
    let walk = Walk { world, file: at, version: world.version(at) };
    walk.element(world.file(at).tree.root(), &FILE);
}

pub(crate) struct Walk<'w, 't> {
    pub(crate) world: &'w World<'t>,
    pub(crate) file: usize,
    pub(crate) version: Version,
}

impl<'t> Walk<'_, 't> {
    pub(crate) fn say(&self, rule: &locus_source::Rule, node: Node<'_>, message: impl Into<String>) {
        self.world.say(self.file, rule, node.use_place(), message);
    }

    pub(crate) fn expected(&self, node: Node<'_>, what: &str, wanted: &str) {
        self.say(&rules::WRONG_KIND, node, format!("{what} must be {wanted}, not {}", kind(node)));
    }

    pub(crate) fn element(&self, node: Node<'t>, element: &'static Element) {
        if !node.is_mapping() {
            self.in_place_of_map(node, element);
            return;
        }
        let known = |entry: &locus_source::tree::Entry<'_>| {
            element.keys.iter().any(|key| key.name == entry.key.raw())
        };
        if element.short == Short::Any && !node.entries().any(|entry| known(&entry)) {
            return;
        }
        for entry in node.entries() {
            let name = entry.key.raw();
            match element.keys.iter().find(|key| key.name == name && key.is_in(self.version)) {
                Some(key) => self.value(entry.key, entry.value, key, element),
                None => self.other(entry.key, entry.value, element),
            }
        }
        for key in element.keys.iter().filter(|key| key.mandatory && key.is_in(self.version)) {
            if node.get(key.name).is_none() {
                let message = format!("{} needs the keyname `{}`", element.what, key.name);
                let note = match element.section.strip_prefix("Simple Profile: ") {
                    Some(section) => format!("Simple Profile 1.3, section {section}"),
                    None => format!("TOSCA 2.0, section {}", element.section),
                };
                self.world
                    .add(self.file, Finding::new(&rules::MISSING_KEY, node.use_place(), message).note(note));
            }
        }
    }

    /// Something else where a map of keynames is expected.
    fn in_place_of_map(&self, node: Node<'t>, element: &'static Element) {
        let fits = match element.short {
            Short::Any => true,
            Short::Text => node.as_str().is_some(),
            Short::Target => node.as_str().is_some() || node.is_sequence(),
            Short::No => false,
        };
        // `name:` without a value defines something without further detail.
        if fits || node.is_null() {
            return;
        }
        // ETSI SOL001 writes `instantiate: []` for it.
        let nothing = self.version.is_simple() && node.is_sequence() && node.is_empty();
        let is_operation = [&raw const OPERATION, &raw const OPERATION_ASSIGNMENT]
            .iter()
            .any(|one| std::ptr::eq(element, *one));
        if nothing && is_operation {
            self.tolerated(node, element.what, "a map or a string", "3.6.17");
            return;
        }
        let wanted = match element.short {
            Short::Text => "a map or a string",
            Short::Target => "a map, a string or a list",
            _ => "a map",
        };
        self.expected(node, element.what, wanted);
    }

    /// A key that the element has not, in this version.
    fn other(&self, key: Node<'t>, value: Node<'t>, element: &'static Element) {
        if let Some(others) = element.others.filter(|_| self.version.is_simple()) {
            self.element(value, others);
            return;
        }
        let name = key.raw();
        let version = self.version;
        let message = format!("{} has no keyname `{}` in {version}", element.what, short(name));
        let mut finding = Finding::new(&rules::UNKNOWN_KEY, key.use_place(), message);
        let here = || element.keys.iter().filter(|key| key.is_in(version)).map(|key| key.name);
        finding = did_you_mean_word(finding, name, here());
        if element.keys.iter().any(|key| key.name == name) {
            finding.fix = None;
            finding = finding.help(format!("other versions have it; {version} has {}", listed(here())));
        } else if element.others.is_some() {
            finding = finding.help("from TOSCA 2.0 on, operations are under `operations`");
        }
        self.world.add(self.file, finding);
    }

    fn value(&self, key: Node<'t>, node: Node<'t>, row: &'static Key, element: &'static Element) {
        if row.dropped && self.version == Version::V2_0 {
            let message = format!("{} has no keyname `{}` any more; it is ignored", element.what, row.name);
            self.say(&rules::DROPPED_KEY, key, message);
            return;
        }
        let name = format!("`{}`", row.name);
        if node.is_null() && (row.kind.is_section() || self.version.is_simple()) {
            if !matches!(row.kind, Kind::Any) {
                self.empty(key, row.kind.is_section());
            }
            return;
        }
        match row.kind {
            Kind::Any => {}
            Kind::Text => self.text(node, &name),
            Kind::Bool => self.boolean(node, &name),
            Kind::Version => self.version_string(node, &name),
            Kind::YamlMap => self.metadata(node, &name),
            Kind::Values => self.map(node, &name),
            Kind::TextList => self.text_list(node, &name),
            Kind::Range => self.range(node, &name),
            Kind::Name(family) => self.type_name(node, &[family], &name),
            Kind::Names(families) => self.type_names(node, families, &name),
            Kind::Map(inner) => self.map_of(node, inner, &name),
            Kind::Named(inner) => self.list_of_named(node, inner, &name),
            Kind::List(inner) => self.list_of(node, inner, &name),
            Kind::One(inner) => self.element(node, inner),
            Kind::Old(inner) => {
                if self.version.is_simple() {
                    self.element(node, inner);
                }
            }
            Kind::Constraints => self.constraints(node),
            Kind::PropertyFilters => self.property_filters(node, &name),
            Kind::CapabilityFilters => self.capability_filters(node, &name),
            Kind::Condition => self.condition(node),
            Kind::Clause => self.clause(node),
            Kind::Time => self.time(node, &name),
            Kind::Count => self.count(node, &name),
            Kind::Uri => self.uri(node, &name),
            Kind::Status => self.status(node, &name),
            Kind::Several => self.several(node, &name, None),
            Kind::Two => self.several(node, &name, Some(2)),
            Kind::RequirementMappings => self.requirement_mappings(node, &name),
            Kind::InterfaceMappings => self.interface_mappings(node, &name),
            Kind::TextOr(inner) => self.text_or(node, inner),
            Kind::Imports => self.imports(node),
            Kind::Dsl => self.dsl(node),
            Kind::Activities => self.activities(node, &name),
        }
    }

    /// A keyname without a value. Descriptors of OpenStack have some, so in the Simple Profile it is a warning.
    fn empty(&self, key: Node<'t>, section: bool) {
        let message = format!("`{}` is empty", key.raw());
        let mut finding = Finding::new(&rules::EMPTY, key.use_place(), message);
        if self.version.is_simple() {
            finding.severity = Severity::Warning;
        }
        let help = if section { "remove it, or write `{}` or `[]`" } else { "remove it" };
        self.world.add(self.file, finding.help(help));
    }

    pub(crate) fn text(&self, node: Node<'t>, name: &str) {
        // The Simple Profile is full of unquoted numbers where strings are meant.
        if node.as_str().is_none() && !(self.version.is_simple() && node.is_scalar()) {
            self.expected(node, name, "a string");
        }
    }

    fn boolean(&self, node: Node<'t>, name: &str) {
        if truth(node, self.version).is_none() {
            self.expected(node, name, "a boolean");
        }
    }

    fn version_string(&self, node: Node<'t>, name: &str) {
        if !node.is_scalar() || !is_version(node.raw()) {
            let message = format!("{name} must be a version such as `1.0.0`, not `{}`", short(node.raw()));
            self.say(&rules::VERSION_STRING, node, message);
        }
    }

    /// Anything in TOSCA 2.0; a map of strings in the Simple Profile.
    fn metadata(&self, node: Node<'t>, name: &str) {
        self.map(node, name);
        for entry in node.entries().filter(|_| self.version.is_simple()) {
            let name = format!("`{}`", short(entry.key.raw()));
            if !entry.value.is_scalar() {
                self.expected(entry.value, &name, "a string");
            } else if entry.key.raw() == "template_version" {
                self.version_string(entry.value, &name);
            }
        }
    }

    pub(crate) fn map(&self, node: Node<'t>, name: &str) {
        if !node.is_mapping() {
            self.expected(node, name, "a map");
        }
    }

    fn text_list(&self, node: Node<'t>, name: &str) {
        if !node.is_sequence() {
            // An example of the standard has `on_success: create_my_node`.
            if self.version.is_simple() && node.as_str().is_some() && name.starts_with("`on_") {
                self.tolerated(
                    node,
                    name,
                    "a list of strings",
                    "3.6.27, and 7.3.1.2 has an example with a string",
                );
            } else {
                self.expected(node, name, "a list of strings");
            }
            return;
        }
        for item in node.items() {
            self.text(item, &format!("an item of {name}"));
        }
    }

    fn range(&self, node: Node<'t>, name: &str) {
        let items: Vec<_> = node.items().collect();
        let ends: Vec<_> = items.iter().map(|item| end_of_range(*item)).collect();
        match ends.as_slice() {
            [Some(End::Number(low)), Some(End::Number(high))] if low > high => {
                self.say(&rules::WRONG_KIND, node, format!("{name} has its lower end above its upper end"));
            }
            [Some(End::Number(_)), Some(_)] => {}
            _ => {
                let message = format!(
                    "{name} must be a list of two integers that are not negative, or of one and UNBOUNDED"
                );
                self.say(&rules::WRONG_KIND, node, message);
            }
        }
    }

    fn type_name(&self, node: Node<'t>, families: &[Family], name: &str) {
        let Some(text) = node.as_str() else {
            self.expected(node, name, "the name of a type");
            return;
        };
        let meanings = families.iter().map(|&family| self.world.names.find(self.file, family, text));
        if meanings.into_iter().all(|meaning| meaning == Meaning::Unknown) {
            self.world.unknown_type(self.file, families[0], node, text);
        }
    }

    fn type_names(&self, node: Node<'t>, families: &[Family], name: &str) {
        if !node.is_sequence() {
            self.expected(node, name, "a list of names of types");
            return;
        }
        for item in node.items() {
            self.type_name(item, families, &format!("an item of {name}"));
        }
    }

    fn map_of(&self, node: Node<'t>, inner: &'static Element, name: &str) {
        if !node.is_mapping() {
            self.expected(node, name, "a map");
            return;
        }
        for entry in node.entries() {
            self.name(entry.key, name);
            // In the Simple Profile `artifacts` may be a list of maps too; in both it is a map of definitions.
            self.element(entry.value, inner);
        }
    }

    /// A name that a file gives to something.
    fn name(&self, key: Node<'t>, section: &str) {
        if self.version.is_simple() && key.is_scalar() && !key.raw().is_empty() {
            return;
        }
        match key.as_str() {
            Some(name) if !name.is_empty() => {}
            Some(_) => self.say(&rules::BAD_NAME, key, format!("a name in {section} is empty")),
            None => {
                let message = format!("a name in {section} must be a string, not {}", kind(key));
                self.say(&rules::BAD_NAME, key, message);
            }
        }
    }

    fn list_of_named(&self, node: Node<'t>, inner: &'static Element, name: &str) {
        if !node.is_sequence() {
            self.expected(node, name, "a list of maps with one key each");
            return;
        }
        for item in node.items() {
            let mut entries = item.entries();
            if let (Some(entry), None) = (entries.next(), entries.next()) {
                self.name(entry.key, name);
                self.element(entry.value, inner);
            } else {
                let message = format!("an item of {name} must be a map with one key, the name");
                self.say(&rules::WRONG_KIND, item, message);
            }
        }
    }

    fn list_of(&self, node: Node<'t>, inner: &'static Element, name: &str) {
        if !node.is_sequence() {
            self.expected(node, name, "a list");
            return;
        }
        for item in node.items() {
            if inner.short == Short::Text { self.text_or(item, inner) } else { self.element(item, inner) }
        }
    }

    fn activities(&self, node: Node<'t>, name: &str) {
        if !node.is_sequence() {
            // Before TOSCA 1.3 the action of a trigger is an operation.
            if self.version >= Version::V1_3 || name != "`action`" {
                self.expected(node, name, "a list of activities");
            }
            return;
        }
        for item in node.items() {
            self.element(item, &ACTIVITY);
            if item.is_mapping() && item.len() != 1 {
                let message =
                    format!("an item of {name} must be a map with one key, the kind of the activity");
                self.say(&rules::WRONG_KIND, item, message);
            }
        }
    }

    pub(crate) fn constraints(&self, node: Node<'t>) {
        // A single constraint without a list is wrong, and may be misspelt as well.
        let single = Some(node).filter(|one| one.is_mapping());
        if !node.is_sequence() {
            self.expected(node, "constraints", "a list");
        }
        for item in node.items().chain(single) {
            self.element(item, &CONSTRAINT);
        }
    }

    fn text_or(&self, node: Node<'t>, inner: &'static Element) {
        match node.as_str() {
            Some(name) if std::ptr::eq(inner, &raw const SCHEMA) => {
                if self.version == Version::V1_3 {
                    self.tolerated(node, "a schema definition", "a map", "3.6.9");
                }
                if self.world.names.find(self.file, Family::Data, name) == Meaning::Unknown {
                    self.world.unknown_type(self.file, Family::Data, node, name);
                }
            }
            Some(_) => {}
            None if std::ptr::eq(inner, &raw const ARTIFACT) && node.is_null() => {}
            None => self.element(node, inner),
        }
    }

    fn imports(&self, node: Node<'t>) {
        if !node.is_sequence() {
            self.expected(node, "`imports`", "a list");
            return;
        }
        for item in node.items() {
            if item.as_str().is_some() {
                continue;
            }
            if self.version == Version::V2_0 {
                self.import(item);
            } else if item.get("file").is_some() {
                self.element(item, &IMPORT);
                if let Some(prefix) = item.get("namespace_prefix").filter(|one| one.as_str() == Some("tosca"))
                {
                    let message = "the prefix `tosca` is that of the normative types (section 3.6.8.2.3)";
                    self.say(&rules::IMPORT_FORM, prefix, message);
                }
            } else if item.len() != 1 {
                self.say(&rules::IMPORT_FORM, item, "an import needs the keyname `file`");
            }
        }
    }

    fn import(&self, item: Node<'t>) {
        self.element(item, &IMPORT);
        if !item.is_mapping() {
            return;
        }
        let has = |key: &str| item.get(key).is_some();
        let message = match (has("url"), has("profile")) {
            (false, false) => "an import needs a `url` or a `profile`",
            (true, true) => "an import has a `url` or a `profile`, not both",
            (false, true) if has("repository") => "a `repository` goes with a `url`, not with a `profile`",
            _ => return,
        };
        self.say(&rules::IMPORT_FORM, item, message);
    }

    fn dsl(&self, node: Node<'t>) {
        if !node.is_mapping() {
            self.expected(node, "`dsl_definitions`", "a map");
            return;
        }
        if self.version.is_simple() {
            return;
        }
        for entry in node.entries() {
            let anchored = entry.value.anchor().is_some()
                || entry.value.alias().is_some()
                || entry.key.anchor().is_some();
            if !anchored && !has_anchor(entry.value) {
                let message = format!("`{}` has no anchor, so nothing can use it", short(entry.key.raw()));
                self.say(&rules::DSL, entry.key, message);
            }
        }
    }
}

/// Whether something in a value has an anchor.
fn has_anchor(node: Node<'_>) -> bool {
    let inside = |node: Node<'_>| node.anchor().is_some() || has_anchor(node);
    node.items().any(inside) || node.written_entries().any(|entry| inside(entry.value))
}
