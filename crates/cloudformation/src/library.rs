//! The rules that come with Locus: the files under `rules/cloudformation`, and a module for every resource type.
//!
//! Rules that are asked where a template has resources of a type are in a file named after it (`AWS_EC2_Subnet.als`),
//! so that those of types that a template does not use cost nothing. What they all use is `cloudformation/core`, and
//! the types are `cloudformation/types/…`, made from the registry when they are opened.

use std::sync::Arc;

use locus_alloy::{ModuleLoader, SharedModule, SharedModules};
use locus_rules::RuleFiles;

use crate::types::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/cloudformation`.
pub const FILES: RuleFiles = RuleFiles { language: "cloudformation", modules: MODULES, examples: EXAMPLES };

/// Modules that were read. Those of a run open the same ones again and again.
static READ: SharedModules = SharedModules::new();

/// Gives modules of this library to models that open them.
#[derive(Clone, Copy)]
pub(crate) struct Library;

impl ModuleLoader for Library {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(FILES.name_of(name).and_then(module).map(String::into_bytes))
    }

    fn shared(&self, name: &str) -> Option<Arc<SharedModule>> {
        let name = FILES.name_of(name)?;
        READ.get(name, || module(name))
    }
}

/// The text of a module of this library, by its name without `cloudformation/`.
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
