//! Types: names and what they mean, derivation, inherited definitions, data types and their values.
//!
//! Out of scope: whether a file has the form of the grammar, and service templates.

pub(crate) mod ancestry;
pub(crate) mod base;
pub(crate) mod compare;
pub(crate) mod data;
pub(crate) mod flat;
pub(crate) mod interfaces;
pub(crate) mod names;
pub(crate) mod units;
pub(crate) mod value;
pub(crate) mod world;
