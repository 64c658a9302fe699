//! Making room: what a search does when memory is full and there is a disk.
//!
//! Memory is emptied between two states: all workers pause, fingerprints go to runs on disk ([`Runs`]), and the set
//! begins anew with an *epoch* of its own. From then on a state that is not in memory may still be known. It is put
//! into the next level as if it were new. Before that level is explored, or memory is emptied again, all of them are
//! looked up at once: those that are known are *repeats*, and are passed over when their turn comes. A state that is
//! explored is put into memory again, so that those found again soon are known at once.
//!
//! An invariant is checked of each state that seems new. If a repeat had violated it, the search would have ended
//! before; with more than one violation wanted, those of repeats are taken back.

use std::io::Result as IoResult;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use rustc_hash::FxHashSet;

use super::{Course, Hand, REASONS, Search, Tally};
use crate::disk::files::Files;
use crate::disk::runs::{Pair, Runs};
use crate::fingerprint_set::{Inserter, KNOWN, Kept, Node, Room};
use crate::frontier::{Body, Chunk, Stored, Waiting};
use crate::limits::Reason;
use crate::model::{Explorable, Reduction};
use crate::options::{Disk, Options};
use crate::sync::lock;

/// The share of memory that fingerprints may take before they go to disk. To sort them takes up to half as much again.
const SHARE_OF_SET: (usize, usize) = (5, 16);
/// The share of memory that waiting states may take.
const SHARE_OF_QUEUE: usize = 8;
/// Memory is emptied only if fingerprints take at least this share of it: else something else takes it.
const WORTH_EMPTYING: usize = 32;

/// See the module.
pub(super) struct Spill<'a> {
    pub(super) files: &'a Files<'a>,
    pub(super) disk: Disk<'a>,
    /// Bytes that waiting states may take.
    queue_bytes: usize,
    /// How often memory was emptied.
    pub(super) epoch: AtomicU32,
    /// Nodes below this are known to be new: what was found later may be known.
    settled: AtomicU32,
    pub(super) is_wanted: AtomicBool,
    /// Why the search is to be saved and ended.
    pub(super) pausing: AtomicU8,
    pub(super) runs: Mutex<Runs<'a>>,
    pub(super) repeats: Mutex<Repeats>,
    trouble: Mutex<Option<String>>,
    pub(super) last_saved: Mutex<Instant>,
    pub(super) is_saved: AtomicBool,
}

/// States that were put into a level though they are not new: when they were found, and their fingerprint.
pub(super) type Repeated = FxHashSet<(u32, u64)>;

#[derive(Default)]
pub(super) struct Repeats {
    /// Those of the level that is being explored.
    pub(super) now: Arc<Repeated>,
    /// Those of the level that is being found.
    pub(super) next: Repeated,
}

/// The files that a search with these options has.
pub(super) fn files<'a>(options: &Options<'a>) -> Option<Files<'a>> {
    let disk = options.disk?;
    Some(Files::new(disk.storage, disk.save_every.is_some()))
}

/// The bytes that a search may take: what the process holds before it begins is not its own. At least half of the
/// limit.
pub(super) fn bytes(options: &Options<'_>) -> Option<usize> {
    let limit = options.limits.bytes?;
    Some(limit.saturating_sub(options.limits.in_use()).max(limit / 2))
}

/// How much the set of a search that may take so many bytes should hold before it is emptied.
pub(super) fn room(options: &Options<'_>, bytes: Option<usize>) -> Option<Room> {
    let disk = options.disk?;
    let (part, whole) = SHARE_OF_SET;
    let bytes = bytes.map_or(usize::MAX, |bytes| bytes / whole * part);
    Some(Room { bytes, states: disk.states.unwrap_or(u32::MAX) })
}

impl<'a> Spill<'a> {
    pub(super) fn new<M: Explorable>(
        model: &M,
        options: &Options<'a>,
        files: &'a Files<'a>,
        bytes: Option<usize>,
    ) -> Option<Self> {
        Some(Spill {
            files,
            disk: options.disk?,
            queue_bytes: bytes.map_or(usize::MAX, |bytes| bytes / SHARE_OF_QUEUE),
            epoch: AtomicU32::new(0),
            settled: AtomicU32::new(0),
            is_wanted: AtomicBool::new(false),
            pausing: AtomicU8::new(0),
            runs: Mutex::new(Runs::new(files, model.reduction() != Reduction::View)),
            repeats: Mutex::default(),
            trouble: Mutex::default(),
            last_saved: Mutex::new(Instant::now()),
            is_saved: AtomicBool::new(false),
        })
    }

    /// Wants memory emptied soon.
    pub(super) fn want(&self) {
        self.is_wanted.store(true, Ordering::Relaxed);
    }

    /// Has the search saved and ended, if it is to be saved.
    pub(super) fn pause(&self, reason: Reason) -> bool {
        if self.disk.save_every.is_none() {
            return false;
        }
        let code = REASONS.iter().position(|&other| other == reason).map_or(0, |index| index + 1);
        let _ = self.pausing.compare_exchange(0, code as u8, Ordering::Relaxed, Ordering::Relaxed);
        self.want();
        true
    }

    fn is_to_be_saved(&self) -> bool {
        self.disk.save_every.is_some_and(|every| {
            self.pausing.load(Ordering::Relaxed) != 0 || lock(&self.last_saved).elapsed() >= every
        })
    }

    pub(super) fn has_trouble(&self) -> bool {
        lock(&self.trouble).is_some()
    }

    pub(super) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).take()
    }

    pub(super) fn epoch(&self) -> u32 {
        self.epoch.load(Ordering::Relaxed)
    }

    pub(super) fn is_saved(&self) -> bool {
        self.is_saved.load(Ordering::Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        let repeats = lock(&self.repeats);
        (repeats.now.capacity() + repeats.next.capacity()) * size_of::<(u32, u64)>()
    }
}

/// The end of the file that a worker writes states to.
pub(super) struct Tail<'a> {
    last: Stored<'a>,
    buffer: Vec<u8>,
}

impl<'a, M: Explorable> Search<'a, M> {
    /// Whether workers should pause.
    #[inline]
    pub(super) fn is_pausing(&self) -> bool {
        self.set.is_full() || self.spill.as_ref().is_some_and(|spill| spill.is_wanted.load(Ordering::Relaxed))
    }

    /// How often memory was emptied.
    #[inline]
    pub(super) fn epoch(&self) -> u32 {
        self.spill.as_ref().map_or(0, Spill::epoch)
    }

    /// Whether some states are not in memory.
    #[inline]
    pub(super) fn is_spilled(&self) -> bool {
        self.epoch() > 0
    }

    /// The bytes that the process should hold at the most: with a disk a little less than it may, since to make room
    /// takes some.
    pub(super) fn process_bytes(&self, limit: usize) -> usize {
        if self.spill.is_some() { limit - limit / 8 } else { limit }
    }

    /// Whether to empty memory, now that there is too much in it. If not, nothing can be done.
    pub(super) fn can_make_room(&self, limit: usize) -> bool {
        self.spill.is_some() && self.set.end() as usize > limit / WORTH_EMPTYING / size_of::<Pair>()
    }

    /// Whether to write what was recorded for temporal properties to disk, now that there is too much in memory.
    pub(super) fn are_logs_large(&self, limit: usize) -> bool {
        self.counts.graph_bytes.load(Ordering::Relaxed) > limit / WORTH_EMPTYING
    }

    /// The repeats of the level that is being explored.
    pub(super) fn repeats(&self) -> Option<Arc<Repeated>> {
        let repeats = Arc::clone(&lock(&self.spill.as_ref()?.repeats).now);
        (!repeats.is_empty()).then_some(repeats)
    }

    /// The node of a state that is explored, which may have gone to disk since it was found.
    pub(super) fn node_again(
        &self,
        inserter: &mut Inserter<'_>,
        fingerprint: u64,
    ) -> Result<Node, crate::fingerprint_set::Exhausted> {
        let (Kept { node, .. }, is_new) = inserter.insert(fingerprint, KNOWN)?;
        if let Some(spill) = &self.spill
            && !is_new
            && node >= spill.settled.load(Ordering::Relaxed)
            && self.set.make_known(node)
        {
            // It was found again before it was explored, and taken for new.
            self.repeat(spill, [fingerprint]);
        }
        Ok(node)
    }

    fn repeat(&self, spill: &Spill<'a>, fingerprints: impl IntoIterator<Item = u64>) {
        let epoch = spill.epoch();
        let mut repeats = lock(&spill.repeats);
        let before = repeats.next.len();
        repeats.next.extend(fingerprints.into_iter().map(|fingerprint| (epoch, fingerprint)));
        let count = (repeats.next.len() - before) as u64;
        self.counts.repeated.fetch_add(count, Ordering::Relaxed);
    }

    /// Makes room, with all workers at rest. If that can be had by writing what was recorded, only that goes to disk.
    /// Gives whether memory was emptied.
    pub(super) fn make_room(&self, course: &Course) -> bool {
        let Some(spill) = &self.spill else { return false };
        let limit = self.options.limits.bytes.unwrap_or(usize::MAX);
        let is_enough = self.are_logs_large(limit) && !self.set.is_full() && !spill.is_to_be_saved();
        let written = self.write_logs(spill);
        let is_written = written.is_ok();
        self.judge(spill, written);
        if !is_written || is_enough && self.bytes() <= limit {
            spill.is_wanted.store(false, Ordering::Relaxed);
            return false;
        }
        self.empty_memory(spill, course);
        true
    }

    /// Empties memory; saves the search if it is time to.
    fn empty_memory(&self, spill: &Spill<'a>, course: &Course) {
        spill.is_wanted.store(false, Ordering::Relaxed);
        let done = self.empty(spill).and_then(|()| {
            if spill.is_to_be_saved() && lock(&self.found).is_empty() {
                self.save(spill, course)
            } else {
                Ok(())
            }
        });
        self.judge(spill, done);
        let pausing = spill.pausing.load(Ordering::Relaxed) as usize;
        if let Some(index) = pausing.checked_sub(1) {
            self.halt(Some(REASONS[index]));
        }
        self.check_states();
    }

    pub(super) fn judge(&self, spill: &Spill<'a>, done: IoResult<()>) {
        if let Err(error) = done {
            lock(&spill.trouble).get_or_insert_with(|| error.to_string());
            self.halt(Some(Reason::Disk));
        }
    }

    /// The fingerprint of a node and that of its predecessor: its own if it has none.
    fn pair(&self, node: Node) -> Pair {
        let fingerprint = self.set.fingerprint(node);
        (fingerprint, self.set.parent(node).map_or(fingerprint, |parent| self.set.fingerprint(parent)))
    }

    fn pairs(&self, nodes: std::ops::Range<Node>) -> Vec<Pair> {
        let is_here = |node: &Node| self.set.is_used(*node) && !self.set.is_known(*node);
        let mut pairs: Vec<Pair> = nodes.filter(is_here).map(|node| self.pair(node)).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Finds out which of the states that seem new are known.
    fn settle(&self, spill: &Spill<'a>) -> IoResult<()> {
        let runs = lock(&spill.runs);
        let from = spill.settled.load(Ordering::Relaxed);
        spill.settled.store(self.set.end(), Ordering::Relaxed);
        if runs.is_empty() {
            return Ok(());
        }
        let pairs = self.pairs(from..self.set.end());
        let mut known = Vec::new();
        runs.find_all(&pairs, |place| known.push(pairs[place].0))?;
        for &fingerprint in &known {
            if let Some(node) = self.set.find(fingerprint) {
                self.set.make_known(node);
            }
        }
        self.repeat(spill, known);
        // What is left is certain.
        let (epoch, repeats) = (spill.epoch(), lock(&spill.repeats));
        let mut found = lock(&self.found);
        found.retain(|candidate| candidate.about.is_none_or(|about| !repeats.next.contains(&(epoch, about))));
        found.iter_mut().for_each(|candidate| candidate.about = None);
        Ok(())
    }

    /// Writes all fingerprints in memory to disk.
    pub(super) fn empty(&self, spill: &Spill<'a>) -> IoResult<()> {
        let from = spill.settled.load(Ordering::Relaxed);
        self.settle(spill)?;
        lock(&spill.runs).add(&self.pairs(0..from), &self.pairs(from..self.set.end()))?;
        self.set.clear();
        // To sort them took memory that is of no use before the next time.
        self.options.limits.in_use();
        spill.settled.store(0, Ordering::Relaxed);
        spill.epoch.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Settles which states of the next level are new. Gives the number of those that are not.
    pub(super) fn settle_level(&self) -> u64 {
        let Some(spill) = &self.spill else { return 0 };
        let settled = self.settle(spill).and_then(|()| lock(&spill.runs).end_level());
        self.judge(spill, settled);
        let mut repeats = lock(&spill.repeats);
        let mut next = std::mem::take(&mut repeats.next);
        let count = next.len() as u64;
        if self.halted.load(Ordering::Relaxed) {
            // The level was not finished.
            next.extend(repeats.now.iter());
        }
        repeats.now = Arc::new(next);
        count
    }

    /// At the end: counts become exact.
    pub(super) fn conclude(&self, leader: &mut Hand<'a, M>) {
        let Some(spill) = &self.spill else { return };
        if self.is_spilled() {
            let done = self.settle(spill).and_then(|()| self.take_back(spill, leader));
            self.judge(spill, done);
        }
    }

    /// Repeats that were not passed over yet were counted as found by an action.
    fn take_back(&self, spill: &Spill<'a>, hand: &mut Hand<'a, M>) -> IoResult<()> {
        if hand.tally.coverage.is_empty() {
            return Ok(());
        }
        let repeats = lock(&spill.repeats);
        for (is_next, repeats) in [(false, &*repeats.now), (true, &repeats.next)] {
            if repeats.is_empty() {
                continue;
            }
            self.frontier.each(is_next, |_, chunk| {
                let (states, is_copy) = match &mut chunk.body {
                    Body::Here(states) => (std::mem::take(states), false),
                    Body::Stored(stored) => (self.load(&mut hand.worker, stored)?, true),
                };
                for waiting in &states {
                    let fingerprint = self.model.fingerprint(&mut hand.worker, &waiting.state);
                    if fingerprint.is_ok_and(|fingerprint| repeats.contains(&(chunk.epoch, fingerprint))) {
                        hand.tally.pass_over(waiting);
                    }
                }
                if !is_copy {
                    chunk.body = Body::Here(states);
                }
                Ok::<(), std::io::Error>(())
            })?;
        }
        Ok(())
    }

    /// The fingerprints from an initial state to that with this one, some of which are on disk.
    pub(super) fn path_on_disk(&self, fingerprint: u64) -> Vec<u64> {
        let Some(spill) = &self.spill else { return Vec::new() };
        let runs = lock(&spill.runs);
        let parent = |fingerprint: u64| match self.set.find(fingerprint) {
            Some(node) if !self.set.is_known(node) => Ok(Some(self.pair(node).1)),
            _ => runs.parent(fingerprint),
        };
        let mut path = vec![fingerprint];
        while let Some(&last) = path.last() {
            match parent(last) {
                Ok(Some(parent)) if parent != last => path.push(parent),
                Ok(Some(_)) => break,
                Ok(None) | Err(_) => {
                    lock(&spill.trouble)
                        .get_or_insert_with(|| "a predecessor cannot be read back".to_owned());
                    break;
                }
            }
        }
        path.reverse();
        path
    }

    /// The probability of a collision, as for a set in memory, but by fingerprints as they are: that is how they are
    /// sorted here.
    pub(super) fn closest_on_disk(&self) -> Option<f64> {
        let spill = self.spill.as_ref()?;
        self.empty(spill).ok()?;
        let closest = lock(&spill.runs).closest().ok()?;
        Some(closest.map_or(0.0, |distance| 1.0 / distance as f64))
    }

    /// Whether states that are found should go to disk, to be explored later.
    pub(super) fn is_queue_full(&self, tally: &Tally<'a, M>) -> bool {
        self.spill.as_ref().is_some_and(|spill| {
            let all = self.counts.frontier_bytes.load(Ordering::Relaxed);
            all.wrapping_add(tally.next_bytes) > spill.queue_bytes
        })
    }

    /// Writes a chunk to disk, if it can be written; gives the bytes that are free then.
    pub(super) fn store(
        &self,
        tail: &mut Option<Tail<'a>>,
        chunk: &mut Chunk<'a, M::State>,
    ) -> IoResult<usize> {
        let (Some(spill), Body::Here(states)) = (&self.spill, &chunk.body) else { return Ok(0) };
        if tail.is_none() {
            let file = Arc::new(spill.files.create()?);
            *tail = Some(Tail { last: Stored { file, offset: 0, bytes: 0, count: 0 }, buffer: Vec::new() });
        }
        let Some(Tail { last, buffer }) = tail else { return Ok(0) };
        buffer.clear();
        for waiting in states {
            let at = buffer.len();
            buffer.extend_from_slice(&[0; 4]);
            buffer.extend_from_slice(&waiting.kind.to_le_bytes());
            if !self.model.store(&waiting.state, buffer) {
                return Ok(0);
            }
            let Ok(length) = u32::try_from(buffer.len() - at - 4) else { return Ok(0) };
            buffer[at..at + 4].copy_from_slice(&length.to_le_bytes());
        }
        let Ok(bytes) = u32::try_from(buffer.len()) else { return Ok(0) };
        let offset = last.offset + u64::from(last.bytes);
        last.file.write_at(offset, buffer)?;
        *last = Stored { file: Arc::clone(&last.file), offset, bytes, count: states.len() as u32 };
        let free = states.iter().map(Waiting::bytes).sum();
        chunk.body = Body::Stored(last.clone());
        Ok(free)
    }

    /// Stores the last chunk that a worker found.
    pub(super) fn store_last(&self, tally: &mut Tally<'a, M>) {
        let mut tail = tally.tail.take();
        if let (Some(chunk), Some(spill)) = (tally.next.last_mut(), &self.spill) {
            match self.store(&mut tail, chunk) {
                // What it took may have been counted among all already: then this is less than nothing.
                Ok(free) => tally.next_bytes = tally.next_bytes.wrapping_sub(free),
                Err(error) => self.judge(spill, Err(error)),
            }
        }
        tally.tail = tail;
    }

    /// The states of a chunk.
    pub(super) fn states(
        &self,
        worker: &mut M::Worker,
        body: Body<'a, M::State>,
    ) -> (Vec<Waiting<M::State>>, bool) {
        match body {
            Body::Here(states) => (states, false),
            Body::Stored(stored) => match self.load(worker, &stored) {
                Ok(states) => (states, true),
                Err(error) => {
                    if let Some(spill) = &self.spill {
                        self.judge(spill, Err(error));
                    }
                    (Vec::new(), true)
                }
            },
        }
    }

    fn load(&self, worker: &mut M::Worker, stored: &Stored<'a>) -> IoResult<Vec<Waiting<M::State>>> {
        let mut bytes = vec![0; stored.bytes as usize];
        stored.file.read_at(stored.offset, &mut bytes)?;
        let mut rest = bytes.as_slice();
        let mut states = Vec::with_capacity(stored.count as usize);
        let mut next = || {
            let (length, more) = rest.split_first_chunk::<4>()?;
            let (record, more) = more.split_at_checked(u32::from_le_bytes(*length) as usize)?;
            rest = more;
            let (kind, state) = record.split_first_chunk::<2>()?;
            let state = self.model.restore(worker, state)?;
            Some(Waiting::new(0, 0, usize::from(u16::from_le_bytes(*kind)), state))
        };
        for _ in 0..stored.count {
            let damaged = || std::io::Error::other("states that were written cannot be read back");
            states.push(next().ok_or_else(damaged)?);
        }
        Ok(states)
    }
}
