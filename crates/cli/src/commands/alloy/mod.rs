//! `locus alloy`: execute the commands of an Alloy model, and ask questions about an instance.

mod picture;
mod repl;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{anyhow, bail};
use locus_alloy::ast::CommandKind;
use locus_alloy::render::{self, Executed};
use locus_alloy::{Cores, Instance, Loader, Model, Options, Overflow, Verdict};
use locus_hot::library::Library;
use locus_source::render::Style;
use locus_source::{Finding, Limits, Severity, SourceFile, Sources};

use crate::Outcome;
use crate::args::{AlloyCommand, AlloyEval, AlloyFormat, AlloyRun, AlloySolving, Global};
use crate::inputs::{self, Input};
use crate::interrupt;
use crate::progress::Ticker;
use crate::terminal::Terminal;

pub(crate) fn run(command: &AlloyCommand, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match command {
        AlloyCommand::Run(command) => run_commands(command, global, terminal),
        AlloyCommand::Eval(command) => evaluate(command, terminal),
        AlloyCommand::Repl(command) => repl::run(command, terminal),
    }
}

/// Finds modules in files, as Alloy names them: relative to the root file's folder.
pub(crate) struct Files;

impl Loader for Files {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        match std::fs::read(name) {
            Ok(bytes) if bytes.len() > Limits::default().file_bytes => Err("it is too large".to_owned()),
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// Reads a model; what is wrong or suspicious is among the findings.
pub(crate) fn load(file: &SourceFile, sources: &Sources) -> (Option<Model>, Vec<Finding>) {
    Model::load(sources, &Library { beside: &Files }, file.id())
}

fn read(path: &Path, sources: &Sources) -> anyhow::Result<(Option<Model>, Vec<Finding>)> {
    let input = Input { path: path.to_owned(), named: true };
    let file = inputs::read(&input, "<stdin>", sources, &Limits::default())?;
    Ok(load(&file, sources))
}

/// Executes all commands of a model and says what is wrong, for `locus check`; and which commands have no answer.
pub(crate) fn findings(
    command: &AlloyRun,
    file: &SourceFile,
    sources: &Sources,
    global: &Global,
    terminal: &Terminal,
) -> anyhow::Result<(Vec<Finding>, Vec<anyhow::Error>)> {
    let (model, mut findings) = load(file, sources);
    let mut unanswered = Vec::new();
    let Some(model) = model else { return Ok((findings, unanswered)) };
    for one in execute(&model, command, global, terminal)? {
        let asked = &model.commands()[one.index];
        match one.result {
            Err(finding) => findings.push(*finding),
            Ok(result) => {
                if result.verdict == Verdict::Unknown {
                    unanswered.push(anyhow!("{}: `{}` was not answered", file.name(), asked.name));
                }
                findings.extend(result.findings(asked));
            }
        }
    }
    Ok((findings, unanswered))
}

/// Executes the commands that were asked for and writes what came of them.
pub(crate) fn run_commands(
    command: &AlloyRun,
    global: &Global,
    terminal: &Terminal,
) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let (model, findings) = read(&command.path, &sources)?;
    let style = Style { colour: terminal.colour(), width: terminal.width() };
    let draw = |findings: &[Finding]| -> String {
        findings.iter().map(|f| locus_source::render::human(f, &sources, style) + "\n\n").collect()
    };
    let Some(model) = model else {
        let text = match command.format {
            AlloyFormat::Json => render::json(None, &sources, &findings, &[]) + "\n",
            _ => draw(&findings),
        };
        terminal.result(&text)?;
        return Ok(Outcome::CouldNotRun);
    };
    let executed = execute(&model, command, global, terminal)?;
    let text = match command.format {
        AlloyFormat::Human => {
            let mut text = draw(&findings);
            for one in &executed {
                text.push_str(&in_words(&model, one, &draw, executed.len() == 1 || global.verbose));
            }
            text + &render::table(&model, &executed)
        }
        AlloyFormat::Json => render::json(Some(&model), &sources, &findings, &executed) + "\n",
        AlloyFormat::Xml => render::xml(&model, &sources, only(&executed)?),
        AlloyFormat::Dot => locus_draw::dot(&picture::scene(&model, only(&executed)?)),
        AlloyFormat::Svg => {
            let scene = picture::scene(&model, only(&executed)?);
            locus_draw::svg(&scene, &locus_draw::Options::default())?
        }
    };
    terminal.result(&text)?;
    Ok(executed.iter().map(|one| outcome(&model, one)).max().unwrap_or(Outcome::Clean))
}

fn execute(
    model: &Model,
    command: &AlloyRun,
    global: &Global,
    terminal: &Terminal,
) -> anyhow::Result<Vec<Executed>> {
    let options = options(&command.solving);
    let ticker = Ticker::new(terminal, global.quiet);
    let started = Instant::now();
    let mut executed = Vec::new();
    for index in selected(model, command.command.as_deref())? {
        let one = &model.commands()[index];
        if started.elapsed().as_secs() >= 1 {
            ticker.tell(&format!("{} of {}: {}", index + 1, model.commands().len(), one.name));
        }
        let start = Instant::now();
        let result = model.execute(index, &options);
        executed.push(Executed { index, result, time: start.elapsed() });
    }
    Ok(executed)
}

fn options(solving: &AlloySolving) -> Options {
    Options {
        overflow: if solving.prevent_overflow { Overflow::Prevent } else { Overflow::Wrap },
        unrolls: solving.unrolls,
        symmetry: solving.symmetry,
        timeout: solving.timeout,
        stop: Some(Arc::clone(interrupt::flag())),
        cores: if solving.core { Cores::Always } else { Cores::Unexpected },
        ..Options::default()
    }
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

fn in_words(model: &Model, one: &Executed, draw: &dyn Fn(&[Finding]) -> String, whole: bool) -> String {
    let command = &model.commands()[one.index];
    match &one.result {
        Err(finding) => draw(std::slice::from_ref(finding)),
        Ok(result) => {
            let mut text = draw(&result.findings(command));
            if let Some(instance) =
                result.instance.as_ref().filter(|_| whole || outcome(model, one) != Outcome::Clean)
            {
                let _ = write!(text, "{}:\n{}\n", command.name, render::text(model, instance));
            }
            text
        }
    }
}

/// What an executed command means for the run: an `expect` that fails, or a check with a counterexample that nobody
/// expected, is a finding.
fn outcome(model: &Model, one: &Executed) -> Outcome {
    let command = &model.commands()[one.index];
    match &one.result {
        Err(_) => Outcome::CouldNotRun,
        Ok(result) if result.verdict == Verdict::Unknown => Outcome::CouldNotRun,
        Ok(result) => match result.expected(command) {
            Some(false) => Outcome::Findings,
            None if command.kind == CommandKind::Check && result.verdict == Verdict::Sat => Outcome::Findings,
            Some(true) | None => Outcome::Clean,
        },
    }
}

/// An instance to ask questions about: that of the command that was named, or of the first that has one.
fn instance(model: &Model, wanted: Option<&str>, solving: &AlloySolving) -> anyhow::Result<Instance> {
    let options = options(solving);
    let mut unknown = None;
    for index in selected(model, wanted)? {
        match model.execute(index, &options) {
            Err(finding) => bail!("{}", finding.message),
            Ok(result) if result.verdict == Verdict::Unknown => unknown = unknown.or(Some(index)),
            Ok(result) => {
                if let Some(instance) = result.instance {
                    return Ok(instance);
                }
            }
        }
    }
    if let Some(index) = unknown {
        bail!("no instance was found in time: `{}` was not answered", model.commands()[index].name);
    }
    bail!("no command has an instance, so there is nothing to evaluate on")
}

fn model_or_error(path: &Path, sources: &Sources, terminal: &Terminal) -> anyhow::Result<Model> {
    let style = Style { colour: terminal.colour(), width: terminal.width() };
    let (model, findings) = read(path, sources)?;
    model.ok_or_else(|| {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        let text: Vec<_> = errors.map(|f| locus_source::render::human(f, sources, style)).collect();
        anyhow!("{} is not a model that can be analysed\n{}", path.display(), text.join("\n\n"))
    })
}

fn evaluate(command: &AlloyEval, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let model = model_or_error(&command.path, &sources, terminal)?;
    let instance = instance(&model, command.command.as_deref(), &command.solving)?;
    match model.eval(&sources, &instance, &command.expression) {
        Ok(answer) => {
            terminal.result(&format!("{answer}\n"))?;
            Ok(Outcome::Clean)
        }
        Err(findings) => {
            let style = Style { colour: terminal.colour(), width: terminal.width() };
            for finding in &findings {
                terminal.result(&(locus_source::render::human(finding, &sources, style) + "\n"))?;
            }
            Ok(Outcome::CouldNotRun)
        }
    }
}
