//! Which edges to turn round so that no cycle is left.
//!
//! A depth-first search starts at the nodes that nothing leads to, in the order they were added, and turns
//! round every edge that leads back to where the search came from. So a chain that returns to its start keeps
//! its start on top, which is what people expect of states and of dependencies.

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

    proptest! {
        #[test]
        fn nothing_is_left_of_any_cycle(edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..40)) {
            let turned = reversed(12, &edges);
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
