//! The rules that come with Locus: the files under `rules/hot`, and a module for every resource type.
//!
//! Rules about resources of a type are in a file named after it (`OS_Neutron_Port.als`), so that those of types that
//! a template does not use cost nothing. What they all use is `hot/core`, and the types are `hot/types/…`, made from
//! the catalogue when they are opened.

use locus_alloy::ModuleLoader;
use locus_rules::RuleFiles;

use crate::catalogue::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/hot`.
pub const FILES: RuleFiles = RuleFiles { language: "hot", modules: MODULES, examples: EXAMPLES };

/// Gives modules of this library to models that open them.
#[derive(Clone, Copy)]
pub(crate) struct Library;

impl ModuleLoader for Library {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(FILES.name_of(name).and_then(module).map(String::into_bytes))
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
