//! Any bytes as JSON: no panic, no hang, and what the tests call invariants holds of the tree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::json::{self, JsonOptions};
use locus_source::{Limits, Sources};

#[path = "../../crates/source/tests/readers/invariants.rs"]
mod invariants;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { depth: 24, nodes: 5_000, ..Limits::default() };
    let Ok(file) = Sources::new().add_bytes("fuzz", bytes.to_vec(), &limits) else { return };
    for loose in [true, false] {
        let options = JsonOptions { comments: loose, trailing_commas: loose, limits: limits.clone() };
        invariants::check(&file, &json::parse(&file, &options), &limits);
    }
});
