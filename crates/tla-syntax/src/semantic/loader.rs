//! Where modules come from.

use std::sync::Arc;

use locus_source::{SourceFile, Sources};

/// Finds modules by name. The command looks beside the specification and in libraries; tests look in a map.
pub trait ModuleLoader {
    /// Adds the file of module `name` to `sources` and returns it; nothing if there is no such file, and a
    /// sentence on why if there is one that cannot be read.
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>>;

    /// Where module `name` is looked for, in order, as people would write these places.
    fn places(&self, _name: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Knows no modules but the standard ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoModules;

impl ModuleLoader for NoModules {
    fn load(&self, _: &Sources, _: &str) -> Option<Result<Arc<SourceFile>, String>> {
        None
    }
}

/// The text of a standard module, if there is one of that name.
///
/// In such a text the body `NATIVE` says that the evaluator provides the operator:
/// `Len(s) == NATIVE`. Its level is then the highest of its arguments' levels.
pub type StandardModules = fn(name: &str) -> Option<&'static str>;
