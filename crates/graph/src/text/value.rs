//! Values in the text form: reading them, and turning them into documents.

use std::sync::Arc;

use locus_source::words::{nearest, short};
use locus_source::{Finding, Node, Value as Scalar};
use rustc_hash::FxHashSet;

use crate::rules::{UNKNOWN_MARKER, WRONG_TYPE};
use crate::text::document::Document;
use crate::text::fields::Report;
use crate::text::{FLOAT, NAME, PROCESS, ROLE, SECRET, SORT, UNKNOWN};
use crate::{Float, Process, Sort, Symbols, Value};

const MARKERS: [&str; 7] = [NAME, ROLE, SORT, PROCESS, FLOAT, UNKNOWN, SECRET];

/// Reads values. Short texts that occur again and again, as sorts and keys do, are stored once.
#[derive(Default)]
pub(super) struct Values {
    texts: FxHashSet<Arc<str>>,
}

impl Values {
    /// The text, shared with others that are equal.
    pub(super) fn shared(&mut self, text: &str) -> Arc<str> {
        if text.len() > 64 {
            return text.into();
        }
        if let Some(held) = self.texts.get(text) {
            return Arc::clone(held);
        }
        let held: Arc<str> = text.into();
        self.texts.insert(Arc::clone(&held));
        held
    }

    /// The value of a node; null where it is wrong, which is reported. As deep as the tree, whose reader has
    /// a limit.
    pub(super) fn read(&mut self, node: Node<'_>, symbols: &mut Symbols, report: &mut Report) -> Value {
        if let Some((tag, _)) = node.tag()
            && !tag.starts_with("!!")
        {
            let message = format!("the tag `{}` means nothing in a location graph", short(tag));
            report.add(|| marker_help(Finding::new(&UNKNOWN_MARKER, node.use_place(), message)));
        }
        match node.value() {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(i) => Value::Int(i),
            Scalar::BigInt(_) => {
                let message = format!("the number {} does not fit into 64 bits", short(node.raw()));
                let finding = Finding::new(&WRONG_TYPE, node.use_place(), message);
                report.add(|| finding.help("put it in quotes to make it a string"));
                Value::Null
            }
            Scalar::Float(x) => Value::Float(Float(x)),
            Scalar::Str(text) | Scalar::Timestamp(text) => Value::Text(self.shared(text)),
            Scalar::Sequence => Value::list(node.items().map(|item| self.read(item, symbols, report))),
            Scalar::Mapping => self.mapping(node, symbols, report),
        }
    }

    fn mapping(&mut self, node: Node<'_>, symbols: &mut Symbols, report: &mut Report) -> Value {
        let entries = report.entries(node, "a key");
        if let [(key, entry)] = entries.as_slice()
            && let Some(value) = self.marked(key, entry.value, symbols, report)
        {
            return value;
        }
        let mut fields = Vec::with_capacity(entries.len());
        for (key, entry) in entries {
            let own = match key.strip_prefix('$') {
                Some(own) if own.starts_with('$') => own,
                Some(_) => {
                    report.add(|| wrong_marker(key, entry.key));
                    continue;
                }
                None => key,
            };
            fields.push((self.shared(own), self.read(entry.value, symbols, report)));
        }
        Value::record(fields)
    }

    /// The value of a mapping with a marker as its only key.
    fn marked(
        &mut self,
        marker: &str,
        node: Node<'_>,
        symbols: &mut Symbols,
        report: &mut Report,
    ) -> Option<Value> {
        let value = match marker {
            NAME => report.string(node, "a name").map(|text| Value::Name(symbols.name(text))),
            ROLE => report.string(node, "a role").map(|text| Value::Role(symbols.role(text))),
            SORT => Some(Value::Sort(Arc::new(Sort(self.read(node, symbols, report))))),
            PROCESS => Some(Value::Process(Arc::new(Process(self.read(node, symbols, report))))),
            UNKNOWN => report.string(node, "a reason").map(|text| Value::Unknown(self.shared(text))),
            SECRET => report.string(node, "a digest").map(|text| Value::Secret(self.shared(text))),
            FLOAT => {
                let float = match node.as_str() {
                    Some(".inf") => Some(f64::INFINITY),
                    Some("-.inf") => Some(f64::NEG_INFINITY),
                    Some(".nan") => Some(f64::NAN),
                    _ => None,
                };
                if float.is_none() {
                    report.wrong_type(
                        node,
                        "the value of `$float`",
                        "one of \".inf\", \"-.inf\" and \".nan\"",
                    );
                }
                float.map(|x| Value::Float(Float(x)))
            }
            _ => return None,
        };
        Some(value.unwrap_or_default())
    }
}

fn wrong_marker(key: &str, node: Node<'_>) -> Finding {
    let known = MARKERS.contains(&key);
    let message = if known {
        format!("the marker `{key}` must be the only key of its mapping")
    } else {
        format!("`{}` is not a marker of the format", short(key))
    };
    let finding = Finding::new(&UNKNOWN_MARKER, node.use_place(), message);
    match nearest(key, MARKERS.map(|marker| (marker, marker))) {
        Some(near) if !known => finding.help(format!("did you mean `{near}`?")),
        _ => finding.help(format!("for a plain key, write `${}`", short(key))),
    }
}

fn marker_help(finding: Finding) -> Finding {
    finding.help("names, roles, sorts and processes are written with markers, such as {$role: http}")
}

/// A value as a document.
pub(super) fn document<'a>(value: &'a Value, symbols: &'a Symbols) -> Document<'a> {
    let marked = |marker: &'static str, value| Document::Mapping(vec![(marker.into(), value)]);
    match value {
        Value::Null => Document::Null,
        Value::Bool(b) => Document::Bool(*b),
        Value::Int(i) => Document::Int(*i),
        Value::Float(Float(x)) if x.is_finite() => Document::Float(*x),
        Value::Float(Float(x)) => {
            let text = if x.is_nan() {
                ".nan"
            } else if *x > 0.0 {
                ".inf"
            } else {
                "-.inf"
            };
            marked(FLOAT, Document::Text(text.into()))
        }
        Value::Text(text) => Document::Text((&**text).into()),
        Value::List(items) => Document::List(items.iter().map(|item| document(item, symbols)).collect()),
        Value::Record(fields) => {
            let own = |key: &'a str| {
                if key.starts_with('$') { format!("${key}").into() } else { key.into() }
            };
            Document::Mapping(fields.iter().map(|(k, v)| (own(k), document(v, symbols))).collect())
        }
        Value::Name(name) => marked(NAME, Document::Text(symbols.name_text(*name).into())),
        Value::Role(role) => marked(ROLE, Document::Text(symbols.role_text(*role).into())),
        Value::Sort(sort) => marked(SORT, document(&sort.0, symbols)),
        Value::Process(process) => marked(PROCESS, document(&process.0, symbols)),
        Value::Unknown(why) => marked(UNKNOWN, Document::Text((&**why).into())),
        Value::Secret(digest) => marked(SECRET, Document::Text((&**digest).into())),
    }
}
