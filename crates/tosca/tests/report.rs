//! Section 5 of the report: the facts of 5.1, and the types of 5.2 with what they demand of relationships.

mod common;

use std::collections::BTreeSet;

use common::{codes, reading};
use locus_source::Sources;
use locus_tosca::{Relationships, graph};

#[test]
fn the_types_of_the_report_are_those_of_the_house() {
    let report = include_str!("../../../rules/TOSCA_types.als");
    let house = include_str!("../data/simple-1.0.yaml");
    let mut names = BTreeSet::new();
    for comment in report.split("/**").skip(1).filter_map(|rest| rest.split("*/").next()) {
        for word in comment.split([' ', '\n', ',', ':']) {
            if let Some(rest) = word.strip_prefix("tosca.")
                && let Some((kind, name)) = rest.split_once('.')
            {
                names.insert(format!("tosca.{kind}.{}", name.trim_end_matches(['.', ';'])));
            }
        }
    }
    names
        .retain(|name| !name.ends_with("AttachTo") && name != "tosca.nodes.Container" && !name.contains('*'));
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(house.contains(&format!("\n  {name}:")), "{name} is not among the types of the house");
    }
}

/// A template of two nodes, the first of which requires the second.
fn pair(source: &str, requirement: &str, target: &str) -> String {
    let properties = |name: &str| match name {
        "BlockStorage" => "properties: { size: 1 GB }, ",
        "Database" => "properties: { name: d }, ",
        _ => "",
    };
    format!(
        "tosca_definitions_version: tosca_simple_yaml_1_0
topology_template:
  node_templates:
    one: {{ type: {source}, {}requirements: [ {requirement}: two ] }}
    two: {{ type: {target}, {}}}
",
        properties(source),
        properties(target)
    )
}

#[test]
fn nodes_and_relationships_are_locations_with_the_roles_of_section_5_1() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_0
topology_template:
  node_templates:
    machine: { type: Compute }
    server: { type: WebServer, requirements: [ host: machine, dependency: machine ] }
    application: { type: WebApplication, requirements: [ host: server ] }
";
    let sources = Sources::new();
    let topology = reading(&sources, text).topology.unwrap();
    let graph = graph(&topology, Relationships::Locations);
    // The locations are the nodes and the relationships.
    assert_eq!(graph.len(), 3 + 3);
    // A relationship provides the requirement that it is the source of, and requires the capability that is its target.
    let entry = |name: &str| graph.iter().find(|(id, _)| graph.name_of(*id) == name).unwrap().1;
    let roles = |name: &str| entry(name).ports.len();
    assert_eq!(roles("server host machine"), 2);
    // Each requirement and each capability is a role of one node: none is provided twice or required twice.
    assert_eq!(graph.bindings().len(), 2 * 3);
    assert_eq!((roles("machine"), roles("server"), roles("application")), (2, 3, 1));
    assert!(locus_graph::is_well_formed(&graph));
}

#[test]
fn relationships_are_between_the_types_of_section_5_2() {
    // What requires, the requirement, a target that the report allows, and one that it does not.
    let demands = [
        ("Compute", "local_storage", "BlockStorage", "Network"),
        ("SoftwareComponent", "host", "Compute", "ObjectStorage"),
        ("WebServer", "host", "Compute", "Network"),
        ("DBMS", "host", "Compute", "WebServer"),
        ("WebApplication", "host", "WebServer", "Compute"),
        ("Database", "host", "DBMS", "Compute"),
        ("Database", "host", "DBMS", "WebServer"),
        ("tosca.nodes.Container.Application", "host", "tosca.nodes.Container.Runtime", "Compute"),
        ("LoadBalancer", "application", "WebApplication", "Network"),
        ("tosca.nodes.network.Port", "link", "tosca.nodes.network.Network", "Compute"),
        ("tosca.nodes.network.Port", "binding", "Compute", "tosca.nodes.network.Network"),
    ];
    for (source, requirement, right, wrong) in demands {
        let name = |name: &str| {
            if name == "Network" { "tosca.nodes.network.Network".to_owned() } else { name.to_owned() }
        };
        let found = codes(&pair(source, requirement, &name(right)));
        assert!(!found.contains("TSC045"), "{source} {requirement} {right}: {found:?}");
        let found = codes(&pair(source, requirement, &name(wrong)));
        assert!(found.contains("TSC045"), "{source} {requirement} {wrong}: {found:?}");
    }
}
