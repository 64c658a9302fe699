//! For each rule about the text of a template one that breaks it and one that nearly does.

mod common;

use common::{lines, read_file};
use locus_cloudformation::RULES;
use locus_source::{Severity, Sources};

#[test]
fn what_breaks_a_rule_is_found() {
    let mut all = String::new();
    for rule in RULES {
        let sources = Sources::new();
        let reading = read_file(&sources, &format!("{}.break", rule.code));
        let found = lines(&reading, &sources, Severity::Note);
        assert!(reading.findings.iter().any(|finding| finding.code == rule.code), "{}: {found}", rule.code);
        all.push_str(&found);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_nearly_breaks_a_rule_is_not_found() {
    for rule in RULES {
        let sources = Sources::new();
        let reading = read_file(&sources, &format!("{}.near", rule.code));
        let found = lines(&reading, &sources, Severity::Note);
        assert_eq!(found, "", "{}", rule.code);
    }
}

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        assert!(rule.explanation.contains("```"), "{} has no example", rule.code);
    }
}
