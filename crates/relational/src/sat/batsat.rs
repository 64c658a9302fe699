//! Batsat behind the trait.

use super::{Interrupt, SatResult, SatSolver};
use batsat::callbacks::Callbacks;
use batsat::{Lit, Solver, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;

pub(super) struct Batsat {
    solver: Solver<Stop>,
    buffer: Vec<Lit>,
}

/// Asks the clock only now and then.
struct Stop {
    interrupt: Interrupt,
    calls: Cell<u32>,
    raised: Cell<bool>,
}

impl Callbacks for Stop {
    fn stop(&self) -> bool {
        if !self.raised.get() && self.calls.get().is_multiple_of(64) {
            self.raised.set(self.interrupt.is_raised());
        }
        self.calls.set(self.calls.get().wrapping_add(1));
        self.raised.get()
    }
}

impl Batsat {
    pub(super) fn new(interrupt: &Interrupt) -> Self {
        let stop = Stop { interrupt: interrupt.clone(), calls: Cell::new(0), raised: Cell::new(false) };
        Self { solver: Solver::new(SolverOpts::default(), stop), buffer: Vec::new() }
    }

    fn var(&mut self, lit: i32) -> Var {
        self.solver.var_of_int(lit.unsigned_abs() - 1)
    }

    fn lit(&mut self, lit: i32) -> Lit {
        Lit::new(self.var(lit), lit > 0)
    }
}

impl SatSolver for Batsat {
    fn add_clause(&mut self, clause: &[i32]) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        for &lit in clause {
            buffer.push(self.lit(lit));
        }
        self.solver.add_clause_reuse(&mut buffer);
        self.buffer = buffer;
    }

    fn solve(&mut self, assumptions: &[i32]) -> SatResult {
        let assumptions: Vec<Lit> = assumptions.iter().map(|&lit| self.lit(lit)).collect();
        let answer = self.solver.solve_limited(&assumptions);
        if answer == lbool::TRUE {
            SatResult::Sat
        } else if answer == lbool::FALSE {
            SatResult::Unsat
        } else {
            SatResult::Unknown
        }
    }

    fn value(&mut self, variable: i32) -> bool {
        let var = self.var(variable);
        self.solver.value_var(var) == lbool::TRUE
    }

    fn failed(&mut self, assumption: i32) -> bool {
        let lit = self.lit(assumption);
        // The core of batsat holds the negations of the assumptions that failed.
        self.solver.unsat_core_contains_lit(!lit) || self.solver.unsat_core_contains_lit(lit)
    }
}
