//! Evaluation of the compiled form ([`ir`]), a tree without names, on states.
//!
//! - [`run`], [`loops`], [`member`] and [`lazy_function`] evaluate expressions;
//! - [`act`] enumerates the steps of an action and the states of an initial predicate;
//! - [`context`] has the state and the frame of a worker, and [`session`] what all workers have;
//! - [`again`] notes variables that get a value twice, [`coverage`] how often what was evaluated;
//! - [`walk`] goes over all parts of the compiled form, and [`course`] takes actions apart, without evaluating them;
//! - [`wanted`] passes over what would certainly be false;
//! - [`trace`] and [`change`] tell whoever asks for it what an evaluation reads of a state, and what changes of it.

#![expect(clippy::unnecessary_box_returns, reason = "faults travel boxed, so that results stay two words")]

mod act;
mod again;
mod change;
mod context;
pub mod course;
mod coverage;
pub mod ir;
mod lazy_function;
mod loops;
mod member;
mod remembered;
mod run;
mod session;
mod share;
mod trace;
pub mod walk;
mod wanted;

pub use again::Again;
pub use change::Changes;
pub use context::{Context, NO_LABEL, Shared, Values, assign, unset, with_stack};
pub use coverage::{Counts, Point, PointId, PointKind};
pub use remembered::{KeptNext, KeptSlots};
pub use session::{Ended, Session, Settings};
pub use share::Share;
pub use trace::{Choices, Given, Part, Spot, Trace, Tracing, stopped};
