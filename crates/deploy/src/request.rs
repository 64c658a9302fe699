//! Requests to the engine: an input is put into a deployment, and what comes of it is kept.

use locus_engine::{Effect, Input, Kind, OnFailure, Planned, Refusal, State, Time, step};
use locus_store::{Store, Stored};

use crate::{Error, Goal};

/// Puts an input into a deployment and keeps what comes of it.
///
/// # Errors
/// If the store fails, or somebody else has changed the deployment.
pub fn put(
    store: &dyn Store,
    stored: &mut Stored,
    input: &Input,
    now: Time,
) -> Result<Result<Vec<Effect>, Refusal>, locus_store::Error> {
    let effects = store.change(stored, now, &mut |state| {
        let (next, effects) = step(std::mem::take(state), input.clone());
        *state = next;
        effects
    })?;
    Ok(if let [Effect::Refused(refusal)] = effects[..] { Err(refusal) } else { Ok(effects) })
}

/// A request, and who sends it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// All that it asks for.
    pub kind: Kind,
    /// All that becomes of what was done when it fails.
    pub on_failure: OnFailure,
    /// The user who asks.
    pub by: &'a str,
    /// The document that it is made from, as it is stored; none if there is none.
    pub document: Option<&'a str>,
}

/// How often a plan is made again because somebody else has changed something in the meantime.
const TRIES: usize = 10;

/// Sends a request and begins to apply it, along the path that is planned for it. The path is good only for what it
/// was planned for: if somebody else changes the deployment meanwhile, it is planned again.
///
/// # Errors
/// If the store fails, there is no path, or the engine does not take the request.
pub fn begin(
    store: &dyn Store,
    stored: &mut Stored,
    asked: Asked<'_>,
    goal: Option<&Goal>,
    now: &dyn Fn() -> Time,
    mut path: impl FnMut(&Stored) -> Result<Vec<Planned>, Error>,
) -> Result<(), Error> {
    let desired = match (goal, goal_of(&stored.state)?) {
        (Some(goal), Some(before)) => goal.with_sites_of(before)?.text(),
        (Some(goal), None) => goal.text(),
        (None, _) => String::new(),
    };
    let Asked { kind, on_failure, by, document } = asked;
    let submit = Input::Submit { kind, on_failure, desired, by: by.to_owned() };
    let _ = put(store, stored, &submit, now())?;
    let request = stored.state.requests.len() - 1;
    if let Some(document) = document {
        store.keep_document(stored, request, document)?;
    }
    let _ = put(store, stored, &Input::Check { request, valid: true }, now())?;
    for older in 0..request {
        let _ = put(store, stored, &Input::Supersede { request: older }, now())?;
    }
    let _ = put(store, stored, &Input::Process { request }, now())?;
    for _ in 0..TRIES {
        let (plan, why) = match path(stored) {
            Ok(steps) => (Some(steps), None),
            Err(why) => (None, Some(why)),
        };
        let (state, effects) = step(std::mem::take(&mut stored.state), Input::Begin { request, plan });
        stored.state = state;
        if let [Effect::Refused(refusal)] = effects[..] {
            why.map_or(Ok(()), Err)?;
            return Err(Error::Busy { name: stored.name.clone(), refusal });
        }
        match store.commit(stored, &effects, now()) {
            Err(locus_store::Error::Conflict) => {
                let newest = store.load(&stored.name)?.filter(|newest| newest.key == stored.key);
                *stored = newest.ok_or(locus_store::Error::NotThere)?;
            }
            other => {
                other?;
                return why.map_or(Ok(()), Err);
            }
        }
    }
    Err(Error::Busy { name: stored.name.clone(), refusal: Refusal::Busy })
}

/// The newest goal of a deployment.
///
/// # Errors
/// If it cannot be read.
pub fn goal_of(state: &State) -> Result<Option<Goal>, Error> {
    let newest = state.requests.iter().rev().find(|request| !request.desired.is_empty());
    newest.map_or(Ok(None), |request| Goal::parse(&request.desired))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use locus_engine::{Does, Phase};
    use locus_store::Memory;

    use super::*;

    const BOTH: Asked<'static> =
        Asked { kind: Kind::Deploy, on_failure: OnFailure::Keep, by: "ada", document: None };

    fn planned(node: &str) -> Vec<Planned> {
        let (node, operation) = (node.to_owned(), "create".to_owned());
        let (desired, needs) = (String::new(), Vec::new());
        vec![Planned { node, does: Does::Create, operation, desired, needs, cleanup: false }]
    }

    /// A plan is not begun if somebody else has changed the deployment since it was made.
    #[test]
    fn a_plan_for_what_is_no_longer_there_is_made_again() {
        let store = Memory::default();
        let mut stored = store.create("x", None).expect("it is in memory");
        let tries = Cell::new(0);
        begin(&store, &mut stored, BOTH, None, &|| 0, |_| {
            tries.set(tries.get() + 1);
            if tries.get() == 1 {
                let mut other = store.load("x").expect("it is in memory").expect("it is there");
                put(&store, &mut other, &Input::Review, 0)
                    .expect("it is in memory")
                    .expect("nothing goes on");
            }
            Ok(planned(if tries.get() == 1 { "stale" } else { "fresh" }))
        })
        .expect("nobody else goes on");
        assert_eq!((tries.get(), stored.state.steps[0].planned.node.as_str()), (2, "fresh"));
        let kept = store.load("x").expect("it is in memory").expect("it is there");
        assert_eq!((kept.state.phase, &kept.state), (Phase::Forward, &stored.state));
    }

    /// Of two who ask at once, the one that comes second is refused, and nothing of what the first one does is changed.
    #[test]
    fn of_two_who_ask_at_once_one_goes_on() {
        let store = Memory::default();
        let mut first = store.create("x", None).expect("it is in memory");
        let mut second = first.clone();
        begin(&store, &mut first, BOTH, None, &|| 0, |_| Ok(planned("a"))).expect("it is the first");
        let refused = begin(&store, &mut second, BOTH, None, &|| 0, |_| Ok(planned("b")));
        assert!(matches!(refused, Err(Error::Busy { .. })), "{refused:?}");
        let kept = store.load("x").expect("it is in memory").expect("it is there");
        assert_eq!(kept.state.steps[0].planned.node, "a");
    }
}
