//! The agenda: the next steps to do, kept beside the steps so that they are found without a look at all of them. A
//! deployment of a hundred thousand steps is asked a hundred thousand times.
//!
//! It follows from the steps, so these are changed by [`State::alter`] or [`State::set`], and [`State::connect`] is
//! called after they are replaced.

use std::collections::BTreeSet;

use crate::state::{Phase, State, Step, StepState, Time};

/// The parts of the agenda, which follow from the states of the steps. Of pairs, the first is about steps of the
/// operation itself, and the second about those that only delete what is no longer needed.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Agenda {
    /// Steps that may be claimed as far as they themselves know.
    free: [BTreeSet<u32>; 2],
    /// Those of them that may have to wait for some time to pass.
    delayed: BTreeSet<u32>,
    /// Steps that somebody works on.
    claimed: BTreeSet<u32>,
    /// How many steps have not ended.
    left: [usize; 2],
    /// How many steps failed.
    failed: [usize; 2],
    /// How many steps were begun and have not ended.
    open: usize,
}

impl Agenda {
    fn of(steps: &[Step]) -> Self {
        let mut agenda = Self::default();
        for (place, step) in (0u32..).zip(steps) {
            agenda.add(place, step);
        }
        agenda
    }

    fn is_free(step: &Step) -> bool {
        step.claim.is_none()
            && match step.state {
                StepState::Waiting => step.waits == 0,
                StepState::Open | StepState::Accepted | StepState::Again => true,
                _ => false,
            }
    }

    fn add(&mut self, place: u32, step: &Step) {
        let side = usize::from(step.planned.cleanup);
        if Self::is_free(step) {
            self.free[side].insert(place);
            if step.due > 0 {
                self.delayed.insert(place);
            }
        }
        if step.claim.is_some() {
            self.claimed.insert(place);
        }
        self.left[side] += usize::from(!step.state.has_ended());
        self.failed[side] += usize::from(step.state == StepState::Failed);
        self.open += usize::from(step.state.is_open());
    }

    fn remove(&mut self, place: u32, step: &Step) {
        let side = usize::from(step.planned.cleanup);
        if Self::is_free(step) {
            self.free[side].remove(&place);
            self.delayed.remove(&place);
        }
        self.claimed.remove(&place);
        self.left[side] -= usize::from(!step.state.has_ended());
        self.failed[side] -= usize::from(step.state == StepState::Failed);
        self.open -= usize::from(step.state.is_open());
    }
}

impl State {
    /// Works out again what follows from the plan: how many of the steps that each step needs are not done, which need
    /// it, and what is to be done next. For those who replace the steps, or read them from a store.
    pub fn connect(&mut self) {
        let mut next: Vec<Vec<u32>> = vec![Vec::new(); self.steps.len()];
        let is_done: Vec<bool> = self.steps.iter().map(|step| step.state == StepState::Done).collect();
        for (place, step) in self.steps.iter_mut().enumerate() {
            for &need in &step.planned.needs {
                next[need as usize].push(place as u32);
            }
            step.waits = step.planned.needs.iter().filter(|&&need| !is_done[need as usize]).count() as u32;
        }
        for (step, next) in self.steps.iter_mut().zip(next) {
            step.next = next;
        }
        self.agenda = Agenda::of(&self.steps);
    }

    /// Changes a step, but for whether it is done: that is [`State::set`]. Nothing, if there is no such step.
    pub fn alter<R>(&mut self, place: u32, change: impl FnOnce(&mut Step) -> R) -> Option<R> {
        let step = self.steps.get_mut(place as usize)?;
        self.agenda.remove(place, step);
        let result = change(step);
        self.agenda.add(place, step);
        Some(result)
    }

    /// Says where a step is. What needs it waits for it, or waits no longer.
    pub fn set(&mut self, place: u32, to: StepState) {
        let was_done = self.alter(place, |step| std::mem::replace(&mut step.state, to) == StepState::Done);
        let is_done = to == StepState::Done;
        if was_done == Some(is_done) {
            return;
        }
        let next = std::mem::take(&mut self.steps[place as usize].next);
        for &one in &next {
            self.alter(one, |step| {
                step.waits = if is_done { step.waits.saturating_sub(1) } else { step.waits + 1 };
            });
        }
        self.steps[place as usize].next = next;
    }

    /// The steps that can be claimed, now or when they are due, in their order.
    pub fn claimable(&self) -> impl Iterator<Item = u32> + '_ {
        let [own, cleanup] = &self.agenda.free;
        let (own, cleanup) = match (self.phase, self.status.is_cleaning()) {
            (Phase::Idle, _) => (None, None),
            (Phase::Forward | Phase::Back, false) => (Some(own), None),
            (Phase::Forward | Phase::Back, true) => (None, Some(cleanup)),
            (Phase::DrainToUndo | Phase::DrainToRest, _) => (Some(own), Some(cleanup)),
        };
        let all = own.into_iter().chain(cleanup).flatten().copied();
        all.filter(|&place| self.is_claimable(&self.steps[place as usize]))
    }

    /// When the next of the steps can be claimed that are not due yet.
    pub fn next_due(&self, now: Time) -> Option<Time> {
        let delayed = self.agenda.delayed.iter().map(|&place| &self.steps[place as usize]);
        delayed.filter(|step| self.is_claimable(step)).filter_map(|step| self.waits_until(step, now)).min()
    }

    /// The steps that somebody has claimed, in their order.
    pub fn claimed(&self) -> impl Iterator<Item = u32> + '_ {
        self.agenda.claimed.iter().copied()
    }

    /// Whether nothing is under way.
    pub fn is_drained(&self) -> bool {
        self.agenda.open == 0
    }

    /// Whether a step has not ended of those that delete what is no longer needed, or else of the others.
    pub(crate) fn is_left(&self, cleanup: bool) -> bool {
        self.agenda.left[usize::from(cleanup)] > 0
    }

    /// The first step that failed and is no deletion of what is no longer needed.
    pub(crate) fn first_failed(&self) -> Option<&Step> {
        let is_it = |step: &&Step| !step.planned.cleanup && step.state == StepState::Failed;
        if self.agenda.failed[0] == 0 { None } else { self.steps.iter().find(is_it) }
    }

    /// Whether what is to be done next is what follows from the steps.
    #[cfg(test)]
    pub(crate) fn is_connected(&self) -> bool {
        self.agenda == Agenda::of(&self.steps)
    }
}
