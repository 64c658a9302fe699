//! Traces: from the fingerprints on a path back to states, by running the model again.
//!
//! The search keeps no states, so the states of a path are found once more from its fingerprints. A step of the
//! path is a successor with the right fingerprint. Under a view several successors may have it, and not each of
//! them need lead on; then the way is searched, going back where it was wrong.

use std::ops::ControlFlow;

use crate::model::{AtomSet, Model, Reduction};
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
pub(crate) fn rebuild<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    path: &[Wanted],
) -> Result<Vec<TraceStep<M>>, M::Error> {
    let all = model.reduction() == Reduction::View;
    let Some(first) = path.first() else { return Ok(Vec::new()) };
    // One list of candidates per step of the path, the one in use being the last of its list.
    let mut choices = vec![initial(model, worker, first.fingerprint, all)?];
    let mut longest: Vec<TraceStep<M>> = Vec::new();
    loop {
        let Some(chosen) = choices.last().and_then(|candidates| candidates.last()) else {
            // No candidate is left here: drop the one before.
            choices.pop();
            match choices.last_mut() {
                Some(candidates) => {
                    candidates.pop();
                    continue;
                }
                None => return Ok(longest),
            }
        };
        if choices.len() > longest.len() {
            longest = choices.iter().filter_map(|candidates| candidates.last().cloned()).collect();
        }
        let Some(wanted) = path.get(choices.len()) else { return Ok(longest) };
        let next = successors(model, worker, &chosen.state, wanted, all)?;
        choices.push(next);
    }
}

/// A step from `from` to a state as wanted, if there is one.
pub(crate) fn step_to<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    from: &M::State,
    wanted: &Wanted,
) -> Result<Option<TraceStep<M>>, M::Error> {
    Ok(successors(model, worker, from, wanted, false)?.pop())
}

fn initial<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    wanted: u64,
    all: bool,
) -> Result<Vec<TraceStep<M>>, M::Error> {
    let mut found = Candidates::new(all);
    let result = model.initial_states(worker, &mut |worker, state| {
        found.consider(model.fingerprint(worker, state), wanted, None, state)
    });
    found.finish(result)
}

fn successors<M: Model>(
    model: &M,
    worker: &mut M::Worker,
    from: &M::State,
    wanted: &Wanted,
    all: bool,
) -> Result<Vec<TraceStep<M>>, M::Error> {
    let mut found = Candidates::new(all);
    let mut atoms = wanted.step.clone().unwrap_or_default();
    let result = model.successors(worker, from, &mut |worker, action, state| {
        if let Some(step) = &wanted.step {
            atoms.clear();
            let decided = model.step_atoms(worker, from, Some(action), state, &mut atoms);
            if decided.is_err() || atoms != *step {
                return ControlFlow::Continue(());
            }
        }
        found.consider(model.fingerprint(worker, state), wanted.fingerprint, Some(action), state)
    });
    found.finish(result)
}

struct Candidates<M: Model> {
    all: bool,
    steps: Vec<TraceStep<M>>,
}

impl<M: Model> Candidates<M> {
    fn new(all: bool) -> Self {
        Candidates { all, steps: Vec::new() }
    }

    fn consider(
        &mut self,
        fingerprint: Result<u64, M::Error>,
        wanted: u64,
        action: Option<&M::Action>,
        state: &M::State,
    ) -> ControlFlow<()> {
        // A state that cannot be named is none of the path: its names were computed before.
        if fingerprint.is_ok_and(|fingerprint| fingerprint == wanted) {
            self.steps.push(TraceStep { action: action.cloned(), state: state.clone() });
            if !self.all {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// The candidates, the first to try last. An error of the model matters only if nothing was found before it.
    fn finish(mut self, result: Result<(), M::Error>) -> Result<Vec<TraceStep<M>>, M::Error> {
        if self.steps.is_empty() {
            result?;
        }
        self.steps.reverse();
        Ok(self.steps)
    }
}
