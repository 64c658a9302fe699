//! Sets of tuples of atoms.

use crate::universe::Atom;
use std::fmt;

/// A set of tuples of one arity, sorted and without duplicates.
///
/// The tuples lie one after the other in one vector, so a set of a million pairs is one allocation and can be
/// searched by halving.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TupleSet {
    arity: usize,
    atoms: Vec<Atom>,
}

impl TupleSet {
    /// The empty set of an arity.
    ///
    /// # Panics
    /// When `arity` is 0.
    pub fn empty(arity: usize) -> Self {
        assert!(arity > 0, "a tuple has at least one column");
        Self { arity, atoms: Vec::new() }
    }

    /// The set of some atoms, as tuples of one column.
    pub fn unary(atoms: impl IntoIterator<Item = Atom>) -> Self {
        Self::from_flat(1, atoms.into_iter().collect())
    }

    /// The set of some pairs.
    pub fn binary(pairs: impl IntoIterator<Item = (Atom, Atom)>) -> Self {
        Self::from_flat(2, pairs.into_iter().flat_map(|(a, b)| [a, b]).collect())
    }

    /// The set of some tuples.
    ///
    /// # Panics
    /// When a tuple is not of this arity.
    pub fn from_tuples<T: AsRef<[Atom]>>(arity: usize, tuples: impl IntoIterator<Item = T>) -> Self {
        let mut atoms = Vec::new();
        for tuple in tuples {
            assert_eq!(tuple.as_ref().len(), arity, "a tuple of another arity");
            atoms.extend_from_slice(tuple.as_ref());
        }
        Self::from_flat(arity, atoms)
    }

    /// The set of the tuples that lie one after the other in `atoms`, in any order, duplicates allowed.
    ///
    /// # Panics
    /// When the length is not a multiple of the arity.
    pub fn from_flat(arity: usize, atoms: Vec<Atom>) -> Self {
        assert!(arity > 0 && atoms.len().is_multiple_of(arity), "whole tuples only");
        let mut set = Self { arity, atoms };
        if !set.is_sorted() {
            set.sort();
        }
        set
    }

    fn is_sorted(&self) -> bool {
        let mut tuples = self.iter();
        let Some(mut last) = tuples.next() else { return true };
        for tuple in tuples {
            if tuple <= last {
                return false;
            }
            last = tuple;
        }
        true
    }

    fn sort(&mut self) {
        match self.arity {
            1 => {
                self.atoms.sort_unstable();
                self.atoms.dedup();
            }
            2 => {
                let mut keys: Vec<u64> =
                    self.atoms.chunks_exact(2).map(|t| u64::from(t[0].0) << 32 | u64::from(t[1].0)).collect();
                keys.sort_unstable();
                keys.dedup();
                self.atoms.clear();
                self.atoms.extend(keys.iter().flat_map(|&k| [Atom((k >> 32) as u32), Atom(k as u32)]));
            }
            arity => {
                let mut tuples: Vec<&[Atom]> = self.atoms.chunks_exact(arity).collect();
                tuples.sort_unstable();
                tuples.dedup();
                self.atoms = tuples.concat();
            }
        }
    }

    /// The product of some sets, column after column.
    ///
    /// # Panics
    /// When there is none.
    pub fn product(sets: &[&TupleSet]) -> Self {
        assert!(!sets.is_empty(), "a product of at least one set");
        let mut result = sets[0].clone();
        for set in &sets[1..] {
            let mut atoms = Vec::with_capacity(result.len() * set.len() * (result.arity + set.arity));
            for left in &result {
                for right in *set {
                    atoms.extend_from_slice(left);
                    atoms.extend_from_slice(right);
                }
            }
            result = Self { arity: result.arity + set.arity, atoms };
        }
        result
    }

    /// How many columns each tuple has.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        // Most sets have one column or two, and a division takes long.
        match self.arity {
            1 => self.atoms.len(),
            2 => self.atoms.len() / 2,
            arity => self.atoms.len() / arity,
        }
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The tuples, in order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, Atom> {
        self.atoms.chunks_exact(self.arity)
    }

    /// The tuple at a position.
    pub fn get(&self, index: usize) -> &[Atom] {
        &self.atoms[index * self.arity..(index + 1) * self.arity]
    }

    /// All tuples, one after the other.
    pub fn flat(&self) -> &[Atom] {
        &self.atoms
    }

    /// The position of the first tuple that is not before `prefix`, which may be shorter than the arity.
    pub fn lower_bound(&self, prefix: &[Atom]) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if &self.get(middle)[..prefix.len()] < prefix {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Whether a tuple is in the set.
    pub fn contains(&self, tuple: &[Atom]) -> bool {
        let at = self.lower_bound(tuple);
        tuple.len() == self.arity && at < self.len() && self.get(at) == tuple
    }

    /// The tuples in either set.
    ///
    /// # Panics
    /// When the arities differ, as do [`Self::intersection`] and [`Self::difference`].
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.merge(other, true, true, true)
    }

    /// The tuples in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.merge(other, false, true, false)
    }

    /// The tuples in this set only.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.merge(other, true, false, false)
    }

    fn merge(&self, other: &Self, left: bool, both: bool, right: bool) -> Self {
        assert_eq!(self.arity, other.arity, "sets of one arity");
        let mut atoms = Vec::new();
        let (mut i, mut j) = (0, 0);
        while i < self.len() && j < other.len() {
            let (a, b) = (self.get(i), other.get(j));
            match a.cmp(b) {
                std::cmp::Ordering::Less => {
                    if left {
                        atoms.extend_from_slice(a);
                    }
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    if right {
                        atoms.extend_from_slice(b);
                    }
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    if both {
                        atoms.extend_from_slice(a);
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        if left {
            atoms.extend_from_slice(&self.atoms[i * self.arity..]);
        }
        if right {
            atoms.extend_from_slice(&other.atoms[j * self.arity..]);
        }
        Self { arity: self.arity, atoms }
    }

    /// Whether every tuple of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.len() <= other.len() && self.intersection(other).len() == self.len()
    }
}

impl<'a> IntoIterator for &'a TupleSet {
    type Item = &'a [Atom];
    type IntoIter = std::slice::ChunksExact<'a, Atom>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for TupleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(|t| t.iter().map(|a| a.0.to_string()).collect::<Vec<_>>().join("->")))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(atoms: &[u32]) -> TupleSet {
        TupleSet::unary(atoms.iter().map(|&a| Atom(a)))
    }

    #[test]
    fn sorts_and_drops_duplicates() {
        assert_eq!(set(&[3, 1, 3, 2]), set(&[1, 2, 3]));
        let pairs = TupleSet::binary([(Atom(2), Atom(1)), (Atom(0), Atom(5)), (Atom(2), Atom(1))]);
        assert_eq!(pairs.len(), 2);
        assert_eq!(pairs.get(0), [Atom(0), Atom(5)]);
        let triples = TupleSet::from_tuples(3, [[Atom(1); 3], [Atom(0); 3], [Atom(1); 3]]);
        assert_eq!(triples.len(), 2);
    }

    #[test]
    fn set_operations() {
        let (a, b) = (set(&[1, 2, 3]), set(&[2, 4]));
        assert_eq!(a.union(&b), set(&[1, 2, 3, 4]));
        assert_eq!(a.intersection(&b), set(&[2]));
        assert_eq!(a.difference(&b), set(&[1, 3]));
        assert!(set(&[2]).is_subset(&b) && !a.is_subset(&b));
        assert!(a.contains(&[Atom(3)]) && !a.contains(&[Atom(4)]));
        let product = TupleSet::product(&[&a, &b]);
        assert_eq!(product.len(), 6);
        assert_eq!(product.lower_bound(&[Atom(2)]), 2);
    }
}
