//! The ports on the boundary of each node, and which names are written there.

use crate::measure::{self, Ends, Fitted, Loop, Measure, NodeText, Sides, Slot};
use crate::scene::{Direction, End, PortId, Scene};
use crate::structure::{Across, Course, Thing};

/// The ports on the left and right sides, and the texts on edges and at ports.
pub(crate) struct Boundary {
    node_sides: Vec<Sides>,
    pub(crate) group_sides: Vec<Sides>,
    ends: Vec<Ends>,
    pub(crate) edge_labels: Vec<Option<Fitted>>,
    /// For every port, its name if it is written at the port.
    pub(crate) port_labels: Vec<Option<Fitted>>,
}

impl Boundary {
    pub(crate) fn new(scene: &Scene, courses: &[Course]) -> Self {
        let ways = Ways::new(scene, courses);
        let mut boundary = Self {
            node_sides: vec![Sides::default(); scene.nodes().len()],
            group_sides: vec![Sides::default(); scene.groups().len()],
            ends: Vec::new(),
            edge_labels: (0..scene.edges().len()).map(|e| Fitted::label(edge_label(scene, e))).collect(),
            port_labels: port_labels(scene),
        };
        boundary.add_loops(scene, courses);
        for (at, (node, port)) in scene.ports().iter().enumerate() {
            let id = PortId(at as u32);
            let label = boundary.port_labels[at].clone();
            let sides = &mut boundary.node_sides[node.index()];
            match ways.of_port[at] {
                [false, false] if !sides.has_port(id) => sides.add_unbound(id, port.kind, label),
                [true, true] if !sides.has_port(id) => sides.right.push(Slot { port: Some(id), label }),
                _ => {}
            }
        }
        boundary.ends = ends(scene, courses, &boundary);
        boundary
    }

    fn add_loops(&mut self, scene: &Scene, courses: &[Course]) {
        for (edge, course) in courses.iter().enumerate() {
            let Across::Loop(_, thing) = course.across else { continue };
            let sides = match thing {
                Thing::Node(node) => &mut self.node_sides[node.index()],
                Thing::Group(group) => &mut self.group_sides[group.index()],
            };
            let e = &scene.edges()[edge];
            let from = sides.slot_for(e.from, &self.port_labels);
            // A loop from a port to itself still needs two places.
            let to = if e.from == e.to { sides.new_slot() } else { sides.slot_for(e.to, &self.port_labels) };
            sides.loops.push(Loop { edge, from, to, label: self.edge_labels[edge].clone() });
        }
    }

    /// Measures all nodes.
    pub(crate) fn measure(&self, scene: &Scene, texts: &[NodeText]) -> Vec<Measure> {
        let direction: Direction = scene.main_direction();
        let nodes = scene.nodes().iter().zip(texts);
        nodes
            .zip(self.node_sides.iter().zip(&self.ends))
            .map(|((node, text), (sides, ends))| measure::node(node, text, sides.clone(), *ends, direction))
            .collect()
    }
}

impl Sides {
    fn has_port(&self, port: PortId) -> bool {
        self.left.iter().chain(&self.right).any(|s| s.port == Some(port))
    }

    fn new_slot(&mut self) -> usize {
        self.right.push(Slot { port: None, label: None });
        self.right.len() - 1
    }

    /// The place on the right side for an end of a loop: that of its port, or a new one.
    fn slot_for(&mut self, end: End, labels: &[Option<Fitted>]) -> usize {
        let End::Port(port) = end else { return self.new_slot() };
        self.right.iter().position(|s| s.port == Some(port)).unwrap_or_else(|| {
            self.right.push(Slot { port: Some(port), label: labels[port.index()].clone() });
            self.right.len() - 1
        })
    }
}

/// For every port, whether edges leave from it upwards and downwards.
struct Ways {
    of_port: Vec<[bool; 2]>,
}

impl Ways {
    fn new(scene: &Scene, courses: &[Course]) -> Self {
        let mut of_port = vec![[false; 2]; scene.ports().len()];
        for (edge, course) in scene.edges().iter().zip(courses) {
            for (end, own) in [edge.from, edge.to].into_iter().enumerate() {
                if let (End::Port(port), false) = (own, matches!(course.across, Across::Loop(..))) {
                    of_port[port.index()][usize::from(course.leaves_down(end))] = true;
                }
            }
        }
        Self { of_port }
    }
}

/// How many ends there are on the busier of the upper and lower side of each node.
fn ends(scene: &Scene, courses: &[Course], boundary: &Boundary) -> Vec<Ends> {
    let mut counts = vec![[0_usize; 2]; scene.nodes().len()];
    let mut widest = vec![0.0_f64; scene.nodes().len()];
    let mut counted = vec![false; scene.ports().len()];
    for (edge, course) in scene.edges().iter().zip(courses) {
        if matches!(course.across, Across::Loop(..)) {
            continue;
        }
        for (end, own) in [edge.from, edge.to].into_iter().enumerate() {
            let node = match own {
                End::Node(node) => node,
                End::Port(port) => {
                    let node = scene.ports()[port.index()].0;
                    let sided = boundary.node_sides[node.index()].has_port(port);
                    if sided || std::mem::replace(&mut counted[port.index()], true) {
                        continue;
                    }
                    if let Some(label) = &boundary.port_labels[port.index()] {
                        widest[node.index()] = widest[node.index()].max(label.width);
                    }
                    node
                }
                End::Group(_) => continue,
            };
            counts[node.index()][usize::from(course.leaves_down(end))] += 1;
        }
    }
    let most = counts.into_iter().map(|[above, below]| above.max(below));
    most.zip(widest).map(|(most, widest)| Ends { most, widest }).collect()
}

/// Returns the text on an edge: its label, or else the name that the ports at both its ends share.
pub(crate) fn edge_label(scene: &Scene, edge: usize) -> &str {
    let e = &scene.edges()[edge];
    match (e.from, e.to) {
        (End::Port(from), End::Port(to)) if e.label.is_empty() => {
            let (from, to) = (&scene.ports()[from.index()].1.label, &scene.ports()[to.index()].1.label);
            if from == to { from } else { "" }
        }
        _ => &e.label,
    }
}

/// For every port, its name if it is written at the port: not where an edge that ends there has the same.
fn port_labels(scene: &Scene) -> Vec<Option<Fitted>> {
    let mut told = vec![false; scene.ports().len()];
    for (at, edge) in scene.edges().iter().enumerate() {
        for end in [edge.from, edge.to] {
            if let End::Port(port) = end {
                told[port.index()] |= scene.ports()[port.index()].1.label == edge_label(scene, at);
            }
        }
    }
    let ports = scene.ports().iter().zip(told);
    ports.map(|((_, port), told)| if told { None } else { Fitted::port(&port.label) }).collect()
}
