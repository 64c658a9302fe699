//! The order of the steps of a plan.

use crate::problem::Step;

/// The partial order of the steps of a plan.
pub(super) struct Order<'p> {
    steps: &'p [Step],
}

/// A moment: a step of the plan, or the start.
pub(super) const START: u32 = u32::MAX;

/// How many steps are looked at to find out whether one comes before another.
const MOST: usize = 2_000;

impl<'p> Order<'p> {
    pub(super) fn new(steps: &'p [Step]) -> Self {
        Self { steps }
    }

    /// Whether a moment comes before another, or is the same, in every interleaving. The start comes before all.
    /// `false` may also mean that the search was given up.
    pub(super) fn is_before(&self, early: u32, late: u32) -> bool {
        if early == late || early == START {
            return true;
        }
        if late == START || early > late {
            return false;
        }
        // Mostly the one waits for the other directly.
        if self.steps[late as usize].after.binary_search(&early).is_ok() {
            return true;
        }
        // Steps are listed in an order that the plan allows, so nothing before `early` leads to it.
        let (mut todo, mut seen) = (vec![late], rustc_hash::FxHashSet::default());
        while let Some(step) = todo.pop() {
            for &before in self.steps[step as usize].after.iter().rev() {
                if before == early {
                    return true;
                }
                if before > early && seen.insert(before) {
                    if seen.len() > MOST {
                        return false;
                    }
                    todo.push(before);
                }
            }
        }
        false
    }
}
