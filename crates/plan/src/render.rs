//! Plans for people and for other programs' languages.
//!
//! JSON is written by the command, whose promise it is.

mod dot;
mod failures;
mod svg;
mod table;
mod tla;
mod words;

pub use dot::dot;
pub use failures::failures;
pub use svg::svg;
pub use table::{human, markdown};
pub use tla::tla;
pub use words::{component, explain, helper, step};
