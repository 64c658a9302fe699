//! Sets of tuples of which it is not yet known which tuples are in: a literal per tuple.
//!
//! A matrix is sparse and sorted. A tuple is packed into one number, a fixed count of bits per column, so columns are
//! split off and put together by shifts. Tuples that are certainly out are not stored; so the stored ones are an
//! upper bound, and those whose literal is true a lower bound.

use crate::circuit::{Circuit, Lit};
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::universe::Atom;

/// How tuples are packed into numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    bits: u32,
}

impl Packing {
    pub(crate) fn new(atoms: usize) -> Self {
        Self { bits: usize::BITS - atoms.saturating_sub(1).leading_zeros() }
    }

    /// The widest tuple that fits.
    pub(crate) fn max_arity(self) -> usize {
        63u32.checked_div(self.bits).unwrap_or(63) as usize
    }

    pub(crate) fn pack(self, tuple: &[Atom]) -> u64 {
        tuple.iter().fold(0, |key, atom| key << self.bits | u64::from(atom.0))
    }

    pub(crate) fn unpack(self, key: u64, arity: usize, into: &mut Vec<Atom>) {
        for column in (0..arity as u32).rev() {
            into.push(Atom((key >> (column * self.bits) & self.mask(1)) as u32));
        }
    }

    fn mask(self, columns: usize) -> u64 {
        (1u64 << (self.bits * columns as u32)) - 1
    }

    fn last(self, key: u64) -> u64 {
        key & self.mask(1)
    }

    fn first(self, key: u64, arity: usize) -> u64 {
        key >> (self.bits * (arity as u32 - 1))
    }

    fn without_last(self, key: u64) -> u64 {
        key >> self.bits
    }

    fn without_first(self, key: u64, arity: usize) -> u64 {
        key & self.mask(arity - 1)
    }

    /// A tuple put after another.
    pub(crate) fn append(self, left: u64, right: u64, right_arity: usize) -> u64 {
        left << (self.bits * right_arity as u32) | right
    }
}

/// A sparse matrix of literals. No stored literal is false.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    pub(crate) arity: usize,
    /// Packed tuples with their literals, ascending.
    pub(crate) cells: Vec<(u64, Lit)>,
    /// True when some integer on the way here did not fit its width; only used when overflow is to be prevented.
    pub(crate) overflow: Lit,
    /// At most one tuple is in, whatever the instance.
    pub(crate) lone: bool,
    /// Of a binary relation: no two tuples with the same first atom are in, whatever the instance.
    pub(crate) functional: bool,
}

/// The largest matrix that is built: over a gigabyte. One more than that counts as all work spent.
const MAX_CELLS: usize = 100_000_000;

/// The context of operations on matrices.
pub(crate) struct Space<'a> {
    pub(crate) circuit: &'a mut Circuit,
    pub(crate) packing: Packing,
    /// How many cells may still be computed; none any more when it is time to stop.
    pub(crate) work: &'a mut u64,
    pub(crate) interrupt: &'a Interrupt,
}

/// How many cells are computed between two looks at the clock: some milliseconds of work.
const BETWEEN_LOOKS: u64 = 1 << 18;

impl Space<'_> {
    /// Counts work done; false when there is no more to spend.
    fn spend(&mut self, cells: usize) -> bool {
        if !self.fits(cells) {
            return false;
        }
        let before = *self.work;
        *self.work = before.saturating_sub(cells as u64);
        if before / BETWEEN_LOOKS != *self.work / BETWEEN_LOOKS && self.interrupt.is_raised() {
            *self.work = 0;
        }
        *self.work > 0 && !self.circuit.is_full()
    }

    /// Whether a matrix may have so many cells; if not, all work counts as spent.
    fn fits(&mut self, cells: usize) -> bool {
        if cells > MAX_CELLS {
            *self.work = 0;
        }
        cells <= MAX_CELLS
    }
}

impl Matrix {
    pub(crate) fn new(arity: usize, cells: Vec<(u64, Lit)>) -> Self {
        debug_assert!(cells.is_sorted_by(|a, b| a.0 < b.0) && cells.iter().all(|c| c.1 != Lit::FALSE));
        let lone = cells.len() <= 1;
        Self { arity, cells, overflow: Lit::FALSE, lone, functional: lone }
    }

    pub(crate) fn empty(arity: usize) -> Self {
        Self::new(arity, Vec::new())
    }

    /// One tuple that is certainly in.
    pub(crate) fn single(arity: usize, key: u64) -> Self {
        Self::new(arity, vec![(key, Lit::TRUE)])
    }

    pub(crate) fn constant(tuples: &TupleSet, packing: Packing) -> Self {
        Self::new(tuples.arity(), tuples.iter().map(|t| (packing.pack(t), Lit::TRUE)).collect())
    }

    pub(crate) fn is_constant(&self) -> bool {
        self.cells.iter().all(|cell| cell.1 == Lit::TRUE)
    }

    pub(crate) fn get(&self, key: u64) -> Lit {
        self.cells.binary_search_by_key(&key, |cell| cell.0).map_or(Lit::FALSE, |at| self.cells[at].1)
    }

    /// The tuples that may be in.
    pub(crate) fn upper(&self, packing: Packing) -> TupleSet {
        self.tuples(packing, |_| true)
    }

    /// The tuples that are certainly in.
    pub(crate) fn lower(&self, packing: Packing) -> TupleSet {
        self.tuples(packing, |lit| lit == Lit::TRUE)
    }

    pub(crate) fn tuples(&self, packing: Packing, mut keep: impl FnMut(Lit) -> bool) -> TupleSet {
        let mut atoms = Vec::new();
        for &(key, lit) in &self.cells {
            if keep(lit) {
                packing.unpack(key, self.arity, &mut atoms);
            }
        }
        TupleSet::from_flat(self.arity, atoms)
    }

    /// Looks whether no two stored tuples begin with the same atom.
    pub(crate) fn is_function_by_shape(&self, packing: Packing) -> bool {
        self.arity == 2
            && !self.cells.windows(2).any(|p| packing.first(p[0].0, 2) == packing.first(p[1].0, 2))
    }

    /// Adds what is known about how many tuples are in.
    fn known(mut self, lone: bool, functional: bool) -> Self {
        self.lone |= lone;
        self.functional |= functional;
        self
    }

    fn with_overflow(mut self, overflow: Lit) -> Self {
        self.overflow = overflow;
        self
    }

    /// Makes a matrix of cells in any order, where a tuple may occur more than once.
    fn gather(arity: usize, mut cells: Vec<(u64, Lit)>, space: &mut Space<'_>) -> Self {
        cells.sort_unstable();
        let mut out: Vec<(u64, Lit)> = Vec::with_capacity(cells.len());
        let mut i = 0;
        while i < cells.len() {
            let key = cells[i].0;
            let mut j = i + 1;
            while j < cells.len() && cells[j].0 == key {
                j += 1;
            }
            let lit = if j == i + 1 {
                cells[i].1
            } else if cells[i].1 == Lit::TRUE {
                Lit::TRUE
            } else {
                space.circuit.or(cells[i..j].iter().map(|cell| cell.1))
            };
            out.push((key, lit));
            i = j;
        }
        Self::new(arity, out)
    }

    pub(crate) fn union(parts: &[&Matrix], space: &mut Space<'_>) -> Self {
        let total: usize = parts.iter().map(|part| part.cells.len()).sum();
        // As in Kodkod, where the union with what is known to be empty is the other part as it was.
        let counted = parts.iter().filter(|part| !part.cells.is_empty());
        let overflow = match parts.last() {
            Some(last) if total == 0 => last.overflow,
            _ => space.circuit.or(counted.map(|part| part.overflow)),
        };
        if !space.spend(total) {
            return Self::empty(parts[0].arity);
        }
        let mut cells = Vec::with_capacity(total);
        for part in parts {
            cells.extend_from_slice(&part.cells);
        }
        Self::gather(parts[0].arity, cells, space).with_overflow(overflow)
    }

    pub(crate) fn intersection(&self, other: &Self, space: &mut Space<'_>) -> Self {
        let (small, large) =
            if self.cells.len() <= other.cells.len() { (self, other) } else { (other, self) };
        let overflow = space.circuit.or2(self.overflow, other.overflow);
        if !space.spend(small.cells.len()) {
            return Self::empty(self.arity);
        }
        let mut cells = Vec::with_capacity(small.cells.len());
        let mut rest = &large.cells[..];
        for &(key, lit) in &small.cells {
            let at = rest.partition_point(|cell| cell.0 < key);
            rest = &rest[at..];
            if let Some(&(found, other_lit)) = rest.first()
                && found == key
            {
                let both = space.circuit.and2(lit, other_lit);
                if both != Lit::FALSE {
                    cells.push((key, both));
                }
            }
        }
        Self::new(self.arity, cells)
            .with_overflow(overflow)
            .known(self.lone || other.lone, self.functional || other.functional)
    }

    pub(crate) fn difference(&self, other: &Self, space: &mut Space<'_>) -> Self {
        let overflow = space.circuit.or2(self.overflow, other.overflow);
        if !space.spend(self.cells.len()) {
            return Self::empty(self.arity);
        }
        let mut cells = Vec::with_capacity(self.cells.len());
        let mut rest = &other.cells[..];
        for &(key, lit) in &self.cells {
            let at = rest.partition_point(|cell| cell.0 < key);
            rest = &rest[at..];
            let out = rest.first().filter(|cell| cell.0 == key).map_or(Lit::FALSE, |cell| cell.1);
            let left = space.circuit.and2(lit, !out);
            if left != Lit::FALSE {
                cells.push((key, left));
            }
        }
        Self::new(self.arity, cells).with_overflow(overflow).known(self.lone, self.functional)
    }

    /// The cells whose tuples begin with an atom.
    fn row(&self, atom: u64, packing: Packing) -> &[(u64, Lit)] {
        let shift = packing.bits * (self.arity as u32 - 1);
        let low = self.cells.partition_point(|cell| cell.0 >> shift < atom);
        let rest = &self.cells[low..];
        &rest[..rest.partition_point(|cell| cell.0 >> shift == atom)]
    }

    pub(crate) fn join(&self, other: &Self, space: &mut Space<'_>) -> Self {
        let packing = space.packing;
        let arity = self.arity + other.arity - 2;
        let overflow = space.circuit.or2(self.overflow, other.overflow);
        let rest = other.arity - 1;
        let lone = self.lone && (other.lone || (other.arity == 2 && other.functional));
        let functional = self.arity == 2 && other.arity == 2 && self.functional && other.functional;
        if self.arity == 1 && self.cells.len() == 1 {
            let (atom, guard) = self.cells[0];
            let row = other.row(atom, packing);
            if !space.spend(row.len()) {
                return Self::empty(arity);
            }
            let mut cells = Vec::with_capacity(row.len());
            for &(key, lit) in row {
                let both = space.circuit.and2(guard, lit);
                if both != Lit::FALSE {
                    cells.push((packing.without_first(key, other.arity), both));
                }
            }
            return Self::new(arity, cells).with_overflow(overflow).known(other.lone || lone, false);
        }
        let mut cells = Vec::new();
        for &(left, lit) in &self.cells {
            let row = other.row(packing.last(left), packing);
            if !space.spend(row.len() + 1) || !space.fits(cells.len()) {
                return Self::empty(arity);
            }
            let prefix = packing.without_last(left);
            for &(right, other_lit) in row {
                let both = space.circuit.and2(lit, other_lit);
                if both != Lit::FALSE {
                    let suffix = packing.without_first(right, other.arity);
                    cells.push((packing.append(prefix, suffix, rest), both));
                }
            }
        }
        Self::gather(arity, cells, space).with_overflow(overflow).known(lone, functional)
    }

    pub(crate) fn product(&self, other: &Self, space: &mut Space<'_>) -> Self {
        let arity = self.arity + other.arity;
        let overflow = space.circuit.or2(self.overflow, other.overflow);
        let size = self.cells.len().saturating_mul(other.cells.len());
        if !space.spend(size) {
            return Self::empty(arity);
        }
        let mut cells = Vec::with_capacity(size);
        for &(left, lit) in &self.cells {
            for &(right, other_lit) in &other.cells {
                let both = space.circuit.and2(lit, other_lit);
                if both != Lit::FALSE {
                    cells.push((space.packing.append(left, right, other.arity), both));
                }
            }
        }
        Self::new(arity, cells).with_overflow(overflow).known(self.lone && other.lone, false)
    }

    pub(crate) fn transpose(&self, packing: Packing) -> Self {
        let mut cells: Vec<(u64, Lit)> = self
            .cells
            .iter()
            .map(|&(key, lit)| (packing.append(packing.last(key), packing.without_last(key), 1), lit))
            .collect();
        cells.sort_unstable();
        Self::new(2, cells).with_overflow(self.overflow).known(self.lone, false)
    }

    /// Transitive closure, by squaring until no longer path is possible.
    pub(crate) fn closure(&self, space: &mut Space<'_>) -> Self {
        let longest = self.longest_path(space.packing);
        let mut closed = self.clone();
        let mut length = 1;
        while length < longest {
            let squared = closed.join(&closed, space);
            let next = Self::union(&[&closed, &squared], space);
            if next.cells == closed.cells {
                break;
            }
            closed = next;
            length *= 2;
        }
        closed.functional = false;
        closed.lone = closed.cells.len() <= 1;
        closed.with_overflow(self.overflow)
    }

    /// No simple path, nor any simple cycle, has more edges than this: along the order of the strongly connected
    /// parts, each part can be passed once.
    fn longest_path(&self, packing: Packing) -> usize {
        let edges: Vec<(u64, u64)> =
            self.cells.iter().map(|&(key, _)| (packing.first(key, 2), packing.last(key))).collect();
        crate::graph::longest_path_bound(&edges)
    }

    pub(crate) fn override_with(&self, other: &Self, space: &mut Space<'_>) -> Self {
        let packing = space.packing;
        // As in Kodkod, also in that an overflow in what is known to be empty is forgotten.
        if other.cells.is_empty() {
            return self.clone();
        }
        let overflow = space.circuit.or2(self.overflow, other.overflow);
        let mut kept = Vec::with_capacity(self.cells.len());
        let mut i = 0;
        while i < self.cells.len() {
            let atom = packing.first(self.cells[i].0, self.arity);
            let row = other.row(atom, packing);
            if !space.spend(row.len() + 1) {
                return Self::empty(self.arity);
            }
            let replaced = space.circuit.or(row.iter().map(|cell| cell.1));
            while i < self.cells.len() && packing.first(self.cells[i].0, self.arity) == atom {
                let (key, lit) = self.cells[i];
                let stays = space.circuit.and2(lit, !replaced);
                if stays != Lit::FALSE {
                    kept.push((key, stays));
                }
                i += 1;
            }
        }
        let kept = Self::new(self.arity, kept);
        let functional = self.functional && other.functional;
        Self::union(&[&kept, other], space).with_overflow(overflow).known(false, functional)
    }

    /// Keeps the tuples whose first (or last) atom is in a set.
    pub(crate) fn restrict(&self, set: &Self, first: bool, space: &mut Space<'_>) -> Self {
        let overflow = space.circuit.or2(self.overflow, set.overflow);
        let mut cells = Vec::new();
        if !space.spend(self.cells.len()) {
            return Self::empty(self.arity);
        }
        for &(key, lit) in &self.cells {
            let atom = if first { space.packing.first(key, self.arity) } else { space.packing.last(key) };
            let both = space.circuit.and2(lit, set.get(atom));
            if both != Lit::FALSE {
                cells.push((key, both));
            }
        }
        Self::new(self.arity, cells).with_overflow(overflow).known(self.lone, self.functional)
    }

    /// One matrix or the other.
    pub(crate) fn choose(condition: Lit, then: &Self, other: &Self, space: &mut Space<'_>) -> Self {
        if condition.is_constant() {
            return if condition == Lit::TRUE { then.clone() } else { other.clone() };
        }
        if !space.spend(then.cells.len() + other.cells.len()) {
            return Self::empty(then.arity);
        }
        let mut cells = Vec::with_capacity(then.cells.len() + other.cells.len());
        let (mut i, mut j) = (0, 0);
        while i < then.cells.len() || j < other.cells.len() {
            let a = then.cells.get(i).map_or(u64::MAX, |cell| cell.0);
            let b = other.cells.get(j).map_or(u64::MAX, |cell| cell.0);
            let key = a.min(b);
            let t = if a == key { then.cells[i].1 } else { Lit::FALSE };
            let e = if b == key { other.cells[j].1 } else { Lit::FALSE };
            i += usize::from(a == key);
            j += usize::from(b == key);
            let lit = space.circuit.ite(condition, t, e);
            if lit != Lit::FALSE {
                cells.push((key, lit));
            }
        }
        let overflow = space.circuit.ite(condition, then.overflow, other.overflow);
        Self::new(then.arity, cells)
            .with_overflow(overflow)
            .known(then.lone && other.lone, then.functional && other.functional)
    }

    pub(crate) fn subset(&self, other: &Self, circuit: &mut Circuit) -> Lit {
        let mut clauses = Vec::with_capacity(self.cells.len());
        let mut rest = &other.cells[..];
        for &(key, lit) in &self.cells {
            let at = rest.partition_point(|cell| cell.0 < key);
            rest = &rest[at..];
            let there = rest.first().filter(|cell| cell.0 == key).map_or(Lit::FALSE, |cell| cell.1);
            let clause = circuit.or2(!lit, there);
            if clause == Lit::FALSE {
                return Lit::FALSE;
            }
            clauses.push(clause);
        }
        circuit.and(clauses)
    }

    pub(crate) fn equal(&self, other: &Self, circuit: &mut Circuit) -> Lit {
        let mut parts = Vec::with_capacity(self.cells.len().max(other.cells.len()));
        let (mut i, mut j) = (0, 0);
        while i < self.cells.len() || j < other.cells.len() {
            let a = self.cells.get(i).map_or(u64::MAX, |cell| cell.0);
            let b = other.cells.get(j).map_or(u64::MAX, |cell| cell.0);
            let key = a.min(b);
            let left = if a == key { self.cells[i].1 } else { Lit::FALSE };
            let right = if b == key { other.cells[j].1 } else { Lit::FALSE };
            i += usize::from(a == key);
            j += usize::from(b == key);
            let same = circuit.iff(left, right);
            if same == Lit::FALSE {
                return Lit::FALSE;
            }
            parts.push(same);
        }
        circuit.and(parts)
    }

    /// Equality of two sets of at most one tuple each. When it is to be refuted, "some tuple is in both, or none in
    /// either" is a conjunction of short clauses.
    pub(crate) fn equal_lone(&self, other: &Self, negated: bool, circuit: &mut Circuit) -> Lit {
        for (known, open) in [(self, other), (other, self)] {
            if let [(key, Lit::TRUE)] = known.cells[..] {
                return open.get(key);
            }
        }
        if !negated {
            return self.equal(other, circuit);
        }
        let mut ways = Vec::new();
        let mut rest = &other.cells[..];
        for &(key, lit) in &self.cells {
            let at = rest.partition_point(|cell| cell.0 < key);
            rest = &rest[at..];
            if let Some(&(found, other_lit)) = rest.first()
                && found == key
            {
                ways.push(circuit.and2(lit, other_lit));
            }
        }
        let some = circuit.or(self.cells.iter().chain(&other.cells).map(|cell| cell.1));
        ways.push(!some);
        circuit.or(ways)
    }

    pub(crate) fn some(&self, circuit: &mut Circuit) -> Lit {
        circuit.or(self.cells.iter().map(|cell| cell.1))
    }

    pub(crate) fn lone(&self, circuit: &mut Circuit) -> Lit {
        let sure = self.cells.iter().filter(|cell| cell.1 == Lit::TRUE).count();
        match sure {
            0 => {
                let lits: Vec<Lit> = self.cells.iter().map(|cell| cell.1).collect();
                if lits.len() < 2 { Lit::TRUE } else { circuit.at_most_one(&lits) }
            }
            1 => circuit.and(self.cells.iter().filter(|cell| cell.1 != Lit::TRUE).map(|cell| !cell.1)),
            _ => Lit::FALSE,
        }
    }
}
