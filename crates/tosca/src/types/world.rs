//! State that all checks share: the files, the names of types, the findings, and what has been worked out of types so
//! far.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use locus_source::{Finding, Node, Place, Severity};
use rustc_hash::FxHashMap;

use crate::read::files::{File, Files};
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{Report, did_you_mean, short};
use crate::rules;
use crate::types::ancestry::MOST_STEPS;
use crate::types::data::{DataSchema, DataType};
use crate::types::flat::Flat;
use crate::types::names::{Meaning, Names, Type, TypeId};

/// A memory of what was worked out; nothing while it is being worked out.
pub(crate) type Memory<K, V> = RefCell<FxHashMap<K, Option<Rc<V>>>>;

/// Types inherit no more definitions than this in all: each type has a copy of what it inherits.
const MOST_INHERITED: usize = 2_000_000;

/// A node type and a capability type.
type NodesAsked = (Option<TypeId>, Option<TypeId>);

/// Node types with all that they inherit, and whether there are no others.
pub(crate) type KnownNodes<'t> = (Rc<Vec<Rc<Flat<'t>>>>, bool);

/// The files with what is known of them.
pub(crate) struct World<'t> {
    pub(crate) files: &'t Files,
    pub(crate) names: Names<'t>,
    pub(crate) report: &'t Report,
    pub(crate) data_types: Memory<TypeId, DataType<'t>>,
    pub(crate) data_schemas: Memory<TypeId, DataSchema<'t>>,
    /// How many data types are being worked out, each for the schema of another one.
    pub(crate) schemas_open: Cell<usize>,
    pub(crate) flats: Memory<TypeId, Flat<'t>>,
    /// How many definitions types have inherited.
    inherited: Cell<usize>,
    /// The node types of which a filter may want one, by node type and capability type.
    pub(crate) nodes: RefCell<FxHashMap<NodesAsked, KnownNodes<'t>>>,
    /// How deep the evaluation of values is nested.
    pub(crate) depth: Cell<usize>,
}

impl<'t> World<'t> {
    pub(crate) fn new(files: &'t Files, report: &'t Report) -> Self {
        let names = Names::new(files);
        Self {
            files,
            names,
            report,
            data_types: RefCell::default(),
            data_schemas: RefCell::default(),
            schemas_open: Cell::new(0),
            flats: RefCell::default(),
            inherited: Cell::new(0),
            nodes: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// Works something out for a type and before that for all that it derives from, so that long lines take no stack.
    pub(crate) fn along_line<V>(&self, memory: &Memory<TypeId, V>, id: TypeId, make: impl Fn(TypeId) -> V) {
        let line = std::iter::successors(Some(id), |&one| self.names.parent(one));
        let missing: Vec<TypeId> = line.take_while(|one| !memory.borrow().contains_key(one)).collect();
        memory.borrow_mut().extend(missing.iter().map(|&one| (one, None)));
        for &one in missing.iter().rev() {
            let found = Rc::new(make(one));
            memory.borrow_mut().insert(one, Some(found));
        }
    }

    /// Whether a type derives from too many others; a finding if it does.
    pub(crate) fn too_deep(&self, id: TypeId) -> bool {
        let is_too_deep = self.names.is_too_deep(id);
        if is_too_deep {
            let one = self.names.get(id);
            let message =
                format!("the type `{}` derives from more than {MOST_STEPS} others", short(one.name));
            self.say(one.file, &rules::LIMIT, one.place(), message);
        }
        is_too_deep
    }

    /// Whether a type may have copies of so many definitions of others; a finding if those are too many.
    pub(crate) fn may_inherit(&self, count: usize, heir: &Type<'_>) -> bool {
        let total = self.inherited.get().saturating_add(count);
        if total <= MOST_INHERITED {
            self.inherited.set(total);
            return true;
        }
        let message = format!(
            "the types inherit more than {MOST_INHERITED} definitions in all; what `{}` inherits is not looked at",
            short(heir.name)
        );
        self.say(heir.file, &rules::LIMIT, heir.place(), message);
        false
    }

    pub(crate) fn file(&self, at: usize) -> &'t File {
        &self.files.all[at]
    }

    pub(crate) fn version(&self, file: usize) -> Version {
        self.file(file).version
    }

    /// Adds a finding, unless it is about a file that comes with Locus. What the form of the standard does not allow, a
    /// dialect may.
    pub(crate) fn add(&self, file: usize, mut finding: Finding) {
        let file = self.file(file);
        if file.dialect && rules::OF_FORM.iter().any(|rule| rule.code == finding.code) {
            finding.severity = finding.severity.min(Severity::Warning);
        }
        if !file.house {
            self.report.add(finding);
        }
    }

    pub(crate) fn say(
        &self,
        file: usize,
        rule: &locus_source::Rule,
        place: Place,
        message: impl Into<String>,
    ) {
        self.add(file, Finding::new(rule, place, message));
    }

    /// The type that a node names; a finding if there is none.
    pub(crate) fn type_named(&self, file: usize, family: Family, node: Node<'t>) -> Option<TypeId> {
        let name = node.as_str()?;
        match self.names.find(file, family, name) {
            Meaning::Type(id) => Some(id),
            Meaning::Builtin(_) | Meaning::Unread => None,
            Meaning::Unknown => {
                self.unknown_type(file, family, node, name);
                None
            }
        }
    }

    pub(crate) fn unknown_type(&self, file: usize, family: Family, node: Node<'t>, name: &str) {
        let message = format!("there is no {} type `{}`", family.word(), short(name));
        let mut finding = Finding::new(&rules::UNKNOWN_TYPE, node.use_place(), message);
        finding = did_you_mean(finding, name, self.names.candidates(file, family));
        if finding.help.is_none()
            && let Some(full) = self.elsewhere(family, name)
        {
            finding = finding.help(full);
        }
        self.add(file, finding);
    }

    /// A hint for names that other versions or profiles have.
    fn elsewhere(&self, family: Family, name: &str) -> Option<String> {
        let others = Family::ALL.into_iter().filter(|&other| other != family);
        let found = others.flat_map(|other| self.names.all.iter().filter(move |one| one.family == other));
        if let Some(other) = found.into_iter().find(|one| one.name == name) {
            return Some(format!("`{}` is a {} type", short(name), other.family.word()));
        }
        let normative = family.normative().iter().any(|prefix| name.starts_with(prefix));
        normative.then(|| {
            "TOSCA 2.0 has no normative types; import the profile `org.oasis-open.tosca.simple:2.0`, whose names have no \
             prefix"
                .to_owned()
        })
    }
}
