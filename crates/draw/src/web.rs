//! A graph in layers, where every segment of an edge leads from one layer to the next.
//!
//! Long edges have been cut into segments with a vertex in every layer they pass, so that the later phases
//! (order, coordinates, routes) need to know of nothing but vertices and segments.

/// A vertex in a layer: an item to be drawn, or a place where an edge passes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vertex {
    pub(crate) layer: usize,
    /// How far it reaches to either side of its anchor.
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// How far it reaches along the direction of the layers, in all.
    pub(crate) height: f64,
    pub(crate) kind: VertexKind,
}

/// The purpose of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VertexKind {
    /// Something to be drawn.
    Item,
    /// An edge passes here.
    Pass,
    /// An edge passes here and its label is written here.
    Label,
    /// An edge leaves the level here, on its upper or lower side.
    Gate,
    /// Keeps the room for a title at the left end of the first layer.
    Corner,
}

/// A piece of an edge between two layers that follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    /// Where it ends, relative to the anchor of the vertex.
    pub(crate) upper_at: f64,
    pub(crate) lower_at: f64,
}

/// A graph in layers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Web {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) segments: Vec<Segment>,
    /// The vertices of each layer, from left to right.
    pub(crate) layers: Vec<Vec<usize>>,
    /// For every vertex, the segments to the layer above and to the layer below.
    pub(crate) above: Vec<Vec<usize>>,
    pub(crate) below: Vec<Vec<usize>>,
}

impl Web {
    pub(crate) fn add_vertex(&mut self, vertex: Vertex) -> usize {
        let id = self.vertices.len();
        if self.layers.len() <= vertex.layer {
            self.layers.resize(vertex.layer + 1, Vec::new());
        }
        self.layers[vertex.layer].push(id);
        self.vertices.push(vertex);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        id
    }

    pub(crate) fn add_segment(&mut self, segment: Segment) {
        debug_assert_eq!(self.vertices[segment.upper].layer + 1, self.vertices[segment.lower].layer);
        let id = self.segments.len();
        self.below[segment.upper].push(id);
        self.above[segment.lower].push(id);
        self.segments.push(segment);
    }

    /// The position of every vertex in its layer.
    pub(crate) fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.vertices.len()];
        for layer in &self.layers {
            for (at, &vertex) in layer.iter().enumerate() {
                position[vertex] = at;
            }
        }
        position
    }
}
