//! A state graph on disk: the same as [`crate::graph::Graph`], with the steps and fingerprints in files.
//!
//! The steps of all states are one list in the order of the states, where the stuttering step of each comes last. In
//! memory is only where those of each state begin: four bytes for a state.

use std::io::Result;
use std::ops::Range;
use std::sync::Mutex;

use super::files::File;
use super::logs::damaged;
use crate::graph::{Edge, Letter};
use crate::limits::Reason;
use crate::sync::lock;
use crate::temporal::{Out, Reader, Source};

/// Steps that are read together.
const BLOCK: usize = if cfg!(test) { 16 } else { 512 };
/// Bytes of a step.
pub(crate) const STEP: usize = 8;

/// See the module.
pub(crate) struct DiskGraph<'a> {
    pub(crate) initial: u32,
    pub(crate) letters: Vec<Letter>,
    /// Where the steps of each state begin; one more at the end.
    pub(crate) first: Index,
    pub(crate) steps: File<'a>,
    pub(crate) fingerprints: File<'a>,
    /// The fault of the files, if one was met.
    pub(crate) trouble: Mutex<Option<String>>,
}

/// Large numbers that grow, most of them by little: only the lower halves are kept, and where the upper ones change.
#[derive(Default)]
pub(crate) struct Index {
    low: Vec<u32>,
    changes: Vec<u32>,
}

impl Index {
    pub(crate) fn with_capacity(count: usize) -> Index {
        Index { low: Vec::with_capacity(count), changes: Vec::new() }
    }

    pub(crate) fn push(&mut self, number: u64) {
        while (self.changes.len() as u64) < number >> 32 {
            self.changes.push(self.low.len() as u32);
        }
        self.low.push(number as u32);
    }

    pub(crate) fn len(&self) -> usize {
        self.low.len()
    }

    #[inline]
    fn get(&self, place: u32) -> u64 {
        let high = self.changes.partition_point(|&change| change <= place) as u64;
        high << 32 | u64::from(self.low[place as usize])
    }
}

impl DiskGraph<'_> {
    /// The steps of a state, as places in the list.
    #[inline]
    fn range(&self, state: u32) -> Range<u64> {
        self.first.get(state)..self.first.get(state + 1)
    }

    fn list_length(&self) -> u64 {
        self.first.get(self.first.len() as u32 - 1)
    }

    pub(crate) fn transitions(&self) -> u64 {
        self.list_length() - self.states() as u64
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.first.len() * size_of::<u32>()
    }

    /// Returns the fault of the files, if one was met.
    pub(crate) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).take()
    }

    fn fail(&self, error: &std::io::Error) -> Reason {
        lock(&self.trouble).get_or_insert_with(|| error.to_string());
        Reason::Disk
    }

    fn read_fingerprint(&self, state: u32) -> Result<u64> {
        let mut word = [0; 8];
        self.fingerprints.read_at(u64::from(state) * 8, &mut word)?;
        Ok(u64::from_le_bytes(word))
    }
}

impl<'a> Source for DiskGraph<'a> {
    type Reader<'s>
        = Cache<'s, 'a>
    where
        Self: 's;

    /// Each thread would have a cache of its own, with less room.
    const IS_SHARED: bool = false;

    fn states(&self) -> usize {
        self.first.len() - 1
    }

    fn initial(&self) -> Range<u32> {
        0..self.initial
    }

    fn letters(&self) -> &[Letter] {
        &self.letters
    }

    fn fingerprint(&self, state: u32) -> std::result::Result<u64, Reason> {
        self.read_fingerprint(state).map_err(|error| self.fail(&error))
    }

    fn reader(&self, bytes: usize) -> Cache<'_, 'a> {
        let blocks = self.list_length().div_ceil(BLOCK as u64) as usize;
        let most = (bytes / (BLOCK * size_of::<Edge>())).clamp(2, blocks.max(2));
        Cache {
            graph: self,
            slot_of: vec![0; blocks],
            slots: Vec::new(),
            most,
            hand: 0,
            bytes: Vec::new(),
            pieces: Vec::new(),
        }
    }
}

/// One thread's access: some blocks of the list, of which those are given up that were not asked for lately.
pub(crate) struct Cache<'s, 'a> {
    graph: &'s DiskGraph<'a>,
    /// One more than the slot of each block, or none.
    slot_of: Vec<u32>,
    slots: Vec<Slot>,
    most: usize,
    /// The slot that is looked at next when one is to be given up.
    hand: usize,
    bytes: Vec<u8>,
    /// The steps of a state that are in more than one block.
    pieces: Vec<Edge>,
}

struct Slot {
    block: u32,
    was_asked: bool,
    edges: Vec<Edge>,
}

impl Cache<'_, '_> {
    /// The slot of a block.
    #[inline]
    fn slot(&mut self, block: u64) -> Result<usize> {
        let slot = self.slot_of.get(block as usize).copied().ok_or_else(damaged)?;
        match (slot as usize).checked_sub(1) {
            Some(slot) => {
                self.slots[slot].was_asked = true;
                Ok(slot)
            }
            None => self.load(block as u32),
        }
    }

    #[cold]
    fn load(&mut self, block: u32) -> Result<usize> {
        let begin = u64::from(block) * BLOCK as u64;
        let count = (self.graph.list_length() - begin).min(BLOCK as u64) as usize;
        self.bytes.resize(count * STEP, 0);
        self.graph.steps.read_at(begin * STEP as u64, &mut self.bytes)?;
        let slot = self.free();
        let Slot { block: own, was_asked, edges } = &mut self.slots[slot];
        edges.clear();
        edges.extend(self.bytes.chunks_exact(STEP).map(edge));
        let (states, letters) = (self.graph.states(), self.graph.letters.len());
        if edges.iter().any(|edge| edge.to as usize >= states || edge.letter as usize >= letters) {
            return Err(damaged());
        }
        (*own, *was_asked) = (block, true);
        self.slot_of[block as usize] = slot as u32 + 1;
        Ok(slot)
    }

    /// A slot that holds nothing.
    fn free(&mut self) -> usize {
        if self.slots.len() < self.most {
            self.slots.push(Slot { block: 0, was_asked: false, edges: Vec::with_capacity(BLOCK) });
            return self.slots.len() - 1;
        }
        while std::mem::take(&mut self.slots[self.hand].was_asked) {
            self.hand = (self.hand + 1) % self.slots.len();
        }
        let slot = self.hand;
        self.hand = (slot + 1) % self.slots.len();
        self.slot_of[self.slots[slot].block as usize] = 0;
        slot
    }

    /// The steps at places that may be in several blocks.
    #[cold]
    fn gather(&mut self, Range { mut start, end }: Range<u64>) -> Result<()> {
        self.pieces.clear();
        while start < end {
            let slot = self.slot(start / BLOCK as u64)?;
            let from = (start % BLOCK as u64) as usize;
            let to = BLOCK.min(from + (end - start) as usize);
            self.pieces.extend_from_slice(self.slots[slot].edges.get(from..to).ok_or_else(damaged)?);
            start += (to - from) as u64;
        }
        Ok(())
    }

    #[inline]
    fn list(&mut self, state: u32) -> Result<&[Edge]> {
        let range = self.graph.range(state);
        let from = (range.start % BLOCK as u64) as usize;
        let to = from + (range.end - range.start) as usize;
        if to <= BLOCK {
            let slot = self.slot(range.start / BLOCK as u64)?;
            self.slots[slot].edges.get(from..to).ok_or_else(damaged)
        } else {
            self.gather(range)?;
            Ok(&self.pieces)
        }
    }
}

impl Reader for Cache<'_, '_> {
    #[inline]
    fn steps(&mut self, state: u32) -> std::result::Result<Out<'_>, Reason> {
        let graph = self.graph;
        let list = self.list(state).map_err(|error| graph.fail(&error))?;
        let (stutter, steps) = list.split_last().ok_or_else(|| graph.fail(&damaged()))?;
        Ok(Out { steps, stutter: *stutter })
    }

    fn bytes(&self) -> usize {
        self.most * (BLOCK * size_of::<Edge>() + size_of::<Slot>()) + self.slot_of.len() * size_of::<u32>()
    }
}

fn edge(bytes: &[u8]) -> Edge {
    let half = |from: usize| {
        bytes[from..].first_chunk().map_or(u32::MAX, |half: &[u8; 4]| u32::from_le_bytes(*half))
    };
    Edge { to: half(0), letter: half(4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    use super::super::appender::Appender;
    use super::super::files::Files;
    use crate::storage::{Heap, Storage};

    /// A graph of so many states with up to 40 steps each, and those steps.
    fn graph<'a>(files: &'a Files<'a>, states: u32) -> (DiskGraph<'a>, Vec<Vec<Edge>>) {
        let letters: Vec<Letter> = (0..7).map(|letter| Box::from([letter])).collect();
        let mut x = 1_u64;
        let mut below = move |bound: u32| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (x >> 33) as u32 % bound
        };
        let (mut first, mut steps) = (Index::default(), Appender::new(files, 100));
        let mut fingerprints = Appender::new(files, 100);
        let mut lists = Vec::new();
        for state in 0..states {
            let count = if below(9) == 0 { below(40) } else { below(4) };
            let edges = (0..=count).map(|_| Edge { to: below(states), letter: below(7) });
            let list: Vec<Edge> = edges.collect();
            first.push(steps.bytes() / STEP as u64);
            for edge in &list {
                steps.append(|bytes| bytes.extend(edge.to.to_le_bytes())).unwrap();
                steps.append(|bytes| bytes.extend(edge.letter.to_le_bytes())).unwrap();
            }
            fingerprints.append(|bytes| bytes.extend((u64::from(state) * 5).to_le_bytes())).unwrap();
            lists.push(list);
        }
        first.push(steps.bytes() / STEP as u64);
        let (steps, fingerprints) = (steps.finish().unwrap(), fingerprints.finish().unwrap());
        let trouble = Mutex::default();
        (DiskGraph { initial: 1, letters, first, steps, fingerprints, trouble }, lists)
    }

    #[test]
    fn steps_are_read_in_any_order_with_little_memory() {
        let heap = Heap::default();
        let files = Files::new(&heap, false);
        let (graph, lists) = graph(&files, 300);
        assert_eq!(graph.transitions() as usize, lists.iter().map(|list| list.len() - 1).sum::<usize>());
        for bytes in [0, 1000, 5000, usize::MAX] {
            let mut reader = graph.reader(bytes);
            for turn in 0..3000_u32 {
                let state = (turn * turn) % 300;
                let out = reader.steps(state).ok().unwrap();
                let (stutter, steps) = lists[state as usize].split_last().unwrap();
                assert_eq!((out.steps, out.stutter), (steps, *stutter), "{state} with {bytes}");
            }
            assert!(reader.slots.len() <= reader.most && reader.most >= 2);
        }
        assert_eq!(graph.fingerprint(77), Ok(385));
    }

    #[test]
    fn damage_is_noticed() {
        let heap = Heap::default();
        let files = Files::new(&heap, false);
        let (graph, _) = graph(&files, 300);
        heap.open(&format!("states-{}", graph.steps.number)).unwrap().write_at(400, &[255; 8]).unwrap();
        let mut reader = graph.reader(0);
        let failed = (0..300).filter(|&state| reader.steps(state).is_err()).count();
        assert!(failed > 0);
        assert!(graph.trouble().is_some_and(|trouble| trouble.contains("read back")));
    }

    #[test]
    fn an_index_holds_numbers_of_more_than_32_bits() {
        let numbers: Vec<u64> = (0..400).map(|i: u64| i * i * 123_456_789).collect();
        let mut index = Index::with_capacity(numbers.len());
        for &number in &numbers {
            index.push(number);
        }
        assert!(numbers.iter().max().is_some_and(|most| most >> 32 > 4000));
        assert!((0..).zip(&numbers).all(|(place, &number)| index.get(place) == number));
    }
}
