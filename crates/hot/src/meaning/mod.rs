//! The meaning of a template: its resources as elements, from which its location graph, the instance of the rules and
//! the things of a plan are made.
//!
//! Resources whose condition is false are left out. What a group makes is an element that stands for all of it, with a
//! second one beside it that only rules see, since they compare the two; what it refers to is found in the definition
//! of the group. Resources of nested templates are seen by rules only. For the drawing there is a box around each
//! network with its subnets and ports.

mod capacity;
pub(crate) mod hidden;
mod numbers;
pub(crate) mod process;

use std::sync::Arc;

use locus_language::{Instance, Occurring, Rules};
use locus_meaning::{
    Certainty, Element, Enclosure, EnclosureId, Fact, Key, Kind as ElementKind, Link, Meaning, Said,
    Standing, ThingId, Vocabulary,
};
use locus_schema::{Content, Datum};
use locus_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalogue::sig_name;
use crate::meaning::numbers::{Counting, stands_for, times};
use crate::template::DEFINITIONS;
use crate::template::{How, Kind, Reference, Resource, Template};

/// Where the signatures of templates are.
const VOCABULARY: Vocabulary = Vocabulary {
    core: "hot/core",
    element: "Resource",
    types: "hot/types/",
    signature: |type_name| {
        let sig = sig_name(type_name);
        (format!("hot/types/{sig}"), sig)
    },
};

/// The instance that a template is, for rules that were loaded with the library.
pub(crate) fn instance<'r>(rules: &'r Rules, meaning: &Meaning<'_>, template: &Template) -> Instance<'r> {
    meaning.instance(rules, &VOCABULARY, template.file.place(Span::point(0)))
}

/// The types and facts that the instance of a template has atoms for.
pub(crate) fn occurring(meaning: &Meaning<'_>) -> Occurring {
    meaning.occurring(&VOCABULARY)
}

/// The meaning of a template.
pub fn meaning(template: &Template) -> Meaning<'_> {
    let mut all = Meaning::new();
    let boxes = boxes(template, &mut all);
    let mut counting = Counting::default();
    let mut ids: Vec<Option<ThingId>> = Vec::with_capacity(template.resources.len());
    for resource in &template.resources {
        if resource.created == Some(false) {
            ids.push(None);
            continue;
        }
        let mut found = element(resource);
        found.facts = facts(resource);
        found.facts.extend(inner(&mut counting, resource, Some(1)));
        found.adopted = resource.external_id.is_some();
        found.within = boxes.get(&*resource.name.text).copied();
        let id = all.add(found);
        let has_members = !resource.members.is_empty();
        for one in &resource.references {
            all.refer(id, Arc::clone(&one.target), link(id, one, false, has_members));
        }
        ids.push(Some(id));
    }
    let mut making = Making { all, counting };
    for (resource, id) in template.resources.iter().zip(&ids) {
        let Some(id) = *id else { continue };
        making.members(resource, id, resource, Some(1));
        making.inner(resource, None);
    }
    process::add(&mut making.all, template, &ids);
    making.all.finish()
}

fn element(resource: &Resource) -> Element<'_> {
    let (name, sort) = (Arc::clone(&resource.id), Arc::clone(&resource.type_name.text));
    let mut element = Element::new(Key::name(Arc::clone(&name)), name, sort, resource.name.place);
    if let Kind::Known(kind) = &resource.kind {
        element.kind = Some(ElementKind { name: &kind.name, properties: &kind.properties });
    }
    element.label = resource.label();
    element.properties = resource.properties.as_slice().into();
    element.complete = resource.properties_known;
    if resource.created.is_none() {
        element.certainty = Certainty::only_if(match &resource.condition {
            Some(name) => format!("the condition `{name}` holds"),
            None => "its condition holds".to_owned(),
        });
    }
    element
}

/// Adds what resources make.
struct Making<'d> {
    all: Meaning<'d>,
    counting: Counting,
}

impl<'d> Making<'d> {
    /// The resources that a group makes. `whole` is the resource of the template, if the group is itself a member: it
    /// refers to what they refer to. `number` is how many such groups exist.
    fn members(&mut self, group: &'d Resource, of: ThingId, whole: &'d Resource, number: Option<i64>) {
        let outer = Arc::clone(&self.all.element(of).name);
        let key = self.all.element(of).key.clone();
        for (at, member) in (0..).zip(&group.members) {
            let mut found = element(member);
            found.key = key.numbered(at);
            found.drawn = !member.again && self.all.element(of).drawn;
            found.name = match member.alike {
                Some(_) if !member.again => format!("{outer}[*]"),
                _ => format!("{outer}[{at}]"),
            }
            .into();
            if member.created.is_none() {
                found.certainty = Certainty::only_if(format!("`{outer}` makes any"));
            }
            if let Some(alike) = member.alike {
                found.certainty = found.certainty.standing_for(alike);
            }
            found.standing = Standing::Member(of);
            let number = times(number, stands_for(group, member));
            let place = member.name.place;
            found.facts = inner(&mut self.counting, member, number);
            found.facts.push(Fact { field: "stands_for", value: Said::Int(number), place, origin: None });
            let id = self.all.add(found);
            for one in &whole.references {
                self.all.refer(id, Arc::clone(&one.target), link(id, one, true, true));
            }
            self.members(member, id, whole, number);
        }
    }

    /// The resources of the template that a resource is, and of those that its members are. They are elements beside
    /// the others, which count nowhere: how many of each type there are is said of the resource. `only_if` is their
    /// condition, if they do not certainly exist.
    fn inner(&mut self, user: &'d Resource, only_if: Option<&Certainty>) {
        let only_if = match user.created {
            Some(_) => only_if.cloned(),
            None => Some(Certainty::only_if(format!("`{}` is there", user.label()))),
        };
        for member in &user.members {
            self.inner(member, only_if.as_ref());
        }
        let Some(template) = user.instance() else { return };
        let scope = &template.scope;
        for resource in template.resources.iter().filter(|resource| resource.created != Some(false)) {
            let mut found = element(resource);
            found.drawn = false;
            found.facts = facts(resource);
            found.adopted = resource.external_id.is_some();
            if let Some(only_if) = &only_if {
                found.certainty = only_if.clone();
            }
            let place = resource.name.place;
            found.facts.push(Fact { field: "stands_for", value: Said::Int(Some(0)), place, origin: None });
            let id = self.all.add(found);
            let has_members = !resource.members.is_empty();
            for one in &resource.references {
                let target = format!("{scope}{}", one.target).into();
                self.all.refer(id, target, link(id, one, false, has_members));
            }
            self.members(resource, id, resource, Some(0));
            self.inner(resource, only_if.as_ref());
        }
    }
}

/// The contents of the template that a resource is. `number` is how many such resources exist.
fn inner(counting: &mut Counting, resource: &Resource, number: Option<i64>) -> Vec<Fact> {
    let fact = |(name, inner): (&Arc<str>, &Option<i64>)| {
        let number = Said::Int(times(number, *inner));
        let parts = vec![("inner_type", Said::Text(Some(Arc::clone(name)))), ("inner_number", number)];
        Fact { field: "inner", value: Said::Part("Inner", parts), place: resource.name.place, origin: None }
    };
    if number == Some(0) {
        return Vec::new();
    }
    counting.inner(resource).iter().map(fact).collect()
}

/// A reference of a resource, or of a member of it; its target is found by name when all resources are known. What
/// stands in the definition of members is drawn for them.
fn link(from: ThingId, reference: &Reference, is_member: bool, has_members: bool) -> Link {
    let in_definition = has_members && reference.via.as_deref().is_some_and(|via| DEFINITIONS.contains(&via));
    Link {
        field: (reference.how == How::DependsOn && !is_member).then_some("depends_on"),
        drawn: in_definition == is_member,
        ..Link::new(from, by(reference), reference.place)
    }
}

/// By which means one resource refers to another.
fn by(reference: &Reference) -> Arc<str> {
    match &reference.how {
        How::DependsOn => "depends_on".into(),
        How::Id | How::Attribute { .. } => reference.via.clone().unwrap_or_else(|| "metadata".into()),
    }
}

/// The facts that rules see of a resource beside its properties and references.
fn facts(resource: &Resource) -> Vec<Fact> {
    let is_null = |field: &&locus_schema::Field| matches!(field.value.value, Content::Null);
    let nulls = resource.properties.iter().filter(is_null).map(|field| Fact {
        field: "nulls",
        value: Said::Text(Some(Arc::clone(&field.key))),
        place: field.value.place,
        origin: None,
    });
    let external = resource.external_id.iter().map(|datum| Fact {
        field: "external_id",
        value: Said::Text(datum.value.to_text()),
        place: datum.place,
        origin: datum.origin,
    });
    let repeats = resource.properties.iter().filter_map(|field| {
        let again = repeated(field.value.items())?;
        let value = Said::Text(Some(Arc::clone(&field.key)));
        Some(Fact { field: "repeats", value, place: again.place, origin: again.origin })
    });
    let capacity = capacity::of(resource).map(|(count, place)| Fact {
        field: "capacity",
        value: Said::Int(Some(count)),
        place,
        origin: None,
    });
    nulls.chain(external).chain(repeats).chain(capacity).collect()
}

/// The first item of a list that stands in it before, written in the same way.
fn repeated(items: &[Datum]) -> Option<&Datum> {
    let mut seen: FxHashSet<Arc<str>> = FxHashSet::default();
    items.iter().find(|item| item.value.to_text().is_some_and(|text| !seen.insert(text)))
}

/// The boxes of networks, their subnets and ports, by the names of resources.
fn boxes<'d>(template: &'d Template, all: &mut Meaning<'_>) -> FxHashMap<&'d str, EnclosureId> {
    let mut boxes: FxHashMap<&str, EnclosureId> = FxHashMap::default();
    let mut networks: Option<FxHashMap<&str, &Resource>> = None;
    for resource in &template.resources {
        if !matches!(&*resource.type_name.text, "OS::Neutron::Subnet" | "OS::Neutron::Port") {
            continue;
        }
        let network = ["network", "network_id"].iter().find_map(|name| resource.property(name));
        let Some(Content::Location(name)) = network.map(|datum| &datum.value) else { continue };
        let known = networks.get_or_insert_with(|| {
            let drawn =
                |resource: &&Resource| resource.created != Some(false) && resource.external_id.is_none();
            let drawn = template.resources.iter().filter(drawn);
            drawn.map(|resource| (&*resource.name.text, resource)).collect()
        });
        let Some((name, _)) = known.get_key_value(&**name) else { continue };
        let around = *boxes.entry(name).or_insert_with(|| {
            all.enclose(Enclosure { name: format!("network {name}").into(), place: None, within: None })
        });
        boxes.entry(&resource.name.text).or_insert(around);
    }
    boxes
}
