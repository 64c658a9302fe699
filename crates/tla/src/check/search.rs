//! The search: over packed states if they can be packed and there are many, and over values if not.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use locus_explore::{
    Disk, Explorable, Model, Options, Reason, Report, Trace, TraceEnd, TraceStep, Verdict, Violation,
};

use crate::packed::layout::Learned;
use crate::packed::{End, Packed, Refusal};
use locus_tla_eval::eval::Values;
use locus_tla_eval::value::{heed, with_few_steps};

use super::Engine;
use super::kept::Kept;
use crate::machine::Machine;
use crate::machine::saved::{self, Form};

/// With fewer states than this it is not worth finding out how they can be packed.
const FEW_STATES: u64 = 500;
/// But it is if so many steps of evaluation are not enough for them.
const FEW_STEPS: usize = 1 << 17;
/// How often a search begins again with more room.
const MAX_LAYOUTS: usize = 200;

/// Explores every reachable state.
///
/// # Errors
/// Why a search that was saved cannot be gone on with, in a sentence.
pub(crate) fn search(
    machine: &Machine,
    options: &Options<'_>,
    engine: Engine,
) -> Result<(Report<Machine>, Kept), String> {
    let start = Instant::now();
    if let Some(saved) = options.disk.and_then(|disk| disk.saved) {
        return match saved::recall(machine, saved)? {
            (Form::Values, _) => {
                Ok((by_values(machine, options), Kept::values("the search that was saved had values")))
            }
            (Form::Packed, bytes) => resumed(machine, options, bytes, start),
        };
    }
    Ok(search_anew(machine, options, engine, start))
}

/// Goes on with packed states as they were saved.
fn resumed(
    machine: &Machine,
    options: &Options<'_>,
    bytes: &[u8],
    start: Instant,
) -> Result<(Report<Machine>, Kept), String> {
    let model = example(machine).and_then(|example| Packed::recall(machine, &example, bytes));
    let model = model.ok_or("what was saved of packed states cannot be used")?.within(options);
    let found = explore(machine, &model, options);
    if model.packing.ended().is_none() || is_shown(&found, options) {
        return Ok((unpacked(&model, found), Kept::packed(machine, &model)));
    }
    // What does not fit needs another layout, and with it other fingerprints.
    let mut anew = within(options, start);
    anew.disk = anew.disk.map(|disk| Disk { saved: None, ..disk });
    Ok(search_anew(machine, &anew, Engine::Packed, start))
}

fn search_anew(
    machine: &Machine,
    options: &Options<'_>,
    engine: Engine,
    start: Instant,
) -> (Report<Machine>, Kept) {
    let why = match engine {
        Engine::Values => vec!["they were asked for".to_owned()],
        Engine::Packed | Engine::Either => machine.not_packed(),
    };
    if !why.is_empty() {
        return (by_values(machine, options), Kept::Values(why));
    }
    // What was found by a search that did not find all.
    let mut known = Vec::new();
    if engine == Engine::Either {
        let limit = options.limits.states.unwrap_or(u64::MAX);
        let is_saved = options.disk.is_some_and(|disk| disk.save_every.is_some());
        // One worker meets the same states each time, so what is decided here is not a matter of luck.
        let mut few = Options { workers: 1, disk: None, ..*options };
        few.limits.states = Some(limit.min(FEW_STATES));
        let (found, is_slow) = with_few_steps(FEW_STEPS, || by_values(machine, &few));
        match found.ended {
            Some(Reason::States) if is_slow => {}
            Some(Reason::States) if limit > FEW_STATES => {}
            Some(Reason::Memory) if options.disk.is_some() => {}
            // What is to be saved is kept on disk, so it is begun there, however little there is of it.
            Some(Reason::States | Reason::Time | Reason::Stopped) if is_saved => {}
            _ => return (found, Kept::values("there are too few states to find out how to pack them")),
        }
        known = found.violations;
    }
    let (found, kept) = packed(machine, options, start, &mut known).unwrap_or_else(|why| {
        forget_counts(machine);
        (by_values(machine, &within(options, start)), why)
    });
    (with_known(found, known), kept)
}

/// The report of a search that was restarted; where a limit ended it sooner than the searches before it, with what
/// these found.
fn with_known(mut found: Report<Machine>, known: Vec<Violation<Machine>>) -> Report<Machine> {
    if found.ended.is_some() && found.violations.len() < known.len() {
        found.verdict = Verdict::Violated;
        found.violations = known;
    }
    found
}

/// Explores the states of a model of this machine. What is evaluated on this thread afterwards is not part of that
/// search.
fn explore<M: Explorable>(machine: &Machine, model: &M, options: &Options<'_>) -> Report<M> {
    let found = locus_explore::explore(model, options);
    heed(machine.shared.session.means.get());
    found
}

/// Explores states that are values.
fn by_values(machine: &Machine, options: &Options<'_>) -> Report<Machine> {
    explore(machine, machine, options)
}

/// Whether a search found all that was wanted, and shows all of it. Then it does not matter what ended it.
fn is_shown<M: Model>(found: &Report<M>, options: &Options<'_>) -> bool {
    found.violations.len() >= options.violations.max(1)
        && found.violations.iter().all(|violation| violation.trace.missing == 0)
}

/// Forgets what a search has counted that is not gone on with.
fn forget_counts(machine: &Machine) {
    machine.shared.session.between.store(0, Ordering::Relaxed);
}

/// Explores packed states, or says why that cannot be done.
fn packed(
    machine: &Machine,
    options: &Options<'_>,
    start: Instant,
    known: &mut Vec<Violation<Machine>>,
) -> Result<(Report<Machine>, Kept), Kept> {
    let Some(example) = example(machine) else {
        return Err(Kept::values("there is no initial state, or it cannot be evaluated"));
    };
    let mut learned = Learned::default();
    for _ in 0..MAX_LAYOUTS {
        forget_counts(machine);
        let Some(model) = Packed::new(machine, &example, &learned) else {
            return Err(Kept::refused(Refusal::Value));
        };
        let model = model.within(options);
        let found = explore(machine, &model, &within(options, start));
        match model.packing.ended() {
            None => return Ok((unpacked(&model, found), Kept::packed(machine, &model))),
            Some(_) if is_shown(&found, options) => {
                return Ok((unpacked(&model, found), Kept::packed(machine, &model)));
            }
            Some(end) => {
                if found.violations.len() > known.len() {
                    *known = unpacked(&model, found).violations;
                }
                match end {
                    End::Misfit(misfit) if learned.learn(misfit.clone()) => {}
                    End::Misfit(_) => break,
                    End::Refused(refusal) => return Err(Kept::refused(refusal)),
                }
            }
        }
    }
    Err(Kept::values("no layout of words has room for the values of the states"))
}

/// The same for a search that goes on from another one, which began at `start`.
fn within<'a>(options: &Options<'a>, start: Instant) -> Options<'a> {
    let mut options = *options;
    options.limits.time = options.limits.time.map(|time| time.saturating_sub(start.elapsed()));
    options
}

/// An initial state.
fn example(machine: &Machine) -> Option<Values> {
    let mut example = None;
    let mut context = machine.worker();
    let found = machine.initial_states(&mut context, &mut |_, state| {
        example = Some(state.clone());
        ControlFlow::Break(())
    });
    found.ok().and(example)
}

/// The report with values for states.
fn unpacked(model: &Packed<'_>, found: Report<Packed<'_>>) -> Report<Machine> {
    let violation = |violation: Violation<Packed<'_>>| {
        let Trace { steps, end, missing, cut } = violation.trace;
        let step =
            |step: TraceStep<Packed<'_>>| TraceStep { action: step.action, state: model.unpack(&step.state) };
        let end = match end {
            TraceEnd::Finite => TraceEnd::Finite,
            TraceEnd::Stuttering => TraceEnd::Stuttering,
            TraceEnd::BackTo { index, action } => TraceEnd::BackTo { index, action },
        };
        Violation {
            kind: violation.kind,
            trace: Trace { steps: steps.into_iter().map(step).collect(), end, missing, cut },
        }
    };
    Report {
        verdict: found.verdict,
        violations: found.violations.into_iter().map(violation).collect(),
        statistics: found.statistics,
        coverage: found.coverage,
        ended: found.ended,
        trouble: found.trouble,
    }
}

#[cfg(test)]
mod tests;
