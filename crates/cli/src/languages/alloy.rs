//! Alloy models, as one of the languages: reading one is checking its types, judging one is executing its commands.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use locus_alloy::ast::CommandKind;
use locus_alloy::render::{self, Executed};
use locus_alloy::{Cores, Model, Options, Overflow, Verdict};
use locus_graph::LocationGraph;
use locus_language::options::{LIBRARY, TIMEOUT};
use locus_language::{
    Attachment, Choice, CommentSyntax, Document, Judgement, Language, NoGraph, Piece, Request, Unanswered,
    comments,
};
use locus_rules::Rules;
use locus_source::{Finding, Found, Limits, LoadError, Loader, Rule, SourceFile, Sources, Span};

use super::Table;
use crate::memory;
use crate::report::counted;

/// Alloy, with what is asked of its models.
pub(crate) struct Alloy(pub(crate) Run);

/// Which commands to execute, and how.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Only those with these indices.
    pub(crate) commands: Option<Vec<usize>>,
    pub(crate) cores: bool,
    pub(crate) prevent_overflow: bool,
    pub(crate) symmetry: usize,
    pub(crate) unrolls: Option<u32>,
    /// Whether to show every instance, or only those that show what is wrong.
    pub(crate) all_instances: bool,
}

const COMMENTS: CommentSyntax = CommentSyntax { line: &["--", "//"], block: ("/*", "*/"), nested: false };

/// The words that a model can start with.
const FIRST_WORDS: &[&str] = &[
    "module", "open", "sig", "abstract", "one", "lone", "some", "var", "private", "fact", "pred", "fun",
    "assert", "run", "check", "let", "enum",
];

impl Alloy {
    pub(crate) const DEFAULT: Self = Self(Run {
        commands: None,
        cores: false,
        prevent_overflow: false,
        symmetry: 20,
        unrolls: None,
        all_instances: false,
    });

    /// Reads a model.
    pub(crate) fn load(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> AlloyDocument {
        let (model, findings) = Model::load(request.sources, &Modules::new(file, request), file.id());
        AlloyDocument { model, findings, comments: comments(file.text(), &COMMENTS), run: self.0.clone() }
    }
}

impl Language for Alloy {
    fn id(&self) -> &'static str {
        "alloy"
    }

    fn name(&self) -> &'static str {
        "Alloy model"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".als"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["als"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        let mut rest = text.trim_start();
        for comment in comments(text, &COMMENTS) {
            let start = comment.range().start;
            if !text[text.len() - rest.len()..].starts_with(&text[comment.range()])
                || start != text.len() - rest.len()
            {
                break;
            }
            rest = text[comment.range().end..].trim_start();
        }
        let (word, after) = rest.split_at(rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()));
        let goes_on = |c: char| c.is_alphanumeric() || c == '{' || c == '_';
        if FIRST_WORDS.contains(&word) && after.trim_start().starts_with(goes_on) {
            Ok(())
        } else {
            Err("it does not start with a paragraph of Alloy, such as `sig`")
        }
    }

    fn options(&self) -> &'static [Choice] {
        &[LIBRARY, TIMEOUT]
    }

    fn native_rules(&self) -> Vec<Rule> {
        locus_alloy::rules::ALL.to_vec()
    }

    fn decode(&self, bytes: Vec<u8>) -> Vec<u8> {
        locus_alloy::decode(bytes)
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        match RulesDocument::read(file, request) {
            Some(rules) => Box::new(rules),
            None => Box::new(self.load(file, request)),
        }
    }
}

/// Rules of the user's own, which are about files in other languages: nothing is executed.
struct RulesDocument {
    count: usize,
    findings: Vec<Finding>,
    comments: Vec<Span>,
}

impl RulesDocument {
    /// Reads a file with rules. None if it has none, or has commands and so is a model.
    fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> Option<Self> {
        let count = locus_rules::scan(file.text()).len();
        if count == 0 {
            return None;
        }
        let (rules, mut findings) = Rules::load(request.sources, &Modules::new(file, request), file.id());
        if rules.as_ref().is_some_and(Rules::has_commands) {
            return None;
        }
        findings.extend(rules.iter().flat_map(|rules| rules.faults(request.sources, file.id())));
        Some(Self { count, findings, comments: comments(file.text(), &COMMENTS) })
    }
}

impl Document for RulesDocument {
    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn comments(&self) -> &[Span] {
        &self.comments
    }

    fn summary(&self) -> String {
        counted(self.count, "rule")
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        Err(NoGraph::NotThisLanguage("rules have no location graph".to_owned()))
    }

    fn judge(&self, _: &Request<'_>) -> Judgement {
        Judgement::default()
    }
}

/// A model that was read.
pub(crate) struct AlloyDocument {
    pub(crate) model: Option<Model>,
    findings: Vec<Finding>,
    comments: Vec<Span>,
    run: Run,
}

impl Document for AlloyDocument {
    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn comments(&self) -> &[Span] {
        &self.comments
    }

    fn summary(&self) -> String {
        match &self.model {
            Some(model) => counted(model.commands().len(), "command"),
            None => "it could not be read".to_owned(),
        }
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        let instead =
            "an Alloy model has no location graph; `locus alloy run --format svg` draws an instance of it";
        Err(NoGraph::NotThisLanguage(instead.to_owned()))
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let Some(model) = &self.model else { return not_analysed(&self.findings) };
        memory::large_pages();
        judgement(model, request.sources, &executed(model, &self.run, request), self.run.all_instances)
    }
}

/// Says of a model that could not be read whether that leaves commands without an answer: where it uses what cannot be
/// analysed yet.
pub(crate) fn not_analysed(findings: &[Finding]) -> Judgement {
    let mut judgement = Judgement::default();
    if let Some(finding) = findings.iter().find(|finding| finding.code == locus_alloy::rules::NOT_YET.code) {
        let why = format!("no command was executed: {}", finding.message);
        judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
    }
    judgement
}

/// Executes the commands that are asked for.
pub(crate) fn executed(model: &Model, run: &Run, request: &Request<'_>) -> Vec<Executed> {
    let options = Options {
        overflow: if run.prevent_overflow { Overflow::Prevent } else { Overflow::Wrap },
        unrolls: run.unrolls,
        symmetry: run.symmetry,
        timeout: request.effort.timeout,
        stop: request.effort.stop.clone(),
        cores: if run.cores { Cores::Always } else { Cores::Unexpected },
        ..Options::default()
    };
    let all = || (0..model.commands().len()).collect();
    let execute = |index| {
        let start = Instant::now();
        let result = model.execute(index, &options);
        Executed { index, result, time: start.elapsed() }
    };
    run.commands.clone().unwrap_or_else(all).into_iter().map(execute).collect()
}

/// The findings that executed commands give for a model.
pub(crate) fn judgement(
    model: &Model,
    sources: &Sources,
    executed: &[Executed],
    all_instances: bool,
) -> Judgement {
    let mut judgement = Judgement::default();
    let mut text = String::new();
    for one in executed {
        let command = &model.commands()[one.index];
        let result = match &one.result {
            Err(finding) => {
                let why = format!("`{}` was not answered: {}", command.name, finding.message);
                judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
                judgement.findings.push((**finding).clone());
                continue;
            }
            Ok(result) => result,
        };
        if result.verdict == Verdict::Unknown {
            let why = format!("`{}` was not answered: there was no time", command.name);
            judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
        }
        judgement.findings.extend(result.findings(command));
        let surprising = match result.expected(command) {
            Some(expected) => !expected,
            None => command.kind == CommandKind::Check && result.verdict == Verdict::Sat,
        };
        if let Some(instance) =
            result.instance.as_ref().filter(|_| surprising || all_instances || executed.len() == 1)
        {
            let _ = write!(text, "{}:\n{}\n", command.name, render::text(model, instance));
        }
    }
    text.push_str(&render::table(model, executed));
    let commands: Vec<_> = executed.iter().map(|one| render::json(model, sources, one)).collect();
    judgement.attachments.push(Attachment {
        kind: "commands",
        text: vec![Piece::plain(text)],
        json: serde_json::json!({ "commands": commands }),
    });
    judgement
}

/// Finds modules in files, as Alloy names them, and then among the modules of the languages.
pub(crate) struct Modules<'m> {
    /// The model.
    pub(crate) file: &'m SourceFile,
    pub(crate) loader: &'m Arc<dyn Loader>,
    pub(crate) languages: Table,
    /// Folders with further modules.
    pub(crate) libraries: &'m [String],
    pub(crate) limits: &'m Limits,
}

impl<'m> Modules<'m> {
    fn new(file: &'m SourceFile, request: &Request<'m>) -> Self {
        let Request { loader, options, limits, .. } = *request;
        let libraries = options.texts(LIBRARY);
        Self { file, loader, languages: super::ALL, libraries, limits }
    }

    /// Where a file lies. The names that Alloy makes start where that of the model does; paths start at its folder.
    fn path(&self, name: &str) -> std::io::Result<String> {
        let folder = Path::new(self.file.name()).parent().unwrap_or(Path::new(""));
        let path = match Path::new(name).strip_prefix(folder) {
            Ok(beside) => beside.to_owned(),
            Err(_) => std::path::absolute(name)?,
        };
        Ok(path.to_string_lossy().into_owned())
    }
}

impl locus_alloy::ModuleLoader for Modules<'_> {
    fn may_look(&self, name: &str) -> bool {
        self.path(name).is_ok_and(|path| self.loader.look(self.file, &path) != Found::Unknown)
    }

    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.path(name).map_err(|error| error.to_string())?;
        match self.loader.bytes(self.file, &path) {
            Ok((_, bytes)) => return Ok(Some(bytes)),
            Err(LoadError::Missing | LoadError::NotLocal) => {}
            Err(error @ (LoadError::NotAllowed(_) | LoadError::Unreadable(_))) => {
                return Err(error.to_string());
            }
        }
        Ok(self.languages.iter().find_map(|language| {
            // Modules are looked for beside the file that opens them, so the folders in front are not part of the name.
            let id = format!("{}/", language.id());
            let at = match name.rfind(&format!("/{id}")) {
                Some(at) => at + 1,
                None if name.starts_with(&id) => 0,
                None => return None,
            };
            let module = name[at + id.len()..].strip_suffix(".als")?;
            language.module(module).map(String::into_bytes)
        }))
    }

    fn library(&self, module: &str) -> Result<Option<Vec<u8>>, String> {
        let file = format!("{module}.als");
        let paths = || self.libraries.iter().map(|folder| Path::new(folder).join(&file));
        // The user named these folders, so what is in them may be read.
        match paths().find(|path| path.is_file()) {
            Some(path) => {
                crate::inputs::bytes(&path, self.limits).map(Some).map_err(|error| format!("{error:#}"))
            }
            None => Ok(None),
        }
    }

    fn declares(&self, name: &str) -> Option<String> {
        let module = format!("types/{name}");
        let has_it = self.languages.iter().find(|language| language.module(&module).is_some());
        has_it.map(|language| format!("{}/{module}", language.id()))
    }
}
