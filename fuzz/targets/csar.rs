//! Any bytes as an archive: it is unpacked or refused, and what is unpacked survives the form of a text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_tosca::csar::{Archive, unpack};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(archive) = unpack(bytes) {
        let _ = archive.entry();
        assert_eq!(Archive::from_text(&archive.to_text()), Some(archive));
    }
});
