//! The values that the fields of states have had, and states made of them and taken apart.
//!
//! Workers share the tables: a number stands for the same value everywhere. They are asked only when something is
//! evaluated, and not when what was found out before is applied again; and of a value only once by each worker
//! ([`super::own`]).

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rustc_hash::FxHashMap;

use locus_tla_eval::value::{Domain, Permutations, Value, mix, next_word};

use super::layout::{Field, FieldId, Layout, Misfit, Parts, ShapeId, hashes_of};

/// A field with sets for values has a bit for each element from so many values on. Tests have more of them.
const MANY_SETS: usize = if cfg!(test) { 3 } else { 40 };

/// The values of one field: its own, or for a set those of its elements.
#[derive(Default, Debug)]
struct Table {
    numbers: FxHashMap<Value, u32>,
    values: Vec<Value>,
    /// The addends of each to the fingerprint of a state: one for each permutation.
    hashes: Vec<u64>,
    /// How many of them are sets.
    sets: usize,
}

/// A layout with its tables.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) layout: Layout,
    symmetry: Option<Arc<Permutations>>,
    of_fields: Vec<RwLock<Table>>,
    /// How many elements all sets with bits have had.
    elements: AtomicU32,
}

/// A change of a field.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Write {
    pub(crate) field: FieldId,
    pub(crate) word: u32,
    /// The bits that are replaced, and what by.
    pub(crate) mask: u32,
    pub(crate) value: u32,
    /// The addend of the new value, or of the element, to the fingerprint.
    pub(crate) hash: u64,
    pub(crate) kind: WriteKind,
}

/// The kind of a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum WriteKind {
    /// The number of a value.
    Number,
    /// An element of a set.
    Element,
    /// A word of the bits of a set.
    Word,
}

impl Tables {
    pub(crate) fn new(layout: Layout, symmetry: Option<&Arc<Permutations>>) -> Self {
        let of_fields = layout.fields.iter().map(|_| RwLock::default()).collect();
        Self { layout, symmetry: symmetry.cloned(), of_fields, elements: AtomicU32::new(0) }
    }

    /// How many hashes a value has.
    pub(crate) fn permutations(&self) -> usize {
        self.symmetry.as_ref().map_or(1, |symmetry| symmetry.count())
    }

    /// How many elements all sets with bits have had so far.
    pub(crate) fn elements_so_far(&self) -> u32 {
        self.elements.load(Ordering::Relaxed)
    }

    fn table(&self, field: FieldId) -> RwLockReadGuard<'_, Table> {
        self.of_fields[field as usize].read().unwrap_or_else(PoisonError::into_inner)
    }

    fn table_mut(&self, field: FieldId) -> RwLockWriteGuard<'_, Table> {
        self.of_fields[field as usize].write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a value of a field, or of an element, given now if it is new; and what it adds to fingerprints.
    pub(crate) fn number(&self, field: FieldId, value: &Value) -> Result<(u32, u64), Misfit> {
        if let Some((number, hash)) = self.known(field, value) {
            return Ok((number, hash));
        }
        let place = &self.layout.fields[field as usize];
        let Field { shape, words, hashes, .. } = place;
        let pattern = || self.layout.shapes[*shape as usize].pattern.clone();
        let mut table = self.table_mut(field);
        if let Some(&number) = table.numbers.get(value) {
            return Ok((number, table.hashes[number as usize * self.permutations()]));
        }
        let number = table.values.len() as u32;
        if u64::from(number) >= place.capacity() {
            let capacity = place.capacity() as u32;
            return Err(if *words > 0 {
                Misfit::Crowded(pattern(), capacity)
            } else {
                Misfit::Narrow(pattern())
            });
        }
        if *words > 0 {
            self.elements.fetch_add(1, Ordering::Relaxed);
        } else if !place.is_whole && matches!(value, Value::Set(_) | Value::Interval(_)) {
            table.sets += 1;
            if table.sets >= MANY_SETS && table.sets == table.values.len() + 1 {
                return Err(Misfit::Set(pattern()));
            }
        }
        table.numbers.insert(value.clone(), number);
        table.values.push(value.clone());
        let own = hashes_of(value, self.symmetry.as_deref());
        let first = table.hashes.len();
        let hash = |(field, own): (&u64, u64)| if place.is_hidden { 0 } else { mix(*field, own) };
        table.hashes.extend(hashes.iter().zip(own).map(hash));
        Ok((number, table.hashes[first]))
    }

    fn known(&self, field: FieldId, value: &Value) -> Option<(u32, u64)> {
        let table = self.table(field);
        let number = *table.numbers.get(value)?;
        Some((number, table.hashes[number as usize * self.permutations()]))
    }

    /// Writes the values of all fields, for a search that is saved.
    pub(crate) fn store(&self, bytes: &mut Vec<u8>) {
        for field in 0..self.of_fields.len() {
            let table = self.table(field as FieldId);
            bytes.extend((table.values.len() as u64).to_le_bytes());
            for value in &table.values {
                // Values of packed states are all in memory; what is too deep is noticed when it is read.
                let _ = value.store(bytes);
            }
        }
    }

    /// Reads them into tables that are empty.
    pub(crate) fn restore(&self, bytes: &mut &[u8]) -> Option<()> {
        for field in 0..self.of_fields.len() {
            for number in 0..next_word(bytes)? {
                let value = Value::restore(bytes)?;
                let (given, _) = self.number(field as FieldId, &value).ok()?;
                if u64::from(given) != number {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Copies what is new of what values add to fingerprints.
    pub(crate) fn hashes(&self, field: FieldId, into: &mut Vec<u64>) {
        let table = self.table(field);
        into.extend_from_slice(&table.hashes[into.len()..]);
    }

    /// Calls `look` with the elements that a set has had so far, by number.
    pub(crate) fn elements<T>(&self, field: FieldId, look: impl FnOnce(&[Value]) -> T) -> T {
        look(&self.table(field).values)
    }

    /// The fingerprints of a state under each permutation.
    pub(crate) fn sums(&self, state: &[u32], hashes: &mut [Vec<u64>], sums: &mut Vec<u64>) {
        sums.clear();
        sums.resize(self.permutations(), 0);
        for (id, field) in self.layout.fields.iter().enumerate() {
            if field.words == 0 {
                self.add(id as FieldId, field.number(state), hashes, sums, u64::wrapping_add);
            }
            for at in 0..field.words {
                self.add_bits(
                    id as FieldId,
                    at * 32,
                    field.elements(state, at),
                    hashes,
                    sums,
                    u64::wrapping_add,
                );
            }
        }
    }

    /// Adds what a value adds to the fingerprints, or takes it away.
    #[inline]
    pub(crate) fn add(
        &self,
        field: FieldId,
        number: u32,
        hashes: &mut [Vec<u64>],
        sums: &mut [u64],
        change: impl Fn(u64, u64) -> u64 + Copy,
    ) {
        let known = &mut hashes[field as usize];
        let first = number as usize * sums.len();
        if known.len() <= first {
            self.hashes(field, known);
        }
        for (sum, hash) in sums.iter_mut().zip(&known[first..]) {
            *sum = change(*sum, *hash);
        }
    }

    /// The same for the elements that are bits of a word, numbered from `first`.
    #[inline]
    pub(crate) fn add_bits(
        &self,
        field: FieldId,
        first: u32,
        mut bits: u32,
        hashes: &mut [Vec<u64>],
        sums: &mut [u64],
        change: impl Fn(u64, u64) -> u64 + Copy,
    ) {
        while bits != 0 {
            self.add(field, first + bits.trailing_zeros(), hashes, sums, change);
            bits &= bits - 1;
        }
    }

    /// The state that words stand for.
    pub(crate) fn unpack(&self, words: &[u32]) -> Box<[Value]> {
        self.layout.roots.iter().map(|&root| self.value(root, words)).collect()
    }

    /// The value of a part of the state.
    pub(crate) fn value(&self, shape: ShapeId, words: &[u32]) -> Value {
        self.layout.value(shape, words, &mut &*self)
    }
}

impl Parts for &Tables {
    fn value(&mut self, field: FieldId, number: u32) -> Value {
        self.table(field).values[number as usize].clone()
    }

    fn domain(&mut self, _: ShapeId, domain: &Domain) -> Domain {
        domain.clone()
    }
}

/// The most values within a value that can be part of a packed state. One that holds another one many times over may
/// have any number of them in little memory, and who goes through it does not come to an end.
const MOST_WITHIN: usize = 1 << 20;

/// Whether a value can be part of a packed state: all of it is in memory, and it is not too large.
pub(crate) fn is_laid_out(value: &Value) -> bool {
    has_room(value, &mut { MOST_WITHIN })
}

fn has_room(value: &Value, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    match value {
        Value::Bool(_)
        | Value::Int(_)
        | Value::Str(_)
        | Value::Model(_)
        | Value::Interval(_)
        | Value::Big(_) => true,
        Value::Set(set) => set.slice.iter().all(|value| has_room(value, left)),
        Value::Fn(function) => function.slice.iter().all(|value| has_room(value, left)),
        Value::Unset | Value::Lazy(_) | Value::Failed(_) | Value::Operator(_) => false,
    }
}
