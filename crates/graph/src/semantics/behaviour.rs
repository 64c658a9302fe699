//! The behaviour of a single location.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::semantics::{Context, Interaction, Label, Transition};
use crate::{Atom, Location, LocationSet, Name, Role, Symbols};

/// An individual transition of a location, but for the context and the location itself.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The interactions that it takes, at roles of the location.
    pub label: Label,
    /// The locations that the location becomes: usually the same with another process, but also several, or none.
    pub term: LocationSet,
}

impl Move {
    /// The move after which there is just this location.
    pub fn to(location: Location, label: Label) -> Self {
        Self { label, term: std::iter::once(location).collect() }
    }
}

/// A particular location graph model: what processes mean, and what is allowed.
///
/// The answers must be the same for the same arguments; then so is everything computed from them.
pub trait Behaviour {
    /// The individual transitions of a location in a context. New names and roles come from `fresh`.
    fn moves(&self, location: &Location, context: &Context, fresh: &mut Fresh<'_>) -> Vec<Move>;

    /// The individual transitions with which a location can answer an interaction that the location at the
    /// other side of a bound role offers. For those that accept any value: [`Behaviour::moves`] would have
    /// to list one move for each.
    fn answers(
        &self,
        _location: &Location,
        _offer: &Interaction,
        _context: &Context,
        _fresh: &mut Fresh<'_>,
    ) -> Vec<Move> {
        Vec::new()
    }

    /// Whether an individual transition is allowed: the predicate `Auth` of the report, with which a model
    /// can express encapsulation. All are, unless a model says otherwise.
    fn authorises(&self, _transition: &Transition) -> bool {
        true
    }
}

/// A supply of names and roles that nobody knows yet.
///
/// What it gives within one step is all different, so that locations that create something at once do not
/// clash. It gives the first of `hint.1`, `hint.2`, … that is free, so equal steps give equal names, and a
/// graph that creates and deletes again and again does not need ever more of them.
#[derive(Debug)]
pub struct Fresh<'a> {
    symbols: &'a mut Symbols,
    context: &'a Context,
    supply: &'a mut Supply,
}

/// The atoms that were already given in a step.
#[derive(Debug, Default)]
pub(super) struct Supply {
    given: FxHashSet<Atom>,
    /// The number given last for each hint, of names and of roles.
    last: [FxHashMap<Box<str>, u64>; 2],
}

impl<'a> Fresh<'a> {
    pub(super) fn new(symbols: &'a mut Symbols, context: &'a Context, supply: &'a mut Supply) -> Self {
        Self { symbols, context, supply }
    }

    /// A new name that begins with `hint`.
    pub fn name(&mut self, hint: &str) -> Name {
        loop {
            let text = self.next(hint, 0);
            let name = self.symbols.name(&text);
            if self.take(Atom::Name(name)) {
                return name;
            }
        }
    }

    /// A new role that begins with `hint`.
    pub fn role(&mut self, hint: &str) -> Role {
        loop {
            let text = self.next(hint, 1);
            let role = self.symbols.role(&text);
            if self.take(Atom::Role(role)) {
                return role;
            }
        }
    }

    /// The texts of names and roles.
    pub fn symbols(&self) -> &Symbols {
        self.symbols
    }

    fn next(&mut self, hint: &str, kind: usize) -> String {
        let last = self.supply.last[kind].entry(hint.into()).or_default();
        *last += 1;
        format!("{hint}.{last}")
    }

    fn take(&mut self, atom: Atom) -> bool {
        !self.context.contains(atom) && self.supply.given.insert(atom)
    }
}
