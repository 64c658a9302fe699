//! The processes of resources, by the rules of Heat's engine.
//!
//! - A property with `update_allowed` is changed in place, any other replaces the resource, and an update of an
//!   immutable one is refused. A property that is not given has its default; to write that down is an update in place.
//!   Resources that are templates of their own are changed in place; those whose type is not in the catalogue are
//!   replaced when anything about them changes.
//! - What single types decide by themselves: the update policies of a server, the replacement policy of a port, handles
//!   that are made anew at every update.
//! - What a template does not write and Heat adds to the order ([`super::hidden`]).
//! - Metadata, policies, conditions and `depends_on` are changed in place.
//! - The deletion policy `Retain` leaves a resource behind, `Snapshot` saves it before it is deleted.
//!
//! Resources that only stand for something that exists already have none. What types decide by the state of the cloud
//! (an update of a resource that failed, say) is not considered.

use std::collections::HashSet;
use std::sync::Arc;

use locus_meaning::{Attribute, Meaning, Milestone, Need, Needed, OnChange, Process, Removal, ThingId};
use locus_schema::constraint::{text_to_number, to_bool};
use locus_schema::{Content, Datum, Field, Type};
use locus_source::Place;

use super::hidden::{Group, hidden};
use crate::template::{How, Kind, Resource, Template};

/// Adds the processes of the resources, whose elements are given in their order.
pub(super) fn add(all: &mut Meaning<'_>, template: &Template, ids: &[Option<ThingId>]) {
    let resources = &template.resources;
    let (groups, of) = hidden(template, false);
    let connected = connected(resources);
    let mut waits: Vec<Waits<'_>> = groups.iter().map(|group| Waits::new(group, resources)).collect();
    for (at, (resource, groups)) in resources.iter().zip(of).enumerate() {
        let Some(id) = ids[at].filter(|_| is_made(resource)) else { continue };
        let mut process = process(resource, all);
        if connected.contains(&*resource.name.text) {
            let gateway = process.attributes.iter_mut().filter(|one| &*one.name == GATEWAY);
            gateway.for_each(|one| one.on_change = OnChange::Refuse);
        }
        for group in groups {
            waits[group].add_to(&mut process.needs, resource, all, resources, ids);
        }
        all.element_mut(id).process = Some(Box::new(process));
    }
}

fn is_made(resource: &Resource) -> bool {
    resource.created != Some(false) && resource.external_id.is_none()
}

fn refers(one: &Resource, other: &Resource) -> bool {
    one.references.iter().any(|reference| reference.target == other.name.text)
}

/// Resources for all of which others wait.
struct Waits<'t> {
    group: &'t Group,
    members: Vec<usize>,
    /// The resources that some of them refer to.
    referred: HashSet<&'t str>,
    /// The milestone, once something needs it.
    milestone: Option<usize>,
}

impl<'t> Waits<'t> {
    fn new(group: &'t Group, resources: &'t [Resource]) -> Self {
        let members: Vec<usize> =
            group.members.iter().copied().filter(|&at| is_made(&resources[at])).collect();
        let references = members.iter().flat_map(|&at| &resources[at].references);
        let referred = references.map(|reference| &*reference.target).collect();
        Self { group, members, referred, milestone: None }
    }

    /// Adds the needs of a resource that waits for these.
    fn add_to(
        &mut self,
        needs: &mut Vec<Need>,
        resource: &Resource,
        all: &mut Meaning<'_>,
        resources: &[Resource],
        ids: &[Option<ThingId>],
    ) {
        if self.referred.contains(&*resource.name.text) {
            // Two that would wait for each other do not: what is written goes before what Heat adds.
            let others = self.members.iter().filter(|&&at| !refers(&resources[at], resource));
            needs.extend(others.filter_map(|&at| ids[at]).map(Need::new));
        } else if let Some(first) = self.members.iter().find_map(|&at| ids[at]) {
            let milestone = *self.milestone.get_or_insert_with(|| {
                let members = self.members.iter().filter_map(|&at| ids[at]).collect();
                all.milestone(Milestone { name: self.group.name.clone(), members })
            });
            needs.push(Need { to: Needed::Milestone(milestone), ..Need::new(first) });
        }
    }
}

fn process(resource: &Resource, all: &Meaning<'_>) -> Process {
    let own = &*resource.name.text;
    let needs = resource.references.iter().filter_map(|reference| {
        let target = all.named(&reference.target).filter(|_| *reference.target != *own)?;
        // What exists already is there.
        (!all.element(target).adopted).then(|| Need {
            via: match &reference.how {
                How::DependsOn => None,
                How::Id | How::Attribute { .. } => reference.via.clone(),
            },
            ..Need::new(target)
        })
    });
    let policy = resource.deletion_policy.as_ref().and_then(|policy| policy.value.to_text());
    let policy = policy.map(|policy| policy.to_ascii_lowercase());
    let mut attributes: Vec<Attribute> =
        resource.properties.iter().filter_map(|field| property(resource, field)).collect();
    let aside = [
        ("metadata", &resource.metadata),
        ("deletion_policy", &resource.deletion_policy),
        ("update_policy", &resource.update_policy),
    ];
    for (name, datum) in aside {
        attributes.extend(datum.as_ref().map(|datum| Attribute {
            name: name.into(),
            value: datum.clone(),
            on_change: aside_changes(resource, name),
            place: datum.place,
        }));
    }
    let names =
        resource.depends_on.iter().map(|name| Datum::new(Content::Str(Arc::clone(&name.text)), name.place));
    let empty = resource.properties_place.filter(|_| resource.properties.is_empty());
    let plain: [(&str, Option<(Content, Place)>); 3] = [
        (
            "depends_on",
            resource.depends_on.first().map(|first| (Content::List(names.collect()), first.place)),
        ),
        (
            "condition",
            resource.condition.as_ref().map(|name| (Content::Str(Arc::clone(name)), resource.name.place)),
        ),
        // Heat takes an empty map that is new for an update.
        ("properties", empty.map(|place| (Content::Map([].into()), place))),
    ];
    for (name, given) in plain {
        attributes.extend(given.map(|(value, place)| Attribute {
            name: name.into(),
            value: Datum::new(value, place),
            on_change: OnChange::InPlace,
            place,
        }));
    }
    Process {
        attributes,
        needs: needs.collect(),
        endings: if policy.as_deref() == Some("snapshot") { vec!["saved".into()] } else { Vec::new() },
        removal: if policy.as_deref() == Some("retain") { Removal::Leave } else { Removal::Delete },
        holds_data: policy.as_deref() != Some("snapshot") && HOLD_DATA.contains(&&*resource.type_name.text),
        renewed: renewed(resource),
        ..Process::default()
    }
}

/// The types of resources in which data is kept.
const HOLD_DATA: &[&str] = &[
    "OS::Cinder::Volume",
    "OS::Manila::Share",
    "OS::Swift::Container",
    "OS::Trove::Cluster",
    "OS::Trove::Instance",
    "OS::Zaqar::Queue",
];

/// The properties of which a platform refuses less than there is.
const GROWING: &[(&str, &str)] = &[
    ("OS::Cinder::Volume", "size"),
    ("OS::Neutron::SubnetPool", "prefixes"),
    ("OS::Trove::Instance", "size"),
];

/// The property of a subnet that cannot change while a router has the address.
const GATEWAY: &str = "gateway_ip";

/// The subnets in which a router has an interface, by name.
fn connected(resources: &[Resource]) -> HashSet<&str> {
    let interfaces =
        resources.iter().filter(|one| is_made(one) && &*one.type_name.text == "OS::Neutron::RouterInterface");
    let references = interfaces.flat_map(|interface| &interface.references);
    let is_subnet = |via: Option<&str>| matches!(via, Some("subnet" | "subnet_id"));
    references
        .filter(|reference| is_subnet(reference.via.as_deref()))
        .map(|reference| &*reference.target)
        .collect()
}

/// Whether a resource is replaced at every update, and why.
pub(crate) fn renewed(resource: &Resource) -> Option<String> {
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

/// The effect on a resource of a change beside its properties.
fn aside_changes(resource: &Resource, name: &str) -> OnChange {
    let is_launch = &*resource.type_name.text == "AWS::AutoScaling::LaunchConfiguration";
    if is_launch && name == "metadata" { OnChange::Replace } else { OnChange::InPlace }
}

/// A property; under another name, if it has the value that it has when it is not given.
pub(crate) fn property(resource: &Resource, field: &Field) -> Option<Attribute> {
    if matches!(field.value.value, Content::Null | Content::Absent) {
        return None;
    }
    let (on_change, kind, default) = match &resource.kind {
        Kind::Known(kind) => match kind.property(&field.key) {
            Some(property) if property.immutable => {
                (OnChange::Refuse, Some(property.kind), property.default.as_deref())
            }
            Some(property) if GROWING.contains(&(&*resource.type_name.text, &*field.key)) => {
                (OnChange::Grow, Some(property.kind), property.default.as_deref())
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
    let value = typed(&field.value, kind);
    let is_default = default.is_some_and(|default| is_default(&value.value, default, kind));
    Some(Attribute {
        // To write down what holds anyway is an update, and never a replacement.
        name: if is_default { format!("{} (its default)", field.key).into() } else { Arc::clone(&field.key) },
        value,
        on_change: if is_default { OnChange::InPlace } else { on_change },
        place: field.place,
    })
}

/// A value as one of its type: Heat takes `"80"` for a number where one is wanted, and a number for a text.
fn typed(datum: &Datum, kind: Option<Type>) -> Datum {
    let value = match (kind, &datum.value) {
        (Some(Type::Boolean), Content::Str(text)) => to_bool(text).map(Content::Bool),
        (Some(Type::Integer | Type::Number), Content::Str(text)) => text_to_number(text).map(number),
        (
            Some(Type::String),
            other @ (Content::Int(_) | Content::BigInt(_) | Content::Float(_) | Content::Bool(_)),
        ) => other.to_text().map(Content::Str),
        _ => None,
    };
    // The contents of a file are compared as they are.
    match value.filter(|_| datum.contents_of.is_none()) {
        Some(value) => Datum { value, ..datum.clone() },
        None => datum.clone(),
    }
}

fn number(value: f64) -> Content {
    if value.fract() == 0.0 && value.abs() < 9e15 {
        Content::Int(value as i64)
    } else {
        Content::Float(value)
    }
}

/// Whether a value is a default, which is JSON or else a text.
fn is_default(value: &Content, default: &str, kind: Option<Type>) -> bool {
    let json =
        serde_json::from_str(default).unwrap_or_else(|_| serde_json::Value::String(default.to_owned()));
    is_json(value, &json, kind)
}

fn is_json(value: &Content, json: &serde_json::Value, kind: Option<Type>) -> bool {
    match (value, json) {
        (Content::List(items), serde_json::Value::Array(others)) => {
            items.len() == others.len()
                && items.iter().zip(others).all(|(item, other)| is_json(&item.value, other, None))
        }
        (Content::Map(fields), serde_json::Value::Object(others)) => {
            let is_same = |field: &Field| {
                others.get(&*field.key).is_some_and(|other| is_json(&field.value.value, other, None))
            };
            fields.len() == others.len() && fields.iter().all(is_same)
        }
        (
            Content::List(_) | Content::Map(_) | Content::Unknown(_) | Content::Location(_) | Content::Absent,
            _,
        )
        | (_, serde_json::Value::Array(_) | serde_json::Value::Object(_)) => false,
        (Content::Bool(value), serde_json::Value::String(text)) if kind == Some(Type::Boolean) => {
            to_bool(text) == Some(*value)
        }
        (Content::Bool(value), serde_json::Value::Bool(other)) => value == other,
        (value, serde_json::Value::String(text)) => value.to_text().is_some_and(|value| *value == **text),
        (value, other) => value.to_text().is_some_and(|value| *value == *other.to_string()),
    }
}

/// The effect that a policy of the resource gives to a change of a property that may be changed in place.
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

#[cfg(test)]
mod tests {
    use locus_meaning::things::{Thing, without_milestones};
    use locus_source::Sources;

    use super::*;

    fn of(text: &str) -> Vec<Thing> {
        let sources = Sources::new();
        let file = sources.add("a.yaml", text);
        let read = crate::read(&sources, &file, &crate::Inputs::default());
        let template = read.template.expect("it is a template");
        without_milestones(crate::meaning(&template).things(&sources), usize::MAX)
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
            let names = thing.needs.iter().filter_map(|need| need.target.as_name());
            names.map(|name| &**name).collect::<Vec<_>>()
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
