//! A search as it stood at some time: what is in memory, and which files have the rest. One small file, with a
//! checksum.

use std::fmt;
use std::io::Result as IoResult;

use crate::graph::Letter;
use crate::report::ActionCoverage;
use crate::storage::Storage;

/// The name of the file.
const NAME: &str = "search";
/// How it begins: the last digit is the version.
const MAGIC: &[u8; 16] = b"locus search 2\r\n";

/// A search that was saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    pub(crate) model: Vec<u8>,
    pub(crate) generated: u64,
    pub(crate) distinct: u64,
    pub(crate) queue: u64,
    pub(crate) outside: u64,
    pub(crate) initial: u64,
    pub(crate) depth: u64,
    /// The states of the level that is being explored.
    pub(crate) states: u64,
    pub(crate) epoch: u64,
    pub(crate) next_file: u64,
    pub(crate) levels: Vec<u64>,
    pub(crate) coverage: Vec<ActionCoverage>,
    /// The files of each run, its size, and whether it belongs to the level that is being found.
    pub(crate) runs: Vec<SavedRun>,
    /// The states that wait, of the level that is being explored and of the one that is being found.
    pub(crate) now: Vec<SavedChunk>,
    pub(crate) next: Vec<SavedChunk>,
    /// Which of them are not new, by the time they were found and fingerprint.
    pub(crate) repeats_now: Vec<(u32, u64)>,
    pub(crate) repeats_next: Vec<(u32, u64)>,
    /// The records of each worker for temporal properties.
    pub(crate) logs: Vec<SavedLog>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SavedLog {
    /// The file, if there is something in it.
    pub(crate) file: u64,
    pub(crate) bytes: u64,
    pub(crate) states: u64,
    pub(crate) steps: u64,
    pub(crate) letters: Vec<Letter>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedRun {
    pub(crate) fingerprints: u64,
    pub(crate) parents: u64,
    pub(crate) count: u64,
    pub(crate) is_current: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedChunk {
    pub(crate) epoch: u32,
    pub(crate) file: u64,
    pub(crate) offset: u64,
    pub(crate) bytes: u32,
    pub(crate) count: u32,
}

/// Why there is no search to go on with.
#[derive(Debug)]
pub enum SavedError {
    /// None was saved.
    Missing,
    /// The files are damaged, or of another version.
    Damaged,
    /// It cannot be read.
    Unreadable(std::io::Error),
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::Missing => f.write_str("no search was saved there"),
            SavedError::Damaged => f.write_str("what was saved there is damaged, or by another version"),
            SavedError::Unreadable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SavedError {}

impl Saved {
    /// Reads what was saved.
    ///
    /// # Errors
    /// If there is nothing, or nothing that can be used.
    pub fn read(storage: &dyn Storage) -> Result<Saved, SavedError> {
        let bytes = storage.read(NAME).map_err(SavedError::Unreadable)?.ok_or(SavedError::Missing)?;
        Saved::decode(&bytes).ok_or(SavedError::Damaged)
    }

    /// Returns the bytes that [`Saving::remember`](crate::Saving::remember) gave.
    pub fn model(&self) -> &[u8] {
        &self.model
    }

    /// Distinct states that had been found.
    pub fn distinct(&self) -> u64 {
        self.distinct
    }

    pub(crate) fn write(&self, storage: &dyn Storage) -> IoResult<()> {
        storage.replace(NAME, &self.encode())
    }

    pub(crate) fn remove(storage: &dyn Storage) -> IoResult<()> {
        storage.remove(NAME)
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Writer(MAGIC.to_vec());
        out.list(&self.model, |out, byte| out.0.push(*byte));
        for figure in [
            self.generated,
            self.distinct,
            self.queue,
            self.outside,
            self.initial,
            self.depth,
            self.states,
            self.epoch,
            self.next_file,
        ] {
            out.word(figure);
        }
        out.list(&self.levels, |out, level| out.word(*level));
        out.list(&self.coverage, |out, kind| {
            out.word(kind.generated);
            out.word(kind.distinct);
        });
        out.list(&self.runs, |out, run| {
            out.word(run.fingerprints);
            out.word(run.parents);
            out.word(run.count);
            out.word(u64::from(run.is_current));
        });
        for chunks in [&self.now, &self.next] {
            out.list(chunks, |out, chunk| {
                out.word(u64::from(chunk.epoch));
                out.word(chunk.file);
                out.word(chunk.offset);
                out.word(u64::from(chunk.bytes));
                out.word(u64::from(chunk.count));
            });
        }
        for repeats in [&self.repeats_now, &self.repeats_next] {
            out.list(repeats, |out, (epoch, fingerprint)| {
                out.word(u64::from(*epoch));
                out.word(*fingerprint);
            });
        }
        out.list(&self.logs, |out, log| {
            out.word(log.file);
            out.word(log.bytes);
            out.word(log.states);
            out.word(log.steps);
            out.list(&log.letters, |out, letter| out.list(letter, |out, word| out.word(*word)));
        });
        let sum = checksum(&out.0);
        out.word(sum);
        out.0
    }

    fn decode(bytes: &[u8]) -> Option<Saved> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut reader = Reader(body.strip_prefix(MAGIC)?);
        let mut saved = Saved { model: reader.list(Reader::byte)?, ..Saved::default() };
        for figure in [
            &mut saved.generated,
            &mut saved.distinct,
            &mut saved.queue,
            &mut saved.outside,
            &mut saved.initial,
            &mut saved.depth,
            &mut saved.states,
            &mut saved.epoch,
            &mut saved.next_file,
        ] {
            *figure = reader.word()?;
        }
        saved.levels = reader.list(Reader::word)?;
        saved.coverage = reader
            .list(|reader| Some(ActionCoverage { generated: reader.word()?, distinct: reader.word()? }))?;
        saved.runs = reader.list(|reader| {
            Some(SavedRun {
                fingerprints: reader.word()?,
                parents: reader.word()?,
                count: reader.word()?,
                is_current: reader.word()? != 0,
            })
        })?;
        for chunks in [&mut saved.now, &mut saved.next] {
            *chunks = reader.list(|reader| {
                Some(SavedChunk {
                    epoch: reader.half()?,
                    file: reader.word()?,
                    offset: reader.word()?,
                    bytes: reader.half()?,
                    count: reader.half()?,
                })
            })?;
        }
        for repeats in [&mut saved.repeats_now, &mut saved.repeats_next] {
            *repeats = reader.list(|reader| Some((reader.half()?, reader.word()?)))?;
        }
        saved.logs = reader.list(|reader| {
            Some(SavedLog {
                file: reader.word()?,
                bytes: reader.word()?,
                states: reader.word()?,
                steps: reader.word()?,
                letters: reader.list(|reader| Some(reader.list(Reader::word)?.into()))?,
            })
        })?;
        reader.0.is_empty().then_some(saved)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.word(items.len() as u64);
        for item in items {
            each(self, item);
        }
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn word(&mut self) -> Option<u64> {
        let (word, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*word))
    }

    fn half(&mut self) -> Option<u32> {
        u32::try_from(self.word()?).ok()
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = usize::try_from(self.word()?).ok()?;
        if count > self.0.len() {
            return None;
        }
        (0..count).map(|_| each(self)).collect()
    }
}

/// FNV-1a over words, to notice files that were cut off or changed by accident.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_and_damage_is_noticed() {
        let chunk = SavedChunk { epoch: 3, file: 4, offset: 5, bytes: 6, count: 7 };
        let saved = Saved {
            model: vec![1, 2, 3],
            generated: 10,
            distinct: 9,
            levels: vec![1, 2],
            coverage: vec![ActionCoverage { generated: 5, distinct: 4 }],
            runs: vec![SavedRun { fingerprints: 1, parents: 2, count: 3, is_current: true }],
            now: vec![chunk],
            next: vec![chunk, chunk],
            repeats_now: vec![(1, 2)],
            logs: vec![
                SavedLog { file: 1, bytes: 2, states: 3, steps: 4, letters: vec![Box::from([5, 6])] },
                SavedLog::default(),
            ],
            ..Saved::default()
        };
        let bytes = saved.encode();
        assert_eq!(Saved::decode(&bytes), Some(saved));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Saved::decode(&damaged), None, "at {at}");
            assert_eq!(Saved::decode(&bytes[..at]), None, "up to {at}");
        }
    }
}
