//! The topology that a service template describes, without how it is written: nodes, relationships, groups and
//! policies.
//!
//! The meaning is made from it ([`crate::meaning`]).

use std::sync::Arc;

use locus_meaning::Programs;
use locus_schema::{Content, Datum};
use locus_source::{Node as Tree, Place, Sources};

use crate::read::counts;
use crate::read::grammar::Family;
use crate::service::imperative::{DEPLOY, Step, UNDEPLOY};
use crate::service::lifecycle::Lifecycle;
use crate::service::{Part, Scope, Section, Service, Target, This};
use crate::types::base::Base;
use crate::types::flat::{self, Property};
use crate::types::names::TypeId;

/// A name and where it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Named {
    /// The name.
    pub text: Arc<str>,
    /// Where it is written.
    pub place: Place,
}

/// A value of a property.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The name of the property.
    pub key: Arc<str>,
    /// The value, as it is written.
    pub value: Datum,
    /// The value in the base unit, if it has a unit.
    pub amount: Option<f64>,
}

/// A node template.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its name.
    pub name: Named,
    /// Its type and those that it derives from, the nearest first.
    pub types: Arc<[Arc<str>]>,
    /// Its properties that have a value.
    pub properties: Vec<locus_schema::Field>,
    /// Its capabilities.
    pub capabilities: Vec<Capability>,
    /// How many nodes it stands for, if that is known.
    pub count: Option<i64>,
    /// Whether it stands for something that exists already.
    pub selected: bool,
    /// Whether another service takes its place.
    pub substituted: bool,
    /// The states that it goes through, if they are known.
    pub lifecycle: Option<Lifecycle>,
    /// The programs that make it, if it has any.
    pub programs: Option<Box<Programs>>,
    /// The service that takes its place, if that is known.
    pub inside: Option<Arc<Topology>>,
}

/// A capability of a node.
#[derive(Clone, PartialEq, Debug)]
pub struct Capability {
    /// Its name.
    pub name: Arc<str>,
    /// Where it is assigned, or else where the node is.
    pub place: Place,
    /// Its type and those that it derives from.
    pub types: Arc<[Arc<str>]>,
    /// Its properties that have a value.
    pub properties: Vec<Field>,
    /// How many relationships it may have.
    pub most: Option<i64>,
}

/// A relationship.
#[derive(Clone, PartialEq, Debug)]
pub struct Relationship {
    /// The requirement.
    pub name: Named,
    /// The node that requires it.
    pub source: usize,
    /// The node that fulfils it, if that is known.
    pub target: Option<usize>,
    /// The capability of the target, if that is known.
    pub capability: Option<usize>,
    /// Its type and those that it derives from.
    pub types: Arc<[Arc<str>]>,
    /// Its properties that have a value.
    pub properties: Vec<Field>,
    /// The properties that it takes of the capability.
    pub allocations: Vec<Field>,
    /// How many there are, if that is known.
    pub count: Option<i64>,
    /// The operations of its interface `Configure` that are implemented.
    pub operations: Vec<Arc<str>>,
}

/// A group of nodes, or a policy and what it applies to.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Its name.
    pub name: Named,
    /// Its type.
    pub type_name: Arc<str>,
    /// The nodes.
    pub members: Vec<usize>,
    /// Whether it is a policy.
    pub policy: bool,
}

/// The contents of a service template.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Topology {
    /// The nodes, in the order of the text.
    pub nodes: Vec<Node>,
    /// The relationships.
    pub relationships: Vec<Relationship>,
    /// Groups and policies.
    pub groups: Vec<Group>,
    /// The type that the template substitutes and those that it derives from, if it substitutes one.
    pub substitutes: Vec<Arc<str>>,
    /// The steps of the workflow with which it is deployed, if it gives one.
    pub deployment: Vec<Step>,
    /// The steps of the workflow `undeploy`, if there is one.
    pub takedown: Vec<Step>,
    /// Whether its `substitution_filter` holds of each of the nodes that it was read for, if that is known.
    pub accepts: Vec<Option<bool>>,
}

/// The value of a field of this name.
pub(crate) fn field<'f>(fields: &'f [Field], key: &str) -> Option<&'f Field> {
    fields.iter().find(|one| &*one.key == key)
}

/// The port that a database server has as a property.
pub(crate) fn port_of_server(node: &Node) -> Option<&Datum> {
    let port = node.properties.iter().find(|one| &*one.key == "port")?;
    Topology::is_a(&node.types, "DBMS").then_some(&port.value)
}

impl Topology {
    /// Whether a type line has a type of this name, with or without the prefixes of the Simple Profile.
    pub fn is_a(types: &[Arc<str>], name: &str) -> bool {
        let is_last = |one: &str| {
            one.strip_suffix(name).is_some_and(|before| before.len() > 1 && before.ends_with('.'))
        };
        types.iter().any(|one| &**one == name || one.strip_prefix("tosca").is_some_and(is_last))
    }
}

impl<'t> Service<'_, 't> {
    /// The topology that the template describes.
    pub(crate) fn topology(&self, lifecycles: Vec<Option<Lifecycle>>, sources: &Sources) -> Topology {
        let nodes = lifecycles.into_iter().enumerate().map(|(at, lifecycle)| self.node_of(at, lifecycle));
        let mut nodes: Vec<Node> = nodes.collect();
        for (node, programs) in nodes.iter_mut().zip(self.programs(sources)) {
            node.programs = programs;
        }
        let mut relationships = Vec::new();
        for at in 0..self.templates.len() {
            for index in 0..self.templates[at].requirements.len() {
                relationships.push(self.relationship_of_requirement(at, index, &nodes));
            }
        }
        let substituted = self.section("substitution_mappings").and_then(|mapping| {
            self.world.names.find_type(self.file, Family::Node, mapping.get("node_type")?.as_str()?)
        });
        let (substitutes, accepts) = (self.types(substituted).to_vec(), self.accepted());
        let (deployment, takedown) = (self.steps_of(DEPLOY), self.steps_of(UNDEPLOY));
        Topology { nodes, relationships, groups: self.groups(), substitutes, deployment, takedown, accepts }
    }

    /// The names of a type and those that it derives from, which all that is of the type share.
    fn types(&self, id: Option<TypeId>) -> Arc<[Arc<str>]> {
        let Some(id) = id else { return Arc::default() };
        let line = || self.world.names.line(id).into_iter().map(|one| self.world.names.get(one).name.into());
        Arc::clone(self.lines.borrow_mut().entry(id).or_insert_with(|| line().collect()))
    }

    fn fields_of(&self, this: This, part: Part<'t>, place: Place) -> Vec<Field> {
        let Some((definitions, assigned)) = self.properties(this, part) else { return Vec::new() };
        let field = |definition: &Property<'t>| {
            let is_set = definition.fixed.is_some()
                || definition.default.is_some()
                || assigned.get(definition.name).is_some();
            if !is_set {
                return None;
            }
            let at = assigned.get(definition.name).map_or(place, Tree::use_place);
            let value = self.property(this, part, definition.name, at)?;
            let amount = match (&value.schema.base, &value.datum.value) {
                (Base::Scalar(Some(units)), Content::Str(text)) => {
                    units.read(text).ok().map(|amount| amount.value)
                }
                _ => None,
            };
            Some(Field { key: definition.name.into(), value: value.datum, amount })
        };
        definitions.iter().filter_map(field).collect()
    }

    fn node_of(&self, at: usize, lifecycle: Option<Lifecycle>) -> Node {
        let template = &self.templates[at];
        let place = template.key.use_place();
        let section = template.section("capabilities");
        let capability = |one: &flat::Capability<'t>| Capability {
            name: one.name.into(),
            place: section.entry(one.name).map_or(place, |entry| entry.key.use_place()),
            types: self.types(one.type_id),
            properties: self.fields_of(This::Node(at), Part::Capability(one.name), place),
            most: assigned_range(section, one.name).unwrap_or(one.range).1,
        };
        let properties = self.fields_of(This::Node(at), Part::Own, place).into_iter();
        let properties =
            properties.map(|Field { key, value, .. }| locus_schema::Field { key, place: value.place, value });
        Node {
            name: Named { text: template.name.into(), place },
            types: self.types(template.type_id),
            properties: properties.collect(),
            capabilities: template.flat.capabilities.iter().map(capability).collect(),
            count: self.count(at),
            selected: template.is_selected(),
            substituted: template.is_substituted(),
            lifecycle,
            programs: None,
            inside: None,
        }
    }

    fn relationship_of_requirement(&self, at: usize, index: usize, nodes: &[Node]) -> Relationship {
        let assignment = &self.templates[at].requirements[index];
        let (target, capability) = match assignment.target {
            Target::Node(target, capability) => {
                let found = capability
                    .and_then(|name| nodes[target].capabilities.iter().position(|one| &*one.name == name));
                (Some(target), found)
            }
            _ => (None, None),
        };
        Relationship {
            name: Named { text: assignment.name.into(), place: assignment.key.use_place() },
            source: at,
            target,
            capability,
            types: self.types(assignment.relationship),
            properties: self.fields_of(This::Relationship(at, index), Part::Own, assignment.key.use_place()),
            allocations: self.allocations(at, index),
            count: self.requirement_count(at, assignment),
            operations: self.relationship_operations(at, index),
        }
    }

    fn allocations(&self, at: usize, index: usize) -> Vec<Field> {
        let assignment = &self.templates[at].requirements[index];
        let section = assignment.node.and_then(|node| node.get("allocation"));
        let scope = Scope::new(self.file, This::Relationship(at, index));
        let units = |name: &str| match assignment.target {
            Target::Node(target, Some(capability)) => {
                let (definitions, _) = self.properties(This::Node(target), Part::Capability(capability))?;
                definitions.into_iter().find(|one| one.name == name).map(|one| one.schema)
            }
            _ => None,
        };
        let mut found = Vec::new();
        for entry in section.into_iter().flat_map(Tree::entries) {
            let value = self.evaluate(entry.value, &scope).datum;
            let amount = match (units(entry.key.raw()).map(|schema| schema.base.clone()), &value.value) {
                (Some(Base::Scalar(Some(units))), Content::Str(text)) => {
                    units.read(text).ok().map(|amount| amount.value)
                }
                _ => None,
            };
            found.push(Field { key: entry.key.raw().into(), value, amount });
        }
        found
    }

    fn groups(&self) -> Vec<Group> {
        let named = |key: Tree<'t>, node: Tree<'t>, members: Option<Tree<'t>>, policy: bool| {
            let family = if policy { Family::Policy } else { Family::Group };
            let name = node.get("type").and_then(locus_source::Node::as_str).unwrap_or_default();
            let id = self.world.names.find_type(self.file, family, name);
            let member = |item: Tree<'t>| self.by_name.get(item.as_str()?).copied();
            Group {
                name: Named { text: key.raw().into(), place: key.use_place() },
                type_name: id.map_or(name, |id| self.world.names.get(id).name).into(),
                members: members.into_iter().flat_map(Tree::items).filter_map(member).collect(),
                policy,
            }
        };
        let groups = self.section("groups").into_iter().flat_map(Tree::entries);
        let groups = groups.map(|entry| named(entry.key, entry.value, entry.value.get("members"), false));
        let policies = self.section("policies").into_iter().flat_map(Tree::items).flat_map(Tree::entries);
        let policies = policies.map(|entry| named(entry.key, entry.value, entry.value.get("targets"), true));
        groups.chain(policies).collect()
    }
}

/// How many relationships a template allows to one of its capabilities, if it says so itself (Simple Profile, 3.8.1.1).
fn assigned_range(section: Section<'_>, capability: &str) -> Option<(i64, Option<i64>)> {
    counts::range(counts::assigned(Some(section.entry(capability)?.value))?)
}
