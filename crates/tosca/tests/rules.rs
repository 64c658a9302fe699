//! Each rule has a text that breaks it and one that comes close and does not.

mod common;

use std::collections::BTreeSet;

use common::{codes, codes_of_example, codes_with};
use locus_tosca::{RULES, library};

/// The texts of `rules.txt`, by code: the one that breaks the rule, and the other one. After the code may stand `error`
/// or `warning`, where a rule has both.
fn texts() -> Vec<(String, String, String)> {
    let text = include_str!("rules.txt");
    let blocks = text.split("\n== ").skip(1);
    let expand = |text: &str| {
        let (first, rest) = text.trim_start().split_once('\n').unwrap_or((text, ""));
        match first {
            "2" => format!("tosca_definitions_version: tosca_2_0\n{rest}"),
            "1" => format!("tosca_definitions_version: tosca_simple_yaml_1_3\n{rest}"),
            _ => text.trim_start().to_owned(),
        }
    };
    let block = |block: &str| {
        let (code, rest) = block.split_once("\n-- bad\n").expect("a block has a bad text");
        let (bad, good) = rest.split_once("\n-- good\n").expect("a block has a good text");
        (code.trim().to_owned(), expand(bad), expand(good))
    };
    blocks.map(block).collect()
}

#[test]
fn rules_about_files_find_what_they_are_for_and_nothing_near() {
    for (code, bad, good) in texts() {
        let (code, severity) = code.split_once(' ').unwrap_or((&code, ""));
        let found = codes_with(&bad, severity);
        assert!(found.contains(code), "{code} {severity} is not found but {found:?} in:\n{bad}");
        let found = codes(&good);
        assert!(!found.contains(code), "{code} is found in:\n{good}");
    }
}

#[test]
fn every_rule_has_texts() {
    // The rules about archives have tests in `language.rs`, limits in `hostile.rs`.
    let elsewhere = ["TSC064", "TSC067", "TSC074", "TSC083"].map(str::to_owned);
    let tested: BTreeSet<String> =
        texts().into_iter().map(|(code, ..)| code[..6].to_owned()).chain(elsewhere).collect();
    let known: BTreeSet<String> = RULES.iter().map(|rule| rule.code.as_str().to_owned()).collect();
    assert_eq!(tested, known);
}

#[test]
fn rules_in_alloy_find_what_they_are_for_and_nothing_near() {
    let mut count = 0;
    for (_, listed) in library::FILES.rules() {
        let code = listed.description.rule.code.as_str().to_owned();
        assert!(listed.description.is_complete(), "{code} has a message, a place and help");
        let example = library::FILES.example(&code).unwrap_or_else(|| panic!("{code} has examples"));
        let found = codes_of_example(example.bad);
        assert!(found.contains(&code), "{code} is not found but {found:?} in:\n{}", example.bad);
        let found = codes_of_example(example.good);
        assert!(found.is_empty(), "{found:?} is found in:\n{}", example.good);
        count += 1;
    }
    assert_eq!(count, 17);
}

#[test]
fn every_rule_of_the_house_says_where_the_standard_has_it() {
    for rule in RULES {
        let said = rule.explanation.contains("ection") || rule.explanation.contains("hapter");
        let own = ["TSC013", "TSC041", "TSC083"].contains(&rule.code.as_str());
        assert!(said || own, "{} names no section", rule.code);
    }
}

/// Mistakes that orchestrators trip over, as their users report them, and the rules that find them.
const REPORTED: [(&str, &[&str]); 12] = [
    ("a requirement that nothing fulfils, or several nodes do", &["TSC044", "TSC045", "TSC047", "TSC048"]),
    ("a circle of dependency or hosting", &["TSC101", "TSC102"]),
    ("an address outside of its network", &["TSC104", "TSC108", "TSC109"]),
    ("an address twice", &["TSC105"]),
    ("a reversed pool", &["TSC106", "TSC107"]),
    ("`scalable` out of order", &["TSC111", "TSC112"]),
    ("more relationships or allocations than a capability has room for", &["TSC113", "TSC114"]),
    ("an input without a value, or one that does not exist", &["TSC037", "TSC040", "TSC041"]),
    ("a missing script or artifact", &["TSC065"]),
    ("a filter that is not satisfied, or that nothing can satisfy", &["TSC047", "TSC049", "TSC075"]),
    ("an attribute that does not exist, or a path of the wrong type", &["TSC029", "TSC038"]),
    ("a template that no other takes the place of", &["TSC067"]),
];

#[test]
fn each_reported_mistake_has_rules_with_texts_that_break_them_and_come_close() {
    let of_files: BTreeSet<String> = texts().into_iter().map(|(code, ..)| code[..6].to_owned()).collect();
    for (mistake, codes) in REPORTED {
        for code in codes {
            // The rule about templates that take the place of others has a test in `language.rs`.
            let tested =
                of_files.contains(*code) || library::FILES.example(code).is_some() || *code == "TSC067";
            assert!(tested, "{mistake}: {code} has no texts");
        }
    }
}
