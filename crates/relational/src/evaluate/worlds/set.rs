//! Sets over all worlds.
//!
//! A set has symbolic tuples, of which `lower` are surely in it: in every world in which the atoms of such a tuple are
//! there, what the tuple becomes is in the set. In no world is anything in the set but what a tuple of `upper`
//! becomes, and what `extra` allows. An atom that stands for many things becomes each of them, column by column.

use super::symbols::Symbols;
use crate::evaluate::index::Indexed;
use crate::tuples::TupleSet;
use crate::universe::Atom;
use std::cell::OnceCell;
use std::rc::Rc;

/// The tuples that a set may have in addition to its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Extra {
    /// Nothing.
    Nothing,
    /// Tuples with something that is no known atom of the universe.
    New,
    /// Any tuples.
    Any,
}

/// The tuples that may be in a set, with indexes made when first needed.
pub(super) struct Listing {
    pub(super) rows: Rc<Indexed>,
    /// Positions of tuples with a vague atom, and of those that begin with one.
    vague: OnceCell<Vec<u32>>,
    vague_first: OnceCell<Vec<u32>>,
    turned: OnceCell<Rc<Listing>>,
}

impl Listing {
    fn new(rows: Rc<Indexed>) -> Rc<Self> {
        Rc::new(Self { rows, vague: OnceCell::new(), vague_first: OnceCell::new(), turned: OnceCell::new() })
    }

    pub(super) fn vague(&self, symbols: &Symbols) -> &[u32] {
        self.vague.get_or_init(|| self.positions(|tuple| symbols.are_vague(tuple)))
    }

    fn vague_first(&self, symbols: &Symbols) -> &[u32] {
        self.vague_first.get_or_init(|| self.positions(|tuple| symbols.is_vague(tuple[0])))
    }

    fn positions(&self, holds: impl Fn(&[Atom]) -> bool) -> Vec<u32> {
        let tuples = self.rows.set.iter().enumerate();
        tuples.filter(|(_, tuple)| holds(tuple)).map(|(at, _)| at as u32).collect()
    }

    /// The same with the last column first.
    pub(super) fn turned(&self) -> &Rc<Listing> {
        self.turned.get_or_init(|| Listing::new(self.rows.turned().clone()))
    }

    pub(super) fn tuples(&self) -> &TupleSet {
        &self.rows.set
    }

    /// Positions of the tuples that begin with an atom, or with what it is one of.
    pub(super) fn exactly(&self, symbols: &Symbols, atom: Atom) -> impl Iterator<Item = usize> + use<> {
        let origin = symbols.origin(atom).map_or(0..0, |origin| self.rows.row(origin));
        self.rows.row(atom).chain(origin)
    }

    /// Positions of the tuples that begin with an atom that is another, and may be equal to it.
    pub(super) fn nearly(&self, symbols: &Symbols, atom: Atom) -> Vec<u32> {
        let set = self.tuples();
        let origin = symbols.origin(atom);
        let other = |at: u32| {
            let first = set.get(at as usize)[0];
            first != atom && Some(first) != origin && symbols.can_equal(first, atom)
        };
        if symbols.is_unknown(atom) {
            (0..set.len() as u32).filter(|&at| other(at)).collect()
        } else {
            self.vague_first(symbols).iter().copied().filter(|&at| other(at)).collect()
        }
    }

    /// How many tuples are looked at for those that begin with an atom.
    pub(super) fn effort(&self, symbols: &Symbols, atom: Atom) -> usize {
        1 + self.rows.row(atom).len()
            + if symbols.is_unknown(atom) { self.tuples().len() } else { self.vague_first(symbols).len() }
    }

    /// Whether some tuple begins with an atom that may be something new.
    pub(super) fn begins_vague(&self, symbols: &Symbols) -> bool {
        !self.vague_first(symbols).is_empty()
    }
}

/// A set over all worlds.
#[derive(Clone)]
pub(super) struct Set {
    pub(super) upper: Rc<Listing>,
    /// None if it is the same as `upper`.
    lower: Option<Rc<TupleSet>>,
    pub(super) extra: Extra,
}

impl Set {
    /// Tuples that are all surely there, as far as their atoms are.
    pub(super) fn exact(tuples: TupleSet) -> Self {
        Self { upper: Listing::new(Indexed::new(tuples)), lower: None, extra: Extra::Nothing }
    }

    pub(super) fn with_extra(mut self, extra: Extra) -> Self {
        self.extra = self.extra.max(extra);
        self
    }

    pub(super) fn tuples(&self) -> &TupleSet {
        self.upper.tuples()
    }

    /// Whether a tuple that may be in the set surely is, if its atoms are there.
    pub(super) fn is_sure(&self, tuple: &[Atom]) -> bool {
        self.lower.as_ref().is_none_or(|lower| lower.contains(tuple))
    }

    /// The tuples, turned around; for pairs.
    pub(super) fn transposed(&self) -> Self {
        let turn = |set: &TupleSet| TupleSet::binary(set.iter().map(|t| (t[1], t[0])));
        Self {
            upper: self.upper.turned().clone(),
            lower: self.lower.as_ref().map(|lower| Rc::new(turn(lower))),
            extra: self.extra,
        }
    }

    /// Whether a tuple is in the set: in all worlds that have its atoms, in none, or neither is certain.
    pub(super) fn member(&self, symbols: &Symbols, tuple: &[Atom]) -> Option<bool> {
        if self.tuples().contains(tuple) {
            return self.is_sure(tuple).then_some(true);
        }
        let vague = symbols.are_vague(tuple);
        if let Some(all) = symbols.origins(tuple)
            && self.tuples().contains(&all)
            && self.is_sure(&all)
        {
            return Some(true);
        }
        let doubt = match self.extra {
            Extra::Nothing => false,
            Extra::New => vague,
            Extra::Any => true,
        };
        if doubt || self.near(symbols, tuple, vague) { None } else { Some(false) }
    }

    /// Whether another tuple of the set may be equal to this one.
    fn near(&self, symbols: &Symbols, tuple: &[Atom], vague: bool) -> bool {
        let set = self.tuples();
        let fits = |other: &[Atom]| other != tuple && symbols.tuples_can_equal(other, tuple);
        if vague {
            return set.iter().any(fits);
        }
        self.upper.vague(symbols).iter().any(|&at| fits(set.get(at as usize)))
    }

    /// How many tuples [`Self::member`] may look at.
    pub(super) fn effort(&self, symbols: &Symbols, tuple: &[Atom]) -> usize {
        let vague = symbols.are_vague(tuple);
        1 + if vague { self.tuples().len() } else { self.upper.vague(symbols).len() }
    }
}

/// Collects the tuples of a set.
pub(super) struct Builder {
    arity: usize,
    sure: Vec<Atom>,
    maybe: Vec<Atom>,
    pub(super) extra: Extra,
}

impl Builder {
    pub(super) fn new(arity: usize) -> Self {
        Self { arity, sure: Vec::new(), maybe: Vec::new(), extra: Extra::Nothing }
    }

    pub(super) fn add(&mut self, sure: bool, parts: [&[Atom]; 2]) {
        let into = if sure { &mut self.sure } else { &mut self.maybe };
        into.extend_from_slice(parts[0]);
        into.extend_from_slice(parts[1]);
    }

    pub(super) fn finish(self) -> Set {
        let lower = TupleSet::from_flat(self.arity, self.sure);
        // Where anything may be in the set, nothing is said by a tuple that may be.
        if self.maybe.is_empty() || self.extra == Extra::Any {
            return Set::exact(lower).with_extra(self.extra);
        }
        let upper = lower.union(&TupleSet::from_flat(self.arity, self.maybe));
        let lower = (lower.len() < upper.len()).then(|| Rc::new(lower));
        Set { upper: Listing::new(Indexed::new(upper)), lower, extra: self.extra }
    }
}
