//! Values: what Go's reader makes of YAML, and the texts that stand for more than one thing. They know no project.

pub(crate) mod datum;
pub(crate) mod ports;
pub(crate) mod scalar;
pub(crate) mod short;
pub(crate) mod template;
