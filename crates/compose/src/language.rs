//! Compose as one of the languages of Locus: what the command needs of this crate.

use std::sync::Arc;

use locus_language::options::{ENVIRONMENT, PARAMETER, RULES, SUGGEST, Takes};
use locus_language::{
    Choice, Document, Judgement, Language, NoGraph, Request, RuleSet, Ruled, Unanswered, Unknown,
};
use locus_meaning::Meaning;
use locus_meaning::things::Thing;
use locus_source::edit::Edit;
use locus_source::{FileId, Finding, Found, LoadError, Place, Rule, Severity, SourceFile, Span, clean_path};
use rustc_hash::FxHashSet;

use crate::meaning::unread;
use crate::read::counts::too_many;
use crate::read::load::Files;
use crate::read::paths::{join, parent};
use crate::rules::{FILE_OF_PROJECT, NO_IMAGE, REMOTE, UNDEFINED};
use crate::values::datum::Datum;
use crate::{ComposeFile, Inputs, Project, Reading, Variables, library, repair, verdict};

/// Docker Compose.
#[derive(Clone, Copy, Debug)]
pub struct Compose;

/// Files that are one project together, as absolute paths: `--file`. The command says where they are, since it looks
/// for them itself if none is named; so it is with [`ENV_FILE`] and [`PROFILE`].
pub const FILE: Choice = Choice::of_command("file", Takes::Texts);

/// Files of variables, as absolute paths: `--env-file`.
pub const ENV_FILE: Choice = Choice::of_command("env-file", Takes::Texts);

/// The active profiles: `--profile`.
pub const PROFILE: Choice = Choice::of_command("profile", Takes::Texts);

/// Whether a Docker engine is asked: `--engine`.
pub const ENGINE: Choice = Choice::of_command("engine", Takes::Nothing);

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

    fn driver(&self) -> Option<&'static str> {
        Some("docker")
    }

    fn naming_parameter(&self) -> Option<&'static str> {
        Some("COMPOSE_PROJECT_NAME")
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        crate::read::recognise::recognise(text)
    }

    fn options(&self) -> &'static [Choice] {
        &[ENVIRONMENT, PARAMETER, FILE, ENV_FILE, PROFILE, RULES, SUGGEST, ENGINE]
    }

    fn native_rules(&self) -> Vec<Rule> {
        [crate::RULES, crate::ENGINE_RULES].concat()
    }

    fn carried(&self) -> Option<&'static RuleSet> {
        Some(&library::CARRIED)
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(read(file, request))
    }
}

fn read(file: &Arc<SourceFile>, request: &Request<'_>) -> ComposeDocument {
    let folder = request.loader.folder(file).unwrap_or_else(|| parent(&join("/project", file.name())));
    let folder = clean_path(&folder);
    let files = files(file, request, &folder);
    let name = file.name().rsplit('/').next().unwrap_or_default();
    let own = ComposeFile { source: Arc::clone(file), path: join(&folder, name) };
    let variables = variables(request);
    let Parts { all: mut parts, missing, are_listed } = Parts::of(own, name, &files, request, &variables);
    let hidden = request.loader.hidden_variables().into_iter();
    let inputs = |parts: &[ComposeFile]| Inputs {
        folder: parent(&parts[0].path),
        hidden: hidden.clone().filter(|name| !variables.contains_key(name)).collect(),
        variables: variables.clone(),
        env_files: request.options.texts(ENV_FILE).to_vec(),
        profiles: request.options.texts(PROFILE).to_vec(),
        name: None,
        files,
        limits: request.limits.clone(),
    };
    let mut reading = crate::read(&parts, &inputs(&parts));
    if !are_listed
        && is_part(name, &reading)
        && let Some(base) = ENDINGS.iter().find_map(|name| beside(name, &files))
    {
        // Compose is given such a file after the one that it is a part of.
        parts.insert(0, base);
        reading = crate::read(&parts, &inputs(&parts));
    }
    if !missing.is_empty() {
        (reading.project, reading.corrected) = (None, None);
        reading.findings.extend(missing);
    }
    let only = (parts[0].source.id() != file.id()).then(|| file.id());
    if only.is_some() {
        reading.findings.retain(|finding| finding.places().any(|place| place.file == file.id()));
    }
    let unknown: FxHashSet<Place> = reading.unknown.iter().map(|(_, place)| *place).collect();
    reading.findings.retain(|finding| !unknown.contains(&finding.primary.place));
    let is_wrong = reading.findings.iter().any(|finding| finding.severity == Severity::Error);
    let is_judged =
        reading.project.as_ref().or(reading.corrected.as_ref()).is_some_and(|project| project.fits);
    if let (false, false, [(name, _), ..]) = (is_judged, is_wrong, &reading.unknown[..]) {
        reading.corrected = None;
        let why =
            format!("the project makes no sense without the value of `{name}`, which only --allow-env reads");
        reading.unanswered.push(why);
    }
    let comments =
        reading.comments.iter().filter(|(of, _)| *of == file.id()).map(|(_, span)| *span).collect();
    let parts = parts.iter().skip(1).map(|part| part.source.id()).filter(|id| *id != file.id()).collect();
    ComposeDocument { file: Arc::clone(file), reading, comments, parts, only, folder }
}

/// The files that make a project together with one.
struct Parts {
    /// In the order in which they are put over each other.
    all: Vec<ComposeFile>,
    /// Findings about those that could not be read.
    missing: Vec<Finding>,
    /// Whether somebody lists them: the command line, or `COMPOSE_FILE`.
    are_listed: bool,
}

impl Parts {
    fn of(
        own: ComposeFile,
        name: &str,
        files: &Files<'_>,
        request: &Request<'_>,
        variables: &Variables,
    ) -> Self {
        let named =
            Some(request.options.texts(FILE)).filter(|list| list.contains(&own.path)).map(<[_]>::to_vec);
        let listed = named.or_else(|| listed(files, variables).filter(|list| list.contains(&own.path)));
        let Some(listed) = listed else {
            let above =
                ENDINGS.contains(&name).then(|| OVERRIDES.iter().find_map(|name| beside(name, files)));
            let all = std::iter::once(own).chain(above.flatten()).collect();
            return Self { all, missing: Vec::new(), are_listed: false };
        };
        let start = own.source.place(Span::point(0));
        let (mut all, mut missing) = (Vec::new(), Vec::new());
        for path in listed {
            if path == own.path {
                all.push(own.clone());
                continue;
            }
            match files.read(&path) {
                Ok(source) => all.push(ComposeFile { source, path }),
                Err(error) => {
                    let shown = files.relative(&path);
                    if let LoadError::NotAllowed(_) | LoadError::NotLocal = error {
                        let message = format!("`{shown}` was not read, so what it says is not known");
                        missing.push(Finding::new(&REMOTE, start, message));
                        continue;
                    }
                    let message =
                        format!("the file `{shown}`, which belongs to this project, cannot be read: {error}");
                    let help = "correct the list of files: `--file`, or COMPOSE_FILE in the environment or in `.env`";
                    missing.push(Finding::new(&FILE_OF_PROJECT, start, message).help(help));
                }
            }
        }
        Self { all, missing, are_listed: true }
    }
}

/// The files that `COMPOSE_FILE` lists in `.env`, or in the environment as far as it may be seen. They start at the
/// folder.
fn listed(files: &Files<'_>, variables: &Variables) -> Option<Vec<String>> {
    let mut all = Variables::new();
    let path = join(files.folder, ".env");
    if files.look(&path) == Found::File
        && let Ok(file) = files.read(&path)
    {
        // What is wrong with such a file is said when the project is read.
        let _ = crate::read::dotenv::read(file.text(), &mut all, &|name: &str| variables.get(name).cloned());
    }
    all.extend(variables.clone());
    Some(crate::listed_files(&all)?.iter().map(|path| join(files.folder, path)).collect())
}

/// A file in the folder of the one that is read.
fn beside(name: &str, files: &Files<'_>) -> Option<ComposeFile> {
    let path = join(files.folder, name);
    files.read(&path).ok().map(|source| ComposeFile { source, path })
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

/// Whether a finding depends on values that are not known.
fn depends(finding: &Finding, project: &Project, unknown: &FxHashSet<Place>) -> bool {
    if finding.code.as_str() == NOT_USED {
        // A volume may be any that somebody uses by a name that is not known.
        let mounts = project.section("services").filter_map(|(_, service)| service.get("volumes")?.as_list());
        let is_unknown = |mount: &Datum| {
            unknown.contains(&mount.place)
                || mount.get("source").is_some_and(|source| unknown.contains(&source.place))
        };
        return mounts.flatten().any(is_unknown);
    }
    finding.places().any(|place| unknown.contains(&place))
}

/// The rule about volumes that nobody uses.
const NOT_USED: &str = "CMP144";

/// The files around one.
fn files<'f>(main: &'f SourceFile, request: &Request<'f>, folder: &'f str) -> Files<'f> {
    Files { loader: &**request.loader, sources: request.sources, main, folder }
}

/// The variables of the environment, of `--environment` files, and of `--parameter`, each over the one before.
fn variables(request: &Request<'_>) -> Variables {
    let mut all: Variables = request.loader.variables().into_iter().collect();
    for file in request.options.files(ENVIRONMENT) {
        let before = all.clone();
        // What is wrong with such a file is said when it is read as what it is.
        let _ = crate::read::dotenv::read(file.text(), &mut all, &|name: &str| before.get(name).cloned());
    }
    all.extend(request.options.pairs(PARAMETER).iter().cloned());
    all
}

/// A project that was read.
struct ComposeDocument {
    file: Arc<SourceFile>,
    reading: Reading,
    comments: Vec<Span>,
    /// The files that are put over it.
    parts: Vec<FileId>,
    /// The file alone that findings are about, if it is read after another.
    only: Option<FileId>,
    folder: String,
}

impl ComposeDocument {
    /// The project as far as it was understood: also one that Compose would refuse for keys that it does not know, or
    /// because its parts do not fit together. Nothing is planned of that.
    fn understood(&self) -> Result<&Project, NoGraph> {
        match (self.project(), &self.reading.corrected) {
            (Err(NoGraph::NotUnderstood), Some(corrected)) => Ok(corrected),
            (project, _) => project,
        }
    }

    /// The project, if all of it was read and makes sense.
    fn project(&self) -> Result<&Project, NoGraph> {
        let why = match self.reading.unanswered.first() {
            Some(why) => NoGraph::NotBuildable(why.clone()),
            None => NoGraph::NotUnderstood,
        };
        self.reading.project.as_ref().ok_or(why)
    }
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

    fn comments_of_parts(&self) -> Vec<(FileId, Vec<Span>)> {
        let of = |part: &FileId| {
            let comments = self.reading.comments.iter().filter(|(of, _)| of == part);
            (*part, comments.map(|(_, span)| *span).collect())
        };
        self.parts.iter().map(of).collect()
    }

    fn meaning(&self) -> Result<Meaning<'_>, NoGraph> {
        Ok(crate::meaning(self.understood()?))
    }

    fn own_name(&self) -> Option<String> {
        self.reading.project.as_ref().map(|project| project.name.clone())
    }

    fn ruled<'d>(&'d self, request: &Request<'d>) -> Option<Ruled<'d>> {
        let project = self.project().ok()?;
        Some(verdict::ruled(project, files(&self.file, request, &self.folder)))
    }

    fn model(&self, request: &Request<'_>) -> Result<String, NoGraph> {
        let project = self.project()?;
        crate::model(project, &files(&self.file, request, &self.folder))
            .map_err(|finding| NoGraph::NotBuildable(finding.message))
    }

    fn things(&self, request: &Request<'_>) -> Result<Vec<Thing>, NoGraph> {
        match too_many(self.project()?) {
            Some(why) => Err(NoGraph::NotBuildable(why)),
            None => Ok(crate::meaning(self.project()?).things(request.sources)),
        }
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        let mut unanswered: Vec<_> = self.reading.unanswered.iter().map(Unanswered::new).collect();
        let Reading { project, corrected, .. } = &self.reading;
        let Some(project) = project.as_ref().or(corrected.as_ref()) else {
            return Judgement { unanswered, ..Judgement::default() };
        };
        let files = files(&self.file, request, &self.folder);
        unanswered.extend(unread(project, &files).into_iter().map(Unanswered::new));
        let judged = verdict::judge(project, &files, request.own_rules);
        let (findings, mut unsettled) = (judged.findings, judged.unsettled);
        let unknown: FxHashSet<Place> = self.reading.unknown.iter().map(|(_, place)| *place).collect();
        let (maybe, mut findings): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| depends(finding, project, &unknown));
        unsettled.extend(maybe);
        if let Some(only) = self.only {
            findings.retain(|finding| finding.places().any(|place| place.file == only));
            unsettled.retain(|finding| finding.places().any(|place| place.file == only));
        }
        Judgement { findings, undecided: unsettled, unanswered, ..Judgement::default() }
    }

    /// To the files by themselves, to the model that they make together, to the end.
    fn step(&self) -> u8 {
        u8::from(self.reading.is_merged) + u8::from(self.reading.project.is_some())
    }

    fn change(&self, finding: &Finding) -> Option<Vec<Edit>> {
        repair::change(finding, &self.file, &self.reading)
    }
}
