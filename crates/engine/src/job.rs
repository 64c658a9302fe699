//! The work on a step that a worker has claimed. A crash forgets it.

use std::collections::BTreeMap;

use crate::input::{Effect, Outcome, Ticket};

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
    /// It must look whether the step was done.
    Asking,
    /// A call was refused while an earlier one, of which there was no answer, may still be under way. It must look again
    /// when that cannot be any more.
    Doubting(Outcome),
}

/// A step that a worker has claimed, and where it is with it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Job {
    /// The claim.
    pub ticket: Ticket,
    /// Where the worker is.
    pub at: At,
    /// Whether a call may be under way of which there was no answer.
    pub is_lost: bool,
}

/// What can be seen of a step in the world.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Observation {
    /// It was done.
    Done {
        /// What the world calls the node.
        id: String,
        /// What the driver says of it.
        outputs: BTreeMap<String, String>,
    },
    /// It failed.
    Failed {
        /// Why.
        reason: String,
        /// Whether something may be left of the node.
        remains: bool,
    },
    /// It was not done.
    Absent,
    /// That cannot be told.
    Unsure {
        /// Why.
        reason: String,
    },
}

impl Job {
    /// The job that an effect is, if it is one.
    pub fn of(effect: &Effect) -> Option<Job> {
        let (ticket, at) = match effect {
            Effect::Intend(ticket) => (ticket, At::Claimed),
            Effect::Call(ticket) => (ticket, At::Intended),
            Effect::Observe(ticket) => (ticket, At::Asking),
            Effect::Store(_) | Effect::Event(_) | Effect::Plan | Effect::Refused(_) => return None,
        };
        // A person who found that nothing was done cannot see a call that is still under way, so that only the first look
        // of a worker that intends is free of doubt.
        let is_lost = !matches!(effect, Effect::Intend(_));
        Some(Job { ticket: ticket.clone(), at, is_lost })
    }

    /// No reply came in time: whether the call took place must be looked up.
    #[must_use]
    pub fn without_reply(self) -> Job {
        Job { at: At::Asking, is_lost: true, ..self }
    }

    /// A reply came.
    #[must_use]
    pub fn with_reply(self, outcome: Outcome) -> Job {
        let is_doubtful = self.is_lost && matches!(outcome, Outcome::Failed { .. });
        Job { at: if is_doubtful { At::Doubting(outcome) } else { At::Ended(outcome) }, ..self }
    }

    /// What is known after looking: what was done is adopted, what was not done is called again with the same token.
    #[must_use]
    pub fn having_seen(self, observation: Observation) -> Job {
        let at = match (observation, self.at) {
            (Observation::Absent, At::Doubting(outcome)) => At::Ended(outcome),
            (observation, _) => Job::after(observation),
        };
        Job { ticket: self.ticket, at, is_lost: self.is_lost }
    }

    fn after(observation: Observation) -> At {
        match observation {
            Observation::Done { id, outputs } => At::Ended(Outcome::Done { id, outputs }),
            Observation::Failed { reason, remains } => {
                At::Ended(Outcome::Failed { reason, passing: false, remains })
            }
            Observation::Absent => At::Intended,
            Observation::Unsure { reason } => At::Ended(Outcome::Unknown { reason }),
        }
    }
}
