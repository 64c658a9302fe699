//! Ending an evaluation that takes too long.
//!
//! A search looks at the clock between states, but one expression may take longer than any search: `SUBSET` of a large
//! set, or an operator that calls itself. What can go on for very long calls [`tick`], and stops where the time is up
//! that [`heed`] named for this thread.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use locus_explore::Reason;

use super::{Fault, FaultKind, Outcome};

/// When evaluations must end, however far they came.
#[derive(Debug)]
pub(crate) struct Ends {
    /// Set from outside.
    stop: Option<Arc<AtomicBool>>,
    /// When the time is up.
    at: Option<Instant>,
}

impl Ends {
    pub(crate) fn new(stop: Option<Arc<AtomicBool>>, time: Option<Duration>) -> Self {
        // A time so long that the clock does not know it is no limit.
        Self { stop, at: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Why evaluations must end now, if they must.
    fn reason(&self) -> Option<Reason> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        self.at.is_some_and(|at| Instant::now() >= at).then_some(Reason::Time)
    }
}

/// How many ticks pass between two looks at the clock.
const TICKS: usize = 1 << 12;

thread_local! {
    static TICKED: Cell<usize> = const { Cell::new(0) };
    static ENDS: RefCell<Option<Arc<Ends>>> = const { RefCell::new(None) };
}

/// From now on, evaluations on this thread end when they must; with none, they do not.
pub(crate) fn heed(ends: Option<&Arc<Ends>>) {
    ENDS.with_borrow_mut(|known| {
        let same = match (&*known, ends) {
            (Some(known), Some(ends)) => Arc::ptr_eq(known, ends),
            (None, None) => true,
            _ => false,
        };
        if !same {
            *known = ends.cloned();
        }
    });
}

/// Some steps of an evaluation.
#[inline]
pub(crate) fn tick(steps: usize) -> Outcome<()> {
    let ticked = TICKED.get() + steps;
    if ticked < TICKS {
        TICKED.set(ticked);
        return Ok(());
    }
    look()
}

#[cold]
fn look() -> Outcome<()> {
    TICKED.set(0);
    match ENDS.with_borrow(|ends| ends.as_ref().and_then(|ends| ends.reason())) {
        Some(reason) => Err(Fault::kind(FaultKind::Stop(reason))),
        None => Ok(()),
    }
}
