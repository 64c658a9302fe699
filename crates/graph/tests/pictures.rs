//! The report's figures as pictures.

use std::path::Path;

use locus_graph::picture;
use locus_graph::text::read;
use locus_source::{Limits, Sources};

fn scene(name: &str) -> locus_draw::Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let file = Sources::new().add(name, std::fs::read_to_string(path).unwrap());
    picture(&read(&file, &Limits::default()).graph, name)
}

#[test]
fn every_location_and_every_unbound_role_is_named_in_the_svg() {
    let svg = locus_draw::svg(&scene("figure1.lg.yaml"), &locus_draw::Options::default()).unwrap();
    for text in ["C", "D", "E", "F", "needs-c", "offers-f"] {
        assert!(svg.contains(&format!(">{text}<")), "{text} is not in {svg}");
    }
}

#[test]
fn every_location_and_every_role_is_named_for_graphviz() {
    let dot = locus_draw::dot(&scene("figure1.lg.yaml"));
    for text in ["C", "D", "E", "F", "c", "d", "f", "needs-c", "offers-f"] {
        assert!(dot.contains(&format!("\"{text}\"")), "{text} is not in {dot}");
    }
}

#[test]
fn the_web_stack_has_nested_boxes() {
    let scene = scene("web.lg.yaml");
    let svg = locus_draw::svg(&scene, &locus_draw::Options::default()).unwrap();
    for text in ["private", "zone-a", "balancer", "https"] {
        assert!(svg.contains(text), "{text}");
    }
    assert_eq!(scene.groups().len(), 3);
}
