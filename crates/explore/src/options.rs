//! The options of a search.

use std::time::Duration;

use crate::disk::saved::Saved;
use crate::limits::{Limits, ProgressFn};
use crate::storage::Storage;
use crate::temporal::Temporal;

/// Where a search keeps what does not fit into memory.
///
/// For temporal properties the state graph goes there too. What has to fit into memory then are about twenty bytes
/// for each state while it is put together, and about fifteen for each pair of a state and a state of a property's
/// automaton while it is checked.
#[derive(Clone, Copy)]
pub struct Disk<'a> {
    /// Where files are kept.
    pub storage: &'a dyn Storage,
    /// The most states to keep in memory, if that is less than [`Limits::bytes`] allows.
    pub states: Option<u32>,
    /// How often to save the search. If there is such a time, it is saved too when it is stopped or its time is up.
    /// Only the first violation can be looked for then.
    pub save_every: Option<Duration>,
    /// A saved search to continue.
    pub saved: Option<&'a Saved>,
}

/// The goals of a search, and the way in which it is done.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Threads; 0 is taken as 1.
    pub workers: usize,
    /// Whether a state without successors is a violation.
    pub deadlock: bool,
    /// How many violations to report. With more than one the search goes on behind the first.
    pub violations: usize,
    /// Whether to stop at the first violation that a worker meets rather than at the end of its level: sooner,
    /// and at the same level, but with several workers it may be another one each time.
    pub at_once: bool,
    /// Temporal properties, checked when everything is explored and nothing else is violated. The state graph is
    /// kept for them.
    pub temporal: Option<&'a Temporal>,
    /// Whether to check them even if the model identifies states by symmetry or a view: then neither a violation nor
    /// its absence is certain. Otherwise such a search is refused, with
    /// [`Reason::Reduction`](crate::Reason::Reduction).
    pub temporal_despite_reduction: bool,
    /// Where to keep what does not fit into memory, if there is such a place.
    pub disk: Option<Disk<'a>>,
    /// How far to go.
    pub limits: Limits<'a>,
    /// Is told about progress.
    pub progress: Option<ProgressFn<'a>>,
    /// Time between two calls of `progress`.
    pub progress_every: Duration,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            workers: 1,
            deadlock: true,
            violations: 1,
            at_once: false,
            temporal: None,
            temporal_despite_reduction: false,
            disk: None,
            limits: Limits::default(),
            progress: None,
            progress_every: Duration::from_secs(1),
        }
    }
}
