//! Things that depend on themselves: for messages, one shortest circle of each knot.

use std::collections::VecDeque;

use locus_relational::strong_parts;
use rustc_hash::FxHashMap;

/// One circle for each set of nodes that all lead to each other: a shortest one through the first of them. Nodes are
/// numbers, and `edges` has for each of them where it leads, with whatever is known of the edge. A circle has its
/// nodes in order, each with the edge that leaves it. Linear time but for the search within each set.
pub fn circles<E: Copy>(edges: &[Vec<(usize, E)>]) -> Vec<Vec<(usize, E)>> {
    let successors: Vec<Vec<usize>> =
        edges.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
    let (part, count) = strong_parts(&successors);
    let mut done = vec![false; count];
    (0..edges.len())
        .filter(|&start| !std::mem::replace(&mut done[part[start]], true))
        .filter_map(|start| shortest(start, edges, &part))
        .collect()
}

/// For each node the number of its knot: the set of nodes that all lead to each other. A node in no circle is one by
/// itself.
pub fn knots(successors: &[Vec<usize>]) -> Vec<usize> {
    strong_parts(successors).0
}

/// A shortest way from a node back to itself within its part.
fn shortest<E: Copy>(start: usize, edges: &[Vec<(usize, E)>], part: &[usize]) -> Option<Vec<(usize, E)>> {
    let mut from: FxHashMap<usize, (usize, E)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &(target, edge) in &edges[node] {
            if part[target] != part[start] || from.contains_key(&target) {
                continue;
            }
            from.insert(target, (node, edge));
            if target == start {
                let mut circle = vec![(node, edge)];
                while let Some((before, edge)) = circle.last().and_then(|(node, _)| from.get(node).copied())
                    && circle.last().is_some_and(|(node, _)| *node != start)
                {
                    circle.push((before, edge));
                }
                circle.reverse();
                return Some(circle);
            }
            queue.push_back(target);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(edges: &[&[usize]]) -> Vec<Vec<(usize, char)>> {
        let named: Vec<Vec<(usize, char)>> = edges
            .iter()
            .map(|targets| {
                targets.iter().map(|&to| (to, char::from(b'a' + u8::try_from(to).unwrap()))).collect()
            })
            .collect();
        circles(&named)
    }

    #[test]
    fn a_shortest_circle_of_each_knot() {
        assert!(found(&[&[1], &[2], &[]]).is_empty());
        assert_eq!(found(&[&[0]]), [[(0, 'a')]]);
        assert_eq!(found(&[&[1], &[2], &[0, 1]]), [[(0, 'b'), (1, 'c'), (2, 'a')]]);
        assert_eq!(found(&[&[1, 2], &[3], &[0], &[0]]), [[(0, 'c'), (2, 'a')]]);
        assert_eq!(found(&[&[1], &[0, 2], &[3], &[2]]), [[(0, 'b'), (1, 'a')], [(2, 'd'), (3, 'c')]]);
        assert_eq!(found(&[&[1], &[1]]), [[(1, 'b')]]);
    }

    #[test]
    fn long_chains_take_no_stack() {
        let mut edges: Vec<Vec<(usize, ())>> = (1..=100_000).map(|to| vec![(to, ())]).collect();
        edges.push(Vec::new());
        assert!(circles(&edges).is_empty());
        edges[100_000].push((0, ()));
        assert_eq!(circles(&edges)[0].len(), 100_001);
    }
}
