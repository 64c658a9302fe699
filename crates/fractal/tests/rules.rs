//! Each rule has a text that breaks it and one that comes close and does not.

mod common;
#[path = "../../language/tests/examples/mod.rs"]
mod examples;

use std::collections::BTreeSet;

use common::findings;
use locus_fractal::{RULES, library};

const TEXTS: &str = include_str!("rules.txt");

#[test]
fn rules_of_the_reader_find_what_they_are_for_and_nothing_near() {
    insta::assert_snapshot!("reader", examples::of_reader(TEXTS, findings));
}

#[test]
fn every_rule_of_the_reader_has_texts() {
    // The limits have tests in `hostile.rs`.
    let known: BTreeSet<String> =
        RULES.iter().map(|rule| rule.code.to_string()).filter(|code| code != "FRA025").collect();
    assert_eq!(examples::codes(TEXTS), known);
}

#[test]
fn rules_in_alloy_find_what_they_are_for_and_nothing_near() {
    let messages = examples::in_alloy(&library::FILES, &["FRA026"], findings);
    assert!(messages.lines().count() + RULES.len() >= 60, "{messages}");
    insta::assert_snapshot!("alloy", messages);
}
