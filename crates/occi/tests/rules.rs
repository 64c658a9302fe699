//! Each rule has a text that breaks it and one that comes close and does not.

mod common;
#[path = "../../language/tests/examples/mod.rs"]
mod examples;

use std::collections::BTreeSet;

use common::findings;
use locus_occi::{RULES, library};

const TEXTS: &str = include_str!("rules.txt");

#[test]
fn rules_of_the_readers_find_what_they_are_for_and_nothing_near() {
    insta::assert_snapshot!("readers", examples::of_reader(TEXTS, findings));
}

#[test]
fn every_rule_of_the_readers_has_texts() {
    let known: BTreeSet<String> = RULES.iter().map(|rule| rule.code.to_string()).collect();
    assert_eq!(examples::codes(TEXTS), known);
}

#[test]
fn rules_in_alloy_find_what_they_are_for_and_nothing_near() {
    insta::assert_snapshot!("alloy", examples::in_alloy(&library::FILES, &[], findings));
}
