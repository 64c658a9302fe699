//! The resources that an evaluation may use: time, memory, and files.
//!
//! A search looks at the clock between states, but one expression may take longer than any search: `SUBSET` of a large
//! set, or an operator that calls itself. What can go on for very long calls [`tick`], and stops where the time is up
//! that [`heed`] named for this thread. Few expressions read a file (a log that is compared with a specification); they
//! do so by [`outside`].

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use locus_explore::Reason;

use super::{Fault, FaultKind, Outcome};

/// The files and variables outside of a specification that it may read.
pub trait Outside: Send + Sync {
    /// The text of a file.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    fn read(&self, path: &str) -> Result<String, String>;

    /// The variables of the environment.
    fn environment(&self) -> Vec<(String, String)>;
}

/// When evaluations must end, however far they came, and what they may read.
#[derive(Clone, Default)]
pub struct Means {
    /// Set from outside to end them.
    pub stop: Option<Arc<AtomicBool>>,
    /// The files and variables that may be read; nothing, if there are none.
    pub outside: Option<Arc<dyn Outside>>,
    /// The most bytes that the process may hold, if it is known how many these are.
    pub memory: Option<Memory>,
    /// When the time is up. A check sets it from the time that it is given.
    pub at: Option<Instant>,
    /// Set when the search that evaluations are for has ended. A check sets it.
    pub ended: Option<Arc<AtomicBool>>,
    /// Whether evaluations only repeat what a search did. A check sets it.
    pub repeats: bool,
}

/// The least time that there is to show what was found when the time of a search is up.
const GRACE: Duration = Duration::from_secs(10);

/// A limit on what the process holds.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The most bytes.
    pub limit: usize,
    /// How many bytes there are now.
    pub used: fn() -> usize,
    /// Gives memory that is not in use back to the system; then `used` tells anew.
    pub give_back: fn(),
}

impl fmt::Debug for Means {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Means").field("stop", &self.stop).field("at", &self.at).finish_non_exhaustive()
    }
}

impl Means {
    /// The same, for this time from now.
    #[must_use]
    pub fn lasting(&self, time: Option<Duration>) -> Self {
        // A time so long that the clock does not know it is no limit.
        Self { at: time.and_then(|time| Instant::now().checked_add(time)), ..self.clone() }
    }

    /// The same for evaluations of a search that sets this flag when it has ended.
    #[must_use]
    pub fn until(&self, ended: &Arc<AtomicBool>) -> Self {
        Self { ended: Some(Arc::clone(ended)), ..self.clone() }
    }

    /// The means to show what a search found that began then, whatever ended it. To find a behaviour again takes a part
    /// of the time that it took to find it, and memory only for its states; should it take more, there is an end to it.
    #[must_use]
    pub fn grace(&self, began: Instant) -> Self {
        let time = || Instant::now().checked_add(began.elapsed().max(GRACE));
        // Who has asked for the end already wants to see what was found; who asks meanwhile does not.
        let is_stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        Self {
            stop: self.stop.clone().filter(|_| !is_stopped),
            outside: self.outside.clone(),
            memory: self.memory.map(|memory| Memory { limit: memory.limit.saturating_mul(2), ..memory }),
            at: self.at.and_then(|_| time()),
            ended: None,
            repeats: true,
        }
    }

    /// Why evaluations must end now, if they must.
    fn reason(&self) -> Option<Reason> {
        if self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        // What ended the search was noted before this was set.
        if self.ended.as_ref().is_some_and(|ended| ended.load(Ordering::Acquire)) {
            return Some(Reason::Stopped);
        }
        if self.at.is_some_and(|at| Instant::now() >= at) {
            return Some(Reason::Time);
        }
        self.lacks(0).then_some(Reason::Memory)
    }

    /// Whether so many bytes more would be too many.
    fn lacks(&self, bytes: usize) -> bool {
        self.memory.is_some_and(|Memory { limit, used, give_back }| {
            let is_over = || used().saturating_add(bytes) > limit;
            is_over() && {
                give_back();
                is_over()
            }
        })
    }
}

/// How many ticks pass between two looks at the clock.
const TICKS: usize = 1 << 12;

thread_local! {
    static TICKED: Cell<usize> = const { Cell::new(0) };
    /// How often the clock may be looked at before evaluations end, if they are to be few.
    static LEFT: Cell<Option<usize>> = const { Cell::new(None) };
    static MEANS: RefCell<Option<Arc<Means>>> = const { RefCell::new(None) };
}

/// From now on, evaluations on this thread have these means; with none, they have all the time, and nothing to read.
pub fn heed(means: Option<&Arc<Means>>) {
    MEANS.with_borrow_mut(|known| {
        let same = match (&*known, means) {
            (Some(known), Some(means)) => Arc::ptr_eq(known, means),
            (None, None) => true,
            _ => false,
        };
        if !same {
            *known = means.cloned();
        }
    });
}

/// The files and variables that evaluations on this thread may read.
pub fn outside() -> Option<Arc<dyn Outside>> {
    MEANS.with_borrow(|means| means.as_ref().and_then(|means| means.outside.clone()))
}

/// Runs `work`, in which evaluations on this thread end after about so many steps for [`Reason::States`]. Says whether
/// they did. How far they come is the same each time.
pub fn with_few_steps<T>(steps: usize, work: impl FnOnce() -> T) -> (T, bool) {
    /// Takes the limit away, also if the work is lost.
    struct Unlimited;
    impl Drop for Unlimited {
        fn drop(&mut self) {
            LEFT.set(None);
        }
    }
    TICKED.set(0);
    LEFT.set(Some(steps / TICKS));
    let _unlimited = Unlimited;
    let result = work();
    (result, LEFT.get() == Some(0))
}

/// Some steps of an evaluation.
#[inline]
pub fn tick(steps: usize) -> Outcome<()> {
    let ticked = TICKED.get() + steps;
    if ticked < TICKS {
        TICKED.set(ticked);
        return Ok(());
    }
    look()
}

/// The size from which on a value is worth asking whether there is room for it.
const LARGE: usize = 4 << 20;

/// Whether there is room for a value of so many bytes.
#[inline]
pub fn room(bytes: usize) -> Outcome<()> {
    if bytes < LARGE || !MEANS.with_borrow(|means| means.as_ref().is_some_and(|means| means.lacks(bytes))) {
        return Ok(());
    }
    Err(Fault::kind(FaultKind::Stop(Reason::Memory)))
}

#[cold]
fn look() -> Outcome<()> {
    TICKED.set(0);
    // To show what was found is not among the steps that were to be few.
    let repeats = MEANS.with_borrow(|means| means.as_ref().is_some_and(|means| means.repeats));
    if let Some(left) = LEFT.get().filter(|_| !repeats) {
        LEFT.set(Some(left.saturating_sub(1)));
        if left <= 1 {
            return Err(Fault::kind(FaultKind::Stop(Reason::States)));
        }
    }
    match MEANS.with_borrow(|means| means.as_ref().and_then(|means| means.reason())) {
        Some(reason) => Err(Fault::kind(FaultKind::Stop(reason))),
        None => Ok(()),
    }
}
