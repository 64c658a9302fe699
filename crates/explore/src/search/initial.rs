//! Initial states: the leader finds them, and if there are many, the others look at most of them; or each worker
//! finds its share, if the model can divide them.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};

use super::{Hand, Search, Tally, Task, Team};
use crate::fingerprint_set::{Inserter, NO_NODE};
use crate::model::Explorable;
use crate::report::ViolationKind;
use crate::sync::lock;

/// So many initial states the leader looks at by itself, before it calls the others.
const ALONE: u64 = 1024;
/// States that are passed on together: enough of them that to wake somebody up for them takes little.
const BATCH: usize = 512;

/// The initial states that nobody has looked at yet.
pub(super) struct Initial<S> {
    waiting: Mutex<Waiting<S>>,
    changed: Condvar,
}

struct Waiting<S> {
    batches: VecDeque<Batch<S>>,
    /// Whether there will be no more.
    is_complete: bool,
    /// States that were looked at, kept for their memory: to be given back by another thread than took it takes long.
    spare: Vec<Vec<S>>,
    /// Where followers were when they had found their shares.
    ends: Vec<Option<u64>>,
}

/// States that are passed on.
struct Batch<S> {
    /// The place of the first among all.
    first: u64,
    /// The states, and behind them those that are kept for their memory.
    states: Vec<S>,
    count: usize,
}

impl<S> Batch<S> {
    fn new(first: u64, spare: Option<Vec<S>>) -> Self {
        Batch { first, states: spare.unwrap_or_default(), count: 0 }
    }

    fn push(&mut self, state: &S)
    where
        S: Clone,
    {
        match self.states.get_mut(self.count) {
            Some(kept) => kept.clone_from(state),
            None => self.states.push(state.clone()),
        }
        self.count += 1;
    }
}

impl<S> Default for Initial<S> {
    fn default() -> Self {
        let waiting =
            Waiting { batches: VecDeque::new(), is_complete: false, spare: Vec::new(), ends: Vec::new() };
        Initial { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }
}

impl<S> Initial<S> {
    /// Passes a batch on, and gives an empty one for what comes next. If `enough` wait already, gives back one to be
    /// looked at first.
    fn pass(&self, batch: Batch<S>, enough: usize) -> (Batch<S>, Option<Batch<S>>) {
        let mut waiting = lock(&self.waiting);
        let next = Batch::new(batch.first + batch.count as u64, waiting.spare.pop());
        waiting.batches.push_back(batch);
        self.changed.notify_one();
        (next, if waiting.batches.len() > enough { waiting.batches.pop_front() } else { None })
    }

    /// Gives states back whose memory can be used again.
    fn spare(&self, states: Vec<S>) {
        lock(&self.waiting).spare.push(states);
    }

    /// There are no more.
    fn complete(&self) {
        lock(&self.waiting).is_complete = true;
        self.changed.notify_all();
    }

    /// The next batch, as soon as there is one; none if there will be none.
    fn next(&self) -> Option<Batch<S>> {
        let idle = |waiting: &mut Waiting<S>| waiting.batches.is_empty() && !waiting.is_complete;
        let waiting = self.changed.wait_while(lock(&self.waiting), idle);
        waiting.unwrap_or_else(PoisonError::into_inner).batches.pop_front()
    }
}

/// Says that there are no more initial states, even if the model is lost while it finds them.
struct Completing<'a, S>(&'a Initial<S>);

impl<S> Drop for Completing<'_, S> {
    fn drop(&mut self) {
        self.0.complete();
    }
}

impl<'a, M: Explorable> Search<'a, M> {
    /// Finds the initial states. False if a follower was lost.
    pub(super) fn find_initial(&self, hand: &mut Hand<'a, M>, team: &mut Team<'_>) -> bool {
        let Hand { worker, tally, .. } = hand;
        let mut inserter = self.set.inserter();
        let mut count = 0;
        let mut batch = Batch::new(ALONE, None);
        let completing = Completing(&self.initial);
        let mut is_divided = false;
        self.model.at_depth(worker, 0);
        if team.workers > 1 {
            self.model.divide_initial(worker, 0, team.workers);
        }
        let result = self.model.initial_states(worker, &mut |worker, state| {
            // Whether they are divided turns out with the first one.
            if count == 0 && self.model.place_of_initial(worker).is_some() {
                is_divided = true;
                self.divide(team);
            }
            if is_divided || count < ALONE || team.workers == 1 {
                let place = self.model.place_of_initial(worker).unwrap_or(count);
                self.look_at(worker, tally, &mut inserter, (state, place));
                count += 1;
                return self.flow(tally);
            }
            if count == ALONE {
                // Nobody holds on to the set while waiting for others.
                inserter = self.set.inserter();
                self.set.expect(ALONE as usize);
                (team.open)(Task::Initial);
            }
            batch.push(state);
            count += 1;
            if batch.count < BATCH {
                return ControlFlow::Continue(());
            }
            let full = std::mem::replace(&mut batch, Batch::new(0, None));
            let (empty, other) = self.initial.pass(full, 4 * team.workers);
            batch = empty;
            match other {
                Some(batch) => self.look_at_batch(worker, tally, batch, false),
                None => ControlFlow::Continue(()),
            }
        });
        drop(inserter);
        let end = self.end_initial(worker, tally, result);
        // The leader may have had none of them.
        if !is_divided && self.model.place_of_initial(worker).is_some() {
            is_divided = true;
            self.divide(team);
        }
        let _ = self.look_at_batch(worker, tally, batch, false);
        drop(completing);
        if is_divided {
            self.hand_in(&mut hand.tally);
            let are_all_there = team.gate.wait();
            // Who went through something else than the others would have left states out.
            let ends = std::mem::take(&mut lock(&self.initial.waiting).ends);
            assert!(
                end.is_none() || ends.iter().all(|other| other.is_none() || *other == end),
                "{ends:?} {end:?}"
            );
            return are_all_there;
        }
        if count > ALONE && team.workers > 1 {
            self.look_at_initial(hand);
            return team.gate.wait();
        }
        self.hand_in(&mut hand.tally);
        true
    }

    /// Has the others find their shares.
    fn divide(&self, team: &mut Team<'_>) {
        self.set.expect(ALONE as usize);
        (team.open)(Task::DividedInitial);
    }

    /// Finds a follower's share of initial states that are divided.
    pub(super) fn find_share(&self, hand: &mut Hand<'a, M>) {
        let Hand { worker, tally, .. } = hand;
        let mut inserter = self.set.inserter();
        self.model.at_depth(worker, 0);
        self.model.divide_initial(worker, tally.number, self.workers());
        let result = self.model.initial_states(worker, &mut |worker, state| {
            let place = self.model.place_of_initial(worker).unwrap_or(u64::MAX);
            self.look_at(worker, tally, &mut inserter, (state, place));
            self.flow(tally)
        });
        drop(inserter);
        let is_divided = self.model.place_of_initial(worker).is_some();
        assert!(is_divided || result.is_err(), "what the leader found divided is divided");
        let end = self.end_initial(worker, tally, result);
        lock(&self.initial.waiting).ends.push(end);
        self.hand_in(tally);
    }

    /// Where a worker was when it had found all of its initial states; none if it did not get so far, or they are not
    /// divided.
    fn end_initial(
        &self,
        worker: &M::Worker,
        tally: &mut Tally<'a, M>,
        result: Result<(), M::Error>,
    ) -> Option<u64> {
        let place = self.model.place_of_initial(worker);
        if let Err(error) = result {
            let order = (0, 4, 0, 0, place.unwrap_or(0));
            self.violate(tally, ViolationKind::Error(error), NO_NODE, None, order);
            return None;
        }
        place.filter(|_| !self.halted.load(Ordering::Relaxed))
    }

    /// Looks at initial states as long as there are any.
    pub(super) fn look_at_initial(&self, hand: &mut Hand<'a, M>) {
        let Hand { worker, tally, .. } = hand;
        self.model.at_depth(worker, 0);
        while let Some(batch) = self.initial.next() {
            let is_foreign = tally.number > 0;
            if self.look_at_batch(worker, tally, batch, is_foreign).is_break() {
                break;
            }
        }
        self.hand_in(tally);
    }

    fn look_at_batch(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        Batch { first, mut states, count }: Batch<M::State>,
        is_foreign: bool,
    ) -> ControlFlow<()> {
        let mut inserter = self.set.inserter();
        if self.is_held_back {
            // Such states share no memory, so it does not matter whose they are.
            for (place, state) in (first..).zip(&states[..count]) {
                self.look_at(worker, tally, &mut inserter, (state, place));
                self.flow(tally)?;
            }
            self.initial.spare(states);
            return ControlFlow::Continue(());
        }
        states.truncate(count);
        for (place, state) in (first..).zip(states) {
            let state = if is_foreign { self.model.adopt(worker, state) } else { state };
            self.look_at(worker, tally, &mut inserter, (&state, place));
            self.flow(tally)?;
        }
        ControlFlow::Continue(())
    }

    /// Looks at one initial state, given with its place among all.
    fn look_at(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        (state, place): (&M::State, u64),
    ) {
        tally.generated += 1;
        self.tell_figures(worker, tally, 0);
        if let Err(error) = self.initial_state(worker, tally, inserter, state) {
            tally.violated.clear();
            let order = (1, 4, 0, 0, place);
            self.violate(tally, ViolationKind::Error(error), NO_NODE, Some((None, state)), order);
        }
    }

    fn initial_state(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        state: &M::State,
    ) -> Result<(), M::Error> {
        let within = self.model.is_within(worker, state)?;
        let fingerprint = self.model.fingerprint(worker, state)?;
        if within {
            match inserter.insert(fingerprint, self.set.link_to(NO_NODE)) {
                Ok((_, false)) => return Ok(()),
                Ok((kept, true)) => self.keep(tally, kept.node, state, usize::MAX),
                Err(exhausted) => {
                    self.exhaust(exhausted);
                    return Ok(());
                }
            }
        }
        self.tell_figures(worker, tally, u64::from(within));
        tally.outside += u64::from(!within);
        tally.violated.clear();
        self.model.check_initial(worker, state, &mut tally.violated)?;
        for property in std::mem::take(&mut tally.violated) {
            let order = (1, 0, property, fingerprint, 0);
            self.violate(tally, ViolationKind::Initial(property), NO_NODE, Some((None, state)), order);
        }
        self.model.check_state(worker, state, &mut tally.violated)?;
        for property in std::mem::take(&mut tally.violated) {
            let order = (1, 1, property, fingerprint, 0);
            self.violate(tally, ViolationKind::Invariant(property), NO_NODE, Some((None, state)), order);
        }
        Ok(())
    }
}
