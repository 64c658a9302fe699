//! Pictures of graphs, laid out in-process: SVG, Graphviz text, or plain positions.
//!
//! A [`Scene`] says what is to be seen, in no particular place: nodes with their text and shape, ports on the
//! boundary of a node, edges between them, and groups, which are boxes that hold nodes and other groups.
//! Location graphs, Alloy instances, TLA+ state graphs and templates all become scenes.
//!
//! ```
//! use locus_draw::{Edge, Node, Options, Scene, svg};
//!
//! let mut scene = Scene::new("Two states");
//! let off = scene.add_node(Node::oval("off", "off"));
//! let on = scene.add_node(Node::oval("on", "on"));
//! scene.add_edge(Edge::arrow(off, on).label("switch"));
//! let picture = svg(&scene, &Options::default())?;
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), locus_draw::DrawError>(())
//! ```
//!
//! The layout is layered, after Sugiyama. Its phases, each a module:
//!
//! 1. `structure`: what is inside what, and which frames each edge passes; `acyclic`: which edges run upwards.
//! 2. `boundary`, `measure`, `text`: what stands on the boundary of each node, and how large everything is.
//! 3. For each level of groups from the inside out (`compound`), and each connected part of it (`part`):
//!    `layering` and `fold` (which layer), `ordering` (which order), `coordinates` (where in the layer),
//!    `ports` (where edges end).
//! 4. `pack`: parts that nothing joins; `place` and `route`: everything into one picture, edges as curves.
//! 5. `svg` with `style`, `categories` and `legend`; or `dot`.
//!
//! The result depends on nothing but the scene. Out of scope: any knowledge of those languages, any reading or
//! writing of files.

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
pub use svg::{Options, escaped, svg};

/// Why a scene cannot be drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// It is larger than a limit allows.
    #[error(
        "too large to draw: {count} {what}, and the limit is {limit}; draw a part of it, or raise the limit"
    )]
    TooLarge {
        /// The things of which there are too many.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
}
