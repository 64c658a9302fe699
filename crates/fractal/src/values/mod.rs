//! Texts with a structure of their own: lists of definitions with values for arguments, the arguments in a text, the
//! ends of a binding.

pub(crate) mod arguments;
pub(crate) mod ends;
pub(crate) mod references;
