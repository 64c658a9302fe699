//! Any bytes as YAML: no panic, no hang, and what the tests call invariants holds of the trees.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::yaml::{self, Schema, YamlOptions};
use locus_source::{Limits, Sources};

#[path = "../../crates/source/tests/readers/invariants.rs"]
mod invariants;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { depth: 24, nodes: 5_000, ..Limits::default() };
    let Ok(file) = Sources::new().add_bytes("fuzz", bytes.to_vec(), &limits) else { return };
    for schema in [Schema::Core, Schema::PyYaml] {
        for (merge_keys, adjacent_values) in [(true, false), (false, false), (true, true)] {
            let options = YamlOptions { schema, merge_keys, adjacent_values, limits: limits.clone() };
            invariants::check(&file, &yaml::parse(&file, &options), &limits);
        }
    }
});
