//! The argument that a plan can be taken back from wherever it stops, without exploring.
//!
//! A plan that the judge accepts passes only through correct configurations: those of the sets of operations that are
//! closed under what comes before. Taking operations back in the reverse order passes only through such sets, too. So
//! three things remain to be shown, each in linear time:
//!
//! - nothing that cannot be taken back begins before everything that is wanted is done;
//! - no components that are taken back as a whole wait for each other in a circle, so that there is always a last one;
//! - there is nothing else that fails for good.
//!
//! The third is an assumption of [`verify`](super::verify()) as well: taking back is tried until it succeeds.

use locus_aeolus::{Action, ComponentId, Configuration, Universe};
use rustc_hash::FxHashMap;

use super::operations::{self, Undo};
use crate::check::check;
use crate::problem::Plan;

/// The most configurations that the judge may go through where its own argument does not apply.
const CONFIGURATIONS: u64 = 100_000;

/// How a plan can be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WayBack {
    /// From everywhere, or everything that is wanted is there.
    Open {
        /// Whether something that was there before is deleted at the end, of which remains may be left.
        cleans_up: bool,
    },
    /// That does not follow from the order alone: [`verify`](super::verify()) must explore.
    NotShown,
}

/// Whether a plan can be taken back from wherever it stops, for one who does the steps that only end what is not wanted
/// any more after all others, as [`delete_last`](crate::delete_last) puts them.
pub fn way_back(universe: &Universe, start: &Configuration, plan: &Plan) -> WayBack {
    let late = crate::solve::late(plan);
    let is_new = |id: ComponentId| plan.components[id.index()].is_new;
    let units = operations::units(plan);
    let mut unit_of = vec![0usize; plan.components.len()];
    for (unit, components) in units.iter().enumerate() {
        for component in components {
            unit_of[component.index()] = unit;
        }
    }
    let is_removed: Vec<bool> = units.iter().map(|unit| unit.iter().all(|&id| is_new(id))).collect();
    // What is taken back at once: the steps of a unit that is new, or else one step.
    let block = |step: usize| {
        let unit = unit_of[operations::subject(&plan.steps[step].action).index()];
        if is_removed[unit] { unit } else { units.len() + step }
    };
    let mut cleans_up = false;
    for (index, step) in plan.steps.iter().enumerate() {
        let unit = unit_of[operations::subject(&step.action).index()];
        let is_operation = matches!(step.action, Action::Change(_) | Action::Delete(_));
        let undo = operations::undo(universe, plan, is_removed[unit], &step.action);
        if is_operation && undo == Undo::Never {
            if !late[index] {
                return WayBack::NotShown;
            }
            cleans_up = true;
        }
    }
    let is_right = || check(universe, start, plan, CONFIGURATIONS).is_ok();
    if is_acyclic(plan, block) && is_right() { WayBack::Open { cleans_up } } else { WayBack::NotShown }
}

/// Whether no block has steps both before and after steps of another, along any way.
fn is_acyclic(plan: &Plan, block: impl Fn(usize) -> usize) -> bool {
    let mut number: FxHashMap<usize, usize> = FxHashMap::default();
    let mut of = Vec::with_capacity(plan.steps.len());
    for step in 0..plan.steps.len() {
        let next = number.len();
        of.push(*number.entry(block(step)).or_insert(next));
    }
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); number.len()];
    let mut waits = vec![0usize; number.len()];
    for (index, step) in plan.steps.iter().enumerate() {
        for &before in &step.after {
            let (from, to) = (of[before as usize], of[index]);
            if from != to {
                after[from].push(to);
                waits[to] += 1;
            }
        }
    }
    let mut ready: Vec<usize> = (0..waits.len()).filter(|&block| waits[block] == 0).collect();
    let mut seen = 0;
    while let Some(block) = ready.pop() {
        seen += 1;
        for &next in &after[block] {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.push(next);
            }
        }
    }
    seen == waits.len()
}
