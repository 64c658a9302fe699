//! The states that wait to be explored, in chunks.
//!
//! Each worker explores first what it found itself: that is still in its cache, and shares memory with what it found
//! besides, and with nothing that another worker has in hand. Only who has nothing left takes from others.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::fingerprint_set::Node;

/// The greatest number of states in a chunk.
pub(crate) const CHUNK: usize = 64;

/// A state in the frontier.
pub(crate) struct Waiting<S> {
    pub(crate) node: Node,
    /// What it was counted with when it was found: later it may share more or less with others.
    pub(crate) bytes: u32,
    pub(crate) state: S,
}

pub(crate) type Chunk<S> = Vec<Waiting<S>>;

/// See the module.
pub(crate) struct Frontier<S> {
    lanes: Box<[Lane<S>]>,
}

/// What one worker found. Lanes are kept apart, so that no two are in one line of a cache.
#[repr(align(128))]
struct Lane<S> {
    /// States of the present level.
    now: Mutex<VecDeque<Chunk<S>>>,
    /// States of the next level.
    next: Mutex<Vec<Chunk<S>>>,
}

impl<S> Frontier<S> {
    pub(crate) fn new(workers: usize) -> Self {
        let lane = |_| Lane { now: Mutex::default(), next: Mutex::default() };
        Frontier { lanes: (0..workers).map(lane).collect() }
    }

    /// A chunk for a worker, and whether another one found it.
    pub(crate) fn take(&self, worker: usize) -> Option<(Chunk<S>, bool)> {
        if let Some(chunk) = lock(&self.lanes[worker].now).pop_front() {
            return Some((chunk, false));
        }
        let others = self.lanes[worker + 1..].iter().chain(&self.lanes[..worker]);
        others.into_iter().find_map(|lane| lock(&lane.now).pop_back()).map(|chunk| (chunk, true))
    }

    /// Adds what a worker found to the next level.
    pub(crate) fn add(&self, worker: usize, chunks: &mut Vec<Chunk<S>>) {
        lock(&self.lanes[worker].next).append(chunks);
    }

    /// Makes the next level the present one. Gives the number of its states.
    pub(crate) fn advance(&self) -> usize {
        let count = |lane: &Lane<S>| lock(&lane.next).iter().map(Vec::len).sum::<usize>();
        let states = self.lanes.iter().map(count).sum::<usize>();
        // Small levels are cut smaller, so that each worker gets some.
        let size = (states / (self.lanes.len() * 8)).clamp(1, CHUNK);
        for lane in &self.lanes {
            let mut now = lock(&lane.now);
            for chunk in lock(&lane.next).drain(..) {
                if self.lanes.len() == 1 || chunk.len() <= size {
                    now.push_back(chunk);
                    continue;
                }
                let mut rest = chunk.into_iter();
                while rest.len() > 0 {
                    now.push_back(rest.by_ref().take(size).collect());
                }
            }
        }
        states
    }

    /// Whether no state of the present level is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.lanes.iter().all(|lane| lock(&lane.now).is_empty())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
