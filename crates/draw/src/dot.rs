//! The scene as Graphviz text, for those who have Graphviz and want to go on from there.

use std::fmt::Write as _;

use crate::boundary::edge_label;
use crate::scene::{Direction, EdgeStyle, Emphasis, End, GroupId, Scene, Shape};
use crate::text::printable;

/// Writes a scene in the language of Graphviz.
pub fn dot(scene: &Scene) -> String {
    let mut pointed_at = vec![false; scene.groups().len()];
    for end in scene.edges().iter().flat_map(|e| [e.from, e.to]) {
        if let End::Group(group) = end {
            pointed_at[group.index()] = true;
        }
    }
    let mut unbound = vec![Vec::new(); scene.nodes().len()];
    for (port, bound) in scene.bound_ports().into_iter().enumerate() {
        if !bound {
            unbound[scene.ports()[port].0.index()].push(port);
        }
    }
    let mut writer = Writer { scene, out: String::new(), children: children(scene), pointed_at, unbound };
    let rankdir = match scene.main_direction() {
        Direction::Down => "TB",
        Direction::Right => "LR",
    };
    let _ = writeln!(writer.out, "digraph {} {{", quoted(scene.title()));
    let _ = writeln!(writer.out, "  graph [compound=true, rankdir={rankdir}, fontname=\"Helvetica\"];");
    writer.out.push_str("  node [fontname=\"Helvetica\", fontsize=12];\n");
    writer.out.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    writer.contents();
    writer.edges();
    writer.out.push_str("}\n");
    writer.out
}

struct Writer<'a> {
    scene: &'a Scene,
    out: String,
    /// For the scene (0) and every group, the nodes and groups it holds.
    children: Vec<(Vec<usize>, Vec<usize>)>,
    /// For every group, whether an edge ends at its frame.
    pointed_at: Vec<bool>,
    /// For every node, its unbound ports.
    unbound: Vec<Vec<usize>>,
}

fn children(scene: &Scene) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut children = vec![(Vec::new(), Vec::new()); scene.groups().len() + 1];
    let slot = |group: Option<GroupId>| group.map_or(0, |g| g.index() + 1);
    for (at, node) in scene.nodes().iter().enumerate() {
        children[slot(node.group)].0.push(at);
    }
    for (at, group) in scene.groups().iter().enumerate() {
        children[slot(group.parent)].1.push(at);
    }
    children
}

impl Writer<'_> {
    /// Everything that is inside something, with a stack of its own: groups may be nested deeply.
    fn contents(&mut self) {
        enum Step {
            Open(usize),
            Close(usize),
        }
        let mut stack = vec![(Step::Open(0), 0)];
        while let Some((step, depth)) = stack.pop() {
            let indent = "  ".repeat(depth);
            match step {
                Step::Open(slot) => {
                    if slot > 0 {
                        self.open_group(slot - 1, &indent);
                    }
                    let (nodes, groups) = self.children[slot].clone();
                    for node in nodes {
                        self.node(node, &indent);
                        self.unbound_ports(node, &indent);
                    }
                    stack.push((Step::Close(slot), depth));
                    stack.extend(groups.iter().rev().map(|&g| (Step::Open(g + 1), depth + 1)));
                }
                Step::Close(0) => {}
                Step::Close(_) => {
                    let _ = writeln!(self.out, "{indent}}}");
                }
            }
        }
    }

    fn open_group(&mut self, group: usize, indent: &str) {
        let g = &self.scene.groups()[group];
        let _ = writeln!(self.out, "{indent}subgraph cluster_{group} {{");
        let _ = writeln!(self.out, "{indent}  label={}; style=rounded;", quoted(&g.title));
        // A cluster needs a node in it to be drawn, and an edge to it one to point to.
        let (nodes, groups) = &self.children[group + 1];
        if self.pointed_at[group] || nodes.is_empty() && groups.is_empty() {
            let _ = writeln!(self.out, "{indent}  g{group} [shape=point, style=invis, label=\"\"];");
        }
    }

    fn node(&mut self, at: usize, indent: &str) {
        let node = &self.scene.nodes()[at];
        let mut label = node.title.clone();
        for line in &node.lines {
            label.push('\n');
            label.push_str(line);
        }
        let shape = match node.shape {
            Shape::Oval => "ellipse",
            Shape::Circle => "circle",
            Shape::Box | Shape::Rounded => "box",
        };
        let mut more = String::new();
        if node.shape == Shape::Rounded {
            more.push_str(", style=rounded");
        }
        more.push_str(emphasis(node.emphasis));
        if let Some(category) = &node.category {
            let _ = write!(more, ", class={}", quoted(category));
        }
        if let Some(tooltip) = &node.tooltip {
            let _ = write!(more, ", tooltip={}", quoted(tooltip));
        }
        let _ = writeln!(self.out, "{indent}  n{at} [label={}, shape={shape}{more}];", quoted(&label));
    }

    /// Unbound ports are dots of their own beside their node.
    fn unbound_ports(&mut self, node: usize, indent: &str) {
        for &port in &self.unbound[node] {
            let label = quoted(&self.scene.ports()[port].1.label);
            let _ = writeln!(self.out, "{indent}  p{port} [shape=point, xlabel={label}];");
            let _ = writeln!(self.out, "{indent}  n{node} -> p{port} [arrowhead=none];");
        }
    }

    fn edges(&mut self) {
        for (at, edge) in self.scene.edges().iter().enumerate() {
            let mut attributes = vec![format!("label={}", quoted(edge_label(self.scene, at)))];
            for (end, cluster, text) in [(edge.from, "ltail", "taillabel"), (edge.to, "lhead", "headlabel")] {
                match end {
                    End::Group(group) => attributes.push(format!("{cluster}=cluster_{}", group.index())),
                    End::Port(port) => {
                        let label = &self.scene.ports()[port.index()].1.label;
                        if label != edge_label(self.scene, at) {
                            attributes.push(format!("{text}={}", quoted(label)));
                        }
                    }
                    End::Node(_) => {}
                }
            }
            if !edge.directed {
                attributes.push("dir=none".to_owned());
            }
            match edge.style {
                EdgeStyle::Solid => {}
                EdgeStyle::Dashed => attributes.push("style=dashed".to_owned()),
                EdgeStyle::Dotted => attributes.push("style=dotted".to_owned()),
            }
            let (from, to) = (self.end(edge.from), self.end(edge.to));
            let more = emphasis(edge.emphasis);
            let _ = writeln!(self.out, "  {from} -> {to} [{}{more}];", attributes.join(", "));
        }
    }

    fn end(&self, end: End) -> String {
        match end {
            End::Node(node) => format!("n{}", node.index()),
            End::Port(port) => format!("n{}", self.scene.ports()[port.index()].0.index()),
            End::Group(group) => format!("g{}", group.index()),
        }
    }
}

fn emphasis(emphasis: Emphasis) -> &'static str {
    match emphasis {
        Emphasis::Normal => "",
        Emphasis::Strong => ", penwidth=2.5",
        Emphasis::Muted => ", color=gray, fontcolor=gray",
        Emphasis::Alarm => ", penwidth=2.5, color=red",
    }
}

/// A text in quotes. Graphviz gives a meaning to backslashes and to references like `&lt;`, so both are
/// written as text.
fn quoted(text: &str) -> String {
    let plain = |line| printable(line).replace('&', "&amp;").replace('\\', "\\\\").replace('"', "\\\"");
    let lines: Vec<String> = text.split('\n').map(plain).collect();
    format!("\"{}\"", lines.join("\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_stay_text() {
        assert_eq!(quoted("a\"b\\N\nc"), "\"a\\\"b\\\\N\\nc\"");
    }
}
