//! Files that other files name. This crate reads none itself: whoever uses it hands over a [`Loader`].

use std::sync::Arc;

use locus_source::{SourceFile, Sources};

/// Gives files.
pub trait Loader: Sync {
    /// The file that `from` names as `path`, added to `sources`. A relative path starts at the folder of `from`.
    ///
    /// # Errors
    /// If there is none, or it must not or cannot be read.
    fn load(&self, sources: &Sources, from: &SourceFile, path: &str) -> Result<Arc<SourceFile>, LoadError>;
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is none.
    Missing,
    /// It is outside of the project.
    NotAllowed(String),
    /// It is somewhere else, such as at a URL, and nobody looked.
    NotLocal,
    /// It is there and cannot be read.
    Unreadable(String),
}
