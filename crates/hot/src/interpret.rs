//! The meaning of a template: its resources as elements, for the location graph and for the rules.
//!
//! Resources whose condition is false are left out. What a group makes is an element that stands for all of it, and
//! what it refers to is found in the definition of the group. For the drawing there is a box around each network with
//! its subnets and ports.

use std::sync::Arc;

use locus_graph::{Certainty, LocationGraph};
use locus_rules::{Instance, Occurring, Rules};
use locus_schema::interpretation::{
    Element, ElementId, Fact, Interpretation, Kind as ElementKind, Link, Said, Standing, Vocabulary,
};
use locus_schema::{Content, Datum};
use locus_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::capacity;
use crate::catalogue::sig_name;
use crate::members::DEFINITIONS;
use crate::numbers::{Counting, stands_for, times};
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

/// The location graph of a template. Linear time.
pub fn graph(template: &Template) -> LocationGraph {
    interpretation(template).graph()
}

/// The meaning of a template as rules see it: with the second members of groups, which they compare with the first.
pub(crate) fn for_rules(template: &Template) -> Interpretation<'_> {
    meaning(template, true)
}

/// The instance that a template is, by its meaning for rules, which were loaded with the library.
pub(crate) fn instance<'r>(
    rules: &'r Rules,
    meaning: &Interpretation<'_>,
    template: &Template,
) -> Instance<'r> {
    meaning.instance(rules, &VOCABULARY, template.file.place(Span::point(0)))
}

/// What the instance of a template has anything for, by its meaning for rules.
pub(crate) fn occurring(meaning: &Interpretation<'_>) -> Occurring {
    meaning.occurring(&VOCABULARY)
}

/// The meaning of a template.
pub fn interpretation(template: &Template) -> Interpretation<'_> {
    meaning(template, false)
}

/// The meaning of a template; with the second members of groups, which rules compare with the first.
fn meaning(template: &Template, with_second: bool) -> Interpretation<'_> {
    let (mut all, mut counting) = (Interpretation::new(), Counting::default());
    let created = || template.resources.iter().filter(|resource| resource.created != Some(false));
    let boxes = boxes(template);
    let ids: Vec<ElementId> = created()
        .map(|resource| {
            let mut found = element(resource);
            let has_members = !resource.members.is_empty();
            found.links = resource.references.iter().map(|one| link(one, false, has_members)).collect();
            found.facts = facts(resource);
            found.facts.extend(inner(&mut counting, resource, Some(1)));
            found.adopted = resource.external_id.is_some();
            found.within = boxes.get(&*resource.name.text).cloned();
            all.add(found)
        })
        .collect();
    let mut making = Making { all, counting, with_second };
    for (resource, id) in created().zip(ids) {
        making.members(resource, id, resource, Some(1));
        if with_second {
            making.inner(resource, None);
        }
    }
    making.all.with_existing()
}

fn element(resource: &Resource) -> Element<'_> {
    let mut element =
        Element::new(Arc::clone(&resource.id), Arc::clone(&resource.type_name.text), resource.name.place);
    if let Kind::Known(kind) = &resource.kind {
        element.kind = Some(ElementKind { name: &kind.name, properties: &kind.properties });
    }
    element.label = resource.label();
    element.properties = &resource.properties;
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
    all: Interpretation<'d>,
    counting: Counting,
    /// Whether the second members of groups are added too.
    with_second: bool,
}

impl<'d> Making<'d> {
    /// What a group makes. `whole` is the resource of the template, if the group is itself a member: it refers to what they
    /// refer to. `number` is how many such groups there are.
    fn members(&mut self, group: &'d Resource, of: ElementId, whole: &'d Resource, number: Option<i64>) {
        let outer = Arc::clone(&self.all.element(of).name);
        let with_second = self.with_second;
        let seen = group.members.iter().filter(|member| with_second || !member.again);
        for (at, member) in seen.enumerate() {
            let mut found = element(member);
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
            found.links = whole.references.iter().map(|one| link(one, true, true)).collect();
            let number = times(number, stands_for(group, member));
            let place = member.name.place;
            found.facts = inner(&mut self.counting, member, number);
            found.facts.push(Fact { field: "stands_for", value: Said::Int(number), place, origin: None });
            let id = self.all.add(found);
            self.members(member, id, whole, number);
        }
    }

    /// The resources of the template that a resource is, and of those that its members are. They are elements beside the others,
    /// which count nowhere: how many of each type there are is said of the resource. `only_if` says when they are there, if that is
    /// not certain.
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
            let has_members = !resource.members.is_empty();
            let links = resource.references.iter().map(|one| {
                let one = link(one, false, has_members);
                Link { to: format!("{scope}{}", one.to).into(), ..one }
            });
            found.links = links.collect();
            found.facts = facts(resource);
            found.adopted = resource.external_id.is_some();
            if let Some(only_if) = &only_if {
                found.certainty = only_if.clone();
            }
            let place = resource.name.place;
            found.facts.push(Fact { field: "stands_for", value: Said::Int(Some(0)), place, origin: None });
            let id = self.all.add(found);
            self.members(resource, id, resource, Some(0));
            self.inner(resource, only_if.as_ref());
        }
    }
}

/// What is in the template that a resource is. `number` is how many such resources there are.
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

/// A reference of a resource, or of a member of it. What stands in the definition of members is drawn for them.
fn link(reference: &Reference, is_member: bool, has_members: bool) -> Link {
    let in_definition = has_members && reference.via.as_deref().is_some_and(|via| DEFINITIONS.contains(&via));
    Link {
        to: Arc::clone(&reference.target),
        by: by(reference),
        place: reference.place,
        field: (reference.how == How::DependsOn && !is_member).then_some("depends_on"),
        drawn: in_definition == is_member,
    }
}

/// By which means one resource refers to another.
fn by(reference: &Reference) -> Arc<str> {
    match &reference.how {
        How::DependsOn => "depends_on".into(),
        How::Id | How::Attribute(_) => reference.via.clone().unwrap_or_else(|| "metadata".into()),
    }
}

/// What rules see of a resource beside its properties and references.
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
fn boxes(template: &Template) -> FxHashMap<&str, Arc<str>> {
    let mut boxes: FxHashMap<&str, Arc<str>> = FxHashMap::default();
    let mut networks: Option<FxHashMap<&str, &Resource>> = None;
    for resource in &template.resources {
        if !matches!(&*resource.type_name.text, "OS::Neutron::Subnet" | "OS::Neutron::Port") {
            continue;
        }
        let network = ["network", "network_id"].iter().find_map(|name| resource.property(name));
        let Some(Content::Location(name)) = network.map(|datum| &datum.value) else { continue };
        let all = networks.get_or_insert_with(|| {
            let drawn =
                |resource: &&Resource| resource.created != Some(false) && resource.external_id.is_none();
            let drawn = template.resources.iter().filter(drawn);
            drawn.map(|resource| (&*resource.name.text, resource)).collect()
        });
        let Some((name, _)) = all.get_key_value(&**name) else { continue };
        let around: Arc<str> = format!("network {name}").into();
        boxes.insert(name, Arc::clone(&around));
        boxes.entry(&resource.name.text).or_insert(around);
    }
    boxes
}
