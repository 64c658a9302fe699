//! Smooth curves through the points of a track.
//!
//! A track runs down, so its x is a function of y: the curve is the monotone cubic interpolation of Fritsch
//! and Carlson (1980). It is smooth, it is straight where the points are, and it never swings out beyond them,
//! so it keeps to the free way that the points mark.

use crate::geometry::Point;

/// The Bézier curves through points whose y grows: the first point, then two handles and an end per curve.
pub(crate) fn curve(points: &[Point]) -> Vec<Point> {
    let points = distinct(points);
    if points.len() < 2 {
        return points;
    }
    let slopes = slopes(&points);
    let mut path = vec![points[0]];
    for (at, pair) in points.windows(2).enumerate() {
        let third = (pair[1].y - pair[0].y) / 3.0;
        path.push(Point::new(pair[0].x + slopes[at] * third, pair[0].y + third));
        path.push(Point::new(pair[1].x - slopes[at + 1] * third, pair[1].y - third));
        path.push(pair[1]);
    }
    path
}

/// Drops points that are not below the one before; the last point is always kept.
fn distinct(points: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::with_capacity(points.len());
    for (at, &point) in points.iter().enumerate() {
        let last = at + 1 == points.len();
        while last && kept.len() > 1 && kept.last().is_some_and(|p| point.y - p.y < 0.5) {
            kept.pop();
        }
        if last || kept.last().is_none_or(|p| point.y - p.y >= 0.5) {
            kept.push(point);
        }
    }
    kept
}

/// The slope (x over y) at every point.
fn slopes(points: &[Point]) -> Vec<f64> {
    let secants: Vec<f64> = points
        .windows(2)
        .map(|pair| {
            let dy = pair[1].y - pair[0].y;
            if dy.abs() < 1e-9 { 0.0 } else { (pair[1].x - pair[0].x) / dy }
        })
        .collect();
    let last = secants.len() - 1;
    let inner = |at: usize| {
        let (a, b) = (secants[at - 1], secants[at]);
        if a * b <= 0.0 { 0.0 } else { 2.0 * a * b / (a + b) }
    };
    let mut slopes = vec![0.0; points.len()];
    for (at, slope) in slopes.iter_mut().enumerate().take(last + 1).skip(1) {
        *slope = inner(at);
    }
    // At the ends, the slope that makes the curvature vanish there, within what keeps the curve monotone.
    slopes[0] = end_slope(secants[0], slopes[1], points.len());
    slopes[last + 1] = end_slope(secants[last], slopes[last], points.len());
    slopes
}

fn end_slope(secant: f64, next: f64, points: usize) -> f64 {
    if points == 2 {
        return secant;
    }
    let slope = f64::midpoint(3.0 * secant, -next);
    if slope * secant <= 0.0 { 0.0 } else { slope.abs().min(3.0 * secant.abs()).copysign(secant) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(curve: &[Point], t: f64) -> Point {
        let u = 1.0 - t;
        let mix = |f: fn(&Point) -> f64| {
            u * u * u * f(&curve[0])
                + 3.0 * u * u * t * f(&curve[1])
                + 3.0 * u * t * t * f(&curve[2])
                + t * t * t * f(&curve[3])
        };
        Point::new(mix(|p| p.x), mix(|p| p.y))
    }

    #[test]
    fn points_on_a_line_give_a_line() {
        let path = curve(&[Point::new(0.0, 0.0), Point::new(10.0, 20.0), Point::new(20.0, 40.0)]);
        for p in path {
            assert!((p.y - 2.0 * p.x).abs() < 1e-9);
        }
    }

    #[test]
    fn points_that_coincide_are_dropped() {
        let path = curve(&[
            Point::new(0.0, 0.0),
            Point::new(0.0, 0.0),
            Point::new(5.0, 10.0),
            Point::new(5.0, 10.0),
        ]);
        assert_eq!(path.len(), 4);
        assert_eq!(path[3], Point::new(5.0, 10.0));
    }

    proptest! {
        #[test]
        fn the_curve_stays_between_its_points(
            steps in prop::collection::vec((-200.0..200.0_f64, 1.0..100.0_f64), 2..10)
        ) {
            let mut y = 0.0;
            let points: Vec<Point> = steps.iter().map(|&(x, dy)| { y += dy; Point::new(x, y) }).collect();
            let path = curve(&points);
            prop_assert_eq!(path.len(), 3 * points.len() - 2);
            for (i, pair) in points.windows(2).enumerate() {
                for t in 0..=20 {
                    let p = at(&path[3 * i..], f64::from(t) / 20.0);
                    prop_assert!(p.x >= pair[0].x.min(pair[1].x) - 1e-6);
                    prop_assert!(p.x <= pair[0].x.max(pair[1].x) + 1e-6);
                }
            }
        }
    }
}
