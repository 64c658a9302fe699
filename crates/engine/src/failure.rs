//! Failures: of which kind they are, what they left in the world, and how often and when a step that failed is tried
//! again.
//!
//! Out of scope: how a driver finds out which kind a failure is.

use crate::state::Time;

/// The kind of a failure. Each kind has retries and words of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// It cannot be done now, and perhaps later.
    Busy,
    /// It was refused, and will be the next time as well.
    Refused,
    /// There were too many requests.
    Throttled,
    /// The world could not be reached.
    Network,
    /// Something else is being done with the same thing, or with one that it needs.
    Conflict,
    /// A limit of the account is reached: it helps only if something else is removed.
    Quota,
}

impl Cause {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Cause; 6] =
        [Cause::Busy, Cause::Refused, Cause::Throttled, Cause::Network, Cause::Conflict, Cause::Quota];

    /// The name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Cause::Busy => "busy",
            Cause::Refused => "refused",
            Cause::Throttled => "throttled",
            Cause::Network => "network",
            Cause::Conflict => "conflict",
            Cause::Quota => "quota",
        }
    }

    /// The words that stand before a reason. Nothing, where the reason says it all.
    const fn words(self) -> &'static str {
        match self {
            Cause::Busy | Cause::Refused => "",
            Cause::Throttled => "too many requests",
            Cause::Network => "not reached",
            Cause::Conflict => "in conflict with something else",
            Cause::Quota => "over a quota",
        }
    }
}

/// The part of a node that a failure left in the world.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Left {
    /// Certainly nothing.
    #[default]
    Nothing,
    /// Perhaps something. The driver finds it by the token when it deletes the node.
    Something,
    /// Something that the world calls so.
    Named(String),
}

/// Why a step failed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Failure {
    /// The kind.
    pub cause: Cause,
    /// The reason, in words.
    pub reason: String,
    /// The part of the node that is there now, for a step that creates one.
    pub left: Left,
    /// Not to be tried again before so many milliseconds, if the world said so (`Retry-After`).
    pub after: Option<Time>,
}

impl Failure {
    /// A failure that left nothing.
    pub fn new(cause: Cause, reason: impl Into<String>) -> Self {
        Self { cause, reason: reason.into(), left: Left::Nothing, after: None }
    }

    /// A failure for good that left nothing.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::new(Cause::Refused, reason)
    }

    /// A failure for a reason that may pass, which left nothing.
    pub fn busy(reason: impl Into<String>) -> Self {
        Self::new(Cause::Busy, reason)
    }

    /// The same failure with something left.
    #[must_use]
    pub fn leaving(self, left: Left) -> Self {
        Self { left, ..self }
    }

    /// The same failure, not to be tried again before so many milliseconds.
    #[must_use]
    pub fn after(self, after: Time) -> Self {
        Self { after: Some(after), ..self }
    }

    /// The kind and the reason, in words.
    pub fn words(&self) -> String {
        match self.cause.words() {
            "" => self.reason.clone(),
            words if self.reason.is_empty() => words.to_owned(),
            words => format!("{words}: {}", self.reason),
        }
    }
}

/// How often and when a step is tried again after failures of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Retry {
    /// How often a step may fail so before it has failed for good.
    pub failures: u8,
    /// How long to wait after the first failure, in milliseconds; twice as long after each further one.
    pub pause: Time,
    /// The longest wait, in milliseconds.
    pub longest: Time,
}

/// The longest wait that the world may ask for.
const LONGEST_ASKED: Time = 60 * 60 * 1000;

impl Retry {
    /// How long to wait after so many failures, at least as long as the world asked for.
    pub(crate) fn wait(self, failures: u8, asked: Option<Time>) -> Time {
        let doubled = self.pause.saturating_mul(1 << u32::from(failures.saturating_sub(1)).min(32));
        doubled.min(self.longest).max(asked.unwrap_or(0).min(LONGEST_ASKED))
    }
}

/// How often a step is tried, by the kind of the failure.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Patience([Retry; Cause::ALL.len()]);

impl Default for Patience {
    fn default() -> Self {
        let retry = |cause: Cause| match cause {
            Cause::Busy => Retry { failures: 4, pause: 500, longest: 30_000 },
            Cause::Refused => Retry { failures: 1, pause: 0, longest: 0 },
            Cause::Throttled => Retry { failures: 20, pause: 1_000, longest: 60_000 },
            Cause::Network => Retry { failures: 6, pause: 500, longest: 30_000 },
            Cause::Conflict => Retry { failures: 10, pause: 1_000, longest: 30_000 },
            Cause::Quota => Retry { failures: 3, pause: 5_000, longest: 60_000 },
        };
        Self(Cause::ALL.map(retry))
    }
}

impl Patience {
    /// The retries after failures of a kind.
    pub const fn of(&self, cause: Cause) -> Retry {
        self.0[cause as usize]
    }

    /// The same patience with other retries for a kind of failure.
    #[must_use]
    pub fn with(mut self, cause: Cause, retry: Retry) -> Self {
        self.0[cause as usize] = retry;
        self
    }
}

/// How often a step failed, by the kind of the failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Failures([u8; Cause::ALL.len()]);

impl Failures {
    /// Counts one more, and says how many of its kind there are.
    pub(crate) fn count(&mut self, cause: Cause) -> u8 {
        let count = &mut self.0[cause as usize];
        *count = count.saturating_add(1);
        *count
    }

    /// Whether there were any.
    pub fn any(self) -> bool {
        self != Self::default()
    }

    /// All counts in one number, a byte for each.
    pub fn packed(self) -> u64 {
        self.0.iter().rev().fold(0, |packed, &count| packed << 8 | u64::from(count))
    }

    /// The counts in a number.
    pub fn unpacked(packed: u64) -> Self {
        let mut failures = Self::default();
        for (place, count) in failures.0.iter_mut().enumerate() {
            *count = (packed >> (8 * place)) as u8;
        }
        failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_are_as_long_as_the_world_asks() {
        let retry = Retry { failures: 9, pause: 100, longest: 1_000 };
        let waits: Vec<Time> = (1..=6).map(|failures| retry.wait(failures, None)).collect();
        assert_eq!(waits, [100, 200, 400, 800, 1_000, 1_000]);
        assert_eq!(retry.wait(u8::MAX, None), 1_000);
        assert_eq!(retry.wait(1, Some(7_000)), 7_000);
        assert_eq!(retry.wait(6, Some(7)), 1_000);
        assert_eq!(retry.wait(1, Some(Time::MAX)), LONGEST_ASKED);
    }

    #[test]
    fn counts_are_kept_apart_and_can_be_stored() {
        let mut failures = Failures::default();
        assert!(!failures.any());
        assert_eq!((failures.count(Cause::Quota), failures.count(Cause::Quota)), (1, 2));
        assert_eq!(failures.count(Cause::Busy), 1);
        assert_eq!(Failures::unpacked(failures.packed()), failures);
        // Older versions counted only failures that may pass.
        let mut old = Failures::unpacked(3);
        assert_eq!(old.count(Cause::Busy), 4);
    }

    #[test]
    fn each_kind_has_its_own_words() {
        assert_eq!(Failure::new(Cause::Quota, "20 servers").words(), "over a quota: 20 servers");
        assert_eq!(Failure::new(Cause::Throttled, "").words(), "too many requests");
        assert_eq!(Failure::refused("no such flavor").words(), "no such flavor");
    }
}
