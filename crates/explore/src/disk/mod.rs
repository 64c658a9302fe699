//! What a search keeps outside memory.
//!
//! - [`run`]: fingerprints, sorted, each with that of its predecessor;
//! - [`runs`]: all of them, asked many questions at once;
//! - [`files`]: files that go when nobody needs them any more;
//! - [`saved`]: a search as it stood at some time, to be gone on with.
//!
//! Which states go there, and when, is for [`crate::search`] to say.

pub(crate) mod files;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod saved;
