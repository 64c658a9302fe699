//! Faults for all values of something that is not known.

use locus_hot::{Inputs, judge, read};
use locus_source::{Severity, Sources};

/// The errors of a template, with their notes.
fn errors(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("t.yaml", format!("heat_template_version: 2018-08-31\n{text}"));
    let reading = read(&sources, &file, &Inputs::default());
    let found = reading.findings.iter().cloned().chain(judge(&reading).findings);
    let errors = found.filter(|finding| finding.severity == Severity::Error);
    let shown = errors.map(|finding| {
        let labels = finding.secondary.iter().map(|label| format!("\n  {}", label.message));
        format!(
            "{}: {}{}\n  {}",
            finding.code,
            finding.message,
            labels.collect::<String>(),
            finding.notes.join("\n  ")
        )
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// A subnet with a range.
fn range(more: &str, cidr: &str) -> String {
    errors(&format!(
        "{more}resources:
  net: {{ type: OS::Neutron::Net }}
  sub: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {cidr} }} }}
  port:
    type: OS::Neutron::Port
    properties: {{ network: {{ get_resource: net }}, fixed_ips: [ {{ ip_address: 10.0.0.5 }} ] }}
"
    ))
}

const SWITCH: &str = "parameters: { size: { type: string } }
conditions: { big: { equals: [ { get_param: size }, big ] } }
";

#[test]
fn what_is_wrong_in_both_branches_is_wrong() {
    let found = range(SWITCH, "{ if: [big, 10.0.0.0/33, 10.0.0.0/34] }");
    assert!(found.contains("HOT024: `cidr` of `sub` is `10.0.0.0/33`"), "{found}");
    assert!(found.contains(", if `big` holds"), "{found}");
    assert!(found.contains("if `big` does not hold: `cidr` of `sub` is `10.0.0.0/34`"), "{found}");
    assert!(found.contains("something is wrong whether the condition `big` holds or not"), "{found}");
    assert_eq!(range(SWITCH, "{ if: [big, 10.0.0.0/33, 10.0.0.0/24] }"), "");
    // By two different rules, one of which compares resources.
    let found = range(SWITCH, "{ if: [big, 10.0.0.0/33, 10.1.0.0/24] }");
    assert!(found.contains("if `big` does not hold: "), "{found}");
    // A condition without a name.
    let inline = "parameters: { size: { type: string } }\n";
    let cidr = "{ if: [ { equals: [ { get_param: size }, big ] }, 10.0.0.0/33, 10.0.0.0/34 ] }";
    assert!(range(inline, cidr).contains("whether the condition holds or not"));
}

#[test]
fn what_is_wrong_for_each_allowed_value_is_wrong() {
    let with = |values: &str| {
        let parameter = format!(
            "parameters: {{ cidr: {{ type: string, constraints: [ {{ allowed_values: [{values}] }} ] }} }}\n"
        );
        range(&parameter, "{ get_param: cidr }")
    };
    let found = with("10.1.0.0/24, 10.2.0.0/24");
    assert!(found.contains("something is wrong with each value that `cidr` may have"), "{found}");
    assert_eq!(with("10.1.0.0/24, 10.0.0.0/24"), "");
}
