//! Random walks.

mod common;

use common::{CoffeeCan, DieHard, Explicit, Peterson};
use locus_explore::{Limits, Reason, Simulation, ViolationKind, Walks, simulate};

fn states(simulation: &Simulation<DieHard>) -> Vec<(u8, u8)> {
    let (_, violation) = simulation.violation.as_ref().unwrap();
    violation.trace.steps.iter().map(|step| step.state).collect()
}

#[test]
fn a_walk_solves_die_hard() {
    let walks = Walks { seed: 7, depth: 50, count: Some(1000), ..Walks::default() };
    let simulation = simulate(&DieHard, &walks);
    assert_eq!(simulation.violation.as_ref().unwrap().1.kind, ViolationKind::Invariant(0));
    assert_eq!(states(&simulation).last().unwrap().1, 4);
    assert_eq!(states(&simulation), states(&simulate(&DieHard, &walks)), "the same seed, the same walk");
    let together = simulate(&DieHard, &Walks { workers: 3, ..walks });
    assert_eq!(states(&simulation), states(&together));
    assert_eq!(simulation.violation.unwrap().0, together.violation.unwrap().0);
    let others = (0..20).map(|seed| states(&simulate(&DieHard, &Walks { seed, ..walks })));
    assert!(others.collect::<std::collections::BTreeSet<_>>().len() > 10, "other seeds, other walks");
}

#[test]
fn walks_end_where_they_should() {
    let walks = Walks { count: Some(50), depth: 30, ..Walks::default() };
    let simulation = simulate(&CoffeeCan { beans: 10 }, &walks);
    assert!(simulation.violation.is_none());
    assert_eq!((simulation.walks, simulation.depth, simulation.stopped), (50, 30, None));
    let limits = Limits { states: Some(1000), ..Limits::default() };
    let limited = simulate(&Peterson { forgets_turn: false }, &Walks { limits, ..Walks::default() });
    assert_eq!(limited.stopped, Some(Reason::States));
}

#[test]
fn a_walk_meets_deadlock_and_error() {
    let mut model = Explicit {
        initial: vec![0],
        edges: vec![vec![1], vec![2], vec![]],
        outside: vec![false; 3],
        bad: vec![false; 3],
        broken: vec![false; 3],
    };
    let walks = Walks { count: Some(1), ..Walks::default() };
    let (_, violation) = simulate(&model, &walks).violation.unwrap();
    assert_eq!((violation.kind, violation.trace.steps.len()), (ViolationKind::Deadlock, 3));
    assert!(simulate(&model, &Walks { deadlock: false, ..walks }).violation.is_none());
    model.broken[1] = true;
    let (_, violation) = simulate(&model, &walks).violation.unwrap();
    assert_eq!((violation.kind, violation.trace.steps.len()), (ViolationKind::Error(1), 2));
    model.outside[1] = true;
    assert!(simulate(&model, &walks).violation.is_none(), "the walk stays within");
}
