//! The meaning of a document: its things as elements, with what they need of each other.

use std::borrow::Cow;
use std::sync::Arc;

use locus_meaning::{
    Attribute, Copies, Element, Fact, Key, Kind, Link, Meaning, Naming, Need, OnChange, Process, Said,
    Vocabulary,
};
use locus_schema::{Content, Field};

use crate::read::Thing;

/// Where the signatures of things are.
pub(crate) const VOCABULARY: Vocabulary = Vocabulary {
    core: "toy/core",
    element: "Thing",
    types: "toy/types/",
    signature: |name| (format!("toy/types/{name}"), name.to_owned()),
};

/// The meaning of some things.
pub(crate) fn meaning(things: &[Thing]) -> Meaning<'_> {
    let mut all = Meaning::new();
    let ids: Vec<_> = things.iter().map(|thing| all.add(element(thing))).collect();
    for (thing, id) in things.iter().zip(&ids) {
        for field in &thing.properties {
            let Content::Location(name) = &field.value.value else { continue };
            let Some(to) = all.named(name) else { continue };
            all.element_mut(*id).links.push(Link::new(to, Arc::clone(&field.key), field.value.place));
            if let Some(process) = &mut all.element_mut(*id).process {
                process.needs.push(Need { via: Some(Arc::clone(&field.key)), ..Need::new(to) });
            }
        }
    }
    all.finish()
}

fn element(thing: &Thing) -> Element<'_> {
    let Thing { name, place, kind, count, count_place, properties } = thing;
    let mut element = Element::new(Key::name(Arc::clone(name)), Arc::clone(name), kind.name.into(), *place);
    element.kind = Some(Kind { name: kind.name, properties: &kind.properties });
    element.properties = Cow::Borrowed(properties);
    element.copies =
        Copies { count: count.unwrap_or(1), place: *count_place, naming: Naming::Brackets, drawn_each: true };
    let number = Said::Int(count.map(i64::from));
    element.facts = vec![Fact { field: "number", value: number, place: *place, origin: None }];
    let attribute = |field: &Field| {
        let property = kind.properties.iter().find(|property| *property.name == *field.key);
        let is_fixed = property.is_some_and(|property| !property.update_allowed);
        Attribute {
            name: Arc::clone(&field.key),
            value: field.value.clone(),
            on_change: if is_fixed { OnChange::Replace } else { OnChange::InPlace },
            place: field.place,
        }
    };
    element.process = Some(Box::new(Process {
        phases: kind.phases.iter().map(|&phase| phase.into()).collect(),
        attributes: properties.iter().map(attribute).collect(),
        ..Process::default()
    }));
    element
}
