//! Simulation: random behaviours instead of a search, for specifications too large to explore.
//!
//! A simulation checks whatever can be seen along a behaviour of limited length: assumptions, invariants, deadlock,
//! properties of initial states and of steps, and those parts of temporal properties that are. The other parts are
//! checked of the infinite behaviours within what was walked: its circles, and staying in one of its states.
//! Postconditions speak of the whole search and are not checked; the result says so, and what temporal properties were
//! not asked of.

use std::sync::Arc;
use std::time::{Duration, Instant};

use locus_explore::{Limits, Model as _, Reduction, Simulation, Temporal, WalkProgressFn, Walks};
use locus_source::Sources;

use locus_tla_eval::eval::Settings;
use locus_tla_eval::value::{Fault, Means};
use locus_tla_syntax::config::Model;
use locus_tla_syntax::rules;
use locus_tla_syntax::semantic::Specification;

use super::result::{CheckResult, Simulated, Verdict, Warning};
use super::setup::Setup;
use super::{How, heeding, prepare, report};
use crate::machine::Machine;
use crate::machine::possible::Possible;
use crate::machine::watch;

/// How to simulate.
#[derive(Clone)]
pub struct SimulateOptions<'a> {
    /// Where the random numbers start: the same seed gives the same behaviours.
    pub seed: u64,
    /// How many behaviours; without, until the time is up or it is stopped.
    pub behaviours: Option<u64>,
    /// The most states of a behaviour.
    pub depth: u32,
    /// Threads.
    pub workers: usize,
    /// Whether a state without successor is an error, whatever the configuration says.
    pub deadlock: Option<bool>,
    /// The longest time to take.
    pub time: Option<Duration>,
    /// The limits that may stop it from outside, and the files that it may read.
    pub means: Means,
    /// Is told about progress.
    pub progress: Option<WalkProgressFn<'a>>,
}

/// Walks through random behaviours of a specification.
pub fn simulate(
    sources: &Sources,
    specification: &Specification,
    model: &Model,
    options: &SimulateOptions<'_>,
) -> CheckResult {
    let start = Instant::now();
    let deadlock = options.deadlock.or(model.check_deadlock).unwrap_or(true);
    let settings = Settings {
        started: start,
        deadlock,
        workers: options.workers,
        simulation: Some((options.seed, options.behaviours, options.depth)),
    };
    let means = Arc::new(options.means.lasting(options.time));
    let mut result = heeding(&means, || {
        match prepare(sources, specification.program(), model, How::default(), settings, &means) {
            Ok((mut setup, _)) => {
                let (watched, unchecked) = watch::watched(&setup.obligations.properties);
                setup.machine.watched = watched;
                walk(sources, &setup, &unchecked, deadlock, options)
            }
            Err(ended) => *ended,
        }
    });
    result.elapsed = start.elapsed();
    result.model_values = super::model_values(model);
    result
}

/// `unchecked`: the temporal properties that are checked in part only, or not at all.
fn walk(
    sources: &Sources,
    setup: &Setup,
    unchecked: &[usize],
    deadlock: bool,
    options: &SimulateOptions<'_>,
) -> CheckResult {
    let temporal = match Temporal::new(setup.obligations.clone()) {
        Ok(temporal) => temporal,
        Err(error) => return report::failed(&Fault::other(error.to_string()), &setup.machine.shared.names),
    };
    let limits = Limits { time: options.time, stop: options.means.stop.as_deref(), ..Limits::default() };
    let walks = Walks {
        seed: options.seed,
        count: options.behaviours,
        depth: options.depth,
        workers: if setup.machine.ordered { 1 } else { options.workers },
        deadlock,
        temporal: (!unchecked.is_empty()).then_some(&temporal),
        limits,
        progress: options.progress,
    };
    let found = locus_explore::simulate(&setup.machine, &walks);
    let mut result = match &found.violation {
        Some((_, violation)) => report::violated(&setup.machine, sources, violation),
        None => without_violation(&found, options),
    };
    result.generated = found.generated;
    // The last state of a trace may be a successor that no walk went on to.
    result.depth = found.depth.max(result.trace.len() as u32);
    result.simulation = Some(Simulated { seed: found.seed, behaviours: found.walks, depth: options.depth });
    warn(&mut result, setup, unchecked, &found);
    result.printed = setup.machine.shared.session.printed();
    result
}

/// The verdict where no violation was met: that of a simulation that did all it was asked for, or of one that did not.
fn without_violation(found: &Simulation<Machine>, options: &SimulateOptions<'_>) -> CheckResult {
    match found.stopped {
        // Time that is up is how a simulation ends that was not told how many behaviours to look at.
        Some(reason) if options.behaviours.is_some() || reason != locus_explore::Reason::Time => {
            let why = report::because(reason);
            report::empty(Verdict::Incomplete, format!("the simulation was not finished: {why}"))
        }
        _ => report::empty(
            Verdict::Simulated,
            "no violation was met, which says nothing of other behaviours".to_owned(),
        ),
    }
}

/// Says what a simulation does not check.
fn warn(result: &mut CheckResult, setup: &Setup, unchecked: &[usize], found: &Simulation<Machine>) {
    let mut warn = |message: String| {
        result.warnings.push(Warning { rule: rules::NOT_SIMULATED, message, place: None });
    };
    let names = |all: &mut dyn Iterator<Item = &str>| {
        let mut names: Vec<&str> = all.collect();
        names.dedup();
        names.join(", ")
    };
    let temporal = names(&mut unchecked.iter().map(|i| setup.machine.temporal[*i].name.as_str()));
    if !temporal.is_empty() {
        let how = match setup.machine.reduction() {
            Reduction::None => {
                "a simulation checks temporal properties only of behaviours that return to a state of the same walk, or \
                 stay in one"
            }
            _ => {
                "with SYMMETRY or VIEW a simulation checks of temporal properties only what they say of steps"
            }
        };
        warn(format!("{how}: {temporal}"));
    }
    let postconditions = names(&mut setup.postconditions.iter().map(|named| named.name.as_str()));
    if !postconditions.is_empty() {
        warn(format!("a simulation does not check postconditions: {postconditions}"));
    }
    let all = setup.machine.possible.iter().chain(&setup.machine.possible_steps);
    let possible = names(&mut all.map(Possible::name));
    if !possible.is_empty() {
        warn(format!("a simulation does not decide what is possible: {possible}"));
    }
    if found.initial == 0 && found.violation.is_none() && found.stopped.is_none() {
        let message = "there is no initial state within the constraints".to_owned();
        result.warnings.push(Warning { rule: rules::NO_INITIAL_STATE, message, place: None });
    }
}
