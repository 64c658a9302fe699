//! The configurations of a plan, along all interleavings.

use std::collections::VecDeque;

use locus_aeolus::{Configuration, Universe};
use rustc_hash::FxHashSet;

use super::Fault;
use crate::problem::Plan;

/// A set of steps that were done, as bits.
type Done = Box<[u64]>;

fn has(done: &Done, step: usize) -> bool {
    done[step / 64] & (1 << (step % 64)) != 0
}

/// The steps that can be done next.
fn enabled(plan: &Plan, done: &Done) -> Vec<usize> {
    let ready = |index: &usize| {
        !has(done, *index) && plan.steps[*index].after.iter().all(|&before| has(done, before as usize))
    };
    (0..plan.steps.len()).filter(ready).collect()
}

/// Goes through all configurations, breadth first, and checks each; gives how many there are.
pub(super) fn all_ways(
    universe: &Universe,
    start: &Configuration,
    plan: &Plan,
    limit: u64,
) -> Result<u64, Fault> {
    let nothing: Done = vec![0; plan.steps.len().div_ceil(64)].into();
    let mut seen: FxHashSet<Done> = FxHashSet::from_iter([nothing.clone()]);
    let mut queue = VecDeque::from([(nothing, start.clone())]);
    while let Some((done, configuration)) = queue.pop_front() {
        if let Some(violation) = configuration.violations(universe).into_iter().next() {
            let done = (0..plan.steps.len()).filter(|&step| has(&done, step)).map(|step| step as u32);
            return Err(Fault::Incorrect { done: done.collect(), violation });
        }
        for step in enabled(plan, &done) {
            let Ok(after) = configuration.after(universe, &plan.steps[step].action) else {
                return Err(Fault::Impossible { step: step as u32 });
            };
            let mut next = done.clone();
            next[step / 64] |= 1 << (step % 64);
            if seen.insert(next.clone()) {
                if seen.len() as u64 > limit {
                    return Err(Fault::TooMany { limit });
                }
                queue.push_back((next, after));
            }
        }
    }
    Ok(seen.len() as u64)
}

/// How many sets of steps some interleaving passes through, if there are no more than `limit`.
pub(super) fn count(plan: &Plan, limit: u64) -> Option<u64> {
    let nothing: Done = vec![0; plan.steps.len().div_ceil(64)].into();
    let mut seen: FxHashSet<Done> = FxHashSet::from_iter([nothing.clone()]);
    let mut todo = vec![nothing];
    while let Some(done) = todo.pop() {
        for step in enabled(plan, &done) {
            let mut next = done.clone();
            next[step / 64] |= 1 << (step % 64);
            if seen.insert(next.clone()) {
                if seen.len() as u64 > limit {
                    return None;
                }
                todo.push(next);
            }
        }
    }
    Some(seen.len() as u64)
}
