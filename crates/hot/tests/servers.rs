//! Servers, ports and volumes: the report's examples judged by the rules, and what is close to them.

mod common;

use common::{lines, read_file};
use locus_hot::{Inputs, Reading, check, read};
use locus_source::{Severity, Sources};

/// All that is said of a template: by the reader, by the rules, and what remains open.
fn judged(reading: Reading, sources: &Sources) -> (String, String) {
    let template = reading.template.as_ref().expect("a template");
    let checked = check(template);
    let mut findings = reading.findings;
    findings.extend(checked.findings);
    let of = |findings| {
        let mut reading = Reading::default();
        reading.findings = findings;
        reading
    };
    (
        lines(&of(findings), sources, Severity::Warning),
        lines(&of(checked.unsettled), sources, Severity::Warning),
    )
}

fn of_file(name: &str) -> String {
    let sources = Sources::new();
    let reading = read_file(&sources, "templates", name);
    judged(reading, &sources).0
}

/// Of a template with these resources, what is wrong and what may be.
fn of_resources(head: &str, resources: &str) -> (String, String) {
    let sources = Sources::new();
    let text = format!("heat_template_version: 2021-04-16\n{head}\nresources:\n{resources}");
    let file = sources.add("t.yaml", text);
    judged(read(&sources, &file, &Inputs::default()), &sources)
}

fn server(name: &str, rest: &str) -> String {
    format!(
        "  {name}:\n    type: OS::Nova::Server\n{rest}    properties:\n      flavor: small\n      image: cirros\n      networks: [ {{ port: {{ get_param: port }} }} ]\n"
    )
}

#[test]
fn one_port_in_two_servers_is_figure_8() {
    let found = of_file("figure8.yaml");
    insta::assert_snapshot!(found, @"
    figure8.yaml:20:69: error HOT300: `server1` and `server2` have the same port `port`
        figure8.yaml:17:69: `server1` has it already
        help: give each server a port of its own
    ");
}

#[test]
fn nothing_is_wrong_with_the_two_machines() {
    // `first_address` is what the report has; Heat only keeps it for old templates.
    let found = of_file("two-vms.yaml");
    let others: Vec<&str> =
        found.lines().filter(|line| !line.starts_with(' ') && !line.contains("HOT025")).collect();
    assert_eq!(others, Vec::<&str>::new());
}

#[test]
fn a_port_is_the_same_whatever_the_parameter_says() {
    let head = "parameters: { port: { type: string } }";
    let (found, _) = of_resources(head, &(server("a", "") + &server("b", "")));
    assert!(found.contains("HOT300"), "{found}");
}

#[test]
fn a_port_of_servers_that_may_not_both_be_there_is_an_open_question() {
    let head = "parameters: { port: { type: string }, which: { type: string } }\n\
                conditions: { first: { equals: [ { get_param: which }, a ] }, second: { not: first } }";
    let resources = server("a", "    condition: first\n") + &server("b", "    condition: second\n");
    let (found, open) = of_resources(head, &resources);
    assert_eq!(found, "");
    assert!(open.contains("HOT300"), "{open}");
}

#[test]
fn two_parameters_may_name_one_port_or_two() {
    let head = "parameters: { port: { type: string }, other: { type: string } }";
    let resources = server("a", "") + &server("b", "").replace("get_param: port", "get_param: other");
    let (found, _) = of_resources(head, &resources);
    assert_eq!(found, "");
}
