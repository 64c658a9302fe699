//! The search: over packed states if they can be packed and there are many, and over values if not.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Instant;

use locus_explore::{
    Disk, Model, Options, Reason, Report, Trace, TraceEnd, TraceStep, Verdict, Violation, explore,
};

use crate::eval::Values;
use crate::packed::layout::Learned;
use crate::packed::{End, Packed};
use crate::value::with_few_steps;

use super::Engine;
use super::machine::Machine;
use super::saved::{self, Form};

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
) -> Result<Report<Machine>, String> {
    let start = Instant::now();
    if let Some(saved) = options.disk.and_then(|disk| disk.saved) {
        return match saved::recall(machine, saved)? {
            (Form::Values, _) => Ok(explore(machine, options)),
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
) -> Result<Report<Machine>, String> {
    let model = example(machine).and_then(|example| Packed::recall(machine, &example, bytes));
    let model = model.ok_or("what was saved of packed states cannot be used")?.within(options);
    let found = explore(&model, options);
    if model.packing.ended().is_none() {
        return Ok(unpacked(&model, found));
    }
    // What does not fit needs another layout, and with it other fingerprints.
    let mut anew = within(options, start);
    anew.disk = anew.disk.map(|disk| Disk { saved: None, ..disk });
    Ok(search_anew(machine, &anew, Engine::Packed, start))
}

fn search_anew(machine: &Machine, options: &Options<'_>, engine: Engine, start: Instant) -> Report<Machine> {
    let is_packed = match engine {
        Engine::Values => false,
        Engine::Packed | Engine::Either => machine.may_be_packed(),
    };
    if !is_packed {
        return explore(machine, options);
    }
    if engine == Engine::Either {
        let limit = options.limits.states.unwrap_or(u64::MAX);
        let is_saved = options.disk.is_some_and(|disk| disk.save_every.is_some());
        // One worker meets the same states each time, so what is decided here is not a matter of luck.
        let mut few = Options { workers: 1, disk: None, ..*options };
        few.limits.states = Some(limit.min(FEW_STATES));
        let (found, is_slow) = with_few_steps(FEW_STEPS, || explore(machine, &few));
        match found.verdict {
            Verdict::Incomplete(Reason::States) if is_slow => {}
            Verdict::Incomplete(Reason::States) if limit > FEW_STATES => {}
            Verdict::Incomplete(Reason::Memory) if options.disk.is_some() => {}
            // What is to be saved is kept on disk, so it is begun there, however little there is of it.
            Verdict::Incomplete(Reason::States | Reason::Time | Reason::Stopped) if is_saved => {}
            // Which of several violations is shown is for all workers together to say.
            Verdict::Violated if options.workers > 1 => {
                forget_counts(machine);
                return explore(machine, &within(options, start));
            }
            _ => return found,
        }
    }
    packed(machine, options, start).unwrap_or_else(|| {
        forget_counts(machine);
        explore(machine, &within(options, start))
    })
}

/// Forgets what a search has counted that is not gone on with.
fn forget_counts(machine: &Machine) {
    machine.shared.session.between.store(0, Ordering::Relaxed);
}

/// Explores packed states; none if that cannot be done.
fn packed(machine: &Machine, options: &Options<'_>, start: Instant) -> Option<Report<Machine>> {
    let example = example(machine)?;
    let mut learned = Learned::default();
    for _ in 0..MAX_LAYOUTS {
        forget_counts(machine);
        let model = Packed::new(machine, &example, &learned)?.within(options);
        let found = explore(&model, &within(options, start));
        match model.packing.ended() {
            None => return Some(unpacked(&model, found)),
            Some(End::Misfit(misfit)) if learned.learn(misfit.clone()) => {}
            Some(_) => return None,
        }
    }
    None
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

/// What was found, with values for states.
fn unpacked(model: &Packed<'_>, found: Report<Packed<'_>>) -> Report<Machine> {
    let violation = |violation: Violation<Packed<'_>>| {
        let Trace { steps, end, missing } = violation.trace;
        let step =
            |step: TraceStep<Packed<'_>>| TraceStep { action: step.action, state: model.unpack(&step.state) };
        let end = match end {
            TraceEnd::Finite => TraceEnd::Finite,
            TraceEnd::Stuttering => TraceEnd::Stuttering,
            TraceEnd::BackTo { index, action } => TraceEnd::BackTo { index, action },
        };
        Violation {
            kind: violation.kind,
            trace: Trace { steps: steps.into_iter().map(step).collect(), end, missing },
        }
    };
    Report {
        verdict: found.verdict,
        violations: found.violations.into_iter().map(violation).collect(),
        statistics: found.statistics,
        coverage: found.coverage,
        trouble: found.trouble,
    }
}

#[cfg(test)]
mod tests;
