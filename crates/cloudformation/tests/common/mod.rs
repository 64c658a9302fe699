//! Reading of the templates of the tests, and findings as lines.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use locus_cloudformation::{Inputs, Reading, read};
use locus_source::{Severity, SourceFile, Sources};

/// A template under `tests/rules`, with the values that stand beside it.
pub(crate) fn read_file(sources: &Sources, name: &str) -> Reading {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let load = |ending: &str| -> Option<Arc<SourceFile>> {
        let text = std::fs::read_to_string(folder.join(format!("{name}{ending}"))).ok()?;
        Some(sources.add(format!("{name}{ending}"), text))
    };
    let file = load(".yaml").expect("the template is there");
    let inputs = Inputs { environments: load(".given.json").into_iter().collect(), ..Inputs::default() };
    read(sources, &file, &inputs)
}

/// The findings that are at least so bad.
pub(crate) fn lines(reading: &Reading, sources: &Sources, least: Severity) -> String {
    let mut text = String::new();
    for finding in reading.findings.iter().filter(|finding| finding.severity >= least) {
        let file = sources.get(finding.primary.place.file);
        let place = sources.start(finding.primary.place);
        let _ = writeln!(text, "{}:{place} {} {}", file.name(), finding.code, finding.message);
        for note in finding.notes.iter().chain(&finding.help) {
            let _ = writeln!(text, "    {note}");
        }
    }
    text
}
