//! The layout of a whole scene: levels from the inside to the outside, then everything put together.
//!
//! A level is laid out when the sizes of its groups are known, so from the innermost outwards. The order of
//! the gates in a frame is first chosen by what is inside; once everything has a place, it is known where the
//! edges outside come from, and the levels are laid out again with the gates in that order. The best of a few
//! such rounds is kept.

use std::collections::BTreeMap;

use crate::boundary;
use crate::geometry::Point;
use crate::layout::Layout;
use crate::measure::{self, Fitted, GROUP, Measure, NodeText, Sides};
use crate::pack;
use crate::part::{Anchor, Part, Placed, Strand, Terminal, Track};
use crate::place;
use crate::scene::{Direction, End, Scene};
use crate::structure::{Across, Course, Structure, Thing};

/// The room between the frame of a group and what is in it.
const PADDING: f64 = 16.0;
/// Width over height that a picture should have, and a group in it.
const ASPECT: f64 = 1.6;

/// Lays out a scene that is within all limits.
pub(crate) fn layout(scene: &Scene) -> Layout {
    let composer = Composer::new(scene);
    let passes_frames = composer.structure.courses.iter().any(|c| c.gates.iter().any(|g| !g.is_empty()));
    let rounds = match scene.nodes().len() {
        _ if !passes_frames => 1,
        0..1000 => 4,
        _ => 2,
    };
    let mut wishes = Wishes::new();
    let mut best: Option<(u64, Composition)> = None;
    for _ in 0..rounds {
        let composition = composer.compose(&wishes);
        let crossings = composition.levels.iter().map(|l| l.crossings).sum();
        wishes = composer.wishes(&composition);
        if best.as_ref().is_none_or(|(least, _)| crossings <= *least) {
            best = Some((crossings, composition));
        }
    }
    best.map(|(crossings, composition)| place::finish(&composer, &composition, crossings)).unwrap_or_default()
}

/// Where the surroundings want a gate: by level, edge and end.
type Wishes = BTreeMap<(usize, usize, usize), f64>;

/// The data that do not change from round to round.
pub(crate) struct Composer<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) direction: Direction,
    pub(crate) structure: Structure,
    pub(crate) texts: Vec<NodeText>,
    pub(crate) nodes: Vec<Measure>,
    pub(crate) labels: Vec<Option<Fitted>>,
    /// For every port, its name if it is written.
    pub(crate) port_labels: Vec<Option<Fitted>>,
    pub(crate) group_titles: Vec<Option<Fitted>>,
    group_sides: Vec<Sides>,
    /// For every level, the strands that run through it.
    strands: Vec<Vec<Run>>,
}

/// A strand of a level: which edge it belongs to, and which piece of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    edge: usize,
    piece: Piece,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Across(Thing, Thing),
    /// From the thing that is or holds the start (0) or end (1) of the edge to the frame.
    Gate(usize, Thing),
}

/// All levels with everything in its place on its level.
pub(crate) struct Composition {
    pub(crate) levels: Vec<LevelPlace>,
    /// The frames as items of the level above.
    pub(crate) frames: Vec<Measure>,
    /// The upper left corner of each level in the picture.
    pub(crate) origins: Vec<Point>,
}

/// A level with everything in its place; the upper left corner of its frame is at 0, 0.
#[derive(Default)]
pub(crate) struct LevelPlace {
    width: f64,
    height: f64,
    /// The centre of each member.
    pub(crate) centres: Vec<Point>,
    /// In the order of the strands of the level.
    tracks: Vec<Track>,
    crossings: u64,
}

impl<'a> Composer<'a> {
    fn new(scene: &'a Scene) -> Self {
        let structure = Structure::new(scene);
        let direction = scene.main_direction();
        let texts: Vec<NodeText> = scene.nodes().iter().map(NodeText::new).collect();
        let boundary = boundary::Boundary::new(scene, &structure.courses);
        let nodes = boundary.measure(scene, &texts);
        Self {
            scene,
            direction,
            texts,
            nodes,
            labels: boundary.edge_labels,
            port_labels: boundary.port_labels,
            group_titles: scene.groups().iter().map(|g| Fitted::group(&g.title)).collect(),
            group_sides: boundary.group_sides,
            strands: strands(&structure),
            structure,
        }
    }

    fn compose(&self, wishes: &Wishes) -> Composition {
        let levels = self.structure.members.len();
        let mut composition = Composition {
            levels: (0..levels).map(|_| LevelPlace::default()).collect(),
            frames: vec![measure::frame(0.0, 0.0, Sides::default(), self.direction); levels],
            origins: vec![Point::default(); levels],
        };
        // For the start and end of every edge, where it passes the last frame, from the middle of it.
        let mut gates = vec![[0.0; 2]; self.scene.edges().len()];
        for level in (0..levels).rev() {
            let place = self.level(level, &composition.frames, &gates, wishes);
            for (run, track) in self.strands[level].iter().zip(&place.tracks) {
                if let Piece::Gate(end, _) = run.piece {
                    let down = self.structure.courses[run.edge].leaves_down(end);
                    let point = if down { track.points.last() } else { track.points.first() };
                    gates[run.edge][end] = point.map_or(0.0, |p| p.x - place.width / 2.0);
                }
            }
            let sides = level.checked_sub(1).map(|g| self.group_sides[g].clone()).unwrap_or_default();
            composition.frames[level] = measure::frame(place.width, place.height, sides, self.direction);
            composition.levels[level] = place;
        }
        for level in 0..levels {
            for (at, thing) in self.structure.members[level].iter().enumerate() {
                if let Thing::Group(group) = thing {
                    let inner = group.index() + 1;
                    let outline = &composition.frames[inner].outline;
                    let corner = Point::new(-outline.half_x, -outline.half_y);
                    let centre = composition.levels[level].centres[at];
                    composition.origins[inner] = composition.origins[level].plus(centre).plus(corner);
                }
            }
        }
        composition
    }

    /// Lays out one level, given the frames of its groups and where edges pass them.
    fn level(&self, level: usize, frames: &[Measure], gates: &[[f64; 2]], wishes: &Wishes) -> LevelPlace {
        let members = &self.structure.members[level];
        let runs = &self.strands[level];
        let parts = Parts::new(members, runs);
        let items: Vec<&Measure> = members
            .iter()
            .map(|thing| match thing {
                Thing::Node(node) => &self.nodes[node.index()],
                Thing::Group(group) => &frames[group.index() + 1],
            })
            .collect();
        let title = level.checked_sub(1).and_then(|g| self.group_titles[g].as_ref());
        let mut placed: Vec<Placed> = Vec::with_capacity(parts.members.len());
        for (at, part_members) in parts.members.iter().enumerate() {
            let local = |thing: Thing| parts.local[members.binary_search(&thing).unwrap_or(0)];
            let part_runs = parts.runs[at].iter().map(|&r| runs[r]);
            let strands: Vec<Strand> =
                part_runs.map(|run| self.strand(level, run, local, gates, wishes)).collect();
            let gates_above = strands.iter().any(|s| matches!(s.upper, Terminal::Gate(_)));
            let corner =
                title.filter(|_| gates_above && self.direction == Direction::Down).map(|title| title.width);
            let items = part_members.iter().map(|&m| items[m]).collect();
            placed.push(Part { direction: self.direction, items, strands, corner }.place());
        }
        let arranged = arrange(&placed, parts.with_gates, self.direction);
        self.assemble(level, &parts, &placed, &arranged)
    }

    fn strand(
        &self,
        level: usize,
        run: Run,
        local: impl Fn(Thing) -> usize,
        gates: &[[f64; 2]],
        wishes: &Wishes,
    ) -> Strand {
        let course = &self.structure.courses[run.edge];
        let terminal =
            |end: usize, thing: Thing| Terminal::Item(local(thing), self.anchor(run.edge, end, thing, gates));
        let label = self.labels[run.edge].as_ref().filter(|_| match run.piece {
            Piece::Across(..) => true,
            // An edge that ends at a frame from inside has its label on the outermost piece.
            Piece::Gate(end, _) => {
                course.across == Across::Frame && course.gates[end].last().is_some_and(|g| g.0 == level)
            }
        });
        let label = label.map(|l| match self.direction {
            Direction::Down => (l.width, measure::LABEL.line_height()),
            Direction::Right => (measure::LABEL.line_height(), l.width),
        });
        let (upper, lower) = match run.piece {
            Piece::Across(from, to) if course.turned => (terminal(1, to), terminal(0, from)),
            Piece::Across(from, to) => (terminal(0, from), terminal(1, to)),
            Piece::Gate(end, thing) => {
                let gate = Terminal::Gate(wishes.get(&(level, run.edge, end)).copied());
                let item = terminal(end, thing);
                if course.leaves_down(end) { (item, gate) } else { (gate, item) }
            }
        };
        Strand { upper, lower, label }
    }

    /// Where at a thing of this level an edge ends or passes.
    fn anchor(&self, edge: usize, end: usize, thing: Thing, gates: &[[f64; 2]]) -> Anchor {
        let course = &self.structure.courses[edge];
        let e = &self.scene.edges()[edge];
        let own_end = if end == 0 { e.from } else { e.to };
        match (own_end, thing) {
            (_, Thing::Group(group)) if course.gates[end].iter().any(|g| g.0 == group.index() + 1) => {
                Anchor::Fixed(gates[edge][end])
            }
            (End::Port(port), Thing::Node(node)) => {
                let measure = &self.nodes[node.index()];
                match measure.sides.right.iter().position(|s| s.port == Some(port)) {
                    Some(at) => Anchor::Side(measure.right_slot(at, self.direction)),
                    None => Anchor::Free(port.index()),
                }
            }
            // Ends that are not at a port share their place with no other.
            _ => Anchor::Free(self.scene.ports().len() + 2 * edge + end),
        }
    }

    /// Puts the parts of a level together and its frame around them.
    fn assemble(
        &self,
        level: usize,
        parts: &Parts,
        placed: &[Placed],
        (corners, size): &(Vec<Point>, (f64, f64)),
    ) -> LevelPlace {
        let frame = self.padding(level);
        let title = level.checked_sub(1).and_then(|g| self.group_titles[g].as_ref());
        let title = title.map_or(0.0, |t| t.width + 2.0 * PADDING);
        let (wide, high) = match self.direction {
            Direction::Down => (title, 0.0),
            Direction::Right => (0.0, title),
        };
        let mut place = LevelPlace {
            width: (size.0 + frame.left + frame.right).max(wide),
            height: (size.1 + frame.above + frame.below).max(high),
            centres: vec![Point::default(); self.structure.members[level].len()],
            tracks: vec![Track::default(); self.strands[level].len()],
            crossings: placed.iter().map(|p| p.crossings).sum(),
        };
        // What is narrower than the title stands in the middle under it.
        let shift = Point::new(
            frame.left + (place.width - size.0 - frame.left - frame.right) / 2.0,
            frame.above + (place.height - size.1 - frame.above - frame.below) / 2.0,
        );
        for (at, part) in placed.iter().enumerate() {
            let corner = corners[at].plus(shift);
            for (&member, centre) in parts.members[at].iter().zip(&part.items) {
                place.centres[member] = centre.plus(corner);
            }
            for (&run, track) in parts.runs[at].iter().zip(&part.tracks) {
                let points = track.points.iter().map(|p| p.plus(corner)).collect();
                let label = track.label.map(|p| p.plus(corner));
                place.tracks[run] = Track { points, label };
                self.lead_to_frame(&mut place, level, run);
            }
        }
        place
    }

    /// Leads a track from its gate straight through the padding to the frame.
    fn lead_to_frame(&self, place: &mut LevelPlace, level: usize, run: usize) {
        let Run { edge, piece: Piece::Gate(end, _) } = self.strands[level][run] else { return };
        let height = place.height;
        let points = &mut place.tracks[run].points;
        if self.structure.courses[edge].leaves_down(end) {
            points.extend(points.last().map(|p| Point::new(p.x, height)));
        } else if let Some(first) = points.first().copied() {
            points.insert(0, Point::new(first.x, 0.0));
        }
    }

    fn padding(&self, level: usize) -> Padding {
        let Some(group) = level.checked_sub(1) else { return Padding::default() };
        let title = if self.group_titles[group].is_some() { GROUP.line_height() + 2.0 } else { 0.0 };
        let mut padding = Padding { left: PADDING, right: PADDING, above: PADDING, below: PADDING };
        match self.direction {
            Direction::Down => padding.above += title,
            Direction::Right => padding.left += title,
        }
        padding
    }

    /// Where each gate would best be, now that everything outside of it has a place.
    fn wishes(&self, composition: &Composition) -> Wishes {
        let mut wishes = Wishes::new();
        for (edge, course) in self.structure.courses.iter().enumerate() {
            for end in 0..2 {
                for (at, &(level, _)) in course.gates[end].iter().enumerate() {
                    // The piece outside of this gate: the next gate, or the piece across.
                    let outside = course.gates[end].get(at + 1).map(|g| g.0).or(match course.across {
                        Across::Between(level, ..) => Some(level),
                        _ => None,
                    });
                    let Some(outside) = outside else { continue };
                    if let Some(x) = self.beyond(composition, outside, edge, end) {
                        wishes.insert((level, edge, end), x);
                    }
                }
            }
        }
        wishes
    }

    /// The x of the far end of a piece of an edge, seen from its start or end.
    fn beyond(&self, composition: &Composition, level: usize, edge: usize, end: usize) -> Option<f64> {
        let run = self.run(level, edge, end)?;
        let points = &composition.levels[level].tracks[run].points;
        let down = self.structure.courses[edge].leaves_down(end);
        // Near the gate edges may still be sorted by where they come from; the second point shows the way.
        let point = if down {
            points.get(1).or(points.last())
        } else {
            points.iter().rev().nth(1).or(points.first())
        };
        point.map(|p| p.x + composition.origins[level].x)
    }

    /// The strand of a level that belongs to a piece of an edge.
    fn run(&self, level: usize, edge: usize, end: usize) -> Option<usize> {
        let runs = &self.strands[level];
        let first = runs.partition_point(|r| r.edge < edge);
        let own = runs[first..].iter().take_while(|r| r.edge == edge);
        own.enumerate()
            .find(|(_, r)| {
                matches!(r.piece, Piece::Across(..)) || matches!(r.piece, Piece::Gate(e, _) if e == end)
            })
            .map(|(at, _)| first + at)
    }

    /// The points of a whole edge from its upper to its lower end, and the middle of its label.
    pub(crate) fn track(&self, composition: &Composition, edge: usize) -> Track {
        let course = &self.structure.courses[edge];
        let (upper, lower) = if course.turned { (1, 0) } else { (0, 1) };
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        pieces.extend(course.gates[upper].iter().map(|g| (g.0, upper)));
        if let Across::Between(level, ..) = course.across {
            pieces.push((level, upper));
        }
        pieces.extend(course.gates[lower].iter().rev().map(|g| (g.0, lower)));
        let mut whole = Track::default();
        for (level, end) in pieces {
            let Some(run) = self.run(level, edge, end) else { continue };
            let track = &composition.levels[level].tracks[run];
            let origin = composition.origins[level];
            whole.points.extend(track.points.iter().map(|p| p.plus(origin)));
            whole.label = whole.label.or(track.label.map(|p| p.plus(origin)));
        }
        whole
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Padding {
    left: f64,
    right: f64,
    above: f64,
    below: f64,
}

/// The strands of every level, in the order of the edges.
fn strands(structure: &Structure) -> Vec<Vec<Run>> {
    let mut strands = vec![Vec::new(); structure.members.len()];
    for (edge, Course { across, gates, .. }) in structure.courses.iter().enumerate() {
        if let Across::Between(level, from, to) = *across {
            strands[level].push(Run { edge, piece: Piece::Across(from, to) });
        }
        for (end, gates) in gates.iter().enumerate() {
            for &(level, thing) in gates {
                strands[level].push(Run { edge, piece: Piece::Gate(end, thing) });
            }
        }
    }
    strands
}

/// The connected parts of a level.
struct Parts {
    /// For every part, its members by their position on the level, and its strands likewise.
    members: Vec<Vec<usize>>,
    runs: Vec<Vec<usize>>,
    /// For every member, its position in its part.
    local: Vec<usize>,
    /// The part that holds all members with a gate, if there are any.
    with_gates: Option<usize>,
}

impl Parts {
    fn new(members: &[Thing], runs: &[Run]) -> Self {
        let position = |thing: Thing| members.binary_search(&thing).unwrap_or(0);
        // Whatever has a gate is joined to one further vertex, so that it becomes one part.
        let outside = members.len();
        let mut join = Join::new(members.len() + 1);
        for run in runs {
            match run.piece {
                Piece::Across(from, to) => join.unite(position(from), position(to)),
                Piece::Gate(_, thing) => join.unite(position(thing), outside),
            }
        }
        let mut part_of = vec![usize::MAX; members.len() + 1];
        let mut parts = Self { members: Vec::new(), runs: Vec::new(), local: Vec::new(), with_gates: None };
        for member in 0..members.len() {
            let root = join.root(member);
            if part_of[root] == usize::MAX {
                part_of[root] = parts.members.len();
                parts.members.push(Vec::new());
                parts.runs.push(Vec::new());
            }
            let part = &mut parts.members[part_of[root]];
            parts.local.push(part.len());
            part.push(member);
        }
        for (at, run) in runs.iter().enumerate() {
            let (Piece::Across(thing, _) | Piece::Gate(_, thing)) = run.piece;
            parts.runs[part_of[join.root(position(thing))]].push(at);
        }
        parts.with_gates = Some(part_of[join.root(outside)]).filter(|&p| p != usize::MAX);
        parts
    }
}

/// Sets that grow together.
struct Join(Vec<usize>);

impl Join {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// The upper left corner of every part, and the size of all. A part with gates must reach the frame above and
/// below, so the others stand beside it.
fn arrange(placed: &[Placed], with_gates: Option<usize>, direction: Direction) -> (Vec<Point>, (f64, f64)) {
    let aspect = if direction == Direction::Down { ASPECT } else { 1.0 / ASPECT };
    let sizes: Vec<(f64, f64)> = placed.iter().map(|p| (p.width, p.height)).collect();
    let mut corners = vec![Point::default(); placed.len()];
    // Single things form a grid, which is packed as one block.
    let (single, joined): (Vec<usize>, Vec<usize>) = (0..placed.len())
        .filter(|&p| Some(p) != with_gates)
        .partition(|&p| placed[p].items.len() == 1 && placed[p].tracks.is_empty());
    let of = |parts: &[usize]| parts.iter().map(|&p| sizes[p]).collect::<Vec<_>>();
    let (middles, grid) = pack::grid(&of(&single), aspect);
    let mut blocks = of(&joined);
    blocks.extend(Some(grid).filter(|_| !single.is_empty()));
    let (points, (width, height)) = pack::shelves(&blocks, Some(joined.len()), aspect);
    let main = with_gates.map_or((0.0, 0.0), |main| sizes[main]);
    let beside = if with_gates.is_some() && !blocks.is_empty() { main.0 + pack::GAP } else { 0.0 };
    for (&part, point) in joined.iter().zip(&points) {
        corners[part] = Point::new(point.x + beside, point.y);
    }
    if let Some(corner) = points.get(joined.len()) {
        for (&part, middle) in single.iter().zip(middles) {
            let (w, h) = sizes[part];
            corners[part] = corner.plus(Point::new(beside + middle.x - w / 2.0, middle.y - h / 2.0));
        }
    }
    (corners, ((beside + width).max(main.0), height.max(main.1)))
}
