//! Where on the boundary of its item each strand ends.
//!
//! A free end wants to be where the line to its next point leaves the outline; ends that would be too close
//! are moved apart, in the order of where they lead, so that they do not cross.

use crate::geometry::{Point, spread};
use crate::part::{Anchor, Part, Terminal, Track};

/// For every strand, the points where it ends at its upper and at its lower item. `None` at a gate.
pub(crate) fn ends(part: &Part<'_>, tracks: &[Track], centres: &[Point]) -> Vec<[Option<Point>; 2]> {
    let mut ends = vec![[None; 2]; part.strands.len()];
    let mut free: Vec<[Vec<FreeEnd>; 2]> = vec![[Vec::new(), Vec::new()]; part.items.len()];
    for (at, strand) in part.strands.iter().enumerate() {
        for (which, terminal) in [strand.upper, strand.lower].into_iter().enumerate() {
            let Terminal::Item(item, anchor) = terminal else { continue };
            let down = which == 0;
            let outline = &part.items[item].outline;
            let sign = if down { 1.0 } else { -1.0 };
            match anchor {
                Anchor::Side(point) => ends[at][which] = Some(centres[item].plus(point)),
                Anchor::Fixed(x) => {
                    ends[at][which] = Some(centres[item].plus(Point::new(x, sign * outline.half_y)));
                }
                Anchor::Free(key) => {
                    let target = next_point(part, &tracks[at], at, down, centres);
                    let wanted = Point::new(target.x - centres[item].x, target.y - centres[item].y);
                    free[item][which].push(FreeEnd { strand: at, key, wanted });
                }
            }
        }
    }
    for (item, sides) in free.iter().enumerate() {
        for (which, side) in sides.iter().enumerate() {
            for (strand, point) in place_side(part, item, which == 0, side) {
                ends[strand][which] = Some(centres[item].plus(point));
            }
        }
    }
    ends
}

#[derive(Debug, Clone, Copy)]
struct FreeEnd {
    strand: usize,
    key: usize,
    /// The next point of the strand, relative to the centre of the item.
    wanted: Point,
}

/// The point that a strand goes to from its upper (`down`) or lower end.
fn next_point(part: &Part<'_>, track: &Track, strand: usize, down: bool, centres: &[Point]) -> Point {
    let inner = if down { track.points.first() } else { track.points.last() };
    let other = if down { part.strands[strand].lower } else { part.strands[strand].upper };
    inner.copied().unwrap_or(match other {
        Terminal::Item(item, Anchor::Fixed(x)) => centres[item].plus(Point::new(x, 0.0)),
        Terminal::Item(item, Anchor::Side(point)) => centres[item].plus(point),
        Terminal::Item(item, Anchor::Free(_)) => centres[item],
        // A gate is a point of the track, so this is never asked for.
        Terminal::Gate(_) => Point::default(),
    })
}

/// Places the free ends on the lower (`down`) or upper side of an item, relative to its centre.
fn place_side(part: &Part<'_>, item: usize, down: bool, ends: &[FreeEnd]) -> Vec<(usize, Point)> {
    let measure = part.items[item];
    let outline = &measure.outline;
    let mut wanted: Vec<(f64, f64, &FreeEnd)> = merge_shared(ends)
        .into_iter()
        .map(|(target, end)| (outline.towards(target), target.x, end))
        .collect();
    // Those that want the same place because both point far away keep the order of where they lead.
    wanted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let reach = outline.reach_x();
    let count = wanted.len();
    let gap =
        if count > 1 { measure.ends.gap(part.direction).min(2.0 * reach / (count - 1) as f64) } else { 0.0 };
    let positions: Vec<f64> = wanted.iter().map(|w| w.0).collect();
    let mut x = spread(&positions, &vec![1.0; count], &vec![gap; count]);
    clamp_run(&mut x, gap, reach);
    let sign = if down { 1.0 } else { -1.0 };
    let mut placed = Vec::new();
    for ((_, _, first), x) in wanted.iter().zip(x) {
        let point = Point::new(x, sign * outline.y_at(x));
        let same = ends.iter().filter(|e| e.key == first.key);
        placed.extend(same.map(|e| (e.strand, point)));
    }
    placed
}

/// One target for each key: the mean of those of its ends.
fn merge_shared(ends: &[FreeEnd]) -> Vec<(Point, &FreeEnd)> {
    let mut sorted: Vec<&FreeEnd> = ends.iter().collect();
    sorted.sort_by_key(|e| (e.key, e.strand));
    sorted
        .chunk_by(|a, b| a.key == b.key)
        .map(|same| {
            let count = same.len() as f64;
            let x = same.iter().map(|e| e.wanted.x).sum::<f64>() / count;
            let y = same.iter().map(|e| e.wanted.y).sum::<f64>() / count;
            (Point::new(x, y), same[0])
        })
        .collect()
}

/// Pushes positions that are in order and far enough apart back between `-reach` and `reach`.
fn clamp_run(x: &mut [f64], gap: f64, reach: f64) {
    let mut least = -reach;
    for x in x.iter_mut() {
        *x = x.max(least);
        least = *x + gap;
    }
    let mut most = reach;
    for x in x.iter_mut().rev() {
        *x = x.min(most);
        most = *x - gap;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_pushed_back_onto_its_side() {
        let mut x: [f64; 3] = [-30.0, -20.0, 25.0];
        clamp_run(&mut x, 10.0, 20.0);
        for (x, expected) in x.into_iter().zip([-20.0, -10.0, 20.0]) {
            assert!((x - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn ends_with_one_key_become_one() {
        let end = |strand, key, x| FreeEnd { strand, key, wanted: Point::new(x, 10.0) };
        let ends = [end(0, 7, 0.0), end(1, 3, 1.0), end(2, 7, 4.0)];
        let merged = merge_shared(&ends);
        let seen: Vec<(f64, usize)> = merged.iter().map(|(t, e)| (t.x, e.key)).collect();
        assert_eq!(seen, [(1.0, 3), (2.0, 7)]);
    }
}
