//! The states that wait to be explored, in chunks, in memory or on disk.
//!
//! Each worker explores first what it found itself: that is still in its cache, and shares memory with what it found
//! besides, and with nothing that another worker has in hand. Only who has nothing left takes from others.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::disk::files::File;
use crate::fingerprint_set::Node;
use crate::sync::lock;

/// The greatest number of states in a chunk.
pub(crate) const CHUNK: usize = 64;
/// In what unit the bytes of a state are counted.
const UNIT: usize = 16;

/// A state in the frontier.
pub(crate) struct Waiting<S> {
    /// Its number, as long as memory has not been emptied since it was found.
    pub(crate) node: Node,
    /// The size with which it was counted when it was found: later it may share more or less with others.
    units: u16,
    /// The kind of the action that led to it.
    pub(crate) kind: u16,
    pub(crate) state: S,
}

impl<S> Waiting<S> {
    pub(crate) fn new(node: Node, bytes: usize, kind: usize, state: S) -> Self {
        let units = u16::try_from(bytes / UNIT).unwrap_or(u16::MAX);
        Waiting { node, units, kind: u16::try_from(kind).unwrap_or(u16::MAX), state }
    }

    pub(crate) fn bytes(&self) -> usize {
        usize::from(self.units) * UNIT
    }
}

/// States that are taken together.
pub(crate) struct Chunk<'a, S> {
    /// How often memory had been emptied when they were found.
    pub(crate) epoch: u32,
    pub(crate) body: Body<'a, S>,
}

/// Where they are.
pub(crate) enum Body<'a, S> {
    Here(Vec<Waiting<S>>),
    Stored(Stored<'a>),
}

/// States on disk.
#[derive(Clone)]
pub(crate) struct Stored<'a> {
    pub(crate) file: Arc<File<'a>>,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    pub(crate) count: u32,
}

impl<S> Chunk<'_, S> {
    fn len(&self) -> usize {
        match &self.body {
            Body::Here(states) => states.len(),
            Body::Stored(stored) => stored.count as usize,
        }
    }
}

/// See the module.
pub(crate) struct Frontier<'a, S> {
    lanes: Box<[Lane<'a, S>]>,
}

/// The states that one worker found. Lanes are kept apart, so that no two are in one line of a cache.
#[repr(align(128))]
struct Lane<'a, S> {
    /// States of the present level.
    now: Mutex<VecDeque<Chunk<'a, S>>>,
    /// States of the next level.
    next: Mutex<Vec<Chunk<'a, S>>>,
}

impl<'a, S> Frontier<'a, S> {
    pub(crate) fn new(workers: usize) -> Self {
        let lane = |_| Lane { now: Mutex::default(), next: Mutex::default() };
        Frontier { lanes: (0..workers).map(lane).collect() }
    }

    /// A chunk for a worker, and whether another one found it.
    pub(crate) fn take(&self, worker: usize) -> Option<(Chunk<'a, S>, bool)> {
        if let Some(chunk) = lock(&self.lanes[worker].now).pop_front() {
            return Some((chunk, false));
        }
        let others = self.lanes[worker + 1..].iter().chain(&self.lanes[..worker]);
        others.into_iter().find_map(|lane| lock(&lane.now).pop_back()).map(|chunk| (chunk, true))
    }

    /// Gives back what a worker has not got round to.
    pub(crate) fn put_back(&self, worker: usize, chunk: Chunk<'a, S>) {
        lock(&self.lanes[worker].now).push_front(chunk);
    }

    /// Adds a chunk of a search that was saved.
    pub(crate) fn restore(&self, is_next: bool, chunk: Chunk<'a, S>) {
        if is_next {
            lock(&self.lanes[0].next).push(chunk);
        } else {
            lock(&self.lanes[0].now).push_back(chunk);
        }
    }

    /// Adds what a worker found to the next level.
    pub(crate) fn add(&self, worker: usize, chunks: &mut Vec<Chunk<'a, S>>) {
        lock(&self.lanes[worker].next).append(chunks);
    }

    /// Makes the next level the present one. Gives the number of its states.
    pub(crate) fn advance(&self) -> usize {
        let count = |lane: &Lane<'_, S>| lock(&lane.next).iter().map(Chunk::len).sum::<usize>();
        let states = self.lanes.iter().map(count).sum::<usize>();
        // Small levels are cut smaller, so that each worker gets some.
        let size = (states / (self.lanes.len() * 32)).clamp(1, CHUNK);
        for lane in &self.lanes {
            let mut now = lock(&lane.now);
            for Chunk { epoch, body } in lock(&lane.next).drain(..) {
                match body {
                    Body::Here(states) if self.lanes.len() > 1 && states.len() > size => {
                        let mut rest = states.into_iter();
                        while rest.len() > 0 {
                            let body = Body::Here(rest.by_ref().take(size).collect());
                            now.push_back(Chunk { epoch, body });
                        }
                    }
                    body => now.push_back(Chunk { epoch, body }),
                }
            }
        }
        states
    }

    /// Looks at every chunk, of the present level or of the next one, with the number of its worker.
    pub(crate) fn each<E>(
        &self,
        is_next: bool,
        mut look: impl FnMut(usize, &mut Chunk<'a, S>) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, lane) in self.lanes.iter().enumerate() {
            if is_next {
                lock(&lane.next).iter_mut().try_for_each(|chunk| look(number, chunk))?;
            } else {
                lock(&lane.now).iter_mut().try_for_each(|chunk| look(number, chunk))?;
            }
        }
        Ok(())
    }
}
