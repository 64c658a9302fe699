//! The parts that rules see: the categories that a file defines or speaks of, entities, and the values of attributes.

use std::sync::Arc;

use locus_meaning::{Meaning, PartId, Parts, Related, ThingId};
use locus_source::Place;
use rustc_hash::FxHashMap;

use super::{Facet, term_of, value_text};
use crate::catalogue::{Catalogue, CategoryId, Meant};
use crate::syntax::{Action, Category, Definition, Entity, Form, Given, Model, Text, TypeUse};
use crate::values;

/// The attributes that a provider gives: identities, and what is said of states.
fn is_provided(name: &str) -> bool {
    name.starts_with("occi.core.") || name.split('.').skip(1).any(|part| part == "state")
}

/// Says what rules see of a file.
pub(super) fn parts(
    model: &Model,
    facets: &[Facet],
    ids: &[ThingId],
    catalogue: &mut Catalogue<'_>,
    all: &mut Meaning<'_>,
) {
    let everywhere = model.entities.first().map(|entity| entity.place);
    let own = model.extension.kinds.iter().map(|one| one.category.place);
    let own = own.chain(model.extension.mixins.iter().map(|one| one.category.place)).next();
    let Some(everywhere) = everywhere.or(own) else { return };
    let mut saying = Saying {
        model,
        ids,
        catalogue,
        parts: all.parts(),
        categories: FxHashMap::default(),
        definitions: FxHashMap::default(),
        forms: FxHashMap::default(),
    };
    saying.own_categories();
    for (at, (entity, facet)) in model.entities.iter().zip(facets).enumerate() {
        saying.entity(at, entity, facet);
    }
    saying.file(everywhere);
}

struct Saying<'s, 'c> {
    model: &'s Model,
    ids: &'s [ThingId],
    catalogue: &'s mut Catalogue<'c>,
    parts: &'s mut Parts,
    categories: FxHashMap<CategoryId, PartId>,
    definitions: FxHashMap<(CategoryId, usize), PartId>,
    /// The types of attributes.
    forms: FxHashMap<(CategoryId, usize), Form>,
}

impl Saying<'_, '_> {
    fn own_categories(&mut self) {
        let extension = &self.model.extension;
        let kinds =
            (0..extension.kinds.len()).map(|number| CategoryId { extension: 0, is_kind: true, number });
        let mixins =
            (0..extension.mixins.len()).map(|number| CategoryId { extension: 0, is_kind: false, number });
        for id in kinds.chain(mixins) {
            self.category(id);
        }
    }

    /// The part of a category, with those that it builds on.
    fn category(&mut self, id: CategoryId) -> PartId {
        if let Some(part) = self.categories.get(&id) {
            return *part;
        }
        let category = self.catalogue.category(id).clone();
        let signature = if id.is_kind { "Kind" } else { "Mixin" };
        let part = self.parts.add(signature, Arc::clone(&category.term.text), category.place);
        self.categories.insert(id, part);
        self.describe(id, part, &category);
        let mut is_known = true;
        let mut links: Vec<(&'static str, &'static str, Place, CategoryId)> = Vec::new();
        let mut find =
            |this: &mut Self, field: (&'static str, &'static str), reference: &crate::syntax::Reference| {
                match this.catalogue.meant(reference, id.extension) {
                    Meant::Found(found) => links.push((field.0, field.1, reference.text.place, found)),
                    Meant::Missing | Meant::Unknown => is_known = false,
                }
            };
        if let Some(kind) = self.catalogue.kind(id).cloned() {
            kind.parent.iter().for_each(|one| find(self, ("Kind", "parent"), one));
            kind.sources.iter().for_each(|one| find(self, ("Kind", "sources"), one));
            kind.targets.iter().for_each(|one| find(self, ("Kind", "targets"), one));
        }
        if let Some(mixin) = self.catalogue.mixin(id).cloned() {
            mixin.depends.iter().for_each(|one| find(self, ("Mixin", "depends"), one));
            mixin.applies.iter().for_each(|one| find(self, ("Mixin", "applies"), one));
        }
        for (signature, field, place, found) in links {
            // A parent is a kind, and a mixin depends on mixins: what is of the other class was misnamed.
            if found.is_kind == (field != "depends") {
                let other = self.category(found);
                self.parts.put(part, signature, field, other.into(), place);
            }
        }
        is_known &=
            if id.is_kind { self.catalogue.ancestry(id).1 } else { self.catalogue.dependencies(id).1 };
        self.parts.put(part, "Category", "known", Related::Truth(is_known), category.place);
        part
    }

    fn describe(&mut self, id: CategoryId, part: PartId, category: &Category) {
        let is_own = id.extension == 0;
        let mut put = |field: &'static str, value: Related, place: Place| {
            self.parts.put(part, "Category", field, value, place);
        };
        let text = |text: &Text| Related::Text(Arc::clone(&text.text));
        put("identity", Related::Text(category.identity().into()), category.term.place);
        put("scheme", text(&category.scheme), category.scheme.place);
        put("term", text(&category.term), category.term.place);
        put("own", Related::Truth(is_own), category.place);
        put("sharp", Related::Truth(category.scheme.text.ends_with('#')), category.scheme.place);
        for (number, definition) in category.attributes.iter().enumerate() {
            let inner = self.definition(id, number, definition);
            self.parts.put(part, "Category", "attributes", inner.into(), definition.name.place);
        }
        for action in self.catalogue.actions(id).to_vec() {
            let (term, scheme, place) = match &action {
                Action::Defined(action) => (action.term.clone(), Some(action.scheme.clone()), action.place),
                Action::Named(text) => (Text::new(term_of(&text.text), text.place), None, text.place),
            };
            let inner = self.parts.add("Action", Arc::clone(&term.text), place);
            self.parts.put(inner, "Action", "action_term", text(&term), term.place);
            if let Some(scheme) = scheme {
                let outer = category.scheme.text.strip_suffix('#').unwrap_or(&category.scheme.text);
                let expected = format!("{outer}/{}/action#", category.term.text);
                self.parts.put(inner, "Action", "action_scheme", text(&scheme), scheme.place);
                self.parts.put(
                    inner,
                    "Action",
                    "action_expected",
                    Related::Text(expected.into()),
                    scheme.place,
                );
            }
            self.parts.put(part, "Category", "actions", inner.into(), place);
        }
    }

    fn definition(&mut self, id: CategoryId, number: usize, definition: &Definition) -> PartId {
        let form = match &definition.ty {
            TypeUse::Any => Form::Any,
            TypeUse::Given(form) => form.clone(),
            TypeUse::Named(reference) => {
                self.catalogue.type_of(reference, id.extension).map_or(Form::Any, |found| found.form)
            }
        };
        let name = &definition.name;
        let part = self.parts.add("Definition", Arc::clone(&name.text), name.place);
        self.parts.put(part, "Definition", "name", Related::Text(Arc::clone(&name.text)), name.place);
        // What the provider gives is not asked for.
        let required = definition.required && !is_provided(&name.text);
        self.parts.put(part, "Definition", "required", Related::Truth(required), name.place);
        if let Some(default) = &definition.default {
            let shown = value_text(&default.content).unwrap_or_else(|| "its value".into());
            let is_wrong = values::problem(&default.content, &form).is_some();
            let field = if is_wrong { "bad_default" } else { "default" };
            self.parts.put(part, "Definition", field, Related::Text(shown), default.place);
        }
        self.definitions.insert((id, number), part);
        self.forms.insert((id, number), form);
        part
    }

    fn entity(&mut self, at: usize, entity: &Entity, facet: &Facet) {
        let id = self.ids[at];
        if let Some(text) = &entity.id {
            self.parts.put(id, "Entity", "id", Related::Text(Arc::clone(&text.text)), text.place);
        }
        // An entity that is only changed in part has no kind.
        let is_partial = entity.kind.is_none() && !entity.is_link && self.model.entities.len() == 1;
        self.parts.put(id, "Entity", "complete", Related::Truth(facet.is_complete), entity.place);
        self.parts.put(id, "Entity", "partial", Related::Truth(is_partial), entity.place);
        if let (Some(kind), Some(reference)) = (facet.kind, &entity.kind) {
            let part = self.category(kind);
            self.parts.put(id, "Entity", "kind", part.into(), reference.text.place);
        }
        for &mixin in &facet.mixins {
            let part = self.category(mixin);
            let named = entity.mixins.iter().find(|one| self.catalogue.meant(one, 0) == Meant::Found(mixin));
            let place = named.map_or(entity.place, |one| one.text.place);
            self.parts.put(id, "Entity", "mixins", part.into(), place);
        }
        for &category in facet.kinds.iter().chain(&facet.all_mixins) {
            self.category(category);
        }
        for given in &entity.attributes {
            self.given(id, given, facet);
        }
        for action in &entity.actions {
            let part = self.parts.add("Offered", Arc::clone(&action.text), action.place);
            self.parts.put(part, "Offered", "offer", Related::Text(Arc::clone(&action.text)), action.place);
            let term = Related::Text(term_of(&action.text).into());
            self.parts.put(part, "Offered", "offer_term", term, action.place);
            self.parts.put(id, "Entity", "offered", part.into(), action.place);
        }
        if entity.is_link {
            self.link(at, entity, facet);
        }
    }

    fn given(&mut self, id: ThingId, given: &Given, facet: &Facet) {
        let place = given.name.place;
        let found = self.defined(&given.name.text, facet);
        if found.is_none() && given.name.text.starts_with("occi.core.") {
            return;
        }
        let key = match found {
            Some((category, number)) => Arc::clone(&self.catalogue.definitions(category)[number].name.text),
            None => Arc::clone(&given.name.text),
        };
        let part = self.parts.add("Given", Arc::clone(&given.name.text), place);
        self.parts.put(part, "Given", "key", Related::Text(key), place);
        if let Some(value) = value_text(&given.value.content) {
            self.parts.put(part, "Given", "value", Related::Text(value), given.value.place);
        }
        if let Some(at) = found {
            let definition = self.definitions[&at];
            self.parts.put(part, "Given", "of", definition.into(), place);
            if let Some(problem) = values::problem(&given.value.content, &self.forms[&at]) {
                self.parts.put(part, "Given", "wrong", Related::Text(problem.into()), given.value.place);
            }
        }
        self.parts.put(id, "Entity", "given", part.into(), place);
    }

    /// The definition of an attribute that an entity has: of mixins before kinds, since templates refine what kinds
    /// say. In XMI of a generated metamodel, `occiComputeCores` is `occi.compute.cores`.
    fn defined(&self, name: &str, facet: &Facet) -> Option<(CategoryId, usize)> {
        let plain =
            |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let is_feature = !name.contains('.') && name.chars().any(char::is_uppercase);
        for &category in facet.all_mixins.iter().chain(&facet.kinds) {
            for (number, definition) in self.catalogue.definitions(category).iter().enumerate() {
                let own = &*definition.name.text;
                if own == name || is_feature && plain(own) == plain(name) {
                    return Some((category, number));
                }
            }
        }
        None
    }

    fn link(&mut self, at: usize, entity: &Entity, facet: &Facet) {
        let id = self.ids[at];
        if let Some(owner) = entity.owner {
            self.parts.put(self.ids[owner], "Resource", "links", id.into(), entity.place);
        }
        if let Some(source) = &entity.source {
            let place = source.text.place;
            self.parts.put(id, "Link", "from", Related::Text(Arc::clone(&source.text.text)), place);
        }
        if let Some(source) = facet.source {
            let place = entity.source.as_ref().map_or(entity.place, |source| source.text.place);
            self.parts.put(id, "Link", "source", self.ids[source].into(), place);
        }
        // In JSON and text a link may lead to what the server has and the file has not.
        let is_outside = facet.target.is_none()
            && entity.target.as_ref().is_some_and(|one| !one.text.text.starts_with("//@"));
        self.parts.put(id, "Link", "outside", Related::Truth(is_outside), entity.place);
        if let Some(target) = &entity.target {
            let place = target.text.place;
            self.parts.put(id, "Link", "to", Related::Text(Arc::clone(&target.text.text)), place);
            if let Some(kind) = &target.kind {
                self.parts.put(id, "Link", "to_kind", Related::Text(Arc::clone(&kind.text)), kind.place);
            }
            if let Some(found) = facet.target {
                self.parts.put(id, "Link", "target", self.ids[found].into(), place);
            }
        }
    }

    /// The file: which extensions it uses, and whether it says so.
    fn file(&mut self, everywhere: Place) {
        let part = self.parts.add("File", "the file", everywhere);
        let uses = self.model.extension.uses.clone();
        let mut used = vec![0];
        let mut is_known = true;
        for reference in &uses {
            match self.catalogue.extension(reference, 0) {
                Meant::Found(extension) => used.push(extension),
                Meant::Missing | Meant::Unknown => is_known = false,
            }
        }
        let says = is_known && !uses.is_empty() && !self.model.is_extension;
        self.parts.put(part, "File", "says", Related::Truth(says), everywhere);
        self.parts.put(
            part,
            "File",
            "extension",
            Related::Truth(self.model.is_extension && is_known),
            everywhere,
        );
        if let Some(scheme) = self.model.extension.scheme.as_ref().filter(|_| self.model.is_extension) {
            self.parts.put(
                part,
                "File",
                "file_scheme",
                Related::Text(Arc::clone(&scheme.text)),
                scheme.place,
            );
        }
        let mut all: Vec<(CategoryId, PartId)> =
            self.categories.iter().map(|(id, part)| (*id, *part)).collect();
        all.sort_unstable_by_key(|(id, _)| *id);
        for (id, category) in all {
            if used.contains(&id.extension) {
                self.parts.put(part, "File", "uses", category.into(), everywhere);
            }
        }
    }
}
