//! How much room everything takes: the text of a node, the names of its unbound ports, its loops.
//!
//! Edges end on the upper and lower side of a node. Everything else that belongs to the boundary (ports that
//! are unbound or that have edges in both directions, and loops) stands on its left and right side, where no
//! edge passes; the room for it is reserved here, before anything is placed.

use crate::geometry::{Outline, Point, spread};
use crate::scene::{Direction, Node, PortId, PortKind, Shape};
use crate::text::{Font, printable};

/// The name of a node.
pub(crate) const TITLE: Font = Font { size: 13.0, bold: true };
/// The lines below the name of a node.
pub(crate) const LINE: Font = Font { size: 11.0, bold: false };
/// The label of an edge.
pub(crate) const LABEL: Font = Font { size: 11.0, bold: false };
/// The name of a port.
pub(crate) const PORT: Font = Font { size: 10.0, bold: false };
/// The title of a group.
pub(crate) const GROUP: Font = Font { size: 12.0, bold: true };

const TITLE_MAX: f64 = 190.0;
const LINE_MAX: f64 = 210.0;
const LABEL_MAX: f64 = 130.0;
const PORT_MAX: f64 = 110.0;
/// How wide the title of a group may be, however small the group.
const GROUP_MAX: f64 = 220.0;

/// The radius of the dot of a port.
pub(crate) const DOT: f64 = 3.5;
/// How far a loop reaches out of its node.
pub(crate) const LOOP_REACH: f64 = 26.0;
/// How far the name of a port is from the boundary.
pub(crate) const PORT_LABEL_GAP: f64 = 8.0;

/// A text shortened to what is drawn, and how wide it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fitted {
    pub(crate) text: String,
    pub(crate) width: f64,
}

impl Fitted {
    fn new(font: Font, text: &str, max: f64) -> Self {
        let text = font.fit(printable(text).trim(), max);
        let width = font.width(&text);
        Self { text, width }
    }

    pub(crate) fn label(text: &str) -> Option<Self> {
        Some(Self::new(LABEL, text, LABEL_MAX)).filter(|t| !t.text.is_empty())
    }

    pub(crate) fn port(text: &str) -> Option<Self> {
        Some(Self::new(PORT, text, PORT_MAX)).filter(|t| !t.text.is_empty())
    }

    pub(crate) fn group(text: &str) -> Option<Self> {
        Some(Self::new(GROUP, text, GROUP_MAX)).filter(|t| !t.text.is_empty())
    }
}

/// A place on the left or right side of an item.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slot {
    pub(crate) port: Option<PortId>,
    pub(crate) label: Option<Fitted>,
}

/// An edge from an item to itself, between two places on its right side.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loop {
    pub(crate) edge: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) label: Option<Fitted>,
}

impl Loop {
    /// The room that its label takes along the side.
    fn extent(&self, direction: Direction) -> f64 {
        match (&self.label, direction) {
            (None, _) => 0.0,
            (Some(_), Direction::Down) => LABEL.line_height(),
            (Some(label), Direction::Right) => label.width + 8.0,
        }
    }
}

/// The ports on the left and right side of an item.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sides {
    pub(crate) left: Vec<Slot>,
    pub(crate) right: Vec<Slot>,
    pub(crate) loops: Vec<Loop>,
}

impl Sides {
    /// Puts an unbound port where component diagrams have it: what is provided left, what is required right.
    pub(crate) fn add_unbound(&mut self, port: PortId, kind: PortKind, label: Option<Fitted>) {
        let to_left = match kind {
            PortKind::Provided => true,
            PortKind::Required => false,
            PortKind::Plain => self.left.len() <= self.right.len(),
        };
        let side = if to_left { &mut self.left } else { &mut self.right };
        side.push(Slot { port: Some(port), label });
    }

    fn len(&self) -> usize {
        self.left.len().max(self.right.len())
    }
}

/// How many edges end on the upper and lower side of an item, and the names that stand at those ends.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Ends {
    pub(crate) most: usize,
    /// The width of the widest name of a bound port on either side.
    pub(crate) widest: f64,
}

impl Ends {
    /// The least distance between two ends on one side.
    pub(crate) fn gap(&self, direction: Direction) -> f64 {
        let dots = if self.most > 24 { 9.0 } else { 13.0 };
        match direction {
            Direction::Down if self.widest > 0.0 => dots + self.widest,
            Direction::Right if self.widest > 0.0 => dots.max(14.0),
            _ => dots,
        }
    }

    /// The room outside the outline for the names.
    fn margin(&self, direction: Direction) -> f64 {
        match direction {
            _ if self.widest <= 0.0 => 0.0,
            Direction::Down => 14.0,
            Direction::Right => self.widest + 12.0,
        }
    }
}

/// An item with the room it takes, as if edges ran down.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measure {
    pub(crate) outline: Outline,
    /// The room to the left and right of the outline.
    pub(crate) left: f64,
    pub(crate) right: f64,
    /// The room above and below the outline.
    pub(crate) above: f64,
    pub(crate) below: f64,
    pub(crate) sides: Sides,
    pub(crate) ends: Ends,
}

/// The text of a node as drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NodeText {
    pub(crate) title: Option<Fitted>,
    pub(crate) lines: Vec<Fitted>,
}

impl NodeText {
    pub(crate) fn new(node: &Node) -> Self {
        let title = Some(Fitted::new(TITLE, &node.title, TITLE_MAX)).filter(|t| !t.text.is_empty());
        let lines = node.lines.iter().map(|l| Fitted::new(LINE, l, LINE_MAX)).collect();
        Self { title, lines }
    }

    pub(crate) fn height(&self) -> f64 {
        let title = self.title.as_ref().map_or(0.0, |_| TITLE.line_height());
        title + self.lines.len() as f64 * LINE.line_height()
    }

    /// Half the width of every line and how far its outer edge is from the middle of the text.
    fn corners(&self) -> Vec<(f64, f64)> {
        let middle = self.height() / 2.0;
        let mut top = -middle;
        let mut corners = Vec::new();
        let rows = self.title.iter().map(|t| (t.width, TITLE.line_height()));
        for (width, height) in rows.chain(self.lines.iter().map(|l| (l.width, LINE.line_height()))) {
            // The ink of a line is lower than the line.
            let outer = (top + height * 0.15).abs().max((top + height * 0.85).abs());
            corners.push((width / 2.0, outer));
            top += height;
        }
        corners
    }

    /// Half the size of the shape around the text, on the screen.
    fn shape(&self, shape: Shape) -> (f64, f64) {
        let corners = self.corners();
        let widest = corners.iter().map(|c| c.0).fold(0.0, f64::max);
        let height = self.height() / 2.0;
        match shape {
            Shape::Box | Shape::Rounded => ((widest + 12.0).max(24.0), (height + 8.0).max(15.0)),
            Shape::Circle => {
                let radius = corners.iter().map(|c| (c.0 + 4.0).hypot(c.1)).fold(16.0, f64::max) + 3.0;
                (radius, radius)
            }
            Shape::Oval => {
                let half_y = (height * 1.3 + 8.0).max(19.0);
                let around = |c: &(f64, f64)| (c.0 + 7.0) / (1.0 - (c.1 / half_y).powi(2)).max(0.05).sqrt();
                let half_x = corners.iter().map(around).fold(30.0, f64::max);
                (half_x.max(half_y * 1.15), half_y)
            }
        }
    }
}

/// Measures a node.
pub(crate) fn node(node: &Node, text: &NodeText, sides: Sides, ends: Ends, direction: Direction) -> Measure {
    let (screen_x, screen_y) = text.shape(node.shape);
    let (mut half_x, mut half_y) = match direction {
        Direction::Down => (screen_x, screen_y),
        Direction::Right => (screen_y, screen_x),
    };
    let round = matches!(node.shape, Shape::Oval | Shape::Circle);
    let usable = |length: f64| if round { length / 0.8 } else { length + 9.0 };
    if ends.most > 1 {
        half_x = half_x.max(usable((ends.most - 1) as f64 * ends.gap(direction) / 2.0));
    }
    if sides.len() > 1 {
        half_y = half_y.max(usable((sides.len() - 1) as f64 * side_gap(&sides, direction) / 2.0));
    }
    if node.shape == Shape::Circle {
        half_x = half_x.max(half_y);
        half_y = half_x;
    }
    around(Outline::new(node.shape, half_x, half_y), sides, ends, direction)
}

/// Measures the frame of a group whose size is known.
pub(crate) fn frame(width: f64, height: f64, sides: Sides, direction: Direction) -> Measure {
    around(Outline::new(Shape::Box, width / 2.0, height / 2.0), sides, Ends::default(), direction)
}

fn around(outline: Outline, sides: Sides, ends: Ends, direction: Direction) -> Measure {
    let label_room = |slots: &[Slot]| {
        let widest = slots.iter().filter_map(|s| s.label.as_ref()).map(|l| l.width).fold(0.0, f64::max);
        match (slots.is_empty(), direction) {
            (true, _) => 0.0,
            (false, _) if widest <= 0.0 => DOT,
            (false, Direction::Down) => widest + PORT_LABEL_GAP + 2.0,
            (false, Direction::Right) => PORT.line_height() + PORT_LABEL_GAP,
        }
    };
    let loop_room = |l: &Loop| {
        LOOP_REACH
            + match (&l.label, direction) {
                (None, _) => 0.0,
                (Some(label), Direction::Down) => label.width + 6.0,
                (Some(_), Direction::Right) => LABEL.line_height() + 4.0,
            }
    };
    let left = label_room(&sides.left);
    let right = sides.loops.iter().map(loop_room).fold(label_room(&sides.right), f64::max);
    // Labels of loops may need more room along the side than the outline has.
    let labels: f64 = sides.loops.iter().map(|l| l.extent(direction)).sum();
    let margin = ends.margin(direction).max(labels / 2.0 - outline.half_y);
    Measure { outline, left, right, above: margin, below: margin, sides, ends }
}

/// The distance between two places on the left or right side.
fn side_gap(sides: &Sides, direction: Direction) -> f64 {
    match direction {
        Direction::Down => 15.0,
        Direction::Right => {
            let labels = sides.left.iter().chain(&sides.right).filter_map(|s| s.label.as_ref());
            let widest = labels.map(|l| l.width).fold(5.0, f64::max);
            let loops = sides.loops.iter().filter_map(|l| l.label.as_ref());
            loops.map(|l| l.width / 2.0).fold(widest, f64::max) + 10.0
        }
    }
}

impl Measure {
    /// How far along y each place on a side is from the centre.
    fn slot_offset(&self, slots: usize, at: usize, direction: Direction) -> f64 {
        let gap = side_gap(&self.sides, direction);
        let spread = gap * slots.saturating_sub(1) as f64;
        let scale =
            if spread > 2.0 * self.outline.reach_y() { 2.0 * self.outline.reach_y() / spread } else { 1.0 };
        (at as f64 * gap - spread / 2.0) * scale
    }

    /// A place on the right side, relative to the centre.
    pub(crate) fn right_slot(&self, at: usize, direction: Direction) -> Point {
        let y = self.slot_offset(self.sides.right.len(), at, direction);
        Point::new(self.outline.x_at(y), y)
    }

    /// How far along y the middle of the label of each loop is from the centre: beside its loop, or as near
    /// as the labels of the other loops allow.
    pub(crate) fn loop_labels(&self, direction: Direction) -> Vec<(usize, f64)> {
        let slots = self.sides.right.len();
        let middle = |l: &Loop| {
            f64::midpoint(
                self.slot_offset(slots, l.from, direction),
                self.slot_offset(slots, l.to, direction),
            )
        };
        let mut labels: Vec<(usize, f64, f64)> =
            self.sides.loops.iter().map(|l| (l.edge, middle(l), l.extent(direction))).collect();
        labels.retain(|l| l.2 > 0.0);
        labels.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let gaps: Vec<f64> = (0..labels.len())
            .map(|i| if i == 0 { 0.0 } else { f64::midpoint(labels[i - 1].2, labels[i].2) })
            .collect();
        let wanted: Vec<f64> = labels.iter().map(|l| l.1).collect();
        let mut at = spread(&wanted, &vec![1.0; wanted.len()], &gaps);
        self.keep_beside(&mut at, &labels);
        labels.iter().zip(at).map(|(l, at)| (l.0, at)).collect()
    }

    /// Moves a run of labels as a whole to where the item has room for it.
    fn keep_beside(&self, at: &mut [f64], labels: &[(usize, f64, f64)]) {
        let (Some(first), Some(last)) = (labels.first(), labels.last()) else { return };
        let room = self.outline.half_y + self.above;
        let over = (at[at.len() - 1] + last.2 / 2.0 - room).max(0.0);
        let under = (-room - at[0] + first.2 / 2.0).max(0.0);
        for at in at {
            *at += under - over;
        }
    }

    /// A place on the left side, relative to the centre.
    pub(crate) fn left_slot(&self, at: usize, direction: Direction) -> Point {
        let y = self.slot_offset(self.sides.left.len(), at, direction);
        Point::new(-self.outline.x_at(y), y)
    }

    /// How far the item reaches to the left of its centre, all included.
    pub(crate) fn reach_left(&self) -> f64 {
        self.outline.half_x + self.left
    }

    /// How far the item reaches to the right of its centre, all included.
    pub(crate) fn reach_right(&self) -> f64 {
        self.outline.half_x + self.right
    }

    /// How far the item reaches along y, all included.
    pub(crate) fn height(&self) -> f64 {
        2.0 * self.outline.half_y + self.above + self.below
    }

    /// How far the centre is below the upper end.
    pub(crate) fn centre(&self) -> f64 {
        self.above + self.outline.half_y
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(n: &Node, sides: Sides, ends: Ends, direction: Direction) -> Measure {
        node(n, &NodeText::new(n), sides, ends, direction)
    }

    #[test]
    fn the_text_is_inside_the_oval() {
        let n = Node::oval("a", "a-name-of-some-length").line("sort: WebServer").line("3 roles");
        let text = NodeText::new(&n);
        let m = measure(&n, Sides::default(), Ends::default(), Direction::Down);
        for (x, y) in text.corners() {
            assert!((x / m.outline.half_x).powi(2) + (y / m.outline.half_y).powi(2) < 1.0);
        }
    }

    #[test]
    fn many_ends_make_a_node_wide_and_many_slots_make_it_high() {
        let n = Node::oval("a", "A");
        let plain = measure(&n, Sides::default(), Ends::default(), Direction::Down);
        let wide = measure(&n, Sides::default(), Ends { most: 20, widest: 0.0 }, Direction::Down);
        assert!(wide.outline.half_x > 110.0 && plain.outline.half_x < 40.0);
        let mut sides = Sides::default();
        for port in 0..9 {
            sides.add_unbound(PortId(port), PortKind::Provided, Fitted::port("role"));
        }
        let high = measure(&n, sides, Ends::default(), Direction::Down);
        assert!(high.outline.half_y > 60.0);
        assert!(high.left > 20.0 && high.right.abs() < 1e-9);
    }

    #[test]
    fn a_circle_stays_one() {
        let n = Node::new("a", "A").shape(Shape::Circle);
        let m = measure(&n, Sides::default(), Ends { most: 20, widest: 0.0 }, Direction::Right);
        assert!((m.outline.half_x - m.outline.half_y).abs() < 1e-9);
    }
}
