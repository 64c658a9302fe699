//! Rules written in Alloy, run on configurations.
//!
//! A rule is a fact with a documentation comment that holds its code, its message and its help ([`Description`] has
//! the form). [`Rules`] are the facts of a model. An [`Instance`] is what a language makes of a file: atoms and
//! tuples, each with the place that it came from. [`Instance::check`] evaluates every rule on it, and every way in
//! which one is broken becomes a finding that leads back to those places. [`Instance::repairs`] has the model finder
//! choose among changes to the file so that fewer rules are broken.
//!
//! Out of scope: any language, and the rules themselves, which are Alloy files beside the crates.

mod align;
mod check;
mod compiled;
mod description;
mod export;
mod faults;
mod files;
mod instance;
mod occurring;
mod passage;
mod phrase;
mod repair;

use locus_alloy::Model;
use locus_alloy::model::ModuleId;
use locus_source::{FileId, Finding, Place, Rule, Severity, Sources};
use rustc_hash::FxHashMap;

pub use locus_alloy::{
    Change, ModuleLoader, Repairs, SharedModule, SharedModules, Span, read_library_module,
};

pub use self::check::Verdict;
pub use self::compiled::CompiledRules;
pub use self::description::{Description, Listed, When, scan, scan_rules};
pub use self::export::KEYWORDS;
pub use self::files::{Example, RuleFiles};
pub use self::instance::{AtomId, Field, Instance, Item, Sig, UnknownId};
pub use self::occurring::Occurring;
pub use self::passage::{Broken, Judged, Passes, Side, Way, judge_way};

/// The rules of a model.
pub struct Rules {
    model: Model,
    /// For each fact of the model its comment. Most rules are not broken, so most comments are never read.
    comments: Vec<String>,
    /// The first module of each name.
    modules: FxHashMap<String, ModuleId>,
}

/// The rules that this crate itself reports.
pub const RULES: &[Rule] = &[UNNAMED, COMMENT, NO_RULE, MAY_BE_EMPTY, UNUSABLE];

/// A fact that says nothing of itself.
pub const UNNAMED: Rule = Rule::new(
    "USR001",
    "own-rule",
    Severity::Error,
    "The rules that were added hold.",
    "A fact of a file given by `--rules` does not hold. Give it a comment of the form `/** ABC001 name: summary */` with \
     a code, and lines `@message`, `@at` and `@help`, to have a message of its own.",
);

/// A comment that says something that nobody reads.
pub const COMMENT: Rule = Rule::new(
    "USR002",
    "rule-comment",
    Severity::Error,
    "The comment of a rule says what rules can say of themselves.",
    "The comment before a rule has a code, a name and a sentence, and lines that begin with `@severity`, `@message`, \
     `@at`, `@also` and `@help`. In braces, and after `@at` and `@also`, stand variables of the rule's outermost `all`, \
     with fields after them: `{p.prop_name}`. What is misspelt there would be missing in the findings.",
);

/// A file without a rule.
pub const NO_RULE: Rule = Rule::new(
    "USR003",
    "no-rule",
    Severity::Error,
    "A file that is given as rules has a rule.",
    "Rules are facts. A `pred` or an `assert` says something only where a fact uses it; a file without a fact would \
     find nothing wrong with anything.",
);

/// A comparison of what may have no value.
pub const MAY_BE_EMPTY: Rule = Rule::new(
    "USR004",
    "may-be-empty",
    Severity::Warning,
    "A rule says what holds of values that are not there.",
    "A property that is left out has no value, which Alloy takes for the empty set: it is `in` everything, and counts as \
     0 where numbers are compared. So `r.port <= 22` holds of a rule without a port. Say what is meant then, by `some` \
     or `no`.",
);

/// Rules that come with Locus cannot be compiled.
pub const UNUSABLE: Rule = Rule::new(
    "USR005",
    "rules-not-usable",
    Severity::Error,
    "The rules that come with Locus can be used.",
    "The rules about this language do not compile, so the file was not checked by them. This is a mistake in Locus: please \
     report it.",
);

impl Rules {
    /// Reads a model and the rules in it. There are rules if no finding is an error.
    pub fn load(sources: &Sources, loader: &dyn ModuleLoader, file: FileId) -> (Option<Self>, Vec<Finding>) {
        Self::of(sources, Model::load(sources, loader, file))
    }

    /// As [`Self::load`], for documents that have nothing else than what occurs: without rules that hold of all of
    /// them.
    pub(crate) fn load_for(
        sources: &Sources,
        loader: &dyn ModuleLoader,
        file: FileId,
        occurring: &Occurring,
    ) -> (Option<Self>, Vec<Finding>) {
        let absent = |module: &str, name: &str| occurring.lacks(module, name);
        Self::of(sources, Model::load_without(sources, loader, file, &absent))
    }

    fn of(
        sources: &Sources,
        (model, mut findings): (Option<Model>, Vec<Finding>),
    ) -> (Option<Self>, Vec<Finding>) {
        // A document is one moment.
        if let Some(finding) = model.as_ref().and_then(Model::refused_fact) {
            findings.push(*finding);
            return (None, findings);
        }
        let rules = model.map(|model| {
            let comment = |doc: Place| sources.get(doc.file).slice(doc.span).to_owned();
            let comments = model.facts().iter().map(|fact| fact.doc.map(comment).unwrap_or_default());
            let comments = comments.collect();
            let mut modules = FxHashMap::default();
            for (at, module) in (0..).zip(&model.world().modules) {
                if let Some(own) = &module.ast.module {
                    modules.entry(own.name.text.clone()).or_insert(ModuleId(at));
                }
            }
            Self { model, comments, modules }
        });
        (rules, findings)
    }

    /// Returns the description of the rule that is a fact of the model.
    pub(crate) fn description(&self, fact: usize) -> Description {
        let comment = self.comments[fact].trim_start_matches("/**").trim_end_matches("*/");
        Description::read(&description::text_of(comment), self.model.facts()[fact].name.as_deref())
    }

    /// Whether the file itself has commands, so that it is a model to be executed.
    pub fn has_commands(&self) -> bool {
        self.model.commands().iter().any(|command| !command.place.span.range().is_empty())
    }

    /// Whether the model has a module of this name.
    pub fn has_module(&self, name: &str) -> bool {
        self.modules.contains_key(name)
    }

    /// How many rules there are.
    pub fn count(&self) -> usize {
        self.model.facts().len()
    }

    /// An instance of the model, with nothing in it yet.
    pub fn instance(&self) -> Instance<'_> {
        Instance::new(self)
    }
}
