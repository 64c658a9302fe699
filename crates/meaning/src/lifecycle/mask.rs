//! A location graph without the secrets in its values.

use std::sync::Arc;

use locus_graph::{Attributes, LocationGraph, LocationId, Process, Sort, Value};

use crate::shown::{Masker, after_option, is_value_of, names_secret, tells_secret};

/// The same graph with digests in the place of what are secrets by their names. What is a digest already stays.
#[must_use]
pub fn masked(graph: &LocationGraph, masker: &mut Masker) -> LocationGraph {
    let mut masked = graph.clone();
    let all: Vec<LocationId> = graph.iter().map(|(id, _)| id).collect();
    for id in all {
        let entry = masked.entry_mut(id);
        entry.attributes = attributes(&entry.attributes, masker);
        for port in &mut entry.ports {
            port.attributes = attributes(&port.attributes, masker);
        }
        entry.sort = Sort(value(&entry.sort.0, false, masker));
        entry.process = Process(value(&entry.process.0, false, masker));
    }
    masked
}

fn attributes(given: &Attributes, masker: &mut Masker) -> Attributes {
    let mut all = Attributes::default();
    for one in given {
        all.push(Arc::clone(&one.key), value(&one.value, names_secret(&one.key), masker), one.place);
    }
    all
}

/// A value; `is_named` if the names around say that it is a secret.
fn value(given: &Value, is_named: bool, masker: &mut Masker) -> Value {
    match given {
        Value::Text(text) if is_named && !text.is_empty() => Value::Secret(masker.digest(text)),
        Value::Int(number) if is_named => Value::Secret(masker.digest(&format!("\0{number}"))),
        Value::Float(number) if is_named => Value::Secret(masker.digest(&format!("\0{:?}", number.0))),
        Value::Text(text) => {
            masker.masked(text).map_or_else(|| given.clone(), |hidden| Value::Secret(hidden.into()))
        }
        Value::List(items) => {
            let mut before: Option<&Value> = None;
            let mut all = Vec::with_capacity(items.len());
            for item in items.iter() {
                let is_argument = before.and_then(Value::as_text).is_some_and(after_option);
                all.push(value(item, is_named || is_argument, masker));
                before = Some(item);
            }
            Value::list(all)
        }
        Value::Record(fields) => {
            let tells =
                fields.iter().any(|(key, one)| one.as_text().is_some_and(|text| tells_secret(key, text)));
            let field = |(key, one): &(Arc<str>, Value)| {
                let is_named = is_named || names_secret(key) || tells && is_value_of(key);
                (Arc::clone(key), value(one, is_named, masker))
            };
            Value::record(fields.iter().map(field).collect::<Vec<_>>())
        }
        Value::Sort(sort) => Value::Sort(Arc::new(Sort(value(&sort.0, is_named, masker)))),
        Value::Process(process) => Value::Process(Arc::new(Process(value(&process.0, is_named, masker)))),
        other => other.clone(),
    }
}
