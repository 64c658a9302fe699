//! The rules under `rules/hot`: every rule has a template that breaks it and one that comes close, and every fact of
//! section 7.1.4 of the report has a rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use locus_hot::{Inputs, library};
use locus_source::{Finding, Severity, Sources};

/// Everything that is said of a template, by the reader and by the rules.
fn findings(name: &str, text: &str) -> (Sources, Vec<Finding>) {
    let sources = Sources::new();
    let file = sources.add(name, text);
    let read = locus_hot::read(&sources, &file, &Inputs::default());
    let mut findings = read.findings;
    if let Some(template) = &read.template {
        findings.extend(locus_hot::check(template).findings);
    }
    findings.retain(|finding| finding.severity > Severity::Note);
    (sources, findings)
}

fn shown(sources: &Sources, findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let place = sources.start(finding.primary.place);
        let _ = writeln!(text, "{place} {} {}", finding.code, finding.message);
        for label in &finding.secondary {
            let _ = writeln!(text, "  {} {}", sources.start(label.place), label.message);
        }
    }
    text
}

#[test]
fn every_rule_has_an_example_that_breaks_it_and_one_that_comes_close() {
    let mut wrong = String::new();
    let mut by_module: BTreeMap<&str, String> = BTreeMap::new();
    for (module, rule) in library::FILES.rules() {
        let description = rule.description;
        let code = description.rule.code.as_str();
        if description.native.is_some() {
            continue;
        }
        let Some(example) = library::FILES.example(code) else {
            let _ = writeln!(wrong, "{module}: {code} has no examples");
            continue;
        };
        let (sources, found) = findings("bad.yaml", example.bad);
        // A rule about the old name of a property is not broken without the warning that the name is old.
        let others =
            found.iter().filter(|finding| !["HOT025", code].contains(&finding.code.as_str())).count();
        if !found.iter().any(|finding| finding.code.as_str() == code) || others > 0 {
            let _ = writeln!(wrong, "{code}.bad.yaml:\n{}", shown(&sources, &found));
        }
        by_module.entry(module).or_default().push_str(&shown(&sources, &found));
        let (sources, mut found) = findings("good.yaml", example.good);
        // There are rules about types that Heat calls unsupported.
        found.retain(|finding| finding.code.as_str() != "HOT025");
        if !found.is_empty() {
            let _ = writeln!(wrong, "{code}.good.yaml:\n{}", shown(&sources, &found));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    for (module, text) in by_module {
        insta::assert_snapshot!(module, text);
    }
}

#[test]
fn every_fact_of_the_report_has_a_rule() {
    let known: BTreeSet<String> =
        library::FILES.rules().flat_map(|(_, rule)| rule.description.report).collect();
    let wanted: BTreeSet<&str> = include_str!("report_facts.txt").lines().collect();
    assert_eq!(wanted.len(), 73);
    let missing: Vec<_> = wanted.iter().filter(|name| !known.contains(**name)).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let invented: Vec<_> = known.iter().filter(|name| !wanted.contains(&***name)).collect();
    assert!(invented.is_empty(), "{invented:#?}");
}

#[test]
fn codes_alone_are_those_of_the_rules() {
    let whole: Vec<_> = library::FILES.rules().map(|(_, rule)| rule.description.rule).collect();
    assert_eq!(library::FILES.codes().collect::<Vec<_>>(), whole);
}

#[test]
fn codes_are_used_once_and_every_rule_has_a_message_and_a_place() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    // Codes are for ever, also those that no finding has.
    let model = include_str!("../../../specs/report/HOT.als");
    for (module, rule) in library::FILES.rules() {
        let code = rule.description.rule.code.to_string();
        let other = seen.insert(code.clone(), module);
        assert_eq!(other, None, "{code} is in {module}, too");
        assert!(!model.contains(&format!("/** {code} ")), "{code} is a statement of the report's model");
        assert!(rule.description.native.is_some() || rule.description.is_complete(), "{code}");
        assert!(!rule.description.rule.explanation.is_empty(), "{code} explains nothing");
    }
}
