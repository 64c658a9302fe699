//! From levels with everything in its place to the layout of the picture.

use crate::compound::{Composer, Composition};
use crate::geometry::Point;
use crate::layout::{Anchor, EdgePlace, GroupPlace, LabelPlace, Layout, NodePlace, PortPlace};
use crate::measure::{Fitted, LABEL, LOOP_REACH, Measure, PORT, PORT_LABEL_GAP};
use crate::route;
use crate::scene::{Direction, End, NodeId};
use crate::structure::{Across, Thing};

/// Puts all levels together.
pub(crate) fn finish(composer: &Composer<'_>, composition: &Composition, crossings: u64) -> Layout {
    let mut finisher = Finisher { composer, composition, layout: Layout::default(), centres: Vec::new() };
    let frame = &composition.frames[0].outline;
    let size = finisher.screen(Point::new(2.0 * frame.half_x, 2.0 * frame.half_y));
    (finisher.layout.width, finisher.layout.height) = (size.x, size.y);
    finisher.layout.crossings = crossings;
    finisher.things();
    finisher.layout.ports = vec![PortPlace::default(); composer.scene.ports().len()];
    for edge in 0..composer.scene.edges().len() {
        let place = finisher.edge(edge);
        finisher.layout.edges.push(place);
    }
    finisher.side_ports();
    finisher.layout
}

struct Finisher<'a> {
    composer: &'a Composer<'a>,
    composition: &'a Composition,
    layout: Layout,
    /// The centre of every node, before the picture is turned.
    centres: Vec<Point>,
}

impl Finisher<'_> {
    /// Turns a point if the picture runs to the right.
    fn screen(&self, point: Point) -> Point {
        match self.composer.direction {
            Direction::Down => point,
            Direction::Right => point.turned(),
        }
    }

    fn things(&mut self) {
        let composer = self.composer;
        self.centres = vec![Point::default(); composer.scene.nodes().len()];
        self.layout.nodes = vec![NodePlace::default(); composer.scene.nodes().len()];
        self.layout.groups = vec![GroupPlace::default(); composer.scene.groups().len()];
        for (level, members) in composer.structure.members.iter().enumerate() {
            let origin = self.composition.origins[level];
            for (at, thing) in members.iter().enumerate() {
                let centre = self.composition.levels[level].centres[at].plus(origin);
                match thing {
                    Thing::Node(node) => self.node(*node, centre),
                    Thing::Group(group) => {
                        let inner = group.index() + 1;
                        let outline = &self.composition.frames[inner].outline;
                        let size = self.screen(Point::new(2.0 * outline.half_x, 2.0 * outline.half_y));
                        let title = composer.group_titles[group.index()].as_ref();
                        self.layout.groups[group.index()] = GroupPlace {
                            corner: self.screen(self.composition.origins[inner]),
                            width: size.x,
                            height: size.y,
                            title: title.map(|t| t.text.clone()).unwrap_or_default(),
                            depth: composer.structure.depth[level],
                        };
                    }
                }
            }
        }
    }

    fn node(&mut self, node: NodeId, centre: Point) {
        let at = node.index();
        self.centres[at] = centre;
        let outline = &self.composer.nodes[at].outline;
        let size = self.screen(Point::new(2.0 * outline.half_x, 2.0 * outline.half_y));
        let text = &self.composer.texts[at];
        self.layout.nodes[at] = NodePlace {
            centre: self.screen(centre),
            width: size.x,
            height: size.y,
            title: text.title.as_ref().map(|t| t.text.clone()).unwrap_or_default(),
            lines: text.lines.iter().map(|l| l.text.clone()).collect(),
        };
    }

    fn edge(&mut self, edge: usize) -> EdgePlace {
        let course = &self.composer.structure.courses[edge];
        let label = self.composer.labels[edge].as_ref();
        let (level, mut path, label) = match course.across {
            Across::Loop(level, thing) => {
                let (path, label) = self.loop_of(edge, level, thing);
                (level, path, label)
            }
            Across::Between(level, ..) => {
                let (path, label) = self.track(edge, label);
                (level, path, label)
            }
            Across::Frame => {
                let level = course.gates.iter().flatten().map(|g| g.0).min().unwrap_or(0);
                let (path, label) = self.track(edge, label);
                (level, path, label)
            }
        };
        if course.turned && !matches!(course.across, Across::Loop(..)) {
            path.reverse();
        }
        self.bound_ports(edge, &path);
        EdgePlace { path, label, depth: self.composer.structure.depth[level] }
    }

    fn track(&self, edge: usize, label: Option<&Fitted>) -> (Vec<Point>, Option<LabelPlace>) {
        let track = self.composer.track(self.composition, edge);
        let path = route::curve(&track.points).into_iter().map(|p| self.screen(p)).collect();
        let label = label.zip(track.label).map(|(label, at)| centred(label, self.screen(at)));
        (path, label)
    }

    /// A loop on the right side of a thing.
    fn loop_of(&self, edge: usize, level: usize, thing: Thing) -> (Vec<Point>, Option<LabelPlace>) {
        let (measure, centre) = match thing {
            Thing::Node(node) => (&self.composer.nodes[node.index()], self.centres[node.index()]),
            Thing::Group(group) => {
                let members = &self.composer.structure.members[level];
                let at = members.binary_search(&thing).unwrap_or(0);
                let centre = self.composition.levels[level].centres[at];
                (&self.composition.frames[group.index() + 1], centre.plus(self.composition.origins[level]))
            }
        };
        let Some(own) = measure.sides.loops.iter().find(|l| l.edge == edge) else {
            return (Vec::new(), None);
        };
        let from = measure.right_slot(own.from, self.composer.direction).plus(centre);
        let to = measure.right_slot(own.to, self.composer.direction).plus(centre);
        let out = centre.x + measure.outline.half_x + LOOP_REACH;
        // A Bézier curve reaches three quarters of the way to its handles.
        let handle = f64::midpoint(from.x, to.x) + (out - f64::midpoint(from.x, to.x)) * 4.0 / 3.0;
        let spread = (to.y - from.y) * 0.35;
        let path = [from, Point::new(handle, from.y - spread), Point::new(handle, to.y + spread), to];
        let path = path.into_iter().map(|p| self.screen(p)).collect();
        let labels = measure.loop_labels(self.composer.direction);
        let y = labels.iter().find(|l| l.0 == edge).map_or(0.0, |l| l.1);
        let middle = Point::new(out, centre.y + y);
        let label = own.label.as_ref().map(|label| match self.composer.direction {
            Direction::Down => LabelPlace {
                at: Point::new(middle.x + 4.0, middle.y + LABEL.size * 0.35),
                anchor: Anchor::Start,
                ..centred(label, middle)
            },
            Direction::Right => {
                centred(label, self.screen(middle).plus(Point::new(0.0, LABEL.line_height() / 2.0 + 2.0)))
            }
        });
        (path, label)
    }

    /// Places the ports at the two ends of an edge.
    fn bound_ports(&mut self, edge: usize, path: &[Point]) {
        let e = &self.composer.scene.edges()[edge];
        for (end, point) in [(e.from, path.first()), (e.to, path.last())] {
            let (End::Port(port), Some(&at)) = (end, point) else { continue };
            let label = self.composer.port_labels[port.index()].as_ref();
            let node = self.composer.scene.ports()[port.index()].0;
            let centre = self.layout.nodes[node.index()].centre;
            let label = label.map(|label| match self.composer.direction {
                Direction::Down => {
                    let dy = if at.y > centre.y { 13.0 } else { -6.0 };
                    LabelPlace { anchor: Anchor::Start, ..beside(label, at, 5.0, dy) }
                }
                Direction::Right if at.x > centre.x => {
                    LabelPlace { anchor: Anchor::Start, ..beside(label, at, 6.0, -4.0) }
                }
                Direction::Right => LabelPlace { anchor: Anchor::End, ..beside(label, at, -6.0, -4.0) },
            });
            self.layout.ports[port.index()] = PortPlace { at, label };
        }
    }

    /// Places the ports on the left and right sides.
    fn side_ports(&mut self) {
        for (node, measure) in self.composer.nodes.iter().enumerate() {
            for at in 0..measure.sides.left.len() {
                self.side_port(measure, self.centres[node], at, true);
            }
            for at in 0..measure.sides.right.len() {
                self.side_port(measure, self.centres[node], at, false);
            }
        }
    }

    fn side_port(&mut self, measure: &Measure, centre: Point, at: usize, left: bool) {
        let direction = self.composer.direction;
        let (slot, point) = if left {
            (&measure.sides.left[at], measure.left_slot(at, direction))
        } else {
            (&measure.sides.right[at], measure.right_slot(at, direction))
        };
        let Some(port) = slot.port else { return };
        let dot = self.screen(point.plus(centre));
        let outward = if left { -PORT_LABEL_GAP } else { PORT_LABEL_GAP };
        let label = slot.label.as_ref().map(|label| match direction {
            Direction::Down => LabelPlace {
                anchor: if left { Anchor::End } else { Anchor::Start },
                ..beside(label, dot, outward, PORT.size * 0.35)
            },
            Direction::Right if left => beside(label, dot, 0.0, outward),
            Direction::Right => beside(label, dot, 0.0, outward + PORT.size * 0.75),
        });
        self.layout.ports[port.index()] = PortPlace { at: dot, label };
    }
}

/// A label with its middle at a point.
fn centred(label: &Fitted, at: Point) -> LabelPlace {
    beside(label, at, 0.0, LABEL.size * 0.35)
}

fn beside(label: &Fitted, at: Point, dx: f64, dy: f64) -> LabelPlace {
    LabelPlace {
        at: at.plus(Point::new(dx, dy)),
        anchor: Anchor::Middle,
        text: label.text.clone(),
        width: label.width,
    }
}
