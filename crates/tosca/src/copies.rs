//! How many nodes a template stands for, and what they are called: decided once, for checks, pictures and plans.

use locus_source::Finding;
use rustc_hash::FxHashMap;

use crate::report::short;
use crate::rules;
use crate::topology::{Node, Relationship, Topology};

/// A template stands for no more nodes than this.
const MOST_COPIES: i64 = 1_000;

/// A service has no more nodes and relationships than this.
const MOST_IN_ALL: i64 = 200_000;

/// How many nodes a template stands for. A number that is not known is taken for one.
pub(crate) fn count(node: &Node) -> i64 {
    node.count.unwrap_or(1).clamp(0, MOST_COPIES)
}

/// How many relationships each node of a template has by a requirement.
pub(crate) fn links(topology: &Topology, relationship: &Relationship) -> i64 {
    let targets = relationship.target.map_or(0, |target| count(&topology.nodes[target]));
    relationship.count.unwrap_or(1).clamp(0, targets)
}

/// What the nodes of a template are called: `web`, or `web[0]` and so on.
pub(crate) fn names(node: &Node) -> Vec<String> {
    let name = &node.name.text;
    match count(node) {
        1 => vec![name.to_string()],
        count => (0..count).map(|index| format!("{name}[{index}]")).collect(),
    }
}

/// Why there are more nodes than Locus looks at, as a sentence without full stop.
pub(crate) fn too_many(topology: &Topology) -> Option<String> {
    let beyond = topology.nodes.iter().find(|node| node.count.is_some_and(|count| count > MOST_COPIES));
    if let Some(node) = beyond {
        let (name, count) = (short(&node.name.text), node.count.unwrap_or(1));
        return Some(format!(
            "`{name}` stands for {count} nodes, and Locus looks at {MOST_COPIES} of a template"
        ));
    }
    let nodes = topology.nodes.iter().map(count).sum::<i64>();
    let relationships = topology.relationships.iter();
    let links =
        relationships.map(|one| count(&topology.nodes[one.source]) * links(topology, one)).sum::<i64>();
    if nodes + links > MOST_IN_ALL {
        return Some(format!(
            "the templates stand for {nodes} nodes with {links} relationships, and Locus looks at {MOST_IN_ALL} in all"
        ));
    }
    topology.nodes.iter().filter_map(|node| node.inside.as_deref()).find_map(too_many)
}

/// Nodes of a template with a count that are called as another template is.
pub(crate) fn names_that_meet(topology: &Topology) -> Vec<Finding> {
    let names: FxHashMap<&str, &Node> = topology.nodes.iter().map(|node| (&*node.name.text, node)).collect();
    let mut found = Vec::new();
    for other in &topology.nodes {
        let numbered = other.name.text.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let Some((name, index)) = numbered else { continue };
        let Some(node) = names.get(name).filter(|node| count(node) != 1) else { continue };
        // As the numbers are written: `web[01]` is none of them.
        let is_one = index.parse::<i64>().is_ok_and(|at| at < count(node) && at.to_string() == index);
        if is_one && is_planned(node) && is_planned(other) {
            let (name, node_name) = (short(&other.name.text), short(name));
            let message =
                format!("one of the nodes of `{node_name}` is called `{name}` in plans, as this node is");
            let finding = Finding::new(&rules::NAMES_MEET, other.name.place, message);
            let finding = finding.also(node.name.place, format!("`{node_name}` stands for several nodes"));
            found.push(finding.help("call this node something else"));
        }
    }
    found
}

/// Whether a node is planned at all: one that exists already is not.
fn is_planned(node: &Node) -> bool {
    !node.selected && !node.substituted
}
