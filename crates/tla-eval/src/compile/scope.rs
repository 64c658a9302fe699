//! The meaning of names while a specification is compiled.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use crate::semantic::{DefId, ExprId, LocalId, OpRef};

use crate::value::Value;

use super::facts::Facts;
use crate::eval::ir::{Node, Slot, new_number};

/// How an expression is meant where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Mode {
    /// Under a prime: variables are those of the next state.
    pub prime: bool,
    /// In the initial predicate: variables are those of the state that is being found.
    pub init: bool,
    /// Within `ENABLED`: the number of its shadow variables' table, and 0 outside.
    pub enabled: u32,
}

/// The names in scope, innermost first.
#[derive(Clone, Default)]
pub struct Scope(Option<Rc<Link>>);

struct Link {
    entry: Entry,
    up: Scope,
    number: u32,
}

impl Link {
    fn new(entry: Entry, up: &Scope) -> Self {
        Self { entry, up: up.clone(), number: new_number() }
    }
}

enum Entry {
    Local(LocalId, Binding),
    Def(DefId, DefBinding),
}

/// The meaning of a parameter or bound variable.
#[derive(Clone)]
pub enum Binding {
    /// A value in a slot.
    Slot(Slot),
    /// A parameter of a recursive operator, and whether its arguments are primed.
    Param(Slot, bool),
    /// A value that is known already.
    Value(Value),
    /// An expression of the surroundings.
    Expr(Rc<Argument>),
    /// An operator of the surroundings.
    Op(OpRef, Scope),
}

/// An argument or definition: an expression with its own surroundings.
pub struct Argument {
    /// The expression.
    pub expr: ExprId,
    /// Set when the definition is complete: a `LET` is in its own scope.
    pub scope: RefCell<Scope>,
    /// How it is meant.
    pub mode: Mode,
    /// The slot that keeps its value, given when first needed.
    pub slot: OnceCell<Slot>,
    pub(crate) thunk: OnceCell<(Arc<Node>, Facts)>,
}

/// The meaning of a `LET` definition.
#[derive(Clone)]
pub enum DefBinding {
    /// An expression without parameters.
    Expr(Rc<Argument>),
    /// An operator; the scope it is defined in.
    Op(Rc<RefCell<Scope>>),
}

impl Scope {
    pub(crate) fn with_local(&self, local: LocalId, binding: Binding) -> Self {
        Self(Some(Rc::new(Link::new(Entry::Local(local, binding), self))))
    }

    /// The same with a name for a value.
    #[must_use]
    pub fn with_value(&self, local: LocalId, value: Value) -> Self {
        self.with_local(local, Binding::Value(value))
    }

    pub(crate) fn with_def(&self, def: DefId, binding: DefBinding) -> Self {
        Self(Some(Rc::new(Link::new(Entry::Def(def, binding), self))))
    }

    /// The meaning of a parameter or bound variable.
    pub fn local(&self, local: LocalId) -> Option<&Binding> {
        let mut at = self;
        while let Some(link) = &at.0 {
            match &link.entry {
                Entry::Local(id, binding) if *id == local => return Some(binding),
                _ => at = &link.up,
            }
        }
        None
    }

    /// The meaning of a `LET` definition.
    pub fn def(&self, def: DefId) -> Option<&DefBinding> {
        let mut at = self;
        while let Some(link) = &at.0 {
            match &link.entry {
                Entry::Def(id, binding) if *id == def => return Some(binding),
                _ => at = &link.up,
            }
        }
        None
    }

    /// The expression that a parameter stands for, with its scope.
    pub fn argument_of(&self, local: LocalId) -> Option<(ExprId, Self)> {
        match self.local(local)? {
            Binding::Expr(argument) => Some((argument.expr, argument.scope.borrow().clone())),
            _ => None,
        }
    }

    /// The expression of a `LET` definition without parameters, with its scope.
    pub fn let_definition(&self, def: DefId) -> Option<(ExprId, Self)> {
        match self.def(def)? {
            DefBinding::Expr(argument) => Some((argument.expr, argument.scope.borrow().clone())),
            DefBinding::Op(_) => None,
        }
    }

    /// A number that no other scope has; none for that without names.
    pub fn id(&self) -> Option<u32> {
        self.0.as_ref().map(|link| link.number)
    }

    /// Whether two scopes are the same one.
    pub fn is(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}
