//! Temporal properties of native models, from model to trace.

mod common;

use common::{CoffeeCan, Label, Peterson, peterson_obligations};
use locus_explore::{
    Formula, Obligations, Options, Reason, Report, Temporal, TemporalError, TraceEnd, Verdict, ViolationKind,
    explore,
};

fn fair(me: usize) -> Formula {
    Formula::weak_fairness(Formula::State(4 + me), Formula::Step(me))
}

fn check(model: &Peterson, obligations: Obligations, workers: usize) -> Report<Peterson> {
    let temporal = Temporal::new(obligations).unwrap();
    explore(model, &Options { workers, violations: 10, temporal: Some(&temporal), ..Options::default() })
}

fn violated(report: &Report<Peterson>) -> Vec<usize> {
    let property = |kind: &ViolationKind<_>| match kind {
        ViolationKind::Temporal(property) => Some(*property),
        _ => None,
    };
    report.violations.iter().filter_map(|violation| property(&violation.kind)).collect()
}

#[test]
fn peterson_is_live_under_weak_fairness() {
    let model = Peterson { forgets_turn: false };
    for workers in [1, 2] {
        let report = check(&model, peterson_obligations(vec![fair(0), fair(1)]), workers);
        assert_eq!(report.verdict, Verdict::Holds);
        assert_eq!(report.statistics.product.fair, Some(report.statistics.distinct));
    }
}

#[test]
fn contradictory_fairness_is_noticed() {
    // A process that moves again and again and is idle for ever.
    let never = vec![Formula::Step(0).eventually().always(), Formula::State(6).always().eventually()];
    let report = check(&Peterson { forgets_turn: false }, peterson_obligations(never), 1);
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.statistics.product.fair, Some(0));
}

#[test]
fn without_fairness_a_process_may_stop() {
    let model = Peterson { forgets_turn: false };
    let report = check(&model, peterson_obligations(vec![]), 1);
    assert_eq!(violated(&report), [0, 1, 2]);
    let trace = &report.violations[0].trace;
    assert!(matches!(trace.end, TraceEnd::Stuttering));
    let labels: Vec<_> = trace.steps.iter().map(|step| step.state.at).collect();
    assert_eq!(labels, [[Label::Idle; 2], [Label::Turn, Label::Idle]]);
    // Nothing ever happens.
    assert_eq!(report.violations[2].trace.steps.len(), 1);
}

#[test]
fn fairness_for_one_process_is_not_enough() {
    let model = Peterson { forgets_turn: false };
    let report = check(&model, peterson_obligations(vec![fair(0)]), 2);
    assert_eq!(violated(&report), [0, 1, 2]);
    // The other one goes to wait, and stops in the critical section.
    let trace = &report.violations[0].trace;
    assert!(matches!(trace.end, TraceEnd::Stuttering));
    assert_eq!(trace.steps.last().unwrap().state.at[0], Label::Wait);
}

#[test]
fn always_critical_again_is_shown_by_a_cycle() {
    let model = Peterson { forgets_turn: false };
    // Only the second process is fair, and it must stay out of its critical section for ever: impossible. So
    // every counterexample of "process 0 enters again and again" has process 1 moving for ever, or none moving.
    let fairness = vec![fair(1), Formula::State(3).eventually().always()];
    let report = check(&model, peterson_obligations(fairness), 1);
    let trace = &report.violations[0].trace;
    let TraceEnd::BackTo { index, action } = trace.end else { panic!("a cycle") };
    assert_eq!(action, Some(1));
    assert_eq!(trace.missing, 0);
    let cycle: Vec<_> = trace.steps[index..].iter().map(|step| step.state.at[1]).collect();
    assert_eq!(cycle.len(), 4, "{cycle:?}");
    assert!(trace.steps[index + 1..].iter().all(|step| step.action == Some(1)));
}

#[test]
fn a_broken_mutex_deadlocks_before_it_starves() {
    let report = check(&Peterson { forgets_turn: true }, peterson_obligations(vec![fair(0), fair(1)]), 2);
    assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
    assert_eq!(report.violations[0].trace.steps.len(), 5);
    assert_eq!(violated(&report), [0, 1, 2]);
}

#[test]
fn coffee_can_ends() {
    let ends = Formula::State(0).eventually();
    let fairness = Formula::weak_fairness(Formula::State(1), Formula::Step(0));
    let obligations = Obligations {
        state_atoms: 2,
        step_atoms: 1,
        enabled: vec![],
        assumptions: vec![fairness],
        properties: vec![ends],
    };
    let temporal = Temporal::new(obligations.clone()).unwrap();
    let options = Options { temporal: Some(&temporal), workers: 2, ..Options::default() };
    let report = explore(&CoffeeCan { beans: 100 }, &options);
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.statistics.product.transitions, 9999);
    // More states than one thread puts together at a time.
    for workers in [1, 3] {
        let report = explore(&CoffeeCan { beans: 300 }, &Options { workers, ..options });
        assert_eq!((report.verdict, report.statistics.distinct), (Verdict::Holds, 45_450));
        assert_eq!(report.statistics.product.transitions, 89_999);
    }

    // Enough for the states, not for their graph and the search in it.
    let plain = explore(&CoffeeCan { beans: 100 }, &Options { temporal: None, ..options });
    let mut tight = options;
    tight.limits.bytes = Some(plain.statistics.bytes + 1000);
    assert_eq!(explore(&CoffeeCan { beans: 100 }, &tight).verdict, Verdict::Incomplete(Reason::Memory));

    let unfair = Temporal::new(Obligations { assumptions: vec![], ..obligations }).unwrap();
    let report = explore(&CoffeeCan { beans: 100 }, &Options { temporal: Some(&unfair), ..options });
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violations[0].trace.steps.len(), 1);
}

#[test]
fn unusable_formulas_are_refused() {
    let with = |property| {
        let mut obligations = peterson_obligations(vec![]);
        obligations.properties = vec![property];
        Temporal::new(obligations).err()
    };
    assert_eq!(with(Formula::State(8)), Some(TemporalError::UnknownAtom { atom: 8 }));
    assert_eq!(with(Formula::Step(2).eventually()), Some(TemporalError::UnknownAtom { atom: 2 }));
    let deep = (0..300).fold(Formula::State(0), |formula, _| formula.not());
    assert_eq!(with(deep), Some(TemporalError::TooDeep));
    // One thing after the other, for each of many things: exponential.
    let states = (0..8).flat_map(|from| (0..8).map(move |to| (Formula::State(from), Formula::State(to))));
    let large = Formula::Or(states.map(|(from, to)| from.leads_to(to)).collect());
    assert_eq!(with(large), Some(TemporalError::TooLarge { property: 0 }));
}

#[test]
fn time_limits_hold_for_temporal_properties_too() {
    let temporal = Temporal::new(peterson_obligations(vec![])).unwrap();
    let mut options = Options { temporal: Some(&temporal), ..Options::default() };
    options.limits.time = Some(std::time::Duration::ZERO);
    let report = explore(&Peterson { forgets_turn: false }, &options);
    assert_eq!(report.verdict, Verdict::Incomplete(Reason::Time));
}
