//! OCCI as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{LIBRARY, RULES, SUGGEST};
use locus_language::{Choice, Document, Language, NoGraph, Request, RuleSet, Ruled, Unanswered};
use locus_meaning::Meaning;
use locus_source::{FileId, Finding, Place, Rule, SourceFile, Span, xml};

use crate::{Inputs, Reading, library};

/// Extensions and configurations of OCCI.
#[derive(Clone, Copy, Debug)]
pub struct Occi;

/// So far into a file its rendering is looked for.
const LOOK: usize = 16 << 10;

impl Language for Occi {
    fn id(&self) -> &'static str {
        "occi"
    }

    fn name(&self) -> &'static str {
        "OCCI file"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".occie", ".occic", ".occi.json", ".occi.txt"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["occie", "occic", "json"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        let start = text[..text.floor_char_boundary(LOOK)].trim_start();
        let is_xmi =
            start.starts_with('<') && (start.contains("xmlns:occi=") || start.contains("xmlns:OCCI="));
        let lists = ["\"resources\"", "\"links\"", "\"kinds\"", "\"mixins\"", "\"kind\""];
        let is_json = start.starts_with('{')
            && lists.iter().any(|key| start.contains(key))
            && ["\"term\"", "#"].iter().all(|sign| start.contains(sign))
            && start.contains("/occi/");
        let is_text = start.get(..9).is_some_and(|first| first.eq_ignore_ascii_case("category:"));
        if is_xmi || is_json || is_text { Ok(()) } else { Err("it is none of the renderings of OCCI") }
    }

    fn options(&self) -> &'static [Choice] {
        &[RULES, SUGGEST, LIBRARY]
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
        Box::new(OcciDocument { file: Arc::clone(file), reading })
    }
}

/// A file that was read.
struct OcciDocument {
    file: Arc<SourceFile>,
    reading: Reading,
}

impl OcciDocument {
    fn everywhere(&self) -> Place {
        self.file.place(Span::point(0))
    }
}

impl Document for OcciDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        if !self.reading.is_read {
            return "it could not be read".to_owned();
        }
        let [resources, links, kinds, mixins] = self.reading.counts;
        format!("{resources} resources, {links} links, {kinds} kinds, {mixins} mixins")
    }

    fn comments_of_parts(&self) -> Vec<(FileId, Vec<Span>)> {
        self.reading.parts.iter().map(|(file, comments)| (file.id(), comments.clone())).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        match self.reading.counts {
            _ if !self.reading.is_read => Err(NoGraph::NotUnderstood),
            [0, 0, kinds, mixins] if kinds + mixins > 0 => Err(NoGraph::NotBuildable(
                "it defines kinds and mixins, and describes no resources".to_owned(),
            )),
            _ => Ok(self.reading.meaning().clone()),
        }
    }

    fn model(&self, _: &Request<'_>) -> Result<String, NoGraph> {
        let ruled = self.reading.whole_ruled(self.everywhere()).ok_or(NoGraph::NotUnderstood)?;
        let alone = ["Resource", "Link", "Kind", "Mixin"];
        let model = ruled.model("configuration", &|signature| alone.contains(&signature));
        model.map_err(|finding| NoGraph::NotBuildable(finding.message))
    }

    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        self.reading.ruled(self.everywhere())
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        self.reading.too_many().map(Unanswered::new).into_iter().collect()
    }
}
