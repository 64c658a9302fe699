//! The values in a template, with what Heat's catalogue says of each.

use std::sync::Arc;

use locus_source::{FileId, Place};

use crate::catalogue::{Property, Type};
use crate::template::{Kind, Resource, Template};
use crate::value::{Datum, Value};

/// A single value.
pub(super) struct Slot<'t> {
    pub(super) resource: &'t Resource,
    pub(super) property: &'static Property,
    pub(super) datum: &'t Datum,
    /// Where its key is written; nothing for an item of a list.
    pub(super) key: Option<Place>,
}

/// All single values that are written in a file.
pub(super) fn slots(template: &Template, file: FileId) -> Vec<Slot<'_>> {
    let mut slots = Vec::new();
    for resource in &template.resources {
        let Kind::Known(kind) = &resource.kind else { continue };
        for field in &resource.properties {
            if let Some(property) = kind.property(&field.key) {
                walk(resource, property, &field.value, Some(field.place), &mut slots);
            }
        }
    }
    slots.retain(|slot| slot.datum.place.file == file);
    slots
}

fn walk<'t>(
    resource: &'t Resource,
    property: &'static Property,
    datum: &'t Datum,
    key: Option<Place>,
    into: &mut Vec<Slot<'t>>,
) {
    match (&datum.value, property.kind) {
        (Value::Map(fields), Type::Map) if !property.nested.is_empty() => {
            for field in fields.iter() {
                if let Some(nested) = property.get(&field.key) {
                    walk(resource, nested, &field.value, Some(field.place), into);
                }
            }
        }
        (Value::List(items), Type::List) => {
            let nested = property.get("*").unwrap_or(property);
            items.iter().for_each(|item| walk(resource, nested, item, None, into));
        }
        _ => into.push(Slot { resource, property, datum, key }),
    }
}

/// All texts among the values.
pub(super) fn texts<'s>(slots: &'s [Slot<'_>]) -> Vec<&'s str> {
    slots.iter().filter_map(|slot| slot.datum.as_str()).collect()
}

/// The resources of the types that provide a kind of thing.
pub(super) fn providing(template: &Template, kind: &str) -> Vec<Arc<str>> {
    let provides = |resource: &&Resource| match &resource.kind {
        Kind::Known(known) => known.provides().iter().any(|provided| provided == kind),
        _ => false,
    };
    template.resources.iter().filter(provides).map(|resource| Arc::clone(&resource.name.text)).collect()
}
