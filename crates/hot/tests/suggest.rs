//! Suggestions: the smallest change that the model finder chooses, as the lines that differ.

use std::fmt::Write;

use locus_hot::repair::suggest;
use locus_hot::{Inputs, Template, check, read};
use locus_language::Suggestion;
use locus_language::suggest::fewest::Judged;
use locus_source::Sources;
use similar::{ChangeTag, TextDiff};

/// A port with an address.
fn port(name: &str, address: &str) -> String {
    format!(
        "  {name}:
    type: OS::Neutron::Port
    properties:
      network: {{ get_resource: net }}
      fixed_ips: [{{ subnet: {{ get_resource: subnet }}, ip_address: {address} }}]
"
    )
}

fn judge(sources: &Sources, text: &str) -> Judged<Template> {
    let file = sources.add("stack.yaml", text);
    let read = read(sources, &file, &Inputs::default());
    Judged { file, document: read.template, findings: read.findings }
}

/// The suggestion for a template, as text.
fn suggested(text: &str) -> String {
    let found =
        suggest(text, &|sources, text| Some(judge(sources, text))).expect("something is wrong with it");
    // What is said to be mended is.
    let sources = Sources::new();
    let after = judge(&sources, &found.text);
    let template = after.document.expect("still a template");
    let after = [after.findings, check(&template).findings].concat();
    for finding in &found.mends {
        assert!(!after.iter().any(|other| other.message == finding.message), "{}", finding.message);
    }
    shown(text, &found)
}

fn shown(before: &str, found: &Suggestion) -> String {
    let mut text = String::new();
    for finding in &found.mends {
        let _ = writeln!(text, "mends {}: {}", finding.code, finding.message);
    }
    for finding in &found.left {
        let _ = writeln!(text, "left {}: {}", finding.code, finding.message);
    }
    if let Some(why) = &found.gave_up {
        let _ = writeln!(text, "gave up: {why}");
    }
    text + &difference(before, &found.text)
}

/// The lines that are only in one of two texts, in their order.
fn difference(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    let mut text = String::new();
    for change in diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal) {
        let _ = write!(text, "{}{change}", change.tag());
    }
    text
}

/// A network with a subnet and a router, without the interface between them.
const NETWORK: &str = "\
heat_template_version: 2021-04-16

resources:
  net:
    type: OS::Neutron::Net

  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: { get_resource: net }
      cidr: 10.0.0.0/24
";

#[test]
fn a_free_address_in_the_network() {
    let text = format!(
        "{NETWORK}
  first:
    type: OS::Neutron::Port
    properties:
      network: {{ get_resource: net }}
      fixed_ips: [{{ ip_address: 10.0.0.2 }}]

  second:
    type: OS::Neutron::Port
    properties:
      network: {{ get_resource: net }}
      fixed_ips:
        - subnet: {{ get_resource: subnet }}
          ip_address: 10.0.1.2
"
    );
    insta::assert_snapshot!(suggested(&text));
}

#[test]
fn the_external_network_among_those_present() {
    let text = format!(
        "{NETWORK}
  router:
    type: OS::Neutron::Router
    properties:
      external_gateway_info: {{ network: public }}

  address:
    type: OS::Neutron::FloatingIP
    properties:
      floating_network: {{ get_resource: net }}
"
    );
    insta::assert_snapshot!(suggested(&text));
}

#[test]
fn a_missing_router_interface() {
    let text = format!(
        "{NETWORK}
  router:
    type: OS::Neutron::Router
    properties:
      external_gateway_info: {{ network: public }}

  server:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: m1.small
      networks: [{{ network: {{ get_resource: net }} }}]

outputs:
  address:
    value: {{ get_attr: [server, name] }}
"
    );
    insta::assert_snapshot!(suggested(&text));
}

/// Two ports have one address, and it is outside of the subnet of either: to move both to the first free address would
/// mend the one and leave the other broken.
#[test]
fn two_violations_in_each_others_way() {
    let first = port("first", "10.0.1.2");
    let second = port("second", "10.0.1.2");
    let text = format!(
        "{NETWORK}
{first}
{second}"
    );
    insta::assert_snapshot!(suggested(&text));
}

/// No single change helps both servers, and no two are needed that are larger: one joins the other's network, which is
/// attached to the router.
#[test]
fn two_servers_without_a_router() {
    let text = format!(
        "{NETWORK}
  other_net:
    type: OS::Neutron::Net

  other_subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {{ get_resource: other_net }}
      cidr: 10.0.1.0/24

  router:
    type: OS::Neutron::Router

  first:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: m1.small
      networks: [{{ network: {{ get_resource: net }} }}]

  second:
    type: OS::Nova::Server
    properties:
      image: debian
      flavor: m1.small
      networks: [{{ network: {{ get_resource: other_net }} }}]
"
    );
    insta::assert_snapshot!(suggested(&text));
}

/// One change that mends two findings is smaller than two.
#[test]
fn one_change_for_two_findings() {
    let first = port("first", "10.0.1.2");
    let second = port("second", "10.0.1.3");
    let text = format!(
        "{NETWORK}
{first}
{second}
  other:
    type: OS::Neutron::Subnet
    properties:
      network: {{ get_resource: net }}
      cidr: 10.0.0.0/25
"
    );
    insta::assert_snapshot!(suggested(&text));
}

/// Findings that cannot be mended are listed, and do not prevent suggestions for others.
#[test]
fn what_is_out_of_reach_is_left() {
    let port = port("port", "10.0.1.2");
    let text = format!(
        "{NETWORK}
{port}
  image:
    type: OS::Glance::WebImage
    properties:
      container_format: bare
      disk_format: qcow3
"
    );
    insta::assert_snapshot!(suggested(&text));
}

#[test]
fn nothing_is_suggested_where_nothing_is_wrong() {
    assert!(suggest(NETWORK, &|sources, text| Some(judge(sources, text))).is_none());
}

/// A template with these resources.
fn template(resources: &str) -> String {
    format!("heat_template_version: 2021-04-16\nresources:\n{resources}")
}

#[test]
fn what_the_help_names_comes_first() {
    let text = template(
        "  net:
    type: OS::Neutron::Net
    properties:
      nmae: blue
  port:
    type: OS::Neutron::Port
    properties:
      network: { get_resource: nte }
",
    );
    let changed = suggested(&text);
    assert!(changed.contains("+      name: blue"), "{changed}");
    assert!(changed.contains("+      network: { get_resource: net }"), "{changed}");
}

#[test]
fn the_ends_of_a_range_are_exchanged() {
    let text = template(
        "  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
        - protocol: tcp
          port_range_min: 443
          port_range_max: 80
",
    );
    let changed = suggested(&text);
    assert!(changed.contains("+          port_range_min: 80"), "{changed}");
    assert!(changed.contains("+          port_range_max: 443"), "{changed}");
}

#[test]
fn protection_is_never_taken_away() {
    let filtered = template(
        "  net:
    type: OS::Neutron::Net
  group:
    type: OS::Neutron::SecurityGroup
  port:
    type: OS::Neutron::Port
    properties:
      network: { get_resource: net }
      port_security_enabled: false
      security_groups: [ { get_resource: group } ]
",
    );
    let changed = suggested(&filtered);
    assert!(!changed.contains("-      security_groups"), "{changed}");
    let encrypted = template(
        "  balancer:
    type: OS::Octavia::LoadBalancer
    properties: { vip_subnet: private }
  listener:
    type: OS::Octavia::Listener
    properties:
      loadbalancer: { get_resource: balancer }
      protocol: TERMINATED_HTTPS
      protocol_port: 443
  pool:
    type: OS::Octavia::Pool
    properties:
      listener: { get_resource: listener }
      lb_algorithm: ROUND_ROBIN
      protocol: TCP
",
    );
    let changed = suggested(&encrypted);
    assert!(!changed.contains("-      protocol: TERMINATED_HTTPS"), "{changed}");
}

/// Decisions of the author, and values whose change would make a secret weaker, stay as they are. (Another change may
/// be suggested.)
#[test]
fn decisions_are_left_to_the_author() {
    let kept = [
        ("HOT110", "9.9.9.9, \"2620:fe::fe\""),
        ("HOT349", "volume_type: { get_resource: fast }"),
        ("HOT353", "min: 3"),
        ("HOT380", "action: REDIRECT_TO_POOL"),
        ("HOT426", "[{ destination: 10.9.0.0/24, nexthop: 10.0.0.2 }, { destination: 10.9.0.0/24,"),
    ];
    for (code, value) in kept {
        let before = locus_hot::library::FILES.example(code).expect("it has an example").bad;
        let count = |text: &str| text.matches(value).count();
        assert!(count(before) > 0, "{code}: {before}");
        let found = suggest(before, &|sources, text| Some(judge(sources, text)));
        let after = found.map_or_else(|| before.to_owned(), |found| found.text);
        assert_eq!(count(&after), count(before), "{code}: {}", difference(before, &after));
    }
}
