//! Temporal properties of what does not fit into memory: the same answers as in memory, and never a verdict where
//! something is missing.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use common::{Explicit, large};
use locus_explore::{
    Blob, Disk, Formula, Heap, Limits, Obligations, Options, Progress, Reason, Report, Saved, Storage,
    Temporal, TraceEnd, Verdict, explore,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn graph() -> impl Strategy<Value = Explicit> {
    (1..120_usize, 1..5_usize).prop_flat_map(|(states, degree)| {
        let state = 0..states as u16;
        let rarely = move |percent: u32| vec(prop::bool::weighted(f64::from(percent) / 100.0), states);
        // Many of them have long ways: steps lead to numbers close by.
        let near = vec(vec(0..4_u16, 1..=degree), states).prop_map(move |steps| {
            let to = |from: usize, by: u16| (from as u16 + by) % states as u16;
            steps.iter().enumerate().map(|(from, by)| by.iter().map(|by| to(from, *by)).collect()).collect()
        });
        let edges = prop_oneof![vec(vec(state.clone(), 0..=degree), states), near];
        let bad = prop_oneof![9 => rarely(0), 1 => rarely(2)];
        (vec(state, 1..4), edges, rarely(5), bad).prop_map(move |(initial, edges, outside, bad)| Explicit {
            initial,
            edges,
            outside,
            bad,
            broken: vec![false; states],
        })
    })
}

fn state_formula() -> impl Strategy<Value = Formula> {
    let atom = (0..3_usize).prop_map(Formula::State);
    prop_oneof![4 => atom.clone(), 2 => atom.clone().prop_map(Formula::not), 1 => vec(atom, 2).prop_map(Formula::Or)]
}

fn fairness() -> impl Strategy<Value = Formula> {
    (state_formula(), any::<bool>(), any::<bool>()).prop_map(|(enabled, weak, plain)| {
        let enabled = if plain { Formula::State(2) } else { enabled };
        let step = Formula::Step(0);
        if weak { Formula::weak_fairness(enabled, step) } else { Formula::strong_fairness(enabled, step) }
    })
}

fn property() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![5 => state_formula(), 1 => Just(Formula::Step(0).not().always()), 1 => fairness()];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            2 => vec(inner.clone(), 1..3).prop_map(Formula::And),
            2 => vec(inner.clone(), 1..3).prop_map(Formula::Or),
            3 => inner.clone().prop_map(Formula::always),
            3 => inner.clone().prop_map(Formula::eventually),
            2 => (inner.clone(), inner).prop_map(|(from, to)| from.leads_to(to)),
        ]
    })
}

fn temporal(assumptions: Vec<Formula>, properties: Vec<Formula>) -> Option<Temporal> {
    let enabled = vec![(2, 0)];
    Temporal::new(Obligations { state_atoms: 3, step_atoms: 1, enabled, assumptions, properties }).ok()
}

/// Everything that should be the same.
fn essence(report: &Report<Explicit>) -> impl PartialEq + std::fmt::Debug + use<> {
    let violation = |violation: &locus_explore::Violation<Explicit>| {
        let steps: Vec<_> = violation.trace.steps.iter().map(|step| (step.action, step.state)).collect();
        let end = match &violation.trace.end {
            TraceEnd::Finite => None,
            TraceEnd::Stuttering => Some((steps.len() - 1, None)),
            TraceEnd::BackTo { index, action } => Some((*index, *action)),
        };
        (violation.kind.clone(), steps, end, violation.trace.missing)
    };
    let violations: Vec<_> = report.violations.iter().map(violation).collect();
    let statistics = report.statistics;
    let counts = (statistics.generated, statistics.distinct, statistics.depth, statistics.queue);
    let product = (statistics.product.transitions, statistics.product.fair);
    // Several workers look at several properties at the same time, and how far they are when one is violated is a
    // matter of luck.
    let visited = (report.verdict == Verdict::Holds).then_some(statistics.product.visited);
    (report.verdict, counts, product, visited, statistics.outside, violations)
}

fn disk(storage: &dyn Storage, states: u32) -> Disk<'_> {
    Disk { storage, states: Some(states), save_every: None, saved: None }
}

#[test]
fn a_disk_changes_nothing() {
    let (total, on_disk, held) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let config = ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() };
    let inputs = (graph(), vec(fairness(), 0..3), vec(property(), 1..3), 1..8_u32, any::<bool>());
    proptest!(config, |((model, fairness, properties, states, many) in inputs)| {
        let Some(temporal) = temporal(fairness, properties) else { return Ok(()) };
        let violations = if many { 10 } else { 1 };
        let options =
            Options { violations, deadlock: false, temporal: Some(&temporal), ..Options::default() };
        let expected = explore(&model, &options);
        for workers in 1..=3 {
            let heap = Heap::default();
            let found =
                explore(&model, &Options { disk: Some(disk(&heap, states)), workers, ..options });
            prop_assert_eq!(essence(&found), essence(&expected), "{} workers", workers);
            if workers == 1 {
                let visited = |report: &Report<Explicit>| report.statistics.product.visited;
                prop_assert_eq!(visited(&found), visited(&expected));
            }
            prop_assert_eq!(&found.trouble, &None);
            prop_assert!(heap.names().is_empty(), "left behind: {:?}", heap.names());
            total.fetch_add(1, Ordering::Relaxed);
            on_disk.fetch_add(u64::from(found.statistics.spills > 0), Ordering::Relaxed);
            held.fetch_add(u64::from(found.verdict == Verdict::Holds), Ordering::Relaxed);
        }
    });
    let (total, on_disk, held) = (total.into_inner(), on_disk.into_inner(), held.into_inner());
    assert!(total > 1000 && on_disk * 2 > total, "{on_disk} of {total}");
    assert!(held * 10 > total && held * 10 < total * 9, "{held} of {total} hold");
}

/// Properties of [`common::large`] of which the third holds.
fn several() -> Temporal {
    let (third, seventh, enabled) = (Formula::State(0), Formula::State(1), Formula::State(2));
    let first = Formula::Step(0);
    let assumptions = vec![
        Formula::weak_fairness(Formula::Constant(true), first.clone()),
        Formula::strong_fairness(enabled.and(seventh.clone()), first.clone()),
    ];
    let properties = vec![
        third.clone().leads_to(seventh.clone()),
        seventh.clone().eventually().always().implies(third.always().eventually()),
        first.eventually().always(),
        seventh.eventually(),
    ];
    temporal(assumptions, properties).unwrap()
}

fn sound(seed: u64) -> Explicit {
    let mut model = large(seed);
    model.bad.fill(false);
    model.broken.fill(false);
    model
}

#[test]
fn a_disk_changes_nothing_in_large_graphs() {
    let temporal = several();
    for seed in 1..4 {
        let model = sound(seed);
        for violations in [1, 10] {
            let options =
                Options { violations, deadlock: false, temporal: Some(&temporal), ..Options::default() };
            let expected = explore(&model, &options);
            assert_eq!(expected.violations.len(), violations.min(3));
            for workers in 1..=3 {
                let heap = Heap::default();
                let found = explore(&model, &Options { disk: Some(disk(&heap, 500)), workers, ..options });
                assert_eq!(essence(&found), essence(&expected), "seed {seed}, {workers} workers");
                assert!(found.statistics.spills > 10);
                assert!(heap.names().is_empty(), "{:?}", heap.names());
            }
        }
    }
}

#[test]
fn a_graph_that_does_not_fit_goes_to_disk_though_the_states_fit() {
    let model = sound(4);
    for violations in [1, 4] {
        let temporal = several();
        let options =
            Options { violations, deadlock: false, temporal: Some(&temporal), ..Options::default() };
        let expected = explore(&model, &options);
        let plain = explore(&model, &Options { temporal: None, ..options });
        let heap = Heap::default();
        let disk = Some(Disk { storage: &heap, states: None, save_every: None, saved: None });
        let (mut too_little, mut in_memory, mut between, mut spilled) = (0, 0, 0, 0);
        // From what is enough for states alone to what is enough for everything.
        for percent in (100..=800).step_by(50) {
            let limits = Limits { bytes: Some(plain.statistics.bytes / 100 * percent), ..Limits::default() };
            let alone = explore(&model, &Options { limits, ..options }).verdict;
            let found = explore(&model, &Options { limits, disk, ..options });
            assert!(heap.names().is_empty());
            if found.verdict == Verdict::Incomplete(Reason::Memory) && percent < 300 {
                too_little += 1;
                continue;
            }
            assert_eq!(essence(&found), essence(&expected), "{percent} %: {:?}", found.trouble);
            match (alone, found.statistics.spills) {
                (Verdict::Incomplete(Reason::Memory), 1) => between += 1,
                (Verdict::Incomplete(Reason::Memory), 2..) => spilled += 1,
                (Verdict::Violated, 0) => in_memory += 1,
                _ => {}
            }
        }
        let counts = [in_memory, between, spilled];
        assert!(too_little < 3 && counts.iter().all(|&count| count > 0), "{counts:?}");
    }
}

/// A disk on which after so many actions something happens.
struct Counting {
    heap: Heap,
    left: Arc<Left>,
}

struct Left {
    actions: AtomicU64,
    /// It breaks then; else it is said here that there was the last one.
    breaks: bool,
    is_over: AtomicBool,
}

struct CountingBlob {
    blob: Box<dyn Blob>,
    left: Arc<Left>,
}

impl Counting {
    fn new(heap: Heap, actions: u64, breaks: bool) -> Self {
        let left = Left { actions: AtomicU64::new(actions), breaks, is_over: AtomicBool::new(false) };
        Counting { heap, left: Arc::new(left) }
    }
}

impl Left {
    fn act(&self) -> std::io::Result<()> {
        let take = |left: u64| left.checked_sub(1);
        if self.actions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            self.is_over.store(true, Ordering::Relaxed);
            if self.breaks {
                return Err(std::io::Error::other("the disk is broken"));
            }
        }
        Ok(())
    }
}

impl Storage for Counting {
    fn create(&self, name: &str) -> std::io::Result<Box<dyn Blob>> {
        self.left.act()?;
        Ok(Box::new(CountingBlob { blob: self.heap.create(name)?, left: Arc::clone(&self.left) }))
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

impl Blob for CountingBlob {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.left.act()?;
        self.blob.read_at(offset, buffer)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
        self.left.act()?;
        self.blob.write_at(offset, bytes)
    }

    fn sync(&self) -> std::io::Result<()> {
        self.blob.sync()
    }
}

/// A part of [`sound`].
fn small(states: u16) -> Explicit {
    let model = sound(3);
    let edges = model.edges[..usize::from(states)].iter();
    let edges = edges.map(|edges| edges.iter().map(|to| to % states).collect()).collect();
    let initial = model.initial.iter().map(|state| state % states).collect();
    Explicit { initial, edges, ..model }
}

#[test]
fn a_broken_disk_gives_no_verdict_whenever_it_breaks() {
    let model = small(3000);
    let holds = Formula::Step(0).eventually().always();
    for (property, verdict) in [(holds, Verdict::Holds), (Formula::State(1).eventually(), Verdict::Violated)]
    {
        let fairness = vec![Formula::weak_fairness(Formula::Constant(true), Formula::Step(0))];
        let temporal = temporal(fairness, vec![property]).unwrap();
        let run = |left: u64| {
            let storage = Counting::new(Heap::default(), left, true);
            let options = Options { deadlock: false, temporal: Some(&temporal), ..Options::default() };
            let found = explore(&model, &Options { disk: Some(disk(&storage, 700)), ..options });
            assert!(storage.heap.names().is_empty());
            (found, storage.left.actions.load(Ordering::Relaxed))
        };
        let (sound, left) = run(1 << 40);
        assert_eq!((sound.verdict, sound.trouble), (verdict, None));
        let all = (1 << 40) - left;
        let mut broken = 0;
        for left in 0..all {
            let (found, _) = run(left);
            // To judge how close fingerprints are is no part of the verdict.
            if found.verdict == Verdict::Holds && found.statistics.collision_actual.is_none() {
                continue;
            }
            assert_eq!(found.verdict, Verdict::Incomplete(Reason::Disk), "after {left} of {all}");
            assert!(found.trouble.is_some_and(|trouble| trouble.contains("broken")), "after {left} of {all}");
            broken += 1;
        }
        assert!(broken * 10 > all * 8, "{broken} of {all}");
    }
}

#[test]
fn a_violation_is_certain_even_if_the_disk_breaks_and_it_is_said_why_its_path_is_not_whole() {
    let mut model = small(3000);
    let options = Options { deadlock: false, ..Options::default() };
    // The last of the states that are found.
    let deepest = (0..3000).rev().find_map(|state| {
        model.bad.fill(false);
        model.bad[state] = true;
        let found = explore(&model, &options);
        found.violations.first().filter(|one| one.trace.steps.len() > 5).map(|one| one.trace.steps.len())
    });
    let deepest = deepest.unwrap();
    for at_once in [true, false] {
        let run = |left: u64| {
            let storage = Counting::new(Heap::default(), left, true);
            let found = explore(&model, &Options { disk: Some(disk(&storage, 300)), at_once, ..options });
            (found, storage.left.actions.load(Ordering::Relaxed))
        };
        let (sound, left) = run(1 << 40);
        assert_eq!((sound.verdict, sound.trouble), (Verdict::Violated, None));
        let all = (1 << 40) - left;
        let (mut cut, mut incomplete) = (0, 0);
        for left in 0..all {
            let (found, _) = run(left);
            let Some(violation) = found.violations.first() else {
                assert_eq!(found.verdict, Verdict::Incomplete(Reason::Disk), "after {left} of {all}");
                incomplete += 1;
                continue;
            };
            let trace = &violation.trace;
            match trace.cut {
                None => assert_eq!((trace.missing, trace.steps.len()), (0, deepest), "after {left} of {all}"),
                Some(reason) => {
                    assert!(reason == Reason::Disk && trace.missing > 0, "after {left} of {all}");
                    assert!(found.trouble.is_some(), "after {left} of {all}");
                    cut += 1;
                }
            }
        }
        assert!(cut > 0 && incomplete > 0, "cut {cut}, incomplete {incomplete} of {all}");
    }
}

#[test]
fn it_can_be_stopped_at_any_time() {
    let model = sound(2);
    let temporal = several();
    let options = Options { deadlock: false, temporal: Some(&temporal), ..Options::default() };
    let expected = explore(&model, &options);
    // The limit on time is looked at in every part, so that it is met in all of them by and by.
    let mut incomplete = 0;
    for micros in (0..400_000).step_by(20_011) {
        let heap = Heap::default();
        let limits = Limits { time: Some(Duration::from_micros(micros)), ..Limits::default() };
        let found = explore(&model, &Options { disk: Some(disk(&heap, 700)), limits, ..options });
        if found.verdict == Verdict::Incomplete(Reason::Time) {
            incomplete += 1;
        } else {
            assert_eq!(essence(&found), essence(&expected));
        }
        assert!(heap.names().is_empty());
    }
    assert!(incomplete > 0);
    let stop = AtomicBool::new(false);
    let told = AtomicU64::new(0);
    let progress = |_: &Progress| {
        if told.fetch_add(1, Ordering::Relaxed) == 60 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let heap = Heap::default();
    let found = explore(
        &model,
        &Options {
            disk: Some(disk(&heap, 700)),
            limits: Limits { stop: Some(&stop), ..Limits::default() },
            progress: Some(&progress),
            progress_every: Duration::ZERO,
            ..options
        },
    );
    assert_eq!(found.verdict, Verdict::Incomplete(Reason::Stopped));
}

#[test]
fn a_search_that_was_stopped_goes_on() {
    let model = small(3000);
    let holds = temporal(
        vec![Formula::weak_fairness(Formula::Constant(true), Formula::Step(0))],
        vec![Formula::Step(0).eventually().always()],
    )
    .unwrap();
    for temporal in [&several(), &holds] {
        let options = Options { deadlock: false, temporal: Some(temporal), ..Options::default() };
        let expected = explore(&model, &options);
        let run = |storage: &Counting, saved: Option<&Saved>, workers: usize| {
            let save_every = Some(Duration::ZERO);
            let disk = Some(Disk { storage, states: Some(700), save_every, saved });
            let limits = Limits { stop: Some(&storage.left.is_over), ..Limits::default() };
            explore(&model, &Options { disk, limits, workers, ..options })
        };
        let storage = Counting::new(Heap::default(), 1 << 40, false);
        assert_eq!(run(&storage, None, 1).verdict, expected.verdict);
        let all = (1 << 40) - storage.left.actions.load(Ordering::Relaxed);
        // It is stopped in each part of the search and of the check.
        let (mut stops, mut in_check) = (0, 0);
        for actions in (1..all).step_by(5) {
            let storage = Counting::new(Heap::default(), actions, false);
            let workers = 1 + actions as usize % 3;
            let found = run(&storage, None, workers);
            if found.verdict != Verdict::Incomplete(Reason::Stopped) {
                assert_eq!(essence(&found), essence(&expected));
                continue;
            }
            assert!(found.statistics.saved);
            stops += 1;
            in_check += u64::from(found.statistics.queue == 0);
            let saved = Saved::read(&storage.heap).unwrap();
            let storage = Counting::new(storage.heap, 1 << 40, false);
            let found = run(&storage, Some(&saved), 4 - workers);
            assert_eq!(essence(&found), essence(&expected), "stopped after {actions} of {all}");
            assert!(storage.heap.names().is_empty(), "left behind: {:?}", storage.heap.names());
        }
        assert!(in_check > 1 && stops - in_check > 1, "stopped {stops} times, {in_check} in the check");
    }
}
