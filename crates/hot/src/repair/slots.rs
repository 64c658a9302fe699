//! The values in a template and the maps that they stand in, with what Heat's catalogue says of each.

use std::sync::Arc;

use locus_schema::walk::{self, Typed, Visitor, walk};
use locus_schema::{Datum, Field, Property};
use locus_source::{FileId, Place, Span};

use crate::template::{Kind, Resource, Template};

/// A single value.
pub(super) struct Slot<'t> {
    pub(super) resource: &'t Resource,
    pub(super) property: &'t Property,
    pub(super) datum: &'t Datum,
    /// Where its key is written; nothing for an item of a list.
    pub(super) key: Option<Place>,
}

/// Properties of a resource, or a map in one.
pub(super) struct Keys<'t> {
    pub(super) resource: &'t Resource,
    /// All that could be there.
    pub(super) known: &'t [Property],
    /// The properties that are given; never empty.
    pub(super) given: &'t [Field],
    /// From the first key to the last value.
    pub(super) span: Span,
}

/// The properties and maps that are written in a file.
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
            let visitor = &mut Looking { written: &mut written, resource, file };
            walk(&kind.properties, &resource.properties, resource.name.place, visitor);
        }
        written
    }

    /// All texts among the values.
    pub(super) fn texts(&self) -> Vec<&str> {
        self.slots.iter().filter_map(|slot| slot.datum.as_str()).collect()
    }
}

/// A resource whose properties are looked at.
struct Looking<'w, 't> {
    written: &'w mut Written<'t>,
    resource: &'t Resource,
    file: FileId,
}

impl<'t> Visitor<'t> for Looking<'_, 't> {
    fn map(&mut self, keys: walk::Keys<'_, 't>) {
        let walk::Keys { known, given, .. } = keys;
        let (Some(first), Some(last)) = (given.first(), given.last()) else { return };
        let (start, end) = (first.place.span, last.value.place.span);
        let is_here = [first.place.file, last.value.place.file].iter().all(|one| *one == self.file);
        if is_here && start.end <= end.start {
            self.written.maps.push(Keys { resource: self.resource, known, given, span: start.to(end) });
        }
    }

    fn leaf(&mut self, typed: Typed<'_, 't>) {
        let Typed { property, datum, key, .. } = typed;
        if datum.place.file == self.file {
            self.written.slots.push(Slot { resource: self.resource, property, datum, key });
        }
    }
}

/// The resources of the types that provide a kind of thing.
pub(super) fn providing(template: &Template, kind: &str) -> Vec<Arc<str>> {
    let provides = |resource: &&Resource| match &resource.kind {
        Kind::Known(known) => known.provides.as_deref() == Some(kind),
        _ => false,
    };
    template.resources.iter().filter(provides).map(|resource| Arc::clone(&resource.name.text)).collect()
}
