//! State that all checks share: the files, the names of types, the findings, and what has been worked out of types so far.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use locus_source::{Finding, Node, Place};
use rustc_hash::FxHashMap;

use crate::data::DataType;
use crate::files::{File, Files};
use crate::flat::Flat;
use crate::grammar::Family;
use crate::names::{Meaning, Names, TypeId};
use crate::report::{Report, did_you_mean, short};
use crate::rules;
use crate::version::Version;

/// A memory of what was worked out; nothing while it is being worked out.
pub(crate) type Memory<K, V> = RefCell<FxHashMap<K, Option<Rc<V>>>>;

/// Node types with all that they inherit, and whether there are no others.
pub(crate) type KnownNodes<'t> = (Rc<Vec<Rc<Flat<'t>>>>, bool);

/// The files with what is known of them.
pub(crate) struct World<'t> {
    pub(crate) files: &'t Files,
    pub(crate) names: Names<'t>,
    pub(crate) report: &'t Report,
    pub(crate) data_types: Memory<TypeId, DataType<'t>>,
    pub(crate) flats: Memory<TypeId, Flat<'t>>,
    /// The node types of which a filter may want one, by node type and capability type.
    pub(crate) nodes: RefCell<FxHashMap<(Option<TypeId>, Option<TypeId>), KnownNodes<'t>>>,
    /// How deep the evaluation of values is nested.
    pub(crate) depth: Cell<usize>,
}

impl<'t> World<'t> {
    pub(crate) fn new(files: &'t Files, report: &'t Report) -> Self {
        let names = Names::new(files);
        let (data_types, flats, nodes) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { files, names, report, data_types, flats, nodes, depth: Cell::new(0) }
    }

    pub(crate) fn file(&self, at: usize) -> &'t File {
        &self.files.all[at]
    }

    pub(crate) fn version(&self, file: usize) -> Version {
        self.file(file).version
    }

    /// Adds a finding, unless it is about a file that comes with Locus.
    pub(crate) fn add(&self, file: usize, finding: Finding) {
        if !self.file(file).house {
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
