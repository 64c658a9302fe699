//! Figures 9 and 10 of the report: instances that are unrealistic because of their addresses, and the same with the
//! addresses unknown, of which nothing can be said.

use std::fmt::Write;

use locus_hot::Inputs;
use locus_source::{Severity, Sources};

const FIGURE_9: &str = include_str!("figures/figure9.yaml");
const FIGURE_10: &str = include_str!("figures/figure10.yaml");

/// The findings about a template.
fn verdict(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("template.yaml", text);
    let read = locus_hot::read(&sources, &file, &Inputs::default());
    let template = read.template.expect("it is a template");
    let found = read.findings.into_iter().chain(locus_hot::check(&template).findings);
    let mut shown = String::new();
    for finding in found.filter(|finding| finding.severity > Severity::Note) {
        let place = sources.start(finding.primary.place);
        let _ = writeln!(shown, "{place} {} {}: {}", finding.severity, finding.code, finding.message);
        for label in &finding.secondary {
            let _ = writeln!(shown, "  {} {}", sources.start(label.place), label.message);
        }
    }
    shown
}

/// A template in which a value is a parameter without a default.
fn unknown(text: &str, value: &str) -> String {
    let at = text.rfind(value).expect("the template has the value");
    let text = format!("{}{{ get_param: address }}{}", &text[..at], &text[at + value.len()..]);
    format!("{text}parameters:\n  address:\n    type: string\n")
}

#[test]
fn figure_9_two_subnets_with_the_same_address_in_the_same_network() {
    insta::assert_snapshot!(verdict(FIGURE_9));
}

/// Figure 9 with another network and range for the second subnet.
fn second(network: &str, cidr: &str) -> String {
    let (before, _) = FIGURE_9.rsplit_once("      network").expect("the second subnet is last");
    format!(
        "{before}      network: {{ get_resource: {network} }}\n      cidr: {cidr}\n  other:\n    type: OS::Neutron::Net\n"
    )
}

#[test]
fn figure_9_with_other_addresses_or_another_network_is_right() {
    assert_eq!(verdict(&second("network", "10.0.1.0/24")), "");
    assert_eq!(verdict(&second("other", "10.0.0.0/24")), "");
    assert!(verdict(&second("network", "10.0.0.128/25")).contains("HOT100"), "a part overlaps, too");
}

#[test]
fn figure_9_with_an_unknown_address_is_not_reported() {
    assert_eq!(verdict(&unknown(FIGURE_9, "10.0.0.0/24")), "");
}

#[test]
fn figure_9_with_the_same_unknown_address_twice_is_wrong() {
    let wrong =
        verdict(&unknown(&FIGURE_9.replacen("10.0.0.0/24", "{ get_param: address }", 1), "10.0.0.0/24"));
    assert!(wrong.contains("HOT100"), "whatever the address is, both subnets have it: {wrong}");
}

#[test]
fn figure_10_a_port_with_a_bad_ip_address_on_a_subnet() {
    insta::assert_snapshot!(verdict(FIGURE_10));
}

#[test]
fn figure_10_with_an_address_of_the_subnet_is_right() {
    assert_eq!(verdict(&FIGURE_10.replace("172.24.4.2", "10.0.0.2")), "");
}

#[test]
fn figure_10_with_an_unknown_address_is_not_reported() {
    assert_eq!(verdict(&unknown(FIGURE_10, "172.24.4.2")), "");
    assert_eq!(verdict(&unknown(FIGURE_10, "10.0.0.0/24")), "");
}
