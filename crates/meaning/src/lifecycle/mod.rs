//! Lifecycles in location graphs: the process of a location as a value that says what plans go by.
//!
//! The report leaves open what the process of a location is. Here it may be a record with the key `lifecycle`, in which
//! a meaning says all that a plan needs to know of an element and that roles do not tell: its phases, what it needs of
//! others in which of them, the values whose change matters.
//! [`Meaning::pivot`](crate::Meaning::pivot) writes such a location graph,
//! [`read`] reads one as a meaning. A location of which nothing is said has one phase and needs what its roles bind.
//!
//! `docs/location-graphs.md` describes the form for people. Out of scope: programs and what drivers get, which a
//! location graph does not have, and workflows.

mod fields;
mod mask;
mod read;
mod write;

pub use self::mask::masked;
pub use self::read::{LIFECYCLE, Reading, check, read};
pub use self::write::{Pivot, TooLarge, Unsaid};

/// The key that tells a process that is a lifecycle.
const KEY: &str = "lifecycle";
/// The lifecycle of what a deployment does not make.
const NONE: &str = "none";
/// The fate of what stays when it is no longer described.
const LEAVE: &str = "leave";
/// Copies are called `web`, `web #2` and so on.
const ORDINALS: &str = "ordinals";
/// Which copies of another are needed.
const ALL: &str = "all";
const FIRST: &str = "first";

/// Lists of what milestones stand for are not longer than this in all, and copies need no more of each other.
const MOST: usize = 1_000_000;

#[cfg(test)]
mod tests;
