//! The records of the state graph that workers keep in files: in terms of fingerprints, since numbers of states last
//! only until memory is emptied.
//!
//! One file for each worker, in the order in which it explored: of each state the fingerprint, the letter of its
//! stuttering step and the number of its steps, then of each step the fingerprint of the target and the letter.
//! Letters are numbers of that worker.

use std::io::{Error, Result};

use super::files::{File, Files};
use super::saved::SavedLog;
use crate::fingerprint_set::FingerprintSet;
use crate::graph::Log;

/// Bytes that are read or written together.
const BUFFER: usize = if cfg!(test) { 64 } else { 1 << 18 };
/// Bytes of a state and of a step.
const STATE: usize = 16;
const STEP: usize = 12;

/// The records of one worker.
pub(crate) struct LogFile<'a> {
    file: File<'a>,
    bytes: u64,
    states: u64,
    steps: u64,
}

impl<'a> LogFile<'a> {
    pub(crate) fn new(files: &'a Files<'a>) -> Result<Self> {
        Ok(LogFile { file: files.create()?, bytes: 0, states: 0, steps: 0 })
    }

    /// Goes on with one that was saved.
    pub(crate) fn open(files: &'a Files<'a>, saved: &SavedLog) -> Result<Self> {
        let &SavedLog { file, bytes, states, steps, .. } = saved;
        Ok(LogFile { file: files.open(file)?, bytes, states, steps })
    }

    /// Returns what must be known to continue with it later. Records that are appended meanwhile will be written anew.
    pub(crate) fn save(&self) -> Result<SavedLog> {
        self.file.sync()?;
        let &LogFile { bytes, states, steps, .. } = self;
        Ok(SavedLog { file: self.file.number, bytes, states, steps, letters: Vec::new() })
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Appends a log.
    pub(crate) fn append(&mut self, log: &Log, set: &FingerprintSet) -> Result<()> {
        let mut buffer = Vec::with_capacity(2 * BUFFER);
        log.each(|node, stutter, edges| {
            buffer.extend_from_slice(&set.fingerprint(node).to_le_bytes());
            buffer.extend_from_slice(&stutter.to_le_bytes());
            buffer.extend_from_slice(&(edges.len() as u32).to_le_bytes());
            for edge in edges {
                buffer.extend_from_slice(&set.fingerprint(edge.to).to_le_bytes());
                buffer.extend_from_slice(&edge.letter.to_le_bytes());
            }
            self.states += 1;
            self.steps += edges.len() as u64;
            if buffer.len() >= BUFFER { self.write(&mut buffer) } else { Ok(()) }
        })?;
        self.write(&mut buffer)
    }

    fn write(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.file.write_at(self.bytes, buffer)?;
        self.bytes += buffer.len() as u64;
        buffer.clear();
        Ok(())
    }

    /// All that was recorded, in order.
    pub(crate) fn records(&self) -> Records<'_> {
        Records { log: self, read: 0, states: 0, buffer: Vec::new(), at: 0, steps: Vec::new() }
    }
}

/// Reads a log.
pub(crate) struct Records<'r> {
    log: &'r LogFile<'r>,
    /// Bytes and states that were read.
    read: u64,
    states: u64,
    buffer: Vec<u8>,
    at: usize,
    steps: Vec<(u64, u32)>,
}

/// A state that was explored.
pub(crate) struct Record<'r> {
    pub(crate) fingerprint: u64,
    pub(crate) stutter: u32,
    /// The fingerprints of targets, with letters.
    pub(crate) steps: &'r [(u64, u32)],
}

impl Records<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Record<'_>>> {
        if self.states == self.log.states {
            return Ok(None);
        }
        self.states += 1;
        let head = self.take(STATE)?;
        let (fingerprint, stutter, count) = (word(head), half(&head[8..]), half(&head[12..]));
        self.steps.clear();
        for _ in 0..count {
            let step = self.take(STEP)?;
            let step = (word(step), half(&step[8..]));
            self.steps.push(step);
        }
        Ok(Some(Record { fingerprint, stutter, steps: &self.steps }))
    }

    /// The next bytes.
    #[inline]
    fn take(&mut self, count: usize) -> Result<&[u8]> {
        if self.buffer.len() - self.at < count {
            self.fill()?;
        }
        let bytes = self.buffer.get(self.at..self.at + count).ok_or_else(damaged)?;
        self.at += count;
        Ok(bytes)
    }

    #[cold]
    fn fill(&mut self) -> Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let held = self.buffer.len();
        let more = (self.log.bytes - self.read).min(BUFFER as u64) as usize;
        self.buffer.resize(held + more, 0);
        self.log.file.read_at(self.read, &mut self.buffer[held..])?;
        self.read += more as u64;
        Ok(())
    }
}

/// Returns the error for a file whose content is not as it was written.
pub(crate) fn damaged() -> Error {
    Error::other("the state graph that was written cannot be read back")
}

fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

fn half(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |half| u32::from_le_bytes(*half))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Edge;
    use crate::storage::Heap;

    #[test]
    fn what_was_recorded_is_read_in_order() {
        let set = FingerprintSet::new(1, usize::MAX, None);
        let mut inserter = set.inserter();
        for fingerprint in 0..200 {
            inserter.insert(fingerprint * 1000, set.link_to(crate::fingerprint_set::NO_NODE)).unwrap();
        }
        let heap = Heap::default();
        let files = Files::new(&heap, false);
        let mut file = LogFile::new(&files).unwrap();
        let steps = |node: u32| (0..node % 9).map(move |to| Edge { to: to * 20, letter: node + to + 1 });
        for part in 0..2 {
            let mut log = Log::default();
            for node in part * 100..part * 100 + 100 {
                log.add(node, node + 7, &mut steps(node).collect());
            }
            file.append(&log, &set).unwrap();
        }
        let mut records = file.records();
        for node in 0..200 {
            let record = records.next().unwrap().unwrap();
            assert_eq!((record.fingerprint, record.stutter), (u64::from(node) * 1000, node + 7));
            let expected: Vec<_> = steps(node).map(|edge| (u64::from(edge.to) * 1000, edge.letter)).collect();
            assert_eq!(record.steps, expected);
        }
        assert!(records.next().unwrap().is_none());
    }
}
