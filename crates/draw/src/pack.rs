//! Where the parts of a level go that no edge joins: on shelves, to a pleasant shape.

use crate::geometry::Point;

/// The room between two parts.
pub(crate) const GAP: f64 = 30.0;

/// The upper left corner of every block of the given sizes, and the size of the whole.
///
/// Blocks stand on shelves from the highest to the lowest, but for the block `last`, which comes after all
/// others; those of one height keep their order. The width of
/// the shelves is tried in steps, and the one whose shape is nearest to `aspect` (width over height) taken.
pub(crate) fn shelves(sizes: &[(f64, f64)], last: Option<usize>, aspect: f64) -> (Vec<Point>, (f64, f64)) {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by(|&a, &b| sizes[b].1.total_cmp(&sizes[a].1));
    order.sort_by_key(|&block| Some(block) == last);
    let widest = sizes.iter().map(|s| s.0).fold(0.0, f64::max);
    let area: f64 = sizes.iter().map(|s| (s.0 + GAP) * (s.1 + GAP)).sum();
    let ideal = (area * aspect).sqrt();
    let mut best: Option<(f64, Vec<Point>, (f64, f64))> = None;
    for percent in [70.0, 80.0, 90.0, 100.0, 110.0, 120.0, 140.0] {
        let width = (ideal * percent / 100.0).max(widest);
        let (points, size) = fill(sizes, &order, width);
        let cost = (size.0 / aspect).max(size.1);
        if best.as_ref().is_none_or(|b| cost < b.0 - 1e-9) {
            best = Some((cost, points, size));
        }
    }
    best.map_or((Vec::new(), (0.0, 0.0)), |(_, points, size)| (points, size))
}

/// The middle of every block of the given sizes in a grid of rows and columns, in their order, and the size
/// of the whole. Each column is as wide as its widest block.
pub(crate) fn grid(sizes: &[(f64, f64)], aspect: f64) -> (Vec<Point>, (f64, f64)) {
    let mut best: Option<(f64, Vec<Point>, (f64, f64))> = None;
    for columns in 1..=sizes.len().min(100) {
        let (points, size) = grid_of(sizes, columns);
        let cost = (size.0 / aspect).max(size.1);
        if best.as_ref().is_none_or(|b| cost < b.0 - 1e-9) {
            best = Some((cost, points, size));
        }
    }
    best.map_or((Vec::new(), (0.0, 0.0)), |(_, points, size)| (points, size))
}

fn grid_of(sizes: &[(f64, f64)], columns: usize) -> (Vec<Point>, (f64, f64)) {
    let mut widths = vec![0.0_f64; columns];
    let mut heights = vec![0.0_f64; sizes.len().div_ceil(columns)];
    for (at, size) in sizes.iter().enumerate() {
        widths[at % columns] = widths[at % columns].max(size.0);
        heights[at / columns] = heights[at / columns].max(size.1);
    }
    let middles = |lengths: &[f64]| {
        let mut end = 0.0;
        let middle = |length: &f64| {
            let middle = end + length / 2.0;
            end += length + GAP;
            middle
        };
        let middles: Vec<f64> = lengths.iter().map(middle).collect();
        (middles, end - GAP)
    };
    let ((x, width), (y, height)) = (middles(&widths), middles(&heights));
    let points = (0..sizes.len()).map(|at| Point::new(x[at % columns], y[at / columns])).collect();
    (points, (width, height))
}

fn fill(sizes: &[(f64, f64)], order: &[usize], width: f64) -> (Vec<Point>, (f64, f64)) {
    let mut points = vec![Point::default(); sizes.len()];
    let (mut x, mut y, mut shelf, mut right) = (0.0, 0.0, 0.0_f64, 0.0_f64);
    for &block in order {
        let (w, h) = sizes[block];
        if x > 0.0 && x + w > width + 1e-6 {
            y += shelf + GAP;
            x = 0.0;
            shelf = 0.0;
        }
        points[block] = Point::new(x, y);
        right = right.max(x + w);
        shelf = shelf.max(h);
        x += w + GAP;
    }
    (points, (right, y + shelf))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_blocks_form_a_grid_in_their_order() {
        let (points, (w, h)) = shelves(&[(70.0, 70.0); 9], None, 1.0);
        assert!((w - 270.0).abs() < 1e-9 && (h - 270.0).abs() < 1e-9);
        assert_eq!(points[4], Point::new(100.0, 100.0));
    }

    #[test]
    fn nothing_takes_no_room() {
        assert_eq!(shelves(&[], None, 1.5), (Vec::new(), (0.0, 0.0)));
    }

    #[test]
    fn a_grid_has_columns() {
        let (points, (w, h)) = grid(&[(50.0, 20.0), (70.0, 20.0), (30.0, 20.0), (70.0, 40.0)], 1.6);
        let expected = [(25.0, 10.0), (115.0, 10.0), (25.0, 70.0), (115.0, 70.0)];
        assert_eq!(points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>(), expected);
        assert!((w - 150.0).abs() < 1e-9 && (h - 90.0).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn blocks_do_not_overlap(sizes in prop::collection::vec((1.0..300.0_f64, 1.0..300.0_f64), 0..30)) {
            let (points, (w, h)) = shelves(&sizes, Some(0), 1.6);
            for (i, (p, s)) in points.iter().zip(&sizes).enumerate() {
                prop_assert!(p.x + s.0 <= w + 1e-6 && p.y + s.1 <= h + 1e-6);
                for (q, t) in points.iter().zip(&sizes).skip(i + 1) {
                    let apart = p.x + s.0 < q.x || q.x + t.0 < p.x || p.y + s.1 < q.y || q.y + t.1 < p.y;
                    prop_assert!(apart);
                }
            }
        }
    }
}
