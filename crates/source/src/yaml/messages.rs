//! Messages of the YAML reader about trees. For texts that are no YAML, see [`syntax`](super::syntax).

use super::rules;
use crate::tree::{Node, Problem, Schema, quote_key};
use crate::words::short;
use crate::{Finding, Limits, Severity, SourceFile, Span, Value};

/// A finding for what is wrong with a tree.
pub(super) fn problem(file: &SourceFile, limits: &Limits, problem: &Problem) -> Finding {
    match problem {
        Problem::TooDeep(span) => too_deep(file, limits, *span),
        Problem::TooManyNodes(span) => {
            let message =
                format!("the document has more than {} nodes, counting what aliases repeat", limits.nodes);
            Finding::new(&rules::TOO_MANY_NODES, file.place(*span), message)
                .label("the limit is passed here")
                .help("write fewer aliases to large values, or raise the limit if the file is meant")
        }
        Problem::Cycle { alias, anchor } => {
            let message = format!("`{}` stands inside of the value that it means", file.slice(*alias));
            Finding::new(&rules::CYCLIC_ALIAS, file.place(*alias), message)
                .also(file.place(*anchor), "the value starts here")
        }
        Problem::Repeated { key, first, again } => {
            let message = format!("{} is already in this mapping", quote_key(key));
            Finding::new(&rules::REPEATED_KEY, file.place(*again), message)
                .label("again")
                .also(file.place(*first), "first here")
                .help("remove or rename one of the two")
        }
        Problem::BadMerge { value, kind } => {
            let message = format!("`<<` merges mappings, but its value is {kind}");
            Finding::new(&rules::BAD_MERGE, file.place(*value), message)
                .help("write `<<: *name`, where `&name` marks a mapping, or quote the key as `\"<<\"`")
        }
    }
}

pub(super) fn too_deep(file: &SourceFile, limits: &Limits, span: Span) -> Finding {
    let message = format!("collections are nested more than {} levels deep", limits.depth);
    Finding::new(&rules::TOO_DEEP, file.place(span), message)
        .help("flatten the file, or raise the limit if it is meant")
}

/// A finding for an alias without an anchor.
pub(super) fn unknown_alias(file: &SourceFile, name: &str, span: Span) -> Finding {
    let name = short(name);
    Finding::new(
        &rules::UNKNOWN_ALIAS,
        file.place(span),
        format!("no anchor `&{name}` stands before this alias"),
    )
    .help(format!("mark the value meant with `&{name}`, or quote the text if no alias is meant"))
}

/// A finding for a scalar that is not what its tag says.
pub(super) fn tag(file: &SourceFile, node: Node<'_>) -> Option<Finding> {
    let (name, span) = node.tag()?;
    let fits = match (name, node.value()) {
        ("!!str" | "!!null" | "!!bool" | "!!int" | "!!float", Value::Sequence | Value::Mapping) => false,
        ("!!null", value) => value == Value::Null,
        ("!!bool", value) => matches!(value, Value::Bool(_)),
        ("!!int", value) => matches!(value, Value::Int(_) | Value::BigInt(_)),
        ("!!float", value) => matches!(value, Value::Float(_)),
        ("!!seq", value) => value == Value::Sequence,
        ("!!map", value) => value == Value::Mapping,
        _ => true,
    };
    (!fits).then(|| {
        let message = format!("the tag `{name}` does not fit the value, which is {}", node.kind_name());
        Finding::new(&rules::TAG_MISMATCH, file.place(span), message).also(node.place(), "the value")
    })
}

/// The tags for which PyYAML's safe loader has a constructor. A single `!` is for texts.
const PYYAML_TAGS: [&str; 13] = [
    "!",
    "!!str",
    "!!int",
    "!!float",
    "!!bool",
    "!!null",
    "!!seq",
    "!!map",
    "!!set",
    "!!omap",
    "!!pairs",
    "!!binary",
    "!!timestamp",
];

/// A finding for a tag that PyYAML does not know.
pub(super) fn unknown_tag(file: &SourceFile, name: &str, span: Span, is_key: bool) -> Option<Finding> {
    // A key with the tag of `<<` merges, and one with that of `=` is a text.
    if PYYAML_TAGS.contains(&name) || is_key && ["!!merge", "!!value"].contains(&name) {
        return None;
    }
    let message = format!("PyYAML's safe loader does not know the tag `{}`", short(name));
    let finding = Finding::new(&rules::UNKNOWN_TAG, file.place(span), message);
    Some(finding.help("remove the tag, or put the text in quotes if the exclamation mark belongs to it"))
}

/// A finding for a plain text that YAML 1.1 has a meaning for which PyYAML's safe loader does not know.
pub(super) fn special_value(file: &SourceFile, text: &str, span: Span) -> Option<Finding> {
    if text != "=" && text != "<<" {
        return None;
    }
    let message = format!("PyYAML refuses a plain `{text}` as a value");
    Some(Finding::new(&rules::UNKNOWN_TAG, file.place(span), message).help("put it in quotes"))
}

/// A finding for an anchor whose name is taken.
pub(super) fn repeated_anchor(file: &SourceFile, first: Span, again: Span) -> Finding {
    let message = format!("PyYAML refuses the anchor `{}` twice in one document", short(file.slice(again)));
    Finding::new(&rules::REPEATED_ANCHOR, file.place(again), message)
        .label("again")
        .also(file.place(first), "first here")
        .help("rename one of the two")
}

/// A finding for a document after the first that has no marker.
pub(super) fn no_document_start(file: &SourceFile, span: Span) -> Finding {
    let place = file.place(Span { start: span.start, end: span.start });
    Finding::new(&rules::SYNTAX, place, "PyYAML wants `---` before another document")
        .help("write `---` here, or remove the `...` before")
}

/// A finding for a list or a mapping where PyYAML wants a scalar.
pub(super) fn collection_as_key(file: &SourceFile, span: Span) -> Finding {
    let braces = file.text()[..span.start as usize].ends_with('{')
        && file.text()[span.start as usize..].starts_with('{');
    let finding = Finding::new(
        &rules::COLLECTION_AS_KEY,
        file.place(Span { start: span.start, end: span.start }),
        "PyYAML refuses a key that is a list or a mapping",
    );
    finding.help(if braces {
        "put a value that starts with `{{` in quotes"
    } else {
        "write the key as a text"
    })
}

/// A finding for the first character that is a line break to PyYAML and none to us.
pub(super) fn old_line_break(file: &SourceFile, schema: Schema) -> Option<Finding> {
    if schema != Schema::PyYaml || file.text().is_ascii() {
        return None;
    }
    let (at, c) =
        file.text().char_indices().find(|(_, c)| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}'))?;
    let place = file.place(Span::new(at, at + c.len_utf8()));
    let message = format!("PyYAML takes the character U+{:04X} for a line break", u32::from(c));
    Some(Finding::new(&rules::OLD_LINE_BREAK, place, message).help("remove it, or write it as an escape"))
}

/// A value in brackets that follows its colon at once, where that is read.
pub(super) fn adjacent_value(file: &SourceFile, at: usize) -> Finding {
    let message = "a value in brackets follows this colon without a blank, which few readers of YAML allow";
    let mut finding = Finding::new(&rules::SYNTAX, file.place(Span::new(at.saturating_sub(1), at)), message);
    finding.severity = Severity::Warning;
    finding.help("put a blank after the colon")
}
