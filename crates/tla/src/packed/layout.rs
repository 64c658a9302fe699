//! How a state is laid out in words: which part of which variable is in which bits.
//!
//! The layout is learned from values. A function is taken apart as long as its domain stays what it was; what is left
//! is a *field*. A field has a number for each value that it has had ([`super::tables`]), or, if it is a set, a bit for
//! each element. A set whose elements are more than a few has a number after all, until it has had many values. When a
//! value does not fit, what was learned is kept in [`Learned`], and the search begins again with a layout that has room
//! for it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use locus_tla_eval::eval::Part;
use locus_tla_eval::eval::ir::Var;
use locus_tla_eval::value::{Domain, FnBuilder, Permutations, Symbol, Value, mix, next_word};

use super::view::View;

/// The number of a part of the state that has a shape.
pub(crate) type ShapeId = Part;
/// The number of a field.
pub(crate) type FieldId = u32;

/// The first words of a state are its fingerprint.
pub(crate) const HEAD: usize = 2;
/// The most fields of a state.
const MAX_FIELDS: usize = 4096;
/// The bits of a number of a value, or of a set, as long as they are enough. Tests have more that are not.
const FEW_BITS: u32 = if cfg!(test) { 2 } else { 8 };
/// The most bits of a set that has not had many values.
const SMALL_SET_BITS: u32 = 64;
/// The bits of a set that has, to begin with, and at most.
const LARGE_SET_BITS: u32 = 256;
const MAX_SET_BITS: u32 = 4096;

/// Parts of a variable that are laid out alike: the names of fields of records on the way there, and nothing where the
/// way goes through another function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pattern {
    var: Var,
    way: Vec<Option<Symbol>>,
}

/// Facts about the values that parts of a state have.
#[derive(Clone, Default, Debug)]
pub(crate) struct Learned {
    /// Parts that are not taken apart.
    whole: FxHashSet<Pattern>,
    /// Sets that have a bit for each element, in so many bits; none if they have numbers.
    sets: FxHashMap<Pattern, u32>,
    /// How many bits the numbers of values have.
    bits: FxHashMap<Pattern, u32>,
}

/// Why a value does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Misfit {
    /// A function with another domain, or something that is not a function or set.
    Whole(Pattern),
    /// A set that has had too many values to have a number for each.
    Set(Pattern),
    /// More values than there is room for.
    Narrow(Pattern),
    /// More elements of a set than it has bits.
    Crowded(Pattern, u32),
}

impl Learned {
    /// Makes room. False if there can be no more.
    pub(crate) fn learn(&mut self, misfit: Misfit) -> bool {
        match misfit {
            Misfit::Whole(pattern) => {
                self.sets.remove(&pattern);
                self.whole.insert(pattern)
            }
            Misfit::Set(pattern) => {
                let bits = if self.sets.contains_key(&pattern) { LARGE_SET_BITS } else { SMALL_SET_BITS };
                self.sets.insert(pattern, bits);
                true
            }
            Misfit::Crowded(pattern, bits) => {
                let more = match bits {
                    ..SMALL_SET_BITS => bits * 2,
                    SMALL_SET_BITS => 0,
                    _ => bits * 4,
                };
                if more > MAX_SET_BITS {
                    self.sets.remove(&pattern);
                    return self.whole.insert(pattern);
                }
                self.sets.insert(pattern, more);
                true
            }
            Misfit::Narrow(pattern) => {
                let bits = self.bits.entry(pattern).or_insert(FEW_BITS);
                *bits *= 2;
                *bits <= 32
            }
        }
    }
}

impl Learned {
    /// The bits of a set like this one; none if it has numbers, or is no set.
    fn set_bits(&self, pattern: &Pattern, value: &Value) -> u32 {
        if let Some(&bits) = self.sets.get(pattern) {
            return bits;
        }
        let size = match value {
            Value::Set(set) => set.slice.len() as u64,
            Value::Interval(ends) => ends.size() as u64,
            _ => return 0,
        };
        let bits = size.next_power_of_two().max(u64::from(FEW_BITS));
        if bits <= u64::from(SMALL_SET_BITS) { bits as u32 } else { 0 }
    }
}

impl Pattern {
    /// The name of the field that the way ends with, if it does not end with the place of another function.
    pub(crate) fn field_name(&self) -> Option<Symbol> {
        self.way.last().copied().flatten()
    }

    fn store(&self, bytes: &mut Vec<u8>) {
        let way = self.way.iter().map(|name| name.map_or(u64::MAX, |name| name.0));
        for word in [u64::from(self.var), self.way.len() as u64].into_iter().chain(way) {
            bytes.extend(word.to_le_bytes());
        }
    }

    fn restore(bytes: &mut &[u8]) -> Option<Self> {
        let var = Var::try_from(next_word(bytes)?).ok()?;
        let count = next_word(bytes)?;
        let mut name = || Some(next_word(bytes).filter(|&name| name < u64::MAX).map(Symbol));
        let way: Option<Vec<Option<Symbol>>> = (0..count.min(1 << 16)).map(|_| name()).collect();
        Some(Self { var, way: way? })
    }
}

impl Learned {
    /// Writes it, for a search that is saved.
    pub(crate) fn store(&self, bytes: &mut Vec<u8>) {
        let mut all: Vec<(&Pattern, u32, u32)> = self.whole.iter().map(|pattern| (pattern, 0, 0)).collect();
        all.extend(self.sets.iter().map(|(pattern, words)| (pattern, 1, *words)));
        all.extend(self.bits.iter().map(|(pattern, bits)| (pattern, 2, *bits)));
        all.sort_by_key(|(pattern, kind, _)| (*kind, pattern.var, pattern.way.clone()));
        bytes.extend((all.len() as u64).to_le_bytes());
        for (pattern, kind, size) in all {
            pattern.store(bytes);
            bytes.extend((u64::from(kind) << 32 | u64::from(size)).to_le_bytes());
        }
    }

    /// Reads it.
    pub(crate) fn restore(bytes: &mut &[u8]) -> Option<Self> {
        let mut learned = Self::default();
        for _ in 0..next_word(bytes)? {
            let pattern = Pattern::restore(bytes)?;
            let word = next_word(bytes)?;
            match (word >> 32, word as u32) {
                (0, _) => _ = learned.whole.insert(pattern),
                (
                    1,
                    bits @ (0 | 2 | 4 | 8 | 16 | 32 | SMALL_SET_BITS | LARGE_SET_BITS | 1024 | MAX_SET_BITS),
                ) => {
                    _ = learned.sets.insert(pattern, bits);
                }
                (2, bits @ (1 | 2 | 4 | 8 | 16 | 32)) => _ = learned.bits.insert(pattern, bits),
                _ => return None,
            }
        }
        Some(learned)
    }
}

/// A part of the state.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) kind: ShapeKind,
    pub(crate) pattern: Pattern,
    /// The words it is in, and which bits of them.
    pub(crate) bits: Box<[(u32, u32)]>,
}

/// The kind of a part of the state.
#[derive(Debug)]
pub(crate) enum ShapeKind {
    /// A value that has a number.
    Value(FieldId),
    /// A set that has a bit for each element.
    Set(FieldId),
    /// A function with this domain.
    Function(Domain, Arc<[ShapeId]>),
}

/// Where a field is.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) shape: ShapeId,
    /// The first word.
    pub(crate) word: u32,
    /// How many words the bits of a set have; 0 for the number of a value.
    pub(crate) words: u32,
    pub(crate) shift: u32,
    /// The bits of a number, or a set, in its word. A set in several words has all bits of them.
    pub(crate) mask: u32,
    /// Whether it has been found out that it must have numbers.
    pub(crate) is_whole: bool,
    /// Whether it adds nothing to fingerprints.
    pub(crate) is_hidden: bool,
    /// Stands for the place of the field in fingerprints, under each permutation of a symmetry.
    pub(crate) hashes: Box<[u64]>,
}

impl Field {
    /// The number of the value that the field has in a state.
    #[inline]
    pub(crate) fn number(&self, state: &[u32]) -> u32 {
        (state[self.word as usize] & self.mask) >> self.shift
    }

    /// The most values, or elements, that there is room for.
    pub(crate) fn capacity(&self) -> u64 {
        if self.words > 0 {
            u64::from(self.words * self.mask.count_ones())
        } else {
            u64::from(self.mask >> self.shift) + 1
        }
    }

    /// The elements of a set with the numbers from `32 * at` on that are there in a state, as bits.
    #[inline]
    pub(crate) fn elements(&self, state: &[u32], at: u32) -> u32 {
        (state[(self.word + at) as usize] & self.mask) >> self.shift
    }

    /// The word and the bit in it that an element of a set has.
    pub(crate) fn place(&self, number: u32) -> (u32, u32) {
        (self.word + number / 32, 1 << (self.shift + number % 32))
    }
}

/// The hashes of a value under each permutation, or just its own.
pub(super) fn hashes_of(value: &Value, symmetry: Option<&Permutations>) -> Vec<u64> {
    match symmetry {
        Some(symmetry) => symmetry.hashes(value).collect(),
        None => vec![value.hash64()],
    }
}

/// The layout of a state.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) roots: Vec<ShapeId>,
    /// The fields of the terms of a view.
    pub(crate) terms: Vec<FieldId>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) fields: Vec<Field>,
    /// The words of a state, its fingerprint included.
    pub(crate) words: usize,
    /// The bits of the last word that are taken.
    taken: u32,
}

/// The parts of which values are made.
pub(crate) trait Parts {
    /// The value of a field that has a number, or the element of its set.
    fn value(&mut self, field: FieldId, number: u32) -> Value;

    /// The domain of the functions of a shape, which is this one.
    fn domain(&mut self, shape: ShapeId, domain: &Domain) -> Domain;
}

impl Layout {
    /// The value of a part of a state, made of its parts.
    pub(crate) fn value(&self, shape: ShapeId, words: &[u32], parts: &mut impl Parts) -> Value {
        match &self.shapes[shape as usize].kind {
            ShapeKind::Value(field) => parts.value(*field, self.fields[*field as usize].number(words)),
            ShapeKind::Set(field) => {
                let place = &self.fields[*field as usize];
                let numbers = (0..place.words).flat_map(|at| {
                    let word = place.elements(words, at);
                    (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 32 + bit)
                });
                Value::set_of(numbers.map(|number| parts.value(*field, number)))
            }
            ShapeKind::Function(domain, inner) => {
                let values: Vec<Value> = inner.iter().map(|part| self.value(*part, words, parts)).collect();
                FnBuilder::finish_with(parts.domain(shape, domain), values)
            }
        }
    }

    /// A layout for states like this one that are told apart by a view.
    pub(crate) fn new(
        state: &[Value],
        learned: &Learned,
        symmetry: Option<&Permutations>,
        view: &View<'_>,
    ) -> Self {
        let (roots, terms, shapes, fields) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut layout = Self { roots, terms, shapes, fields, words: HEAD, taken: 32 };
        for (var, value) in (0..).zip(state) {
            let pattern = Pattern { var, way: Vec::new() };
            let hashes = vec![mix(17, u64::from(var)); symmetry.map_or(1, Permutations::count)];
            let first = layout.fields.len();
            let root = layout.shape(value, pattern, hashes, (learned, symmetry));
            layout.roots.push(root);
            for field in &mut layout.fields[first..] {
                field.is_hidden = !view.shows(var);
            }
        }
        for term in 0..view.terms.len() {
            layout.term(state.len() + term, learned, symmetry);
        }
        layout
    }

    /// A field for the values of a term. Its pattern is that of a variable which no specification has.
    fn term(&mut self, number: usize, learned: &Learned, symmetry: Option<&Permutations>) {
        let pattern = Pattern { var: number as Var, way: Vec::new() };
        let hashes = vec![mix(19, number as u64); symmetry.map_or(1, Permutations::count)];
        let id = self.shapes.len() as ShapeId;
        self.terms.push(self.fields.len() as FieldId);
        let (kind, bits) = self.number_field(id, &pattern, hashes, learned, true);
        self.shapes.push(Shape { kind, pattern, bits: bits.into() });
    }

    fn shape(
        &mut self,
        value: &Value,
        pattern: Pattern,
        hashes: Vec<u64>,
        (learned, symmetry): (&Learned, Option<&Permutations>),
    ) -> ShapeId {
        let id = self.shapes.len() as ShapeId;
        let place = Shape { kind: ShapeKind::Value(0), pattern: pattern.clone(), bits: Box::default() };
        self.shapes.push(place);
        let (kind, bits) = match value.parts() {
            Some((domain, values))
                if !values.is_empty()
                    && self.fields.len() + values.len() <= MAX_FIELDS
                    && !learned.whole.contains(&pattern) =>
            {
                let (mut parts, mut bits): (Vec<ShapeId>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
                for (at, part) in values.iter().enumerate() {
                    let key = domain.key(at);
                    let mut way = pattern.way.clone();
                    way.push(if let Value::Str(name) = &key { Some(*name) } else { None });
                    let inner = Pattern { var: pattern.var, way };
                    let own = hashes.iter().zip(hashes_of(&key, symmetry)).map(|(hash, key)| mix(*hash, key));
                    let part = self.shape(part, inner, own.collect(), (learned, symmetry));
                    parts.push(part);
                    for &(word, mask) in &self.shapes[part as usize].bits {
                        match bits.last_mut() {
                            Some((last, all)) if *last == word => *all |= mask,
                            _ => bits.push((word, mask)),
                        }
                    }
                }
                (ShapeKind::Function(domain.clone(), parts.into()), bits)
            }
            _ => self.field(id, value, &pattern, hashes, learned),
        };
        self.shapes[id as usize] = Shape { kind, pattern, bits: bits.into() };
        id
    }

    /// A field of its own.
    fn field(
        &mut self,
        shape: ShapeId,
        value: &Value,
        pattern: &Pattern,
        hashes: Vec<u64>,
        learned: &Learned,
    ) -> (ShapeKind, Vec<(u32, u32)>) {
        let is_whole = learned.whole.contains(pattern);
        let set_bits = if is_whole { 0 } else { learned.set_bits(pattern, value) };
        if set_bits == 0 {
            return self.number_field(shape, pattern, hashes, learned, is_whole);
        }
        let id = self.fields.len() as FieldId;
        if set_bits >= 32 {
            let (word, words) = (self.words as u32, set_bits / 32);
            self.add_field((shape, is_whole), (word, words), (0, u32::MAX), hashes);
            self.words += words as usize;
            self.taken = 32;
            return (ShapeKind::Set(id), (word..word + words).map(|word| (word, u32::MAX)).collect());
        }
        let (word, shift, mask) = self.bits(set_bits);
        self.add_field((shape, is_whole), (word, 1), (shift, mask), hashes);
        (ShapeKind::Set(id), vec![(word, mask)])
    }

    /// A field for numbers of values.
    fn number_field(
        &mut self,
        shape: ShapeId,
        pattern: &Pattern,
        hashes: Vec<u64>,
        learned: &Learned,
        is_whole: bool,
    ) -> (ShapeKind, Vec<(u32, u32)>) {
        let id = self.fields.len() as FieldId;
        let (word, shift, mask) = self.bits(learned.bits.get(pattern).copied().unwrap_or(FEW_BITS));
        self.add_field((shape, is_whole), (word, 0), (shift, mask), hashes);
        (ShapeKind::Value(id), vec![(word, mask)])
    }

    /// The next so many bits of a word: the word, where they are in it, and their mask.
    fn bits(&mut self, bits: u32) -> (u32, u32, u32) {
        let mut shift = self.taken.next_multiple_of(bits);
        if shift + bits > 32 {
            self.words += 1;
            shift = 0;
        }
        self.taken = shift + bits;
        (self.words as u32 - 1, shift, (u32::MAX >> (32 - bits)) << shift)
    }

    fn add_field(
        &mut self,
        (shape, is_whole): (ShapeId, bool),
        (word, words): (u32, u32),
        (shift, mask): (u32, u32),
        hashes: Vec<u64>,
    ) {
        let hashes = hashes.into();
        self.fields.push(Field { shape, word, words, shift, mask, is_whole, is_hidden: false, hashes });
    }

    /// The shape of the value at a place of a function.
    #[inline]
    pub(crate) fn part(&self, shape: ShapeId, at: usize, count: usize) -> Option<ShapeId> {
        match &self.shapes[shape as usize].kind {
            ShapeKind::Function(_, parts) if parts.len() == count => Some(parts[at]),
            _ => None,
        }
    }
}
