//! Any bytes as a TOSCA file, and as values for its inputs: findings of the reader and of the rules, and a graph that
//! keeps the static rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_meaning::Relationships;
use locus_source::{Limits, Sources, Span};
use locus_tosca::{Inputs, judge, meaning, read};

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let Ok(file) = sources.add_bytes("t.yaml", bytes.to_vec(), &Limits::default()) else { return };
    for inputs in [Vec::new(), vec![file.clone()]] {
        let reading = read(&sources, &file, &Inputs { environments: inputs, ..Inputs::default() });
        if let Some(topology) = &reading.topology {
            let meaning = meaning(topology);
            for how in [Relationships::Bindings, Relationships::Locations] {
                assert!(locus_graph::is_well_formed(&meaning.graph(how)));
            }
            meaning.things(&sources);
            let verdict = judge(topology, file.place(Span::new(0, 0)));
            // A rule that cannot be read or evaluated is a finding about the rule.
            let of_engine = verdict.findings.iter().find(|finding| finding.code.as_str().starts_with("ALS"));
            assert!(of_engine.is_none(), "{of_engine:?}");
        }
    }
});
