//! Snapshots of what people read: a small picture as SVG and as Graphviz text, and the errors.

use locus_draw::{
    DrawError, Edge, Group, Limits, Node, Options, Port, PortKind, Scene, Theme, dot, layout, svg,
};

fn small() -> Scene {
    let mut scene = Scene::new("Two locations <shop>");
    let net = scene.add_group(Group::new("net", "network"));
    let web = scene.add_node(Node::oval("web", "web").line("Server").category("server"));
    let db = scene.add_node(Node::oval("db", "db & log").category("store").inside(net).tooltip("100 GiB"));
    let need = scene.add_port(web, Port::new("store", PortKind::Required));
    let offer = scene.add_port(db, Port::new("store", PortKind::Provided));
    scene.add_port(web, Port::new("http", PortKind::Provided));
    scene.add_edge(Edge::line(need, offer));
    scene.add_edge(Edge::arrow(db, db).label("vacuum"));
    scene
}

#[test]
fn a_small_picture() {
    insta::assert_snapshot!(svg(&small(), &Options::default()).expect("small"));
}

#[test]
fn a_small_picture_for_graphviz() {
    insta::assert_snapshot!(dot(&small()));
}

#[test]
fn the_dark_theme_has_no_light_colours() {
    let text = svg(&small(), &Options { theme: Theme::Dark, ..Options::default() }).expect("small");
    assert!(text.contains("#14181f") && !text.contains("#ffffff") && !text.contains("@media"));
}

#[test]
fn nothing_at_all_is_a_picture_too() {
    let text = svg(&Scene::new("empty"), &Options::default()).expect("empty");
    assert!(roxmltree::Document::parse(&text).is_ok());
}

#[test]
fn without_legend_and_paper() {
    let options = Options { legend: false, background: false, ..Options::default() };
    let text = svg(&small(), &options).expect("small");
    assert!(!text.contains("class=\"legend\"") && !text.contains("class=\"paper\""));
}

#[test]
fn a_scene_beyond_a_limit_is_refused() {
    let limits = Limits { nodes: 2, ..Limits::default() };
    let error = layout(&small(), &limits).expect_err("three things");
    assert_eq!(error, DrawError::TooLarge { what: "nodes and groups", count: 3, limit: 2 });
    insta::assert_snapshot!(error, @"too large to draw: 3 nodes and groups, and the limit is 2; draw a part of it, or raise the limit");
}

#[test]
fn groups_nested_too_deeply_are_refused() {
    let mut scene = Scene::new("deep");
    let mut group = scene.add_group(Group::new("g", "g"));
    for _ in 0..200 {
        group = scene.add_group(Group::new("g", "g").inside(group));
    }
    assert!(layout(&scene, &Limits::default()).is_err());
    let limits = Limits { depth: 201, ..Limits::default() };
    assert!(layout(&scene, &limits).is_ok());
}

#[test]
fn a_long_ring_with_long_edges_is_drawn_all_the_same() {
    let mut scene = Scene::new("ring");
    let nodes: Vec<_> = (0..1500).map(|i| scene.add_node(Node::new("n", format!("n{i}")))).collect();
    for at in 0..nodes.len() {
        scene.add_edge(Edge::arrow(nodes[at], nodes[(at + 1) % nodes.len()]).label("next"));
        scene.add_edge(Edge::arrow(nodes[at % 40], nodes[nodes.len() - 1 - at % 70]));
    }
    let layout = layout(&scene, &Limits::default()).expect("within the limits");
    assert!(layout.edges.iter().all(|e| e.path.len() >= 4));
}
