//! The rules that a language carries with it, run on what a document means: read and compiled once for all documents
//! that need the same, for every language in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use locus_rules::{
    CompiledRules, Instance, ModuleLoader, Occurring, RuleFiles, Rules, SharedModule, SharedModules,
    UNUSABLE, Verdict, read_library_module,
};
use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

/// The folder of the modules of types.
const TYPES: &str = "types/";

/// The rules of a language, in modules that stand beside its core, the module `LANGUAGE/core`; and a module for each of
/// its types, `LANGUAGE/types/…`, which is made when something opens it.
pub struct RuleSet {
    files: RuleFiles,
    types: fn(&str) -> Option<String>,
    /// Modules that were read. Those of a run open the same ones again and again.
    read: SharedModules,
    compiled: CompiledRules,
}

/// The judgement of rules on a document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judged {
    /// The faults.
    pub findings: Vec<Finding>,
    /// The faults that depend on values that are not known.
    pub unsettled: Vec<Finding>,
}

impl Judged {
    /// Adds what other rules say, or the same rules of another part of the document.
    pub fn add(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.unsettled.extend(other.unsettled);
    }
}

impl RuleSet {
    /// The rules of a language that has no types of which rules speak.
    pub const fn new(files: RuleFiles) -> Self {
        Self::with_types(files, |_| None)
    }

    /// The rules of a language; `types` makes the text of the module of a type, by the name of its signature.
    pub const fn with_types(files: RuleFiles, types: fn(&str) -> Option<String>) -> Self {
        Self { files, types, read: SharedModules::new(), compiled: CompiledRules::new() }
    }

    /// Its files: modules and examples.
    pub fn files(&self) -> &RuleFiles {
        &self.files
    }

    /// The text of a module, by its name without the language.
    pub fn module(&self, name: &str) -> Option<String> {
        match name.strip_prefix(TYPES) {
            Some(name) => (self.types)(name),
            None => self.files.module(name).map(str::to_owned),
        }
    }

    /// Whether there are rules in a module of this name.
    pub fn has_rules(&self, module: &str) -> bool {
        self.files.module(module).is_some()
    }

    /// Reads some modules and all that they open, before a document is judged by them.
    pub fn read_ahead(&self, modules: BTreeSet<String>) {
        let mut open: Vec<String> = modules.into_iter().rev().collect();
        open.push("core".to_owned());
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            let module = self.shared_module(&name).filter(|_| seen.insert(name));
            for name in module.iter().flat_map(|module| module.opens()) {
                match name.strip_prefix(self.files.language).and_then(|rest| rest.strip_prefix('/')) {
                    Some(name) => open.push(name.to_owned()),
                    None => read_library_module(name),
                }
            }
        }
    }

    fn shared_module(&self, name: &str) -> Option<Arc<SharedModule>> {
        self.read.get(name, || self.module(name))
    }

    /// Prepares for documents to come: says by how many of them each module is likely to be needed.
    pub fn expect(&self, modules: BTreeMap<String, usize>) {
        self.compiled.expect(modules);
    }

    /// The rules of some modules, and perhaps of more; only those that what occurs can break, if that is said.
    ///
    /// # Errors
    /// If a module is wrong; the finding, at the place that is given, says how.
    pub fn rules(
        &self,
        modules: &BTreeSet<String>,
        occurring: Option<&dyn Fn() -> Occurring>,
        everywhere: Place,
    ) -> Result<Arc<Rules>, Box<Finding>> {
        let root = |modules: &BTreeSet<String>| {
            let language = self.files.language;
            let mut text = format!("module {language}/document\nopen {language}/core\n");
            for name in modules {
                let _ = writeln!(text, "open {language}/{name} as rules_{name}");
            }
            text
        };
        let name = format!("{}/document.als", self.files.language);
        self.compiled.get(&name, modules, occurring, &root, self).map_err(|error| {
            let message =
                format!("the rules of the language {} cannot be used: {error}", self.files.language);
            Box::new(Finding::new(&UNUSABLE, everywhere, message))
        })
    }

    /// Judges a document by the rules of some modules. `instance` makes the instance that the document is.
    pub fn judge(
        &self,
        modules: &BTreeSet<String>,
        occurring: Option<&dyn Fn() -> Occurring>,
        instance: &dyn for<'r> Fn(&'r Rules) -> Instance<'r>,
        everywhere: Place,
    ) -> Judged {
        self.judge_with(modules, occurring, everywhere, &|rules| judge_by(instance(rules), everywhere))
    }

    /// The same by a judgement of the language's own. A module that is wrong is said to be, and the others are asked.
    pub fn judge_with(
        &self,
        modules: &BTreeSet<String>,
        occurring: Option<&dyn Fn() -> Occurring>,
        everywhere: Place,
        judge: &dyn Fn(&Rules) -> Judged,
    ) -> Judged {
        if modules.is_empty() {
            return Judged::default();
        }
        match self.rules(modules, occurring, everywhere) {
            Ok(rules) => judge(&rules),
            Err(finding) if modules.len() == 1 => Judged { findings: vec![*finding], unsettled: Vec::new() },
            Err(_) => modules.iter().fold(Judged::default(), |mut judged, module| {
                judged.add(self.judge_with(&[module.clone()].into(), occurring, everywhere, judge));
                judged
            }),
        }
    }
}

/// Gives its modules to models that open them.
impl ModuleLoader for RuleSet {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(self.files.name_of(name).and_then(|name| self.module(name)).map(String::into_bytes))
    }

    fn shared(&self, name: &str) -> Option<Arc<SharedModule>> {
        self.shared_module(self.files.name_of(name)?)
    }
}

/// Judges a document by rules that were compiled already. A rule that is broken in the same places, as with both
/// members of a group that stand for many, is reported once.
#[expect(clippy::needless_pass_by_value, reason = "an instance is judged once by these rules")]
pub fn judge_by(instance: Instance<'_>, everywhere: Place) -> Judged {
    let Judged { findings, unsettled } = judge_each(&instance, everywhere);
    Judged { findings: each_once(findings), unsettled: each_once(unsettled) }
}

/// Judges a document by rules that were compiled already, and reports each way in which a rule is broken: for a
/// language in which one place may say several things, such as a text that names two hosts.
pub fn judge_each(instance: &Instance<'_>, everywhere: Place) -> Judged {
    match instance.check(SHOWN, everywhere) {
        Ok(Verdict { findings, unsettled }) => Judged { findings, unsettled },
        Err(finding) => Judged { findings: vec![*finding], unsettled: Vec::new() },
    }
}

fn each_once(mut findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = FxHashSet::default();
    findings.retain(|one| {
        let places: Vec<Place> = one.secondary.iter().map(|label| label.place).collect();
        seen.insert((one.code.to_string(), one.primary.place, places))
    });
    findings
}

#[cfg(test)]
mod tests {
    use locus_source::{Sources, Span};

    use super::*;

    const FILES: RuleFiles = RuleFiles {
        language: "t",
        modules: &[
            ("bad", "module t/bad\nopen t/core\nfact { some Nothing }"),
            ("core", "module t/core\nsig Thing {}"),
            (
                "good",
                "module t/good\nopen t/core\n/** TST001 none: There is none.\n * @message {t} is there\n * @at t\n */\nfact { \
                 all t: Thing | t not in Thing }",
            ),
        ],
        examples: &[],
    };

    #[test]
    fn a_module_that_is_wrong_leaves_the_others() {
        let sources = Sources::new();
        let everywhere = sources.add("a", "").place(Span::point(0));
        let rules = RuleSet::new(FILES);
        let instance: &dyn for<'r> Fn(&'r Rules) -> Instance<'r> = &|rules| {
            let mut instance = rules.instance();
            instance.atom(rules.sig("t/core", "Thing").expect("it is declared"), "x", everywhere);
            instance
        };
        let judge = |names: &[&str]| {
            let modules = names.iter().map(|&name| name.to_owned()).collect();
            let judged = rules.judge(&modules, None, instance, everywhere);
            let mut found: Vec<_> = judged.findings.iter().map(|one| one.code.to_string()).collect();
            found.sort();
            found
        };
        assert_eq!(judge(&["bad", "good"]), ["TST001", "USR005"]);
        assert_eq!(judge(&["good"]), ["TST001"]);
        assert_eq!(judge(&["bad"]), ["USR005"]);
    }
}
