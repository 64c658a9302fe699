//! Relational logic over finite universes.
//!
//! A problem is a [`Universe`] of atoms, relations with [`Bounds`] over it, and a [`Formula`] built in an [`Ast`].
//! What does not live here: any language (a front end translates into these types), any file, any printing.

pub mod ast;
mod bits;
mod bounds;
mod circuit;
mod cnf;
mod core;
mod error;
mod evaluate;
mod function;
mod graph;
mod ground;
mod ints;
mod known;
mod matrix;
pub mod naive;
mod normal;
mod propagate;
pub mod sat;
mod skolem;
mod solve;
mod symmetry;
mod tuples;
mod universe;

pub use crate::core::{Core, core};
pub use ast::{
    Ast, Compare, Constant, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult,
    Quantifier, Range, Relation, Tag, Var,
};
pub use bounds::{Bound, Bounds, Instance};
pub use error::SolveError;
pub use evaluate::{EvalError, Evaluator, Violation, Violations};
pub use ground::Limits;
pub use ints::IntMode;
pub use solve::{Model, Options, Search, Statistics, Verdict, solve};
pub use tuples::TupleSet;
pub use universe::{Atom, AtomKind, Universe};
