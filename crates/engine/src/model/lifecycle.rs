//! The core beside `specs/cloudformation/StackLifecycle.tla`.

use super::canonical::{canonical, of_specification};
use super::{Environment, assert_same, forget, may, plans, projected, worked};
use crate::input::Input;
use crate::state::{Kind, OnFailure, State};

/// One person who asks for something whenever nothing goes on, or cancels what does.
struct Person;

impl Person {
    fn requests(state: &State) -> Vec<Input> {
        let mut inputs = vec![Input::Settle, Input::RollBack, Input::Review];
        inputs.extend([true, false].map(|discard| Input::Cancel { discard }));
        inputs.extend(plans().map(|plan| Input::Compensate { plan: Some(plan) }));
        inputs.push(Input::Compensate { plan: None });
        for request in 0..state.requests.len() {
            inputs.push(Input::Check { request, valid: true });
            inputs.push(Input::Process { request });
            inputs.extend(plans().map(|plan| Input::Begin { request, plan: Some(plan) }));
        }
        let is_free = state.requests.len() <= state.shown.map_or(0, |shown| shown + 1);
        if is_free {
            for kind in [Kind::Deploy, Kind::Delete, Kind::Import] {
                let policies = [OnFailure::RollBack, OnFailure::Keep, OnFailure::Delete];
                inputs.extend(policies.map(|on_failure| Input::Submit {
                    kind,
                    on_failure,
                    desired: String::new(),
                    by: String::new(),
                }));
            }
        }
        inputs
    }
}

impl Environment for Person {
    type State = State;

    fn initial(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn next(&self, state: &State) -> Vec<(String, State)> {
        let mut all = worked(state);
        all.extend(Person::requests(state).into_iter().filter_map(|input| Some(may(state, input).ok()?.0)));
        for state in &mut all {
            forget(state);
            // Of what is settled nothing follows.
            let rests = state.applying();
            if rests.is_none() && state.requests.iter().all(|request| request.status.is_settled()) {
                (state.requests, state.shown) = (Vec::new(), None);
            }
            if let Some(rests) = rests {
                state.requests.drain(..rests);
                state.shown = Some(0);
            }
        }
        all.into_iter().map(|state| (String::new(), state)).collect()
    }
}

#[test]
fn deployments_live_as_specified() {
    let specification = of_specification(
        "specs/cloudformation/StackLifecycle.tla",
        "SPECIFICATION Spec CHECK_DEADLOCK FALSE",
    );
    let code = projected(Person, |state| canonical(&format!("[status |-> \"{}\"]", state.status.as_str())));
    assert_eq!(specification.states.len(), 24);
    assert_same(&code, &specification);
}
