//! Files that a template names. This crate reads none itself: whoever uses it hands over a [`Loader`].

use std::cell::RefCell;
use std::sync::Arc;

use locus_source::{FileId, Limits, SourceFile};
use rustc_hash::FxHashMap;

use crate::template::Template;

/// Reads files.
pub trait Loader {
    /// The file that `from` names as `path`, added to the sources. Paths are relative to the folder of `from`.
    fn load(&self, from: &SourceFile, path: &str) -> Result<Arc<SourceFile>, LoadError>;
}

/// Why a file was not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoadError {
    /// There is none, or it must not be read.
    Missing,
    /// It is there, and it is no text.
    NotText,
    /// It is somewhere else, and nobody looked.
    NotLooked,
}

type Loaded = Result<(Arc<SourceFile>, Arc<str>), LoadError>;

/// Templates that are resources of others, by their file.
#[derive(Clone)]
pub(crate) enum Nested {
    /// It is being read, so it contains itself.
    Open,
    /// It was read.
    Done(Option<Arc<Template>>),
}

/// The files of one reading, each read once.
pub(crate) struct Files<'l> {
    pub(crate) limits: &'l Limits,
    loader: Option<&'l dyn Loader>,
    seen: RefCell<FxHashMap<(FileId, Box<str>), Loaded>>,
    pub(crate) nested: RefCell<FxHashMap<String, Nested>>,
}

impl<'l> Files<'l> {
    pub(crate) fn new(limits: &'l Limits, loader: Option<&'l dyn Loader>) -> Self {
        Self { limits, loader, seen: RefCell::default(), nested: RefCell::default() }
    }

    /// The file that another one names, and its text.
    pub(crate) fn load(&self, from: &SourceFile, path: &str) -> Loaded {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let Some(loader) = self.loader else { return Err(LoadError::NotLooked) };
        if path.contains("://") {
            return Err(LoadError::NotLooked);
        }
        let key = (from.id(), Box::from(path));
        if let Some(known) = self.seen.borrow().get(&key) {
            return known.clone();
        }
        let loaded = loader.load(from, path).map(|file| {
            let text: Arc<str> = file.text().into();
            (file, text)
        });
        self.seen.borrow_mut().insert(key, loaded.clone());
        loaded
    }
}
