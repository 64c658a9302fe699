//! Evaluation by compilation: the resolved program becomes a tree without names ([`ir`]), which is run on states.
//!
//! - [`compile`] and its neighbours make the tree, after the configuration has been applied;
//! - [`run`], [`loops`] and [`lazy_function`] evaluate expressions;
//! - [`act`] enumerates the steps of an action and the states of an initial predicate;
//! - [`again`] notes variables that get a value twice;
//! - [`choice`] and [`wanted`] pass over what would certainly be false;
//! - [`trace`] notes what an evaluation reads of a packed state, and what it writes.

#![expect(clippy::unnecessary_box_returns, reason = "faults travel boxed, so that results stay two words")]

mod act;
mod action;
mod action_call;
mod again;
mod application;
mod change;
mod choice;
mod compile;
mod context;
mod coverage;
mod expression;
mod facts;
pub(crate) mod ir;
mod lazy_function;
mod loops;
mod member;
mod memo;
mod remembered;
mod run;
mod scope;
mod session;
mod share;
mod trace;
mod wanted;

pub(crate) use again::Again;
pub(crate) use application::Opened;
pub(crate) use change::Becoming;
pub(crate) use compile::{Compiler, Meaning};
pub(crate) use context::{Context, NO_LABEL, Shared, Values, assign, unset, with_stack};
pub(crate) use coverage::{Counts, PointKind, Points};
pub(crate) use facts::var_bit;
pub(crate) use memo::KeptSlots;
pub(crate) use scope::{Argument, Mode, Scope};
pub(crate) use session::{Ended, Session, Settings};
pub(crate) use share::Share;
pub(crate) use trace::{Trace, stopped};
