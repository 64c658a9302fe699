//! The optional methods of a model: each does what it says.

mod common;

use std::convert::Infallible;
use std::sync::Mutex;
use std::time::Duration;

use common::{CoffeeCan, DieHard};
use locus_explore::{
    Formula, InitialSink, Model, Obligations, Options, Progress, Properties, Reason, Reduction, Saving,
    StepSink, Temporal, Tuning, Verdict, ViolationKind, explore,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Counts modulo 10 by one or by two. What is wrong with it is to be chosen.
#[derive(Clone, Copy)]
struct Clock {
    bad_start: bool,
    bad_step: Option<(u8, u8)>,
    /// Steps by two that reach this or more are outside the action constraint.
    slow_from: u8,
    reduction: Reduction,
}

const CLOCK: Clock = Clock { bad_start: false, bad_step: None, slow_from: 10, reduction: Reduction::None };

impl Model for Clock {
    type State = u8;
    type Action = u8;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &0);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &u8,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        for step in [1, 2] {
            if sink(worker, &step, &((state + step) % 10)).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &u8) -> Result<u64, Infallible> {
        Ok(u64::from(*state))
    }

    fn reduction(&self) -> Reduction {
        self.reduction
    }
}

impl Properties for Clock {
    fn is_step_within(&self, (): &mut (), _: &u8, action: &u8, to: &u8) -> Result<bool, Infallible> {
        Ok(*action == 1 || *to < self.slow_from)
    }

    fn check_initial(&self, (): &mut (), _: &u8, violated: &mut Vec<usize>) -> Result<(), Infallible> {
        if self.bad_start {
            violated.push(3);
        }
        Ok(())
    }

    fn check_step(
        &self,
        (): &mut (),
        from: &u8,
        _: &u8,
        to: &u8,
        violated: &mut Vec<usize>,
    ) -> Result<(), Infallible> {
        if self.bad_step == Some((*from, *to)) {
            violated.extend([4, 2]);
        }
        Ok(())
    }
}

impl Saving for Clock {}
impl Tuning for Clock {}

#[test]
fn properties_of_initial_states() {
    let report = explore(&Clock { bad_start: true, ..CLOCK }, &Options::default());
    assert_eq!(report.violations[0].kind, ViolationKind::Initial(3));
    assert_eq!(report.violations[0].trace.steps.len(), 1);
}

#[test]
fn properties_of_steps() {
    // A step back to a state that was found before, and of the violated properties the first.
    let report = explore(&Clock { bad_step: Some((8, 0)), ..CLOCK }, &Options::default());
    assert_eq!(report.violations[0].kind, ViolationKind::Step(2));
    let states: Vec<_> = report.violations[0].trace.steps.iter().map(|step| step.state).collect();
    assert_eq!(states, [0, 2, 4, 6, 8, 0]);
    assert_eq!(report.violations[0].trace.steps[5].action, Some(2));
}

#[test]
fn action_constraints() {
    let free = explore(&CLOCK, &Options::default()).statistics;
    assert_eq!((free.generated, free.distinct, free.depth), (21, 10, 6));
    // The same states, but only by single steps from 4 on; what the others generate still counts.
    let slow = explore(&Clock { slow_from: 5, ..CLOCK }, &Options::default()).statistics;
    assert_eq!((slow.generated, slow.distinct, slow.depth), (21, 10, 8));
    assert_eq!((free.outside, slow.outside), (0, 5));
}

#[test]
fn temporal_properties_are_refused_under_reduction() {
    let temporal = Temporal::new(Obligations {
        properties: vec![Formula::Constant(false).eventually()],
        ..Obligations::default()
    })
    .unwrap();
    let options = Options { temporal: Some(&temporal), ..Options::default() };
    for reduction in [Reduction::Symmetry, Reduction::View] {
        let model = Clock { reduction, ..CLOCK };
        let report = explore(&model, &options);
        assert_eq!(report.verdict, Verdict::Incomplete(Reason::Reduction));
        assert_eq!(report.statistics.generated, 0);
        let report = explore(&model, &Options { temporal_despite_reduction: true, ..options });
        assert_eq!(report.violations[0].kind, ViolationKind::Temporal(0));
    }
    assert_eq!(explore(&CLOCK, &options).violations[0].kind, ViolationKind::Temporal(0));
}

#[test]
fn progress_is_told() {
    let seen: Mutex<Vec<Progress>> = Mutex::new(Vec::new());
    let tell = |progress: &Progress| seen.lock().unwrap().push(*progress);
    let options =
        Options { workers: 2, progress: Some(&tell), progress_every: Duration::ZERO, ..Options::default() };
    let report = explore(&CoffeeCan { beans: 300 }, &options);
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 10);
    assert!(seen.windows(2).all(|pair| pair[0].elapsed <= pair[1].elapsed));
    assert!(seen.iter().all(|progress| progress.generated <= report.statistics.generated));
    assert!(seen.iter().any(|progress| progress.queue > 0));
}

#[test]
fn stopping_at_once_counts_as_tlc_does() {
    // What TLC reports for DieHard.cfg of the TLA+ examples.
    let report = explore(&DieHard, &Options { at_once: true, ..Options::default() });
    let statistics = report.statistics;
    assert_eq!((statistics.generated, statistics.distinct, statistics.depth), (73, 14, 7));
}

/// A graph of which only a part of each state is seen: state `s` looks like `s % views`. Some states are outside
/// the constraint.
#[derive(Clone, Debug)]
struct Veiled {
    edges: Vec<Vec<usize>>,
    views: usize,
    bad: usize,
    outside: Vec<bool>,
}

impl Model for Veiled {
    type State = usize;
    type Action = ();
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &0);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &usize,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let _ = self.edges[*state].iter().try_for_each(|next| sink(worker, &(), next));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &usize) -> Result<u64, Infallible> {
        Ok((state % self.views) as u64)
    }

    fn reduction(&self) -> Reduction {
        Reduction::View
    }

    fn check_state(&self, (): &mut (), state: &usize, violated: &mut Vec<usize>) -> Result<(), Infallible> {
        if *state % self.views == self.bad {
            violated.push(0);
        }
        Ok(())
    }
}

impl Properties for Veiled {
    fn is_within(&self, (): &mut (), state: &usize) -> Result<bool, Infallible> {
        Ok(!self.outside[*state])
    }
}

impl Saving for Veiled {}
impl Tuning for Veiled {}

fn veiled() -> impl Strategy<Value = Veiled> {
    (6..40_usize).prop_flat_map(|states| {
        let edges = vec(vec(0..states, 1..3), states);
        let outside = vec(prop::bool::weighted(0.2), states);
        (edges, 2..states / 2, 1..states, outside).prop_map(|(edges, views, bad, outside)| Veiled {
            edges,
            views,
            bad: bad % views,
            outside,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn traces_under_a_view_are_paths(model in veiled()) {
        let options = Options { deadlock: false, violations: 3, ..Options::default() };
        let reports = [1, 2].map(|workers| explore(&model, &Options { workers, ..options }));
        for violation in reports.iter().flat_map(|report| &report.violations) {
            let steps = &violation.trace.steps;
            prop_assert_eq!(violation.trace.missing, 0);
            prop_assert_eq!(steps[0].state, 0);
            prop_assert!(steps.windows(2).all(|pair| model.edges[pair[0].state].contains(&pair[1].state)));
            prop_assert_eq!(steps[steps.len() - 1].state % model.views, model.bad);
        }
    }
}

/// A chain whose first states take long, and the threads that looked at its states.
#[derive(Default)]
struct Chain(Mutex<Vec<std::thread::ThreadId>>);

impl Model for Chain {
    type State = u64;
    type Action = ();
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &0);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &u64,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        if *state < 3 {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.0.lock().unwrap().push(std::thread::current().id());
        let _ = sink(worker, &(), &(state + 1).min(200));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &u64) -> Result<u64, Infallible> {
        Ok(*state)
    }
}

impl Properties for Chain {}
impl Saving for Chain {}
impl Tuning for Chain {}

#[test]
fn a_level_of_one_state_is_not_shared() {
    let chain = Chain::default();
    let report = explore(&chain, &Options { workers: 3, ..Options::default() });
    assert_eq!((report.verdict, report.statistics.distinct), (Verdict::Holds, 201));
    let threads = chain.0.into_inner().unwrap();
    assert!(threads.iter().all(|thread| *thread == std::thread::current().id()), "one waited for another");
}
