//! States are explored, and the steps that are found are held back for a while before they are looked at.
//!
//! Whether a state is known is mostly a matter of memory that is far from the processor: a slot of the table, and
//! then the record of a node, either of which may be in the cache of another processor. The slot is fetched as soon
//! as the fingerprint is there, the record some steps later, when the slot has come, and while they come, the model
//! finds further steps. Steps are looked at in the order in which they are found, those of one state after those of
//! the state before.
//!
//! One worker whose table is in its cache holds one step back at a time: a batch would cost more than it gains.

use std::sync::atomic::Ordering;

use super::{Hand, Meeting, Origin, Search, Tally};
use crate::fingerprint_set::{Inserter, Node, Seen, link, mix};
use crate::model::{Explorable, Model};
use crate::report::ViolationKind;

/// How many steps are held back.
const AHEAD: usize = 32;

/// The steps that one worker holds back.
pub(super) struct Held<M: Model> {
    /// Those that do not wait are kept for their memory.
    steps: Vec<Step<M>>,
    /// How many wait.
    waiting: usize,
    /// How many of them are steps of the states before the one that is being explored.
    before: usize,
    /// Those states.
    origins: Vec<Explored<M>>,
}

struct Step<M: Model> {
    action: M::Action,
    state: M::State,
    /// The fingerprint of the state, mixed.
    mixed: u64,
    seen: Seen,
}

/// A state that was explored.
struct Explored<M: Model> {
    node: Node,
    link: u64,
    state: M::State,
    /// How many steps wait that are its own or those of states before it.
    end: usize,
}

impl<M: Model> Default for Held<M> {
    fn default() -> Self {
        Held { steps: Vec::new(), waiting: 0, before: 0, origins: Vec::new() }
    }
}

impl<M: Model> Held<M> {
    #[inline]
    fn push(&mut self, action: &M::Action, state: &M::State, mixed: u64) {
        if let Some(step) = self.steps.get_mut(self.waiting) {
            step.action.clone_from(action);
            step.state.clone_from(state);
            step.mixed = mixed;
            step.seen = Seen::default();
        } else {
            let (action, state) = (action.clone(), state.clone());
            self.steps.push(Step { action, state, mixed, seen: Seen::default() });
        }
        self.waiting += 1;
    }
}

impl<'a, M: Explorable> Search<'a, M> {
    /// Finds the steps of a state.
    pub(super) fn expand(
        &self,
        hand: &mut Hand<'a, M>,
        inserter: &mut Inserter<'_>,
        node: Node,
        state: M::State,
    ) {
        let Hand { worker, tally, held } = hand;
        let depth = tally.level.depth;
        let mut is_dead = true;
        // Where fingerprints are found quickly, the record of the node is left where it is.
        let fingerprint = self.is_held_back.then(|| self.model.fingerprint(worker, &state).ok()).flatten();
        let link = fingerprint.map_or_else(|| self.set.link_to(node), |fingerprint| link(node, fingerprint));
        let from = Origin { node, link, state: &state };
        self.model.at_depth(worker, depth);
        self.tell_figures(worker, tally, 0);
        let result = self.model.successors(worker, &state, &mut |worker, action, next| {
            is_dead = false;
            if self.is_held_back {
                self.hold(worker, tally, inserter, (held, from), (action, next));
            } else {
                let seen = Seen::default();
                self.meet(worker, tally, inserter, from, Meeting { action, state: next, seen });
            }
            self.flow(tally)
        });
        if let Err(error) = result {
            self.fail(tally, error, node, None, depth);
        } else if self.options.deadlock && is_dead && !self.halted.load(Ordering::Relaxed) {
            let order = (depth, 3, 0, self.set.fingerprint(node), 0);
            self.violate(tally, ViolationKind::Deadlock, node, None, order);
        }
        if held.waiting == 0 || !inserter.is_far() || held.origins.len() >= AHEAD {
            self.meet_held(worker, tally, inserter, (held, from));
            self.finish(worker, tally, (&state, node));
            return;
        }
        held.before = held.waiting;
        held.origins.push(Explored { node, link: from.link, state, end: held.waiting });
    }

    /// Holds a step back, and looks at those before if there are many.
    #[inline]
    fn hold(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        (held, from): (&mut Held<M>, Origin<'_, M>),
        (action, next): (&M::Action, &M::State),
    ) {
        // What is wrong with it is noticed again when the step is looked at.
        let mixed = mix(self.model.fingerprint(worker, next).unwrap_or(0));
        inserter.fetch(mixed);
        if held.waiting == AHEAD || held.waiting == 1 && !inserter.is_far() {
            self.meet_held(worker, tally, inserter, (held, from));
        }
        held.push(action, next, mixed);
    }

    /// Looks at all steps that wait, the last of which are steps of the state that is being explored.
    #[inline]
    fn meet_held(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        (held, from): (&mut Held<M>, Origin<'_, M>),
    ) {
        // For a single step of the state at hand there is nothing to be fetched.
        if held.waiting > 1 || !held.origins.is_empty() {
            self.meet_before(worker, tally, inserter, held);
        }
        for step in &held.steps[held.before..held.waiting] {
            self.meet_step(worker, tally, inserter, from, step);
        }
        (held.waiting, held.before) = (0, 0);
    }

    /// Looks at the steps of the states before the one that is being explored, when memory was fetched for all steps
    /// that wait.
    #[inline(never)]
    fn meet_before(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        held: &mut Held<M>,
    ) {
        let steps = held.steps[..held.waiting].iter_mut().map(|step| (step.mixed, &mut step.seen));
        inserter.seek(tally.level.next, steps);
        let mut begin = 0;
        for Explored { node, link, state, end } in held.origins.drain(..) {
            let from = Origin { node, link, state: &state };
            for step in &held.steps[begin..end] {
                self.meet_step(worker, tally, inserter, from, step);
            }
            begin = end;
            self.finish(worker, tally, (&state, node));
        }
    }

    /// Looks at all steps that wait, when no state is being explored.
    pub(super) fn meet_all(&self, hand: &mut Hand<'a, M>, inserter: &mut Inserter<'_>) {
        let Hand { worker, tally, held } = hand;
        self.meet_before(worker, tally, inserter, held);
        (held.waiting, held.before) = (0, 0);
    }

    #[inline]
    fn meet_step(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        from: Origin<'_, M>,
        Step { action, state, seen, .. }: &Step<M>,
    ) {
        if !self.halted.load(Ordering::Relaxed) {
            self.meet(worker, tally, inserter, from, Meeting { action, state, seen: *seen });
        }
    }

    /// Is done with a state, all of whose steps were looked at.
    fn finish(&self, worker: &mut M::Worker, tally: &mut Tally<'a, M>, (state, node): (&M::State, Node)) {
        if let Some(recorder) = &mut tally.recorder {
            let ended = recorder.end(self.model, worker, (state, node));
            recorder.begin();
            if let Err(error) = ended {
                let depth = tally.level.depth;
                self.fail(tally, error, node, None, depth);
            }
        }
    }
}
