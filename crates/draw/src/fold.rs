//! Layers that are far too wide become several rows.
//!
//! A network with sixty servers would be one long line of them. Its layer is cut into as many rows as give the
//! part a readable shape; edges to the further rows run between the things in the nearer ones.

use crate::layering::Pull;

/// Width over height that a part should have at most.
const ASPECT: f64 = 1.6;
/// A layer is folded when it is this many times as wide as a well-shaped part would be.
const TOO_WIDE: f64 = 1.8;
/// The room beside an item, above it, and for an edge that passes.
const BESIDE: f64 = 30.0;
const BETWEEN: f64 = 62.0;
const PASSING: f64 = 17.0;
const ROWS_MAX: usize = 40;

/// Folds layers, given the width and height of the items, which are the first of the nodes that have a layer.
/// Rows are `unit` layers apart.
pub(crate) fn fold(ranks: &mut [i32], unit: i32, sizes: &[(f64, f64)], pulls: &[Pull]) {
    let area: f64 = sizes.iter().map(|s| (s.0 + BESIDE) * (s.1 + BETWEEN)).sum();
    let target = (area * ASPECT).sqrt();
    let items = Items::new(sizes, pulls);
    let mut layers: Vec<i32> = ranks[..sizes.len()].to_vec();
    layers.sort_unstable();
    layers.dedup();
    // From the last layer up, so that those still to be looked at keep their number.
    for &layer in layers.iter().rev() {
        let members: Vec<usize> = (0..sizes.len()).filter(|&i| ranks[i] == layer).collect();
        let width: f64 = members.iter().map(|&i| sizes[i].0 + BESIDE).sum();
        if members.len() < 4 || width <= TOO_WIDE * target {
            continue;
        }
        let members = items.by_neighbour(members);
        let rows = items.best_rows(&members, layers.len());
        for rank in ranks.iter_mut().filter(|r| **r > layer) {
            *rank += (rows as i32 - 1) * unit;
        }
        for (at, &item) in members.iter().enumerate() {
            ranks[item] = layer + (at % rows) as i32 * unit;
        }
    }
}

struct Items<'a> {
    sizes: &'a [(f64, f64)],
    /// For every item, how many edges lead up and down from it, and a neighbour.
    up: Vec<usize>,
    down: Vec<usize>,
    neighbour: Vec<usize>,
}

impl<'a> Items<'a> {
    fn new(sizes: &'a [(f64, f64)], pulls: &[Pull]) -> Self {
        let count = sizes.len();
        let mut items =
            Self { sizes, up: vec![0; count], down: vec![0; count], neighbour: vec![usize::MAX; count] };
        for pull in pulls.iter().filter(|p| p.weight > 0) {
            if pull.lower < count {
                items.up[pull.lower] += 1;
                items.neighbour[pull.lower] = items.neighbour[pull.lower].min(pull.upper);
            }
            if pull.upper < count {
                items.down[pull.upper] += 1;
                items.neighbour[pull.upper] = items.neighbour[pull.upper].min(pull.lower);
            }
        }
        items
    }

    /// Items that hang on the same thing side by side.
    fn by_neighbour(&self, mut members: Vec<usize>) -> Vec<usize> {
        members.sort_by_key(|&i| (self.neighbour[i], i));
        members
    }

    /// The number of rows with the best shape, where there are `others` other layers.
    fn best_rows(&self, members: &[usize], others: usize) -> usize {
        let highest = members.iter().map(|&i| self.sizes[i].1).fold(0.0, f64::max) + BETWEEN;
        let cost = |rows: usize| {
            let height = highest * (rows + others) as f64;
            (self.width(members, rows) / ASPECT).max(height)
        };
        let most = members.len().min(ROWS_MAX);
        (1..=most).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(1)
    }

    /// The width of the widest row, with the edges that pass it.
    fn width(&self, members: &[usize], rows: usize) -> f64 {
        let mut widths = vec![0.0; rows];
        for (at, &item) in members.iter().enumerate() {
            let row = at % rows;
            for (other, width) in widths.iter_mut().enumerate() {
                *width += match other.cmp(&row) {
                    std::cmp::Ordering::Less => self.up[item] as f64 * PASSING,
                    std::cmp::Ordering::Equal => self.sizes[item].0 + BESIDE,
                    std::cmp::Ordering::Greater => self.down[item] as f64 * PASSING,
                };
            }
        }
        widths.into_iter().fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layering::layers;

    fn fan(count: usize) -> (Vec<Pull>, Vec<(f64, f64)>) {
        let pulls = (1..=count).map(|lower| Pull { upper: 0, lower, length: 2, weight: 1 }).collect();
        (pulls, vec![(80.0, 40.0); count + 1])
    }

    #[test]
    fn a_wide_fan_is_folded() {
        let (pulls, sizes) = fan(60);
        let mut ranks = layers(61, &pulls);
        fold(&mut ranks, 2, &sizes, &pulls);
        let rows = ranks.iter().max().expect("some") / 2;
        assert!((4..10).contains(&rows), "{rows}");
        assert!(pulls.iter().all(|p| ranks[p.lower] - ranks[p.upper] >= p.length));
        assert!(ranks.iter().all(|r| r % 2 == 0));
    }

    #[test]
    fn a_narrow_one_is_not() {
        let (pulls, sizes) = fan(5);
        let mut ranks = layers(6, &pulls);
        fold(&mut ranks, 2, &sizes, &pulls);
        assert_eq!(ranks, [0, 2, 2, 2, 2, 2]);
    }

    #[test]
    fn what_is_below_moves_down() {
        let (mut pulls, mut sizes) = fan(30);
        pulls.extend((1..=30).map(|upper| Pull { upper, lower: 31, length: 2, weight: 1 }));
        sizes.push((80.0, 40.0));
        let mut ranks = layers(32, &pulls);
        fold(&mut ranks, 2, &sizes, &pulls);
        assert!(ranks[31] > 4);
        assert!(pulls.iter().all(|p| ranks[p.lower] - ranks[p.upper] >= p.length));
    }
}
