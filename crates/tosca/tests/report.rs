//! Section 5 of the report: the facts of 5.1, and the types of 5.2 with what they demand of relationships.

mod common;

use std::collections::BTreeSet;

use common::{codes, reading};
use locus_graph::{Entry, LocationGraph, LocationId, Position, Role};
use locus_meaning::Relationships;
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Node, Sources};
use locus_tosca::meaning;

/// The types of section 5.2: the name in the report's model, and that of the Simple Profile.
const TYPES: [(&str, &str); 34] = [
    ("Capability_Root", "tosca.capabilities.Root"),
    ("Capability_Node", "tosca.capabilities.Node"),
    ("Container", "tosca.capabilities.Container"),
    ("Endpoint", "tosca.capabilities.Endpoint"),
    ("Endpoint_Public", "tosca.capabilities.Endpoint.Public"),
    ("Endpoint_Admin", "tosca.capabilities.Endpoint.Admin"),
    ("Endpoint_Database", "tosca.capabilities.Endpoint.Database"),
    ("Attachment", "tosca.capabilities.Attachment"),
    ("OperatingSystem", "tosca.capabilities.OperatingSystem"),
    ("Scalable", "tosca.capabilities.Scalable"),
    ("Bindable", "tosca.capabilities.network.Bindable"),
    ("Linkable", "tosca.capabilities.network.Linkable"),
    ("Relationship_Root", "tosca.relationships.Root"),
    ("DependsOn", "tosca.relationships.DependsOn"),
    ("HostedOn", "tosca.relationships.HostedOn"),
    ("ConnectsTo", "tosca.relationships.ConnectsTo"),
    ("AttachesTo", "tosca.relationships.AttachesTo"),
    ("RoutesTo", "tosca.relationships.RoutesTo"),
    ("LinksTo", "tosca.relationships.network.LinksTo"),
    ("BindsTo", "tosca.relationships.network.BindsTo"),
    ("Node_Root", "tosca.nodes.Root"),
    ("Compute", "tosca.nodes.Compute"),
    ("SoftwareComponent", "tosca.nodes.SoftwareComponent"),
    ("WebServer", "tosca.nodes.WebServer"),
    ("WebApplication", "tosca.nodes.WebApplication"),
    ("DBMS", "tosca.nodes.DBMS"),
    ("Database", "tosca.nodes.Database"),
    ("ObjectStorage", "tosca.nodes.ObjectStorage"),
    ("BlockStorage", "tosca.nodes.BlockStorage"),
    ("Container_Runtime", "tosca.nodes.Container.Runtime"),
    ("Container_Application", "tosca.nodes.Container.Application"),
    ("LoadBalancer", "tosca.nodes.LoadBalancer"),
    ("Network", "tosca.nodes.network.Network"),
    ("Port", "tosca.nodes.network.Port"),
];

/// The name that the Simple Profile has for a type of the report.
fn full(name: &str) -> &'static str {
    TYPES.iter().find(|(short, _)| *short == name).unwrap_or_else(|| panic!("{name} is not in the list")).1
}

/// The signatures of a module: the line that declares them, and the lines of their fields and facts.
fn signatures(module: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut open = false;
    let code = module.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    for line in code.filter(|line| !line.is_empty() && !line.starts_with(['/', '*'])) {
        if let Some(declared) = line.strip_prefix("abstract ").unwrap_or(line).strip_prefix("sig ") {
            let (head, body) = declared.split_once('{').expect("a signature has a body");
            found.push((head.trim().to_owned(), Vec::new()));
            open = !body.contains('}') || body.ends_with('{');
            // `{ target in Container }` on the same line.
            let facts = body.split_once('{').map(|(_, facts)| facts.trim_end_matches('}').trim().to_owned());
            found.last_mut().expect("it was pushed").1.extend(facts.filter(|facts| !facts.is_empty()));
        } else if line == "}" {
            open = false;
        } else if open && line != "} {" {
            found.last_mut().expect("a line is in a signature").1.push(line.trim_end_matches(',').to_owned());
        }
    }
    found
}

/// Whether one line of a type of section 5.2 holds of the type that comes with Locus.
fn holds(line: &str, of: Node<'_>, name: &str) -> bool {
    // Where a requirement has the same name, the report calls the capability of this name `chost`.
    let capability = |name: &str| {
        of.get("capabilities").and_then(|all| all.get(name.trim_start_matches('c')).or_else(|| all.get(name)))
    };
    let requirement =
        |name: &str| of.get("requirements").and_then(|all| all.items().find_map(|one| one.get(name)));
    let has = |name: &str| requirement(name).or_else(|| capability(name)).is_some();
    let is = |node: Option<Node<'_>>, wanted: &str| node.is_some_and(|node| node.raw() == full(wanted));
    if let Some((field, kind)) = line.split_once(" : ") {
        let (many, kind) = kind.split_once(' ').expect("a field has a multiplicity and a type");
        let node = if kind == "Requirement" { requirement(field) } else { capability(field) };
        let Some(node) = node else { return false };
        let range = node
            .get("occurrences")
            .map(|range| range.items().map(|end| end.raw().to_owned()).collect::<Vec<_>>());
        let any = range.as_ref().is_some_and(|range| range[..] == ["0", "UNBOUNDED"]);
        let of_type = kind == "Requirement" || is(node.get("type").or(Some(node)), kind);
        return any == (many == "set") && of_type;
    }
    if let Some((fields, "capabilities" | "requirements")) = line.split_once(" in ") {
        return fields.split(" + ").all(has);
    }
    let ends = |text: &'_ str| text.trim_end_matches(']').to_owned();
    if let Some(target) = line.strip_prefix("target in ") {
        return of
            .get("valid_target_types")
            .is_some_and(|list| list.items().any(|one| one.raw() == full(target)));
    }
    if let Some((field, wanted)) = line.split_once(".relationship in ") {
        return requirement(field).is_some_and(|one| is(one.get("relationship"), wanted));
    }
    if let Some((field, wanted)) = line.split_once(".valid_source_types[") {
        let list = capability(field).and_then(|one| one.get("valid_source_types"));
        return list.is_some_and(|list| list.items().any(|one| one.raw() == full(&ends(wanted))));
    }
    for keyname in ["capability", "node"] {
        if let Some((field, wanted)) = line.split_once(&format!(".{keyname}[")) {
            return requirement(field).is_some_and(|one| is(one.get(keyname), &ends(wanted)));
        }
    }
    panic!("{name} has a line that this test does not know: {line}");
}

#[test]
fn every_type_of_section_5_2_and_all_that_it_demands_is_among_the_types_of_the_house() {
    let sources = Sources::new();
    let file = sources.add("simple-1.0.yaml", include_str!("../data/simple-1.0.yaml"));
    let parsed = yaml::parse(&file, &YamlOptions::default());
    let house = parsed.documents[0].root();
    let type_of = |name: &str| {
        let sections = ["capability_types", "relationship_types", "node_types"];
        sections.iter().find_map(|section| house.get(section)?.get(name))
    };
    let (mut seen, mut lines) = (BTreeSet::new(), 0);
    for (head, body) in signatures(include_str!("../../../specs/report/TOSCA_types.als")) {
        let (names, parent) = head.split_once(" extends ").expect("each type extends another");
        for name in names.split(", ") {
            seen.insert(name.to_owned());
            let of = type_of(full(name)).unwrap_or_else(|| panic!("{name} is not among the types"));
            if !["Capability", "Relationship", "Node"].contains(&parent) {
                assert_eq!(of.get("derived_from").map(Node::raw), Some(full(parent)), "{name}");
            }
            for line in &body {
                assert!(holds(line, of, name), "{name}: {line}");
                lines += 1;
            }
        }
    }
    assert_eq!(seen.len(), TYPES.len(), "{seen:?}");
    assert_eq!(lines, 80);
}

#[test]
fn the_mistakes_of_the_normative_yaml_that_section_5_2_notes_are_put_right_in_all_versions() {
    for text in [
        include_str!("../data/simple-1.0.yaml"),
        include_str!("../data/simple-1.1.yaml"),
        include_str!("../data/simple-1.2.yaml"),
        include_str!("../data/simple-1.3.yaml"),
    ] {
        // `AttachTo` for `AttachesTo`, and an application in a container that is hosted on a node type `Container`.
        assert!(!text.contains("relationships.AttachTo"));
        assert!(
            !text.contains("node: tosca.nodes.Container,") && !text.contains("node: tosca.nodes.Container }")
        );
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

/// The subject of the facts of section 5.1: the graph of a topology, which locations are nodes, and how often each role
/// is provided and required by which locations.
struct Picture {
    graph: LocationGraph,
    nodes: BTreeSet<String>,
}

impl Picture {
    fn is_node(&self, id: LocationId) -> bool {
        self.nodes.contains(self.graph.name_of(id))
    }

    /// The locations that have a role in a position.
    fn who(&self, role: Role, position: Position) -> Vec<LocationId> {
        let has = |entry: &Entry| entry.ports_at(position).any(|port| port.role == role);
        self.graph.iter().filter(|(_, entry)| has(entry)).map(|(id, _)| id).collect()
    }

    /// The roles of nodes, or those of relationships, in a position.
    fn roles(&self, of_nodes: bool, position: Position) -> Vec<Role> {
        let entries = self.graph.iter().filter(|(id, _)| self.is_node(*id) == of_nodes);
        entries.flat_map(|(_, entry)| entry.ports_at(position).map(|port| port.role)).collect()
    }

    /// Whether a role in a position of nodes is in the other position of as many relationships as it may be.
    fn meets(&self, role: Role, position: Position, relationships: std::ops::RangeInclusive<usize>) -> bool {
        let other = if position == Position::Provided { Position::Required } else { Position::Provided };
        let others = self.who(role, other);
        relationships.contains(&others.len()) && others.iter().all(|&id| !self.is_node(id))
    }
}

type Fact = (&'static str, fn(&Picture) -> bool);

/// The facts of section 5.1 by the lines of the report's model, each as it shows in the graph.
const FACTS: [Fact; 8] = [
    ("locations = nodes + relationships + nodes.requirements.relationship", |picture| {
        picture.graph.iter().filter(|(id, _)| picture.is_node(*id)).count() == 3
            && picture.graph.len() == 3 + 3
    }),
    ("required = requirements", |picture| {
        picture
            .roles(true, Position::Required)
            .iter()
            .all(|&role| picture.meets(role, Position::Required, 1..=1))
    }),
    ("provided = capabilities", |picture| {
        picture
            .roles(true, Position::Provided)
            .iter()
            .all(|&role| picture.meets(role, Position::Provided, 0..=1))
    }),
    ("relationship.source = this", |picture| {
        let roles = picture.roles(true, Position::Required);
        roles.iter().collect::<BTreeSet<_>>().len() == roles.len() && roles.len() == 3
    }),
    ("one node[this]", |picture| {
        let positions = [Position::Required, Position::Provided];
        positions.iter().all(|&position| {
            picture.roles(true, position).iter().all(|&role| picture.who(role, position).len() == 1)
        })
    }),
    ("provided = source", |picture| {
        let relationships = picture.graph.iter().filter(|(id, _)| !picture.is_node(*id));
        relationships.map(|(_, entry)| entry.ports_at(Position::Provided).count()).all(|count| count == 1)
    }),
    ("required = target", |picture| {
        let relationships = picture.graph.iter().filter(|(id, _)| !picture.is_node(*id));
        relationships.map(|(_, entry)| entry.ports_at(Position::Required).count()).all(|count| count == 1)
    }),
    ("relationship : one Relationship", |picture| {
        picture
            .roles(true, Position::Required)
            .iter()
            .all(|&role| picture.who(role, Position::Provided).len() == 1)
    }),
];

#[test]
fn every_fact_of_section_5_1_holds_of_the_graph() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_0
topology_template:
  node_templates:
    machine: { type: Compute }
    server: { type: WebServer, requirements: [ host: machine, dependency: machine ] }
    application: { type: WebApplication, requirements: [ host: server ] }
";
    let sources = Sources::new();
    let topology = reading(&sources, text).topology.unwrap();
    let graph = meaning(&topology).graph(Relationships::Locations);
    assert!(locus_graph::is_well_formed(&graph));
    let nodes = ["machine", "server", "application"].map(str::to_owned).into();
    let picture = Picture { graph, nodes };
    let known: BTreeSet<_> = FACTS.iter().map(|(line, _)| *line).collect();
    for (head, body) in signatures(include_str!("../../../specs/report/TOSCA.als")) {
        // Fields other than that of a requirement only name what the facts are about.
        for line in body.iter().filter(|line| !line.contains(" : ") || line.contains("one Relationship")) {
            assert!(known.contains(line.as_str()), "{head}: {line}");
        }
    }
    for (line, holds) in FACTS {
        assert!(holds(&picture), "{line}");
    }
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
