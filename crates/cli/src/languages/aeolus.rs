//! Aeolus documents, and the universes of Zephyrus and Metis, as one of the languages.

use std::borrow::Cow;
use std::sync::Arc;

use locus_aeolus::Reading;
use locus_draw::Scene;
use locus_graph::LocationGraph;
use locus_language::options::SUGGEST;
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, Unanswered, has_top_level_key,
};
use locus_meaning::things::Thing;
use locus_source::{Finding, Rule, SourceFile, Span};

use crate::report::counted;

/// Aeolus documents.
pub(crate) struct Aeolus;

impl Language for Aeolus {
    fn id(&self) -> &'static str {
        "aeolus"
    }

    fn name(&self) -> &'static str {
        "Aeolus document"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".aeolus.yaml", ".aeolus.yml", ".aeolus.json"]
    }

    fn driver(&self) -> Option<&'static str> {
        Some("script")
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        // A universe of Metis is a list of automata.
        let start = &text[..text.floor_char_boundary(4 << 10)];
        let is_metis = start.trim_start().starts_with('[') && start.contains("\"u_cname\"");
        if is_metis || ["aeolus", "component_types"].iter().any(|key| has_top_level_key(text, key)) {
            Ok(())
        } else {
            Err("it has no key `aeolus` at the top, nor those of a universe of Zephyrus or Metis")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[SUGGEST]
    }

    fn native_rules(&self) -> Vec<Rule> {
        locus_aeolus::RULES.to_vec()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(AeolusDocument(locus_aeolus::read(file, request.limits)))
    }
}

struct AeolusDocument(Reading);

impl Document for AeolusDocument {
    fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    fn comments(&self) -> &[Span] {
        &self.0.comments
    }

    fn summary(&self) -> String {
        let (types, configuration) =
            (self.0.document.universe.types().count(), &self.0.document.configuration);
        let components = counted(configuration.components.len(), "component");
        format!(
            "{}, {components}, {}",
            counted(types, "type"),
            counted(configuration.bindings.len(), "binding")
        )
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        if !self.is_complete() {
            return Err(NoGraph::NotUnderstood);
        }
        let document = &self.0.document;
        let name = |id| document.name(id).to_owned();
        let deployment = locus_aeolus::interpret(&document.universe, &document.configuration, name);
        Ok(Cow::Owned(LocationGraph::from_set(deployment.symbols, &deployment.locations)))
    }

    fn things(&self, _: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        if !self.is_complete() {
            return Err(NoGraph::NotUnderstood);
        }
        locus_plan::things(&self.0.document).map_err(NoGraph::NotBuildable)
    }

    fn picture(&self, title: &str) -> Result<Scene, NoGraph> {
        if self.is_complete() {
            Ok(locus_aeolus::picture(&self.0.document, title))
        } else {
            Err(NoGraph::NotUnderstood)
        }
    }

    fn judge(&self, _: &Request<'_>) -> Judgement {
        // What a document means is looked at when all of it was understood: else much of it would seem to be missing.
        if !self.is_complete() {
            return Judgement::default();
        }
        let (findings, open) = locus_plan::lint(&self.0.document);
        let unanswered = open.map(|why| Unanswered { why, nothing_to_check: false });
        Judgement { findings, unanswered: unanswered.into_iter().collect(), ..Judgement::default() }
    }
}
