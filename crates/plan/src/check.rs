//! The judge of plans: whether every interleaving that a plan allows is a deployment.
//!
//! This module shares no code with the planner. From the steps alone it works out when each component is in which
//! state, when each binding exists, and shows for every requirement, capacity and conflict that it is met in every
//! configuration that some interleaving passes through (definition 3 of the report).
//!
//! The argument is about *moments*: steps that the partial order puts before or after others. A requirement that holds
//! from step `e` to step `l` is met if there are enough bindings, each made before `e` with a provider that is active
//! before `e`, and both last until after `l`. That is sufficient and not necessary: where it does not apply, all
//! configurations are explored, up to a limit.

mod argue;
mod explore;
mod order;
mod replay;

use locus_aeolus::{Configuration, Universe, Violation};

use crate::problem::Plan;

/// How a plan was found to be right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By an argument about what comes before what.
    Argument,
    /// By going through all configurations.
    Exploration,
}

/// A plan is right, in every order that it allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// How that is known.
    pub method: Method,
    /// How many configurations there are on all ways together, if they were counted.
    pub configurations: Option<u64>,
}

/// Why a plan is not right, or not known to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A step refers to a step that does not come before it in the list, so that there may be a circle.
    Order {
        /// The step.
        step: u32,
    },
    /// A step is not possible in some order of those before it.
    Impossible {
        /// The step.
        step: u32,
    },
    /// After these steps the configuration is not correct.
    Incorrect {
        /// The steps that were done, in order.
        done: Vec<u32>,
        /// The violation.
        violation: Violation,
    },
    /// The plan ends in another configuration than it says.
    OtherEnd,
    /// There are more configurations than the limit, and the argument does not apply.
    TooMany {
        /// The limit.
        limit: u64,
    },
}

/// Checks a plan from a configuration: every interleaving of its steps passes through correct configurations only, and
/// ends where the plan says. At most `limit` configurations are looked at where no argument applies.
///
/// # Errors
/// With what is wrong, or [`Fault::TooMany`] if that could not be decided.
pub fn check(universe: &Universe, start: &Configuration, plan: &Plan, limit: u64) -> Result<Checked, Fault> {
    let refers_back = |(index, step): (usize, &crate::problem::Step)| {
        step.after.iter().all(|&before| (before as usize) < index)
    };
    if let Some(step) = plan.steps.iter().enumerate().position(|entry| !refers_back(entry)) {
        return Err(Fault::Order { step: step as u32 });
    }
    replay::one_way(universe, start, plan)?;
    if argue::argue(universe, start, plan).is_ok() {
        return Ok(Checked { method: Method::Argument, configurations: None });
    }
    let configurations = Some(explore::all_ways(universe, start, plan, limit)?);
    Ok(Checked { method: Method::Exploration, configurations })
}

/// Counts the configurations that the interleavings of a plan pass through, if there are no more than `limit`.
pub fn count(plan: &Plan, limit: u64) -> Option<u64> {
    explore::count(plan, limit)
}
