//! Traces: from the fingerprints on a path back to states, by running the model again.
//!
//! The search keeps no states, so the states of a path are found once more from its fingerprints. A step of the
//! path is the first successor within the constraints that has the right fingerprint. That is right under
//! reductions too. With a view, the state that was explored for a fingerprint is the first one found for it, and
//! the link leads to the state it was found from. With symmetry, any state with the right fingerprint is as good
//! as another.

use std::ops::ControlFlow;

use crate::limits::Reason;
use crate::model::{AtomSet, Explorable, Model};
use crate::report::TraceStep;

/// The known facts about a state on a path.
#[derive(Clone)]
pub(crate) struct Wanted {
    pub(crate) fingerprint: u64,
    /// The step atoms of the step to it, if they matter.
    pub(crate) step: Option<AtomSet>,
}

/// The longest prefix of a path that could be found again.
pub(crate) struct Rebuilt<M: Model> {
    pub(crate) steps: Vec<TraceStep<M>>,
    /// Why it is not all of the path, if the model gave up. Otherwise fingerprints collided, or the model does not
    /// always give the same successors.
    pub(crate) cut: Option<Reason>,
}

/// Finds states as wanted that follow each other from an initial state on.
pub(crate) fn rebuild<M: Explorable>(model: &M, worker: &mut M::Worker, path: &[Wanted]) -> Rebuilt<M> {
    let mut steps: Vec<TraceStep<M>> = Vec::with_capacity(path.len());
    let mut cut = None;
    model.repeating(worker, true);
    for (depth, wanted) in (0..).zip(path) {
        let next = match steps.last() {
            None => initial(model, worker, wanted),
            Some(last) => step_to(model, worker, (&last.state, depth), wanted),
        };
        match next {
            Ok(next) => steps.push(next),
            Err(reason) => {
                cut = reason;
                break;
            }
        }
    }
    model.repeating(worker, false);
    Rebuilt { steps, cut }
}

/// The first step from `from`, the last of `depth` states, to a state as wanted. If there is none, why the model gave
/// up, if it did.
pub(crate) fn step_to<M: Explorable>(
    model: &M,
    worker: &mut M::Worker,
    (from, depth): (&M::State, u32),
    wanted: &Wanted,
) -> Result<TraceStep<M>, Option<Reason>> {
    let mut found = None;
    model.at_depth(worker, depth);
    let result = model.successors(worker, from, &mut |worker, action, state| {
        if is_wanted(model, worker, (from, action), state, wanted).unwrap_or(false) {
            found = Some(TraceStep { action: Some(action.clone()), state: state.clone() });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found.ok_or_else(|| gave_up(model, result))
}

/// Why a model gave up. Any other error is no news here: the way was taken before, and if it is reported, that is
/// done elsewhere.
fn gave_up<M: Explorable>(model: &M, result: Result<(), M::Error>) -> Option<Reason> {
    result.err().and_then(|error| model.gave_up(&error))
}

fn initial<M: Explorable>(
    model: &M,
    worker: &mut M::Worker,
    wanted: &Wanted,
) -> Result<TraceStep<M>, Option<Reason>> {
    let mut found = None;
    model.at_depth(worker, 0);
    let result = model.initial_states(worker, &mut |worker, state| {
        let fits =
            model.fingerprint(worker, state).is_ok_and(|fingerprint| fingerprint == wanted.fingerprint);
        if fits && model.is_within(worker, state).unwrap_or(false) {
            found = Some(TraceStep { action: None, state: state.clone() });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found.ok_or_else(|| gave_up(model, result))
}

fn is_wanted<M: Explorable>(
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
