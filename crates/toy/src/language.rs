//! The toy as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{PARAMETER, RULES, SUGGEST};
use locus_language::{
    Choice, Document, Inputs, Language, NoGraph, Request, RuleSet, Ruled, Unanswered, Unknown,
    has_top_level_key,
};
use locus_meaning::Meaning;
use locus_source::edit::Edit;
use locus_source::{Finding, Rule, SourceFile, Span};

use crate::library::CARRIED;
use crate::meaning::{VOCABULARY, meaning};
use crate::read::{self, Reading, Thing};
use crate::repair;

/// Toy documents.
pub struct Toy;

impl Language for Toy {
    fn id(&self) -> &'static str {
        "toy"
    }

    fn name(&self) -> &'static str {
        "toy document"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".toy"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toy"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        if has_top_level_key(text, "toy") { Ok(()) } else { Err("it has no key `toy` at the top") }
    }

    fn options(&self) -> &'static [Choice] {
        &[PARAMETER, RULES, SUGGEST]
    }

    fn native_rules(&self) -> Vec<Rule> {
        crate::RULES.to_vec()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&CARRIED)
    }

    fn type_names(&self) -> Vec<&'static str> {
        crate::types::NAMES.to_vec()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        let reading = read::read(file, &Inputs::of(request));
        Box::new(ToyDocument { file: Arc::clone(file), reading })
    }
}

struct ToyDocument {
    file: Arc<SourceFile>,
    reading: Reading,
}

impl ToyDocument {
    fn things(&self) -> &[Thing] {
        self.reading.things.as_deref().unwrap_or_default()
    }
}

impl Document for ToyDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        format!("{} things", self.things().len())
    }

    fn unknowns(&self) -> Vec<Unknown> {
        let unknowns = self.reading.unknowns.iter();
        unknowns.map(|unknown| Unknown { place: unknown.place, why: unknown.why.to_string() }).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        match (&self.reading.things, self.unanswered().first()) {
            (Some(_), Some(open)) => Err(NoGraph::NotBuildable(open.why.clone())),
            (Some(things), None) => Ok(meaning(things)),
            (None, _) => Err(NoGraph::NotUnderstood),
        }
    }

    fn ruled<'d>(&'d self, _: &Request<'d>) -> Option<Ruled<'d>> {
        let (things, everywhere) = (self.reading.things.as_deref()?, self.file.place(Span::point(0)));
        Some(Ruled {
            rules: &CARRIED,
            modules: ["server".to_owned()].into(),
            everywhere,
            instance: Box::new(move |rules| meaning(things).instance(rules, &VOCABULARY, everywhere)),
        })
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        let open = self.things().iter().filter(|thing| thing.count.is_none());
        open.map(|thing| Unanswered::new(format!("the number of `{}` is not known", thing.name))).collect()
    }

    fn change(&self, finding: &Finding) -> Option<Vec<Edit>> {
        repair::change(finding, self.things())
    }
}
