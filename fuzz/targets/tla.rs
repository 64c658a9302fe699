//! Any bytes as a TLA+ module: read, resolved, no panic. The first half of the text is the root module, the second
//! half is every module that it asks for.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use locus_source::{Limits, SourceFile, Sources};
use locus_tla::semantic::{ModuleLoader, Specification};

struct Same(Vec<u8>);

impl ModuleLoader for Same {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let loaded = sources.add_bytes(format!("{name}.tla"), self.0.clone(), &Limits::default());
        Some(loaded.map_err(|error| error.to_string()))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let (root, other) = bytes.split_at(bytes.len() / 2);
    let sources = Sources::new();
    for text in [bytes, root] {
        let Ok(file) = sources.add_bytes("Root.tla", text.to_vec(), &Limits::default()) else { return };
        Specification::load(&sources, &file, &Same(other.to_vec()), |_| None);
    }
});
