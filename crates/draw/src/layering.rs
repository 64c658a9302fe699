//! Which layer each node is in: network simplex.
//!
//! Every edge leads down over at least its length in layers; the sum of the lengths of all edges, each times
//! its weight, becomes minimal. The method is that of Gansner, Koutsofios, North and Vo, "A technique for
//! drawing directed graphs" (1993): a spanning tree of tight edges is improved edge by edge. It may be stopped
//! at any time with layers that are valid though not minimal, and is, beyond a number of steps.

/// An edge as the layering sees it: from an upper to a lower node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pull {
    pub(crate) upper: usize,
    pub(crate) lower: usize,
    /// The number of layers it spans at least.
    pub(crate) length: i32,
    /// The cost of each layer it spans.
    pub(crate) weight: i32,
}

/// The layer of each of `count` nodes, from 0. The edges must have no cycle.
pub(crate) fn layers(count: usize, pulls: &[Pull]) -> Vec<i32> {
    let mut pulls = pulls.to_vec();
    connect(count, &mut pulls);
    let mut rank = longest_path(count, &pulls);
    if count > 1 {
        let mut simplex = Simplex::new(count, &pulls);
        simplex.grow_tight_tree(&mut rank);
        simplex.index_tree();
        simplex.compute_cuts();
        simplex.improve(&mut rank);
    }
    let least = rank.iter().copied().min().unwrap_or(0);
    for r in &mut rank {
        *r -= least;
    }
    rank
}

/// Each node as high as it can be.
pub(crate) fn longest_path(count: usize, pulls: &[Pull]) -> Vec<i32> {
    let mut rank = vec![0; count];
    let mut waiting = vec![0; count];
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (edge, pull) in pulls.iter().enumerate() {
        waiting[pull.lower] += 1;
        outgoing[pull.upper].push(edge);
    }
    let mut ready: Vec<usize> = (0..count).filter(|&n| waiting[n] == 0).collect();
    while let Some(node) = ready.pop() {
        for &edge in &outgoing[node] {
            let pull = &pulls[edge];
            rank[pull.lower] = rank[pull.lower].max(rank[node] + pull.length);
            waiting[pull.lower] -= 1;
            if waiting[pull.lower] == 0 {
                ready.push(pull.lower);
            }
        }
    }
    rank
}

/// Adds edges without weight so that a spanning tree exists.
fn connect(count: usize, pulls: &mut Vec<Pull>) {
    let mut touching: Vec<Vec<usize>> = vec![Vec::new(); count];
    for pull in pulls.iter() {
        touching[pull.upper].push(pull.lower);
        touching[pull.lower].push(pull.upper);
    }
    let mut seen = vec![false; count];
    for root in 0..count {
        if seen[root] {
            continue;
        }
        if root > 0 {
            // A part that hangs on nothing else can move as a whole, so this constrains nothing that counts.
            pulls.push(Pull { upper: 0, lower: root, length: 0, weight: 0 });
        }
        seen[root] = true;
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            for &other in &touching[node] {
                if !std::mem::replace(&mut seen[other], true) {
                    stack.push(other);
                }
            }
        }
    }
}

/// A spanning tree and what the method keeps for it.
struct Simplex<'a> {
    pulls: &'a [Pull],
    /// For every node, the edges that touch it.
    touching: Vec<Vec<usize>>,
    /// For every node, the tree edges that touch it.
    tree: Vec<Vec<usize>>,
    in_tree: Vec<bool>,
    cut: Vec<i64>,
    /// For every node, the tree edge to its parent.
    parent: Vec<usize>,
    /// For every node, the interval of postorder numbers of its subtree.
    low: Vec<u32>,
    high: Vec<u32>,
    /// All nodes, children before parents.
    postorder: Vec<usize>,
}

const NONE: usize = usize::MAX;

impl<'a> Simplex<'a> {
    fn new(count: usize, pulls: &'a [Pull]) -> Self {
        let mut touching: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (edge, pull) in pulls.iter().enumerate() {
            touching[pull.upper].push(edge);
            touching[pull.lower].push(edge);
        }
        Self {
            pulls,
            touching,
            tree: vec![Vec::new(); count],
            in_tree: vec![false; pulls.len()],
            cut: vec![0; pulls.len()],
            parent: vec![NONE; count],
            low: vec![0; count],
            high: vec![0; count],
            postorder: Vec::new(),
        }
    }

    fn slack(&self, edge: usize, rank: &[i32]) -> i32 {
        let pull = &self.pulls[edge];
        rank[pull.lower] - rank[pull.upper] - pull.length
    }

    fn other(&self, edge: usize, node: usize) -> usize {
        self.pulls[edge].upper ^ self.pulls[edge].lower ^ node
    }

    /// Grows a tree of tight edges from node 0; when no tight edge leads out of it, the whole tree moves to
    /// make the nearest one tight.
    fn grow_tight_tree(&mut self, rank: &mut [i32]) {
        let mut inside = vec![false; rank.len()];
        inside[0] = true;
        let mut members = vec![0];
        let mut next = 0;
        loop {
            while next < members.len() {
                let node = members[next];
                next += 1;
                for at in 0..self.touching[node].len() {
                    let edge = self.touching[node][at];
                    let other = self.other(edge, node);
                    if !inside[other] && self.slack(edge, rank) == 0 {
                        inside[other] = true;
                        members.push(other);
                        self.add_to_tree(edge);
                    }
                }
            }
            let leaving = (0..self.pulls.len())
                .filter(|&e| inside[self.pulls[e].upper] != inside[self.pulls[e].lower])
                .min_by_key(|&e| self.slack(e, rank));
            let Some(edge) = leaving else { return };
            let slack = self.slack(edge, rank);
            let shift = if inside[self.pulls[edge].upper] { slack } else { -slack };
            for &node in &members {
                rank[node] += shift;
            }
            // The edge is tight now; its inner end is looked at again.
            let inner =
                if inside[self.pulls[edge].upper] { self.pulls[edge].upper } else { self.pulls[edge].lower };
            let outer = self.other(edge, inner);
            inside[outer] = true;
            members.push(outer);
            self.add_to_tree(edge);
            // Others may have become tight as well; all members but the new one were scanned before the
            // shift, so those edges are found from the nodes outside when they join, or by the next search.
        }
    }

    fn add_to_tree(&mut self, edge: usize) {
        self.in_tree[edge] = true;
        self.tree[self.pulls[edge].upper].push(edge);
        self.tree[self.pulls[edge].lower].push(edge);
    }

    fn remove_from_tree(&mut self, edge: usize) {
        self.in_tree[edge] = false;
        for node in [self.pulls[edge].upper, self.pulls[edge].lower] {
            self.tree[node].retain(|&e| e != edge);
        }
    }

    /// Numbers the tree in postorder from node 0.
    fn index_tree(&mut self) {
        self.postorder.clear();
        self.parent[0] = NONE;
        self.low[0] = 0;
        let mut stack = vec![(0, 0)];
        while let Some((node, position)) = stack.last_mut() {
            let node = *node;
            let edge = self.tree[node].get(*position).copied();
            *position += 1;
            match edge {
                Some(edge) if edge != self.parent[node] => {
                    let child = self.other(edge, node);
                    self.parent[child] = edge;
                    self.low[child] = self.postorder.len() as u32;
                    stack.push((child, 0));
                }
                Some(_) => {}
                None => {
                    self.high[node] = self.postorder.len() as u32;
                    self.postorder.push(node);
                    stack.pop();
                }
            }
        }
    }

    fn in_subtree(&self, node: usize, top: usize) -> bool {
        self.low[top] <= self.high[node] && self.high[node] <= self.high[top]
    }

    /// The cut value of every tree edge, from those of the edges below it.
    fn compute_cuts(&mut self) {
        for at in 0..self.postorder.len() {
            let node = self.postorder[at];
            if self.parent[node] != NONE {
                self.compute_cut(node);
            }
        }
    }

    /// The cut value of the tree edge above `node`, when those below are known.
    fn compute_cut(&mut self, node: usize) {
        let own = self.parent[node];
        let node_is_upper = self.pulls[own].upper == node;
        let mut cut = 0;
        for &edge in &self.touching[node] {
            let pull = &self.pulls[edge];
            let weight = i64::from(pull.weight);
            // An edge out of the part that holds the upper end of `own` counts positive.
            let leads_with = (pull.upper == node) == node_is_upper;
            if edge == own {
                cut += weight;
            } else if self.in_tree[edge] {
                let below = self.cut[edge] - weight;
                cut += if leads_with { -below } else { below };
            } else {
                cut += if leads_with { weight } else { -weight };
            }
        }
        self.cut[own] = cut;
    }

    /// Exchanges tree edges with a negative cut value, up to a number of steps that keeps the time linear for
    /// large graphs.
    fn improve(&mut self, rank: &mut [i32]) {
        let nodes = rank.len();
        let steps = (20_000_000 / (nodes + self.pulls.len())).clamp(50, 10_000);
        let mut start = 0;
        for _ in 0..steps {
            let Some(leaving) = self.leaving(&mut start) else { return };
            let Some(entering) = self.entering(leaving, rank) else { return };
            self.exchange(leaving, entering, rank);
        }
    }

    /// The next tree edge, in turn, with a negative cut value.
    fn leaving(&self, start: &mut usize) -> Option<usize> {
        let count = self.pulls.len();
        let found = (*start..count).chain(0..*start).find(|&e| self.in_tree[e] && self.cut[e] < 0)?;
        *start = found + 1;
        Some(found)
    }

    /// The lower node of a tree edge in the sense of the rooted tree.
    fn child(&self, edge: usize) -> usize {
        let pull = &self.pulls[edge];
        if self.parent[pull.upper] == edge { pull.upper } else { pull.lower }
    }

    /// The tightest edge that joins the two parts of the tree the other way round.
    fn entering(&self, leaving: usize, rank: &[i32]) -> Option<usize> {
        let child = self.child(leaving);
        let child_is_upper = self.pulls[leaving].upper == child;
        (0..self.pulls.len())
            .filter(|&e| {
                let upper_in = self.in_subtree(self.pulls[e].upper, child);
                let lower_in = self.in_subtree(self.pulls[e].lower, child);
                upper_in != lower_in && lower_in == child_is_upper
            })
            .min_by_key(|&e| self.slack(e, rank))
    }

    fn exchange(&mut self, leaving: usize, entering: usize, rank: &mut [i32]) {
        let child = self.child(leaving);
        let slack = self.slack(entering, rank);
        let upper_in = self.in_subtree(self.pulls[entering].upper, child);
        let shift = if upper_in { slack } else { -slack };
        for (node, rank) in rank.iter_mut().enumerate() {
            if self.in_subtree(node, child) {
                *rank += shift;
            }
        }
        self.remove_from_tree(leaving);
        self.add_to_tree(entering);
        // Only cut values on the path between the ends of the new edge have changed. With the tree rooted
        // anew these are the ancestors of either end; recomputing them from below needs no differences.
        self.index_tree();
        self.compute_cuts();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pulls(edges: &[(usize, usize)]) -> Vec<Pull> {
        edges.iter().map(|&(upper, lower)| Pull { upper, lower, length: 1, weight: 1 }).collect()
    }

    fn cost(rank: &[i32], pulls: &[Pull]) -> i32 {
        pulls.iter().map(|p| p.weight * (rank[p.lower] - rank[p.upper])).sum()
    }

    #[test]
    fn a_node_comes_down_to_where_it_is_needed() {
        // 0 → 1 → 2 → 3 and 4 → 3: longest path would leave 4 on top.
        assert_eq!(layers(5, &pulls(&[(0, 1), (1, 2), (2, 3), (4, 3)])), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn the_example_of_the_paper() {
        // a b c d e f g h; ranks from figure 2-3 of the paper: the optimum is 10.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 7), (0, 4), (0, 5), (4, 6), (5, 6), (6, 7)];
        let rank = layers(8, &pulls(&edges));
        assert_eq!(cost(&rank, &pulls(&edges)), 10);
    }

    #[test]
    fn parts_that_are_not_connected() {
        assert_eq!(layers(4, &pulls(&[(0, 1), (2, 3)])).len(), 4);
        assert_eq!(layers(0, &[]), Vec::<i32>::new());
        assert_eq!(layers(1, &[]), [0]);
    }

    /// The cheapest layers among all, by trying them.
    fn cheapest(count: usize, pulls: &[Pull], height: i32) -> i32 {
        let mut best = i32::MAX;
        let mut rank = vec![0; count];
        loop {
            if pulls.iter().all(|p| rank[p.lower] - rank[p.upper] >= p.length) {
                best = best.min(cost(&rank, pulls));
            }
            let Some(at) = rank.iter().position(|&r| r + 1 < height) else { return best };
            rank[at] += 1;
            rank[..at].fill(0);
        }
    }

    proptest! {
        #[test]
        fn valid_and_minimal(
            edges in prop::collection::vec((0..5_usize, 0..5_usize, 1..3_i32, 0..4_i32), 0..9)
        ) {
            let pulls: Vec<Pull> = edges
                .into_iter()
                .filter(|(a, b, ..)| a != b)
                .map(|(a, b, length, weight)| Pull { upper: a.min(b), lower: a.max(b), length, weight })
                .collect();
            let rank = layers(5, &pulls);
            for p in &pulls {
                prop_assert!(rank[p.lower] - rank[p.upper] >= p.length);
            }
            prop_assert_eq!(cost(&rank, &pulls), cheapest(5, &pulls, 9));
        }
    }
}
