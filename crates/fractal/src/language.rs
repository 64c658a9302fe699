//! Fractal as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{LIBRARY, PARAMETER, RULES, SUGGEST};
use locus_language::{Choice, Document, Language, NoGraph, Request, RuleSet, Ruled, Unanswered, Unknown};
use locus_meaning::Meaning;
use locus_source::{FileId, Finding, Place, Rule, SourceFile, Span, xml};

use crate::{Inputs, Reading, library};

/// Definitions in the Fractal ADL.
#[derive(Clone, Copy, Debug)]
pub struct Fractal;

impl Language for Fractal {
    fn id(&self) -> &'static str {
        "fractal"
    }

    fn name(&self) -> &'static str {
        "Fractal definition"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".fractal"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["fractal"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        // Of what stands before it, only comments may be long.
        let start = &text[..text.floor_char_boundary(64 << 10)];
        let is_definition = start.trim_start().starts_with('<')
            && start.split('<').any(|tag| tag.starts_with("definition") && !tag.starts_with("definitions"));
        if is_definition { Ok(()) } else { Err("it has no element `definition`") }
    }

    fn options(&self) -> &'static [Choice] {
        &[PARAMETER, RULES, SUGGEST, LIBRARY]
    }

    fn native_rules(&self) -> Vec<Rule> {
        crate::RULES.iter().map(|rule| (*rule).clone()).collect()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&library::CARRIED)
    }

    fn decode(&self, bytes: Vec<u8>) -> Vec<u8> {
        xml::decode(bytes)
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        let reading = crate::read(request.sources, file, &Inputs::of(request));
        Box::new(FractalDocument { file: Arc::clone(file), reading })
    }
}

/// A file that was read.
struct FractalDocument {
    file: Arc<SourceFile>,
    reading: Reading,
}

impl FractalDocument {
    fn everywhere(&self) -> Place {
        self.file.place(Span::point(0))
    }
}

impl Document for FractalDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        if !self.reading.is_definition() {
            return "it could not be read".to_owned();
        }
        let (components, bindings) = self.reading.counts();
        format!("{components} components, {bindings} bindings")
    }

    fn unknowns(&self) -> Vec<Unknown> {
        let open = self.reading.open.iter();
        open.map(|(place, name)| Unknown {
            place: *place,
            why: format!("the argument `{name}` has no value"),
        })
        .collect()
    }

    fn comments_of_parts(&self) -> Vec<(FileId, Vec<Span>)> {
        self.reading.parts.iter().map(|(file, comments)| (file.id(), comments.clone())).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        match self.reading.broken() {
            Some(why) => Err(NoGraph::NotBuildable(why.to_owned())),
            None if self.reading.is_definition() => Ok(self.reading.meaning()),
            None => Err(NoGraph::NotUnderstood),
        }
    }

    fn model(&self, _: &Request<'_>) -> Result<String, NoGraph> {
        let ruled = self.reading.whole_ruled(self.everywhere()).ok_or(NoGraph::NotUnderstood)?;
        let model = ruled.model("definition", &|signature| signature == "Kell");
        model.map_err(|finding| NoGraph::NotBuildable(finding.message))
    }

    fn canonical(&self) -> Result<String, NoGraph> {
        self.meaning()?;
        self.reading.canonical().ok_or(NoGraph::NotUnderstood)
    }

    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        self.reading.ruled(self.everywhere())
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        let broken = self.reading.broken().map(|why| format!("not all was checked: {why}"));
        broken.into_iter().chain(self.reading.too_many()).map(Unanswered::new).collect()
    }
}
