//! Faults for all values of something that is not known.

use std::fmt::Write as _;

use locus_hot::{Inputs, judge, read};
use locus_source::{LoadError, Loader, Severity, SourceFile, Sources};

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

/// However many there are.
#[test]
fn no_value_is_left_out_because_of_others() {
    let mut parameters = "parameters:\n".to_owned();
    for at in 0..40 {
        let _ = writeln!(parameters, "  p{at}: {{ type: boolean }}");
    }
    let found = range(&parameters, "{ if: [ { get_param: p39 }, 10.0.0.0/33, 10.0.0.0/34 ] }");
    assert!(found.contains("something is wrong with each value that `p39` may have"), "{found}");
}

/// A template with a parameter and a condition of its own.
struct Inner(&'static str);

impl Loader for Inner {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = format!(
            "heat_template_version: 2018-08-31
parameters: {{ public: {{ type: boolean }} }}
conditions: {{ big: {{ equals: [ {{ get_param: OS::stack_name }}, big ] }} }}
resources:
  net: {{ type: OS::Neutron::Net }}
  sub: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {} }} }}
  port:
    type: OS::Neutron::Port
    properties: {{ network: {{ get_resource: net }}, fixed_ips: [ {{ ip_address: 10.0.0.5 }} ] }}
",
            self.0
        );
        Ok((path.to_owned(), text.into_bytes()))
    }
}

#[test]
fn what_is_wrong_in_each_case_of_a_template_in_a_template_is_wrong() {
    let of = |cidr: &'static str| {
        let sources = Sources::new();
        let text = "heat_template_version: 2018-08-31
parameters: { public: { type: string } }
resources: { web: { type: inner.yaml, properties: { public: { get_param: public } } } }
";
        let file = sources.add("t.yaml", text);
        let loader = Inner(cidr);
        let reading = read(&sources, &file, &Inputs { loader: Some(&loader), ..Inputs::default() });
        let found = reading.findings.iter().cloned().chain(judge(&reading).findings);
        let errors = found.filter(|finding| finding.severity == Severity::Error);
        let shown =
            errors.map(|one| format!("{} {}", sources.describe(one.primary.place), one.notes.join(" ")));
        shown.collect::<Vec<_>>().join("\n")
    };
    let found = of("{ if: [big, 10.0.0.0/33, 10.0.0.0/34] }");
    assert!(
        found.starts_with("inner.yaml:6:") && found.contains("the condition `big` holds or not"),
        "{found}"
    );
    // By a rule that compares resources, in one of the cases.
    let found = of("{ if: [ { get_param: public }, 10.0.0.0/33, 10.1.0.0/24 ] }");
    assert!(found.contains("each value that `public` may have"), "{found}");
    assert_eq!(of("{ if: [big, 10.0.0.0/33, 10.0.0.0/24] }"), "");
}
