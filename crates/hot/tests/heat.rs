//! Templates that Heat and the services were seen to take and to refuse, where the rules have no example of their own.

mod common;

use std::fmt::Write as _;

use common::{Folder, folder};
use locus_hot::Inputs;
use locus_source::{Severity, Sources};

/// The codes of all errors in a template, by the reader and by the rules.
fn errors(text: &str, environment: Option<&str>) -> Vec<String> {
    found(text, environment, Severity::Error).into_iter().map(|(code, _)| code).collect()
}

fn found(text: &str, environment: Option<&str>, least: Severity) -> Vec<(String, String)> {
    let sources = Sources::new();
    let file = sources.add("template.yaml", format!("heat_template_version: 2018-08-31\n{text}"));
    let environments = environment.map(|text| sources.add("env.yaml", text)).into_iter().collect();
    let loader = Folder(folder("templates"));
    let inputs = Inputs { environments, loader: Some(&loader), ..Inputs::default() };
    let read = locus_hot::read(&sources, &file, &inputs);
    let checked = read.template.as_ref().map(|template| locus_hot::check(template).findings);
    let all = read.findings.into_iter().chain(checked.unwrap_or_default());
    let wanted = all.filter(|finding| finding.severity >= least);
    wanted.map(|finding| (finding.code.to_string(), finding.message)).collect()
}

const NONE: [&str; 0] = [];

#[test]
fn a_floating_ip_of_nova_is_one_of_neutron() {
    let text = "resources:
  address: { type: OS::Nova::FloatingIP, properties: { pool: public } }
  association:
    type: OS::Neutron::FloatingIPAssociation
    properties: { floatingip_id: { get_resource: address }, port_id: a-port }
";
    assert_eq!(errors(text, None), NONE);
}

#[test]
fn what_is_not_created_may_have_any_type_and_properties() {
    let text = |condition: &str| {
        format!(
            "resources:
  extra: {{ type: Not::Here, condition: {condition}, properties: {{ any: thing }} }}
  port: {{ type: OS::Neutron::Port, condition: {condition}, properties: {{ nothing: 1 }} }}
  inner: {{ type: not-there.yaml, condition: {condition} }}
"
        )
    };
    assert_eq!(errors(&text("false"), None), NONE);
    assert_eq!(errors(&text("true"), None).len(), 4);
}

#[test]
fn a_reference_to_what_is_not_created_is_only_a_warning_in_an_output() {
    let text = "conditions: { big: false }
resources:
  volume: { type: OS::Cinder::Volume, condition: big, properties: { size: 10 } }
outputs:
  where: { value: { get_resource: volume } }
";
    assert_eq!(errors(text, None), NONE);
    assert_eq!(found(text, None, Severity::Warning)[0].0, "HOT034");
}

#[test]
fn all_templates_of_a_registry_are_there() {
    let text = "resources: { net: { type: OS::Neutron::Net } }\n";
    assert_eq!(errors(text, Some("resource_registry: { My::A: not-there.yaml }\n")), ["HOT051"]);
    assert_eq!(errors(text, Some("resource_registry: { My::A: inner.yaml }\n")), NONE);
    assert_eq!(errors(text, Some("resource_registry: { My::A: 'https://example.org/a.yaml' }\n")), NONE);
}

#[test]
fn a_circle_in_a_registry_is_called_one() {
    let text = "resources: { a: { type: My::A } }\n";
    let circle = found(text, Some("resource_registry: { My::A: My::B, My::B: My::A }\n"), Severity::Error);
    assert_eq!(
        circle,
        [(
            "HOT020".to_owned(),
            "the resource registry goes in a circle: `My::A` → `My::B` → `My::A`".to_owned()
        )]
    );
    let mut chain = "resource_registry:\n".to_owned();
    for n in 0..5_000 {
        let _ = writeln!(chain, "  My::T{n}: My::T{}", n + 1);
    }
    chain.push_str("  My::T5000: OS::Neutron::Net\n");
    assert_eq!(errors("resources: { a: { type: My::T0 } }\n", Some(&chain)), NONE);
}

#[test]
fn patterns_are_regular_expressions() {
    let text = |pattern: &str| {
        let parameter =
            format!("{{ type: string, default: a, constraints: [ {{ allowed_pattern: '{pattern}' }} ] }}");
        errors(
            &format!(
                "parameters: {{ p: {parameter} }}\nresources: {{ v: {{ type: OS::Heat::Value, properties: {{ value: {{ get_param: p }} }} }} }}\n"
            ),
            None,
        )
    };
    // As Heat was seen to judge them.
    for good in ["[a-z]*", "[[:alpha:]]*", "(?!b)a", "a++", "a|b", "(?i)a", "[]a]", "(?:a)?", "\\w"] {
        assert_eq!(text(good), NONE, "{good}");
    }
    for bad in ["[a-z", "*a", "a)", "(a", "a|*", "a\\"] {
        assert_eq!(text(bad), ["HOT011"], "{bad}");
    }
}

#[test]
fn values_have_the_type_that_they_say() {
    let value = |kind: &str, value: &str| {
        errors(
            &format!(
                "resources: {{ v: {{ type: OS::Heat::Value, properties: {{ type: {kind}, value: {value} }} }} }}\n"
            ),
            None,
        )
    };
    for (kind, good) in
        [("number", "'12'"), ("number", "1.5"), ("number", "true"), ("string", "12"), ("json", "{ a: 1 }")]
    {
        assert_eq!(value(kind, good), NONE, "{kind} {good}");
    }
    let bad = [
        ("number", "abc"),
        ("boolean", "maybe"),
        ("boolean", "1"),
        ("boolean", "'yes'"),
        ("json", "[1]"),
        ("json", "'{}'"),
        ("comma_delimited_list", "'a,b'"),
        ("comma_delimited_list", "{ a: 1 }"),
        ("string", "[a]"),
        ("string", "1.5"),
    ];
    for (kind, bad) in bad {
        assert_eq!(value(kind, bad), ["HOT023"], "{kind} {bad}");
    }
}

#[test]
fn expressions_of_yaql_can_be_read() {
    let yaql = |expression: &str| {
        errors(
            &format!(
                "resources: {{ v: {{ type: OS::Heat::Value, properties: {{ value: {{ yaql: {{ expression: \"{expression}\", data: {{}} }} }} }} }} }}\n"
            ),
            None,
        )
    };
    assert_eq!(yaql("$.data.select($.x).where($ > 1)"), NONE);
    assert_eq!(yaql("$.data.select("), ["HOT041"]);
}

#[test]
fn notes_about_parameters_and_old_things_come_once() {
    let text = "parameters: { a: { type: string }, b: { type: string } }
resources:
  one: { type: OS::Neutron::Port, properties: { network_id: { get_param: a } } }
  two: { type: OS::Neutron::Port, properties: { network_id: { get_param: b } } }
";
    let all = found(text, None, Severity::Note);
    let count = |code: &str| all.iter().filter(|(found, _)| found == code).count();
    assert_eq!((count("HOT015"), count("HOT025")), (1, 1), "{all:?}");
    let (_, message) = all.iter().find(|(code, _)| code == "HOT015").expect("it is there");
    assert_eq!(message, "2 parameters have no value: `a` and `b`");
}
