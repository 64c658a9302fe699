//! How deeply values are nested, and the limit on it.
//!
//! Values are compared, printed and freed by going down into them, so one that is nested without end would need a stack
//! without end. Each set and function knows how deep it is. One that would be deeper than [`MAX_NESTING`] is not made:
//! an empty one takes its place, and the thread remembers that what is being evaluated has no result. Whoever takes a
//! result from the evaluator asks [`check`] first. The same is remembered where functions or sets were compared that
//! cannot be enumerated, so that nobody knows whether they are equal.

use std::cell::Cell;

use super::{Fault, FaultKind, Outcome, Value};

/// The most levels of a value. On a stack of two megabytes there is room for about eight times as many.
pub(crate) const MAX_NESTING: u32 = 1000;

/// Why there is no result.
#[derive(Clone, Copy)]
enum Reason {
    TooDeep,
    Compared(Doubt),
}

/// The kind of values that were compared without knowing them to the end.
#[derive(Clone, Copy)]
pub(super) enum Doubt {
    Functions,
    Sets,
}

thread_local! {
    static NO_RESULT: Cell<Option<Reason>> = const { Cell::new(None) };
}

impl Value {
    /// How many levels of sets and functions this value has.
    #[inline]
    pub fn nesting(&self) -> u32 {
        match self {
            Self::Set(set) => set.header.header.nesting,
            Self::Fn(function) => function.header.header.nesting,
            Self::Lazy(lazy) => lazy.nesting,
            _ => 0,
        }
    }
}

/// The levels of something made of these values.
#[inline]
pub(super) fn around<'a>(values: impl IntoIterator<Item = &'a Value>) -> u32 {
    1 + values.into_iter().map(Value::nesting).max().unwrap_or(0)
}

/// Whether something with so many levels can be made. If not, that is remembered.
#[inline]
pub(super) fn admits(nesting: u32) -> bool {
    if nesting > MAX_NESTING {
        NO_RESULT.set(Some(Reason::TooDeep));
    }
    nesting <= MAX_NESTING
}

/// Remembers that two things were compared of which nobody knows whether they are equal.
#[cold]
pub(super) fn compared(what: Doubt) {
    NO_RESULT.set(Some(Reason::Compared(what)));
}

/// Fails if, since it was last asked on this thread, a value could not be made or a comparison not be done.
#[inline]
pub fn check() -> Outcome<()> {
    match NO_RESULT.replace(None) {
        None => Ok(()),
        Some(reason) => Err(fault(reason)),
    }
}

#[cold]
#[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
fn fault(reason: Reason) -> Box<Fault> {
    match reason {
        Reason::TooDeep => Fault::kind(FaultKind::Limit(
            "a value is nested too deeply",
            format!("more than {MAX_NESTING} levels"),
        )),
        Reason::Compared(Doubt::Functions) => {
            Fault::other("two functions with infinite domains cannot be compared")
        }
        Reason::Compared(Doubt::Sets) => Fault::other(
            "a set that cannot be enumerated (it may be infinite, or very large) cannot be compared with this one",
        ),
    }
}
