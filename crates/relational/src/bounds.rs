//! Bounds on relations before solving, and the relations of an answer.

use crate::ast::{Ast, Relation};
use crate::tuples::TupleSet;
use crate::universe::Universe;
use std::fmt::Write;

/// The bounds of one relation: it holds every tuple of `lower` and none outside of `upper`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Tuples that are certainly in the relation.
    pub lower: TupleSet,
    /// Tuples that may be in the relation.
    pub upper: TupleSet,
}

impl Bound {
    /// Whether the relation is a constant.
    pub fn is_exact(&self) -> bool {
        self.lower.len() == self.upper.len()
    }
}

/// A universe, and bounds for relations over it.
///
/// A relation computed from values (does this network contain that address?) is one with exact bounds. So is every
/// relation when a formula is to be evaluated on a given instance.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    universe: Universe,
    bounds: Vec<Option<Bound>>,
}

impl Bounds {
    /// Bounds over a universe; no relation has one yet.
    pub fn new(universe: Universe) -> Self {
        Self { universe, bounds: Vec::new() }
    }

    /// The atoms.
    pub fn universe(&self) -> &Universe {
        &self.universe
    }

    /// Bounds a relation from below and above. The upper bound is extended by the lower one.
    ///
    /// # Panics
    /// When the arities differ.
    pub fn bound(&mut self, relation: Relation, lower: TupleSet, upper: TupleSet) {
        let upper = if lower.is_empty() { upper } else { upper.union(&lower) };
        assert_eq!(lower.arity(), upper.arity(), "both bounds have the arity of the relation");
        let index = relation.index();
        if self.bounds.len() <= index {
            self.bounds.resize(index + 1, None);
        }
        self.bounds[index] = Some(Bound { lower, upper });
    }

    /// Makes a relation a constant.
    pub fn exact(&mut self, relation: Relation, tuples: TupleSet) {
        self.bound(relation, tuples.clone(), tuples);
    }

    /// Bounds a relation from above only.
    pub fn upper(&mut self, relation: Relation, upper: TupleSet) {
        self.bound(relation, TupleSet::empty(upper.arity()), upper);
    }

    /// The bounds of a relation, if it has any.
    pub fn get(&self, relation: Relation) -> Option<&Bound> {
        self.bounds.get(relation.index()).and_then(Option::as_ref)
    }

    /// All bounded relations, in the order of their declaration.
    pub fn relations(&self) -> impl Iterator<Item = (Relation, &Bound)> {
        self.bounds.iter().enumerate().filter_map(|(i, b)| b.as_ref().map(|b| (Relation::from_index(i), b)))
    }

    /// Whether every bounded relation is a constant.
    pub fn is_ground(&self) -> bool {
        self.relations().all(|(_, bound)| bound.is_exact())
    }

    /// The one instance within bounds that are all exact.
    pub fn ground_instance(&self) -> Option<Instance> {
        if !self.is_ground() {
            return None;
        }
        Some(Instance { values: self.bounds.iter().map(|b| b.as_ref().map(|b| b.lower.clone())).collect() })
    }
}

/// A value for each relation: what a solver finds, and what a formula is evaluated on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Instance {
    values: Vec<Option<TupleSet>>,
}

impl Instance {
    /// An instance that says nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a relation its value.
    pub fn set(&mut self, relation: Relation, tuples: TupleSet) {
        let index = relation.index();
        if self.values.len() <= index {
            self.values.resize(index + 1, None);
        }
        self.values[index] = Some(tuples);
    }

    /// The value of a relation.
    pub fn get(&self, relation: Relation) -> Option<&TupleSet> {
        self.values.get(relation.index()).and_then(Option::as_ref)
    }

    /// All relations that have a value, in the order of their declaration.
    pub fn relations(&self) -> impl Iterator<Item = (Relation, &TupleSet)> {
        self.values.iter().enumerate().filter_map(|(i, v)| v.as_ref().map(|v| (Relation::from_index(i), v)))
    }

    /// The instance as text, one relation a line: for tests and for debugging.
    pub fn show(&self, ast: &Ast, universe: &Universe) -> String {
        let mut text = String::new();
        for (relation, tuples) in self.relations() {
            let shown: Vec<String> = tuples
                .iter()
                .map(|t| t.iter().map(|&a| universe.label(a)).collect::<Vec<_>>().join("->"))
                .collect();
            let _ = writeln!(text, "{} = {{{}}}", ast.relation_name(relation), shown.join(", "));
        }
        text
    }
}
