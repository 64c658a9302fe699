//! Reading files: archives, imports, versions, the profiles that come with Locus, the grammar, and scalars as texts.
//!
//! Out of scope: what names and definitions mean.

pub(crate) mod counts;
pub mod csar;
pub(crate) mod files;
pub(crate) mod grammar;
pub(crate) mod house;
pub(crate) mod range;
pub(crate) mod scalar;
pub(crate) mod tarball;
pub(crate) mod version;
