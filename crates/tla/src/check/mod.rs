//! The checker: a specification and its configuration in, a verdict with a counterexample out.
//!
//! - [`setup`]: everything compiled; [`formula`]: specifications and properties taken apart;
//! - [`strings`]: in which order strings are;
//! - [`search`]: over which states the compiled specification ([`crate::machine`]) is explored;
//! - [`kept`]: how these states were kept, in terms of the specification;
//! - [`report`]: what the search found, in terms of the specification; [`explain`]: which part of it is false;
//! - [`vacuity`]: implications of invariants that may say nothing;
//! - [`graph`]: the state graph, to be drawn; [`dump`]: one of any size, piece by piece;
//! - [`simulation`]: random behaviours instead of a search;
//! - [`log`]: whether a log of a real system is a behaviour;
//! - [`result`]: the data of the answer, from which commands make text.

mod dump;
mod explain;
mod formula;
mod graph;
mod kept;
mod lasso;
mod log;
mod possible;
mod report;
mod result;
mod search;
mod setup;
mod simulation;
mod strings;
mod symmetry;
mod temporal;
mod vacuity;

use std::sync::Arc;
use std::time::{Duration, Instant};

use locus_explore::{Disk, Figures, Limits, Options, ProgressFn, Saved, Temporal};
use locus_source::Sources;

use crate::machine::Machine;
use locus_tla_eval::eval::{Context, Ended, Settings};
use locus_tla_eval::value::{Fault, FaultKind, Names, check_nesting, heed};
use locus_tla_syntax::config::Model;
use locus_tla_syntax::semantic::{Program, Specification};
use setup::{How, Setup};

pub use crate::machine::saved::DiskOptions;
pub use dump::{Dumped, Entry, dump};
pub use graph::{GraphState, GraphStep, StateGraph};
pub use kept::{Kept, Layout, Part};
pub use locus_tla_eval::value::{Means, Memory, Outside};
pub use log::{Allowed, Event, LogOptions, LogOutcome, LogResult, explain_log};
pub use result::{
    ActionName, CheckResult, Coverage, ExpressionCoverage, Reason, Simulated, TraceStep, TraceVariable,
    Verdict, Warning, When,
};
pub use simulation::{SimulateOptions, simulate};

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
    /// The limits that may stop the search from outside, and the files that it may read.
    pub means: Means,
    /// Whether to give the state graph too, if it has at most so many states and steps.
    pub graph: Option<usize>,
    /// Is told about progress.
    pub progress: Option<ProgressFn<'a>>,
    /// How states are kept.
    pub engine: Engine,
    /// Whether to count how often each part of the specification is evaluated. States are then kept as values.
    pub coverage: bool,
    /// Where to keep what does not fit into memory.
    pub disk: Option<DiskOptions<'a>>,
}

/// How the states of a search are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// As values if there are few, or if they cannot be packed.
    #[default]
    Either,
    /// As values, on which everything is evaluated each time: the reference.
    Values,
    /// Packed into words if that can be done.
    Packed,
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
            means: Means::default(),
            graph: None,
            progress: None,
            engine: Engine::default(),
            coverage: false,
            disk: None,
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
    // A search that is saved is stopped between two states only, where it can be saved.
    let is_saved = options.disk.is_some_and(|disk| disk.save_every.is_some());
    let means = if is_saved {
        Means { stop: None, ..options.means.clone() }
    } else {
        options.means.lasting(options.time)
    };
    let means = Arc::new(means);
    let mut result = heeding(&means, || run(sources, specification.program(), model, options, &means));
    result.elapsed = start.elapsed();
    result.model_values = model_values(model);
    result
}

/// Runs `work`, in which evaluations have these means.
fn heeding<T>(means: &Arc<Means>, work: impl FnOnce() -> T) -> T {
    heed(Some(means));
    let result = work();
    heed(None);
    result
}

/// The names of the model values, sorted.
fn model_values(model: &Model) -> Vec<String> {
    let names: std::collections::BTreeSet<String> =
        model.model_values.iter().map(|(_, name)| name.to_string()).collect();
    names.into_iter().collect()
}

/// Compiles a specification and checks its assumptions. What ends there is the error.
fn prepare(
    sources: &Sources,
    program: &Program,
    model: &Model,
    how: How,
    settings: Settings,
    means: &Arc<Means>,
) -> Result<(Setup, Context), Box<CheckResult>> {
    // Whatever was evaluated on this thread before is not our concern; what is compiled here is.
    let _ = check_nesting();
    let names = Arc::new(Names::new());
    let setup = setup::set_up(sources, program, model, how, &names)
        .and_then(|setup| check_nesting().map(|()| setup))
        .map_err(|fault| Box::new(report::failed(&fault, &names)))?;
    let workers = if setup.machine.ordered { 1 } else { settings.workers };
    let _ = setup.machine.shared.session.settings.set(Settings { workers, ..settings });
    let _ = setup.machine.shared.session.means.set(Arc::clone(means));
    let mut context = locus_explore::Model::worker(&setup.machine);
    for assumption in &setup.assumptions {
        let held = context.test(&assumption.node).and_then(|held| check_nesting().map(|()| held));
        let mut ended = match held {
            Ok(true) => continue,
            Ok(false) => report::assumption(&mut context, sources, assumption),
            Err(fault) => report::failed(&fault, &setup.machine.shared.names),
        };
        ended.printed = setup.machine.shared.session.printed();
        return Err(Box::new(ended));
    }
    if !setup.behaviour {
        return Err(Box::new(report::nothing_to_explore(&setup.machine)));
    }
    Ok((setup, context))
}

/// Why a search that was to be saved cannot be.
fn not_saved(setup: &Setup, options: &CheckOptions<'_>) -> Option<String> {
    options.disk.filter(|disk| disk.save_every.is_some())?;
    let why = if setup.machine.ordered {
        "the specification asks for registers or figures of the search, which are not saved"
    } else if options.violations > 1 {
        "it is to go on behind the first violation"
    } else {
        return None;
    };
    Some(format!("the search cannot be saved: {why}"))
}

/// The saved search, if it is to be resumed.
fn saved(machine: &Machine, options: &CheckOptions<'_>) -> Result<Option<Saved>, String> {
    let Some(disk) = &options.disk else { return Ok(None) };
    let _ = machine.shared.session.identity.set(disk.identity);
    if !disk.resume {
        return Ok(None);
    }
    Saved::read(disk.storage).map(Some).map_err(|error| error.to_string())
}

fn run(
    sources: &Sources,
    program: &Program,
    model: &Model,
    options: &CheckOptions<'_>,
    means: &Arc<Means>,
) -> CheckResult {
    let deadlock = options.deadlock.or(model.check_deadlock).unwrap_or(true);
    let settings = Settings { started: Instant::now(), deadlock, workers: options.workers, simulation: None };
    let how = How { incremental: options.violations <= 1, coverage: options.coverage };
    let (setup, mut context) = match prepare(sources, program, model, how, settings, means) {
        Ok(prepared) => prepared,
        Err(ended) => return *ended,
    };
    let temporal = match Temporal::new(setup.obligations.clone()) {
        Ok(temporal) => temporal,
        Err(error) => return report::failed(&Fault::other(error.to_string()), &setup.machine.shared.names),
    };
    if let Some(why) = not_saved(&setup, options) {
        return report::empty(Verdict::Incomplete, why);
    }
    let saved = match saved(&setup.machine, options) {
        Ok(saved) => saved,
        Err(why) => {
            return report::empty(Verdict::Incomplete, format!("the search cannot be gone on with: {why}"));
        }
    };
    let workers = if setup.machine.ordered { 1 } else { options.workers };
    let search = Options {
        workers,
        deadlock,
        violations: options.violations.max(1),
        // As TLC does. Which of several violations on a level is shown then depends on which worker comes first.
        at_once: options.violations <= 1,
        temporal: (!setup.obligations.properties.is_empty()).then_some(&temporal),
        temporal_despite_reduction: true,
        progress: options.progress,
        // What depends on the order of states counts those that are new as they are found.
        disk: options.disk.filter(|_| !setup.machine.ordered).map(|disk| Disk {
            storage: disk.storage,
            states: disk.states,
            save_every: disk.save_every,
            saved: saved.as_ref(),
        }),
        limits: Limits {
            states: options.states,
            bytes: options.bytes,
            used: options.means.memory.map(|memory| memory.used),
            give_back: options.means.memory.map(|memory| memory.give_back),
            time: options.time,
            stop: options.means.stop.as_deref(),
            ..Limits::default()
        },
        ..Options::default()
    };
    let engine = if options.coverage { Engine::Values } else { options.engine };
    let (found, kept) = match search::search(&setup.machine, &search, engine) {
        Ok(found) => found,
        Err(why) => {
            return report::empty(Verdict::Incomplete, format!("the search cannot be gone on with: {why}"));
        }
    };
    let mut result = report::of(&setup.machine, sources, &found);
    result.kept = Some(kept);
    result.graph = options.graph.map(|limit| {
        let counted = result.generated.saturating_add(result.distinct);
        if counted > limit as u64 {
            let (distinct, generated) = (result.distinct, result.generated);
            return Err(format!(
                "it is too large, with {distinct} distinct states of {generated} generated; the limit is {limit} \
                 states and steps"
            ));
        }
        graph::of(&setup.machine, found.violations.first(), limit)
    });
    let _ = setup.machine.shared.session.ended.set(Ended {
        figures: Figures {
            generated: result.generated,
            distinct: result.distinct,
            queue: result.queue,
            depth: result.depth,
        },
        initial: found.statistics.initial,
    });
    possible::report(&mut result, &setup.machine.possible, &setup.machine.possible_steps);
    for postcondition in &setup.postconditions {
        if result.verdict != Verdict::Ok {
            break;
        }
        let held = context.test(&postcondition.node).and_then(|held| check_nesting().map(|()| held));
        match held {
            Ok(true) => {}
            Ok(false) => {
                result.verdict = Verdict::Property;
                result.property = Some(postcondition.name.clone());
                result.message = format!("the postcondition {} is false", postcondition.name);
                result.place = Some(postcondition.place);
                result.reasons = explain::explain(&mut context, sources, &postcondition.node);
            }
            Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => {
                let why = fault.message(&setup.machine.shared.names);
                result.verdict = Verdict::Incomplete;
                result.message = format!("the postcondition {} was not evaluated: {why}", postcondition.name);
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
    result.printed = setup.machine.shared.session.printed();
    result
}
