//! Algorithms as trees.

use super::expr::Expr;
use super::lines::Spot;

/// An algorithm.
#[derive(Clone, Debug)]
pub(super) struct Algorithm {
    pub(super) variables: Vec<Variable>,
    /// The definitions in `define`.
    pub(super) definitions: Expr,
    pub(super) procedures: Vec<Procedure>,
    pub(super) body: Body,
}

/// The body of an algorithm.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// One sequence of steps.
    Single(Vec<Labeled>),
    /// Processes.
    Processes(Vec<Process>),
}

/// A variable with its initial value, or the set that it is in.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) is_equal: bool,
    pub(super) value: Expr,
    pub(super) spot: Spot,
}

/// The labels with a modifier in a process or procedure, and the procedures that it calls.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    /// `lb:+`.
    pub(super) plus: Vec<String>,
    /// `lb:-`.
    pub(super) minus: Vec<String>,
    pub(super) calls: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Procedure {
    pub(super) name: String,
    pub(super) params: Vec<Variable>,
    pub(super) variables: Vec<Variable>,
    pub(super) marks: Marks,
    pub(super) body: Vec<Labeled>,
    pub(super) spot: Spot,
}

/// The fairness that is assumed of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fairness {
    None,
    Weak,
    Strong,
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) name: String,
    /// Whether it is one, rather than a set of them.
    pub(super) is_equal: bool,
    pub(super) id: Expr,
    pub(super) fairness: Fairness,
    pub(super) variables: Vec<Variable>,
    pub(super) marks: Marks,
    pub(super) body: Vec<Labeled>,
    pub(super) spot: Spot,
}

/// A step: statements from one label to the next.
#[derive(Clone, Debug)]
pub(super) struct Labeled {
    pub(super) label: String,
    pub(super) statements: Vec<Statement>,
    pub(super) spot: Spot,
}

/// A statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    /// Empty, if it has none.
    pub(super) label: String,
    pub(super) kind: Kind,
    pub(super) spot: Spot,
    /// Where the macro was called that it comes from.
    pub(super) called: Option<Spot>,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The statements up to the first label in it, then the rest.
    While(Expr, Vec<Statement>, Vec<Labeled>),
    Assign(Vec<Assignment>),
    If(Expr, Branch, Branch),
    Either(Vec<Branch>),
    With {
        name: String,
        is_equal: bool,
        value: Expr,
        body: Vec<Statement>,
    },
    When(Expr),
    Print(Expr),
    Assert(Expr),
    Skip,
    Call {
        to: String,
        args: Vec<Expr>,
        then: Then,
    },
    Return(Option<String>),
    Goto(String),
    Macro(String, Vec<Expr>),
}

/// The continuation after a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Then {
    Next,
    /// A `return` from this procedure, if it stands in one.
    Return(Option<String>),
    Goto(String),
}

/// A part of an `if` or `either`: the statements up to the first label in it, then the rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    pub(super) statements: Vec<Statement>,
    pub(super) labeled: Vec<Labeled>,
}

/// `x[i] := e`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) subscript: Expr,
    pub(super) value: Expr,
    pub(super) spot: Spot,
}

impl Statement {
    pub(super) fn new(kind: Kind, spot: Spot) -> Self {
        Self { label: String::new(), kind, spot, called: None }
    }

    /// An assignment that the translation adds.
    pub(super) fn assign(name: &str, value: Expr, spot: Spot) -> Self {
        let assignment = Assignment { name: name.to_owned(), subscript: Expr::default(), value, spot };
        Self::new(Kind::Assign(vec![assignment]), spot)
    }

    /// Its place in words, as they stand in the message of an assertion.
    pub(super) fn location(&self) -> String {
        let place = |(line, column): Spot| format!("line {}, column {}", line + 1, column + 1);
        match self.called {
            Some(called) => format!("{} of macro called at {}", place(self.spot), place(called)),
            None => place(self.spot),
        }
    }
}
