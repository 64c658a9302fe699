//! The ways to make nodes.
//!
//! Building simplifies only what is free and always right: constants in conjunctions and disjunctions, double
//! negation, nested unions flattened into one. A tagged formula is never simplified away.
//!
//! Arities must fit. That is the caller's to check (a language front end has a better message than we could give), so
//! these methods panic when they do not.

use super::{
    Ast, Compare, Constant, Decl, Expr, ExprNode, Facts, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult,
    Quantifier, Range, Relation, Symbol, Tag, Var,
};
use crate::tuples::TupleSet;
use std::sync::Arc;

/// Collects the facts of a node from those of its parts.
#[derive(Default)]
struct Parts {
    free: Vec<Var>,
    depth: u32,
    casts: bool,
}

impl Parts {
    fn take(&mut self, facts: &Facts) {
        self.depth = self.depth.max(facts.depth);
        self.casts |= facts.casts;
        self.free.extend_from_slice(&facts.free);
    }

    fn facts(mut self) -> Facts {
        self.free.sort_unstable();
        self.free.dedup();
        Facts { free: self.free.into(), depth: self.depth + 1, casts: self.casts }
    }
}

/// Symbols and leaves.
impl Ast {
    /// Declares a relation. Two relations may share a name.
    pub fn relation(&mut self, name: impl Into<String>, arity: usize) -> Relation {
        assert!(arity > 0, "a relation has at least one column");
        self.relations.push(Symbol { name: name.into(), arity });
        Relation::from_index(self.relations.len() - 1)
    }

    /// Makes a new variable for tuples of an arity (1 for atoms).
    pub fn var(&mut self, name: impl Into<String>, arity: usize) -> Var {
        assert!(arity > 0, "a variable has at least one column");
        self.vars.push(Symbol { name: name.into(), arity });
        Var(u32::try_from(self.vars.len() - 1).expect("fewer than 2^32 variables"))
    }

    /// The value of a relation.
    pub fn rel(&mut self, relation: Relation) -> Expr {
        self.add_expr(ExprNode::Relation(relation))
    }

    /// The value of a variable.
    pub fn var_expr(&mut self, var: Var) -> Expr {
        self.add_expr(ExprNode::Var(var))
    }

    /// Every atom.
    pub fn univ(&mut self) -> Expr {
        self.add_expr(ExprNode::Univ)
    }

    /// Every integer atom.
    pub fn ints(&mut self) -> Expr {
        self.add_expr(ExprNode::Ints)
    }

    /// Every atom paired with itself.
    pub fn iden(&mut self) -> Expr {
        self.add_expr(ExprNode::Iden)
    }

    /// The empty set of an arity.
    pub fn none(&mut self, arity: usize) -> Expr {
        self.constant_expr(TupleSet::empty(arity))
    }

    /// A fixed set of tuples.
    pub fn constant_expr(&mut self, tuples: TupleSet) -> Expr {
        let id = if let Some(&id) = self.constant_ids.get(&tuples) {
            id
        } else {
            let id = u32::try_from(self.constants.len()).expect("fewer than 2^32 constants");
            self.constant_ids.insert(tuples.clone(), id);
            self.constants.push(tuples);
            id
        };
        self.add_expr(ExprNode::Constant(Constant(id)))
    }
}

/// Expressions.
impl Ast {
    /// Tuples in any of these (at least one).
    pub fn union(&mut self, exprs: &[Expr]) -> Expr {
        let flat = self.flatten(exprs, |node| match node {
            ExprNode::Union(parts) => Some(parts),
            _ => None,
        });
        if flat.len() == 1 { flat[0] } else { self.add_expr(ExprNode::Union(flat.into())) }
    }

    /// Tuples in all of these (at least one).
    pub fn intersection(&mut self, exprs: &[Expr]) -> Expr {
        let flat = self.flatten(exprs, |node| match node {
            ExprNode::Intersection(parts) => Some(parts),
            _ => None,
        });
        if flat.len() == 1 { flat[0] } else { self.add_expr(ExprNode::Intersection(flat.into())) }
    }

    fn flatten(&self, exprs: &[Expr], inner: fn(&ExprNode) -> Option<&Arc<[Expr]>>) -> Vec<Expr> {
        assert!(!exprs.is_empty(), "an operation on at least one expression");
        let arity = self.arity(exprs[0]);
        let mut flat = Vec::with_capacity(exprs.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &expr in exprs {
            assert_eq!(self.arity(expr), arity, "expressions of one arity");
            let single = [expr];
            let parts = inner(self.expr(expr)).map_or(&single[..], |parts| parts);
            flat.extend(parts.iter().filter(|&&part| seen.insert(part)));
        }
        flat
    }

    /// Tuples in the first only.
    pub fn difference(&mut self, left: Expr, right: Expr) -> Expr {
        self.same_arity(left, right);
        self.add_expr(ExprNode::Difference(left, right))
    }

    /// Relational join.
    pub fn join(&mut self, left: Expr, right: Expr) -> Expr {
        assert!(self.arity(left) + self.arity(right) > 2, "a join of two sets has no column left");
        self.add_expr(ExprNode::Join(left, right))
    }

    /// Cartesian product.
    pub fn product(&mut self, left: Expr, right: Expr) -> Expr {
        self.add_expr(ExprNode::Product(left, right))
    }

    /// A binary relation, turned around.
    pub fn transpose(&mut self, expr: Expr) -> Expr {
        self.is_binary(expr);
        match *self.expr(expr) {
            ExprNode::Transpose(inner) => inner,
            ExprNode::Iden => expr,
            _ => self.add_expr(ExprNode::Transpose(expr)),
        }
    }

    /// `^expr`.
    pub fn closure(&mut self, expr: Expr) -> Expr {
        self.is_binary(expr);
        match self.expr(expr) {
            ExprNode::Closure(_) | ExprNode::ReflexiveClosure(_) | ExprNode::Iden => expr,
            _ => self.add_expr(ExprNode::Closure(expr)),
        }
    }

    /// `*expr`.
    pub fn reflexive_closure(&mut self, expr: Expr) -> Expr {
        self.is_binary(expr);
        match *self.expr(expr) {
            ExprNode::Closure(inner) => self.add_expr(ExprNode::ReflexiveClosure(inner)),
            ExprNode::ReflexiveClosure(_) | ExprNode::Iden => expr,
            _ => self.add_expr(ExprNode::ReflexiveClosure(expr)),
        }
    }

    /// `left ++ right`.
    pub fn override_with(&mut self, left: Expr, right: Expr) -> Expr {
        self.same_arity(left, right);
        self.add_expr(ExprNode::Override(left, right))
    }

    /// `set <: relation`.
    pub fn domain_restriction(&mut self, set: Expr, relation: Expr) -> Expr {
        assert_eq!(self.arity(set), 1, "a restriction is by a set");
        self.add_expr(ExprNode::DomainRestriction(set, relation))
    }

    /// `relation :> set`.
    pub fn range_restriction(&mut self, relation: Expr, set: Expr) -> Expr {
        assert_eq!(self.arity(set), 1, "a restriction is by a set");
        self.add_expr(ExprNode::RangeRestriction(relation, set))
    }

    /// `{decls | formula}`; every declaration is [`Range::One`].
    pub fn comprehension(&mut self, decls: &[Decl], formula: Formula) -> Expr {
        self.check_decls(decls);
        assert!(!decls.is_empty(), "a comprehension declares a variable");
        assert!(decls.iter().all(|d| d.range == Range::One), "a comprehension is first-order");
        self.add_expr(ExprNode::Comprehension(decls.into(), formula))
    }

    /// One expression or the other.
    pub fn if_expr(&mut self, condition: Formula, then: Expr, other: Expr) -> Expr {
        self.same_arity(then, other);
        match *self.formula(condition) {
            FormulaNode::Const(true) => then,
            FormulaNode::Const(false) => other,
            _ if then == other => then,
            _ => self.add_expr(ExprNode::If(condition, then, other)),
        }
    }

    /// The atom of an integer.
    pub fn int_atom(&mut self, int: IntExpr) -> Expr {
        self.add_expr(ExprNode::FromInt(int))
    }

    fn same_arity(&self, left: Expr, right: Expr) {
        assert_eq!(self.arity(left), self.arity(right), "expressions of one arity");
    }

    fn is_binary(&self, expr: Expr) {
        assert_eq!(self.arity(expr), 2, "a binary relation");
    }

    fn check_decls(&self, decls: &[Decl]) {
        for decl in decls {
            assert_eq!(
                self.var_arity(decl.var),
                self.arity(decl.domain),
                "a variable has its domain's arity"
            );
        }
    }

    fn arity_of(&self, node: &ExprNode) -> usize {
        match node {
            ExprNode::Relation(relation) => self.relation_arity(*relation),
            ExprNode::Var(var) => self.var_arity(*var),
            ExprNode::Univ | ExprNode::Ints | ExprNode::FromInt(_) => 1,
            ExprNode::Iden
            | ExprNode::Transpose(_)
            | ExprNode::Closure(_)
            | ExprNode::ReflexiveClosure(_) => 2,
            ExprNode::Constant(constant) => self.constant(*constant).arity(),
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => self.arity(parts[0]),
            ExprNode::Difference(a, _)
            | ExprNode::Override(a, _)
            | ExprNode::RangeRestriction(a, _)
            | ExprNode::DomainRestriction(_, a)
            | ExprNode::If(_, a, _) => self.arity(*a),
            ExprNode::Join(a, b) => self.arity(*a) + self.arity(*b) - 2,
            ExprNode::Product(a, b) => self.arity(*a) + self.arity(*b),
            ExprNode::Comprehension(decls, _) => decls.iter().map(|d| self.var_arity(d.var)).sum(),
        }
    }

    pub(super) fn add_expr(&mut self, node: ExprNode) -> Expr {
        if let Some(id) = self.exprs.find(&node) {
            return Expr(id);
        }
        let mut parts = Parts::default();
        match &node {
            ExprNode::Relation(_)
            | ExprNode::Univ
            | ExprNode::Ints
            | ExprNode::Iden
            | ExprNode::Constant(_) => {}
            ExprNode::Var(var) => parts.free.push(*var),
            ExprNode::Union(list) | ExprNode::Intersection(list) => {
                list.iter().for_each(|e| parts.take(&self.exprs.facts[e.index()]));
            }
            ExprNode::Difference(a, b)
            | ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => {
                parts.take(&self.exprs.facts[a.index()]);
                parts.take(&self.exprs.facts[b.index()]);
            }
            ExprNode::Transpose(a) | ExprNode::Closure(a) | ExprNode::ReflexiveClosure(a) => {
                parts.take(&self.exprs.facts[a.index()]);
            }
            ExprNode::Comprehension(decls, body) => {
                parts.take(&self.formulas.facts[body.index()]);
                self.bind(&mut parts, decls);
            }
            ExprNode::If(condition, a, b) => {
                parts.take(&self.formulas.facts[condition.index()]);
                parts.take(&self.exprs.facts[a.index()]);
                parts.take(&self.exprs.facts[b.index()]);
            }
            ExprNode::FromInt(int) => {
                parts.take(&self.ints.facts[int.index()]);
                parts.casts = true;
            }
        }
        let arity = self.arity_of(&node);
        self.arities.push(arity as u32);
        Expr(self.exprs.add(node, parts.facts()))
    }

    /// Takes variables out of the free ones, from the innermost declaration outwards.
    fn bind(&self, parts: &mut Parts, decls: &[Decl]) {
        for decl in decls.iter().rev() {
            parts.free.retain(|&v| v != decl.var);
            parts.take(&self.exprs.facts[decl.domain.index()]);
        }
    }
}

/// Formulas.
impl Ast {
    /// Always true.
    pub fn truth(&mut self) -> Formula {
        self.add_formula(FormulaNode::Const(true))
    }

    /// Always false.
    pub fn falsity(&mut self) -> Formula {
        self.add_formula(FormulaNode::Const(false))
    }

    /// `left in right`.
    pub fn subset(&mut self, left: Expr, right: Expr) -> Formula {
        self.same_arity(left, right);
        self.add_formula(FormulaNode::In(left, right))
    }

    /// `left = right`.
    pub fn equal(&mut self, left: Expr, right: Expr) -> Formula {
        self.same_arity(left, right);
        self.add_formula(FormulaNode::Equal(left, right))
    }

    /// `some`, `no`, `one` or `lone` of an expression.
    pub fn mult(&mut self, mult: Mult, expr: Expr) -> Formula {
        self.add_formula(FormulaNode::Mult(mult, expr))
    }

    /// `some expr`.
    pub fn some(&mut self, expr: Expr) -> Formula {
        self.mult(Mult::Some, expr)
    }

    /// `no expr`.
    pub fn no(&mut self, expr: Expr) -> Formula {
        self.mult(Mult::No, expr)
    }

    /// `one expr`.
    pub fn one(&mut self, expr: Expr) -> Formula {
        self.mult(Mult::One, expr)
    }

    /// `lone expr`.
    pub fn lone(&mut self, expr: Expr) -> Formula {
        self.mult(Mult::Lone, expr)
    }

    /// All of these; true when there is none.
    pub fn and(&mut self, formulas: &[Formula]) -> Formula {
        self.combine(formulas, true)
    }

    /// At least one of these; false when there is none.
    pub fn or(&mut self, formulas: &[Formula]) -> Formula {
        self.combine(formulas, false)
    }

    fn combine(&mut self, formulas: &[Formula], and: bool) -> Formula {
        let mut flat = Vec::with_capacity(formulas.len());
        let mut seen = rustc_hash::FxHashSet::default();
        for &formula in formulas {
            let single = [formula];
            let parts = match self.formula(formula) {
                FormulaNode::Const(value) if *value == and => continue,
                FormulaNode::Const(_) => return formula,
                FormulaNode::And(parts) if and => &parts[..],
                FormulaNode::Or(parts) if !and => &parts[..],
                _ => &single,
            };
            flat.extend(parts.iter().filter(|&&part| seen.insert(part)));
        }
        match flat.len() {
            0 => self.add_formula(FormulaNode::Const(and)),
            1 => flat[0],
            _ if and => self.add_formula(FormulaNode::And(flat.into())),
            _ => self.add_formula(FormulaNode::Or(flat.into())),
        }
    }

    /// The negation.
    pub fn not(&mut self, formula: Formula) -> Formula {
        match *self.formula(formula) {
            FormulaNode::Const(value) => self.add_formula(FormulaNode::Const(!value)),
            FormulaNode::Not(inner) => inner,
            _ => self.add_formula(FormulaNode::Not(formula)),
        }
    }

    /// `left implies right`.
    pub fn implies(&mut self, left: Formula, right: Formula) -> Formula {
        let not_left = self.not(left);
        self.or(&[not_left, right])
    }

    /// `left iff right`.
    pub fn iff(&mut self, left: Formula, right: Formula) -> Formula {
        self.add_formula(FormulaNode::Iff(left, right))
    }

    /// `all decls | body`.
    pub fn all(&mut self, decls: &[Decl], body: Formula) -> Formula {
        self.quantified(Quantifier::All, decls, body)
    }

    /// `some decls | body`.
    pub fn exists(&mut self, decls: &[Decl], body: Formula) -> Formula {
        self.quantified(Quantifier::Some, decls, body)
    }

    /// `no decls | body`.
    pub fn none_of(&mut self, decls: &[Decl], body: Formula) -> Formula {
        let some = self.exists(decls, body);
        self.not(some)
    }

    /// `one decls | body`: exactly one binding. Every declaration is [`Range::One`].
    pub fn exactly_one(&mut self, decls: &[Decl], body: Formula) -> Formula {
        let bindings = self.comprehension(decls, body);
        self.one(bindings)
    }

    /// `lone decls | body`: at most one binding. Every declaration is [`Range::One`].
    pub fn at_most_one(&mut self, decls: &[Decl], body: Formula) -> Formula {
        let bindings = self.comprehension(decls, body);
        self.lone(bindings)
    }

    /// A quantified formula; without declarations it is the body.
    pub fn quantified(&mut self, quantifier: Quantifier, decls: &[Decl], body: Formula) -> Formula {
        self.check_decls(decls);
        if decls.is_empty() {
            return body;
        }
        self.add_formula(FormulaNode::Quantified(quantifier, decls.into(), body))
    }

    /// A comparison of integers.
    pub fn compare(&mut self, compare: Compare, left: IntExpr, right: IntExpr) -> Formula {
        self.add_formula(FormulaNode::Compare(compare, left, right))
    }

    /// `next` orders `elements` from `first` on; see [`FormulaNode::TotalOrder`].
    pub fn total_order(&mut self, elements: Expr, first: Expr, next: Expr) -> Formula {
        assert!(self.arity(elements) == 1 && self.arity(first) == 1, "two sets");
        self.is_binary(next);
        self.add_formula(FormulaNode::TotalOrder { elements, first, next })
    }

    /// The same formula, marked.
    pub fn tagged(&mut self, tag: Tag, formula: Formula) -> Formula {
        self.add_formula(FormulaNode::Tagged(tag, formula))
    }

    pub(super) fn add_formula(&mut self, node: FormulaNode) -> Formula {
        if let Some(id) = self.formulas.find(&node) {
            return Formula(id);
        }
        let mut parts = Parts::default();
        match &node {
            FormulaNode::Const(_) => {}
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
                parts.take(&self.exprs.facts[a.index()]);
                parts.take(&self.exprs.facts[b.index()]);
            }
            FormulaNode::Mult(_, a) => parts.take(&self.exprs.facts[a.index()]),
            FormulaNode::And(list) | FormulaNode::Or(list) => {
                list.iter().for_each(|f| parts.take(&self.formulas.facts[f.index()]));
            }
            FormulaNode::Not(a) | FormulaNode::Tagged(_, a) => parts.take(&self.formulas.facts[a.index()]),
            FormulaNode::Iff(a, b) => {
                parts.take(&self.formulas.facts[a.index()]);
                parts.take(&self.formulas.facts[b.index()]);
            }
            FormulaNode::Quantified(_, decls, body) => {
                parts.take(&self.formulas.facts[body.index()]);
                self.bind(&mut parts, decls);
            }
            FormulaNode::Compare(_, a, b) => {
                parts.take(&self.ints.facts[a.index()]);
                parts.take(&self.ints.facts[b.index()]);
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                for e in [elements, first, next] {
                    parts.take(&self.exprs.facts[e.index()]);
                }
            }
        }
        Formula(self.formulas.add(node, parts.facts()))
    }
}

/// Integer expressions.
impl Ast {
    /// A number.
    pub fn int_const(&mut self, value: i64) -> IntExpr {
        self.add_int(IntNode::Const(value))
    }

    /// `#expr`.
    pub fn count(&mut self, expr: Expr) -> IntExpr {
        self.add_int(IntNode::Count(expr))
    }

    /// The sum of the integers in a set.
    pub fn sum(&mut self, set: Expr) -> IntExpr {
        assert_eq!(self.arity(set), 1, "the sum of a set");
        if let ExprNode::FromInt(int) = *self.expr(set) {
            return int;
        }
        self.add_int(IntNode::Sum(set))
    }

    /// `sum decls | body`; every declaration is [`Range::One`].
    pub fn sum_over(&mut self, decls: &[Decl], body: IntExpr) -> IntExpr {
        self.check_decls(decls);
        assert!(decls.iter().all(|d| d.range == Range::One), "a sum is first-order");
        if decls.is_empty() {
            return body;
        }
        self.add_int(IntNode::SumOver(decls.into(), body))
    }

    /// Two integers combined.
    pub fn int_op(&mut self, op: IntOp, left: IntExpr, right: IntExpr) -> IntExpr {
        self.add_int(IntNode::Binary(op, left, right))
    }

    /// One integer or the other.
    pub fn if_int(&mut self, condition: Formula, then: IntExpr, other: IntExpr) -> IntExpr {
        if then == other {
            return then;
        }
        self.add_int(IntNode::If(condition, then, other))
    }

    pub(super) fn add_int(&mut self, node: IntNode) -> IntExpr {
        if let Some(id) = self.ints.find(&node) {
            return IntExpr(id);
        }
        let mut parts = Parts::default();
        match &node {
            IntNode::Const(_) => {}
            IntNode::Count(e) | IntNode::Sum(e) => parts.take(&self.exprs.facts[e.index()]),
            IntNode::SumOver(decls, body) => {
                parts.take(&self.ints.facts[body.index()]);
                self.bind(&mut parts, decls);
            }
            IntNode::Binary(_, a, b) => {
                parts.take(&self.ints.facts[a.index()]);
                parts.take(&self.ints.facts[b.index()]);
            }
            IntNode::If(condition, a, b) => {
                parts.take(&self.formulas.facts[condition.index()]);
                parts.take(&self.ints.facts[a.index()]);
                parts.take(&self.ints.facts[b.index()]);
            }
        }
        IntExpr(self.ints.add(node, parts.facts()))
    }
}

impl Decl {
    /// A variable that ranges over the tuples of a domain.
    pub fn one(var: Var, domain: Expr) -> Self {
        Self { var, range: Range::One, domain }
    }

    /// A variable that ranges over all subsets of a domain.
    pub fn set(var: Var, domain: Expr) -> Self {
        Self { var, range: Range::Set, domain }
    }
}
