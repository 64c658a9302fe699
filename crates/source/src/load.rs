//! Files that other files name. Libraries read none themselves: whoever uses them hands over a [`Loader`].

use std::sync::Arc;

use crate::{Limits, SourceFile, Sources};

/// Gives files, and what else of the outside world a document may ask for.
pub trait Loader: Send + Sync {
    /// The name to show and the content of the file that `from` names as `path`, no larger than the limit of the
    /// loader. A relative path starts at the folder of `from`.
    ///
    /// # Errors
    /// If there is none, or it must not or cannot be read.
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError>;

    /// The same as a text, added to `sources`.
    ///
    /// # Errors
    /// Also if it is not a text.
    fn load(&self, sources: &Sources, from: &SourceFile, path: &str) -> Result<Arc<SourceFile>, LoadError> {
        let (name, bytes) = self.bytes(from, path)?;
        let limits = Limits { file_bytes: usize::MAX, ..Limits::default() };
        sources.add_bytes(name, bytes, &limits).map_err(|error| LoadError::Unreadable(error.to_string()))
    }

    /// Whether there is something at a path. Unlike reading, this leaves no note where looking is not allowed.
    fn look(&self, from: &SourceFile, path: &str) -> Found {
        match self.bytes(from, path) {
            Ok(_) => Found::File,
            Err(LoadError::Missing) => Found::Nothing,
            Err(_) => Found::Unknown,
        }
    }

    /// The names of the files in a folder, sorted; none where looking is not allowed. A relative path starts at the
    /// folder of `from`.
    fn list(&self, _from: &SourceFile, _folder: &str) -> Vec<String> {
        Vec::new()
    }

    /// The absolute path of the folder of a file, if it is in one.
    fn folder(&self, _of: &SourceFile) -> Option<String> {
        None
    }

    /// An absolute path with the first symbolic link in it followed.
    fn follow(&self, path: &str) -> String {
        path.to_owned()
    }

    /// The environment variables that a document may see; none unless the user allowed it.
    fn variables(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The names of the environment variables that are set and that a document may not see.
    fn hidden_variables(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The kind of thing at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file, a socket, a device: anything but a folder.
    File,
    /// A folder.
    Folder,
    /// Not known, since looking there is not allowed or failed.
    Unknown,
}

/// Why a file was not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// It is outside of the project. What is in it is *unknown*: never an error, but worth a note with this text.
    #[error("it is outside of the project; --allow-read {0} allows to read it")]
    NotAllowed(String),
    /// It is somewhere else, such as at a URL, and nobody looked.
    #[error("it is not a local file, so it was not read")]
    NotLocal,
    /// It is there and cannot be read: it is too large, is not text, or the system refuses.
    #[error("{0}")]
    Unreadable(String),
}

/// A loader without files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn bytes(&self, _: &SourceFile, _: &str) -> Result<(String, Vec<u8>), LoadError> {
        Err(LoadError::NotLocal)
    }
}

/// A path without `.`, `..` and double slashes, as Go's `path.Clean` gives it: `..` does not lead above the root, and
/// stays at the start of a relative path. Links are not followed, and nothing need exist.
pub fn clean_path(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if rooted => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::clean_path;

    #[test]
    fn paths_are_cleaned_as_go_does() {
        let table =
            [("", "."), ("/a//b/", "/a/b"), ("a/../..", ".."), ("/..", "/"), ("./a", "a"), ("a/..", ".")];
        for (path, cleaned) in table {
            assert_eq!(clean_path(path), cleaned, "{path}");
        }
    }
}
