//! Breadth-first search on machines whose counts are known.

mod common;

use common::{CoffeeCan, DieHard, Explicit, Pour};
use locus_explore::{Limits, Options, Reason, Verdict, ViolationKind, explore};

#[test]
fn die_hard_is_solved_in_six_steps() {
    for workers in [1, 2, 3] {
        let report = explore(&DieHard, &Options { workers, ..Options::default() });
        assert_eq!(report.verdict, Verdict::Violated);
        let [violation] = &report.violations[..] else { panic!("one violation") };
        assert_eq!(violation.kind, ViolationKind::Invariant(0));
        let states: Vec<_> = violation.trace.steps.iter().map(|step| step.state).collect();
        assert_eq!(states, [(0, 0), (0, 5), (3, 2), (0, 2), (2, 0), (2, 5), (3, 4)]);
        let actions: Vec<_> = violation.trace.steps.iter().filter_map(|step| step.action).collect();
        let expected = {
            use Pour::*;
            [FillBig, BigToSmall, EmptySmall, BigToSmall, FillBig, BigToSmall]
        };
        assert_eq!(actions, expected);
    }
}

#[test]
fn die_hard_counts_are_those_of_tlc() {
    // Asked to go on behind the violation, TLC reports 97 states generated, 16 distinct, depth 8.
    let options = Options { violations: 100, ..Options::default() };
    let report = explore(&DieHard, &options);
    let statistics = report.statistics;
    assert_eq!((statistics.generated, statistics.distinct, statistics.depth), (97, 16, 8));
    assert_eq!(report.violations.len(), 2, "(0, 4) and (3, 4)");
    assert_eq!(report.coverage.iter().map(|kind| kind.generated).sum::<u64>(), 96);
    assert_eq!(report.coverage.iter().map(|kind| kind.distinct).sum::<u64>(), 15);
}

#[test]
fn coffee_can_counts_are_those_of_tlc() {
    for workers in [1, 2] {
        let report = explore(&CoffeeCan { beans: 100 }, &Options { workers, ..Options::default() });
        assert_eq!(report.verdict, Verdict::Holds);
        // The record for CoffeeCan100Beans.cfg.
        assert_eq!((report.statistics.generated, report.statistics.distinct), (20_002, 5150));
        assert_eq!(report.statistics.depth, 1);
    }
}

/// Steps are looked at in batches across states, most of which have none here, few, or more than a batch.
#[test]
fn no_step_is_lost_between_states_without_any() {
    let mut x = 1_u64;
    let mut below = move |bound: u64| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) % bound
    };
    for round in 0..60 {
        // Many initial states are passed on from one worker to others.
        let (initial, seldom) = (if round % 12 == 0 { 6000 } else { 400 }, 2 + round);
        let mut edges: Vec<Vec<u16>> = Vec::new();
        let mut states = initial;
        while edges.len() < states {
            let count = if below(seldom) > 0 || states > initial + 2600 {
                0
            } else {
                [1, 1, 1, 2, 3, 70][below(6) as usize]
            };
            // Each leads to a state of its own, and some back besides.
            edges.push((states..states + count).map(|to| to as u16).collect());
            states += count;
            if count > 0 && below(2) == 0 {
                edges.last_mut().unwrap().push(below(initial as u64) as u16);
            }
        }
        // With an even number of states, steps are held back.
        if edges.len() % 2 == 1 {
            edges.push(Vec::new());
        }
        let none = vec![false; edges.len()];
        let steps = edges.iter().map(Vec::len).sum::<usize>();
        let model = Explicit {
            initial: (0..initial as u16).collect(),
            edges,
            outside: none.clone(),
            bad: none.clone(),
            broken: none,
        };
        for workers in [1, 2, 3] {
            let report = explore(&model, &Options { workers, deadlock: false, ..Options::default() });
            let found = (report.verdict, report.statistics.generated, report.statistics.distinct);
            assert_eq!(found, (Verdict::Holds, (initial + steps) as u64, states as u64), "{round} {workers}");
        }
    }
}

#[test]
fn a_limit_gives_no_verdict() {
    let limits = |limits| Options { violations: 100, limits, ..Options::default() };
    let model = CoffeeCan { beans: 1000 };
    let by_states = explore(&model, &limits(Limits { states: Some(10), ..Limits::default() }));
    assert_eq!(by_states.verdict, Verdict::Incomplete(Reason::States));
    let by_depth = explore(&model, &limits(Limits { depth: Some(1), ..Limits::default() }));
    assert_eq!(by_depth.verdict, Verdict::Incomplete(Reason::Depth));
    assert_eq!(by_depth.statistics.queue, by_depth.statistics.distinct);
    let by_memory = explore(&model, &limits(Limits { bytes: Some(8 << 20), ..Limits::default() }));
    assert_eq!(by_memory.verdict, Verdict::Incomplete(Reason::Memory));
    let stop = std::sync::atomic::AtomicBool::new(true);
    let stopped = explore(&model, &limits(Limits { stop: Some(&stop), ..Limits::default() }));
    assert_eq!(stopped.verdict, Verdict::Incomplete(Reason::Stopped));
    let late = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    assert_eq!(explore(&model, &limits(late)).verdict, Verdict::Incomplete(Reason::Time));
}
