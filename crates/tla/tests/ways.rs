//! In how many ways an action is true: each counts as generated. The counts are TLC's.

mod common;

use common::checked;
use locus_tla::check::{CheckOptions, Verdict};

/// Checks with one worker and with two, and gives the counts: generated, distinct.
fn counts(module: &str) -> (u64, u64) {
    let config = "INIT Init NEXT Next CHECK_DEADLOCK FALSE";
    let run = |workers| checked(module, config, &CheckOptions { workers, ..CheckOptions::default() });
    let [one, two] = [1, 2].map(run);
    assert_eq!(one.verdict, Verdict::Ok, "{}", one.message);
    assert_eq!((one.generated, one.distinct), (two.generated, two.distinct));
    (one.generated, one.distinct)
}

#[test]
fn a_recursive_operator_gives_variables_values() {
    let module = r"
VARIABLES x, y
RECURSIVE Climb(_)
Climb(n) == IF n = 0 THEN x' = x ELSE \/ x' = (x + n) % 7
                                      \/ Climb(n - 1)
Init == x = 0 /\ y = 0
Next == Climb(3) /\ y' = 1 - y
";
    assert_eq!(counts(module), (57, 14));
}

#[test]
fn what_follows_a_recursive_call_sees_the_variables_of_its_own_level() {
    let module = r"
VARIABLE x
RECURSIVE Spread(_)
Spread(n) == IF n = 0 THEN x < 100 ELSE \E i \in 1..2 : Spread(n - 1) /\ i + n # 3
Init == x = 0
Next == Spread(2) /\ x' = (x + 1) % 4
";
    assert_eq!(counts(module), (5, 4));
}

#[test]
fn operators_that_call_one_another_give_variables_values() {
    let module = r"
VARIABLE x
RECURSIVE Up(_), Down(_)
Up(n) == IF n > 3 THEN x' = n ELSE Down(n + 2) \/ x' = 0
Down(n) == IF n < 1 THEN x' = n ELSE Up(n - 1)
Init == x = 0
Next == Up(x)
";
    assert_eq!(counts(module), (7, 2));
}

#[test]
fn a_function_applied_as_an_action_is_looked_into() {
    let module = r"
VARIABLES x, y
Reach == LET f[n \in 0..5] == \/ n = 0
                              \/ \E m \in 0..(n - 1) : f[m] /\ m + n # 4
         IN  f[x]
Init == x = 0 /\ y \in 0..1
Next == Reach /\ x' = (x + 1) % 6 /\ y' \in {y}
";
    assert_eq!(counts(module), (54, 12));
}

#[test]
fn once_all_variables_have_values_there_is_one_way() {
    let module = r"
VARIABLES x, y
Even == x % 2 = 0
Some == Even \/ y = 0 \/ x = y
Init == x \in 0..3 /\ y \in 0..2 /\ (Some \/ x > 1)
Next == /\ (Even \/ x < 2)
        /\ x' = (x + 1) % 4
        /\ y' = (y + 1) % 3
        /\ (x' = 1 \/ y' = 0 \/ x' # y' \/ \E i \in 0..2 : y' = i)
        /\ \A i \in 0..1 : x' >= 0 \/ y' >= i
";
    assert_eq!(counts(module), (23, 12));
}

#[test]
fn membership_in_a_filtered_set_does_not_build_it() {
    let module = r"
VARIABLE s
Vast == {t \in SUBSET SUBSET (1..6) : s \in t /\ Cardinality(t) < 3}
Init == s = {}
Next == \E i \in 1..6 : s' = s \cup {i} /\ {s, {i}} \in Vast
";
    assert_eq!(counts(module), (385, 64));
}

#[test]
fn a_constant_left_to_chance_is_the_same_throughout_a_run() {
    let module = r"
LOCAL INSTANCE TLC
VARIABLE x
Some == RandomElement(1..1000000)
Init == x = Some
Next == x' = Some
";
    assert_eq!(counts(module), (2, 1));
}

/// Which worker finds a violation and what else was found by then depends on the workers; that there is one does not,
/// nor how deep it is.
#[test]
fn several_workers_find_a_violation_at_the_same_depth() {
    let module = r"
VARIABLES x, y
Init == x \in 0..3 /\ y \in 0..3
Next == x' = (x + 1) % 40 /\ y' \in (y - 1)..(y + 2) /\ y' < 40
Small == x + y < 17
Few == y # 9
";
    let config = "INIT Init NEXT Next INVARIANTS Small Few";
    let run = |workers| {
        let result = checked(module, config, &CheckOptions { workers, ..CheckOptions::default() });
        assert!(result.warnings.is_empty(), "{:?}", result.warnings);
        (result.verdict, result.depth, result.trace.len())
    };
    let one = run(1);
    assert_eq!(one.0, Verdict::Invariant);
    for workers in [2, 3, 4] {
        assert_eq!(run(workers), one, "{workers} workers");
    }
}
