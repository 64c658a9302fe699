//! All that the expressions of a template can name: parameters, mappings, conditions and resources.

use std::sync::Arc;

use locus_source::{Node, Place, SourceFile};
use rustc_hash::FxHashMap;

use super::parameters::Parameter;
use crate::types::ResourceType;
use crate::values::loops::Defined;

/// The names of a template.
pub(crate) struct Scope<'s> {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) parameters: Vec<Parameter>,
    /// By name, among the parameters.
    pub(crate) parameter_index: FxHashMap<Arc<str>, usize>,
    /// Values that were given, those of pseudo parameters among them.
    pub(crate) given: FxHashMap<Arc<str>, Arc<str>>,
    pub(crate) mappings: FxHashMap<Arc<str>, Node<'s>>,
    pub(crate) conditions: Vec<Defined<'s>>,
    pub(crate) condition_index: FxHashMap<Arc<str>, usize>,
    /// The assertions of the section `Rules` that hold whatever else does.
    pub(crate) demands: Vec<Node<'s>>,
    pub(crate) resources: FxHashMap<Arc<str>, Head>,
    /// Whether `AWS::LanguageExtensions` is among the transforms.
    pub(crate) has_extensions: bool,
    /// Whether a mapping may have keys that are not known.
    pub(crate) has_open_mappings: bool,
    /// Whether there may be names that are not known.
    pub(crate) is_open: bool,
}

/// All that others ask of a resource.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) kind: Option<&'static ResourceType>,
    pub(crate) type_place: Place,
    pub(crate) condition: Option<Arc<str>>,
}

impl<'s> Scope<'s> {
    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameter_index.get(name).map(|&at| &self.parameters[at])
    }

    /// The value that was given to a parameter or a pseudo parameter.
    pub(crate) fn given(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(|value| &**value)
    }

    pub(crate) fn resource(&self, name: &str) -> Option<&Head> {
        self.resources.get(name)
    }

    pub(crate) fn mapping(&self, name: &str) -> Option<Node<'s>> {
        self.mappings.get(name).copied()
    }

    pub(crate) fn mapping_names(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.mappings.keys().cloned().collect();
        names.sort();
        names
    }

    pub(crate) fn condition(&self, name: &str) -> Option<&Defined<'s>> {
        self.condition_index.get(name).map(|&at| &self.conditions[at])
    }

    pub(crate) fn condition_names(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().map(|one| &*one.name)
    }

    /// The names of parameters and resources.
    pub(crate) fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.parameters.iter().map(|one| &*one.name.text).collect();
        names.extend(self.resources.keys().map(|name| &**name));
        names.sort_unstable();
        names
    }

    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }
}
