//! The core beside `specs/update/UpdateProtocol.tla`.

use super::canonical::{canonical, of_specification};
use super::{Environment, assert_same, forget, may, plans, projected, worked};
use crate::input::Input;
use crate::state::{Kind, OnFailure, State};
use crate::status::Status;

/// People who send updates of a deployment that exists.
struct People {
    requests: usize,
}

#[derive(Clone, Hash)]
struct Sent {
    core: State,
    /// Which of the people's requests has each rank.
    names: Vec<usize>,
    /// Whether there is a plan.
    conf_ok: bool,
}

impl Environment for People {
    type State = Sent;

    fn initial(&self) -> Vec<Sent> {
        let core = State { status: Status::CreateComplete, ..State::default() };
        [true, false].map(|conf_ok| Sent { core: core.clone(), names: Vec::new(), conf_ok }).into()
    }

    fn next(&self, state: &Sent) -> Vec<(String, Sent)> {
        let core = &state.core;
        let mut inputs = vec![Input::Settle, Input::RollBack, Input::Cancel { discard: false }];
        inputs.extend(plans().map(|plan| Input::Compensate { plan: Some(plan) }));
        inputs.push(Input::Compensate { plan: None });
        for request in 0..core.requests.len() {
            inputs.extend([true, false].map(|valid| Input::Check { request, valid }));
            inputs.extend([Input::Process { request }, Input::Supersede { request }]);
            if state.conf_ok {
                inputs.extend(plans().map(|plan| Input::Begin { request, plan: Some(plan) }));
            } else {
                inputs.push(Input::Begin { request, plan: None });
            }
        }
        let mut all = worked(core);
        all.extend(inputs.into_iter().filter_map(|input| Some(may(core, input).ok()?.0)));
        let mut all: Vec<Sent> = all.into_iter().map(|core| Sent { core, ..state.clone() }).collect();
        for name in (0..self.requests).filter(|name| !state.names.contains(name)) {
            for on_failure in [OnFailure::RollBack, OnFailure::Keep] {
                let submit = Input::Submit {
                    kind: Kind::Deploy,
                    on_failure,
                    desired: String::new(),
                    by: String::new(),
                };
                let mut next = Sent { core: super::must(core, submit), ..state.clone() };
                next.names.push(name);
                all.push(next);
            }
        }
        for next in &mut all {
            forget(&mut next.core);
            // Whatever an update ends in, the next one begins there.
            if next.core.status.is_usable() {
                next.core.status = Status::CreateComplete;
            }
        }
        all.into_iter().map(|state| (String::new(), state)).collect()
    }
}

fn project(people: usize, state: &Sent) -> String {
    let place = |name: usize| state.names.iter().position(|&other| other == name);
    let per_request = |of: &dyn Fn(Option<usize>) -> String| {
        let texts: Vec<String> = (0..people).map(|name| of(place(name))).collect();
        format!("<<{}>>", texts.join(", "))
    };
    let status = per_request(&|place| {
        let status = place.map_or("waiting", |place| state.core.requests[place].status.as_str());
        format!("\"{status}\"")
    });
    let rank = per_request(&|place| place.map_or(0, |place| place + 1).to_string());
    let shown = state.core.shown.map_or("NULL".to_owned(), |place| (state.names[place] + 1).to_string());
    let upper = |value: bool| if value { "TRUE" } else { "FALSE" };
    canonical(&format!(
        "[confOK |-> {}, last |-> {}, cluster |-> [req |-> {shown}, complete |-> {}], status |-> {status}, \
         rank |-> {rank}]",
        upper(state.conf_ok),
        state.names.len(),
        upper(state.core.complete),
    ))
}

#[test]
fn requests_are_treated_as_specified() {
    for people in [1, 2, 3] {
        let names: Vec<String> = (1..=people).map(|name| name.to_string()).collect();
        let specification = of_specification(
            "specs/update/UpdateProtocol.tla",
            &format!(
                "SPECIFICATION Spec CONSTANTS Reqs = {{{}}} NULL = NULL CHECK_DEADLOCK FALSE",
                names.join(", ")
            ),
        );
        let code = projected(People { requests: people }, |state| project(people, state));
        assert_same(&code, &specification);
    }
}
