//! A language in one file, for tests: adding one needs this and a line in a table.

use std::borrow::Cow;
use std::sync::Arc;

use locus_graph::LocationGraph;
use locus_language::{CommentSyntax, Document, Judgement, Language, NoGraph, Request, comments};
use locus_source::{Finding, Rule, Severity, SourceFile, Span};

const SHOUT: Rule =
    Rule::new("TOY001", "toy-shout", Severity::Error, "Nobody shouts.", "Write in small letters.");

/// Texts in which nobody shouts.
pub(crate) struct Toy;

impl Language for Toy {
    fn id(&self) -> &'static str {
        "toy"
    }

    fn name(&self) -> &'static str {
        "toy text"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".toy"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toy"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        if text.starts_with("toy") { Ok(()) } else { Err("it does not start with `toy`") }
    }

    fn native_rules(&self) -> Vec<Rule> {
        vec![SHOUT]
    }

    fn read(&self, file: &Arc<SourceFile>, _: &Request<'_>) -> Box<dyn Document> {
        let syntax = CommentSyntax { line: &["#"], block: ("<!--", "-->"), nested: false };
        Box::new(ToyDocument { file: Arc::clone(file), comments: comments(file.text(), &syntax) })
    }
}

struct ToyDocument {
    file: Arc<SourceFile>,
    comments: Vec<Span>,
}

impl Document for ToyDocument {
    fn findings(&self) -> &[Finding] {
        &[]
    }

    fn comments(&self) -> &[Span] {
        &self.comments
    }

    fn summary(&self) -> String {
        "a text".to_owned()
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        Ok(Cow::Owned(LocationGraph::new()))
    }

    fn judge(&self, _: &Request<'_>) -> Judgement {
        let shouts = self.file.text().match_indices("HEY");
        let finding =
            |(at, _)| Finding::new(&SHOUT, self.file.place(Span::new(at, at + 3)), "somebody shouts");
        Judgement { findings: shouts.map(finding).collect(), ..Judgement::default() }
    }
}
