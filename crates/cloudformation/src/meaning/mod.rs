//! The meaning of a template: its resources as elements, from which its location graph, the instance of the rules and
//! the things of a plan are made.
//!
//! Resources whose condition does not hold are left out. For the drawing there is a box around each VPC.

mod process;

use std::sync::Arc;

use locus_meaning::{
    Certainty, Element, Enclosure, EnclosureId, Fact, Key, Kind, Link, Meaning, Offer, Said, ThingId,
};
use locus_schema::Content;
use rustc_hash::FxHashMap;

use crate::template::{How, Reference, Resource, Template};

/// The meaning of a template.
pub fn meaning(template: &Template) -> Meaning<'_> {
    let mut all = Meaning::new();
    let boxes = boxes(template, &mut all);
    let mut ids: Vec<Option<ThingId>> = Vec::with_capacity(template.resources.len());
    for resource in &template.resources {
        if resource.created == Some(false) {
            ids.push(None);
            continue;
        }
        let mut found = element(resource);
        found.within = boxes.get(&*resource.name.text).copied();
        let id = all.add(found);
        for one in &resource.references {
            all.refer(id, Arc::clone(&one.target), link(id, one));
        }
        ids.push(Some(id));
    }
    exports(template, &mut all);
    process::add(&mut all, template, &ids);
    all.finish()
}

fn element(resource: &Resource) -> Element<'_> {
    let (name, sort) = (Arc::clone(&resource.name.text), Arc::clone(&resource.type_name.text));
    let mut element = Element::new(Key::name(Arc::clone(&name)), name, sort, resource.name.place);
    element.kind = resource.kind.map(|kind| Kind { name: kind.name, properties: kind.properties() });
    element.properties = resource.properties.as_slice().into();
    element.complete = resource.properties_known;
    element.facts = facts(resource);
    if resource.created.is_none() {
        element.certainty = Certainty::only_if(match &resource.condition {
            Some(name) => format!("the condition `{}` holds", name.text),
            None => "its condition holds".to_owned(),
        });
    }
    element
}

/// A reference of a resource; its target is found by name when all resources are known.
fn link(from: ThingId, reference: &Reference) -> Link {
    Link {
        field: (reference.how == How::DependsOn).then_some("depends_on"),
        ..Link::new(from, by(reference), reference.place)
    }
}

/// By which means one resource refers to another.
fn by(reference: &Reference) -> Arc<str> {
    match &reference.how {
        How::DependsOn => "DependsOn".into(),
        How::Ref | How::Attribute(_) => reference.via.clone().unwrap_or_else(|| "Metadata".into()),
    }
}

/// All that rules see of a resource beside its properties and references.
fn facts(resource: &Resource) -> Vec<Fact> {
    let policies = [("DeletionPolicy", "deletion_policy"), ("UpdateReplacePolicy", "update_replace_policy")];
    let policies = policies.into_iter().filter_map(|(key, field)| {
        let datum = resource.attribute(key)?;
        let text = match &datum.value {
            Content::Str(text) => Some(Arc::clone(text)),
            _ => None,
        };
        Some(Fact { field, value: Said::Text(text), place: datum.place, origin: datum.origin })
    });
    let kind = Fact {
        field: "type_name",
        value: Said::Text(Some(Arc::clone(&resource.type_name.text))),
        place: resource.type_name.place,
        origin: None,
    };
    policies.chain([kind]).collect()
}

/// All that is exported is a role for other stacks.
fn exports(template: &Template, all: &mut Meaning<'_>) {
    for output in template.outputs.iter().filter(|output| output.created != Some(false)) {
        let Some(export) = &output.export else { continue };
        let name = export.as_str().map_or_else(|| output.name.text.to_string(), str::to_owned);
        if let Some(id) = output.references.first().and_then(|one| all.named(&one.target)) {
            let offer = Offer { role: name.into(), attributes: Vec::new(), place: output.name.place };
            all.element_mut(id).offers.push(offer);
        }
    }
}

/// The boxes of VPCs with what names one of them, by the names of resources.
fn boxes<'d>(template: &'d Template, all: &mut Meaning<'_>) -> FxHashMap<&'d str, EnclosureId> {
    let mut boxes: FxHashMap<&str, EnclosureId> = FxHashMap::default();
    let is_made = |resource: &&Resource| resource.created != Some(false);
    let mut inside: FxHashMap<&str, &str> = FxHashMap::default();
    for resource in template.resources.iter().filter(is_made) {
        let named = resource.property("VpcId").or_else(|| resource.property("SubnetId"));
        if let Some(Content::Location(name)) = named.map(|datum| &datum.value) {
            inside.insert(&resource.name.text, name);
        }
    }
    for resource in template.resources.iter().filter(is_made) {
        let own = &*resource.name.text;
        // In a VPC is what names it, or names a subnet in it.
        let Some(first) = inside.get(own) else { continue };
        let around = inside.get(first).unwrap_or(first);
        let Some(vpc) = template.resource(around).filter(|one| &*one.type_name.text == "AWS::EC2::VPC")
        else {
            continue;
        };
        let name = &*vpc.name.text;
        let id = *boxes.entry(name).or_insert_with(|| {
            all.enclose(Enclosure { name: format!("VPC {name}").into(), place: None, within: None })
        });
        boxes.insert(own, id);
    }
    boxes
}
