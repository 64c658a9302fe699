//! Files that a template names, each read once.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use locus_source::{
    Finding, Limits, LoadError, Loader, Place, Severity, SourceFile, Sources, Tree, clean_path,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::template::Template;
use crate::values::cases::Case;

/// The key that tells a finding from others that are about the same: code, severity, place, and message unless that is
/// left out.
type Said = (String, Severity, Place, Option<String>);

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
    /// The texts of templates that are resources of others.
    trees: RefCell<FxHashMap<String, Tree>>,
    /// Whether the contents of a file are a value somewhere.
    contents_read: Cell<bool>,
    /// How many resources were read in uses of templates.
    pub(crate) instances: Cell<usize>,
    /// The findings in templates that were read by themselves, and those in uses of them.
    said: RefCell<FxHashSet<Said>>,
    /// Questions that are not answered.
    open: RefCell<Vec<String>>,
    /// The variants of templates that are resources of others in all cases of something, whichever template uses them.
    pub(crate) cases: RefCell<Vec<Vec<Case>>>,
    /// How many resources were read in cases.
    pub(crate) in_cases: Cell<usize>,
    /// Whether the template is read to be built: with all members of groups, all contents of files, and the calls that
    /// only the deployment can work out.
    pub(crate) whole: bool,
}

impl<'l> Files<'l> {
    pub(crate) fn new(sources: &'l Sources, limits: &'l Limits, loader: Option<&'l dyn Loader>) -> Self {
        Self {
            limits,
            sources,
            loader,
            seen: RefCell::default(),
            nested: RefCell::default(),
            trees: RefCell::default(),
            contents_read: Cell::new(false),
            instances: Cell::new(0),
            said: RefCell::default(),
            open: RefCell::default(),
            cases: RefCell::default(),
            in_cases: Cell::new(0),
            whole: false,
        }
    }

    /// A text that is no file.
    pub(crate) fn add(&self, name: &str, text: &str) -> Arc<SourceFile> {
        self.sources.add(name, text)
    }

    /// Keeps the text of a template, for its uses.
    pub(crate) fn keep(&self, tree: &Tree) {
        self.trees.borrow_mut().insert(tree.source().name().to_owned(), tree.clone());
    }

    /// The text of a template that is a resource of another.
    pub(crate) fn tree(&self, file: &str) -> Option<Tree> {
        self.trees.borrow().get(file).cloned()
    }

    /// Remembers what was found in a template that was read by itself.
    pub(crate) fn is_said(&self, finding: &Finding) {
        let key = (finding.code.to_string(), finding.severity, finding.primary.place, None);
        self.said.borrow_mut().insert(key);
    }

    /// Whether what was found in a use of a template is not said of the template by itself, nor, among those of the
    /// `outermost` template, of another use.
    pub(crate) fn is_new(&self, finding: &Finding, outermost: bool) -> bool {
        let mut said = self.said.borrow_mut();
        let (code, place) = (finding.code.to_string(), finding.primary.place);
        if said.contains(&(code.clone(), finding.severity, place, None)) {
            return false;
        }
        !outermost || said.insert((code, finding.severity, place, Some(finding.message.clone())))
    }

    /// Does something and forgets what was found meanwhile.
    pub(crate) fn forgetful<R>(&self, what: impl FnOnce() -> R) -> R {
        let said = self.said.borrow().clone();
        let result = what();
        *self.said.borrow_mut() = said;
        result
    }

    /// Says that a question is not answered.
    pub(crate) fn leave_open(&self, why: String) {
        let mut open = self.open.borrow_mut();
        if !open.contains(&why) {
            open.push(why);
        }
    }

    /// The questions that are not answered.
    pub(crate) fn left_open(&self) -> Vec<String> {
        self.open.borrow().clone()
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

/// A path as seen from a file, without steps that lead nowhere: `a/./b` and `a/x/../b` are `a/b`. Links are not
/// followed, so this only tells files apart that are read twice.
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
