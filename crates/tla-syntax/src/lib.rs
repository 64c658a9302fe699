//! The text of TLA+, version 2: specifications, algorithms and configurations, read and resolved.
//!
//! - [`syntax`]: text to trees. Every module and every place in it, whether the text is right or wrong.
//! - [`pluscal`]: algorithms in comments, and their translation.
//! - [`semantic`]: trees to a [`Program`](semantic::Program): names resolved, instances expanded, levels checked.
//! - [`config`]: TLC's `.cfg` files.
//! - [`rules`]: the codes of all findings.
//!
//! Out of scope: values, and whatever is evaluated.

pub mod config;
pub mod pluscal;
pub mod rules;
pub mod semantic;
pub mod syntax;
