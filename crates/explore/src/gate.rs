//! A gate between the worker that leads a search and those that follow: they wait at it for the next level, and the
//! leader waits at it until they have done their part.
//!
//! Followers live as long as the search does, rather than for one level: memory is best given back by the thread that
//! took it, and what a level takes, the next one gives back.
//!
//! Who waits looks for a while whether it is time before it goes to sleep: to be woken up often takes longer.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// See the module. `T` says what is to be done.
pub(crate) struct Gate<T> {
    state: Mutex<State<T>>,
    opened: Condvar,
    done: Condvar,
    /// How many tasks there were, and how many followers have not done the last one, as they are seen without the lock.
    tasks: AtomicU64,
    busy: AtomicUsize,
}

/// For how long to look before going to sleep.
const LOOKING: Duration = Duration::from_micros(200);
/// How often between two looks at the clock. How long that takes differs tenfold between processors.
const LOOKS: u32 = 100;

/// Looks for a while whether something is the case.
fn look_out(is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !(0..LOOKS).any(|_| {
        std::hint::spin_loop();
        is_so()
    }) {
        if begin.elapsed() >= LOOKING {
            break;
        }
    }
}

struct State<T> {
    /// The task, and how many there were before.
    task: Option<(u64, T)>,
    /// Followers that have not done it yet.
    busy: usize,
    is_closed: bool,
}

impl<T: Copy> Gate<T> {
    pub(crate) fn new() -> Self {
        let state = State { task: None, busy: 0, is_closed: false };
        Gate {
            state: Mutex::new(state),
            opened: Condvar::new(),
            done: Condvar::new(),
            tasks: AtomicU64::new(0),
            busy: AtomicUsize::new(0),
        }
    }

    /// Lets `followers` do a task.
    pub(crate) fn open(&self, task: T, followers: usize) {
        let mut state = self.lock();
        let round = state.task.as_ref().map_or(0, |(round, _)| round + 1);
        state.task = Some((round, task));
        state.busy = followers;
        self.busy.store(followers, Ordering::Relaxed);
        self.tasks.store(round + 1, Ordering::Relaxed);
        self.opened.notify_all();
    }

    /// Waits until the task is done. False if a follower was lost.
    pub(crate) fn wait(&self) -> bool {
        look_out(|| self.busy.load(Ordering::Relaxed) == 0);
        let state = self.done.wait_while(self.lock(), |state| state.busy > 0);
        !state.unwrap_or_else(PoisonError::into_inner).is_closed
    }

    /// Sends everybody home, also if the leader is lost before it can do so.
    pub(crate) fn closing(&self) -> impl Drop {
        Closing(self)
    }

    /// Does task after task until the gate is closed.
    pub(crate) fn follow(&self, mut work: impl FnMut(T)) {
        let mut due = 0;
        loop {
            let is_idle =
                |state: &mut State<T>| !state.is_closed && state.task.is_none_or(|(round, _)| round < due);
            look_out(|| self.tasks.load(Ordering::Relaxed) > due);
            let state = self.opened.wait_while(self.lock(), is_idle);
            let state = state.unwrap_or_else(PoisonError::into_inner);
            let Some((round, task)) = state.task.filter(|_| !state.is_closed) else { return };
            drop(state);
            due = round + 1;
            let done = Done(self);
            work(task);
            drop(done);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Closing<'a, T: Copy>(&'a Gate<T>);

impl<T: Copy> Drop for Closing<'_, T> {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.opened.notify_all();
    }
}

struct Done<'a, T: Copy>(&'a Gate<T>);

impl<T: Copy> Drop for Done<'_, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.busy -= 1;
        self.0.busy.store(state.busy, Ordering::Relaxed);
        if std::thread::panicking() {
            state.is_closed = true;
            self.0.opened.notify_all();
        }
        self.0.done.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;
    use std::panic::AssertUnwindSafe;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn every_follower_does_every_task_once() {
        let gate = Gate::new();
        let sum = AtomicU64::new(0);
        std::thread::scope(|scope| {
            let _closing = gate.closing();
            for round in 0..100 {
                gate.open(round, 3);
                if round == 0 {
                    for _ in 0..3 {
                        scope.spawn(|| gate.follow(|task: u64| _ = sum.fetch_add(task, Ordering::Relaxed)));
                    }
                }
                assert!(gate.wait());
                assert_eq!(sum.load(Ordering::Relaxed), 3 * round * (round + 1) / 2);
            }
        });
    }

    #[test]
    fn a_lost_follower_is_noticed() {
        let gate = Gate::new();
        let lost = std::panic::catch_unwind(AssertUnwindSafe(|| {
            std::thread::scope(|scope| {
                let _closing = gate.closing();
                gate.open(7, 1);
                scope.spawn(|| gate.follow(|task| assert_eq!(task, 8, "on purpose")));
                assert!(!gate.wait());
            });
        }));
        assert!(lost.is_err());
    }
}
