//! Steps in a partial order, and when each version of a thing is there.
//!
//! Out of scope: relations and formulas.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::universe::Atom;

/// The time in which a version of a thing is there: between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The step by which it comes; none if it is there at the start.
    pub comes: Option<usize>,
    /// The step by which it goes; none if it stays.
    pub goes: Option<usize>,
}

/// Things that come and go by steps.
#[derive(Clone)]
pub struct Way<'a> {
    /// For each step those that come right before it, which have smaller numbers.
    pub after: &'a [Vec<usize>],
    /// For each version of a thing, when it is there: within any of these.
    pub versions: &'a [Vec<Span>],
    /// The version that an atom belongs to; others are always there.
    pub version_of: FxHashMap<Atom, usize>,
}

/// The steps of a way with answers about their order.
pub(super) struct Order<'a> {
    way: Way<'a>,
    /// The number of steps on a longest chain that ends at each step.
    levels: Vec<u32>,
    known: RefCell<Known>,
}

#[derive(Default)]
struct Known {
    pairs: FxHashMap<(u32, u32), bool>,
    /// The search at which each step was met last.
    met: Vec<u32>,
    searches: u32,
}

/// So many answers are kept.
const MOST_KEPT: usize = 2_000_000;

impl<'a> Order<'a> {
    pub(super) fn new(way: Way<'a>) -> Self {
        let mut levels: Vec<u32> = Vec::with_capacity(way.after.len());
        for (step, before) in way.after.iter().enumerate() {
            debug_assert!(before.iter().all(|&other| other < step), "steps are in an order that is allowed");
            levels.push(before.iter().map(|&other| levels[other] + 1).max().unwrap_or(0));
        }
        let met = vec![0; way.after.len()];
        Self { way, levels, known: RefCell::new(Known { met, ..Known::default() }) }
    }

    pub(super) fn count(&self) -> usize {
        self.way.after.len()
    }

    pub(super) fn versions(&self) -> usize {
        self.way.versions.len()
    }

    pub(super) fn version(&self, atom: Atom) -> Option<usize> {
        self.way.version_of.get(&atom).copied()
    }

    pub(super) fn spans(&self, version: usize) -> &'a [Span] {
        &self.way.versions[version]
    }

    pub(super) fn before(&self, step: usize) -> &'a [usize] {
        &self.way.after[step]
    }

    /// Whether every set of steps that may be done has the one if it has the other.
    pub(super) fn is_before(&self, early: usize, late: usize) -> bool {
        if early == late {
            return true;
        }
        if early > late || self.levels[early] >= self.levels[late] {
            return false;
        }
        let key = (early as u32, late as u32);
        let known = &mut *self.known.borrow_mut();
        if let Some(&answer) = known.pairs.get(&key) {
            return answer;
        }
        let answer = self.search(early, late, known);
        if known.pairs.len() >= MOST_KEPT {
            known.pairs.clear();
        }
        known.pairs.insert(key, answer);
        answer
    }

    /// Looks for a step among all before another: mostly it is near.
    fn search(&self, early: usize, late: usize, known: &mut Known) -> bool {
        known.searches += 1;
        let now = known.searches;
        let mut queue = std::collections::VecDeque::from([late]);
        while let Some(step) = queue.pop_front() {
            for &before in &self.way.after[step] {
                if before == early {
                    return true;
                }
                if before > early && self.levels[before] > self.levels[early] && known.met[before] != now {
                    known.met[before] = now;
                    queue.push_back(before);
                }
            }
        }
        false
    }

    /// Whether a version is there in every configuration that has another one.
    pub(super) fn implies(&self, there: usize, other: usize) -> bool {
        if there == other {
            return true;
        }
        self.spans(other).iter().any(|span| {
            let within = |own: &Span| {
                let comes =
                    span.comes.is_none_or(|step| own.comes.is_some_and(|own| self.is_before(step, own)));
                comes && span.goes.is_none_or(|step| own.goes.is_some_and(|own| self.is_before(own, step)))
            };
            self.spans(there).iter().all(within)
        })
    }

    /// Whether a version is there in every configuration.
    pub(super) fn is_always(&self, version: usize) -> bool {
        self.spans(version).iter().any(|span| span.comes.is_none() && span.goes.is_none())
    }

    /// Whether a version is there when just these steps are done.
    pub(super) fn is_there(&self, version: usize, is_done: impl Fn(usize) -> bool) -> bool {
        let within = |span: &Span| span.comes.is_none_or(&is_done) && !span.goes.is_some_and(&is_done);
        self.spans(version).iter().any(within)
    }

    /// The steps at which versions come or go, each once, ascending.
    pub(super) fn steps_of(&self, versions: &[usize]) -> Vec<usize> {
        let spans = versions.iter().flat_map(|&version| self.spans(version));
        let mut steps: Vec<usize> = spans.flat_map(|span| [span.comes, span.goes]).flatten().collect();
        steps.sort_unstable();
        steps.dedup();
        steps
    }

    /// Some steps with all that come before them.
    pub(super) fn with_all_before(&self, steps: &[usize]) -> Vec<bool> {
        let mut done = vec![false; self.count()];
        let mut open = steps.to_vec();
        while let Some(step) = open.pop() {
            if !std::mem::replace(&mut done[step], true) {
                open.extend(&self.way.after[step]);
            }
        }
        done
    }
}
