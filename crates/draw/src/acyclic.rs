//! Which edges to turn round so that no cycle is left.
//!
//! A depth-first search starts at the nodes that nothing leads to, in the order they were added, and turns
//! round every edge that leads back to where the search came from. So a chain that returns to its start keeps
//! its start on top, which is what people expect of states and of dependencies.

use crate::layering::{Pull, longest_path};

/// For every edge of a graph with `count` nodes, whether it is to be turned round. Self loops never are.
pub(crate) fn reversed(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_incoming = vec![false; count];
    for (edge, &(from, to)) in edges.iter().enumerate() {
        if from != to {
            outgoing[from].push(edge);
            has_incoming[to] = true;
        }
    }
    let mut search =
        Search { edges, outgoing, state: vec![State::New; count], turned: vec![false; edges.len()] };
    for root in (0..count).filter(|&n| !has_incoming[n]).chain(0..count) {
        search.run(root);
    }
    search.turned
}

/// The same for edges without a direction of their own, where a graph would become too deep: if many layers can
/// be saved, every edge leads away from the middle of its component.
pub(crate) fn reversed_undirected(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let along = reversed(count, edges);
    let deep = depth(count, edges, &along);
    if (deep as f64) < 2.0 * (count as f64).sqrt() + 2.0 {
        return along;
    }
    let distance = distances_from_middle(count, edges);
    let key = |node: usize| (distance[node], node);
    let outward: Vec<bool> = edges.iter().map(|&(from, to)| key(from) > key(to)).collect();
    if depth(count, edges, &outward) * 10 <= deep * 6 { outward } else { along }
}

/// The number of edges on the longest way down.
fn depth(count: usize, edges: &[(usize, usize)], turned: &[bool]) -> usize {
    let pull = |(&(from, to), &turned): (&(usize, usize), &bool)| {
        let (upper, lower) = if turned { (to, from) } else { (from, to) };
        (from != to).then_some(Pull { upper, lower, length: 1, weight: 1 })
    };
    let pulls: Vec<Pull> = edges.iter().zip(turned).filter_map(pull).collect();
    longest_path(count, &pulls).into_iter().max().unwrap_or(0) as usize
}

/// How far each node is from the middle of its component: of a longest among the shortest ways through it,
/// nearly, for it is found by two searches only.
fn distances_from_middle(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges {
        touching[from].push(to);
        touching[to].push(from);
    }
    let mut result = vec![0; count];
    let mut done = vec![false; count];
    for start in 0..count {
        if done[start] {
            continue;
        }
        let first = breadth_first(&touching, start);
        let far = first.last().map_or(start, |v| v.node);
        let across = breadth_first(&touching, far);
        let half = across.last().map_or(0, |v| v.distance) / 2;
        // Half the way back from the far end of the second search.
        let mut at = across.len() - 1;
        while across[at].distance > half {
            at = across[at].before;
        }
        for visit in breadth_first(&touching, across[at].node) {
            result[visit.node] = visit.distance;
            done[visit.node] = true;
        }
    }
    result
}

struct Visit {
    node: usize,
    distance: usize,
    /// The visit from which this one was found.
    before: usize,
}

/// All nodes that can be reached from one, the nearest first.
fn breadth_first(touching: &[Vec<usize>], start: usize) -> Vec<Visit> {
    let mut seen = vec![false; touching.len()];
    seen[start] = true;
    let mut visits = vec![Visit { node: start, distance: 0, before: 0 }];
    let mut next = 0;
    while next < visits.len() {
        let (node, distance) = (visits[next].node, visits[next].distance + 1);
        for &other in &touching[node] {
            if !std::mem::replace(&mut seen[other], true) {
                visits.push(Visit { node: other, distance, before: next });
            }
        }
        next += 1;
    }
    visits
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Search<'a> {
    edges: &'a [(usize, usize)],
    outgoing: Vec<Vec<usize>>,
    state: Vec<State>,
    turned: Vec<bool>,
}

impl Search<'_> {
    /// The search proper, with its own stack: a chain of thousands of nodes must not overflow ours.
    fn run(&mut self, root: usize) {
        if self.state[root] != State::New {
            return;
        }
        self.state[root] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((node, position)) = stack.last_mut() {
            let Some(&edge) = self.outgoing[*node].get(*position) else {
                self.state[*node] = State::Done;
                stack.pop();
                continue;
            };
            *position += 1;
            let to = self.edges[edge].1;
            match self.state[to] {
                State::New => {
                    self.state[to] = State::Open;
                    stack.push((to, 0));
                }
                State::Open => self.turned[edge] = true,
                State::Done => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_ring_is_cut_where_it_returns() {
        assert_eq!(reversed(3, &[(0, 1), (1, 2), (2, 0)]), [false, false, true]);
    }

    #[test]
    fn the_search_starts_where_nothing_leads_to() {
        // 2 leads into the ring of 0 and 1, so the ring is entered at 1.
        assert_eq!(reversed(3, &[(0, 1), (1, 0), (2, 1)]), [true, false, false]);
    }

    #[test]
    fn a_long_chain_without_direction_hangs_by_its_middle() {
        let edges: Vec<(usize, usize)> = (0..100).map(|at| (at, at + 1)).collect();
        let turned = reversed_undirected(101, &edges);
        assert_eq!(depth(101, &edges, &turned), 50);
        assert!(turned[..50].iter().all(|t| *t) && turned[50..].iter().all(|t| !t));
    }

    proptest! {
        #[test]
        fn nothing_is_left_of_any_cycle(
            edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..40),
            directed in any::<bool>(),
        ) {
            let turned = if directed { reversed(12, &edges) } else { reversed_undirected(12, &edges) };
            let mut left: Vec<(usize, usize)> = edges
                .iter()
                .zip(&turned)
                .map(|(&(a, b), &turn)| if turn { (b, a) } else { (a, b) })
                .filter(|(a, b)| a != b)
                .collect();
            // Nodes that nothing leads to can be taken away until none is left.
            let mut nodes: Vec<usize> = (0..12).collect();
            while let Some(at) = nodes.iter().position(|n| left.iter().all(|e| e.1 != *n)) {
                let node = nodes.remove(at);
                left.retain(|e| e.0 != node);
            }
            prop_assert!(nodes.is_empty());
        }
    }
}
