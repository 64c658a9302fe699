//! Writing documents as JSON, indented.

use std::fmt::Write;

use crate::text::document::Document;

pub(super) fn write(document: &Document<'_>) -> String {
    let mut out = String::new();
    put(&mut out, document, 0);
    out.push('\n');
    out
}

fn put(out: &mut String, document: &Document<'_>, indent: usize) {
    match document {
        Document::Text(text) => quote(out, text),
        Document::List(items) => {
            let all_short =
                items.iter().all(|item| !matches!(item, Document::List(_) | Document::Mapping(_)));
            let separator = if all_short { None } else { Some(indent + 1) };
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                next(out, i, separator);
                put(out, item, indent + 1);
            }
            end(out, separator.filter(|_| !items.is_empty()));
            out.push(']');
        }
        Document::Mapping(fields) => {
            out.push('{');
            for (i, (key, value)) in fields.iter().enumerate() {
                next(out, i, Some(indent + 1));
                quote(out, key);
                out.push_str(": ");
                put(out, value, indent + 1);
            }
            end(out, Some(indent + 1).filter(|_| !fields.is_empty()));
            out.push('}');
        }
        scalar => out.push_str(&scalar.plain().expect("neither text nor collection")),
    }
}

/// Writes the beginning of an item: on a line of its own with an indent, else on the same line.
fn next(out: &mut String, index: usize, indent: Option<usize>) {
    if index > 0 {
        out.push(',');
    }
    match indent {
        Some(indent) => new_line(out, indent),
        None if index > 0 => out.push(' '),
        None => {}
    }
}

fn end(out: &mut String, indent: Option<usize>) {
    if let Some(indent) = indent {
        new_line(out, indent - 1);
    }
}

fn new_line(out: &mut String, indent: usize) {
    out.push('\n');
    (0..indent).for_each(|_| out.push_str("  "));
}

/// A text in double quotes, in a form that JSON and YAML both read.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // What YAML does not hold for printable, or takes for a line break.
            '\0'..'\u{20}'
            | '\u{7f}'..'\u{a0}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}' => {
                write!(out, "\\u{:04x}", u32::from(c)).expect("writing to a string cannot fail");
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
