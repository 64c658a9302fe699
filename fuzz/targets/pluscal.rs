//! Any bytes as a module with an algorithm: no panic, no hang. What is translated stays the same when it is translated again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::Sources;
use locus_tla::pluscal::translate;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sources = Sources::new();
    let file = sources.add("Spec.tla", text.to_owned());
    if let Ok(Some(translated)) = translate(&file) {
        let file = sources.add("Spec.tla", translated.text.clone());
        if let Ok(Some(again)) = translate(&file) {
            assert!(again.is_same && again.text == translated.text);
        }
    }
});
