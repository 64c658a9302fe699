//! From the top down: which reading of each name is meant, and what can never matter.
//!
//! [`Resolve::resolve`] is told which tuples matter to the expression around (the relevant type), and picks
//! between readings by it. On the way it warns about parts that cannot matter.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use locus_source::{Finding, Place};

use super::build::{Build, bad, moved};
use super::{Warnings, same};
use crate::ast::{BinOp, ListOp, UnOp};
use crate::model::{Declared, E, Kind, World};
use crate::rules;
use crate::types::{Product, SigId, Type, relevant_for_closure};

/// Resolves expressions of one model. Without a list for them, warnings are not made.
#[derive(Clone, Copy)]
pub(crate) struct Resolve<'a> {
    pub(crate) world: &'a World,
    pub(crate) warnings: Option<&'a Warnings>,
    /// Choices made so far, against names whose readings multiply.
    pub(crate) steps: &'a AtomicU32,
}

impl<'a> Resolve<'a> {
    fn build(self) -> Build<'a> {
        Build { world: self.world }
    }

    fn show(self, ty: &Type) -> String {
        self.world.show_type(ty)
    }

    pub(crate) fn as_formula(self, e: E) -> E {
        let e = self.build().as_formula(e);
        self.build().as_formula(self.resolve(&e, &Type::formula()))
    }

    pub(crate) fn as_set(self, e: E) -> E {
        let e = self.build().as_set(e);
        let ty = e.ty.relation_only();
        self.build().as_set(self.resolve(&e, &ty))
    }

    pub(crate) fn as_int(self, e: E) -> E {
        let e = self.build().as_int(e);
        self.build().as_int(self.resolve(&e, &Type::int()))
    }

    fn warn(self, finding: impl FnOnce() -> Finding) {
        if let Some(warnings) = self.warnings {
            warnings.push(finding());
        }
    }

    /// The reading of an expression of which the tuples in `t` matter.
    pub(crate) fn resolve(self, e: &E, t: &Type) -> E {
        if e.errors.is_some() {
            return Arc::clone(e);
        }
        let build = self.build();
        match &e.kind {
            Kind::Unary(op, sub) => self.unary(e, *op, sub, t),
            Kind::Binary(op, left, right) => {
                let (a, b) = self.operand_types(e, *op, left, right, t);
                let (l, r) = (self.resolve(left, &a), self.resolve(right, &b));
                if Arc::ptr_eq(&l, left) && Arc::ptr_eq(&r, right) {
                    return Arc::clone(e);
                }
                build.binary(*op, l, r, e.place)
            }
            Kind::List(op, parts) => {
                let wanted = self.list_types(e, *op, parts, t);
                let resolved: Vec<E> =
                    parts.iter().zip(&wanted).map(|(part, ty)| self.resolve(part, ty)).collect();
                if resolved.iter().zip(parts).all(|(a, b)| Arc::ptr_eq(a, b)) {
                    return Arc::clone(e);
                }
                build.list(*op, resolved, e.place)
            }
            Kind::IfElse(condition, then, other) => {
                let (mut a, mut b) = (t.clone(), t.clone());
                if t.is_relation() {
                    (a, b) = (then.ty.intersect(t, self.sigs()), other.ty.intersect(t, self.sigs()));
                    (a.formula, b.formula) = (t.formula, t.formula);
                    for (part, relevant) in [(then, &a), (other, &b)] {
                        if part.ty.has_tuple() && !relevant.has_tuple() {
                            self.warn(|| {
                                self.redundant(part.place, "this branch never matters", &part.ty, t)
                            });
                        }
                    }
                }
                let condition = self.resolve(condition, &Type::formula());
                build.if_else(condition, self.resolve(then, &a), self.resolve(other, &b), e.place)
            }
            Kind::Let(v, value, body) => {
                let body = self.resolve(body, t);
                if !uses(&body, v.id) {
                    self.warn(|| unused(&v.name, v.place));
                }
                Build::let_(Arc::clone(v), Arc::clone(value), body, e.place)
            }
            Kind::Quant(quant, decls, body) => {
                if *quant != crate::ast::Quant::Comprehension && self.warnings.is_some() {
                    for (i, decl) in decls.iter().enumerate() {
                        for v in &decl.vars {
                            let later = decls[i + 1..].iter().any(|d| uses(&d.bound, v.id));
                            if !later && !uses(body, v.id) {
                                self.warn(|| unused(&v.name, v.place));
                            }
                        }
                    }
                }
                Arc::clone(e)
            }
            Kind::Call(func, args) => {
                let params: Vec<Type> = self.world.func(*func).params().map(|p| p.ty.clone()).collect();
                let resolved: Vec<E> =
                    args.iter().zip(&params).map(|(arg, ty)| build.as_set(self.resolve(arg, ty))).collect();
                if resolved.iter().zip(args).all(|(a, b)| Arc::ptr_eq(a, b)) {
                    return Arc::clone(e);
                }
                let extra = e.weight - args.iter().map(|arg| arg.weight).sum::<u32>().min(e.weight);
                build.call(*func, resolved, extra, e.place)
            }
            Kind::Choice(readings) => self.choose(e, readings, t, true),
            _ => Arc::clone(e),
        }
    }

    fn sigs(self) -> &'a crate::types::Hierarchy {
        &self.world.hierarchy
    }

    fn redundant(self, place: Place, message: &str, ty: &Type, relevant: &Type) -> Finding {
        Finding::new(&rules::REDUNDANT, place, message)
            .note(format!("its type is {}", self.show(ty)))
            .note(format!("the part that matters here has type {}", self.show(relevant)))
    }

    fn unary(self, e: &E, op: UnOp, sub: &E, t: &Type) -> E {
        let sigs = self.sigs();
        let wanted = match op {
            _ if op.is_connective() => Type::formula(),
            UnOp::Transpose | UnOp::Closure | UnOp::ReflexiveClosure => {
                if op == UnOp::Closure && !e.ty.join(&e.ty, sigs).has_tuple() && e.ty.has_tuple() {
                    self.warn(|| {
                        Finding::new(
                            &rules::REDUNDANT,
                            e.place,
                            "this closure is the relation itself: no two steps can follow each other",
                        )
                        .note(format!("its type is {}", self.show(&sub.ty.of_arity(2))))
                    });
                }
                let wanted = if op == UnOp::Transpose {
                    sub.ty.transpose(sigs).intersect(t, sigs).transpose(sigs)
                } else {
                    relevant_for_closure(t, &sub.ty, sigs)
                };
                if wanted.is_wrong() && t.has_tuple() {
                    self.warn(|| {
                        self.redundant(sub.place, "this never matters to the whole", &sub.ty.of_arity(2), t)
                    });
                }
                if wanted.is_wrong() { sub.ty.of_arity(2) } else { wanted }
            }
            UnOp::Cardinality | UnOp::No | UnOp::One | UnOp::Some | UnOp::Lone => sub.ty.relation_only(),
            UnOp::Sum => {
                let wanted = sub.ty.intersect(&Type::int(), sigs);
                if !wanted.has_tuple() {
                    self.warn(|| {
                        let message = format!(
                            "this should have integers, but its type is {}",
                            self.show(&sub.ty.of_arity(1))
                        );
                        Finding::new(&rules::REDUNDANT, sub.place, message)
                    });
                }
                wanted
            }
            _ => t.clone(),
        };
        let resolved = self.resolve(sub, &wanted);
        if Arc::ptr_eq(&resolved, sub) { Arc::clone(e) } else { self.build().unary(op, resolved, e.place) }
    }

    fn list_types(self, e: &E, op: ListOp, parts: &[E], t: &Type) -> Vec<Type> {
        let sigs = self.sigs();
        match op {
            ListOp::And | ListOp::Or => vec![Type::formula(); parts.len()],
            ListOp::Union => {
                let wanted: Vec<Type> = parts.iter().map(|part| part.ty.intersect(t, sigs)).collect();
                for (part, wanted) in parts.iter().zip(&wanted) {
                    if part.ty.has_tuple() && t.has_tuple() && !wanted.has_tuple() {
                        self.warn(|| {
                            self.redundant(part.place, "this part of a union never matters", &part.ty, t)
                        });
                    }
                }
                wanted
            }
            ListOp::Disjoint => {
                let all = parts.iter().map(|part| part.ty.relation_only()).reduce(|a, b| a.union(&b, sigs));
                vec![all.unwrap_or_default(); parts.len()]
            }
            ListOp::TotalOrder => {
                let set = e_first(e).map(|first| first.ty.of_arity(1)).unwrap_or_default();
                let pairs = set.product(&set, sigs);
                vec![set.clone(), set, pairs]
            }
        }
    }

    /// Which tuples of the operands matter, when `t` is what matters of the whole.
    fn operand_types(self, e: &E, op: BinOp, left: &E, right: &E, t: &Type) -> (Type, Type) {
        let sigs = self.sigs();
        let (a, b) = (&left.ty, &right.ty);
        match op {
            BinOp::Equals | BinOp::NotEquals => {
                self.warn_comparison(
                    e,
                    left,
                    right,
                    a.has_tuple() && b.has_tuple() && !a.intersects(b, sigs),
                    "=",
                );
                let common = a.intersect(b, sigs);
                if common.has_tuple() {
                    (common.clone(), common)
                } else {
                    (a.with_arity_of(b), b.with_arity_of(a))
                }
            }
            BinOp::In | BinOp::NotIn => {
                let left_type = a.with_arity_of(b);
                let right_type = b.intersect(&left_type, sigs);
                self.warn_comparison(e, left, right, !right_type.has_tuple(), "in");
                let right_type = if right_type.is_wrong() { b.with_arity_of(a) } else { right_type };
                (left_type, right_type)
            }
            BinOp::Intersect => {
                if !e.ty.has_tuple() {
                    self.warn(|| {
                        self.sides(&rules::EMPTY_JOIN, e, left, right, "this intersection is always empty")
                    });
                }
                (a.intersect(t, sigs), b.intersect(t, sigs))
            }
            BinOp::Override => {
                let (x, y) = (a.intersect(t, sigs), b.intersect(t, sigs));
                if y.is_wrong() || !b.can_override(a, sigs) {
                    let message = "this `++` never overrides anything; `+` would do";
                    self.warn(|| self.sides(&rules::REDUNDANT, e, left, right, message));
                }
                (x, y)
            }
            BinOp::Minus => {
                let y = t.intersect(b, sigs);
                if !e.ty.has_tuple() || !y.has_tuple() {
                    let message = "the part that this `-` takes away never matters here";
                    self.warn(|| self.sides(&rules::REDUNDANT, e, left, right, message));
                }
                (t.clone(), y)
            }
            BinOp::Join => {
                if !e.ty.has_tuple() {
                    self.warn(|| self.sides(&rules::EMPTY_JOIN, e, left, right, "this join is always empty"));
                }
                self.join_types(a, b, t)
            }
            BinOp::Domain => {
                if !e.ty.has_tuple() {
                    self.warn(|| {
                        self.sides(&rules::EMPTY_JOIN, e, left, right, "this restriction is always empty")
                    });
                }
                self.restriction_types(a, b, t, true)
            }
            BinOp::Range => {
                if !e.ty.has_tuple() {
                    self.warn(|| {
                        self.sides(&rules::EMPTY_JOIN, e, left, right, "this restriction is always empty")
                    });
                }
                let (set, relation) = self.restriction_types(b, a, t, false);
                (relation, set)
            }
            BinOp::Arrow(..) | BinOp::SeqArrow => self.product_types(e, left, right, t),
            BinOp::Iff
            | BinOp::Implies
            | BinOp::Until
            | BinOp::Since
            | BinOp::Triggered
            | BinOp::Releases => (Type::formula(), Type::formula()),
            _ => (Type::int(), Type::int()),
        }
    }

    fn warn_comparison(self, e: &E, left: &E, right: &E, disjoint: bool, symbol: &str) {
        if self.warnings.is_none() {
            return;
        }
        let empty = |side: &E| side.ty.is_relation() && !side.ty.has_tuple();
        let message = if symbol == "in" && empty(left) {
            "the left side is always empty, so it is always in the other"
        } else if symbol == "in" && empty(right) {
            "the right side is always empty, so only an empty set can be in it"
        } else if disjoint {
            "both sides never share a tuple: this holds only if the left side is empty"
        } else if same(left, right) {
            "both sides are the same expression"
        } else {
            return;
        };
        let message = if disjoint && symbol == "=" {
            "both sides never share a tuple: this holds only if both are empty"
        } else {
            message
        };
        self.warn(|| self.sides(&rules::DISJOINT, e, left, right, message));
    }

    fn sides(self, rule: &locus_source::Rule, e: &E, left: &E, right: &E, message: &str) -> Finding {
        Finding::new(rule, e.place, message)
            .also(left.place, format!("this has type {}", self.show(&left.ty)))
            .also(right.place, format!("this has type {}", self.show(&right.ty)))
    }

    fn join_types(self, a: &Type, b: &Type, t: &Type) -> (Type, Type) {
        let sigs = self.sigs();
        let (mut x, mut y) = (Type::default(), Type::default());
        let fits = |p: &Product, q: &Product| p.len() + q.len() > 2 && t.has_arity(p.len() + q.len() - 2);
        for p in &a.products {
            for q in b.products.iter().filter(|q| fits(p, q)) {
                let met = sigs.meet(p[p.len() - 1], q[0]);
                if met == SigId::NONE {
                    continue;
                }
                let joined: Product = p[..p.len() - 1].iter().chain(&q[1..]).copied().collect();
                for c in t
                    .intersect(&Type::product_of(joined), sigs)
                    .products
                    .iter()
                    .filter(|c| c[0] != SigId::NONE)
                {
                    let (front, back) = c.split_at(p.len() - 1);
                    x.add(front.iter().copied().chain([met]).collect(), sigs);
                    y.add(std::iter::once(met).chain(back.iter().copied()).collect(), sigs);
                }
            }
        }
        // Where nothing matters, a warning has been given; go on as well as possible.
        for strict in [true, false] {
            if !x.is_wrong() {
                break;
            }
            for p in &a.products {
                for q in b.products.iter().filter(|q| fits(p, q)) {
                    if !strict || sigs.meets(p[p.len() - 1], q[0]) {
                        x.add(p.clone(), sigs);
                        y.add(q.clone(), sigs);
                    }
                }
            }
        }
        (x, y)
    }

    fn restriction_types(self, set: &Type, relation: &Type, t: &Type, front: bool) -> (Type, Type) {
        let sigs = self.sigs();
        let (mut x, mut y) = (Type::default(), Type::default());
        let restricted = relation.restrict(set, front, sigs).intersect(t, sigs);
        for c in restricted.products.iter().filter(|c| c[0] != SigId::NONE) {
            let column = if front { c[0] } else { c[c.len() - 1] };
            x.add([column].into_iter().collect(), sigs);
            y.add(c.clone(), sigs);
        }
        if x.is_wrong() { (set.of_arity(1), relation.with_arity_of(t)) } else { (x, y) }
    }

    fn product_types(self, e: &E, left: &E, right: &E, t: &Type) -> (Type, Type) {
        let sigs = self.sigs();
        let (a, b) = (&left.ty, &right.ty);
        if a.has_tuple() != b.has_tuple() {
            let (empty, other) = if a.has_tuple() { (right, left) } else { (left, right) };
            self.warn(|| {
                let message = "this part of a product never matters, because the other is always empty";
                self.redundant(other.place, message, &other.ty, &empty.ty)
            });
        }
        let (mut x, mut y) = (Type::default(), Type::default());
        for p in a.products.iter().filter(|p| p[0] != SigId::NONE) {
            for q in b.products.iter().filter(|q| q[0] != SigId::NONE) {
                let product: Product = p.iter().chain(q).copied().collect();
                let met = t.intersect(&Type::product_of(product), sigs);
                for c in met.products.iter().filter(|c| c[0] != SigId::NONE) {
                    x.add(c[..p.len()].iter().copied().collect(), sigs);
                    y.add(c[p.len()..].iter().copied().collect(), sigs);
                }
            }
        }
        let _ = e;
        if x.is_wrong() { (a.clone(), b.clone()) } else { (x, y) }
    }

    /// Picks a reading: one that can have relevant tuples, else one of the right arity; the nearest of several.
    fn choose(self, e: &E, readings: &[(E, Declared)], t: &Type, first_pass: bool) -> E {
        if super::too_many(self.steps) {
            return bad(super::too_complex(e.place));
        }
        let sigs = self.sigs();
        let mut left: Vec<&(E, Declared)> = readings
            .iter()
            .filter(|(reading, _)| (t.formula && reading.ty.formula) || t.intersects(&reading.ty, sigs))
            .collect();
        if left.is_empty() {
            left = readings.iter().filter(|(reading, _)| reading.ty.shares_arity(t)).collect();
        }
        if left.len() > 1 {
            let nearest = left.iter().map(|(reading, _)| reading.weight).min().unwrap_or(0);
            left.retain(|(reading, _)| reading.weight == nearest);
            if first_pass && left.len() > 1 {
                let quiet = Self { warnings: None, ..self };
                let resolved: Vec<(E, Declared)> =
                    left.iter().map(|(reading, from)| (quiet.resolve(reading, t), *from)).collect();
                return self.choose(e, &resolved, t, false);
            }
        }
        match &left[..] {
            [(only, _)] => self.resolve(only, t),
            [] => {
                let message = format!("no meaning of this name fits here, where {} matters", self.show(t));
                let mut finding = Finding::new(&rules::UNKNOWN_NAME, e.place, message);
                for (reading, from) in readings {
                    let (declared, ty) = (self.world.describe(*from), self.show(&reading.ty));
                    finding = finding.note(format!("it could be the {declared}, of type {ty}"));
                }
                bad(finding)
            }
            several => {
                let arity = several[0].0.ty.arity();
                let all_empty = several.iter().all(|(reading, _)| {
                    !reading.ty.formula && !reading.ty.has_tuple() && reading.ty.arity() == arity
                });
                if all_empty && let Some(arity) = arity {
                    let build = self.build();
                    let none = build.sig(SigId::NONE, e.place);
                    let mut empty = none.clone();
                    for _ in 1..arity {
                        let arrow = BinOp::Arrow(crate::ast::Mult::Set, crate::ast::Mult::Set);
                        empty = build.binary(arrow, empty, none.clone(), e.place);
                    }
                    return moved(&empty, e.place, 0);
                }
                let message = format!("this name could mean {} things here", several.len());
                let mut finding = Finding::new(&rules::AMBIGUOUS_NAME, e.place, message);
                for (reading, from) in several {
                    let (declared, ty) = (self.world.describe(*from), self.show(&reading.ty));
                    finding = finding.note(format!("the {declared}, of type {ty}"));
                }
                bad(finding.help("say which: `Sig <: field`, or `alias/name` with the name of its module"))
            }
        }
    }
}

fn e_first(e: &E) -> Option<&E> {
    match &e.kind {
        Kind::List(_, parts) => parts.first(),
        _ => None,
    }
}

fn unused(name: &str, place: Place) -> Finding {
    Finding::new(&rules::UNUSED, place, format!("the variable `{name}` is never used"))
}

/// Whether a variable occurs in an expression.
pub(crate) fn uses(e: &E, var: u32) -> bool {
    match &e.kind {
        Kind::Var(v) => v.id == var,
        Kind::Unary(_, a) => uses(a, var),
        Kind::Binary(_, a, b) | Kind::Let(_, a, b) => uses(a, var) || uses(b, var),
        Kind::IfElse(a, b, c) => uses(a, var) || uses(b, var) || uses(c, var),
        Kind::List(_, all) | Kind::Call(_, all) | Kind::PartialCall(_, all) | Kind::PartialMacro(_, all) => {
            all.iter().any(|e| uses(e, var))
        }
        Kind::Quant(_, decls, body) => decls.iter().any(|d| uses(&d.bound, var)) || uses(body, var),
        Kind::Choice(readings) => readings.iter().any(|(reading, _)| uses(reading, var)),
        _ => false,
    }
}
