//! In which order the vertices of each layer stand, so that few segments cross.
//!
//! Sweeps down and up put every vertex at the mean or median of its neighbours in the layer before, then
//! neighbours in a layer change places as long as that removes crossings. The best order seen is kept, so the
//! result never has more crossings than the order it started from.
//!
//! Where an end of a segment is fixed on its vertex (an edge that enters a group), the place counts; ends that
//! are free on their vertex share one place and never cross there.

use crate::web::{VertexKind, Web};

/// Orders the layers of a web and returns the number of crossings left.
pub(crate) fn order(web: &mut Web, fixed: &[bool]) -> u64 {
    let slots = Slots::new(web);
    let segments = web.segments.len().max(1);
    let sweeps = (3_000_000 / segments).clamp(4, 24);
    let mut best = Best { crossings: slots.crossings(web), layers: web.layers.clone() };
    let given = web.layers.clone();
    for start in [Start::FromAbove, Start::FromBelow, Start::Given] {
        if best.crossings == 0 {
            break;
        }
        web.layers.clone_from(&given);
        start.arrange(web, fixed);
        let mut sorter = Sorter { slots: &slots, fixed, position: web.positions() };
        sorter.run(web, sweeps, &mut best);
    }
    web.layers = best.layers;
    best.crossings
}

struct Best {
    crossings: u64,
    layers: Vec<Vec<usize>>,
}

/// The distinct places on a vertex where segments end, numbered from left to right.
struct Slots {
    /// For every segment, its place on its upper and on its lower vertex.
    upper: Vec<u32>,
    lower: Vec<u32>,
    /// For every vertex, the number of places on its upper and on its lower side.
    above: Vec<u32>,
    below: Vec<u32>,
}

impl Slots {
    fn new(web: &Web) -> Self {
        let mut slots = Self {
            upper: vec![0; web.segments.len()],
            lower: vec![0; web.segments.len()],
            above: vec![1; web.vertices.len()],
            below: vec![1; web.vertices.len()],
        };
        for vertex in 0..web.vertices.len() {
            slots.below[vertex] = number(&web.below[vertex], |s| web.segments[s].upper_at, &mut slots.upper);
            slots.above[vertex] = number(&web.above[vertex], |s| web.segments[s].lower_at, &mut slots.lower);
        }
        slots
    }

    fn crossings(&self, web: &Web) -> u64 {
        let mut base = vec![0; web.vertices.len()];
        (1..web.layers.len()).map(|at| self.crossings_above(web, at, &mut base)).sum()
    }

    /// The crossings between a layer and the one above it. What `base` holds does not matter; it is there so
    /// that thousands of layers need not make one each.
    fn crossings_above(&self, web: &Web, at: usize, base: &mut [u32]) -> u64 {
        let mut places = 0;
        for &vertex in &web.layers[at] {
            base[vertex] = places;
            places += self.above[vertex];
        }
        let mut counter = Counter::new(places as usize);
        let mut ends: Vec<(u32, u32)> = Vec::new();
        let mut total = 0;
        for &vertex in &web.layers[at - 1] {
            ends.clear();
            ends.extend(
                web.below[vertex]
                    .iter()
                    .map(|&s| (self.upper[s], base[web.segments[s].lower] + self.lower[s])),
            );
            ends.sort_unstable();
            // Segments from one place do not cross: all of them look back before any is counted.
            for group in ends.chunk_by(|a, b| a.0 == b.0) {
                total += group.iter().map(|&(_, end)| counter.beyond(end)).sum::<u64>();
                for &(_, end) in group {
                    counter.add(end);
                }
            }
        }
        total
    }
}

/// Numbers the distinct offsets of some segments and returns how many there are, at least one.
fn number(segments: &[usize], offset: impl Fn(usize) -> f64, slots: &mut [u32]) -> u32 {
    let mut sorted = segments.to_vec();
    sorted.sort_by(|&a, &b| offset(a).total_cmp(&offset(b)));
    let mut count = 0;
    for group in sorted.chunk_by(|&a, &b| (offset(a) - offset(b)).abs() < 1e-6) {
        for &segment in group {
            slots[segment] = count;
        }
        count += 1;
    }
    count.max(1)
}

/// Counts how many of the numbers added are greater than a given one (a Fenwick tree).
struct Counter {
    tree: Vec<u32>,
    total: u64,
}

impl Counter {
    fn new(size: usize) -> Self {
        Self { tree: vec![0; size + 1], total: 0 }
    }

    fn add(&mut self, number: u32) {
        let mut at = number as usize + 1;
        while at < self.tree.len() {
            self.tree[at] += 1;
            at += at & at.wrapping_neg();
        }
        self.total += 1;
    }

    fn beyond(&self, number: u32) -> u64 {
        let mut at = number as usize + 1;
        let mut up_to = 0;
        while at > 0 {
            up_to += u64::from(self.tree[at]);
            at &= at - 1;
        }
        self.total - up_to
    }
}

/// The order that the sweeps start from.
#[derive(Clone, Copy)]
enum Start {
    FromAbove,
    FromBelow,
    Given,
}

impl Start {
    /// Orders vertices as a depth-first walk meets them, which keeps what hangs together side by side.
    fn arrange(self, web: &mut Web, fixed: &[bool]) {
        let roots: Vec<usize> = match self {
            Self::Given => return,
            Self::FromAbove => web.layers.iter().flatten().copied().collect(),
            Self::FromBelow => web.layers.iter().rev().flatten().copied().collect(),
        };
        let mut seen = vec![false; web.vertices.len()];
        let mut layers = vec![Vec::new(); web.layers.len()];
        for root in roots {
            let mut stack = vec![root];
            while let Some(vertex) = stack.pop() {
                if std::mem::replace(&mut seen[vertex], true) {
                    continue;
                }
                layers[web.vertices[vertex].layer].push(vertex);
                let below = web.below[vertex].iter().rev().map(|&s| web.segments[s].lower);
                let above = web.above[vertex].iter().rev().map(|&s| web.segments[s].upper);
                match self {
                    Self::FromBelow => stack.extend(below.chain(above)),
                    _ => stack.extend(above.chain(below)),
                }
            }
        }
        for (at, layer) in layers.into_iter().enumerate() {
            if !fixed[at] {
                web.layers[at] = layer;
                corner_first(web, at);
            }
        }
    }
}

/// The corner keeps its place whatever the sweeps do.
fn corner_first(web: &mut Web, at: usize) {
    let vertices = &web.vertices;
    web.layers[at].sort_by_key(|&v| vertices[v].kind != VertexKind::Corner);
}

struct Sorter<'a> {
    slots: &'a Slots,
    fixed: &'a [bool],
    position: Vec<usize>,
}

impl Sorter<'_> {
    fn run(&mut self, web: &mut Web, sweeps: usize, best: &mut Best) {
        let mut idle = 0;
        for sweep in 0..sweeps {
            let down = sweep % 2 == 0;
            let median = sweep % 4 >= 2;
            let flip = sweep % 8 >= 4;
            self.sweep(web, down, median, flip);
            self.transpose(web);
            let crossings = self.slots.crossings(web);
            if crossings < best.crossings {
                best.crossings = crossings;
                best.layers.clone_from(&web.layers);
                idle = 0;
            } else {
                idle += 1;
            }
            if crossings == 0 || idle >= 8 {
                return;
            }
        }
    }

    /// Sorts each layer by where its neighbours in the layer before are.
    fn sweep(&mut self, web: &mut Web, down: bool, median: bool, flip: bool) {
        let count = web.layers.len();
        for step in 1..count {
            let at = if down { step } else { count - 1 - step };
            if self.fixed[at] {
                continue;
            }
            let mut keyed: Vec<(f64, usize)> = web.layers[at]
                .iter()
                .map(|&v| (self.measure(web, v, down, median).unwrap_or(f64::NAN), v))
                .collect();
            if flip {
                keyed.reverse();
            }
            sort_around_gaps(&mut keyed);
            web.layers[at] = keyed.into_iter().map(|(_, v)| v).collect();
            corner_first(web, at);
            self.number_layer(web, at);
        }
    }

    fn number_layer(&mut self, web: &Web, at: usize) {
        for (position, &vertex) in web.layers[at].iter().enumerate() {
            self.position[vertex] = position;
        }
    }

    /// The mean or median of the places where the neighbours' ends are, if there are any.
    fn measure(&self, web: &Web, vertex: usize, down: bool, median: bool) -> Option<f64> {
        let segments = if down { &web.above[vertex] } else { &web.below[vertex] };
        if segments.is_empty() {
            return None;
        }
        let mut places: Vec<f64> = segments.iter().map(|&s| self.place(web, s, down)).collect();
        if !median {
            return Some(places.iter().sum::<f64>() / places.len() as f64);
        }
        places.sort_by(f64::total_cmp);
        let middle = places.len() / 2;
        Some(match places.len() {
            n if n % 2 == 1 => places[middle],
            2 => f64::midpoint(places[0], places[1]),
            n => {
                // Between two medians, nearer to the side where the neighbours are closer together.
                let left = places[middle - 1] - places[0];
                let right = places[n - 1] - places[middle];
                if left + right > 0.0 {
                    (places[middle - 1] * right + places[middle] * left) / (left + right)
                } else {
                    places[middle]
                }
            }
        })
    }

    /// The place of the far end of a segment: the position of its vertex and the fraction on it.
    fn place(&self, web: &Web, segment: usize, down: bool) -> f64 {
        let (vertex, slot, slots) = if down {
            let upper = web.segments[segment].upper;
            (upper, self.slots.upper[segment], self.slots.below[upper])
        } else {
            let lower = web.segments[segment].lower;
            (lower, self.slots.lower[segment], self.slots.above[lower])
        };
        self.position[vertex] as f64 + (f64::from(slot) + 0.5) / f64::from(slots)
    }

    /// Lets neighbours change places as long as that removes crossings.
    fn transpose(&mut self, web: &mut Web) {
        for _ in 0..6 {
            let mut improved = false;
            for at in 0..web.layers.len() {
                if !self.fixed[at] {
                    improved |= self.transpose_layer(web, at);
                }
            }
            if !improved {
                return;
            }
        }
    }

    fn transpose_layer(&mut self, web: &mut Web, at: usize) -> bool {
        let mut improved = false;
        let ends: Vec<[Vec<f64>; 2]> =
            web.layers[at].iter().map(|&v| [self.ends(web, v, true), self.ends(web, v, false)]).collect();
        let mut order: Vec<usize> = (0..web.layers[at].len()).collect();
        for left in 0..order.len().saturating_sub(1) {
            let (u, v) = (order[left], order[left + 1]);
            if web.vertices[web.layers[at][u]].kind == VertexKind::Corner {
                continue;
            }
            let gain: i64 = (0..2).map(|side| gain(&ends[u][side], &ends[v][side])).sum();
            if gain > 0 {
                order.swap(left, left + 1);
                improved = true;
            }
        }
        if improved {
            web.layers[at] = order.iter().map(|&o| web.layers[at][o]).collect();
            self.number_layer(web, at);
        }
        improved
    }

    /// The places of the far ends of the segments on one side of a vertex, sorted.
    fn ends(&self, web: &Web, vertex: usize, above: bool) -> Vec<f64> {
        let segments = if above { &web.above[vertex] } else { &web.below[vertex] };
        let mut ends: Vec<f64> = segments.iter().map(|&s| self.place(web, s, above)).collect();
        ends.sort_by(f64::total_cmp);
        ends
    }
}

/// The number of crossings that vanish when two neighbours with these far ends change places.
fn gain(left: &[f64], right: &[f64]) -> i64 {
    inversions(left, right) - inversions(right, left)
}

/// The number of pairs with the one of the first list beyond that of the second.
fn inversions(first: &[f64], second: &[f64]) -> i64 {
    let mut count = 0;
    let mut before = 0;
    for end in first {
        while before < second.len() && second[before] < *end - 1e-9 {
            before += 1;
        }
        count += before as i64;
    }
    count
}

/// Sorts by the numbers; entries without one (NaN) keep the positions they have.
fn sort_around_gaps(keyed: &mut [(f64, usize)]) {
    let mut known: Vec<(f64, usize)> = keyed.iter().copied().filter(|(key, _)| !key.is_nan()).collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut known = known.into_iter();
    for entry in keyed.iter_mut().filter(|(key, _)| !key.is_nan()) {
        if let Some(next) = known.next() {
            *entry = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::{Segment, Vertex};
    use proptest::prelude::*;

    fn web(sizes: &[usize], segments: &[(usize, usize, f64)]) -> Web {
        let mut web = Web::default();
        for (layer, &size) in sizes.iter().enumerate() {
            for _ in 0..size {
                let kind = VertexKind::Item;
                web.add_vertex(Vertex { layer, left: 10.0, right: 10.0, height: 10.0, kind });
            }
        }
        for &(upper, lower, upper_at) in segments {
            web.add_segment(Segment { upper, lower, upper_at, lower_at: 0.0 });
        }
        web
    }

    /// Crossings by their definition: pairs of segments whose ends are in opposite orders.
    fn naive(web: &Web) -> u64 {
        let position = web.positions();
        let mut count = 0;
        for (i, s) in web.segments.iter().enumerate() {
            for t in &web.segments[i + 1..] {
                if web.vertices[s.upper].layer != web.vertices[t.upper].layer {
                    continue;
                }
                let upper = (position[s.upper] as f64 * 1e6 + s.upper_at)
                    .total_cmp(&(position[t.upper] as f64 * 1e6 + t.upper_at));
                let lower = position[s.lower].cmp(&position[t.lower]);
                count += u64::from(upper.is_lt() && lower.is_gt() || upper.is_gt() && lower.is_lt());
            }
        }
        count
    }

    #[test]
    fn two_crossed_segments_are_uncrossed() {
        let mut web = web(&[2, 2], &[(0, 3, 0.0), (1, 2, 0.0)]);
        assert_eq!(naive(&web), 1);
        assert_eq!(order(&mut web, &[false, false]), 0);
        assert_eq!(naive(&web), 0);
    }

    #[test]
    fn a_complete_bipartite_graph_keeps_its_one_crossing() {
        let mut web = web(&[2, 2], &[(0, 2, 0.0), (0, 3, 0.0), (1, 2, 0.0), (1, 3, 0.0)]);
        assert_eq!(order(&mut web, &[false, false]), 1);
    }

    #[test]
    fn a_fixed_layer_stays_as_it_is() {
        let mut web = web(&[2, 2], &[(0, 3, 0.0), (1, 2, 0.0)]);
        order(&mut web, &[true, false]);
        assert_eq!(web.layers, [vec![0, 1], vec![3, 2]]);
    }

    #[test]
    fn fixed_ends_on_one_vertex_order_what_hangs_on_them() {
        let mut web = web(&[1, 2], &[(0, 1, 5.0), (0, 2, -5.0)]);
        assert_eq!(naive(&web), 1);
        assert_eq!(order(&mut web, &[false, false]), 0);
        assert_eq!(web.layers[1], [2, 1]);
    }

    proptest! {
        #[test]
        fn the_count_is_right_and_never_grows(
            first in prop::collection::vec((0..5_usize, 5..10_usize, -1..2_i32), 0..14),
            second in prop::collection::vec((5..10_usize, 10..15_usize, -1..2_i32), 0..14),
        ) {
            let segments: Vec<_> =
                first.iter().chain(&second).map(|&(u, l, at)| (u, l, f64::from(at))).collect();
            let mut web = web(&[5, 5, 5], &segments);
            let before = naive(&web);
            let after = order(&mut web, &[false; 3]);
            prop_assert_eq!(after, naive(&web));
            prop_assert!(after <= before);
            let mut all: Vec<usize> = web.layers.iter().flatten().copied().collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..15).collect::<Vec<_>>());
        }
    }
}
