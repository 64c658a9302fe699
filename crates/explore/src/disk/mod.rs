//! The parts of a search that are kept outside of memory.
//!
//! - [`run`]: fingerprints, sorted, each with that of its predecessor;
//! - [`runs`]: all of them, asked many questions at once;
//! - [`logs`]: what workers have recorded of the state graph, where temporal properties are checked;
//! - [`assemble`]: puts the state graph together from those, with the help of [`places`];
//! - [`graph`]: the state graph as it is then;
//! - [`files`]: files that go when nobody needs them any more, of which an [`appender`] writes one from front to back;
//! - [`saved`]: a search as it stood at some time, to be gone on with.
//!
//! Which states go there, and when, is for [`crate::search`] to say.

mod appender;
pub(crate) mod assemble;
pub(crate) mod files;
pub(crate) mod graph;
pub(crate) mod logs;
mod places;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod saved;
