//! The content of a picture: nodes, ports, edges and groups, without any position.
//!
//! A scene is built by adding things to it; every addition answers with a small id by which later additions
//! refer to it. So a group cannot hold itself, and a port cannot exist without its node.

/// The content of a picture in a picture.
///
/// ```
/// use locus_draw::{Edge, Node, Port, PortKind, Scene};
///
/// let mut scene = Scene::new("Two locations that share a role");
/// let web = scene.add_node(Node::oval("web", "web").category("server"));
/// let db = scene.add_node(Node::oval("db", "db").category("database"));
/// let need = scene.add_port(web, Port::new("store", PortKind::Required));
/// let offer = scene.add_port(db, Port::new("store", PortKind::Provided));
/// scene.add_edge(Edge::line(need, offer).label("store"));
/// scene.add_port(web, Port::new("http", PortKind::Provided)); // unbound: drawn with its name
/// assert_eq!(scene.nodes().len(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scene {
    title: String,
    description: String,
    direction: Direction,
    nodes: Vec<Node>,
    ports: Vec<(NodeId, Port)>,
    edges: Vec<Edge>,
    groups: Vec<Group>,
}

/// The way edges run by preference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the top to the bottom.
    #[default]
    Down,
    /// From the left to the right.
    Right,
}

/// A node of a scene, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A port of a scene, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub(crate) u32);

/// An edge of a scene, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(pub(crate) u32);

/// A group of a scene, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(crate) u32);

impl NodeId {
    /// The position of the node in [`Scene::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl PortId {
    /// The position of the port in [`Scene::ports`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    /// The position of the edge in [`Scene::edges`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl GroupId {
    /// The position of the group in [`Scene::groups`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One thing with a name: a location, an atom, a state, a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The key by which other programs know it (`data-id` in SVG). Need not be unique.
    pub key: String,
    /// The name that is written in it. May be empty.
    pub title: String,
    /// Smaller lines below the name.
    pub lines: Vec<String>,
    /// The outline.
    pub shape: Shape,
    /// The kind of thing it is. Nodes of one category have one colour, named in the legend.
    pub category: Option<String>,
    /// How much it calls for attention.
    pub emphasis: Emphasis,
    /// The innermost group that holds it.
    pub group: Option<GroupId>,
    /// Shown when the pointer rests on it, after the full name.
    pub tooltip: Option<String>,
}

/// The outline of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Shape {
    /// An ellipse around the text.
    Oval,
    /// A circle around the text.
    Circle,
    /// A rectangle.
    #[default]
    Box,
    /// A rectangle with round corners.
    Rounded,
}

/// How much something calls for attention.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Emphasis {
    /// Like all others.
    #[default]
    Normal,
    /// Drawn heavier: an initial state, the step of a trace, what has just been added.
    Strong,
    /// Drawn fainter: there, but not what the picture is about.
    Muted,
    /// Drawn as wrong: what a rule has found.
    Alarm,
}

/// A point on the boundary of a node where edges end. It is *bound* when an edge ends there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    /// Its name. Written beside the dot when the port is unbound, or when its edge has another label.
    pub label: String,
    /// How the dot is drawn.
    pub kind: PortKind,
    /// Shown when the pointer rests on the dot, after the full name.
    pub tooltip: Option<String>,
}

/// The meaning of a port.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum PortKind {
    /// Offered by the node: a filled dot.
    Provided,
    /// Needed by the node: a ring.
    Required,
    /// Neither: a filled dot.
    #[default]
    Plain,
}

/// Where an edge ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// On the boundary of a node, wherever is best.
    Node(NodeId),
    /// On a port.
    Port(PortId),
    /// On the frame of a group.
    Group(GroupId),
}

impl From<NodeId> for End {
    fn from(node: NodeId) -> Self {
        Self::Node(node)
    }
}

impl From<PortId> for End {
    fn from(port: PortId) -> Self {
        Self::Port(port)
    }
}

impl From<GroupId> for End {
    fn from(group: GroupId) -> Self {
        Self::Group(group)
    }
}

/// A line or an arrow. The layout tries to have `from` before `to` in the [`Direction`] of the scene; where all
/// edges are lines and that would make the picture far too long, they lead away from the middle instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: End,
    /// Where it ends.
    pub to: End,
    /// Whether it has an arrowhead at its end.
    pub directed: bool,
    /// Written in the middle of the line. Empty for none.
    pub label: String,
    /// How the line is drawn.
    pub style: EdgeStyle,
    /// Edges of one category have one colour. Without one they are grey.
    pub category: Option<String>,
    /// How much it calls for attention.
    pub emphasis: Emphasis,
    /// Shown when the pointer rests on it, after the full label.
    pub tooltip: Option<String>,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum EdgeStyle {
    /// Without gaps.
    #[default]
    Solid,
    /// With gaps.
    Dashed,
    /// As dots.
    Dotted,
}

/// A box with a title that holds nodes and other groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The key by which other programs know it (`data-id` in SVG). Need not be unique.
    pub key: String,
    /// Written at its top. May be empty.
    pub title: String,
    /// The kind of thing it is; see [`Node::category`].
    pub category: Option<String>,
    /// How much it calls for attention.
    pub emphasis: Emphasis,
    /// The group that holds it.
    pub parent: Option<GroupId>,
    /// Shown when the pointer rests on it, after the full title.
    pub tooltip: Option<String>,
}

impl Node {
    /// A box.
    pub fn new(key: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            title: title.into(),
            lines: Vec::new(),
            shape: Shape::Box,
            category: None,
            emphasis: Emphasis::Normal,
            group: None,
            tooltip: None,
        }
    }

    /// An oval.
    pub fn oval(key: impl Into<String>, title: impl Into<String>) -> Self {
        Self::new(key, title).shape(Shape::Oval)
    }

    /// Sets the outline.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// Adds a smaller line below the name.
    #[must_use]
    pub fn line(mut self, line: impl Into<String>) -> Self {
        self.lines.push(line.into());
        self
    }

    /// Says what kind of thing it is.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Says how much it calls for attention.
    #[must_use]
    pub fn emphasis(mut self, emphasis: Emphasis) -> Self {
        self.emphasis = emphasis;
        self
    }

    /// Puts it into a group.
    #[must_use]
    pub fn inside(mut self, group: GroupId) -> Self {
        self.group = Some(group);
        self
    }

    /// Adds text that is shown when the pointer rests on it.
    #[must_use]
    pub fn tooltip(mut self, text: impl Into<String>) -> Self {
        self.tooltip = Some(text.into());
        self
    }
}

impl Port {
    /// A port with a name.
    pub fn new(label: impl Into<String>, kind: PortKind) -> Self {
        Self { label: label.into(), kind, tooltip: None }
    }

    /// Adds text that is shown when the pointer rests on it.
    #[must_use]
    pub fn tooltip(mut self, text: impl Into<String>) -> Self {
        self.tooltip = Some(text.into());
        self
    }
}

impl Edge {
    /// A line without an arrowhead.
    pub fn line(from: impl Into<End>, to: impl Into<End>) -> Self {
        Self {
            from: from.into(),
            to: to.into(),
            directed: false,
            label: String::new(),
            style: EdgeStyle::Solid,
            category: None,
            emphasis: Emphasis::Normal,
            tooltip: None,
        }
    }

    /// A line with an arrowhead at its end.
    pub fn arrow(from: impl Into<End>, to: impl Into<End>) -> Self {
        Self { directed: true, ..Self::line(from, to) }
    }

    /// Writes a text in the middle of the line.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Says how the line is drawn.
    #[must_use]
    pub fn style(mut self, style: EdgeStyle) -> Self {
        self.style = style;
        self
    }

    /// Gives it the colour of a category.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Says how much it calls for attention.
    #[must_use]
    pub fn emphasis(mut self, emphasis: Emphasis) -> Self {
        self.emphasis = emphasis;
        self
    }

    /// Adds text that is shown when the pointer rests on it.
    #[must_use]
    pub fn tooltip(mut self, text: impl Into<String>) -> Self {
        self.tooltip = Some(text.into());
        self
    }
}

impl Group {
    /// A box with a title.
    pub fn new(key: impl Into<String>, title: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            title: title.into(),
            category: None,
            emphasis: Emphasis::Normal,
            parent: None,
            tooltip: None,
        }
    }

    /// Puts it into another group.
    #[must_use]
    pub fn inside(mut self, group: GroupId) -> Self {
        self.parent = Some(group);
        self
    }

    /// Says what kind of thing it is.
    #[must_use]
    pub fn category(mut self, category: impl Into<String>) -> Self {
        self.category = Some(category.into());
        self
    }

    /// Says how much it calls for attention.
    #[must_use]
    pub fn emphasis(mut self, emphasis: Emphasis) -> Self {
        self.emphasis = emphasis;
        self
    }

    /// Adds text that is shown when the pointer rests on it.
    #[must_use]
    pub fn tooltip(mut self, text: impl Into<String>) -> Self {
        self.tooltip = Some(text.into());
        self
    }
}

impl Scene {
    /// An empty scene. The title names the picture to people who cannot see it.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Sets the longer description for people who cannot see the picture. Without one, the size is told.
    #[must_use]
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = text.into();
        self
    }

    /// Sets the way edges run by preference.
    #[must_use]
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Adds a node.
    ///
    /// # Panics
    /// If its group is not of this scene.
    pub fn add_node(&mut self, node: Node) -> NodeId {
        assert!(
            node.group.is_none_or(|g| g.index() < self.groups.len()),
            "a node in a group that is not there"
        );
        let id = NodeId(next(self.nodes.len()));
        self.nodes.push(node);
        id
    }

    /// Adds a port to a node.
    ///
    /// # Panics
    /// If the node is not of this scene.
    pub fn add_port(&mut self, node: NodeId, port: Port) -> PortId {
        assert!(node.index() < self.nodes.len(), "a port on a node that is not there");
        let id = PortId(next(self.ports.len()));
        self.ports.push((node, port));
        id
    }

    /// Adds an edge.
    ///
    /// # Panics
    /// If an end is not of this scene.
    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        for end in [edge.from, edge.to] {
            let there = match end {
                End::Node(node) => node.index() < self.nodes.len(),
                End::Port(port) => port.index() < self.ports.len(),
                End::Group(group) => group.index() < self.groups.len(),
            };
            assert!(there, "an edge to something that is not there");
        }
        let id = EdgeId(next(self.edges.len()));
        self.edges.push(edge);
        id
    }

    /// Adds a group.
    ///
    /// # Panics
    /// If its parent is not of this scene.
    pub fn add_group(&mut self, group: Group) -> GroupId {
        assert!(
            group.parent.is_none_or(|g| g.index() < self.groups.len()),
            "a group in a group that is not there"
        );
        let id = GroupId(next(self.groups.len()));
        self.groups.push(group);
        id
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The longer description; empty when none was given.
    pub fn long_description(&self) -> &str {
        &self.description
    }

    /// The way edges run by preference.
    pub fn main_direction(&self) -> Direction {
        self.direction
    }

    /// All nodes, in the order they were added.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All ports with the node each is on, in the order they were added.
    pub fn ports(&self) -> &[(NodeId, Port)] {
        &self.ports
    }

    /// All edges, in the order they were added.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// All groups, in the order they were added; so a group comes after the one that holds it.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// For every port, whether an edge ends there.
    pub fn bound_ports(&self) -> Vec<bool> {
        let mut bound = vec![false; self.ports.len()];
        for edge in &self.edges {
            for end in [edge.from, edge.to] {
                if let End::Port(port) = end {
                    bound[port.index()] = true;
                }
            }
        }
        bound
    }
}

fn next(len: usize) -> u32 {
    u32::try_from(len).expect("a scene of fewer than 2^32 things")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_bound_when_an_edge_ends_there() {
        let mut scene = Scene::new("t");
        let a = scene.add_node(Node::oval("a", "A"));
        let b = scene.add_node(Node::oval("b", "B"));
        let p = scene.add_port(a, Port::new("r", PortKind::Required));
        scene.add_port(a, Port::new("s", PortKind::Provided));
        scene.add_edge(Edge::line(p, b));
        assert_eq!(scene.bound_ports(), [true, false]);
    }

    #[test]
    #[should_panic(expected = "an edge to something that is not there")]
    fn an_edge_needs_its_ends() {
        let mut other = Scene::new("other");
        let stranger = other.add_node(Node::new("x", "X"));
        Scene::new("t").add_edge(Edge::line(stranger, stranger));
    }
}
