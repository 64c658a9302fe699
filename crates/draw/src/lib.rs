//! Pictures of graphs, laid out in-process: SVG, Graphviz text, or plain positions.
//!
//! A [`Scene`] says what is to be seen, in no particular place: nodes with their text and shape, ports on the
//! boundary of a node, edges between them, and groups, which are boxes that hold nodes and other groups.
//! Location graphs, Alloy instances, TLA+ state graphs and templates all become scenes.
//!
//! What does not live here: any knowledge of those languages, any reading or writing of files.

mod scene;

pub use scene::{
    Direction, Edge, EdgeId, EdgeStyle, Emphasis, End, Group, GroupId, Node, NodeId, Port, PortId, PortKind,
    Scene, Shape,
};
