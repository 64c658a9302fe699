//! Aeolus documents: a universe, what is deployed, what is wanted, and machines to place components on.

use std::collections::BTreeMap;
use std::sync::Arc;

use locus_source::{Finding, Place, Span};

use crate::{ComponentId, Configuration, Universe, Want};

/// A machine on which components can be placed, or several that are alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// The resources that it offers, in order of names.
    pub resources: Vec<(Arc<str>, u64)>,
    /// The cost of using it.
    pub cost: u64,
    /// How many there are.
    pub count: u32,
    /// Where it is declared.
    pub place: Option<Place>,
}

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The component types.
    pub universe: Universe,
    /// The components that are deployed, with their bindings.
    pub configuration: Configuration,
    /// The names of the components, by id.
    pub names: Vec<String>,
    /// Where the components are declared, by id.
    pub places: Vec<Place>,
    /// The machines.
    pub machines: Vec<Machine>,
    /// The machine of each component that has one.
    pub placement: BTreeMap<ComponentId, usize>,
    /// The goal, and where the file states it.
    pub want: Option<(Want, Place)>,
    /// Whether the file gives a configuration at all.
    pub has_configuration: bool,
}

impl Document {
    /// The name of a component.
    ///
    /// # Panics
    /// If the document has no such component.
    pub fn name(&self, id: ComponentId) -> &str {
        &self.names[id.index()]
    }

    /// The component with this name.
    pub fn find(&self, name: &str) -> Option<ComponentId> {
        self.names.iter().position(|known| known == name).map(|index| ComponentId(index as u32))
    }
}

/// The result of reading: as much of a document as can be understood, and the faults of the text.
#[derive(Debug)]
pub struct Reading {
    /// The document.
    pub document: Document,
    /// The faults of the text.
    pub findings: Vec<Finding>,
    /// The comments of the file, which may suppress findings.
    pub comments: Vec<Span>,
}
