//! Any text as a template of Compose, and as a file of variables: it has a value or an error, in time.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = locus_compose::interpolated(text, &[("A", "a"), ("EMPTY", "")]);
    let _ = locus_compose::variables_of(text, &[("A", "a")]);
});
