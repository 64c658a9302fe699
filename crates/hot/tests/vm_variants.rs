//! Section 7.2 of the report: four ways to a virtual machine, two of which deploy something useless, and the templates of
//! figures 6 and 11, which Heat accepts and Neutron refuses.

use std::fmt::Write;

use locus_hot::Inputs;
use locus_source::{Severity, Sources};

/// What is wrong with a template, and where.
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
