//! The nesting of declared boxes: no circles, and not too deep. In linear time.

use locus_source::words::short;
use locus_source::{Finding, Place};

use crate::model::BOX_DEPTH;
use crate::rules::BOX_NESTING;
use crate::text::fields::Report;
use crate::{BoxId, LocationGraph};

/// Puts boxes into others, each with the place that says so; reports those for which that cannot be.
pub(super) fn nest(graph: &mut LocationGraph, nesting: Vec<(BoxId, BoxId, Place)>, report: &mut Report) {
    let count = graph.boxes().count();
    let mut outer: Vec<Option<(BoxId, Place)>> = vec![None; count];
    for (inner, around, place) in nesting {
        outer[inner.index()] = Some((around, place));
    }
    let mut inside: Vec<Vec<BoxId>> = vec![Vec::new(); count];
    for inner in graph.boxes() {
        if let Some((around, _)) = outer[inner.index()] {
            inside[around.index()].push(inner);
        }
    }
    // From the outside to the inside, so that each box is nested into one that is already in its place.
    let mut depth: Vec<Option<usize>> = vec![None; count];
    let mut queue: Vec<BoxId> = graph.boxes().filter(|id| outer[id.index()].is_none()).collect();
    for id in &queue {
        depth[id.index()] = Some(0);
    }
    while let Some(around) = queue.pop() {
        let below = depth[around.index()].expect("what is in the queue has a depth") + 1;
        for &inner in &inside[around.index()] {
            depth[inner.index()] = Some(below);
            if graph.nest_box(inner, Some(around)) {
                queue.push(inner);
            } else if let Some((_, place)) = outer[inner.index()] {
                let name = short(graph.box_name(inner));
                let message = format!("the box `{name}` is more than {BOX_DEPTH} levels deep");
                report.add(|| Finding::new(&BOX_NESTING, place, message));
            }
        }
    }
    circles(graph, &outer, depth, report);
}

/// Reports each circle among the boxes that have no depth, once, with all its boxes.
fn circles(
    graph: &LocationGraph,
    outer: &[Option<(BoxId, Place)>],
    depth: Vec<Option<usize>>,
    report: &mut Report,
) {
    let mut seen: Vec<bool> = depth.into_iter().map(|depth| depth.is_some()).collect();
    for start in graph.boxes() {
        let mut path: Vec<(BoxId, Place)> = Vec::new();
        let mut at = start;
        while !std::mem::replace(&mut seen[at.index()], true) {
            let Some((around, place)) = outer[at.index()] else { break };
            path.push((at, place));
            at = around;
        }
        // The path ends where it meets itself, or something that an earlier path, or a box that is too deep,
        // accounts for.
        let Some(begin) = path.iter().position(|(id, _)| *id == at) else { continue };
        let (id, place) = path[begin];
        report.add(|| {
            let message = format!("the box `{}` is inside itself", short(graph.box_name(id)));
            let finding = Finding::new(&BOX_NESTING, place, message);
            let finding = path[begin + 1..].iter().fold(finding, |finding, (id, place)| {
                finding.also(*place, format!("through `{}`", short(graph.box_name(*id))))
            });
            finding.help("take one of the boxes out of the circle")
        });
    }
}
