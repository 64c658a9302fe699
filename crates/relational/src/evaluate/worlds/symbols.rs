//! The atoms of symbolic tuples: those of the universe, and those that an evaluation makes up.

use super::{INTS, Worlds};
use crate::ast::Var;
use crate::universe::{Atom, Universe};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How many atoms are made up at most.
const MAX_MADE: usize = 1_000_000;

/// An atom that an evaluation made up.
struct Made {
    class: u32,
    /// The range of classes that it may be equal to, if it is unknown.
    among: Option<Range<u32>>,
    /// The integer it stands for, if that is known.
    value: Option<i64>,
    /// The atom of which it is one of the things that it stands for.
    one_of: Option<Atom>,
}

/// The known properties of the atoms of symbolic tuples.
pub(super) struct Symbols<'a> {
    worlds: &'a Worlds,
    universe: &'a Universe,
    made: Vec<Made>,
    ints: FxHashMap<i64, Atom>,
    members: FxHashMap<(Atom, Var, usize), Atom>,
    /// Whether some integer or text is unknown: then there may be others than those of the universe.
    pub(super) new_values: bool,
}

impl<'a> Symbols<'a> {
    pub(super) fn new(worlds: &'a Worlds, universe: &'a Universe) -> Self {
        let new_values =
            universe.atoms().any(|a| worlds.classes[a.0 as usize] >= INTS && worlds.unknown.contains_key(&a));
        Self {
            worlds,
            universe,
            made: Vec::new(),
            ints: FxHashMap::default(),
            members: FxHashMap::default(),
            new_values,
        }
    }

    pub(super) fn universe(&self) -> &'a Universe {
        self.universe
    }

    fn made(&self, atom: Atom) -> Option<&Made> {
        (atom.0 as usize).checked_sub(self.universe.len()).and_then(|at| self.made.get(at))
    }

    pub(super) fn is_made(&self, atom: Atom) -> bool {
        atom.0 as usize >= self.universe.len()
    }

    fn class(&self, atom: Atom) -> u32 {
        self.made(atom).map_or_else(|| self.worlds.classes[atom.0 as usize], |made| made.class)
    }

    fn among(&self, atom: Atom) -> Option<&Range<u32>> {
        match self.made(atom) {
            Some(made) => made.among.as_ref(),
            None => self.worlds.unknown.get(&atom),
        }
    }

    pub(super) fn is_unknown(&self, atom: Atom) -> bool {
        self.among(atom).is_some()
    }

    /// Whether an atom stands for any number of things.
    pub(super) fn is_many(&self, atom: Atom) -> bool {
        self.worlds.optional.contains(&atom) && self.worlds.unknown.contains_key(&atom)
    }

    /// Whether an atom may be equal to another, or stand for something that is no known atom of the universe.
    pub(super) fn is_vague(&self, atom: Atom) -> bool {
        self.is_made(atom) || self.worlds.unknown.contains_key(&atom)
    }

    pub(super) fn are_vague(&self, tuple: &[Atom]) -> bool {
        tuple.iter().any(|&atom| self.is_vague(atom))
    }

    /// Whether two atoms are equal in some world.
    pub(super) fn can_equal(&self, a: Atom, b: Atom) -> bool {
        a == b
            || self.among(a).is_some_and(|classes| classes.contains(&self.class(b)))
            || self.among(b).is_some_and(|classes| classes.contains(&self.class(a)))
    }

    pub(super) fn tuples_can_equal(&self, s: &[Atom], t: &[Atom]) -> bool {
        s.iter().zip(t).all(|(&a, &b)| self.can_equal(a, b))
    }

    pub(super) fn is_int(&self, atom: Atom) -> bool {
        self.class(atom) == INTS
    }

    /// The integer an atom stands for, if it is known to stand for one.
    pub(super) fn int_value(&self, atom: Atom) -> Option<i64> {
        match self.made(atom) {
            Some(made) => made.value,
            None if self.is_unknown(atom) => None,
            None => self.universe.int_value(atom),
        }
    }

    fn make(&mut self, made: Made) -> Option<Atom> {
        if self.made.len() >= MAX_MADE {
            return None;
        }
        self.made.push(made);
        Some(Atom((self.universe.len() + self.made.len() - 1) as u32))
    }

    /// Whether an atom is an integer or a text that is known, but may not be there. As a value it always is.
    pub(super) fn is_optional_value(&self, atom: Atom) -> bool {
        !self.is_unknown(atom) && self.worlds.optional.contains(&atom) && self.class(atom) >= INTS
    }

    /// The atom of a known integer. Not that of the universe if there this number stands for an unknown one.
    pub(super) fn int(&mut self, value: i64) -> Option<Atom> {
        let present = self.universe.int(value).filter(|&atom| !self.is_unknown(atom));
        if let Some(atom) = present.filter(|atom| !self.worlds.optional.contains(atom)) {
            return Some(atom);
        }
        if let Some(&atom) = self.ints.get(&value) {
            return Some(atom);
        }
        // It is equal to the one that may not be there, if that is there.
        let among = present.map(|_| INTS..INTS + 1);
        let atom = self.make(Made { class: INTS, among, value: Some(value), one_of: None })?;
        self.ints.insert(value, atom);
        Some(atom)
    }

    /// An atom for an integer of which nothing is known.
    pub(super) fn unknown_int(&mut self) -> Option<Atom> {
        self.make(Made { class: INTS, among: Some(INTS..INTS + 1), value: None, one_of: None })
    }

    /// One of the things that an atom stands for, as the value of a variable at one of its columns.
    pub(super) fn one_of(&mut self, many: Atom, var: Var, column: usize) -> Option<Atom> {
        if let Some(&atom) = self.members.get(&(many, var, column)) {
            return Some(atom);
        }
        let (class, among) = (self.class(many), self.among(many).cloned());
        let atom = self.make(Made { class, among, value: None, one_of: Some(many) })?;
        self.members.insert((many, var, column), atom);
        Some(atom)
    }

    /// The atom that this one was one of.
    pub(super) fn origin(&self, atom: Atom) -> Option<Atom> {
        self.made(atom).and_then(|made| made.one_of)
    }

    /// A tuple with all that its atoms were one of, if any was.
    pub(super) fn origins(&self, tuple: &[Atom]) -> Option<Vec<Atom>> {
        let any = tuple.iter().any(|&atom| self.origin(atom).is_some());
        any.then(|| tuple.iter().map(|&atom| self.origin(atom).unwrap_or(atom)).collect())
    }
}
