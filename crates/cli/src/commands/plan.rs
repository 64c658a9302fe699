//! `locus plan`: in which order a configuration is built, changed or taken down.
//!
//! Here is how the question is put together from files and options; [`answer`] puts it to the planner and writes what
//! comes of it.

mod answer;
mod deployed;
mod durations;
mod json;
pub(super) mod on_the_way;
mod safety;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use locus_aeolus::{Document as Aeolus, Want};
use locus_language::{Document, Effort, Judgement, Language, NoGraph, Options};
use locus_meaning::things::Thing;
use locus_plan::{Choice, Others, Pivot};
use locus_source::{Finding, Loader, Severity, SourceFile};

use super::destroyed;
use crate::Outcome;
use crate::args::{Executor, Global, Plan, PlanFormat, Reading};
use crate::deadline;
use crate::inputs::Input;
use crate::languages;
use crate::loader::ProjectFiles;
use crate::projects::Parts;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

use answer::{Question, Said};
use durations::Durations;

pub(crate) fn run(command: &Plan, _: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    deadline::watch(command.limit.timeout, terminal)?;
    let reading = command.reading.of_some_file(!command.paths.is_empty())?;
    let session = Session::new(languages::ALL, &Setup::reading(&reading))?;
    let paths = if command.paths.is_empty() { &reading.project.file[..1] } else { &command.paths };
    if command.verify && matches!(command.format, PlanFormat::Svg | PlanFormat::Dot) {
        bail!("--verify has no picture; its formats are human, json, markdown and tla");
    }
    let read = |path: &PathBuf| {
        let input = Input { path: path.clone(), named: true };
        Durations::read(&session.read(&input, &command.reading.stdin_name)?, &session)
    };
    let given = command.durations.as_ref().map(read).transpose()?;
    let typical = || Durations::default().typical();
    let durations = match given {
        Some(given) if command.typical => Some(given.typical()),
        given => given.or_else(|| command.typical.then(typical)),
    };
    if command.name.is_some() || command.out.is_some() {
        return deployed::plan(command, &reading, paths, &session, terminal, durations);
    }
    if command.store.is_some() || command.simulate.is_some() || command.sites.is_some() {
        bail!("--store, --simulate and --sites are for a plan of a deployment, with --name or --out");
    }
    let asked = Asked { command, reading: &reading, session: &session, terminal, durations };
    let (file, language) = asked.open(&paths[0])?;
    if language.id() == languages::Aeolus.id() {
        return asked.aeolus(&file);
    }
    if command.want.is_some() || command.from.is_some() {
        bail!(
            "--want and --from are for Aeolus documents, and {} is in the language {}",
            file.name(),
            language.id()
        );
    }
    if command.executor == Some(Executor::Heat) && language.id() != "hot" {
        bail!("--as heat is about Heat templates, and {} is in the language {}", file.name(), language.id());
    }
    let is_update = paths.len() > 1;
    if !command.old_file.is_empty() {
        let old = asked.old_project(language)?;
        let new = asked.things(&paths[0], &file, language, true)?;
        let pivot = locus_plan::pivot(&old.things, &new.things);
        return asked.of_pivot(&pivot, [Some(&old), Some(&new)], &file);
    }
    let first = asked.things(&paths[0], &file, language, !is_update && !command.down)?;
    let (old, new): (Option<Described>, Option<Described>);
    let pivot = match paths.get(1) {
        Some(_) if command.down => bail!("--down takes one file"),
        Some(path) => {
            let (second, other) = asked.open(path)?;
            if other.id() != language.id() {
                bail!(
                    "{} and {} are in two languages, {} and {}; an update is from one version of a file to another",
                    file.name(),
                    second.name(),
                    language.id(),
                    other.id()
                );
            }
            let second = asked.things(path, &second, other, true)?;
            (old, new) = (Some(first), Some(second));
            locus_plan::pivot(things(old.as_ref()), things(new.as_ref()))
        }
        None if command.down => {
            (old, new) = (Some(first), None);
            locus_plan::pivot(things(old.as_ref()), &[])
        }
        None => {
            (old, new) = (None, Some(first));
            locus_plan::pivot(&[], things(new.as_ref()))
        }
    };
    asked.of_pivot(&pivot, [old.as_ref(), new.as_ref()], &file)
}

fn things(described: Option<&Described>) -> &[Thing] {
    described.map_or(&[], |one| &one.things)
}

/// A document and the things that it describes.
struct Described {
    document: Box<dyn Document>,
    things: Vec<Thing>,
    loader: Arc<dyn Loader>,
    effort: Effort,
    /// The options that it was read with, if they are not those of the session.
    options: Option<Options>,
}

/// The command, and the context in which it is answered.
struct Asked<'a> {
    command: &'a Plan,
    reading: &'a Reading,
    session: &'a Session,
    terminal: &'a Terminal,
    durations: Option<Durations>,
}

impl Asked<'_> {
    fn open(&self, path: &Path) -> anyhow::Result<(Arc<SourceFile>, &'static dyn Language)> {
        let reading = self.reading;
        let input = Input { path: path.to_owned(), named: true };
        let file = self.session.read(&input, &reading.stdin_name)?;
        let language = self.session.language(reading.language(), &file)?;
        if let Some(choice) = self.session.refused(language).first() {
            let what = format!("{}: a file in the language {}", file.name(), language.id());
            return Err(self.session.refusal(*choice, &what));
        }
        Ok((file, language))
    }

    /// Shows what is wrong with a text that was not understood, and ends.
    fn refuse_broken(&self, findings: &[Finding], file: &SourceFile) -> anyhow::Result<()> {
        let errors: Vec<_> = findings.iter().filter(|one| one.severity == Severity::Error).collect();
        if errors.is_empty() {
            return Ok(());
        }
        for finding in errors {
            self.terminal.remark_finding(finding, &self.session.sources);
        }
        bail!("{} was not planned, because something is wrong with it", file.name());
    }

    /// Reads a file as things that are made and removed. One that is to be built must be right.
    fn things(
        &self,
        path: &Path,
        file: &Arc<SourceFile>,
        language: &dyn Language,
        is_built: bool,
    ) -> anyhow::Result<Described> {
        self.things_of(&self.session.files(path), file, language, is_built, None)
    }

    /// The old version of a project of several files.
    fn old_project(&self, language: &dyn Language) -> anyhow::Result<Described> {
        let old = &self.command.old_file;
        let parts = Parts { file: old.clone(), ..self.reading.project.clone() };
        let input = Input { path: old[0].clone(), named: true };
        let file = self.session.read_as(&input, &self.reading.stdin_name, language)?;
        self.things_of(&self.session.files_of(old), &file, language, false, Some(&parts))
    }

    fn things_of(
        &self,
        files: &Arc<ProjectFiles>,
        file: &Arc<SourceFile>,
        language: &dyn Language,
        is_built: bool,
        project: Option<&Parts>,
    ) -> anyhow::Result<Described> {
        let loader: Arc<dyn Loader> = Arc::clone(files) as _;
        let effort = self.session.effort(None, 1);
        let mut request = self.session.request(&loader, &effort);
        let mut options = project.map(|_| request.options.clone());
        if let (Some(options), Some(project)) = (&mut options, project) {
            project.add_to(options)?;
        }
        request.options = options.as_ref().unwrap_or(request.options);
        let document: Box<dyn Document> = language.read(file, &request);
        let mut judgement = if is_built { document.judge(&request) } else { Judgement::default() };
        let unanswered = std::mem::take(&mut judgement.unanswered);
        let findings = self.session.settled(file, language, &*document, judgement, files);
        self.refuse_broken(&findings, file)?;
        if let Some(unanswered) = unanswered.first() {
            bail!("{} was not planned: {}", file.name(), unanswered.why);
        }
        let things = document.things(&request);
        match things {
            Ok(things) => Ok(Described { document, things, loader, effort, options }),
            Err(NoGraph::NotThisLanguage(_)) => {
                bail!("{}: {} describes nothing that could be deployed", file.name(), language.name())
            }
            Err(NoGraph::NotBuildable(why)) => bail!("{}: {why}", file.name()),
            Err(NoGraph::NotUnderstood) => {
                bail!("{} was not planned, because it could not be read", file.name())
            }
        }
    }

    /// An Aeolus document, with the configuration to start from if that is in a file of its own.
    fn document(&self, file: &Arc<SourceFile>) -> anyhow::Result<Aeolus> {
        let limits = &self.session.config.limits;
        let read = locus_aeolus::read(file, limits);
        self.refuse_broken(&read.findings, file)?;
        let mut document = read.document;
        if let Some(path) = &self.command.from {
            let input = Input { path: path.clone(), named: true };
            let file = self.session.read(&input, &self.command.reading.stdin_name)?;
            let findings = locus_aeolus::read_configuration_file(&file, limits, &mut document);
            self.refuse_broken(&findings, &file)?;
        }
        Ok(document)
    }

    fn aeolus(&self, file: &Arc<SourceFile>) -> anyhow::Result<Outcome> {
        if self.command.paths.len() > 1 {
            bail!("{} is an Aeolus document; say where to start with --from", file.name());
        }
        let document = self.document(file)?;
        let (universe, start) = (&document.universe, &document.configuration);
        if let Some(violation) = start.violations(universe).first() {
            bail!(
                "the configuration that is deployed is not correct: {}",
                locus_plan::violation_in_words(&document, violation)
            );
        }
        let mut question = Question {
            universe,
            start,
            names: &document.names,
            wanted: Vec::new(),
            others: Others::Delete,
            cost: None,
            want: None,
            pivot: None,
            documents: [None, None],
            things: [&[], &[]],
            not_judged: None,
            machines: None,
        };
        if !self.command.down {
            let (want, never) = match locus_plan::divide(&self.want(&document, file)?) {
                Ok(divided) => divided,
                Err(why) => return self.say(&Said::Unknown(format!("no configuration was found {why}"))),
            };
            let choice = if document.machines.is_empty() && never.is_empty() {
                locus_plan::choose(universe, start, &want)
            } else {
                let choice = locus_plan::choose_placed(&document, &want, &never);
                question.machines = Some((&document, never));
                choice
            };
            match choice {
                Choice::Chosen(chosen) => {
                    (question.wanted, question.others) = locus_plan::wanted(universe, start, &want, &chosen);
                    question.cost = Some((chosen.cost, chosen.at_least.unwrap_or(chosen.cost)));
                    question.want = Some(want);
                }
                Choice::None(reasons) => return self.say(&Said::None(reasons)),
                Choice::Unknown(bound) => {
                    return self.say(&Said::Unknown(format!("no configuration was found {bound}")));
                }
            }
        }
        self.answer(&question, file)
    }

    /// The target of an Aeolus document.
    fn want(&self, document: &Aeolus, file: &SourceFile) -> anyhow::Result<Want> {
        match (&self.command.want, &document.want) {
            (Some(text), _) => Want::parse(&document.universe, text).map_err(|error| {
                let help = error.help.map_or(String::new(), |help| format!("; {help}"));
                anyhow!("--want, column {}: {}{help}", error.at + 1, error.message)
            }),
            (None, Some((want, _))) => Ok(want.clone()),
            (None, None) => bail!("{} does not say what is wanted; say it with --want", file.name()),
        }
    }

    /// A document with the request that it was read with.
    fn to_judge<'d>(&'d self, one: &'d Described) -> locus_judge::Asked<'d> {
        let mut request = self.session.request(&one.loader, &one.effort);
        request.options = one.options.as_ref().unwrap_or(request.options);
        locus_judge::Asked { document: &*one.document, request }
    }

    fn of_pivot(
        &self,
        pivot: &Pivot,
        [old, new]: [Option<&Described>; 2],
        file: &Arc<SourceFile>,
    ) -> anyhow::Result<Outcome> {
        let refused: Vec<String> = answer::reasons(pivot, &self.session.sources, |_, why| {
            why.is_refused.then_some("cannot be changed")
        });
        if !refused.is_empty() {
            return self.say(&Said::None(refused));
        }
        let kept = destroyed::kept(&self.session.config.policy, &pivot.differences);
        if !kept.is_empty() {
            return self.say(&Said::None(kept));
        }
        let question = Question {
            things: [old, new].map(things),
            ..Question::of(pivot, [old, new].map(|one| one.map(|one| self.to_judge(one))))
        };
        self.answer(&question, file)
    }
}
