//! Which relations formulas ask for, and of which values.

use std::collections::BTreeSet;

use locus_relational::{Ast, Atom, Expr, ExprNode, Formula, Node, Relation};
use rustc_hash::{FxHashMap, FxHashSet};

/// The question that is asked of a binary relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Any pair may matter.
    Everything,
    /// Only pairs that begin with one of these.
    From(BTreeSet<Atom>),
}

impl Asked {
    /// Whether pairs that begin with an atom matter.
    pub(crate) fn has(&self, atom: Atom) -> bool {
        match self {
            Self::Everything => true,
            Self::From(atoms) => atoms.contains(&atom),
        }
    }
}

/// The relations that formulas ask for.
pub(super) struct Used<'a> {
    ast: &'a Ast,
    pub(super) relations: FxHashMap<Relation, Asked>,
    seen: FxHashSet<Node>,
}

impl<'a> Used<'a> {
    pub(super) fn of(ast: &'a Ast, formulas: &[Formula]) -> Self {
        let mut used = Self { ast, relations: FxHashMap::default(), seen: FxHashSet::default() };
        for &formula in formulas {
            used.visit(Node::Formula(formula));
        }
        used
    }

    fn visit(&mut self, node: Node) {
        if !self.seen.insert(node) {
            return;
        }
        let ast = self.ast;
        match node {
            Node::Expr(expr) => match ast.expr(expr) {
                ExprNode::Relation(relation) => {
                    self.relations.insert(*relation, Asked::Everything);
                }
                ExprNode::Join(a, b) if self.is_from_constant(*a, *b) => {}
                _ => ast.each_part(node, &mut |part| self.visit(part)),
            },
            _ => ast.each_part(node, &mut |part| self.visit(part)),
        }
    }

    /// Values that are written in the model, followed through a relation: only pairs that begin with them are asked
    /// for.
    fn is_from_constant(&mut self, a: Expr, b: Expr) -> bool {
        let ExprNode::Relation(relation) = self.ast.expr(b) else { return false };
        let mut from = Vec::new();
        if !self.collect_constants(a, &mut from) {
            return false;
        }
        let asked = self.relations.entry(*relation).or_insert_with(|| Asked::From(BTreeSet::new()));
        if let Asked::From(atoms) = asked {
            atoms.extend(from);
        }
        true
    }

    /// Collects the last atoms of a constant, or of several that are united. Says whether the expression is such.
    fn collect_constants(&self, expr: Expr, found: &mut Vec<Atom>) -> bool {
        match self.ast.expr(expr) {
            ExprNode::Constant(constant) => {
                let tuples = self.ast.constant(*constant);
                found.extend(tuples.iter().map(|tuple| tuple[tuple.len() - 1]));
                true
            }
            ExprNode::Union(parts) => parts.iter().all(|&part| self.collect_constants(part, found)),
            _ => false,
        }
    }
}
