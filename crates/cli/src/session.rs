//! One run of the command: what was read, under which configuration, and what every file is examined with.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{anyhow, bail};
use locus_language::{Choice, Document, Effort, Judgement, Language, NoGraph, Request, Together, Unanswered};
use locus_rules::Rules;
use locus_source::suppress::Suppressions;
use locus_source::{Finding, Limits, Loader, RuleBook, SourceFile, Sources, sort_and_dedup};

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
    pub(crate) environments: &'a [PathBuf],
    pub(crate) parameters: &'a [String],
    pub(crate) libraries: &'a [PathBuf],
    pub(crate) project: Option<&'a Parts>,
    pub(crate) relationships_as_locations: bool,
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
            environments: &reading.environment,
            parameters: &reading.parameter,
            libraries: &reading.library,
            project: Some(&reading.project),
            allowed: reading.access.allowed(),
            ..Self::default()
        }
    }

    /// The options that only some languages have and that were given.
    fn choices(&self) -> Vec<Choice> {
        let given = [
            (Choice::Environment, !self.environments.is_empty()),
            (Choice::Parameter, !self.parameters.is_empty()),
            (Choice::Files, self.project.is_some_and(|project| !project.file.is_empty())),
            (Choice::EnvFiles, self.project.is_some_and(|project| !project.env_file.is_empty())),
            (Choice::Profiles, self.project.is_some_and(|project| !project.profile.is_empty())),
            (Choice::Rules, !self.rules.is_empty()),
            (Choice::Suggest, self.suggest),
            (Choice::Library, !self.libraries.is_empty()),
            (Choice::Relationships, self.relationships_as_locations),
            (Choice::Engine, self.engine),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(choice, _)| choice).collect()
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
    environments: Vec<Arc<SourceFile>>,
    parameters: Vec<(String, String)>,
    libraries: Vec<String>,
    together: Together,
    relationships_as_locations: bool,
    /// Files that the user named to read others with, whose projects may be read.
    named: Vec<PathBuf>,
    allowed: Allowed,
    choices: Vec<Choice>,
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
        let environments = read_all(setup.environments, &sources, &config.limits)?;
        let parameters = setup.parameters.iter().map(|parameter| {
            let (name, value) = parameter
                .split_once('=')
                .ok_or_else(|| anyhow!("`-P {parameter}` has no `=`; write -P NAME=VALUE"))?;
            Ok((name.to_owned(), value.to_owned()))
        });
        let parameters = parameters.collect::<anyhow::Result<_>>()?;
        for folder in setup.libraries {
            if !folder.is_dir() {
                bail!("{}: there is no such folder to look for modules in", folder.display());
            }
        }
        // A relative path would be taken to start at the folder of each file that is read.
        let absolute = |path: &PathBuf| Ok(std::path::absolute(path)?.display().to_string());
        let libraries = setup.libraries.iter().map(absolute).collect::<anyhow::Result<Vec<String>>>()?;
        let together = setup.project.map(Parts::together).transpose()?.unwrap_or_default();
        let mut named: Vec<PathBuf> = setup.environments.to_vec();
        named.extend(setup.project.map(Parts::named).transpose()?.unwrap_or_default());
        let mut own_rules = Vec::new();
        for (file, path) in own_files.iter().zip(setup.rules) {
            let loader: Arc<dyn Loader> =
                Arc::new(ProjectFiles::new(vec![path.clone()], &config.limits, &setup.allowed));
            let modules =
                Modules { file, loader: &loader, languages, libraries: &libraries, limits: &config.limits };
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
            environments,
            parameters,
            libraries,
            together,
            relationships_as_locations: setup.relationships_as_locations,
            named,
            allowed: setup.allowed.clone(),
            choices: setup.choices(),
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
        self.choices.iter().copied().filter(|choice| !language.options().contains(choice)).collect()
    }

    /// That an option is not for some file or files.
    pub(crate) fn refusal(&self, choice: Choice, what: &str) -> anyhow::Error {
        let have = self.languages.iter().filter(|language| language.options().contains(&choice));
        let names: Vec<_> = have.map(Language::id).collect();
        anyhow!("{what} has no {}; the languages that have it: {}", choice.option(), names.join(", "))
    }

    /// Options that no file at all was read with.
    pub(crate) fn without_effect(&self, languages: &[&'static dyn Language]) -> Vec<anyhow::Error> {
        let none = |choice: &&Choice| !languages.iter().any(|language| language.options().contains(choice));
        let error = |choice: &Choice| self.refusal(*choice, "no language of these files");
        self.choices.iter().filter(none).map(error).collect()
    }

    /// The files that a file, whose path this is, may read.
    pub(crate) fn files(&self, path: &Path) -> Arc<ProjectFiles> {
        let own = std::iter::once(path.to_owned()).chain(self.named.iter().cloned()).collect();
        // The user named these folders, so what is in them may be read.
        let mut allowed = self.allowed.clone();
        allowed.read.extend(self.libraries.iter().map(PathBuf::from));
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
            environments: &self.environments,
            parameters: &self.parameters,
            libraries: &self.libraries,
            together: &self.together,
            relationships_as_locations: self.relationships_as_locations,
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
        let suggestion = if self.suggest { document.suggest(&request) } else { None };
        let mut examined = self.judged(file, language, &*document, judgement, &files);
        examined.suggested = suggestion.map(|suggestion| Suggested::new(file, suggestion));
        examined
    }

    /// The findings of a file that was read and judged, after its comments and `locus.toml` have had their say.
    pub(crate) fn settled(
        &self,
        file: &SourceFile,
        language: &dyn Language,
        document: &dyn Document,
        judgement: Judgement,
        files: &ProjectFiles,
    ) -> Vec<Finding> {
        let mut findings = self.judged(file, language, document, judgement, files).findings;
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
