//! Any bytes as an OCCI file, in whichever rendering they begin as: findings of the readers and of the rules, and a
//! graph that keeps the static rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_meaning::Relationships;
use locus_occi::{Inputs, read};
use locus_source::{Limits, Sources, Span};

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let Ok(file) = sources.add_bytes("a.occi.json", bytes.to_vec(), &Limits::default()) else { return };
    let reading = read(&sources, &file, &Inputs::default());
    let ruled = reading.ruled(file.place(Span::point(0)));
    let verdict = ruled.map(|ruled| ruled.judge(&[])).unwrap_or_default();
    // A rule that cannot be read or evaluated is a finding about the rule.
    let of_engine = verdict.findings.iter().find(|finding| !finding.code.as_str().starts_with("OCC"));
    assert!(of_engine.is_none(), "{of_engine:?}");
    assert!(locus_graph::is_well_formed(&reading.meaning().graph(Relationships::Bindings)));
    let _ = reading.meaning().things(&sources);
});
