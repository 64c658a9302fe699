//! The form of files: that all of a file is as the grammar has it.

pub(crate) mod forms;
pub(crate) mod walk;
