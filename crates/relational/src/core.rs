//! Why there is no instance: a minimal set of tagged parts of the formula that contradict each other.
//!
//! Each tag gets a selector, a variable that implies everything under the tag. The solver says which selectors it
//! needed; then each of these is left out in turn, and stays out when the rest is still contradictory. What is not
//! tagged always holds. A total order that symmetry allows to be fixed is fixed as for solving, and so counts as
//! part of the bounds.

use crate::ast::{Ast, Formula, Tag};
use crate::bounds::Bounds;
use crate::circuit::Lit;
use crate::cnf::Cnf;
use crate::error::SolveError;
use crate::sat::{SatResult, SatSolver, new_solver};
use crate::solve::{Options, ground, prepare};
use rustc_hash::FxHashMap;

/// Tags that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    /// The tags, ascending. None at all when what is not tagged contradicts itself, or the bounds do.
    pub tags: Vec<Tag>,
    /// Whether leaving out any one of them gives an instance. Not so when the search for it was stopped.
    pub minimal: bool,
}

/// The core of a problem without instances; nothing when it has one.
pub fn core(
    ast: &Ast,
    bounds: &Bounds,
    formula: Formula,
    options: &Options,
) -> Result<Option<Core>, SolveError> {
    let prepared = prepare(ast, bounds, formula, options, true)?;
    let grounded = ground(&prepared, options)?;
    let mut circuit = grounded.circuit;
    let mut asserted = grounded.symmetry;
    let mut groups: FxHashMap<Tag, Vec<Lit>> = FxHashMap::default();
    let mut tags = Vec::new();
    for (&(tag, _), &lit) in prepared.parts.iter().zip(&grounded.parts) {
        match tag {
            None => asserted.push(lit),
            Some(tag) => groups
                .entry(tag)
                .or_insert_with(|| {
                    tags.push(tag);
                    Vec::new()
                })
                .push(lit),
        }
    }
    tags.sort_unstable();
    let selected: Vec<Lit> = tags.iter().map(|tag| circuit.and(groups[tag].iter().copied())).collect();
    let (cnf, selectors) = Cnf::new(&circuit, &asserted, &selected);
    let mut solver = new_solver(options.backend, options.hope, &options.interrupt);
    cnf.load(&mut *solver);
    if cnf.contradiction {
        return Ok(Some(Core { tags: Vec::new(), minimal: true }));
    }
    match solver.solve(&selectors) {
        SatResult::Sat => Ok(None),
        SatResult::Unknown => Err(SolveError::Interrupted),
        SatResult::Unsat => {
            let needed: Vec<usize> = (0..tags.len()).filter(|&i| solver.failed(selectors[i])).collect();
            let (kept, minimal) = minimize(&mut *solver, &selectors, needed);
            Ok(Some(Core { tags: kept.into_iter().map(|i| tags[i]).collect(), minimal }))
        }
    }
}

/// Leaves out one after the other what is not needed.
fn minimize(solver: &mut dyn SatSolver, selectors: &[i32], mut open: Vec<usize>) -> (Vec<usize>, bool) {
    let mut kept: Vec<usize> = Vec::new();
    while let Some(candidate) = open.pop() {
        let assumptions: Vec<i32> = kept.iter().chain(&open).map(|&i| selectors[i]).collect();
        match solver.solve(&assumptions) {
            SatResult::Sat => kept.push(candidate),
            SatResult::Unsat => open.retain(|&i| solver.failed(selectors[i])),
            SatResult::Unknown => {
                kept.push(candidate);
                kept.extend(open);
                kept.sort_unstable();
                return (kept, false);
            }
        }
    }
    kept.sort_unstable();
    (kept, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as told.
    struct Scripted(Vec<SatResult>);

    impl SatSolver for Scripted {
        fn add_clause(&mut self, _: &[i32]) {}

        fn solve(&mut self, _: &[i32]) -> SatResult {
            self.0.remove(0)
        }

        fn value(&mut self, _: i32) -> bool {
            false
        }

        fn failed(&mut self, _: i32) -> bool {
            true
        }
    }

    #[test]
    fn a_core_that_was_not_finished_says_so() {
        use SatResult::{Sat, Unknown, Unsat};
        let smallest =
            |answers: &[SatResult]| minimize(&mut Scripted(answers.to_vec()), &[1, 2, 3], vec![0, 1, 2]);
        assert_eq!(smallest(&[Sat, Unsat, Sat]), (vec![0, 2], true));
        // What was found to be superfluous stays out, the rest stays in.
        assert_eq!(smallest(&[Unsat, Unknown]), (vec![0, 1], false));
        assert_eq!(smallest(&[Unknown]), (vec![0, 1, 2], false));
    }
}
