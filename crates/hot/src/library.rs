//! The rules that come with Locus: the files under `rules/hot`, and a module for every resource type.
//!
//! Rules about resources of a type are in a file named after it (`OS_Neutron_Port.als`), so that those of types that
//! a template does not use cost nothing. What they all use is `hot/core`, and the types are `hot/types/…`, made from
//! the catalogue when they are opened.

use std::collections::BTreeSet;
use std::sync::Once;

use locus_language::{RuleFiles, RuleSet};
use locus_source::SourceFile;

use crate::catalogue::{ResourceType, by_sig_name};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The files under `rules/hot`.
pub const FILES: RuleFiles = RuleFiles { language: "hot", modules: MODULES, examples: EXAMPLES };

/// The rules in them. A run meets the same types again and again.
pub(crate) static CARRIED: RuleSet =
    RuleSet::with_types(FILES, |name| by_sig_name(name).map(ResourceType::module));

/// Begins to read the modules that the first template of a run will be judged by, while the template itself is read.
pub(crate) fn read_ahead(file: &SourceFile) {
    static FIRST: Once = Once::new();
    FIRST.call_once(|| {
        let text = file.shared_text();
        let read = move || CARRIED.read_ahead(mentioned(&text));
        // If there is no thread for it, they are read when they are needed.
        let _ = std::thread::Builder::new().name("modules".to_owned()).spawn(read);
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
    modules.filter(|name| CARRIED.has_rules(name)).collect()
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
