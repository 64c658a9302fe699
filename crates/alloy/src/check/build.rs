//! Nodes and their types, from the bottom up.
//!
//! Every function here makes one kind of node from its parts, works out the type, and notes on the node what is wrong
//! with it. Nothing is reported yet: a node that is wrong may be one reading of a name among several.

use std::sync::Arc;

use locus_source::{Finding, Place, Rule};

use crate::ast::{BinOp, ListOp, Mult, Quant, UnOp};
use crate::model::{Decl, Declared, E, Errors, Expr, FuncId, Kind, Var, World};
use crate::rules;
use crate::types::{SigId, Type};

pub(crate) fn node(kind: Kind, ty: Type, place: Place, weight: u32, errors: Errors) -> E {
    Expr::new(kind, ty, place, 0, weight, errors)
}

/// The errors of two parts.
pub(crate) fn both(a: Errors, b: &Errors) -> Errors {
    match (a, b) {
        (None, b) => b.clone(),
        (a, None) => a,
        (Some(a), Some(b)) => {
            let mut all = Vec::clone(&a);
            all.extend(b.iter().filter(|finding| !a.contains(finding)).cloned());
            Some(Arc::new(all))
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "all errors of a node have this type")]
pub(crate) fn one(finding: Finding) -> Errors {
    Some(Arc::new(vec![finding]))
}

/// Something that is wrong in itself.
pub(crate) fn bad(finding: Finding) -> E {
    let place = finding.primary.place;
    node(Kind::Bad, Type::wrong(), place, 0, one(finding))
}

/// The same expression with one more error.
fn with_error(e: &E, finding: Finding) -> E {
    let errors = both(e.errors.clone(), &one(finding));
    Expr::new(e.kind.clone(), e.ty.clone(), e.place, e.mult, e.weight, errors)
}

/// The same expression at another place, or further-fetched.
pub(crate) fn moved(e: &E, place: Place, extra_weight: u32) -> E {
    let weight = e.weight + extra_weight;
    Expr::new(e.kind.clone(), e.ty.clone(), place, e.mult, weight, e.errors.clone())
}

pub(crate) fn var(v: &Arc<Var>, place: Place) -> E {
    node(Kind::Var(Arc::clone(v)), v.ty.clone(), place, 0, None)
}

/// Makes nodes in a model.
#[derive(Clone, Copy)]
pub(crate) struct Build<'a> {
    pub(crate) world: &'a World,
}

impl Build<'_> {
    fn show(self, ty: &Type) -> String {
        self.world.show_type(ty)
    }

    pub(crate) fn sig(self, sig: SigId, place: Place) -> E {
        node(Kind::Sig(sig), self.world.sig(sig).ty.clone(), place, 0, None)
    }

    pub(crate) fn as_formula(self, e: E) -> E {
        if e.errors.is_some() || e.ty.formula {
            return e;
        }
        let message = format!("this must be a formula, but it is an expression of type {}", self.show(&e.ty));
        let finding = Finding::new(&rules::KIND, e.place, message);
        with_error(&e, finding.help("`some e` says that it has tuples, `e = f` and `e in f` compare it"))
    }

    pub(crate) fn as_int(self, e: E) -> E {
        if e.errors.is_some() || e.ty.is_int() {
            return e;
        }
        let message = format!("this must be an integer, but it is {}", self.what(&e.ty));
        let finding = Finding::new(&rules::KIND, e.place, message);
        let finding = if e.ty.is_relation() {
            finding.help("`#e` counts tuples, `int[e]` adds up integers")
        } else {
            finding
        };
        with_error(&e, finding)
    }

    pub(crate) fn as_set(self, e: E) -> E {
        if e.errors.is_some() || e.ty.is_relation() {
            return e;
        }
        let message = format!("this must be a set or relation, but it is {}", self.what(&e.ty));
        with_error(&e, Finding::new(&rules::KIND, e.place, message))
    }

    fn what(self, ty: &Type) -> String {
        if ty.is_relation() { format!("of type {}", self.show(ty)) } else { self.show(ty) }
    }

    fn no_mult(e: &E) -> Errors {
        (e.mult != 0).then(|| {
            Arc::new(vec![Finding::new(&rules::MULTIPLICITY, e.place, "a multiplicity is not allowed here")])
        })
    }

    pub(crate) fn unary(self, op: UnOp, sub: E, place: Place) -> E {
        let sigs = &self.world.hierarchy;
        if sub.mult != 0 && op == UnOp::SetOf {
            return sub;
        }
        let mut errors = Self::no_mult(&sub);
        let sub = if op.is_connective() { self.as_formula(sub) } else { self.as_set(sub) };
        errors = both(errors, &sub.errors);
        let mut mult = 0;
        let mut ty = Type::wrong();
        if sub.errors.is_none() {
            let wrong = |text: String| one(Finding::new(&rules::ARITY, sub.place, text));
            match op {
                UnOp::SetOf | UnOp::ExactlyOf => ty = sub.ty.relation_only(),
                UnOp::SomeOf | UnOp::LoneOf | UnOp::OneOf => {
                    ty = sub.ty.of_arity(1);
                    if ty.is_wrong() {
                        let shown = self.show(&sub.ty);
                        errors = wrong(format!(
                            "`some`, `lone` and `one` are said of sets, but this has type {shown}"
                        ));
                    }
                }
                _ if op.is_connective() => ty = Type::formula(),
                UnOp::No | UnOp::Some | UnOp::Lone | UnOp::One => ty = Type::formula(),
                UnOp::Prime => ty = sub.ty.clone(),
                UnOp::Transpose => ty = sub.ty.transpose(sigs),
                UnOp::Closure => ty = sub.ty.closure(sigs),
                UnOp::ReflexiveClosure if sub.ty.has_arity(2) => {
                    ty = Type::product_of([SigId::UNIV, SigId::UNIV].into_iter().collect());
                }
                UnOp::Cardinality => ty = Type::int(),
                UnOp::Sum if sub.ty.has_arity(1) => ty = Type::int(),
                UnOp::Sum => {
                    errors =
                        wrong(format!("`int[…]` adds up a set, but this has type {}", self.show(&sub.ty)));
                }
                _ => {}
            }
            if ty.is_wrong() && errors.is_none() {
                let symbol = match op {
                    UnOp::Transpose => "~",
                    UnOp::Closure => "^",
                    _ => "*",
                };
                let shown = self.show(&sub.ty);
                errors =
                    wrong(format!("`{symbol}` needs a relation with two columns, but this has type {shown}"));
            }
        }
        if matches!(op, UnOp::SetOf | UnOp::ExactlyOf | UnOp::SomeOf | UnOp::LoneOf | UnOp::OneOf) {
            mult = 1;
        }
        let weight = sub.weight;
        Expr::new(Kind::Unary(op, sub), ty, place, mult, weight, errors)
    }

    pub(crate) fn binary(self, op: BinOp, left: E, right: E, place: Place) -> E {
        let is_arrow = matches!(op, BinOp::Arrow(..) | BinOp::SeqArrow);
        let mut errors = None;
        if (is_arrow && left.mult == 1) || (!is_arrow && left.mult != 0) {
            errors = both(errors, &Self::no_mult(&left));
        }
        let in_allowed = op == BinOp::In;
        if (is_arrow && right.mult == 1) || (!is_arrow && !in_allowed && right.mult != 0) {
            errors = both(errors, &Self::no_mult(&right));
        }
        let (left, right) = match kind_of(op) {
            Operands::Ints => (self.as_int(left), self.as_int(right)),
            Operands::Formulas => (self.as_formula(left), self.as_formula(right)),
            Operands::Sets => (self.as_set(left), self.as_set(right)),
        };
        let parts = both(left.errors.clone(), &right.errors);
        let mut ty = Type::wrong();
        if parts.is_none() {
            match self.binary_type(op, &left, &right, place) {
                Ok(found) => ty = found,
                Err(finding) => errors = both(errors, &one(*finding)),
            }
        }
        errors = both(parts, &errors);
        let mult = match op {
            BinOp::Arrow(Mult::Set, Mult::Set) => 2 * u8::from(left.mult == 2 || right.mult == 2),
            BinOp::Arrow(..) | BinOp::SeqArrow => 2,
            _ => 0,
        };
        let weight = left.weight + right.weight;
        Expr::new(Kind::Binary(op, left, right), ty, place, mult, weight, errors)
    }

    fn binary_type(self, op: BinOp, left: &E, right: &E, place: Place) -> Result<Type, Box<Finding>> {
        let sigs = &self.world.hierarchy;
        let (a, b) = (&left.ty, &right.ty);
        let mismatch = |rule: &Rule, message: &str| {
            let finding = Finding::new(rule, place, message)
                .also(left.place, format!("this has type {}", self.show(a)))
                .also(right.place, format!("this has type {}", self.show(b)));
            Box::new(finding)
        };
        let found = match op {
            BinOp::Override => a.union(b, sigs),
            BinOp::Minus => a.with_arity_of(b),
            BinOp::Intersect => a.intersect(b, sigs),
            BinOp::Equals | BinOp::NotEquals | BinOp::In | BinOp::NotIn => {
                if a.shares_arity(b) {
                    Type::formula()
                } else {
                    Type::wrong()
                }
            }
            BinOp::Join => {
                let joined = a.join(b, sigs);
                if joined.is_wrong() {
                    return Err(mismatch(&rules::JOIN, "two sets cannot be joined: no column would be left"));
                }
                joined
            }
            BinOp::Domain => b.restrict(a, true, sigs),
            BinOp::Range => a.restrict(b, false, sigs),
            BinOp::Arrow(..) | BinOp::SeqArrow => a.product(b, sigs),
            BinOp::IntPlus
            | BinOp::IntMinus
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Rem
            | BinOp::ShiftLeft
            | BinOp::ShiftRight
            | BinOp::ShiftArithmetic => Type::int(),
            _ => Type::formula(),
        };
        if !found.is_wrong() {
            return Ok(found);
        }
        Err(match op {
            BinOp::Domain => mismatch(&rules::ARITY, "the left side of `<:` must be a set"),
            BinOp::Range => mismatch(&rules::ARITY, "the right side of `:>` must be a set"),
            _ => mismatch(&rules::ARITY, "both sides must have the same number of columns"),
        })
    }

    pub(crate) fn list(self, op: ListOp, parts: Vec<E>, place: Place) -> E {
        let sigs = &self.world.hierarchy;
        let formulas = matches!(op, ListOp::And | ListOp::Or);
        let mut errors = None;
        let mut weight = 0;
        let mut args: Vec<E> = Vec::with_capacity(parts.len());
        let mut ty: Option<Type> = None;
        for part in parts {
            errors = both(errors, &Self::no_mult(&part));
            let part = if formulas { self.as_formula(part) } else { self.as_set(part) };
            errors = both(errors, &part.errors);
            weight += part.weight;
            if errors.is_none() && !formulas {
                let next = match &ty {
                    None => part.ty.relation_only(),
                    Some(before) if op == ListOp::Union => before.union(&part.ty, sigs),
                    Some(before) => before.with_arity_of(&part.ty),
                };
                if next.is_wrong() && op != ListOp::TotalOrder {
                    let message = "these must have the same number of columns";
                    let before = ty.as_ref().map(|ty| self.show(ty)).unwrap_or_default();
                    let finding = Finding::new(&rules::ARITY, place, message)
                        .also(args[0].place, format!("what stands before has type {before}"))
                        .also(part.place, format!("this has type {}", self.show(&part.ty)));
                    errors = one(finding);
                }
                ty = Some(next);
            }
            match &part.kind {
                Kind::List(same, inner) if *same == op && formulas => args.extend(inner.iter().cloned()),
                _ => args.push(part),
            }
        }
        if errors.is_none() {
            errors = list_rules(op, &args, place);
        }
        let ty = if op == ListOp::Union { ty.unwrap_or_default() } else { Type::formula() };
        node(Kind::List(op, args), ty, place, weight, errors)
    }

    pub(crate) fn if_else(self, condition: E, then: E, other: E, place: Place) -> E {
        let sigs = &self.world.hierarchy;
        let mut errors = both(Self::no_mult(&condition), &Self::no_mult(&then));
        errors = both(errors, &Self::no_mult(&other));
        let mut ty = Type::wrong();
        if then.errors.is_none() && other.errors.is_none() {
            ty = then.ty.union(&other.ty, sigs);
            ty.formula = then.ty.formula && other.ty.formula;
            if ty.is_wrong() {
                let finding = Finding::new(&rules::ARITY, place, "both branches must be of the same kind")
                    .also(then.place, format!("this has type {}", self.show(&then.ty)))
                    .also(other.place, format!("this has type {}", self.show(&other.ty)));
                errors = both(errors, &one(finding));
            }
        }
        let condition = self.as_formula(condition);
        errors = both(errors, &condition.errors);
        errors = both(errors, &then.errors);
        errors = both(errors, &other.errors);
        let weight = condition.weight + then.weight + other.weight;
        node(Kind::IfElse(condition, then, other), ty, place, weight, errors)
    }

    pub(crate) fn let_(v: Arc<Var>, value: E, body: E, place: Place) -> E {
        let mut errors = both(value.errors.clone(), &body.errors);
        errors = both(errors, &Self::no_mult(&value));
        errors = both(errors, &Self::no_mult(&body));
        let (ty, weight) = (body.ty.clone(), body.weight);
        node(Kind::Let(v, value, body), ty, place, weight, errors)
    }

    pub(crate) fn quant(self, quant: Quant, decls: Vec<Decl>, body: E, place: Place) -> E {
        let sigs = &self.world.hierarchy;
        let body = if quant == Quant::Sum { self.as_int(body) } else { self.as_formula(body) };
        let mut errors = Self::no_mult(&body);
        let mut weight = body.weight;
        let mut ty = match quant {
            Quant::Sum => Type::int(),
            Quant::Comprehension => Type::wrong(),
            _ => Type::formula(),
        };
        for decl in &decls {
            let bound = &decl.bound;
            weight += bound.weight;
            errors = both(errors, &bound.errors);
            if bound.errors.is_some() {
                continue;
            }
            let complain = |message: String| one(Finding::new(&rules::DECLARATION, bound.place, message));
            if let Kind::Unary(UnOp::ExactlyOf, _) = bound.kind {
                errors = both(errors, &complain("a variable is declared by `:`, not by `=`".to_owned()));
                continue;
            }
            if !matches!(quant, Quant::Sum | Quant::Comprehension) {
                continue;
            }
            if !bound.ty.has_arity(1) {
                let message = format!("this must be a set, but it has type {}", self.show(&bound.ty));
                errors = both(errors, &one(Finding::new(&rules::ARITY, bound.place, message)));
                continue;
            }
            if let Kind::Unary(UnOp::SetOf | UnOp::SomeOf | UnOp::LoneOf, _) = bound.kind {
                let message = "the variables of a comprehension or sum stand for single atoms";
                errors = both(errors, &complain(message.to_owned()));
            }
            if quant == Quant::Comprehension {
                let column = bound.ty.of_arity(1);
                for _ in &decl.vars {
                    ty = if ty.is_wrong() { column.clone() } else { ty.product(&column, sigs) };
                }
            }
        }
        if errors.is_none() {
            errors.clone_from(&body.errors);
        }
        node(Kind::Quant(quant, decls, body), ty, place, weight, errors)
    }

    /// A call with all its arguments, which fit.
    pub(crate) fn call(self, func: FuncId, args: Vec<E>, extra_weight: u32, place: Place) -> E {
        let f = self.world.func(func);
        let mut errors = None;
        let mut weight = extra_weight;
        let mut checked = Vec::with_capacity(args.len());
        for (arg, param) in args.into_iter().zip(f.params()) {
            let arg = self.as_set(arg);
            weight += arg.weight;
            errors = both(errors, &arg.errors);
            errors = both(errors, &Self::no_mult(&arg));
            if arg.errors.is_none()
                && let Some(arity) = param.ty.arity()
                && !arg.ty.has_arity(arity)
            {
                let message = format!(
                    "`{}` of `{}` has {arity} columns, but this argument has type {}",
                    param.name,
                    f.name,
                    self.show(&arg.ty)
                );
                errors = both(errors, &one(Finding::new(&rules::CALL, arg.place, message)));
            }
            checked.push(arg);
        }
        let ty = match &f.returns {
            None => Type::formula(),
            Some(returns) if errors.is_none() => {
                let mut env = Vec::new();
                for (param, arg) in f.params().zip(&checked) {
                    env.push((param.id, arg.ty.of_arity(param.ty.arity().unwrap_or(1))));
                }
                let deduced = self.deduce(returns, &mut env);
                if deduced.arity() == returns.ty.arity() && !deduced.is_int() {
                    deduced
                } else {
                    returns.ty.clone()
                }
            }
            Some(_) => Type::wrong(),
        };
        node(Kind::Call(func, checked), ty, place, weight, errors)
    }

    /// The type of a return declaration, given the types of the arguments: functions are polymorphic a little.
    fn deduce(self, e: &E, env: &mut Vec<(u32, Type)>) -> Type {
        let sigs = &self.world.hierarchy;
        match &e.kind {
            Kind::Var(v) => {
                let bound = env.iter().rev().find(|(id, _)| *id == v.id).map(|(_, ty)| ty.clone());
                bound.filter(|ty| !ty.is_wrong()).unwrap_or_else(|| v.ty.clone())
            }
            Kind::Unary(op, sub) => {
                let ty = self.deduce(sub, env);
                match op {
                    UnOp::LoneOf | UnOp::OneOf | UnOp::SetOf | UnOp::SomeOf | UnOp::ExactlyOf => ty,
                    UnOp::Transpose => ty.transpose(sigs),
                    UnOp::Closure => ty.closure(sigs),
                    _ => e.ty.clone(),
                }
            }
            Kind::Binary(op, left, right) => {
                let (a, b) = (self.deduce(left, env), self.deduce(right, env));
                match op {
                    BinOp::Join => a.join(&b, sigs),
                    BinOp::Domain => b.restrict(&a, true, sigs),
                    BinOp::Range => a.restrict(&b, false, sigs),
                    BinOp::Intersect => a.intersect(&b, sigs),
                    BinOp::Override => a.union(&b, sigs),
                    BinOp::Minus => a.with_arity_of(&b),
                    BinOp::Arrow(..) | BinOp::SeqArrow => a.product(&b, sigs),
                    _ => e.ty.clone(),
                }
            }
            Kind::List(ListOp::Union, parts) => parts
                .iter()
                .map(|part| self.deduce(part, env))
                .reduce(|a, b| a.union(&b, sigs))
                .unwrap_or_default(),
            Kind::IfElse(_, a, b) => {
                let (a, b) = (self.deduce(a, env), self.deduce(b, env));
                a.union(&b, sigs)
            }
            _ => e.ty.clone(),
        }
    }

    /// A call whose arguments are not all there yet, or do not fit.
    pub(crate) fn partial_call(self, func: FuncId, args: Vec<E>, extra_weight: u32, place: Place) -> E {
        let f = self.world.func(func);
        let mut errors = None;
        let mut weight = extra_weight;
        for arg in &args {
            errors = both(errors, &arg.errors);
            weight += arg.weight;
        }
        if errors.is_none() {
            let what = if f.is_pred { "predicate" } else { "function" };
            let (wanted, given) = (f.count(), args.len());
            let message = match wanted {
                0 => format!("the {what} `{}` has no parameters", f.name),
                _ if given < wanted => {
                    format!(
                        "the {what} `{}` has {wanted} parameters, but only {given} arguments are given",
                        f.name
                    )
                }
                _ => format!("these arguments do not fit the {what} `{}`", f.name),
            };
            let mut finding = Finding::new(&rules::CALL, place, message).also(f.place, "declared here");
            for (i, param) in f.params().enumerate() {
                let given =
                    args.get(i).map_or_else(String::new, |arg| format!("; given {}", self.show(&arg.ty)));
                finding = finding.note(format!(
                    "parameter `{}` has type {}{given}",
                    param.name,
                    self.show(&param.ty)
                ));
            }
            errors = one(finding);
        }
        node(Kind::PartialCall(func, args), Type::wrong(), place, weight, errors)
    }

    /// Several readings; a single correct one is not a choice.
    pub(crate) fn choice(self, mut readings: Vec<(E, Declared)>, place: Place) -> E {
        if readings.len() == 1 && readings[0].0.errors.is_none() {
            return readings.pop().expect("there is one").0;
        }
        let sigs = &self.world.hierarchy;
        let mut ty = Type::wrong();
        let mut weight = None;
        for (reading, _) in &readings {
            ty = ty.merge(&reading.ty, sigs);
            if !reading.ty.is_wrong() {
                weight = Some(weight.map_or(reading.weight, |w: u32| w.min(reading.weight)));
            }
        }
        let errors = if ty.is_wrong() {
            readings
                .iter()
                .filter_map(|(reading, _)| reading.errors.as_ref())
                .min_by_key(|e| e.len())
                .cloned()
        } else {
            None
        };
        node(Kind::Choice(readings), ty, place, weight.unwrap_or(0), errors)
    }
}

fn list_rules(op: ListOp, args: &[E], place: Place) -> Errors {
    match op {
        ListOp::Disjoint if args.len() < 2 => {
            one(Finding::new(&rules::CALL, place, "`disj` is said of at least two expressions"))
        }
        ListOp::TotalOrder => {
            let fits =
                args.len() == 3 && [1, 1, 2].iter().zip(args).all(|(&arity, arg)| arg.ty.has_arity(arity));
            let message = "`pred/totalOrder` takes a set, a set of its first element, and a binary relation";
            if fits { None } else { one(Finding::new(&rules::CALL, place, message)) }
        }
        _ => None,
    }
}

enum Operands {
    Ints,
    Formulas,
    Sets,
}

fn kind_of(op: BinOp) -> Operands {
    match op {
        BinOp::Less
        | BinOp::LessEqual
        | BinOp::Greater
        | BinOp::GreaterEqual
        | BinOp::NotLess
        | BinOp::NotLessEqual
        | BinOp::NotGreater
        | BinOp::NotGreaterEqual
        | BinOp::ShiftLeft
        | BinOp::ShiftRight
        | BinOp::ShiftArithmetic
        | BinOp::IntPlus
        | BinOp::IntMinus
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Rem => Operands::Ints,
        BinOp::Iff | BinOp::Implies | BinOp::Until | BinOp::Since | BinOp::Triggered | BinOp::Releases => {
            Operands::Formulas
        }
        _ => Operands::Sets,
    }
}
