//! The values in a template and the maps that they stand in, with what Heat's catalogue says of each.

use std::sync::Arc;

use locus_schema::{Content, Datum, Field, Property, Type};
use locus_source::{FileId, Place, Span};

use crate::template::{Kind, Resource, Template};

/// A single value.
pub(super) struct Slot<'t> {
    pub(super) resource: &'t Resource,
    pub(super) property: &'static Property,
    pub(super) datum: &'t Datum,
    /// Where its key is written; nothing for an item of a list.
    pub(super) key: Option<Place>,
}

/// Properties of a resource, or a map in one.
pub(super) struct Keys<'t> {
    pub(super) resource: &'t Resource,
    /// All that could be there.
    pub(super) known: &'static [Property],
    /// What is there; never empty.
    pub(super) given: &'t [Field],
    /// From the first key to the last value.
    pub(super) span: Span,
}

/// What is written in a file.
#[derive(Default)]
pub(super) struct Written<'t> {
    pub(super) slots: Vec<Slot<'t>>,
    pub(super) maps: Vec<Keys<'t>>,
}

impl<'t> Written<'t> {
    pub(super) fn of(template: &'t Template, file: FileId) -> Self {
        let mut written = Self::default();
        for resource in &template.resources {
            let Kind::Known(kind) = &resource.kind else { continue };
            written.keys(resource, &kind.properties, &resource.properties, file);
            for field in &resource.properties {
                if let Some(property) = kind.property(&field.key) {
                    written.walk(resource, property, &field.value, Some(field.place));
                }
            }
        }
        written.slots.retain(|slot| slot.datum.place.file == file);
        written
    }

    fn keys(&mut self, resource: &'t Resource, known: &'static [Property], given: &'t [Field], file: FileId) {
        let (Some(first), Some(last)) = (given.first(), given.last()) else { return };
        let (start, end) = (first.place.span, last.value.place.span);
        let is_here = [first.place.file, last.value.place.file].iter().all(|one| *one == file);
        if is_here && start.end <= end.start {
            self.maps.push(Keys { resource, known, given, span: start.to(end) });
        }
    }

    fn walk(
        &mut self,
        resource: &'t Resource,
        property: &'static Property,
        datum: &'t Datum,
        key: Option<Place>,
    ) {
        match (&datum.value, property.kind) {
            (Content::Map(fields), Type::Map) if !property.nested.is_empty() => {
                self.keys(resource, &property.nested, fields, resource.name.place.file);
                for field in fields.iter() {
                    if let Some(nested) = property.get(&field.key) {
                        self.walk(resource, nested, &field.value, Some(field.place));
                    }
                }
            }
            (Content::List(items), Type::List) => {
                let nested = property.get("*").unwrap_or(property);
                items.iter().for_each(|item| self.walk(resource, nested, item, None));
            }
            _ => self.slots.push(Slot { resource, property, datum, key }),
        }
    }

    /// All texts among the values.
    pub(super) fn texts(&self) -> Vec<&str> {
        self.slots.iter().filter_map(|slot| slot.datum.as_str()).collect()
    }
}

/// The resources of the types that provide a kind of thing.
pub(super) fn providing(template: &Template, kind: &str) -> Vec<Arc<str>> {
    let provides = |resource: &&Resource| match &resource.kind {
        Kind::Known(known) => known.provides().iter().any(|provided| provided == kind),
        _ => false,
    };
    template.resources.iter().filter(provides).map(|resource| Arc::clone(&resource.name.text)).collect()
}
