//! The layered layout of one connected part of a level: layers, order, coordinates, ends, tracks.
//!
//! Everything that runs through a part is a strand: an edge between two items, or the piece of an edge between
//! an item and the gate where it leaves the level. A strand always runs down.

use crate::coordinates;
use crate::fold;
use crate::geometry::Point;
use crate::layering::{self, Pull};
use crate::measure::Measure;
use crate::ordering;
use crate::ports;
use crate::scene::Direction;
use crate::web::{Segment, Vertex, VertexKind, Web};

/// One connected part of a level.
pub(crate) struct Part<'a> {
    pub(crate) direction: Direction,
    pub(crate) items: Vec<&'a Measure>,
    pub(crate) strands: Vec<Strand>,
    /// The width to keep free at the left of the first layer, where the level has gates there.
    pub(crate) corner: Option<f64>,
}

/// An edge that runs through a part, from its upper to its lower end.
#[derive(Debug, Clone)]
pub(crate) struct Strand {
    pub(crate) upper: Terminal,
    pub(crate) lower: Terminal,
    /// The room for its label along x and along y.
    pub(crate) label: Option<(f64, f64)>,
}

/// An end of a strand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Terminal {
    /// At an item of the part.
    Item(usize, Anchor),
    /// At the frame of the level. Where it was wanted when the surroundings were last laid out, if they were.
    Gate(Option<f64>),
}

/// Where at an item a strand ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    /// On its upper or lower side, wherever is best; strands with the same number end at the same point.
    Free(usize),
    /// On its upper or lower side, at this distance from the centre.
    Fixed(f64),
    /// At this point relative to the centre.
    Side(Point),
}

/// A part with everything in its place; the upper left corner is at 0, 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placed {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The centre of every item.
    pub(crate) items: Vec<Point>,
    /// The way of every strand, from its upper to its lower end.
    pub(crate) tracks: Vec<Track>,
    pub(crate) crossings: u64,
}

/// The points that a strand passes, and the middle of its label.
#[derive(Debug, Clone, Default)]
pub(crate) struct Track {
    pub(crate) points: Vec<Point>,
    pub(crate) label: Option<Point>,
}

/// Beyond this many places where long edges pass, the longest edges are drawn as they come.
const PASSES_MAX: usize = 60_000;

impl Part<'_> {
    pub(crate) fn place(&self) -> Placed {
        let mut built = self.build();
        let fixed = self.fix_gates(&mut built);
        let crossings = ordering::order(&mut built.web, &fixed);
        let x = coordinates::assign(&built.web);
        let bands = bands(&built.web, &x);
        let mut placed = self.measure_up(&built, &x, &bands);
        placed.crossings = crossings;
        placed.tracks = self.tracks(&built, &x, &bands, &placed.items);
        placed
    }

    /// The number of layers between two items that an edge joins: with labels, every second layer is theirs.
    fn unit(&self) -> i32 {
        if self.strands.iter().any(|s| s.label.is_some()) { 2 } else { 1 }
    }

    /// The layer of every item, of the upper gates and of the lower gates.
    fn ranks(&self) -> Vec<i32> {
        let unit = self.unit();
        let count = self.items.len();
        let (top, bottom) = (count, count + 1);
        let mut pulls: Vec<Pull> = Vec::new();
        let (mut has_top, mut has_bottom) = (false, false);
        for strand in &self.strands {
            let upper = match strand.upper {
                Terminal::Item(item, _) => item,
                Terminal::Gate(_) => top,
            };
            let lower = match strand.lower {
                Terminal::Item(item, _) => item,
                Terminal::Gate(_) => bottom,
            };
            has_top |= upper == top;
            has_bottom |= lower == bottom;
            pulls.push(Pull { upper, lower, length: unit, weight: 1 });
        }
        if has_top {
            pulls.extend((0..count).map(|lower| Pull { upper: top, lower, length: unit, weight: 0 }));
        }
        if has_bottom {
            pulls.extend((0..count).map(|upper| Pull { upper, lower: bottom, length: unit, weight: 0 }));
        }
        if has_top && has_bottom {
            pulls.push(Pull { upper: top, lower: bottom, length: unit, weight: 0 });
        }
        // Gates that are not there must not take a layer.
        let vertices = if has_bottom { count + 2 } else { count + usize::from(has_top) };
        let mut ranks = layering::layers(vertices, &pulls);
        ranks.resize(count + 2, 0);
        if has_bottom && !has_top {
            // The unused upper gates were free to stand anywhere; the rest starts at layer 0.
            let least = (0..count).chain([bottom]).map(|v| ranks[v]).min().unwrap_or(0);
            for rank in &mut ranks {
                *rank -= least;
            }
        }
        let sizes: Vec<(f64, f64)> = self
            .items
            .iter()
            .map(|m| match self.direction {
                Direction::Down => (m.reach_left() + m.reach_right(), m.height()),
                // What is too wide for a picture that runs down is too high for one that runs to the right.
                Direction::Right => (m.reach_left() + m.reach_right(), m.height() / 2.5),
            })
            .collect();
        fold::fold(&mut ranks, unit, &sizes, &pulls);
        ranks
    }

    fn build(&self) -> Built {
        let ranks = self.ranks();
        let count = self.items.len();
        let mut built =
            Built { web: Web::default(), items: Vec::new(), chains: Vec::new(), degrees: vec![0; count] };
        for terminal in self.strands.iter().flat_map(|s| [s.upper, s.lower]) {
            if let Terminal::Item(item, _) = terminal {
                built.degrees[item] += 1;
            }
        }
        for (item, measure) in self.items.iter().enumerate() {
            built.items.push(built.web.add_vertex(Vertex {
                layer: ranks[item] as usize,
                left: measure.reach_left(),
                right: measure.reach_right(),
                height: measure.height(),
                kind: VertexKind::Item,
            }));
        }
        if let Some(width) = self.corner {
            built.add_point(0, VertexKind::Corner, (width, 0.0));
        }
        let layer_of = |terminal: Terminal, gates: usize| match terminal {
            Terminal::Item(item, _) => ranks[item] as usize,
            Terminal::Gate(_) => ranks[gates] as usize,
        };
        let longest = self.longest_span(|s| layer_of(s.lower, count + 1) - layer_of(s.upper, count));
        for strand in &self.strands {
            let (first, last) = (layer_of(strand.upper, count), layer_of(strand.lower, count + 1));
            built.add_chain(strand, first, last, last - first <= longest);
        }
        built
    }

    /// The longest span of an edge that still gets a place in every layer it passes.
    fn longest_span(&self, span: impl Fn(&Strand) -> usize) -> usize {
        let mut spans: Vec<usize> = self.strands.iter().map(span).collect();
        spans.sort_unstable();
        let mut passes = 0;
        for span in spans {
            passes += span.saturating_sub(1);
            if passes > PASSES_MAX {
                return span - 1;
            }
        }
        usize::MAX
    }

    /// Orders gates as the surroundings want them, where that is known, and says which layers are fixed.
    fn fix_gates(&self, built: &mut Built) -> Vec<bool> {
        let mut wanted = vec![None; built.web.vertices.len()];
        for (strand, chain) in self.strands.iter().zip(&built.chains) {
            if let (Terminal::Gate(want), Some(&first)) = (strand.upper, chain.first()) {
                wanted[first] = want;
            }
            if let (Terminal::Gate(want), Some(&last)) = (strand.lower, chain.last()) {
                wanted[last] = want;
            }
        }
        let vertices = &built.web.vertices;
        let layers = built.web.layers.iter_mut();
        let fix = |layer: &mut Vec<usize>| {
            let gates = layer.iter().filter(|&&v| vertices[v].kind == VertexKind::Gate).count();
            let all_wanted =
                layer.iter().all(|&v| wanted[v].is_some() || vertices[v].kind == VertexKind::Corner);
            if gates == 0 || !all_wanted {
                return false;
            }
            // The corner, which nobody wants anywhere, comes first.
            layer.sort_by(|&a, &b| {
                let key = |v: usize| wanted[v].unwrap_or(f64::NEG_INFINITY);
                key(a).total_cmp(&key(b))
            });
            true
        };
        layers.map(fix).collect()
    }

    fn measure_up(&self, built: &Built, x: &[f64], bands: &[Band]) -> Placed {
        let right = |v: usize| x[v] + built.web.vertices[v].right;
        let width = (0..x.len()).map(right).fold(0.0, f64::max);
        let height = bands.last().map_or(0.0, |band| band.bottom);
        let centre = |(item, measure): (usize, &&Measure)| {
            let vertex = built.items[item];
            let band = bands[built.web.vertices[vertex].layer];
            let top = f64::midpoint(band.top, band.bottom) - measure.height() / 2.0;
            Point::new(x[vertex], top + measure.centre())
        };
        let items = self.items.iter().enumerate().map(centre).collect();
        Placed { width, height, items, ..Placed::default() }
    }

    fn tracks(&self, built: &Built, x: &[f64], bands: &[Band], centres: &[Point]) -> Vec<Track> {
        let mut tracks: Vec<Track> =
            built.chains.iter().map(|chain| built.middle_of_track(chain, x, bands)).collect();
        let ends = ports::ends(self, &tracks, centres);
        for (at, (strand, chain)) in self.strands.iter().zip(&built.chains).enumerate() {
            let track = &mut tracks[at];
            let [upper, lower] = ends[at];
            if let (Terminal::Item(item, anchor), Some(start)) = (strand.upper, upper) {
                let band = bands[built.web.vertices[built.items[item]].layer];
                let target = track.points.first().copied().or(lower).unwrap_or(start);
                let out = self.way_out((item, anchor), centres[item], start, band.bottom, target);
                track.points.splice(0..0, std::iter::once(start).chain(out));
            }
            if let (Terminal::Item(item, anchor), Some(end)) = (strand.lower, lower) {
                let band = bands[built.web.vertices[built.items[item]].layer];
                let target = track.points.last().copied().unwrap_or(end);
                let out = self.way_out((item, anchor), centres[item], end, band.top, target);
                track.points.extend(out.into_iter().rev().chain([end]));
            }
            debug_assert!(track.points.len() >= 2 || chain.is_empty());
        }
        tracks
    }

    /// The points by which a track leaves the layer of its item from its end there, so that it meets neither
    /// the item nor its neighbours.
    fn way_out(
        &self,
        (item, anchor): (usize, Anchor),
        centre: Point,
        end: Point,
        edge: f64,
        target: Point,
    ) -> Vec<Point> {
        let measure = self.items[item];
        if let Anchor::Side(point) = anchor {
            // First away from the item, for its widest place may be on the way, then along its side.
            let x = centre.x + (measure.outline.half_x + 5.0).copysign(point.x);
            let away = Point::new(x, end.y + 4.0_f64.copysign(edge - end.y));
            return vec![away, Point::new(x, edge)];
        }
        // An end that was moved aside for others may have its own item in the way.
        let relative = |t: f64| {
            Point::new(end.x + (target.x - end.x) * t - centre.x, end.y + (target.y - end.y) * t - centre.y)
        };
        if measure.outline.round && [0.05, 0.1, 0.2, 0.3].iter().any(|&t| measure.outline.holds(relative(t)))
        {
            return vec![Point::new(end.x, edge)];
        }
        let (way, whole) = (edge - end.y, target.y - end.y);
        if way.abs() < 1.0 || whole.abs() <= way.abs() {
            return Vec::new();
        }
        let x = end.x + (target.x - end.x) * way / whole;
        let least = (centre.x - measure.reach_left() - 6.0).min(end.x);
        let most = (centre.x + measure.reach_right() + 6.0).max(end.x);
        if x < least || x > most { vec![Point::new(x.clamp(least, most), edge)] } else { Vec::new() }
    }
}

/// The web of a part, and what in it belongs to what.
struct Built {
    web: Web,
    /// The vertex of every item.
    items: Vec<usize>,
    /// The vertices of every strand from its upper to its lower end.
    chains: Vec<Vec<usize>>,
    /// How many strands end at every item.
    degrees: Vec<usize>,
}

impl Built {
    fn add_point(&mut self, layer: usize, kind: VertexKind, (width, height): (f64, f64)) -> usize {
        let half = width / 2.0;
        self.web.add_vertex(Vertex { layer, left: half, right: half, height, kind })
    }

    /// Adds the vertices and segments of a strand; a strand that is too long gets its ends only.
    fn add_chain(&mut self, strand: &Strand, first: usize, last: usize, passes: bool) {
        let offset = |terminal: Terminal| match terminal {
            Terminal::Item(_, Anchor::Fixed(x)) => x,
            Terminal::Item(_, Anchor::Side(point)) => point.x,
            _ => 0.0,
        };
        let mut chain = vec![match strand.upper {
            Terminal::Item(item, _) => self.items[item],
            Terminal::Gate(_) => self.add_point(first, VertexKind::Gate, (2.0, 0.0)),
        }];
        let label_layer = self.label_layer(strand, first, last);
        for layer in first + 1..last {
            chain.push(match strand.label {
                Some(room) if layer == label_layer => self.add_point(layer, VertexKind::Label, room),
                _ if passes => self.add_point(layer, VertexKind::Pass, (2.0, 0.0)),
                _ => continue,
            });
        }
        chain.push(match strand.lower {
            Terminal::Item(item, _) => self.items[item],
            Terminal::Gate(_) => self.add_point(last, VertexKind::Gate, (2.0, 0.0)),
        });
        for pair in 1..chain.len() {
            let (upper, lower) = (chain[pair - 1], chain[pair]);
            if self.web.vertices[upper].layer + 1 == self.web.vertices[lower].layer {
                let upper_at = if pair == 1 { offset(strand.upper) } else { 0.0 };
                let lower_at = if pair + 1 == chain.len() { offset(strand.lower) } else { 0.0 };
                self.web.add_segment(Segment { upper, lower, upper_at, lower_at });
            }
        }
        self.chains.push(chain);
    }

    /// The layer for a label: in the middle, or by the end that far fewer edges have, so that the labels of
    /// a fan are where its rays are apart. Items stand in even layers when there are labels, so an odd layer
    /// has room for one.
    fn label_layer(&self, strand: &Strand, first: usize, last: usize) -> usize {
        let busy = |terminal: Terminal| match terminal {
            Terminal::Item(item, _) => self.degrees[item],
            Terminal::Gate(_) => 1,
        };
        let (upper, lower) = (busy(strand.upper), busy(strand.lower));
        if upper > 6 && upper > 3 * lower {
            last - 1
        } else if lower > 6 && lower > 3 * upper {
            first + 1
        } else {
            usize::midpoint(first, last) | 1
        }
    }

    /// The points of a chain that do not depend on where it ends on its items.
    fn middle_of_track(&self, chain: &[usize], x: &[f64], bands: &[Band]) -> Track {
        let mut track = Track::default();
        for &vertex in chain {
            let v = &self.web.vertices[vertex];
            let band = bands[v.layer];
            let middle = Point::new(x[vertex], f64::midpoint(band.top, band.bottom));
            match v.kind {
                VertexKind::Item | VertexKind::Corner => {}
                VertexKind::Label => {
                    track.label = Some(middle);
                    track.points.push(middle);
                }
                // Beside things that are high, the way is straight.
                VertexKind::Pass | VertexKind::Gate if band.bottom - band.top > 20.0 => {
                    track.points.push(Point::new(x[vertex], band.top));
                    track.points.push(Point::new(x[vertex], band.bottom));
                }
                VertexKind::Pass | VertexKind::Gate => track.points.push(middle),
            }
        }
        track
    }
}

/// The room of a layer along y.
#[derive(Debug, Clone, Copy)]
struct Band {
    top: f64,
    bottom: f64,
}

/// Stacks the layers; two of them are further apart where segments between them run far to the side.
fn bands(web: &Web, x: &[f64]) -> Vec<Band> {
    let mut bands: Vec<Band> = Vec::with_capacity(web.layers.len());
    let has = |layer: &[usize], kind| layer.iter().any(|&v| web.vertices[v].kind == kind);
    for (at, layer) in web.layers.iter().enumerate() {
        let height = layer.iter().map(|&v| web.vertices[v].height).fold(0.0, f64::max);
        let top = at.checked_sub(1).map_or(0.0, |above| {
            let upper = &web.layers[above];
            let base = if has(layer, VertexKind::Item) && has(upper, VertexKind::Item) {
                44.0
            } else if has(layer, VertexKind::Gate) || has(upper, VertexKind::Gate) {
                14.0
            } else {
                19.0
            };
            let slide = upper.iter().flat_map(|&v| &web.below[v]).map(|&s| {
                let s = &web.segments[s];
                (x[s.lower] + s.lower_at - x[s.upper] - s.upper_at).abs()
            });
            let farthest = slide.fold(0.0, f64::max);
            bands[above].bottom + base + ((farthest - 60.0) * 0.1).clamp(0.0, 45.0)
        });
        bands.push(Band { top, bottom: top + height });
    }
    bands
}
