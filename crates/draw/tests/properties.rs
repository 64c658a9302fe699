//! Properties of the layout of any scene, checked on random ones.

use locus_draw::{
    Anchor, Direction, Edge, End, Group, GroupId, LabelPlace, Layout, Limits, Node, NodeId, NodePlace,
    Options, Point, Port, PortId, PortKind, Scene, Shape, dot, layout, svg,
};
use proptest::prelude::*;

/// How far apart two things must be to count as not touching.
const SLACK: f64 = 0.1;

#[derive(Debug, Clone, Copy)]
struct Rect {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Rect {
    fn of_node(place: &NodePlace) -> Self {
        let (x, y) = (place.centre.x, place.centre.y);
        let (w, h) = (place.width / 2.0, place.height / 2.0);
        Self { left: x - w, top: y - h, right: x + w, bottom: y + h }
    }

    fn of_group(layout: &Layout, group: GroupId) -> Self {
        let place = &layout.groups[group.index()];
        let (x, y) = (place.corner.x, place.corner.y);
        Self { left: x, top: y, right: x + place.width, bottom: y + place.height }
    }

    fn of_label(label: &LabelPlace) -> Self {
        let left = match label.anchor {
            Anchor::Start => label.at.x,
            Anchor::Middle => label.at.x - label.width / 2.0,
            Anchor::End => label.at.x - label.width,
        };
        Self { left, top: label.at.y - 7.0, right: left + label.width, bottom: label.at.y + 1.0 }
    }

    fn apart(&self, other: &Self) -> bool {
        self.right <= other.left + SLACK
            || other.right <= self.left + SLACK
            || self.bottom <= other.top + SLACK
            || other.bottom <= self.top + SLACK
    }

    fn holds(&self, other: &Self) -> bool {
        self.left <= other.left + SLACK
            && self.top <= other.top + SLACK
            && self.right >= other.right - SLACK
            && self.bottom >= other.bottom - SLACK
    }
}

/// Whether a point is on the outline of a node, within a pixel.
fn on_boundary(node: &Node, place: &NodePlace, point: Point) -> bool {
    let (dx, dy) = (point.x - place.centre.x, point.y - place.centre.y);
    let (a, b) = (place.width / 2.0, place.height / 2.0);
    match node.shape {
        Shape::Oval | Shape::Circle => ((dx / a).hypot(dy / b) - 1.0).abs() * a.min(b) < 1.0,
        Shape::Box | Shape::Rounded => {
            let outside = (dx.abs() - a).max(dy.abs() - b);
            outside.abs() < 1.0
        }
    }
}

/// The kind and number of an end of an edge.
type RecipeEnd = (u8, usize);

/// The recipe of a random scene.
#[derive(Debug, Clone)]
struct Recipe {
    right: bool,
    /// The parent of each group, one further than the last for none.
    groups: Vec<usize>,
    /// The shape, group and name length of each node.
    nodes: Vec<(u8, usize, usize)>,
    ports: Vec<(usize, u8)>,
    /// Both ends, and whether there is a label.
    edges: Vec<(RecipeEnd, RecipeEnd, bool)>,
}

fn recipe(nodes: usize, edges: usize) -> impl Strategy<Value = Recipe> {
    let end = || (0..8_u8, any::<usize>());
    (
        any::<bool>(),
        prop::collection::vec(any::<usize>(), 0..6),
        prop::collection::vec((0..4_u8, any::<usize>(), 0..40_usize), 1..nodes),
        prop::collection::vec((any::<usize>(), 0..3_u8), 0..nodes),
        prop::collection::vec((end(), end(), any::<bool>()), 0..edges),
    )
        .prop_map(|(right, groups, nodes, ports, edges)| Recipe { right, groups, nodes, ports, edges })
}

fn build(recipe: &Recipe) -> Scene {
    let direction = if recipe.right { Direction::Right } else { Direction::Down };
    let mut scene = Scene::new("random").direction(direction);
    let mut groups: Vec<GroupId> = Vec::new();
    for parent in &recipe.groups {
        let group = Group::new("g", "a group");
        let parent = groups.get(parent % (groups.len() + 1)).copied();
        groups.push(scene.add_group(match parent {
            Some(parent) => group.inside(parent),
            None => group,
        }));
    }
    let mut nodes: Vec<NodeId> = Vec::new();
    for &(shape, group, length) in &recipe.nodes {
        let shape = [Shape::Oval, Shape::Circle, Shape::Box, Shape::Rounded][shape as usize];
        let node = Node::new("n", "n".repeat(length)).shape(shape);
        nodes.push(scene.add_node(match groups.get(group % (groups.len() + 1)) {
            Some(&group) => node.inside(group),
            None => node,
        }));
    }
    let mut ports: Vec<PortId> = Vec::new();
    for &(node, kind) in &recipe.ports {
        let kind = [PortKind::Provided, PortKind::Required, PortKind::Plain][kind as usize];
        ports.push(scene.add_port(nodes[node % nodes.len()], Port::new(format!("p{}", ports.len()), kind)));
    }
    let end = |(kind, number): (u8, usize)| -> End {
        match kind {
            0 if !groups.is_empty() => groups[number % groups.len()].into(),
            1..=3 if !ports.is_empty() => ports[number % ports.len()].into(),
            _ => nodes[number % nodes.len()].into(),
        }
    };
    for &(from, to, label) in &recipe.edges {
        let edge = Edge::arrow(end(from), end(to));
        scene.add_edge(if label { edge.label("a label") } else { edge });
    }
    scene
}

/// Whether a group is, or is inside, another.
fn within(scene: &Scene, group: Option<GroupId>, outer: GroupId) -> bool {
    let mut at = group;
    while let Some(group) = at {
        if group == outer {
            return true;
        }
        at = scene.groups()[group.index()].parent;
    }
    false
}

fn group_ids(scene: &Scene) -> Vec<GroupId> {
    // Ids are only given out when things are added, so they are collected from a copy of the scene.
    let mut copy = Scene::new("");
    scene.groups().iter().map(|g| copy.add_group(g.clone())).collect()
}

fn check_places(scene: &Scene, layout: &Layout) -> Result<(), TestCaseError> {
    let picture = Rect { left: 0.0, top: 0.0, right: layout.width, bottom: layout.height };
    let nodes: Vec<Rect> = layout.nodes.iter().map(Rect::of_node).collect();
    for (i, a) in nodes.iter().enumerate() {
        prop_assert!(picture.holds(a));
        for b in &nodes[i + 1..] {
            prop_assert!(a.apart(b), "nodes overlap: {a:?} {b:?}");
        }
    }
    let groups = group_ids(scene);
    for &group in &groups {
        let frame = Rect::of_group(layout, group);
        prop_assert!(picture.holds(&frame));
        for (node, rect) in scene.nodes().iter().zip(&nodes) {
            if within(scene, node.group, group) {
                prop_assert!(frame.holds(rect), "a node leaves its group");
            } else {
                prop_assert!(frame.apart(rect), "a node is in a strange group");
            }
        }
        for &other in &groups {
            let other_frame = Rect::of_group(layout, other);
            if within(scene, Some(other), group) {
                prop_assert!(frame.holds(&other_frame));
            } else if !within(scene, Some(group), other) {
                prop_assert!(frame.apart(&other_frame), "groups overlap");
            }
        }
    }
    Ok(())
}

fn check_ends(scene: &Scene, layout: &Layout) -> Result<(), TestCaseError> {
    for ((node, _), place) in scene.ports().iter().zip(&layout.ports) {
        let (node, node_place) = (&scene.nodes()[node.index()], &layout.nodes[node.index()]);
        prop_assert!(on_boundary(node, node_place, place.at), "{place:?} {node_place:?}");
    }
    for (edge, place) in scene.edges().iter().zip(&layout.edges) {
        prop_assert_eq!(place.path.len() % 3, 1);
        prop_assert!(place.path.len() >= 4);
        prop_assert!(place.path.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
        for (end, point) in [(edge.from, place.path[0]), (edge.to, place.path[place.path.len() - 1])] {
            match end {
                End::Node(node) => {
                    prop_assert!(on_boundary(
                        &scene.nodes()[node.index()],
                        &layout.nodes[node.index()],
                        point
                    ));
                }
                // An edge to a port ends at its dot; the second place of a loop from a port to itself does not.
                End::Port(port) if edge.from != edge.to => {
                    let dot = layout.ports[port.index()].at;
                    prop_assert!((dot.x - point.x).hypot(dot.y - point.y) < 1.0);
                }
                End::Port(_) | End::Group(_) => {}
            }
        }
    }
    Ok(())
}

fn check_labels(scene: &Scene, layout: &Layout) -> Result<(), TestCaseError> {
    let labels: Vec<Rect> =
        layout.edges.iter().filter_map(|e| e.label.as_ref()).map(Rect::of_label).collect();
    let nodes: Vec<Rect> = layout.nodes.iter().map(Rect::of_node).collect();
    for (i, label) in labels.iter().enumerate() {
        for node in &nodes {
            prop_assert!(label.apart(node), "a label lies on a node");
        }
        for other in &labels[i + 1..] {
            prop_assert!(label.apart(other), "two labels overlap");
        }
    }
    // A loop from a port to itself is called like the port.
    let named = |e: &Edge| !e.label.is_empty() || e.from == e.to && matches!(e.from, End::Port(_));
    let wanted = scene.edges().iter().filter(|e| named(e)).count();
    prop_assert_eq!(labels.len(), wanted);
    Ok(())
}

/// A point of the Bézier curve that starts at a point of a path.
fn bezier(path: &[Point], start: usize, t: f64) -> Point {
    let u = 1.0 - t;
    let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
    let mix = |f: fn(&Point) -> f64| {
        weights.iter().zip(&path[start..]).map(|(weight, point)| weight * f(point)).sum::<f64>()
    };
    Point { x: mix(|p| p.x), y: mix(|p| p.y) }
}

/// Whether a point is inside a node, further than a little from its outline.
fn inside(node: &Node, place: &NodePlace, point: Point) -> bool {
    let (dx, dy) = ((point.x - place.centre.x).abs(), (point.y - place.centre.y).abs());
    let (a, b) = (place.width / 2.0 - 3.0, place.height / 2.0 - 3.0);
    match node.shape {
        Shape::Oval | Shape::Circle => (dx / a).hypot(dy / b) < 1.0,
        Shape::Box | Shape::Rounded => dx < a && dy < b,
    }
}

fn check_ways(scene: &Scene, layout: &Layout) -> Result<(), TestCaseError> {
    let node_of = |end: End| match end {
        End::Node(node) => Some(node),
        End::Port(port) => Some(scene.ports()[port.index()].0),
        End::Group(_) => None,
    };
    for (edge, place) in scene.edges().iter().zip(&layout.edges) {
        // A loop may cut a corner of its own node.
        if node_of(edge.from).is_some() && node_of(edge.from) == node_of(edge.to) {
            continue;
        }
        for start in (0..place.path.len() - 1).step_by(3) {
            for t in 0..=10 {
                let point = bezier(&place.path, start, f64::from(t) / 10.0);
                for (node, node_place) in scene.nodes().iter().zip(&layout.nodes) {
                    prop_assert!(!inside(node, node_place, point), "an edge runs through a node");
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn everything_has_its_place(recipe in recipe(16, 24)) {
        let scene = build(&recipe);
        let layout = layout(&scene, &Limits::default()).expect("within the limits");
        check_places(&scene, &layout)?;
        check_ends(&scene, &layout)?;
        check_labels(&scene, &layout)?;
        check_ways(&scene, &layout)?;
    }

    #[test]
    fn the_layout_depends_on_the_scene_alone(recipe in recipe(12, 20)) {
        let scene = build(&recipe);
        let limits = Limits::default();
        prop_assert_eq!(layout(&scene, &limits), layout(&scene.clone(), &limits));
        prop_assert_eq!(dot(&scene), dot(&build(&recipe)));
    }

    #[test]
    fn any_name_gives_well_formed_xml(
        title in any::<String>(),
        names in prop::collection::vec(any::<String>(), 1..5),
    ) {
        let mut scene = Scene::new(title).description(names[0].clone());
        let group = scene.add_group(Group::new(names[0].clone(), names[0].clone()).tooltip(names[0].clone()));
        for name in &names {
            let node = Node::oval(name.clone(), name.clone()).line(name.clone()).category(name.clone());
            let node = scene.add_node(node.tooltip(name.clone()).inside(group));
            let port = scene.add_port(node, Port::new(name.clone(), PortKind::Required).tooltip(name.clone()));
            scene.add_port(node, Port::new(name.clone(), PortKind::Provided));
            scene.add_edge(Edge::arrow(port, group).label(name.clone()).category(name.clone()));
        }
        let text = svg(&scene, &Options::default()).expect("within the limits");
        let document = roxmltree::Document::parse(&text).expect("well-formed");
        let shapes = document.descendants().filter(|n| n.attribute("class") == Some("shape")).count();
        prop_assert!(shapes >= names.len());
        prop_assert!(document.descendants().all(|n| n.tag_name().name() != "script"));
    }
}
