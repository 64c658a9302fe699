//! Any bytes as a template, and as its file of parameters: findings of the reader and of the rules, and a graph that
//! keeps the static rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_cloudformation::{Inputs, check, meaning, read};
use locus_source::{Limits, Sources};

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let Ok(file) = sources.add_bytes("t.yaml", bytes.to_vec(), &Limits::default()) else { return };
    for parameter_files in [Vec::new(), vec![file.clone()]] {
        let reading = read(&sources, &file, &Inputs { environments: parameter_files, ..Inputs::default() });
        if let Some(template) = &reading.template {
            assert!(locus_graph::is_well_formed(&meaning(template).graph(Default::default())));
        }
        let checked = check(&reading);
        // A rule that cannot be read or evaluated is a finding about the rule.
        let is_of_engine = |code: &str| code.starts_with("ALS") || code == "USR005";
        let of_engine = checked.findings.iter().find(|finding| is_of_engine(finding.code.as_str()));
        assert!(of_engine.is_none(), "{of_engine:?}");
    }
});
