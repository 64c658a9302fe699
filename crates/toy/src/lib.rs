//! A language that nobody needs and that has everything: types, references, counts, parameters, a rule in Alloy, fixes,
//! suggestions, lifecycles. It shows how little a language is, once the rooms around it are there.
//!
//! ```yaml
//! toy: 1
//! things:
//!   shop: { is: server, count: 2, size: 3, disk: lake }
//!   lake: { is: store, size: $room }
//! ```
//!
//! - `read`: a file to things
//! - `types`: servers and stores
//! - `values`: what properties are known to be, and whether they are of their types
//! - `meaning`: elements with their processes
//! - `rules`, `library`: rules as text, and those in Alloy
//! - `repair`: the one right change of a finding
//!
//! Only tests of the command use this crate.

mod language;
pub mod library;
mod meaning;
mod read;
mod repair;
mod rules;
mod types;
mod values;

pub use self::language::Toy;
pub use self::rules::RULES;
