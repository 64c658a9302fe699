//! `locus alloy`: execute the commands of an Alloy model, with options that only such files have, and ask questions
//! about an instance.

mod picture;
mod repl;

use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use locus_alloy::render::{self, Executed};
use locus_alloy::{Instance, Model, Verdict};
use locus_language::options::LIBRARY;
use locus_source::{Loader, SourceFile};
use serde_json::json;

use crate::Outcome;
use crate::args::{
    Access, AlloyCommand, AlloyEval, AlloyFormat, AlloyRun, AlloySolving, Format, Global, Raw,
};
use crate::deadline;
use crate::inputs::Input;
use crate::languages::{self, Alloy, AlloyDocument, AlloySettings, executed, judgement, not_analysed};
use crate::page::Page;
use crate::report::Way;
use crate::session::{Session, Setup};
use crate::terminal::Terminal;

pub(crate) fn run(command: &AlloyCommand, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match command {
        AlloyCommand::Run(command) => run_commands(command, global, terminal),
        AlloyCommand::Eval(command) => evaluate(command, terminal),
        AlloyCommand::Repl(command) => repl::run(command, terminal),
    }
}

/// Executes the commands that were asked for and writes what came of them.
fn run_commands(command: &AlloyRun, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let mut session = session(&command.solving, &command.access)?;
    let alloy = Alloy(AlloySettings { all_instances: global.verbose, ..settings(&command.solving) });
    let (file, document) = load(&session, &alloy, &command.path, &command.solving, terminal)?;
    let files = session.files(&command.path);
    let loader: Arc<dyn Loader> = Arc::clone(&files) as _;
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let mut done = Vec::new();
    let mut judged = not_analysed(locus_language::Document::findings(&document));
    if let Some(model) = &document.model {
        let commands = selected(model, command.command.as_deref())?;
        let run = AlloySettings { commands: Some(commands), ..alloy.0.clone() };
        done = executed(model, &run, &request);
        judged = judgement(model, request.sources, &done, run.all_instances);
    }
    let examined = session.judged(&file, &alloy, &document, judged, &files);
    let report = session.report(examined);
    let Session { sources, rules, .. } = &session;
    let (quiet, verbose, fail_on) = (global.quiet, global.verbose, command.fail_on);
    let way = Way { fail_on, quiet, verbose, sources, rules, terminal };
    let model =
        || document.model.as_ref().ok_or_else(|| anyhow!("this is not a model; --format human says why"));
    let text = match command.format {
        AlloyFormat::Human => return report.write(Format::Human, &way),
        AlloyFormat::Json => return report.write_flat(json!({ "commands": [] }), &way),
        AlloyFormat::Xml => render::xml(model()?, way.sources, only(&done)?),
        AlloyFormat::Dot => locus_draw::dot(&picture::scene(model()?, only(&done)?)),
        AlloyFormat::Svg => {
            locus_draw::svg(&picture::scene(model()?, only(&done)?), &locus_draw::Options::default())?
        }
    };
    terminal.text(&text)?;
    Ok(report.end(&way))
}

fn session(solving: &AlloySolving, access: &Access) -> anyhow::Result<Session> {
    let setup = Setup {
        timeout: solving.timeout,
        given: vec![(LIBRARY, Raw::Paths(solving.library.clone()))],
        allowed: access.allowed(),
        ..Setup::default()
    };
    Session::new(languages::ALL, &setup)
}

fn settings(solving: &AlloySolving) -> AlloySettings {
    AlloySettings {
        commands: None,
        cores: solving.core,
        prevent_overflow: solving.prevent_overflow,
        symmetry: solving.symmetry,
        unrolls: solving.unrolls,
        all_instances: false,
    }
}

fn load(
    session: &Session,
    alloy: &Alloy,
    path: &Path,
    solving: &AlloySolving,
    terminal: &Terminal,
) -> anyhow::Result<(Arc<SourceFile>, AlloyDocument)> {
    let file = session.read_as(&Input { path: path.to_owned(), named: true }, "<stdin>", alloy)?;
    let loader: Arc<dyn Loader> = session.files(path);
    let effort = session.effort(None, 1);
    let limit = solving.timeout.map(|limit| limit.max(deadline::READING));
    let document =
        deadline::guarded(limit, terminal, || alloy.load(&file, &session.request(&loader, &effort)))?;
    Ok((file, document))
}

/// The commands meant by a name or an index; all if none was given.
fn selected(model: &Model, wanted: Option<&str>) -> anyhow::Result<Vec<usize>> {
    let commands = model.commands();
    let Some(wanted) = wanted else { return Ok((0..commands.len()).collect()) };
    if let Some(index) = wanted.parse::<usize>().ok().filter(|&index| index < commands.len()) {
        return Ok(vec![index]);
    }
    let named: Vec<_> = (0..commands.len()).filter(|&index| commands[index].name == wanted).collect();
    if named.is_empty() {
        let names: Vec<_> = commands.iter().map(|command| command.name.as_str()).collect();
        bail!("there is no command {wanted}; there are {}", names.join(", "));
    }
    Ok(named)
}

/// The one instance among what was executed, for formats that have room for one.
fn only(executed: &[Executed]) -> anyhow::Result<&Instance> {
    let mut instances = executed.iter().filter_map(|one| one.result.as_ref().ok()?.instance.as_ref());
    match (instances.next(), instances.next()) {
        (Some(instance), None) => Ok(instance),
        (None, _) => Err(anyhow!("there is no instance to show")),
        (Some(_), Some(_)) => Err(anyhow!("several commands have an instance; name one with --command")),
    }
}

/// A model and an instance to ask questions about: that of the command that was named, or of the first that has one.
fn instance(
    session: &Session,
    path: &Path,
    wanted: Option<&str>,
    solving: &AlloySolving,
    terminal: &Terminal,
) -> anyhow::Result<(Model, Instance)> {
    use locus_language::Document;
    let alloy = Alloy(settings(solving));
    let (file, mut document) = load(session, &alloy, path, solving, terminal)?;
    let Some(model) = document.model.take() else {
        for finding in document.findings() {
            terminal.remark_finding(finding, &session.sources);
        }
        bail!("{} is not a model that can be analysed", file.name());
    };
    let loader: Arc<dyn Loader> = session.files(path);
    let effort = session.effort(None, 1);
    let mut unknown = None;
    for index in selected(&model, wanted)? {
        let run = AlloySettings { commands: Some(vec![index]), ..alloy.0.clone() };
        for one in executed(&model, &run, &session.request(&loader, &effort)) {
            match one.result {
                Err(finding) => bail!("{}", finding.message),
                Ok(result) if result.verdict == Verdict::Unknown => unknown = unknown.or(Some(index)),
                Ok(result) => {
                    if let Some(instance) = result.instance {
                        return Ok((model, instance));
                    }
                }
            }
        }
    }
    if let Some(index) = unknown {
        bail!("no instance was found in time: `{}` was not answered", model.commands()[index].name);
    }
    bail!("no command has an instance, so there is nothing to evaluate on")
}

fn evaluate(command: &AlloyEval, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let session = session(&command.solving, &command.access)?;
    let wanted = command.command.as_deref();
    let (model, instance) = instance(&session, &command.path, wanted, &command.solving, terminal)?;
    let mut page = Page::new(terminal.style());
    let answer = || model.eval(&session.sources, &instance, &command.expression);
    let outcome = match deadline::guarded(command.solving.timeout, terminal, answer)? {
        Ok(answer) => {
            page.lines(&answer.to_string());
            Outcome::Clean
        }
        Err(findings) => {
            for finding in &findings {
                page.finding(finding, &session.sources);
            }
            Outcome::CouldNotRun
        }
    };
    terminal.page(&page)?;
    Ok(outcome)
}
