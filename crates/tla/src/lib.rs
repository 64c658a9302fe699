//! The TLA+ language, version 2, for a model checker.
//!
//! Reading it is `locus-tla-syntax`, whose modules are here as well.
//!
//! - [`check`]: the model checker.
//! - [`standard`]: the standard modules.
//! - [`value`]: what expressions evaluate to.

pub mod check;
mod eval;
mod packed;
pub mod standard;
pub mod value;

pub use locus_tla_syntax::{config, pluscal, rules, semantic, syntax};
