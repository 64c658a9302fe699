//! Checks of a template that was read, beside what rules in Alloy say.
//!
//! - [`limits`]: what services take of texts, numbers and lists
//! - [`own_names`]: what a template makes itself is referred to, not named
//! - [`roles`]: a property that names a resource names one of the right kind
//! - [`signals`]: somebody is told what a wait condition waits for
//!
//! Out of scope: reading, which finds what is wrong with the text and the types of its values.

pub(crate) mod limits;
pub(crate) mod own_names;
pub(crate) mod roles;
pub(crate) mod signals;
