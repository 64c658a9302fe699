//! Random walks.

mod common;

use common::{CoffeeCan, DieHard, Explicit, Peterson};
use locus_explore::{Limits, Model, Reason, Simulation, ViolationKind, Walks, simulate};

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
    let number = |simulation: &Simulation<DieHard>| simulation.violation.as_ref().unwrap().0;
    assert_eq!(number(&simulation), number(&together));
    let met: std::collections::BTreeSet<_> = states(&simulation).into_iter().collect();
    assert_eq!(met.len(), states(&simulation).len(), "no state twice");
    for pair in states(&simulation).windows(2) {
        let mut follows = false;
        DieHard
            .successors(&mut (), &pair[0], &mut |(), _, next| {
                follows |= *next == pair[1];
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        assert!(follows, "{pair:?} is no step");
    }
    let others = (0..20).map(|seed| states(&simulate(&DieHard, &Walks { seed, ..walks })));
    assert!(others.collect::<std::collections::BTreeSet<_>>().len() > 1, "other seeds, other walks");
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
    model.bad[0] = true;
    let wrong_at_once = simulate(&model, &walks);
    let (number, violation) = wrong_at_once.violation.unwrap();
    assert_eq!((number, violation.kind), (0, ViolationKind::Invariant(0)));
    assert_eq!((violation.trace.steps.len(), wrong_at_once.walks), (1, 0));
}
