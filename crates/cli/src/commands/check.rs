//! `locus check`: is what the files describe right?

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use locus_hot::Template;
use locus_hot::suggest::Judged;
use locus_source::suppress::Suppressions;
use locus_source::{Finding, RuleBook, Severity, SourceFile, Sources, Span, sort_and_dedup};
use rayon::prelude::*;

use crate::Outcome;
use crate::args::{AlloyFormat, AlloyRun, Check, Format, Global, TlaCheck, TlaFormat};
use crate::config::Config;
use crate::inputs::{self, Input};
use crate::language::{self, Language};
use crate::progress::Progress;
use crate::report::{Report, counted};
use crate::rulebook::with_own;
use crate::suggest::{self, Suggested};
use crate::templates;
use crate::terminal::Terminal;

pub(crate) fn run(command: &Check, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match alone(command)? {
        Some((Language::Tla, path)) => {
            let mut tla: TlaCheck = defaults(path);
            tla.timeout = command.timeout;
            tla.model.library.clone_from(&command.library);
            tla.format = if command.format == Format::Json { TlaFormat::Json } else { TlaFormat::Human };
            super::tla::run_check(&tla, global, terminal)
        }
        Some((Language::Alloy, path)) => {
            let mut alloy: AlloyRun = defaults(path);
            alloy.solving.timeout = command.timeout;
            alloy.format =
                if command.format == Format::Json { AlloyFormat::Json } else { AlloyFormat::Human };
            super::alloy::run_commands(&alloy, global, terminal)
        }
        _ => check_files(command, global, terminal),
    }
}

/// The model or specification, if it is the only thing to check and is to be shown to a person or as JSON: these have
/// more to show than findings, and `locus check` shows the same as the command of the language.
fn alone(command: &Check) -> anyhow::Result<Option<(Language, &Path)>> {
    let ([path], Format::Human | Format::Json) = (command.paths.as_slice(), command.format) else {
        return Ok(None);
    };
    let forced = command.reading.language.as_deref().map(Language::by_id).transpose()?;
    let language = forced.or_else(|| language::by_name(path.to_str()?));
    Ok(language.filter(|_| path.is_file()).map(|language| (language, path.as_path())))
}

/// The arguments of a command as they are when only a path is given.
fn defaults<T: clap::Args>(path: &Path) -> T {
    let parser = T::augment_args(clap::Command::new("locus"));
    let matches = parser.get_matches_from([
        std::ffi::OsStr::new("locus"),
        std::ffi::OsStr::new("--"),
        path.as_os_str(),
    ]);
    T::from_arg_matches(&matches).expect("a path is all that is needed")
}

fn check_files(command: &Check, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let sources = Sources::new();
    let (own_rules, rules) = with_own(&command.rules, &sources)?;
    let mut config = Config::load(&command.reading, &sources, &rules)?;
    let forced = command.reading.language.as_deref().map(Language::by_id).transpose()?;
    let here = [PathBuf::from(".")];
    let paths = if command.paths.is_empty() { &here[..] } else { &command.paths };
    let (inputs, mut errors) = inputs::expand(paths);

    let progress = Progress::new(inputs.len(), "files", terminal, global.quiet);
    let checker = Checker {
        sources: &sources,
        rules: &rules,
        own_rules: &own_rules,
        config: &config,
        forced,
        command,
        global,
        terminal,
    };
    let results: Vec<Checked> = inputs
        .par_iter()
        .map(|input| {
            let checked = checker.check(input);
            progress.step();
            checked
        })
        .collect();
    drop(progress);

    let mut findings = std::mem::take(&mut config.findings);
    let mut files = 0;
    let mut suggested = Vec::new();
    for (input, checked) in inputs.iter().zip(results) {
        match checked {
            Checked::Done { findings: found, unanswered, remark, suggested: change } => {
                files += 1;
                findings.extend(found);
                errors.extend(unanswered);
                suggested.extend(change);
                if global.verbose {
                    terminal.remark(&remark);
                }
            }
            Checked::Skipped(reason) if global.verbose => {
                terminal.remark(&format!("{}: skipped: {reason}", input.path.display()));
            }
            Checked::Skipped(_) => {}
            Checked::Failed(error) => errors.push(error),
        }
    }
    config.policy.apply(&sources, &mut findings);
    if config.is_whole_project(paths) && errors.is_empty() {
        findings.extend(config.policy.unused());
    }
    sort_and_dedup(&mut findings, &sources);
    if files == 0 && errors.is_empty() {
        terminal.remark("no file of a language that Locus knows was found here");
    }
    let suggested = command.suggest.then_some(suggested);
    let outcome = Report { sources, findings, errors, files, suggested }.write(
        command.format,
        command.fail_on,
        global.quiet,
        &rules,
        terminal,
    );
    if global.verbose {
        terminal.remark(&format!("{} in {:.3} s", counted(files, "file"), started.elapsed().as_secs_f64()));
    }
    outcome
}

/// What became of one input.
enum Checked {
    /// It was checked.
    Done {
        findings: Vec<Finding>,
        /// What is not known of it, because there was no time.
        unanswered: Vec<anyhow::Error>,
        /// For those who want to know more.
        remark: String,
        /// What to change.
        suggested: Option<Suggested>,
    },
    /// It is in a folder, and nothing that we know.
    Skipped(String),
    /// It could not be checked.
    Failed(anyhow::Error),
}

/// What checking any input needs.
struct Checker<'a> {
    sources: &'a Sources,
    rules: &'a RuleBook,
    /// Files with rules that the user adds.
    own_rules: &'a [Arc<SourceFile>],
    config: &'a Config,
    forced: Option<Language>,
    command: &'a Check,
    global: &'a Global,
    terminal: &'a Terminal,
}

impl Checker<'_> {
    fn check(&self, input: &Input) -> Checked {
        if !input.named && !language::is_candidate(&input.path) {
            return Checked::Skipped("no language that Locus knows has files with such names".to_owned());
        }
        // A file in a folder whose name does not tell its language may be anything; it need not even be text.
        let lenient = !input.named
            && self.forced.is_none()
            && input.path.to_str().and_then(language::by_name).is_none();
        let read = inputs::read(input, &self.command.reading.stdin_name, self.sources, &self.config.limits);
        let detected = read.and_then(|file| {
            let language = self.forced.map_or_else(|| language::detect(&file), Ok)?;
            Ok((file, language))
        });
        match detected {
            Ok((file, language)) => self.check_as(input, &file, language),
            Err(error) if lenient => Checked::Skipped(format!("{error:#}")),
            Err(error) => Checked::Failed(error),
        }
    }

    fn check_as(&self, input: &Input, file: &Arc<SourceFile>, language: Language) -> Checked {
        let examined = match language {
            Language::LocationGraph => Ok(self.location_graph(file)),
            Language::Hot => self.template(file),
            Language::Tla => self.specification(input, file),
            Language::Alloy => self.model(input, file),
        };
        let Examined { mut findings, unanswered, comments, complete, remark, suggested } = match examined {
            Ok(examined) => examined,
            Err(error) => return Checked::Failed(error),
        };
        let (mut suppressions, unclear) = Suppressions::read(file, &comments, self.rules);
        suppressions.apply(file, &mut findings);
        findings.extend(unclear);
        if complete {
            findings.extend(suppressions.unused());
        }
        let remark = format!("{}: a {}: {remark}", file.name(), language.name());
        Checked::Done { findings, unanswered, remark, suggested }
    }

    fn location_graph(&self, file: &Arc<SourceFile>) -> Examined {
        let read = locus_graph::text::read(file, &self.config.limits);
        let complete = !read.findings.iter().any(|finding| finding.severity == Severity::Error);
        let mut findings = read.findings;
        findings.extend(locus_graph::check(&read.graph, file.place(Span::point(0))));
        let (locations, bindings) = (read.graph.len(), read.graph.bindings().len());
        let remark = format!("{}, {}", counted(locations, "location"), counted(bindings, "binding"));
        Examined {
            findings,
            unanswered: Vec::new(),
            comments: read.comments,
            complete,
            remark,
            suggested: None,
        }
    }
}

impl Checker<'_> {
    fn template(&self, file: &Arc<SourceFile>) -> anyhow::Result<Examined> {
        let read = templates::read(file, &self.command.reading, self.sources, &self.config.limits)?;
        let complete = !read.findings.iter().any(|finding| finding.severity == Severity::Error);
        let mut remark = match &read.template {
            Some(template) => counted(locus_hot::graph(template).len(), "location"),
            None => "it could not be read".to_owned(),
        };
        for unknown in &read.unknowns {
            let _ =
                write!(remark, "\n  {}: not known: {}", self.sources.describe(unknown.place), unknown.why);
        }
        let mut findings = read.findings;
        if let Some(template) = &read.template {
            let checked = judge(self.sources, template, self.own_rules);
            findings.extend(checked.findings);
            for finding in checked.unsettled {
                let place = self.sources.describe(finding.primary.place);
                let _ = write!(remark, "\n  {place}: not decided: {}: {}", finding.code, finding.message);
            }
        }
        let suggested = if self.command.suggest { self.suggest(file) } else { None };
        Ok(Examined {
            findings,
            unanswered: Vec::new(),
            comments: read.comments,
            complete,
            remark,
            suggested,
        })
    }

    fn suggest(&self, file: &SourceFile) -> Option<Suggested> {
        suggest::changes(file, &|sources, text| {
            let file = sources.add(file.name(), text);
            let read = templates::read(&file, &self.command.reading, sources, &self.config.limits)?;
            let mut findings = read.findings;
            if let Some(template) = &read.template {
                for own in self.own_rules {
                    let own = sources.add(own.name(), own.text());
                    let more = locus_hot::check_with(sources, &super::alloy::Files, own.id(), template);
                    findings.extend(more.findings);
                }
            }
            Ok(Judged { file, template: read.template, findings })
        })
    }
}

/// What the rules that come with Locus, and the user's, say of a template.
fn judge(sources: &Sources, template: &Template, own: &[Arc<SourceFile>]) -> locus_hot::Checked {
    let mut checked = locus_hot::check(template);
    for file in own {
        let more = locus_hot::check_with(sources, &super::alloy::Files, file.id(), template);
        checked.findings.extend(more.findings);
        checked.unsettled.extend(more.unsettled);
    }
    checked
}

/// Languages whose checks may take long: a folder only has its files read, what was named is checked in full.
impl Checker<'_> {
    fn specification(&self, input: &Input, file: &Arc<SourceFile>) -> anyhow::Result<Examined> {
        let findings = if input.named {
            let mut command: TlaCheck = defaults(&input.path);
            command.timeout = self.command.timeout;
            command.model.library.clone_from(&self.command.library);
            super::tla::answer(&command, self.global, self.sources, self.terminal)?.findings(file)
        } else {
            super::tla::read(file, &input.path, &self.command.library, self.sources)?
        };
        Ok(Examined::whole(findings, Vec::new(), input))
    }

    fn model(&self, input: &Input, file: &Arc<SourceFile>) -> anyhow::Result<Examined> {
        let (findings, unanswered) = if input.named {
            let mut command: AlloyRun = defaults(&input.path);
            command.solving.timeout = self.command.timeout;
            super::alloy::findings(&command, file, self.sources, self.global, self.terminal)?
        } else {
            (super::alloy::load(file, self.sources).1, Vec::new())
        };
        Ok(Examined::whole(findings, unanswered, input))
    }
}

impl Examined {
    fn whole(findings: Vec<Finding>, unanswered: Vec<anyhow::Error>, input: &Input) -> Self {
        let remark =
            if input.named { "checked" } else { "read, but not checked: name it to have it checked" };
        Self {
            findings,
            unanswered,
            comments: Vec::new(),
            complete: true,
            remark: remark.to_owned(),
            suggested: None,
        }
    }
}

/// What the check of a file in a known language gives.
struct Examined {
    findings: Vec<Finding>,
    /// What is not known of it, because there was no time.
    unanswered: Vec<anyhow::Error>,
    comments: Vec<Span>,
    /// Whether every rule could be looked at. If not, nothing is known of suppressions without effect.
    complete: bool,
    /// What the file is, for those who want to know more.
    remark: String,
    suggested: Option<Suggested>,
}
