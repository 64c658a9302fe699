//! Which formulas only mention relations that are constants, and can be evaluated: a choice of sets is better left to
//! a solver.

use crate::ast::{Ast, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Range, Relation};
use rustc_hash::FxHashMap;

/// The question, with the answers so far.
pub(crate) struct Known<'a> {
    ast: &'a Ast,
    is_constant: &'a dyn Fn(Relation) -> bool,
    formulas: FxHashMap<Formula, bool>,
    exprs: FxHashMap<Expr, bool>,
    ints: FxHashMap<IntExpr, bool>,
}

impl<'a> Known<'a> {
    pub(crate) fn new(ast: &'a Ast, is_constant: &'a dyn Fn(Relation) -> bool) -> Self {
        Self {
            ast,
            is_constant,
            formulas: FxHashMap::default(),
            exprs: FxHashMap::default(),
            ints: FxHashMap::default(),
        }
    }

    pub(crate) fn formula(&mut self, formula: Formula) -> bool {
        if let Some(&known) = self.formulas.get(&formula) {
            return known;
        }
        let known = match self.ast.formula(formula) {
            FormulaNode::Const(_) => true,
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => self.expr(*a) && self.expr(*b),
            FormulaNode::Mult(_, a) => self.expr(*a),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => parts.iter().all(|&part| self.formula(part)),
            FormulaNode::Not(a) | FormulaNode::Tagged(_, a) => self.formula(*a),
            FormulaNode::Iff(a, b) => self.formula(*a) && self.formula(*b),
            FormulaNode::Quantified(_, decls, body) => {
                let first_order = decls.iter().all(|d| matches!(d.range, Range::One | Range::Lone));
                first_order && self.decls(decls) && self.formula(*body)
            }
            FormulaNode::Compare(_, a, b) => self.int(*a) && self.int(*b),
            FormulaNode::TotalOrder { elements, first, next } => {
                [elements, first, next].into_iter().all(|&e| self.expr(e))
            }
        };
        self.formulas.insert(formula, known);
        known
    }

    fn decls(&mut self, decls: &[Decl]) -> bool {
        decls.iter().all(|decl| self.expr(decl.domain))
    }

    fn expr(&mut self, expr: Expr) -> bool {
        if let Some(&known) = self.exprs.get(&expr) {
            return known;
        }
        let known = match self.ast.expr(expr) {
            ExprNode::Relation(relation) => (self.is_constant)(*relation),
            ExprNode::Var(_) | ExprNode::Univ | ExprNode::Ints | ExprNode::Iden | ExprNode::Constant(_) => {
                true
            }
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => {
                parts.iter().all(|&part| self.expr(part))
            }
            ExprNode::Difference(a, b)
            | ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => self.expr(*a) && self.expr(*b),
            ExprNode::Transpose(a) | ExprNode::Closure(a) | ExprNode::ReflexiveClosure(a) => self.expr(*a),
            ExprNode::Comprehension(decls, body) => self.decls(decls) && self.formula(*body),
            ExprNode::If(condition, a, b) => self.formula(*condition) && self.expr(*a) && self.expr(*b),
            ExprNode::FromInt(int) => self.int(*int),
        };
        self.exprs.insert(expr, known);
        known
    }

    fn int(&mut self, int: IntExpr) -> bool {
        if let Some(&known) = self.ints.get(&int) {
            return known;
        }
        let known = match self.ast.int(int) {
            IntNode::Const(_) => true,
            IntNode::Count(e) | IntNode::Sum(e) => self.expr(*e),
            IntNode::SumOver(decls, body) => self.decls(decls) && self.int(*body),
            IntNode::Binary(_, a, b) => self.int(*a) && self.int(*b),
            IntNode::If(condition, a, b) => self.formula(*condition) && self.int(*a) && self.int(*b),
        };
        self.ints.insert(int, known);
        known
    }
}
