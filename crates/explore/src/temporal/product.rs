//! The product of the state graph with the automaton of a check, never stored: its nodes are numbers, its arcs
//! are computed when asked for.
//!
//! An arc depends on the letter of a step, and of the letter only the truth of the check's predicates.
//! Letters that agree on those form a class; moves of the automaton are tabulated by class.

use rustc_hash::FxHashMap;

use super::normal::{Condition, Predicate};
use super::source::{Out, Source};
use super::tableau::Automaton;
use crate::graph::Edge;
use crate::limits::Reason;

/// One conjunction to be found in the state graph; a behaviour that satisfies it violates a property.
#[derive(Debug)]
pub(crate) struct Check {
    /// For the part that is not in `conditions`.
    pub(crate) automaton: Automaton,
    /// The predicates that the rest is about; elsewhere in the check predicates are places in this list.
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) conditions: Vec<Condition>,
}

/// Products with more pairs are refused: they would take more than 5 GB. The search for components relies on
/// numbers of pairs being less than half of all numbers.
const MAX_PAIRS: u64 = 1 << 30;

/// A pair of a state of the graph and a state of the automaton.
pub(crate) type Pair = u32;

/// See the module.
pub(crate) struct Product<'a> {
    /// The states of the graph, of which the first are initial.
    states: usize,
    initial: std::ops::Range<u32>,
    pub(crate) check: &'a Check,
    /// The states of the automaton are the low bits of a pair, this many of them.
    bits: u32,
    class_of: Vec<u32>,
    /// The true predicates of each class, `words` words each.
    truths: Vec<u64>,
    pub(crate) words: usize,
    /// Where the moves for a class and a state of the automaton begin; one more at the end.
    first_move: Vec<u32>,
    moves: Vec<Move>,
}

#[derive(Clone, Copy)]
struct Move {
    to: u32,
    marks: u64,
}

/// An arc of the product.
#[derive(Clone, Copy)]
pub(crate) struct Arc {
    pub(crate) to: Pair,
    pub(crate) letter: u32,
    pub(crate) marks: u64,
    /// The class that the arc's truth depends on.
    pub(crate) class: u32,
}

/// A place in the list of arcs of a pair.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cursor {
    edge: u32,
    step: u32,
}

impl Check {
    /// The bits that a state of the automaton takes.
    pub(crate) fn bits(&self) -> u32 {
        self.automaton.transitions.len().next_power_of_two().ilog2()
    }
}

impl<'a> Product<'a> {
    /// `state_words` is the number of words of a letter that hold state atoms.
    pub(crate) fn new<S: Source>(graph: &S, check: &'a Check, state_words: usize) -> Result<Self, Reason> {
        let bits = check.bits();
        if (graph.states() as u64) << bits > MAX_PAIRS {
            return Err(Reason::Product);
        }
        let words = check.predicates.len().div_ceil(64).max(1);
        let mut classes: FxHashMap<Vec<u64>, u32> = FxHashMap::default();
        let mut truths: Vec<u64> = Vec::new();
        let mut class_of = Vec::with_capacity(graph.letters().len());
        for letter in graph.letters() {
            let truth = truth_of(&check.predicates, letter, state_words, words);
            let class = *classes.entry(truth).or_insert_with_key(|truth| {
                truths.extend(truth);
                (truths.len() / words - 1) as u32
            });
            class_of.push(class);
        }
        let mut first_move = vec![0];
        let mut moves = Vec::new();
        for truth in truths.chunks(words) {
            for from in 0..1 << bits {
                for transition in check.automaton.transitions.get(from).into_iter().flatten() {
                    if transition.needs.iter().all(|&index| truth[index / 64] >> (index % 64) & 1 == 1) {
                        moves.push(Move { to: transition.to as u32, marks: transition.marks });
                    }
                }
                first_move.push(moves.len() as u32);
            }
        }
        let (states, initial) = (graph.states(), graph.initial());
        Ok(Product { states, initial, check, bits, class_of, truths, words, first_move, moves })
    }

    /// How many pairs there are, reachable or not.
    pub(crate) fn size(&self) -> usize {
        self.states << self.bits
    }

    pub(crate) fn initial(&self) -> impl Iterator<Item = Pair> {
        self.initial.clone().map(|state| state << self.bits)
    }

    pub(crate) fn state(&self, pair: Pair) -> u32 {
        pair >> self.bits
    }

    /// The state of the automaton in a pair.
    fn place(&self, pair: Pair) -> u32 {
        pair & ((1 << self.bits) - 1)
    }

    /// For each class whether its arcs satisfy all predicates of a set.
    pub(crate) fn classes_satisfying(&self, wanted: &[u64]) -> Vec<bool> {
        let satisfies =
            |truth: &[u64]| truth.iter().zip(wanted).all(|(truth, wanted)| truth & wanted == *wanted);
        self.truths.chunks(self.words).map(satisfies).collect()
    }

    /// The true predicates of an arc.
    pub(crate) fn truth(&self, arc: &Arc) -> &[u64] {
        let begin = arc.class as usize * self.words;
        &self.truths[begin..begin + self.words]
    }

    /// Whether an arc satisfies all predicates of a set.
    pub(crate) fn satisfies(&self, arc: &Arc, wanted: &[u64]) -> bool {
        self.truth(arc).iter().zip(wanted).all(|(truth, wanted)| truth & wanted == *wanted)
    }

    /// The next arc out of a pair, of what leads out of its state. Stuttering comes last.
    #[inline]
    pub(crate) fn next_arc(&self, pair: Pair, out: Out<'_>, cursor: &mut Cursor) -> Option<Arc> {
        let from = self.place(pair);
        loop {
            let edge = match out.steps.get(cursor.edge as usize) {
                Some(&edge) => edge,
                None if cursor.edge as usize == out.steps.len() => out.stutter,
                None => return None,
            };
            let (class, moves) = self.moves_of(edge, from);
            let step = cursor.step as usize;
            // Most steps have one move, so that the next arc is that of the next step.
            *cursor = if step + 1 < moves.len() {
                Cursor { step: cursor.step + 1, ..*cursor }
            } else {
                Cursor { edge: cursor.edge + 1, step: 0 }
            };
            if let Some(next) = moves.get(step) {
                return Some(self.arc(edge, class, next));
            }
        }
    }

    /// Calls `look` with each arc out of a pair.
    #[inline]
    pub(crate) fn for_each_arc(&self, pair: Pair, out: Out<'_>, mut look: impl FnMut(Arc)) {
        let from = self.place(pair);
        for &edge in out.steps.iter().chain(&[out.stutter]) {
            let (class, moves) = self.moves_of(edge, from);
            for next in moves {
                look(self.arc(edge, class, next));
            }
        }
    }

    /// The arcs out of a pair.
    pub(crate) fn arcs<'s>(&'s self, pair: Pair, out: Out<'s>) -> impl Iterator<Item = Arc> + 's {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.next_arc(pair, out, &mut cursor))
    }

    /// The arcs from a pair to itself by stuttering, given the stuttering step of its state.
    pub(crate) fn stuttering(&self, pair: Pair, stutter: Edge) -> impl Iterator<Item = Arc> {
        self.arcs_of(stutter, self.place(pair)).filter(move |arc| arc.to == pair)
    }

    /// The arcs from a pair to itself.
    pub(crate) fn loops<'s>(&'s self, pair: Pair, out: Out<'s>) -> impl Iterator<Item = Arc> + 's {
        let state = self.state(pair);
        let steps = out.steps.iter().copied().filter(move |edge| edge.to == state);
        let arcs = steps.flat_map(move |edge| self.arcs_of(edge, self.place(pair)));
        arcs.filter(move |arc| arc.to == pair).chain(self.stuttering(pair, out.stutter))
    }

    fn arcs_of(&self, edge: Edge, from: u32) -> impl Iterator<Item = Arc> {
        let (class, moves) = self.moves_of(edge, from);
        moves.iter().map(move |next| self.arc(edge, class, next))
    }

    /// Whether an arc out of `pair` is a stuttering step.
    pub(crate) fn is_stuttering(&self, pair: Pair, out: Out<'_>, arc: &Arc) -> bool {
        self.state(arc.to) == self.state(pair) && out.stutter.letter == arc.letter
    }

    /// The class of a step, and where the automaton goes from a state of it by such a step.
    #[inline]
    fn moves_of(&self, edge: Edge, from: u32) -> (u32, &[Move]) {
        let class = self.class_of[edge.letter as usize];
        let row = (class << self.bits | from) as usize;
        (class, &self.moves[self.first_move[row] as usize..self.first_move[row + 1] as usize])
    }

    #[inline]
    fn arc(&self, edge: Edge, class: u32, next: &Move) -> Arc {
        Arc { to: edge.to << self.bits | next.to, letter: edge.letter, marks: next.marks, class }
    }
}

fn truth_of(predicates: &[Predicate], letter: &[u64], state_words: usize, words: usize) -> Vec<u64> {
    let has = |words: &[u64], atom: usize| words[atom / 64] >> (atom % 64) & 1 == 1;
    let (states, steps) = letter.split_at(state_words);
    let mut truth = vec![0; words];
    for (index, predicate) in predicates.iter().enumerate() {
        if predicate.holds(&|atom| has(states, atom), &|atom| has(steps, atom)) {
            truth[index / 64] |= 1 << (index % 64);
        }
    }
    truth
}
