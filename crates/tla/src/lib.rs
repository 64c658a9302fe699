//! The model checker for TLA+, version 2.
//!
//! - [`check`]: a specification and its configuration in, a verdict with a counterexample out;
//! - `machine`: the compiled specification as a state machine over values;
//! - `packed`: the same over states that are kept as a few machine words.
//!
//! Reading specifications is `locus-tla-syntax`, and evaluating them is `locus-tla-eval`. Their modules that a command
//! needs are here as well.

pub mod check;
mod machine;
mod packed;

pub use locus_tla_eval::{standard, value};
pub use locus_tla_syntax::{config, pluscal, rules, semantic, syntax};
