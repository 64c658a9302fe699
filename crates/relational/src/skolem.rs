//! Existential variables as relations for the solver to choose.
//!
//! `some x: A | F` holds within bounds exactly when a relation `x` inside of `A` can be chosen such that `F`. For sets
//! (`some s: set A`) this is the only way; under universal variables it needs a relation with a column for each
//! of them, which is made for sets only.

use crate::ast::{Ast, Decl, Expr, ExprNode, Formula, FormulaNode, Mult, Quantifier, Range, Relation, Var};
use crate::bounds::Bounds;
use crate::tuples::TupleSet;
use rustc_hash::FxHashMap;

/// A variable and the relation it has become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skolem {
    pub(crate) var: Var,
    pub(crate) relation: Relation,
    /// Whether the relation is the value of the variable, not a function from others to it.
    pub(crate) plain: bool,
}

/// The largest upper bound a skolem relation may get.
const MAX_TUPLES: usize = 20_000_000;

pub(crate) struct Skolemizer<'a> {
    pub(crate) ast: &'a mut Ast,
    pub(crate) bounds: &'a mut Bounds,
    pub(crate) skolems: Vec<Skolem>,
    /// Relations for single tuples. Where a variable is not needed its relation may be empty, so these can be held to
    /// at most one tuple everywhere.
    pub(crate) lone: Vec<Relation>,
    /// The universal variables in scope with their domains.
    universals: Vec<Decl>,
    /// Whether an overflow must be noticed where it happens; see `choose`.
    overflow: bool,
    /// The values that universal variables may have, for upper bounds.
    ranges: FxHashMap<Var, TupleSet>,
}

impl<'a> Skolemizer<'a> {
    pub(crate) fn new(ast: &'a mut Ast, bounds: &'a mut Bounds, overflow: bool) -> Self {
        Self {
            ast,
            bounds,
            skolems: Vec::new(),
            lone: Vec::new(),
            universals: Vec::new(),
            overflow,
            ranges: FxHashMap::default(),
        }
    }

    /// A formula in normal form, without the existentials that can be chosen by relations.
    pub(crate) fn skolemize(&mut self, formula: Formula) -> Formula {
        match self.ast.formula(formula).clone() {
            FormulaNode::And(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.skolemize(part)).collect();
                self.ast.and(&parts)
            }
            FormulaNode::Or(parts) => {
                let parts: Vec<Formula> = parts.iter().map(|&part| self.skolemize(part)).collect();
                self.ast.or(&parts)
            }
            FormulaNode::Quantified(Quantifier::All, decls, body) => {
                if decls.iter().any(|d| d.range != Range::One) {
                    return formula;
                }
                let before = self.universals.len();
                for decl in decls.iter() {
                    let Some(range) = self.upper(decl.domain) else {
                        self.universals.truncate(before);
                        return formula;
                    };
                    self.ranges.insert(decl.var, range);
                    self.universals.push(*decl);
                }
                let body = self.skolemize(body);
                self.universals.truncate(before);
                self.ast.all(&decls, body)
            }
            FormulaNode::Quantified(Quantifier::Some, decls, body) => self.existential(formula, &decls, body),
            _ => formula,
        }
    }

    fn existential(&mut self, formula: Formula, decls: &[Decl], body: Formula) -> Formula {
        let higher_order = decls.iter().any(|d| matches!(d.range, Range::Some | Range::Set));
        if !self.universals.is_empty() && !higher_order {
            return formula;
        }
        let mut parts = Vec::new();
        let mut decls = decls.to_vec();
        let mut body = body;
        for i in 0..decls.len() {
            let decl = decls[i];
            let Some((skolem, value)) = self.choose(&decl) else {
                parts.push(self.ast.exists(&decls[i..], body));
                return self.ast.and(&parts);
            };
            self.skolems.push(skolem);
            if skolem.plain && matches!(decl.range, Range::One | Range::Lone) {
                self.lone.push(skolem.relation);
            }
            parts.push(self.ast.subset(value, decl.domain));
            match decl.range {
                Range::One => parts.push(self.ast.mult(Mult::One, value)),
                Range::Lone => parts.push(self.ast.mult(Mult::Lone, value)),
                Range::Some => parts.push(self.ast.mult(Mult::Some, value)),
                Range::Set => {}
            }
            for later in &mut decls[i + 1..] {
                later.domain = self.ast.substitute(later.domain, decl.var, value);
            }
            body = self.ast.substitute(body, decl.var, value);
        }
        let body = self.skolemize(body);
        parts.push(body);
        self.ast.and(&parts)
    }

    /// A new relation for a variable, and the expression that is its value for the universal variables in scope.
    fn choose(&mut self, decl: &Decl) -> Option<(Skolem, Expr)> {
        // An overflow in a domain means nothing, but in the comparison made of it here it would.
        if self.overflow && self.ast.casts_ints(decl.domain) {
            return None;
        }
        let upper = self.upper(decl.domain)?;
        let columns: Vec<&TupleSet> =
            self.universals.iter().map(|d| &self.ranges[&d.var]).chain([&upper]).collect();
        let size = columns.iter().try_fold(1usize, |size, set| size.checked_mul(set.len()))?;
        if size > MAX_TUPLES {
            return None;
        }
        let bound = TupleSet::product(&columns);
        let name = self.ast.var_name(decl.var).to_owned();
        let relation = self.ast.relation(name, bound.arity());
        self.bounds.upper(relation, bound);
        let mut value = self.ast.rel(relation);
        for universal in &self.universals {
            // A universal tuple of several columns cannot be joined in one piece.
            if self.ast.var_arity(universal.var) != 1 {
                return None;
            }
            let var = self.ast.var_expr(universal.var);
            value = self.ast.join(var, value);
        }
        Some((Skolem { var: decl.var, relation, plain: self.universals.is_empty() }, value))
    }

    /// Tuples that contain the value of an expression whatever the instance, or nothing when that would be too many.
    fn upper(&self, expr: Expr) -> Option<TupleSet> {
        upper_bound(self.ast, self.bounds, &self.ranges, expr)
    }
}

/// An upper bound of an expression from those of its parts. Coarse, but cheap: what cannot be seen easily is
/// everything.
fn upper_bound(
    ast: &Ast,
    bounds: &Bounds,
    ranges: &FxHashMap<Var, TupleSet>,
    expr: Expr,
) -> Option<TupleSet> {
    let of = |e: Expr| upper_bound(ast, bounds, ranges, e);
    let universe = bounds.universe();
    let found = match ast.expr(expr) {
        ExprNode::Relation(relation) => bounds.get(*relation)?.upper.clone(),
        ExprNode::Var(var) => ranges.get(var)?.clone(),
        ExprNode::Constant(constant) => ast.constant(*constant).clone(),
        ExprNode::Ints => TupleSet::unary(universe.ints().map(|(atom, _)| atom)),
        ExprNode::Union(parts) => {
            let mut all = of(parts[0])?;
            for &part in &parts[1..] {
                all = all.union(&of(part)?);
            }
            all
        }
        ExprNode::Intersection(parts) => {
            let mut all = of(parts[0])?;
            for &part in &parts[1..] {
                if let Some(part) = of(part) {
                    all = all.intersection(&part);
                }
            }
            all
        }
        ExprNode::Difference(a, _) => of(*a)?,
        ExprNode::If(_, a, b) | ExprNode::Override(a, b) => of(*a)?.union(&of(*b)?),
        ExprNode::Product(a, b) => {
            let (a, b) = (of(*a)?, of(*b)?);
            if a.len().checked_mul(b.len())? > MAX_TUPLES {
                return None;
            }
            TupleSet::product(&[&a, &b])
        }
        ExprNode::Join(a, b) => join(&of(*a)?, &of(*b)?)?,
        ExprNode::DomainRestriction(_, r) | ExprNode::RangeRestriction(r, _) => of(*r)?,
        ExprNode::Transpose(a) => TupleSet::binary(of(*a)?.iter().map(|t| (t[1], t[0]))),
        ExprNode::Comprehension(decls, _) => {
            let mut columns = Vec::new();
            let mut inner = ranges.clone();
            for decl in decls.iter() {
                let range = upper_bound(ast, bounds, &inner, decl.domain)?;
                inner.insert(decl.var, range.clone());
                columns.push(range);
            }
            let size = columns.iter().try_fold(1usize, |size, set| size.checked_mul(set.len()))?;
            if size > MAX_TUPLES {
                return None;
            }
            TupleSet::product(&columns.iter().collect::<Vec<_>>())
        }
        ExprNode::Univ
        | ExprNode::Iden
        | ExprNode::Closure(_)
        | ExprNode::ReflexiveClosure(_)
        | ExprNode::FromInt(_) => {
            let all = TupleSet::unary(universe.atoms());
            let arity = ast.arity(expr);
            let size = universe.len().checked_pow(u32::try_from(arity).ok()?)?;
            if size > MAX_TUPLES {
                return None;
            }
            TupleSet::product(&vec![&all; arity])
        }
    };
    Some(found)
}

fn join(a: &TupleSet, b: &TupleSet) -> Option<TupleSet> {
    let mut atoms = Vec::new();
    for left in a {
        let last = left[left.len() - 1];
        for at in b.lower_bound(&[last])..b.len() {
            let right = b.get(at);
            if right[0] != last {
                break;
            }
            atoms.extend_from_slice(&left[..left.len() - 1]);
            atoms.extend_from_slice(&right[1..]);
            if atoms.len() > MAX_TUPLES {
                return None;
            }
        }
    }
    Some(TupleSet::from_flat(a.arity() + b.arity() - 2, atoms))
}
