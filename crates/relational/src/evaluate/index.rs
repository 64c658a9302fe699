//! Sets of tuples that can be looked up by their first or last atom.

use crate::tuples::TupleSet;
use crate::universe::Atom;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

/// Up to this size, going through is as good as an index.
const SMALL: usize = 16;
/// With fewer tuples than one for so many atoms, a search by halving is better: an index has a place for each atom.
const SPARSE: usize = 64;

/// A set with indexes that are made when first needed.
#[derive(Debug)]
pub(super) struct Indexed {
    pub(super) set: TupleSet,
    /// For each atom, where the tuples that begin with it start.
    starts: OnceCell<Vec<u32>>,
    /// The same tuples with the last column first.
    turned: OnceCell<Rc<Indexed>>,
}

impl Indexed {
    pub(super) fn new(set: TupleSet) -> Rc<Self> {
        Rc::new(Self { set, starts: OnceCell::new(), turned: OnceCell::new() })
    }

    pub(super) fn single(tuple: &[Atom]) -> Rc<Self> {
        Self::new(TupleSet::from_flat(tuple.len(), tuple.to_vec()))
    }

    /// The positions of the tuples that begin with an atom.
    pub(super) fn row(&self, atom: Atom) -> Range<usize> {
        let set = &self.set;
        if set.len() <= SMALL {
            let low = (0..set.len()).find(|&i| set.get(i)[0] >= atom).unwrap_or(set.len());
            let high = (low..set.len()).find(|&i| set.get(i)[0] > atom).unwrap_or(set.len());
            return low..high;
        }
        let last = set.get(set.len() - 1)[0].0 as usize;
        if last / SPARSE > set.len() {
            let low = set.lower_bound(&[atom]);
            let next = atom.0.checked_add(1).map_or(set.len(), |next| set.lower_bound(&[Atom(next)]));
            return low..next;
        }
        let starts = self.starts.get_or_init(|| {
            let mut starts = vec![0u32; last + 2];
            for tuple in set {
                starts[tuple[0].0 as usize + 1] += 1;
            }
            for i in 0..=last {
                starts[i + 1] += starts[i];
            }
            starts
        });
        let at = atom.0 as usize;
        match (starts.get(at), starts.get(at + 1)) {
            (Some(&low), Some(&high)) => low as usize..high as usize,
            _ => 0..0,
        }
    }

    /// Whether a tuple is in the set.
    pub(super) fn contains(&self, tuple: &[Atom]) -> bool {
        if self.set.arity() == 1 {
            return !self.row(tuple[0]).is_empty();
        }
        let row = self.row(tuple[0]);
        let (mut low, mut high) = (row.start, row.end);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.set.get(middle).cmp(tuple) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return true,
            }
        }
        false
    }

    /// The tuples with the last column moved to the front.
    pub(super) fn turned(&self) -> &Rc<Indexed> {
        self.turned.get_or_init(|| {
            let arity = self.set.arity();
            let mut atoms = Vec::with_capacity(self.set.flat().len());
            for tuple in &self.set {
                atoms.push(tuple[arity - 1]);
                atoms.extend_from_slice(&tuple[..arity - 1]);
            }
            Indexed::new(TupleSet::from_flat(arity, atoms))
        })
    }
}

/// `left . right`.
pub(super) fn join(left: &Indexed, right: &Indexed) -> TupleSet {
    let (a, b) = (left.set.arity(), right.set.arity());
    let mut atoms = Vec::new();
    // From the smaller side: over the right one when it is a small set of atoms and the left one is large.
    if b == 1 && right.set.len() * 4 < left.set.len() {
        let turned = left.turned();
        for atom in right.set.flat() {
            for i in turned.row(*atom) {
                atoms.extend_from_slice(&turned.set.get(i)[1..]);
            }
        }
    } else {
        for tuple in &left.set {
            for i in right.row(tuple[a - 1]) {
                atoms.extend_from_slice(&tuple[..a - 1]);
                atoms.extend_from_slice(&right.set.get(i)[1..]);
            }
        }
    }
    TupleSet::from_flat(a + b - 2, atoms)
}

/// Returns the atoms that can be reached from some atoms by at least one step.
pub(super) fn reach(from: &[Atom], step: &Indexed) -> TupleSet {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack: Vec<Atom> = from.to_vec();
    let mut reached = Vec::new();
    while let Some(atom) = stack.pop() {
        for i in step.row(atom) {
            let next = step.set.get(i)[1];
            if seen.insert(next) {
                reached.push(next);
                stack.push(next);
            }
        }
    }
    TupleSet::unary(reached)
}
