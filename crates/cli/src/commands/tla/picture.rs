//! The state graph as a picture: states are boxes with the values of the variables, steps are arrows with the names of
//! their actions. What a violation shows is drawn heavier, and the state that is wrong as wrong.

use std::path::Path;

use anyhow::{Context, bail};
use locus_draw::{Edge, Emphasis, Node, NodeId, Scene, Shape};
use locus_source::SourceFile;
use locus_tla::check::CheckResult;

use crate::args::TlaFormat;

/// The most states and steps of a picture, if one is wanted: beyond that nobody can read it.
pub(super) fn limit(format: TlaFormat) -> Option<usize> {
    match format {
        TlaFormat::Svg => Some(2_000),
        TlaFormat::Dot => Some(20_000),
        TlaFormat::Html => Some(super::html::GRAPH),
        TlaFormat::Human | TlaFormat::Json | TlaFormat::Tla | TlaFormat::Markdown => None,
    }
}

/// The scene for a state graph.
pub(super) fn scene(result: &CheckResult, file: &SourceFile) -> anyhow::Result<Scene> {
    let graph = match &result.graph {
        Some(Ok(graph)) => graph,
        Some(Err(why)) => bail!("the state graph is not drawn: {why}"),
        None => bail!("there is no state graph: {}", result.message),
    };
    let name =
        Path::new(file.name()).file_stem().and_then(|stem| stem.to_str()).context("the file has no name")?;
    let mut scene = Scene::new(name).description(&result.message);
    let mut nodes: Vec<NodeId> = Vec::with_capacity(graph.states.len());
    for (index, state) in graph.states.iter().enumerate() {
        let number = index + 1;
        let title = if state.initial { format!("{number} (initial)") } else { number.to_string() };
        let emphasis = match (state.violating, state.initial || state.on_trace) {
            (true, _) => Emphasis::Alarm,
            (false, true) => Emphasis::Strong,
            (false, false) => Emphasis::Normal,
        };
        let mut node = Node::new(number.to_string(), title).shape(Shape::Rounded).emphasis(emphasis);
        for (variable, value) in &state.values {
            node = node.line(format!("{variable} = {value}"));
        }
        nodes.push(scene.add_node(node));
    }
    for step in &graph.steps {
        let emphasis = if step.on_trace { Emphasis::Strong } else { Emphasis::Normal };
        let edge = Edge::arrow(nodes[step.from], nodes[step.to]);
        scene.add_edge(edge.label(&step.action).emphasis(emphasis));
    }
    Ok(scene)
}
