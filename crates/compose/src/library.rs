//! The rules that come with Locus: the files under `rules/compose`.

use locus_alloy::Loader;
use locus_rules::{Listed, scan, scan_rules};
use locus_source::Rule;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

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
        // Modules are looked for beside the file that opens them, so the folders in front are not part of the name.
        let own = name.rfind("/compose/").map(|at| at + 1).or(name.starts_with("compose/").then_some(0));
        let own =
            own.and_then(|at| name[at..].strip_prefix("compose/")).and_then(|own| own.strip_suffix(".als"));
        Ok(own.and_then(module).map(|text| text.as_bytes().to_vec()))
    }
}

/// The text of a module of this library, by its name without `compose/`.
pub fn module(name: &str) -> Option<&'static str> {
    MODULES.binary_search_by(|(known, _)| known.cmp(&name)).ok().map(|at| MODULES[at].1)
}

/// The names of the modules with rules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name).filter(|name| *name != "core")
}

/// All rules of this library, with the name of the module that each is in.
pub fn rules() -> impl Iterator<Item = (&'static str, Listed<'static>)> {
    MODULES.iter().flat_map(|(name, text)| scan(text).into_iter().map(|rule| (*name, rule)))
}

/// The codes of all rules of this library, and what each stands for.
pub fn codes() -> impl Iterator<Item = Rule> {
    MODULES.iter().flat_map(|(_, text)| scan_rules(text))
}

/// A file that breaks a rule, and one that comes close and does not, by the code of the rule.
pub fn example(code: &str) -> Option<(&'static str, &'static str)> {
    let find = |kind: &str| {
        let name = format!("{code}.{kind}");
        EXAMPLES.binary_search_by(|(known, _)| known.cmp(&&*name)).ok().map(|at| EXAMPLES[at].1)
    };
    Some((find("bad")?, find("good")?))
}
