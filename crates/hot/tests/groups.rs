//! Facts that rules see beside properties: the members of groups, maps with free keys, and addresses however they are
//! written.

use locus_hot::Inputs;
use locus_source::{Severity, Sources};

/// The codes of what is wrong with these resources, by the reader and by the rules.
fn codes(resources: &str) -> Vec<String> {
    let text = format!(
        "heat_template_version: 2021-04-16\nparameters:\n  count: {{ type: number }}\n  specs: {{ type: json }}\n\
         resources:\n{resources}"
    );
    let sources = Sources::new();
    let file = sources.add("template.yaml", text);
    let read = locus_hot::read(&sources, &file, &Inputs::default());
    let template = read.template.expect("it is a template");
    let all = read.findings.into_iter().chain(locus_hot::check(&template).findings);
    let wrong = all.filter(|finding| finding.severity > Severity::Note);
    // The parameters are not used by all.
    wrong.map(|finding| finding.code.to_string()).filter(|code| code != "HOT016").collect()
}

const NETWORK: &str = "
  net: { type: OS::Neutron::Net }
  subnet: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }
";

fn group(count: &str, kind: &str, properties: &str) -> String {
    format!(
        "
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {count}
      resource_def: {{ type: {kind}, properties: {{ {properties} }} }}
"
    )
}

#[test]
fn rules_hold_for_the_members_of_groups() {
    let outside = "network: { get_resource: net }, fixed_ips: [ { ip_address: 10.0.1.7 } ]";
    let port = |count: &str| format!("{NETWORK}{}", group(count, "OS::Neutron::Port", outside));
    assert_eq!(codes(&port("1")), ["HOT133"]);
    assert_eq!(codes(&port("0")), [""; 0]);
    let server = "image: debian, flavor: small, networks: [ { network: { get_resource: net } } ]";
    assert_eq!(codes(&format!("{NETWORK}{}", group("2", "OS::Nova::Server", server))), ["HOT260"]);
}

#[test]
fn several_members_are_not_in_each_others_way() {
    let port = |count: &str, last: &str| {
        let fixed =
            format!("network: {{ get_resource: net }}, fixed_ips: [ {{ ip_address: 10.0.0.{last} }} ]");
        codes(&format!("{NETWORK}{}", group(count, "OS::Neutron::Port", &fixed)))
    };
    assert_eq!(port("3", "7"), ["HOT134"]);
    assert_eq!(port("3", "1%index%"), [""; 0]);
    assert_eq!(port("1", "7"), [""; 0]);
    assert_eq!(port("{ get_param: count }", "7"), [""; 0]);
    let scaled = |least: u32| {
        codes(&format!(
            "{NETWORK}
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: {least}
      max_size: 3
      resource:
        type: OS::Neutron::Port
        properties: {{ network: {{ get_resource: net }}, fixed_ips: [ {{ ip_address: 10.0.0.7 }} ] }}
"
        ))
    };
    assert_eq!(scaled(2), ["HOT134"]);
    assert_eq!(scaled(1), [""; 0]);
}

#[test]
fn attributes_of_a_group_are_those_of_its_members() {
    let strings = group("3", "OS::Heat::RandomString", "length: 8");
    let value = |attribute: &str| {
        codes(&format!(
            "{strings}
  value: {{ type: OS::Heat::Value, properties: {{ value: {{ get_attr: [group, {attribute}] }} }} }}
"
        ))
    };
    for good in ["value", "refs", "resource.2", "resource.0.value", "show", "resource.2.show"] {
        assert_eq!(value(good), [""; 0], "{good}");
    }
    // Heat refuses `attributes` without the name of one.
    for bad in ["instance_ip", "attributes", "resource.3", "resource.3.value", "resource.0.nothing"] {
        assert_eq!(value(bad), ["HOT032"], "{bad}");
    }
}

#[test]
fn a_subnet_has_an_address_for_every_port() {
    let ports = |cidr: &str, more: &str, count: u32| {
        let net = format!(
            "
  net: {{ type: OS::Neutron::Net }}
  subnet: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {cidr}{more} }} }}
"
        );
        codes(&format!(
            "{net}{}",
            group(&count.to_string(), "OS::Neutron::Port", "network: { get_resource: net }")
        ))
    };
    assert_eq!(ports("10.0.0.0/29", "", 5), [""; 0]);
    assert_eq!(ports("10.0.0.0/29", "", 6), ["HOT423"]);
    assert_eq!(ports("10.0.0.0/29", ", gateway_ip: null", 6), [""; 0]);
    assert_eq!(
        ports("10.0.0.0/24", ", allocation_pools: [ { start: 10.0.0.5, end: 10.0.0.6 } ]", 2),
        [""; 0]
    );
    assert_eq!(
        ports("10.0.0.0/24", ", allocation_pools: [ { start: 10.0.0.5, end: 10.0.0.6 } ]", 3),
        ["HOT423"]
    );
}

#[test]
fn a_group_of_subnets_or_templates_may_be_anything() {
    let port = "
  port: { type: OS::Neutron::Port, properties: { network: { get_resource: net }, fixed_ips: [ { ip_address: 10.1.0.7 } ] } }
";
    assert_eq!(codes(&format!("{NETWORK}{port}")), ["HOT133"]);
    let subnets =
        group("3", "OS::Neutron::Subnet", "network: { get_resource: net }, cidr: 10.%index%.1.0/24");
    assert_eq!(codes(&format!("{NETWORK}{port}{subnets}")), [""; 0]);
}

#[test]
fn what_a_member_names_is_of_the_right_kind() {
    let server = "image: debian, flavor: small, networks: [ { port: { get_resource: net } } ]";
    assert_eq!(codes(&format!("{NETWORK}{}", group("1", "OS::Nova::Server", server))), ["HOT036"]);
}

#[test]
fn maps_with_free_keys_are_seen() {
    let address = "
  address: { type: OS::Neutron::FloatingIP, properties: { floating_network: { get_resource: net } } }
";
    let net = |specs: &str| {
        format!(
            "
  net: {{ type: OS::Neutron::Net, properties: {{ value_specs: {specs} }} }}
  subnet: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: 10.0.0.0/24 }} }}
{address}"
        )
    };
    assert_eq!(codes(&net("{ \"router:external\": true }")), [""; 0]);
    assert_eq!(codes(&net("{ \"router:external\": false }")), ["HOT200"]);
    assert_eq!(codes(&net("{ mtu: 1400 }")), ["HOT200"]);
    assert_eq!(codes(&net("{ get_param: specs }")), [""; 0]);
    assert_eq!(codes(&net("{ \"router:external\": { get_param: count } }")), [""; 0]);
}

#[test]
fn addresses_are_the_same_however_they_are_written() {
    let port = |name: &str, what: &str| {
        format!(
            "
  {name}: {{ type: OS::Neutron::Port, properties: {{ network: {{ get_resource: net }}, {what} }} }}
"
        )
    };
    let macs = |a: &str, b: &str| {
        codes(&format!(
            "{NETWORK}{}{}",
            port("a", &format!("mac_address: '{a}'")),
            port("b", &format!("mac_address: '{b}'"))
        ))
    };
    assert_eq!(macs("fa:16:3e:00:00:01", "FA-16-3E-00-00-01"), ["HOT131"]);
    assert_eq!(macs("fa:16:3e:00:00:01", "fa16.3e00.0002"), [""; 0]);
    let six = "
  net: { type: OS::Neutron::Net }
  subnet: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, ip_version: 6, cidr: '2001:db8::/64' } }
";
    let addresses = |a: &str, b: &str| {
        let fixed = |address: &str| format!("fixed_ips: [ {{ ip_address: '{address}' }} ]");
        codes(&format!("{six}{}{}", port("a", &fixed(a)), port("b", &fixed(b))))
    };
    assert_eq!(addresses("2001:db8::7", "2001:DB8:0:0::0007"), ["HOT134"]);
    assert_eq!(addresses("2001:db8::7", "2001:db8::8"), [""; 0]);
}
