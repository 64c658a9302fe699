//! The rules that come with Locus: the files under `rules/hot`, and a module for every resource type.
//!
//! Rules about resources of a type are in a file named after it (`OS_Neutron_Port.als`), so that those of types that
//! a template does not use cost nothing. What they all use is `hot/core`, and the types are `hot/types/…`, made from
//! the catalogue when they are opened.

use std::collections::BTreeSet;
use std::sync::{Arc, Once};

use locus_alloy::{ModuleLoader, SharedModule, SharedModules, read_library_module};
use locus_rules::RuleFiles;
use locus_source::SourceFile;

use crate::catalogue::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/hot`.
pub const FILES: RuleFiles = RuleFiles { language: "hot", modules: MODULES, examples: EXAMPLES };

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
        read(FILES.name_of(name)?)
    }
}

fn read(name: &str) -> Option<Arc<SharedModule>> {
    READ.get(name, || module(name))
}

/// Begins to read the modules that the first template of a run will be judged by, while the template itself is read.
pub(crate) fn read_ahead(file: &SourceFile) {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        let text = file.shared_text();
        // If there is no thread for it, they are read when they are needed.
        let _ = std::thread::Builder::new().name("modules".to_owned()).spawn(move || {
            let mut open: Vec<String> = mentioned(&text).into_iter().rev().collect();
            open.push("core".to_owned());
            let mut seen = BTreeSet::new();
            while let Some(name) = open.pop() {
                let module = read(&name).filter(|_| seen.insert(name));
                for name in module.iter().flat_map(|module| module.opens()) {
                    match name.strip_prefix("hot/") {
                        Some(name) => open.push(name.to_owned()),
                        None => read_library_module(name),
                    }
                }
            }
        });
    });
}

/// Looked for are the types in the beginning of a text: a template that is much longer takes its time anyway.
const BEGINNING: usize = 1 << 18;

/// The modules with rules about the types that a text mentions.
pub(crate) fn mentioned(text: &str) -> BTreeSet<String> {
    let beginning = &text[..text.floor_char_boundary(BEGINNING)];
    let mut types = BTreeSet::new();
    for (at, start) in beginning.match_indices("OS::") {
        let rest = &beginning[at + start.len()..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != ':');
        types.insert(&rest[..end.unwrap_or(rest.len())]);
    }
    let modules = types.into_iter().map(|name| format!("OS::{name}").replace("::", "_"));
    modules.filter(|name| has_rules(name)).collect()
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

#[cfg(test)]
mod tests {
    use locus_source::Sources;

    use super::*;

    #[test]
    fn the_modules_of_a_template_are_foreseen() {
        let mut foreseen = 0;
        for (name, text) in FILES.examples {
            let sources = Sources::new();
            let file = sources.add(*name, *text);
            let Some(template) = crate::read(&sources, &file, &crate::Inputs::default()).template else {
                continue;
            };
            let needed = crate::verdict::modules(&template, std::iter::empty());
            // Modules about properties and about what members are made of are found only by understanding a template.
            let mentioned = mentioned(text);
            foreseen += usize::from(needed.is_subset(&mentioned));
        }
        assert!(foreseen * 10 > FILES.examples.len() * 9, "{foreseen} of {}", FILES.examples.len());
    }
}
