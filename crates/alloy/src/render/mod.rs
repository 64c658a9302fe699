//! Instances and outcomes as text: for people, for programs, and for Alloy's own visualiser.
//!
//! All of these are pure functions; nothing here prints, and pictures are for the command to draw.

mod json;
mod text;
mod xml;

pub use json::json;
pub use text::{table, text};
pub use xml::xml;

use locus_source::Finding;

use crate::execute::Outcome;

/// A command that was executed, and what came of it.
pub struct Executed {
    /// The command's index.
    pub index: usize,
    /// Its outcome, or why it could not be executed.
    pub result: Result<Outcome, Box<Finding>>,
    /// How long it took altogether.
    pub time: std::time::Duration,
}
