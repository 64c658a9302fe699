//! As a graph, for Graphviz.

use std::fmt::Write;

use crate::Model;
use crate::evaluate::name;
use crate::instance::Instance;

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An instance as a graph: atoms are nodes, tuples are edges from their first to their last atom, with what lies
/// between on the edge. Atoms of integers and strings appear where a tuple has them.
pub fn dot(model: &Model, instance: &Instance) -> String {
    let world = model.world();
    let mut out = String::from("digraph instance {\n  node [shape=box, fontname=\"sans-serif\"];\n");
    out.push_str("  edge [fontname=\"sans-serif\"];\n");
    let shown = |sig| {
        let declared = world.sig(sig);
        !declared.private || declared.module.0 == 0
    };
    for sig in world.user_sigs().filter(|&sig| shown(sig)) {
        let declared = world.sig(sig);
        for tuple in instance.sig(sig).iter().filter(|_| declared.is_prim()) {
            if declared.children.iter().any(|&child| instance.sig(child).contains(tuple)) {
                continue;
            }
            let atom = name(instance, tuple[0]);
            let subsets: Vec<&str> = world
                .user_sigs()
                .filter(|&s| !world.sig(s).is_prim() && instance.sig(s).contains(tuple))
                .map(|s| world.short(s))
                .collect();
            let label =
                if subsets.is_empty() { atom.clone() } else { format!("{atom}\n({})", subsets.join(", ")) };
            let _ = writeln!(out, "  {} [label={}];", quoted(&atom), quoted(&label).replace('\n', "\\n"));
        }
    }
    for sig in world.user_sigs().filter(|&sig| shown(sig)) {
        for &field in world.sig(sig).decls.iter().flat_map(|decl| &decl.fields) {
            for tuple in instance.field(field) {
                let atoms: Vec<String> = tuple.iter().map(|&atom| name(instance, atom)).collect();
                let (first, last) = (&atoms[0], &atoms[atoms.len() - 1]);
                let between = &atoms[1..atoms.len() - 1];
                let field_name = &world.field(field).name;
                let label = if between.is_empty() {
                    field_name.clone()
                } else {
                    format!("{field_name} [{}]", between.join(", "))
                };
                let _ = writeln!(out, "  {} -> {} [label={}];", quoted(first), quoted(last), quoted(&label));
            }
        }
    }
    out.push_str("}\n");
    out
}
