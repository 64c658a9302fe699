//! The rules that come with Locus: the files under `rules/tosca`.

use locus_alloy::Loader;
use locus_rules::{Listed, scan, scan_rules};
use locus_source::Rule;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Gives modules of this library to models that open them.
#[derive(Clone, Copy)]
pub struct Library;

impl Loader for Library {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let own = name.rfind("/tosca/").map(|at| at + 1).or(name.starts_with("tosca/").then_some(0));
        let own =
            own.and_then(|at| name[at..].strip_prefix("tosca/")).and_then(|own| own.strip_suffix(".als"));
        Ok(own.and_then(module).map(String::into_bytes))
    }
}

/// The text of a module of this library, by its name without `tosca/`.
pub fn module(name: &str) -> Option<String> {
    MODULES.binary_search_by(|(known, _)| known.cmp(&name)).ok().map(|at| MODULES[at].1.to_owned())
}

/// All rules of this library, with the name of the module that each is in.
pub fn rules() -> impl Iterator<Item = (&'static str, Listed<'static>)> {
    MODULES.iter().flat_map(|(name, text)| scan(text).into_iter().map(|rule| (*name, rule)))
}

/// The codes of all rules of this library, and what each stands for.
pub fn codes() -> impl Iterator<Item = Rule> {
    MODULES.iter().flat_map(|(_, text)| scan_rules(text))
}

/// A template that breaks a rule, and one that comes close and does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The one that breaks it.
    pub bad: &'static str,
    /// The one that does not.
    pub good: &'static str,
}

/// The example of a rule, by its code.
pub fn example(code: &str) -> Option<Example> {
    let find = |kind: &str| {
        let name = format!("{code}.{kind}");
        EXAMPLES.binary_search_by(|(known, _)| known.cmp(&&*name)).ok().map(|at| EXAMPLES[at].1)
    };
    Some(Example { bad: find("bad")?, good: find("good")? })
}
