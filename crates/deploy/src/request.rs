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

/// Sends a request and begins to apply it, along the path that is planned for it.
///
/// # Errors
/// If the store fails, there is no path, or the engine does not take the request.
pub fn begin(
    store: &dyn Store,
    stored: &mut Stored,
    (kind, on_failure): (Kind, OnFailure),
    goal: Option<&Goal>,
    now: &dyn Fn() -> Time,
    mut path: impl FnMut(&Stored) -> Result<Vec<Planned>, Error>,
) -> Result<(), Error> {
    let desired = goal.map(Goal::text).unwrap_or_default();
    let _ = put(store, stored, &Input::Submit { kind, on_failure, desired }, now())?;
    let request = stored.state.requests.len() - 1;
    let _ = put(store, stored, &Input::Check { request, valid: true }, now())?;
    for older in 0..request {
        let _ = put(store, stored, &Input::Supersede { request: older }, now())?;
    }
    let _ = put(store, stored, &Input::Process { request }, now())?;
    let (plan, why) = match path(stored) {
        Ok(steps) => (Some(steps), None),
        Err(why) => (None, Some(why)),
    };
    let begun = put(store, stored, &Input::Begin { request, plan }, now())?;
    why.map_or(Ok(()), Err)?;
    begun.map(drop).map_err(|refusal| Error::Busy { name: stored.name.clone(), refusal })
}

/// The newest goal of a deployment.
///
/// # Errors
/// If it cannot be read.
pub fn goal_of(state: &State) -> Result<Option<Goal>, Error> {
    let newest = state.requests.iter().rev().find(|request| !request.desired.is_empty());
    newest.map_or(Ok(None), |request| Goal::parse(&request.desired))
}
