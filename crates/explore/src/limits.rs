//! How far a search may go, and how it tells on the way how far it is.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limits that end a search before it is complete. By default there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Distinct states.
    pub states: Option<u64>,
    /// Depth: states on a path, the initial one included.
    pub depth: Option<u32>,
    /// Bytes that the search holds: the set of states, the frontier, the state graph. With a [`Disk`](crate::Disk),
    /// what is more goes there.
    pub bytes: Option<usize>,
    /// Tells how many bytes the process holds, if somebody can: then that is what must not be more than `bytes` either.
    /// What the search counts leaves out what evaluations hold, and what the allocator keeps.
    pub used: Option<fn() -> usize>,
    /// Gives memory that is not in use back to the system, if somebody can; then `used` tells anew. An allocator
    /// keeps what it may need again, which counts as long as it does.
    pub give_back: Option<fn()>,
    /// Time from the start.
    pub time: Option<Duration>,
    /// Set by someone else to stop the search, say on an interrupt.
    pub stop: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// The bytes that the process holds, as far as somebody knows, when what is not in use has been given back.
    pub(crate) fn in_use(&self) -> usize {
        if let Some(give_back) = self.give_back {
            give_back();
        }
        self.used.map_or(0, |used| used())
    }
}

/// Why a search is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// [`Limits::states`] was reached.
    States,
    /// [`Limits::depth`] was reached.
    Depth,
    /// [`Limits::bytes`] was reached.
    Memory,
    /// [`Limits::time`] has passed.
    Time,
    /// [`Limits::stop`] was set.
    Stopped,
    /// There are more states than the search can number (about 4.29 thousand million).
    Numbers,
    /// The model identifies states by symmetry or a view, which is not sound for temporal properties.
    Reduction,
    /// The part that does not fit into memory could not be kept elsewhere: [`Report::trouble`](crate::Report::trouble)
    /// says why.
    Disk,
    /// The product of the state graph and the automaton of a temporal property is too large.
    Product,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::States => "the limit on states was reached",
            Reason::Depth => "the limit on depth was reached",
            Reason::Memory => "the limit on memory was reached",
            Reason::Time => "the time is up",
            Reason::Stopped => "it was stopped",
            Reason::Numbers => "there are more than 4.29 thousand million states",
            Reason::Reduction => "temporal properties cannot be checked under symmetry or a view",
            Reason::Disk => "what does not fit into memory could not be kept on disk",
            Reason::Product => "the automaton of a temporal property is too large for so many states",
        })
    }
}

/// How far the search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// States generated so far, duplicates included.
    pub generated: u64,
    /// Distinct states found so far.
    pub distinct: u64,
    /// Distinct states that are not explored yet.
    pub queue: u64,
    /// How many more may be found, judged from how the levels grow; none if that cannot be said yet.
    pub left: Option<u64>,
    /// The level that is being explored; initial states are at 1.
    pub depth: u32,
    /// Time from the start.
    pub elapsed: Duration,
}

/// Is told about progress, from one of the threads of the search.
pub type ProgressFn<'a> = &'a (dyn Fn(&Progress) + Sync);
