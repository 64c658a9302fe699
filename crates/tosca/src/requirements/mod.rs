//! Requirements and the nodes that fulfil them, and services that take the place of nodes.

pub(crate) mod resolve;
pub(crate) mod substitution;
pub(crate) mod wanted;
