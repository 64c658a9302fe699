//! Steps: how workers claim them, intend, and record what came of it. See `specs/engine/Worker.tla`.

use crate::failure::{Failure, Left};
use crate::input::{Acceptance, Answer, Effect, Outcome, Part, Refusal, Ticket};
use crate::state::{Accepted, Claim, Does, Phase, StepState, Time};
use crate::step::Change;

pub(crate) fn claim(
    change: &mut Change<'_>,
    place: u32,
    worker: &str,
    now: Time,
    until: Time,
) -> Result<(), Refusal> {
    let step = change.state.steps.get(place as usize).ok_or(Refusal::NotThere)?;
    if !change.state.is_claimable(step) {
        return Err(Refusal::Step);
    }
    if change.state.waits_until(step, now).is_some() {
        return Err(Refusal::Early);
    }
    let name = step.planned.node.clone();
    let node = change.state.nodes.entry(name.clone()).or_default();
    node.fence += 1;
    let fence = node.fence;
    let next = change.state.alter(place, |step| {
        (step.fence, step.claim) = (fence, Some(Claim { worker: worker.to_owned(), until }));
        let ticket = Ticket { step: place, token: step.token.clone(), fence };
        match step.state {
            StepState::Open => Effect::Observe(ticket),
            StepState::Accepted => Effect::Poll(ticket),
            StepState::Again => {
                // Whoever comes next must look: this worker may call, and not come to record it.
                step.state = StepState::Open;
                Effect::Call(ticket)
            }
            _ => Effect::Intend(ticket),
        }
    });
    if change.state.steps[place as usize].state == StepState::Accepted {
        // It may be asked for a thousand times: that is nothing that happened.
        change.store(Part::Step(place));
    } else {
        change.tell(place, "claimed", format!("by {worker}"));
    }
    change.store(Part::Node(name));
    change.effects.extend(next);
    Ok(())
}

pub(crate) fn renew(change: &mut Change<'_>, worker: &str, until: Time) {
    for place in change.state.claimed().collect::<Vec<_>>() {
        if let Some(claim) = &mut change.state.steps[place as usize].claim
            && claim.worker == worker
        {
            claim.until = until;
            change.store(Part::Step(place));
        }
    }
}

/// Whether a claim is still the newest of its step.
fn accept(change: &Change<'_>, ticket: &Ticket) -> Result<(), Refusal> {
    let step = change.state.steps.get(ticket.step as usize).ok_or(Refusal::NotThere)?;
    let is_newest = step.token == ticket.token && step.fence == ticket.fence;
    if is_newest || !change.state.rules.is_fenced { Ok(()) } else { Err(Refusal::Fence) }
}

pub(crate) fn intend(change: &mut Change<'_>, ticket: Ticket) -> Result<(), Refusal> {
    accept(change, &ticket)?;
    let is_intended = change.state.rules.is_intended;
    if change.state.steps[ticket.step as usize].state != StepState::Waiting {
        return Err(Refusal::Step);
    }
    if is_intended {
        change.state.set(ticket.step, StepState::Open);
    }
    change.tell(ticket.step, "intended", String::new());
    change.effects.push(Effect::Call(ticket));
    Ok(())
}

pub(crate) fn record(
    change: &mut Change<'_>,
    ticket: &Ticket,
    outcome: Outcome,
    now: Time,
) -> Result<(), Refusal> {
    accept(change, ticket)?;
    let state = change.state.steps[ticket.step as usize].state;
    let is_open = matches!(state, StepState::Open | StepState::Accepted);
    if !is_open && change.state.rules == crate::state::Rules::SOUND {
        return Err(Refusal::Step);
    }
    change.state.alter(ticket.step, |step| step.claim = None);
    match outcome {
        Outcome::Done { id, outputs } => {
            let step = &change.state.steps[ticket.step as usize];
            let (desired, name) = (step.planned.desired.clone(), step.planned.node.clone());
            let does = step.planned.does;
            let node = change.state.nodes.entry(name).or_default();
            match does {
                Does::Create => (node.id, node.desired, node.outputs) = (id, desired, outputs),
                Does::Change => {
                    node.desired = desired;
                    node.outputs.extend(outputs);
                }
                Does::Delete => (node.id, node.desired, node.outputs) = Default::default(),
            }
            done(change, ticket.step);
        }
        Outcome::Accepted(acceptance) => accepted(change, ticket.step, acceptance, now),
        Outcome::Failed(failure) => failed(change, ticket.step, &failure, now),
        Outcome::Unknown { reason } => unknown(change, ticket.step, reason),
    }
    Ok(())
}

fn unknown(change: &mut Change<'_>, place: u32, reason: String) {
    change.state.alter(place, |step| (step.state, step.reason) = (StepState::Unknown, reason.clone()));
    change.tell(place, "unknown", reason);
}

/// The world does it in its own time. It is asked for again, unless it takes longer than it may.
fn accepted(change: &mut Change<'_>, place: u32, acceptance: Acceptance, now: Time) {
    let before = change.state.steps[place as usize].accepted.clone();
    let since = before.as_ref().map_or(now, |before| before.since);
    let took = now.saturating_sub(since);
    if let Some(within) = acceptance.within.filter(|&within| took > within) {
        let (took, within) = (took / 1000, within / 1000);
        return unknown(
            change,
            place,
            format!("it is not done after {took} s, and takes {within} s at most"),
        );
    }
    let is_known = before.is_some_and(|before| before.handle == acceptance.handle);
    let Acceptance { handle, after, .. } = acceptance;
    change.state.alter(place, |step| {
        (step.state, step.due, step.wait) = (StepState::Accepted, now + after, after);
        step.accepted = Some(Accepted { handle: handle.clone(), since });
    });
    if is_known {
        change.store(Part::Step(place));
    } else {
        change.tell(place, "accepted", handle);
    }
}

/// A step was done: its node is so, and what waited for it waits no longer.
fn done(change: &mut Change<'_>, place: u32) {
    change.state.set(place, StepState::Done);
    let step = &change.state.steps[place as usize];
    let (name, does) = (step.planned.node.clone(), step.planned.does);
    let node = change.state.nodes.entry(name.clone()).or_default();
    node.present = does != Does::Delete;
    let id = node.id.clone();
    change.store(Part::Node(name));
    change.tell(place, "done", id);
}

fn failed(change: &mut Change<'_>, place: u32, failure: &Failure, now: Time) {
    let retry = change.state.patience.of(failure.cause);
    let reason = failure.words();
    let step = &mut change.state.steps[place as usize];
    let failures = step.failures.count(failure.cause);
    step.reason.clone_from(&reason);
    step.accepted = None;
    // What is left is there whatever becomes of the step: it may never come to another try.
    let name = step.planned.node.clone();
    if step.planned.does == Does::Create && failure.left != Left::Nothing {
        let desired = step.planned.desired.clone();
        let node = change.state.nodes.entry(name.clone()).or_default();
        if !node.present {
            (node.present, node.desired) = (true, desired);
        }
        if let Left::Named(id) = &failure.left {
            node.id.clone_from(id);
        }
        change.store(Part::Node(name.clone()));
    }
    if failures < retry.failures {
        let wait = retry.wait(failures, failure.after);
        change.state.alter(place, |step| {
            (step.state, step.due, step.wait) = (StepState::Waiting, now + wait, wait);
        });
        change.tell(place, "again", reason);
        return;
    }
    change.state.set(place, StepState::Failed);
    change.store(Part::Node(name));
    change.tell(place, "failed", reason);
}

pub(crate) fn expire(change: &mut Change<'_>, place: u32) -> Result<(), Refusal> {
    let claim = change.state.alter(place, |step| step.claim.take()).ok_or(Refusal::NotThere)?;
    let Some(claim) = claim else { return Err(Refusal::Step) };
    if change.state.steps[place as usize].state == StepState::Accepted {
        change.store(Part::Step(place));
        return Ok(());
    }
    change.tell(place, "released", format!("{} is gone", claim.worker));
    Ok(())
}

pub(crate) fn resolve(change: &mut Change<'_>, place: u32, answer: Answer) -> Result<(), Refusal> {
    let phase = change.state.phase;
    let step = change.state.steps.get(place as usize).ok_or(Refusal::NotThere)?;
    if step.state != StepState::Unknown {
        return Err(Refusal::Step);
    }
    match answer {
        Answer::Done(id) => {
            let (name, desired) = (step.planned.node.clone(), step.planned.desired.clone());
            let does = step.planned.does;
            let node = change.state.nodes.entry(name).or_default();
            match does {
                Does::Create => (node.id, node.desired) = (id, desired),
                Does::Change => node.desired = desired,
                Does::Delete => (node.id, node.desired, node.outputs) = Default::default(),
            }
            done(change, place);
        }
        Answer::Absent => {
            // While what was begun is awaited nothing is begun: there it has ended without effect.
            let state = match phase {
                Phase::DrainToUndo => StepState::Skipped,
                Phase::DrainToRest => StepState::Failed,
                Phase::Idle | Phase::Forward | Phase::Back => StepState::Again,
            };
            change.state.set(place, state);
            change.state.alter(place, |step| step.accepted = None);
            change.tell(place, "absent", "somebody found that it was not done".to_owned());
        }
    }
    Ok(())
}
