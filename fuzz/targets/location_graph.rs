//! Any bytes as a location graph, in YAML and in JSON: no panic, no hang, and nothing that was understood is
//! lost on the way to text and back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::{Limits, Sources};

#[path = "../../crates/graph/tests/text/invariants.rs"]
mod invariants;

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { depth: 24, nodes: 5_000, ..Limits::default() };
    for name in ["fuzz.lg.yaml", "fuzz.lg.json"] {
        if let Ok(file) = Sources::new().add_bytes(name, bytes.to_vec(), &limits) {
            invariants::hold(&file, &limits);
        }
    }
});
