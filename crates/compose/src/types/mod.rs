//! Types: what the Compose Specification allows ([`schema`]), and the types of Compose's own model ([`fields`]).

pub(crate) mod fields;
pub(crate) mod schema;
