//! The report of a search.

use std::fmt;
use std::time::Duration;

use crate::limits::Reason;
use crate::model::Model;

/// The result of a search.
pub struct Report<M: Model> {
    /// The verdict on the model.
    pub verdict: Verdict,
    /// The violations that were found: shortest first, then in a fixed order. One, unless the search was asked to
    /// continue.
    pub violations: Vec<Violation<M>>,
    /// Counts.
    pub statistics: Statistics,
    /// Per kind of action (see [`Tuning::action_kinds`](crate::Tuning::action_kinds)), how often it was taken.
    pub coverage: Vec<ActionCoverage>,
    /// The limit that ended the search before it was complete, if one did. Of a search that found as many violations
    /// as were wanted, none need have.
    pub ended: Option<Reason>,
    /// The fault of the [`Disk`](crate::Disk), if one was met.
    pub trouble: Option<String>,
}

/// The verdict of a search on the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every reachable state was explored and nothing was violated.
    Holds,
    /// Something was violated: see [`Report::violations`].
    Violated,
    /// Nothing was violated so far, but not everything was explored.
    Incomplete(Reason),
}

/// A violation and how to get there.
pub struct Violation<M: Model> {
    /// The property that was violated.
    pub kind: ViolationKind<M::Error>,
    /// The way there, from an initial state.
    pub trace: Trace<M>,
}

/// The kind of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationKind<E> {
    /// A property of initial states, by index; the trace is that state.
    Initial(usize),
    /// An invariant, by index; the last state of the trace violates it.
    Invariant(usize),
    /// A property of steps, by index; the last step of the trace violates it.
    Step(usize),
    /// The last state of the trace has no successor.
    Deadlock,
    /// A temporal property, by index; the trace is a lasso.
    Temporal(usize),
    /// The model could not evaluate something at the last state of the trace, or the step to it.
    Error(E),
}

/// A path through the state graph, possibly with a cycle at its end.
pub struct Trace<M: Model> {
    /// The states, each with the action that led to it. The first has none, nor has a stuttering step.
    pub steps: Vec<TraceStep<M>>,
    /// Where the path goes on after its last state.
    pub end: TraceEnd<M>,
    /// States of the path that are not in `steps` because they were not found again, after those that are (and
    /// before the last one, if it is known). Zero unless fingerprints collided, the model does not give the
    /// same successors each time, or it [gave up](crate::Tuning::gave_up).
    pub missing: usize,
    /// Why states are missing, if the model gave up while they were looked for.
    pub cut: Option<Reason>,
}

/// A state on a path.
pub struct TraceStep<M: Model> {
    /// The action that led here.
    pub action: Option<M::Action>,
    /// The state.
    pub state: M::State,
}

/// Where a path goes on after its last state.
pub enum TraceEnd<M: Model> {
    /// It ends.
    Finite,
    /// It stays in the last state for ever.
    Stuttering,
    /// It goes back to the state at `index` by `action` and repeats what follows for ever.
    BackTo {
        /// The place in [`Trace::steps`].
        index: usize,
        /// The action that leads back.
        action: Option<M::Action>,
    },
}

/// Counts of a search, as TLC gives them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    /// Initial states and successors, duplicates and those outside the constraints included.
    pub generated: u64,
    /// Distinct states within the constraints.
    pub distinct: u64,
    /// Generated states, each time they were, that were outside the constraints. If there are any, what holds
    /// holds within the constraints only.
    pub outside: u64,
    /// Initial states among the distinct ones.
    pub initial: u64,
    /// States on the longest of the shortest paths to each state; an initial state alone is 1.
    pub depth: u32,
    /// Distinct states that were not explored.
    pub queue: u64,
    /// Time it took.
    pub elapsed: Duration,
    /// How often states were written to disk to make room for others.
    pub spills: u32,
    /// Whether the search was saved when it ended, so that it can be gone on with.
    pub saved: bool,
    /// The most bytes that the search held (set of states, frontier, state graph).
    pub bytes: usize,
    /// The probability that some state was mistaken for another, with the number of states as the only
    /// knowledge: distinct × (generated − distinct) / 2^64.
    pub collision_estimate: f64,
    /// The same judged from the fingerprints there are: one over the least distance of two, which is that of spread
    /// fingerprints for a search in memory, and of those of the model for one on disk. Only when nothing was
    /// violated; otherwise it does not matter.
    pub collision_actual: Option<f64>,
    /// Transitions and states of the product examined for temporal properties.
    pub product: ProductSize,
}

/// The size of what was examined for temporal properties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProductSize {
    /// Stored transitions of the state graph, stuttering not counted.
    pub transitions: u64,
    /// States from which fairness can be satisfied for ever without leaving what is connected with them both ways,
    /// if that was looked at. If there are none, temporal properties hold only because no behaviour is fair.
    pub fair: Option<u64>,
    /// Pairs of a state and a state of a property's automaton that were visited, over all properties.
    pub visited: u64,
}

/// How often an action was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionCoverage {
    /// Successors it generated.
    pub generated: u64,
    /// New states among them. With several workers, which of two actions reached a state first may vary.
    pub distinct: u64,
}

impl<M: Model> Clone for TraceStep<M> {
    fn clone(&self) -> Self {
        TraceStep { action: self.action.clone(), state: self.state.clone() }
    }
}

impl<M: Model> fmt::Debug for TraceStep<M>
where
    M::Action: fmt::Debug,
    M::State: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.action {
            Some(action) => write!(f, "{action:?} -> {:?}", self.state),
            None => write!(f, "{:?}", self.state),
        }
    }
}
