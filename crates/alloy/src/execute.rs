//! Commands are executed: a verdict, an instance or a reason why there is none.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use locus_relational::sat::{Backend, Hope, Interrupt};
use locus_relational::{IntMode, Search, SolveError, Statistics};
use locus_source::{Finding, Place};

use crate::ast::CommandKind;
use crate::instance::Instance;
use crate::model::Command;
use crate::translate::{self, Failure, Part, Problem};
use crate::{Model, rules, stack};

/// The treatment of integers that do not fit their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overflow {
    /// It wraps around.
    #[default]
    Wrap,
    /// Whatever depends on it is no answer.
    Prevent,
}

/// When to look for the reason why there is no instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cores {
    /// Never.
    #[default]
    Never,
    /// When a `run` has no instance and does not say `expect 0`: nobody asks why a check holds, but somebody who asked
    /// for an instance wants to know why there is none. Not for long: for half a second, or as long as the answer took.
    Unexpected,
    /// Always, for as long as it takes.
    Always,
}

impl Cores {
    fn wanted_for(self, command: &Command) -> bool {
        match self {
            Self::Never => false,
            Self::Unexpected => command.kind == CommandKind::Run && command.expect != Some(0),
            Self::Always => true,
        }
    }
}

/// Reasons that nobody asked for are looked for this long, or as long as the answer took.
const UNASKED: Duration = Duration::from_millis(500);

/// How to execute commands.
#[derive(Clone, Debug)]
pub struct Options {
    /// The treatment of integers that do not fit.
    pub overflow: Overflow,
    /// How often a predicate or function may call itself; not at all by default.
    pub unrolls: Option<u32>,
    /// How hard to avoid instances that differ only in the names of atoms; 0 for all instances. Orderings of atoms that
    /// nothing else tells apart are fixed always, as in Alloy.
    pub symmetry: usize,
    /// When to give up.
    pub timeout: Option<Duration>,
    /// Set from elsewhere to give up.
    pub stop: Option<Arc<AtomicBool>>,
    /// Which solver.
    pub backend: Backend,
    /// When to look for the reason why there is no instance.
    pub cores: Cores,
    /// Whether to make sure that a check that holds does not hold because the facts contradict each other.
    pub vacuity: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            overflow: Overflow::default(),
            unrolls: None,
            symmetry: 20,
            timeout: None,
            stop: None,
            backend: Backend::default(),
            cores: Cores::default(),
            vacuity: true,
        }
    }
}

impl Options {
    /// When to give up, counted from now: made once for each command, and handed to everything that is done for it.
    fn interrupt(&self) -> Interrupt {
        let mut interrupt = Interrupt::never();
        if let Some(stop) = &self.stop {
            interrupt = interrupt.with_flag(Arc::clone(stop));
        }
        if let Some(timeout) = self.timeout {
            interrupt = interrupt.with_timeout(timeout);
        }
        interrupt
    }

    fn relational(&self, bitwidth: u32, hope: Hope, interrupt: &Interrupt) -> locus_relational::Options {
        let ints = match self.overflow {
            Overflow::Wrap => IntMode::Wrap(bitwidth),
            Overflow::Prevent => IntMode::Prevent(bitwidth),
        };
        locus_relational::Options {
            ints,
            symmetry: self.symmetry,
            backend: self.backend,
            hope,
            interrupt: interrupt.clone(),
            ..locus_relational::Options::default()
        }
    }
}

/// A number in a model that the integers of a command have no room for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LargeNumber {
    /// Where it stands.
    pub place: Place,
    /// The number.
    pub number: i64,
    /// The number that it becomes where integers wrap around.
    pub wrapped: i64,
}

/// The answer to a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is an instance; of a check, a counterexample.
    Sat,
    /// There is none in this scope.
    Unsat,
    /// Not known: time was up.
    Unknown,
}

impl Verdict {
    /// `sat`, `unsat` or `unknown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        }
    }
}

/// Parts of a model that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Core {
    /// The parts, in the order of the translation.
    pub parts: Vec<Part>,
    /// Whether the rest has an instance as soon as any one of them is left out. Not known if time was up.
    pub minimal: bool,
}

/// The result of a command.
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The instance, if there is one.
    pub instance: Option<Instance>,
    /// Parts of the model that contradict each other, if there is no instance and reasons were asked for.
    pub core: Option<Core>,
    /// Whether reasons were asked for, but time was up before any were found.
    pub core_missing: bool,
    /// Whether a check holds only because the facts have no instance in this scope; if that is known.
    pub vacuous: Option<bool>,
    /// Numbers that the bitwidth of the command has no room for, and where they stand.
    pub large_numbers: Vec<LargeNumber>,
    /// The effort that it took.
    pub statistics: Statistics,
}

/// A search for all instances of a command.
pub struct Instances<'a> {
    model: &'a Model,
    problem: Arc<Problem>,
    search: Search,
    command: usize,
}

impl Instances<'_> {
    /// The next instance, or nothing when there is none left.
    ///
    /// # Errors
    /// If the time is up.
    #[expect(clippy::should_implement_trait, reason = "a search may fail, so it is no iterator")]
    pub fn next(&mut self) -> Result<Option<Instance>, Box<Finding>> {
        let command = &self.model.world.commands[self.command];
        let found = self.search.next().map_err(|error| failure(command, &error))?;
        Ok(found.map(|found| Instance::new(self.model, self.command, Arc::clone(&self.problem), found)))
    }

    /// Returns the effort that it took so far.
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

fn failure(command: &Command, error: &SolveError) -> Box<Finding> {
    let rule = match error {
        SolveError::HigherOrder { .. } => &rules::HIGHER_ORDER,
        _ => &rules::TOO_LARGE,
    };
    Box::new(Finding::new(rule, command.place, error.to_string()))
}

/// Returns the answer that the author of a command seems to expect: the one it states, or else an instance of a `run`
/// and none of a `check`.
fn hope(command: &Command) -> Hope {
    let instance = match command.expect {
        Some(expect) => expect > 0,
        None => command.kind == CommandKind::Run,
    };
    if instance { Hope::Model } else { Hope::Nothing }
}

fn failed(command: &Command, error: &SolveError) -> Failure {
    match error {
        SolveError::Interrupted => Failure::Interrupted,
        error => Failure::Impossible(failure(command, error)),
    }
}

impl Model {
    /// Translates a command and gives its instances one by one.
    ///
    /// # Errors
    /// If the command cannot be analysed, or not in time; the finding says why.
    pub fn instances(&self, index: usize, options: &Options) -> Result<Instances<'_>, Box<Finding>> {
        let place = self.world.commands[index].place;
        stack::enough(|| self.search(index, options, &options.interrupt()))
            .map_err(|failed| failed.finding(place))
    }

    fn search(
        &self,
        index: usize,
        options: &Options,
        interrupt: &Interrupt,
    ) -> Result<Instances<'_>, Failure> {
        let command = &self.world.commands[index];
        let mut problem = translate::problem(&self.world, command, options, interrupt)?;
        let all: Vec<_> = problem.facts.iter().chain(&problem.goal).copied().collect();
        let formula = problem.space.ast.and(&all);
        let settings = options.relational(problem.space.int_bits(), hope(command), interrupt);
        let search = Search::new(&problem.space.ast, &problem.space.bounds, formula, &settings)
            .map_err(|error| failed(command, &error))?;
        Ok(Instances { model: self, problem: Arc::new(problem), search, command: index })
    }

    /// Executes a command. The timeout is for all of it: translation, search, and the reasons afterwards, which have
    /// their own limit unless [`Cores::Always`] asks for them. What is not known when it is up is left open: the
    /// verdict is [`Verdict::Unknown`], or only the reasons are missing.
    ///
    /// # Errors
    /// If the command cannot be analysed; the finding says why.
    pub fn execute(&self, index: usize, options: &Options) -> Result<Outcome, Box<Finding>> {
        stack::enough(|| self.answer(index, options))
    }

    fn answer(&self, index: usize, options: &Options) -> Result<Outcome, Box<Finding>> {
        let command = &self.world.commands[index];
        let interrupt = options.interrupt();
        let mut options = options.clone();
        if command.expect.is_some_and(|expect| expect > 0) {
            // Where there is an instance, what removes its copies only stands in the way of finding one.
            options.symmetry = options.symmetry.min(1);
        }
        let start = Instant::now();
        let mut outcome = Outcome {
            verdict: Verdict::Unknown,
            instance: None,
            core: None,
            core_missing: false,
            vacuous: None,
            large_numbers: Vec::new(),
            statistics: Statistics::default(),
        };
        let mut instances = match self.search(index, &options, &interrupt) {
            Err(Failure::Interrupted) => {
                outcome.statistics.translation = start.elapsed();
                return Ok(outcome);
            }
            Err(Failure::Impossible(finding)) => return Err(finding),
            Ok(instances) => instances,
        };
        outcome.large_numbers.clone_from(&instances.problem.large);
        let found = instances.search.next();
        outcome.statistics = instances.statistics();
        match found {
            Err(SolveError::Interrupted) => {}
            Err(error) => return Err(failure(command, &error)),
            Ok(Some(found)) => {
                outcome.verdict = Verdict::Sat;
                outcome.instance = Some(Instance::new(self, index, Arc::clone(&instances.problem), found));
            }
            Ok(None) => {
                outcome.verdict = Verdict::Unsat;
                let unasked = interrupt.clone().within(start.elapsed().max(UNASKED));
                let interrupt = if options.cores == Cores::Always { &interrupt } else { &unasked };
                explain(command, &instances.problem, &options, interrupt, &mut outcome);
            }
        }
        Ok(outcome)
    }
}

/// Looks for the reason why there is no instance, as far as asked for and as far as time allows.
fn explain(
    command: &Command,
    problem: &Problem,
    options: &Options,
    interrupt: &Interrupt,
    outcome: &mut Outcome,
) {
    let bitwidth = problem.space.int_bits();
    let mut ast = problem.space.ast.clone();
    if options.vacuity && command.kind == CommandKind::Check {
        let facts = ast.and(&problem.facts);
        let settings = options.relational(bitwidth, Hope::Model, interrupt);
        let answer = locus_relational::solve(&ast, &problem.space.bounds, facts, &settings);
        outcome.vacuous = answer.ok().map(|(verdict, _)| verdict == locus_relational::Verdict::Unsat);
    }
    if options.cores.wanted_for(command) {
        let all: Vec<_> = problem.facts.iter().chain(&problem.goal).copied().collect();
        let formula = ast.and(&all);
        let settings = options.relational(bitwidth, Hope::Nothing, interrupt);
        match locus_relational::core(&ast, &problem.space.bounds, formula, &settings) {
            Ok(Some(core)) => {
                let parts = core.tags.iter().map(|tag| problem.parts[tag.0 as usize].clone()).collect();
                outcome.core = Some(Core { parts, minimal: core.minimal });
            }
            Ok(None) => {}
            Err(_) => outcome.core_missing = true,
        }
    }
}

/// So many of the numbers that a command has no room for are pointed at.
const LARGE_SHOWN: usize = 10;

impl Outcome {
    /// That the command has no room for some numbers. There may be very many, so there is one finding for all.
    fn large_numbers(&self, command: &Command) -> Option<Finding> {
        let mut all = self.large_numbers.iter().filter(|large| large.place.file == command.place.file);
        let LargeNumber { place, number, wrapped } = *all.next()?;
        let mut message = format!(
            "the integers of `{}` have no room for {number}: it wraps around to {wrapped}",
            command.name
        );
        let others = all.clone().count();
        if others > 0 {
            let _ = write!(message, ", as do {others} other numbers");
        }
        let mut finding = Finding::new(&rules::LARGE_NUMBER, place, message);
        for LargeNumber { place, wrapped, .. } in all.take(LARGE_SHOWN) {
            finding = finding.also(*place, format!("wraps around to {wrapped}"));
        }
        Some(finding.help("give the command more bits: `for … but 8 Int`"))
    }

    /// Whether the command did what its `expect` says; nothing if it says nothing or the answer is not known.
    pub fn expected(&self, command: &Command) -> Option<bool> {
        match (command.expect?, self.verdict) {
            (_, Verdict::Unknown) => None,
            (expect, verdict) => Some((expect != 0) == (verdict == Verdict::Sat)),
        }
    }

    /// Returns the findings about a command in the file: that it does not do what it should, that it says nothing, and
    /// the reason why it has no instance.
    pub fn findings(&self, command: &Command) -> Vec<Finding> {
        let mut findings = Vec::new();
        let name = &command.name;
        let check = command.kind == CommandKind::Check;
        match self.expected(command) {
            Some(false) => {
                let found = match (self.verdict, check) {
                    (Verdict::Sat, true) => "has a counterexample",
                    (Verdict::Sat, false) => "has an instance",
                    (_, true) => "has no counterexample",
                    (_, false) => "has no instance",
                };
                let expected =
                    if command.expect == Some(0) { "none was expected" } else { "one was expected" };
                let message = format!("`{name}` {found}, but {expected}");
                findings.push(Finding::new(&rules::EXPECT, command.place, message));
            }
            None if check && self.verdict == Verdict::Sat => {
                let message = format!("the assertion `{name}` has a counterexample");
                findings.push(Finding::new(&rules::COUNTEREXAMPLE, command.place, message));
            }
            _ => {}
        }
        if self.vacuous == Some(true) {
            let message = format!("`{name}` holds only because the facts have no instance in this scope");
            findings.push(Finding::new(&rules::VACUOUS, command.place, message));
        }
        findings.extend(self.large_numbers(command));
        if let Some(core) = &self.core {
            let what = if check { "no counterexample" } else { "no instance" };
            let why = match (core.parts.len(), core.minimal) {
                (0, _) => "the scopes and the declarations of signatures leave no room for any".to_owned(),
                (1, _) => "this part of the model cannot be true within the scope".to_owned(),
                (count, true) => format!("these {count} parts of the model contradict each other"),
                (count, false) => format!(
                    "there is a contradiction among these {count} parts of the model; there was no time to find \
                     the fewest"
                ),
            };
            let message = format!("`{name}` has {what}: {why}");
            let mut finding = Finding::new(&rules::CORE, command.place, message);
            for part in &core.parts {
                finding = finding.also(part.place, part.text.clone());
            }
            findings.push(finding);
        }
        findings
    }
}
