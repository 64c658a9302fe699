//! HOT as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{ENVIRONMENT, PARAMETER, RULES, SUGGEST};
use locus_language::suggest::fewest::Judged;
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, RuleSet, Ruled, Suggestion, Unanswered, Unknown,
    has_top_level_key,
};
use locus_meaning::Meaning;
use locus_meaning::things::Thing;
use locus_source::{Finding, Rule, SourceFile, Sources, Span};

use crate::repair;
use crate::{Inputs, Reading, catalogue, library, verdict};

/// Heat Orchestration Templates.
#[derive(Clone, Copy, Debug)]
pub struct Hot;

impl Language for Hot {
    fn id(&self) -> &'static str {
        "hot"
    }

    fn name(&self) -> &'static str {
        "HOT template"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".hot.yaml", ".hot.yml"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        if has_top_level_key(text, "heat_template_version") {
            Ok(())
        } else {
            Err("it has no key `heat_template_version` at the top")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[ENVIRONMENT, PARAMETER, RULES, SUGGEST]
    }

    fn driver(&self) -> Option<&'static str> {
        Some("openstack")
    }

    fn native_rules(&self) -> Vec<Rule> {
        crate::RULES.to_vec()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&library::CARRIED)
    }

    fn type_names(&self) -> Vec<&'static str> {
        catalogue::type_names().to_vec()
    }

    fn expect(&self, files: &[&SourceFile]) {
        verdict::expect(files);
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        library::read_ahead(file);
        Box::new(HotDocument { reading: read(file, request) })
    }

    fn suggest(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Option<Suggestion> {
        let name = file.name();
        let judge = |sources: &Sources, text: &str| {
            let file = sources.add(name, text);
            let options = request.options.within(sources);
            let read = read(&file, &Request { sources, options: &options, ..*request });
            let mut findings = read.findings;
            for (rules, template) in request.own_rules.iter().zip(read.template.iter().cycle()) {
                findings.extend(crate::check_by(rules, template).findings);
            }
            Some(Judged { file, document: read.template, findings })
        };
        repair::suggest(file.text(), &judge)
    }
}

fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> Reading {
    crate::read(request.sources, file, &Inputs::of(request))
}

/// A template that was read.
struct HotDocument {
    reading: Reading,
}

impl Document for HotDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        match self.graph() {
            Ok(graph) if graph.len() == 1 => "1 location".to_owned(),
            Ok(graph) => format!("{} locations", graph.len()),
            Err(_) => "it could not be read".to_owned(),
        }
    }

    fn unknowns(&self) -> Vec<Unknown> {
        let unknowns = self.reading.unknowns.iter();
        unknowns.map(|unknown| Unknown { place: unknown.place, why: unknown.why.to_string() }).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        self.reading.template.as_ref().map(crate::meaning).ok_or(NoGraph::NotUnderstood)
    }

    fn built(&self, request: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        let inputs = Inputs { whole: true, ..Inputs::of(request) };
        let read = self.reading.template.as_ref().ok_or(NoGraph::NotUnderstood)?;
        let reading = crate::read(request.sources, &read.file, &inputs);
        let template = reading.template.as_ref().ok_or(NoGraph::NotUnderstood)?;
        if let Some(why) = reading.unanswered.first() {
            return Err(NoGraph::NotBuildable(why.clone()));
        }
        crate::build(template).map_err(NoGraph::NotBuildable)
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let Some(template) = &self.reading.template else { return Judgement::default() };
        let mut checked = crate::judge(&self.reading);
        for rules in request.own_rules {
            checked.add(crate::check_by(rules, template));
        }
        Judgement { unanswered: self.unanswered(), ..checked.into() }
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        self.reading.unanswered.iter().map(Unanswered::new).collect()
    }

    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        self.reading.template.as_ref().and_then(verdict::ruled)
    }
}
