//! The meaning of TLA+, version 2: values, and the evaluation of expressions and actions on states of values.
//!
//! - [`value`]: what expressions evaluate to;
//! - [`eval`]: the compiled form, and its evaluation;
//! - [`standard`]: the standard modules, with what they provide as functions on values;
//! - [`compile`]: from a resolved program and a configuration to the compiled form.
//!
//! A module uses only those before it. Out of scope: searches, properties, and states that are kept in another form.
//! Whoever keeps them so may have it noted what an evaluation reads ([`eval::Trace`]).

pub mod compile;
pub mod eval;
pub mod standard;
pub mod value;

use locus_tla_syntax::semantic;
