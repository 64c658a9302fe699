//! What to check: the configuration in terms of names.

use crate::semantic::ExprId;

/// The configuration of a check.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The temporal formula that is the specification.
    pub specification: Option<String>,
    /// The initial predicate, if not given by the specification.
    pub init: Option<String>,
    /// The next-state action, if not given by the specification.
    pub next: Option<String>,
    /// What constants and operators stand for.
    pub constants: Vec<Assignment>,
    /// Predicates that hold in every state.
    pub invariants: Vec<String>,
    /// Formulas that hold of every behaviour.
    pub properties: Vec<String>,
    /// Predicates outside of which the search does not go.
    pub constraints: Vec<String>,
    /// The same for steps.
    pub action_constraints: Vec<String>,
    /// A set of permutations of model values.
    pub symmetry: Option<String>,
    /// What of a state tells it from others.
    pub view: Option<String>,
    /// What to show of a state.
    pub alias: Option<String>,
    /// A predicate that holds after the search.
    pub postcondition: Option<String>,
    /// Whether a state without successor is an error; the default is yes.
    pub deadlock: Option<bool>,
}

/// `name = value`, `name <- operator` or `name <- [module] operator`.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The constant or operator.
    pub name: String,
    /// The module in which it is replaced, if not everywhere.
    pub module: Option<String>,
    /// What it stands for.
    pub value: Assigned,
}

/// What a constant or operator stands for.
#[derive(Clone, Debug)]
pub enum Assigned {
    /// A value.
    Value(Literal),
    /// A definition of the root module.
    Definition(String),
    /// An expression.
    Expression(ExprId),
}

/// A value in a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// A model value.
    Model(String),
    /// An integer, as written.
    Integer(String),
    /// A string.
    String(String),
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A set of values.
    Set(Vec<Literal>),
}
