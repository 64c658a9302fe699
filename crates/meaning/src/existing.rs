//! Things that a document names and does not define.

use std::sync::Arc;

use locus_graph::Certainty;
use locus_schema::walk::{Typed, Visitor, walk};
use locus_schema::{Content, Type};

use crate::{Element, Key, Known, Meaning, Standing, ThingId, Use, name_of};

impl Meaning<'_> {
    /// Finds what exists already. All other elements are there by now.
    pub(super) fn find_existing(&mut self) {
        let ids: Vec<ThingId> = self.elements().map(|(id, _)| id).collect();
        for id in ids {
            let element = self.element(id);
            let place = element.place;
            if let Some((known, given)) = element.typed() {
                walk(known, given, place, &mut Finder { meaning: self, of: id });
            }
        }
    }

    /// The element that exists already under this name, or as what this input will name.
    pub(super) fn existing(&self, kind: &str, name: &Arc<str>, is_input: bool) -> Option<ThingId> {
        self.existing.get(&Known { kind: kind.into(), name: Arc::clone(name), is_input }).copied()
    }
}

struct Finder<'i, 'd> {
    meaning: &'i mut Meaning<'d>,
    of: ThingId,
}

impl<'d> Visitor<'d> for Finder<'_, 'd> {
    fn leaf(&mut self, typed: Typed<'_, 'd>) {
        let Typed { property, datum, at, .. } = typed;
        let (Some(kind), Some((name, is_input))) = (typed.names_kind(), name_of(datum)) else { return };
        let key = Known { kind: kind.into(), name: Arc::clone(&name), is_input };
        let all = &mut *self.meaning;
        let to = all.existing.get(&key).copied().unwrap_or_else(|| {
            let place = datum.origin.unwrap_or(datum.place);
            let mut element = Element::new(
                Key::within(Arc::clone(&key.kind), Arc::clone(&name)),
                name,
                Arc::clone(&key.kind),
                place,
            );
            element.standing = Standing::Existing;
            // An input that is a list may name any number of things.
            if matches!(datum.value, Content::Unknown(_)) && property.kind == Type::List {
                element.certainty = Certainty::several();
            }
            let id = all.add(element);
            all.existing.insert(key, id);
            id
        });
        all.uses.push(Use { from: self.of, to, by: at.key().into(), place: datum.place });
    }
}
