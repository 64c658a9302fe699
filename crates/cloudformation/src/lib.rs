//! CloudFormation templates.
//!
//! [`read`] makes a [`Template`] of a file: all its sections, with every value as far as it is known before anything
//! is deployed, and everything that is wrong with them. [`types`] is the registry of resource types, [`meaning()`]
//! says what a template means. Where conditions decide what a template is, it is looked at in each combination that
//! there can be ([`Case`]).
//!
//! - `read`: a file to sections and resources, with parameters and conditions
//! - `template`: a template as it was read
//! - `types`: the registry of resource types, and whether values are of them
//! - `values`: expressions, functions, and the worlds that conditions and parameters make
//! - `meaning`: locations, roles, processes, and what rules see
//! - `policy`, `states`: the grammars of policies and of state machines, which stand in values
//! - `rules`, `library`, `verdict`: rules as text, those in Alloy, and judging by them in each combination
//!
//! Out of scope: rules about how resources fit together, which are Alloy, and any reading of files or talking to AWS.

mod language;
pub mod library;
mod meaning;
mod policy;
mod read;
mod rules;
mod states;
mod template;
pub mod types;
mod values;
mod verdict;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::Unknown;
use locus_source::{Finding, SourceFile, Sources, Span};

pub use locus_language::Inputs;

pub use self::language::CloudFormation;
pub use self::meaning::meaning;
pub use self::rules::RULES;
pub use self::template::{How, Output, Reference, Resource, Template, Text};
pub use self::verdict::{check, check_by};

/// All that came of reading a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The template, as far as it could be read, with the defaults of parameters that were given no value.
    pub template: Option<Template>,
    /// All that is wrong, in the order of the text.
    pub findings: Vec<Finding>,
    /// The comments of the file.
    pub comments: Vec<Span>,
    /// All that stayed unknown, in the order of the text, each once.
    pub unknowns: Vec<Arc<Unknown>>,
    /// Questions that were not answered, each as a sentence without full stop.
    pub unanswered: Vec<String>,
    /// All that the template is in other combinations of its conditions.
    pub cases: Vec<Case>,
    /// The parameters and the mappings that something refers to.
    used: (BTreeSet<Arc<str>>, BTreeSet<Arc<str>>),
    /// The conditions that something refers to.
    used_conditions: BTreeSet<Arc<str>>,
}

/// A template in a combination of conditions.
#[derive(Debug)]
pub struct Case {
    /// The template.
    pub template: Template,
    /// Which conditions hold, and which do not.
    pub chosen: Vec<(Arc<str>, bool)>,
}

/// Reads a template. Never fails: what is wrong is among the findings.
pub fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    read::read(sources, file, inputs)
}
