//! Replacing a variable by an expression: what `let`, and the call of a predicate, come down to.

use super::{Ast, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Var};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Things that have variables to replace.
pub trait Substitute: Copy {
    #[doc(hidden)]
    fn replace(self, substitution: &mut Substitution<'_>) -> Self;
}

#[doc(hidden)]
pub struct Substitution<'a> {
    ast: &'a mut Ast,
    var: Var,
    with: Expr,
    exprs: FxHashMap<Expr, Expr>,
    formulas: FxHashMap<Formula, Formula>,
    ints: FxHashMap<IntExpr, IntExpr>,
}

impl Ast {
    /// The node with an expression in the place of each free occurrence of a variable. Binders that would catch
    /// a variable of the expression get a new variable.
    pub fn substitute<T: Substitute>(&mut self, node: T, var: Var, with: Expr) -> T {
        assert_eq!(self.var_arity(var), self.arity(with), "a variable is replaced by its arity");
        let mut substitution = Substitution {
            ast: self,
            var,
            with,
            exprs: FxHashMap::default(),
            formulas: FxHashMap::default(),
            ints: FxHashMap::default(),
        };
        node.replace(&mut substitution)
    }
}

impl Substitution<'_> {
    fn all<T: Substitute>(&mut self, parts: &[T]) -> Vec<T> {
        parts.iter().map(|part| part.replace(self)).collect()
    }

    /// Goes through the declarations and then into the body. Once the variable is bound anew it is left alone.
    fn under<T: Substitute>(&mut self, decls: &[Decl], mut body: T) -> (Arc<[Decl]>, T) {
        let mut decls = decls.to_vec();
        for i in 0..decls.len() {
            decls[i].domain = decls[i].domain.replace(self);
            let bound = decls[i].var;
            if bound == self.var {
                return (decls.into(), body);
            }
            if self.ast.free_in_expr(self.with).contains(&bound) {
                let name = self.ast.var_name(bound).to_owned();
                let fresh = self.ast.var(name, self.ast.var_arity(bound));
                let fresh_expr = self.ast.var_expr(fresh);
                decls[i].var = fresh;
                for decl in &mut decls[i + 1..] {
                    decl.domain = self.ast.substitute(decl.domain, bound, fresh_expr);
                }
                body = self.ast.substitute(body, bound, fresh_expr);
            }
        }
        (decls.into(), body.replace(self))
    }
}

impl Substitute for Expr {
    fn replace(self, s: &mut Substitution<'_>) -> Self {
        if s.ast.free_in_expr(self).binary_search(&s.var).is_err() {
            return self;
        }
        if let Some(&done) = s.exprs.get(&self) {
            return done;
        }
        let done = match s.ast.expr(self).clone() {
            ExprNode::Relation(_)
            | ExprNode::Univ
            | ExprNode::Ints
            | ExprNode::Iden
            | ExprNode::Constant(_) => self,
            ExprNode::Var(_) => s.with,
            ExprNode::Union(parts) => {
                let parts = s.all(&parts);
                s.ast.union(&parts)
            }
            ExprNode::Intersection(parts) => {
                let parts = s.all(&parts);
                s.ast.intersection(&parts)
            }
            ExprNode::Difference(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.difference(a, b)
            }
            ExprNode::Join(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.join(a, b)
            }
            ExprNode::Product(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.product(a, b)
            }
            ExprNode::Override(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.override_with(a, b)
            }
            ExprNode::DomainRestriction(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.domain_restriction(a, b)
            }
            ExprNode::RangeRestriction(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.range_restriction(a, b)
            }
            ExprNode::Transpose(a) => {
                let a = a.replace(s);
                s.ast.transpose(a)
            }
            ExprNode::Closure(a) => {
                let a = a.replace(s);
                s.ast.closure(a)
            }
            ExprNode::ReflexiveClosure(a) => {
                let a = a.replace(s);
                s.ast.reflexive_closure(a)
            }
            ExprNode::Comprehension(decls, body) => {
                let (decls, body) = s.under(&decls, body);
                s.ast.comprehension(&decls, body)
            }
            ExprNode::If(condition, a, b) => {
                let condition = condition.replace(s);
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.if_expr(condition, a, b)
            }
            ExprNode::FromInt(int) => {
                let int = int.replace(s);
                s.ast.int_atom(int)
            }
        };
        s.exprs.insert(self, done);
        done
    }
}

impl Substitute for Formula {
    fn replace(self, s: &mut Substitution<'_>) -> Self {
        if s.ast.free_in_formula(self).binary_search(&s.var).is_err() {
            return self;
        }
        if let Some(&done) = s.formulas.get(&self) {
            return done;
        }
        let done = match s.ast.formula(self).clone() {
            FormulaNode::Const(_) => self,
            FormulaNode::In(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.subset(a, b)
            }
            FormulaNode::Equal(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.equal(a, b)
            }
            FormulaNode::Mult(mult, a) => {
                let a = a.replace(s);
                s.ast.mult(mult, a)
            }
            FormulaNode::And(parts) => {
                let parts = s.all(&parts);
                s.ast.and(&parts)
            }
            FormulaNode::Or(parts) => {
                let parts = s.all(&parts);
                s.ast.or(&parts)
            }
            FormulaNode::Not(a) => {
                let a = a.replace(s);
                s.ast.not(a)
            }
            FormulaNode::Iff(a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.iff(a, b)
            }
            FormulaNode::Quantified(quantifier, decls, body) => {
                let (decls, body) = s.under(&decls, body);
                s.ast.quantified(quantifier, &decls, body)
            }
            FormulaNode::Compare(compare, a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.compare(compare, a, b)
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                let (elements, first, next) = (elements.replace(s), first.replace(s), next.replace(s));
                s.ast.total_order(elements, first, next)
            }
            FormulaNode::Tagged(tag, a) => {
                let a = a.replace(s);
                s.ast.tagged(tag, a)
            }
        };
        s.formulas.insert(self, done);
        done
    }
}

impl Substitute for IntExpr {
    fn replace(self, s: &mut Substitution<'_>) -> Self {
        if s.ast.free_in_int(self).binary_search(&s.var).is_err() {
            return self;
        }
        if let Some(&done) = s.ints.get(&self) {
            return done;
        }
        let done = match s.ast.int(self).clone() {
            IntNode::Const(_) => self,
            IntNode::Count(e) => {
                let e = e.replace(s);
                s.ast.count(e)
            }
            IntNode::Sum(e) => {
                let e = e.replace(s);
                s.ast.sum(e)
            }
            IntNode::SumOver(decls, body) => {
                let (decls, body) = s.under(&decls, body);
                s.ast.sum_over(&decls, body)
            }
            IntNode::Binary(op, a, b) => {
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.int_op(op, a, b)
            }
            IntNode::If(condition, a, b) => {
                let condition = condition.replace(s);
                let (a, b) = (a.replace(s), b.replace(s));
                s.ast.if_int(condition, a, b)
            }
        };
        s.ints.insert(self, done);
        done
    }
}
