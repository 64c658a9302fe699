//! The checker.
pub(crate) mod explain;
pub(crate) mod formula;
pub(crate) mod machine;
mod result;
pub(crate) mod symmetry;

pub use result::{ActionName, CheckResult, Coverage, Reason, TraceStep, TraceVariable, Verdict, Warning};
