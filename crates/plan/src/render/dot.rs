//! A plan for Graphviz: a node for each step, an edge for each step that waits for another.

use std::fmt::Write;

use locus_aeolus::Universe;

use super::words;
use crate::problem::Plan;
use crate::shape::Shape;

/// The partial order in the language of Graphviz. The critical path is drawn with thick lines.
pub fn dot(universe: &Universe, plan: &Plan, shape: &Shape) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
    let mut text =
        String::from("digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    let is_critical = |step: u32| shape.critical.binary_search(&step).is_ok();
    for (index, step) in plan.steps.iter().enumerate() {
        let (verb, rest) = words::step(universe, plan, step);
        let style = if is_critical(index as u32) { ", penwidth=2" } else { "" };
        let _ =
            writeln!(text, "  s{} [label=\"{}. {verb} {}\"{style}];", index + 1, index + 1, quoted(&rest));
    }
    for (index, step) in plan.steps.iter().enumerate() {
        for &before in &step.after {
            let next = shape.critical.windows(2).any(|pair| pair == [before, index as u32]);
            let style = if next { " [penwidth=2]" } else { "" };
            let _ = writeln!(text, "  s{} -> s{}{style};", before + 1, index + 1);
        }
    }
    text.push_str("}\n");
    text
}
