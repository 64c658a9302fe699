//! The tableau: an automaton that accepts the behaviours satisfying a conjunction of formulas.
//!
//! A state of the automaton is the set of formulas that must be true from here on. A transition says which
//! predicates must be true at this place, and what must be true from the next place on. It comes from unfolding
//! `[]f` into `f` now and `[]f` next, and `<>f` into `f` now, or `<>f` next. In the second case the transition
//! *postpones* `<>f`; a run is accepted if it does not postpone any `<>f` for ever, that is, if for each of them
//! it takes infinitely often a transition that does not postpone it.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::normal::{Arena, Id, Normal};

/// Automata with more states are refused.
const MAX_STATES: usize = 2048;
/// Building an automaton takes at most this many elementary comparisons: about a second.
const MAX_EFFORT: usize = 1 << 22;
/// Eventualities are bits of a word.
const MAX_EVENTUALITIES: usize = 64;

/// See the module. State 0 is the first.
#[derive(Debug)]
pub(crate) struct Automaton {
    pub(crate) transitions: Vec<Vec<Transition>>,
    /// A bit for each eventuality.
    pub(crate) all_marks: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Transition {
    /// Predicates of the arena that must be true, in order.
    pub(crate) needs: Vec<usize>,
    pub(crate) to: usize,
    /// The eventualities that are not postponed.
    pub(crate) marks: u64,
}

/// The formula is too large for a tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

type Obligations = BTreeSet<Id>;

/// One way to satisfy a set of formulas at a place.
#[derive(Clone, Default, PartialEq, Eq)]
struct Way {
    needs: BTreeSet<usize>,
    next: Obligations,
    postponed: BTreeSet<Id>,
}

/// Builds the automaton for the conjunction of `formulas`.
pub(crate) fn build(arena: &Arena, formulas: &[Id]) -> Result<Automaton, TooLarge> {
    let mut states: Vec<Obligations> = vec![formulas.iter().copied().collect()];
    let mut known: FxHashMap<Obligations, usize> = FxHashMap::default();
    known.insert(states[0].clone(), 0);
    let mut eventualities: Vec<Id> = Vec::new();
    let mut unfolded = Vec::new();
    let mut effort = MAX_EFFORT;
    while unfolded.len() < states.len() {
        let ways = unfold(arena, &states[unfolded.len()], &mut effort)?;
        let mut transitions = Vec::new();
        for way in ways {
            for &id in &way.postponed {
                if !eventualities.contains(&id) {
                    eventualities.push(id);
                }
            }
            let to = *known.entry(way.next).or_insert_with_key(|next| {
                states.push(next.clone());
                states.len() - 1
            });
            transitions.push((way.needs, to, way.postponed));
        }
        unfolded.push(transitions);
        if states.len() > MAX_STATES || eventualities.len() > MAX_EVENTUALITIES {
            return Err(TooLarge);
        }
    }
    let all_marks = if eventualities.len() == 64 { u64::MAX } else { (1 << eventualities.len()) - 1 };
    let mark = |id: &Id| eventualities.iter().position(|other| other == id).map_or(0, |bit| 1_u64 << bit);
    let transitions = unfolded
        .into_iter()
        .map(|ways| {
            ways.into_iter()
                .map(|(needs, to, postponed)| Transition {
                    needs: needs.into_iter().collect(),
                    to,
                    marks: all_marks & !postponed.iter().map(mark).fold(0, |a, b| a | b),
                })
                .collect()
        })
        .collect();
    Ok(Automaton { transitions, all_marks })
}

impl Automaton {
    /// Whether there is one state only, with a transition that is always possible.
    pub(crate) fn accepts_everything(&self) -> bool {
        matches!(&self.transitions[..], [only] if only.iter().any(|transition| transition.needs.is_empty()))
            && self.all_marks == 0
    }
}

/// All ways to satisfy a set of formulas at a place, without those that ask for more than another.
fn unfold(arena: &Arena, formulas: &Obligations, effort: &mut usize) -> Result<Vec<Way>, TooLarge> {
    let mut ways: Vec<Way> = Vec::new();
    let first: (Way, Vec<Id>, BTreeSet<Id>) =
        (Way::default(), formulas.iter().copied().collect(), BTreeSet::new());
    let mut todo = vec![first];
    'ways: while let Some((mut way, mut pending, mut seen)) = todo.pop() {
        *effort = effort.checked_sub(1 + ways.len()).ok_or(TooLarge)?;
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match arena.node(id) {
                Normal::Predicate(index) => match arena.constant(id) {
                    Some(true) => {}
                    Some(false) => continue 'ways,
                    None => {
                        way.needs.insert(*index);
                    }
                },
                Normal::And(parts) => pending.extend(parts),
                Normal::Always(part) => {
                    pending.push(*part);
                    way.next.insert(id);
                }
                Normal::Or(parts) => {
                    for &part in parts {
                        let mut with_part = pending.clone();
                        with_part.push(part);
                        todo.push((way.clone(), with_part, seen.clone()));
                    }
                    continue 'ways;
                }
                Normal::Eventually(part) => {
                    let mut now = pending.clone();
                    now.push(*part);
                    todo.push((way.clone(), now, seen.clone()));
                    way.next.insert(id);
                    way.postponed.insert(id);
                }
            }
        }
        if ways.iter().any(|other| other.asks_no_more_than(&way)) {
            continue;
        }
        ways.retain(|other| !way.asks_no_more_than(other));
        ways.push(way);
    }
    Ok(ways)
}

impl Way {
    /// If so, the other way is superfluous: where it can be gone, this one can, and a run that fulfils each
    /// eventuality as soon as it can loses nothing by it.
    fn asks_no_more_than(&self, other: &Way) -> bool {
        self.needs.is_subset(&other.needs)
            && self.next.is_subset(&other.next)
            && self.postponed.is_subset(&other.postponed)
    }
}
