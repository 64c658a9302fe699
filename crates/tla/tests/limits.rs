//! What a search may take: it stops in time, and says so.

mod common;

use std::time::{Duration, Instant};

use common::checked;
use locus_tla::check::{CheckOptions, Verdict};

/// Four hundred states of 32 kB each.
const LARGE: &str = r"
VARIABLES n, s
Init == n \in 1..400 /\ s = {k * n : k \in 1..2000}
Next == UNCHANGED <<n, s>>
";

#[test]
fn large_states_count_against_the_memory_limit() {
    let with = |bytes: usize| {
        let options = CheckOptions { bytes: Some(bytes), ..CheckOptions::default() };
        checked(LARGE, "INIT Init NEXT Next", &options)
    };
    let result = with(8 << 20);
    assert_eq!(result.verdict, Verdict::Incomplete, "{}", result.message);
    assert!(result.message.contains("memory"), "{}", result.message);
    let result = with(64 << 20);
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 400), "{}", result.message);
}

/// An evaluation that would take for ever ends with the time that is given.
#[test]
fn long_evaluations_end_with_the_time() {
    let long = [
        "CHOOSE s \\in SUBSET (1..60) : Cardinality(s) = 61",
        "{y \\in 1..2000000000 : y < 0}",
        "\\A y \\in 1..2000000000 : \\E z \\in 1..2000000000 : y < z",
        "LET RECURSIVE Fib(_) Fib(n) == IF n < 2 THEN n ELSE Fib(n - 1) + Fib(n - 2) IN Fib(200)",
    ];
    for expression in long {
        for module in [
            format!("VARIABLE x\nInit == x = ({expression})\nNext == x' = x\n"),
            format!("VARIABLE x\nInit == x = 1\nNext == x' = x /\\ x # ({expression})\n"),
            format!("VARIABLE x\nInit == x = 1\nNext == x' = ({expression}) + x\n"),
        ] {
            let options = CheckOptions { time: Some(Duration::from_millis(100)), ..CheckOptions::default() };
            let began = Instant::now();
            let result = checked(&module, "INIT Init NEXT Next", &options);
            assert_eq!(result.verdict, Verdict::Incomplete, "{module}\n{}", result.message);
            assert!(began.elapsed() < Duration::from_secs(20), "{module}");
        }
    }
}
