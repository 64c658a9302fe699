//! The state graph, kept only when temporal properties are checked.
//!
//! For each explored state its steps are stored: the target and a *letter*, which is the set of atoms (of the
//! state and of the step) that are true there. Equal letters are stored once. Workers write what they explore
//! into logs of their own; at the end the logs are put together, and states renumbered in a fixed order so that
//! the result does not depend on who found what first.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64};

use rustc_hash::FxHashMap;

use crate::fingerprint_set::{FingerprintSet, Node};
use crate::sync::share;

/// States that are put together by one thread at a time.
const PART: usize = if cfg!(test) { 1 << 3 } else { 1 << 14 };
/// Of so many keys of a run, one is looked at to divide the runs.
const SAMPLED: usize = if cfg!(test) { 2 } else { 1 << 8 };
/// States and steps of a part of a log.
const LOG_PART: usize = if cfg!(test) { 1 << 4 } else { 1 << 16 };

/// A step: eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    pub(crate) letter: u32,
}

/// See the module. States are numbered densely.
pub(crate) struct Graph {
    /// Where the steps of each state begin; one more at the end.
    first: Vec<usize>,
    edges: Vec<Edge>,
    /// The letter of the stuttering step of each state.
    stutter: Vec<u32>,
    /// How many of the states, which come first, are initial.
    initial: u32,
    fingerprints: Vec<u64>,
    letters: Vec<Letter>,
}

/// The words of a set of state atoms, then those of a set of step atoms.
pub(crate) type Letter = Box<[u64]>;

/// The part of the graph that one worker has explored.
#[derive(Default)]
pub(crate) struct Log {
    /// Those that are complete: a log never moves, which would take twice its memory meanwhile.
    parts: Vec<LogPart>,
    last: LogPart,
    /// Bytes of those that are complete.
    complete_bytes: usize,
    letters: Vec<Letter>,
    known: FxHashMap<Letter, u32>,
}

/// A part of a log: states, and the steps of all of them.
#[derive(Default)]
struct LogPart {
    heads: Vec<Head>,
    edges: Vec<Edge>,
}

struct Head {
    node: Node,
    stutter: u32,
    /// Where its steps end; they begin where those of the one before end.
    end: u32,
}

impl LogPart {
    /// The steps of the state at a place.
    fn edges(&self, place: usize) -> &[Edge] {
        let begin = place.checked_sub(1).map_or(0, |before| self.heads[before].end);
        &self.edges[begin as usize..self.heads[place].end as usize]
    }

    fn bytes(&self) -> usize {
        self.heads.capacity() * size_of::<Head>() + self.edges.capacity() * size_of::<Edge>()
    }
}

impl Log {
    /// A log with these letters and nothing else.
    pub(crate) fn with_letters(letters: &[Letter]) -> Log {
        let known = (0..).zip(letters).map(|(number, letter)| (letter.clone(), number)).collect();
        Log { letters: letters.to_vec(), known, ..Log::default() }
    }

    /// The number of a letter in this log.
    pub(crate) fn letter(&mut self, words: &[u64]) -> u32 {
        if let Some(&letter) = self.known.get(words) {
            return letter;
        }
        let letter = self.letters.len() as u32;
        self.letters.push(words.into());
        self.known.insert(words.into(), letter);
        letter
    }

    /// Adds an explored state. Repeated steps are dropped, and steps that look like stuttering.
    pub(crate) fn add(&mut self, node: Node, stutter: u32, edges: &mut Vec<Edge>) {
        edges.sort_unstable();
        edges.dedup();
        edges.retain(|edge| edge.to != node || edge.letter != stutter);
        let LogPart { heads, edges: all } = &mut self.last;
        all.extend_from_slice(edges);
        heads.push(Head { node, stutter, end: all.len() as u32 });
        if heads.len() + all.len() >= LOG_PART {
            self.complete_bytes += self.last.bytes();
            self.parts.push(std::mem::take(&mut self.last));
        }
    }

    fn parts(&self) -> impl Iterator<Item = &LogPart> {
        self.parts.iter().chain([&self.last])
    }

    /// Calls `look` with each state that was explored: its node, the letter of its stuttering step, and its steps.
    pub(crate) fn each<E>(&self, mut look: impl FnMut(Node, u32, &[Edge]) -> Result<(), E>) -> Result<(), E> {
        for part in self.parts() {
            for (place, head) in part.heads.iter().enumerate() {
                look(head.node, head.stutter, part.edges(place))?;
            }
        }
        Ok(())
    }

    /// Forgets the states and their steps, and gives their memory back. Letters stay.
    pub(crate) fn forget(&mut self) {
        self.parts = Vec::new();
        self.last = LogPart::default();
        self.complete_bytes = 0;
    }

    /// How many states and steps there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sizes = self.parts().map(|part| (part.heads.len(), part.edges.len()));
        sizes.fold((0, 0), |(states, steps), part| (states + part.0, steps + part.1))
    }

    pub(crate) fn letters(&self) -> &[Letter] {
        &self.letters
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.complete_bytes + self.last.bytes()
    }
}

impl Graph {
    /// Puts logs together, on so many threads. `levels` are the first nodes of the levels.
    pub(crate) fn new(set: &FingerprintSet, levels: &[Node], logs: &[Log], workers: usize) -> Graph {
        let (rank, order, initial) = rank(set, levels, workers);
        let states = order.len();
        let (letters, renumber) = unite(&logs.iter().map(Log::letters).collect::<Vec<_>>());
        let logs = logs.iter().zip(&renumber);
        let logs: Vec<(&LogPart, &Vec<u32>)> =
            logs.flat_map(|(log, renumber)| log.parts().map(move |part| (part, renumber))).collect();
        let state_of = |node: Node| rank[node as usize].load(Relaxed);
        // In which part of a log a state is, and at which place there. All parts together have each state once.
        let origin: Vec<AtomicU64> = (0..states).map(|_| AtomicU64::new(0)).collect();
        share((0..).zip(&logs).collect(), workers, |(number, (log, _)): (u64, &(&LogPart, _))| {
            for (place, head) in (0..).zip(&log.heads) {
                origin[state_of(head.node) as usize].store(number << 32 | place, Relaxed);
            }
        });
        let find = |state: usize| {
            let origin = origin[state].load(Relaxed);
            let (log, renumber) = logs[(origin >> 32) as usize];
            (log, origin as u32 as usize, renumber)
        };
        let mut first = vec![0; states + 1];
        let mut stutter = vec![0; states];
        let mut fingerprints = vec![0; states];
        let parts = first[1..].chunks_mut(PART).zip(stutter.chunks_mut(PART));
        let parts = (0..).step_by(PART).zip(parts.zip(fingerprints.chunks_mut(PART)));
        share(parts.collect(), workers, |(begin, ((ends, stutter), fingerprints))| {
            let mut end = 0;
            for (state, ((ends, stutter), fingerprint)) in
                (begin..).zip(ends.iter_mut().zip(stutter).zip(fingerprints))
            {
                let (log, place, renumber) = find(state);
                end += log.edges(place).len();
                *ends = end;
                *stutter = renumber[log.heads[place].stutter as usize];
                *fingerprint = set.fingerprint(order[state]);
            }
        });
        // So far each part begins at nothing.
        let mut before = 0;
        for ends in first[1..].chunks_mut(PART) {
            for end in ends.iter_mut() {
                *end += before;
            }
            before = ends.last().copied().unwrap_or(before);
        }
        let mut edges = vec![Edge { to: 0, letter: 0 }; before];
        let mut rest = edges.as_mut_slice();
        let mut parts = Vec::new();
        for begin in (0..states).step_by(PART) {
            let end = (begin + PART).min(states);
            let (mine, others) = rest.split_at_mut(first[end] - first[begin]);
            rest = others;
            parts.push((begin..end, mine));
        }
        share(parts, workers, |(some, mut targets)| {
            for state in some {
                let (log, place, renumber) = find(state);
                let (target, others) = targets.split_at_mut(first[state + 1] - first[state]);
                targets = others;
                for (edge, target) in log.edges(place).iter().zip(&mut *target) {
                    *target = Edge { to: state_of(edge.to), letter: renumber[edge.letter as usize] };
                }
                target.sort_unstable();
            }
        });
        Graph { first, edges, stutter, initial, fingerprints, letters }
    }

    /// A graph from its parts, for tests.
    #[cfg(test)]
    pub(crate) fn from_parts(
        steps: &[Vec<Edge>],
        stutter: Vec<u32>,
        initial: u32,
        letters: Vec<Letter>,
    ) -> Graph {
        let mut first = vec![0];
        first.extend(steps.iter().scan(0, |end, steps| {
            *end += steps.len();
            Some(*end)
        }));
        let fingerprints = (0..steps.len() as u64).collect();
        Graph { first, edges: steps.concat(), stutter, initial, fingerprints, letters }
    }

    pub(crate) fn states(&self) -> usize {
        self.stutter.len()
    }

    pub(crate) fn transitions(&self) -> usize {
        self.edges.len()
    }

    pub(crate) fn initial(&self) -> std::ops::Range<u32> {
        0..self.initial
    }

    pub(crate) fn letters(&self) -> &[Letter] {
        &self.letters
    }

    pub(crate) fn fingerprint(&self, state: u32) -> u64 {
        self.fingerprints[state as usize]
    }

    /// The steps of a state, without the stuttering one.
    pub(crate) fn steps(&self, state: u32) -> &[Edge] {
        &self.edges[self.first[state as usize]..self.first[state as usize + 1]]
    }

    /// The stuttering step of a state.
    pub(crate) fn stutter(&self, state: u32) -> Edge {
        Edge { to: state, letter: self.stutter[state as usize] }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        Graph::bytes_of(self.states(), self.edges.capacity())
    }

    /// The bytes of a graph with so many states and steps.
    pub(crate) fn bytes_of(states: usize, steps: usize) -> usize {
        steps * size_of::<Edge>() + states * (size_of::<usize>() + size_of::<u32>() + size_of::<u64>())
    }
}

/// Gives each node its number in the graph, the nodes in that order, and how many are initial.
///
/// The order is by level, then predecessor, then fingerprint: it depends on nothing else, and states that come
/// from the same one are close together, which the search for components is grateful for.
fn rank(set: &FingerprintSet, levels: &[Node], workers: usize) -> (Vec<AtomicU32>, Vec<Node>, u32) {
    let end = set.end();
    let mut order: Vec<Node> = Vec::with_capacity(end as usize);
    let rank: Vec<AtomicU32> = (0..end).map(|_| AtomicU32::new(u32::MAX)).collect();
    let mut initial = 0;
    let ends = levels.iter().skip(1).copied().chain([end]);
    for (level, (&from, to)) in levels.iter().zip(ends).enumerate() {
        let key = |node: Node| {
            let parent = set.parent(node).map_or(0, |parent| rank[parent as usize].load(Relaxed));
            (parent, set.fingerprint(node), node)
        };
        let parts = (from..to).step_by(PART).map(|begin| begin..to.min(begin.saturating_add(PART as Node)));
        let runs = share(parts.collect(), workers, |part| {
            let mut run: Vec<Key> = part.filter(|&node| set.is_used(node)).map(key).collect();
            run.sort_unstable();
            run
        });
        let sorted = merge(runs, workers);
        let begin = order.len();
        order.resize(begin + sorted.iter().map(Vec::len).sum::<usize>(), 0);
        let mut places = &mut order[begin..];
        let mut next = begin as u32;
        let mut parts = Vec::new();
        for part in sorted {
            let (mine, others) = places.split_at_mut(part.len());
            places = others;
            let first = next;
            next += part.len() as u32;
            parts.push((first, mine, part));
        }
        share(parts, workers, |(first, places, part)| {
            for (number, (place, (_, _, node))) in (first..).zip(places.iter_mut().zip(part)) {
                rank[node as usize].store(number, Relaxed);
                *place = node;
            }
        });
        if level == 0 {
            initial = order.len() as u32;
        }
    }
    (rank, order, initial)
}

/// The key that decides the order of a node: the number of its predecessor, its fingerprint; and the node.
type Key = (u32, u64, Node);

/// Merges sorted runs, of which no two have a key in common, into parts that follow each other.
fn merge(runs: Vec<Vec<Key>>, workers: usize) -> Vec<Vec<Key>> {
    if runs.len() <= 1 {
        return runs;
    }
    // Each part gets what is between two keys, which are chosen so that all get about as much.
    let mut some: Vec<Key> = runs.iter().flat_map(|run| run.iter().step_by(SAMPLED)).copied().collect();
    some.sort_unstable();
    let bounds = (1..workers).filter_map(|part| some.get(some.len() * part / workers));
    let mut begins = vec![0; runs.len()];
    let mut parts = Vec::new();
    for bound in bounds.map(Some).chain([None]) {
        let mut part = Vec::new();
        for (run, begin) in runs.iter().zip(&mut begins) {
            let rest = &run[*begin..];
            let end = bound.map_or(rest.len(), |bound| rest.partition_point(|key| key < bound));
            part.push(&rest[..end]);
            *begin += end;
        }
        parts.push(part);
    }
    #[expect(clippy::stable_sort_primitive, reason = "the stable one finds the runs and merges them")]
    share(parts, workers, |part| {
        let mut keys = part.concat();
        keys.sort();
        keys
    })
}

/// The letters of all logs, each once, in order; and for each log, what its letters become.
pub(crate) fn unite(logs: &[&[Letter]]) -> (Vec<Letter>, Vec<Vec<u32>>) {
    let mut letters: Vec<Letter> = logs.concat();
    letters.sort_unstable();
    letters.dedup();
    let place = |letter: &Letter| letters.binary_search(letter).unwrap_or_default() as u32;
    let renumbered = logs.iter().map(|log| log.iter().map(place).collect()).collect();
    (letters, renumbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_merged_whatever_they_have() {
        for (runs, length) in [(0, 0), (1, 5), (2, 1), (3, 0), (7, 20), (40, 9)] {
            let key =
                |number: u32| (number % 3, u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15), number);
            let numbers = 0..runs * length;
            let mut all: Vec<Key> = numbers.map(key).collect();
            let mut some: Vec<Vec<Key>> = all.chunks(length.max(1) as usize).map(<[Key]>::to_vec).collect();
            some.resize(runs as usize, Vec::new());
            for run in &mut some {
                run.sort_unstable();
            }
            all.sort_unstable();
            for workers in [1, 2, 5] {
                assert_eq!(merge(some.clone(), workers).concat(), all, "{runs} {length} {workers}");
            }
        }
    }
}
