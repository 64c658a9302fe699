//! Each rule has a text that breaks it and one that comes close and does not.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{codes, findings};
use locus_fractal::{RULES, library};
use locus_source::Severity;

/// The texts of `rules.txt`, by code: the one that breaks the rule, and the other one.
fn texts() -> Vec<(String, String, String)> {
    let blocks = include_str!("rules.txt").split("\n== ").skip(1);
    let block = |block: &str| {
        let (code, rest) = block.split_once("\n-- bad\n").expect("a block has a bad text");
        let (bad, good) = rest.split_once("\n-- good\n").expect("a block has a good text");
        (code.trim().to_owned(), bad.to_owned(), good.trim_end().to_owned())
    };
    blocks.map(block).collect()
}

#[test]
fn rules_of_the_reader_find_what_they_are_for_and_nothing_near() {
    let mut messages = String::new();
    for (code, bad, good) in texts() {
        let found = findings(&bad);
        let broken = found.iter().find(|(found, ..)| *found == code);
        let (_, _, message) =
            broken.unwrap_or_else(|| panic!("{code} is not found but {found:?} in:\n{bad}"));
        let _ = writeln!(messages, "{code} {message}");
        let close = findings(&good);
        let errors: Vec<_> = close.iter().filter(|(_, severity, _)| *severity == Severity::Error).collect();
        assert!(
            errors.is_empty() && close.iter().all(|(found, ..)| *found != code),
            "{code}: {close:?} in:\n{good}"
        );
    }
    insta::assert_snapshot!("reader", messages);
}

#[test]
fn every_rule_of_the_reader_has_texts() {
    let tested: BTreeSet<String> = texts().into_iter().map(|(code, ..)| code).collect();
    // The limits have tests in `hostile.rs`.
    let known: BTreeSet<String> =
        RULES.iter().map(|rule| rule.code.to_string()).filter(|code| code != "FRA025").collect();
    assert_eq!(tested, known);
}

#[test]
fn rules_in_alloy_find_what_they_are_for_and_nothing_near() {
    let mut messages = String::new();
    let mut count = 0;
    for (_, listed) in library::FILES.rules() {
        let code = listed.description.rule.code.to_string();
        assert!(listed.description.is_complete(), "{code} has a message, a place and help");
        let example = library::FILES.example(&code).unwrap_or_else(|| panic!("{code} has no example"));
        let found = findings(example.bad);
        let broken = found.iter().find(|(found, ..)| *found == code);
        let (_, _, message) =
            broken.unwrap_or_else(|| panic!("{code} is not found but {found:?}:\n{}", example.bad));
        let _ = writeln!(messages, "{code} {message}");
        let close: BTreeSet<String> = codes(example.good).into_iter().filter(|one| one != "FRA026").collect();
        assert!(close.is_empty(), "{code}: {close:?} is found in:\n{}", example.good);
        count += 1;
    }
    insta::assert_snapshot!("alloy", messages);
    assert!(count + RULES.len() >= 60, "{count}");
}
