//! Short forms: strings that stand for more than one thing. Reading of one string, no more.

pub(crate) mod command;
pub(crate) mod port;
pub(crate) mod quantity;
pub(crate) mod volume;
