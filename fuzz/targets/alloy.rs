//! Any text is read, checked and, where it is a model with small scopes, executed without a panic.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use locus_alloy::{Model, NoFiles, Options};
use locus_source::{Limits, Sources};

fuzz_target!(|data: &[u8]| {
    let sources = Sources::new();
    let Ok(file) = sources.add_bytes("fuzz.als", data.to_vec(), &Limits::default()) else { return };
    let (model, findings) = Model::load(&sources, &NoFiles, file.id());
    let Some(model) = model else {
        assert!(!findings.is_empty(), "a text that is no model is told why");
        return;
    };
    let options = Options { timeout: Some(Duration::from_millis(200)), unrolls: Some(2), ..Options::default() };
    for (index, command) in model.commands().iter().enumerate().take(3) {
        let small = |n: Option<i64>| n.is_none_or(|n| n <= 4);
        if small(command.overall) && small(command.bitwidth) && command.scopes.iter().all(|s| s.size <= 4) {
            let _ = model.execute(index, &options);
        }
    }
});
