//! Breadth-first search on machines whose counts are known.

mod common;

use common::{CoffeeCan, DieHard, Pour};
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
