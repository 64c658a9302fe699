//! Requests: how they are taken up, applied, undone and settled. See `specs/update/UpdateProtocol.tla`.

use crate::failure::Failures;
use crate::input::{Effect, Event, Part, Refusal, Subject};
use crate::state::{
    Condition, Kind, Node, OnFailure, Phase, Planned, Request, RequestStatus, State, Step, StepState,
};
use crate::status::{Move, Status};
use crate::step::Change;

pub(crate) fn submit(
    change: &mut Change<'_>,
    (kind, on_failure): (Kind, OnFailure),
    desired: String,
    by: &str,
) {
    let request = change.state.requests.len();
    change.state.requests.push(Request { kind, on_failure, desired, status: RequestStatus::Submitted });
    let reason = if by.is_empty() { String::new() } else { format!("by {by}") };
    change.request(request, RequestStatus::Submitted, &reason);
}

/// Moves a request that is where it should be.
pub(crate) fn advance(
    change: &mut Change<'_>,
    request: usize,
    from: RequestStatus,
    to: RequestStatus,
) -> Result<(), Refusal> {
    let found = change.state.requests.get(request).ok_or(Refusal::NotThere)?;
    if found.status != from {
        return Err(Refusal::Request);
    }
    change.request(request, to, "");
    Ok(())
}

pub(crate) fn supersede(change: &mut Change<'_>, request: usize) -> Result<(), Refusal> {
    let found = change.state.requests.get(request).ok_or(Refusal::NotThere)?;
    let waits = matches!(found.status, RequestStatus::Queued | RequestStatus::Processing);
    if !waits || !change.state.is_superseded(request) {
        return Err(Refusal::Request);
    }
    change.request(request, RequestStatus::Superseded, "a newer request was found valid");
    Ok(())
}

pub(crate) fn begin(
    change: &mut Change<'_>,
    request: usize,
    plan: Option<Vec<Planned>>,
) -> Result<(), Refusal> {
    let found = change.state.requests.get(request).ok_or(Refusal::NotThere)?;
    if found.status != RequestStatus::Processing {
        return Err(Refusal::Request);
    }
    if change.state.is_superseded(request) {
        return Err(Refusal::Superseded);
    }
    let before = change.state.applying();
    let gives_way = before.is_none_or(|other| match change.state.requests[other].status {
        RequestStatus::Kept => true,
        RequestStatus::RollbackFailed => found.kind == Kind::Delete,
        _ => false,
    });
    if !gives_way {
        return Err(Refusal::Busy);
    }
    let Some(plan) = plan else {
        change.request(request, RequestStatus::Failure, "there is no plan for it");
        return Ok(());
    };
    let what = match found.kind {
        Kind::Deploy if change.can_go(Move::Create).is_ok() => Move::Create,
        Kind::Deploy => Move::Update,
        Kind::Delete => Move::Delete,
        Kind::Import => Move::Import,
    };
    let status = change.can_go(what)?;
    if let Some(other) = before {
        change.request(other, RequestStatus::Superseded, "a newer request took over from it");
    }
    (change.state.shown, change.state.complete) = (Some(request), false);
    change.request(request, RequestStatus::Partial, "");
    start(change, Phase::Forward, plan, status);
    change.go(what, "")
}

/// Puts the steps of a plan in place. Where the status has no time for cleaning up, that is done with the rest.
fn start(change: &mut Change<'_>, phase: Phase, plan: Vec<Planned>, status: Status) {
    let cleans = status.after(Move::CleanUp).is_some();
    let state = &mut *change.state;
    state.phase = phase;
    let mut touched = forget_steps(state);
    state.steps = Vec::with_capacity(plan.len());
    for mut planned in plan {
        planned.cleanup &= cleans;
        let node = state.nodes.entry(planned.node.clone()).or_default();
        node.serial += 1;
        let token = format!("{}#{}", planned.node, node.serial);
        touched.push(planned.node.clone());
        state.steps.push(Step {
            planned,
            token,
            state: StepState::Waiting,
            claim: None,
            fence: 0,
            failures: Failures::default(),
            accepted: None,
            due: 0,
            wait: 0,
            waits: 0,
            next: Vec::new(),
            reason: String::new(),
        });
    }
    state.connect();
    touched.sort();
    touched.dedup();
    change.store(Part::Steps);
    for node in touched {
        change.store(Part::Node(node));
    }
}

/// Forgets the steps of what went on before, but not what they left behind. The names of the nodes that changed.
fn forget_steps(state: &mut State) -> Vec<String> {
    let left: Vec<(String, Condition)> =
        state.conditions().into_iter().map(|(name, condition)| (name.to_owned(), condition)).collect();
    state.steps.clear();
    state.connect();
    let mut touched = Vec::new();
    for (name, condition) in left {
        if let Some(node) = state.nodes.get_mut(&name)
            && node.condition != condition
        {
            node.condition = condition;
            touched.push(name);
        }
    }
    touched
}

/// Takes note that a node is not as it was left: the next plan makes it again, or finishes it.
pub(crate) fn drift(
    change: &mut Change<'_>,
    name: String,
    is_there: bool,
    reason: String,
) -> Result<(), Refusal> {
    if change.state.phase != Phase::Idle {
        return Err(Refusal::UnderWay);
    }
    if !change.state.nodes.get(&name).is_some_and(|node| node.present) {
        return Err(Refusal::NotThere);
    }
    for touched in forget_steps(change.state) {
        change.store(Part::Node(touched));
    }
    change.store(Part::Steps);
    let node = change.state.nodes.entry(name.clone()).or_default();
    if is_there {
        node.condition = node.condition.max(Condition::Unfinished);
    } else {
        let (serial, fence) = (node.serial, node.fence);
        *node = Node { serial, fence, ..Node::default() };
    }
    change.store(Part::Node(name.clone()));
    let status = if is_there { "changed" } else { "gone" };
    change.effects.push(Effect::Event(Event { subject: Subject::Node(name), status, reason }));
    Ok(())
}

pub(crate) fn settle(change: &mut Change<'_>) -> Result<(), Refusal> {
    match change.state.phase {
        Phase::Idle => Err(Refusal::Status),
        Phase::Forward | Phase::Back => progress(change),
        Phase::DrainToUndo if change.state.is_drained() => {
            change.effects.push(Effect::Plan);
            Ok(())
        }
        Phase::DrainToRest if change.state.is_drained() => rest(change),
        Phase::DrainToUndo | Phase::DrainToRest => Err(Refusal::UnderWay),
    }
}

fn progress(change: &mut Change<'_>) -> Result<(), Refusal> {
    let cleaning = change.state.status.is_cleaning();
    if !cleaning && let Some(step) = change.state.first_failed() {
        let reason = format!("{}: {}", step.planned.node, step.reason);
        return fail(change, &reason);
    }
    if change.state.is_left(cleaning) {
        return Err(Refusal::UnderWay);
    }
    if change.state.is_left(!cleaning) && change.can_go(Move::CleanUp).is_ok() {
        return change.go(Move::CleanUp, "");
    }
    complete(change)
}

fn complete(change: &mut Change<'_>) -> Result<(), Refusal> {
    change.can_go(Move::Complete)?;
    let request = change.state.shown.ok_or(Refusal::NotThere)?;
    let undone = change.state.phase == Phase::Back;
    (change.state.phase, change.state.complete) = (Phase::Idle, true);
    change.request(request, if undone { RequestStatus::RolledBack } else { RequestStatus::Success }, "");
    change.go(Move::Complete, "")
}

/// Records that the running operation has failed. Nothing new is begun; what was begun is awaited.
fn fail(change: &mut Change<'_>, reason: &str) -> Result<(), Refusal> {
    let request = change.state.shown.ok_or(Refusal::NotThere)?;
    let asked = change.state.requests[request].on_failure;
    if change.state.phase == Phase::Back {
        drain(change, Phase::DrainToRest);
        return Ok(());
    }
    let what = match (change.state.status, asked) {
        (Status::CreateInProgress | Status::UpdateInProgress, OnFailure::Keep)
        | (Status::DeleteInProgress, _) => None,
        (Status::CreateInProgress, OnFailure::Delete) => Some(Move::Discard),
        _ => Some(Move::Undo),
    };
    match what {
        None => drain(change, Phase::DrainToRest),
        Some(what) => {
            change.can_go(what)?;
            drain(change, Phase::DrainToUndo);
            change.request(request, RequestStatus::PartialFailure, reason);
            change.go(what, reason)?;
        }
    }
    Ok(())
}

fn drain(change: &mut Change<'_>, phase: Phase) {
    // What a rollback did not come to is as bad as what failed in it: the next attempt must not take it for done.
    let left = if change.state.phase == Phase::Back { StepState::Failed } else { StepState::Skipped };
    change.state.phase = phase;
    change.store(Part::Deployment);
    for place in 0..change.state.steps.len() {
        if change.state.steps[place].state == StepState::Waiting {
            let place = place as u32;
            change.state.alter(place, |step| (step.state, step.claim) = (left, None));
            change.store(Part::Step(place));
        }
    }
}

/// Ends a failed operation that is not undone, when nothing is under way any more.
fn rest(change: &mut Change<'_>) -> Result<(), Refusal> {
    change.can_go(Move::Fail)?;
    let request = change.state.shown.ok_or(Refusal::NotThere)?;
    let reason = change.state.steps.iter().find(|step| !step.reason.is_empty());
    let reason = reason.map(|step| format!("{}: {}", step.planned.node, step.reason)).unwrap_or_default();
    change.state.phase = Phase::Idle;
    let status = match change.state.requests[request].status {
        RequestStatus::PartialFailure => RequestStatus::RollbackFailed,
        _ => RequestStatus::Kept,
    };
    change.request(request, status, &reason);
    change.go(Move::Fail, &reason)
}

pub(crate) fn compensate(change: &mut Change<'_>, plan: Option<Vec<Planned>>) -> Result<(), Refusal> {
    if change.state.phase != Phase::DrainToUndo {
        return Err(Refusal::Status);
    }
    if !change.state.is_drained() {
        return Err(Refusal::UnderWay);
    }
    match plan {
        Some(plan) => start(change, Phase::Back, plan, change.state.status),
        None => change.state.phase = Phase::DrainToRest,
    }
    change.store(Part::Deployment);
    Ok(())
}

pub(crate) fn roll_back(change: &mut Change<'_>) -> Result<(), Refusal> {
    let request = change.state.applying().ok_or(Refusal::Request)?;
    let rests =
        matches!(change.state.requests[request].status, RequestStatus::RollbackFailed | RequestStatus::Kept);
    if !rests {
        return Err(Refusal::Request);
    }
    change.can_go(Move::RollBack)?;
    change.state.phase = Phase::DrainToUndo;
    change.request(request, RequestStatus::PartialFailure, "somebody asked to undo it");
    change.go(Move::RollBack, "somebody asked to undo it")
}

pub(crate) fn cancel(change: &mut Change<'_>, discard: bool) -> Result<(), Refusal> {
    if change.state.phase != Phase::Forward {
        return Err(Refusal::Status);
    }
    let request = change.state.applying().ok_or(Refusal::Request)?;
    let what = match change.state.status {
        Status::CreateInProgress if discard => Move::Discard,
        Status::UpdateInProgress => Move::Cancel,
        _ => Move::Undo,
    };
    change.can_go(what)?;
    drain(change, Phase::DrainToUndo);
    change.request(request, RequestStatus::PartialFailure, "somebody cancelled it");
    change.go(what, "somebody cancelled it")
}
