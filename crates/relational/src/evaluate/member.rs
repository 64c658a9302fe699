//! Whether a tuple is in the value of an expression, without building the value where that can be told.

use super::EvalError;
use super::index::reach;
use super::run::Run;
use crate::ast::{Expr, ExprNode};
use crate::universe::Atom;

impl Run<'_> {
    /// Whether a tuple is in the value of an expression, without building large values.
    pub(super) fn member(&mut self, expr: Expr, tuple: &[Atom]) -> Result<bool, EvalError> {
        let ast = self.ast;
        let in_universe = |run: &Self, atom: Atom| (atom.0 as usize) < run.universe.len();
        Ok(match ast.expr(expr) {
            ExprNode::Univ => in_universe(self, tuple[0]),
            ExprNode::Iden => tuple[0] == tuple[1] && in_universe(self, tuple[0]),
            ExprNode::Union(parts) => {
                for &part in parts.iter() {
                    if self.member(part, tuple)? {
                        return Ok(true);
                    }
                }
                false
            }
            ExprNode::Intersection(parts) => {
                for &part in parts.iter() {
                    if !self.member(part, tuple)? {
                        return Ok(false);
                    }
                }
                true
            }
            ExprNode::Difference(a, b) => self.member(*a, tuple)? && !self.member(*b, tuple)?,
            ExprNode::Product(a, b) => {
                let (left, right) = tuple.split_at(ast.arity(*a));
                self.member(*a, left)? && self.member(*b, right)?
            }
            ExprNode::Transpose(a) => self.member(*a, &[tuple[1], tuple[0]])?,
            ExprNode::ReflexiveClosure(_) if tuple[0] == tuple[1] && in_universe(self, tuple[0]) => true,
            ExprNode::Closure(r) | ExprNode::ReflexiveClosure(r) => {
                if tuple[0] == tuple[1] && ast.free_in_expr(*r).is_empty() {
                    return Ok(self.cyclic(*r)?.contains(&tuple[..1]));
                }
                let step = self.expr(*r)?;
                reach(&tuple[..1], &step).contains(&tuple[1..])
            }
            ExprNode::DomainRestriction(set, a) => {
                self.member(*set, &tuple[..1])? && self.member(*a, tuple)?
            }
            ExprNode::RangeRestriction(a, set) => {
                self.member(*set, &tuple[tuple.len() - 1..])? && self.member(*a, tuple)?
            }
            // An atom that reaches itself is found without following it.
            ExprNode::Join(a, b)
                if let (ExprNode::Var(_), ExprNode::Closure(r)) = (ast.expr(*a), ast.expr(*b))
                    && ast.free_in_expr(*r).is_empty()
                    && self.expr(*a)?.set.flat() == tuple =>
            {
                self.cyclic(*r)?.contains(tuple)
            }
            _ => self.expr(expr)?.contains(tuple),
        })
    }

    /// The same as [`Self::member`], but for an atom in a path from a set it goes the path from the atom's side instead
    /// of building all that the path leads to.
    pub(super) fn leads_into(&mut self, expr: Expr, tuple: &[Atom]) -> Result<bool, EvalError> {
        let ast = self.ast;
        let ExprNode::Join(a, b) = *ast.expr(expr) else { return self.member(expr, tuple) };
        let closed = |e: Expr| ast.arity(e) == 2 && ast.free_in_expr(e).is_empty();
        let (relation, set, forwards) = match (ast.arity(a), ast.arity(b)) {
            (_, 1) if closed(a) => (a, b, true),
            (1, _) if closed(b) => (b, a, false),
            _ => return self.member(expr, tuple),
        };
        if matches!(ast.expr(relation), ExprNode::Closure(_) | ExprNode::ReflexiveClosure(_) | ExprNode::Iden)
        {
            return self.member(expr, tuple);
        }
        let relation = self.expr(relation)?;
        let relation = if forwards { &relation } else { relation.turned() };
        for at in relation.row(tuple[0]) {
            if self.member(set, &relation.set.get(at)[1..])? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
