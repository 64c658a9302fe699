//! Files that a Compose file names, by absolute paths. This crate reads none itself: whoever uses it hands over a
//! [`Loader`].

use std::sync::Arc;

use locus_source::{Found, LoadError, Loader, SourceFile, Sources};

/// The files around a Compose file.
#[derive(Clone, Copy)]
pub struct Files<'f> {
    /// Reads them.
    pub loader: &'f dyn Loader,
    /// All that is read is added here.
    pub sources: &'f Sources,
    /// The file that the project starts with.
    pub main: &'f SourceFile,
    /// The absolute path of its folder.
    pub folder: &'f str,
}

impl Files<'_> {
    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> Result<Arc<SourceFile>, LoadError> {
        self.loader.load(self.sources, self.main, self.relative(path))
    }

    /// All that is at a path.
    pub(crate) fn look(&self, path: &str) -> Found {
        // A path that starts at the home of an unknown user, or on a drive, is not below any folder.
        if path.starts_with('/') { self.loader.look(self.main, self.relative(path)) } else { Found::Unknown }
    }

    /// The names of the files in a folder; none where looking is not allowed.
    pub(crate) fn list(&self, folder: &str) -> Vec<String> {
        self.loader.list(self.main, self.relative(folder))
    }

    /// A path as the main file would write it, which is what people want to read.
    pub(crate) fn relative<'p>(&self, path: &'p str) -> &'p str {
        let below = path.strip_prefix(self.folder).and_then(|rest| match self.folder {
            "/" => Some(rest),
            _ => rest.strip_prefix('/'),
        });
        below.filter(|rest| !rest.is_empty()).unwrap_or(path)
    }
}
