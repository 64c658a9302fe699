//! Any bytes as a configuration of a small specification: read, resolved, no panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::{Limits, Sources};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};

const SPEC: &str = "---- MODULE Spec ----
CONSTANTS N, Op(_, _)
VARIABLE x
Init == x = N
Next == x' = Op(x, N)
Inv == x \\in {N}
---- MODULE Inner ----
CONSTANT y
Def(z) == <<y, z>>
====
I == INSTANCE Inner WITH y <- N
====";

fuzz_target!(|bytes: &[u8]| {
    let sources = Sources::new();
    let spec = sources.add("Spec.tla", SPEC);
    let Some(mut spec) = Specification::load(&sources, &spec, &NoModules, |_| None).specification else { return };
    let Ok(file) = sources.add_bytes("Spec.cfg", bytes.to_vec(), &Limits::default()) else { return };
    if let Some(config) = parse(file.id(), file.text()).tree {
        Model::resolve(&config, &mut spec, &sources, file.id());
    }
});
