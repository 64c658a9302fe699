//! Any bytes as a Fractal definition: findings of the reader and of the rules, a graph that keeps the static rules,
//! and a canonical form that is read as itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_fractal::{Inputs, read};
use locus_meaning::Relationships;
use locus_source::{Limits, Sources, Span};

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let Ok(file) = sources.add_bytes("a.fractal", bytes.to_vec(), &Limits::default()) else { return };
    let reading = read(&sources, &file, &Inputs::default());
    let ruled = reading.ruled(file.place(Span::point(0)));
    let verdict = ruled.map(|ruled| ruled.judge(&[])).unwrap_or_default();
    // A rule that cannot be read or evaluated is a finding about the rule.
    let of_engine = verdict.findings.iter().find(|finding| !finding.code.as_str().starts_with("FRA"));
    assert!(of_engine.is_none(), "{of_engine:?}");
    let meaning = reading.meaning();
    assert!(locus_graph::is_well_formed(&meaning.graph(Relationships::Bindings)));
    let _ = meaning.things(&sources);
    if reading.findings.is_empty()
        && let Some(once) = reading.canonical()
    {
        let again = read(&sources, &sources.add("a.fractal", once.as_str()), &Inputs::default());
        assert_eq!(again.canonical(), Some(once));
    }
});
