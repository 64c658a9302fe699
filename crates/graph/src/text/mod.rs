//! The text form of location graphs: `*.lg.yaml` and `*.lg.json`.
//!
//! `docs/location-graphs.md` describes it for people, `docs/schema/location-graph.schema.json` for programs.
//! [`read`] goes on after errors and tells all of them; [`write_yaml`] and [`write_json`] lose nothing:
//! reading what they write gives a graph that [says the same](crate::LocationGraph::says_the_same).

mod boxes;
mod document;
mod fields;
mod json;
mod read;
mod value;
mod yaml;

pub use document::{write_json, write_json_with_bindings, write_yaml};
pub use read::{Reading, is_location_graph, read, read_tree};

/// The version of the format, and the key that tells it.
const VERSION: i64 = 1;
const VERSION_KEY: &str = "location-graph";

/// How many a location stands for, where that is not known.
const ANY_NUMBER: &str = "any";

/// Values that are no plain data are mappings with one of these keys.
const NAME: &str = "$name";
const ROLE: &str = "$role";
const SORT: &str = "$sort";
const PROCESS: &str = "$process";
/// Numbers for which JSON has no text: `.inf`, `-.inf` and `.nan`.
const FLOAT: &str = "$float";
/// Values that are not known or not shown: the reason, and a digest.
const UNKNOWN: &str = "$unknown";
const SECRET: &str = "$secret";
