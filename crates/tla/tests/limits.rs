//! Limits of a search: it stops in time, and says so.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use common::checked;
use locus_tla::check::{CheckOptions, Engine, Means, Verdict};

/// Four hundred states of 32 kB each.
const LARGE: &str = r"
VARIABLES n, s
Init == n \in 1..400 /\ s = {k * n : k \in 1..2000}
Next == UNCHANGED <<n, s>>
";

#[test]
fn large_states_count_against_the_memory_limit() {
    let with = |bytes: usize| {
        // Packed, the sets would be kept once, beside the states.
        let engine = Engine::Values;
        let options = CheckOptions { bytes: Some(bytes), engine, ..CheckOptions::default() };
        checked(LARGE, "INIT Init NEXT Next", &options)
    };
    let result = with(8 << 20);
    assert_eq!(result.verdict, Verdict::Incomplete, "{}", result.message);
    assert!(result.message.contains("memory"), "{}", result.message);
    let result = with(64 << 20);
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 400), "{}", result.message);
}

/// Few states, each of which takes some ten thousand steps of evaluation.
const SLOW: &str = r"
VARIABLE n
Init == n = 0
Next == n < 30 /\ n' = n + 1
Slow == \A s \in SUBSET (1..12) : Cardinality(s) < 13 + n
Bad == n < 25
";

#[test]
fn few_states_that_are_slow_to_evaluate_have_the_same_answers() {
    let with = |invariants: &str, states| {
        let config = format!("INIT Init NEXT Next CHECK_DEADLOCK FALSE INVARIANTS {invariants}");
        checked(SLOW, &config, &CheckOptions { states, ..CheckOptions::default() })
    };
    let result = with("Slow", None);
    assert_eq!((result.verdict, result.generated, result.distinct), (Verdict::Ok, 31, 31));
    let result = with("Slow Bad", None);
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Invariant, 26));
    // That evaluation took long is not taken for a limit on states.
    let result = with("Slow", Some(400));
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 31), "{}", result.message);
    let result = with("Slow", Some(20));
    assert_eq!((result.verdict, result.distinct), (Verdict::Incomplete, 20), "{}", result.message);
}

/// A value that holds itself twice over, sixty times: little memory, and text without end.
const SHARED: &str = r"
VARIABLES n, s
Init == n = 0 /\ s = <<>>
Next == n < 60 /\ n' = n + 1 /\ s' = <<s, s>>
Small == n < 60
A0 == n >= 0
A1 == A0 /\ A0
A2 == A1 /\ A1
A3 == A2 /\ A2
A4 == A3 /\ A3 /\ A3 /\ A3
A5 == A4 /\ A4 /\ A4 /\ A4
A6 == A5 /\ A5 /\ A5 /\ A5
A7 == A6 /\ A6 /\ A6 /\ A6
A8 == A7 /\ A7 /\ A7 /\ A7
A9 == A8 /\ A8 /\ A8 /\ A8 /\ Small
";

#[test]
fn text_of_shared_values_is_cut() {
    let result = checked(SHARED, "INIT Init NEXT Next INVARIANT Small", &CheckOptions::default());
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Invariant, 61));
    let last = &result.trace[60].variables[1];
    assert!(last.value.ends_with('…') && last.value.len() < 2 << 20, "{}", last.value.len());
    assert_eq!(last.json.as_str(), Some(&*last.value));
    assert!(last.changed);
    let third = &result.trace[2].variables[1];
    assert_eq!(
        (&*third.value, third.json.to_string()),
        ("<<<<<<>>, <<>>>>, <<<<>>, <<>>>>>>", "[[[],[]],[[],[]]]".to_owned())
    );
}

#[test]
fn a_predicate_with_very_many_conjuncts_is_checked() {
    let result = checked(SHARED, "INIT Init NEXT Next INVARIANT A9", &CheckOptions::default());
    assert_eq!((result.verdict, result.distinct), (Verdict::Invariant, 61), "{}", result.message);
}

/// One expression each that takes longer than anybody waits.
const LONG: &[(&str, &str)] = &[
    ("Init == x \\in {E \\in SUBSET SUBSET (1..5) : Cardinality(E) > 40}", "a large set"),
    ("Init == x = 0 /\\ \\A i, j \\in 1..1000000 : i + j > 0", "large intervals"),
    (
        "RECURSIVE F(_)\nF(n) == IF n < 2 THEN 1 ELSE F(n - 1) + F(n - 2)\nInit == x = F(80)",
        "a recursive operator",
    ),
    ("Init == x = (CHOOSE s \\in SUBSET (1..60) : Cardinality(s) = 61)", "a choice"),
    ("Init == x = Cardinality({y \\in 1..2000000000 : y < 0})", "a filter"),
    ("Init == x = 0\nASSUME \\A f \\in [1..12 -> 1..12] : f[1] < 20", "an assumption"),
];

#[test]
fn the_time_is_up_within_an_evaluation_too() {
    for (definitions, what) in LONG {
        let module = format!("VARIABLE x\nNext == x' = x\n{definitions}");
        let time = Some(Duration::from_millis(100));
        let options = CheckOptions { time, ..CheckOptions::default() };
        // Without a look at the clock meanwhile, none of them ends before the test is given up.
        let result = checked(&module, "INIT Init NEXT Next", &options);
        assert_eq!(result.verdict, Verdict::Incomplete, "{what}: {}", result.message);
    }
}

#[test]
fn a_search_can_be_stopped_within_an_evaluation() {
    let stop = Arc::new(AtomicBool::new(true));
    let means = Means { stop: Some(stop), ..Means::default() };
    let options = CheckOptions { means, ..CheckOptions::default() };
    let module = "VARIABLE x\nInit == x = 0 /\\ \\A i, j \\in 1..1000000 : i + j > 0\nNext == x' = x";
    let result = checked(module, "INIT Init NEXT Next", &options);
    assert_eq!(result.verdict, Verdict::Incomplete, "{}", result.message);
}

/// Stands for a process that holds more with each question.
fn growing() -> usize {
    static HELD: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    HELD.fetch_add(1 << 20, std::sync::atomic::Ordering::Relaxed)
}

#[test]
fn the_memory_of_the_process_counts_within_an_evaluation() {
    let memory = locus_tla::check::Memory { limit: 100 << 20, used: growing, give_back: || {} };
    let means = Means { memory: Some(memory), ..Means::default() };
    let options = CheckOptions { bytes: Some(100 << 20), means, ..CheckOptions::default() };
    let endless = r"ASSUME \E s \in SUBSET (1..40) : Cardinality(s) = 40";
    let result = checked(endless, "", &options);
    assert_eq!(result.verdict, Verdict::Incomplete, "{}", result.message);
    assert!(result.message.contains("memory"), "{}", result.message);
}

/// A module in which a value doubles with each step.
fn doubling(first: &str, means: Means) -> locus_tla::check::CheckResult {
    let spec = format!("EXTENDS Sequences\nVARIABLE s\nInit == s = {first}\nNext == s' = s \\o s");
    let (sources, specification, model) = common::loaded(&spec, "INIT Init NEXT Next");
    let options = CheckOptions { means, ..CheckOptions::default() };
    locus_tla::check::check(&sources, &specification, &model, &options)
}

#[test]
fn what_doubles_reaches_a_limit() {
    let result = doubling("\"ab\"", Means::default());
    assert_eq!(result.verdict, Verdict::Evaluation, "{}", result.message);
    assert!(result.message.contains("a string of more than 16777216 bytes"), "{}", result.message);
    let memory = locus_tla::check::Memory { limit: 64 << 20, used: || 0, give_back: || {} };
    let result = doubling("<<1, 2>>", Means { memory: Some(memory), ..Means::default() });
    assert_eq!(result.verdict, Verdict::Incomplete, "{}", result.message);
    assert!(result.message.contains("memory"), "{}", result.message);
    // 2^20 elements in 16 bytes each fit twice over, 2^21 do not.
    assert!((18..=22).contains(&result.distinct), "{}", result.distinct);
}
