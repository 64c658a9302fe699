//! A limit that is met in any phase of a check: the answer says so truly, and what was found until then is shown whole.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use common::checked;
use locus_tla::check::{CheckOptions, CheckResult, Engine, Means, Memory, Outside, Verdict};
use locus_tla::rules;

/// A violation behind a step with very many successors, most of which come after it.
const WIDE: &str = r"
VARIABLES n, y
Init == n = 0 /\ y = {}
Next == \/ n < 2 /\ n' = n + 1 /\ y' = y
        \/ n = 2 /\ n' = 3 /\ y' \in SUBSET (1..30)
Inv == Cardinality(y) < 1
";

/// The same behind a wide first step, which is taken again to show the behaviour.
const WIDE_AT_FIRST: &str = r"
VARIABLES n, y
Init == n = 0 /\ y = {}
Next == \/ n = 0 /\ n' = 1 /\ y' \in SUBSET (1..12)
        \/ n \in 1..3 /\ n' = n + 1 /\ y' = y
        \/ n = 4 /\ n' = 5 /\ y' \in SUBSET (1..30)
Inv == n < 4 \/ Cardinality(y) # 7
";

fn is_whole(result: &CheckResult, states: usize, what: &str) {
    assert_eq!(result.verdict, Verdict::Invariant, "{what}: {}", result.message);
    assert_eq!(result.trace.len(), states, "{what}");
    assert!(result.warnings.is_empty(), "{what}: {:?}", result.warnings);
}

#[test]
fn a_counterexample_is_shown_whole_though_the_time_is_up() {
    for (module, states, inv) in [(WIDE, 4, "Inv"), (WIDE_AT_FIRST, 5, "Inv")] {
        for workers in [1, 2, 3] {
            for engine in [Engine::Either, Engine::Values] {
                let what = format!("{workers} workers, {engine:?}");
                // To go on behind the violation takes longer than there is time.
                let time = Some(Duration::from_secs(2));
                let options =
                    CheckOptions { workers, engine, time, violations: 5, ..CheckOptions::default() };
                let result = checked(module, &format!("INIT Init NEXT Next INVARIANT {inv}"), &options);
                assert_eq!(result.further.len(), 4, "{what}");
                is_whole(&result, states, &what);
            }
        }
    }
}

#[test]
fn a_search_that_was_to_go_on_says_what_ended_it() {
    for workers in [1, 2] {
        let time = Some(Duration::from_secs(2));
        let options = CheckOptions { workers, time, violations: 5, ..CheckOptions::default() };
        let one = WIDE.replace("Cardinality(y) < 1", "y # {1, 2}");
        let result = checked(&one, "INIT Init NEXT Next INVARIANT Inv", &options);
        is_whole(&result, 4, "one of five");
        assert!(result.further.is_empty());
        assert!(result.unfinished.is_some_and(|why| why.ends_with("the limit on time was reached")));
    }
}

#[test]
fn the_first_violation_ends_the_search_with_any_number_of_workers() {
    let endless = [
        "VARIABLE y\nInit == y = {}\nNext == y' \\in SUBSET (1..50)\nInv == Cardinality(y) < 1",
        // The others are in the midst of an action that has found nothing yet, and of one that goes on finding the
        // same.
        "VARIABLE y\nInit == y \\in 1..4\n\
         Next == \\/ y = 1 /\\ y' = 5\n        \\/ y = 2 /\\ \\E s \\in SUBSET (1..50) : Cardinality(s) = 51 /\\ y' = 6\n\
         \x20       \\/ y = 3 /\\ \\E s \\in SUBSET (1..50) : Cardinality(s) < 51 /\\ y' = 3\n\
         \x20       \\/ y = 4 /\\ y' = 4\nInv == y # 5",
    ];
    for module in endless {
        for (workers, engine) in
            [2, 3, 4].into_iter().flat_map(|n| [(n, Engine::Either), (n, Engine::Values)])
        {
            // That it ends at all is what is tested: there are more states than anything can look at.
            let (sources, specification, model) = common::loaded(
                &format!("EXTENDS Integers, FiniteSets\n{module}"),
                "INIT Init NEXT Next INVARIANT Inv",
            );
            let options = CheckOptions { workers, engine, ..CheckOptions::default() };
            let result = locus_tla::check::check(&sources, &specification, &model, &options);
            is_whole(&result, 2, &format!("{workers} workers, {engine:?}"));
        }
    }
}

/// The limits that can be met in the midst of something.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Time,
    Memory,
    Stop,
}

const TIME: Duration = Duration::from_secs(1);

/// The memory that the process is said to hold.
static HELD: AtomicUsize = AtomicUsize::new(0);

/// Has the limit met when the specification reads a file.
struct Trap(Limit, Arc<AtomicBool>);

impl Outside for Trap {
    fn read(&self, _: &str) -> Result<String, String> {
        match self.0 {
            Limit::Time => std::thread::sleep(TIME + Duration::from_millis(100)),
            Limit::Memory => HELD.store(150 << 20, Ordering::Relaxed),
            Limit::Stop => self.1.store(true, Ordering::Relaxed),
        }
        Ok("1".to_owned())
    }

    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

const TEMPORAL: &str = "the check of a temporal property";

/// The phases of a check, each with what meets the limit in it, the configuration, and the states of the behaviour that
/// was found by then.
const PHASES: &[(&str, &str, &str, Option<usize>)] = &[
    (
        "an assumption",
        r"Init == n = 0  Next == n' = n
          ASSUME Hit /\ \A s \in SUBSET (1..60) : Cardinality(s) < 61",
        "INIT Init NEXT Next",
        None,
    ),
    (
        "initial states, each by itself",
        r"Init == n \in 1..100000000 /\ (n = 2000 => Hit)  Next == n' = n",
        "INIT Init NEXT Next",
        None,
    ),
    (
        "the search for an initial state",
        r"Init == n = 1 /\ Hit /\ \E s \in SUBSET (1..60) : Cardinality(s) = 61  Next == n' = n",
        "INIT Init NEXT Next",
        None,
    ),
    ("the search", r"Init == n = 1  Next == n' = n + 1 /\ (n = 3000 => Hit)", "INIT Init NEXT Next", None),
    (
        "an action",
        r"Init == n = 1  Next == n' = n + 1 /\ (n = 700 => Hit /\ \E s \in SUBSET (1..60) : Cardinality(s) = 61)",
        "INIT Init NEXT Next",
        None,
    ),
    (
        "an invariant",
        r"Init == n = 1  Next == n' = n + 1  Inv == n = 700 => Hit /\ \E s \in SUBSET (1..60) : Cardinality(s) = 61",
        "INIT Init NEXT Next INVARIANT Inv",
        None,
    ),
    (
        "an invariant of initial states",
        r"Init == n \in 1..5000  Next == n' = n  Inv == n = 4000 => Hit /\ \E s \in SUBSET (1..60) : Cardinality(s) = 61",
        "INIT Init NEXT Next INVARIANT Inv",
        None,
    ),
    (
        "the postcondition",
        r"Init == n = 1  Next == n' = n  Post == Hit /\ \A s \in SUBSET (1..60) : Cardinality(s) < 61",
        "INIT Init NEXT Next POSTCONDITION Post",
        None,
    ),
    (
        TEMPORAL,
        r"Init == n = 0  Next == n' = (n + 1) % 3000 /\ (n = 2999 => Hit)  Spec == Init /\ [][Next]_n /\ WF_n(Next)
          Live == <>[](n > 5)",
        "SPECIFICATION Spec PROPERTY Live",
        None,
    ),
    (
        "the behaviour",
        r"Init == n = 0  Next == n' = n + 1  Inv == n = 700 => ~Hit",
        "INIT Init NEXT Next INVARIANT Inv",
        Some(701),
    ),
    (
        "the behaviour of a few states",
        r"Init == n = 0  Next == n' = n + 1  Inv == n = 7 => ~Hit",
        "INIT Init NEXT Next INVARIANT Inv",
        Some(8),
    ),
    (
        "the behaviour that is no refinement",
        r"Init == n = 0  Next == n' = n + 1
          Abstract == n = 0 /\ [][n' = n + 1 /\ (n = 700 => ~Hit)]_n",
        "INIT Init NEXT Next PROPERTY Abstract",
        Some(702),
    ),
];

#[test]
fn whatever_phase_a_limit_is_met_in_the_answer_is_true() {
    for &(phase, definitions, config, shown) in PHASES {
        for limit in [Limit::Time, Limit::Memory, Limit::Stop] {
            for workers in [1, 2, 3] {
                let what = format!("{limit:?} in {phase} with {workers} workers");
                HELD.store(0, Ordering::Relaxed);
                let stop = Arc::new(AtomicBool::new(false));
                let memory =
                    Memory { limit: 100 << 20, used: || HELD.load(Ordering::Relaxed), give_back: || {} };
                let means = Means {
                    stop: Some(Arc::clone(&stop)),
                    outside: Some(Arc::new(Trap(limit, stop))),
                    memory: Some(memory),
                    ..Means::default()
                };
                let time = matches!(limit, Limit::Time).then_some(TIME);
                let options =
                    CheckOptions { workers, means, time, bytes: Some(100 << 20), ..CheckOptions::default() };
                let module = format!(
                    "EXTENDS Integers, FiniteSets, Json\nVARIABLE n\nHit == JsonDeserialize(\"a\") = 1\n{definitions}"
                );
                let (sources, specification, model) = common::loaded(&module, config);
                let result = locus_tla::check::check(&sources, &specification, &model, &options);
                assert!(
                    !result.warnings.iter().any(|one| one.rule.code == rules::NOT_REPEATABLE.code),
                    "{what}"
                );
                if let Some(states) = shown {
                    assert_ne!(result.verdict, Verdict::Incomplete, "{what}: {}", result.message);
                    assert_eq!(result.trace.len(), states, "{what}: {:?}", result.warnings);
                    continue;
                }
                // It may be over before anybody looks whether it must end.
                if phase == TEMPORAL && result.verdict == Verdict::Property {
                    assert!(result.warnings.is_empty() && result.loops_to.is_some(), "{what}");
                    continue;
                }
                assert_eq!(result.verdict, Verdict::Incomplete, "{what}: {}", result.message);
                let why = match limit {
                    Limit::Time => "time",
                    Limit::Memory => "memory",
                    Limit::Stop => "stopped",
                };
                assert!(result.message.contains(why), "{what}: {}", result.message);
            }
        }
    }
}
