//! Steps: how workers claim them, intend, and record what came of it. See `specs/engine/Worker.tla`.

use crate::input::{Answer, Effect, Outcome, Part, Refusal, Ticket};
use crate::state::{Claim, Does, Phase, StepState, Time};
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
            StepState::Again => {
                // Whoever comes next must look: this worker may call, and not come to record it.
                step.state = StepState::Open;
                Effect::Call(ticket)
            }
            _ => Effect::Intend(ticket),
        }
    });
    change.tell(place, "claimed", format!("by {worker}"));
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
    let is_open = change.state.steps[ticket.step as usize].state == StepState::Open;
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
        Outcome::Failed { reason, passing, remains } => {
            failed(change, ticket.step, reason, (passing, remains), now);
        }
        Outcome::Unknown { reason } => {
            change.state.alter(ticket.step, |step| {
                (step.state, step.reason) = (StepState::Unknown, reason.clone());
            });
            change.tell(ticket.step, "unknown", reason);
        }
    }
    Ok(())
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

fn failed(change: &mut Change<'_>, place: u32, reason: String, (passing, remains): (bool, bool), now: Time) {
    let patience = change.state.patience;
    let step = &mut change.state.steps[place as usize];
    step.failures += 1;
    step.reason.clone_from(&reason);
    // What is left is there whatever becomes of the step: it may never come to another try.
    let name = step.planned.node.clone();
    if step.planned.does == Does::Create && remains {
        let desired = step.planned.desired.clone();
        let node = change.state.nodes.entry(name.clone()).or_default();
        if !node.present {
            (node.present, node.desired) = (true, desired);
        }
        change.store(Part::Node(name.clone()));
    }
    let failures = change.state.steps[place as usize].failures;
    if passing && failures < patience.failures {
        change.state.alter(place, |step| {
            (step.state, step.due) = (StepState::Waiting, now + patience.pause_after(failures));
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
            change.tell(place, "absent", "somebody found that it was not done".to_owned());
        }
    }
    Ok(())
}
