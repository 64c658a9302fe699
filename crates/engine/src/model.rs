//! The core as a model to explore, with an environment around it: people, workers that crash, and a cloud.
//!
//! The exploration runs [`step`] itself. The environment is as wide as the specification that it is compared with
//! allows.

mod canonical;
mod lifecycle;
mod protocol;
mod workers;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};

use locus_explore::{InitialSink, Model, Properties, Saving, StepSink, Tuning, state_graph};

use self::canonical::{Graph, assert_same};
use crate::failure::{Failure, Left};
use crate::input::{Effect, Input, Outcome, Refusal};
use crate::state::{Does, Phase, Planned, State};
use crate::step::step;

/// An environment of the core.
trait Environment: Sync {
    type State: Clone + Send + Hash;

    fn initial(&self) -> Vec<Self::State>;

    /// All that can happen next, each with a name.
    fn next(&self, state: &Self::State) -> Vec<(String, Self::State)>;

    /// The invariants that a state violates.
    fn violated(&self, _state: &Self::State) -> Vec<usize> {
        Vec::new()
    }
}

struct Explored<E>(E);

impl<E: Environment> Model for Explored<E> {
    type State = E::State;
    type Action = String;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = self.0.initial().iter().try_for_each(|state| sink(worker, state));
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &E::State,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let _ = self.0.next(state).iter().try_for_each(|(action, next)| sink(worker, action, next));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &E::State) -> Result<u64, Infallible> {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        Ok(hasher.finish())
    }

    fn check_state(
        &self,
        (): &mut (),
        state: &E::State,
        violated: &mut Vec<usize>,
    ) -> Result<(), Infallible> {
        violated.extend(self.0.violated(state));
        Ok(())
    }
}

impl<E: Environment> Properties for Explored<E> {}
impl<E: Environment> Saving for Explored<E> {}
impl<E: Environment> Tuning for Explored<E> {}

/// The graph of an environment, as far as a projection shows it.
fn projected<E: Environment>(environment: E, project: impl Fn(&E::State) -> String) -> Graph {
    let listed = state_graph(&Explored(environment), 3_000_000).unwrap_or_else(|_| panic!("small"));
    let texts: Vec<String> = listed.states.iter().map(project).collect();
    let steps = listed.steps.iter().map(|step| (texts[step.from].clone(), texts[step.to].clone()));
    Graph {
        steps: steps.filter(|(from, to)| from != to).collect(),
        initial: listed.initial.iter().map(|&place| texts[place].clone()).collect(),
        states: texts.into_iter().collect(),
    }
}

/// The state after an input that must be accepted.
fn must(state: &State, input: Input) -> State {
    let told = format!("{input:?}");
    let (state, effects) = step(state.clone(), input);
    assert!(!matches!(effects[..], [Effect::Refused(_)]), "{told} is refused: {effects:?}");
    assert!(state.is_connected(), "after {told}");
    state
}

/// The state after an input, if it is accepted.
fn may(state: &State, input: Input) -> Result<(State, Vec<Effect>), Refusal> {
    let (state, effects) = step(state.clone(), input);
    if let [Effect::Refused(refusal)] = effects[..] {
        Err(refusal)
    } else {
        assert!(state.is_connected());
        Ok((state, effects))
    }
}

fn planned(node: &str, does: Does, needs: Vec<u32>, cleanup: bool) -> Planned {
    Planned { node: node.to_owned(), does, operation: String::new(), desired: String::new(), needs, cleanup }
}

/// Plans with one step and, where asked for, one that cleans up behind it.
fn plans() -> [Vec<Planned>; 2] {
    let only = planned("n", Does::Change, Vec::new(), false);
    [vec![only.clone()], vec![only, planned("old", Does::Delete, Vec::new(), true)]]
}

/// All that can become of the steps of a plan when one worker does each at once, and it works or fails for good.
fn worked(state: &State) -> Vec<State> {
    let mut all = Vec::new();
    for (place, step) in state.steps.iter().enumerate() {
        if !state.is_claimable(step) {
            continue;
        }
        let claim = Input::Claim { step: place as u32, worker: "w".to_owned(), now: 0, until: 0 };
        let (claimed, effects) = may(state, claim).expect("it is claimable");
        let Some(Effect::Intend(ticket)) = effects.last() else { panic!("{effects:?}") };
        let intended = must(&claimed, Input::Intend { ticket: ticket.clone() });
        let ends = [
            Outcome::Done { id: String::new(), outputs: BTreeMap::new() },
            Outcome::Failed(Failure::refused("").leaving(Left::Something)),
        ];
        all.extend(
            ends.map(|outcome| must(&intended, Input::Record { ticket: ticket.clone(), outcome, now: 0 })),
        );
    }
    all
}

/// Forgets the steps and nodes of what has ended, which nothing refers to any more; else numbers would grow for ever.
fn forget(state: &mut State) {
    if state.phase == Phase::Idle || (state.phase == Phase::DrainToUndo && state.is_drained()) {
        state.steps.clear();
        state.connect();
        state.nodes.clear();
    }
}
