//! The search against a naive one, on random graphs.

mod common;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use common::{Explicit, large};
use locus_explore::{
    Formula, Obligations, Options, Report, Temporal, TraceEnd, Verdict, ViolationKind, explore,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn graph() -> impl Strategy<Value = Explicit> {
    (1..80_usize, 1..5_usize).prop_flat_map(|(states, degree)| {
        let state = 0..states as u16;
        let rarely = move |percent: u32| vec(prop::bool::weighted(f64::from(percent) / 100.0), states);
        (
            vec(state.clone(), 1..4),
            vec(vec(state, 0..=degree), states),
            rarely(10),
            prop_oneof![rarely(0).boxed(), rarely(5).boxed()],
            prop_oneof![rarely(0).boxed(), rarely(3).boxed()],
        )
            .prop_map(|(initial, edges, outside, bad, broken)| Explicit {
                initial,
                edges,
                outside,
                bad,
                broken,
            })
    })
}

/// The expected result of a search.
#[derive(Debug, Default, PartialEq, Eq)]
struct Facts {
    generated: u64,
    distinct: u64,
    depth: u32,
    /// The lengths of the shortest traces to what is wrong: invariant, deadlock, error.
    wrong: BTreeSet<(usize, u8)>,
}

fn naive(model: &Explicit) -> Facts {
    let mut facts = Facts::default();
    let mut depths: BTreeMap<u16, u32> = BTreeMap::new();
    let mut queue = VecDeque::new();
    let mut see = |facts: &mut Facts, queue: &mut VecDeque<u16>, state: u16, depth: u32| {
        facts.generated += 1;
        if model.bad[usize::from(state)] && !depths.contains_key(&state) {
            facts.wrong.insert((depth as usize, 0));
        }
        if !model.outside[usize::from(state)] && !depths.contains_key(&state) {
            depths.insert(state, depth);
            queue.push_back(state);
            facts.depth = depth;
            facts.distinct += 1;
        }
        depths.clone()
    };
    let mut known = BTreeMap::new();
    for &state in &model.initial {
        known = see(&mut facts, &mut queue, state, 1);
    }
    while let Some(state) = queue.pop_front() {
        let depth = known[&state];
        let edges = &model.edges[usize::from(state)];
        for &next in edges {
            known = see(&mut facts, &mut queue, next, depth + 1);
        }
        if model.broken[usize::from(state)] {
            facts.wrong.insert((depth as usize, 2));
        } else if edges.is_empty() {
            facts.wrong.insert((depth as usize, 1));
        }
    }
    facts
}

fn facts(report: &Report<Explicit>) -> Facts {
    let kind = |kind: &ViolationKind<u16>| match kind {
        ViolationKind::Invariant(0) => 0,
        ViolationKind::Deadlock => 1,
        ViolationKind::Error(_) => 2,
        other => panic!("{other:?}"),
    };
    Facts {
        generated: report.statistics.generated,
        distinct: report.statistics.distinct,
        depth: report.statistics.depth,
        wrong: report.violations.iter().map(|found| (found.trace.steps.len(), kind(&found.kind))).collect(),
    }
}

/// Everything about a report that should not depend on the number of workers.
fn essence(report: &Report<Explicit>) -> impl PartialEq + std::fmt::Debug {
    let violation = |violation: &locus_explore::Violation<Explicit>| {
        let steps: Vec<_> = violation.trace.steps.iter().map(|step| (step.action, step.state)).collect();
        let end = match &violation.trace.end {
            TraceEnd::Finite => None,
            TraceEnd::Stuttering => Some((steps.len() - 1, None)),
            TraceEnd::BackTo { index, action } => Some((*index, *action)),
        };
        (violation.kind.clone(), steps, end)
    };
    let coverage: Vec<_> = report.coverage.iter().map(|kind| kind.generated).collect();
    let statistics = report.statistics;
    let counts = (statistics.generated, statistics.distinct, statistics.depth, statistics.queue);
    (report.verdict, counts, coverage, report.violations.iter().map(violation).collect::<Vec<_>>())
}

fn is_a_path(model: &Explicit, report: &Report<Explicit>) -> bool {
    report.violations.iter().all(|violation| {
        let steps = &violation.trace.steps;
        violation.trace.missing == 0
            && model.initial.contains(&steps[0].state)
            && steps.windows(2).all(|pair| {
                let edges = &model.edges[usize::from(pair[0].state)];
                pair[1].action.is_some_and(|action| edges[action] == pair[1].state)
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_is_found(model in graph()) {
        let options = Options { violations: 10_000, ..Options::default() };
        let report = explore(&model, &options);
        prop_assert_eq!(facts(&report), naive(&model));
        prop_assert!(is_a_path(&model, &report));
        let parallel = explore(&model, &Options { workers: 2, ..options });
        prop_assert_eq!(essence(&report), essence(&parallel));
    }

    #[test]
    fn the_first_violation_is_a_shortest(model in graph()) {
        let expected = naive(&model);
        let report = explore(&model, &Options::default());
        let parallel = explore(&model, &Options { workers: 3, ..Options::default() });
        prop_assert_eq!(essence(&report), essence(&parallel));
        prop_assert!(is_a_path(&model, &report));
        let at_once = explore(&model, &Options { at_once: true, workers: 2, ..Options::default() });
        prop_assert!(is_a_path(&model, &at_once));
        match expected.wrong.first() {
            None => {
                prop_assert_eq!(report.verdict, Verdict::Holds);
                prop_assert_eq!(at_once.verdict, Verdict::Holds);
            }
            Some(&first) => {
                prop_assert_eq!(facts(&report).wrong.pop_first(), Some(first));
                prop_assert_eq!(at_once.violations.len(), 1);
            }
        }
    }
}

#[test]
fn workers_do_not_matter_on_large_graphs() {
    for seed in 1..6 {
        let model = large(seed);
        for violations in [1, 20, 1000] {
            let options = Options { violations, ..Options::default() };
            let alone = explore(&model, &options);
            assert_eq!(alone.verdict, Verdict::Violated);
            assert!(is_a_path(&model, &alone));
            for workers in [2, 3] {
                let together = explore(&model, &Options { workers, ..options });
                assert_eq!(essence(&alone), essence(&together), "seed {seed}, {workers} workers");
            }
        }
    }
}

#[test]
fn workers_do_not_matter_for_temporal_properties() {
    let (third, seventh, enabled) = (Formula::State(0), Formula::State(1), Formula::State(2));
    let first = Formula::Step(0);
    let temporal = Temporal::new(Obligations {
        state_atoms: 3,
        step_atoms: 1,
        enabled: vec![(2, 0)],
        assumptions: vec![
            Formula::weak_fairness(Formula::Constant(true), first.clone()),
            Formula::strong_fairness(enabled.and(seventh.clone()), first.clone()),
        ],
        properties: vec![
            third.clone().leads_to(seventh.clone()),
            seventh.clone().eventually().always().implies(third.always().eventually()),
            // This one holds: fairness says so.
            first.eventually().always(),
            seventh.eventually(),
        ],
    })
    .unwrap();
    for seed in 1..4 {
        let mut model = large(seed);
        model.bad.fill(false);
        model.broken.fill(false);
        for violations in [1, 10] {
            let options = Options { violations, temporal: Some(&temporal), ..Options::default() };
            let alone = explore(&model, &options);
            let kinds: Vec<_> = alone.violations.iter().map(|found| found.kind.clone()).collect();
            let expected = [0, 1, 3].map(ViolationKind::Temporal);
            assert_eq!(kinds, expected[..kinds.len()]);
            assert_eq!(kinds.len(), violations.min(3));
            assert!(is_a_path(&model, &alone));
            for workers in [2, 3] {
                let together = explore(&model, &Options { workers, ..options });
                assert_eq!(essence(&alone), essence(&together), "seed {seed}, {workers} workers");
            }
        }
    }
}
