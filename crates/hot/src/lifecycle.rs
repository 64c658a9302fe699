//! The resources of a template as things with lifecycles, by the rules of Heat's engine.
//!
//! - A property with `update_allowed` is changed in place, any other replaces the resource, and an update of an
//!   immutable one is refused. A property that is not given has its default. Resources that are templates of their own
//!   are changed in place; those whose type is not in the catalogue are replaced when anything about them changes.
//! - What single types decide by themselves: the update policies of a server, the replacement policy of a port, handles
//!   that are made anew at every update.
//! - Metadata, policies and `depends_on` are changed in place.
//! - The deletion policy `Retain` leaves a resource behind, `Snapshot` saves it before it is deleted.
//!
//! Resources whose condition is false are left out, as are those that only stand for something that exists already. What
//! types decide by the state of the cloud (an update of a resource that failed, say) is not considered.

use std::collections::HashSet;

use locus_graph::lifecycle::{Need, OnChange, Property, Removal, Thing};
use locus_schema::{Content, Datum, Field, Type};
use locus_source::Sources;

use crate::template::{How, Kind, Resource, Template};

/// The things of a template.
pub(crate) fn things(template: &Template, sources: &Sources) -> Vec<Thing> {
    let made = template.resources.iter().filter(|r| r.created != Some(false) && r.external_id.is_none());
    let made: Vec<&Resource> = made.collect();
    let names: HashSet<&str> = made.iter().map(|resource| &*resource.name.text).collect();
    made.iter().map(|resource| thing(resource, &names, sources)).collect()
}

fn thing(resource: &Resource, names: &HashSet<&str>, sources: &Sources) -> Thing {
    let own = &*resource.name.text;
    let needs = resource.references.iter().filter(|reference| {
        let target = &*reference.target;
        target != own && names.contains(target)
    });
    let needs = needs.map(|reference| Need {
        via: match &reference.how {
            How::DependsOn => None,
            How::Id | How::Attribute(_) => reference.via.as_deref().map(str::to_owned),
        },
        ..Need::new(&*reference.target)
    });
    let policy = resource.deletion_policy.as_ref().and_then(|policy| policy.value.to_text());
    let policy = policy.map(|policy| policy.to_ascii_lowercase());
    let mut properties: Vec<Property> =
        resource.properties.iter().filter_map(|field| property(resource, field, sources)).collect();
    let aside = [
        ("metadata", &resource.metadata),
        ("deletion_policy", &resource.deletion_policy),
        ("update_policy", &resource.update_policy),
    ];
    for (name, datum) in aside {
        properties.extend(datum.as_ref().map(|datum| Property {
            name: name.to_owned(),
            value: value(datum, None, sources),
            on_change: aside_changes(resource, name),
            place: Some(datum.place),
        }));
    }
    Thing {
        properties,
        needs: needs.collect(),
        place: Some(resource.name.place),
        endings: if policy.as_deref() == Some("snapshot") { vec!["saved".to_owned()] } else { Vec::new() },
        removal: if policy.as_deref() == Some("retain") { Removal::Leave } else { Removal::Delete },
        renewed: renewed(resource),
        ..Thing::new(own, &*resource.type_name.text)
    }
}

/// Whether a resource is replaced at every update, and why.
fn renewed(resource: &Resource) -> Option<String> {
    let always = |name: &str| {
        let given = resource.property(name).and_then(|policy| policy.value.to_text());
        given.as_deref() == Some("REPLACE_ALWAYS")
    };
    match &*resource.type_name.text {
        "OS::Neutron::Port" if always("replacement_policy") => {
            Some("its replacement_policy is REPLACE_ALWAYS".to_owned())
        }
        "OS::Heat::UpdateWaitConditionHandle" => Some("Heat makes it anew at every update".to_owned()),
        _ => None,
    }
}

/// What becomes of a resource when something beside its properties changes.
fn aside_changes(resource: &Resource, name: &str) -> OnChange {
    let is_launch = &*resource.type_name.text == "AWS::AutoScaling::LaunchConfiguration";
    if is_launch && name == "metadata" { OnChange::Replace } else { OnChange::InPlace }
}

/// A property, unless it has the value that it has when it is not given.
fn property(resource: &Resource, field: &Field, sources: &Sources) -> Option<Property> {
    if matches!(field.value.value, Content::Null | Content::Absent) {
        return None;
    }
    let (on_change, kind, default) = match &resource.kind {
        Kind::Known(kind) => match kind.property(&field.key) {
            Some(property) if property.immutable => {
                (OnChange::Refuse, Some(property.kind), property.default.as_deref())
            }
            Some(property) if property.update_allowed => {
                (policy(resource, &field.key), Some(property.kind), property.default.as_deref())
            }
            Some(property) => (OnChange::Replace, Some(property.kind), property.default.as_deref()),
            None => (OnChange::Replace, None, None),
        },
        Kind::Nested(_) => (OnChange::InPlace, None, None),
        Kind::Unknown => (OnChange::Replace, None, None),
    };
    let value = value(&field.value, kind, sources);
    if default.is_some_and(|default| as_written(default, kind) == value) {
        return None;
    }
    Some(Property { name: field.key.to_string(), value, on_change, place: Some(field.place) })
}

/// What a policy of the resource says of a property that may be changed in place.
fn policy(resource: &Resource, property: &str) -> OnChange {
    let (policy, default) = match (&*resource.type_name.text, property) {
        ("OS::Nova::Server", "flavor") => ("flavor_update_policy", "RESIZE"),
        ("OS::Nova::Server", "image") => ("image_update_policy", "REBUILD"),
        ("OS::Nova::Server", "user_data") => ("user_data_update_policy", "REPLACE"),
        ("OS::Heat::TestResource", "value") => ("update_replace", "False"),
        _ => return OnChange::InPlace,
    };
    let given = resource.property(policy).and_then(|policy| policy.value.to_text());
    match given.as_deref().unwrap_or(default) {
        "REPLACE" | "True" | "true" => OnChange::Replace,
        _ => OnChange::InPlace,
    }
}

/// A default, which is JSON, as [`value`] would write it.
fn as_written(default: &str, kind: Option<Type>) -> String {
    let plain = default.trim_matches('"');
    if kind == Some(Type::Boolean) { plain.to_ascii_lowercase() } else { plain.to_owned() }
}

/// A value as a text: what it is, as far as that is known, else the expression that will give it.
fn value(datum: &Datum, kind: Option<Type>, sources: &Sources) -> String {
    let within = |datum: &Datum| value(datum, None, sources);
    match &datum.value {
        Content::List(items) => format!("[{}]", items.iter().map(within).collect::<Vec<_>>().join(", ")),
        Content::Map(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|field| format!("{}: {}", field.key, within(&field.value))).collect();
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        Content::Location(name) => format!("{{get_resource: {name}}}"),
        Content::Unknown(_) => {
            let text = sources.get(datum.place.file).slice(datum.place.span).to_owned();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        other => {
            let text = other.to_text().map_or_else(String::new, |text| text.to_string());
            if kind == Some(Type::Boolean) { text.to_ascii_lowercase() } else { text }
        }
    }
}
