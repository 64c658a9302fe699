//! Commands are executed: a verdict, an instance or a reason why there is none.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use locus_relational::sat::{Backend, Interrupt};
use locus_relational::{IntMode, Search, SolveError, Statistics};
use locus_source::{Finding, Place};

use crate::ast::CommandKind;
use crate::instance::Instance;
use crate::model::Command;
use crate::translate::{self, Part, Problem};
use crate::{Model, rules};

/// What happens when an integer does not fit its bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overflow {
    /// It wraps around.
    #[default]
    Wrap,
    /// Whatever depends on it is no answer.
    Prevent,
}

/// How to execute commands.
#[derive(Clone, Debug)]
pub struct Options {
    /// What happens when an integer does not fit.
    pub overflow: Overflow,
    /// How often a predicate or function may call itself; not at all by default.
    pub unrolls: Option<u32>,
    /// How hard to avoid instances that differ only in the names of atoms; 0 for all instances.
    pub symmetry: usize,
    /// When to give up.
    pub timeout: Option<Duration>,
    /// Set from elsewhere to give up.
    pub stop: Option<Arc<AtomicBool>>,
    /// Which solver.
    pub backend: Backend,
    /// Whether to look for the reason when there is no instance.
    pub cores: bool,
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
            cores: false,
            vacuity: true,
        }
    }
}

impl Options {
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

    fn relational(&self, bitwidth: u32) -> locus_relational::Options {
        let ints = match self.overflow {
            Overflow::Wrap => IntMode::Wrap(bitwidth),
            Overflow::Prevent => IntMode::Prevent(bitwidth),
        };
        locus_relational::Options {
            ints,
            symmetry: self.symmetry,
            backend: self.backend,
            interrupt: self.interrupt(),
            ..locus_relational::Options::default()
        }
    }
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

/// What came of a command.
pub struct Outcome {
    /// The answer.
    pub verdict: Verdict,
    /// The instance, if there is one.
    pub instance: Option<Instance>,
    /// Parts of the model that contradict each other, if there is no instance and reasons were asked for.
    pub core: Option<Vec<Part>>,
    /// Whether a check holds only because the facts have no instance in this scope; if that is known.
    pub vacuous: Option<bool>,
    /// Numbers that the bitwidth of the command has no room for, and where they stand.
    pub large_numbers: Vec<(Place, i64)>,
    /// What it took.
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

    /// What it took so far.
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

impl Model {
    /// Translates a command and gives its instances one by one.
    ///
    /// # Errors
    /// If the command cannot be analysed; the finding says why.
    pub fn instances(&self, index: usize, options: &Options) -> Result<Instances<'_>, Box<Finding>> {
        let command = &self.world.commands[index];
        let mut problem = translate::problem(&self.world, command, options.unrolls)?;
        let all: Vec<_> = problem.facts.iter().chain(&problem.goal).copied().collect();
        let formula = problem.space.ast.and(&all);
        let settings = options.relational(problem.space.scopes.bitwidth);
        let search = Search::new(&problem.space.ast, &problem.space.bounds, formula, &settings)
            .map_err(|error| failure(command, &error))?;
        Ok(Instances { model: self, problem: Arc::new(problem), search, command: index })
    }

    /// Executes a command.
    ///
    /// # Errors
    /// If the command cannot be analysed; the finding says why.
    pub fn execute(&self, index: usize, options: &Options) -> Result<Outcome, Box<Finding>> {
        let unknown = |statistics| Outcome {
            verdict: Verdict::Unknown,
            instance: None,
            core: None,
            vacuous: None,
            large_numbers: Vec::new(),
            statistics,
        };
        let expect = self.world.commands[index].expect;
        let mut options = options.clone();
        if expect.is_some_and(|expect| expect > 0) {
            // Where there is an instance, what removes its copies only stands in the way of finding one.
            options.symmetry = options.symmetry.min(1);
        }
        let options = &options;
        let mut instances = match self.instances(index, options) {
            Err(finding) if options.interrupt().is_raised() && finding.code == rules::TOO_LARGE.code => {
                return Ok(unknown(Statistics::default()));
            }
            other => other?,
        };
        let command = &self.world.commands[index];
        match instances.search.next() {
            Err(SolveError::Interrupted) => Ok(unknown(instances.statistics())),
            Err(error) => Err(failure(command, &error)),
            Ok(found) => {
                let instance =
                    found.map(|found| Instance::new(self, index, Arc::clone(&instances.problem), found));
                let mut outcome = Outcome {
                    verdict: if instance.is_some() { Verdict::Sat } else { Verdict::Unsat },
                    instance,
                    core: None,
                    vacuous: None,
                    large_numbers: instances.problem.large.clone(),
                    statistics: instances.statistics(),
                };
                if outcome.verdict == Verdict::Unsat {
                    explain(command, &instances.problem, options, &mut outcome);
                }
                Ok(outcome)
            }
        }
    }
}

/// Looks for the reason why there is no instance, as far as asked for and as far as time allows.
fn explain(command: &Command, problem: &Problem, options: &Options, outcome: &mut Outcome) {
    let settings = options.relational(problem.space.scopes.bitwidth);
    let mut ast = problem.space.ast.clone();
    if options.cores {
        let all: Vec<_> = problem.facts.iter().chain(&problem.goal).copied().collect();
        let formula = ast.and(&all);
        if let Ok(Some(core)) = locus_relational::core(&ast, &problem.space.bounds, formula, &settings) {
            let parts = core.tags.iter().map(|tag| problem.parts[tag.0 as usize].clone());
            outcome.core = Some(parts.collect());
        }
    }
    if options.vacuity && command.kind == CommandKind::Check {
        let facts = ast.and(&problem.facts);
        let answer = locus_relational::solve(&ast, &problem.space.bounds, facts, &settings);
        outcome.vacuous = answer.ok().map(|(verdict, _)| verdict == locus_relational::Verdict::Unsat);
    }
}

impl Outcome {
    /// Whether the command did what its `expect` says; nothing if it says nothing or the answer is not known.
    pub fn expected(&self, command: &Command) -> Option<bool> {
        match (command.expect?, self.verdict) {
            (_, Verdict::Unknown) => None,
            (expect, verdict) => Some((expect != 0) == (verdict == Verdict::Sat)),
        }
    }

    /// What there is to say about a command in the file: that it does not do what it should, that it says nothing, and
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
        for (place, number) in self.large_numbers.iter().filter(|(place, _)| place.file == command.place.file)
        {
            let bits = command.bitwidth.unwrap_or(4).clamp(1, 32);
            let wrapped = (number << (64 - bits)) >> (64 - bits);
            let message =
                format!("the integers of `{name}` have no room for {number}: it wraps around to {wrapped}");
            let finding = Finding::new(&rules::LARGE_NUMBER, *place, message);
            findings.push(finding.help("give the command more bits: `for … but 8 Int`"));
        }
        if let Some(core) = &self.core {
            let what = if check { "no counterexample" } else { "no instance" };
            let message =
                format!("`{name}` has {what}: these {} parts of the model contradict each other", core.len());
            let mut finding = Finding::new(&rules::CORE, command.place, message);
            for part in core {
                finding = finding.also(part.place, part.text.clone());
            }
            findings.push(finding);
        }
        findings
    }
}
