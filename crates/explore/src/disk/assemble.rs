//! Puts the state graph together from what is on disk: fingerprints with those of their predecessors, and what
//! workers recorded.
//!
//! The graph is the same as the one that is put together in memory, and states have the same numbers. That order, by
//! level, then predecessor, then fingerprint, is the order in which the tree of predecessors is gone through level by
//! level.
//!
//! Fingerprints, each with a few numbers, are in memory ([`BYTES_PER_STATE`]). Steps are not: they are read once in
//! the order in which they were recorded, and get numbers for fingerprints; on the way they are distributed by the
//! number of their state to so many files that the steps of each fit into memory, where they are put in order. That
//! takes less time than to sort them, and not much more memory than the search for components needs in any case.

use std::io::{Error, Result as IoResult};
use std::mem::replace;

use super::appender::Appender;
use super::files::{File, Files};
use super::graph::{DiskGraph, Index, STEP};
use super::logs::{LogFile, damaged};
use super::places::Places;
use super::runs::Runs;
use crate::graph::{Edge, Letter};
use crate::limits::Reason;
use crate::temporal::Interrupt;

/// The bytes that a state takes: its fingerprint, the directory of those, two links of the tree, and its place in the
/// order.
const BYTES_PER_STATE: usize = 9 + 4 + 4 + 4;
/// A state may have no greater number.
const MOST_STATES: u64 = 1 << 30;
/// The share of memory for the steps that are put in order together.
const SHARE_OF_STEPS: usize = 16;
/// Files that steps are distributed to at the most: a process may not have open as many as it likes.
const MOST_BUCKETS: usize = 128;
/// Bytes that are written together.
const BUFFER: usize = 1 << 18;
/// Bytes of a state before its steps, while they are distributed.
const HEAD: usize = 8;
/// Whether to go on is asked after so many states.
const STATES_BETWEEN_CHECKS: usize = 1 << 14;

/// The parts that the graph is put together from.
pub(crate) struct Parts<'p, 'a> {
    pub(crate) files: &'a Files<'a>,
    pub(crate) runs: &'p Runs<'a>,
    pub(crate) logs: Vec<Recorded<'a>>,
    pub(crate) letters: Vec<Letter>,
    /// The bytes that may be taken.
    pub(crate) bytes: usize,
    pub(crate) interrupt: Interrupt<'p>,
}

/// The records of one worker, and the numbers of its letters among all.
pub(crate) type Recorded<'a> = (LogFile<'a>, Vec<u32>);

/// Why there is no graph.
pub(crate) enum Stop {
    Limit(Reason),
    Disk(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Disk(error)
    }
}

impl From<Reason> for Stop {
    fn from(reason: Reason) -> Stop {
        Stop::Limit(reason)
    }
}

/// States in the order of their numbers, and how many of them are initial.
type Order = (Vec<u32>, usize);

impl<'a> Parts<'_, 'a> {
    pub(crate) fn assemble(mut self) -> Result<DiskGraph<'a>, Stop> {
        let states = self.runs.count();
        if states > MOST_STATES {
            return Err(Reason::Product.into());
        }
        let states = states as usize;
        if states * BYTES_PER_STATE > self.bytes {
            return Err(Reason::Memory.into());
        }
        let places = self.places(states)?;
        let (order, initial) = self.order(&places, states)?;
        let fingerprints = self.write_fingerprints(&places, &order)?;
        let mut number = vec![0_u32; states];
        for (rank, place) in (0..).zip(order) {
            number[place as usize] = rank;
        }
        let logs = std::mem::take(&mut self.logs);
        let buckets = self.distribute(logs, &places, &number)?;
        drop((places, number));
        let (first, steps) = self.write_steps(buckets, states)?;
        let trouble = std::sync::Mutex::default();
        Ok(DiskGraph { initial: initial as u32, letters: self.letters, first, steps, fingerprints, trouble })
    }

    /// Now and then, whether to go on.
    fn go_on(&self, done: usize) -> Result<(), Stop> {
        if done.is_multiple_of(STATES_BETWEEN_CHECKS)
            && let Some(reason) = (self.interrupt)()
        {
            return Err(reason.into());
        }
        Ok(())
    }

    fn places(&self, states: usize) -> Result<Places, Stop> {
        let mut fingerprints = Vec::with_capacity(states);
        for pair in self.runs.all() {
            let (fingerprint, _) = pair?;
            fingerprints.push(fingerprint);
            self.go_on(fingerprints.len())?;
        }
        Ok(Places::new(fingerprints).ok_or_else(damaged)?)
    }

    /// The states in the order of their numbers.
    fn order(&self, places: &Places, states: usize) -> Result<Order, Stop> {
        // One more than the last state that was found from each, and the one before it that was found from the same
        // one.
        let mut last = vec![0_u32; states];
        let mut before = vec![0_u32; states];
        let mut order: Vec<u32> = Vec::with_capacity(states);
        let place = |fingerprint: u64| places.find(fingerprint).ok_or_else(damaged);
        for (done, pair) in self.runs.all().enumerate() {
            self.go_on(done)?;
            let (fingerprint, parent) = pair?;
            let own = place(fingerprint)?;
            if fingerprint == parent {
                order.push(own);
            } else {
                before[own as usize] = replace(&mut last[place(parent)? as usize], own + 1);
            }
        }
        order.sort_unstable_by_key(|&place| places.fingerprint(place));
        let initial = order.len();
        let mut done = 0;
        while let Some(&from) = order.get(done) {
            done += 1;
            self.go_on(done)?;
            let begin = order.len();
            let mut next = last[from as usize];
            while let Some(place) = next.checked_sub(1) {
                order.push(place);
                next = before[place as usize];
            }
            order[begin..].sort_unstable_by_key(|&place| places.fingerprint(place));
        }
        // A state that is not there was not found from an initial one.
        if order.len() == states { Ok((order, initial)) } else { Err(damaged().into()) }
    }

    fn write_fingerprints(&self, places: &Places, order: &[u32]) -> Result<File<'a>, Stop> {
        let mut file = Appender::new(self.files, BUFFER);
        for (done, &place) in order.iter().enumerate() {
            self.go_on(done)?;
            file.append(|bytes| bytes.extend_from_slice(&places.fingerprint(place).to_le_bytes()))?;
        }
        Ok(file.finish()?)
    }

    /// Distributes what was recorded, now with numbers of states and of letters, to files by the number of the state.
    /// Logs go when they were read.
    fn distribute(
        &self,
        logs: Vec<Recorded<'a>>,
        places: &Places,
        number: &[u32],
    ) -> Result<Buckets<'a>, Stop> {
        let steps: u64 = logs.iter().map(|(log, _)| log.steps()).sum();
        let mut buckets = Buckets::new(self.files, number.len(), steps, self.bytes);
        let state = |fingerprint: u64| {
            places.find(fingerprint).map(|place| number[place as usize]).ok_or_else(damaged)
        };
        let mut edges: Vec<Edge> = Vec::new();
        let mut done = 0;
        for (log, letters) in logs {
            let letter = |letter: u32| letters.get(letter as usize).copied().ok_or_else(damaged);
            let mut records = log.records();
            while let Some(record) = records.next()? {
                done += 1;
                self.go_on(done)?;
                let own = state(record.fingerprint)?;
                edges.clear();
                for &(to, by) in record.steps {
                    edges.push(Edge { to: state(to)?, letter: letter(by)? });
                }
                edges.sort_unstable();
                edges.push(Edge { to: own, letter: letter(record.stutter)? });
                buckets.add(own, &edges)?;
            }
        }
        Ok(buckets)
    }

    /// Writes the steps of all states in order.
    fn write_steps(&self, buckets: Buckets<'a>, states: usize) -> Result<(Index, File<'a>), Stop> {
        let mut first = Index::with_capacity(states + 1);
        let mut file = Appender::new(self.files, BUFFER);
        let width = buckets.width;
        for (begin, bucket) in (0..states).step_by(width).zip(buckets.all) {
            // What is read is held beside where each state is in it.
            if bucket.bytes() as usize + width * size_of::<usize>() > self.bytes / 2 {
                return Err(Reason::Memory.into());
            }
            let bytes = bucket.read()?;
            let end = (begin + width).min(states);
            for (done, at) in where_each_is(&bytes, begin, end)?.into_iter().enumerate() {
                self.go_on(done)?;
                first.push(file.bytes() / STEP as u64);
                let count = half(&bytes, at + 4)? as usize;
                let steps = bytes.get(at + HEAD..at + HEAD + count * STEP).ok_or_else(damaged)?;
                file.append(|bytes| bytes.extend_from_slice(steps))?;
            }
        }
        if first.len() != states {
            return Err(damaged().into());
        }
        first.push(file.bytes() / STEP as u64);
        Ok((first, file.finish()?))
    }
}

/// Steps on their way to where they belong.
struct Buckets<'a> {
    all: Vec<Appender<'a>>,
    /// How many states belong to each.
    width: usize,
}

impl<'a> Buckets<'a> {
    fn new(files: &'a Files<'a>, states: usize, steps: u64, bytes: usize) -> Self {
        let total = steps as usize * STEP + states * (STEP + HEAD);
        let most = bytes / SHARE_OF_STEPS;
        let count = total.div_ceil(most.max(1)).clamp(1, MOST_BUCKETS);
        let width = states.div_ceil(count).max(1);
        let room = (most / count).clamp(1 << 12, BUFFER);
        let all = (0..states.div_ceil(width)).map(|_| Appender::new(files, room)).collect();
        Buckets { all, width }
    }

    /// Adds the steps of a state, the stuttering one among them.
    fn add(&mut self, state: u32, edges: &[Edge]) -> IoResult<()> {
        let bucket = self.all.get_mut(state as usize / self.width).ok_or_else(damaged)?;
        bucket.append(|bytes| {
            bytes.extend_from_slice(&state.to_le_bytes());
            bytes.extend_from_slice(&(edges.len() as u32).to_le_bytes());
            for edge in edges {
                bytes.extend_from_slice(&edge.to.to_le_bytes());
                bytes.extend_from_slice(&edge.letter.to_le_bytes());
            }
        })
    }
}

/// Where in a bucket each of its states is. Each must be there once: else something was not explored, and nothing
/// holds.
fn where_each_is(bytes: &[u8], begin: usize, end: usize) -> IoResult<Vec<usize>> {
    let mut places = vec![usize::MAX; end - begin];
    let mut at = 0;
    while at < bytes.len() {
        let state = half(bytes, at)? as usize;
        let place = state.checked_sub(begin).and_then(|state| places.get_mut(state)).ok_or_else(damaged)?;
        if replace(place, at) != usize::MAX {
            return Err(damaged());
        }
        at += HEAD + half(bytes, at + 4)? as usize * STEP;
    }
    if places.contains(&usize::MAX) { Err(damaged()) } else { Ok(places) }
}

fn half(bytes: &[u8], at: usize) -> IoResult<u32> {
    let half = bytes.get(at..).and_then(|bytes| bytes.first_chunk()).ok_or_else(damaged)?;
    Ok(u32::from_le_bytes(*half))
}
