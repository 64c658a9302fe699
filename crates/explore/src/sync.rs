//! Locks that outlive a worker that was lost, since what it held is changed in single steps and still consistent; and
//! work that is shared out among threads; and what is kept apart for them.

use std::ops::Deref;
use std::panic::resume_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shares parts of some work out among so many threads, of which this one is the first. Gives the results in the
/// order of the parts.
pub(crate) fn share<P: Send, T: Send>(parts: Vec<P>, workers: usize, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    let workers = workers.min(parts.len());
    if workers <= 1 {
        return parts.into_iter().map(work).collect();
    }
    let waiting = Mutex::new(parts.into_iter().enumerate());
    let some = || {
        let mut done = Vec::new();
        loop {
            // Nobody holds on to the others while working.
            let Some((place, part)) = lock(&waiting).next() else { return done };
            done.push((place, work(part)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(some)).collect();
        let mut done = some();
        for other in others {
            done.extend(other.join().unwrap_or_else(|lost| resume_unwind(lost)));
        }
        done
    });
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A value that several threads write to often, in lines of the cache that have nothing else: a thread that only reads
/// what would be beside it need not wait for it. (Processors fetch two lines of 64 bytes at a time.)
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
