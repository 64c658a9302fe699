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
                ExprNode::Join(a, b) if self.is_from_constant(*a, *b) => self.visit(Node::Expr(*a)),
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

    /// Collects the last atoms of what ends in a constant, or in several that are united, and perhaps more. Says
    /// whether the expression is such.
    fn collect_constants(&self, expr: Expr, found: &mut Vec<Atom>) -> bool {
        match self.ast.expr(expr) {
            ExprNode::Constant(constant) => {
                let tuples = self.ast.constant(*constant);
                found.extend(tuples.iter().map(|tuple| tuple[tuple.len() - 1]));
                true
            }
            ExprNode::Union(parts) => parts.iter().all(|&part| self.collect_constants(part, found)),
            ExprNode::Product(_, last) => self.collect_constants(*last, found),
            // A join with a set ends as what is joined with it.
            ExprNode::Join(_, last) if self.ast.arity(*last) > 1 => self.collect_constants(*last, found),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use locus_relational::{TupleSet, Universe};

    use super::*;

    /// `d.(a->b + c->b) + b` ends in atoms that the model has; `a.s`, with a set `s`, ends as `a` begins.
    #[test]
    fn what_ends_in_constants_is_asked_from_them_alone() {
        let mut universe = Universe::new();
        let [a, b, c] = ["a", "b", "c"].map(|label| universe.add(label));
        let mut ast = Ast::new();
        let pairs = ast.relation("matches", 2);
        let (data, inner) = (ast.relation("data", 1), ast.relation("inner", 2));
        let (matches, inner_expr) = (ast.rel(pairs), ast.rel(inner));
        let data = ast.rel(data);
        // What is looked up is itself computed.
        let looked_up = ast.join(data, inner_expr);
        let ab = ast.constant_expr(TupleSet::binary([(a, b)]));
        let (c_set, b_set) = (TupleSet::unary([c]), TupleSet::unary([b]));
        let (c_set, b_set) = (ast.constant_expr(c_set), ast.constant_expr(b_set));
        let cb = ast.product(c_set, b_set);
        let table = ast.union(&[ab, cb]);
        let row = ast.join(looked_up, table);
        let patterns = ast.union(&[row, b_set]);
        let matched = ast.join(patterns, matches);
        let asked = |ast: &mut Ast, expr: Expr| {
            let formula = ast.some(expr);
            Used::of(ast, &[formula]).relations
        };
        let found = asked(&mut ast, matched);
        assert_eq!(found.get(&pairs), Some(&Asked::From([b].into())));
        assert_eq!(found.get(&inner), Some(&Asked::Everything), "what is looked up by is asked for as well");
        let beginnings = ast.join(inner_expr, c_set);
        let matched = ast.join(beginnings, matches);
        assert_eq!(asked(&mut ast, matched).get(&pairs), Some(&Asked::Everything));
    }
}
