//! The deployment engine, as a pure function.
//!
//! [`step`] says what becomes of a deployment when something happens, and what follows from it: what to store, what to
//! tell people, what to ask of the world. It has no clock, no store and no driver; who runs it brings those.
//!
//! Three specifications say what it may do, and the tests compare its state graph with theirs, node for node:
//!
//! - the deployment as a whole: `specs/cloudformation/StackLifecycle.tla` ([`Status`]);
//! - requests about it: `specs/update/UpdateProtocol.tla` ([`RequestStatus`]);
//! - workers that share the steps and may crash: `specs/engine/Worker.tla` ([`StepState`], [`Job`]).
//!
//! [`verify`] checks a list of events against the same rules.
//!
//! Out of scope: plans (`locus-plan` makes them), the store, drivers, languages.

#![forbid(unsafe_code)]

mod agenda;
mod apply;
mod failure;
mod input;
mod job;
#[cfg(test)]
mod model;
mod state;
mod status;
mod step;
#[cfg(test)]
mod tests;
mod trace;
mod work;

pub use failure::{Cause, Failure, Failures, Left, Patience, Retry};
pub use input::{Acceptance, Answer, Effect, Event, Input, Outcome, Part, Refusal, Subject, Ticket};
pub use job::{At, Earlier, Job, Observation, Progress};
pub use state::{
    Accepted, Claim, Condition, Does, Kind, Node, OnFailure, Phase, Planned, Request, RequestStatus, State,
    Step, StepState, Time,
};
pub use status::{Move, Status};
pub use step::step;
pub use trace::{About, Fault, Happened, verify, verify_end};
