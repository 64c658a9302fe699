//! Pictures of graphs, laid out in-process: SVG, Graphviz text, or plain positions.
//!
//! A [`Scene`] says what is to be seen, in no particular place: nodes with their text and shape, ports on the
//! boundary of a node, edges between them, and groups, which are boxes that hold nodes and other groups.
//! Location graphs, Alloy instances, TLA+ state graphs and templates all become scenes.
//!
//! What does not live here: any knowledge of those languages, any reading or writing of files.

mod acyclic;
mod boundary;
mod categories;
mod compound;
mod coordinates;
mod dot;
mod fold;
mod geometry;
mod layering;
mod layout;
mod legend;
mod measure;
mod ordering;
mod pack;
mod part;
mod place;
mod ports;
mod route;
mod scene;
mod structure;
mod style;
mod svg;
mod text;
mod web;

pub use dot::dot;
pub use geometry::Point;
pub use layout::{Anchor, EdgePlace, GroupPlace, LabelPlace, Layout, Limits, NodePlace, PortPlace, layout};
pub use scene::{
    Direction, Edge, EdgeId, EdgeStyle, Emphasis, End, Group, GroupId, Node, NodeId, Port, PortId, PortKind,
    Scene, Shape,
};

pub use style::Theme;
pub use svg::{Options, svg};

/// Why a scene cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// It is larger than a limit allows.
    #[error(
        "too large to draw: {count} {what}, and the limit is {limit}; draw a part of it, or raise the limit"
    )]
    TooLarge {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}
