//! Few of the permutations of a large group, such that the least hash of a state under them is that of all states
//! that the group makes of it.
//!
//! Each model value that is permuted has a *colour* in a state: the hash of the state in which this value is marked,
//! and the others of its orbit are taken for one. So have two values together. A permutation of the state takes
//! colours along. So it is enough to look at the permutations that put the values in the order of their colours,
//! place by place, and where these are the same, of their colours together with the values that have a place already.
//! Of several values that are still alike and can be swapped without changing the state, one is enough for a place.
//! Mostly one permutation is left, of thousands.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::mix;
use super::permuted::{Columns, hash_of_model_value};

/// A group is large if it has so many times as many permutations as there are hashes needed to order them.
const LARGE: usize = 4;

/// The tables by which the permutations that matter to a state are found.
#[derive(Debug)]
pub(super) struct Canonical {
    /// Hashes of a state: as it is, with each value marked, with each two, and with two values swapped.
    pub(super) columns: Columns,
    /// How many values are permuted.
    marked: usize,
    /// For two of the values the column in which they are swapped, if the group does that.
    swapped: FxHashMap<(u32, u32), usize>,
    /// The permutations as a tree: at each place, the values that they put there.
    tree: Vec<Node>,
}

/// A place that is still to be filled, or the only permutation that is left.
#[derive(Debug)]
enum Node {
    /// For each value that can be put there, what comes next.
    Place(Box<[(u32, u32)]>),
    /// A permutation, by its number.
    One(u32),
}

impl Canonical {
    /// For a group that is given by the images of the first model values under each permutation; none if it is small.
    pub(super) fn new(permutations: &[Vec<u64>], size: usize) -> Option<Self> {
        let image = |map: &Vec<u64>, i: u64| map.get(i as usize).copied().unwrap_or(i);
        let is_moved = |i: &u64| permutations.iter().any(|map| image(map, *i) != *i);
        let values: Vec<u64> = (0..size as u64).filter(is_moved).collect();
        let place: FxHashMap<u64, u32> = values.iter().copied().zip(0..).collect();
        let mut swaps = Vec::new();
        for map in permutations {
            let moved: SmallVec<[u64; 3]> =
                values.iter().copied().filter(|i| image(map, *i) != *i).take(3).collect();
            if let [a, b] = moved[..] {
                swaps.push((place[&a], place[&b]));
            }
        }
        let all = values.len();
        let pairs = || (0..all as u32).flat_map(|a| (a + 1..all as u32).map(move |b| (a, b)));
        let count = 1 + all + pairs().count() + swaps.len();
        if permutations.len() <= LARGE * count {
            return None;
        }
        let orbit = |i: u64| permutations.iter().map(|map| image(map, i)).min().unwrap_or(i);
        let images = (0..size as u64).map(|i| {
            let Some(&own) = place.get(&i) else { return Box::default() };
            let itself = hash_of_model_value(i);
            let token = mix(17, orbit(i));
            let mark = |is_marked: bool| if is_marked { mix(19, token) } else { token };
            let marks = (0..all as u32).map(|marked| mark(marked == own));
            let both = pairs().map(|(a, b)| mark(a == own || b == own));
            let swaps = swaps.iter().map(|&(a, b)| match own {
                _ if own == a => hash_of_model_value(values[b as usize]),
                _ if own == b => hash_of_model_value(values[a as usize]),
                _ => itself,
            });
            std::iter::once(itself).chain(marks).chain(both).chain(swaps).collect()
        });
        let columns = Columns { count, images: images.collect() };
        let mut put: Vec<(Vec<u32>, u32)> = (0..)
            .zip(permutations)
            .map(|(number, map)| {
                let mut at = vec![0; all];
                for (own, value) in (0..).zip(&values) {
                    at[place[&image(map, *value)] as usize] = own;
                }
                (at, number)
            })
            .collect();
        put.sort_unstable();
        let mut tree = Vec::new();
        grow(&put, 0, &mut tree);
        let first = count - swaps.len();
        let swapped = swaps.into_iter().zip(first..).collect();
        Some(Self { columns, marked: all, swapped, tree })
    }

    /// The column of two values together.
    fn together(&self, a: u32, b: u32) -> usize {
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        1 + self.marked + a * (2 * self.marked - a - 1) / 2 + (b - a - 1)
    }

    /// Shows the permutations that matter to a state with these hashes, by their numbers.
    pub(super) fn each(&self, hashes: &[u64], see: &mut dyn FnMut(u32)) {
        self.each_below(0, hashes, &mut SmallVec::new(), see);
    }

    fn each_below(
        &self,
        node: u32,
        hashes: &[u64],
        placed: &mut SmallVec<[u32; 16]>,
        see: &mut dyn FnMut(u32),
    ) {
        let values = match &self.tree[node as usize] {
            Node::One(number) => return see(*number),
            Node::Place(values) => values,
        };
        let mut left: SmallVec<[(u32, u32); 8]> = SmallVec::from_slice(values);
        keep_least(&mut left, |value| hashes[1 + value as usize]);
        for other in &*placed {
            if left.len() > 1 {
                keep_least(&mut left, |value| hashes[self.together(*other, value)]);
            }
        }
        let mut taken: SmallVec<[u32; 8]> = SmallVec::new();
        for (value, next) in left {
            let is_the_same = |other: &u32| {
                let swap = self.swapped.get(&(*other.min(&value), *other.max(&value)));
                swap.is_some_and(|column| hashes[*column] == hashes[0])
            };
            if !taken.iter().any(is_the_same) {
                taken.push(value);
                placed.push(value);
                self.each_below(next, hashes, placed, see);
                placed.pop();
            }
        }
    }
}

/// Keeps those values whose colour is least.
fn keep_least(values: &mut SmallVec<[(u32, u32); 8]>, colour: impl Fn(u32) -> u64) {
    if let Some(least) = values.iter().map(|(value, _)| colour(*value)).min() {
        values.retain(|(value, _)| colour(*value) == least);
    }
}

/// Adds the tree of permutations that are the same up to a place, and are in order. Gives its root.
fn grow(put: &[(Vec<u32>, u32)], place: usize, tree: &mut Vec<Node>) -> u32 {
    let root = tree.len() as u32;
    if let [(_, number)] = put {
        tree.push(Node::One(*number));
        return root;
    }
    tree.push(Node::Place(Box::default()));
    let values = put.chunk_by(|(a, _), (b, _)| a[place] == b[place]);
    let values = values.map(|put| (put[0].0[place], grow(put, place + 1, tree))).collect();
    tree[root as usize] = Node::Place(values);
    root
}

#[cfg(test)]
mod tests {
    use super::super::permuted::{Permutations, PermutedHashes, permuted};
    use super::super::{Symbol, Value};
    use super::Canonical;

    /// All products of permutations of so many model values.
    fn group(size: u64, generators: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let mut all = vec![(0..size).collect::<Vec<u64>>()];
        let mut at = 0;
        while at < all.len() {
            for generator in generators {
                let product: Vec<u64> = all[at].iter().map(|&i| generator[i as usize]).collect();
                if !all.contains(&product) {
                    all.push(product);
                }
            }
            at += 1;
        }
        all
    }

    /// The permutation that moves each of these values to the next, and the last to the first.
    fn cycle(size: u64, values: &[u64]) -> Vec<u64> {
        let mut map: Vec<u64> = (0..size).collect();
        for (at, value) in values.iter().enumerate() {
            map[*value as usize] = values[(at + 1) % values.len()];
        }
        map
    }

    fn groups() -> Vec<Vec<Vec<u64>>> {
        let all_of = |values: &[u64]| [cycle(10, &values[..2]), cycle(10, values)];
        let two_sets = [all_of(&[1, 2, 3, 4]), all_of(&[5, 6, 7])].concat();
        let rotations = vec![cycle(10, &[1, 2, 3, 4, 5, 6, 7]), cycle(10, &[2, 3, 5])];
        // Pairs of values that are permuted together: no two of them can be swapped alone.
        let together = |a: &[u64], b: &[u64]| {
            let (first, second) = (cycle(10, a), cycle(10, b));
            first.iter().map(|&i| second[i as usize]).collect::<Vec<u64>>()
        };
        let pairs = vec![together(&[1, 2], &[6, 7]), together(&[1, 2, 3, 4, 5], &[6, 7, 8, 9, 0])];
        let everything = vec![cycle(10, &[1, 2]), cycle(10, &[1, 2, 3, 4, 5])];
        [two_sets, rotations, pairs, everything].iter().map(|generators| group(10, generators)).collect()
    }

    /// The next random number below a bound.
    fn random(seed: &mut u64, below: u64) -> u64 {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    }

    fn value(seed: &mut u64, depth: u32) -> Value {
        let few = |seed: &mut u64| (0..random(seed, 4)).map(|_| value(seed, depth - 1)).collect::<Vec<_>>();
        match random(seed, if depth == 0 { 6 } else { 10 }) {
            0 => Value::Int(random(seed, 2).cast_signed()),
            1 => Value::interval(0, 2),
            2..6 => Value::Model(Symbol(random(seed, 10))),
            6 | 7 => Value::set_of(few(seed)),
            8 => Value::seq(few(seed)),
            _ => {
                let mut pairs: Vec<(Value, Value)> = few(seed).into_iter().zip(few(seed)).collect();
                pairs.sort();
                pairs.dedup_by(|a, b| a.0 == b.0);
                Value::function_of(pairs)
            }
        }
    }

    /// The least of all states that a group makes of one, found by making them all.
    fn least_state(state: &[Value], group: &[Vec<u64>]) -> Vec<Value> {
        let image = |map: &Vec<u64>| state.iter().map(|value| permuted(value, map)).collect::<Vec<_>>();
        group.iter().map(image).min().expect("a group is not empty")
    }

    #[test]
    fn states_have_one_hash_exactly_if_a_permutation_takes_one_to_the_other() {
        let mut seed = 1;
        for group in groups() {
            let permutations = Permutations::new(&group);
            let mut hashes = PermutedHashes::default();
            let mut states: Vec<Vec<Value>> =
                (0..60).map(|_| (0..2).map(|_| value(&mut seed, 2)).collect()).collect();
            for at in 0..states.len() {
                let map = &group[random(&mut seed, group.len() as u64) as usize];
                let image = states[at].iter().map(|value| permuted(value, map)).collect();
                states.push(image);
            }
            let known: Vec<(Vec<Value>, u64)> = states
                .iter()
                .map(|state| (least_state(state, &group), hashes.least(&permutations, state)))
                .collect();
            for (one, hash) in &known {
                for (other, other_hash) in &known {
                    assert_eq!(one == other, hash == other_hash, "{one:?} {other:?}");
                }
            }
        }
    }

    #[test]
    fn few_permutations_are_left() {
        let group = group(10, &[cycle(10, &[1, 2]), cycle(10, &[1, 2, 3, 4, 5, 6])]);
        let canonical = Canonical::new(&group, 10).expect("the group is large");
        assert_eq!(group.len(), 720);
        // As it is; six colours; fifteen of two values; fifteen swaps.
        assert_eq!(canonical.columns.count, 37);
        let shown = |hashes: &[u64]| {
            let mut count = 0;
            canonical.each(hashes, &mut |_| count += 1);
            count
        };
        // All have one colour and can be swapped, or none can; or all have colours of their own.
        assert_eq!(shown(&[1; 37]), 1);
        let mut hashes: Vec<u64> = std::iter::once(0).chain([1; 36]).collect();
        assert_eq!(shown(&hashes), 720);
        hashes[1..7].copy_from_slice(&[9, 4, 7, 5, 6, 8]);
        assert_eq!(shown(&hashes), 1);
        hashes[1..7].copy_from_slice(&[9, 4, 7, 4, 9, 8]);
        assert_eq!(shown(&hashes), 4);
        // Together with what has a place, one of two that are alike comes first.
        hashes[canonical.together(4, 1)] = 0;
        assert_eq!(shown(&hashes), 2);
    }
}
