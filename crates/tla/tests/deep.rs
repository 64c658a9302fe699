//! Values and recursion without end are refused with figures, on the stack that threads usually have.

mod common;

use locus_tla::check::{CheckOptions, CheckResult, Verdict, check};

fn run(definitions: &str, config: &str) -> CheckResult {
    let body = format!("EXTENDS Naturals, Sequences, TLC, SequencesExt\nVARIABLES x, n\n{definitions}");
    let (sources, specification, model) = common::loaded(&body, config);
    check(&sources, &specification, &model, &CheckOptions { workers: 2, ..CheckOptions::default() })
}

/// A state that is nested one level deeper with each step.
#[test]
fn a_value_that_grows_from_state_to_state_is_refused_at_the_limit() {
    for deeper in
        ["<<x>>", "{x}", "[a |-> x]", "[i \\in {x} |-> 0]", "<<x>> \\o <<0>>", "[f EXCEPT ![1] = x]"]
    {
        let spec = format!(
            "f == <<0, 0>>\nInit == x = {{}} /\\ n = 0\nNext == n' = n + 1 /\\ x' = {deeper}\nInv == n < 1500"
        );
        let result = run(&spec, "INIT Init NEXT Next INVARIANT Inv");
        assert_eq!(result.verdict, Verdict::Evaluation, "{deeper}: {}", result.message);
        assert!(result.message.contains("more than 1000 levels"), "{deeper}: {}", result.message);
    }
}

#[test]
fn a_value_just_below_the_limit_is_compared_printed_and_freed() {
    let spec = "RECURSIVE Nest(_, _)\n\
         Nest(k, v) == IF k = 0 THEN v ELSE Nest(k - 1, <<v>>)\n\
         Init == x = Nest(998, 0) /\\ n = 0\n\
         Next == n' = 1 - n /\\ x' = Nest(998, n)\n\
         Inv == ToString(x) # \"\" /\\ x # Nest(998, 2)\n\
         Same == x = Nest(998, 0) \\/ n = 0";
    let result = run(spec, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 3), "{}", result.message);
    assert_eq!(run(spec, "INIT Init NEXT Next INVARIANT Same").verdict, Verdict::Ok);
}

#[test]
fn a_value_that_is_too_deep_never_decides_anything() {
    let nest = "RECURSIVE Nest(_, _)\nNest(k, v) == IF k = 0 THEN v ELSE Nest(k - 1, {v})\nDeep == Nest(5000, 0)\n\
         Init == x = 0 /\\ n = 0\nNext == x' = 1 - x /\\ UNCHANGED n\n";
    for (definition, section) in [
        ("P == Deep = Deep", "INVARIANT P"),
        ("P == Nest(5000, n) # {}", "INVARIANT P"),
        ("P == Nest(5000, n) = {}", "CONSTRAINT P"),
        ("P == [][Nest(5000, n) # Nest(5000, n')]_x", "PROPERTY P"),
        ("ASSUME Nest(5000, 0) # {}", ""),
        ("P == Nest(5000, n) # {}", "POSTCONDITION P"),
        ("P == FoldLeft(LAMBDA a, b : <<a>>, 0, [i \\in 1..5000 |-> i]) # <<>>", "INVARIANT P"),
    ] {
        let result = run(&format!("{nest}{definition}"), &format!("INIT Init NEXT Next {section}"));
        assert_eq!(result.verdict, Verdict::Evaluation, "{definition}: {}", result.message);
        assert!(result.message.contains("1000 levels") || section == "POSTCONDITION P", "{}", result.message);
    }
    let guard = format!("{nest}Step == Nest(5000, n) = <<>> /\\ UNCHANGED <<x, n>>");
    assert_eq!(run(&guard, "INIT Init NEXT Step").verdict, Verdict::Evaluation);
}

#[test]
fn recursion_without_end_is_refused_with_figures() {
    let spec = "RECURSIVE Down(_)\nDown(k) == Down(k + 1)\nInit == x = Down(0) /\\ n = 0\nNext == UNCHANGED <<x, n>>";
    let result = run(spec, "INIT Init NEXT Next");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("100000 nested calls"), "{}", result.message);
}

/// Each definition has a disjunction before it comes to the next one: there are more ways than could be looked at one
/// by one.
#[test]
fn a_long_chain_of_definitions_with_disjunctions_is_followed_once() {
    let links: Vec<String> = (0..600)
        .map(|i| format!("A{} == n # {} /\\ (x # 9 \\/ n = 900) /\\ A{i}", i + 1, i + 1000))
        .collect();
    let chain = format!("A0 == TRUE\n{}", links.join("\n"));
    let init = "Init == x = 0 /\\ n \\in 0..400";
    for (next, invariant) in [
        ("Next == A600 /\\ x' = (x + 1) % 3 /\\ UNCHANGED n", "Inv == TRUE"),
        ("Next == x' = (x + 1) % 3 /\\ UNCHANGED n", "Inv == A600"),
    ] {
        let result =
            run(&format!("{chain}\n{init}\n{next}\n{invariant}"), "INIT Init NEXT Next INVARIANT Inv");
        assert_eq!((result.verdict, result.distinct, result.generated), (Verdict::Ok, 1203, 1604), "{next}");
    }
}
