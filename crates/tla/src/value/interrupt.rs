//! Ending an evaluation that takes too long.
//!
//! A search looks at the clock between states, but one expression may take longer than any search: `SUBSET` of a large
//! set, or an operator that calls itself. What can go on for very long calls [`tick`], and stops where the flag is up
//! that [`heed`] named for this thread.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Fault, FaultKind, Outcome};

/// How many ticks pass between two looks at the flag: a power of two.
const TICKS: u32 = 1 << 12;

thread_local! {
    static TICKED: Cell<u32> = const { Cell::new(0) };
    static FLAG: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// From now on, evaluations on this thread end when the flag is up; with none, they do not.
pub(crate) fn heed(flag: Option<&Arc<AtomicBool>>) {
    FLAG.with_borrow_mut(|known| {
        let same = match (&*known, flag) {
            (Some(known), Some(flag)) => Arc::ptr_eq(known, flag),
            (None, None) => true,
            _ => false,
        };
        if !same {
            *known = flag.cloned();
        }
    });
}

/// Another step of an evaluation.
#[inline]
pub(crate) fn tick() -> Outcome<()> {
    let ticked = TICKED.get().wrapping_add(1);
    TICKED.set(ticked);
    if ticked & (TICKS - 1) == 0 { look() } else { Ok(()) }
}

#[cold]
fn look() -> Outcome<()> {
    let up = FLAG.with_borrow(|flag| flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)));
    if up { Err(Fault::kind(FaultKind::Stop)) } else { Ok(()) }
}
