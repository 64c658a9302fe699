//! The configurations of a plan, along all interleavings.

use std::collections::VecDeque;

use locus_aeolus::{Action, Configuration, Universe};
use rustc_hash::FxHashSet;

use super::Fault;
use crate::problem::Plan;

/// A set of steps that were done, as bits.
type Done = Box<[u64]>;

/// How much all configurations that are looked at have together at most, in components, bindings and words of steps:
/// each is kept until the next ones are found, so that there may not be as many of large ones.
const MOST_PARTS: u64 = 10_000_000;

/// How many things of so many parts are looked at, if there may be `limit` of small ones.
fn affordable(parts: usize, limit: u64) -> u64 {
    limit.min(MOST_PARTS / (parts as u64).max(1))
}

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
    let bindings = plan.steps.iter().filter(|step| matches!(step.action, Action::Bind(_))).count();
    let limit = affordable(plan.components.len() + bindings + 2 * nothing.len(), limit);
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
    let limit = affordable(2 * nothing.len(), limit);
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

#[cfg(test)]
mod tests {
    use locus_aeolus::{ComponentId, ComponentType, State};

    use super::*;
    use crate::problem::{Planned, Step};

    #[test]
    fn of_large_configurations_fewer_are_looked_at() {
        let mut universe = Universe::new();
        let state = State { name: "there".to_owned(), ..State::default() };
        let kind = universe.add(ComponentType { states: vec![state], ..ComponentType::default() });
        let plan = |count: u32| {
            let component = |id| Planned { name: format!("c{id}"), kind, is_new: true };
            let step = |id| Step { action: Action::New(ComponentId(id), kind), after: Vec::new() };
            Plan {
                components: (0..count).map(component).collect(),
                steps: (0..count).map(step).collect(),
                ..Plan::default()
            }
        };
        let ways = |count, limit| all_ways(&universe, &Configuration::new(), &plan(count), limit);
        assert_eq!(ways(10, 100_000), Ok(1 << 10));
        assert_eq!(ways(20, 100_000), Err(Fault::TooMany { limit: 100_000 }));
        let Err(Fault::TooMany { limit }) = ways(1_000, 100_000) else { panic!("there are too many ways") };
        assert!(limit > 1_000 && limit * 1_000 <= MOST_PARTS, "{limit}");
        assert_eq!(count(&plan(1_000), 100_000), None);
    }
}
