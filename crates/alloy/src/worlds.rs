//! The unknown parts of given data, in the terms of the relational engine.
//!
//! Signatures are numbered from the top down, so that those below one are a range: an unknown atom can be equal to
//! those of its own signature and of all that extend it.

use std::collections::BTreeMap;
use std::ops::Range;

use locus_relational::{Ast, Atom, Expr, Relation, Universe, Worlds};
use rustc_hash::FxHashMap;

use crate::bounds::{Space, ordered};
use crate::ground::{Blank, Data, Given, Named};
use crate::model::{Parent, World};
use crate::native;
use crate::types::SigId;

/// Where data is in the terms of the relational engine.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'s> {
    pub(crate) ast: &'s Ast,
    /// The value of each field.
    pub(crate) fields: &'s [Expr],
    pub(crate) universe: &'s Universe,
    /// Atoms of the integers and strings that are not known.
    pub(crate) unknown: &'s BTreeMap<Blank, Atom>,
    /// The relation that has all texts, if there is one. Elsewhere that is a constant.
    pub(crate) strings: Option<Relation>,
}

impl<'s> Layout<'s> {
    pub(crate) fn of(space: &'s Space) -> Self {
        let Space { ast, bounds, fields, unknown, .. } = space;
        Self { ast, fields, universe: bounds.universe(), unknown, strings: None }
    }
}

/// The worlds that data leaves open.
pub(crate) fn worlds(world: &World, data: &Data, layout: &Layout<'_>) -> Worlds {
    let Layout { universe, unknown, .. } = *layout;
    let mut worlds = Worlds::new(universe);
    if data.unknown_atoms.is_empty() && unknown.is_empty() && data.optional.is_empty() {
        return worlds;
    }
    let named = Named::of(universe, unknown);
    let numbers = Numbers::of(world);
    let mut ranges: FxHashMap<Atom, Range<u32>> = FxHashMap::default();
    for (&sig, names) in &data.atoms {
        let range = numbers.range(world, sig);
        for atom in names.iter().filter_map(|name| named.atom(name)) {
            // The signature furthest down says most.
            let known = ranges.entry(atom).or_insert_with(|| range.clone());
            if range.len() < known.len() {
                *known = range.clone();
            }
        }
    }
    for atom in universe.atoms() {
        if let Some(range) = ranges.get(&atom) {
            worlds.classify(atom, range.start);
        }
    }
    for &atom in unknown.values() {
        worlds.unknown(atom);
    }
    for atom in data.unknown_atoms.iter().filter_map(|name| named.atom(name)) {
        match ranges.get(&atom) {
            Some(range) => worlds.unknown_among(atom, range.clone()),
            None => worlds.unknown(atom),
        }
    }
    for atom in data.optional.iter().filter_map(|given| named.find(given)) {
        worlds.optional(atom);
    }
    // A text that may not be there is a text all the same.
    if let Some(strings) = layout.strings
        && data.optional.iter().any(|given| matches!(given, Given::Text(_)))
    {
        worlds.loose(strings);
    }
    for sig in world.user_sigs() {
        let fields = || world.sig(sig).decls.iter().flat_map(|decl| &decl.fields);
        let relations =
            || fields().filter_map(|field| native::relation_of(layout.ast, layout.fields[field.index()]));
        if native::module(world, sig).is_some() {
            relations().for_each(|relation| worlds.computed(relation));
        }
        // An order is that of the atoms there are.
        if ordered(world, sig).is_some_and(|of| is_open(world, data, of)) {
            relations().for_each(|relation| worlds.loose(relation));
        }
    }
    worlds
}

/// Whether some atom of a signature is unknown or optional.
fn is_open(world: &World, data: &Data, sig: SigId) -> bool {
    let open = |name: &String| {
        data.unknown_atoms.contains(name) || data.optional.contains(&Given::Atom(name.clone()))
    };
    data.atoms.get(&sig).into_iter().flatten().any(open)
        || world.sig(sig).children.iter().any(|&child| is_open(world, data, child))
}

/// Numbers of signatures, those below one right after it.
struct Numbers {
    ranges: FxHashMap<SigId, Range<u32>>,
    all: Range<u32>,
}

impl Numbers {
    fn of(world: &World) -> Self {
        let mut numbers = Self { ranges: FxHashMap::default(), all: 0..1 };
        for sig in world.user_sigs().filter(|&sig| world.sig(sig).parent == Parent::Prim(SigId::UNIV)) {
            numbers.add(world, sig);
        }
        numbers
    }

    fn add(&mut self, world: &World, sig: SigId) {
        let start = self.all.end;
        self.all.end += 1;
        for &child in &world.sig(sig).children {
            self.add(world, child);
        }
        self.ranges.insert(sig, start..self.all.end);
    }

    /// The numbers of a signature and what is below it. A subset says nothing about what its atoms are.
    fn range(&self, world: &World, sig: SigId) -> Range<u32> {
        match world.sig(sig).parent {
            Parent::Prim(_) => self.ranges.get(&sig).unwrap_or(&self.all).clone(),
            Parent::Subset(..) => self.all.clone(),
        }
    }
}
