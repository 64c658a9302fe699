//! The meaning of a service: one number of nodes for all that is made of it, values, programs, the order of phases.

mod common;

use std::collections::BTreeSet;

use common::reading;
use locus_language::Rules;
use locus_meaning::things::Thing;
use locus_meaning::{Key, Relationships};
use locus_source::{Sources, Span};
use locus_tosca::{judge_by, meaning};

fn things(text: &str) -> Vec<Thing> {
    let sources = Sources::new();
    let topology = reading(&sources, text).topology.expect("it is a service");
    meaning(&topology).things(&sources)
}

const POOL: &str = "tosca_definitions_version: tosca_2_0
capability_types: { C: {} }
relationship_types: { HostedOn: {}, R: {} }
node_types:
  Machine: { capabilities: { host: { type: C } } }
  Program:
    requirements:
    - host: { capability: C, node: Machine, relationship: HostedOn, count_range: [ 0, 5 ] }
    - use: { capability: C, node: Machine, relationship: R, count_range: [ 0, 5 ] }
service_template:
  node_templates:
    machine: { type: Machine, count: 3 }
    there: { type: Machine, directives: [ select ] }
    program:
      type: Program
      count: 2
      requirements:
      - host: { node: machine, count: 2 }
      - use: { node: there }
";

/// Each copy takes those that are next in turn, in the picture as in the plan.
#[test]
fn copies_are_bound_in_turn_everywhere() {
    let sources = Sources::new();
    let topology = reading(&sources, POOL).topology.expect("it is a service");
    let all = meaning(&topology);
    let graph = all.graph(Relationships::Bindings);
    let expected = [(0, 0), (0, 1), (1, 1), (1, 2)];
    let drawn: BTreeSet<(String, String)> = (graph.bindings().iter())
        .map(|one| (graph.name_of(one.requirer).to_owned(), graph.name_of(one.provider).to_owned()))
        .collect();
    let named = expected.map(|(from, to)| (format!("program[{from}]"), format!("machine[{to}]")));
    let there = [0, 1].map(|from| (format!("program[{from}]"), "there".to_owned()));
    assert_eq!(drawn, named.into_iter().chain(there).collect());
    let things = all.things(&sources);
    // What exists already is not planned, and nothing waits for it.
    assert_eq!(things.len(), 5);
    let needs = things.iter().flat_map(|thing| thing.needs.iter().map(|need| (&thing.key, &need.target)));
    let needs: Vec<_> = needs.map(|(from, to)| (from.clone(), to.clone())).collect();
    let (program, machine) = (Key::name("program"), Key::name("machine"));
    assert_eq!(needs, expected.map(|(from, to)| (program.numbered(from), machine.numbered(to))));
}

#[test]
fn a_requirement_twice_is_two_locations() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    machine: { type: tosca.nodes.Compute }
    server: { type: tosca.nodes.WebServer, requirements: [ dependency: machine, dependency: machine, host: machine ] }
";
    let sources = Sources::new();
    let topology = reading(&sources, text).topology.expect("it is a service");
    let graph = meaning(&topology).graph(Relationships::Locations);
    let names: Vec<&str> = graph.iter().map(|(id, _)| graph.name_of(id)).collect();
    let expected = ["server dependency machine", "server dependency machine (2)", "server host machine"];
    assert_eq!(names, [&["machine", "server"][..], &expected].concat());
}

const NODE: &str = "tosca_definitions_version: tosca_2_0
node_types:
  T:
    properties:
      list: { type: list, entry_schema: string, required: false }
      map: { type: map, entry_schema: string, required: false }
      text: { type: string, required: false }
      number: { type: integer, required: false }
    interfaces: { own: { type: I } }
interface_types: { I: { operations: { create: { inputs: { told: { type: list, entry_schema: string, required: false } } } } } }
service_template:
  inputs: { secret: { type: string } }
  node_templates:
    a:
      type: T
      properties: { PROPERTIES }
      interfaces: { own: { operations: { create: { implementation: make.sh, inputs: { told: TOLD } } } } }
";

/// Texts are the same exactly if the values are.
#[test]
fn values_are_written_in_one_way() {
    let value = |properties: &str| {
        let things = things(&NODE.replace("PROPERTIES", properties).replace("TOLD", "[ x ]"));
        things[0].properties[0].value.clone()
    };
    assert_eq!(value("list: [ \"x, y\" ]"), "[\"x, y\"]");
    assert_eq!(value("list: [ x, y ]"), "[x, y]");
    assert_eq!(value("map: { b: \"1\", a: two }"), value("map: { a: two, b: \"1\" }"));
    assert_ne!(value("text: \"1\""), value("number: 1"));
    assert_eq!(value("text: { $get_input: secret }"), "<{ $get_input: secret }>");
    assert_eq!(
        value("text: { $concat: [ a, { $get_input: secret } ] }"),
        "<{ $concat: [ a, { $get_input: secret } ] }>"
    );
}

#[test]
fn programs_are_told_what_is_known_and_nothing_else() {
    let programs = |told: &str| {
        let text = NODE.replace("PROPERTIES", "").replace("TOLD", told);
        *things(&text).swap_remove(0).programs.expect("it has a program")
    };
    let known = programs("[ x, \"y, z\" ]");
    assert_eq!(known.inputs["told"], "[x, \"y, z\"]");
    assert!(known.unknown.is_empty());
    let open = programs("[ x, { $get_input: secret } ]");
    assert!(open.inputs.is_empty());
    assert_eq!(open.unknown, ["the input `told` of `a`: the input `secret` has no value"]);
}

/// Rules of a user that are not about TOSCA find nothing, whatever the service has.
#[test]
fn rules_that_do_not_open_the_core_see_nothing() {
    let sources = Sources::new();
    let topology = reading(&sources, POOL).topology.expect("it is a service");
    let root = sources.add("own.als", "module own\nsig A {}\nfact { no A }");
    let (rules, findings) = Rules::load(&sources, &locus_tosca::library::FILES, root.id());
    assert_eq!(findings, []);
    let judged = judge_by(&rules.expect("it compiles"), &topology, root.place(Span::new(0, 0)));
    assert_eq!((judged.findings, judged.unsettled), (Vec::new(), Vec::new()));
}
