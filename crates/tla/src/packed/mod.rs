//! Packed states, and actions that are evaluated once for all states that look alike to them.
//!
//! A state is a few machine words ([`layout`]), whose parts stand for values ([`tables`], of which each worker has what
//! it needs: [`own`]). What an action does depends on the parts of the state that it reads. What the evaluator reads
//! and writes is noted ([`trace`]), and the result is kept in a tree of decisions ([`memo`]): the next state with the
//! same parts finds it there, and its successor is made by writing a few bits. What one worker has found out it tells
//! the others ([`exchange`]). An action is taken apart first ([`plan`]), into one for each disjunct and each value of
//! its bounds, so that each reads as little as possible; and so are predicates. Most are ruled out together before they
//! are looked for ([`switch`]). A VIEW says by what states are told apart ([`view`]). [`model`] is all of this as a
//! state machine.
//!
//! The evaluator remains the reference: everything here is found out by it. Parts that it cannot follow are refused,
//! and then the search continues with values.

mod exchange;
pub(crate) mod layout;
pub(crate) mod memo;
pub(crate) mod model;
pub(crate) mod own;
pub(crate) mod plan;
mod switch;
pub(crate) mod tables;
mod trace;
pub(crate) mod view;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use locus_tla_eval::eval::stopped;
use locus_tla_eval::value::Fault;

use exchange::Exchange;
use layout::Misfit;
use tables::Tables;

pub(crate) use model::Packed;

/// The tables of a search, and why it cannot go on with them.
#[derive(Debug)]
pub(crate) struct Packing {
    pub(crate) tables: Tables,
    /// How several workers tell each other what they have found out.
    pub(crate) exchange: Option<Exchange>,
    ended: Mutex<Option<End>>,
    /// Whether it has, which workers ask often.
    has_ended: AtomicBool,
}

/// Why a search with packed states ends before it is complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// A value does not fit. There is a layout that it fits.
    Misfit(Misfit),
    /// It cannot be done, or is not worth it.
    Refused(Refusal),
}

/// Why states are not packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// A value that is not all in memory.
    Value,
    /// Something whose reads cannot be noted.
    Evaluation,
    /// The evaluator does not say what it said before.
    Contradiction,
    /// Too little of what is found out is needed again.
    NoGain,
}

impl Packing {
    pub(crate) fn new(tables: Tables) -> Self {
        Self { tables, exchange: None, ended: Mutex::new(None), has_ended: AtomicBool::new(false) }
    }

    /// Ends the search because a value does not fit.
    #[cold]
    #[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
    pub(crate) fn misfit(&self, misfit: Misfit) -> Box<Fault> {
        self.end(End::Misfit(misfit))
    }

    /// Ends the search with packed states.
    #[cold]
    #[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
    pub(crate) fn refuse(&self, refusal: Refusal) -> Box<Fault> {
        self.end(End::Refused(refusal))
    }

    #[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
    fn end(&self, end: End) -> Box<Fault> {
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        // What is refused is refused, whatever does not fit besides.
        if ended.is_none() || matches!(end, End::Refused(_)) {
            *ended = Some(end);
        }
        self.has_ended.store(true, Ordering::Release);
        stopped()
    }

    /// Why the search ended.
    pub(crate) fn ended(&self) -> Option<End> {
        if !self.has_ended.load(Ordering::Acquire) {
            return None;
        }
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
