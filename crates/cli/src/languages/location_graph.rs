//! The text form of the pivot, as one of the languages.

use std::borrow::Cow;
use std::sync::Arc;

use locus_graph::LocationGraph;
use locus_graph::text::{self, Reading};
use locus_language::options::SUGGEST;
use locus_language::{Choice, Document, Judgement, Language, NoGraph, Request, has_top_level_key};
use locus_meaning::lifecycle;
use locus_meaning::things::{self, Thing};
use locus_source::{Finding, Place, Rule, SourceFile, Span};

use crate::report::counted;

pub(super) struct LocationGraphs;

impl Language for LocationGraphs {
    fn id(&self) -> &'static str {
        "location-graph"
    }

    fn name(&self) -> &'static str {
        "location graph"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".lg.yaml", ".lg.yml", ".lg.json"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        if has_top_level_key(text, "location-graph") {
            Ok(())
        } else {
            Err("it has no key `location-graph` at the top")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[SUGGEST]
    }

    fn native_rules(&self) -> Vec<Rule> {
        locus_graph::RULES.iter().cloned().chain([lifecycle::LIFECYCLE]).collect()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        let reading = text::read(file, request.limits);
        Box::new(GraphDocument { start: file.place(Span::point(0)), reading })
    }
}

struct GraphDocument {
    start: Place,
    reading: Reading,
}

impl Document for GraphDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        let graph = &self.reading.graph;
        format!("{}, {}", counted(graph.len(), "location"), counted(graph.bindings().len(), "binding"))
    }

    // A graph that breaks the rules can still be drawn, which may be how somebody finds out why; a text that could not
    // be read as one cannot.
    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        if self.is_complete() { Ok(Cow::Borrowed(&self.reading.graph)) } else { Err(NoGraph::NotUnderstood) }
    }

    fn things(&self, _: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        Ok(things::of_graph(&*self.graph()?, self.start))
    }

    fn judge(&self, _: &Request<'_>) -> Judgement {
        let graph = &self.reading.graph;
        let mut findings = locus_graph::check(graph, self.start);
        if self.is_complete() {
            findings.extend(lifecycle::check(graph, self.start));
        }
        Judgement { findings, ..Judgement::default() }
    }
}
