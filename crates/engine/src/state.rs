//! The stored state of a deployment: its status, the requests about it, the steps of what goes on, and its nodes.

use std::collections::BTreeMap;

use crate::agenda::Agenda;
use crate::failure::{Failures, Patience};
use crate::status::Status;

/// Milliseconds since some moment. The core never asks for the time: it is told.
pub type Time = u64;

/// The kind of a request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// That the deployment is as described: it is created or updated.
    Deploy,
    /// That nothing of it is left.
    Delete,
    /// That things that exist belong to it from now on.
    Import,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Deploy, Kind::Delete, Kind::Import];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Deploy => "deploy",
            Kind::Delete => "delete",
            Kind::Import => "import",
        }
    }
}

/// The treatment of completed steps when a request fails.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OnFailure {
    /// It is undone.
    RollBack,
    /// It is kept, for a person to look at.
    Keep,
    /// It is deleted, if the request was to create the deployment; else undone.
    Delete,
}

impl OnFailure {
    /// All of them.
    pub const ALL: [OnFailure; 3] = [OnFailure::RollBack, OnFailure::Keep, OnFailure::Delete];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            OnFailure::RollBack => "rollback",
            OnFailure::Keep => "stop",
            OnFailure::Delete => "delete",
        }
    }
}

/// Where a request is: `specs/update/UpdateProtocol.tla`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RequestStatus {
    /// It was sent.
    Submitted,
    /// It was found not to be valid.
    Rejected,
    /// It was found valid.
    Queued,
    /// It is being planned.
    Processing,
    /// A newer one was found valid before this one began, or took over from it.
    Superseded,
    /// There is no plan for it.
    Failure,
    /// It is being applied.
    Partial,
    /// It failed, and is being undone.
    PartialFailure,
    /// It failed, and could not be undone. It rests.
    RollbackFailed,
    /// It failed, and what it had done was kept. It rests.
    Kept,
    /// It was applied.
    Success,
    /// It was undone.
    RolledBack,
}

impl RequestStatus {
    /// All of them.
    pub const ALL: [RequestStatus; 12] = [
        RequestStatus::Submitted,
        RequestStatus::Rejected,
        RequestStatus::Queued,
        RequestStatus::Processing,
        RequestStatus::Superseded,
        RequestStatus::Failure,
        RequestStatus::Partial,
        RequestStatus::PartialFailure,
        RequestStatus::RollbackFailed,
        RequestStatus::Kept,
        RequestStatus::Success,
        RequestStatus::RolledBack,
    ];

    /// The name, as the specification has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            RequestStatus::Submitted => "submitted",
            RequestStatus::Rejected => "rejected",
            RequestStatus::Queued => "queued",
            RequestStatus::Processing => "processing",
            RequestStatus::Superseded => "superseded",
            RequestStatus::Failure => "failure",
            RequestStatus::Partial => "partial",
            RequestStatus::PartialFailure => "partialFailure",
            RequestStatus::RollbackFailed => "rollbackFailed",
            RequestStatus::Kept => "kept",
            RequestStatus::Success => "success",
            RequestStatus::RolledBack => "rolledback",
        }
    }

    /// Whether nothing more becomes of the request.
    pub const fn is_settled(self) -> bool {
        matches!(
            self,
            RequestStatus::Rejected
                | RequestStatus::Superseded
                | RequestStatus::Failure
                | RequestStatus::Success
                | RequestStatus::RolledBack
        )
    }
}

/// A request.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    /// The kind of request.
    pub kind: Kind,
    /// The treatment of completed steps when it fails.
    pub on_failure: OnFailure,
    /// The desired state of the deployment, in the words of the planner.
    pub desired: String,
    /// Where it is.
    pub status: RequestStatus,
}

/// The effect of a step on a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Does {
    /// It makes it.
    Create,
    /// It changes what is there.
    Change,
    /// It takes it away.
    Delete,
}

impl Does {
    /// All of them.
    pub const ALL: [Does; 3] = [Does::Create, Does::Change, Does::Delete];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Does::Create => "create",
            Does::Change => "change",
            Does::Delete => "delete",
        }
    }
}

/// A step as it is planned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Planned {
    /// The node: one that is replaced is another node than what replaces it.
    pub node: String,
    /// The effect on the node.
    pub does: Does,
    /// The operation that the driver is asked to perform.
    pub operation: String,
    /// The desired state of the node, in the words of the driver.
    pub desired: String,
    /// The steps, by place, that must be done before.
    pub needs: Vec<u32>,
    /// Whether it only deletes what is no longer needed: its failure is not that of the request.
    pub cleanup: bool,
}

/// Where a step is: `specs/engine/Worker.tla`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StepState {
    /// Nothing was intended yet.
    Waiting,
    /// A worker was about to do it: whether it was done must be looked up.
    Open,
    /// The world does it, and is asked now and then whether it is done.
    Accepted,
    /// Whether it was done cannot be told. A person must find out.
    Unknown,
    /// A person found that it was not done.
    Again,
    /// It was done.
    Done,
    /// It failed.
    Failed,
    /// It is not to be done any more.
    Skipped,
}

impl StepState {
    /// All of them.
    pub const ALL: [StepState; 8] = [
        StepState::Waiting,
        StepState::Open,
        StepState::Accepted,
        StepState::Unknown,
        StepState::Again,
        StepState::Done,
        StepState::Failed,
        StepState::Skipped,
    ];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            StepState::Waiting => "waiting",
            StepState::Open => "open",
            StepState::Accepted => "accepted",
            StepState::Unknown => "unknown",
            StepState::Again => "again",
            StepState::Done => "done",
            StepState::Failed => "failed",
            StepState::Skipped => "skipped",
        }
    }

    /// Whether it was done or has failed.
    pub const fn has_ended(self) -> bool {
        matches!(self, StepState::Done | StepState::Failed)
    }

    /// Whether an intent is written down whose outcome is not.
    pub const fn is_open(self) -> bool {
        matches!(self, StepState::Open | StepState::Accepted | StepState::Unknown | StepState::Again)
    }
}

/// The claim of a worker on a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    /// The worker.
    pub worker: String,
    /// When the claim runs out, unless it is renewed.
    pub until: Time,
}

/// A call that the world does in its own time.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Accepted {
    /// Its name in the world.
    pub handle: String,
    /// When it was first accepted.
    pub since: Time,
}

/// A step of what goes on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The step as it was planned.
    pub planned: Planned,
    /// Names what is done: it depends on the node and on how many steps there were for it before, and on nothing else.
    pub token: String,
    /// Where it is.
    pub state: StepState,
    /// The claim of the worker that executes it.
    pub claim: Option<Claim>,
    /// The number of the newest claim; 0 before the first.
    pub fence: u64,
    /// How often it failed.
    pub failures: Failures,
    /// The steps that the world has accepted and not done yet.
    pub accepted: Option<Accepted>,
    /// Not to be claimed before.
    pub due: Time,
    /// How long was to be waited when that was agreed.
    pub wait: Time,
    /// How many of the steps that it needs are not done.
    pub waits: u32,
    /// The steps that need it.
    pub next: Vec<u32>,
    /// Why it failed or cannot be told.
    pub reason: String,
}

/// Whether something was begun with a node and not finished.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Condition {
    /// All that was begun was finished.
    #[default]
    Whole,
    /// Something is left to be done to it.
    Unfinished,
    /// Its creation failed, or its deletion was begun: it is good for nothing but to be deleted.
    Damaged,
}

impl Condition {
    /// All of them.
    pub const ALL: [Condition; 3] = [Condition::Whole, Condition::Unfinished, Condition::Damaged];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Condition::Whole => "whole",
            Condition::Unfinished => "unfinished",
            Condition::Damaged => "damaged",
        }
    }
}

/// The knowledge about a node.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Node {
    /// Whether it is there, or something is left of it.
    pub present: bool,
    /// Its name in the world.
    pub id: String,
    /// The desired state with which it was made.
    pub desired: String,
    /// The outputs that the driver reported.
    pub outputs: BTreeMap<String, String>,
    /// How many steps there were for it.
    pub serial: u64,
    /// The number of the newest claim of a step for it.
    pub fence: u64,
    /// How earlier operations left it. What goes on, or went on last, is not counted yet: see [`State::conditions`].
    pub condition: Condition,
}

/// The phase of the running operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// Nothing.
    Idle,
    /// A request is being applied.
    Forward,
    /// Steps that were begun are awaited; then the operation is undone.
    DrainToUndo,
    /// Steps that were begun are awaited; then the deployment rests.
    DrainToRest,
    /// A request is being undone.
    Back,
}

impl Phase {
    /// All of them.
    pub const ALL: [Phase; 5] =
        [Phase::Idle, Phase::Forward, Phase::DrainToUndo, Phase::DrainToRest, Phase::Back];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Phase::Idle => "idle",
            Phase::Forward => "forward",
            Phase::DrainToUndo => "drain-to-undo",
            Phase::DrainToRest => "drain-to-rest",
            Phase::Back => "back",
        }
    }
}

/// A deployment, as it is stored.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Its status.
    pub status: Status,
    /// All requests about it, oldest first: their rank is their place, from 1.
    pub requests: Vec<Request>,
    /// The request that was applied last, or is being applied.
    pub shown: Option<usize>,
    /// Whether no application has begun and not ended.
    pub complete: bool,
    /// The phase of the running operation.
    pub phase: Phase,
    /// The steps of what goes on, or went on last.
    pub steps: Vec<Step>,
    /// The knowledge about each node.
    pub nodes: BTreeMap<String, Node>,
    /// How often steps are tried.
    pub patience: Patience,
    pub(crate) rules: Rules,
    /// The steps to do next.
    pub(crate) agenda: Agenda,
}

/// Rules that must not be left out. Tests leave them out, to see that something is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Rules {
    /// Whether records need the newest fence.
    pub(crate) is_fenced: bool,
    /// Whether the intent is written down before the call.
    pub(crate) is_intended: bool,
    /// Whether the outcome is recorded after the call.
    pub(crate) is_called_first: bool,
}

impl Rules {
    pub(crate) const SOUND: Rules = Rules { is_fenced: true, is_intended: true, is_called_first: true };
}

impl Default for State {
    fn default() -> Self {
        Self {
            status: Status::Absent,
            requests: Vec::new(),
            shown: None,
            complete: true,
            phase: Phase::Idle,
            steps: Vec::new(),
            nodes: BTreeMap::new(),
            patience: Patience::default(),
            rules: Rules::SOUND,
            agenda: Agenda::default(),
        }
    }
}

impl State {
    /// The condition of each node that is there, what goes on or went on last included.
    pub fn conditions(&self) -> BTreeMap<&str, Condition> {
        let present = self.nodes.iter().filter(|(_, node)| node.present);
        let mut conditions: BTreeMap<&str, Condition> =
            present.map(|(name, node)| (name.as_str(), node.condition)).collect();
        let mut begun: BTreeMap<&str, Condition> = BTreeMap::new();
        // One that failed and was never tried again was begun as well.
        let is_begun = |step: &&Step| {
            step.failures.any() || !matches!(step.state, StepState::Waiting | StepState::Skipped)
        };
        for step in self.steps.iter().filter(is_begun) {
            begun.insert(&step.planned.node, Condition::Whole);
        }
        for step in self.steps.iter().filter(|step| step.state != StepState::Done) {
            let Some(condition) = begun.get_mut(step.planned.node.as_str()) else { continue };
            let is_damaged = step.planned.does != Does::Change && is_begun(&step);
            let left = if is_damaged { Condition::Damaged } else { Condition::Unfinished };
            *condition = left.max(*condition);
        }
        for (name, condition) in begun {
            conditions.entry(name).and_modify(|before| *before = condition);
        }
        conditions
    }

    /// The desired state with which a request about the deployment succeeded last.
    pub fn previous(&self) -> &str {
        let last = self.requests.iter().rev().find(|request| request.status == RequestStatus::Success);
        last.map_or("", |request| &request.desired)
    }

    /// The request that is being applied, or that rests.
    pub fn applying(&self) -> Option<usize> {
        self.shown.filter(|_| !self.complete)
    }

    /// Whether a newer request was found valid.
    pub fn is_superseded(&self, request: usize) -> bool {
        self.requests
            .iter()
            .skip(request + 1)
            .any(|newer| !matches!(newer.status, RequestStatus::Submitted | RequestStatus::Rejected))
    }

    /// Whether a step can be claimed, now or when it is due.
    pub fn is_claimable(&self, step: &Step) -> bool {
        let may_begin = match self.phase {
            Phase::Idle => false,
            Phase::Forward | Phase::Back => {
                step.waits == 0 && step.planned.cleanup == self.status.is_cleaning()
            }
            Phase::DrainToUndo | Phase::DrainToRest => step.state != StepState::Waiting,
        };
        step.claim.is_none()
            && may_begin
            && matches!(
                step.state,
                StepState::Waiting | StepState::Open | StepState::Accepted | StepState::Again
            )
    }

    /// When a step may be claimed, if that is not yet. No wait is longer than was agreed: where the clock was put back
    /// since, or that of another machine is ahead, it is over.
    pub fn waits_until(&self, step: &Step, now: Time) -> Option<Time> {
        (step.due > now && step.due - now <= step.wait).then_some(step.due)
    }
}
