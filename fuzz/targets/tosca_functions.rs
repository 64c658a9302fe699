//! Any text as a validation clause and as the value of a property: no call of functions breaks the evaluation.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::Sources;
use locus_tosca::{Inputs, read};

fuzz_target!(|text: &str| {
    let expression: String = text.chars().filter(|letter| !letter.is_control()).collect();
    let sources = Sources::new();
    let file = sources.add(
        "t.yaml",
        format!(
            "tosca_definitions_version: tosca_2_0\ndata_types: {{ T: {{ derived_from: integer, validation: {expression} }} }}\n\
             node_types: {{ A: {{ properties: {{ p: {{ type: T }}, q: {{ type: string }} }} }} }}\nservice_template:\n  inputs: \
             {{ i: {{ type: string, default: x }} }}\n  node_templates:\n    a: {{ type: A, properties: {{ p: 1, q: {expression} }} }}\n"
        ),
    );
    read(&sources, &file, &Inputs::default());
});
