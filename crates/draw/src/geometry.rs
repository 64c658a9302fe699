//! Points, and the outlines of shapes around their centre.
//!
//! The layout works as if edges always ran down: x goes along a layer, y from layer to layer. A picture that
//! runs to the right is turned at the very end.

use crate::scene::Shape;

/// A point of a picture, in pixels from its upper left corner.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    pub(crate) fn turned(self) -> Self {
        Self::new(self.y, self.x)
    }
}

/// The outline of an item: its shape and half its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Outline {
    pub(crate) round: bool,
    pub(crate) half_x: f64,
    pub(crate) half_y: f64,
}

impl Outline {
    pub(crate) fn new(shape: Shape, half_x: f64, half_y: f64) -> Self {
        Self { round: matches!(shape, Shape::Oval | Shape::Circle), half_x, half_y }
    }

    /// How far ends of edges may be from the middle of a side.
    pub(crate) fn reach_x(&self) -> f64 {
        reach(self.round, self.half_x)
    }

    /// How far ends of edges may be from the middle of the left or right side.
    pub(crate) fn reach_y(&self) -> f64 {
        reach(self.round, self.half_y)
    }

    /// The height of the outline over the horizontal middle line, at a distance from the centre.
    pub(crate) fn y_at(&self, x: f64) -> f64 {
        other_axis(self.round, x, self.half_x, self.half_y)
    }

    /// The width of the outline to one side of the vertical middle line, at a distance from the centre.
    pub(crate) fn x_at(&self, y: f64) -> f64 {
        other_axis(self.round, y, self.half_y, self.half_x)
    }

    /// Whether a point is inside.
    pub(crate) fn holds(&self, point: Point) -> bool {
        let (x, y) = (point.x / self.half_x, point.y / self.half_y);
        if self.round { x.hypot(y) < 1.0 } else { x.abs() < 1.0 && y.abs() < 1.0 }
    }

    /// Where a line from the centre to a point further down or up leaves the outline, seen along x.
    pub(crate) fn towards(&self, target: Point) -> f64 {
        let (dx, dy) = (target.x, target.y.abs().max(1e-6));
        let x = if self.round {
            dx / (dx * dx / (self.half_x * self.half_x) + dy * dy / (self.half_y * self.half_y)).sqrt()
        } else {
            dx * self.half_y / dy
        };
        x.clamp(-self.reach_x(), self.reach_x())
    }
}

/// Ends keep away from the corners of boxes and from the flat ends of ovals, where dots would crowd.
fn reach(round: bool, half: f64) -> f64 {
    if round { half * 0.86 } else { (half - 7.0).max(half * 0.5) }
}

fn other_axis(round: bool, at: f64, half: f64, other: f64) -> f64 {
    if round { other * (1.0 - (at / half).powi(2)).max(0.0).sqrt() } else { other }
}

/// Moves wanted positions as little as possible (least squares, each with its weight) so that each is at least
/// `gaps[i]` beyond the one before it.
///
/// Neighbours that are too close are pooled and share their mean, which is optimal and takes linear time.
pub(crate) fn spread(wanted: &[f64], weights: &[f64], gaps: &[f64]) -> Vec<f64> {
    // Without the gaps, "at least as far as the one before" is the classical isotonic regression.
    let mut before = 0.0;
    let mut offsets = Vec::with_capacity(wanted.len());
    for gap in gaps {
        before += gap;
        offsets.push(before);
    }
    // Each pool has the weighted sum of what its members want, its weight, and how many they are.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for ((want, weight), offset) in wanted.iter().zip(weights).zip(&offsets) {
        let mut pool = ((want - offset) * weight, *weight, 1);
        while let Some(&last) = pools.last() {
            if last.0 / last.1 <= pool.0 / pool.1 {
                break;
            }
            pools.pop();
            pool = (pool.0 + last.0, pool.1 + last.1, pool.2 + last.2);
        }
        pools.push(pool);
    }
    let means = pools.iter().flat_map(|&(sum, weight, count)| std::iter::repeat_n(sum / weight, count));
    means.zip(&offsets).map(|(mean, offset)| mean + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leaves_an_oval_where_it_points() {
        let oval = Outline::new(Shape::Oval, 40.0, 20.0);
        let x = oval.towards(Point::new(30.0, 30.0));
        let y = oval.y_at(x);
        assert!((x - y).abs() < 1e-9, "{x} {y}");
        assert!(((x / 40.0).powi(2) + (y / 20.0).powi(2) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_line_leaves_a_box_on_its_side() {
        let square = Outline::new(Shape::Box, 40.0, 20.0);
        assert!((square.towards(Point::new(10.0, 40.0)) - 5.0).abs() < 1e-9);
        assert!((square.towards(Point::new(-500.0, 40.0)) + 33.0).abs() < 1e-9);
        assert!((square.y_at(33.0) - 20.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_far_enough_apart_stays() {
        assert_eq!(spread(&[0.0, 20.0], &[1.0, 1.0], &[0.0, 10.0]), [0.0, 20.0]);
    }

    #[test]
    fn what_is_too_close_moves_apart_evenly() {
        assert_eq!(spread(&[5.0, 5.0, 5.0], &[1.0; 3], &[0.0, 10.0, 10.0]), [-5.0, 5.0, 15.0]);
        assert_eq!(spread(&[5.0, 5.0], &[9.0, 1.0], &[0.0, 10.0]), [4.0, 14.0]);
        assert_eq!(spread(&[], &[], &[]), Vec::<f64>::new());
    }
}
