//! Relational logic over finite universes.
//!
//! A problem is a [`Universe`] of atoms, relations with [`Bounds`] over it, and a [`Formula`] built in an [`Ast`].
//! There are two ways to an answer:
//!
//! - **Evaluate** ([`Evaluator`]): every relation has a value, an [`Instance`]. Formulas are run as join plans with
//!   indexes, integers are exact, and a false universal formula gives all its counterexamples.
//! - **Solve** ([`solve`], [`Search`]): relations are only bounded. The formula becomes a circuit and then clauses
//!   for a SAT solver; what follows are instances one by one, or a [`Core`] of tagged parts that contradict each other.
//!
//! The way of a problem through the solver, a module each: taken apart into conjuncts (`normal`), bounds tightened by
//! them (`propagate`), what is constant evaluated (`known`, `evaluate`), functions recognised (`function`),
//! existentials made relations (`skolem`), grounded over sparse matrices (`ground`, `matrix`, `bits`) into a shared
//! circuit (`circuit`), symmetric copies cut off (`symmetry`), and written as clauses (`cnf`, `sat`). What all of it
//! means is defined in [`naive`], which the tests compare everything with.
//!
//! Out of scope: any language (a front end translates into these types), any file, any printing. Values
//! computed by other means (does this network contain that address?) come in as relations with exact bounds.
//!
//! ```
//! use locus_relational::{Ast, Bounds, Decl, Evaluator, Options, TupleSet, Universe, Verdict, solve};
//!
//! // Is there a graph of three nodes in which every node has a successor, and no node reaches itself?
//! let mut universe = Universe::new();
//! let nodes = TupleSet::unary((0..3).map(|i| universe.add(format!("Node{i}"))).collect::<Vec<_>>());
//! let mut ast = Ast::new();
//! let (node, next) = (ast.relation("Node", 1), ast.relation("next", 2));
//! let mut bounds = Bounds::new(universe);
//! bounds.exact(node, nodes.clone());
//! bounds.upper(next, TupleSet::product(&[&nodes, &nodes]));
//!
//! let x = ast.var("x", 1);
//! let (node_expr, next_expr, x_expr) = (ast.rel(node), ast.rel(next), ast.var_expr(x));
//! let after = ast.join(x_expr, next_expr);
//! let has_next = ast.some(after);
//! let all_have_next = ast.all(&[Decl::one(x, node_expr)], has_next);
//! let closure = ast.closure(next_expr);
//! let reached = ast.join(x_expr, closure);
//! let reaches_itself = ast.subset(x_expr, reached);
//! let acyclic = ast.none_of(&[Decl::one(x, node_expr)], reaches_itself);
//! let both = ast.and(&[all_have_next, acyclic]);
//! assert_eq!(solve(&ast, &bounds, both, &Options::default())?.0, Verdict::Unsat);
//!
//! // Without the second condition there is one; evaluated on it, the second has counterexamples.
//! let (Verdict::Sat(model), _) = solve(&ast, &bounds, all_have_next, &Options::default())? else { unreachable!() };
//! let mut evaluator = Evaluator::new(&ast, bounds.universe(), &model.instance);
//! assert!(!evaluator.violations(acyclic, 10)?.list.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub mod passing;
mod propagate;
pub mod sat;
mod skolem;
mod solve;
mod symmetry;
mod tuples;
mod universe;

pub use crate::core::{Core, core};
pub use ast::{
    Ast, Compare, Constant, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult, Node,
    Quantifier, Range, Relation, Tag, Var,
};
pub use bounds::{Bound, Bounds, Instance};
pub use error::SolveError;
pub use evaluate::{Bindings, EvalError, Evaluator, MOST_COUNTED, Prepared, Violation, Violations, Worlds};
pub use graph::strong_parts;
pub use ground::Limits;
pub use ints::IntMode;
pub use solve::{Model, Options, Search, Statistics, Verdict, solve};
pub use tuples::TupleSet;
pub use universe::{Atom, AtomKind, Universe};
