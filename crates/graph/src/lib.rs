//! Location graphs: the pivot model of Locus.
//!
//! Every configuration language that Locus reads is turned into a location graph, and everything that Locus
//! does with a configuration (draw it, translate it, plan it, build it) starts from one. The model is that of
//! section 2 of the report *A formal reference model for cloud configuration management*; module and item
//! names follow it, and where the report's formulas and its text differ, a comment says what we do and why.
//!
//! In short: a graph is a set of **locations**. A location has a unique name, a sort (what it is), a process
//! (how it behaves), and **roles** that it provides to or requires from others. A role that one location
//! provides and another requires is **bound** and lets the two interact.
//!
//! - [`LocationGraph`] is a graph as somebody declared it: with places in files, attributes and nesting. It
//!   may break the rules; [`check`] says how, in time linear in the size of the graph.
//! - [`Location`] and [`LocationSet`] are the values of the theory; [`semantics`] says how they move.
//!
//! Out of scope: any particular configuration language, and any reading of files.

mod certainty;
mod compose;
mod location;
mod machine;
mod model;
mod picture;
mod rules;
#[cfg(test)]
mod samples;
pub mod semantics;
mod symbols;
pub mod text;
mod value;
mod wellformed;

pub use certainty::{Alike, Certainty};
pub use compose::{GraphClash, Shared, compose};
pub use location::{Clash, IllFormed, Location, LocationSet, SharedRoles};
pub use machine::{Invariant, Machine};
pub use model::{
    Attribute, Attributes, Binding, Entry, LocationGraph, LocationId, NotWellFormed, Port, Position, Unbound,
};
pub use picture::picture;
pub use rules::RULES;
pub use symbols::{BoxId, Name, Role, Symbols};
pub use value::{Atom, Float, Process, Sort, Value};
pub use wellformed::{check, is_well_formed};
