//! The things that component types stand for, and the meaning of each of their states.

use locus_aeolus::{State, StateId};
use locus_meaning::Key;

/// The thing that a component type stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The key of the thing.
    pub key: Key,
    /// The name of the thing.
    pub thing: String,
    /// The meaning of each state of the type.
    pub stages: Vec<Stage>,
}

/// The meaning of a state of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// It is not there.
    Absent,
    /// It waits for others before it enters its next phase.
    Waiting,
    /// It has reached the phase that the state is named for.
    Phase,
    /// It was changed in place.
    Updated,
    /// Another has taken its place.
    Retired,
    /// It is gone, so that another can take its place.
    Gone,
    /// It was brought to the state that the state is named for, before it is deleted.
    Ending,
    /// It was brought to the state that the state is named for, as the document says how all is taken down.
    TakenDown,
}

/// The states of a component under construction, in order.
pub(super) struct Stages {
    stages: Vec<Stage>,
    states: Vec<State>,
}

impl Stages {
    /// Those of a component that is not there yet.
    pub(super) fn new() -> Self {
        let absent = State { name: "absent".to_owned(), ..State::default() };
        Self { stages: vec![Stage::Absent], states: vec![absent] }
    }

    /// Those of a component that is ready.
    pub(super) fn of(ready: State) -> Self {
        Self::new().then(vec![(Stage::Phase, ready)])
    }

    pub(super) fn push(&mut self, stage: Stage, state: State) {
        self.stages.push(stage);
        self.states.push(state);
    }

    pub(super) fn then(mut self, more: Vec<(Stage, State)>) -> Self {
        for (stage, state) in more {
            self.push(stage, state);
        }
        self
    }

    /// The last of them.
    pub(super) fn last(&self) -> StateId {
        StateId(self.states.len() as u32 - 1)
    }

    pub(super) fn into_parts(self) -> (Vec<Stage>, Vec<State>) {
        (self.stages, self.states)
    }
}
