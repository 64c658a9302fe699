//! Any bytes as JSON: no panic, no hang, and what the tests call invariants holds of the tree. Short texts are
//! refused if and only if serde_json refuses them.

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
        let parsed = json::parse(&file, &options);
        invariants::check(&file, &parsed, &limits);
        let found = |codes: &[&str]| parsed.findings.iter().any(|f| codes.contains(&f.code.as_str()));
        // Beyond 300 bytes there may be integers that serde_json refuses because they are no floats.
        if !loose && bytes.len() < 300 && !found(&["JSN005", "JSN006"]) {
            let refused = found(&["JSN001", "JSN003", "JSN004", "JSN007"]);
            let reference = serde_json::from_str::<serde_json::Value>(file.text());
            assert_eq!(refused, reference.is_err(), "{:?} {reference:?}", parsed.findings);
        }
    }
});
