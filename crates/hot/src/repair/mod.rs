//! Suggestions: which changes to a template there are, and how they are written.
//!
//! The findings give a repertoire of changes (`candidates`): another resource of the right kind, a free address in a
//! network, a value that is allowed, a key more or less, a resource that may be missing. A change that removes
//! protection is not among them (`protection`). Which of them are made is found out by [`fewest`].

mod addresses;
mod candidates;
mod protection;
mod slots;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_language::Suggestion;
use locus_language::suggest::fewest::{self, Judged, Repertoire};
use locus_language::{Instance, Rules};
use locus_source::{Edit, Finding, SourceFile, Sources};

use self::candidates::{Candidate, Reach, candidates, new_name};
use crate::template::Template;
use crate::{catalogue, meaning, verdict};

/// A smallest change of a text after which as many findings as possible are gone. `judge` reads a text as if it stood
/// in the place of this one. Nothing if nothing is wrong with it that a change of this text could correct.
pub fn suggest(text: &str, judge: &dyn Fn(&Sources, &str) -> Option<Judged<Template>>) -> Option<Suggestion> {
    fewest::suggest(text, &Changes { judge })
}

/// The changes of templates.
struct Changes<'j> {
    judge: &'j dyn Fn(&Sources, &str) -> Option<Judged<Template>>,
}

impl Repertoire for Changes<'_> {
    type Document = Template;
    type Change = Candidate;

    const REACHES: usize = Reach::ALL.len();

    fn read(&self, sources: &Sources, text: &str) -> Option<Judged<Template>> {
        (self.judge)(sources, text)
    }

    fn check(&self, template: &Template) -> Vec<Finding> {
        verdict::check(template).findings
    }

    fn changes(
        &self,
        file: &SourceFile,
        template: &Template,
        findings: &[&Finding],
        reach: usize,
        most: usize,
    ) -> Vec<Candidate> {
        candidates(file, template, findings, Reach::ALL[reach], most)
    }

    fn edits<'c>(&self, change: &'c Candidate) -> &'c [Edit] {
        &change.edits
    }

    /// New resources have the plainest names.
    fn edits_together(&self, template: &Template, changes: &[&Candidate]) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut taken = Vec::new();
        for Candidate { edits: own, added } in changes {
            let mut own = own.clone();
            if let (Some(added), Some(edit)) = (added, own.first_mut()) {
                let name = new_name(template, &added.wanted, &taken);
                edit.text = edit.text.replacen(&format!("{}:", added.name), &format!("{name}:"), 1);
                taken.push(name);
            }
            edits.extend(own);
        }
        edits
    }

    fn fit(&self, one: &Candidate, other: &Candidate) -> bool {
        one.fits(other)
    }

    fn rules(&self, template: &Template, changes: &[Candidate]) -> Result<Arc<Rules>, Box<Finding>> {
        let added = changes.iter().filter_map(|one| one.added.as_ref().map(|added| added.kind));
        let kinds: BTreeSet<&'static str> = added.collect();
        let kinds = kinds.into_iter().filter_map(catalogue::resource_type);
        verdict::rules(&verdict::modules(template, kinds), None, template)
    }

    fn instance<'r>(&self, rules: &'r Rules, template: &Template) -> Instance<'r> {
        meaning::instance(rules, &meaning(template), template)
    }
}
