//! How many nodes a template stands for, decided once, and how many are looked at.

use crate::report::short;
use crate::service::topology::{Node, Relationship, Topology};

/// A template stands for no more nodes than this.
const MOST_COPIES: u32 = 1_000;

/// A service has no more nodes and relationships than this.
const MOST_IN_ALL: u64 = 200_000;

/// How many nodes a template stands for. A number that is not known is taken for one.
pub(super) fn count(node: &Node) -> u32 {
    node.count.map_or(1, |count| count.clamp(0, MOST_COPIES.into()) as u32)
}

/// How many relationships each node of a template has by a requirement.
pub(super) fn links(topology: &Topology, relationship: &Relationship) -> u32 {
    let targets = relationship.target.map_or(0, |target| count(&topology.nodes[target]));
    relationship.count.map_or(targets.min(1), |count| count.clamp(0, targets.into()) as u32)
}

/// Why there are more nodes than Locus looks at, as a sentence without full stop.
pub(crate) fn too_many(topology: &Topology) -> Option<String> {
    let beyond = |node: &Node| node.count.filter(|&count| count > MOST_COPIES.into());
    if let Some((node, count)) = topology.nodes.iter().find_map(|node| Some((node, beyond(node)?))) {
        let name = short(&node.name.text);
        return Some(format!(
            "`{name}` stands for {count} nodes, and Locus looks at {MOST_COPIES} of a template"
        ));
    }
    let count = |node: &Node| u64::from(count(node));
    let nodes = topology.nodes.iter().map(count).sum::<u64>();
    let relationships = topology.relationships.iter();
    let links = relationships.map(|one| count(&topology.nodes[one.source]) * u64::from(links(topology, one)));
    let links = links.sum::<u64>();
    if nodes + links > MOST_IN_ALL {
        return Some(format!(
            "the templates stand for {nodes} nodes with {links} relationships, and Locus looks at {MOST_IN_ALL} in all"
        ));
    }
    topology.nodes.iter().filter_map(|node| node.inside.as_deref()).find_map(too_many)
}

/// Whether a node is planned at all: one that exists already is not, nor one whose place another service takes.
pub(super) fn is_planned(node: &Node) -> bool {
    !node.selected && !node.substituted
}
