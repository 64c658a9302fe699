//! The rules that come with Locus: the files under `rules/compose`.

use locus_alloy::Loader;
use locus_rules::{Example, Listed, RuleFiles};
use locus_source::Rule;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/compose`.
pub const FILES: RuleFiles = RuleFiles { language: "compose", modules: MODULES, examples: EXAMPLES };

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
        Ok(FILES.name_of(name).and_then(module).map(|text| text.as_bytes().to_vec()))
    }
}

/// The text of a module of this library, by its name without `compose/`.
pub fn module(name: &str) -> Option<&'static str> {
    FILES.module(name)
}

/// The names of the modules with rules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.names().filter(|name| *name != "core")
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
