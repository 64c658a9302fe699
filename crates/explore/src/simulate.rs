//! Simulation: random walks instead of a search, for models too large to explore.
//!
//! Each walk has its own random numbers, drawn from the seed and the number of the walk, so a walk can be repeated,
//! and what is found does not depend on the number of workers: of the walks that meet a violation the one with the
//! least number counts. Everything a walk generates is checked, also the successors not taken. The initial states are
//! found and checked once, before the first walk. Where a walk that met a violation went in circles, the circles are
//! left out of its trace; whether one of them violates a temporal property is looked at when the walk has ended
//! ([`crate::walked`]).

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::limits::{Limits, Reason};
use crate::model::{Explorable, Figures, Model, Reduction};
use crate::report::{Trace, TraceEnd, TraceStep, Violation, ViolationKind};
use crate::temporal::Temporal;
use crate::walked;

/// How to walk.
#[derive(Clone, Copy)]
pub struct Walks<'a> {
    /// Where the random numbers start.
    pub seed: u64,
    /// How many walks; without, walks go on until a limit ends them.
    pub count: Option<u64>,
    /// The most states on a walk.
    pub depth: u32,
    /// Threads; 0 is taken as 1.
    pub workers: usize,
    /// Whether a state without successors is a violation.
    pub deadlock: bool,
    /// Temporal properties, checked of the behaviours within each walk: its circles, and staying in one of its states.
    /// Not of a model that identifies states that differ.
    pub temporal: Option<&'a Temporal>,
    /// Of these, time and the stop flag count, and the number of states, here of those generated.
    pub limits: Limits<'a>,
    /// Is told about progress, about once a second.
    pub progress: Option<WalkProgressFn<'a>>,
}

/// How far the walks are.
#[derive(Clone, Copy, Debug)]
pub struct WalkProgress {
    /// Walks done.
    pub walks: u64,
    /// States generated.
    pub generated: u64,
}

/// Is told about progress, from one of the threads that walk.
pub type WalkProgressFn<'a> = &'a (dyn Fn(&WalkProgress) + Sync);

impl Default for Walks<'_> {
    fn default() -> Self {
        Walks {
            seed: 0,
            count: None,
            depth: 100,
            workers: 1,
            deadlock: true,
            temporal: None,
            limits: Limits::default(),
            progress: None,
        }
    }
}

/// The result of random walks. They never show that a model is right.
pub struct Simulation<M: Model> {
    /// The seed, to repeat it.
    pub seed: u64,
    /// The first violation, and the number of the walk that met it; 0 too if an initial state is wrong.
    pub violation: Option<(u64, Violation<M>)>,
    /// The limit that ended it, if one did.
    pub stopped: Option<Reason>,
    /// Initial states within the constraints, those that occur twice counted twice.
    pub initial: u64,
    /// Walks done.
    pub walks: u64,
    /// States generated.
    pub generated: u64,
    /// States on the longest walk.
    pub depth: u32,
}

/// Walks through `model` at random.
pub fn simulate<M: Explorable<State: Sync, Action: Sync>>(model: &M, walks: &Walks<'_>) -> Simulation<M> {
    let start = Instant::now();
    let mut shared = Shared {
        model,
        walks,
        start,
        initial: Vec::new(),
        next: AtomicU64::new(0),
        done: AtomicU64::new(0),
        generated: AtomicU64::new(0),
        depth: AtomicU32::new(0),
        first: AtomicU64::new(walks.count.unwrap_or(u64::MAX)),
        found: Mutex::new(None),
        stopped: Mutex::new(None),
        last_progress: Mutex::new(start),
    };
    shared.find_initial();
    if walks.workers <= 1 {
        shared.work();
    } else {
        std::thread::scope(|scope| {
            for _ in 0..walks.workers {
                scope.spawn(|| shared.work());
            }
        });
    }
    Simulation {
        seed: walks.seed,
        violation: shared.found.into_inner().unwrap_or_else(PoisonError::into_inner),
        stopped: shared.stopped.into_inner().unwrap_or_else(PoisonError::into_inner),
        initial: shared.initial.len() as u64,
        walks: shared.done.into_inner(),
        generated: shared.generated.into_inner(),
        depth: shared.depth.into_inner(),
    }
}

/// The time between two calls of [`Walks::progress`].
const PROGRESS_EVERY: Duration = Duration::from_secs(1);

struct Shared<'a, M: Model> {
    model: &'a M,
    walks: &'a Walks<'a>,
    start: Instant,
    /// The initial states within the constraints.
    initial: Vec<M::State>,
    next: AtomicU64,
    done: AtomicU64,
    generated: AtomicU64,
    depth: AtomicU32,
    /// No walk from this number on matters any more.
    first: AtomicU64,
    found: Mutex<Option<(u64, Violation<M>)>>,
    stopped: Mutex<Option<Reason>>,
    last_progress: Mutex<Instant>,
}

/// One walk.
struct Walk<M: Model> {
    random: Random,
    steps: Vec<TraceStep<M>>,
    generated: u64,
    /// Where to go next, so far: each candidate has the same chance.
    chosen: Option<TraceStep<M>>,
    candidates: u64,
    violated: Vec<usize>,
    wrong: Option<Wrong<M>>,
}

/// A fault at the end of a walk, or one step further.
struct Wrong<M: Model> {
    kind: ViolationKind<M::Error>,
    last: Option<TraceStep<M>>,
}

impl<M: Explorable<State: Sync, Action: Sync>> Shared<'_, M> {
    /// Finds and checks the initial states.
    fn find_initial(&mut self) {
        let mut worker = self.model.worker();
        let mut walk = Walk::new(self.walks.seed, 0);
        let mut initial = Vec::new();
        let shared = &*self;
        shared.model.at_depth(&mut worker, 0);
        let result = shared.model.initial_states(&mut worker, &mut |worker, state| {
            let checked = walk.initial_state(shared.model, worker, state, &mut initial);
            if shared.is_stopped() {
                return ControlFlow::Break(());
            }
            walk.after(checked, None, state)
        });
        walk.fail(result);
        self.initial = initial;
        *self.generated.get_mut() += walk.generated;
        self.end(0, walk, &mut worker);
    }

    fn work(&self) {
        if self.initial.is_empty() {
            return; // There is nowhere to start.
        }
        let mut worker = self.model.worker();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.first.load(Ordering::Relaxed) || self.is_stopped() {
                return;
            }
            let mut walk = Walk::new(self.walks.seed, number);
            walk.go(self, &mut worker);
            self.generated.fetch_add(walk.generated, Ordering::Relaxed);
            self.depth.fetch_max(walk.steps.len() as u32, Ordering::Relaxed);
            self.done.fetch_add(1, Ordering::Relaxed);
            self.end(number, walk, &mut worker);
            self.tell();
        }
    }

    /// Keeps what a walk met, if it met something.
    fn end(&self, number: u64, walk: Walk<M>, worker: &mut M::Worker) {
        if let Some(Wrong { kind, last }) = walk.wrong {
            if let ViolationKind::Error(error) = &kind
                && let Some(reason) = self.model.gave_up(error)
            {
                self.stop(reason);
                return;
            }
            let mut steps = self.without_loops(walk.steps, worker);
            steps.extend(last);
            let trace = Trace { steps, end: TraceEnd::Finite, missing: 0, cut: None };
            self.keep(number, Violation { kind, trace });
        } else if let Some(temporal) = self.walks.temporal
            && let Some(violation) = walked::violation(self.model, worker, &walk.steps, temporal)
        {
            self.keep(number, violation);
        }
    }

    /// Leaves out the rounds of a walk that came back to where it was: what is left is a path too.
    fn without_loops(&self, walked: Vec<TraceStep<M>>, worker: &mut M::Worker) -> Vec<TraceStep<M>> {
        // A model that looks at the figures of the search may depend on how long the way was.
        if self.model.reduction() != Reduction::None || self.model.wants_figures() {
            return walked;
        }
        let fingerprints: Result<Vec<u64>, _> =
            walked.iter().map(|step| self.model.fingerprint(worker, &step.state)).collect();
        let Ok(fingerprints) = fingerprints else { return walked };
        let mut places: FxHashMap<u64, usize> = FxHashMap::default();
        let mut kept: Vec<(u64, TraceStep<M>)> = Vec::with_capacity(walked.len());
        for (fingerprint, step) in fingerprints.into_iter().zip(walked) {
            if let Some(&place) = places.get(&fingerprint) {
                for (gone, _) in kept.drain(place + 1..) {
                    places.remove(&gone);
                }
            } else {
                places.insert(fingerprint, kept.len());
                kept.push((fingerprint, step));
            }
        }
        kept.into_iter().map(|(_, step)| step).collect()
    }

    fn tell(&self) {
        let Some(progress) = self.walks.progress else { return };
        // Whoever finds the lock taken leaves it to the other.
        let Ok(mut last) = self.last_progress.try_lock() else { return };
        if last.elapsed() >= PROGRESS_EVERY {
            *last = Instant::now();
            progress(&WalkProgress {
                walks: self.done.load(Ordering::Relaxed),
                generated: self.generated.load(Ordering::Relaxed),
            });
        }
    }

    fn keep(&self, number: u64, violation: Violation<M>) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.as_ref().is_none_or(|(first, _)| number < *first) {
            *found = Some((number, violation));
            self.first.fetch_min(number, Ordering::Relaxed);
        }
    }

    /// Tells a model that wants to know how far the walks are; whether it wants them to end.
    fn tell_figures(&self, worker: &mut M::Worker, walk: &Walk<M>) -> bool {
        let generated = self.generated.load(Ordering::Relaxed) + walk.generated;
        let depth = walk.steps.len() as u32;
        let figures = Figures { generated, depth, ..Figures::default() };
        let stop = self.model.figures(worker, &figures).is_break();
        if stop {
            self.stop(Reason::Stopped);
        }
        stop
    }

    /// Begins no more walks.
    fn stop(&self, reason: Reason) {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.first.store(0, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        let limits = &self.walks.limits;
        let generated = self.generated.load(Ordering::Relaxed);
        let reason = if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            Reason::Stopped
        } else if limits.time.is_some_and(|limit| self.start.elapsed() >= limit) {
            Reason::Time
        } else if limits.states.is_some_and(|limit| generated >= limit) {
            Reason::States
        } else {
            return false;
        };
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        true
    }
}

impl<M: Explorable<State: Sync, Action: Sync>> Walk<M> {
    fn new(seed: u64, number: u64) -> Self {
        Walk {
            random: Random::new(seed, number),
            steps: Vec::new(),
            generated: 0,
            chosen: None,
            candidates: 0,
            violated: Vec::new(),
            wrong: None,
        }
    }

    fn go(&mut self, shared: &Shared<'_, M>, worker: &mut M::Worker) {
        let model = shared.model;
        let start = self.random.below(shared.initial.len() as u64) as usize;
        self.chosen = Some(TraceStep { action: None, state: shared.initial[start].clone() });
        while self.wrong.is_none() && (self.steps.len() as u32) < shared.walks.depth && !shared.is_stopped() {
            let Some(next) = self.chosen.take() else { return };
            self.candidates = 0;
            self.steps.push(next.clone());
            let from = next.state;
            let before = self.generated;
            model.at_depth(worker, self.steps.len() as u32);
            if model.wants_figures() && shared.tell_figures(worker, self) {
                return;
            }
            let result = model.successors(worker, &from, &mut |worker, action, state| {
                let checked = self.step(model, worker, &from, action, state);
                self.after(checked, Some(action), state)
            });
            self.fail(result);
            if self.wrong.is_none() && shared.walks.deadlock && self.generated == before {
                self.wrong = Some(Wrong { kind: ViolationKind::Deadlock, last: None });
            }
        }
    }

    fn initial_state(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        state: &M::State,
        initial: &mut Vec<M::State>,
    ) -> Result<Option<ViolationKind<M::Error>>, M::Error> {
        model.check_initial(worker, state, &mut self.violated)?;
        if let Some(property) = self.violated.pop() {
            return Ok(Some(ViolationKind::Initial(property)));
        }
        model.check_state(worker, state, &mut self.violated)?;
        if let Some(property) = self.violated.pop() {
            return Ok(Some(ViolationKind::Invariant(property)));
        }
        if model.is_within(worker, state)? {
            initial.push(state.clone());
        }
        Ok(None)
    }

    fn step(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        from: &M::State,
        action: &M::Action,
        to: &M::State,
    ) -> Result<Option<ViolationKind<M::Error>>, M::Error> {
        model.check_state(worker, to, &mut self.violated)?;
        if let Some(property) = self.violated.pop() {
            return Ok(Some(ViolationKind::Invariant(property)));
        }
        model.check_step(worker, from, action, to, &mut self.violated)?;
        if let Some(property) = self.violated.pop() {
            return Ok(Some(ViolationKind::Step(property)));
        }
        if model.is_within(worker, to)? && model.is_step_within(worker, from, action, to)? {
            self.consider(action, to);
        }
        Ok(None)
    }

    /// Takes a state as the next one with a chance of one in the number of candidates so far.
    fn consider(&mut self, action: &M::Action, state: &M::State) {
        self.candidates += 1;
        if self.random.below(self.candidates) == 0 {
            self.chosen = Some(TraceStep { action: Some(action.clone()), state: state.clone() });
        }
    }

    fn after(
        &mut self,
        checked: Result<Option<ViolationKind<M::Error>>, M::Error>,
        action: Option<&M::Action>,
        state: &M::State,
    ) -> ControlFlow<()> {
        self.generated += 1;
        let kind = match checked {
            Ok(None) => return ControlFlow::Continue(()),
            Ok(Some(kind)) => kind,
            Err(error) => ViolationKind::Error(error),
        };
        let last = TraceStep { action: action.cloned(), state: state.clone() };
        self.wrong = Some(Wrong { kind, last: Some(last) });
        ControlFlow::Break(())
    }

    fn fail(&mut self, result: Result<(), M::Error>) {
        if let (Err(error), None) = (result, &self.wrong) {
            self.wrong = Some(Wrong { kind: ViolationKind::Error(error), last: None });
        }
    }
}

/// SplitMix64: small, fast, and the same everywhere.
struct Random {
    state: u64,
}

impl Random {
    fn new(seed: u64, stream: u64) -> Random {
        // The first number of one generator is the state of another, so that neighbouring walks are unlike.
        let mut mixer = Random { state: seed };
        let base = mixer.next();
        Random { state: base ^ Random { state: stream }.next() }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.state;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    /// A number below `bound`, by multiplication; the bias is at most `bound` in 2^64.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference() {
        // From the reference implementation of SplitMix64 with seed 1234567.
        let mut random = Random { state: 1_234_567 };
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn choices_are_even() {
        let mut random = Random::new(1, 2);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            counts[random.below(3) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (9_700..10_300).contains(count)), "{counts:?}");
    }
}
