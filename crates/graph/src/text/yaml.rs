//! Writing documents as YAML for people: what is short on one line, the rest indented.

use crate::text::document::Document;
use crate::text::json::quote;

/// YAML's own limit for a key in front of a colon is 1024 characters, quotes and escapes included.
pub(super) const LONGEST_KEY: usize = 160;

/// How far to the right a collection on one line may go.
const WIDTH: usize = 100;

pub(super) fn write(document: &Document<'_>) -> String {
    let mut out = String::new();
    match document {
        Document::Mapping(fields) => {
            for (key, value) in fields {
                field(&mut out, key, value, 0);
            }
        }
        other => {
            flow(&mut out, other, usize::MAX);
            out.push('\n');
        }
    }
    out
}

/// A key and its value, starting at the cursor, in a mapping of this indent. The second and later levels of a
/// document go on one line where they fit; locations and the top level do not, so that they line up.
fn field(out: &mut String, key: &str, value: &Document<'_>, indent: usize) {
    if key.len() > LONGEST_KEY {
        out.push_str("? ");
        scalar(out, key);
        out.push('\n');
        spaces(out, indent);
        out.push(':');
    } else {
        scalar(out, key);
        out.push(':');
    }
    if !is_long(value) {
        out.push(' ');
        flow(out, value, usize::MAX);
        out.push('\n');
        return;
    }
    let start = out.len();
    let line = line_start(out);
    if indent > 0 {
        out.push(' ');
        if flow(out, value, line + WIDTH) {
            out.push('\n');
            return;
        }
        out.truncate(start);
    }
    out.push('\n');
    block(out, value, indent + 2);
}

/// Whether a document may take several lines: whether it is a collection with something in it.
fn is_long(document: &Document<'_>) -> bool {
    match document {
        Document::List(items) => !items.is_empty(),
        Document::Mapping(fields) => !fields.is_empty(),
        _ => false,
    }
}

/// Where the line starts that is being written.
fn line_start(out: &str) -> usize {
    out.rfind('\n').map_or(0, |at| at + 1)
}

/// A collection that does not fit on a line, starting on a line of its own.
fn block(out: &mut String, document: &Document<'_>, indent: usize) {
    match document {
        Document::Mapping(fields) => {
            for (key, value) in fields {
                spaces(out, indent);
                field(out, key, value, indent);
            }
        }
        Document::List(items) => {
            for item in items {
                spaces(out, indent);
                out.push('-');
                out.push(' ');
                self::item(out, item, indent + 2);
            }
        }
        _ => unreachable!("what is not long is on one line"),
    }
}

/// An item of a list, after its dash; `indent` is that of what belongs to the item.
fn item(out: &mut String, item: &Document<'_>, indent: usize) {
    if !is_long(item) {
        flow(out, item, usize::MAX);
        out.push('\n');
        return;
    }
    let start = out.len();
    let line = line_start(out);
    // A list of locations: each gets lines of its own, like those in a mapping.
    let is_location =
        matches!(item, Document::Mapping(fields) if fields.first().is_some_and(|(key, _)| key == "name"));
    if !(is_location && indent == 4) && flow(out, item, line + WIDTH) {
        out.push('\n');
        return;
    }
    out.truncate(start);
    match item {
        Document::Mapping(fields) => {
            for (i, (key, value)) in fields.iter().enumerate() {
                if i > 0 {
                    spaces(out, indent);
                }
                field(out, key, value, indent);
            }
        }
        Document::List(items) => {
            for (i, inner) in items.iter().enumerate() {
                if i > 0 {
                    spaces(out, indent);
                }
                out.push_str("- ");
                self::item(out, inner, indent + 2);
            }
        }
        _ => unreachable!("what is not long is on one line"),
    }
}

fn spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// A document on one line. Gives up, with `false`, once the text is longer than `limit`, so that trying
/// costs no more than a line.
fn flow(out: &mut String, document: &Document<'_>, limit: usize) -> bool {
    match document {
        Document::Text(text) if out.len().saturating_add(text.len()) > limit => return false,
        Document::Text(text) => scalar(out, text),
        Document::List(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { ", " });
                if !flow(out, item, limit) {
                    return false;
                }
            }
            out.push(']');
        }
        Document::Mapping(fields) if fields.is_empty() => out.push_str("{}"),
        Document::Mapping(fields) => {
            out.push_str("{ ");
            for (i, (key, value)) in fields.iter().enumerate() {
                if key.len() > LONGEST_KEY {
                    return false;
                }
                out.push_str(if i == 0 { "" } else { ", " });
                scalar(out, key);
                out.push_str(": ");
                if !flow(out, value, limit) {
                    return false;
                }
            }
            out.push_str(" }");
        }
        other => out.push_str(&other.plain().expect("neither text nor collection")),
    }
    out.len() <= limit
}

fn scalar(out: &mut String, text: &str) {
    if is_plain(text) { out.push_str(text) } else { quote(out, text) }
}

/// Whether every reader of YAML takes the text, without quotes, for this very string. Leaves out more than
/// need be, for safety and for readers of YAML 1.1.
fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
    let goes_on = chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '$'));
    let lower = text.to_ascii_lowercase();
    let reserved = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    starts && goes_on && !reserved.contains(&lower.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_collections_are_written_however_deep() {
        let deep = |leaf| {
            let lists = (0..60).fold(leaf, |inner, _| Document::List(vec![inner, Document::Int(1)]));
            Document::Mapping(vec![("a".into(), lists)])
        };
        assert!(write(&deep(Document::List(vec![]))).contains("- []\n"));
        assert!(write(&deep(Document::Mapping(vec![]))).contains("- {}\n"));
        assert!(write(&deep(Document::Text("x".into()))).contains("- x\n"));
    }
}
