//! Boolean satisfiability, behind one small trait.
//!
//! A literal is a number: the variable, counted from 1, with a minus sign when negated. Solvers are incremental:
//! clauses may be added after an answer, and each question may come with assumptions.

#[cfg(feature = "batsat")]
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

#[cfg(not(any(feature = "cadical", feature = "batsat")))]
compile_error!("a solver is needed: the feature `cadical` or the feature `batsat`");

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The answer of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatResult {
    /// There is a model.
    Sat,
    /// There is none, under the assumptions.
    Unsat,
    /// Stopped before the answer was known.
    Unknown,
}

/// A solver for clauses.
pub trait SatSolver {
    /// Adds a clause.
    fn add_clause(&mut self, clause: &[i32]);
    /// Looks for a model in which all assumptions hold.
    fn solve(&mut self, assumptions: &[i32]) -> SatResult;
    /// Whether a variable is true in the model just found.
    fn value(&mut self, variable: i32) -> bool;
    /// After [`SatResult::Unsat`]: whether an assumption was needed to see it.
    fn failed(&mut self, assumption: i32) -> bool;
}

/// Which solver to use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// The strongest that was compiled in.
    #[default]
    Best,
    /// Batsat, in pure Rust.
    #[cfg(feature = "batsat")]
    Batsat,
}

/// The answer that is expected. A solver answers either way, but may look for one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hope {
    /// Nothing in particular.
    #[default]
    Nothing,
    /// There is a model.
    Model,
}

/// A way to end a search early: a deadline, a flag set from elsewhere, or both.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    flag: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Interrupt {
    /// Never ends anything.
    pub fn never() -> Self {
        Self::default()
    }

    /// Ends the search soon after the flag becomes true.
    #[must_use]
    pub fn with_flag(mut self, flag: Arc<AtomicBool>) -> Self {
        self.flag = Some(flag);
        self
    }

    /// Ends the search soon after this time has passed from now.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.deadline = Instant::now().checked_add(timeout);
        self
    }

    /// Ends the search as before, but no later than soon after this time has passed from now.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        let latest = Instant::now().checked_add(time);
        self.deadline = self.deadline.into_iter().chain(latest).min();
        self
    }

    /// Whether it is time to stop.
    pub fn is_raised(&self) -> bool {
        self.flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A new solver of the kind asked for.
pub fn new_solver(backend: Backend, hope: Hope, interrupt: &Interrupt) -> Box<dyn SatSolver> {
    #[cfg(not(feature = "cadical"))]
    let _ = hope;
    match backend {
        #[cfg(feature = "cadical")]
        Backend::Best => Box::new(cadical::Cadical::new(hope, interrupt)),
        #[cfg(not(feature = "cadical"))]
        Backend::Best => Box::new(batsat::Batsat::new(interrupt)),
        #[cfg(feature = "batsat")]
        Backend::Batsat => Box::new(batsat::Batsat::new(interrupt)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backends() -> Vec<Box<dyn SatSolver>> {
        let kinds =
            [(Backend::Best, Hope::Nothing), (Backend::Best, Hope::Model), (Backend::Batsat, Hope::Nothing)];
        kinds.map(|(backend, hope)| new_solver(backend, hope, &Interrupt::never())).into()
    }

    #[test]
    fn models_cores_and_more_clauses() {
        for mut solver in backends() {
            solver.add_clause(&[1, 2]);
            solver.add_clause(&[-1, 3]);
            assert_eq!(solver.solve(&[]), SatResult::Sat);
            assert!(solver.value(1) || solver.value(2));
            assert_eq!(solver.solve(&[-2, -3, 4]), SatResult::Unsat);
            assert!(solver.failed(-2) && solver.failed(-3) && !solver.failed(4));
            assert_eq!(solver.solve(&[-2]), SatResult::Sat);
            assert!(solver.value(3));
            solver.add_clause(&[-3]);
            solver.add_clause(&[-2]);
            assert_eq!(solver.solve(&[]), SatResult::Unsat);
        }
    }

    #[test]
    fn the_earlier_deadline_counts() {
        let (soon, late) = (Duration::ZERO, Duration::from_hours(1));
        assert!(Interrupt::never().within(soon).is_raised());
        assert!(Interrupt::never().with_timeout(soon).within(late).is_raised());
        assert!(Interrupt::never().with_timeout(late).within(soon).is_raised());
        assert!(!Interrupt::never().with_timeout(late).within(late).is_raised());
    }

    #[test]
    fn a_raised_interrupt_ends_the_search() {
        let flag = Arc::new(AtomicBool::new(true));
        for backend in [Backend::Best, Backend::Batsat] {
            let mut solver = new_solver(backend, Hope::Nothing, &Interrupt::never().with_flag(flag.clone()));
            // Eleven pigeons in ten holes: out of reach within the first few checks.
            let variable = |pigeon: i32, hole: i32| pigeon * 10 + hole + 1;
            for pigeon in 0..11 {
                solver.add_clause(&(0..10).map(|hole| variable(pigeon, hole)).collect::<Vec<_>>());
            }
            for hole in 0..10 {
                for p in 0..11 {
                    for q in 0..p {
                        solver.add_clause(&[-variable(p, hole), -variable(q, hole)]);
                    }
                }
            }
            assert_eq!(solver.solve(&[]), SatResult::Unknown);
        }
    }
}
