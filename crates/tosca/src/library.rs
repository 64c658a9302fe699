//! The rules that come with Locus: the files under `rules/tosca`.

use locus_alloy::Loader;
use locus_rules::{Example, Listed, RuleFiles};
use locus_source::Rule;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/tosca`.
pub const FILES: RuleFiles = RuleFiles { language: "tosca", modules: MODULES, examples: EXAMPLES };

/// Gives modules of this library to models that open them.
#[derive(Clone, Copy)]
pub struct Library;

impl Loader for Library {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(FILES.name_of(name).and_then(module).map(String::into_bytes))
    }
}

/// The text of a module of this library, by its name without `tosca/`.
pub fn module(name: &str) -> Option<String> {
    FILES.module(name).map(str::to_owned)
}

/// All rules of this library, with the name of the module that each is in.
pub fn rules() -> impl Iterator<Item = (&'static str, Listed<'static>)> {
    FILES.rules()
}

/// The codes of all rules of this library, and what each stands for.
pub fn codes() -> impl Iterator<Item = Rule> {
    FILES.codes()
}

/// The example of a rule, by its code.
pub fn example(code: &str) -> Option<Example> {
    FILES.example(code)
}
