//! A run: fingerprints in order, and in the same order those of their predecessors, in two files.

use std::io::Result;

use super::files::{File, Files};

/// A fingerprint, and that of the state it was reached from: for an initial state its own.
pub(crate) type Pair = (u64, u64);

/// Fingerprints that are read together at the least: a page.
const BLOCK: usize = 512;
/// Blocks that are read together where one after the other is needed.
const AHEAD: usize = 64;
/// Fingerprints that are written together.
const BUFFER: usize = 1 << 15;

/// See the module.
pub(crate) struct Run<'a> {
    pub(crate) fingerprints: File<'a>,
    pub(crate) parents: File<'a>,
    pub(crate) count: u64,
    /// The first fingerprint of each block.
    index: Vec<u64>,
}

impl<'a> Run<'a> {
    /// Writes pairs that come in order.
    pub(crate) fn write(files: &'a Files<'a>, pairs: impl Iterator<Item = Result<Pair>>) -> Result<Run<'a>> {
        let mut run =
            Run { fingerprints: files.create()?, parents: files.create()?, count: 0, index: Vec::new() };
        let (mut fingerprints, mut parents) =
            (Vec::with_capacity(BUFFER * 8), Vec::with_capacity(BUFFER * 8));
        for pair in pairs {
            let (fingerprint, parent) = pair?;
            if run.count.is_multiple_of(BLOCK as u64) {
                run.index.push(fingerprint);
            }
            run.count += 1;
            fingerprints.extend_from_slice(&fingerprint.to_le_bytes());
            parents.extend_from_slice(&parent.to_le_bytes());
            if fingerprints.len() == BUFFER * 8 {
                run.append(&mut fingerprints, &mut parents)?;
            }
        }
        run.append(&mut fingerprints, &mut parents)?;
        Ok(run)
    }

    fn append(&self, fingerprints: &mut Vec<u8>, parents: &mut Vec<u8>) -> Result<()> {
        let offset = self.count * 8 - fingerprints.len() as u64;
        self.fingerprints.write_at(offset, fingerprints)?;
        self.parents.write_at(offset, parents)?;
        fingerprints.clear();
        parents.clear();
        Ok(())
    }

    /// A run that was written before.
    pub(crate) fn open(files: &'a Files<'a>, numbers: (u64, u64), count: u64) -> Result<Run<'a>> {
        let (fingerprints, parents) = (files.open(numbers.0)?, files.open(numbers.1)?);
        let mut index = Vec::with_capacity((count as usize).div_ceil(BLOCK));
        let mut word = [0; 8];
        for first in (0..count).step_by(BLOCK) {
            fingerprints.read_at(first * 8, &mut word)?;
            index.push(u64::from_le_bytes(word));
        }
        Ok(Run { fingerprints, parents, count, index })
    }

    /// The block that a fingerprint is in, if it is in the run.
    fn block(&self, fingerprint: u64, from: usize) -> Option<usize> {
        (from + self.index[from..].partition_point(|&first| first <= fingerprint)).checked_sub(1)
    }

    /// A reader of all fingerprints, or some of them.
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader { run: self, block: 0, first: 0, held: Vec::new(), bytes: Vec::new() }
    }

    pub(crate) fn parent(&self, place: u64) -> Result<u64> {
        let mut word = [0; 8];
        self.parents.read_at(place * 8, &mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    pub(crate) fn set_parent(&self, place: u64, parent: u64) -> Result<()> {
        self.parents.write_at(place * 8, &parent.to_le_bytes())
    }

    /// All pairs, in order.
    pub(crate) fn pairs(&self) -> Pairs<'_> {
        Pairs { run: self, place: 0, fingerprints: Vec::new(), parents: Vec::new() }
    }
}

/// Looks fingerprints up, which are asked for in order.
pub(crate) struct Reader<'r> {
    run: &'r Run<'r>,
    /// The block that was asked for last.
    block: usize,
    /// The place of the first fingerprint that is held.
    first: usize,
    held: Vec<u64>,
    bytes: Vec<u8>,
}

impl Reader<'_> {
    /// The place of a fingerprint, if it is there.
    pub(crate) fn find(&mut self, fingerprint: u64) -> Result<Option<u64>> {
        let Some(block) = self.run.block(fingerprint, self.block) else { return Ok(None) };
        let begin = block * BLOCK;
        if begin < self.first || begin >= self.first + self.held.len() {
            // One after the other, unless many are passed over.
            let blocks = if block <= self.block + 4 { AHEAD } else { 1 };
            self.hold(begin, blocks * BLOCK)?;
        }
        self.block = block;
        let from = begin - self.first;
        let part = &self.held[from..(from + BLOCK).min(self.held.len())];
        Ok(part.binary_search(&fingerprint).ok().map(|place| (begin + place) as u64))
    }

    fn hold(&mut self, from: usize, most: usize) -> Result<()> {
        let count = most.min(self.run.count as usize - from);
        self.bytes.resize(count * 8, 0);
        self.run.fingerprints.read_at(from as u64 * 8, &mut self.bytes)?;
        self.first = from;
        words(&self.bytes, &mut self.held);
        Ok(())
    }
}

/// Reads all of a run.
pub(crate) struct Pairs<'r> {
    run: &'r Run<'r>,
    place: u64,
    fingerprints: Vec<u64>,
    parents: Vec<u64>,
}

impl Pairs<'_> {
    fn next_pair(&mut self) -> Result<Option<Pair>> {
        if self.place == self.run.count {
            return Ok(None);
        }
        let at = (self.place % BUFFER as u64) as usize;
        if at == 0 {
            let mut bytes = vec![0; BUFFER.min((self.run.count - self.place) as usize) * 8];
            self.run.fingerprints.read_at(self.place * 8, &mut bytes)?;
            words(&bytes, &mut self.fingerprints);
            self.run.parents.read_at(self.place * 8, &mut bytes)?;
            words(&bytes, &mut self.parents);
        }
        self.place += 1;
        Ok(Some((self.fingerprints[at], self.parents[at])))
    }
}

impl Iterator for Pairs<'_> {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Result<Pair>> {
        self.next_pair().transpose()
    }
}

fn words(bytes: &[u8], into: &mut Vec<u64>) {
    into.clear();
    into.extend(bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap_or_default())));
}
