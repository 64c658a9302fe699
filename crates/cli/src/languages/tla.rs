//! TLA+ specifications, as one of the languages: reading one resolves its names, judging one explores its states.
//!
//! The result of a check is an [`Answer`]. Everything that it says about a file is a finding ([`verdict`]); the
//! behaviour, the figures and what was printed are an attachment, for people ([`human`]) and for programs ([`json`]).

mod configure;
mod coverage;
mod dump;
mod human;
mod json;
mod packing;
mod verdict;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use locus_graph::LocationGraph;
use locus_language::options::{LIBRARY, TIMEOUT};
use locus_language::{
    Attachment, Choice, CommentSyntax, Document, Judgement, Language, NoGraph, Request, Unanswered, comments,
};
use locus_source::{FileId, Finding, LoadError, Loader, Rule, Severity, SourceFile, Sources, Span};
use locus_tla::check::{
    CheckOptions, CheckResult, DiskOptions, Engine, Event, LogOptions, LogResult, Means, Memory, Outside,
    SimulateOptions, Verdict, check, explain_log, simulate,
};
use locus_tla::config::{Expression, Model};
use locus_tla::semantic::{Level, Specification};

use crate::loader;
use crate::memory;
use crate::progress::Tell;
use crate::report::counted;
use crate::storage::Folder;

pub(crate) use self::coverage::listing as coverage;
pub(crate) use self::human::{figures, name, state, title};
pub(crate) use self::json::{json_action, json_step};
pub(crate) use self::verdict::{findings as verdict_findings, said};

/// TLA+, with what is asked of its specifications.
pub(crate) struct Tla(pub(crate) Settings);

/// The settings of a check: what is checked of a specification, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The configuration, if it is not the `.cfg` beside the specification.
    pub(crate) config: Option<Arc<SourceFile>>,
    /// The part that the command line adds to it, in its language.
    pub(crate) added: String,
    /// Whether that says what the behaviours are.
    pub(crate) has_behaviour: bool,
    pub(crate) no_deadlock: bool,
    /// How many violations to look for; one, if this is 0.
    pub(crate) violations: usize,
    pub(crate) states: Option<u64>,
    pub(crate) bytes: Option<usize>,
    /// The most bytes on disk for what does not fit into memory.
    pub(crate) disk: Option<u64>,
    /// The folder that the search is saved in.
    pub(crate) checkpoint: Option<PathBuf>,
    /// Whether to go on with what was saved there.
    pub(crate) resume: bool,
    /// Threads, if not what the request says.
    pub(crate) workers: Option<usize>,
    /// How states are kept.
    pub(crate) engine: Engine,
    /// Whether to say how often each action was taken.
    pub(crate) coverage: bool,
    /// Whether to say how states were kept.
    pub(crate) explains_packing: bool,
    /// Whether to show all variables of all states.
    pub(crate) whole_states: bool,
    /// The most states and steps of a state graph, if one is wanted.
    pub(crate) graph: Option<usize>,
    /// The file that the whole state graph is written to.
    pub(crate) dump: Option<PathBuf>,
    /// Expressions to show beside the variables of a state.
    pub(crate) expressions: Vec<String>,
    /// How to walk at random, instead of exploring everything.
    pub(crate) simulate: Option<Walk>,
    /// Is told how far things are.
    pub(crate) progress: Option<Tell>,
}

/// Random behaviours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) seed: u64,
    pub(crate) behaviours: Option<u64>,
    pub(crate) depth: u32,
}

/// How often a search is saved.
const SAVE_EVERY: std::time::Duration = std::time::Duration::from_mins(10);

/// How far a search is, in a line.
fn how_far(progress: &locus_explore::Progress) -> String {
    let mut text = format!(
        "{} generated, {} distinct, {} to explore, depth {}",
        progress.generated, progress.distinct, progress.queue, progress.depth
    );
    if let Some(left) = progress.left {
        // How many are left is a guess, which may be as many as can be counted.
        let all = progress.distinct.saturating_add(left).max(1);
        let percent = u128::from(progress.distinct) * 100 / u128::from(all);
        let _ = write!(text, ", about {percent} % of {} found", rounded(all));
    }
    text
}

/// A number of states that is a guess.
fn rounded(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{} thousand", number / 1000),
        _ => format!("{} million", number / 1_000_000),
    }
}

const COMMENTS: CommentSyntax = CommentSyntax { line: &["\\*"], block: ("(*", "*)"), nested: true };

impl Tla {
    pub(crate) const DEFAULT: Self = Self(Settings {
        config: None,
        added: String::new(),
        has_behaviour: false,
        no_deadlock: false,
        violations: 0,
        states: None,
        bytes: None,
        disk: None,
        checkpoint: None,
        resume: false,
        workers: None,
        engine: Engine::Either,
        coverage: false,
        explains_packing: false,
        whole_states: false,
        graph: None,
        dump: None,
        expressions: Vec::new(),
        simulate: None,
        progress: None,
    });

    /// Reads a specification.
    pub(crate) fn load(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> TlaDocument {
        let folders = Folders { file, request: *request, found: Mutex::default() };
        let loaded = Specification::load(request.sources, file, &folders, locus_tla::standard::text);
        TlaDocument {
            file: Arc::clone(file),
            parts: folders.found.into_inner().expect("no panic while locked"),
            comments: comments(file.text(), &COMMENTS),
            loaded: Mutex::new(loaded.specification),
            findings: loaded.findings,
            settings: self.0.clone(),
        }
    }
}

impl Language for Tla {
    fn id(&self) -> &'static str {
        "tla"
    }

    fn name(&self) -> &'static str {
        "TLA+ specification"
    }

    fn endings(&self) -> &'static [&'static str] {
        &[".tla"]
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tla"]
    }

    fn recognise(&self, text: &str) -> Result<(), &'static str> {
        let is_module = |line: &str| line.starts_with("----") && line.contains("MODULE");
        if text.lines().take(10_000).any(is_module) { Ok(()) } else { Err("no line of it starts a MODULE") }
    }

    fn options(&self) -> &'static [Choice] {
        &[LIBRARY, TIMEOUT]
    }

    fn native_rules(&self) -> Vec<Rule> {
        use locus_tla::rules::{FRONT_END, LOGS, SUSPICIOUS};
        [FRONT_END, SUSPICIOUS, LOGS, verdict::RULES].concat()
    }

    fn read(&self, file: &Arc<SourceFile>, request: &Request<'_>) -> Box<dyn Document> {
        Box::new(self.load(file, request))
    }
}

/// A specification that was read.
pub(crate) struct TlaDocument {
    file: Arc<SourceFile>,
    findings: Vec<Finding>,
    comments: Vec<Span>,
    parts: Vec<FileId>,
    settings: Settings,
    /// Configuring a specification adds to it.
    loaded: Mutex<Option<Specification>>,
}

/// The outcome of a request to check.
pub(crate) enum Answer {
    /// There is nothing to check, and why.
    NothingToCheck(String),
    /// The specification or its configuration is wrong, so nothing was checked; the latter's findings.
    Refused(Vec<Finding>),
    /// It was checked.
    Checked(Box<Checked>),
}

/// A specification under its configuration.
struct Configured {
    model: Model,
    findings: Vec<Finding>,
    remark: String,
    constants: Vec<String>,
    /// The text of the configuration, with that of the command line.
    text: String,
}

/// A log, and how many steps between two of its events it may leave out.
pub(crate) struct Log<'a> {
    pub(crate) events: &'a [Event],
    pub(crate) gaps: u32,
}

/// A specification that was checked.
pub(crate) struct Checked {
    pub(crate) result: CheckResult,
    /// Those of its configuration.
    findings: Vec<Finding>,
    /// Where the configuration comes from, and how many workers there were.
    pub(crate) remark: String,
    /// The assignments of the configuration to constants, one each, as they are written.
    pub(crate) constants: Vec<String>,
    /// The model values that have no name in the specification.
    pub(crate) undeclared: Vec<String>,
    /// The contents of the file that the state graph was to be written to.
    pub(crate) dumped: Option<String>,
    /// Why it is not there.
    not_dumped: Option<String>,
}

impl TlaDocument {
    /// Configures and checks the specification.
    pub(crate) fn answer(&self, request: &Request<'_>) -> Answer {
        let mut loaded = self.loaded.lock().expect("no panic while locked");
        let Some(specification) = loaded.as_mut() else { return Answer::Refused(Vec::new()) };
        let expressions = self.settings.expressions.iter().map(|expression| Expression {
            file: request.sources.add("--trace-expr", expression.as_str()).id(),
            user: "--trace-expr",
            highest: Level::Action,
        });
        let configured = match self.configured(specification, expressions.collect(), request) {
            Ok(configured) => configured,
            Err(answer) => return answer,
        };
        let Configured { model, findings, remark, constants, text } = configured;
        let workers = self.settings.workers.unwrap_or(request.effort.workers);
        let remark = format!("{remark}, {}", counted(workers, "worker"));
        let result = self.explore(specification, (&model, &text), workers, request);
        let values = result.model_values.iter();
        let undeclared = values.filter(|value| specification.find(value).is_none()).cloned().collect();
        let (dumped, not_dumped) = match self.dump(specification, &model, request) {
            Some(Ok(what)) => (Some(what), None),
            Some(Err(error)) => (None, Some(format!("{error:#}"))),
            None => (None, None),
        };
        let checked = Checked { result, findings, remark, constants, undeclared, dumped, not_dumped };
        Answer::Checked(Box::new(checked))
    }

    /// Configures the specification, with further expressions.
    fn configured(
        &self,
        specification: &mut Specification,
        expressions: Vec<Expression>,
        request: &Request<'_>,
    ) -> Result<Configured, Answer> {
        let configured = configure::configure(&self.settings, &self.file, specification, request)
            .map_err(Answer::NothingToCheck)?;
        let text = configured.file.text();
        let parsed = locus_tla::config::parse_with(configured.file.id(), text, configured.added);
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        let mut findings = parsed.findings;
        let Some(mut tree) = parsed.tree.filter(|_| !findings.iter().any(is_error)) else {
            return Err(Answer::Refused(findings));
        };
        tree.expressions = expressions;
        let (model, more) = Model::resolve(&tree, specification, request.sources, configured.file.id());
        findings.extend(more);
        if findings.iter().any(is_error) {
            // Without a configuration, a specification that needs one is a part of something else, or not finished.
            let missing = |finding: &&Finding| finding.code == locus_tla::rules::CONFIG_MISSING.code;
            if configured.made_up && findings.iter().filter(|one| is_error(one)).all(|one| missing(&one)) {
                let messages: Vec<_> =
                    findings.iter().filter(missing).map(|one| one.message.as_str()).collect();
                let why = format!("there is no configuration: {}", messages.join("; "));
                return Err(Answer::NothingToCheck(why));
            }
            return Err(Answer::Refused(findings));
        }
        let constants = tree.constants.iter();
        let constants = constants.map(|one| configured.file.slice(one.span).to_owned()).collect();
        let text = configured.file.text().to_owned();
        Ok(Configured { model, findings, remark: configured.remark, constants, text })
    }

    /// Looks for a behaviour that explains a log, whose events speak of these expressions.
    pub(crate) fn explain_log(
        &self,
        expressions: Vec<Expression>,
        log: &Log<'_>,
        request: &Request<'_>,
    ) -> Result<LogResult, Answer> {
        let mut loaded = self.loaded.lock().expect("no panic while locked");
        let Some(specification) = loaded.as_mut() else { return Err(Answer::Refused(Vec::new())) };
        let configured = self.configured(specification, expressions, request)?;
        let options = LogOptions {
            gaps: log.gaps,
            states: self.settings.states,
            time: request.effort.timeout,
            means: self.means(request),
        };
        Ok(explain_log(request.sources, specification, &configured.model, log.events, &options))
    }

    /// Writes the state graph to a file, if that was asked for, and says what is in it.
    fn dump(
        &self,
        specification: &Specification,
        model: &Model,
        request: &Request<'_>,
    ) -> Option<anyhow::Result<String>> {
        let path = self.settings.dump.as_ref()?;
        let write = || {
            let mut writer = dump::Writer::new(path)?;
            let options = CheckOptions {
                states: self.settings.states,
                time: request.effort.timeout,
                means: self.means(request),
                ..CheckOptions::default()
            };
            let mut sink = |entry: &locus_tla::check::Entry| writer.entry(entry);
            let dumped = locus_tla::check::dump(request.sources, specification, model, &options, &mut sink)
                .map_err(|failed| {
                anyhow::anyhow!("{} is not written: {}", path.display(), failed.message)
            })?;
            Ok(format!("{}: {}", path.display(), writer.finish(dumped)?))
        };
        Some(write())
    }

    /// The limits that may stop an evaluation, and the files that it may read.
    fn means(&self, request: &Request<'_>) -> Means {
        let outside = Around { file: Arc::clone(&self.file), loader: Arc::clone(request.loader) };
        if let Some(limit) = self.settings.bytes {
            memory::note_limit(limit);
        }
        Means {
            stop: request.effort.stop.clone(),
            outside: Some(Arc::new(outside)),
            memory: self.settings.bytes.map(|limit| Memory {
                limit,
                used: memory::used,
                give_back: memory::give_back_unused,
            }),
            ..Means::default()
        }
    }

    fn explore(
        &self,
        specification: &Specification,
        (model, configuration): (&Model, &str),
        workers: usize,
        request: &Request<'_>,
    ) -> CheckResult {
        let settings = &self.settings;
        let means = self.means(request);
        let tell = |text: String| {
            if let Some(progress) = &settings.progress {
                progress.tell(&text);
            }
        };
        let deadlock = settings.no_deadlock.then_some(false);
        if let Some(walk) = settings.simulate {
            let progress = |progress: &locus_explore::WalkProgress| {
                tell(format!("{} behaviours, {} states generated", progress.walks, progress.generated));
            };
            let options = SimulateOptions {
                seed: walk.seed,
                behaviours: walk.behaviours,
                depth: walk.depth,
                workers,
                deadlock,
                time: request.effort.timeout,
                means,
                progress: Some(&progress),
            };
            return simulate(request.sources, specification, model, &options);
        }
        let progress = |progress: &locus_explore::Progress| tell(how_far(progress));
        let folder = self.folder();
        let options = CheckOptions {
            workers,
            deadlock,
            violations: settings.violations.max(1),
            states: settings.states,
            bytes: settings.bytes,
            time: request.effort.timeout,
            means,
            graph: settings.graph,
            progress: Some(&progress),
            engine: settings.engine,
            // What was evaluated before the search was saved is not known.
            coverage: settings.coverage && !settings.resume,
            disk: folder.as_ref().map(|folder| DiskOptions {
                storage: folder,
                save_every: settings.checkpoint.as_ref().map(|_| SAVE_EVERY),
                resume: settings.resume,
                identity: self.identity(configuration, request),
                states: None,
            }),
        };
        check(request.sources, specification, model, &options)
    }

    /// Where what does not fit into memory is kept.
    fn folder(&self) -> Option<Folder> {
        let settings = &self.settings;
        match &settings.checkpoint {
            Some(folder) => Some(Folder::named(folder, settings.disk)),
            None => (settings.bytes.is_some() && settings.disk != Some(0))
                .then(|| Folder::temporary(settings.disk)),
        }
    }

    /// Stands for the modules, the configuration and the version: a search that was saved goes on only with the same.
    fn identity(&self, configuration: &str, request: &Request<'_>) -> u64 {
        let parts = self.parts.iter().map(|part| request.sources.get(*part));
        let mut texts: Vec<String> = parts.map(|part| part.text().to_owned()).collect();
        texts.push(self.file.text().to_owned());
        texts.push(configuration.to_owned());
        texts.push(format!("{} {}", env!("CARGO_PKG_VERSION"), self.settings.no_deadlock));
        let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
        bytes.fold(0xCBF2_9CE4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    }

    /// The findings of an answer about the specification.
    pub(crate) fn judgement(&self, answer: &Answer, request: &Request<'_>) -> Judgement {
        let mut judgement = Judgement::default();
        match answer {
            Answer::NothingToCheck(why) => {
                judgement.unanswered.push(Unanswered { why: why.clone(), nothing_to_check: true });
            }
            Answer::Refused(findings) => judgement.findings.clone_from(findings),
            Answer::Checked(checked) => {
                let result = &checked.result;
                if let Some(why) = checked.not_dumped.clone() {
                    judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
                }
                judgement.findings.clone_from(&checked.findings);
                judgement.findings.extend(verdict::findings(result, &self.file));
                judgement.findings.extend(self.hidden(request));
                let unanswered = (result.verdict == Verdict::Incomplete).then_some(&result.message);
                if let Some(why) = unanswered.or(result.unfinished.as_ref()).cloned() {
                    judgement.unanswered.push(Unanswered { why, nothing_to_check: false });
                }
                judgement.attachments.push(Attachment {
                    kind: "exploration",
                    text: human::pieces(result, request.sources, &self.settings),
                    json: json::value(result, request.sources),
                });
            }
        }
        judgement
    }

    /// A note if the specification speaks of the environment and may not see it.
    fn hidden(&self, request: &Request<'_>) -> Option<Finding> {
        let at = self.file.text().find("IOEnv")?;
        if !request.loader.variables().is_empty() {
            return None;
        }
        let place = self.file.place(Span::new(at, at + "IOEnv".len()));
        let message = "this speaks of environment variables, of which a specification sees none";
        Some(
            Finding::new(&loader::HIDDEN, place, message)
                .help("if you trust the specification, say --allow-env"),
        )
    }
}

impl Document for TlaDocument {
    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn comments(&self) -> &[Span] {
        &self.comments
    }

    fn summary(&self) -> String {
        if self.is_complete() {
            format!("with {}", counted(self.parts.len(), "other module"))
        } else {
            "it could not be read".to_owned()
        }
    }

    fn parts(&self) -> Vec<FileId> {
        self.parts.clone()
    }

    fn graph(&self) -> Result<Cow<'_, LocationGraph>, NoGraph> {
        let instead = "a TLA+ specification has no location graph; `locus tla check --format svg` draws its state graph";
        Err(NoGraph::NotThisLanguage(instead.to_owned()))
    }

    fn judge(&self, request: &Request<'_>) -> Judgement {
        self.judgement(&self.answer(request), request)
    }
}

/// The files that a specification may read while it is evaluated.
struct Around {
    file: Arc<SourceFile>,
    loader: Arc<dyn Loader>,
}

impl Outside for Around {
    // By the path from here, as TLC does, or if there is none, by the path from the folder of the specification.
    fn read(&self, path: &str) -> Result<String, String> {
        let sources = Sources::new();
        let here = std::path::absolute(path).map_err(|error| error.to_string())?;
        let path = if here.is_file() { here.to_string_lossy() } else { path.into() };
        let file = self.loader.load(&sources, &self.file, &path);
        file.map(|file| file.text().to_owned()).map_err(|error| format!("{path}: {error}"))
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.loader.variables()
    }
}

/// Finds modules beside the specification, then in libraries.
struct Folders<'f> {
    file: &'f SourceFile,
    request: Request<'f>,
    found: Mutex<Vec<FileId>>,
}

impl Folders<'_> {
    fn libraries(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let file = format!("{name}.tla");
        self.request
            .options
            .texts(LIBRARY)
            .iter()
            .map(move |folder| loader::from_here(&Path::new(folder).join(&file)))
    }

    fn find(&self, sources: &Sources, name: &str) -> Result<Arc<SourceFile>, LoadError> {
        let beside = self.request.loader.load(sources, self.file, &format!("{name}.tla"));
        if !matches!(beside, Err(LoadError::Missing)) {
            return beside;
        }
        let path = self.libraries(name).find(|path| path.is_file()).ok_or(LoadError::Missing)?;
        // The user named these folders, so what is in them may be read.
        let bytes = crate::inputs::bytes(&path, self.request.limits);
        let file = bytes.and_then(|bytes| {
            Ok(sources.add_bytes(path.display().to_string(), bytes, self.request.limits)?)
        });
        file.map_err(|error| LoadError::Unreadable(format!("{error:#}")))
    }
}

impl locus_tla::semantic::ModuleLoader for Folders<'_> {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        match self.find(sources, name) {
            Ok(file) => {
                self.found.lock().expect("no panic while locked").push(file.id());
                Some(Ok(file))
            }
            Err(LoadError::Missing) => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }

    fn places(&self, name: &str) -> Vec<String> {
        let folder = Path::new(self.file.name()).parent().unwrap_or(Path::new(""));
        let beside = std::iter::once(folder.join(format!("{name}.tla")));
        beside.chain(self.libraries(name)).map(|path| path.display().to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::how_far;

    #[test]
    fn a_guess_may_be_as_large_as_can_be() {
        let progress = locus_explore::Progress {
            generated: 9,
            distinct: 8,
            queue: 7,
            left: Some(u64::MAX),
            depth: 6,
            elapsed: std::time::Duration::ZERO,
        };
        assert!(how_far(&progress).ends_with("depth 6, about 0 % of 18446744073709 million found"));
        let progress = locus_explore::Progress { left: Some(8), ..progress };
        assert!(how_far(&progress).ends_with("about 50 % of 16 found"));
    }
}
