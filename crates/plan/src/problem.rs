//! The input and the output of the planner.

use locus_aeolus::{Action, ComponentId, Configuration, PortId, StateId, TypeId, Universe};

/// A component that the wanted configuration has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its type.
    pub kind: TypeId,
    /// The state in which it is wanted.
    pub state: StateId,
    /// The deployed component that it is, if it must be one of those.
    pub existing: Option<ComponentId>,
    /// The name for it, if it is created.
    pub name: Option<String>,
    /// Whether it is deleted as soon as it is in that state and nobody needs it any more.
    pub then_delete: bool,
}

/// The fate of deployed components that are not wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Others {
    /// They stay.
    #[default]
    Keep,
    /// They are deleted.
    Delete,
}

/// A question: from a correct configuration to one with certain components, never through an incorrect one.
#[derive(Clone, Debug)]
pub struct Problem<'a> {
    /// The component types.
    pub universe: &'a Universe,
    /// The deployed configuration.
    pub start: &'a Configuration,
    /// The names of the deployed components, by id.
    pub names: &'a [String],
    /// The components that must be deployed at the end.
    pub wanted: Vec<Wanted>,
    /// The fate of the other deployed components.
    pub others: Others,
}

/// A component of a plan: deployed at the start, or created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: TypeId,
    /// Whether the plan creates it.
    pub is_new: bool,
}

/// A step of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The steps that must be done before, in order.
    pub after: Vec<u32>,
}

/// A plan: actions in a partial order. Steps are listed in one of the orders that it allows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// The components that occur, by id: those deployed at the start come first.
    pub components: Vec<Planned>,
    /// The steps.
    pub steps: Vec<Step>,
    /// The configuration at the end.
    pub end: Configuration,
}

/// Why a state cannot be reached: one link of the chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A state can only be entered when a port is provided, and nothing that can be reached provides it.
    Port {
        /// The state that requires it.
        of: (TypeId, StateId),
        /// The port.
        port: PortId,
        /// The states that would provide it.
        providers: Vec<(TypeId, StateId)>,
    },
    /// No transition leads to the state from one that can be reached.
    NoWay {
        /// The state.
        of: (TypeId, StateId),
        /// The states from which a transition leads to it.
        from: Vec<(TypeId, StateId)>,
    },
    /// Components of the type cannot be created, since the initial state requires a port from the first moment.
    NotCreatable {
        /// The type.
        kind: TypeId,
        /// The port.
        port: PortId,
    },
}

/// The answer of the planner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A plan.
    Plan(Plan),
    /// There is none: the first reason is about what is wanted, each further one about one before it.
    None(Vec<Reason>),
    /// None was found; in words, within what bounds.
    Unknown(String),
}
