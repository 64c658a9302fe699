//! The parts of expressions, for passes that treat most kinds alike.

use super::program::{Arg, Bound, DefId, ExprId, ExprKind, LocalId, OpRef, Step, SubstId};

/// A part of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// An expression within it.
    Expr(ExprId),
    /// An operator handed on or applied.
    Op(OpRef),
    /// A substitution of an instance.
    Subst(SubstId),
    /// A local that it refers to.
    Local(LocalId),
    /// A local that it binds.
    Binds(LocalId),
    /// A definition that it refers to.
    Def(DefId),
}

impl ExprKind {
    /// Calls `f` with each part: what an expression consists of, refers to and binds. The definitions of a LET
    /// are no parts of it, but those that its body refers to are parts of the body.
    pub fn parts(&self, f: &mut dyn FnMut(Part)) {
        match self {
            Self::Number(_) | Self::Decimal(_) | Self::String(_) | Self::Constant(_) | Self::Variable(_) => {}
            Self::Subst(subst) => f(Part::Subst(*subst)),
            Self::Local(local) => f(Part::Local(*local)),
            Self::Builtin(_, items)
            | Self::And(items)
            | Self::Or(items)
            | Self::SetOf(items)
            | Self::Tuple(items)
            | Self::Times(items) => exprs(items, f),
            Self::Apply(def, args) => {
                f(Part::Def(*def));
                parts_of_args(args, f);
            }
            Self::ApplyConstant(constant, args) => {
                f(Part::Op(OpRef::Constant(*constant)));
                parts_of_args(args, f);
            }
            Self::ApplyLocal(local, args) => {
                f(Part::Local(*local));
                parts_of_args(args, f);
            }
            Self::ApplySubst(subst, args) => {
                f(Part::Subst(*subst));
                parts_of_args(args, f);
            }
            Self::Quantifier(_, bounds, body) | Self::Map(body, bounds) => {
                parts_of_bounds(bounds, f);
                f(Part::Expr(*body));
            }
            Self::TemporalQuantifier(_, locals, body) => {
                for local in locals {
                    f(Part::Binds(*local));
                }
                f(Part::Expr(*body));
            }
            Self::Choose(bound, body) | Self::Filter(bound, body) => {
                parts_of_bounds(std::slice::from_ref(bound), f);
                f(Part::Expr(*body));
            }
            Self::Function { bounds, body, this } => {
                parts_of_bounds(bounds, f);
                if let Some(this) = this {
                    f(Part::Binds(*this));
                }
                f(Part::Expr(*body));
            }
            Self::FunctionSet(a, b)
            | Self::Square(a, b)
            | Self::Angle(a, b)
            | Self::Weak(a, b)
            | Self::Strong(a, b) => {
                f(Part::Expr(*a));
                f(Part::Expr(*b));
            }
            Self::Record(fields) | Self::RecordSet(fields) => {
                for field in fields {
                    f(Part::Expr(field.value));
                }
            }
            Self::Except(base, updates) => {
                f(Part::Expr(*base));
                for update in updates {
                    for step in &update.path {
                        if let Step::Index(args) = step {
                            exprs(args, f);
                        }
                    }
                    if let Some(at) = &update.at {
                        f(Part::Binds(*at));
                    }
                    f(Part::Expr(update.value));
                }
            }
            Self::Index(function, args) => {
                f(Part::Expr(*function));
                exprs(args, f);
            }
            Self::Field(inner, _) | Self::Label(_, inner) | Self::Let(_, inner) => f(Part::Expr(*inner)),
            Self::If(condition, yes, no) => exprs(&[*condition, *yes, *no], f),
            Self::Case(arms, other) => {
                for arm in arms {
                    f(Part::Expr(arm.condition));
                    f(Part::Expr(arm.value));
                }
                if let Some(other) = other {
                    f(Part::Expr(*other));
                }
            }
        }
    }
}

fn exprs(items: &[ExprId], f: &mut dyn FnMut(Part)) {
    for item in items {
        f(Part::Expr(*item));
    }
}

fn parts_of_args(args: &[Arg], f: &mut dyn FnMut(Part)) {
    for arg in args {
        match arg {
            Arg::Expr(expr) => f(Part::Expr(*expr)),
            Arg::Op(op) => f(Part::Op(*op)),
        }
    }
}

fn parts_of_bounds(bounds: &[Bound], f: &mut dyn FnMut(Part)) {
    for bound in bounds {
        if let Some(set) = &bound.set {
            f(Part::Expr(*set));
        }
        for local in &bound.locals {
            f(Part::Binds(*local));
        }
    }
}
