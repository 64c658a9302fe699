//! Helpers that several tests need: trees as text, and what must hold of every tree.

use std::fmt::Write;
use std::sync::Arc;

use locus_source::tree::{Node, Style};
use locus_source::{Finding, Parsed, SourceFile, Sources, Span};

/// A file of its own.
pub(crate) fn file(text: &str) -> Arc<SourceFile> {
    Sources::new().add("test", text)
}

/// Everything that a reader made of a file, one node to a line.
pub(crate) fn show(file: &SourceFile, parsed: &Parsed) -> String {
    let mut out = String::new();
    for tree in &parsed.documents {
        out.push_str("document\n");
        show_node(file, tree.root(), "", 1, &mut out);
    }
    for &comment in &parsed.comments {
        writeln!(out, "comment {} {}", position(file, comment), file.slice(comment)).unwrap();
    }
    for finding in &parsed.findings {
        show_finding(file, finding, &mut out);
    }
    out
}

fn show_node(file: &SourceFile, node: Node<'_>, role: &str, depth: usize, out: &mut String) {
    let span = node.use_place().span;
    write!(out, "{:indent$}{role}{}", "", position(file, span), indent = 2 * depth).unwrap();
    if node.alias().is_some() {
        writeln!(out, " {} is {}", file.slice(span), position(file, node.span())).unwrap();
        return;
    }
    if let Some((name, span)) = node.anchor() {
        write!(out, " &{name}@{}", position(file, span)).unwrap();
    }
    if let Some((name, span)) = node.tag() {
        write!(out, " {name}@{}", position(file, span)).unwrap();
    }
    writeln!(out, " {:?}{}", node.value(), style(node)).unwrap();
    for item in node.items() {
        show_node(file, item, "- ", depth + 1, out);
    }
    for entry in node.written_entries() {
        show_node(file, entry.key, "? ", depth + 1, out);
        show_node(file, entry.value, ": ", depth + 1, out);
    }
    if node.entries().count() != node.written_entries().count()
        || node.written_entries().any(|e| e.key.raw() == "<<")
    {
        let merged: Vec<_> =
            node.entries().map(|e| format!("{}@{}", e.key.raw(), position(file, e.value.span()))).collect();
        writeln!(out, "{:indent$}with what is merged: {}", "", merged.join(", "), indent = 2 * depth + 2)
            .unwrap();
    }
}

fn style(node: Node<'_>) -> &'static str {
    match node.style() {
        Style::Plain | Style::Block => "",
        Style::SingleQuoted => " in single quotes",
        Style::DoubleQuoted => " in double quotes",
        Style::Literal => " literal",
        Style::Folded => " folded",
        Style::Flow => " in brackets",
    }
}

/// A finding with its places.
pub(crate) fn show_finding(file: &SourceFile, finding: &Finding, out: &mut String) {
    let place = position(file, finding.primary.place.span);
    writeln!(out, "{} {} {place} {}", finding.severity, finding.code, finding.message).unwrap();
    if !finding.primary.message.is_empty() {
        writeln!(out, "  {place} {}", finding.primary.message).unwrap();
    }
    for label in &finding.secondary {
        writeln!(out, "  {} {}", position(file, label.place.span), label.message).unwrap();
    }
    for note in &finding.notes {
        writeln!(out, "  note: {note}").unwrap();
    }
    if let Some(help) = &finding.help {
        writeln!(out, "  help: {help}").unwrap();
    }
}

fn position(file: &SourceFile, span: Span) -> String {
    let (start, end) = (file.line_column(span.start as usize), file.line_column(span.end as usize));
    if start.line == end.line { format!("{start}-{}", end.column) } else { format!("{start}-{end}") }
}
