//! A location graph as a picture, in the manner of the report's figures: an oval for each location, a dot on
//! its boundary for each role, a line for each binding. Unbound roles show their names.
//!
//! Provided roles are filled dots and required ones rings; locations of one sort have one colour. Graphs that
//! break the static rules can be drawn, too: what is involved stands out.

use locus_draw::{Edge, Emphasis, Group, GroupId, Node, NodeId, Port, PortId, PortKind, Scene};
use rustc_hash::FxHashMap;

use crate::{Alike, Attributes, BoxId, Entry, LocationGraph, Name, Position, Role, Symbols, Value};

/// The scene for a graph; `title` names the picture. Linear time.
pub fn picture(graph: &LocationGraph, title: &str) -> Scene {
    let mut scene = Scene::new(title);
    let groups = groups(graph, &mut scene);
    let mut names: FxHashMap<Name, usize> = FxHashMap::default();
    for entry in graph.entries() {
        *names.entry(entry.name).or_default() += 1;
    }
    let mut holders = vec![Holders::default(); graph.symbols().role_count()];
    let mut wrong = vec![false; graph.len()];
    let nodes: Vec<Node> = graph.entries().iter().map(|entry| node(graph, entry, &groups)).collect();
    // Ports need their node and nodes their emphasis, which follows from the ports: so look first, then add.
    for (id, entry) in graph.iter() {
        wrong[id.index()] |= names[&entry.name] > 1;
        for port in &entry.ports {
            let side = &mut holders[port.role.index()].0[port.position as usize];
            if side.last() != Some(&id.index()) {
                side.push(id.index());
            }
        }
    }
    for held in &holders {
        for &index in held.0.iter().filter(|side| side.len() > 1).flatten() {
            wrong[index] = true;
        }
        if let ([provider], [requirer]) = (held.0[0].as_slice(), held.0[1].as_slice()) {
            wrong[*provider] |= provider == requirer;
        }
    }
    let ids: Vec<NodeId> = nodes
        .into_iter()
        .zip(&wrong)
        .map(|(node, &wrong)| {
            let emphasis = if wrong { Emphasis::Alarm } else { Emphasis::Normal };
            scene.add_node(node.emphasis(emphasis))
        })
        .collect();
    let ports = ports(graph, &mut scene, &ids);
    for (role, held) in holders.iter().enumerate() {
        bind(graph, &mut scene, Role(role as u32), held, &ports);
    }
    scene
}

/// The locations that provide, and those that require, a role; in a well-formed graph at most one each.
#[derive(Clone, Default)]
struct Holders([Vec<usize>; 2]);

type Ports = FxHashMap<(usize, Role, Position), PortId>;

/// The groups for the boxes. A group comes after the one that holds it, so each box goes with those around it.
fn groups(graph: &LocationGraph, scene: &mut Scene) -> FxHashMap<BoxId, GroupId> {
    let mut groups: FxHashMap<BoxId, GroupId> = FxHashMap::default();
    for id in graph.boxes() {
        let mut path = vec![id];
        while let Some(outer) = graph.box_within(path[path.len() - 1]) {
            if groups.contains_key(&outer) {
                break;
            }
            path.push(outer);
        }
        for id in path.into_iter().rev() {
            if groups.contains_key(&id) {
                continue;
            }
            let name = graph.box_name(id);
            let mut group = Group::new(name, name);
            group.parent = graph.box_within(id).and_then(|outer| groups.get(&outer).copied());
            groups.insert(id, scene.add_group(group));
        }
    }
    groups
}

fn node(graph: &LocationGraph, entry: &Entry, groups: &FxHashMap<BoxId, GroupId>) -> Node {
    let symbols = graph.symbols();
    let name = symbols.name_text(entry.name);
    let mut node = Node::oval(name, name);
    let mut facts = Vec::new();
    match &entry.sort.0 {
        Value::Null => {}
        Value::Text(sort) => node.category = Some(sort.to_string()),
        sort => facts.push(format!("sort: {}", sort.display(symbols))),
    }
    if entry.process.0 != Value::Null {
        facts.push(format!("process: {}", entry.process.0.display(symbols)));
    }
    if let Some(condition) = entry.certainty.condition() {
        facts.push(format!("only if {condition}"));
    }
    match entry.certainty.alike() {
        Alike::Exactly(1) => {}
        Alike::Exactly(count) => facts.push(format!("one of {count} alike")),
        Alike::AnyNumber => facts.push("one of any number alike".to_owned()),
    }
    facts.extend(attributes(&entry.attributes, symbols));
    node.tooltip = (!facts.is_empty()).then(|| facts.join("\n"));
    node.group = entry.within.and_then(|id| groups.get(&id).copied());
    node
}

fn attributes(attributes: &Attributes, symbols: &Symbols) -> Vec<String> {
    let line = |a: &crate::Attribute| match &a.value {
        Value::Text(text) => format!("{}: {text}", a.key),
        value => format!("{}: {}", a.key, value.display(symbols)),
    };
    attributes.iter().map(line).collect()
}

/// A dot for each role and position of each location, however often it is declared.
fn ports(graph: &LocationGraph, scene: &mut Scene, ids: &[NodeId]) -> Ports {
    let mut ports = Ports::default();
    for (id, entry) in graph.iter() {
        for port in &entry.ports {
            ports.entry((id.index(), port.role, port.position)).or_insert_with(|| {
                let kind = match port.position {
                    Position::Provided => PortKind::Provided,
                    Position::Required => PortKind::Required,
                };
                let mut dot = Port::new(graph.symbols().role_text(port.role), kind);
                let facts = attributes(&port.attributes, graph.symbols());
                dot.tooltip = (!facts.is_empty()).then(|| facts.join("\n"));
                scene.add_port(ids[id.index()], dot)
            });
        }
    }
    ports
}

/// The lines of a role: one if it is bound. Where the rules are broken there are more, enough to connect all
/// that have the role, and they stand out.
fn bind(graph: &LocationGraph, scene: &mut Scene, role: Role, held: &Holders, ports: &Ports) {
    let [providers, requirers] = &held.0;
    let (Some(&provider), Some(&requirer)) = (providers.first(), requirers.first()) else { return };
    let right = providers.len() == 1 && requirers.len() == 1 && provider != requirer;
    let first = requirers.iter().map(|&requirer| (requirer, provider));
    let others = providers.iter().skip(1).map(|&provider| (requirer, provider));
    for (requirer, provider) in first.chain(others) {
        let from = ports[&(requirer, role, Position::Required)];
        let to = ports[&(provider, role, Position::Provided)];
        let emphasis = if right { Emphasis::Normal } else { Emphasis::Alarm };
        scene.add_edge(Edge::line(from, to).label(graph.symbols().role_text(role)).emphasis(emphasis));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::graph;

    fn counts(scene: &Scene) -> (usize, usize, usize) {
        (scene.nodes().len(), scene.ports().len(), scene.edges().len())
    }

    fn alarmed(scene: &Scene) -> Vec<&str> {
        let wrong = scene.nodes().iter().filter(|node| node.emphasis == Emphasis::Alarm);
        wrong.map(|node| node.title.as_str()).collect()
    }

    #[test]
    fn locations_are_nodes_roles_are_ports_and_bindings_are_lines() {
        let scene = picture(&graph(&[("web", &["http", "http"], &["sql"]), ("db", &["sql"], &[])]), "stack");
        assert_eq!(counts(&scene), (2, 3, 1));
        assert_eq!(scene.edges()[0].label, "sql");
        assert!(alarmed(&scene).is_empty());
        assert_eq!(scene.edges()[0].emphasis, Emphasis::Normal);
    }

    #[test]
    fn what_breaks_a_rule_stands_out() {
        let scene = picture(
            &graph(&[
                ("a", &["p"], &[]),
                ("b", &["p"], &[]),
                ("c", &[], &["p"]),
                ("d", &[], &[]),
                ("d", &[], &[]),
            ]),
            "wrong",
        );
        assert_eq!(counts(&scene), (5, 3, 2));
        assert_eq!(alarmed(&scene), ["a", "b", "d", "d"]);
        assert!(scene.edges().iter().all(|edge| edge.emphasis == Emphasis::Alarm));
        let scene = picture(&graph(&[("a", &["p"], &["p"])]), "itself");
        assert_eq!((counts(&scene), scene.edges()[0].emphasis), ((1, 2, 1), Emphasis::Alarm));
        assert_eq!(alarmed(&scene), ["a"]);
    }

    #[test]
    fn boxes_are_groups_in_whatever_order_they_were_declared() {
        let mut graph = graph(&[("web", &[], &[])]);
        let (zone, region) = (graph.add_box("zone"), graph.add_box("region"));
        graph.nest_box(zone, Some(region));
        let web = graph.iter().next().unwrap().0;
        graph.entry_mut(web).within = Some(zone);
        let scene = picture(&graph, "nested");
        let titles: Vec<&str> = scene.groups().iter().map(|group| group.title.as_str()).collect();
        assert_eq!(titles, ["region", "zone"]);
        let [inner, outer] = [1, 0].map(|index| scene.groups()[index].parent.map(GroupId::index));
        assert_eq!((inner, outer), (Some(0), None));
        assert_eq!(scene.nodes()[0].group.map(GroupId::index), Some(1));
    }
}
