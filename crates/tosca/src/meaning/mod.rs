//! The meaning of a service: its nodes as elements, as section 5.1 of INRIA report RR-9317 has them, from which the
//! location graph, the instance of the rules and the things of a plan are made.
//!
//! A node is an element, its type is the sort, and a template with a count is as many copies. A relationship is a
//! reference with a type; in the report it is a location too, which provides the role that the requirement is, and
//! requires the role that the capability is. A service that takes the place of a node is inside it, and only drawn.
//! Policies are attributes of the nodes that they apply to. For the drawing there is a box around what is hosted on a
//! node, around each group, and around each service that takes the place of a node.
//!
//! Out of scope: how a service is read, which gives the [`Topology`].

pub(crate) mod copies;
mod facts;
mod process;

use std::borrow::Cow;
use std::sync::Arc;

use locus_meaning::{
    Copies, Element, Enclosure, EnclosureId, Key, Link, Meaning, Relationship, Segment, Standing, ThingId,
};
use locus_schema::{Content, Datum, Field};
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

pub(crate) use self::facts::CORE;
use crate::report::short;
use crate::rules;
use crate::service::topology::{self, Group, Node, Topology};

/// The meaning of a service. There are no more nodes than are looked at ([`copies::too_many`]).
pub fn meaning(topology: &Topology) -> Meaning<'_> {
    let mut all = Meaning::new();
    let ids = add(&mut all, topology, None);
    facts::add(&mut all, topology, &ids);
    process::add(&mut all, topology, &ids);
    for (at, node) in topology.nodes.iter().enumerate() {
        let Some(inside) = node.inside.as_deref() else { continue };
        let outer = all.element(ids[at]);
        let within = outer.within.filter(|_| outer.copies.count > 0);
        let name = format!("in place of {}", node.name.text).into();
        let around = all.enclose(Enclosure { name, place: Some(node.name.place), within });
        add(&mut all, inside, Some(&Replaced { node, id: ids[at], around }));
    }
    all.finish()
}

/// Nodes of a template with a count that are called as another template is.
pub(crate) fn names_that_meet(topology: &Topology) -> Vec<Finding> {
    let base = |name: &str| Some(name.strip_suffix(']')?.rsplit_once('[')?.0.to_owned());
    // Hardly anything is called so.
    if !topology.nodes.iter().any(|node| base(&node.name.text).is_some()) {
        return Vec::new();
    }
    let all = meaning(topology);
    let mut found = Vec::new();
    for (_, other) in all.elements().filter(|(_, other)| other.is_planned()) {
        let Some(name) = base(&other.name) else { continue };
        let Some(element) = all.named(&name).map(|id| all.element(id)).filter(|one| one.is_planned()) else {
            continue;
        };
        // As the numbers are written: `web[01]` is none of them.
        let copies = element.copies;
        let is_one = |copy: u32| copies.count != 1 && *copies.name(&name, copy) == *other.name;
        if (0..copies.count).any(is_one) {
            let (own, of) = (short(&other.name), short(&name));
            let message = format!("one of the nodes of `{of}` is called `{own}`, as this node is");
            let finding = Finding::new(&rules::NAMES_MEET, other.place, message);
            let finding = finding.also(element.place, format!("`{of}` stands for several nodes"));
            found.push(finding.help("call this node something else"));
        }
    }
    found
}

/// A node whose place another service takes.
struct Replaced<'t> {
    node: &'t Node,
    id: ThingId,
    /// The box around the service.
    around: EnclosureId,
}

impl Replaced<'_> {
    /// A name of the service, as it is called beside those of the other one.
    fn name(this: Option<&Self>, name: &Arc<str>) -> Arc<str> {
        match this {
            None => Arc::clone(name),
            Some(replaced) => format!("{}/{name}", replaced.node.name.text).into(),
        }
    }
}

/// Adds the nodes of a service with their relationships, and gives them in their order.
fn add<'t>(all: &mut Meaning<'t>, topology: &'t Topology, replaced: Option<&Replaced<'_>>) -> Vec<ThingId> {
    let within = boxes(all, topology, replaced);
    let mut policies: FxHashMap<usize, Vec<&Group>> = FxHashMap::default();
    for policy in topology.groups.iter().filter(|group| group.policy) {
        for &member in &policy.members {
            policies.entry(member).or_default().push(policy);
        }
    }
    let mut ids = Vec::with_capacity(topology.nodes.len());
    for (at, node) in topology.nodes.iter().enumerate() {
        let mut element = element(node, replaced);
        element.properties = properties(node, policies.get(&at).map_or(&[], Vec::as_slice));
        element.within = within[at];
        ids.push(all.add(element));
    }
    for relationship in &topology.relationships {
        let Some(target) = relationship.target.filter(|&target| target != relationship.source) else {
            continue;
        };
        let number = copies::links(topology, relationship);
        let link = link(relationship, ids[target], number, &topology.nodes[target]);
        let source = all.element_mut(ids[relationship.source]);
        source.offers_itself &= number == 0;
        source.links.push(link);
    }
    ids
}

fn element<'t>(node: &'t Node, replaced: Option<&Replaced<'_>>) -> Element<'t> {
    let name = &node.name.text;
    let shown = Replaced::name(replaced, name);
    let segments = [replaced.map(|replaced| &replaced.node.name.text), Some(name)];
    let key = Key::of(segments.into_iter().flatten().map(|name| Segment::Name(Arc::clone(name))));
    let sort = node.types.first().map_or_else(|| "?".into(), Arc::clone);
    let mut element = Element::new(key, shown, sort, node.name.place);
    element.copies = Copies { count: copies::count(node), ..Copies::ONE };
    if let Some(replaced) = replaced {
        element.standing = Standing::Inside(replaced.id);
    }
    element
}

/// The properties of a node, with its directives and the policies that apply to it.
fn properties<'t>(node: &'t Node, policies: &[&Group]) -> Cow<'t, [Field]> {
    let directives = [("select", node.selected), ("substitute", node.substituted)];
    let directives = directives.into_iter().filter(|(_, is_set)| *is_set).map(|(directive, _)| {
        let place = node.name.place;
        Field { key: directive.into(), place, value: Datum::new(Content::Bool(true), place) }
    });
    let policies = policies.iter().map(|policy| {
        let place = policy.name.place;
        let value = Datum::new(Content::Str(Arc::clone(&policy.type_name)), place);
        Field { key: format!("policy {}", policy.name.text).into(), place, value }
    });
    let more: Vec<Field> = directives.chain(policies).collect();
    if more.is_empty() {
        return node.properties.as_slice().into();
    }
    node.properties.iter().cloned().chain(more).collect()
}

fn link(one: &topology::Relationship, to: ThingId, number: u32, target: &Node) -> Link {
    let name = &one.name.text;
    let capability = one.capability.map(|at| Arc::clone(&target.capabilities[at].name));
    let relationship = Relationship {
        sort: Arc::clone(one.types.first().unwrap_or(name)),
        capability: capability.unwrap_or_else(|| "feature".into()),
    };
    Link { number, relationship: Some(relationship), ..Link::new(to, Arc::clone(name), one.name.place) }
}

/// Adds the boxes of a service, and says in which each of its nodes lies.
fn boxes(
    all: &mut Meaning<'_>,
    topology: &Topology,
    replaced: Option<&Replaced<'_>>,
) -> Vec<Option<EnclosureId>> {
    let around = replaced.map(|replaced| replaced.around);
    let mut enclose = |what: &str, name: &Arc<str>, place: Place| {
        let name = format!("{what} {}", Replaced::name(replaced, name)).into();
        all.enclose(Enclosure { name, place: Some(place), within: around })
    };
    let mut hosts: FxHashMap<usize, EnclosureId> = FxHashMap::default();
    let mut within: Vec<Option<EnclosureId>> = vec![None; topology.nodes.len()];
    let mut nested: Vec<(usize, EnclosureId)> = Vec::new();
    for (guest, host) in hostings(topology) {
        let name = &topology.nodes[host].name;
        let of_host = *hosts.entry(host).or_insert_with(|| enclose("on", &name.text, name.place));
        if within[guest].is_none() {
            within[guest] = Some(of_host);
            nested.push((guest, of_host));
        }
    }
    for group in topology.groups.iter().filter(|group| !group.policy) {
        let of_group = enclose("group", &group.name.text, group.name.place);
        for &member in &group.members {
            within[member].get_or_insert(of_group);
        }
    }
    for (guest, outer) in nested {
        if let Some(&inner) = hosts.get(&guest) {
            all.nest(inner, outer);
        }
    }
    within.into_iter().map(|one| one.or(around)).collect()
}

/// Which node is hosted on which.
fn hostings(topology: &Topology) -> impl Iterator<Item = (usize, usize)> {
    let hosted = |one: &&topology::Relationship| Topology::is_a(&one.types, "HostedOn");
    let relationships = topology.relationships.iter().filter(hosted);
    relationships.filter_map(|one| Some((one.source, one.target?))).filter(|(guest, host)| guest != host)
}
