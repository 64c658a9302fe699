//! The Alloy language: read a model, check its types, execute its commands.
//!
//! ```
//! use locus_alloy::{Model, NoFiles, Options, Verdict, render};
//! use locus_source::Sources;
//!
//! let sources = Sources::new();
//! let file = sources.add("list.als", "sig Node { link: lone Node } run { no ^link & iden and some link } for 3");
//! let (model, findings) = Model::load(&sources, &NoFiles, file.id());
//! assert!(findings.is_empty());
//! let model = model.expect("a model without errors");
//! let outcome = model.execute(0, &Options::default()).expect("a command that can be analysed");
//! assert_eq!(outcome.verdict, Verdict::Sat);
//! println!("{}", render::text(&model, &outcome.instance.expect("an instance")));
//! ```
//!
//! The way of a model: `lexer`, `parser` ([`ast`]), `modules` (files and their parameters), `check` (names and types,
//! giving a [`model::World`]), and for each command `scope`, `bounds`, `translate`, and then the relational engine.
//! An [`Instance`] can be rendered ([`render`]) and asked ([`Model::eval`]); facts can also be judged on given data
//! ([`Model::judge`]), and data repaired by the fewest changes ([`Model::repairs`]). Everything that there is to say
//! about a file is a [`Finding`] of one of the [`rules`].
//!
//! Out of scope: solving and evaluation (`locus-relational`), files (a [`ModuleLoader`] gives them), printing.

pub mod ast;
mod behaviour;
mod bounds;
mod check;
mod evaluate;
mod excepted;
mod execute;
mod ground;
mod hint;
mod instance;
mod lexer;
mod library;
pub mod model;
mod modules;
mod native;
mod parser;
mod passage;
mod prepared;
pub mod render;
mod repair;
pub mod rules;
mod scope;
mod shared;
mod stack;
mod token;
mod translate;
pub mod types;
mod vacuous;
mod worlds;

pub use evaluate::Answer;
pub use execute::{Core, Cores, Instances, LargeNumber, Options, Outcome, Overflow, Verdict};
pub use ground::{Blank, Data, Given, Judgement, Sort, Subject, Violation};
pub use instance::Instance;
pub use locus_relational::MOST_COUNTED;
pub use modules::{ModuleLoader, NoFiles, decode};
pub use parser::{parse, parse_expression};
pub use passage::{Broken, Passage, Passing, Span};
pub use repair::{Change, Repairs, Terms};
pub use scope::Scopes;
pub use shared::{SharedModule, SharedModules, read_library_module};
pub use translate::Part;
pub use vacuous::Absent;

use std::sync::OnceLock;

use locus_source::{FileId, Finding, Place, Severity, Sources};

/// A model that has been read and checked.
pub struct Model {
    world: model::World,
    index: check::Index,
    /// The facts, made ready when data is judged for the first time.
    prepared: OnceLock<Option<prepared::Prepared>>,
}

impl Model {
    /// Reads a model and all that it opens. There is a model if no finding is an error.
    pub fn load(sources: &Sources, loader: &dyn ModuleLoader, file: FileId) -> (Option<Self>, Vec<Finding>) {
        stack::enough(|| Self::read(sources, loader, file, None))
    }

    /// As [`Self::load`], without facts that hold of all data in which what is absent has no atoms and no tuples, and
    /// without functions and absent fields that nothing else uses. For such data the facts that are broken are the
    /// same.
    pub fn load_without(
        sources: &Sources,
        loader: &dyn ModuleLoader,
        file: FileId,
        absent: &Absent<'_>,
    ) -> (Option<Self>, Vec<Finding>) {
        stack::enough(|| Self::read(sources, loader, file, Some(absent)))
    }

    fn read(
        sources: &Sources,
        loader: &dyn ModuleLoader,
        file: FileId,
        absent: Option<&Absent<'_>>,
    ) -> (Option<Self>, Vec<Finding>) {
        let mut findings = Vec::new();
        let mut loaded = modules::load(sources, loader, file, &mut findings);
        if let (Some(loaded), Some(absent)) = (&mut loaded, absent) {
            vacuous::leave_out(loaded, absent);
        }
        let model = loaded.and_then(|loaded| check::check(loaded, sources, &mut findings));
        for finding in findings.iter_mut().filter(|finding| finding.code == rules::UNKNOWN_NAME.code) {
            hint::unknown_name(finding, sources, loader);
        }
        locus_source::sort_and_dedup(&mut findings, sources);
        let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
        (
            model.filter(|_| !failed).map(|(world, index)| Self { world, index, prepared: OnceLock::new() }),
            findings,
        )
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

/// The text of a documentation comment, without its stars.
pub fn doc_text(sources: &Sources, comment: Place) -> String {
    let file = sources.get(comment.file);
    let text = file.slice(comment.span);
    let inner = text.strip_prefix("/**").unwrap_or(text);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let line = |line: &'_ str| {
        let line = line.trim();
        line.strip_prefix('*').map_or(line, str::trim_start).to_owned()
    };
    inner.lines().map(line).collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// The nearest of some names to one that is unknown, if it is near enough to be a slip. Of a field and a signature that
/// are equally near, the one that begins as it does: few forget the capital.
fn nearest<'a>(unknown: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let capital = |name: &str| name.chars().next().is_some_and(char::is_uppercase);
    let mut names: Vec<&str> = names.into_iter().collect();
    names.sort_by_key(|name| capital(name) != capital(unknown));
    locus_source::words::nearest(unknown, names.into_iter().map(|name| (name, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_keeps_its_capital() {
        let names = ["Address", "address", "Port"];
        assert_eq!(nearest("adress", names), Some("address"));
        assert_eq!(nearest("Adress", names), Some("Address"));
        assert_eq!(nearest("port", names), Some("Port"));
    }

    #[test]
    fn documentation_is_kept_for_declarations() {
        let sources = Sources::new();
        let text = "/** NET001: said\n * on two lines. */\nfact f { some A }\n/** A kind. */ sig A { /** Its own. */ g: A }";
        let file = sources.add("m.als", text);
        let (model, findings) = Model::load(&sources, &NoFiles, file.id());
        let model = model.unwrap_or_else(|| panic!("{findings:?}"));
        let shown = |place: Option<Place>| place.map(|place| doc_text(&sources, place));
        assert_eq!(shown(model.facts()[0].doc).as_deref(), Some("NET001: said\non two lines."));
        let sig = model.find_sig("A").expect("it is declared");
        assert_eq!(shown(model.world().sig(sig).doc).as_deref(), Some("A kind."));
        let field = model.find_field(sig, "g").expect("it is declared");
        assert_eq!(shown(model.world().field(field).doc).as_deref(), Some("Its own."));
    }
}
