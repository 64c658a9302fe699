//! Plans: from what is wanted to a partial order of actions, proven right.
//!
//! [`solve`] answers in which order a configuration of Aeolus components can be built, changed or taken down without
//! ever passing through an incorrect configuration; or why it cannot. [`check()`] is the judge: it knows nothing of how
//! plans are made, and says whether every order that a plan allows is right. Nothing leaves [`solve`] that it did
//! not accept.
//!
//! - Without capacities and conflicts the answer is complete, in polynomial time.
//! - With them there may be a plan that is not found; then the answer says within which bounds there is none.
//!
//! Out of scope: any configuration language. Languages say which components they have, with which lifecycles.

#![forbid(unsafe_code)]

mod built;
mod check;
mod configure;
mod goal;
mod helpers;
mod lines;
mod lint;
mod pivot;
mod place;
mod problem;
mod reach;
pub mod render;
mod schedule;
mod search;
mod shape;
mod solve;
mod verify;

pub use built::things;
pub use check::{Checked, Fault, Method, check, count};
pub use configure::{Choice, Chosen, choose, choose_placed};
pub use goal::{holds, wanted};
pub use helpers::{Helper, helpers};
pub use lint::{lint, violation_in_words};
pub use pivot::{Cause, Difference, Fate, Part, Pivot, Stage, Turn, Why, pivot, pivot_in_turn};
pub use place::{Placing, Used, divide, place};
pub use problem::{Answer, Others, Plan, Planned, Problem, Reason, Step, Wanted};
pub use shape::{Shape, shape};
pub use solve::{Limits, delete_last, is_complete, solve, solve_late};
pub use verify::{Ending, Event, Failures, Risks, Verified, WayBack, verify, way_back};
