//! Initial states that are chosen from a large set by a condition: however many workers divide it, they find what one
//! finds.

mod common;

use common::loaded;
use locus_source::Sources;
use locus_tla::check::{CheckOptions, CheckResult, Engine, Verdict, check};
use locus_tla::config::Model;
use locus_tla::semantic::Specification;

/// A specification whose initial predicate may use `S`, a filter, and `All`, the set that it is taken from.
fn specification(definitions: &str) -> (Sources, Specification, Model) {
    let body = format!(
        r"EXTENDS Integers, Randomization
VARIABLES x, y
All == [a : 0..40, b : 0..40]
S == {{r \in All : r.a + r.b \in 1..40}}
Next == UNCHANGED <<x, y>>
{definitions}"
    );
    loaded(&body, "INIT Init NEXT Next INVARIANT Inv")
}

fn run(definitions: &str, workers: usize, engine: Engine) -> CheckResult {
    let (sources, specification, model) = specification(definitions);
    check(&sources, &specification, &model, &CheckOptions { workers, engine, ..CheckOptions::default() })
}

/// Checks it with several numbers of workers, who must all say the same, and gives the result of one. Of several states
/// that are wrong, any may be shown.
fn same(definitions: &str) -> CheckResult {
    let essence = |result: &CheckResult| {
        let counts = if result.verdict == Verdict::Ok { (result.generated, result.distinct) } else { (0, 0) };
        (result.verdict, result.message.clone(), counts, result.trace.len())
    };
    let one = run(definitions, 1, Engine::Values);
    for workers in [1, 2, 3, 7] {
        for engine in [Engine::Either, Engine::Values] {
            let other = run(definitions, workers, engine);
            assert_eq!(essence(&other), essence(&one), "{workers} workers, {engine:?}");
        }
    }
    one
}

fn counts(init: &str) -> (u64, u64) {
    let result = same(&format!("Init == {init}\nInv == x.a \\in 0..99"));
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    (result.generated, result.distinct)
}

#[test]
fn a_filter_has_the_elements_for_which_its_condition_is_true() {
    let plain = counts(r"x \in All /\ x.a + x.b \in 1..40 /\ y = 0");
    assert_eq!(plain, (1720, 860));
    assert_eq!(counts(r"x \in S /\ y = 0"), plain);
    assert_eq!(counts(r"y = 0 /\ x \in S"), plain);
    assert_eq!(counts(r"\E i \in 1..1 : x \in S /\ y = 0"), plain);
    assert_eq!(counts(r"x \in S /\ y \in {n \in 0..1 : n = 0}"), plain);
}

#[test]
fn what_is_beside_a_filter_is_found_once() {
    let other = r"(x = [a |-> 50, b |-> 0] /\ y = 0)";
    let plain = counts(&format!(r"{other} \/ (x \in All /\ x.a + x.b \in 1..40 /\ y = 0)"));
    assert_eq!(counts(&format!(r"{other} \/ (x \in S /\ y = 0)")), plain);
    assert_eq!(counts(&format!(r"(x \in S /\ y = 0) \/ {other}")), plain);
    let twice = counts(r"(x \in S /\ y = 0) \/ (x \in S /\ y = 1)");
    assert_eq!(twice, counts(r"x \in All /\ x.a + x.b \in 1..40 /\ y \in 0..1"));
    assert_eq!(counts(r"y \in 0..1 /\ x \in S"), twice);
    assert_eq!(counts(r"x \in S /\ y \in 0..1"), twice);
}

#[test]
fn a_filter_within_a_filter_is_not_divided_again() {
    let of = |few: &str| {
        let within = format!(r"x \in S /\ x.a = 1 /\ x.b < 9 /\ y \in {few}");
        counts(&format!(r"({within}) \/ (y \in {few} /\ x = [a |-> 1, b |-> 8])"))
    };
    assert_eq!(of(r"{r \in [n : 0..5] : r.n < 2}"), of("[n : 0..1]"));
    assert_eq!(of("[n : 0..1]"), (38, 18));
}

#[test]
fn choices_are_divided_wherever_there_are_many() {
    // One set, several that are large together, and what is beside them or behind them.
    let plain = counts(r"x \in All /\ y = 0");
    assert_eq!(plain, (3362, 1681));
    assert_eq!(counts(r"\E r \in All : x = r /\ y = 0"), plain);
    assert_eq!(counts(r"\E a \in 0..40 : \E b \in 0..40 : x = [a |-> a, b |-> b] /\ y = 0"), plain);
    assert_eq!(counts(r"\E a, b \in 0..40 : x = [a |-> a, b |-> b] /\ y = 0"), plain);
    let thrice = counts(r"y \in 0..2 /\ x \in All");
    assert_eq!(thrice, (3 * plain.0, 3 * plain.1));
    assert_eq!(counts(r"x \in All /\ y \in 0..2"), thrice);
    assert_eq!(counts(r"(y = 0 /\ x \in All) \/ (y \in 1..2 /\ x \in All)"), thrice);
    assert_eq!(counts(r"(x = [a |-> 0, b |-> 0] /\ y = 7) \/ (x \in All /\ y \in 0..2)").1, thrice.1 + 1);
    // Some of them are of no use, and some are chosen twice.
    let some = counts(r"x \in All /\ x.a # x.b /\ y \in SUBSET (1..3)");
    assert_eq!(some, (2 * 1640 * 8, 1640 * 8));
    assert_eq!(counts(r"y \in SUBSET (1..3) /\ \E r \in All : r.a # r.b /\ x = r"), some);
    assert_eq!(counts(r"\E k \in 0..1 : x \in All /\ x.a # x.b /\ y \in SUBSET (1..3)").1, some.1);
}

#[test]
fn a_filter_that_is_built_on_the_way_is_divided_as_it_was_begun() {
    for init in [r"x \in S /\ y \in 0..2", r"y \in 0..2 /\ x \in S", r"\E k \in 0..2 : y = k /\ x \in S"] {
        let result = same(&format!("Init == {init}\nInv == x \\in S"));
        assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 3 * 860), "{}", result.message);
    }
}

#[test]
fn what_is_evaluated_is_counted_once() {
    let definitions = "Init == y = 0 /\\ x \\in S\nInv == x \\in S /\\ x.a \\in 0..40";
    let counted = |workers| {
        let (sources, specification, model) = specification(definitions);
        let options = CheckOptions { workers, coverage: true, ..CheckOptions::default() };
        let result = check(&sources, &specification, &model, &options);
        assert_eq!(result.distinct, 860, "{}", result.message);
        format!("{:?}", result.expressions)
    };
    assert_eq!(counted(1), counted(3));
}

#[test]
fn a_set_that_is_left_to_chance_is_the_same_in_all_of_a_run() {
    let definitions = r"
Chosen == {r \in [a : RandomSubset(5, 0..1000), b : 0..3] : r.b > 0}
Init == x \in Chosen /\ y = 0
Inv == x \in Chosen";
    for workers in [1, 2, 3] {
        let result = run(definitions, workers, Engine::Values);
        assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 15), "{}", result.message);
    }
}

#[test]
fn what_goes_wrong_first_is_reported() {
    let result =
        same("Init == x \\in {r \\in All : 100 \\div (r.a * 41 + r.b - 300) # 7} /\\ y = 0\nInv == TRUE");
    assert_eq!(result.verdict, Verdict::Evaluation, "{}", result.message);
    let result = same("Init == x \\in S /\\ y = 0\nInv == 10 \\div (x.a - 7) # 99");
    assert_eq!(result.verdict, Verdict::Evaluation, "{}", result.message);
}
