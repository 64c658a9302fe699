//! Another order for a plan that breaks rules on the way: what goes is out of the way before what comes.
//!
//! A finding on the way is about versions of things that are there together and should not be. So one that goes is
//! to go before one that comes, and the plan is made again; until no rule is broken, or there is no such plan.
//!
//! Out of scope: values between the old and the new one, which no file describes.

use std::time::Duration;

use locus_meaning::things::Thing;
use locus_plan::{Answer, Checked, Limits, Pivot, Plan, Turn, pivot_in_turn, solve_late};

use crate::{Asked, Judged, Way, judge};

/// So often a plan is made again.
const ROUNDS: usize = 8;

/// A plan that breaks no rule, because some things go before others come.
pub struct InTurn {
    /// All that becomes of each thing.
    pub pivot: Pivot,
    /// The plan.
    pub plan: Plan,
    /// How it is known that it is right.
    pub checked: Checked,
    /// The things that go before others come, each with the code of the rule that would be broken otherwise.
    pub turns: Vec<(Turn, String)>,
}

/// Looks for an order that breaks no rule, from the judgement of one that does. None if none was found.
pub fn in_turn(
    [old, new]: [Option<Asked<'_>>; 2],
    things: [&[Thing]; 2],
    judged: &Judged,
    timeout: Duration,
) -> Option<InTurn> {
    let mut turns: Vec<(Turn, String)> = Vec::new();
    let mut broken = judged.broken.clone();
    for _ in 0..ROUNDS {
        let known = turns.len();
        for one in &broken {
            for turn in &one.turns {
                if !turns.iter().any(|(other, _)| other == turn) {
                    turns.push((turn.clone(), one.finding.code.to_string()));
                }
            }
        }
        if turns.len() == known {
            return None;
        }
        let asked: Vec<Turn> = turns.iter().map(|(turn, _)| turn.clone()).collect();
        let pivot = pivot_in_turn(things[0], things[1], &asked);
        let (Answer::Plan(plan), Some(checked)) = solve_late(&pivot.problem(), Limits::default()) else {
            return None;
        };
        let judged = judge(&Way { old, new, pivot: &pivot, plan: &plan }, timeout).ok()?;
        if judged.broken.is_empty() {
            return judged.not_told.is_empty().then_some(InTurn { pivot, plan, checked, turns });
        }
        broken = judged.broken;
    }
    None
}
