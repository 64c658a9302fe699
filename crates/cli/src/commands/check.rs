//! `locus check`: is what the files describe right?

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use locus_language::options::TIMEOUT;
use locus_language::{Language, Unanswered};
use locus_source::{Finding, SourceFile, Sources, sort_and_dedup};
use rayon::prelude::*;

use crate::Outcome;
use crate::args::{Check, Global};
use crate::baseline;
use crate::deadline;
use crate::fix::{self, Fixed};
use crate::inputs::{self, Input};
use crate::languages::{self, Table};
use crate::progress::Progress;
use crate::report::{Report, Unchecked, Way, counted};
use crate::session::{Examined, Session, Setup};
use crate::terminal::Terminal;

/// How long each question to a model or specification may take that nobody named: a folder may have many.
const FOUND_TIMEOUT: Duration = Duration::from_secs(10);

pub(crate) fn run(command: &Check, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let rounds = if command.fix { MOST_ROUNDS } else { 0 };
    check(command, languages::ALL, &Round { left: rounds, changed: Vec::new() }, global, terminal)
}

/// A slip in the name of a section hides those within it, so files are corrected and checked again, up to so often.
const MOST_ROUNDS: usize = 5;

/// How far correcting files is.
#[derive(Default)]
struct Round {
    /// How often files may still be corrected.
    left: usize,
    /// The files that were corrected before this round.
    changed: Vec<Fixed>,
}

fn check(
    command: &Check,
    languages: Table,
    round: &Round,
    global: &Global,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    let started = Instant::now();
    let setup = Setup {
        rules: &command.rules,
        suggest: command.suggest,
        engine: command.engine,
        timeout: command.timeout,
        verbose: global.verbose,
        ..Setup::reading(&command.reading)
    };
    let mut session = Session::new(languages, &setup)?;
    let findings = std::mem::take(&mut session.findings);
    let session = Arc::new(session);
    if let Some(id) = &command.reading.language {
        languages.by_id(id)?;
    }
    let here = [PathBuf::from(".")];
    let paths = match (&command.paths[..], &command.reading.project.file[..]) {
        (_, [first, ..]) => std::slice::from_ref(first),
        ([], []) => &here[..],
        (paths, []) => paths,
    };
    let (mut inputs, errors) = inputs::expand(paths);
    let excluded = |input: &Input| {
        !input.named && session.config.policy.excludes(&session.config.path(&input.path.to_string_lossy()))
    };
    inputs.retain(|input| !excluded(input));

    let progress = Progress::new(inputs.len(), "files", terminal, global.quiet);
    let checker = Checker { session: &session, command, workers: workers(&inputs, languages) };
    let check_one = |(input, opened)| {
        let checked = checker.check(input, opened);
        progress.step();
        checked
    };
    let results: Vec<Checked> = match &inputs[..] {
        // Starting the other threads takes longer than many a file does.
        [alone] => vec![check_one((alone, checker.open(alone)))],
        several => {
            let opened: Vec<_> = several.par_iter().map(|input| checker.open(input)).collect();
            expect(&opened);
            several.par_iter().zip(opened).map(check_one).collect()
        }
    };
    drop(progress);

    let mut report = Report { findings, errors, ..Report::default() };
    report.suggested = command.suggest.then(Vec::new);
    let used = collect(&inputs, results, &mut report, global, terminal);
    if report.files > 0 {
        report.errors.extend(session.without_effect(&used));
    }
    let Session { sources, rules, config, .. } = &*session;
    let mut config = config.clone();
    config.apply(sources, &mut report.findings);
    if config.is_whole_project(paths) && report.errors.is_empty() && report.unchecked.is_empty() {
        report.findings.extend(config.policy.unused());
    }
    sort_and_dedup(&mut report.findings, sources);
    sort_and_dedup(&mut report.undecided, sources);
    if let Some(next) = next_round(round, &report.findings, sources, terminal)? {
        return check(command, languages, &next, global, terminal);
    }
    if let Some(path) = &command.write_baseline {
        baseline::write(path, &report.findings, sources)?;
        report.known = report.findings.len();
        report.findings.clear();
    }
    if let Some(path) = &command.baseline {
        report.known = baseline::apply(path, &mut report.findings, sources)?;
    }
    if report.files == 0 && report.errors.is_empty() {
        terminal.remark("no file of a language that Locus knows was found here");
    }
    let (quiet, verbose, fail_on) = (global.quiet, global.verbose, command.fail_on);
    let way = Way { fail_on, quiet, verbose, sources, rules, terminal };
    let outcome = report.write(command.format, &way);
    if global.verbose {
        let files = counted(report.files, "file");
        terminal.remark(&format!("{files} in {:.3} s", started.elapsed().as_secs_f64()));
    }
    outcome
}

/// Corrects files, if there is something to correct. They have to be checked again then.
fn next_round(
    round: &Round,
    findings: &[Finding],
    sources: &Sources,
    terminal: &Terminal,
) -> anyhow::Result<Option<Round>> {
    let (kept, undone) = fix::keep_the_better(&round.changed, findings, sources)?;
    for name in kept {
        terminal.remark(&format!("{name}: corrected"));
    }
    if undone {
        return Ok(Some(Round { left: 0, changed: Vec::new() }));
    }
    let Some(left) = round.left.checked_sub(1) else { return Ok(None) };
    let changed = fix::fix(findings, sources)?;
    Ok((!changed.is_empty()).then_some(Round { left, changed }))
}

/// How many threads each model or specification gets, so that all of them together have one for each core.
fn workers(inputs: &[Input], languages: Table) -> usize {
    let takes_long = |input: &&Input| {
        let language = input.path.to_str().and_then(|name| languages.by_name(name));
        language.is_some_and(|language| language.options().contains(&TIMEOUT))
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    (cores / inputs.iter().filter(takes_long).count().max(1)).max(1)
}

/// Puts together what was found in the inputs, and gives the languages that they are in.
fn collect(
    inputs: &[Input],
    results: Vec<Checked>,
    report: &mut Report,
    global: &Global,
    terminal: &Terminal,
) -> Vec<&'static dyn Language> {
    let mut languages: Vec<&'static dyn Language> = Vec::new();
    let mut parts = BTreeSet::new();
    for (input, checked) in inputs.iter().zip(results) {
        match checked {
            Checked::Done(language, examined) => {
                report.files += 1;
                report.findings.extend(examined.findings);
                report.undecided.extend(examined.undecided);
                report.unchecked.extend(examined.unchecked);
                report.attached.extend(examined.attached);
                parts.extend(examined.parts);
                if let (Some(all), Some(one)) = (&mut report.suggested, examined.suggested) {
                    all.push(one);
                }
                if let Some(remark) = examined.remark {
                    terminal.remark(&remark);
                }
                languages.push(language);
            }
            Checked::Skipped(reason) if global.verbose => {
                terminal.remark(&format!("{}: skipped: {reason}", input.path.display()));
            }
            Checked::Skipped(_) => {}
            Checked::Failed(error) => report.errors.push(error),
        }
    }
    // A file that does not say what to check is checked with those that it is a part of.
    let named: BTreeSet<String> =
        inputs.iter().filter(|input| input.named).map(|input| input.path.display().to_string()).collect();
    report
        .unchecked
        .retain(|one| !one.nothing_to_check || named.contains(&one.file) || !parts.contains(&one.file));
    languages
}

/// The outcome of one input.
enum Checked {
    /// It was read, in this language.
    Done(&'static dyn Language, Box<Examined>),
    /// It is in a folder, and nothing that we know.
    Skipped(String),
    /// It could not be read.
    Failed(anyhow::Error),
}

/// A file and its language, or what became of an input instead.
type Opened = Result<(&'static dyn Language, Arc<SourceFile>), Box<Checked>>;

/// Tells each language of its files.
fn expect(opened: &[Opened]) {
    let mut files: BTreeMap<&str, (&dyn Language, Vec<&SourceFile>)> = BTreeMap::new();
    for (language, file) in opened.iter().flatten() {
        files.entry(language.id()).or_insert((*language, Vec::new())).1.push(file);
    }
    for (language, files) in files.values().filter(|(_, files)| files.len() > 1) {
        language.expect(files);
    }
}

/// The context in which every input is checked.
struct Checker<'a> {
    session: &'a Arc<Session>,
    command: &'a Check,
    workers: usize,
}

impl Checker<'_> {
    fn open(&self, input: &Input) -> Opened {
        let languages = self.session.languages;
        let forced = self.command.reading.language();
        if !input.named && !languages.is_candidate(&input.path) {
            let reason = "no language that Locus knows has files with such names";
            return Err(Box::new(Checked::Skipped(reason.to_owned())));
        }
        // A file in a folder whose name does not tell its language may be anything; it need not even be text.
        let by_name = || input.path.to_str().and_then(|name| languages.by_name(name));
        let lenient = !input.named && forced.is_none() && by_name().is_none();
        if !input.named && input.path.is_symlink() && !self.session.files(&input.path).may_read(&input.path) {
            let error = anyhow!(
                "{}: this is a link to a file outside of the project; name it, or say --allow-read, to have it checked",
                input.path.display()
            );
            let is_known = by_name().is_some();
            return Err(Box::new(if is_known {
                Checked::Failed(error)
            } else {
                Checked::Skipped(error.to_string())
            }));
        }
        let skipped = |error: anyhow::Error| Box::new(Checked::Skipped(format!("{error:#}")));
        let file = match self.session.read(input, &self.command.reading.stdin_name) {
            Ok(file) => file,
            Err(error) if lenient && !self.may_be_known(input) => return Err(skipped(error)),
            Err(error) => return Err(Box::new(Checked::Failed(error))),
        };
        let language = match self.session.language(forced, &file) {
            Ok(language) => language,
            Err(error) if lenient => return Err(skipped(error)),
            Err(error) => return Err(Box::new(Checked::Failed(error))),
        };
        // What a folder contains need not have all options, but what was named must.
        if let Some(choice) = self.session.refused(language).first().filter(|_| input.named) {
            let what = format!("{}: a file in the language {}", file.name(), language.id());
            return Err(Box::new(Checked::Failed(self.session.refusal(*choice, &what))));
        }
        Ok((language, file))
    }

    /// Whether a file that cannot be read may be in a language that we know: its start seems to be, or cannot be read
    /// either.
    fn may_be_known(&self, input: &Input) -> bool {
        let Ok(start) = inputs::start(&input.path) else { return true };
        let text = inputs::leniently(&start);
        self.session.languages.iter().any(|language| language.recognise(&text).is_ok())
    }

    fn check(&self, input: &Input, opened: Opened) -> Checked {
        let (language, file) = match opened {
            Ok(opened) => opened,
            Err(checked) => return *checked,
        };
        let effort = self.session.effort((!input.named).then_some(FOUND_TIMEOUT), self.workers);
        // The engines look at the clock by themselves.
        let is_engine = language.options().contains(&TIMEOUT);
        let limit = if is_engine { effort.timeout } else { self.command.timeout };
        let Some(limit) = limit else {
            return Checked::Done(
                language,
                Box::new(self.session.examine(&input.path, &file, language, &effort, &|| ())),
            );
        };
        let (session, path, name) = (Arc::clone(self.session), input.path.clone(), file.name().to_owned());
        let examine = move |is_read: &dyn Fn()| session.examine(&path, &file, language, &effort, is_read);
        let examined = if is_engine {
            deadline::begun_within(limit.max(deadline::READING), examine)
        } else {
            deadline::within(limit, move || examine(&|| ()))
        };
        let examined = examined.unwrap_or_else(|error| {
            let unanswered = Unanswered { why: error.to_string(), nothing_to_check: false };
            Examined { unchecked: vec![Unchecked::new(&name, unanswered)], ..Examined::default() }
        });
        Checked::Done(language, Box::new(examined))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn models_share_the_cores() {
        let input = |name: &str| Input { path: name.into(), named: false };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let inputs: Vec<_> = (0..cores).map(|i| input(&format!("{i}.tla"))).collect();
        assert_eq!(workers(&inputs, languages::ALL), 1);
        assert_eq!(workers(&inputs[..1], languages::ALL), cores);
        assert_eq!(workers(&[input("a.yaml"), input("b.yaml"), input("c.als")], languages::ALL), cores);
    }
}
