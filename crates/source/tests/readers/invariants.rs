//! Properties of every tree, whatever the text: for the tests here and for the fuzz targets.

use locus_source::tree::{Node, Parsed};
use locus_source::{Limits, SourceFile, Span};

/// Checks everything that a reader made of a file.
///
/// # Panics
/// If something does not hold.
pub(crate) fn check(file: &SourceFile, parsed: &Parsed, limits: &Limits) {
    let mut end = 0;
    for tree in &parsed.documents {
        let root = tree.root();
        assert!(root.span().start >= end, "documents are in order");
        end = root.span().end;
        check_written(file, root);
        let mut nodes = 0;
        walk(root, 0, &mut nodes, limits);
    }
    for pair in parsed.comments.windows(2) {
        assert!(pair[0].end <= pair[1].start, "comments are in order: {pair:?}");
    }
    for &comment in &parsed.comments {
        check_span(file, comment);
        assert!(file.slice(comment).starts_with(['#', '/']), "a comment starts with its sign");
    }
    for finding in &parsed.findings {
        check_span(file, finding.primary.place.span);
        finding.secondary.iter().for_each(|label| check_span(file, label.place.span));
        assert!(!finding.message.is_empty());
    }
}

fn check_span(file: &SourceFile, span: Span) {
    assert!(span.start <= span.end, "{span:?}");
    assert!(file.text().get(span.range()).is_some(), "{span:?} is in the text and cuts no character");
}

/// Checks the tree as it is written: children are within their parent and in order. Does not go through aliases.
fn check_written(file: &SourceFile, node: Node<'_>) {
    check_span(file, node.use_place().span);
    if node.alias().is_some() {
        assert!(file.slice(node.use_place().span).starts_with('*'));
        return;
    }
    for (_, span) in [node.tag(), node.anchor()].into_iter().flatten() {
        check_span(file, span);
    }
    let span = node.span();
    let mut last = span.start;
    let children = node.items().chain(node.written_entries().flat_map(|entry| [entry.key, entry.value]));
    for child in children {
        let inner = child.use_place().span;
        assert!(inner.start >= last && inner.end <= span.end, "{inner:?} in {span:?} after {last}");
        last = inner.end;
        check_written(file, child);
    }
    for entry in node.entries() {
        let key = entry.key;
        if !key.is_sequence() && !key.is_mapping() {
            assert!(node.get(key.raw()).is_some(), "every key is found: {key:?}");
        }
    }
}

/// Checks the tree as it is meant: as deep and as many as the limits allow, aliases and merge keys included.
fn walk(node: Node<'_>, depth: usize, nodes: &mut usize, limits: &Limits) {
    *nodes += 1;
    assert!(*nodes <= limits.nodes, "no more nodes than the limit");
    let inner = depth + usize::from(node.is_mapping() || node.is_sequence());
    assert!(inner <= limits.depth, "no deeper than the limit");
    for child in node.items().chain(node.entries().flat_map(|entry| [entry.key, entry.value])) {
        walk(child, inner, nodes, limits);
    }
}
