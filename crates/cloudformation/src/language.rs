//! CloudFormation as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{ENVIRONMENT, PARAMETER, RULES, SUGGEST};
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, RuleSet, Ruled, Unanswered, Unknown,
    has_top_level_key,
};
use locus_meaning::Meaning;
use locus_source::{Finding, Rule, SourceFile, Span};

use crate::{Inputs, Reading, library, types, verdict};

/// CloudFormation templates.
#[derive(Clone, Copy, Debug)]
pub struct CloudFormation;

impl Language for CloudFormation {
    fn id(&self) -> &'static str {
        "cloudformation"
    }

    fn name(&self) -> &'static str {
        "CloudFormation template"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[
            ".cfn.yaml",
            ".cfn.yml",
            ".cfn.json",
            ".template.json",
            ".template.yaml",
            ".template.yml",
            ".template",
        ]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["yaml", "yml", "json", "template"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        let has_resources = || {
            let start = &text[..text.floor_char_boundary(LOOK)];
            ["AWS::", "Custom::"].iter().any(|name| start.contains(name)) && start.contains("Type")
        };
        if has_top_level_key(text, "AWSTemplateFormatVersion")
            || has_top_level_key(text, "Resources") && has_resources()
        {
            Ok(())
        } else {
            Err("it has neither `AWSTemplateFormatVersion` nor `Resources` of AWS at the top")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[ENVIRONMENT, PARAMETER, RULES, SUGGEST]
    }

    fn native_rules(&self) -> Vec<Rule> {
        crate::RULES.to_vec()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&library::CARRIED)
    }

    fn type_names(&self) -> Vec<&'static str> {
        types::type_names().to_vec()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(TemplateDocument { reading: crate::read(request.sources, file, &Inputs::of(request)) })
    }
}

/// How far into a file we look for resources.
const LOOK: usize = 64 << 10;

/// A template that was read.
struct TemplateDocument {
    reading: Reading,
}

impl Document for TemplateDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.reading.comments
    }

    fn summary(&self) -> String {
        match self.reading.template.as_ref().map(|template| template.resources.len()) {
            Some(1) => "1 resource".to_owned(),
            Some(count) => format!("{count} resources"),
            None => "it could not be read".to_owned(),
        }
    }

    fn unknowns(&self) -> Vec<Unknown> {
        let unknowns = self.reading.unknowns.iter();
        unknowns.map(|unknown| Unknown { place: unknown.place, why: unknown.why.to_string() }).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        self.reading.template.as_ref().map(crate::meaning).ok_or(NoGraph::NotUnderstood)
    }

    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        self.reading.template.as_ref().and_then(verdict::ruled)
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let mut checked = crate::check(&self.reading);
        for rules in request.own_rules {
            checked.add(crate::check_by(rules, &self.reading));
        }
        Judgement { unanswered: self.unanswered(), ..checked.into() }
    }

    fn unanswered(&self) -> Vec<Unanswered> {
        self.reading.unanswered.iter().map(Unanswered::new).collect()
    }
}
