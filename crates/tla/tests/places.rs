//! Where an error of evaluation is said to be: at the expression that is wrong. And what is suspicious about the
//! variables of an action.

mod common;

use locus_tla::check::{CheckOptions, CheckResult, Engine, Verdict};
use locus_tla::rules;

/// Checks a module, and gives the text at the place of what was found.
fn placed(definitions: &str, config: &str, options: &CheckOptions<'_>) -> (CheckResult, String) {
    let module = format!("EXTENDS Integers, FiniteSets\n{definitions}");
    let (sources, specification, model) = common::loaded(&module, config);
    let result = locus_tla::check::check(&sources, &specification, &model, options);
    let place = result.place.unwrap_or_else(|| panic!("a place: {}", result.message));
    let text = sources.get(place.file).slice(place.span).to_owned();
    (result, text)
}

#[test]
fn an_error_is_where_the_expression_is_that_causes_it() {
    // Each with the text that the error is about.
    let wrong = [
        (r"Init == x = 1  Next == \E y \in x : x' = y", "x"),
        (r"Init == x = 1  Next == \E y \in x, z \in 1..2 : x' = y + z", "x"),
        (r"Init == x = 1  Next == \E <<y, z>> \in {x} : x' = y + z", "{x}"),
        (r"Init == x = 1  Next == \E y \in Nat : x' = y", "Nat"),
        (r"Init == x = 1  Next == \E y \in [Nat -> {x}] : x' = y", "[Nat -> {x}]"),
        (r"Init == x = 1  Next == \E y \in {1, 2} \ x : x' = y", r"{1, 2} \ x"),
        (r"Init == x = 1  Next == \A y \in x : x' = y", "x"),
        (r"Init == x = 1  Next == x' \in x", "x"),
        (r"Init == x = 1  Next == x' \in SUBSET x", "SUBSET x"),
        (r"Init == x = 1  Next == x' = x /\ (\E y \in x' : TRUE)", "x"),
        (r"Init == x = 1  Next == x' = x /\ (\A y \in 1..2, z \in x' : TRUE)", "x"),
        (r"Init == \E y \in 5 : x = y  Next == x' = x", "5"),
        (r"Init == x \in 5  Next == x' = x", "5"),
        (r"Init == x = 1  Next == x' = x  Inv == x + 1", "x + 1"),
        (r"Init == x = 1  Next == x' = x  Inv == x = 1 /\ x", "x"),
        (r"Init == x = 1  Next == x' = x  Inv == IF x = 1 THEN 3 ELSE TRUE", "IF x = 1 THEN 3 ELSE TRUE"),
        (r"Init == x = 1  Next == x' = x  Inner == x + 1  Inv == Inner", "x + 1"),
        (r"Init == x = 1  Next == x' = x  Inv == <<x>>", "<<x>>"),
        (r"Init == x = 1  Next == x' = x  Inv == 5", "5"),
        (r"Init == x = 1  Next == x' = x  Inv == x", "x"),
    ];
    for (definitions, text) in wrong {
        let invariant = if definitions.contains("Inv ==") { "INVARIANT Inv" } else { "" };
        for workers in [1, 2] {
            for engine in [Engine::Either, Engine::Packed, Engine::Values] {
                let options = CheckOptions { workers, engine, ..CheckOptions::default() };
                let module = format!("VARIABLE x\n{definitions}");
                let (result, found) = placed(&module, &format!("INIT Init NEXT Next {invariant}"), &options);
                assert_eq!(result.verdict, Verdict::Evaluation, "{definitions}: {}", result.message);
                assert_eq!(found, text, "{definitions}: {}", result.message);
            }
        }
    }
}

/// The warnings about variables that get two values, with the text at the place.
fn twice(next: &str, engine: Engine) -> Vec<(String, String)> {
    let module = format!("EXTENDS Integers\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\n{next}");
    let (sources, specification, model) = common::loaded(&module, "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
    let options = CheckOptions { engine, ..CheckOptions::default() };
    let result = locus_tla::check::check(&sources, &specification, &model, &options);
    let ours = result.warnings.iter().filter(|warning| warning.rule.code == rules::TWO_VALUES.code);
    ours.map(|warning| {
        let place = warning.place.expect("a place");
        (warning.message.clone(), sources.get(place.file).slice(place.span).to_owned())
    })
    .collect()
}

#[test]
fn a_variable_that_is_changed_and_unchanged_is_suspicious() {
    let changed = "x is changed, and is said to be UNCHANGED here: no step does both";
    let other = "x' has got another value before, so this is but a condition, and never true";
    for engine in [Engine::Either, Engine::Packed, Engine::Values] {
        let said = |next| twice(next, engine);
        let one = |message: &str, text: &str| vec![(message.to_owned(), text.to_owned())];
        assert_eq!(said(r"Next == x < 3 /\ x' = x + 1 /\ UNCHANGED <<x, y>>"), one(changed, "<<x, y>>"));
        assert_eq!(
            said(r"A == x' = x + 1  vars == <<x, y>>  Next == x < 3 /\ A /\ UNCHANGED vars"),
            one(changed, "vars")
        );
        assert_eq!(
            said(r"Next == x < 3 /\ (x' = x + 1 \/ x' = x + 2) /\ y' = y /\ UNCHANGED x"),
            one(changed, "x")
        );
        assert_eq!(said(r"Next == UNCHANGED <<x, y>> /\ x' = x + 1"), one(other, "x + 1"));
        assert_eq!(said(r"Next == x' = x + 1 /\ y' = y /\ x' = x + 2"), one(other, "x + 2"));
        // Near misses: the same value, somewhere or always; a condition on what was chosen; branches.
        for fine in [
            r"Next == x' = x /\ y' = 1 - y /\ UNCHANGED x",
            r"Next == x < 3 /\ x' = IF y = 0 THEN x ELSE x + 1 /\ y' = 1 - y /\ UNCHANGED x",
            r"Next == x' \in 0..3 /\ x' = 2 /\ y' = y",
            r"Next == (x' = 1 /\ UNCHANGED y) \/ (y' = 1 /\ UNCHANGED x)",
            r"Next == x' = 2 /\ y' = y /\ x' # 3",
        ] {
            assert_eq!(said(fine), Vec::new(), "{fine}");
        }
    }
}
