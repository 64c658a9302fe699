//! The work on a step that a worker has claimed. A crash forgets it.

use std::collections::BTreeMap;

use crate::failure::{Cause, Failure};
use crate::input::{Acceptance, Effect, Outcome, Ticket};

/// Where a worker is with its step.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum At {
    /// It has claimed the step.
    Claimed,
    /// It has written down what it is about to do.
    Intended,
    /// It waits for the reply to its call.
    Calling,
    /// It knows how the step ended.
    Ended(Outcome),
    /// It asks for what the world has accepted.
    Polling,
    /// It must look whether the step was done.
    Asking,
    /// A call was refused while an earlier one, of which there was no answer, may still be under way. It must look
    /// again when that cannot be any more.
    Doubting(Outcome),
}

/// The knowledge about earlier calls for a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Earlier {
    /// There was none.
    None,
    /// A person found that nothing was done. A call that is still under way cannot be seen.
    FoundAbsent,
    /// A call may be under way of which there was no answer.
    Lost,
}

/// A step that a worker has claimed, and where it is with it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Job {
    /// The claim.
    pub ticket: Ticket,
    /// Where the worker is.
    pub at: At,
    /// The knowledge about earlier calls.
    pub earlier: Earlier,
}

/// An observation of a step in the world.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observation {
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
    /// It was not done.
    Absent,
    /// That cannot be told.
    Unsure {
        /// Why.
        reason: String,
    },
}

/// The answer to asking for what the world has accepted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Progress {
    /// It goes on, or that could not be asked.
    GoesOn(Acceptance),
    /// It has ended.
    Ended(Outcome),
    /// The world does not know it any more: the driver is to be asked whether the step was done.
    Forgotten,
}

impl Job {
    /// The job that an effect is, if it is one.
    pub fn of(effect: &Effect) -> Option<Job> {
        let (ticket, at, earlier) = match effect {
            Effect::Intend(ticket) => (ticket, At::Claimed, Earlier::None),
            Effect::Call(ticket) => (ticket, At::Intended, Earlier::FoundAbsent),
            Effect::Poll(ticket) => (ticket, At::Polling, Earlier::None),
            Effect::Observe(ticket) => (ticket, At::Asking, Earlier::Lost),
            Effect::Store(_) | Effect::Event(_) | Effect::Plan | Effect::Refused(_) => return None,
        };
        Some(Job { ticket: ticket.clone(), at, earlier })
    }

    /// The intent was written down.
    #[must_use]
    pub fn intended(self) -> Job {
        Job { at: At::Intended, ..self }
    }

    /// No reply came in time: whether the call took place must be looked up.
    #[must_use]
    pub fn without_reply(self) -> Job {
        Job { at: At::Asking, earlier: Earlier::Lost, ..self }
    }

    /// A reply came.
    #[must_use]
    pub fn with_reply(self, outcome: Outcome) -> Job {
        let is_doubtful = self.earlier != Earlier::None && matches!(outcome, Outcome::Failed(_));
        Job { at: if is_doubtful { At::Doubting(outcome) } else { At::Ended(outcome) }, ..self }
    }

    /// The world was asked for what it has accepted.
    #[must_use]
    pub fn polled(self, progress: Progress) -> Job {
        match progress {
            Progress::GoesOn(acceptance) => Job { at: At::Ended(Outcome::Accepted(acceptance)), ..self },
            // Another call for it, of which there was no answer, may still be under way.
            Progress::Ended(outcome @ Outcome::Failed(_)) => Job { at: At::Doubting(outcome), ..self },
            Progress::Ended(outcome) => Job { at: At::Ended(outcome), ..self },
            Progress::Forgotten => self.without_reply(),
        }
    }

    /// The call never left: the world could not be reached. Where an earlier call may have done something, that must be
    /// looked up; else the step has failed, and nothing is left of it.
    #[must_use]
    pub fn not_sent(self, reason: String) -> Job {
        let outcome = Outcome::Failed(Failure::new(Cause::Network, reason));
        match self.earlier {
            Earlier::Lost => Job { at: At::Doubting(outcome), ..self },
            Earlier::None | Earlier::FoundAbsent => Job { at: At::Ended(outcome), ..self },
        }
    }

    /// The job after an observation: a step that was done is adopted, one that was not done is called again with the
    /// same token.
    #[must_use]
    pub fn having_seen(self, observation: Observation) -> Job {
        let at = match (observation, self.at) {
            (Observation::Absent, At::Doubting(outcome)) => At::Ended(outcome),
            // The call that was lost may still be under way, and do it yet.
            (Observation::Failed(failure), At::Asking) => At::Doubting(Outcome::Failed(failure)),
            (observation, _) => Job::after(observation),
        };
        Job { ticket: self.ticket, at, earlier: self.earlier }
    }

    fn after(observation: Observation) -> At {
        match observation {
            Observation::Done { id, outputs } => At::Ended(Outcome::Done { id, outputs }),
            Observation::Accepted(acceptance) => At::Ended(Outcome::Accepted(acceptance)),
            Observation::Failed(failure) => At::Ended(Outcome::Failed(failure)),
            Observation::Absent => At::Intended,
            Observation::Unsure { reason } => At::Ended(Outcome::Unknown { reason }),
        }
    }
}
