//! Templates within templates, as they are used: values go down into them and come back out.

use locus_hot::{Inputs, check, read};
use locus_source::{Finding, LoadError, Loader, Severity, SourceFile, Sources};
use std::fmt::Write as _;

/// Files by their names.
struct Files(&'static [(&'static str, &'static str)]);

impl Loader for Files {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let found = self.0.iter().find(|(name, _)| *name == path).ok_or(LoadError::Missing)?;
        Ok((path.to_owned(), format!("heat_template_version: 2018-08-31\n{}", found.1).into_bytes()))
    }
}

const FILES: Files = Files(&[
    (
        "subnet.yaml",
        "parameters: { net: { type: string }, cidr: { type: string, default: 10.0.0.0/24 } }
resources:
  sub: { type: OS::Neutron::Subnet, properties: { network: { get_param: net }, cidr: { get_param: cidr } } }
outputs: { sub: { value: { get_resource: sub } }, range: { value: { get_param: cidr } } }
",
    ),
    (
        "port.yaml",
        "parameters: { net: { type: string }, ip: { type: string } }
resources:
  port:
    type: OS::Neutron::Port
    properties: { network: { get_param: net }, fixed_ips: [ { ip_address: { get_param: ip } } ] }
outputs: { port: { value: { get_resource: port } } }
",
    ),
    (
        "outer.yaml",
        "parameters: { net: { type: string }, range: { type: string } }
resources:
  in: { type: subnet.yaml, properties: { net: { get_param: net }, cidr: { get_param: range } } }
outputs: { sub: { value: { get_attr: [in, sub] } } }
",
    ),
    ("itself.yaml", "resources: { again: { type: itself.yaml } }\n"),
    (
        "list.yaml",
        "parameters: { all: { type: comma_delimited_list } }
resources:
  group: { type: OS::Nova::ServerGroup, properties: { policies: { get_param: all } } }
",
    ),
]);

/// The errors of a template with these resources: code, place and message of each.
fn errors(resources: &str) -> String {
    let sources = Sources::new();
    let text = format!("heat_template_version: 2018-08-31\nresources:\n{resources}");
    let file = sources.add("top.yaml", text);
    let reading = read(&sources, &file, &Inputs { loader: Some(&FILES), ..Inputs::default() });
    let mut findings = reading.findings;
    findings.extend(check(reading.template.as_ref().unwrap()).findings);
    let shown = |finding: &Finding| {
        let place = sources.describe(finding.primary.place);
        format!("{place} {}: {}", finding.code, finding.message)
    };
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(shown).collect::<Vec<_>>().join("\n")
}

const NET: &str = "  net: { type: OS::Neutron::Net }
  own: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }
";

#[test]
fn values_are_judged_where_they_arrive() {
    let found = errors("  web: { type: subnet.yaml, properties: { net: blue, cidr: 10.0.0.0/33 } }\n");
    assert!(found.starts_with("subnet.yaml:4:"), "{found}");
    assert!(found.contains("HOT024: `cidr` of `sub` is `10.0.0.0/33`"), "{found}");
    let found = errors("  web: { type: outer.yaml, properties: { net: blue, range: 10.0.0.0/33 } }\n");
    assert!(found.contains("HOT024: `cidr` of `sub` is `10.0.0.0/33`"), "{found}");
    assert_eq!(errors("  web: { type: outer.yaml, properties: { net: blue, range: 10.0.0.0/24 } }\n"), "");
    let found = errors("  web: { type: list.yaml, properties: { all: ['affinity,none'] } }\n");
    assert!(
        found.contains("`policies` of `group` is `[\"affinity\", \"none\"]`"),
        "Heat takes the list apart at its commas: {found}"
    );
}

#[test]
fn rules_see_the_resources_of_all_templates_together() {
    let two = |other: &str| {
        let use_of = |ip: &str| {
            format!("{{ type: port.yaml, properties: {{ net: {{ get_resource: net }}, ip: {ip} }} }}")
        };
        errors(&format!("{NET}  one: {}\n  two: {}\n", use_of("10.0.0.7"), use_of(other)))
    };
    let found = two("10.0.0.7");
    assert!(found.contains("HOT134: the address `10.0.0.7` is asked for twice"), "{found}");
    assert!(found.contains("by `one/port` and by `two/port`"), "{found}");
    assert_eq!(two("10.0.0.8"), "");
    let group = |ip: &str| {
        errors(&format!(
            "{NET}  all:
    type: OS::Heat::ResourceGroup
    properties:
      count: 3
      resource_def: {{ type: port.yaml, properties: {{ net: {{ get_resource: net }}, ip: {ip} }} }}
"
        ))
    };
    let found = group("10.0.0.7");
    assert!(found.contains("by `all[0]/port` and by `all[1]/port`"), "{found}");
    assert_eq!(group("10.0.0.%index%5"), "");
}

#[test]
fn outputs_come_back_as_what_they_are() {
    let port = |properties: &str| {
        errors(&format!(
            "  net: {{ type: OS::Neutron::Net }}
  web: {{ type: outer.yaml, properties: {{ net: {{ get_resource: net }}, range: 10.0.0.0/24 }} }}
  port: {{ type: OS::Neutron::Port, properties: {{ {properties} }} }}
"
        ))
    };
    let found = port("network: { get_attr: [web, sub] }");
    assert!(found.contains("HOT036: `sub` is an `OS::Neutron::Subnet`"), "{found}");
    let address = |ip: &str| {
        port(&format!(
            "network: {{ get_resource: net }}, fixed_ips: [ {{ subnet: {{ get_attr: [web, sub] }}, ip_address: {ip} }} ]"
        ))
    };
    let found = address("10.0.1.7");
    assert!(found.contains("HOT130: `port` asks for the address `10.0.1.7` of `web/in/sub`"), "{found}");
    assert_eq!(address("10.0.0.7"), "");
    // In whatever order they are written.
    let found = errors(
        "  late: { type: subnet.yaml, properties: { net: blue, cidr: { get_attr: [value, value] } } }
  value: { type: OS::Heat::Value, properties: { value: 10.0.0.0/33 } }
",
    );
    assert!(found.contains("HOT024: `cidr` of `sub` is `10.0.0.0/33`"), "{found}");
}

/// Groups whose members are templates, with what is asked of them.
fn of_group(kind: &str, asked: &str) -> String {
    let definition = "{ type: subnet.yaml, properties: { net: { get_resource: net } } }";
    let properties = match kind {
        "ResourceGroup" => format!("count: 2, resource_def: {definition}"),
        "AutoScalingGroup" => format!("min_size: 1, max_size: 2, resource: {definition}"),
        _ => "resources: [subnet.yaml, port.yaml], resource_properties: { net: { get_resource: net }, ip: 10.0.0.9 }"
            .to_owned(),
    };
    errors(&format!(
        "  net: {{ type: OS::Neutron::Net }}
  all: {{ type: OS::Heat::{kind}, properties: {{ {properties} }} }}
  value: {{ type: OS::Heat::Value, properties: {{ value: {{ get_attr: [all, {asked}] }} }} }}
"
    ))
}

#[test]
fn attributes_of_members_are_there_however_they_are_asked_for() {
    let wrong = [
        ("ResourceGroup", "attributes, gone", "the members of `all` have no attribute `gone`"),
        ("ResourceGroup", "attributes", "needs the name of an attribute"),
        ("ResourceGroup", "resource.0, gone", "the members of `all` have no attribute `gone`"),
        ("ResourceChain", "sub", "the members of `all` have no attribute `sub`"),
        ("ResourceChain", "resource.1.sub", "the members of `all` have no attribute `sub`"),
        ("ResourceChain", "resource.2", "so there is no member 2"),
        ("AutoScalingGroup", "outputs_list, gone", "the members of `all` have no attribute `gone`"),
        ("AutoScalingGroup", "outputs, gone", "the members of `all` have no attribute `gone`"),
        ("AutoScalingGroup", "outputs", "needs the name of an attribute"),
        ("AutoScalingGroup", "resource.0.gone", "the members of `all` have no attribute `gone`"),
        ("AutoScalingGroup", "sub", "`all` has no attribute `sub`"),
    ];
    for (kind, asked, said) in wrong {
        let found = of_group(kind, asked);
        assert!(found.contains("HOT032") && found.contains(said), "{kind} {asked}: {found}");
    }
    let right = [
        ("ResourceGroup", "attributes, sub"),
        ("ResourceGroup", "resource.0, sub"),
        ("ResourceGroup", "refs, 0"),
        ("ResourceChain", "resource.0.sub"),
        ("ResourceChain", "resource.1, port"),
        ("ResourceChain", "refs"),
        ("AutoScalingGroup", "outputs_list, sub"),
        ("AutoScalingGroup", "outputs, sub"),
        ("AutoScalingGroup", "resource.5.sub"),
        ("AutoScalingGroup", "current_size"),
    ];
    for (kind, asked) in right {
        assert_eq!(of_group(kind, asked).matches("HOT032").count(), 0, "{kind} {asked}");
    }
}

#[test]
fn outputs_of_members_come_back_as_what_they_are() {
    let port = |asked: &str| {
        errors(&format!(
            "  net: {{ type: OS::Neutron::Net }}
  port: {{ type: OS::Neutron::Port, properties: {{ {asked} }} }}
  all:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {{ type: subnet.yaml, properties: {{ net: {{ get_resource: net }}, cidr: 10.0.%index%.0/24 }} }}
"
        ))
    };
    for asked in ["resource.0.sub", "resource.0, sub", "sub, 1"] {
        let found = port(&format!("network: {{ get_attr: [all, {asked}] }}"));
        assert!(found.contains("HOT036: `sub` is an `OS::Neutron::Subnet`"), "{asked}: {found}");
    }
    let address = |asked: &str, ip: &str| {
        port(&format!(
            "network: {{ get_resource: net }},
      fixed_ips: [ {{ subnet: {{ get_attr: [all, {asked}] }}, ip_address: {ip} }} ]"
        ))
    };
    assert!(address("sub, 1", "10.0.0.7").contains("HOT130"));
    assert_eq!(address("sub, 1", "10.0.1.7"), "");
    // Of further members nothing is known.
    assert_eq!(address("sub, 2", "10.0.0.7"), "");
}

#[test]
fn a_template_that_contains_itself_ends() {
    let found = errors("  a: { type: itself.yaml }\n");
    assert!(found.contains("HOT052"), "{found}");
}

/// Each level uses the one below it twice, so that there would be 2 to the 10th uses of the last.
struct Wide;

impl Loader for Wide {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let level: u32 = path.trim_end_matches(".yaml").parse().unwrap();
        let next = level + 1;
        let text = format!(
            "heat_template_version: 2018-08-31\nresources: {{ a: {{ type: {next}.yaml }}, b: {{ type: {next}.yaml }} }}\n"
        );
        Ok((path.to_owned(), text.into_bytes()))
    }
}

#[test]
fn limits_are_said() {
    let sources = Sources::new();
    let file =
        sources.add("top.yaml", "heat_template_version: 2018-08-31\nresources: { a: { type: 1.yaml } }\n");
    let reading = read(&sources, &file, &Inputs { loader: Some(&Wide), ..Inputs::default() });
    assert!(reading.findings.iter().any(|finding| finding.code.as_str() == "HOT054"));
    let open = reading.unanswered.join("\n");
    assert!(
        open.contains("the template `10.yaml` was not looked at: it is more than 10 levels below"),
        "{open}"
    );
}

/// A template with many resources.
struct Large;

impl Loader for Large {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let mut text = "heat_template_version: 2018-08-31\nresources:\n".to_owned();
        for at in 0..1_000 {
            let _ = writeln!(text, "  n{at}: {{ type: OS::Neutron::Net }}");
        }
        Ok((path.to_owned(), text.into_bytes()))
    }
}

#[test]
fn too_many_resources_in_uses_are_said() {
    let sources = Sources::new();
    let mut text = "heat_template_version: 2018-08-31\nresources:\n".to_owned();
    for at in 0..21 {
        let _ = writeln!(text, "  r{at}: {{ type: large.yaml }}");
    }
    let file = sources.add("top.yaml", text);
    let reading = read(&sources, &file, &Inputs { loader: Some(&Large), ..Inputs::default() });
    let open = reading.unanswered.join("\n");
    assert!(open.contains("there are more than 20000 resources in them"), "{open}");
}

#[test]
fn the_template_of_a_stack_is_read() {
    let stack = |range: &str, parameters: &str| {
        errors(&format!(
            "  inner:
    type: OS::Heat::Stack
    properties:
      parameters: {{ {parameters} }}
      template: |
        heat_template_version: 2018-08-31
        parameters: {{ net: {{ type: string }} }}
        resources:
          sub: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_param: net }}, cidr: {range} }} }}
        outputs: {{ sub: {{ value: {{ get_resource: sub }} }} }}
  port: {{ type: OS::Neutron::Port, properties: {{ network: {{ get_attr: [inner, outputs, sub] }} }} }}
"
        ))
    };
    let wrong = stack("10.0.0.0/33", "net: blue");
    assert!(wrong.contains("top.yaml (template of inner):4:"), "{wrong}");
    assert!(wrong.contains("HOT024: `cidr` of `sub` is `10.0.0.0/33`"), "{wrong}");
    let right = stack("10.0.0.0/24", "net: blue");
    assert!(
        !right.contains("HOT024") && right.contains("HOT036: `sub` is an `OS::Neutron::Subnet`"),
        "{right}"
    );
    let other = stack("10.0.0.0/24", "nett: blue");
    assert!(other.contains("HOT022: the template of `inner` needs the parameter `net`"), "{other}");
    assert!(other.contains("HOT014: the template of `inner` has no parameter `nett`"), "{other}");
    let file = errors(
        "  inner: { type: OS::Heat::Stack, properties: { template: { get_file: subnet.yaml }, parameters: { net: blue, cidr: 10.0.0.0/33 } } }\n",
    );
    assert!(file.contains("subnet.yaml:4:") && file.contains("HOT024"), "{file}");
}

/// Files as they are.
struct Whole;

impl Loader for Whole {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = match path {
            "empty.yaml" => "",
            "list.yaml" => "- a\n",
            "without.yaml" => "resources: { net: { type: OS::Neutron::Net } }\n",
            "older.yaml" => "AWSTemplateFormatVersion: 2010-09-09\nResources: {}\n",
            _ => return Err(LoadError::Missing),
        };
        Ok((path.to_owned(), text.as_bytes().to_vec()))
    }
}

/// Heat refuses all of these but the older language before it makes anything.
#[test]
fn a_template_in_a_template_is_a_template() {
    let errors = |resource: &str| {
        let sources = Sources::new();
        let text = format!("heat_template_version: 2018-08-31\nresources: {{ a: {{ {resource} }} }}\n");
        let file = sources.add("top.yaml", text);
        let reading = read(&sources, &file, &Inputs { loader: Some(&Whole), ..Inputs::default() });
        let shown = reading
            .findings
            .iter()
            .map(|one| format!("{} {} {}", sources.describe(one.primary.place), one.code, one.message));
        shown.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(errors("type: empty.yaml"), "empty.yaml:1:1 HOT001 the file is empty; a template is a map");
    assert_eq!(errors("type: list.yaml"), "list.yaml:1:1 HOT001 a template must be a map, not a list");
    assert_eq!(
        errors("type: without.yaml"),
        "without.yaml:1:1 HOT001 the template has no `heat_template_version`"
    );
    assert_eq!(errors("type: older.yaml"), "");
    let inline = |text: &str| errors(&format!("type: OS::Heat::Stack, properties: {{ template: '{text}' }}"));
    let of = "top.yaml (template of a)";
    assert_eq!(inline(""), "top.yaml:2:66 HOT001 the template is empty");
    assert_eq!(inline("text"), format!("{of}:1:1 HOT001 a template must be a map, not a string"));
    let without = inline("resources: { net: { type: OS::Neutron::Net } }");
    assert_eq!(without, format!("{of}:1:1 HOT001 the template has no `heat_template_version`"));
    assert!(inline("heat_template_version: [").starts_with(&format!("{of}:1:24 YML001")));
    assert_eq!(inline("{ HeatTemplateFormatVersion: 2012-12-12, Resources: {} }"), "");
}
