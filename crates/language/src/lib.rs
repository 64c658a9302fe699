//! The interface of a language, and of a document read in it.
//!
//! Everything that the command does with a file goes through the two traits here, so that adding a language is one
//! implementation of [`Language`] and one line in the command's table:
//!
//! - [`Language`] says what files are in it and reads them.
//! - [`Document`] is a file that was read: what is wrong with its text, its location graph, and what the rules (or an
//!   engine) say of it, which is a [`Judgement`].
//! - [`suggest`] searches for changes after which less is wrong, among those that a language offers.
//! - [`Request`] is what both get from the command: the sources, limits, a [`Loader`] for further files, and the values
//!   of the options that the language says it takes ([`Choice`]).
//!
//! Out of scope: any particular language, and any reading of files. Languages that the crates below this one
//! are about (location graphs, Alloy) have their implementation in the command.
//!
//! [`Loader`]: locus_source::Loader

mod comments;
mod document;
pub mod options;
mod recognise;
mod request;
mod rule_set;
pub mod suggest;

use std::sync::Arc;

pub use locus_rules::{Example, Instance, Occurring, RuleFiles, Rules};
use locus_source::{Rule, SourceFile};

pub use self::comments::{CommentSyntax, comments};
pub use self::document::{
    Attachment, Document, Judgement, NoGraph, Piece, Ruled, Suggestion, Tone, Unanswered, Unknown,
};
pub use self::options::{Choice, Inputs, Options};
pub use self::recognise::has_top_level_key;
pub use self::request::{Effort, Request};
pub use self::rule_set::{Judged, RuleSet, judge_by, judge_each};

/// A language in which people write configurations, specifications or models.
///
/// An implementation is a unit struct in a static table, so all methods take `&self` and give static or fresh data.
pub trait Language: Send + Sync {
    /// The name on the command line and in JSON, such as `hot`: lower case, for ever.
    fn id(&self) -> &'static str;

    /// The name of one file in a sentence, without article, such as `HOT template`.
    fn name(&self) -> &'static str;

    /// The ends of file names that alone tell the language, such as `.hot.yaml` or `docker-compose.yml`.
    fn endings(&self) -> &'static [&'static str];

    /// The id, in the table of drivers, of the one that makes what its documents describe, if there is one.
    fn driver(&self) -> Option<&'static str> {
        None
    }

    /// The parameter that gives what a document describes another name, if there is one.
    fn naming_parameter(&self) -> Option<&'static str> {
        None
    }

    /// The ends of names that tell the language of a file that somebody named, and nothing of one that a folder
    /// happens to contain, such as `.zip`.
    fn endings_if_named(&self) -> &'static [&'static str] {
        &[]
    }

    /// The extensions, without dot, of files that may be in this language: those in a folder are looked into.
    fn extensions(&self) -> &'static [&'static str] {
        &["yaml", "yml", "json"]
    }

    /// Whether the start of a text tells that it is in this language.
    ///
    /// # Errors
    /// Why not, as the end of a sentence about the file: "it has no key `services` at the top".
    fn recognise(&self, text: &str) -> Result<(), &'static str>;

    /// The options of the command line that this language takes. All others are refused for its files.
    fn options(&self) -> &'static [Choice] {
        &[]
    }

    /// The rules that are not written in Alloy, whose codes findings of this language may carry; without those of YAML,
    /// JSON and XML.
    fn native_rules(&self) -> Vec<Rule>;

    /// The rules in Alloy that it carries with it.
    fn carried(&self) -> Option<&'static RuleSet> {
        None
    }

    /// Every rule whose code a finding of this language may carry, except those of YAML, JSON and XML.
    fn rules(&self) -> Vec<Rule> {
        let carried = self.carried().into_iter().flat_map(|carried| carried.files().codes());
        self.native_rules().into_iter().chain(carried).collect()
    }

    /// Those of [`rules`](Language::rules) that are written in Alloy.
    fn written_rules(&self) -> Vec<WrittenRule> {
        self.carried().map(|carried| WrittenRule::all_of(carried.files())).unwrap_or_default()
    }

    /// The text of an Alloy module that models and rules may open as `ID/name`, where `ID` is that of the language.
    fn module(&self, name: &str) -> Option<String> {
        self.carried()?.module(name)
    }

    /// The names of the types that `locus rules --type` can show as Alloy.
    fn type_names(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The Alloy text of a type.
    fn type_module(&self, name: &str) -> Option<String> {
        self.module(&format!("types/{}", name.replace("::", "_")))
    }

    /// The bytes of a file as UTF-8, for languages whose files may have another encoding.
    fn decode(&self, bytes: Vec<u8>) -> Vec<u8> {
        bytes
    }

    /// Hears of several files before the first of them is read, and may prepare for what they have in common.
    fn expect(&self, _files: &[&SourceFile]) {}

    /// Reads a file. Never fails: what is wrong with the text is among the findings of the document.
    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document>;

    /// A smallest change of a file after which less is wrong ([`SUGGEST`](options::SUGGEST)): of each finding the
    /// [one right change](Document::change) is tried, unless a language has a better search. Nothing if nothing is
    /// wrong that a change of this file could correct.
    fn suggest(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Option<Suggestion> {
        suggest::one_by_one::suggest(file, request, &|file, request| self.read(file, request))
    }
}

/// A rule that is written in Alloy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenRule {
    /// The rule.
    pub rule: Rule,
    /// The module that it is in, as it is opened: `hot/OS_Neutron_Port`.
    pub module: String,
    /// Its text.
    pub alloy: String,
    /// The consequence of breaking it for a user without Locus.
    pub without_locus: Option<String>,
    /// Files that show it.
    pub example: Option<Example>,
}

impl WrittenRule {
    /// All rules of the files that a language carries with it.
    pub fn all_of(files: &RuleFiles) -> Vec<Self> {
        files
            .rules()
            .map(|(module, listed)| Self {
                example: files.example(listed.description.rule.code.as_str()),
                rule: listed.description.rule,
                module: format!("{}/{module}", files.language),
                alloy: listed.text.to_owned(),
                without_locus: listed.description.remark,
            })
            .collect()
    }
}
