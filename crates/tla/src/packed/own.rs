//! One worker's own copy of the tables, as far as it was needed, so that it need not wait for others to look at them:
//! to take a lock, even a shared one, takes a line of the cache away from the worker that had it last.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use locus_tla_eval::value::{Copier, Domain, Value};

use super::layout::{Field, FieldId, Layout, Misfit, Parts, ShapeId, ShapeKind};
use super::tables::{Tables, Write, WriteKind};

/// The most values of a field that a worker has for itself: those that states have often are the first ones.
const MOST_OWN: u32 = if cfg!(test) { 5 } else { 1 << 12 };

/// Values by number.
#[derive(Debug)]
pub(crate) struct OwnValues {
    of_fields: Vec<Vec<Value>>,
    /// By the number of the shape.
    domains: Vec<Option<Domain>>,
    /// For values that share no memory with those of other workers, if there are any.
    copier: Option<Copier>,
}

impl OwnValues {
    pub(crate) fn new(layout: &Layout, is_alone: bool) -> Self {
        Self {
            of_fields: vec![Vec::new(); layout.fields.len()],
            domains: vec![None; layout.shapes.len()],
            copier: (!is_alone).then(Copier::default),
        }
    }

    /// The state that words stand for.
    pub(crate) fn unpack(&mut self, tables: &Tables, words: &[u32]) -> Box<[Value]> {
        tables.layout.roots.iter().map(|&root| self.value(tables, root, words)).collect()
    }

    /// The value of a part of the state.
    pub(crate) fn value(&mut self, tables: &Tables, shape: ShapeId, words: &[u32]) -> Value {
        tables.layout.value(shape, words, &mut (self, tables))
    }
}

impl Parts for (&mut OwnValues, &Tables) {
    #[inline]
    fn value(&mut self, field: FieldId, number: u32) -> Value {
        let (own, tables) = self;
        if number >= MOST_OWN {
            return tables.elements(field, |all| all[number as usize].clone());
        }
        let known = &mut own.of_fields[field as usize];
        if known.len() <= number as usize {
            let new =
                tables.elements(field, |all| all[known.len()..all.len().min(MOST_OWN as usize)].to_vec());
            match &mut own.copier {
                Some(copier) => known.extend(new.iter().map(|value| copier.copy(value))),
                None => known.extend(new),
            }
        }
        known[number as usize].clone()
    }

    #[inline]
    fn domain(&mut self, shape: ShapeId, domain: &Domain) -> Domain {
        let (own, _) = self;
        let copy = || match &mut own.copier {
            Some(copier) => copier.domain(domain),
            None => domain.clone(),
        };
        own.domains[shape as usize].get_or_insert_with(copy).clone()
    }
}

/// Numbers by value, and the elements of sets.
#[derive(Debug)]
pub(crate) struct OwnNumbers {
    /// Numbers, and what the values add to fingerprints. A worker that is alone asks the tables.
    of_fields: Vec<FxHashMap<Value, (u32, u64)>>,
    elements: Vec<OwnElements>,
    /// For values that share no memory with those of other workers, if there are any.
    copier: Option<Copier>,
}

/// The elements that a set has had.
#[derive(Clone, Default, Debug)]
struct OwnElements {
    /// How many elements all sets had had when they were looked at.
    so_far: u32,
    values: Vec<Value>,
}

impl OwnNumbers {
    pub(crate) fn new(layout: &Layout, is_alone: bool) -> Self {
        let fields = layout.fields.len();
        Self {
            of_fields: vec![FxHashMap::default(); if is_alone { 0 } else { fields }],
            elements: vec![OwnElements::default(); fields],
            copier: (!is_alone).then(Copier::default),
        }
    }

    /// The number of a value of a field, or of an element, given now if it is new; and what it adds to fingerprints.
    pub(crate) fn number(
        &mut self,
        tables: &Tables,
        field: FieldId,
        value: &Value,
    ) -> Result<(u32, u64), Misfit> {
        let Some(known) = self.of_fields.get_mut(field as usize) else { return tables.number(field, value) };
        if let Some(found) = known.get(value) {
            return Ok(*found);
        }
        let found = tables.number(field, value)?;
        if found.0 < MOST_OWN {
            known.insert(value.clone(), found);
        }
        Ok(found)
    }

    /// Calls `look` with the elements that a set has had so far, by number. Some may be missing that another worker has
    /// just met, or if it is called within `look`.
    pub(crate) fn elements(
        own: &RefCell<Self>,
        tables: &Tables,
        field: FieldId,
        mut look: impl FnMut(u32, &Value),
    ) {
        let values = own.borrow_mut().take_elements(tables, field);
        for (number, value) in (0..).zip(&values) {
            look(number, value);
        }
        own.borrow_mut().elements[field as usize].values = values;
    }

    fn take_elements(&mut self, tables: &Tables, field: FieldId) -> Vec<Value> {
        let OwnElements { so_far, values } = &mut self.elements[field as usize];
        let now = tables.elements_so_far();
        if *so_far != now {
            *so_far = now;
            let new = tables.elements(field, |all| all.get(values.len()..).map(<[Value]>::to_vec));
            match &mut self.copier {
                Some(copier) => values.extend(new.iter().flatten().map(|value| copier.copy(value))),
                None => values.extend(new.into_iter().flatten()),
            }
        }
        std::mem::take(values)
    }

    /// The changes that make a part of the state a certain value. The hash of a word is that of all its elements.
    pub(crate) fn write(
        &mut self,
        tables: &Tables,
        shape: ShapeId,
        value: &Value,
        writes: &mut Vec<Write>,
    ) -> Result<(), Misfit> {
        let pattern = || tables.layout.shapes[shape as usize].pattern.clone();
        match &tables.layout.shapes[shape as usize].kind {
            ShapeKind::Value(field) => {
                let (number, hash) = self.number(tables, *field, value)?;
                let Field { word, shift, mask, .. } = tables.layout.fields[*field as usize];
                let kind = WriteKind::Number;
                writes.push(Write { field: *field, word, mask, value: number << shift, hash, kind });
            }
            ShapeKind::Set(field) => {
                let place = &tables.layout.fields[*field as usize];
                let mut all = vec![(0_u32, 0_u64); place.words as usize];
                let Ok(elements) = value.explicit("a state") else { return Err(Misfit::Whole(pattern())) };
                for element in &elements.slice {
                    let (number, hash) = self.number(tables, *field, element)?;
                    let (word, bit) = place.place(number);
                    let (bits, sum) = &mut all[(word - place.word) as usize];
                    *bits |= bit;
                    *sum = sum.wrapping_add(hash);
                }
                for (word, (value, hash)) in (place.word..).zip(all) {
                    let kind = WriteKind::Word;
                    writes.push(Write { field: *field, word, mask: place.mask, value, hash, kind });
                }
            }
            ShapeKind::Function(domain, parts) => match value.parts() {
                Some((other, values)) if values.len() == parts.len() && domain.is(other) => {
                    for (part, value) in parts.iter().zip(values) {
                        self.write(tables, *part, value, writes)?;
                    }
                }
                _ => return Err(Misfit::Whole(pattern())),
            },
        }
        Ok(())
    }

    /// The change that puts an element into a set, or takes it out.
    pub(crate) fn write_element(
        &mut self,
        tables: &Tables,
        field: FieldId,
        element: &Value,
        is_in: bool,
    ) -> Result<Write, Misfit> {
        let (number, hash) = self.number(tables, field, element)?;
        let (word, mask) = tables.layout.fields[field as usize].place(number);
        let value = if is_in { mask } else { 0 };
        Ok(Write { field, word, mask, value, hash, kind: WriteKind::Element })
    }
}
