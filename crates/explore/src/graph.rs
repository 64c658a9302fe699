//! The state graph, kept only when temporal properties are checked.
//!
//! For each explored state its steps are stored: the target and a *letter*, which is the set of atoms (of the
//! state and of the step) that are true there. Equal letters are stored once. Workers write what they explore
//! into logs of their own; at the end the logs are put together, and states renumbered in a fixed order so that
//! the result does not depend on who found what first.

use rustc_hash::FxHashMap;

use crate::fingerprint_set::{FingerprintSet, Node};
use crate::sync::share;

/// States that are put together by one thread at a time.
const PART: usize = 1 << 14;
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

/// What one worker has explored.
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
    edges: u32,
}

impl LogPart {
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
        heads.push(Head { node, stutter, edges: edges.len() as u32 });
        all.extend_from_slice(edges);
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
        for LogPart { heads, edges } in self.parts() {
            let mut rest = edges.as_slice();
            for head in heads {
                let (edges, others) = rest.split_at(head.edges as usize);
                rest = others;
                look(head.node, head.stutter, edges)?;
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
        let mut first = vec![0; states + 1];
        let parts = logs.iter().zip(&renumber);
        let parts: Vec<(&LogPart, &Vec<u32>)> =
            parts.flat_map(|(log, renumber)| log.parts().map(move |part| (part, renumber))).collect();
        // In which part of a log a state is, and where its steps begin there.
        let mut origin = vec![(0_u32, 0_u32); states];
        let mut stutter = vec![0; states];
        for (number, &(log, renumber)) in parts.iter().enumerate() {
            let mut begin = 0;
            for head in &log.heads {
                let state = rank[head.node as usize] as usize;
                first[state + 1] = head.edges as usize;
                origin[state] = (number as u32, begin);
                stutter[state] = renumber[head.stutter as usize];
                begin += head.edges;
            }
        }
        for index in 0..states {
            first[index + 1] += first[index];
        }
        let mut edges = vec![Edge { to: 0, letter: 0 }; first[states]];
        let mut rest = edges.as_mut_slice();
        let mut shares = Vec::new();
        for begin in (0..states).step_by(PART) {
            let end = (begin + PART).min(states);
            let (mine, others) = rest.split_at_mut(first[end] - first[begin]);
            rest = others;
            shares.push((begin..end, mine));
        }
        share(shares, workers, |(some, mut targets)| {
            for state in some {
                let (part, begin) = origin[state];
                let (part, renumber) = parts[part as usize];
                let (target, others) = targets.split_at_mut(first[state + 1] - first[state]);
                targets = others;
                for (edge, target) in part.edges[begin as usize..].iter().zip(&mut *target) {
                    let to = rank[edge.to as usize];
                    *target = Edge { to, letter: renumber[edge.letter as usize] };
                }
                target.sort_unstable();
            }
        });
        let fingerprints = order.into_iter().map(|node| set.fingerprint(node)).collect();
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
fn rank(set: &FingerprintSet, levels: &[Node], workers: usize) -> (Vec<u32>, Vec<Node>, u32) {
    let end = set.end();
    let mut order: Vec<Node> = Vec::with_capacity(end as usize);
    let mut rank = vec![u32::MAX; end as usize];
    let mut initial = 0;
    let ends = levels.iter().skip(1).copied().chain([end]);
    for (level, (&from, to)) in levels.iter().zip(ends).enumerate() {
        let key = |node: Node| {
            let parent = set.parent(node).map_or(0, |parent| rank[parent as usize]);
            (parent, set.fingerprint(node), node)
        };
        let parts = (from..to).step_by(PART).map(|begin| begin..to.min(begin.saturating_add(PART as Node)));
        let runs = share(parts.collect(), workers, |part| {
            let mut run: Vec<_> = part.filter(|&node| set.is_used(node)).map(key).collect();
            run.sort_unstable();
            run
        });
        let mut sorted = runs.concat();
        #[expect(clippy::stable_sort_primitive, reason = "the stable one finds the runs and merges them")]
        sorted.sort();
        for (_, _, node) in sorted {
            rank[node as usize] = order.len() as u32;
            order.push(node);
        }
        if level == 0 {
            initial = order.len() as u32;
        }
    }
    (rank, order, initial)
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
