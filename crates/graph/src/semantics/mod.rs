//! How location graphs move: the operational semantics of section 2.2 of the report.
//!
//! A [`Transition`] takes an initial set of locations, in a [`Context`] of known names and roles, to a
//! terminal set; its [`Label`] holds the interactions it needs with locations outside the initial set. Big
//! transitions are made of small ones in two ways:
//!
//! - [`synchronize`]: several parts move at once, and their interactions on roles that bind them match;
//! - [`uncouple`]: a part moves, and the rest, with which it has no business, stays as it is.
//!
//! The smallest ones, those of a single location, is up to a [`Behaviour`]; given one, [`step`]
//! computes all transitions of a whole graph.
//!
//! Each module keeps to the report's predicates and names them. Where Alloy's formulas and the report's text
//! differ, or the formulas have a slip, a comment beginning with "Slip" says what we do.

mod behaviour;
mod context;
mod label;
mod step;
mod synchronize;
mod transition;
mod uncouple;

pub use behaviour::{Behaviour, Fresh, Move};
pub use context::Context;
pub use label::{Interaction, Label, Polarity, SignalFault, check_matched_signals};
pub use step::{Granularity, Step, StepError, StepOptions, step};
pub use synchronize::{SynchronizeError, synchronize};
pub use transition::{Condition, Transition};
pub use uncouple::{UncoupleError, uncouple};
