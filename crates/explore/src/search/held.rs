//! A step that is held back until the next one is there.
//!
//! Whether a state is known is mostly a matter of memory that is far from the processor: a slot of the table that may be in the
//! cache of another one. It is fetched as soon as the fingerprint is there, and while it comes, the model finds the next
//! successor. Steps are looked at in the order in which they are found.

use std::sync::atomic::Ordering;

use super::{Origin, Search, Tally};
use crate::fingerprint_set::Inserter;
use crate::model::Model;

/// The step that one worker holds back.
pub(super) struct Held<M: Model> {
    /// Kept for its memory if it is not waiting.
    step: Option<(M::Action, M::State)>,
    is_waiting: bool,
}

impl<M: Model> Default for Held<M> {
    fn default() -> Self {
        Held { step: None, is_waiting: false }
    }
}

impl<'a, M: Model> Search<'a, M> {
    /// Holds a step back, and looks at the one before it.
    #[inline]
    pub(super) fn hold(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        from: Origin<'_, M>,
        (action, next): (&M::Action, &M::State),
    ) {
        // What is wrong with it is noticed again when the step is looked at.
        if let Ok(fingerprint) = self.model.fingerprint(worker, next) {
            inserter.fetch(fingerprint);
        }
        self.meet_held(worker, tally, inserter, from);
        match &mut tally.held.step {
            Some(step) => {
                step.0.clone_from(action);
                step.1.clone_from(next);
            }
            None => tally.held.step = Some((action.clone(), next.clone())),
        }
        tally.held.is_waiting = true;
    }

    /// Looks at the step that is held back, if there is one.
    #[inline]
    pub(super) fn meet_held(
        &self,
        worker: &mut M::Worker,
        tally: &mut Tally<'a, M>,
        inserter: &mut Inserter<'_>,
        from: Origin<'_, M>,
    ) {
        if !std::mem::take(&mut tally.held.is_waiting) {
            return;
        }
        let Some((action, next)) = tally.held.step.take() else { return };
        if !self.halted.load(Ordering::Relaxed) {
            self.meet(worker, tally, inserter, from, (&action, &next));
        }
        tally.held.step = Some((action, next));
    }
}
