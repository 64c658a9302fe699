//! Where each vertex stands within its layer.
//!
//! The method is that of Brandes and Köpf, "Fast and simple horizontal coordinate assignment" (2002): vertices
//! are aligned with a median neighbour into vertical blocks, in four ways (from above or below, to the left or
//! to the right), and every vertex gets the mean of its two middle coordinates. Long edges become straight but
//! for their ends. Two changes: what is aligned are the *ends* of a segment, which need not be at the anchors
//! of its vertices, and blocks are placed by longest paths in the graph of blocks, which avoids the known
//! flaw of the original compaction.

use crate::web::{VertexKind, Web};

/// The horizontal coordinate of the anchor of every vertex; the leftmost point of all is at 0.
pub(crate) fn assign(web: &Web) -> Vec<f64> {
    let conflicts = conflicts(web);
    let mut runs: Vec<Vec<f64>> = Vec::with_capacity(4);
    for from_below in [false, true] {
        for to_right in [false, true] {
            let run = Run { web, conflicts: &conflicts, from_below, to_right };
            let mut x = run.place();
            if to_right {
                mirror(&mut x);
            }
            runs.push(x);
        }
    }
    align_runs(web, &mut runs);
    let mut x: Vec<f64> = (0..web.vertices.len())
        .map(|v| {
            let mut four = [runs[0][v], runs[1][v], runs[2][v], runs[3][v]];
            four.sort_by(f64::total_cmp);
            f64::midpoint(four[1], four[2])
        })
        .collect();
    relax(web, &mut x);
    let (least, _) = extent(web, &x);
    shift(&mut x, -least);
    x
}

/// Moves what is free to move to where its segments pull it, keeping order and distances.
///
/// After the alignment, vertices stand off balance where a layer has few of them. Places where a long edge
/// passes and that are one below the other move together, so that what is straight stays so.
fn relax(web: &Web, x: &mut [f64]) {
    let rounds = (600_000 / web.segments.len().max(1)).clamp(2, 30);
    let place = web.positions();
    let mut bundles = bundles(web, x);
    for round in 0..rounds {
        // From the left, whatever moves left makes room for the next; from the right likewise.
        let leftmost = |b: &Vec<usize>| x[b[0]];
        bundles.sort_by(|a, b| leftmost(a).total_cmp(&leftmost(b)).then(a[0].cmp(&b[0])));
        if round % 2 == 1 {
            bundles.reverse();
        }
        for bundle in &bundles {
            move_bundle(web, &place, bundle, x);
        }
    }
}

/// Every item by itself, and the places of each long edge as far as they are in one line.
fn bundles(web: &Web, x: &[f64]) -> Vec<Vec<usize>> {
    let passes = |v: usize| web.vertices[v].kind != VertexKind::Item;
    let next = |v: usize| match web.below[v].as_slice() {
        [s] => Some(web.segments[*s].lower).filter(|&w| passes(w) && (x[v] - x[w]).abs() < 1e-6),
        _ => None,
    };
    let mut taken = vec![false; web.vertices.len()];
    let mut bundles = Vec::new();
    for &vertex in web.layers.iter().flatten() {
        if taken[vertex] {
            continue;
        }
        let mut bundle = vec![vertex];
        while let Some(lower) = bundle.last().copied().filter(|&v| passes(v)).and_then(next) {
            taken[lower] = true;
            bundle.push(lower);
        }
        bundles.push(bundle);
    }
    bundles
}

/// Moves the vertices of a bundle to the mean of where they are pulled, as far as their neighbours allow.
fn move_bundle(web: &Web, place: &[usize], bundle: &[usize], x: &mut [f64]) {
    let (mut sum, mut weight) = (0.0, 0.0);
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    let here = x[bundle[0]];
    let (first, last) = (bundle[0], bundle[bundle.len() - 1]);
    for &s in &web.above[first] {
        let segment = &web.segments[s];
        let pull = pull(web, s);
        sum += pull * (x[segment.upper] + segment.upper_at - segment.lower_at);
        weight += pull;
    }
    for &s in &web.below[last] {
        let segment = &web.segments[s];
        let pull = pull(web, s);
        sum += pull * (x[segment.lower] + segment.lower_at - segment.upper_at);
        weight += pull;
    }
    for &vertex in bundle {
        let layer = &web.layers[web.vertices[vertex].layer];
        let at = place[vertex];
        if let Some(left) = at.checked_sub(1).map(|l| layer[l]) {
            least = least.max(x[left] + separation(web, left, vertex));
        }
        if let Some(&right) = layer.get(at + 1) {
            most = most.min(x[right] - separation(web, vertex, right));
        }
    }
    if weight > 0.0 && least <= most {
        let to = (sum / weight).clamp(least, most);
        if (to - here).abs() > 1e-3 {
            for &vertex in bundle {
                x[vertex] = to;
            }
        }
    }
}

/// How hard a segment pulls: the more, the more of its ends are places where a long edge passes.
fn pull(web: &Web, segment: usize) -> f64 {
    let item = |v: usize| web.vertices[v].kind == VertexKind::Item;
    match (item(web.segments[segment].upper), item(web.segments[segment].lower)) {
        (true, true) => 1.0,
        (false, false) => 8.0,
        _ => 2.0,
    }
}

fn mirror(x: &mut [f64]) {
    for x in x {
        *x = -*x;
    }
}

fn shift(x: &mut [f64], by: f64) {
    for x in x {
        *x += by;
    }
}

/// The room between two vertices that stand side by side.
pub(crate) fn gap(left: VertexKind, right: VertexKind) -> f64 {
    use VertexKind::{Gate, Item, Label, Pass};
    match (left, right) {
        (Item, Item) => 30.0,
        (Item, _) | (_, Item) => 20.0,
        (Label, Label) => 12.0,
        (Pass | Gate, Pass | Gate) => 14.0,
        _ => 10.0,
    }
}

/// The least distance between the anchors of two vertices that stand side by side.
fn separation(web: &Web, left: usize, right: usize) -> f64 {
    let (u, v) = (&web.vertices[left], &web.vertices[right]);
    u.right + gap(u.kind, v.kind) + v.left
}

fn extent(web: &Web, x: &[f64]) -> (f64, f64) {
    let vertices = web.vertices.iter().zip(x);
    vertices.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), (vertex, x)| {
        (least.min(x - vertex.left), most.max(x + vertex.right))
    })
}

/// Moves the runs over each other: those to the left share their left side with the narrowest, the others
/// their right side.
fn align_runs(web: &Web, runs: &mut [Vec<f64>]) {
    let extents: Vec<(f64, f64)> = runs.iter().map(|x| extent(web, x)).collect();
    let narrowest =
        extents.iter().copied().min_by(|a, b| (a.1 - a.0).total_cmp(&(b.1 - b.0))).unwrap_or((0.0, 0.0));
    for (at, x) in runs.iter_mut().enumerate() {
        let to_right = at % 2 == 1;
        let by = if to_right { narrowest.1 - extents[at].1 } else { narrowest.0 - extents[at].0 };
        shift(x, by);
    }
}

/// Whether both ends of a segment are places where a long edge passes.
fn is_inner(web: &Web, segment: usize) -> bool {
    let passes =
        |v: usize| matches!(web.vertices[v].kind, VertexKind::Pass | VertexKind::Label | VertexKind::Gate);
    passes(web.segments[segment].upper) && passes(web.segments[segment].lower)
}

/// Segments that must not be aligned because they cross an inner segment of a long edge, which is to be
/// straight. Where two inner segments cross, the one further right gives way.
fn conflicts(web: &Web) -> Vec<bool> {
    let position = web.positions();
    let mut marked = vec![false; web.segments.len()];
    for layer in web.layers.iter().skip(1) {
        let inner_of = |v: usize| web.above[v].iter().copied().find(|&s| is_inner(web, s));
        let mut bound_left = 0;
        let mut scanned = 0;
        for (at, &vertex) in layer.iter().enumerate() {
            let inner = inner_of(vertex).filter(|&s| position[web.segments[s].upper] >= bound_left);
            if inner.is_none() && at + 1 < layer.len() {
                continue;
            }
            let bound_right = inner.map_or(usize::MAX, |s| position[web.segments[s].upper]);
            for &lower in &layer[scanned..=at] {
                for &segment in &web.above[lower] {
                    let upper = position[web.segments[segment].upper];
                    if (upper < bound_left || upper > bound_right) && Some(segment) != inner {
                        marked[segment] = true;
                    }
                }
            }
            scanned = at + 1;
            bound_left = inner.map_or(bound_left, |s| position[web.segments[s].upper]);
        }
    }
    marked
}

/// One of the four ways to align.
struct Run<'a> {
    web: &'a Web,
    conflicts: &'a [bool],
    from_below: bool,
    /// Whether the picture is mirrored, so that "left" in this run is right.
    to_right: bool,
}

impl Run<'_> {
    fn place(&self) -> Vec<f64> {
        let blocks = self.align();
        self.compact(&blocks)
    }

    /// Layers in the order of this run, each from this run's left.
    fn layers(&self) -> Vec<Vec<usize>> {
        let mut layers = self.web.layers.clone();
        if self.from_below {
            layers.reverse();
        }
        if self.to_right {
            for layer in &mut layers {
                layer.reverse();
            }
        }
        layers
    }

    /// Joins every vertex to a block with a median neighbour in the layer before.
    fn align(&self) -> Blocks {
        let count = self.web.vertices.len();
        let mut blocks = Blocks { root: (0..count).collect(), offset: vec![0.0; count] };
        let mut has_follower = vec![false; count];
        let mut position = vec![0; count];
        let layers = self.layers();
        for layer in &layers {
            for (at, &vertex) in layer.iter().enumerate() {
                position[vertex] = at;
            }
        }
        for layer in layers.iter().skip(1) {
            let mut free_from = 0;
            for &vertex in layer {
                let mut ends = self.neighbours(vertex);
                ends.sort_by(|a, b| {
                    (position[a.vertex], a.far_at)
                        .partial_cmp(&(position[b.vertex], b.far_at))
                        .expect("finite")
                });
                if ends.is_empty() {
                    continue;
                }
                let middle = [(ends.len() - 1) / 2, ends.len() / 2];
                for end in middle.map(|m| &ends[m]) {
                    let free = position[end.vertex] >= free_from && !has_follower[end.vertex];
                    if free && !self.conflicts[end.segment] {
                        has_follower[end.vertex] = true;
                        blocks.root[vertex] = blocks.root[end.vertex];
                        blocks.offset[vertex] = blocks.offset[end.vertex] + end.far_at - end.near_at;
                        free_from = position[end.vertex] + 1;
                        break;
                    }
                }
            }
        }
        blocks
    }

    fn neighbours(&self, vertex: usize) -> Vec<Neighbour> {
        let sign = if self.to_right { -1.0 } else { 1.0 };
        let segments = if self.from_below { &self.web.below[vertex] } else { &self.web.above[vertex] };
        let neighbour = |&segment: &usize| {
            let s = &self.web.segments[segment];
            let (far, far_at, near_at) = if self.from_below {
                (s.lower, s.lower_at, s.upper_at)
            } else {
                (s.upper, s.upper_at, s.lower_at)
            };
            Neighbour { vertex: far, segment, far_at: sign * far_at, near_at: sign * near_at }
        };
        segments.iter().map(neighbour).collect()
    }

    /// Places the blocks as far left as they can be, then lets each move right towards what follows it.
    fn compact(&self, blocks: &Blocks) -> Vec<f64> {
        let count = self.web.vertices.len();
        let mut after: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
        let mut waiting = vec![0_usize; count];
        for layer in self.layers() {
            for pair in layer.windows(2) {
                let (u, v) = (pair[0], pair[1]);
                let apart =
                    if self.to_right { separation(self.web, v, u) } else { separation(self.web, u, v) };
                let distance = apart + blocks.offset[u] - blocks.offset[v];
                after[blocks.root[u]].push((blocks.root[v], distance));
                waiting[blocks.root[v]] += 1;
            }
        }
        let mut x = vec![f64::NEG_INFINITY; count];
        let mut order: Vec<usize> = (0..count).filter(|&b| blocks.root[b] == b && waiting[b] == 0).collect();
        for &block in &order {
            x[block] = 0.0;
        }
        let mut next = 0;
        while next < order.len() {
            let block = order[next];
            next += 1;
            for &(other, distance) in &after[block] {
                x[other] = x[other].max(x[block] + distance);
                waiting[other] -= 1;
                if waiting[other] == 0 {
                    order.push(other);
                }
            }
        }
        for &block in order.iter().rev() {
            let room = after[block].iter().map(|&(other, d)| x[other] - d).fold(f64::INFINITY, f64::min);
            if room.is_finite() {
                x[block] = x[block].max(room);
            }
        }
        (0..count).map(|v| x[blocks.root[v]] + blocks.offset[v]).collect()
    }
}

/// Which block each vertex belongs to, and where it stands relative to the root of its block.
struct Blocks {
    root: Vec<usize>,
    offset: Vec<f64>,
}

struct Neighbour {
    vertex: usize,
    segment: usize,
    far_at: f64,
    near_at: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::{Segment, Vertex};
    use proptest::prelude::*;

    fn vertex(layer: usize, half: f64, kind: VertexKind) -> Vertex {
        Vertex { layer, left: half, right: half, height: 10.0, kind }
    }

    fn join(web: &mut Web, upper: usize, lower: usize, upper_at: f64) {
        web.add_segment(Segment { upper, lower, upper_at, lower_at: 0.0 });
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let mut web = Web::default();
        let top = web.add_vertex(vertex(0, 10.0, VertexKind::Item));
        let low: Vec<usize> = (0..3).map(|_| web.add_vertex(vertex(1, 10.0, VertexKind::Item))).collect();
        for &l in &low {
            join(&mut web, top, l, 0.0);
        }
        let x = assign(&web);
        assert!((x[top] - x[low[1]]).abs() < 1e-9);
        assert!((x[low[1]] - x[low[0]] - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_long_edge_is_straight_below_its_end_on_the_vertex() {
        let mut web = Web::default();
        let top = web.add_vertex(vertex(0, 40.0, VertexKind::Item));
        let one = web.add_vertex(vertex(1, 1.0, VertexKind::Pass));
        let two = web.add_vertex(vertex(2, 1.0, VertexKind::Pass));
        join(&mut web, top, one, 25.0);
        join(&mut web, one, two, 0.0);
        let x = assign(&web);
        assert!((x[one] - x[top] - 25.0).abs() < 1e-9);
        assert!((x[two] - x[one]).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn neighbours_keep_their_distance(
            halves in prop::collection::vec(1.0..60.0_f64, 20),
            joins in prop::collection::vec((0..20_usize, 0..20_usize, -20.0..20.0_f64), 0..40),
            passes in prop::collection::vec(any::<bool>(), 20),
        ) {
            let mut web = Web::default();
            for (at, half) in halves.iter().enumerate() {
                let kind = if passes[at] { VertexKind::Pass } else { VertexKind::Item };
                web.add_vertex(vertex(at / 5, *half, kind));
            }
            for (a, b, at) in joins {
                if a / 5 + 1 == b / 5 {
                    join(&mut web, a, b, at);
                }
            }
            let x = assign(&web);
            for layer in &web.layers {
                for pair in layer.windows(2) {
                    prop_assert!(x[pair[1]] - x[pair[0]] >= separation(&web, pair[0], pair[1]) - 1e-6);
                }
            }
            prop_assert!(x.iter().zip(&web.vertices).all(|(x, v)| x - v.left >= -1e-6));
        }
    }
}
