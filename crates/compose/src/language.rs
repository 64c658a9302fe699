//! Compose as one of the languages of Locus: what the command needs of this crate.

use std::borrow::Cow;
use std::sync::Arc;

use locus_graph::LocationGraph;
use locus_graph::lifecycle::Thing;
use locus_language::suggest::one_by_one;
use locus_language::{
    Choice, Document, Judgement, Language, Maker, NoGraph, Request, Suggestion, Unknown, WrittenRule,
};
use locus_source::{FileId, Finding, Place, Rule, Severity, SourceFile, Sources, Span};
use rustc_hash::FxHashSet;

use crate::load::Files;
use crate::paths::{join, parent};
use crate::rules::{NO_IMAGE, UNDEFINED};
use crate::suggest::Judged;
use crate::{Checked, ComposeFile, Inputs, Reading, Variables, library, lifecycle};

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

    fn maker(&self) -> Option<Maker> {
        Some(Maker::Docker)
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        crate::recognise::recognise(text)
    }

    fn options(&self) -> &'static [Choice] {
        &[Choice::Environment, Choice::Parameter, Choice::Rules, Choice::Suggest, Choice::Engine]
    }

    fn rules(&self) -> Vec<Rule> {
        crate::RULES.iter().chain(crate::ENGINE_RULES).cloned().chain(library::FILES.codes()).collect()
    }

    fn written_rules(&self) -> Vec<WrittenRule> {
        WrittenRule::all_of(&library::FILES)
    }

    fn module(&self, name: &str) -> Option<String> {
        library::FILES.module(name).map(str::to_owned)
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(read(file, request))
    }
}

fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> ComposeDocument {
    let folder = request.loader.folder(file).unwrap_or_else(|| parent(&join("/project", file.name())));
    let files = files(file, request, &folder);
    let name = file.name().rsplit('/').next().unwrap_or_default();
    let main = ComposeFile { source: Arc::clone(file), path: join(&folder, name) };
    let beside = |name: &&str| {
        let path = join(&folder, name);
        files.read(&path).ok().map(|source| ComposeFile { source, path })
    };
    let mut parts = vec![main];
    if ENDINGS.contains(&name) {
        parts.extend(OVERRIDES.iter().find_map(beside));
    }
    let variables = variables(request);
    let hidden = request.loader.hidden_variables().into_iter();
    let inputs = Inputs {
        folder: folder.clone(),
        hidden: hidden.filter(|name| !variables.contains_key(name)).collect(),
        variables,
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: None,
        files,
        limits: request.limits.clone(),
    };
    let mut reading = crate::read(&parts, &inputs);
    if is_part(name, &reading)
        && let Some(base) = ENDINGS.iter().find_map(beside)
    {
        // Compose is given such a file after the one that it is a part of.
        parts.insert(0, base);
        reading = crate::read(&parts, &inputs);
        reading.findings.retain(|finding| finding.places().any(|place| place.file == file.id()));
    }
    let unknown: FxHashSet<Place> = reading.unknown.iter().map(|(_, place)| *place).collect();
    reading.findings.retain(|finding| !unknown.contains(&finding.primary.place));
    let comments =
        reading.comments.iter().filter(|(of, _)| *of == file.id()).map(|(_, span)| *span).collect();
    let only = (parts[0].source.id() != file.id()).then(|| file.id());
    let parts = parts.iter().skip(1).map(|part| part.source.id()).filter(|id| *id != file.id()).collect();
    ComposeDocument { file: Arc::clone(file), reading, comments, parts, only, folder }
}

/// Whether a file is one that is put over another: it is named so, and makes no project alone.
fn is_part(name: &str, reading: &Reading) -> bool {
    let stem = name.strip_prefix("docker-").unwrap_or(name).strip_prefix("compose");
    let lacks = |finding: &Finding| {
        finding.severity == Severity::Error && [NO_IMAGE.code, UNDEFINED.code].contains(&finding.code)
    };
    stem.is_some_and(|rest| rest.starts_with(['.', '-', '_']))
        && !ENDINGS.contains(&name)
        && reading.findings.iter().any(lacks)
}

/// The files around one.
fn files<'f>(main: &'f SourceFile, request: &Request<'f>, folder: &'f str) -> Files<'f> {
    Files { loader: &**request.loader, sources: request.sources, main, folder }
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

/// A project that was read.
struct ComposeDocument {
    file: Arc<SourceFile>,
    reading: Reading,
    comments: Vec<Span>,
    /// The override file.
    parts: Vec<FileId>,
    /// The file alone that findings are about, if it is read after another.
    only: Option<FileId>,
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

    fn unknowns(&self) -> Vec<Unknown> {
        let why =
            |name: &str| format!("the value of `{name}` is in the environment, which only --allow-env reads");
        let unknown = self.reading.unknown.iter();
        unknown.map(|(name, place)| Unknown { place: *place, why: why(name) }).collect()
    }

    fn parts(&self) -> Vec<FileId> {
        self.parts.clone()
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        let project = self.reading.project.as_ref().ok_or(NoGraph::NotUnderstood)?;
        Ok(Cow::Owned(crate::graph(project)))
    }

    fn model(&self, request: &Request<'_>) -> Result<String, NoGraph> {
        let project = self.reading.project.as_ref().ok_or(NoGraph::NotUnderstood)?;
        Ok(crate::model(project, &files(&self.file, request, &self.folder)))
    }

    fn things(&self, _: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        let project = self.reading.project.as_ref().ok_or(NoGraph::NotUnderstood)?;
        Ok(lifecycle::things(project))
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let Reading { project, corrected, .. } = &self.reading;
        let Some(project) = project.as_ref().or(corrected.as_ref()) else { return Judgement::default() };
        let files = files(&self.file, request, &self.folder);
        let mut checked = crate::check(project, &files);
        for rules in request.own_rules {
            let more = crate::check_by(rules, project, &files);
            checked.findings.extend(more.findings);
            checked.unsettled.extend(more.unsettled);
        }
        let Checked { findings, mut unsettled } = checked;
        let unknown: FxHashSet<Place> = self.reading.unknown.iter().map(|(_, place)| *place).collect();
        let (maybe, mut findings): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.places().any(|place| unknown.contains(&place)));
        unsettled.extend(maybe);
        if let Some(only) = self.only {
            findings.retain(|finding| finding.places().any(|place| place.file == only));
            unsettled.retain(|finding| finding.places().any(|place| place.file == only));
        }
        Judgement { findings, undecided: unsettled, ..Judgement::default() }
    }

    fn suggest(&self, request: &Request<'_>) -> Option<Suggestion> {
        let judge = |sources: &Sources, text: &str| {
            let file = sources.add(self.file.name(), text);
            let environments: Vec<_> =
                request.environments.iter().map(|one| sources.add(one.name(), one.text())).collect();
            let request = Request { sources, environments: &environments, ..*request };
            let document = read(&file, &request);
            let findings = [document.reading.findings.clone(), document.judge(&request).findings].concat();
            Judged { file, reading: document.reading, findings }
        };
        one_by_one::suggest(self.file.text(), &judge)
    }
}
