//! Values of a service: functions, paths, and whether a value conforms to its type.
//!
//! Out of scope: which node fulfils a requirement.

pub(crate) mod call;
pub(crate) mod circles;
pub(crate) mod conform;
pub(crate) mod evaluate;
pub(crate) mod filter;
pub(crate) mod functions;
pub(crate) mod operation_output;
pub(crate) mod path;
