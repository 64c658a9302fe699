//! Any bytes as a module with an algorithm: no panic, no hang, also when the translation is translated again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::Sources;
use locus_tla::pluscal::translate;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sources = Sources::new();
    let file = sources.add("Spec.tla", text.to_owned());
    if let Ok(Some(translated)) = translate(&file) {
        let file = sources.add("Spec.tla", translated.text);
        let _ = translate(&file);
    }
});
