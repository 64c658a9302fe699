//! The rules that come with Locus: the files under `rules/hot`, and a module for every resource type.
//!
//! Rules about resources of a type are in a file named after it (`OS_Neutron_Port.als`), so that those of types that
//! a template does not use cost nothing. What they all use is `hot/core`, and the types are `hot/types/…`, made from
//! the catalogue when they are opened.

use locus_alloy::Loader;
use locus_rules::{Listed, scan, scan_rules};
use locus_source::Rule;

use crate::catalogue::{ResourceType, by_sig_name};

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
        let own = name.rfind("/hot/").map(|at| at + 1).or(name.starts_with("hot/").then_some(0));
        let own = own.and_then(|at| name[at..].strip_prefix("hot/")).and_then(|own| own.strip_suffix(".als"));
        Ok(own.and_then(module).map(String::into_bytes))
    }

    fn library(&self, module: &str) -> Result<Option<Vec<u8>>, String> {
        self.beside.library(module)
    }

    fn declares(&self, name: &str) -> Option<String> {
        if module(&format!("types/{name}")).is_some() {
            return Some(format!("hot/types/{name}"));
        }
        let core = own("core").unwrap_or_default();
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
        None => own(name).map(str::to_owned),
    }
}

fn own(name: &str) -> Option<&'static str> {
    MODULES.binary_search_by(|(known, _)| known.cmp(&name)).ok().map(|at| MODULES[at].1)
}

/// Whether there are rules about resources of a type, by the name of its module.
pub(crate) fn has_rules(module: &str) -> bool {
    own(module).is_some()
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
