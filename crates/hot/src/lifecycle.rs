//! The resources of a template as things with lifecycles, by the rules of Heat's engine.
//!
//! - A property with `update_allowed` is changed in place, any other replaces the resource, and an update of an
//!   immutable one is refused. A property that is not given has its default; to write that down is an update in place. Resources that are templates of their own
//!   are changed in place; those whose type is not in the catalogue are replaced when anything about them changes.
//! - What single types decide by themselves: the update policies of a server, the replacement policy of a port, handles
//!   that are made anew at every update.
//! - What a template does not write and Heat adds to the order ([`crate::hidden`]).
//! - Metadata, policies, conditions and `depends_on` are changed in place.
//! - The deletion policy `Retain` leaves a resource behind, `Snapshot` saves it before it is deleted.
//!
//! Resources whose condition is false are left out, as are those that only stand for something that exists already. What
//! types decide by the state of the cloud (an update of a resource that failed, say) is not considered.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use locus_graph::lifecycle::written::{self, Within};
use locus_graph::lifecycle::{Need, OnChange, Property, Removal, Thing};
use locus_schema::{Content, Datum, Field, Type};
use locus_source::Sources;

use crate::hidden::{Group, hidden};
use crate::template::{How, Kind, Resource, Template};

/// The things of a template.
pub(crate) fn things(template: &Template, sources: &Sources) -> Vec<Thing> {
    let all = &template.resources;
    let names: HashSet<&str> =
        all.iter().filter(|resource| is_made(resource)).map(|resource| &*resource.name.text).collect();
    let (groups, of) = hidden(template, false);
    let mut milestones: Vec<Milestone<'_>> =
        groups.iter().map(|group| Milestone::new(group, all, &names)).collect();
    let mut things = Vec::new();
    for (resource, groups) in all.iter().zip(of).filter(|(resource, _)| is_made(resource)) {
        let mut thing = thing(resource, &names, sources);
        for group in groups {
            milestones[group].add_to(&mut thing.needs, resource);
        }
        things.push(thing);
    }
    things.extend(milestones.into_iter().filter(|one| one.is_needed).map(|one| {
        let needs = one.members.iter().map(|member| Need::new(&*member.name.text));
        Thing::milestone(one.name, needs.collect())
    }));
    things
}

fn is_made(resource: &Resource) -> bool {
    resource.created != Some(false) && resource.external_id.is_none()
}

fn refers(one: &Resource, other: &Resource) -> bool {
    one.references.iter().any(|reference| reference.target == other.name.text)
}

/// Resources for all of which others wait.
struct Milestone<'t> {
    name: String,
    members: Vec<&'t Resource>,
    /// The resources that some of them refer to.
    referred: HashSet<&'t str>,
    is_needed: bool,
}

impl<'t> Milestone<'t> {
    fn new(group: &Group, all: &'t [Resource], names: &HashSet<&str>) -> Self {
        let mut name = group.name.clone();
        while names.contains(name.as_str()) {
            name.push('*');
        }
        let members: Vec<&Resource> =
            group.members.iter().map(|&at| &all[at]).filter(|one| is_made(one)).collect();
        let references = members.iter().flat_map(|member| &member.references);
        let referred = references.map(|reference| &*reference.target).collect();
        Self { name, members, referred, is_needed: false }
    }

    /// The needs of a resource that waits for these.
    fn add_to(&mut self, needs: &mut Vec<Need>, resource: &Resource) {
        if self.referred.contains(&*resource.name.text) {
            // Two that would wait for each other do not: what is written goes before what Heat adds.
            let others = self.members.iter().filter(|member| !refers(member, resource));
            needs.extend(others.map(|member| Need::new(&*member.name.text)));
        } else if !self.members.is_empty() {
            self.is_needed = true;
            needs.push(Need::new(&*self.name));
        }
    }
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
    let names: Vec<&str> = resource.depends_on.iter().map(|name| &*name.text).collect();
    let empty = resource.properties_place.filter(|_| resource.properties.is_empty());
    let plain = [
        ("depends_on", resource.depends_on.first().map(|first| (names.join(", "), first.place))),
        ("condition", resource.condition.as_ref().map(|name| (name.to_string(), resource.name.place))),
        // Heat takes an empty map that is new for an update.
        ("properties", empty.map(|place| ("{}".to_owned(), place))),
    ];
    for (name, given) in plain {
        properties.extend(given.map(|(value, place)| Property {
            name: name.to_owned(),
            value,
            on_change: OnChange::InPlace,
            place: Some(place),
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

/// A property; under another name, if it has the value that it has when it is not given.
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
    let is_default = default.is_some_and(|default| as_written(default, kind) == value);
    let place = Some(field.place);
    if is_default {
        // To write down what holds anyway is an update, and never a replacement.
        let name = format!("{} (its default)", field.key);
        return Some(Property { name, value, on_change: OnChange::InPlace, place });
    }
    Some(Property { name: field.key.to_string(), value, on_change, place })
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
    if let Ok(json @ (serde_json::Value::Array(_) | serde_json::Value::Object(_))) =
        serde_json::from_str(default)
    {
        return within_default(&json, Within::Nothing);
    }
    let plain = default.trim_matches('"');
    if kind == Some(Type::Boolean) { plain.to_ascii_lowercase() } else { plain.to_owned() }
}

fn within_default(json: &serde_json::Value, place: Within) -> String {
    match json {
        serde_json::Value::Array(items) => {
            written::list(items.iter().map(|item| within_default(item, Within::List)))
        }
        serde_json::Value::Object(fields) => {
            let entry = |(key, value): (&String, &serde_json::Value)| {
                written::entry(key, &within_default(value, Within::Map))
            };
            let mut fields: Vec<String> = fields.iter().map(entry).collect();
            fields.sort();
            written::entries(fields)
        }
        serde_json::Value::String(text) => written::text(text, place).into_owned(),
        other => other.to_string(),
    }
}

/// A value as a text: what it is, as far as that is known, else the expression that will give it.
fn value(datum: &Datum, kind: Option<Type>, sources: &Sources) -> String {
    value_within(datum, kind, sources, Within::Nothing)
}

fn value_within(datum: &Datum, kind: Option<Type>, sources: &Sources, place: Within) -> String {
    // What a file contains is not shown; a number tells whether it is the same.
    if let (Some(file), Some(text)) = (&datum.contents_of, datum.value.to_text()) {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        return format!("the contents of {file} ({:016x})", hasher.finish());
    }
    match &datum.value {
        Content::List(items) => {
            written::list(items.iter().map(|item| value_within(item, None, sources, Within::List)))
        }
        Content::Map(fields) => {
            let entry = |value: &Datum| value_within(value, None, sources, Within::Map);
            let mut fields: Vec<String> =
                fields.iter().map(|field| written::entry(&field.key, &entry(&field.value))).collect();
            fields.sort();
            written::entries(fields)
        }
        Content::Location(name) if !name.contains('/') => format!("{{get_resource: {name}}}"),
        Content::Location(_) | Content::Unknown(_) => {
            let text = sources.get(datum.place.file).slice(datum.place.span).to_owned();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        }
        other => {
            let text = other.to_text().map_or_else(String::new, |text| text.to_string());
            let text = if kind == Some(Type::Boolean) { text.to_ascii_lowercase() } else { text };
            written::text(&text, place).into_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use locus_graph::lifecycle::without_milestones;
    use locus_source::Sources;

    use super::*;

    fn of(text: &str) -> Vec<Thing> {
        let sources = Sources::new();
        let file = sources.add("a.yaml", text);
        let read = crate::read(&sources, &file, &crate::Inputs::default());
        let things = things(&read.template.expect("it is a template"), &sources);
        without_milestones(things, usize::MAX)
    }

    const TEXT: &str = "\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  other: {type: OS::Neutron::Port, properties: {network: public}}
  server:
    type: OS::Nova::Server
    deletion_policy: Retain
    properties:
      flavor: m1
      flavor_update_policy: REPLACE
      image: debian
      name: null
      user_data_format: HEAT_CFNTOOLS
      networks: [{network: {get_resource: net}}]
  handle: {type: OS::Heat::UpdateWaitConditionHandle}
  group: {type: OS::Nova::ServerGroup, properties: {policies: [anti-affinity]}}
  empty: {type: OS::Neutron::Net, properties: {}}
";

    #[test]
    fn what_heat_adds_to_the_order_is_there() {
        let things = of(TEXT);
        let needs = |name: &str| {
            let thing = things.iter().find(|thing| thing.name == name).expect("it is there");
            thing.needs.iter().map(|need| need.target.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(needs("port"), ["net", "sub"]);
        assert_eq!(needs("server"), ["net", "sub"]);
        assert!(needs("other").is_empty());
    }

    #[test]
    fn policies_and_defaults_decide_what_becomes_of_a_resource() {
        let things = of(TEXT);
        let server = things.iter().find(|thing| thing.name == "server").expect("it is there");
        let on_change = |name: &str| server.properties.iter().find(|p| p.name == name).map(|p| p.on_change);
        assert_eq!(on_change("flavor"), Some(OnChange::Replace));
        assert_eq!(on_change("image"), Some(OnChange::InPlace));
        assert_eq!(on_change("name"), None);
        assert_eq!(on_change("user_data_format"), None);
        assert_eq!(on_change("user_data_format (its default)"), Some(OnChange::InPlace));
        assert_eq!(server.removal, Removal::Leave);
        let group = things.iter().find(|thing| thing.name == "group").expect("it is there");
        let names: Vec<&str> = group.properties.iter().map(|property| property.name.as_str()).collect();
        assert_eq!(names, ["policies (its default)"]);
        let net = |name: &str| things.iter().find(|thing| thing.name == name).map(|net| net.properties.len());
        assert_eq!((net("net"), net("empty")), (Some(0), Some(1)), "no properties are not an empty map");
        let handle = things.iter().find(|thing| thing.name == "handle").expect("it is there");
        assert!(handle.renewed.is_some() && server.renewed.is_none());
    }
}
