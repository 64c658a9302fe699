//! Modules that many models open, each read once.
//!
//! Out of scope: where their texts come from. A [`ModuleLoader`](crate::ModuleLoader) gives the modules to the models
//! that open them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use locus_source::Sources;

use crate::{ast, library, parser};

/// The file of a module, read once for all models that open it.
#[derive(Debug)]
pub struct SharedModule {
    pub(crate) text: Arc<str>,
    pub(crate) ast: Arc<ast::File>,
}

impl SharedModule {
    /// Reads a text, if nothing is wrong with it.
    fn read(text: impl Into<Arc<str>>) -> Option<Self> {
        let file = Sources::new().add("", text);
        let (ast, errors) = parser::parse(&file);
        errors.is_empty().then(|| Self { text: file.shared_text(), ast: Arc::new(ast) })
    }

    /// The names of the modules that it opens, as they are written.
    pub fn opens(&self) -> impl Iterator<Item = &str> {
        self.ast.opens.iter().map(|open| open.name.text.as_str())
    }
}

/// A module that is being read, or was; nothing if there is none.
type Slot = OnceLock<Option<Arc<SharedModule>>>;

/// Modules by name. Several threads may ask for the same one at once: one of them reads it, the others wait.
#[derive(Debug, Default)]
pub struct SharedModules {
    known: Mutex<BTreeMap<String, Arc<Slot>>>,
}

impl SharedModules {
    /// None yet.
    pub const fn new() -> Self {
        Self { known: Mutex::new(BTreeMap::new()) }
    }

    /// The module of a name, whose text is asked for once. Nothing if there is no text, or something is wrong with it.
    pub fn get<T: Into<Arc<str>>>(
        &self,
        name: &str,
        text: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<SharedModule>> {
        let slot = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            match known.get(name) {
                Some(slot) => Arc::clone(slot),
                None => Arc::clone(known.entry(name.to_owned()).or_default()),
            }
        };
        slot.get_or_init(|| text().and_then(SharedModule::read).map(Arc::new)).clone()
    }
}

/// Reads a module of the library of Alloy before a model opens it.
pub fn read_library_module(name: &str) {
    library::get(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_read_once() {
        let modules = SharedModules::new();
        let first =
            modules.get("a", || Some("module a\nopen b\nopen c/d as e\nsig A {}")).expect("it is valid");
        assert_eq!(first.opens().collect::<Vec<_>>(), ["b", "c/d"]);
        let again = modules.get("a", || -> Option<&str> { panic!("its text was asked for twice") });
        assert!(again.is_some_and(|again| Arc::ptr_eq(&again, &first)));
        assert!(modules.get("wrong", || Some("sig {")).is_none());
        assert!(modules.get("missing", || None::<&str>).is_none());
    }
}
