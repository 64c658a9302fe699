//! The whole state graph of a small model, states and all: to draw it, or to compare two models.

use std::collections::VecDeque;
use std::fmt;
use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::model::Model;

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

/// Lists the state graph of `model` if it has at most `limit` states and steps together.
pub fn state_graph<M: Model>(model: &M, limit: usize) -> Result<StateGraph<M>, GraphError<M::Error>> {
    let mut worker = model.worker();
    let mut listing = Listing {
        model,
        graph: StateGraph {
            states: Vec::new(),
            fingerprints: Vec::new(),
            initial: Vec::new(),
            steps: Vec::new(),
        },
        known: FxHashMap::default(),
        queue: VecDeque::new(),
        depth: 1,
        failed: None,
        limit,
    };
    model.at_depth(&mut worker, 0);
    let result = model.initial_states(&mut worker, &mut |worker, state| {
        let place = listing.place(worker, state, None);
        listing.note(place, |graph, place| {
            if !graph.initial.contains(&place) {
                graph.initial.push(place);
            }
        })
    });
    listing.check(result)?;
    while let Some((from, depth)) = listing.queue.pop_front() {
        listing.depth = depth + 1;
        model.at_depth(&mut worker, depth);
        let state = listing.graph.states[from].clone();
        let result = model.successors(&mut worker, &state, &mut |worker, action, next| {
            let place = listing.place(worker, next, Some((&state, action)));
            listing.note(place, |graph, to| graph.steps.push(GraphStep { from, action: action.clone(), to }))
        });
        listing.check(result)?;
    }
    Ok(listing.graph)
}

struct Listing<'a, M: Model> {
    model: &'a M,
    graph: StateGraph<M>,
    known: FxHashMap<u64, usize>,
    /// States to explore, each with the number of states on the way to it.
    queue: VecDeque<(usize, u32)>,
    /// That number for a state that is found now.
    depth: u32,
    failed: Option<GraphError<M::Error>>,
    limit: usize,
}

impl<M: Model> Listing<'_, M> {
    /// The place of a state, new or not; none if it is outside the constraints.
    fn place(
        &mut self,
        worker: &mut M::Worker,
        state: &M::State,
        by: Option<(&M::State, &M::Action)>,
    ) -> Result<Option<usize>, M::Error> {
        if !self.model.is_within(worker, state)? {
            return Ok(None);
        }
        if let Some((from, action)) = by
            && !self.model.is_step_within(worker, from, action, state)?
        {
            return Ok(None);
        }
        let fingerprint = self.model.fingerprint(worker, state)?;
        let next = self.graph.states.len();
        let place = *self.known.entry(fingerprint).or_insert(next);
        if place == next {
            self.graph.states.push(state.clone());
            self.graph.fingerprints.push(fingerprint);
            self.queue.push_back((place, self.depth));
        }
        Ok(Some(place))
    }

    fn note(
        &mut self,
        place: Result<Option<usize>, M::Error>,
        add: impl FnOnce(&mut StateGraph<M>, usize),
    ) -> ControlFlow<()> {
        match place {
            Ok(Some(place)) => add(&mut self.graph, place),
            Ok(None) => {}
            Err(error) => {
                self.failed = Some(GraphError::Model(error));
                return ControlFlow::Break(());
            }
        }
        if self.graph.states.len() + self.graph.steps.len() > self.limit {
            self.failed = Some(GraphError::TooLarge { limit: self.limit });
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn check(&mut self, result: Result<(), M::Error>) -> Result<(), GraphError<M::Error>> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => result.map_err(GraphError::Model),
        }
    }
}
