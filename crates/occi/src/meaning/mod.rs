//! The meaning of a file, after section 4 of the report: resources and links are locations. A link requires a role of
//! the resource that it begins at and one of that it leads to; and a resource requires one of each of its links.
//!
//! Out of scope: the order of making and starting, which is in [`order`], and what rules see, which is in [`parts`].

mod order;
mod parts;

use std::borrow::Cow;
use std::sync::Arc;

use locus_meaning::{Attribute, Element, Key, Link, Meaning, OnChange, Process, ThingId};
use locus_schema::{Content as Known, Datum, Field};
use rustc_hash::FxHashMap;

use crate::catalogue::{Catalogue, CategoryId, Meant};
use crate::syntax::{Content, Entity, Given, Model, Target};
use crate::values;

/// The categories and ends of an entity, as far as they are known.
pub(crate) struct Facet {
    pub(crate) kind: Option<CategoryId>,
    pub(crate) mixins: Vec<CategoryId>,
    /// Whether its kind and mixins, and all that they build on, are known.
    pub(crate) is_complete: bool,
    pub(crate) source: Option<usize>,
    pub(crate) target: Option<usize>,
    /// The kinds that it is of, its own first.
    pub(crate) kinds: Vec<CategoryId>,
    /// The mixins that it has, with those that they depend on.
    pub(crate) all_mixins: Vec<CategoryId>,
}

/// The meaning of a file.
pub(crate) fn meaning(model: &Model, catalogue: &mut Catalogue<'_>) -> Meaning<'static> {
    let by_name = names(model);
    let entities: Vec<Facet> =
        (0..model.entities.len()).map(|at| known(model, at, &by_name, catalogue)).collect();
    let mut all = Meaning::new();
    let names = unique_names(model);
    let mut ids: Vec<ThingId> = Vec::new();
    for ((entity, known), name) in model.entities.iter().zip(&entities).zip(&names) {
        ids.push(all.add(element(entity, known, name, catalogue)));
    }
    for (at, (entity, known)) in model.entities.iter().zip(&entities).enumerate() {
        if !entity.is_link {
            continue;
        }
        if let Some(source) = known.source {
            let mut link = Link::new(ids[at], "links", entity.place);
            link.role = Some(format!("{} of {}", names[at], names[source]).into());
            all.element_mut(ids[source]).links.push(link);
            let mut back = Link::new(ids[source], "source", entity.place);
            back.role = Some(format!("{} for {}", names[source], names[at]).into());
            all.element_mut(ids[at]).links.push(back);
        }
        if let Some(target) = known.target {
            let mut link = Link::new(ids[target], "target", entity.place);
            link.role = Some(format!("{} for {} as target", names[target], names[at]).into());
            all.element_mut(ids[at]).links.push(link);
        }
    }
    order::needs(model, &entities, &ids, catalogue, &mut all);
    parts::parts(model, &entities, &ids, catalogue, &mut all);
    all.finish()
}

/// Entities by the names that links use: ids and locations.
fn names(model: &Model) -> FxHashMap<&str, usize> {
    let mut all = FxHashMap::default();
    for (at, entity) in model.entities.iter().enumerate() {
        for text in entity.location.iter().chain(&entity.id) {
            all.entry(&*text.text).or_insert(at);
        }
    }
    all
}

/// Names for the location graph: titles where they are there once, else ids, each once.
fn unique_names(model: &Model) -> Vec<Arc<str>> {
    let mut count: FxHashMap<&str, usize> = FxHashMap::default();
    for title in model.entities.iter().filter_map(|one| one.title.as_ref()) {
        *count.entry(&title.text).or_default() += 1;
    }
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    let mut all = Vec::new();
    for entity in &model.entities {
        let title = entity.title.as_ref().filter(|title| count[&*title.text] == 1 && !title.text.is_empty());
        let wanted = title.or(entity.id.as_ref()).or(entity.location.as_ref());
        let word = if entity.is_link { "link" } else { "resource" };
        let wanted = wanted.map_or(word, |text| &text.text).to_owned();
        let number = seen.entry(wanted.clone()).or_default();
        *number += 1;
        let name = if *number == 1 { wanted } else { format!("{wanted} ({number})") };
        all.push(name.into());
    }
    all
}

fn known(model: &Model, at: usize, by_name: &FxHashMap<&str, usize>, catalogue: &mut Catalogue<'_>) -> Facet {
    let entity = &model.entities[at];
    let mut is_complete = true;
    let mut found = |meant: Meant<CategoryId>| {
        is_complete &= matches!(meant, Meant::Found(_));
        meant.found()
    };
    let kind = entity.kind.as_ref().and_then(|kind| found(catalogue.meant(kind, 0)));
    let kind = kind.filter(|kind| kind.is_kind);
    let mut mixins: Vec<CategoryId> = entity
        .mixins
        .iter()
        .filter_map(|mixin| found(catalogue.meant(mixin, 0)))
        .filter(|one| !one.is_kind)
        .collect();
    let mut seen = Vec::new();
    mixins.retain(|one| {
        !seen.contains(one) && {
            seen.push(*one);
            true
        }
    });
    let (kinds, is_known) = kind.map_or((Vec::new(), true), |kind| catalogue.ancestry(kind));
    is_complete &= is_known;
    let mut all_mixins: Vec<CategoryId> = Vec::new();
    for &mixin in &mixins {
        let (inner, is_known) = catalogue.dependencies(mixin);
        is_complete &= is_known;
        all_mixins.extend(inner);
    }
    all_mixins.sort_unstable();
    all_mixins.dedup();
    let end = |target: &Target| {
        let named = || by_name.get(&*target.text.text).copied().filter(|&one| !model.entities[one].is_link);
        target.number.or_else(named)
    };
    let said = entity.source.as_ref().and_then(end);
    Facet {
        kind,
        mixins,
        is_complete,
        source: said.or(entity.owner),
        target: entity.target.as_ref().and_then(end),
        kinds,
        all_mixins,
    }
}

fn element(entity: &Entity, known: &Facet, name: &Arc<str>, catalogue: &Catalogue<'_>) -> Element<'static> {
    let sort: Arc<str> = match known.kind {
        Some(kind) => Arc::clone(&catalogue.category(kind).term.text),
        None if entity.is_link => "link".into(),
        None => "resource".into(),
    };
    let mut element = Element::new(Key::name(Arc::clone(name)), Arc::clone(name), sort, entity.place);
    element.signature = Some(if entity.is_link { "Link" } else { "Resource" });
    let fields: Vec<Field> = entity.attributes.iter().filter_map(field).collect();
    let attribute = |field: &Field| Attribute {
        name: Arc::clone(&field.key),
        value: field.value.clone(),
        on_change: if is_fixed(&field.key, known, catalogue) { OnChange::Replace } else { OnChange::InPlace },
        place: field.place,
    };
    // States are what actions lead to, and not what a deployment is asked for.
    let own = fields.iter().filter(|field| !field.key.ends_with(".state") && !field.key.contains(".state."));
    element.process =
        Some(Box::new(Process { attributes: own.map(attribute).collect(), ..Process::default() }));
    element.properties = Cow::Owned(fields);
    element
}

/// Whether an attribute cannot be changed by a client, so that another value is another entity.
fn is_fixed(name: &str, known: &Facet, catalogue: &Catalogue<'_>) -> bool {
    let all = known.kinds.iter().chain(&known.all_mixins).flat_map(|&id| catalogue.definitions(id));
    let mut same = all.into_iter().filter(|definition| *definition.name.text == *name);
    same.next().is_some_and(|definition| definition.mutable == Some(false))
}

fn field(given: &Given) -> Option<Field> {
    let value = match &given.value.content {
        Content::Written(text) | Content::Text(text) => Known::Str(Arc::clone(text)),
        Content::Number(value, _) if value.fract() == 0.0 && value.abs() < 9e15 => Known::Int(*value as i64),
        Content::Number(value, _) => Known::Float(*value),
        Content::Boolean(value) => Known::Bool(*value),
        Content::Null | Content::List | Content::Map => return None,
    };
    let place = given.value.place;
    Some(Field {
        key: Arc::clone(&given.name.text),
        place: given.name.place,
        value: Datum::new(value, place),
    })
}

/// The term of the action that a text names.
pub(crate) fn term_of(identity: &str) -> &str {
    identity.rsplit('#').next().unwrap_or(identity)
}

/// A value as rules have it.
fn value_text(content: &Content) -> Option<Arc<str>> {
    values::shown(content).map(Into::into)
}
