//! All fingerprints that are not in memory. Each is in one run.

use std::io::Result;

use super::files::Files;
pub(crate) use super::run::Pair;
use super::run::Run;
use crate::fingerprint_set::mix;

/// With more runs than this, some are made one.
const MOST_RUNS: usize = 16;
/// So many.
const MERGED: usize = 8;

/// See the module.
pub(crate) struct Runs<'a> {
    files: &'a Files<'a>,
    /// Those of levels that are complete, largest first.
    pub(crate) old: Vec<Run<'a>>,
    /// Those of the level that is being found: their predecessors are not settled yet.
    pub(crate) current: Vec<Run<'a>>,
    /// Whether of two predecessors the lesser is kept.
    keep_least_parent: bool,
}

impl<'a> Runs<'a> {
    pub(crate) fn new(files: &'a Files<'a>, keep_least_parent: bool) -> Self {
        Runs { files, old: Vec::new(), current: Vec::new(), keep_least_parent }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.old.is_empty() && self.current.is_empty()
    }

    /// Calls `known` with the place of each of these pairs, which are in order, that is here. If it was found on the
    /// level that is being found, it keeps the lesser of both predecessors.
    pub(crate) fn find_all(&self, pairs: &[Pair], mut known: impl FnMut(usize)) -> Result<()> {
        for run in &self.old {
            let mut reader = run.reader();
            for (place, &(fingerprint, _)) in pairs.iter().enumerate() {
                if reader.find(fingerprint)?.is_some() {
                    known(place);
                }
            }
        }
        for run in &self.current {
            let mut reader = run.reader();
            for (place, &(fingerprint, parent)) in pairs.iter().enumerate() {
                let Some(there) = reader.find(fingerprint)? else { continue };
                known(place);
                let before = run.parent(there)?;
                let is_initial = before == fingerprint;
                if self.keep_least_parent && !is_initial && is_less(parent, before) {
                    run.set_parent(there, parent)?;
                }
            }
        }
        Ok(())
    }

    /// Adds pairs in order, none of which is here: those of levels that are complete, and others.
    pub(crate) fn add(&mut self, old: &[Pair], current: &[Pair]) -> Result<()> {
        for (pairs, runs) in [(old, &mut self.old), (current, &mut self.current)] {
            if !pairs.is_empty() {
                runs.push(Run::write(self.files, pairs.iter().copied().map(Ok))?);
            }
        }
        self.merge()
    }

    /// The level is complete.
    pub(crate) fn end_level(&mut self) -> Result<()> {
        self.old.append(&mut self.current);
        self.merge()
    }

    fn merge(&mut self) -> Result<()> {
        self.old.sort_by_key(|run| std::cmp::Reverse(run.count));
        if self.old.len() <= MOST_RUNS {
            return Ok(());
        }
        let small = &self.old[self.old.len() - MERGED..];
        let merged = Run::write(self.files, Merge::new(small)?)?;
        self.old.truncate(self.old.len() - MERGED);
        self.old.push(merged);
        Ok(())
    }

    /// The predecessor of a state that is here: itself if it is initial.
    pub(crate) fn parent(&self, fingerprint: u64) -> Result<Option<u64>> {
        for run in self.old.iter().chain(&self.current) {
            if let Some(place) = run.reader().find(fingerprint)? {
                return run.parent(place).map(Some);
            }
        }
        Ok(None)
    }

    /// How many fingerprints there are.
    pub(crate) fn count(&self) -> u64 {
        self.old.iter().chain(&self.current).map(|run| run.count).sum()
    }

    /// All of them with those of their predecessors, in no order.
    pub(crate) fn all(&self) -> impl Iterator<Item = Result<Pair>> {
        self.old.iter().chain(&self.current).flat_map(Run::pairs)
    }

    /// The least distance of two fingerprints.
    pub(crate) fn closest(&self) -> Result<Option<u64>> {
        let all: Vec<&Run<'a>> = self.old.iter().chain(&self.current).collect();
        let (mut before, mut least) = (None, u64::MAX);
        for pair in Merge::new(all)? {
            let (fingerprint, _) = pair?;
            least = before.map_or(least, |before| least.min(fingerprint - before));
            before = Some(fingerprint);
        }
        Ok((least < u64::MAX).then_some(least))
    }
}

/// Whether one predecessor goes before another: as links do in memory.
pub(crate) fn is_less(parent: u64, other: u64) -> bool {
    mix(parent) < mix(other)
}

/// Pairs of several runs, in order.
struct Merge<'r> {
    sources: Vec<(Pair, super::run::Pairs<'r>)>,
}

impl<'r> Merge<'r> {
    fn new(runs: impl IntoIterator<Item = &'r Run<'r>>) -> Result<Self> {
        let mut sources = Vec::new();
        for run in runs {
            let mut pairs = run.pairs();
            if let Some(first) = pairs.next() {
                sources.push((first?, pairs));
            }
        }
        Ok(Merge { sources })
    }
}

impl Iterator for Merge<'_> {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Result<Pair>> {
        let (at, _) = self.sources.iter().enumerate().min_by_key(|(_, (head, _))| *head)?;
        let (head, rest) = &mut self.sources[at];
        let least = *head;
        match rest.next() {
            Some(Ok(next)) => *head = next,
            Some(Err(error)) => return Some(Err(error)),
            None => drop(self.sources.swap_remove(at)),
        }
        Some(Ok(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Heap;

    #[test]
    fn what_was_added_is_found_and_nothing_else() {
        let heap = Heap::default();
        let files = Files::new(&heap, false);
        let mut runs = Runs::new(&files, true);
        // 40 runs of multiples of three, so that some are merged.
        for part in 0..40_u64 {
            let pairs: Vec<Pair> = (0..2000).map(|i| ((i * 40 + part) * 3, i)).collect();
            runs.add(&pairs, &[]).unwrap();
        }
        assert!(runs.old.len() <= MOST_RUNS);
        assert_eq!(runs.old.iter().map(|run| run.count).sum::<u64>(), 80_000);
        assert_eq!(heap.names().len(), runs.old.len() * 2, "what was merged is gone");
        let asked: Vec<Pair> = (0..250_000).map(|fingerprint| (fingerprint, 0)).collect();
        let mut found = vec![0; asked.len()];
        runs.find_all(&asked, |place| found[place] += 1).unwrap();
        for (place, times) in found.into_iter().enumerate() {
            assert_eq!(times, usize::from(place % 3 == 0 && place < 240_000), "{place}");
        }
        assert_eq!(runs.closest().unwrap(), Some(3));
        assert_eq!(runs.parent(3 * 40 * 7).unwrap(), Some(7));
        assert_eq!(runs.parent(1).unwrap(), None);
    }

    #[test]
    fn the_lesser_predecessor_stays_while_the_level_lasts() {
        let heap = Heap::default();
        let files = Files::new(&heap, false);
        let mut runs = Runs::new(&files, true);
        let (less, more) = if is_less(8, 9) { (8, 9) } else { (9, 8) };
        runs.add(&[], &[(1, 1), (5, more)]).unwrap();
        runs.find_all(&[(1, less), (5, less)], |_| {}).unwrap();
        assert_eq!((runs.parent(1).unwrap(), runs.parent(5).unwrap()), (Some(1), Some(less)));
        runs.find_all(&[(5, more)], |_| {}).unwrap();
        assert_eq!(runs.parent(5).unwrap(), Some(less));
        runs.end_level().unwrap();
        let least = (0..100).find(|&other| is_less(other, less)).unwrap();
        runs.find_all(&[(5, least)], |_| {}).unwrap();
        assert_eq!(runs.parent(5).unwrap(), Some(less));
    }
}
