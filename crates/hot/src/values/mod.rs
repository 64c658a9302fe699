//! Values: what is known of them before anything is deployed, and why the rest is not.
//!
//! - [`evaluate`]: expressions, with [`conditions`] and [`functions`]
//! - [`told`]: what is known of the attributes of a resource before it is made
//! - [`cases`]: a template for each value of something that only its deployment tells
//! - [`load`]: the files that values and templates come from, each read once
//! - [`why`]: the reasons for which a value is not known
//!
//! Out of scope: the sections of a template, and what its values mean.

pub(crate) mod cases;
pub(crate) mod conditions;
pub(crate) mod evaluate;
pub(crate) mod functions;
pub(crate) mod load;
pub(crate) mod told;
pub(crate) mod why;
