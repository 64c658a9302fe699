//! Any bytes as XML: no panic, no hang, places within the text; and a text is read if and only if another reader reads
//! it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use locus_source::xml::{self, Element};
use locus_source::{Limits, Sources};

fn walk(element: Element<'_>, length: usize) {
    let ends = |place: locus_source::Place| assert!(place.span.end as usize <= length);
    ends(element.whole_place());
    for attribute in element.attributes() {
        ends(attribute.place());
        ends(attribute.part(0..attribute.value().len()));
    }
    element.texts().for_each(|text| ends(text.place()));
    element.children().for_each(|child| walk(child, length));
}

fuzz_target!(|bytes: &[u8]| {
    let limits = Limits { depth: 64, nodes: 5_000, ..Limits::default() };
    let Ok(file) = Sources::new().add_bytes("fuzz", xml::decode(bytes.to_vec()), &limits) else { return };
    let parsed = xml::parse(&file, &limits);
    assert_eq!(parsed.document.is_none(), !parsed.findings.is_empty());
    if let Some(document) = &parsed.document {
        walk(document.root(), file.text().len());
    }
});
