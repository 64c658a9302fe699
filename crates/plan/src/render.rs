//! Plans for people and for other programs' languages.
//!
//! What reads JSON gets it from the command, whose promise it is.

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
pub use words::{component, explain, step};
