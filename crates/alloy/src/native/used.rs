//! Which relations formulas ask for, and of which values.

use std::collections::BTreeSet;

use locus_relational::{Ast, Atom, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Relation};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is asked of a binary relation.
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

/// What formulas ask for.
pub(super) struct Used<'a> {
    ast: &'a Ast,
    pub(super) relations: FxHashMap<Relation, Asked>,
    formulas: FxHashSet<Formula>,
    exprs: FxHashSet<Expr>,
    ints: FxHashSet<IntExpr>,
}

impl<'a> Used<'a> {
    pub(super) fn of(ast: &'a Ast, formulas: &[Formula]) -> Self {
        let mut used = Self {
            ast,
            relations: FxHashMap::default(),
            formulas: FxHashSet::default(),
            exprs: FxHashSet::default(),
            ints: FxHashSet::default(),
        };
        for &formula in formulas {
            used.formula(formula);
        }
        used
    }

    fn formula(&mut self, formula: Formula) {
        if !self.formulas.insert(formula) {
            return;
        }
        match self.ast.formula(formula) {
            FormulaNode::Const(_) => {}
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
            FormulaNode::Mult(_, e) => self.expr(*e),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().for_each(|&part| self.formula(part));
            }
            FormulaNode::Not(inner) | FormulaNode::Tagged(_, inner) => self.formula(*inner),
            FormulaNode::Iff(a, b) => {
                self.formula(*a);
                self.formula(*b);
            }
            FormulaNode::Quantified(_, decls, body) => {
                self.decls(decls);
                self.formula(*body);
            }
            FormulaNode::Compare(_, a, b) => {
                self.int(*a);
                self.int(*b);
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                for e in [elements, first, next] {
                    self.expr(*e);
                }
            }
        }
    }

    fn decls(&mut self, decls: &[Decl]) {
        for decl in decls {
            self.expr(decl.domain);
        }
    }

    fn expr(&mut self, expr: Expr) {
        if !self.exprs.insert(expr) {
            return;
        }
        match self.ast.expr(expr) {
            ExprNode::Relation(relation) => {
                self.relations.insert(*relation, Asked::Everything);
            }
            ExprNode::Var(_) | ExprNode::Univ | ExprNode::Ints | ExprNode::Iden | ExprNode::Constant(_) => {}
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => {
                parts.iter().for_each(|&part| self.expr(part));
            }
            ExprNode::Join(a, b) => {
                // Values that are written in the model, followed through the relation.
                if let (ExprNode::Constant(from), ExprNode::Relation(relation)) =
                    (self.ast.expr(*a), self.ast.expr(*b))
                {
                    let from = self.ast.constant(*from);
                    let asked =
                        self.relations.entry(*relation).or_insert_with(|| Asked::From(BTreeSet::new()));
                    if let Asked::From(atoms) = asked {
                        atoms.extend(from.iter().map(|tuple| tuple[tuple.len() - 1]));
                    }
                } else {
                    self.expr(*a);
                    self.expr(*b);
                }
            }
            ExprNode::Difference(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
            ExprNode::Transpose(a) | ExprNode::Closure(a) | ExprNode::ReflexiveClosure(a) => self.expr(*a),
            ExprNode::Comprehension(decls, body) => {
                self.decls(decls);
                self.formula(*body);
            }
            ExprNode::If(condition, a, b) => {
                self.formula(*condition);
                self.expr(*a);
                self.expr(*b);
            }
            ExprNode::FromInt(int) => self.int(*int),
        }
    }

    fn int(&mut self, int: IntExpr) {
        if !self.ints.insert(int) {
            return;
        }
        match self.ast.int(int) {
            IntNode::Const(_) => {}
            IntNode::Count(e) | IntNode::Sum(e) => self.expr(*e),
            IntNode::SumOver(decls, body) => {
                self.decls(decls);
                self.int(*body);
            }
            IntNode::Binary(_, a, b) => {
                self.int(*a);
                self.int(*b);
            }
            IntNode::If(condition, a, b) => {
                self.formula(*condition);
                self.int(*a);
                self.int(*b);
            }
        }
    }
}
