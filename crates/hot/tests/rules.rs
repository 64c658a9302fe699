//! For each rule a template that breaks it and one that nearly does.

mod common;

use common::{lines, read_file};
use locus_hot::RULES;
use locus_source::{Severity, Sources};

#[test]
fn what_breaks_a_rule_is_found() {
    for rule in RULES {
        let sources = Sources::new();
        let reading = read_file(&sources, "rules", &format!("{}.break.yaml", rule.code));
        let found = lines(&reading, &sources, Severity::Note);
        assert!(reading.findings.iter().any(|finding| finding.code == rule.code), "{}: {found}", rule.code);
        insta::assert_snapshot!(rule.code.as_str(), found);
    }
}

#[test]
fn what_nearly_breaks_a_rule_is_not_found() {
    for rule in RULES {
        let sources = Sources::new();
        let reading = read_file(&sources, "rules", &format!("{}.near.yaml", rule.code));
        let found = lines(&reading, &sources, Severity::Error);
        assert!(reading.findings.iter().all(|finding| finding.code != rule.code), "{}: {found}", rule.code);
        assert_eq!(found, "", "{}", rule.code);
    }
}

#[test]
fn every_rule_is_explained() {
    for rule in RULES {
        assert!(rule.explanation.contains("```"), "{} has no example", rule.code);
    }
}
