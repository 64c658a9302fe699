//! Which relations formulas need: where one of those is empty, they are true, or false, without being looked at.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ast::{Ast, Decl, Expr, ExprNode, Formula, FormulaNode, Mult, Quantifier, Range, Relation};

/// Relations in order, each once.
type Relations = Arc<[Relation]>;

/// The facts that were found out about the nodes of an arena. Nodes are shared, and looked at once.
#[derive(Default)]
pub(super) struct Needs {
    exprs: FxHashMap<Expr, Relations>,
    formulas: FxHashMap<(Formula, bool), Relations>,
}

impl Needs {
    /// The relations of which none may be empty if a formula is to have this truth value.
    pub(super) fn of(&mut self, ast: &Ast, formula: Formula, truth: bool) -> Relations {
        if let Some(known) = self.formulas.get(&(formula, truth)) {
            return Arc::clone(known);
        }
        let found = match (ast.formula(formula), truth) {
            (FormulaNode::In(a, _), false) => self.of_expr(ast, *a),
            (FormulaNode::Equal(a, b), false) => both(&self.of_expr(ast, *a), &self.of_expr(ast, *b)),
            (FormulaNode::Mult(Mult::No | Mult::Lone, set), false)
            | (FormulaNode::Mult(Mult::Some | Mult::One, set), true) => self.of_expr(ast, *set),
            (FormulaNode::And(parts), true) | (FormulaNode::Or(parts), false) => {
                parts.iter().fold(none(), |all, &part| either(&all, &self.of(ast, part, truth)))
            }
            (FormulaNode::And(parts), false) | (FormulaNode::Or(parts), true) => {
                let mut parts = parts.iter().map(|&part| self.of(ast, part, truth));
                let first = parts.next().unwrap_or_else(none);
                parts.fold(first, |all, part| both(&all, &part))
            }
            (FormulaNode::Not(inner), _) => self.of(ast, *inner, !truth),
            (FormulaNode::Quantified(Quantifier::All, decls, body), false) => {
                self.of_bound(ast, decls, *body, false)
            }
            (FormulaNode::Quantified(Quantifier::Some, decls, body), true) => {
                self.of_bound(ast, decls, *body, true)
            }
            (FormulaNode::Tagged(_, inner), _) => self.of(ast, *inner, truth),
            _ => none(),
        };
        self.formulas.insert((formula, truth), Arc::clone(&found));
        found
    }

    /// The relations of which none may be empty if some values of variables are to give a formula this truth value.
    fn of_bound(&mut self, ast: &Ast, decls: &[Decl], body: Formula, truth: bool) -> Relations {
        let single = decls.iter().filter(|decl| decl.range == Range::One);
        let body = self.of(ast, body, truth);
        single.fold(body, |all, decl| either(&all, &self.of_expr(ast, decl.domain)))
    }

    /// The relations of which none may be empty if an expression is not to be.
    fn of_expr(&mut self, ast: &Ast, expr: Expr) -> Relations {
        if let ExprNode::Relation(relation) = ast.expr(expr) {
            return Arc::new([*relation]);
        }
        if let Some(known) = self.exprs.get(&expr) {
            return Arc::clone(known);
        }
        let found = match ast.expr(expr) {
            ExprNode::Intersection(parts) => {
                parts.iter().fold(none(), |all, &part| either(&all, &self.of_expr(ast, part)))
            }
            ExprNode::Union(parts) => {
                let mut parts = parts.iter().map(|&part| self.of_expr(ast, part));
                let first = parts.next().unwrap_or_else(none);
                parts.fold(first, |all, part| both(&all, &part))
            }
            ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => either(&self.of_expr(ast, *a), &self.of_expr(ast, *b)),
            ExprNode::Override(a, b) | ExprNode::If(_, a, b) => {
                both(&self.of_expr(ast, *a), &self.of_expr(ast, *b))
            }
            ExprNode::Difference(a, _) | ExprNode::Transpose(a) | ExprNode::Closure(a) => {
                self.of_expr(ast, *a)
            }
            ExprNode::Comprehension(decls, body) => self.of_bound(ast, decls, *body, true),
            _ => none(),
        };
        self.exprs.insert(expr, Arc::clone(&found));
        found
    }
}

fn none() -> Relations {
    Arc::new([])
}

/// The relations of one or the other.
fn either(a: &Relations, b: &Relations) -> Relations {
    if a.is_empty() || a == b {
        return Arc::clone(b);
    }
    if b.is_empty() {
        return Arc::clone(a);
    }
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// The relations that are in both.
fn both(a: &Relations, b: &Relations) -> Relations {
    if a == b {
        return Arc::clone(a);
    }
    a.iter().filter(|relation| b.binary_search(relation).is_ok()).copied().collect()
}
