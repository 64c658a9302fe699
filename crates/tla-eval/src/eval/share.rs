//! Which of the initial states a worker finds, where several divide them. Where they are divided is in [`super::act`].

use super::ir::NodeId;

/// One worker's share of the initial states. The first choice that can be made in many ways, together with those before
/// it, is divided; what does not depend on it is the first worker's. Outside of what is divided, all workers do the
/// same.
#[derive(Debug)]
pub struct Share {
    worker: u64,
    workers: u64,
    /// The choice that is divided, by its set.
    divided: Option<NodeId>,
    /// How many elements of it there were so far. The same for all workers.
    elements: u64,
    /// Whether an element has been chosen that is this worker's.
    is_within: bool,
    /// Whether a state was found before something was divided: then nothing is.
    is_too_late: bool,
    /// In how many ways, at the most, the choices before can be made.
    ways: u64,
}

/// Elements that a worker takes at a time.
const TAKEN: u64 = 16;
/// How often each worker takes some, at least.
const LEAST_TIMES: u64 = 32;

/// A choice that is being made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub(super) is_divided: bool,
    /// In how many ways the choices before it can be made.
    ways: u64,
}

impl Share {
    /// The share of one of several workers.
    pub fn new(worker: usize, workers: usize) -> Self {
        let (worker, workers) = (worker as u64, workers as u64);
        Self { worker, workers, divided: None, elements: 0, is_within: false, is_too_late: false, ways: 1 }
    }

    /// Begins a choice from a set, of at most so many elements.
    pub(super) fn enter(&mut self, set: NodeId, size: u64) -> Choice {
        let ways = self.ways;
        self.ways = ways.saturating_mul(size);
        let is_large = self.ways >= TAKEN * LEAST_TIMES * self.workers;
        if self.divided.is_none() && is_large && !self.is_too_late {
            self.divided = Some(set);
        }
        Choice { is_divided: self.divided == Some(set) && !self.is_within, ways }
    }

    /// Which of the elements that come next are this worker's, by their places from now on.
    pub(super) fn takes(&self) -> impl Fn(u64) -> bool + use<> {
        let Self { worker, workers, elements, .. } = *self;
        move |place| (elements + place) / TAKEN % workers == worker
    }

    /// How many elements of what is divided there were so far.
    pub(super) fn elements(&self) -> u64 {
        self.elements
    }

    /// Says how many there were up to now, and whether the last one is chosen now.
    pub(super) fn reach(&mut self, elements: u64, is_chosen: bool) {
        self.elements = elements;
        self.is_within = is_chosen;
    }

    /// Ends a choice.
    pub(super) fn leave(&mut self, Choice { is_divided, ways }: Choice) {
        self.ways = ways;
        debug_assert!(!is_divided || !self.is_within, "behind what is divided, no element of it is chosen");
    }

    /// Whether a state that was found is this worker's.
    pub fn takes_state(&mut self) -> bool {
        self.is_too_late |= self.divided.is_none();
        self.is_within || self.worker == 0
    }

    /// Where what is found now stands, if something was divided: at an element, or behind it. The same for all workers
    /// when there are no more.
    pub fn place(&self) -> Option<u64> {
        self.divided.map(|_| self.elements * 2 + u64::from(!self.is_within))
    }
}
