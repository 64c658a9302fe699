//! CaDiCaL behind the trait.

use super::{Hope, Interrupt, SatResult, SatSolver};
use cadical_sys::{CaDiCal, Status, Terminator};

pub(super) struct Cadical {
    solver: CaDiCal,
}

/// Asks the clock only now and then: CaDiCaL asks very often.
struct Stop {
    interrupt: Interrupt,
    calls: u32,
    raised: bool,
}

impl Terminator for Stop {
    fn terminated(&mut self) -> bool {
        if !self.raised && self.calls.is_multiple_of(64) {
            self.raised = self.interrupt.is_raised();
        }
        self.calls = self.calls.wrapping_add(1);
        self.raised
    }
}

impl Cadical {
    pub(super) fn new(hope: Hope, interrupt: &Interrupt) -> Self {
        let mut solver = CaDiCal::new();
        // Most tuples of most instances are out; so try that first. It also gives small instances.
        solver.set("phase", 0);
        if hope == Hope::Model {
            solver.configure("sat");
        }
        solver.connect_terminator(Stop { interrupt: interrupt.clone(), calls: 0, raised: false });
        Self { solver }
    }
}

impl SatSolver for Cadical {
    fn add_clause(&mut self, clause: &[i32]) {
        for &lit in clause {
            self.solver.add(lit);
        }
        self.solver.add(0);
    }

    fn solve(&mut self, assumptions: &[i32]) -> SatResult {
        for &lit in assumptions {
            self.solver.assume(lit);
        }
        match self.solver.solve() {
            Status::SATISFIABLE => SatResult::Sat,
            Status::UNSATISFIABLE => SatResult::Unsat,
            Status::UNKNOWN => SatResult::Unknown,
        }
    }

    fn value(&mut self, variable: i32) -> bool {
        self.solver.val(variable) > 0
    }

    fn failed(&mut self, assumption: i32) -> bool {
        self.solver.failed(assumption)
    }
}
