//! How deeply values are nested, and the limit on it.
//!
//! Values are compared, printed and freed by going down into them, so one that is nested without end would need a stack
//! without end. Each set and function knows how deep it is. One that would be deeper than [`MAX_NESTING`] is not made:
//! an empty one takes its place, and the thread remembers that what is being evaluated has no result. Whoever takes a
//! result from the evaluator asks [`check`] first.

use std::cell::Cell;

use super::{Fault, FaultKind, Outcome, Value};

/// The most levels of a value. On a stack of two megabytes there is room for about eight times as many.
pub(crate) const MAX_NESTING: u32 = 1000;

thread_local! {
    static TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

impl Value {
    /// How many levels of sets and functions this value has.
    #[inline]
    pub(crate) fn nesting(&self) -> u32 {
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
        TOO_DEEP.set(true);
    }
    nesting <= MAX_NESTING
}

/// Fails if, since it was last asked on this thread, a value could not be made.
#[inline]
pub(crate) fn check() -> Outcome<()> {
    if TOO_DEEP.replace(false) { Err(too_deep()) } else { Ok(()) }
}

#[cold]
#[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
fn too_deep() -> Box<Fault> {
    Fault::kind(FaultKind::Limit("a value is nested too deeply", format!("more than {MAX_NESTING} levels")))
}
