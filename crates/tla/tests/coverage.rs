//! How often the parts of a specification are evaluated, counted by hand.

mod common;

use common::loaded;
use locus_tla::check::{CheckOptions, check};

/// The text of each part with its figures, in the order of their places.
fn counted(body: &str, config: &str, workers: usize) -> Vec<(String, u64, Option<u64>)> {
    let (sources, specification, model) = loaded(&format!("EXTENDS Integers\n{body}"), config);
    let options = CheckOptions { coverage: true, workers, ..CheckOptions::default() };
    let result = check(&sources, &specification, &model, &options);
    let text = |place: locus_source::Place| {
        let text = sources.get(place.file).slice(place.span).to_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    result.expressions.iter().map(|one| (text(one.place), one.evaluated, one.held)).collect()
}

#[test]
fn every_part_has_the_figures_of_the_four_states() {
    // The states are 0 to 3.
    let body = r"
VARIABLE x
Init == x = 0
Up == /\ x < 3
      /\ x' = x + 1
Down == /\ x > 5
        /\ x' = 0
Next == \/ Up
        \/ Down
        \/ IF x = 9 THEN x' = 1 ELSE UNCHANGED x
Inv == /\ x < 10
       /\ x = 8 => x > 7
       /\ \A y \in {1, 2} : y < 2 \/ x >= 0";
    for workers in [1, 2] {
        let found = counted(body, "INIT Init NEXT Next INVARIANT Inv", workers);
        let expected = [
            ("x = 0", 1, None),
            ("x < 3", 4, Some(3)),
            ("x' = x + 1", 3, None),
            ("x > 5", 4, Some(0)),
            ("x' = 0", 0, None),
            ("Up", 4, Some(3)),
            ("Down", 4, Some(0)),
            ("IF x = 9 THEN x' = 1 ELSE UNCHANGED x", 4, Some(4)),
            ("x = 9", 4, Some(0)),
            ("x' = 1", 0, None),
            ("UNCHANGED x", 4, Some(4)),
            ("x < 10", 4, Some(4)),
            ("x = 8 => x > 7", 4, Some(4)),
            ("x = 8", 4, Some(0)),
            ("x > 7", 0, Some(0)),
            (r"\A y \in {1, 2} : y < 2 \/ x >= 0", 4, Some(4)),
            (r"y < 2 \/ x >= 0", 8, Some(8)),
            ("y < 2", 8, Some(4)),
            ("x >= 0", 4, Some(4)),
        ];
        let expected: Vec<_> =
            expected.into_iter().map(|(text, evaluated, held)| (text.to_owned(), evaluated, held)).collect();
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{workers} workers");
        }
        assert_eq!(found.len(), expected.len(), "{found:?}");
    }
}

#[test]
fn what_is_evaluated_for_a_trace_is_not_counted() {
    let body = r"
VARIABLE x
Init == x = 0
Next == x < 3 /\ x' = x + 1
Small == x > 2 => (x # 3 \/ x = 4)";
    let found = counted(body, "INIT Init NEXT Next INVARIANT Small", 1);
    let figures = |text: &str| found.iter().find(|(part, ..)| part == text).map(|(_, n, held)| (*n, *held));
    assert_eq!(figures("x = 0"), Some((1, None)));
    assert_eq!(figures("x < 3"), Some((3, Some(3))));
    assert_eq!(figures("x > 2"), Some((4, Some(1))));
    assert_eq!(figures("x # 3"), Some((1, Some(0))));
}

#[test]
fn a_guard_that_no_element_passes_is_evaluated() {
    // Elements that a first condition excludes are passed over in an ordinary search; counting looks at them.
    let body = r"
VARIABLE x
M == {[t |-> 1, n |-> 5], [t |-> 1, n |-> 6]}
Init == x = 0
Next == \E m \in M : m.t = 2 /\ x' = m.n";
    let found = counted(body, "INIT Init NEXT Next CHECK_DEADLOCK FALSE", 1);
    assert!(found.contains(&("m.t = 2".to_owned(), 2, Some(0))), "{found:?}");
}

const BORROWED: &str = r"
EXTENDS Integers, FiniteSetsExt
VARIABLE x
Init == x = 0
Next == x < 2 /\ x' = Max({x + 1, 1})";

#[test]
fn standard_modules_are_not_counted() {
    let (sources, specification, model) = loaded(BORROWED, "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
    let options = CheckOptions { coverage: true, ..CheckOptions::default() };
    let result = check(&sources, &specification, &model, &options);
    assert!(!result.expressions.is_empty());
    assert!(result.expressions.iter().all(|one| sources.get(one.place.file).name() == "Spec.tla"));
}
