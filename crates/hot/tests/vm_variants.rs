//! Section 7.2 of the report: four ways to a virtual machine, two of which deploy something useless, and the templates
//! of figures 6 and 11, which Heat accepts and Neutron refuses.

use std::fmt::Write;

use locus_hot::Inputs;
use locus_source::{Severity, Sources};

/// The findings about a template, and their places.
fn verdict(name: &str, text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add(name, text);
    let read = locus_hot::read(&sources, &file, &Inputs::default());
    let template = read.template.expect("it is a template");
    let found = read.findings.into_iter().chain(locus_hot::check(&template).findings);
    let mut shown = String::new();
    for finding in found.filter(|finding| finding.severity > Severity::Note) {
        let place = sources.start(finding.primary.place);
        let _ = writeln!(shown, "{place} {} {}: {}", finding.severity, finding.code, finding.message);
    }
    shown
}

/// The verdict on a template beside this file.
macro_rules! verdict {
    ($name:literal) => {
        verdict($name, include_str!(concat!("vm_variants/", $name)))
    };
}

#[test]
fn a_server_on_a_private_network_without_a_router_is_useless() {
    insta::assert_snapshot!(verdict!("vm2.yaml"));
}

#[test]
fn a_server_on_a_private_network_with_a_router_is_right() {
    assert_eq!(verdict!("vm3.yaml"), "");
    assert_eq!(verdict!("vm4.yaml"), "");
}

/// A network that exists already may have a router, or metadata without one: alone, nothing is wrong. Together with the
/// fourth variant it is known to be the one in which routers have their gateways.
#[test]
fn a_server_on_an_external_network_is_useless_if_the_network_is_known_to_be_external() {
    assert_eq!(verdict!("vm1.yaml"), "");
    insta::assert_snapshot!(verdict!("all.yaml"));
}

/// The same if the template makes the external network itself.
#[test]
fn a_server_on_an_external_network_of_the_template_is_useless() {
    let of = |kind: &str, properties: &str| {
        verdict(
            "own.yaml",
            &format!(
                "heat_template_version: rocky
resources:
  public:
    type: {kind}
    properties: {{ {properties} }}
  subnet:
    type: OS::Neutron::Subnet
    properties: {{ network: {{ get_resource: public }}, cidr: 203.0.113.0/24 }}
  VM1:
    type: OS::Nova::Server
    properties: {{ flavor: m1.tiny, image: cirros, networks: [ {{ network: {{ get_resource: public }} }} ] }}
"
            ),
        )
    };
    let provider = "network_type: vlan, physical_network: physnet1, segmentation_id: 77";
    let external = of("OS::Neutron::ProviderNet", &format!("{provider}, router_external: true"));
    assert_eq!(
        external,
        "11:74 warning HOT260: `VM1` is on no network with a router: cloud-init may not reach the metadata service\n"
    );
    let by_specs = of("OS::Neutron::Net", "value_specs: { 'router:external': true }");
    assert!(by_specs.contains("HOT260"), "{by_specs}");
    // What the data centre provides may have a router outside.
    assert_eq!(of("OS::Neutron::ProviderNet", provider), "");
}

/// Nova takes the port and does not look at the network beside it.
#[test]
fn a_network_beside_a_port_needs_no_subnet() {
    let item = |item: &str| {
        let found = verdict(
            "both.yaml",
            &format!(
                "heat_template_version: rocky
resources:
  net: {{ type: OS::Neutron::Net }}
  port: {{ type: OS::Neutron::Port, properties: {{ network: blue }} }}
  server: {{ type: OS::Nova::Server, properties: {{ flavor: m1.tiny, image: cirros, networks: [ {{ {item} }} ] }} }}
"
            ),
        );
        found.contains("HOT438")
    };
    assert!(!item("port: { get_resource: port }, network: { get_resource: net }"));
    assert!(item("network: { get_resource: net }"));
}

#[test]
fn a_configuration_drive_replaces_the_metadata_service() {
    let text =
        include_str!("vm_variants/vm2.yaml").replace("networks:\n", "config_drive: true\n      networks:\n");
    assert_eq!(verdict("vm2.yaml", &text), "");
}

#[test]
fn a_floating_ip_of_a_private_network_is_refused() {
    insta::assert_snapshot!(verdict!("figure6.yaml"));
}

#[test]
fn a_security_group_with_icmp_of_ipv6_in_ipv4_is_refused() {
    insta::assert_snapshot!(verdict!("figure11.yaml"));
}
