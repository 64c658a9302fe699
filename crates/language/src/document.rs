//! A file that was read, and what can be said of it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use locus_draw::Scene;
use locus_graph::LocationGraph;
use locus_meaning::things::Thing;
use locus_meaning::{Meaning, Relationships, lifecycle};
use locus_rules::{Instance, Rules};
use locus_source::edit::Edit;
use locus_source::{FileId, Finding, Place, Severity, Span};

use crate::{Judged, Request, RuleSet, judge_by};

/// A file that was read in some language.
///
/// [`findings`](Document::findings), [`comments`](Document::comments) and [`summary`](Document::summary) are about the
/// text. [`judge`](Document::judge) is asked once per run; it may take long, within the effort of the request.
pub trait Document {
    /// Returns the faults of the text, found while reading it.
    fn findings(&self) -> &[Finding];

    /// The comments of the file, which may suppress findings.
    fn comments(&self) -> &[Span];

    /// Describes it in a few words for `--verbose`, such as `4 locations, 3 bindings`.
    fn summary(&self) -> String;

    /// Whether all of the text was understood. If not, nothing is known of suppressions without effect.
    fn is_complete(&self) -> bool {
        !self.findings().iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The values that are not known before deployment, in the order of the text.
    fn unknowns(&self) -> Vec<Unknown> {
        Vec::new()
    }

    /// Other files of this language that were read for this one and need not be judged by themselves, such as the
    /// modules that a specification extends.
    fn parts(&self) -> Vec<FileId> {
        Vec::new()
    }

    /// The comments of the other files that findings may be about, each with its file; they may suppress findings
    /// there.
    fn comments_of_parts(&self) -> Vec<(FileId, Vec<Span>)> {
        Vec::new()
    }

    /// The meaning of the document, as far as the text was understood: everything below is made of it. Documents that
    /// are location graphs themselves, or components of Aeolus, have none beside that.
    ///
    /// # Errors
    /// If there is none.
    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        Err(NoGraph::NotThisLanguage("files in this language describe no elements".to_owned()))
    }

    /// The name that the document gives to all that it describes.
    fn own_name(&self) -> Option<String> {
        None
    }

    /// The way in which the location graph shows references that have a type.
    fn relationships(&self) -> Relationships {
        Relationships::Bindings
    }

    /// The location graph.
    ///
    /// # Errors
    /// If there is none.
    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        Ok(Cow::Owned(self.meaning()?.graph(self.relationships())))
    }

    /// The document as an Alloy module over the module that the rules of its language are written over.
    ///
    /// # Errors
    /// If the text could not be understood, or there is none in this language.
    fn model(&self, _request: &Request<'_>) -> Result<String, NoGraph> {
        Err(NoGraph::NotThisLanguage("files in this language are not written as Alloy models".to_owned()))
    }

    /// The document in the one form that all documents of the same meaning have, in its own language.
    ///
    /// # Errors
    /// If the text could not be understood, or the language has no such form.
    fn canonical(&self) -> Result<String, NoGraph> {
        Err(NoGraph::NotThisLanguage("files in this language are not written in a canonical form".to_owned()))
    }

    /// The picture of it.
    ///
    /// # Errors
    /// If there is no location graph.
    fn picture(&self, title: &str) -> Result<Scene, NoGraph> {
        Ok(locus_graph::picture(&*self.graph()?, title))
    }

    /// The things that a deployment makes, with the lifecycles that planning goes by.
    ///
    /// # Errors
    /// If there are none in this language, or the text could not be understood.
    fn things(&self, request: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        Ok(self.meaning()?.things(request.sources))
    }

    /// The meaning to be shown: of a document that is a location graph itself, what that says. `start` is the place of
    /// what is said nowhere in particular.
    ///
    /// # Errors
    /// If there is none.
    fn shown(&self, start: Place) -> Result<Meaning<'_>, NoGraph> {
        match self.meaning() {
            Err(NoGraph::NotThisLanguage(_)) => Ok(lifecycle::read(&*self.graph()?, start).meaning),
            other => other,
        }
    }

    /// The things as their driver makes them. Where what is planned as one consists of several, these are they.
    ///
    /// # Errors
    /// As [`Document::things`], and if something cannot be made; in words.
    fn built(&self, request: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        self.things(request)
    }

    /// Judges it by the rules of the language, and those of the user in the request; or has an engine judge it.
    fn judge(&self, request: &Request<'_>) -> Judgement {
        let judged = self.ruled(request).map(|ruled| ruled.judge(request.own_rules)).unwrap_or_default();
        Judgement { unanswered: self.unanswered(), ..judged.into() }
    }

    /// The questions about it that are not answered, however long there is.
    fn unanswered(&self) -> Vec<Unanswered> {
        Vec::new()
    }

    /// The rules of the language that are about this document, and the instance that it is for them. None if there are
    /// no such rules, or the text was not understood.
    fn ruled<'d>(&'d self, _request: &Request<'d>) -> Option<Ruled<'d>> {
        None
    }

    /// The one right change for a finding about this file that carries none, if there is one
    /// ([`SUGGEST`](crate::options::SUGGEST)).
    fn change(&self, _finding: &Finding) -> Option<Vec<Edit>> {
        None
    }

    /// How far its reader got: findings that are there only because it got further are no fault of a change.
    fn step(&self) -> u8 {
        u8::from(self.is_complete())
    }
}

/// The rules about a document. The instance has the elements of its [meaning](Document::meaning) by their numbers.
pub struct Ruled<'d> {
    /// The rules of the language.
    pub rules: &'static RuleSet,
    /// The modules whose rules are about this document.
    pub modules: BTreeSet<String>,
    /// The place of findings about no thing in particular.
    pub everywhere: Place,
    /// Makes the instance for rules that were compiled with these modules, and perhaps others.
    pub instance: Box<dyn for<'r> Fn(&'r Rules) -> Instance<'r> + 'd>,
}

impl Ruled<'_> {
    /// The judgement of the rules of the language, and of those of the user.
    pub fn judge(&self, own: &[Rules]) -> Judged {
        let mut judged = self.rules.judge(&self.modules, None, &*self.instance, self.everywhere);
        for rules in own {
            judged.add(judge_by((self.instance)(rules), self.everywhere));
        }
        judged
    }

    /// The document as an Alloy module, over the core of the rules. `alone` says of which signatures each atom is a
    /// signature of its own.
    ///
    /// # Errors
    /// If the core cannot be used.
    pub fn model(&self, name: &str, alone: &dyn Fn(&str) -> bool) -> Result<String, Box<Finding>> {
        let rules = self.rules.rules(&BTreeSet::new(), None, self.everywhere)?;
        let core = format!("{}/core", self.rules.files().language);
        Ok((self.instance)(&rules).module(name, &core, alone))
    }
}

/// Why a document has no location graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoGraph {
    /// The text could not be understood; its findings say why.
    NotUnderstood,
    /// The language does not describe locations. The sentence says which command draws such files instead.
    NotThisLanguage(String),
    /// The document cannot be built; the sentence, without full stop, says why.
    NotBuildable(String),
}

/// A value that is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// The expression.
    pub place: Place,
    /// Why it is not known, in a sentence without full stop.
    pub why: String,
}

/// The result of judging a document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Judgement {
    /// The faults that are there whatever the unknown values turn out to be.
    pub findings: Vec<Finding>,
    /// The faults that depend on unknown values.
    pub undecided: Vec<Finding>,
    /// Questions that were not answered. A run with one of them does not end in success.
    pub unanswered: Vec<Unanswered>,
    /// The parts of the report that are not about a place: behaviours, instances, plans.
    pub attachments: Vec<Attachment>,
}

impl From<Judged> for Judgement {
    fn from(judged: Judged) -> Self {
        Self { findings: judged.findings, undecided: judged.unsettled, ..Self::default() }
    }
}

/// A question that was not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unanswered {
    /// Why, as a sentence without full stop that names the question: "`Safe` was not answered within 10 s".
    pub why: String,
    /// Whether nothing at all was asked, because the file does not say what to ask: it may be a part of something else.
    pub nothing_to_check: bool,
}

impl Unanswered {
    /// A question about a file that says what to ask.
    pub fn new(why: impl Into<String>) -> Self {
        Self { why: why.into(), nothing_to_check: false }
    }
}

/// Something that is shown with the findings of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Attachment {
    /// Its kind, in JSON: `behaviour`, `instance`, `plan`.
    pub kind: &'static str,
    /// For people. The pieces are shown one after the other; control characters in them are made visible.
    pub text: Vec<Piece>,
    /// For programs.
    pub json: serde_json::Value,
}

/// A piece of text for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// How it is shown.
    pub tone: Tone,
    /// The text.
    pub text: String,
}

impl Piece {
    /// Ordinary text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self { tone: Tone::Plain, text: text.into() }
    }
}

/// How a piece of text is shown where there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// As it is.
    Plain,
    /// A title.
    Strong,
    /// Something that changed.
    Changed,
    /// Figures and the like, which are left out with `--quiet`.
    Aside,
}

/// A change of a text after which less is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// The text after the change; as it was if nothing is suggested.
    pub text: String,
    /// The findings that the change corrects.
    pub mends: Vec<Finding>,
    /// The findings that are left: no change that was tried corrects them.
    pub left: Vec<Finding>,
    /// Why not everything was tried.
    pub gave_up: Option<String>,
}
