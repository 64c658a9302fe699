//! The rules that a language carries with it: its modules, and an example for each rule.
//!
//! The tables are made from the files under `rules/` when a language is built (`build/table.rs`).

use locus_alloy::ModuleLoader;
use locus_source::Rule;

use crate::description::{Listed, scan, scan_rules};

/// The files with the rules of a language. Tables are in the order of their names.
#[derive(Clone, Copy, Debug)]
pub struct RuleFiles {
    /// The name of the language, which the names of its modules begin with.
    pub language: &'static str,
    /// The text of each module by its name without the language.
    pub modules: &'static [(&'static str, &'static str)],
    /// Files of the language, by the code of a rule and `.bad` or `.good`.
    pub examples: &'static [(&'static str, &'static str)],
}

/// A file that breaks a rule, and one that comes close and does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The one that breaks it.
    pub bad: &'static str,
    /// The one that does not.
    pub good: &'static str,
}

impl RuleFiles {
    /// The text of a module by its name without the language.
    pub fn module(&self, name: &str) -> Option<&'static str> {
        find(self.modules, name)
    }

    /// The name of a module of this language without the language, by the path of its file. Modules are looked for
    /// beside the file that opens them, so folders may stand in front.
    pub fn name_of<'p>(&self, path: &'p str) -> Option<&'p str> {
        let folder = format!("{}/", self.language);
        let start = match path.rfind(&format!("/{folder}")) {
            Some(at) => at + 1,
            None => path.starts_with(&folder).then_some(0)?,
        };
        path[start + folder.len()..].strip_suffix(".als")
    }

    /// The names of all modules.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.modules.iter().map(|(name, _)| *name)
    }

    /// All rules, with the name of the module that each is in.
    pub fn rules(&self) -> impl Iterator<Item = (&'static str, Listed<'static>)> + use<> {
        self.modules.iter().flat_map(|(name, text)| scan(text).into_iter().map(|rule| (*name, rule)))
    }

    /// The codes of all rules, and what each stands for.
    pub fn codes(&self) -> impl Iterator<Item = Rule> + use<> {
        self.modules.iter().flat_map(|(_, text)| scan_rules(text))
    }

    /// The example of a rule, by its code.
    pub fn example(&self, code: &str) -> Option<Example> {
        let file = |kind: &str| find(self.examples, &format!("{code}.{kind}"));
        Some(Example { bad: file("bad")?, good: file("good")? })
    }
}

/// Gives its modules to models that open them.
impl ModuleLoader for RuleFiles {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.name_of(name).and_then(|name| self.module(name)).map(|text| text.as_bytes().to_vec()))
    }
}

fn find(table: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    table.binary_search_by(|(known, _)| (*known).cmp(name)).ok().map(|at| table[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: RuleFiles = RuleFiles {
        language: "toy",
        modules: &[("core", "module toy/core"), ("more", "module toy/more")],
        examples: &[("TOY001.bad", "b"), ("TOY001.good", "g"), ("TOY002.bad", "b")],
    };

    #[test]
    fn modules_are_found_by_the_paths_of_their_files() {
        for path in ["toy/more.als", "folder/toy/more.als", "toy/inner/toy/more.als"] {
            assert_eq!(FILES.name_of(path), Some("more"), "{path}");
        }
        for path in ["more.als", "tiny/more.als", "notoy/more.als", "toy/more"] {
            assert_eq!(FILES.name_of(path), None, "{path}");
        }
        assert_eq!(FILES.module("more"), Some("module toy/more"));
        assert_eq!(FILES.module("less"), None);
    }

    #[test]
    fn an_example_has_both_files() {
        assert_eq!(FILES.example("TOY001"), Some(Example { bad: "b", good: "g" }));
        assert_eq!(FILES.example("TOY002"), None);
    }
}
