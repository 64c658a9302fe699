//! The meaning of `in` before an expression with multiplicities.
//!
//! `r in A m -> n B` says that `r` is within `A->B`, that each tuple of `A` has `n` continuations in `r`, and each
//! tuple of `B` has `m` beginnings; both sides may have multiplicities of their own.

use locus_relational::{Decl, Expr, Formula};

use super::expressions::Lower;
use super::{Lowered, count};
use crate::ast::{BinOp, Mult, UnOp};
use crate::model::{E, Kind};
use crate::types::SigId;

impl Lower<'_> {
    /// `value in bound`, multiplicities included.
    pub(crate) fn is_in(&mut self, value: Expr, bound: &E) -> Lowered<Formula> {
        let all = self.set(bound)?;
        if let Kind::Unary(UnOp::ExactlyOf, _) = bound.kind {
            return Ok(self.space.ast.equal(value, all));
        }
        let within = self.space.ast.subset(value, all);
        Ok(match self.multiplicity(value, bound)? {
            Some(mult) => self.space.ast.and(&[mult, within]),
            None => within,
        })
    }

    /// Returns the formula that the multiplicities of `bound` demand of a value that is within it.
    pub(crate) fn multiplicity(&mut self, value: Expr, bound: &E) -> Lowered<Option<Formula>> {
        match &bound.kind {
            Kind::Unary(UnOp::OneOf, _) => Ok(Some(self.space.ast.one(value))),
            Kind::Unary(UnOp::LoneOf, _) => Ok(Some(self.space.ast.lone(value))),
            Kind::Unary(UnOp::SomeOf, _) => Ok(Some(self.space.ast.some(value))),
            Kind::Binary(BinOp::Arrow(left, right), a, b) if bound.mult != 0 => {
                self.arrow(value, (*left, a), (*right, b)).map(Some)
            }
            Kind::Binary(BinOp::SeqArrow, a, b) => {
                let arrow = self.arrow(value, (Mult::Set, a), (Mult::Lone, b))?;
                let mut indices = value;
                let univ = self.space.ast.univ();
                for _ in 1..self.space.ast.arity(value) {
                    indices = self.space.ast.join(indices, univ);
                }
                // Every index but 0 follows another: there is no gap.
                let next = self.int_next();
                let following = self.space.ast.join(indices, next);
                let first = self.space.ast.difference(indices, following);
                let zero = self.space.ast.int_const(0);
                let zero = self.space.ast.int_atom(zero);
                let no_gap = self.space.ast.subset(first, zero);
                Ok(Some(self.space.ast.and(&[arrow, no_gap])))
            }
            _ => Ok(None),
        }
    }

    fn arrow(&mut self, value: Expr, left: (Mult, &E), right: (Mult, &E)) -> Lowered<Formula> {
        let mut conditions = Vec::new();
        if right.0 != Mult::Set || right.1.mult != 0 {
            conditions.push(self.each(value, left.1, right, true)?);
        }
        if left.0 != Mult::Set || left.1.mult != 0 {
            conditions.push(self.each(value, right.1, left, false)?);
        }
        Ok(self.space.ast.and(&conditions))
    }

    /// For each tuple of `over`, so many tuples of `value` begin (or end) with it.
    fn each(&mut self, value: Expr, over: &E, (mult, other): (Mult, &E), begin: bool) -> Lowered<Formula> {
        let domain = self.set(over)?;
        let arity = self.space.ast.arity(domain);
        let mut decls: Vec<Decl> = Vec::new();
        let mut atoms: Vec<Expr> = Vec::new();
        for column in 0..arity {
            let columns = if arity == 1 { domain } else { self.column(over, column) };
            let (decl, atom) = self.quantified_atom("each", columns);
            decls.push(decl);
            atoms.push(atom);
        }
        let mut image = value;
        if begin {
            for &atom in &atoms {
                image = self.space.ast.join(atom, image);
            }
        } else {
            for &atom in atoms.iter().rev() {
                image = self.space.ast.join(image, atom);
            }
        }
        let mut conditions = Vec::new();
        if let Some(count) = count(mult) {
            conditions.push(self.space.ast.mult(count, image));
        }
        conditions.extend(self.multiplicity(image, other)?);
        let mut body = self.space.ast.and(&conditions);
        if arity > 1 {
            let mut tuple = atoms[0];
            for &atom in &atoms[1..] {
                tuple = self.space.ast.product(tuple, atom);
            }
            let guard = self.is_in(tuple, over)?;
            body = self.space.ast.implies(guard, body);
        }
        Ok(self.space.ast.all(&decls, body))
    }

    /// The atoms that a column of an expression can have, by its type.
    fn column(&mut self, e: &E, column: usize) -> Expr {
        let mut sigs: Vec<SigId> = e.ty.products.iter().filter_map(|p| p.get(column).copied()).collect();
        sigs.sort_unstable();
        sigs.dedup();
        let values: Vec<Expr> = sigs.iter().map(|sig| self.space.sigs[sig.index()]).collect();
        if values.is_empty() { self.space.ast.none(1) } else { self.space.ast.union(&values) }
    }
}
