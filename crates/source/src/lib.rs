//! Text that knows where it came from, and what Locus has to say about it.
//!
//! Three things live here, and everything else in Locus stands on them:
//!
//! - **Sources**: files ([`Sources`], [`SourceFile`]), places in them ([`Span`], [`Place`]), with limits
//!   against hostile input ([`Limits`]).
//! - **Trees** ([`tree`]): what [`yaml`] and [`json`] documents say, with the place of every key and value; and what
//!   [`xml`] documents do, with the place of every element and attribute.
//! - **Findings**: the one type ([`Finding`]) for everything that Locus tells a user about a file, the rules
//!   they come from ([`Rule`]), their renderings ([`render`]), and the ways to silence them
//!   ([`suppress`], [`policy`]).
//!
//! Out of scope: any knowledge of a particular language, any reading of the environment or of
//! standard input, any printing. The command decides what is read and where a rendering goes.

pub mod edit;
#[cfg(test)]
#[path = "../tests/effort/mod.rs"]
mod effort;
mod file;
mod finding;
mod ids;
pub mod json;
mod limits;
mod load;
pub mod policy;
pub mod render;
mod report;
mod rule;
mod span;
pub mod suppress;
pub mod tree;
pub mod words;
pub mod xml;
pub mod yaml;

pub use edit::{Edit, Fix, Replacement};
pub use file::{SourceError, SourceFile, Sources};
pub use finding::{Finding, Label, Severity, sort_and_dedup};
pub use limits::Limits;
pub use load::{Found, LoadError, Loader, NoFiles, clean_path};
pub use report::{Report, SharedReport};
pub use rule::{Rule, RuleBook, RuleCode};
pub use span::{FileId, LineColumn, Place, Span};
pub use tree::{Node, Parsed, Tree, Value};
