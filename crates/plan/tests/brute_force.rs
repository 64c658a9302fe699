//! The planner beside brute force, on random universes.

mod common;

use std::collections::{HashSet, VecDeque};

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{Configuration, StateId, TypeId, Universe};
use locus_plan::{Answer, Limits, Others, Problem, Wanted, check, solve};

#[test]
fn the_same_targets_are_reached() {
    let tally = common::compare(2_000, 1);
    assert!(tally.reachable > 500 && tally.unreachable > 200 && tally.bounded > 400, "{tally:?}");
    assert!(tally.same_size > 400, "{tally:?}");
    // The planner does not promise the fewest components.
    assert!(tally.as_small * 100 >= tally.bounded * 90, "{tally:?}");
}

/// Components that serve each other and both continue: among these universes is one whose twins were divided in turn
/// without end.
#[test]
fn twins_serve_each_other() {
    let tally = common::compare(2_000, 19);
    assert!(tally.reachable > 500, "{tally:?}");
}

/// From what is deployed to other states of it: brute force finds nothing that the planner does not.
#[test]
fn what_is_deployed_gets_where_it_can() {
    let tally = common::compare_deployed(1_000, 5);
    assert!(tally.planned > 500 && tally.with_helpers > 3, "{tally:?}");
}

/// With capacities and conflicts: what is answered is right, although not everything is answered.
#[test]
fn no_answer_is_wrong_with_capacities_and_conflicts() {
    let shape = Shape { types: 2, states: 3, ports: 2, number: 2, capacities: 30, conflicts: 30 };
    let (mut dice, start) = (Dice::new(3), Configuration::new());
    let (mut plans, mut none, mut unknown) = (0, 0, 0);
    for _ in 0..400 {
        let universe = random::universe(&mut dice, shape);
        let kind = TypeId(dice.below(universe.types().len()) as u32);
        let state = StateId(dice.below(universe.kind(kind).states.len()) as u32);
        let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
        let problem =
            Problem { universe: &universe, start: &start, names: &[], wanted, others: Others::Keep };
        match solve(&problem, Limits { configurations: 500, variations: 2, searched: 100 }).0 {
            Answer::Plan(plan) => {
                plans += 1;
                check(&universe, &start, &plan, 500).expect("it was checked before");
            }
            Answer::None(_) => {
                none += 1;
                assert!(!is_reached(&universe, (kind, state), 3), "{kind:?} {state:?} of {universe:?}");
            }
            Answer::Unknown(_) => unknown += 1,
        }
    }
    assert!(plans > 100 && none > 30, "{plans} plans, {none} without, {unknown} unknown");
}

/// Whether a target is reached with a few components, by all single actions and pairs of changes of figure 16.
fn is_reached(universe: &Universe, target: (TypeId, StateId), most: usize) -> bool {
    let mut seen = HashSet::from([Configuration::new()]);
    let mut queue = VecDeque::from([Configuration::new()]);
    while let Some(configuration) = queue.pop_front() {
        if configuration.components.values().any(|c| (c.kind, c.state) == target) {
            return true;
        }
        for action in configuration.actions(universe, 2) {
            let next = configuration.after(universe, &action).expect("it is allowed");
            if next.components.len() <= most
                && next.is_correct(universe)
                && seen.len() < 1_000
                && seen.insert(next.clone())
            {
                queue.push_back(next);
            }
        }
    }
    false
}
