//! `locus tla`: check a TLA+ specification, or walk through it at random, and show what a violation looks like.

mod configure;
mod human;
mod json;
mod picture;
mod trace;
mod verdict;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use locus_source::{Finding, Limits, Severity, SourceFile, Sources};
use locus_tla::check::{
    CheckOptions, CheckResult, Means, Memory, Outside, SimulateOptions, Verdict, Warning, check, simulate,
};
use locus_tla::config::Model;
use locus_tla::semantic::{Loader, Specification};

use crate::Outcome;
use crate::args::{Global, TlaCheck, TlaCommand, TlaFormat, TlaModel, TlaSimulate};
use crate::inputs::{self, Input};
use crate::interrupt;
use crate::progress::Ticker;
use crate::report::counted;
use crate::terminal::Terminal;

pub(crate) use verdict::RULES;

pub(crate) fn run(command: &TlaCommand, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    match command {
        TlaCommand::Check(command) => run_check(command, global, terminal),
        TlaCommand::Simulate(command) => run_simulate(command, global, terminal),
    }
}

/// Checks one specification and writes what was found.
pub(crate) fn run_check(command: &TlaCheck, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    let sources = Sources::new();
    let answer = answer(command, global, &sources, terminal)?;
    let show = Show { format: command.format, path: &command.model.path, coverage: command.coverage };
    show.write(&answer, &sources, global, terminal)
}

/// Walks through random behaviours of a specification and writes what was met.
fn run_simulate(command: &TlaSimulate, global: &Global, terminal: &Terminal) -> anyhow::Result<Outcome> {
    if picture::limit(command.format).is_some() {
        anyhow::bail!("a simulation does not know the state graph; `locus tla check` can draw it");
    }
    let sources = Sources::new();
    let answer = match load(&command.model, &sources)? {
        Err(findings) => Answer::Refused(findings),
        Ok(ready) => simulated(command, &ready, &sources, global, terminal),
    };
    let show = Show { format: command.format, path: &command.model.path, coverage: false };
    show.write(&answer, &sources, global, terminal)
}

/// How an answer is to be written.
struct Show<'a> {
    format: TlaFormat,
    /// The root module.
    path: &'a Path,
    coverage: bool,
}

impl Show<'_> {
    fn write(
        &self,
        answer: &Answer,
        sources: &Sources,
        global: &Global,
        terminal: &Terminal,
    ) -> anyhow::Result<Outcome> {
        if global.verbose
            && let Answer::Checked(_, remark) = answer
        {
            terminal.remark(remark);
        }
        let text = match self.format {
            TlaFormat::Human => human::render(answer, sources, self.coverage, global, terminal),
            TlaFormat::Json => json::render(answer, sources)?,
            TlaFormat::Tla => trace::tla(answer, self.path)?,
            TlaFormat::Markdown => trace::markdown(answer, sources),
            TlaFormat::Dot => locus_draw::dot(&picture::scene(answer, self.path)?),
            TlaFormat::Svg => {
                locus_draw::svg(&picture::scene(answer, self.path)?, &locus_draw::Options::default())?
            }
        };
        terminal.result(&text)?;
        Ok(answer.outcome())
    }
}

/// What came of a request to check.
pub(crate) enum Answer {
    /// The specification or its configuration is wrong, so nothing was checked.
    Refused(Vec<Finding>),
    /// It was checked; the remark says with what settings.
    Checked(Box<CheckResult>, String),
}

impl Answer {
    fn outcome(&self) -> Outcome {
        match self {
            Self::Refused(_) => Outcome::CouldNotRun,
            Self::Checked(result, _) => match result.verdict {
                Verdict::Ok | Verdict::Simulated => Outcome::Clean,
                Verdict::Assumption | Verdict::Deadlock | Verdict::Invariant | Verdict::Property => {
                    Outcome::Findings
                }
                Verdict::Evaluation | Verdict::Incomplete => Outcome::CouldNotRun,
            },
        }
    }

    /// As findings, for `locus check`.
    pub(crate) fn findings(self, file: &SourceFile) -> Vec<Finding> {
        match self {
            Self::Refused(findings) => findings,
            Self::Checked(result, _) => verdict::finding(&result, file).into_iter().collect(),
        }
    }
}

/// A specification with its configuration, ready to be checked.
struct Ready {
    specification: Specification,
    model: Model,
    /// What configured it.
    remark: String,
    /// What is strange about either.
    warnings: Vec<Warning>,
}

/// Reads a specification and its configuration. The findings, if one of them is wrong.
fn load(command: &TlaModel, sources: &Sources) -> anyhow::Result<Result<Ready, Vec<Finding>>> {
    let input = Input { path: command.path.clone(), named: true };
    let file = inputs::read(&input, "<stdin>", sources, &Limits::default())?;
    let loader = Folders::new(&command.path, &command.library)?;
    let loaded = Specification::load(sources, &file, &loader, locus_tla::standard::text);
    let Some(mut specification) = loaded.specification else { return Ok(Err(loaded.findings)) };
    let configured = configure::configure(command, &file, &specification, sources)?;
    let text = configured.file.text();
    let parsed = locus_tla::config::parse_with(configured.file.id(), text, configured.added);
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    let Some(tree) = parsed.tree.filter(|_| !parsed.findings.iter().any(is_error)) else {
        return Ok(Err(parsed.findings));
    };
    let (model, findings) = Model::resolve(&tree, &mut specification, sources, configured.file.id());
    if findings.iter().any(is_error) {
        return Ok(Err(findings));
    }
    let all = loaded.findings.iter().chain(&parsed.findings).chain(&findings);
    let warnings = all.filter(|finding| finding.severity == Severity::Warning).map(warning).collect();
    let remark = format!("{}: {}", file.name(), configured.remark);
    Ok(Ok(Ready { specification, model, remark, warnings }))
}

/// A finding as one of the warnings of a check.
fn warning(finding: &Finding) -> Warning {
    let message = match &finding.help {
        Some(help) => format!("{}; {help}", finding.message),
        None => finding.message.clone(),
    };
    Warning { message, place: Some(finding.primary.place) }
}

/// Loads, configures and checks.
pub(crate) fn answer(
    command: &TlaCheck,
    global: &Global,
    sources: &Sources,
    terminal: &Terminal,
) -> anyhow::Result<Answer> {
    let ready = match load(&command.model, sources)? {
        Ok(ready) => ready,
        Err(findings) => return Ok(Answer::Refused(findings)),
    };
    let workers = command.model.workers();
    let ticker = Ticker::new(terminal, global.quiet);
    let tell = |progress: &locus_explore::Progress| {
        ticker.tell(&format!(
            "{} generated, {} distinct, {} to explore, depth {}",
            progress.generated, progress.distinct, progress.queue, progress.depth
        ));
    };
    let options = CheckOptions {
        workers,
        deadlock: command.model.no_deadlock.then_some(false),
        violations: if command.go_on { 50 } else { 1 },
        states: command.max_states,
        bytes: command.max_memory,
        time: command.timeout,
        means: Means { memory: command.max_memory.map(memory), ..means(&command.model.path) },
        graph: picture::limit(command.format),
        progress: Some(&tell),
    };
    let mut result = check(sources, &ready.specification, &ready.model, &options);
    drop(ticker);
    result.warnings.extend(ready.warnings);
    if command.coverage && result.coverage.is_empty() {
        result.warnings.push(Warning { message: "no action was taken".to_owned(), place: None });
    }
    Ok(Answer::Checked(Box::new(result), format!("{}, {}", ready.remark, counted(workers, "worker"))))
}

/// How many behaviours, if nobody says how many or how long.
const BEHAVIOURS: u64 = 1000;

fn simulated(
    command: &TlaSimulate,
    ready: &Ready,
    sources: &Sources,
    global: &Global,
    terminal: &Terminal,
) -> Answer {
    let workers = command.model.workers();
    let ticker = Ticker::new(terminal, global.quiet);
    let tell = |progress: &locus_explore::WalkProgress| {
        ticker.tell(&format!("{} behaviours, {} states generated", progress.walks, progress.generated));
    };
    let options = SimulateOptions {
        seed: command.seed.unwrap_or_else(some_seed),
        behaviours: command.traces.or_else(|| command.timeout.is_none().then_some(BEHAVIOURS)),
        depth: command.depth,
        workers,
        deadlock: command.model.no_deadlock.then_some(false),
        time: command.timeout,
        means: means(&command.model.path),
        progress: Some(&tell),
    };
    let mut result = simulate(sources, &ready.specification, &ready.model, &options);
    result.warnings.extend(ready.warnings.iter().cloned());
    Answer::Checked(Box::new(result), format!("{}, {}", ready.remark, counted(workers, "worker")))
}

/// A seed that is another one each time. It is short, so that people can repeat it.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let mixed = (now.as_nanos() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(std::process::id());
    mixed % 1_000_000_000
}

/// Only reads a specification: what is wrong with it before anything is evaluated.
pub(crate) fn read(
    file: &Arc<SourceFile>,
    path: &Path,
    library: &[PathBuf],
    sources: &Sources,
) -> anyhow::Result<Vec<Finding>> {
    let loader = Folders::new(path, library)?;
    Ok(Specification::load(sources, file, &loader, locus_tla::standard::text).findings)
}

/// What stops a search, and the files that a specification may read.
fn means(specification: &Path) -> Means {
    let outside = Arc::new(Around(folder_of(specification)));
    Means { stop: Some(Arc::clone(interrupt::flag())), outside: Some(outside), ..Means::default() }
}

/// A limit on the memory of this process.
fn memory(limit: usize) -> Memory {
    Memory { limit, used: crate::memory::used }
}

/// Files by their path, or if there is none, by their path from the folder of the specification.
struct Around(PathBuf);

impl Outside for Around {
    fn read(&self, path: &str) -> Result<String, String> {
        let beside = self.0.join(path);
        let path = if Path::new(path).is_file() { PathBuf::from(path) } else { beside };
        let input = Input { path, named: true };
        let file = inputs::read(&input, "", &Sources::new(), &Limits::default());
        file.map(|file| file.text().to_owned()).map_err(|error| format!("{error:#}"))
    }

    fn environment(&self) -> Vec<(String, String)> {
        let text = |text: std::ffi::OsString| text.into_string().ok();
        std::env::vars_os().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect()
    }
}

/// The folder of a specification.
fn folder_of(specification: &Path) -> PathBuf {
    specification.parent().unwrap_or(Path::new("")).to_owned()
}

/// Finds modules beside the specification, then in libraries.
struct Folders(Vec<PathBuf>);

impl Folders {
    fn new(specification: &Path, library: &[PathBuf]) -> anyhow::Result<Self> {
        let mut folders = vec![folder_of(specification)];
        for folder in library {
            anyhow::ensure!(
                folder.is_dir(),
                "{}: there is no such folder to look for modules in",
                folder.display()
            );
            folders.push(folder.clone());
        }
        Ok(Self(folders))
    }

    fn files(&self, name: &str) -> impl Iterator<Item = PathBuf> {
        let file = format!("{name}.tla");
        self.0.iter().map(move |folder| folder.join(&file))
    }
}

impl Loader for Folders {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let path = self.files(name).find(|path| path.is_file())?;
        let input = Input { path, named: true };
        let file = inputs::read(&input, "", sources, &Limits::default());
        Some(file.map_err(|error| format!("{error:#}")))
    }

    fn places(&self, name: &str) -> Vec<String> {
        self.files(name).map(|path| path.display().to_string()).collect()
    }
}

/// A number of bytes, such as `512M` or `2G`.
pub(crate) fn bytes(text: &str) -> anyhow::Result<usize> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        other => anyhow::bail!("`{other}` is no unit; write K, M or G"),
    };
    let number: usize = digits.parse().with_context(|| format!("`{text}` is no number of bytes"))?;
    number.checked_mul(1 << unit).with_context(|| format!("`{text}` is too much"))
}

/// A time, such as `30`, `30s`, `5m` or `2h`.
pub(crate) fn duration(text: &str) -> anyhow::Result<std::time::Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => anyhow::bail!("`{other}` is no unit; write s, m or h"),
    };
    let number: f64 = digits.parse().with_context(|| format!("`{text}` is no time"))?;
    std::time::Duration::try_from_secs_f64(number * factor).with_context(|| format!("`{text}` is no time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_understood() {
        assert_eq!(bytes("10").unwrap(), 10);
        assert_eq!(bytes("2G").unwrap(), 2 << 30);
        assert_eq!(bytes("3MiB").unwrap(), 3 << 20);
        assert!(bytes("2X").is_err() && bytes("").is_err() && bytes("99999999999G").is_err());
        assert_eq!(duration("90").unwrap().as_secs(), 90);
        assert_eq!(duration("1.5m").unwrap().as_secs(), 90);
        assert!(duration("5 weeks").is_err() && duration("-1").is_err());
    }
}
