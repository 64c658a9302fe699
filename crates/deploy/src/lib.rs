//! Deployment: what is to be there, the steps that lead to it, and the argument that they can be undone.
//!
//! - [`Goal`] is all of a deployment, with the driver that makes it; it is what the engine stores.
//! - [`update`] plans the steps from what is there to what is wanted, as a [`Path`]; [`Path::back`] proves that they
//!   can be undone; [`Back`] plans the way back when something failed.
//! - [`StoredKey`] is the identity of a thing as it is stored; the engine has names of its own for nodes
//!   ([`fresh_name`]).
//! - [`PlanFile`] is a plan that was written down, to be done exactly so.
//! - [`Document`] is the file that a deployment was made from, kept with it and read again when it is changed.
//! - [`put`] and [`begin`] send requests to the engine.
//!
//! Out of scope: reading documents, opening stores, doing the steps, and talking to people.

mod back;
mod document;
mod error;
mod goal;
mod path;
mod plan_file;
mod request;
mod there;
mod wire;

pub use back::{Back, Return};
pub use document::{Document, Given, Recorder, Replayed};
pub use error::Error;
pub use goal::{Goal, Needed, Node, Told, VERSION};
pub use path::{Path, path, update};
pub use plan_file::{PlanFile, PlannedStep, ReadWith};
pub use request::{Asked, begin, goal_of, put};
pub use there::{fresh_name, is_described, present};
pub use wire::StoredKey;
