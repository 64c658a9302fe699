//! Properties of any text whatever. Shared with the fuzz target, so it stands on its own.

use std::sync::Arc;

use locus_graph::text::{Reading, read, write_json, write_yaml};
use locus_graph::{check, is_well_formed};
use locus_source::{Limits, Severity, SourceFile, Sources, Span};

/// Reads a file and checks that what was understood of it is not lost on the way to text and back.
pub(crate) fn hold(file: &Arc<SourceFile>, limits: &Limits) {
    let Reading { graph, findings, .. } = read(file, limits);
    for finding in &findings {
        for label in std::iter::once(&finding.primary).chain(&finding.secondary) {
            assert!(label.place.span.range().end <= file.text().len(), "{finding:?}");
        }
    }
    let broken = check(&graph, file.place(Span::point(0)));
    assert_eq!(broken.is_empty(), is_well_formed(&graph));
    assert_eq!(broken.is_empty(), graph.to_set().is_ok());
    // Even what is left of a broken text is a graph that can be written.
    for (name, text) in [("again.lg.yaml", write_yaml(&graph)), ("again.lg.json", write_json(&graph))] {
        let again = read(&Sources::new().add(name, text), &Limits::default());
        assert!(again.findings.iter().all(|finding| finding.severity < Severity::Error), "{again:?}");
        assert!(again.graph.says_the_same(&graph), "{}", write_yaml(&graph));
    }
}
