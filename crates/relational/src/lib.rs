//! Relational logic over finite universes.
//!
//! A problem is a [`Universe`] of atoms, relations with [`Bounds`] over it, and a [`Formula`] built in an [`Ast`].
//! What does not live here: any language (a front end translates into these types), any file, any printing.

pub mod ast;
mod bounds;
mod tuples;
mod universe;

pub use ast::{
    Ast, Compare, Constant, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult,
    Quantifier, Range, Relation, Tag, Var,
};
pub use bounds::{Bound, Bounds, Instance};
pub use tuples::TupleSet;
pub use universe::{Atom, AtomKind, Universe};
