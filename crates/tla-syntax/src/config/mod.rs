//! TLC's configuration files: which behaviour to check, against what, with which constants.
//!
//! [`parse`] reads the text, [`Model::resolve`] finds what its names mean in a specification. The grammar is TLC's,
//! with one addition: a constant's value may be any TLA+ expression, as in `N = 1..3 \X {a, b}`.

mod circle;
mod parse;
mod redirect;
mod resolve;
mod section;

use locus_source::{FileId, Span};

use crate::semantic::Level;
use crate::syntax::ast::{Expr, Ident};

pub use parse::{parse, parse_with};
pub use resolve::{Binding, Model, Selected};
pub use section::section;

/// A configuration as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `SPECIFICATION`.
    pub specification: Option<Ident>,
    /// `INIT`.
    pub init: Option<Ident>,
    /// `NEXT`.
    pub next: Option<Ident>,
    /// `VIEW`.
    pub view: Option<Ident>,
    /// `SYMMETRY`.
    pub symmetry: Option<Ident>,
    /// `ALIAS`.
    pub alias: Option<Ident>,
    /// `INVARIANT`.
    pub invariants: Vec<Ident>,
    /// `PROPERTY`.
    pub properties: Vec<Ident>,
    /// `CONSTRAINT`.
    pub constraints: Vec<Ident>,
    /// `ACTION_CONSTRAINT`.
    pub action_constraints: Vec<Ident>,
    /// `POSTCONDITION`.
    pub postconditions: Vec<Ident>,
    /// `_POSSIBLE`.
    pub possible: Vec<Ident>,
    /// `CHECK_DEADLOCK`.
    pub check_deadlock: Option<bool>,
    /// `CONSTANT`, in order.
    pub constants: Vec<Assignment>,
    /// Expressions that are given beside the file.
    pub expressions: Vec<Expression>,
    /// Sections that TLC knows and that change nothing about a verdict here, such as `_PERIODIC`.
    pub ignored: Vec<Ident>,
}

/// An expression in the names of the specification, which is not written in the configuration but beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The file that it fills.
    pub file: FileId,
    /// The option that needs it, such as `--trace-expr`.
    pub user: &'static str,
    /// The highest level that it may have.
    pub highest: Level,
}

/// One line under `CONSTANT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The constant or definition, with `!` if it is one of an instance.
    pub name: Ident,
    /// For `Op(1, 2) = 3`, the arguments.
    pub args: Vec<Value>,
    /// For `N <-[M] Def` and `N = [M] 3`, the module.
    pub module: Option<Ident>,
    /// The value that stands for the constant.
    pub value: Assigned,
    /// The whole line.
    pub span: Span,
}

/// The value assigned to a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assigned {
    /// `= value`.
    Value(Value),
    /// `<- Definition`.
    Definition(Ident),
}

/// A value as configurations have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number in decimal digits, perhaps with a minus sign.
    Number(Box<str>),
    /// A string.
    String(Box<str>),
    /// `TRUE` or `FALSE`.
    Bool(bool),
    /// A model value: a name that is equal only to itself.
    Model(Ident),
    /// `{…}`.
    Set(Vec<Value>),
    /// Any other expression of TLA+.
    Expr(Box<Expr>),
}
