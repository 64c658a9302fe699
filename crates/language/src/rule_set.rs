//! The rules that a language carries with it, run on what a document means: compiled once for all documents that need
//! the same, for every language in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use locus_rules::{CompiledRules, Instance, ModuleLoader, Occurring, Rules, UNUSABLE, Verdict};
use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

/// The rules of a language, in modules that stand beside its core.
pub struct RuleSet {
    language: &'static str,
    loader: &'static (dyn ModuleLoader + Sync),
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
    /// The rules of a language: its core is the module `LANGUAGE/core`.
    pub const fn new(language: &'static str, loader: &'static (dyn ModuleLoader + Sync)) -> Self {
        Self { language, loader, compiled: CompiledRules::new() }
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
            let language = self.language;
            let mut text = format!("module {language}/document\nopen {language}/core\n");
            for name in modules {
                let _ = writeln!(text, "open {language}/{name} as rules_{name}");
            }
            text
        };
        let name = format!("{}/document.als", self.language);
        self.compiled.get(&name, modules, occurring, &root, self.loader).map_err(|error| {
            let message = format!("the rules of the language {} cannot be used: {error}", self.language);
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
        if modules.is_empty() {
            return Judged::default();
        }
        match self.rules(modules, occurring, everywhere) {
            Ok(rules) => judge_by(instance(&rules), everywhere),
            Err(finding) => Judged { findings: vec![*finding], unsettled: Vec::new() },
        }
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
