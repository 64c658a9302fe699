//! Traces: from the fingerprints on a path back to states, by running the model again.
//!
//! The search keeps no states, so the states of a path are found once more from its fingerprints. A step of the
//! path is the first successor within the constraints that has the right fingerprint. That is right under
//! reductions too. With a view, the state that was explored for a fingerprint is the first one found for it, and
//! the link leads to the state it was found from. With symmetry, any state with the right fingerprint is as good
//! as another.

use std::ops::ControlFlow;

use crate::model::{AtomSet, Model};
use crate::report::TraceStep;

/// What is known of a state on a path.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) fingerprint: u64,
    /// The step atoms of the step to it, if they matter.
    pub(crate) step: Option<AtomSet>,
}

/// Finds states as wanted that follow each other from an initial state on.
///
/// Gives the longest prefix that could be found, which is all of the path unless fingerprints collided or the
/// model does not always give the same successors.
pub(crate) fn rebuild<M: Model>(model: &M, worker: &mut M::Worker, path: &[Wanted]) -> Vec<TraceStep<M>> {
    let mut steps: Vec<TraceStep<M>> = Vec::with_capacity(path.len());
    model.repeating(worker, true);
    for (depth, wanted) in (0..).zip(path) {
        let next = match steps.last() {
            None => initial(model, worker, wanted),
            Some(last) => step_to(model, worker, (&last.state, depth), wanted),
        };
        match next {
            Some(next) => steps.push(next),
            None => break,
        }
    }
    model.repeating(worker, false);
    steps
}

/// The first step from `from`, the last of `depth` states, to a state as wanted, if there is one.
pub(crate) fn step_to<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    (from, depth): (&M::State, u32),
    wanted: &Wanted,
) -> Option<TraceStep<M>> {
    let mut found = None;
    model.at_depth(worker, depth);
    // An error is no news here: the way was taken before, and if it is reported, that is done elsewhere.
    let _ = model.successors(worker, from, &mut |worker, action, state| {
        if is_wanted(model, worker, (from, action), state, wanted).unwrap_or(false) {
            found = Some(TraceStep { action: Some(action.clone()), state: state.clone() });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

fn initial<M: Model>(model: &M, worker: &mut M::Worker, wanted: &Wanted) -> Option<TraceStep<M>> {
    let mut found = None;
    model.at_depth(worker, 0);
    let _ = model.initial_states(worker, &mut |worker, state| {
        let fits =
            model.fingerprint(worker, state).is_ok_and(|fingerprint| fingerprint == wanted.fingerprint);
        if fits && model.is_within(worker, state).unwrap_or(false) {
            found = Some(TraceStep { action: None, state: state.clone() });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

fn is_wanted<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    (from, action): (&M::State, &M::Action),
    to: &M::State,
    wanted: &Wanted,
) -> Result<bool, M::Error> {
    if model.fingerprint(worker, to)? != wanted.fingerprint
        || !model.is_within(worker, to)?
        || !model.is_step_within(worker, from, action, to)?
    {
        return Ok(false);
    }
    let Some(step) = &wanted.step else { return Ok(true) };
    let mut atoms = step.clone();
    atoms.clear();
    model.step_atoms(worker, from, Some(action), to, &mut atoms)?;
    Ok(atoms == *step)
}
