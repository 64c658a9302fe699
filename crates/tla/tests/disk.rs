//! States on disk: the same answers as in memory, with packed states and with values, and after a search was saved.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use common::checked;
use locus_explore::{Heap, Progress, Storage};
use locus_tla::check::{CheckOptions, CheckResult, Coverage, DiskOptions, Engine, Means, Verdict};

/// Some thousand states, a tenth of them with a set that is a bit for each element when packed.
const COUNTERS: &str = r#"
VARIABLES x, y, seen, at
Init == x = 0 /\ y = [p \in {"a", "b"} |-> 0] /\ seen = {} /\ at = "start"
Step(p) == /\ y[p] < 9 /\ y' = [y EXCEPT ![p] = @ + 1] /\ UNCHANGED <<x, seen>> /\ at' = p
Add == x < 9 /\ x' = x + 1 /\ seen' = (IF x % 7 = 3 THEN seen \union {<<x, y["a"] % 2>>} ELSE seen) /\ UNCHANGED <<y, at>>
Back == x > 0 /\ y["a"] > 0 /\ x' = x - 1 /\ UNCHANGED <<y, seen, at>>
Next == Add \/ Back \/ \E p \in {"a", "b"} : Step(p)
Small == x + y["a"] + y["b"] < 21
"#;
const CONFIG: &str = "INIT Init NEXT Next CHECK_DEADLOCK FALSE";

fn disk(storage: &dyn Storage) -> DiskOptions<'_> {
    DiskOptions { storage, save_every: None, resume: false, identity: 7, states: Some(400) }
}

/// The parts of a result that should be the same.
fn essence(result: &CheckResult) -> impl PartialEq + std::fmt::Debug + use<> {
    let values = |step: &locus_tla::check::TraceStep| {
        step.variables.iter().map(|variable| variable.value.clone()).collect::<Vec<_>>()
    };
    let trace: Vec<_> = result.trace.iter().map(values).collect();
    let coverage: Vec<_> = result.coverage.iter().map(|one| (one.generated, one.distinct)).collect();
    (result.verdict, result.generated, result.distinct, result.depth, result.queue, trace, coverage)
}

#[test]
fn a_disk_changes_nothing() {
    for engine in [Engine::Packed, Engine::Values] {
        for (invariant, verdict) in [("", Verdict::Ok), (" INVARIANT Small", Verdict::Invariant)] {
            let config = format!("{CONFIG}{invariant}");
            let options = CheckOptions { engine, ..CheckOptions::default() };
            let expected = checked(COUNTERS, &config, &options);
            assert_eq!(expected.verdict, verdict, "{}", expected.message);
            assert!(expected.distinct > 2000);
            let heap = Heap::default();
            let found = checked(COUNTERS, &config, &CheckOptions { disk: Some(disk(&heap)), ..options });
            assert_eq!(essence(&found), essence(&expected), "{engine:?}{invariant}");
            assert!(heap.names().is_empty());
        }
    }
}

/// The parts of a result for temporal properties that should be the same.
fn essence_of_behaviours(result: &CheckResult) -> impl PartialEq + std::fmt::Debug + use<> {
    // Which of two workers finds a state, and by which action, is a matter of luck.
    let coverage = result.coverage.iter().map(|one| Coverage { distinct: 0, ..one.clone() }).collect();
    let result = CheckResult { coverage, ..result.clone() };
    (essence(&result), result.loops_to, result.message)
}

#[test]
fn a_disk_changes_nothing_for_temporal_properties() {
    let module = format!(
        "{COUNTERS}\nvars == <<x, y, seen, at>>\nSpec == Init /\\ [][Next]_vars /\\ WF_vars(Add) /\\ \\A p \\in {{\"a\", \"b\"}} : WF_vars(Step(p))
Grows == <>(y[\"a\"] = 9 /\\ y[\"b\"] = 9)\nStays == <>[](x = 9)\nComes == (at = \"a\") ~> (at = \"b\")"
    );
    for engine in [Engine::Packed, Engine::Values] {
        for (property, verdict) in
            [("Grows", Verdict::Ok), ("Stays", Verdict::Property), ("Comes", Verdict::Property)]
        {
            let config = format!("SPECIFICATION Spec PROPERTY {property} CHECK_DEADLOCK FALSE");
            let options = CheckOptions { engine, ..CheckOptions::default() };
            let expected = checked(&module, &config, &options);
            assert_eq!(expected.verdict, verdict, "{property}: {}", expected.message);
            assert!(expected.distinct > 2000);
            for workers in [1, 2] {
                let heap = Heap::default();
                let disk = Some(disk(&heap));
                let found = checked(&module, &config, &CheckOptions { disk, workers, ..options.clone() });
                assert_eq!(
                    essence_of_behaviours(&found),
                    essence_of_behaviours(&expected),
                    "{engine:?} {property}"
                );
                assert!(heap.names().is_empty());
            }
        }
    }
}

#[test]
fn a_search_that_was_saved_goes_on_with_the_same_specification_only() {
    let live = format!("{CONFIG} PROPERTY Goes");
    let module = format!("{COUNTERS}\nGoes == (x = 3) ~> (x # 3)");
    for (engine, config) in
        [(Engine::Packed, CONFIG), (Engine::Values, CONFIG), (Engine::Packed, &live), (Engine::Values, &live)]
    {
        let expected = checked(&module, config, &CheckOptions { engine, ..CheckOptions::default() });
        let heap = Heap::default();
        let run = |resume: bool, identity: u64, most: u64| {
            let stop = Arc::new(AtomicBool::new(most == 0));
            let told = AtomicU64::new(0);
            let progress = |progress: &Progress| {
                if told.fetch_add(1, Ordering::Relaxed) == 0 && progress.distinct > most {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            let disk = DiskOptions {
                save_every: Some(std::time::Duration::from_mins(10)),
                resume,
                identity,
                ..disk(&heap)
            };
            let means = Means { stop: Some(Arc::clone(&stop)), ..Means::default() };
            let progress = Some(&progress as &(dyn Fn(&Progress) + Sync));
            let options =
                CheckOptions { engine, means, progress, disk: Some(disk), ..CheckOptions::default() };
            checked(&module, config, &options)
        };
        let stopped = run(false, 7, 0);
        assert_eq!(stopped.verdict, Verdict::Incomplete);
        assert!(stopped.message.contains("--resume"), "{}", stopped.message);
        let stopped_again = run(true, 7, 0);
        assert!(stopped_again.message.contains("--resume"), "{}", stopped_again.message);
        assert!(stopped_again.generated >= stopped.generated);
        let other = run(true, 8, u64::MAX);
        assert_eq!(other.verdict, Verdict::Incomplete);
        assert!(other.message.contains("another specification"), "{}", other.message);
        let found = run(true, 7, u64::MAX);
        assert_eq!(essence(&found), essence(&expected), "{}", found.message);
        assert!(heap.names().is_empty(), "{:?}", heap.names());
        let nothing = run(true, 7, u64::MAX);
        assert!(nothing.message.contains("no search was saved"), "{}", nothing.message);
    }
}

#[test]
fn a_search_that_cannot_be_saved_says_why() {
    let heap = Heap::default();
    let disk = DiskOptions { save_every: Some(std::time::Duration::ZERO), ..disk(&heap) };
    let options = CheckOptions { disk: Some(disk), ..CheckOptions::default() };
    let result = checked(COUNTERS, CONFIG, &CheckOptions { violations: 2, ..options });
    assert_eq!(result.verdict, Verdict::Incomplete);
    assert!(result.message.contains("behind the first violation"), "{}", result.message);
}
