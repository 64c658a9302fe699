//! Parts of a project as Go's `encoding/json` writes them. Docker Compose hashes this text to tell whether a container,
//! network or volume still is what the file describes (`pkg/compose/hash.go`), so every byte counts.

use std::fmt::Write;

use serde_json::Value as Json;

use crate::output::{capital, printed};
use crate::types::fields::{Parts, Type};
use crate::values::datum::Datum;

/// A part as Go writes it.
pub(crate) fn marshal(value: &Datum, parts: &Parts) -> String {
    let mut out = String::new();
    object(&mut out, &printed(value, parts), parts);
    out
}

/// A struct: its fields in the order in which Go has them.
fn object(out: &mut String, value: &Json, parts: &Parts) {
    let Json::Object(map) = value else { return text(out, value) };
    out.push('{');
    let mut is_first = true;
    for (key, kind) in parts.fields {
        let name = if parts.capitals { capital(key) } else { (*key).to_owned() };
        let Some(value) = map.get(&name) else { continue };
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        string(out, &name);
        out.push(':');
        of_type(out, value, *kind);
    }
    out.push('}');
}

fn of_type(out: &mut String, value: &Json, kind: Type) {
    match (kind, value) {
        (Type::Part(parts) | Type::PartIfGiven(parts), value) => object(out, value, parts),
        (Type::List(parts), Json::Array(items)) => list(out, items, |out, item| object(out, item, parts)),
        (Type::Map(parts), Json::Object(map)) => mapping(out, map, |out, item| object(out, item, parts)),
        (Type::Each(kind), Json::Object(map)) => mapping(out, map, |out, item| of_type(out, item, *kind)),
        (Type::Ulimit, Json::Object(map)) => {
            let fields: Vec<_> = ["soft", "hard"].iter().filter_map(|key| map.get_key_value(*key)).collect();
            entries(out, fields.into_iter(), text);
        }
        (_, value) => text(out, value),
    }
}

fn list(out: &mut String, items: &[Json], write: impl Fn(&mut String, &Json)) {
    out.push('[');
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

fn mapping(out: &mut String, map: &serde_json::Map<String, Json>, write: impl Fn(&mut String, &Json)) {
    entries(out, map.iter(), write);
}

fn entries<'j>(
    out: &mut String,
    all: impl Iterator<Item = (&'j String, &'j Json)>,
    write: impl Fn(&mut String, &Json),
) {
    out.push('{');
    for (place, (key, value)) in all.enumerate() {
        if place > 0 {
            out.push(',');
        }
        string(out, key);
        out.push(':');
        write(out, value);
    }
    out.push('}');
}

/// A value without fields of its own: maps are sorted by key, in Go as here.
fn text(out: &mut String, value: &Json) {
    match value {
        Json::String(value) => string(out, value),
        Json::Array(items) => list(out, items, text),
        Json::Object(map) => mapping(out, map, text),
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

/// A string, with the characters that Go escapes: those that mean something in HTML are among them.
fn string(out: &mut String, value: &str) {
    out.push('"');
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_go_does() {
        let mut out = String::new();
        string(&mut out, "a<b>&\"\\\n\u{1}\u{2028}é/");
        assert_eq!(out, "\"a\\u003cb\\u003e\\u0026\\\"\\\\\\n\\u0001\\u2028é/\"");
    }
}
