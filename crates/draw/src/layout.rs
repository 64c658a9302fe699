//! Where everything is: the result of the layout as plain data.

use crate::geometry::Point;
use crate::scene::Scene;
use crate::{DrawError, compound};

/// Where everything of a scene is, in pixels from the upper left corner. The vectors have the order of
/// [`Scene::nodes`], [`Scene::groups`], [`Scene::ports`] and [`Scene::edges`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// The size of the whole.
    pub width: f64,
    /// The size of the whole.
    pub height: f64,
    /// Where each node is.
    pub nodes: Vec<NodePlace>,
    /// Where each group is.
    pub groups: Vec<GroupPlace>,
    /// Where each port is.
    pub ports: Vec<PortPlace>,
    /// Where each edge is.
    pub edges: Vec<EdgePlace>,
    /// How many pairs of edges cross, within the levels of the layout.
    pub crossings: u64,
}

/// Where a node is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NodePlace {
    /// Its middle.
    pub centre: Point,
    /// The size of its shape.
    pub width: f64,
    /// The size of its shape.
    pub height: f64,
    /// Its name as drawn, shortened if need be.
    pub title: String,
    /// Its smaller lines as drawn.
    pub lines: Vec<String>,
}

/// Where a group is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupPlace {
    /// The upper left corner of its frame.
    pub corner: Point,
    /// The size of its frame.
    pub width: f64,
    /// The size of its frame.
    pub height: f64,
    /// Its title as drawn.
    pub title: String,
    /// How many groups hold it.
    pub depth: usize,
}

/// Where a port is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PortPlace {
    /// The middle of its dot, on the boundary of its node.
    pub at: Point,
    /// Its name, if it is written.
    pub label: Option<LabelPlace>,
}

/// Where an edge is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EdgePlace {
    /// From where it starts to where it ends: the first point, then three points for each Bézier curve (two
    /// handles and the end).
    pub path: Vec<Point>,
    /// Its label, if it has one.
    pub label: Option<LabelPlace>,
    /// How many groups hold the middle of it.
    pub depth: usize,
}

/// Where a text is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LabelPlace {
    /// The point on the base line that `anchor` speaks of.
    pub at: Point,
    /// Which part of the text is there.
    pub anchor: Anchor,
    /// The text as drawn.
    pub text: String,
    /// How wide it is about.
    pub width: f64,
}

/// Which part of a text is at its point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    #[default]
    Middle,
    /// Its end.
    End,
}

/// How large a scene may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Nodes and groups.
    pub nodes: usize,
    /// Edges.
    pub edges: usize,
    /// Ports.
    pub ports: usize,
    /// Groups within groups.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: 10_000, edges: 30_000, ports: 60_000, depth: 64 }
    }
}

/// Finds a place for everything in a scene.
///
/// The result depends on nothing but the scene.
pub fn layout(scene: &Scene, limits: &Limits) -> Result<Layout, DrawError> {
    let within = |what, count: usize, limit: usize| {
        if count > limit { Err(DrawError::TooLarge { what, count, limit }) } else { Ok(()) }
    };
    within("nodes and groups", scene.nodes().len() + scene.groups().len(), limits.nodes)?;
    within("edges", scene.edges().len(), limits.edges)?;
    within("ports", scene.ports().len(), limits.ports)?;
    let mut depth = vec![1_usize; scene.groups().len()];
    for (at, group) in scene.groups().iter().enumerate() {
        depth[at] = group.parent.map_or(1, |p| depth[p.index()] + 1);
        within("groups within groups", depth[at], limits.depth)?;
    }
    Ok(compound::layout(scene))
}
