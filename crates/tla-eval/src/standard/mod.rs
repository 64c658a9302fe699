//! The standard modules, and the community modules that specifications extend most.
//!
//! Their texts are in this folder; where a text says `NATIVE`, and for some operators that would be slow as they are
//! defined, the operator is provided here as a function on values ([`provided`]).

mod bags;
mod clocks;
mod core;
mod extended;
mod graphs;
mod outside;
mod registers;
mod strings;
mod tlc;

use crate::eval::ir::{Binary, Kind, Native, NativeOver, Node, Unary};
use crate::value::Value;

pub use outside::json;
pub use registers::is_ordered;

/// How an operator is provided.
#[derive(Clone, Copy)]
pub(crate) enum Provided {
    /// By a form of the evaluator.
    Kind(fn(Vec<Node>) -> Kind),
    /// As a value.
    Constant(fn() -> Value),
    /// As a function of one argument, or of two.
    Unary(Unary),
    Binary(Binary),
    /// As a function of its arguments.
    Native(Native),
    /// As a function that is to be called each time.
    Impure(Native),
    /// As a function whose result is left to chance.
    Random(Native),
    /// The same, of which [`is_ordered`] says whether the order of calls matters.
    Ordered(Native),
    /// As a function that takes operators too; for each parameter, how many arguments it takes.
    Over(NativeOver, &'static [usize]),
}

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        /// The text of a standard module.
        pub fn text(name: &str) -> Option<&'static str> {
            match name {
                $($name => Some(include_str!(concat!($name, ".tla"))),)*
                _ => None,
            }
        }

        /// The names of all standard modules.
        pub const NAMES: &[&str] = &[$($name),*];
    };
}

modules!(
    "Naturals",
    "Integers",
    "Reals",
    "Sequences",
    "FiniteSets",
    "TLC",
    "Bags",
    "TLCExt",
    "Randomization",
    "Json",
    "IOUtils",
    "CSV",
    "SVG",
    "Statistics",
    "Toolbox",
    "TLAPS",
    "Folds",
    "Functions",
    "FiniteSetsExt",
    "SequencesExt",
    "Bitwise",
    "Relation",
    "Graphs",
    "UndirectedGraphs",
    "BagsExt",
    "DyadicRationals",
    "VectorClocks",
    "FiniteSetTheorems",
    "FunctionTheorems",
    "SequenceTheorems",
    "NaturalsInduction",
    "WellFoundedInduction",
    "SequencesExtTheorems",
    "FiniteSetsExtTheorems",
    "BagsTheorems",
    "GraphTheorems",
    "FoldsTheorems",
    "RelationTheorems",
    "RealTime",
    "Apalache",
    "Variants",
    "Combinatorics",
    "Quorum",
);

/// The implementation that the evaluator provides for an operator of a standard module.
pub(crate) fn provided(module: &str, name: &str) -> Option<Provided> {
    match module {
        "Naturals" | "Integers" | "Reals" | "Sequences" | "FiniteSets" => core::provided(name),
        "TLC" | "TLCExt" | "Randomization" => tlc::provided(name),
        "Bags" => bags::provided(name),
        "Folds" | "Functions" | "FiniteSetsExt" | "SequencesExt" | "BagsExt" | "Bitwise"
        | "DyadicRationals" => extended::provided(module, name),
        "Graphs" | "UndirectedGraphs" | "Relation" => graphs::provided(name),
        "VectorClocks" => clocks::provided(name),
        "Json" | "IOUtils" | "CSV" => Some(outside::provided(module, name)),
        _ => None,
    }
}
