//! `locus tla`: check a TLA+ specification, or walk through it at random, with options that only such files have.
//!
//! The check itself, and what is said of it, is that of `locus check`. Here are the options, and the forms in which a
//! behaviour or a state graph is written by itself.

mod html;
mod log;
mod markdown;
mod module;
mod picture;
mod translate;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use locus_language::options::LIBRARY;
use locus_language::{Judgement, Request};
use locus_source::{Loader, SourceFile};
use locus_tla::check::Engine;
use serde_json::json;

use crate::Outcome;
use crate::args::{Global, Raw, TlaCheck, TlaCommand, TlaFormat, TlaModel, TlaSimulate};
use crate::inputs::{self, Input};
use crate::languages::{self, Answer, Checked, Tla, TlaDocument, TlaSettings, Walk};
use crate::progress::Tell;
use crate::report::{Report, Way};
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

pub(crate) fn run(command: &TlaCommand, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match command {
        TlaCommand::Check(command) => run_check(command, global, terminal),
        TlaCommand::Simulate(command) => run_simulate(command, global, terminal),
        TlaCommand::Trace(command) => log::run(command, global, terminal),
        TlaCommand::Translate(command) => translate::run(command, global, terminal),
    }
}

fn run_check(command: &TlaCheck, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let asked = Asked { model: &command.model, timeout: command.timeout, global, terminal };
    let settings = TlaSettings {
        violations: if command.go_on { 50 } else { 1 },
        states: command.max_states,
        bytes: command.max_memory,
        disk: command.max_disk.map(|bytes| bytes as u64),
        checkpoint: command.checkpoint.clone(),
        resume: command.resume,
        engine: if command.interpret { Engine::Values } else { Engine::Either },
        coverage: command.coverage,
        explains_packing: command.explain_packing,
        graph: picture::limit(command.format),
        dump: command.dump.clone(),
        expressions: command.trace_expr.clone(),
        ..TlaSettings::default()
    };
    asked.check(&settings, command.format)
}

/// How many behaviours, if nobody says how many or how long.
const BEHAVIOURS: u64 = 1000;

fn run_simulate(command: &TlaSimulate, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if matches!(command.format, TlaFormat::Dot | TlaFormat::Svg) {
        bail!("a simulation does not know the state graph; `locus tla check` can draw it");
    }
    let asked = Asked { model: &command.model, timeout: command.timeout, global, terminal };
    let settings = TlaSettings {
        simulate: Some(Walk {
            seed: command.seed.unwrap_or_else(some_seed),
            behaviours: command.traces.or_else(|| command.timeout.is_none().then_some(BEHAVIOURS)),
            depth: command.depth,
        }),
        expressions: command.trace_expr.clone(),
        ..TlaSettings::default()
    };
    asked.check(&settings, command.format)
}

/// A seed that is another one each time. It is short, so that people can repeat it.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mixed = (now.as_nanos() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(std::process::id());
    mixed % 1_000_000_000
}

/// The arguments that the commands have in common.
struct Asked<'a> {
    model: &'a TlaModel,
    timeout: Option<std::time::Duration>,
    global: &'a Global,
    terminal: &'a Terminal,
}

impl Asked<'_> {
    /// Reads, configures and checks the specification, and writes what was found.
    fn check(&self, settings: &TlaSettings, format: TlaFormat) -> anyhow::Result<Outcome> {
        let judge = |document: &TlaDocument, request: &Request<'_>| {
            let answer = document.answer(request);
            (document.judgement(&answer, request), answer)
        };
        self.run(settings, judge, |report, answer, file, way| {
            if let (Answer::Checked(checked), true) = (answer, way.verbose) {
                way.terminal.remark(&format!("{}: {}", file.name(), checked.remark));
            }
            if let (Answer::Checked(checked), false) = (answer, way.quiet)
                && let Some(dumped) = &checked.dumped
            {
                way.terminal.remark(dumped);
            }
            write(format, report, answer, file, way)
        })
    }

    /// Reads the specification, lets somebody judge it, and somebody write what is said of it.
    fn run<T>(
        &self,
        settings: &TlaSettings,
        judge: impl FnOnce(&TlaDocument, &Request<'_>) -> (Judgement, T),
        write: impl FnOnce(&Report, &T, &SourceFile, &Way<'_>) -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<Outcome> {
        let Self { model, global, terminal, .. } = *self;
        let setup = Setup {
            given: vec![(LIBRARY, Raw::Paths(model.library.clone()))],
            timeout: self.timeout,
            allowed: model.access.allowed(),
            ..Setup::default()
        };
        let mut session = Session::new(languages::ALL, &setup)?;
        let input = Input { path: model.path.clone(), named: true };
        let file = session.read(&input, "<stdin>")?;
        let tla = Tla(TlaSettings {
            config: self.config(&session)?,
            added: added(model),
            has_behaviour: model.spec.is_some() || model.init.is_some(),
            no_deadlock: model.no_deadlock,
            workers: model.workers.map(usize::from),
            whole_states: global.verbose,
            progress: Some(Tell::new(terminal, global.quiet)),
            ..settings.clone()
        });
        let files = session.files(&model.path);
        let loader: Arc<dyn Loader> = Arc::clone(&files) as _;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let effort = session.effort(None, cores);
        let request = session.request(&loader, &effort);
        let document = tla.load(&file, &request);
        let (judgement, more) = judge(&document, &request);
        let examined = session.judged(&file, &tla, &document, judgement, &files);
        drop((document, tla));
        let report = session.report(examined);
        let Session { sources, rules, .. } = &session;
        let (quiet, verbose, fail_on) = (global.quiet, global.verbose, model.fail_on);
        let way = Way { fail_on, quiet, verbose, sources, rules, terminal };
        write(&report, &more, &file, &way)
    }

    /// The configuration that was named.
    fn config(&self, session: &Session) -> anyhow::Result<Option<Arc<SourceFile>>> {
        let read = |path: &PathBuf| {
            let input = Input { path: path.clone(), named: true };
            inputs::read(&input, "<stdin>", &session.sources, &session.config.limits)
        };
        self.model.config.as_ref().map(read).transpose()
    }
}

/// Writes what a check found.
fn write(
    format: TlaFormat,
    report: &Report,
    answer: &Answer,
    file: &SourceFile,
    way: &Way<'_>,
) -> anyhow::Result<Outcome> {
    let text = match format {
        TlaFormat::Human => return report.write(crate::args::Format::Human, way),
        TlaFormat::Json => return report.write_flat(json!({ "verdict": null, "trace": [] }), way),
        TlaFormat::Tla => module::of(checked(answer)?, file)?,
        TlaFormat::Markdown => markdown::of(&checked(answer)?.result, way.sources),
        TlaFormat::Html => html::of(&checked(answer)?.result, &report.findings, file, way.sources),
        TlaFormat::Dot => locus_draw::dot(&picture::scene(&checked(answer)?.result, file)?),
        TlaFormat::Svg => locus_draw::svg(
            &picture::scene(&checked(answer)?.result, file)?,
            &locus_draw::Options::default(),
        )?,
    };
    way.terminal.text(&text)?;
    Ok(report.end(way))
}

/// The result of a check, for formats that have no room for anything else.
fn checked(answer: &Answer) -> anyhow::Result<&Checked> {
    match answer {
        Answer::Checked(checked) => Ok(checked),
        Answer::NothingToCheck(why) => bail!("{why}"),
        Answer::Refused(_) => {
            bail!("the specification or its configuration is wrong; --format human says why")
        }
    }
}

/// The options of the command line as the text of a configuration.
fn added(model: &TlaModel) -> String {
    let mut text = String::new();
    let single = [("SPECIFICATION", &model.spec), ("INIT", &model.init), ("NEXT", &model.next)];
    for (section, name) in single {
        if let Some(name) = name {
            let _ = writeln!(text, "{section} {name}");
        }
    }
    let many =
        [("INVARIANT", &model.invariant), ("PROPERTY", &model.property), ("_POSSIBLE", &model.possible)];
    for (section, names) in many {
        for name in names {
            let _ = writeln!(text, "{section} {name}");
        }
    }
    for constant in &model.constant {
        let _ = writeln!(text, "CONSTANT {constant}");
    }
    text
}
