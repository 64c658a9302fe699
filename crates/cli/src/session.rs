//! One run of the command: what was read, under which configuration, and what every file is examined with.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use locus_compose::ENGINE;
use locus_language::options::{LIBRARY, RULES, SUGGEST, Takes, Values};
use locus_language::{Choice, Document, Effort, Judgement, Language, NoGraph, Options, Request, Unanswered};
use locus_rules::Rules;
use locus_source::suppress::Suppressions;
use locus_source::{Finding, Limits, Loader, RuleBook, SourceFile, Sources, sort_and_dedup};

use crate::args::Raw;
use crate::config::Config;
use crate::inputs::{self, Input};
use crate::languages::{Modules, Table};
use crate::loader::{Allowed, ProjectFiles};
use crate::machine::Machine;
use crate::projects::Parts;
use crate::report::{Attached, Report, Unchecked};
use crate::suggest::Suggested;
use crate::{args, interrupt};

/// The options of the command line that concern a whole run.
#[derive(Debug, Default)]
pub(crate) struct Setup<'a> {
    pub(crate) config: ConfigChoice<'a>,
    pub(crate) limits: args::ReadingLimits,
    /// The options that languages take.
    pub(crate) given: Vec<(Choice, Raw)>,
    pub(crate) project: Option<&'a Parts>,
    pub(crate) rules: &'a [PathBuf],
    pub(crate) suggest: bool,
    pub(crate) engine: bool,
    pub(crate) timeout: Option<Duration>,
    pub(crate) allowed: Allowed,
    /// Whether remarks about each file are wanted.
    pub(crate) verbose: bool,
}

/// Which `locus.toml` to use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum ConfigChoice<'a> {
    /// The nearest.
    #[default]
    Nearest,
    /// This one.
    Given(&'a Path),
    /// None.
    Off,
}

impl<'a> Setup<'a> {
    /// The setup from the options about reading.
    pub(crate) fn reading(reading: &'a args::Reading) -> Self {
        Self {
            config: match (&reading.config, reading.no_config) {
                (_, true) => ConfigChoice::Off,
                (Some(path), false) => ConfigChoice::Given(path),
                (None, false) => ConfigChoice::Nearest,
            },
            limits: reading.limits,
            given: reading.given.0.clone(),
            project: Some(&reading.project),
            allowed: reading.access.allowed(),
            ..Self::default()
        }
    }

    /// Adds values of an option to those that were given.
    pub(crate) fn add(&mut self, choice: Choice, raw: Raw) {
        let known = self.given.iter_mut().find(|(known, _)| *known == choice);
        match (known.map(|(_, raw)| raw), raw) {
            (Some(Raw::Texts(all)), Raw::Texts(more)) => all.extend(more),
            (Some(Raw::Paths(all)), Raw::Paths(more)) => all.extend(more),
            (Some(Raw::Flag), Raw::Flag) => {}
            (_, raw) => self.given.push((choice, raw)),
        }
    }

    /// The values of all options that languages take.
    fn options(&self, sources: &Sources, limits: &Limits) -> anyhow::Result<Options> {
        let mut options = Options::default();
        for (choice, raw) in self.given.iter().filter(|(_, raw)| !raw.is_empty()) {
            options.set(*choice, values(*choice, raw, sources, limits)?, true);
        }
        let flags = [(RULES, !self.rules.is_empty()), (SUGGEST, self.suggest), (ENGINE, self.engine)];
        for (choice, _) in flags.into_iter().filter(|(_, is_given)| *is_given) {
            options.set(choice, Values::Flag, true);
        }
        if let Some(project) = self.project {
            project.add_to(&mut options)?;
        }
        Ok(options)
    }
}

/// A run.
pub(crate) struct Session {
    pub(crate) languages: Table,
    pub(crate) sources: Sources,
    pub(crate) rules: RuleBook,
    pub(crate) config: Config,
    /// The user's own rules, compiled once for all files.
    own_rules: Vec<Rules>,
    /// Findings about `locus.toml` and the user's own rules.
    pub(crate) findings: Vec<Finding>,
    /// The values of the options that languages have.
    options: Options,
    /// Files that the user named to read others with, whose projects may be read.
    named: Vec<PathBuf>,
    allowed: Allowed,
    timeout: Option<Duration>,
    suggest: bool,
    verbose: bool,
    /// The Docker engine that may be asked.
    machine: Option<Machine>,
}

/// The result of examining one file.
#[derive(Default)]
pub(crate) struct Examined {
    pub(crate) findings: Vec<Finding>,
    /// Findings that depend on values that are not known.
    pub(crate) undecided: Vec<Finding>,
    pub(crate) unchecked: Vec<Unchecked>,
    pub(crate) attached: Vec<Attached>,
    /// The names of files that are parts of this one.
    pub(crate) parts: Vec<String>,
    /// The remark on the file, if remarks are wanted.
    pub(crate) remark: Option<String>,
    pub(crate) suggested: Option<Suggested>,
}

impl Session {
    pub(crate) fn new(languages: Table, setup: &Setup<'_>) -> anyhow::Result<Self> {
        let sources = Sources::new();
        let mut findings = Vec::new();
        let own_files = read_all(setup.rules, &sources, &Limits::default())?;
        let rules = rulebook(languages, &own_files)?;
        let mut config = Config::load(setup.config, setup.limits, &sources, &rules)?;
        findings.append(&mut config.findings);
        let options = setup.options(&sources, &config.limits)?;
        let mut named = Vec::new();
        for (choice, raw) in &setup.given {
            if let (Takes::Files, Raw::Paths(paths)) = (choice.takes, raw) {
                named.extend_from_slice(paths);
            }
        }
        named.extend(setup.project.map(Parts::named).transpose()?.unwrap_or_default());
        let mut own_rules = Vec::new();
        for (file, path) in own_files.iter().zip(setup.rules) {
            let loader: Arc<dyn Loader> =
                Arc::new(ProjectFiles::new(vec![path.clone()], &config.limits, &setup.allowed));
            let libraries = options.texts(LIBRARY);
            let modules = Modules { file, loader: &loader, languages, libraries, limits: &config.limits };
            let (rules, found) = Rules::load(&sources, &modules, file.id());
            // What is odd in a rule is of interest to those who wrote it.
            findings.extend(found);
            findings.extend(rules.iter().flat_map(|rules| rules.faults(&sources, file.id())));
            own_rules.extend(rules);
        }
        Ok(Self {
            languages,
            sources,
            rules,
            config,
            own_rules,
            findings,
            options,
            named,
            allowed: setup.allowed.clone(),
            timeout: setup.timeout,
            suggest: setup.suggest,
            verbose: setup.verbose,
            machine: if setup.engine { Some(Machine::ask()?) } else { None },
        })
    }

    /// The report of a run about a single file.
    pub(crate) fn report(&mut self, examined: Examined) -> Report {
        let mut report = Report {
            findings: std::mem::take(&mut self.findings),
            unchecked: examined.unchecked,
            attached: examined.attached,
            files: 1,
            ..Report::default()
        };
        report.findings.extend(examined.findings);
        self.config.apply(&self.sources, &mut report.findings);
        sort_and_dedup(&mut report.findings, &self.sources);
        report
    }

    /// The language that was named, or that a file seems to be in.
    pub(crate) fn language(
        &self,
        forced: Option<&str>,
        file: &SourceFile,
    ) -> anyhow::Result<&'static dyn Language> {
        match forced {
            Some(id) => self.languages.by_id(id),
            None => self.languages.detect(file),
        }
    }

    /// Reads an input, in the encoding of the language that its name tells.
    pub(crate) fn read(&self, input: &Input, stdin_name: &str) -> anyhow::Result<Arc<SourceFile>> {
        let name = input.name(stdin_name);
        let bytes = inputs::bytes(&input.path, &self.config.limits)?;
        let bytes = match self.languages.by_name(&name) {
            Some(language) => language.decode(bytes),
            None => bytes,
        };
        Ok(self.sources.add_bytes(name, bytes, &self.config.limits)?)
    }

    /// Reads an input that is in this language.
    pub(crate) fn read_as(
        &self,
        input: &Input,
        stdin_name: &str,
        language: &dyn Language,
    ) -> anyhow::Result<Arc<SourceFile>> {
        let bytes = language.decode(inputs::bytes(&input.path, &self.config.limits)?);
        Ok(self.sources.add_bytes(input.name(stdin_name), bytes, &self.config.limits)?)
    }

    /// The options that were given and that this language does not have.
    pub(crate) fn refused(&self, language: &dyn Language) -> Vec<Choice> {
        self.options.given().filter(|choice| !language.options().contains(choice)).collect()
    }

    /// That an option is not for some file or files.
    pub(crate) fn refusal(&self, choice: Choice, what: &str) -> anyhow::Error {
        let have = self.languages.iter().filter(|language| language.options().contains(&choice));
        let names: Vec<_> = have.map(Language::id).collect();
        anyhow!("{what} has no --{}; the languages that have it: {}", choice.name, names.join(", "))
    }

    /// Options that no file at all was read with.
    pub(crate) fn without_effect(&self, languages: &[&'static dyn Language]) -> Vec<anyhow::Error> {
        let none = |choice: &Choice| !languages.iter().any(|language| language.options().contains(choice));
        let error = |choice: Choice| self.refusal(choice, "no language of these files");
        self.options.given().filter(none).map(error).collect()
    }

    /// The files that a file, whose path this is, may read.
    pub(crate) fn files(&self, path: &Path) -> Arc<ProjectFiles> {
        self.files_of(&[path.to_owned()])
    }

    /// The files that these files may read, which are one document.
    pub(crate) fn files_of(&self, paths: &[PathBuf]) -> Arc<ProjectFiles> {
        let own = paths.iter().cloned().chain(self.named.iter().cloned()).collect();
        // The user named these folders, so what is in them may be read.
        let mut allowed = self.allowed.clone();
        allowed.read.extend(self.options.folders().map(PathBuf::from));
        Arc::new(ProjectFiles::new(own, &self.config.limits, &allowed))
    }

    /// How hard to try.
    pub(crate) fn effort(&self, found_timeout: Option<Duration>, workers: usize) -> Effort {
        let stop = Some(Arc::clone(interrupt::flag()));
        Effort { timeout: self.timeout.or(found_timeout), workers, stop }
    }

    /// The request with which a document is read and judged.
    pub(crate) fn request<'r>(&'r self, loader: &'r Arc<dyn Loader>, effort: &'r Effort) -> Request<'r> {
        Request {
            sources: &self.sources,
            limits: &self.config.limits,
            loader,
            options: &self.options,
            own_rules: &self.own_rules,
            effort,
        }
    }

    /// Reads and judges a file.
    pub(crate) fn examine(
        &self,
        path: &Path,
        file: &Arc<SourceFile>,
        language: &dyn Language,
        effort: &Effort,
        is_read: &dyn Fn(),
    ) -> Examined {
        let files = self.files(path);
        let loader: Arc<dyn Loader> = Arc::clone(&files) as _;
        let request = self.request(&loader, effort);
        let document = language.read(file, &request);
        is_read();
        let mut judgement = document.judge(&request);
        if let Some(machine) = &self.machine {
            match document.things(&request) {
                Ok(things) => locus_compose::engine::judge(&things, machine, &mut judgement.findings),
                Err(NoGraph::NotBuildable(why)) => judgement.unanswered.push(Unanswered {
                    why: format!("the engine was not asked: {why}"),
                    nothing_to_check: false,
                }),
                Err(NoGraph::NotUnderstood | NoGraph::NotThisLanguage(_)) => {}
            }
        }
        let suggestion = if self.suggest { language.suggest(file, &request) } else { None };
        let mut examined = self.judged(file, language, &*document, judgement, &files);
        examined.suggested = suggestion.map(|suggestion| Suggested::new(file, suggestion));
        examined
    }

    /// The findings of a file that was read and judged, and those about `locus.toml`, after the comments in the file
    /// and `locus.toml` have had their say: the same as `locus check` reports.
    pub(crate) fn settled(
        &self,
        file: &SourceFile,
        language: &dyn Language,
        document: &dyn Document,
        judgement: Judgement,
        files: &ProjectFiles,
    ) -> Vec<Finding> {
        let mut findings = self.judged(file, language, document, judgement, files).findings;
        findings.extend_from_slice(&self.findings);
        self.config.applied(&self.sources, &mut findings);
        findings
    }

    /// The result for a file that was read and judged, after the comments in it have been applied.
    pub(crate) fn judged(
        &self,
        file: &SourceFile,
        language: &dyn Language,
        document: &dyn Document,
        judgement: Judgement,
        files: &ProjectFiles,
    ) -> Examined {
        let mut findings = document.findings().to_vec();
        findings.extend(judgement.findings);
        findings.extend(files.notes(&self.sources, file));
        let complete = document.is_complete() && judgement.unanswered.is_empty();
        let (mut suppressions, unclear) = Suppressions::read(file, document.comments(), &self.rules);
        suppressions.apply(file, &mut findings);
        findings.extend(unclear);
        if complete {
            findings.extend(suppressions.unused());
        }
        for (part, comments) in document.comments_of_parts() {
            let part = self.sources.get(part);
            let (mut suppressions, unclear) = Suppressions::read(&part, &comments, &self.rules);
            suppressions.apply(&part, &mut findings);
            findings.extend(unclear);
        }
        let remark = self.verbose.then(|| self.remark(file, language, document, &judgement.undecided));
        let unchecked = judgement.unanswered.into_iter();
        let attached = judgement.attachments.into_iter();
        Examined {
            findings,
            undecided: judgement.undecided,
            unchecked: unchecked.map(|one| Unchecked::new(file.name(), one)).collect(),
            attached: attached.map(|one| Attached::new(file.name(), one)).collect(),
            parts: document
                .parts()
                .into_iter()
                .map(|part| self.sources.get(part).name().to_owned())
                .collect(),
            remark,
            suggested: None,
        }
    }

    /// The remark on a file: what it is, and which parts of it are not known.
    fn remark(
        &self,
        file: &SourceFile,
        language: &dyn Language,
        document: &dyn Document,
        undecided: &[Finding],
    ) -> String {
        let mut remark = format!("{}: {}: {}", file.name(), language.name(), document.summary());
        for unknown in document.unknowns() {
            let place = self.sources.describe(unknown.place);
            let _ = write!(remark, "\n  {place}: not known: {}", unknown.why);
        }
        for finding in undecided {
            let place = self.sources.describe(finding.primary.place);
            let _ = write!(remark, "\n  {place}: not decided: {}: {}", finding.code, finding.message);
        }
        remark
    }
}

/// The values of an option, by what was written for it.
fn values(choice: Choice, raw: &Raw, sources: &Sources, limits: &Limits) -> anyhow::Result<Values> {
    Ok(match (choice.takes, raw) {
        (Takes::Files, Raw::Paths(paths)) => Values::Files(read_all(paths, sources, limits)?),
        (Takes::Pairs, Raw::Texts(texts)) => {
            let short =
                choice.short.map_or_else(|| format!("--{}", choice.name), |short| format!("-{short}"));
            let pair = |text: &String| {
                let (name, value) = text.split_once('=').ok_or_else(|| {
                    anyhow!("`{short} {text}` has no `=`; write {short} {}", choice.value_name)
                })?;
                Ok((name.to_owned(), value.to_owned()))
            };
            Values::Pairs(texts.iter().map(pair).collect::<anyhow::Result<_>>()?)
        }
        (_, Raw::Texts(texts)) => Values::Texts(texts.clone()),
        (_, Raw::Paths(paths)) => {
            // A relative path would be taken to start at the folder of each file that is read.
            let absolute = |path: &PathBuf| {
                if !path.is_dir() {
                    bail!("{}: there is no such folder to look for modules in", path.display());
                }
                Ok(std::path::absolute(path)?.display().to_string())
            };
            Values::Texts(paths.iter().map(absolute).collect::<anyhow::Result<_>>()?)
        }
        (_, Raw::Flag) => Values::Flag,
    })
}

/// Reads files that the user named.
fn read_all(paths: &[PathBuf], sources: &Sources, limits: &Limits) -> anyhow::Result<Vec<Arc<SourceFile>>> {
    let read =
        |path: &PathBuf| inputs::read(&Input { path: path.clone(), named: true }, "<stdin>", sources, limits);
    paths.iter().map(read).collect()
}

/// A book of all rules, with those in files of the user's own.
pub(crate) fn rulebook(languages: Table, own: &[Arc<SourceFile>]) -> anyhow::Result<RuleBook> {
    if own.is_empty() {
        return Ok(languages.rulebook());
    }
    let mut rules = languages.rules();
    for file in own {
        for one in locus_rules::scan(file.text()) {
            let rule = one.description.rule;
            if let Some(taken) = rules.iter().find(|known| known.code == rule.code) {
                bail!(
                    "{}: the code {} of `{}` is taken by `{}`; choose one of your own, such as OWN001",
                    file.name(),
                    rule.code,
                    rule.name,
                    taken.name
                );
            }
            rules.push(rule);
        }
    }
    Ok(RuleBook::new(rules))
}
