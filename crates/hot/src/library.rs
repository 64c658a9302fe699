//! The rules that come with Locus: the files under `rules/hot`, and a module for every resource type.
//!
//! Rules about resources of a type are in a file named after it (`OS_Neutron_Port.als`), so that those of types that
//! a template does not use cost nothing. What they all use is `hot/core`, and the types are `hot/types/…`, made from
//! the catalogue when they are opened.

use locus_alloy::Loader;
use locus_rules::RuleFiles;

use crate::catalogue::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/hot`.
pub const FILES: RuleFiles = RuleFiles { language: "hot", modules: MODULES, examples: EXAMPLES };

/// Gives modules of this library to models that open them, and other files by another loader.
#[derive(Clone, Copy)]
pub struct Library<'l> {
    /// Where other modules are.
    pub beside: &'l dyn Loader,
}

impl Loader for Library<'_> {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        if let Some(bytes) = self.beside.load(name)? {
            return Ok(Some(bytes));
        }
        Ok(FILES.name_of(name).and_then(module).map(String::into_bytes))
    }

    fn library(&self, module: &str) -> Result<Option<Vec<u8>>, String> {
        self.beside.library(module)
    }

    fn declares(&self, name: &str) -> Option<String> {
        if module(&format!("types/{name}")).is_some() {
            return Some(format!("hot/types/{name}"));
        }
        let core = FILES.module("core").unwrap_or_default();
        let declared = ["sig", "fun"].map(|kind| format!("{kind} {name}"));
        let ends = |after: &str| !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_declared = |what: &String| core.split(what.as_str()).skip(1).any(ends);
        declared.iter().any(is_declared).then(|| "hot/core".to_owned())
    }
}

/// The text of a module of this library, by its name without `hot/`.
pub fn module(name: &str) -> Option<String> {
    match name.strip_prefix("types/") {
        Some(name) => by_sig_name(name).map(ResourceType::module),
        None => FILES.module(name).map(str::to_owned),
    }
}

/// Whether there are rules about resources of a type, by the name of its module.
pub(crate) fn has_rules(module: &str) -> bool {
    FILES.module(module).is_some()
}
