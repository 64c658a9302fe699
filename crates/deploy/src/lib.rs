//! Deployment: what is to be there, the steps that lead to it, and the argument that they can be undone.
//!
//! - [`Goal`] is all of a deployment, with the driver that makes it; it is what the engine stores.
//! - [`update`] plans the steps from what is there to what is wanted, as a [`Path`]; [`Path::back`] proves that they
//!   can be undone; [`Back`] plans the way back when something failed.
//! - [`put`] and [`begin`] send requests to the engine.
//!
//! Out of scope: reading documents, opening stores, doing the steps, and talking to people.

mod back;
mod error;
mod goal;
mod path;
mod request;

pub use back::{Back, Return};
pub use error::Error;
pub use goal::{DriverChoice, Goal, Needed, Node, Told};
pub use path::{Path, path, update};
pub use request::{Asked, begin, goal_of, put};
