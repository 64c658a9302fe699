//! Faults: what an evaluation reports when it cannot give a value.

use locus_source::Place;

use super::{Names, Value};

/// The result of an evaluation. The fault is boxed so that the good case stays two words.
pub type Outcome<T> = Result<T, Box<Fault>>;

/// The most operators that a fault names on its way out.
const MAX_TRAIL: usize = 20;

/// Why an evaluation failed, and where.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The kind of the fault.
    pub kind: FaultKind,
    /// The innermost expression that failed, once known.
    pub place: Option<Place>,
    /// The operators and quantifiers that were being evaluated, innermost first: description and place.
    pub trail: Vec<(String, Place)>,
}

/// The kind of a fault.
#[derive(Clone, Debug)]
pub enum FaultKind {
    /// An operator was given a value of another kind than it takes.
    Type {
        /// The operator as written.
        operator: &'static str,
        /// The kind of value that it takes.
        expected: &'static str,
        /// The value that it was given.
        got: Value,
    },
    /// A function applied outside of its domain.
    Domain {
        /// The function.
        function: Value,
        /// The argument.
        argument: Value,
    },
    /// A `CHOOSE` for which no element fits.
    NoChoice(Value),
    /// A set that cannot be enumerated because it is infinite.
    Infinite(Value),
    /// `Assert(FALSE, message)`.
    Assertion(Value),
    /// A primed variable was read before it got a value, or an initial one likewise (`false`).
    Unassigned {
        /// The name of the variable.
        variable: String,
        /// Whether it is the value in the next state.
        primed: bool,
    },
    /// A limit was reached: what, and its figure.
    Limit(&'static str, String),
    /// The spec uses something that is not supported.
    Unsupported(String),
    /// Anything else.
    Other(String),
    /// Not a failure: there is no more time, or the search was asked to stop.
    Stop(locus_explore::Reason),
}

impl Fault {
    /// A fault without a place yet.
    #[cold]
    pub fn kind(kind: FaultKind) -> Box<Self> {
        Box::new(Self { kind, place: None, trail: Vec::new() })
    }

    /// A fault with a message of its own.
    #[cold]
    pub fn other(message: impl Into<String>) -> Box<Self> {
        Self::kind(FaultKind::Other(message.into()))
    }

    /// A fault because `operator` wanted something else.
    #[cold]
    pub fn wrong(operator: &'static str, expected: &'static str, got: &Value) -> Box<Self> {
        if let Value::Failed(fault) = got {
            return Box::new((**fault).clone());
        }
        Self::kind(FaultKind::Type { operator, expected, got: got.clone() })
    }

    /// Whether it lies in the specification, and not in a limit or an end of the search.
    pub fn is_of_the_specification(&self) -> bool {
        !matches!(self.kind, FaultKind::Limit(..) | FaultKind::Stop(_))
    }

    /// The same fault with a place, unless it has one.
    #[cold]
    #[must_use]
    pub fn at(mut self: Box<Self>, place: Place) -> Box<Self> {
        self.place.get_or_insert(place);
        self
    }

    /// The same fault as seen from outside of an operator that was being evaluated.
    #[cold]
    #[must_use]
    pub fn through(mut self: Box<Self>, name: &str, place: Place) -> Box<Self> {
        if self.trail.len() < MAX_TRAIL {
            self.trail.push((name.to_owned(), place));
        }
        self
    }

    /// The message, with the values in it written out.
    pub fn message(&self, names: &Names) -> String {
        match &self.kind {
            FaultKind::Type { operator, expected, got } => {
                format!("{operator} takes {expected}, but was given {}", got.shown(names).short())
            }
            FaultKind::Domain { function, argument } => format!(
                "{} is not in the domain of {}",
                argument.shown(names).short(),
                function.shown(names).short()
            ),
            FaultKind::NoChoice(set) => {
                format!("CHOOSE: no element of {} satisfies the predicate", set.shown(names).short())
            }
            FaultKind::Infinite(set) => {
                format!("{} is infinite and cannot be enumerated", set.shown(names).short())
            }
            FaultKind::Assertion(message) => match message {
                Value::Str(text) => format!("assertion failed: {}", names.text(*text)),
                other => format!("assertion failed: {}", other.shown(names)),
            },
            FaultKind::Unassigned { variable, primed: true } => {
                format!("{variable}' is read before the action gives it a value")
            }
            FaultKind::Unassigned { variable, primed: false } => {
                format!("{variable} is read before the initial predicate gives it a value")
            }
            FaultKind::Limit(what, figure) => format!("{what}: {figure}"),
            FaultKind::Unsupported(what) => format!("not supported: {what}"),
            FaultKind::Other(message) => message.clone(),
            FaultKind::Stop(reason) => reason.to_string(),
        }
    }
}
