//! The checker: a specification and its configuration in, a verdict with a counterexample out.
//!
//! - [`setup`]: everything compiled; [`formula`]: specifications and properties taken apart;
//! - [`machine`]: the compiled specification as a model that `locus-explore` explores;
//! - [`report`]: what the search found, in terms of the specification; [`explain`]: which part of it is false;
//! - [`result`]: the data of the answer, from which commands make text.

mod explain;
mod formula;
mod machine;
mod report;
mod result;
mod setup;
mod symmetry;
mod temporal;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use locus_explore::{Limits, Options, ProgressFn, Temporal, explore};
use locus_source::Sources;

use crate::config::Model;
use crate::semantic::{Program, Specification};
use crate::value::Fault;

pub use result::{ActionName, CheckResult, Coverage, Reason, TraceStep, TraceVariable, Verdict, Warning};

/// How to check.
#[derive(Clone)]
pub struct CheckOptions<'a> {
    /// Threads.
    pub workers: usize,
    /// Whether a state without successor is an error, whatever the configuration says.
    pub deadlock: Option<bool>,
    /// How many violations to look for; with more than one the search goes on behind the first.
    pub violations: usize,
    /// The most distinct states to explore.
    pub states: Option<u64>,
    /// The most bytes to use.
    pub bytes: Option<usize>,
    /// The longest time to take.
    pub time: Option<Duration>,
    /// Set from outside to stop the search.
    pub stop: Option<&'a AtomicBool>,
    /// Is told about progress.
    pub progress: Option<ProgressFn<'a>>,
}

impl Default for CheckOptions<'_> {
    fn default() -> Self {
        Self {
            workers: 1,
            deadlock: None,
            violations: 1,
            states: None,
            bytes: None,
            time: None,
            stop: None,
            progress: None,
        }
    }
}

/// Checks a specification.
pub fn check(
    sources: &Sources,
    specification: &Specification,
    model: &Model,
    options: &CheckOptions<'_>,
) -> CheckResult {
    let start = Instant::now();
    let mut result = run(sources, specification.program(), model, options);
    result.elapsed = start.elapsed();
    result
}

fn run(sources: &Sources, program: &Program, model: &Model, options: &CheckOptions<'_>) -> CheckResult {
    let setup = match setup::set_up(program, model, options.violations <= 1) {
        Ok(setup) => setup,
        Err(fault) => {
            let names = crate::value::Names::new();
            return report::failed(&fault, &names);
        }
    };
    let mut context = locus_explore::Model::worker(&setup.machine);
    for assumption in &setup.assumptions {
        match context.test(&assumption.node) {
            Ok(true) => {}
            Ok(false) => return report::assumption(&mut context, sources, assumption),
            Err(fault) => return report::failed(&fault, &setup.machine.shared.names),
        }
    }
    if !setup.behaviour {
        return report::nothing_to_explore(&setup.machine);
    }
    let temporal = match Temporal::new(setup.obligations.clone()) {
        Ok(temporal) => temporal,
        Err(error) => return report::failed(&Fault::other(error.to_string()), &setup.machine.shared.names),
    };
    let search = Options {
        workers: options.workers,
        deadlock: options.deadlock.or(model.check_deadlock).unwrap_or(true),
        violations: options.violations.max(1),
        at_once: options.workers <= 1 && options.violations <= 1,
        temporal: (!setup.obligations.properties.is_empty()).then_some(&temporal),
        temporal_despite_reduction: true,
        progress: options.progress,
        limits: Limits {
            states: options.states,
            bytes: options.bytes,
            time: options.time,
            stop: options.stop,
            ..Limits::default()
        },
        ..Options::default()
    };
    let found = explore(&setup.machine, &search);
    let mut result = report::of(&setup.machine, sources, &found);
    give_figures(&setup.machine, &result, found.statistics.elapsed);
    for postcondition in &setup.postconditions {
        if result.verdict != Verdict::Ok {
            break;
        }
        match context.test(&postcondition.node) {
            Ok(true) => {}
            Ok(false) => {
                result.verdict = Verdict::Property;
                result.property = Some(postcondition.name.clone());
                result.message = format!("the postcondition {} is false", postcondition.name);
            }
            Err(fault) => {
                let why = fault.message(&setup.machine.shared.names);
                result.verdict = Verdict::Evaluation;
                result.property = Some(postcondition.name.clone());
                result.message =
                    format!("the postcondition {} could not be evaluated: {why}", postcondition.name);
                result.place = fault.place;
                result.trail.clone_from(&fault.trail);
            }
        }
    }
    result
}

/// What `TLCGet` gives of a search that has ended, to postconditions.
fn give_figures(machine: &machine::Machine, result: &CheckResult, elapsed: Duration) {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    let mut figures = machine.shared.session.figures.lock().expect("no panic while locked");
    figures.insert("generated", number(result.generated));
    figures.insert("distinct", number(result.distinct));
    figures.insert("queue", number(result.queue));
    figures.insert("diameter", i64::from(result.depth));
    figures.insert("duration", number(elapsed.as_secs()));
}
