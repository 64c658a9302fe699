//! Formulas that are true only if others are true whatever comes and goes.
//!
//! A formula is made stronger so that it can be evaluated on all there is at some time at once. A relation stands for
//! all its tuples where more of them make it harder to be true; elsewhere it stands for those that are surely in it:
//! `r_C` has the tuples that are there in every configuration that has their atoms in the columns `C`. The values of
//! variables are there, since a formula says nothing about others; and so is what is reached from them by `r_C`.
//!
//! A formula that cannot be made stronger so becomes false, and [`super::cases`] settles it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::order::Order;
use crate::ast::{
    Ast, Compare, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult, Quantifier,
    Range, Relation,
};
use crate::bounds::Instance;
use crate::known::Known;
use crate::tuples::TupleSet;

/// Columns of a tuple, a bit for each.
type Columns = u8;

fn all(arity: usize) -> Columns {
    ((1u32 << arity) - 1) as Columns
}

/// So many bounds of one integer are looked at.
const MOST_BOUNDS: usize = 6;
/// The widest tuples whose columns are told apart.
const MAX_ARITY: usize = 8;

/// The transformation, with what it has done so far.
pub(super) struct Sure<'a> {
    pub(super) ast: &'a mut Ast,
    is_open: &'a dyn Fn(Relation) -> bool,
    /// The relations `r_C` that were made.
    pub(super) parts: BTreeMap<(Relation, Columns), Relation>,
    steady: FxHashMap<Expr, bool>,
    may: FxHashMap<Expr, Option<Expr>>,
    must: FxHashMap<(Expr, Columns), Option<Expr>>,
    formulas: FxHashMap<(Formula, bool), Formula>,
}

impl<'a> Sure<'a> {
    pub(super) fn new(ast: &'a mut Ast, is_open: &'a dyn Fn(Relation) -> bool) -> Self {
        Self {
            ast,
            is_open,
            parts: BTreeMap::new(),
            steady: FxHashMap::default(),
            may: FxHashMap::default(),
            must: FxHashMap::default(),
            formulas: FxHashMap::default(),
        }
    }

    /// A formula that is true only if this one, or its negation, is true in every configuration that has the values of
    /// its free variables.
    pub(super) fn formula(&mut self, formula: Formula, negative: bool) -> Formula {
        if let Some(&known) = self.formulas.get(&(formula, negative)) {
            return known;
        }
        let found = if Known::new(self.ast, &|relation| !(self.is_open)(relation)).formula(formula) {
            if negative { self.ast.not(formula) } else { formula }
        } else {
            self.compute(formula, negative).unwrap_or_else(|| self.ast.falsity())
        };
        self.formulas.insert((formula, negative), found);
        found
    }

    fn compute(&mut self, formula: Formula, negative: bool) -> Option<Formula> {
        Some(match self.ast.formula(formula).clone() {
            FormulaNode::Const(_) | FormulaNode::TotalOrder { .. } => return None,
            FormulaNode::Tagged(_, inner) => self.formula(inner, negative),
            FormulaNode::Not(inner) => self.formula(inner, !negative),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                let is_and = matches!(self.ast.formula(formula), FormulaNode::And(_));
                let parts: Vec<Formula> = parts.iter().map(|&part| self.formula(part, negative)).collect();
                if is_and == negative { self.ast.or(&parts) } else { self.ast.and(&parts) }
            }
            FormulaNode::In(a, b) if negative => self.some_outside(a, b)?,
            FormulaNode::In(a, b) => self.is_within(a, b)?,
            FormulaNode::Equal(a, b) if negative => {
                let parts = [self.some_outside(a, b), self.some_outside(b, a)];
                let parts: Vec<Formula> = parts.into_iter().flatten().collect();
                self.ast.or(&parts)
            }
            FormulaNode::Equal(a, b) => {
                let parts = [self.is_within(a, b)?, self.is_within(b, a)?];
                self.ast.and(&parts)
            }
            FormulaNode::Mult(mult, e) => self.mult(mult, e, negative)?,
            FormulaNode::Iff(a, b) => {
                let both = |this: &mut Self, first: bool, second: bool| {
                    let parts = [this.formula(a, first), this.formula(b, second)];
                    this.ast.and(&parts)
                };
                let parts = [both(self, false, negative), both(self, true, !negative)];
                self.ast.or(&parts)
            }
            FormulaNode::Quantified(quantifier, decls, body) => {
                let is_all = (quantifier == Quantifier::All) != negative;
                let decls = self.decls(&decls, is_all)?;
                let body = self.formula(body, negative);
                let quantifier = if is_all { Quantifier::All } else { Quantifier::Some };
                self.ast.quantified(quantifier, &decls, body)
            }
            FormulaNode::Compare(compare, a, b) => match (compare, negative) {
                (Compare::Eq, true) => self.differ(a, b)?,
                (Compare::Eq, false) => self.compare(Compare::Eq, a, b)?,
                // Not less is at least.
                (Compare::Lt, true) => self.compare(Compare::Le, b, a)?,
                (Compare::Le, true) => self.compare(Compare::Lt, b, a)?,
                (_, false) => self.compare(compare, a, b)?,
            },
        })
    }

    /// The same declarations, of all that may be in the domains, or of what surely is.
    fn decls(&mut self, decls: &[Decl], may: bool) -> Option<Vec<Decl>> {
        let mut found = Vec::with_capacity(decls.len());
        for decl in decls {
            if decl.range != Range::One {
                return None;
            }
            let domain = if may { self.may(decl.domain)? } else { self.must(decl.domain, 0)? };
            found.push(Decl { domain, ..*decl });
        }
        Some(found)
    }

    /// That every tuple of one set is in another, where it is there at all.
    fn is_within(&mut self, a: Expr, b: Expr) -> Option<Formula> {
        if a == b {
            return Some(self.ast.truth());
        }
        let (a, b) = (self.may(a)?, self.must(b, all(self.ast.arity(b)))?);
        Some(self.ast.subset(a, b))
    }

    /// That some tuple is surely in one set and surely not in another.
    fn some_outside(&mut self, a: Expr, b: Expr) -> Option<Formula> {
        let (a, b) = (self.must(a, 0)?, self.may(b)?);
        let outside = self.ast.difference(a, b);
        Some(self.ast.some(outside))
    }

    fn mult(&mut self, mult: Mult, e: Expr, negative: bool) -> Option<Formula> {
        Some(match (mult, negative) {
            (Mult::Some, false) | (Mult::No, true) => {
                let must = self.must(e, 0)?;
                self.ast.some(must)
            }
            (Mult::No, false) | (Mult::Some, true) => {
                let may = self.may(e)?;
                self.ast.no(may)
            }
            (Mult::Lone, false) => {
                let may = self.may(e)?;
                self.ast.lone(may)
            }
            (Mult::Lone, true) => {
                let must = self.must(e, 0)?;
                let lone = self.ast.lone(must);
                self.ast.not(lone)
            }
            (Mult::One, negative) => {
                let (some, lone) = (self.mult(Mult::Some, e, negative)?, self.mult(Mult::Lone, e, negative)?);
                if negative { self.ast.or(&[some, lone]) } else { self.ast.and(&[some, lone]) }
            }
        })
    }

    /// That two integers compare so: as far as they are surely known, or bounds of them are.
    fn compare(&mut self, compare: Compare, a: IntExpr, b: IntExpr) -> Option<Formula> {
        if compare == Compare::Eq {
            let (known, a, b) = self.both_exact(a, b)?;
            let equal = self.ast.compare(compare, a, b);
            return Some(self.ast.and(&[known, equal]));
        }
        let (most, least) = (self.bounds(a, true), self.bounds(b, false));
        let mut ways = Vec::new();
        for &(known_a, a) in &most {
            for &(known_b, b) in &least {
                let holds = self.ast.compare(compare, a, b);
                ways.push(self.ast.and(&[known_a, known_b, holds]));
            }
        }
        if ways.is_empty() { None } else { Some(self.ast.or(&ways)) }
    }

    fn differ(&mut self, a: IntExpr, b: IntExpr) -> Option<Formula> {
        let exact = self.both_exact(a, b).map(|(known, a, b)| {
            let equal = self.ast.compare(Compare::Eq, a, b);
            let differ = self.ast.not(equal);
            self.ast.and(&[known, differ])
        });
        let ways = [exact, self.compare(Compare::Lt, a, b), self.compare(Compare::Lt, b, a)];
        let ways: Vec<Formula> = ways.into_iter().flatten().collect();
        if ways.is_empty() { None } else { Some(self.ast.or(&ways)) }
    }

    /// When two integers are surely known, and the integers that they are then.
    fn both_exact(&mut self, a: IntExpr, b: IntExpr) -> Option<(Formula, IntExpr, IntExpr)> {
        let ((known_a, a), (known_b, b)) = (self.exact(a)?, self.exact(b)?);
        Some((self.ast.and(&[known_a, known_b]), a, b))
    }

    /// When an integer is surely known, and the integer that it is then.
    fn exact(&mut self, int: IntExpr) -> Option<(Formula, IntExpr)> {
        Some(match self.ast.int(int).clone() {
            IntNode::Const(_) => (self.ast.truth(), int),
            IntNode::Count(e) | IntNode::Sum(e) => {
                let (may, must) = (self.may(e)?, self.must(e, 0)?);
                let is_count = matches!(self.ast.int(int), IntNode::Count(_));
                let known = if may == must { self.ast.truth() } else { self.ast.subset(may, must) };
                (known, if is_count { self.ast.count(may) } else { self.ast.sum(may) })
            }
            IntNode::SumOver(decls, body) => {
                let (may, must) = (self.decls(&decls, true)?, self.decls(&decls, false)?);
                let (known, body) = self.exact(body)?;
                let each = self.ast.all(&may, known);
                let mut parts = vec![each];
                for (may, must) in may.iter().zip(&must).filter(|(may, must)| may.domain != must.domain) {
                    // A domain that depends on another variable is not compared by itself.
                    if !self.ast.free_in_expr(may.domain).is_empty() {
                        return None;
                    }
                    parts.push(self.ast.subset(may.domain, must.domain));
                }
                (self.ast.and(&parts), self.ast.sum_over(&may, body))
            }
            IntNode::Binary(op, a, b) => {
                let (known, a, b) = self.both_exact(a, b)?;
                (known, self.ast.int_op(op, a, b))
            }
            IntNode::If(condition, a, b) => {
                let (yes, no) = (self.formula(condition, false), self.formula(condition, true));
                let (known, a, b) = self.both_exact(a, b)?;
                let settled = self.ast.or(&[yes, no]);
                (self.ast.and(&[settled, known]), self.ast.if_int(yes, a, b))
            }
        })
    }

    /// Bounds of an integer, from above or from below, each with when it is one.
    fn bounds(&mut self, int: IntExpr, most: bool) -> Vec<(Formula, IntExpr)> {
        let truth = self.ast.truth();
        let exact = self.exact(int);
        if let Some((known, exact)) = exact
            && known == truth
        {
            return vec![(known, exact)];
        }
        let mut found: Vec<(Formula, IntExpr)> = exact.into_iter().collect();
        match self.ast.int(int).clone() {
            IntNode::Binary(op @ (IntOp::Add | IntOp::Sub), a, b) => {
                let (of_a, of_b) = (self.bounds(a, most), self.bounds(b, most == (op == IntOp::Add)));
                for &(known_a, a) in &of_a {
                    for &(known_b, b) in &of_b {
                        found.push((self.ast.and(&[known_a, known_b]), self.ast.int_op(op, a, b)));
                    }
                }
            }
            IntNode::Count(e) => {
                let e = if most { self.may(e) } else { self.must(e, 0) };
                found.extend(e.map(|e| (truth, self.ast.count(e))));
            }
            IntNode::Sum(e) => {
                if let Some(may) = self.may(e) {
                    let each = self.ast.var("each", 1);
                    let value = self.ast.var_expr(each);
                    let value = self.ast.sum(value);
                    found.push((truth, self.extreme(&[Decl::one(each, may)], value, most)));
                }
            }
            IntNode::SumOver(decls, body) => {
                let body = self.bounds(body, most).into_iter().find(|(known, _)| *known == truth);
                if let (Some(decls), Some((_, body))) = (self.decls(&decls, true), body) {
                    found.push((truth, self.extreme(&decls, body, most)));
                }
            }
            IntNode::Const(_) | IntNode::Binary(..) | IntNode::If(..) => {}
        }
        found.truncate(MOST_BOUNDS);
        found
    }

    /// The sum of what adds to it, or of what takes from it.
    fn extreme(&mut self, decls: &[Decl], body: IntExpr, most: bool) -> IntExpr {
        let zero = self.ast.int_const(0);
        let (low, high) = if most { (zero, body) } else { (body, zero) };
        let counts = self.ast.compare(Compare::Le, low, high);
        let body = self.ast.if_int(counts, body, zero);
        self.ast.sum_over(decls, body)
    }

    fn is_steady(&mut self, e: Expr) -> bool {
        if let Some(&known) = self.steady.get(&e) {
            return known;
        }
        let some = self.ast.some(e);
        let steady = Known::new(self.ast, &|relation| !(self.is_open)(relation)).formula(some);
        self.steady.insert(e, steady);
        steady
    }

    /// All that may be in a set.
    fn may(&mut self, e: Expr) -> Option<Expr> {
        if self.is_steady(e) {
            return Some(e);
        }
        if let Some(&known) = self.may.get(&e) {
            return known;
        }
        let found = self.compute_may(e);
        self.may.insert(e, found);
        found
    }

    fn compute_may(&mut self, e: Expr) -> Option<Expr> {
        Some(match self.ast.expr(e).clone() {
            ExprNode::Relation(_)
            | ExprNode::Var(_)
            | ExprNode::Univ
            | ExprNode::Ints
            | ExprNode::Iden
            | ExprNode::Constant(_) => e,
            ExprNode::Union(parts) => {
                let parts = parts.iter().map(|&part| self.may(part)).collect::<Option<Vec<_>>>()?;
                self.ast.union(&parts)
            }
            ExprNode::Intersection(parts) => {
                let parts = parts.iter().map(|&part| self.may(part)).collect::<Option<Vec<_>>>()?;
                self.ast.intersection(&parts)
            }
            ExprNode::Difference(a, b) => {
                // What is surely in the other set, if it is there at all, is not left.
                let (a, b) = (self.may(a)?, self.must(b, all(self.ast.arity(b)))?);
                self.ast.difference(a, b)
            }
            ExprNode::Join(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                self.ast.join(a, b)
            }
            ExprNode::Product(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                self.ast.product(a, b)
            }
            ExprNode::Transpose(a) => {
                let a = self.may(a)?;
                self.ast.transpose(a)
            }
            ExprNode::Closure(a) => {
                let a = self.may(a)?;
                self.ast.closure(a)
            }
            ExprNode::ReflexiveClosure(a) => {
                let a = self.may(a)?;
                self.ast.reflexive_closure(a)
            }
            ExprNode::Override(a, b) => {
                let (a, b) = (self.may(a)?, self.may(b)?);
                self.ast.union(&[a, b])
            }
            ExprNode::DomainRestriction(set, a) => {
                let (set, a) = (self.may(set)?, self.may(a)?);
                self.ast.domain_restriction(set, a)
            }
            ExprNode::RangeRestriction(a, set) => {
                let (a, set) = (self.may(a)?, self.may(set)?);
                self.ast.range_restriction(a, set)
            }
            ExprNode::Comprehension(decls, body) => {
                let decls = self.decls(&decls, true)?;
                let never = self.formula(body, true);
                let body = self.ast.not(never);
                self.ast.comprehension(&decls, body)
            }
            ExprNode::If(condition, a, b) => {
                let (yes, no) = (self.formula(condition, false), self.formula(condition, true));
                let (a, b) = (self.may(a)?, self.may(b)?);
                let none = self.ast.none(self.ast.arity(e));
                let (a, b) = (self.ast.if_expr(no, none, a), self.ast.if_expr(yes, none, b));
                self.ast.union(&[a, b])
            }
            ExprNode::FromInt(_) => return None,
        })
    }

    /// All that is surely in a set in every configuration that has its own atoms in these columns.
    fn must(&mut self, e: Expr, given: Columns) -> Option<Expr> {
        if self.is_steady(e) {
            return Some(e);
        }
        if self.ast.arity(e) > MAX_ARITY {
            return None;
        }
        if let Some(&known) = self.must.get(&(e, given)) {
            return known;
        }
        let found = self.compute_must(e, given);
        self.must.insert((e, given), found);
        found
    }

    fn compute_must(&mut self, e: Expr, given: Columns) -> Option<Expr> {
        let arity = self.ast.arity(e);
        Some(match self.ast.expr(e).clone() {
            ExprNode::Relation(_) if given == all(arity) => e,
            ExprNode::Relation(relation) => {
                let name = format!("{} {given:b}", self.ast.relation_name(relation));
                let ast = &mut *self.ast;
                let part = *self.parts.entry((relation, given)).or_insert_with(|| ast.relation(name, arity));
                self.ast.rel(part)
            }
            ExprNode::Var(_) | ExprNode::Univ | ExprNode::Ints | ExprNode::Iden | ExprNode::Constant(_) => e,
            ExprNode::Union(parts) => {
                let parts: Vec<Expr> = parts.iter().filter_map(|&part| self.must(part, given)).collect();
                if parts.is_empty() {
                    return None;
                }
                self.ast.union(&parts)
            }
            ExprNode::Intersection(parts) => self.must_intersection(&parts, given)?,
            ExprNode::Difference(a, b) => {
                let (a, b) = (self.must(a, given)?, self.may(b)?);
                self.ast.difference(a, b)
            }
            ExprNode::Join(a, b) => self.must_join(a, b, given)?,
            ExprNode::Product(a, b) => {
                let left = self.ast.arity(a);
                let (a, b) = (self.must(a, given & all(left))?, self.must(b, given >> left)?);
                self.ast.product(a, b)
            }
            ExprNode::Transpose(a) => {
                let turned = (given & 1) << 1 | given >> 1 & 1;
                let a = self.must(a, turned)?;
                self.ast.transpose(a)
            }
            ExprNode::Closure(a) => self.must_closure(a, given)?,
            ExprNode::ReflexiveClosure(a) => {
                let (closure, iden) = (self.must_closure(a, given)?, self.ast.iden());
                self.ast.union(&[closure, iden])
            }
            ExprNode::Override(..) | ExprNode::FromInt(_) => return None,
            ExprNode::DomainRestriction(set, a) => {
                let (set, a) = (self.must(set, 1)?, self.must(a, given)?);
                self.ast.domain_restriction(set, a)
            }
            ExprNode::RangeRestriction(a, set) => {
                let (a, set) = (self.must(a, given)?, self.must(set, 1)?);
                self.ast.range_restriction(a, set)
            }
            ExprNode::Comprehension(decls, body) => {
                let (mut found, mut column) = (Vec::with_capacity(decls.len()), 0);
                for decl in decls.iter() {
                    let own = self.ast.var_arity(decl.var);
                    let domain = self.must(decl.domain, given >> column & all(own))?;
                    found.push(Decl { domain, ..*decl });
                    column += own;
                }
                let body = self.formula(body, false);
                self.ast.comprehension(&found, body)
            }
            ExprNode::If(condition, a, b) => {
                let (yes, no) = (self.formula(condition, false), self.formula(condition, true));
                let (a, b) = (self.must(a, given)?, self.must(b, given)?);
                let neither = self.ast.intersection(&[a, b]);
                let other = self.ast.if_expr(no, b, neither);
                self.ast.if_expr(yes, a, other)
            }
        })
    }

    /// One part has a tuple surely; then its atoms are there, and the others have it if they have it at all.
    fn must_intersection(&mut self, parts: &[Expr], given: Columns) -> Option<Expr> {
        let whole = all(self.ast.arity(parts[0]));
        let mut found = Vec::new();
        for at in 0..parts.len() {
            let of = |this: &mut Self, other: usize| {
                this.must(parts[other], if other == at { given } else { whole })
            };
            let all: Option<Vec<Expr>> = (0..parts.len()).map(|other| of(self, other)).collect();
            found.extend(all.map(|all| self.ast.intersection(&all)));
        }
        if found.is_empty() { None } else { Some(self.ast.union(&found)) }
    }

    /// One side has a tuple surely; then the atom that is joined on is there for the other. A side with variables is
    /// where such a chain begins.
    fn must_join(&mut self, a: Expr, b: Expr, given: Columns) -> Option<Expr> {
        let left = self.ast.arity(a) - 1;
        let (of_a, of_b) = (given & all(left), (given >> left) << 1);
        let forth = |this: &mut Self| -> Option<Expr> {
            let (a, b) = (this.must(a, of_a)?, this.must(b, of_b | 1)?);
            Some(this.ast.join(a, b))
        };
        let back = |this: &mut Self| -> Option<Expr> {
            let (a, b) = (this.must(a, of_a | 1 << left)?, this.must(b, of_b)?);
            Some(this.ast.join(a, b))
        };
        let has_variable = |this: &Self, e: Expr| !this.ast.free_in_expr(e).is_empty();
        match (has_variable(self, a), has_variable(self, b)) {
            (true, false) => forth(self),
            (false, true) => back(self),
            _ => match (forth(self), back(self)) {
                (Some(a), Some(b)) => Some(self.ast.union(&[a, b])),
                (one, other) => one.or(other),
            },
        }
    }

    /// Chains of which each link has the next one's beginning, or its end.
    fn must_closure(&mut self, a: Expr, given: Columns) -> Option<Expr> {
        let links = match given {
            0 => vec![0],
            1 | 2 => vec![given],
            _ => vec![1, 2],
        };
        let mut parts = Vec::new();
        for link in links {
            let a = self.must(a, link)?;
            parts.push(self.ast.closure(a));
        }
        if given == 3 {
            parts.push(self.must(a, 3)?);
        }
        Some(self.ast.union(&parts))
    }
}

/// Gives the relations `r_C` their values in an instance that has all tuples of `r`.
pub(super) fn fill(
    parts: &BTreeMap<(Relation, Columns), Relation>,
    order: &Order<'_>,
    instance: &mut Instance,
) {
    for (&(relation, given), &part) in parts {
        let Some(tuples) = instance.get(relation) else { continue };
        let surely = |tuple: &[crate::Atom]| {
            let assumed: Vec<usize> = (tuple.iter().enumerate())
                .filter(|(column, _)| given >> column & 1 == 1)
                .filter_map(|(_, &atom)| order.version(atom))
                .collect();
            tuple.iter().filter_map(|&atom| order.version(atom)).all(|version| {
                order.is_always(version) || assumed.iter().any(|&there| order.implies(there, version))
            })
        };
        let sure = TupleSet::from_tuples(tuples.arity(), tuples.iter().filter(|tuple| surely(tuple)));
        instance.set(part, sure);
    }
}
