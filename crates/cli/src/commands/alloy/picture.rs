//! An instance as a picture: atoms are boxes, coloured by signature, and tuples are arrows.

use std::collections::BTreeMap;

use locus_alloy::{Instance, Model};
use locus_draw::{Edge, Node, NodeId, Scene};

/// The scene for an instance.
pub(super) fn scene(model: &Model, instance: &Instance) -> Scene {
    let world = model.world();
    let mut scene = Scene::new(&model.commands()[instance.command].name);
    let mut nodes: BTreeMap<String, NodeId> = BTreeMap::new();
    let shown = |sig| {
        let declared = world.sig(sig);
        !declared.private || declared.module.0 == 0
    };
    for sig in world.user_sigs().filter(|&sig| shown(sig) && world.sig(sig).is_prim()) {
        for tuple in instance.sig(sig) {
            if world.sig(sig).children.iter().any(|&child| instance.sig(child).contains(tuple)) {
                continue;
            }
            let label = instance.label(tuple[0]).to_owned();
            let mut node = Node::new(&label, &label).category(world.short(sig));
            for subset in
                world.user_sigs().filter(|&s| !world.sig(s).is_prim() && instance.sig(s).contains(tuple))
            {
                node = node.line(world.short(subset));
            }
            nodes.insert(label, scene.add_node(node));
        }
    }
    for sig in world.user_sigs().filter(|&sig| shown(sig)) {
        for &field in world.sig(sig).decls.iter().flat_map(|decl| &decl.fields) {
            for tuple in instance.field(field) {
                let atoms: Vec<&str> = tuple.iter().map(|&atom| instance.label(atom)).collect();
                let mut end = |label: &str| {
                    *nodes.entry(label.to_owned()).or_insert_with(|| scene.add_node(Node::new(label, label)))
                };
                let (from, to) = (end(atoms[0]), end(atoms[atoms.len() - 1]));
                let between = &atoms[1..atoms.len() - 1];
                let name = &world.field(field).name;
                let label = if between.is_empty() {
                    name.clone()
                } else {
                    format!("{name} [{}]", between.join(", "))
                };
                scene.add_edge(Edge::arrow(from, to).label(label));
            }
        }
    }
    scene
}
