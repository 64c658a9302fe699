//! Small graphs for tests.

use crate::LocationGraph;

/// A graph of locations, each with its name and the roles it provides and requires.
pub(crate) fn graph(locations: &[(&str, &[&str], &[&str])]) -> LocationGraph {
    let mut graph = LocationGraph::new();
    for (name, provided, required) in locations {
        let id = graph.add(name);
        provided.iter().for_each(|role| _ = graph.provide(id, role));
        required.iter().for_each(|role| _ = graph.require(id, role));
    }
    graph
}
