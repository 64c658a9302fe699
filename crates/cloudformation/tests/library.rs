//! The rules under `rules/cloudformation`: every rule has a template that breaks it and one that comes close.

use std::collections::BTreeMap;
use std::fmt::Write;

use locus_cloudformation::{Inputs, check, library, read};
use locus_source::{Finding, Severity, Sources};

/// Everything that is said of a template, by the reader and by the rules.
fn findings(name: &str, text: &str) -> (Sources, Vec<Finding>) {
    let sources = Sources::new();
    let file = sources.add(name, text);
    let reading = read(&sources, &file, &Inputs::default());
    let mut findings = reading.findings.clone();
    findings.extend(check(&reading).findings);
    findings.retain(|finding| finding.severity > Severity::Note);
    (sources, findings)
}

fn shown(sources: &Sources, findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let _ =
            writeln!(text, "{} {} {}", sources.start(finding.primary.place), finding.code, finding.message);
        for label in &finding.secondary {
            let _ = writeln!(text, "  {} {}", sources.start(label.place), label.message);
        }
    }
    text
}

#[test]
fn every_rule_has_an_example_that_breaks_it_and_one_that_comes_close() {
    let (mut wrong, mut all) = (String::new(), String::new());
    for (module, rule) in library::FILES.rules() {
        let code = rule.description.rule.code.to_string();
        let Some(example) = library::FILES.example(&code) else {
            let _ = writeln!(wrong, "{module}: {code} has no examples");
            continue;
        };
        let (sources, found) = findings("bad.yaml", example.bad);
        if !found.iter().all(|finding| finding.code.as_str() == code) || found.is_empty() {
            let _ = writeln!(wrong, "{code}.bad.yaml:\n{}", shown(&sources, &found));
        }
        all.push_str(&shown(&sources, &found));
        let (sources, found) = findings("good.yaml", example.good);
        if !found.is_empty() {
            let _ = writeln!(wrong, "{code}.good.yaml:\n{}", shown(&sources, &found));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    insta::assert_snapshot!(all);
}

#[test]
fn codes_are_used_once_and_every_rule_has_a_message_and_a_place() {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for rule in locus_cloudformation::RULES {
        assert_eq!(seen.insert(rule.code.to_string(), "the reader"), None, "{}", rule.code);
    }
    for (module, rule) in library::FILES.rules() {
        let code = rule.description.rule.code.to_string();
        let other = seen.insert(code.clone(), module);
        assert_eq!(other, None, "{code} is in {module}, too");
        assert!(rule.description.is_complete(), "{code}");
        assert!(rule.description.remark.is_some(), "{code} does not say what AWS answers");
    }
}
