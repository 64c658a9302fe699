//! Heat Orchestration Templates.
//!
//! [`read`] makes a [`Template`] of a file: all its sections, with every value as far as it is known before
//! anything is deployed, and everything that is wrong with them. Environments, values for parameters and the
//! files that a template names come as [`Inputs`]. [`meaning()`] says what a template means.
//!
//! - `read`: files and environments to sections, resources and what they are made of
//! - `template`, `version`: a template as it was read, and the version by whose rules
//! - `catalogue`: Heat's resource types
//! - `values`: expressions, functions, and why something is not known
//! - `meaning`: locations, roles, numbers, processes, and what rules see
//! - `build`: a template as the things that are built of it without Heat, each member of a group by itself
//! - `checks`: what is wrong with a template beside types and rules
//! - `rules`, `library`, `verdict`, `cases`: rules as text, those in Alloy, and judging by them, also in cases
//! - `repair`: changes after which less is wrong
//! - `report`: findings in the words of HOT
//!
//! Heat's knowledge of its resource types is the [`catalogue`]. Out of scope: rules about how
//! resources fit together, which are Alloy, and any reading of files or talking to a cloud.

mod build;
mod cases;
pub mod catalogue;
mod checks;
mod language;
pub mod library;
mod meaning;
mod read;
pub mod repair;
mod report;
mod rules;
mod template;
mod values;
mod verdict;
mod version;

use std::sync::Arc;

pub use locus_language::Inputs;
use locus_language::Judged;
use locus_schema::Unknown;
use locus_source::{Finding, SourceFile, Sources, Span, Tree};

pub use self::build::build;
pub use self::language::Hot;
pub use self::meaning::meaning;
pub use self::rules::RULES;
pub use self::template::{
    Condition, How, Kind, Output, Parameter, ParameterGroup, ParameterType, Reference, Resource, Template,
    Text,
};
pub use self::verdict::{check, check_by};
pub use self::version::Version;

/// The outcome of reading a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The template, as far as it could be read; nothing if the file is not one.
    pub template: Option<Template>,
    /// The findings, in the order of the text, about the template, its environments and the templates in it.
    pub findings: Vec<Finding>,
    /// The comments of the file.
    pub comments: Vec<Span>,
    /// The values that stayed unknown, in the order of the text, each once.
    pub unknowns: Vec<Arc<Unknown>>,
    /// Questions that were not answered, each as a sentence without full stop.
    pub unanswered: Vec<String>,
    /// The template in all cases of something that its deployment will tell.
    cases: Vec<Vec<values::cases::Case>>,
}

/// Reads a template. Never fails: what is wrong is among the findings.
pub fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    read::read(sources, file, inputs)
}

/// Judges what was read by the rules that come with Locus, in all cases of what is not known.
pub fn judge(reading: &Reading) -> Judged {
    let Some(template) = &reading.template else { return Judged::default() };
    let mut checked = check(template);
    let settled = cases::settle(&reading.cases, &reading.findings, &checked);
    checked.findings.extend(settled);
    checked
}

/// Whether a document is a Heat Orchestration Template: a map with a `heat_template_version`.
pub fn is_hot(tree: &Tree) -> bool {
    tree.root().get("heat_template_version").is_some()
}

/// Whether a document says that it is a template of the older language, that of CloudFormation, which Heat reads as
/// well.
pub(crate) fn is_older(tree: &Tree) -> bool {
    let says = |key| tree.root().get(key).is_some();
    says("AWSTemplateFormatVersion") || says("HeatTemplateFormatVersion")
}
