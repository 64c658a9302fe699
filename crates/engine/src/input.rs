//! Inputs of the core, and their effects outside of it.

use std::collections::BTreeMap;

use crate::failure::Failure;
use crate::state::{Does, Kind, OnFailure, Planned, Time};

/// A claim as the worker knows it. It is worth something as long as nobody has claimed the step since.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket {
    /// The step, by place.
    pub step: u32,
    /// The token of the step, which tells it from those of other operations.
    pub token: String,
    /// The number of the claim.
    pub fence: u64,
}

/// How a step ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Outcome {
    /// It was done.
    Done {
        /// The id of the node in the world.
        id: String,
        /// The outputs that the driver reports.
        outputs: BTreeMap<String, String>,
    },
    /// The world has accepted it, and does it in its own time.
    Accepted(Acceptance),
    /// It failed.
    Failed(Failure),
    /// Whether it was done cannot be told.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// The answer of the world about a step that it has accepted and not done yet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Acceptance {
    /// The name in the world of the operation, or of the thing that it is about: it is asked for by that.
    pub handle: String,
    /// In how many milliseconds to ask for it.
    pub after: Time,
    /// In how many milliseconds since it was accepted it must have ended; after that, a person must find out.
    pub within: Option<Time>,
}

/// The finding of a person about a step whose outcome could not be determined.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Answer {
    /// It was done, and the world calls the node so.
    Done(String),
    /// It was not done.
    Absent,
}

/// An event. Each is one transaction, or a part of one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// A preview is requested of what would be created.
    Review,
    /// A request is sent.
    Submit {
        /// The kind of request.
        kind: Kind,
        /// The treatment of completed steps when it fails.
        on_failure: OnFailure,
        /// The desired state of the deployment, in the words of the planner.
        desired: String,
        /// The user who asks.
        by: String,
    },
    /// A request was checked.
    Check {
        /// The request, by place.
        request: usize,
        /// Whether it is valid.
        valid: bool,
    },
    /// A request is next to be planned.
    Process {
        /// The request, by place.
        request: usize,
    },
    /// A request makes way for a newer one.
    Supersede {
        /// The request, by place.
        request: usize,
    },
    /// A request begins to be applied.
    Begin {
        /// The request, by place.
        request: usize,
        /// The steps; none if there is no plan.
        plan: Option<Vec<Planned>>,
    },
    /// All that follows from the steps is applied.
    Settle,
    /// How to undo what was done.
    Compensate {
        /// The steps; none if there is no plan.
        plan: Option<Vec<Planned>>,
    },
    /// The rollback of an operation is requested that failed and was kept.
    RollBack,
    /// The cancellation of the running operation is requested.
    Cancel {
        /// Whether a creation is deleted without a trace.
        discard: bool,
    },
    /// A worker claims a step.
    Claim {
        /// The step, by place.
        step: u32,
        /// The worker.
        worker: String,
        /// The current time.
        now: Time,
        /// When the claim runs out.
        until: Time,
    },
    /// A worker goes on with what it has claimed.
    Renew {
        /// The worker.
        worker: String,
        /// When its claims run out.
        until: Time,
    },
    /// A worker is about to call the world.
    Intend {
        /// Its claim.
        ticket: Ticket,
    },
    /// A worker knows how a step ended.
    Record {
        /// Its claim.
        ticket: Ticket,
        /// How the step ended.
        outcome: Outcome,
        /// The current time.
        now: Time,
    },
    /// The claim of a step has run out, or its worker is known to be gone.
    Expire {
        /// The step, by place.
        step: u32,
    },
    /// A node is not as it was left.
    Drift {
        /// The node.
        node: String,
        /// Whether it is still there.
        is_there: bool,
        /// The difference.
        reason: String,
    },
    /// A person found out about a step.
    Resolve {
        /// The step, by place.
        step: u32,
        /// The finding.
        answer: Answer,
    },
}

/// The subject of an event.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// The deployment.
    Deployment,
    /// A request, by rank.
    Request(u32),
    /// A node.
    Node(String),
    /// A step, by its token.
    Step {
        /// The node.
        node: String,
        /// Its effect on the node.
        does: Does,
        /// The operation that the driver is asked to perform.
        operation: String,
        /// The token.
        token: String,
    },
}

/// Something that happened, for people and for `events --verify`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// The subject.
    pub subject: Subject,
    /// The new status of the subject.
    pub status: &'static str,
    /// Why, or with what result.
    pub reason: String,
}

/// The name of a part of the stored state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// The deployment itself.
    Deployment,
    /// A request, by place.
    Request(usize),
    /// All steps, which replace those that were there.
    Steps,
    /// A step, by place.
    Step(u32),
    /// A node.
    Node(String),
}

/// Why an input is not accepted. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Refusal {
    /// There is no such request or step.
    NotThere,
    /// The status of the deployment does not allow it.
    Status,
    /// The request is not where it would have to be.
    Request,
    /// A newer request was found valid.
    Superseded,
    /// Another request is being applied.
    Busy,
    /// The step is not where it would have to be.
    Step,
    /// Another worker has claimed the step since.
    Fence,
    /// It is not due yet.
    Early,
    /// Something is still under way.
    UnderWay,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refusal::NotThere => "there is no such request, step or node",
            Refusal::Status => "its status does not allow that",
            Refusal::Request => "the request is not where it would have to be for that",
            Refusal::Superseded => "a newer request was found valid",
            Refusal::Busy => "another request is being applied",
            Refusal::Step => "the step is not where it would have to be for that",
            Refusal::Fence => "somebody else has claimed the step since",
            Refusal::Early => "the step is not due yet",
            Refusal::UnderWay => "something is still under way",
        })
    }
}

impl std::error::Error for Refusal {}

/// An effect of an input, outside of the core.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// A part of the state has changed and is to be stored, in the same transaction.
    Store(Part),
    /// Something happened, to be stored in the same transaction.
    Event(Event),
    /// The worker is to write down its intent.
    Intend(Ticket),
    /// The worker is to call the world.
    Call(Ticket),
    /// The worker is to ask for what the world has accepted.
    Poll(Ticket),
    /// The worker is to look whether the step was done.
    Observe(Ticket),
    /// The steps that were begun have ended: a plan to undo them is needed.
    Plan,
    /// The input was not accepted.
    Refused(Refusal),
}
