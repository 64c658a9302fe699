//! The TLA+ language, version 2, for a model checker.
//!
//! - [`syntax`]: text to trees. Every module and every place in it, whether the text is right or wrong.
//! - [`semantic`]: trees to a [`Program`](semantic::Program): names resolved, instances expanded, levels checked.
//! - [`config`]: TLC's `.cfg` files.
//! - [`rules`]: the codes of all findings.
//! - [`check`]: the model checker.
//! - [`pluscal`]: algorithms in comments, and their translation.
//! - [`value`]: what expressions evaluate to.

pub mod check;
pub mod config;
mod eval;
mod packed;
pub mod pluscal;
pub mod rules;
pub mod semantic;
pub mod standard;
pub mod syntax;
pub mod value;
