//! Temporal properties of what one random walk has seen.
//!
//! The states and steps of a walk are a small part of the state graph. Every circle in it, and staying for ever in one
//! of its states, is a behaviour of the model; whether it is fair is known, because what is enabled in a state is asked
//! of the model itself. So what is found here is a violation; what is not found says nothing of other behaviours.

use rustc_hash::FxHashMap;

use crate::model::{
    AtomSet, Explorable, InitialSink, Model, Properties, Reduction, Saving, StepSink, Tuning,
};
use crate::options::Options;
use crate::report::{Trace, TraceEnd, TraceStep, Violation, ViolationKind};
use crate::search::explore;
use crate::temporal::Temporal;

/// The violation of a temporal property among the behaviours within a walk.
pub(crate) fn violation<M: Explorable<State: Sync, Action: Sync>>(
    model: &M,
    worker: &mut M::Worker,
    steps: &[TraceStep<M>],
    temporal: &Temporal,
) -> Option<Violation<M>> {
    // States that are identified are not the same, and what is a circle among them need not be one.
    if model.reduction() != Reduction::None {
        return None;
    }
    let walked = Walked::new(model, worker, steps)?;
    let options = Options { deadlock: false, temporal: Some(temporal), ..Options::default() };
    let found = explore(&walked, &options).violations.pop()?;
    let Violation { kind, trace } = found;
    // Errors of evaluation were met by the walk, or are about what it would do next.
    let ViolationKind::Temporal(property) = kind else { return None };
    let step = |step: TraceStep<Walked<'_, M>>| TraceStep {
        action: step.action,
        state: walked.states[step.state as usize].clone(),
    };
    let end = match trace.end {
        TraceEnd::Finite => TraceEnd::Finite,
        TraceEnd::Stuttering => TraceEnd::Stuttering,
        TraceEnd::BackTo { index, action } => TraceEnd::BackTo { index, action },
    };
    let steps = trace.steps.into_iter().map(step).collect();
    Some(Violation {
        kind: ViolationKind::Temporal(property),
        trace: Trace { steps, end, missing: trace.missing, cut: trace.cut },
    })
}

/// The part of a model that a walk has seen. States are numbered in the order in which they were met.
struct Walked<'a, M: Model> {
    model: &'a M,
    states: Vec<M::State>,
    steps: Vec<Vec<(M::Action, u32)>>,
}

impl<'a, M: Explorable> Walked<'a, M> {
    /// None if a state has no fingerprint.
    fn new(model: &'a M, worker: &mut M::Worker, steps: &[TraceStep<M>]) -> Option<Self> {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut walked = Walked { model, states: Vec::new(), steps: Vec::new() };
        let mut before: Option<u32> = None;
        for step in steps {
            let fingerprint = model.fingerprint(worker, &step.state).ok()?;
            let number = *numbers.entry(fingerprint).or_insert_with(|| {
                walked.states.push(step.state.clone());
                walked.steps.push(Vec::new());
                walked.states.len() as u32 - 1
            });
            if let (Some(from), Some(action)) = (before, &step.action)
                && !walked.steps[from as usize].iter().any(|(_, to)| *to == number)
            {
                walked.steps[from as usize].push((action.clone(), number));
            }
            before = Some(number);
        }
        (!walked.states.is_empty()).then_some(walked)
    }
}

impl<M: Explorable<State: Sync, Action: Sync>> Model for Walked<'_, M> {
    type State = u32;
    type Action = M::Action;
    type Error = M::Error;
    type Worker = M::Worker;

    fn worker(&self) -> M::Worker {
        self.model.worker()
    }

    fn initial_states(
        &self,
        worker: &mut M::Worker,
        sink: &mut InitialSink<'_, Self>,
    ) -> Result<(), M::Error> {
        let _ = sink(worker, &0);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut M::Worker,
        state: &u32,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), M::Error> {
        for (action, to) in &self.steps[*state as usize] {
            if sink(worker, action, to).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, _: &mut M::Worker, state: &u32) -> Result<u64, M::Error> {
        // A product with an odd number is as distinct as the numbers, and spreads over all bits.
        Ok(u64::from(*state + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

impl<M: Explorable<State: Sync, Action: Sync>> Properties for Walked<'_, M> {
    fn state_atoms(&self, worker: &mut M::Worker, state: &u32, atoms: &mut AtomSet) -> Result<(), M::Error> {
        self.model.state_atoms(worker, &self.states[*state as usize], atoms)
    }

    fn step_atoms(
        &self,
        worker: &mut M::Worker,
        from: &u32,
        action: Option<&M::Action>,
        to: &u32,
        atoms: &mut AtomSet,
    ) -> Result<(), M::Error> {
        let (from, to) = (&self.states[*from as usize], &self.states[*to as usize]);
        self.model.step_atoms(worker, from, action, to, atoms)
    }
}

impl<M: Explorable<State: Sync, Action: Sync>> Saving for Walked<'_, M> {}
impl<M: Explorable<State: Sync, Action: Sync>> Tuning for Walked<'_, M> {
    fn repeating(&self, worker: &mut M::Worker, repeats: bool) {
        self.model.repeating(worker, repeats);
    }

    fn gave_up(&self, error: &M::Error) -> Option<crate::limits::Reason> {
        self.model.gave_up(error)
    }
}
