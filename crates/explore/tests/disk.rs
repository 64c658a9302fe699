//! A search that keeps states on disk gives the same answers as one that does not, and one that was saved goes on as
//! if nothing had happened.

mod common;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use common::{CoffeeCan, Explicit};
use locus_explore::{
    Blob, Disk, Heap, Limits, Options, Progress, Reason, Report, Saved, Storage, Verdict, explore,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn graph() -> impl Strategy<Value = Explicit> {
    (1..80_usize, 1..5_usize).prop_flat_map(|(states, degree)| {
        let state = 0..states as u16;
        let rarely = move |percent: u32| vec(prop::bool::weighted(f64::from(percent) / 100.0), states);
        let broken = prop_oneof![rarely(0).boxed(), rarely(3).boxed()];
        let bad = prop_oneof![rarely(0).boxed(), rarely(5).boxed()];
        (vec(state.clone(), 1..4), vec(vec(state, 0..=degree), states), rarely(10), bad, broken).prop_map(
            |(initial, edges, outside, bad, broken)| Explicit { initial, edges, outside, bad, broken },
        )
    })
}

/// Everything that should be the same.
fn essence(report: &Report<Explicit>) -> impl PartialEq + std::fmt::Debug + use<> {
    let violation = |violation: &locus_explore::Violation<Explicit>| {
        let steps: Vec<_> = violation.trace.steps.iter().map(|step| (step.action, step.state)).collect();
        (violation.kind.clone(), steps, violation.trace.missing)
    };
    let violations: Vec<_> = report.violations.iter().map(violation).collect();
    let statistics = report.statistics;
    let counts = (statistics.generated, statistics.distinct, statistics.depth, statistics.queue);
    (report.verdict, counts, statistics.initial, statistics.outside, report.coverage.clone(), violations)
}

/// The same for several workers: of two actions that lead to one new state, the one whose worker comes first is
/// counted.
fn essence_together(mut report: Report<Explicit>) -> impl PartialEq + std::fmt::Debug {
    let first: u64 = report.coverage.iter_mut().map(|action| std::mem::take(&mut action.distinct)).sum();
    (first, essence(&report))
}

fn disk(storage: &dyn Storage, states: u32) -> Disk<'_> {
    Disk { storage, states: Some(states), save_every: None, saved: None }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_disk_changes_nothing(model in graph(), states in 1..20_u32, at_once: bool, many: bool) {
        let violations = if many { 10_000 } else { 1 };
        let options = Options { violations, at_once: at_once && !many, ..Options::default() };
        let expected = explore(&model, &options);
        let heap = Heap::default();
        let found = explore(&model, &Options { disk: Some(disk(&heap, states)), ..options });
        prop_assert_eq!(essence(&found), essence(&expected));
        prop_assert_eq!(found.trouble, None);
        prop_assert!(heap.names().is_empty(), "left behind: {:?}", heap.names());
        if !at_once {
            let together = explore(&model, &Options { disk: Some(disk(&heap, states)), workers: 2, ..options });
            prop_assert_eq!(essence_together(together), essence_together(expected));
        }
    }
}

/// As large as [`common::large`], and every state can be evaluated.
fn large(seed: u64) -> Explicit {
    let model = common::large(seed);
    Explicit { broken: vec![false; model.broken.len()], ..model }
}

/// All but what depends on which worker came first.
fn essence_of_many(report: &Report<Explicit>) -> impl PartialEq + std::fmt::Debug {
    let traces: Vec<Vec<_>> =
        report.violations.iter().map(|one| one.trace.steps.iter().map(|step| step.state).collect()).collect();
    let statistics = report.statistics;
    (report.verdict, statistics.generated, statistics.distinct, statistics.depth, statistics.queue, traces)
}

#[test]
fn a_disk_changes_nothing_in_large_graphs() {
    for seed in 1..4 {
        let model = large(seed);
        for violations in [1, 1000] {
            let options = Options { violations, ..Options::default() };
            let expected = explore(&model, &options);
            for workers in [1, 3] {
                let heap = Heap::default();
                let found = explore(&model, &Options { disk: Some(disk(&heap, 500)), workers, ..options });
                assert_eq!(essence_of_many(&found), essence_of_many(&expected), "seed {seed}");
                assert!(violations == 1 || found.statistics.spills > 10);
                assert!(heap.names().is_empty());
            }
        }
    }
}

#[test]
fn a_limit_on_memory_is_kept_with_a_disk() {
    let model = CoffeeCan { beans: 1000 };
    let options = Options::default();
    let expected = explore(&model, &options).statistics;
    let heap = Heap::default();
    let storage = Some(Disk { storage: &heap, states: None, save_every: None, saved: None });
    let limits = Limits { bytes: Some(12 << 20), ..Limits::default() };
    let alone = explore(&model, &Options { limits, ..options });
    assert_eq!(alone.verdict, Verdict::Incomplete(Reason::Memory));
    let found = explore(&model, &Options { limits, disk: storage, ..options });
    // All states are initial, and those have to fit.
    assert_eq!(found.verdict, Verdict::Incomplete(Reason::Memory));
    let limits = Limits { bytes: Some(48 << 20), ..Limits::default() };
    let found = explore(&model, &Options { limits, disk: storage, ..options });
    assert_eq!(found.verdict, Verdict::Holds);
    assert_eq!(
        (found.statistics.generated, found.statistics.distinct),
        (expected.generated, expected.distinct)
    );
}

/// A disk on which only so many files can be made.
struct Small {
    heap: Heap,
    left: AtomicU64,
}

impl Storage for Small {
    fn create(&self, name: &str) -> std::io::Result<Box<dyn Blob>> {
        let take = |left: u64| left.checked_sub(1);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => self.heap.create(name),
            Err(_) => Err(std::io::ErrorKind::StorageFull.into()),
        }
    }

    fn open(&self, name: &str) -> std::io::Result<Box<dyn Blob>> {
        self.heap.open(name)
    }

    fn remove(&self, name: &str) -> std::io::Result<()> {
        self.heap.remove(name)
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        self.heap.replace(name, bytes)
    }

    fn read(&self, name: &str) -> std::io::Result<Option<Vec<u8>>> {
        self.heap.read(name)
    }
}

/// The bytes that an allocator keeps beside those in use, until it is asked to give them back.
static KEPT: AtomicUsize = AtomicUsize::new(0);

#[test]
fn what_an_allocator_keeps_does_not_end_a_search() {
    let model = CoffeeCan { beans: 60 };
    let limits = Limits {
        bytes: Some(64 << 20),
        used: Some(|| KEPT.load(Ordering::Relaxed)),
        give_back: Some(|| KEPT.store(0, Ordering::Relaxed)),
        ..Limits::default()
    };
    let heap = Heap::default();
    for disk in [None, Some(Disk { states: None, ..disk(&heap, 1) })] {
        let run = |limits| {
            KEPT.store(100 << 20, Ordering::Relaxed);
            explore(&model, &Options { limits, disk, ..Options::default() }).verdict
        };
        assert_eq!(run(limits), Verdict::Holds);
        assert_eq!(KEPT.load(Ordering::Relaxed), 0, "it was asked");
        assert_eq!(run(Limits { give_back: None, ..limits }), Verdict::Incomplete(Reason::Memory));
    }
}

#[test]
fn a_full_disk_gives_no_verdict() {
    let mut model = large(7);
    model.bad.fill(false);
    let small = Small { heap: Heap::default(), left: AtomicU64::new(9) };
    let found =
        explore(&model, &Options { deadlock: false, disk: Some(disk(&small, 500)), ..Options::default() });
    assert_eq!(found.verdict, Verdict::Incomplete(Reason::Disk));
    assert!(found.trouble.is_some_and(|trouble| !trouble.is_empty()));
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let mut model = large(5);
    let violating = (0..20_000).filter(|&state| model.bad[state]).count();
    assert!(violating > 0);
    for is_good in [true, false] {
        if is_good {
            model.bad.fill(false);
        } else {
            model.bad = large(5).bad.iter().enumerate().map(|(i, bad)| *bad && i % 40 == 3).collect();
        }
        for workers in [1, 2] {
            let options = Options { deadlock: false, workers, ..Options::default() };
            let expected = explore(&model, &options);
            let heap = Heap::default();
            let mut saved = None;
            let mut stops = 0;
            let found = loop {
                let stop = AtomicBool::new(false);
                let told = AtomicU64::new(0);
                let progress = |_: &Progress| {
                    if told.fetch_add(1, Ordering::Relaxed) == 3 {
                        stop.store(true, Ordering::Relaxed);
                    }
                };
                let disk = Disk {
                    storage: &heap,
                    states: Some(700),
                    save_every: Some(Duration::ZERO),
                    saved: saved.as_ref(),
                };
                let limits = Limits { stop: Some(&stop), ..Limits::default() };
                let found = explore(
                    &model,
                    &Options {
                        disk: Some(disk),
                        limits,
                        progress: Some(&progress),
                        progress_every: Duration::ZERO,
                        ..options
                    },
                );
                if found.verdict != Verdict::Incomplete(Reason::Stopped) {
                    break found;
                }
                assert!(found.statistics.saved);
                stops += 1;
                saved = Some(Saved::read(&heap).unwrap());
            };
            assert!(stops > 3, "it was stopped {stops} times");
            let trace = |report: &Report<Explicit>| {
                let steps =
                    report.violations.first().map(|one| one.trace.steps.iter().map(|step| step.state));
                (report.verdict, steps.map(Iterator::collect::<Vec<_>>))
            };
            assert_eq!(trace(&found), trace(&expected));
            // One that was stopped on the level of a violation has not finished the level.
            if is_good {
                assert_eq!(essence_of_many(&found), essence_of_many(&expected));
                assert_eq!(found.statistics.outside, expected.statistics.outside);
            }
            assert!(heap.names().is_empty(), "left behind: {:?}", heap.names());
        }
    }
}

#[test]
fn a_search_goes_on_after_the_process_was_lost() {
    let mut model = large(11);
    model.bad.fill(false);
    let options = Options { deadlock: false, ..Options::default() };
    let expected = explore(&model, &options);
    let heap = Heap::default();
    let disk =
        |saved, every| Some(Disk { storage: &heap, states: Some(700), save_every: Some(every), saved });
    // It ends by a limit at which nothing is saved, long after it was saved the last time.
    let limits = Limits { states: Some(9000), ..Limits::default() };
    let lost = explore(&model, &Options { disk: disk(None, Duration::ZERO), limits, ..options });
    assert_eq!(lost.verdict, Verdict::Incomplete(Reason::States));
    let saved = Saved::read(&heap).unwrap();
    assert!(saved.distinct() > 0 && saved.distinct() <= lost.statistics.distinct);
    let found = explore(&model, &Options { disk: disk(Some(&saved), Duration::MAX), ..options });
    assert_eq!(essence_of_many(&found), essence_of_many(&expected));
}
