//! Compose as one of the languages of Locus: what the command needs of this crate.

use std::borrow::Cow;
use std::sync::Arc;

use locus_graph::LocationGraph;
use locus_graph::lifecycle::Thing;
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, WrittenRule, has_top_level_key,
};
use locus_source::{FileId, Finding, LoadError as NotLoaded, Rule, SourceFile, Span};

use crate::load::{Found, LoadError, Loader};
use crate::paths::{join, parent};
use crate::{ComposeFile, Inputs, Reading, Variables, library, lifecycle};

/// Docker Compose.
#[derive(Clone, Copy, Debug)]
pub struct Compose;

/// The names of files that Compose finds by itself.
const ENDINGS: &[&str] = &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];

/// The names of the files that it puts over them.
const OVERRIDES: [&str; 4] = [
    "compose.override.yml",
    "compose.override.yaml",
    "docker-compose.override.yml",
    "docker-compose.override.yaml",
];

impl Language for Compose {
    fn id(&self) -> &'static str {
        "compose"
    }

    fn name(&self) -> &'static str {
        "Compose file"
    }

    fn endings(&self) -> &'static [&'static str] {
        ENDINGS
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        // A location graph or a template may have `services` too, but comes before in the table.
        if has_top_level_key(text, "services") { Ok(()) } else { Err("it has no key `services` at the top") }
    }

    fn options(&self) -> &'static [Choice] {
        &[Choice::Environment, Choice::Parameter, Choice::Rules]
    }

    fn rules(&self) -> Vec<Rule> {
        crate::RULES.iter().cloned().chain(library::codes()).collect()
    }

    fn written_rules(&self) -> Vec<WrittenRule> {
        WrittenRule::all_of(&library::FILES)
    }

    fn module(&self, name: &str) -> Option<String> {
        library::module(name).map(str::to_owned)
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(read(file, request))
    }
}

fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> ComposeDocument {
    let variables = variables(request);
    let path = match variables.get("PWD") {
        Some(here) => join(here, file.name()),
        None => join("/project", file.name()),
    };
    let beside = Beside { request: *request, main: file, folder: parent(&path) };
    let main = ComposeFile { source: Arc::clone(file), path: path.clone() };
    let name = path.rsplit('/').next().unwrap_or_default();
    let mut files = vec![main];
    if ENDINGS.contains(&name) {
        let mut paths = OVERRIDES.iter().map(|name| join(&beside.folder, name));
        let found = paths.find_map(|path| Some(ComposeFile { source: beside.read(&path).ok()?, path }));
        files.extend(found);
    }
    let inputs = Inputs {
        folder: beside.folder.clone(),
        variables: variables.clone(),
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: None,
        loader: &beside,
        limits: request.limits.clone(),
    };
    let reading = crate::read(&files, &inputs);
    let comments =
        reading.comments.iter().filter(|(of, _)| *of == file.id()).map(|(_, span)| *span).collect();
    let parts = files[1..].iter().map(|file| file.source.id()).collect();
    ComposeDocument { file: Arc::clone(file), reading, comments, parts, folder: beside.folder.clone() }
}

/// The variables of the environment, of `--environment` files, and of `--parameter`, each over the one before.
fn variables(request: &Request<'_>) -> Variables {
    let mut all: Variables = request.loader.variables().into_iter().collect();
    for file in request.environments {
        let before = all.clone();
        // What is wrong with such a file is said when it is read as what it is.
        let _ = crate::dotenv::read(file.text(), &mut all, &|name: &str| before.get(name).cloned());
    }
    all.extend(request.parameters.iter().cloned());
    all
}

/// The files of a request, by absolute paths.
struct Beside<'r> {
    request: Request<'r>,
    main: &'r SourceFile,
    folder: String,
}

impl Beside<'_> {
    /// A path as the main file would name it.
    fn relative<'p>(&self, path: &'p str) -> &'p str {
        path.strip_prefix(&self.folder).map_or(path, |rest| rest.trim_start_matches('/'))
    }
}

impl Loader for Beside<'_> {
    fn read(&self, path: &str) -> Result<Arc<SourceFile>, LoadError> {
        let loaded = self.request.loader.load(self.request.sources, self.main, self.relative(path));
        loaded.map_err(|error| match error {
            NotLoaded::Missing => LoadError::Missing,
            other => LoadError::Unreadable(other.to_string()),
        })
    }

    fn look(&self, path: &str) -> Found {
        match self.request.loader.bytes(self.main, self.relative(path)) {
            Ok(_) => Found::File,
            Err(NotLoaded::Missing) => Found::Nothing,
            // A folder cannot be read, and neither can what is too large or not allowed.
            Err(_) => Found::Unknown,
        }
    }
}

/// A project that was read.
struct ComposeDocument {
    file: Arc<SourceFile>,
    reading: Reading,
    comments: Vec<Span>,
    /// The override file.
    parts: Vec<FileId>,
    folder: String,
}

impl Document for ComposeDocument {
    fn findings(&self) -> &[Finding] {
        &self.reading.findings
    }

    fn comments(&self) -> &[Span] {
        &self.comments
    }

    fn summary(&self) -> String {
        match &self.reading.project {
            Some(project) => {
                let count = project.section("services").count();
                format!("{count} service{}", if count == 1 { "" } else { "s" })
            }
            None => "it could not be read".to_owned(),
        }
    }

    fn parts(&self) -> Vec<FileId> {
        self.parts.clone()
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        let project = self.reading.project.as_ref().ok_or(NoGraph::NotUnderstood)?;
        Ok(Cow::Owned(crate::graph(project)))
    }

    fn things(&self, _: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        let project = self.reading.project.as_ref().ok_or(NoGraph::NotUnderstood)?;
        Ok(lifecycle::things(project))
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let Some(project) = &self.reading.project else { return Judgement::default() };
        let beside = Beside { request: *request, main: &self.file, folder: self.folder.clone() };
        let mut checked = crate::check(request.sources, project, &beside);
        for rules in request.own_rules {
            let more = crate::check_by(request.sources, rules, project, &beside);
            checked.findings.extend(more.findings);
            checked.unsettled.extend(more.unsettled);
        }
        Judgement { findings: checked.findings, undecided: checked.unsettled, ..Judgement::default() }
    }
}
