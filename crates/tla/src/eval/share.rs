//! Which of the initial states a worker finds, where several divide them. Where they are divided is in [`super::act`].

/// One worker's share of the initial states. If the first thing that splits is a large set that a variable is chosen from, that set
/// is divided; what does not depend on this choice is the first worker's. Outside of what is divided, all workers do the same.
#[derive(Debug)]
pub(crate) struct Share {
    worker: u64,
    workers: u64,
    /// Whether a set was divided.
    is_divided: bool,
    /// How many elements of it there were so far, and states outside of it. The same for all workers.
    place: u64,
    /// Whether an element has been chosen that is this worker's.
    is_within: bool,
}

/// Elements that a worker takes at a time.
const TAKEN: u64 = 64;

impl Share {
    pub(crate) fn new(worker: usize, workers: usize) -> Self {
        let (worker, workers) = (worker as u64, workers as u64);
        Self { worker, workers, is_divided: false, place: 0, is_within: false }
    }

    /// Whether the next large set is to be divided.
    pub(super) fn divides(&mut self) -> bool {
        let divides = self.place == 0 && !self.is_divided;
        self.is_divided |= divides;
        divides
    }

    /// Whether the next element of what is divided is this worker's.
    pub(super) fn takes_next(&mut self) -> bool {
        self.is_within = self.place / TAKEN % self.workers == self.worker;
        self.place += 1;
        self.is_within
    }

    /// Says that there are no more elements of what was divided.
    pub(super) fn leave(&mut self) {
        self.is_within = false;
    }

    /// Whether a state that was found is this worker's.
    pub(crate) fn takes_state(&mut self) -> bool {
        self.place += u64::from(!self.is_within);
        self.is_within || self.worker == 0
    }

    /// Where the last element or state stands, if something was divided.
    pub(crate) fn place(&self) -> Option<u64> {
        self.is_divided.then_some(self.place)
    }
}
