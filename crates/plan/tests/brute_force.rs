//! The planner beside brute force, on random universes: the same targets can be reached, and plans are small.
//!
//! Brute force goes through all multisets of states of a few components, with all bindings that are possible: without
//! capacities and conflicts, more bindings never do harm.

use std::collections::{HashSet, VecDeque};

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{Configuration, StateId, TypeId, Universe};
use locus_plan::{Answer, Limits, Others, Problem, Wanted, check, solve};

type States = Vec<(TypeId, StateId)>;

fn is_correct(universe: &Universe, states: &States) -> bool {
    states.iter().enumerate().all(|(index, &(kind, state))| {
        universe.state(kind, state).requires.iter().all(|requirement| {
            let others = states.iter().enumerate().filter(|&(other, &(kind, state))| {
                other != index && universe.state(kind, state).provision(requirement.port).is_some()
            });
            others.count() >= requirement.number as usize
        })
    })
}

/// All multisets that follow: one component more, one less, or some change their states at once.
fn next(universe: &Universe, states: &States, most: usize) -> Vec<States> {
    let mut found: Vec<States> = vec![Vec::new()];
    for &(kind, state) in states {
        let mut longer = Vec::new();
        for prefix in &found {
            for &to in std::iter::once(&state).chain(&universe.state(kind, state).next) {
                let mut prefix = prefix.clone();
                prefix.push((kind, to));
                longer.push(prefix);
            }
        }
        found = longer;
    }
    if states.len() < most {
        for (kind, declared) in universe.types() {
            // A new component has no bindings yet.
            if declared.state(declared.initial).requires.iter().any(|requirement| requirement.number > 0) {
                continue;
            }
            let mut more = states.clone();
            more.push((kind, declared.initial));
            found.push(more);
        }
    }
    for index in 0..states.len() {
        let mut fewer = states.clone();
        fewer.remove(index);
        found.push(fewer);
    }
    for states in &mut found {
        states.sort_unstable();
    }
    found.retain(|states| is_correct(universe, states));
    found
}

/// The fewest components at once with which the target is reached, up to `most`.
fn fewest(universe: &Universe, target: (TypeId, StateId), most: usize) -> Option<usize> {
    (1..=most).find(|&most| {
        let mut seen: HashSet<States> = HashSet::from([Vec::new()]);
        let mut queue = VecDeque::from([Vec::new()]);
        while let Some(states) = queue.pop_front() {
            if states.contains(&target) {
                return true;
            }
            for next in next(universe, &states, most) {
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        false
    })
}

#[derive(Debug, Default)]
struct Tally {
    reachable: usize,
    unreachable: usize,
    /// Found by brute force within its bound.
    bounded: usize,
    as_small: usize,
}

fn compare(cases: usize, seed: u64) -> Tally {
    let shape = Shape { types: 3, states: 3, ports: 3, number: 2, capacities: 0, conflicts: 0 };
    let (mut dice, mut tally) = (Dice::new(seed), Tally::default());
    let start = Configuration::new();
    for _ in 0..cases {
        let universe = random::universe(&mut dice, shape);
        let kind = TypeId(dice.below(universe.types().len()) as u32);
        let state = StateId(dice.below(universe.kind(kind).states.len()) as u32);
        let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
        let problem =
            Problem { universe: &universe, start: &start, names: &[], wanted, others: Others::Keep };
        let brute = fewest(&universe, (kind, state), 4);
        match solve(&problem, Limits::default()).0 {
            Answer::Plan(plan) => {
                tally.reachable += 1;
                check(&universe, &start, &plan, 100_000).expect("it was checked before");
                let at_end = plan.end.components.values();
                assert!(at_end.into_iter().any(|c| (c.kind, c.state) == (kind, state)));
                if let Some(fewest) = brute {
                    tally.bounded += 1;
                    tally.as_small += usize::from(plan.components.len() <= fewest);
                }
            }
            Answer::None(reasons) => {
                tally.unreachable += 1;
                assert!(!reasons.is_empty());
                assert_eq!(brute, None, "brute force reaches {kind:?} {state:?} of {universe:?}");
            }
            Answer::Unknown(why) => {
                panic!("without capacities and conflicts all is known: {why}\n{universe:?}")
            }
        }
    }
    tally
}

#[test]
fn the_same_targets_are_reached() {
    let tally = compare(2_000, 1);
    assert!(tally.reachable > 500 && tally.unreachable > 200 && tally.bounded > 400, "{tally:?}");
    // The planner does not promise the fewest components.
    assert!(tally.as_small * 100 >= tally.bounded * 90, "{tally:?}");
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
