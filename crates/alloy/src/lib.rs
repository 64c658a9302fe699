//! The Alloy language: read a model, check its types, execute its commands.

pub mod ast;
mod bounds;
mod check;
mod evaluate;
mod execute;
mod ground;
mod instance;
mod lexer;
mod library;
pub mod model;
mod modules;
mod native;
mod parser;
pub mod render;
pub mod rules;
mod scope;
mod suggest;
mod token;
mod translate;
pub mod types;

pub use evaluate::Answer;
pub use execute::{Instances, Options, Outcome, Overflow, Verdict};
pub use ground::{Data, Judgement, Subject, Value, Violation};
pub use instance::Instance;
pub use modules::{Loader, NoFiles};
pub use parser::{parse, parse_expression};
pub use scope::Scopes;
pub use translate::Part;

use locus_source::{FileId, Finding, Severity, Sources};

/// A model that has been read and checked.
pub struct Model {
    world: model::World,
    index: check::Index,
}

impl Model {
    /// Reads a model and all that it opens. There is a model if no finding is an error.
    pub fn load(sources: &Sources, loader: &dyn Loader, file: FileId) -> (Option<Self>, Vec<Finding>) {
        let mut findings = Vec::new();
        let loaded = modules::load(sources, loader, file, &mut findings);
        let model = loaded.and_then(|loaded| check::check(loaded, sources, &mut findings));
        locus_source::sort_and_dedup(&mut findings, sources);
        let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
        (model.filter(|_| !failed).map(|(world, index)| Self { world, index }), findings)
    }

    /// All that the model declares.
    pub fn world(&self) -> &model::World {
        &self.world
    }

    /// The commands of the model's own file, in their order.
    pub fn commands(&self) -> &[model::Command] {
        &self.world.commands
    }
}
