//! Files that a template names, each read once.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use locus_source::{Limits, LoadError, Loader, SourceFile, Sources, clean_path};
use rustc_hash::FxHashMap;

use crate::template::Template;

type Loaded = Result<Arc<SourceFile>, LoadError>;

/// Templates that are resources of others, by their file.
#[derive(Clone)]
pub(crate) enum Nested {
    /// It is being read, so it contains itself.
    Open,
    /// It was read.
    Done(Option<Arc<Template>>),
}

/// The files of one reading.
pub(crate) struct Files<'l> {
    pub(crate) limits: &'l Limits,
    sources: &'l Sources,
    loader: Option<&'l dyn Loader>,
    /// By where they are, however that was written.
    seen: RefCell<FxHashMap<String, Loaded>>,
    pub(crate) nested: RefCell<FxHashMap<String, Nested>>,
    /// Whether the contents of a file are a value somewhere.
    contents_read: Cell<bool>,
}

impl<'l> Files<'l> {
    pub(crate) fn new(sources: &'l Sources, limits: &'l Limits, loader: Option<&'l dyn Loader>) -> Self {
        Self {
            limits,
            sources,
            loader,
            seen: RefCell::default(),
            nested: RefCell::default(),
            contents_read: Cell::new(false),
        }
    }

    /// Says that the contents of a file are a value.
    pub(crate) fn read_contents(&self) {
        self.contents_read.set(true);
    }

    /// Whether the contents of a file are a value somewhere.
    pub(crate) fn contents_read(&self) -> bool {
        self.contents_read.get()
    }

    /// The file that another one names.
    pub(crate) fn load(&self, from: &SourceFile, path: &str) -> Loaded {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let Some(loader) = self.loader.filter(|_| !path.contains("://")) else {
            return Err(LoadError::NotLocal);
        };
        let key = joined(from.name(), path);
        if let Some(known) = self.seen.borrow().get(&key) {
            return known.clone();
        }
        let loaded = loader.load(self.sources, from, path);
        self.seen.borrow_mut().insert(key, loaded.clone());
        loaded
    }
}

/// A path as seen from a file, without steps that lead nowhere: `a/./b` and `a/x/../b` are `a/b`. Links are not followed,
/// so this only tells files apart that are read twice.
fn joined(from: &str, path: &str) -> String {
    match from.rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => clean_path(&format!("{folder}/{path}")),
        _ => clean_path(path),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Counting(AtomicUsize);

    impl Loader for Counting {
        fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok((path.to_owned(), b"text".to_vec()))
        }
    }

    #[test]
    fn a_file_is_read_once_however_its_path_is_written() {
        let sources = Sources::new();
        let from = sources.add("stacks/web.yaml", "");
        let (loader, limits) = (Counting(AtomicUsize::new(0)), Limits::default());
        let files = Files::new(&sources, &limits, Some(&loader));
        let first = files.load(&from, "script.sh").unwrap();
        for path in ["./script.sh", "x/../script.sh", "file://script.sh", ".//script.sh"] {
            let again = files.load(&from, path).unwrap();
            assert!(Arc::ptr_eq(&first, &again), "{path}");
            assert!(Arc::ptr_eq(&first.shared_text(), &again.shared_text()));
        }
        assert_eq!(loader.0.load(Ordering::Relaxed), 1);
        assert!(files.load(&from, "../script.sh").is_ok() && files.load(&from, "/script.sh").is_ok());
        assert_eq!(loader.0.load(Ordering::Relaxed), 3);
        let elsewhere = files.load(&from, "http://example.org/script.sh");
        assert_eq!(elsewhere.err(), Some(LoadError::NotLocal));
    }
}
