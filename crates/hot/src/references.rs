//! References between resources: whether what they name is there, and whether they go in a circle.

use std::collections::VecDeque;
use std::sync::Arc;

use locus_schema::words::{did_you_mean, listed, short};
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use crate::properties::unsupported;
use crate::report::Report;
use crate::rules::{CYCLE, NO_ATTRIBUTE, NO_RESOURCE, NOT_CREATED};
use crate::template::{How, Kind, Reference, Resource, Template, Text};

/// Checks all references. `names` has every resource that is defined, even those that could not be read.
pub(crate) fn check(template: &Template, names: &[Arc<str>], report: &mut Report) {
    let by_name: FxHashMap<&str, Option<&Resource>> = names
        .iter()
        .map(|name| (&**name, None))
        .chain(template.resources.iter().map(|resource| (&*resource.name.text, Some(resource))))
        .collect();
    let mut checker = Checker { names, by_name, guesses: GUESSES, report };
    for resource in &template.resources {
        if resource.created != Some(false) {
            let certain = resource.created == Some(true);
            resource.references.iter().for_each(|reference| checker.reference(reference, certain));
        }
    }
    for output in &template.outputs {
        let certain = output.enabled == Some(true);
        output.references.iter().for_each(|reference| checker.reference(reference, certain));
    }
    cycles(template, report);
}

/// A guess looks at all names, so in a template with very many mistakes not every one gets one.
const GUESSES: usize = 100;

struct Checker<'c> {
    names: &'c [Arc<str>],
    by_name: FxHashMap<&'c str, Option<&'c Resource>>,
    /// For how many more names it is guessed what was meant.
    guesses: usize,
    report: &'c mut Report,
}

impl Checker<'_> {
    fn reference(&mut self, reference: &Reference, certain: bool) {
        let name = short(&reference.target);
        let Some(target) = self.by_name.get(&*reference.target) else {
            let message = format!("there is no resource `{name}`");
            let finding = Finding::new(&NO_RESOURCE, reference.place, message);
            let names = || self.names.iter().map(|name| &**name);
            let guessed = if self.guesses > 0 { names().collect() } else { Vec::new() };
            self.guesses = self.guesses.saturating_sub(1);
            let finding = did_you_mean(finding, &reference.target, guessed);
            self.report.add(finding.note(format!("the resources are {}", listed(names()))));
            return;
        };
        let Some(target) = target else { return };
        if reference.how == How::DependsOn {
            return;
        }
        if target.created == Some(false) && certain && !reference.uncertain {
            let message = format!("`{name}` is not created, since its condition is false");
            let finding = Finding::new(&NOT_CREATED, reference.place, message);
            self.report.add(finding.also(target.name.place, "the resource"));
        }
        if let How::Attribute(Some(attribute)) = &reference.how {
            self.attribute(target, attribute);
        }
    }

    fn attribute(&mut self, target: &Resource, attribute: &Text) {
        let of = format!("`{}`", short(&target.name.text));
        let name = short(&attribute.text);
        // All resources have `show`.
        if &*attribute.text == "show" {
            return;
        }
        let (kind, names): (_, Vec<&str>) = match &target.kind {
            Kind::Unknown => return,
            Kind::Known(kind) => {
                if let Some(found) = kind.attribute(&attribute.text) {
                    if let Some(status) = &found.status {
                        self.report.add(unsupported(
                            &format!("the attribute `{name}` of {of}"),
                            status,
                            attribute.place,
                        ));
                    }
                    return;
                }
                if kind.has_open_attributes() {
                    return;
                }
                ("the type", kind.attributes.iter().map(|attribute| &*attribute.name).collect())
            }
            Kind::Nested(inner) => {
                if inner.output(&attribute.text).is_some() || attribute.text.starts_with("resource.") {
                    return;
                }
                ("the template", inner.outputs.iter().map(|output| &*output.name.text).collect())
            }
        };
        let type_name = short(&target.type_name.text);
        let message = format!("{of} has no attribute `{name}`");
        let finding =
            Finding::new(&NO_ATTRIBUTE, attribute.place, message).also(target.type_name.place, "its type");
        let finding = did_you_mean(finding, &attribute.text, names.iter().copied());
        self.report
            .add(finding.note(format!("the attributes of {kind} `{type_name}` are {}", listed(names))));
    }
}

/// Who certainly waits for whom: for each resource the others, with the place that says so.
pub(crate) fn dependencies(template: &Template) -> Vec<Vec<(usize, Place)>> {
    let by_name: FxHashMap<&str, usize> =
        template.resources.iter().enumerate().map(|(at, resource)| (&*resource.name.text, at)).collect();
    let sure = |resource: &Resource| resource.created == Some(true) && resource.external_id.is_none();
    template
        .resources
        .iter()
        .map(|resource| {
            if !sure(resource) {
                return Vec::new();
            }
            let certain = resource.references.iter().filter(|reference| !reference.uncertain);
            let targets = certain.filter_map(|one| Some((*by_name.get(&*one.target)?, one.place)));
            targets.filter(|(target, _)| sure(&template.resources[*target])).collect()
        })
        .collect()
}

/// Reports the resources that depend on themselves: for each knot of them one circle, a shortest one.
fn cycles(template: &Template, report: &mut Report) {
    let edges = dependencies(template);
    let component = components(&edges);
    let mut done = vec![false; edges.len()];
    for start in 0..edges.len() {
        if std::mem::replace(&mut done[component[start]], true) {
            continue;
        }
        let Some(circle) = shortest_circle(start, &edges, &component) else { continue };
        let names: Vec<String> =
            circle.iter().map(|(at, _)| short(&template.resources[*at].name.text)).collect();
        let message = if let [one] = names.as_slice() {
            format!("the resource `{one}` depends on itself")
        } else {
            format!("resources depend on each other in a circle: {} → {}", names.join(" → "), names[0])
        };
        let mut finding = Finding::new(&CYCLE, circle[0].1, message);
        for (i, (_, place)) in circle.iter().enumerate().skip(1) {
            let next = &names[(i + 1) % names.len()];
            finding = finding.also(*place, format!("`{}` depends on `{next}`", names[i]));
        }
        report.add(finding.help("take one of the references or `depends_on` out of the circle"));
    }
}

/// For each node the number of its strongly connected component, which is that of its first node.
fn components(edges: &[Vec<(usize, Place)>]) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let count = edges.len();
    let (mut order, mut low, mut component) = (vec![NEW; count], vec![NEW; count], vec![NEW; count]);
    let (mut open, mut next): (Vec<usize>, usize) = (Vec::new(), 0);
    // Tarjan's algorithm, with a stack of our own: chains of ten thousand resources are fine.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..count {
        if order[root] == NEW {
            path.push((root, 0));
        }
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            if let Some((target, _)) = edges[node].get(edge) {
                path.push((node, edge + 1));
                if order[*target] == NEW {
                    path.push((*target, 0));
                } else if component[*target] == NEW {
                    low[node] = low[node].min(order[*target]);
                }
                continue;
            }
            if low[node] == order[node] {
                let start = open.iter().rposition(|other| *other == node).unwrap_or(0);
                let members = open.split_off(start);
                let first = members.iter().copied().min().unwrap_or(node);
                for member in members {
                    component[member] = first;
                }
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
        }
    }
    component
}

/// A shortest way from a node back to itself within its component: nodes with the place of the edge that leaves
/// them.
fn shortest_circle(
    start: usize,
    edges: &[Vec<(usize, Place)>],
    component: &[usize],
) -> Option<Vec<(usize, Place)>> {
    let mut from: FxHashMap<usize, (usize, Place)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for (target, place) in &edges[node] {
            if component[*target] != component[start] || from.contains_key(target) {
                continue;
            }
            from.insert(*target, (node, *place));
            if *target == start {
                let mut circle = Vec::new();
                let mut at = start;
                loop {
                    let (before, place) = from[&at];
                    circle.push((before, place));
                    at = before;
                    if at == start {
                        circle.reverse();
                        return Some(circle);
                    }
                }
            }
            queue.push_back(*target);
        }
    }
    None
}
