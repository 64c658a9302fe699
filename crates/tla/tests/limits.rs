//! What a search may take: it stops in time, and says so.

mod common;

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
