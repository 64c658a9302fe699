//! Files that a Compose file names. This crate reads none itself: whoever uses it hands over a [`Loader`].

use std::sync::Arc;

use locus_source::SourceFile;

/// Looks at files. Paths are absolute.
pub trait Loader {
    /// The text of a file, added to the sources.
    fn read(&self, path: &str) -> Result<Arc<SourceFile>, LoadError>;

    /// What is at a path.
    fn look(&self, path: &str) -> Found;

    /// The path with the first symbolic link in it followed.
    fn follow(&self, path: &str) -> String {
        path.to_owned()
    }
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is none.
    Missing,
    /// It is there and cannot be read as a text, for this reason.
    Unreadable(String),
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// Nobody looked.
    Unknown,
}

/// A loader that knows no files: what is in them, and whether they are there, is not known.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn read(&self, _: &str) -> Result<Arc<SourceFile>, LoadError> {
        Err(LoadError::Unreadable("no files are read here".to_owned()))
    }

    fn look(&self, _: &str) -> Found {
        Found::Unknown
    }
}
