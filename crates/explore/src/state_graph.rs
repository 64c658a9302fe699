//! The whole state graph of a small model, states and all: to draw it, or to compare two models.

use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::model::{Explorable, Model};

/// Every state within the constraints, and every step between them. States are in the order in which a
/// breadth-first search finds them.
pub struct StateGraph<M: Model> {
    /// The states; elsewhere they are places in this list.
    pub states: Vec<M::State>,
    /// Their fingerprints.
    pub fingerprints: Vec<u64>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// The steps, those of the first state first. A step that the model gives twice is here twice.
    pub steps: Vec<GraphStep<M>>,
}

/// A step between two states of a [`StateGraph`].
pub struct GraphStep<M: Model> {
    /// Where it begins.
    pub from: usize,
    /// Its label.
    pub action: M::Action,
    /// Where it leads.
    pub to: usize,
}

/// Why there is no state graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphError<E> {
    /// There are more states and steps than asked for.
    TooLarge {
        /// The limit on states and steps together.
        limit: usize,
    },
    /// The model failed.
    Model(E),
}

impl<E: fmt::Display> fmt::Display for GraphError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::TooLarge { limit } => {
                write!(f, "the state graph has more than {limit} states and steps")
            }
            GraphError::Model(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for GraphError<E> {}

/// Is shown a state graph, piece by piece, by [`walk`].
pub trait Visitor<M: Model> {
    /// A state that was not seen before. States are numbered from 0 in the order in which they are found; initial ones
    /// come before all others.
    fn state(
        &mut self,
        worker: &mut M::Worker,
        number: usize,
        state: &M::State,
        is_initial: bool,
    ) -> ControlFlow<()>;

    /// A step; both states were shown before. A step that the model gives twice is shown twice. What the action is
    /// about is still known to the worker.
    fn step(&mut self, worker: &mut M::Worker, from: usize, action: &M::Action, to: usize)
    -> ControlFlow<()>;
}

/// Walks through the state graph of `model`, breadth first, until all was shown or the visitor has had enough. Only
/// the states that are not explored yet are held, and the fingerprints of all.
pub fn walk<M: Explorable>(model: &M, visitor: &mut impl Visitor<M>) -> Result<(), M::Error> {
    let mut worker = model.worker();
    let mut walk =
        Walk { model, known: FxHashMap::default(), queue: VecDeque::new(), depth: 1, failed: None };
    let mut has_enough = false;
    model.at_depth(&mut worker, 0);
    let result = model.initial_states(&mut worker, &mut |worker, state| {
        let flow = walk.place(worker, state, None, visitor).map(|_| ());
        has_enough |= flow.is_none();
        if flow.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    walk.check(result)?;
    while let Some((from, state, depth)) = walk.queue.pop_front() {
        if has_enough {
            break;
        }
        walk.depth = depth + 1;
        model.at_depth(&mut worker, depth);
        let result = model.successors(&mut worker, &state, &mut |worker, action, next| {
            let flow = match walk.place(worker, next, Some((&state, action)), visitor) {
                Some(Some(to)) => visitor.step(worker, from, action, to),
                Some(None) => ControlFlow::Continue(()),
                None => ControlFlow::Break(()),
            };
            has_enough |= flow.is_break();
            flow
        });
        walk.check(result)?;
    }
    Ok(())
}

struct Walk<'a, M: Model> {
    model: &'a M,
    known: FxHashMap<u64, usize>,
    /// States to explore, each with its number and the number of states on the way to it.
    queue: VecDeque<(usize, M::State, u32)>,
    /// That number for a state that is found now.
    depth: u32,
    failed: Option<M::Error>,
}

impl<M: Explorable> Walk<'_, M> {
    /// The number of a state, which the visitor is shown if it is new: none within if it is outside the constraints,
    /// and none at all if the walk ends here.
    #[expect(
        clippy::option_option,
        reason = "the outer one ends the walk, the inner one is a state that is not there"
    )]
    fn place(
        &mut self,
        worker: &mut M::Worker,
        state: &M::State,
        by: Option<(&M::State, &M::Action)>,
        visitor: &mut impl Visitor<M>,
    ) -> Option<Option<usize>> {
        match self.number(worker, state, by) {
            Ok(Some((number, true))) => {
                self.queue.push_back((number, state.clone(), self.depth));
                visitor.state(worker, number, state, by.is_none()).is_continue().then_some(Some(number))
            }
            Ok(known) => Some(known.map(|(number, _)| number)),
            Err(error) => {
                self.failed = Some(error);
                None
            }
        }
    }

    /// The number of a state, and whether it is new; none if it is outside the constraints.
    fn number(
        &mut self,
        worker: &mut M::Worker,
        state: &M::State,
        by: Option<(&M::State, &M::Action)>,
    ) -> Result<Option<(usize, bool)>, M::Error> {
        if !self.model.is_within(worker, state)? {
            return Ok(None);
        }
        if let Some((from, action)) = by
            && !self.model.is_step_within(worker, from, action, state)?
        {
            return Ok(None);
        }
        let fingerprint = self.model.fingerprint(worker, state)?;
        let next = self.known.len();
        let number = *self.known.entry(fingerprint).or_insert(next);
        Ok(Some((number, number == next)))
    }

    fn check(&mut self, result: Result<(), M::Error>) -> Result<(), M::Error> {
        self.failed.take().map_or(result, Err)
    }
}

/// Lists the state graph of `model` if it has at most `limit` states and steps together.
pub fn state_graph<M: Explorable>(model: &M, limit: usize) -> Result<StateGraph<M>, GraphError<M::Error>> {
    let graph =
        StateGraph { states: Vec::new(), fingerprints: Vec::new(), initial: Vec::new(), steps: Vec::new() };
    let mut listing = Listing { graph, limit };
    walk(model, &mut listing).map_err(GraphError::Model)?;
    if listing.is_over() {
        return Err(GraphError::TooLarge { limit });
    }
    let mut graph = listing.graph;
    let mut worker = model.worker();
    for state in &graph.states {
        graph.fingerprints.push(model.fingerprint(&mut worker, state).map_err(GraphError::Model)?);
    }
    Ok(graph)
}

struct Listing<M: Model> {
    graph: StateGraph<M>,
    limit: usize,
}

impl<M: Model> Listing<M> {
    fn is_over(&self) -> bool {
        self.graph.states.len() + self.graph.steps.len() > self.limit
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<M: Model> Visitor<M> for Listing<M> {
    fn state(
        &mut self,
        _: &mut M::Worker,
        number: usize,
        state: &M::State,
        is_initial: bool,
    ) -> ControlFlow<()> {
        self.graph.states.push(state.clone());
        if is_initial {
            self.graph.initial.push(number);
        }
        self.flow()
    }

    fn step(&mut self, _: &mut M::Worker, from: usize, action: &M::Action, to: usize) -> ControlFlow<()> {
        self.graph.steps.push(GraphStep { from, action: action.clone(), to });
        self.flow()
    }
}
