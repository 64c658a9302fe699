//! The judge refuses what is wrong: plans with one constraint less, beside all interleavings.

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{Configuration, StateId, TypeId, Universe};
use locus_plan::{Answer, Limits, Others, Plan, Problem, Wanted, check, solve};

/// Whether every interleaving is right, by going through all of them.
fn all_ways(universe: &Universe, plan: &Plan) -> Option<bool> {
    let mut seen = std::collections::HashSet::from([0u64]);
    let mut todo = vec![(0u64, Configuration::new())];
    while let Some((done, configuration)) = todo.pop() {
        if !configuration.is_correct(universe) {
            return Some(false);
        }
        for (index, step) in plan.steps.iter().enumerate() {
            if done & (1 << index) != 0 || step.after.iter().any(|before| done & (1 << before) == 0) {
                continue;
            }
            let Ok(next) = configuration.after(universe, &step.action) else { return Some(false) };
            if seen.insert(done | 1 << index) {
                todo.push((done | 1 << index, next));
            }
        }
        if seen.len() >= 2_000 {
            return None;
        }
    }
    Some(true)
}

#[test]
fn the_judge_agrees_with_all_interleavings() {
    let shape = Shape { types: 3, states: 3, ports: 3, number: 2, capacities: 20, conflicts: 10 };
    let (mut dice, start) = (Dice::new(5), Configuration::new());
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..1_500 {
        let universe = random::universe(&mut dice, shape);
        let kind = TypeId(dice.below(universe.types().len()) as u32);
        let state = StateId(dice.below(universe.kind(kind).states.len()) as u32);
        let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
        let problem =
            Problem { universe: &universe, start: &start, names: &[], wanted, others: Others::Keep };
        let Answer::Plan(mut plan) =
            solve(&problem, Limits { configurations: 500, variations: 2, searched: 200 }).0
        else {
            continue;
        };
        if plan.steps.len() > 24 || plan.steps.is_empty() {
            continue;
        }
        assert_ne!(all_ways(&universe, &plan), Some(false), "{plan:?}\n{universe:?}");
        // The same with one constraint less.
        let step = dice.below(plan.steps.len());
        let after = &mut plan.steps[step].after;
        if after.is_empty() {
            continue;
        }
        after.remove(dice.below(after.len()));
        let expected = all_ways(&universe, &plan);
        let judged = check(&universe, &start, &plan, 2_000);
        match expected {
            Some(true) => {
                assert!(judged.is_ok(), "{judged:?}: {plan:?}");
                right += 1;
            }
            Some(false) => {
                assert!(judged.is_err(), "{plan:?}\n{universe:?}");
                wrong += 1;
            }
            None => {}
        }
    }
    assert!(right > 5 && wrong > 30, "{right} right, {wrong} wrong");
}
