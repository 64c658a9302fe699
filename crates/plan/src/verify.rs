//! Whether a deployment is safe: every way in which a plan can go when operations fail.
//!
//! Operations run side by side, as far as the order allows. Each may fail, and is tried again up to a number of times.
//! When one has failed for good, or the operator cancels, nothing new is started, what is running comes to its end, and
//! what was done is taken back in reverse: new components are deleted, others go back to the state that they came from.
//! Taking back is tried until it succeeds. After an operation that cannot be taken back, such as the deletion of a
//! component that existed before, there is no way back: the rest continues, without what depends on what failed.
//!
//! All states of that are explored, up to the exchange of components that are [alike](symmetry). In each of them the
//! configuration must be correct, whether what is running counts as done or not; and every way must end in what is
//! wanted, or where it started, or in what is wanted with remains that could not be deleted.

mod argument;
mod operations;
mod symmetry;

use std::ops::ControlFlow;

use locus_aeolus::{Configuration, Universe};
use locus_explore::{
    InitialSink, Limits, Model, Options, Properties, Reduction, Saving, StepSink, Tuning, Verdict,
    ViolationKind, explore,
};

use crate::lint::words;
use crate::problem::Plan;
pub use argument::{WayBack, way_back};
pub(crate) use operations::{Operation, Operations, Undo};
use symmetry::{Orbit, lines, orbits};

/// The failures to consider, and how far to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Risks {
    /// How often an operation that fails is tried again.
    pub retries: u8,
    /// The most states that are explored.
    pub states: u64,
    /// Whether components that are alike are exchanged, so that fewer states are explored.
    pub symmetry: bool,
}

impl Default for Risks {
    fn default() -> Self {
        Self { retries: 1, states: 5_000_000, symmetry: true }
    }
}

/// The most operations of a plan that is explored.
const MOST_OPERATIONS: usize = 2_000;
/// The most retries.
const MOST_RETRIES: u8 = 100;

/// Something that happens on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// An operation starts: the step of the plan.
    Start(u32),
    /// It is done.
    Finish(u32),
    /// It failed, and is tried again.
    Retry(u32),
    /// It failed for good.
    Fail(u32),
    /// The operator cancels.
    Cancel,
    /// The step is undone; if its component is new, with everything else that was done to it.
    Undo(u32),
}

/// How a way ends that must not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// In a configuration that is not correct: in words, why.
    Incorrect(String),
    /// Part-way: neither is everything that is wanted there, nor was everything taken back.
    PartWay,
    /// Nothing can be taken back any more, though something is left to be.
    Stuck,
}

/// The result of exploring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verified {
    /// Every way is safe.
    Safe {
        /// The states that were explored.
        states: u64,
        /// Whether components that are alike were exchanged.
        symmetric: bool,
        /// Whether every way ends in what is wanted or where it started; otherwise some end with remains that could not
        /// be deleted.
        clean: bool,
    },
    /// One is not: a shortest.
    Unsafe {
        /// The events.
        events: Vec<Event>,
        /// How it ends.
        ending: Ending,
    },
    /// That could not be told: in words, why.
    Unknown(String),
}

/// Explores every way in which a plan can go.
pub fn verify(universe: &Universe, start: &Configuration, plan: &Plan, risks: Risks) -> Verified {
    let failures = Failures::new(universe, start, plan, risks);
    if failures.operations.all.len() > MOST_OPERATIONS {
        return Verified::Unknown(format!("the plan has more than {MOST_OPERATIONS} operations"));
    }
    if risks.retries > MOST_RETRIES {
        return Verified::Unknown(format!("an operation is tried again more than {MOST_RETRIES} times"));
    }
    let limits = Limits { states: Some(risks.states), ..Limits::default() };
    let report = explore(&failures, &Options { deadlock: false, limits, ..Options::default() });
    if let Some(violation) = report.violations.first() {
        let events = violation.trace.steps.iter().filter_map(|step| step.action).collect();
        let state = violation.trace.steps.last().map(|step| &step.state);
        let ending = match violation.kind {
            ViolationKind::Invariant(INCORRECT) => {
                Ending::Incorrect(state.and_then(|state| failures.incorrect(state)).unwrap_or_default())
            }
            ViolationKind::Invariant(STUCK) => Ending::Stuck,
            _ => Ending::PartWay,
        };
        return Verified::Unsafe { events, ending };
    }
    match report.verdict {
        Verdict::Incomplete(reason) => Verified::Unknown(format!("{reason}: {} were explored", risks.states)),
        _ => Verified::Safe {
            states: report.statistics.distinct,
            symmetric: !failures.orbits.is_empty(),
            clean: !failures.operations.all.iter().any(|operation| operation.undo == Undo::Never),
        },
    }
}

const TODO: u8 = 0;
const DONE: u8 = 1;
const FAILED: u8 = 2;
/// The first attempt; each further one is one more.
const RUNNING: u8 = 3;

const FORWARD: u8 = 0;
const BACK: u8 = 1;

const INCORRECT: usize = 0;
const PART_WAY: usize = 1;
const STUCK: usize = 2;

/// The ways of a plan when operations fail, as a model to explore. A state is the mode and how far each operation is.
pub struct Failures<'a> {
    operations: Operations<'a>,
    lines: Vec<Vec<u32>>,
    orbits: Vec<Orbit>,
    retries: u8,
}

impl<'a> Failures<'a> {
    /// The model for a plan from a configuration.
    pub fn new(universe: &'a Universe, start: &'a Configuration, plan: &'a Plan, risks: Risks) -> Self {
        let operations = Operations::new(universe, start, plan);
        let small = operations.all.len() <= MOST_OPERATIONS;
        let orbits = if risks.symmetry && small { orbits(&operations) } else { Vec::new() };
        Self { lines: lines(&operations), operations, orbits, retries: risks.retries }
    }

    /// The state of an operation.
    fn at(state: &[u8], operation: u32) -> u8 {
        state[operation as usize + 1]
    }

    /// Whether something was begun that cannot be taken back.
    fn is_past_return(&self, state: &[u8]) -> bool {
        let never = |(index, one): (usize, &Operation)| {
            one.undo == Undo::Never && Self::at(state, index as u32) != TODO
        };
        self.operations.all.iter().enumerate().any(never)
    }

    fn all_todo(state: &[u8], mut operations: impl Iterator<Item = u32>) -> bool {
        operations.all(|operation| Self::at(state, operation) == TODO)
    }

    fn can_start(&self, state: &[u8], operation: u32) -> bool {
        let before = &self.operations.all[operation as usize].before;
        state[0] == FORWARD
            && Self::at(state, operation) == TODO
            && before.iter().all(|&before| Self::at(state, before) == DONE)
    }

    /// Whether an operation can be taken back; with all of its unit, if that is new.
    fn can_undo(&self, state: &[u8], operation: u32) -> bool {
        let of = &self.operations.all[operation as usize];
        let ended = |operation: u32| matches!(Self::at(state, operation), DONE | FAILED);
        if state[0] != BACK || !ended(operation) {
            return false;
        }
        match of.undo {
            Undo::Never => false,
            Undo::Back => Self::all_todo(state, of.later.iter().copied()),
            Undo::Remove => {
                let own = &self.lines[of.unit as usize];
                let outside = |operation: u32| {
                    let later = &self.operations.all[operation as usize].later;
                    Self::all_todo(state, later.iter().copied().filter(|later| !own.contains(later)))
                };
                // One event for the unit: that of its first operation.
                own.iter().find(|&&one| Self::at(state, one) != TODO) == Some(&operation)
                    && own.iter().all(|&one| Self::at(state, one) < RUNNING)
                    && own.iter().all(|&one| Self::at(state, one) == TODO || outside(one))
            }
        }
    }

    /// Whether something may still happen by itself.
    fn goes_on(&self, state: &[u8]) -> bool {
        (0..self.operations.all.len() as u32).any(|operation| {
            Self::at(state, operation) >= RUNNING
                || self.can_start(state, operation)
                || self.can_undo(state, operation)
        })
    }

    /// Why the configuration of a state is not correct, if it is not.
    fn incorrect(&self, state: &[u8]) -> Option<String> {
        let name = |id: locus_aeolus::ComponentId| self.operations.plan.components[id.index()].name.as_str();
        let wrong = |configuration: Configuration| {
            let violation = configuration.violations(self.operations.universe).into_iter().next();
            violation.map(|violation| words(self.operations.universe, name, &violation))
        };
        let done = |operation: u32| Self::at(state, operation) == DONE;
        let begun = |operation: u32| done(operation) || Self::at(state, operation) >= RUNNING;
        wrong(self.operations.configuration(done)).or_else(|| wrong(self.operations.configuration(begun)))
    }

    /// Whether a component has the same state as one before it that it can be exchanged with.
    fn is_repeated(&self, state: &[u8], operation: u32) -> bool {
        let local = |line: &[u32]| line.iter().map(|&one| Self::at(state, one)).collect::<Vec<u8>>();
        self.orbits.iter().any(|orbit| {
            let Some(own) = orbit.iter().position(|line| line.contains(&operation)) else { return false };
            let mine = local(&orbit[own]);
            orbit[..own].iter().any(|line| local(line) == mine)
        })
    }

    /// The events that can happen to an operation: the event, and what the operation and the mode are then.
    fn events(&self, state: &[u8], operation: u32) -> Vec<(Event, u8, u8)> {
        let step = self.operations.all[operation as usize].step;
        let (mode, at) = (state[0], Self::at(state, operation));
        let mut events = Vec::new();
        if self.can_start(state, operation) {
            events.push((Event::Start(step), mode, RUNNING));
        }
        if at >= RUNNING {
            events.push((Event::Finish(step), mode, DONE));
            if mode == FORWARD && at - RUNNING < self.retries {
                events.push((Event::Retry(step), mode, at + 1));
            } else {
                let mode = if self.is_past_return(state) { mode } else { BACK };
                events.push((Event::Fail(step), mode, FAILED));
            }
        }
        if self.can_undo(state, operation) {
            events.push((Event::Undo(step), mode, TODO));
        }
        events
    }
}

impl Model for Failures<'_> {
    type State = Box<[u8]>;
    type Action = Event;
    type Error = std::convert::Infallible;
    type Worker = Vec<u8>;

    fn worker(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial_states(
        &self,
        worker: &mut Vec<u8>,
        sink: &mut InitialSink<'_, Self>,
    ) -> Result<(), Self::Error> {
        let state: Box<[u8]> = vec![TODO; self.operations.all.len() + 1].into();
        let _ = sink(worker, &state);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut Vec<u8>,
        state: &Box<[u8]>,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Self::Error> {
        let unfinished = state[1..].iter().any(|&at| at != DONE);
        if state[0] == FORWARD && unfinished && !self.is_past_return(state) {
            let mut next = state.clone();
            next[0] = BACK;
            if sink(worker, &Event::Cancel, &next) == ControlFlow::Break(()) {
                return Ok(());
            }
        }
        for operation in 0..self.operations.all.len() as u32 {
            let events = self.events(state, operation);
            if events.is_empty() || self.is_repeated(state, operation) {
                continue;
            }
            for (event, mode, at) in events {
                let mut next = state.clone();
                next[0] = mode;
                next[operation as usize + 1] = at;
                let of = &self.operations.all[operation as usize];
                if matches!(event, Event::Undo(_)) && of.undo == Undo::Remove {
                    for &own in &self.lines[of.unit as usize] {
                        next[own as usize + 1] = TODO;
                    }
                }
                if sink(worker, &event, &next) == ControlFlow::Break(()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn fingerprint(&self, worker: &mut Vec<u8>, state: &Box<[u8]>) -> Result<u64, Self::Error> {
        worker.clear();
        worker.extend_from_slice(state);
        for orbit in &self.orbits {
            let mut locals: Vec<Vec<u8>> =
                orbit.iter().map(|line| line.iter().map(|&one| Self::at(state, one)).collect()).collect();
            locals.sort_unstable();
            for (line, local) in orbit.iter().zip(locals) {
                for (&operation, at) in line.iter().zip(local) {
                    worker[operation as usize + 1] = at;
                }
            }
        }
        Ok(worker.chunks(8).fold(0x9e37_79b9_7f4a_7c15, |hash: u64, chunk| {
            let word = chunk.iter().fold(0u64, |word, &byte| word << 8 | u64::from(byte));
            let mixed = (hash ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
            (mixed ^ mixed >> 29).wrapping_mul(0xc4ce_b9fe_1a85_ec53).rotate_left(31)
        }))
    }

    fn reduction(&self) -> Reduction {
        if self.orbits.is_empty() { Reduction::None } else { Reduction::Symmetry }
    }

    fn check_state(
        &self,
        _: &mut Vec<u8>,
        state: &Box<[u8]>,
        violated: &mut Vec<usize>,
    ) -> Result<(), Self::Error> {
        if self.incorrect(state).is_some() {
            violated.push(INCORRECT);
        }
        let is_done = state[1..].iter().all(|&at| at == DONE);
        let is_back = state[0] == BACK && state[1..].iter().all(|&at| at == TODO);
        if is_done || is_back || self.goes_on(state) {
            return Ok(());
        }
        let only_remains = self
            .operations
            .all
            .iter()
            .zip(&state[1..])
            .all(|(operation, &at)| at == DONE || operation.is_cleanup);
        if state[0] == BACK {
            violated.push(STUCK);
        } else if !only_remains {
            violated.push(PART_WAY);
        }
        Ok(())
    }
}

impl Properties for Failures<'_> {}
impl Saving for Failures<'_> {}
impl Tuning for Failures<'_> {}

/// The parts of the model, for those who write it in another language.
impl Failures<'_> {
    pub(crate) fn operations(&self) -> &Operations<'_> {
        &self.operations
    }

    pub(crate) fn retries(&self) -> u8 {
        self.retries
    }
}
