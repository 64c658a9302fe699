//! A topology as a location graph: section 5.1 of INRIA report RR-9317.
//!
//! A node is a location, and its sort is its type. In the report a relationship is a location too: it provides the role
//! that the requirement is, and requires the role that the capability is. By default a relationship is a binding between
//! the two nodes, named after the requirement, which says the same with fewer locations.
//!
//! For the drawing there is a box around each node that hosts others, one around each group, and the policies are
//! attributes of what they apply to.

use std::sync::Arc;

use locus_graph::{BoxId, Float, LocationGraph, LocationId, Sort, Value as GraphValue};
use locus_schema::{Content, Datum};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::topology::{Field, Topology};

/// How relationships are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Relationships {
    /// As bindings between nodes.
    #[default]
    Bindings,
    /// As locations of their own, as in the report.
    Locations,
}

/// The location graph of a topology. Templates with a count that is known have as many locations.
pub fn graph(topology: &Topology, relationships: Relationships) -> LocationGraph {
    let mut builder = Builder {
        graph: LocationGraph::new(),
        nodes: Vec::new(),
        roles: FxHashMap::default(),
        prefix: String::new(),
    };
    for node in &topology.nodes {
        builder.node(node);
    }
    builder.rest(topology, relationships);
    for (at, node) in topology.nodes.iter().enumerate() {
        if let Some(inside) = &node.inside {
            builder.inside(at, node, inside, relationships);
        }
    }
    builder.graph
}

struct Builder {
    graph: LocationGraph,
    /// The locations of each node template.
    nodes: Vec<Vec<LocationId>>,
    roles: FxHashMap<String, usize>,
    /// What stands before the names of nodes and boxes of a service that takes the place of a node.
    prefix: String,
}

impl Builder {
    /// Everything but the nodes themselves.
    fn rest(&mut self, topology: &Topology, relationships: Relationships) {
        let hosts = self.boxes(topology);
        for relationship in &topology.relationships {
            self.relationship(topology, relationship, relationships);
        }
        self.enclose(topology, &hosts);
        self.lonely();
    }

    /// A box with the service that takes the place of a node, beside the node.
    fn inside(
        &mut self,
        at: usize,
        node: &crate::topology::Node,
        inside: &Topology,
        relationships: Relationships,
    ) {
        let outer = self.nodes[at].first().and_then(|&first| self.graph.entry(first).within);
        let around = self.graph.add_box(&format!("in place of {}", node.name.text));
        self.graph.set_box_place(around, node.name.place);
        self.graph.nest_box(around, outer);
        let before = (
            std::mem::take(&mut self.nodes),
            std::mem::replace(&mut self.prefix, format!("{}/", node.name.text)),
        );
        for inner in &inside.nodes {
            self.node(inner);
        }
        let boxes = self.graph.boxes().count();
        self.rest(inside, relationships);
        for &location in self.nodes.iter().flatten() {
            let entry = self.graph.entry_mut(location);
            entry.within = entry.within.or(Some(around));
        }
        let fresh: Vec<BoxId> = self.graph.boxes().skip(boxes).collect();
        for one in fresh {
            if self.graph.box_within(one).is_none() {
                self.graph.nest_box(one, Some(around));
            }
        }
        (self.nodes, self.prefix) = before;
    }

    fn node(&mut self, node: &crate::topology::Node) {
        let mut copies = Vec::new();
        for name in crate::copies::names(node) {
            let name = format!("{}{name}", self.prefix);
            let at = self.graph.add(&name);
            let entry = self.graph.entry_mut(at);
            entry.sort = Sort::named(node.types.first().map_or("?", |name| name));
            entry.place = Some(node.name.place);
            for field in &node.properties {
                if let Some(value) = fact(&field.value) {
                    entry.attributes.push(Arc::clone(&field.key), value, Some(field.value.place));
                }
            }
            for (directive, is_set) in [("select", node.selected), ("substitute", node.substituted)] {
                if is_set {
                    entry.attributes.push(directive, GraphValue::Bool(true), Some(node.name.place));
                }
            }
            copies.push(at);
        }
        self.nodes.push(copies);
    }

    /// A box for each node that hosts others, nested as they are.
    fn boxes(&mut self, topology: &Topology) -> FxHashMap<usize, BoxId> {
        let mut hosts = FxHashMap::default();
        for (_, host) in hostings(topology) {
            hosts.entry(host).or_insert_with(|| {
                let node = &topology.nodes[host];
                let around = self.graph.add_box(&format!("on {}{}", self.prefix, node.name.text));
                self.graph.set_box_place(around, node.name.place);
                around
            });
        }
        hosts
    }

    fn relationship(&mut self, topology: &Topology, one: &crate::topology::Relationship, how: Relationships) {
        let Some(target) = one.target.filter(|&target| target != one.source) else { return };
        let label =
            one.types.first().map_or(&*one.name.text, |name| name.rsplit(['.', ':']).next().unwrap_or(name));
        let (sources, targets) = (self.nodes[one.source].clone(), self.nodes[target].clone());
        if targets.is_empty() {
            return;
        }
        for (index, &source) in sources.iter().enumerate() {
            let count = one.count.unwrap_or(1).clamp(0, targets.len() as i64) as usize;
            for step in 0..count {
                let target_at = targets[(index + step) % targets.len()];
                let (from, to) =
                    (self.graph.name_of(source).to_owned(), self.graph.name_of(target_at).to_owned());
                match how {
                    Relationships::Bindings => {
                        let role = self.role(format!("{to} for {} of {from}", one.name.text));
                        self.graph.provide(target_at, &role).place = Some(one.name.place);
                        self.graph.require(source, &role).place = Some(one.name.place);
                    }
                    Relationships::Locations => {
                        let name = self.location_name(format!("{from} {} {to}", one.name.text));
                        let at = self.graph.add(&name);
                        let entry = self.graph.entry_mut(at);
                        entry.sort = Sort::named(one.types.first().map_or(label, |name| name));
                        entry.place = Some(one.name.place);
                        let requirement = self.role(format!("{} of {from}", one.name.text));
                        let capability = one
                            .capability
                            .map_or("feature", |at| &topology.nodes[target].capabilities[at].name);
                        let capability = self.role(format!("{capability} of {to}"));
                        self.graph.provide(at, &requirement).place = Some(one.name.place);
                        self.graph.require(source, &requirement).place = Some(one.name.place);
                        self.graph.provide(target_at, &capability).place = Some(one.name.place);
                        self.graph.require(at, &capability).place = Some(one.name.place);
                    }
                }
            }
        }
    }

    /// Puts what is hosted into the box of its host, and members of groups into that of their group.
    fn enclose(&mut self, topology: &Topology, hosts: &FxHashMap<usize, BoxId>) {
        let mut inside: FxHashSet<usize> = FxHashSet::default();
        for (guest, host) in hostings(topology) {
            if inside.insert(guest) {
                for &at in &self.nodes[guest] {
                    self.graph.entry_mut(at).within = Some(hosts[&host]);
                }
                // A box of the guest lies within that of the host, unless they host each other.
                if let Some(&inner) = hosts.get(&guest) {
                    self.graph.nest_box(inner, Some(hosts[&host]));
                }
            }
        }
        for group in topology.groups.iter().filter(|group| !group.policy) {
            let around = self.graph.add_box(&format!("group {}{}", self.prefix, group.name.text));
            self.graph.set_box_place(around, group.name.place);
            for &member in &group.members {
                if inside.insert(member) {
                    for &at in &self.nodes[member] {
                        self.graph.entry_mut(at).within = Some(around);
                    }
                }
            }
        }
        for policy in topology.groups.iter().filter(|group| group.policy) {
            for &at in policy.members.iter().flat_map(|&member| &self.nodes[member]) {
                let value = GraphValue::text(&policy.type_name);
                self.graph.entry_mut(at).attributes.push(
                    format!("policy {}", policy.name.text),
                    value,
                    Some(policy.name.place),
                );
            }
        }
    }

    /// A location that nobody uses provides a role all the same.
    fn lonely(&mut self) {
        let lonely: Vec<LocationId> = self
            .nodes
            .iter()
            .flatten()
            .copied()
            .filter(|&at| self.graph.entry(at).ports.is_empty())
            .collect();
        for at in lonely {
            let role = self.role(self.graph.name_of(at).to_owned());
            let place = self.graph.entry(at).place;
            self.graph.provide(at, &role).place = place;
        }
    }

    /// A name for a role that no other role has.
    fn role(&mut self, wanted: String) -> String {
        if self.graph.symbols().find_role(&wanted).is_none() {
            return wanted;
        }
        let count = self.roles.entry(wanted.clone()).or_insert(1);
        loop {
            *count += 1;
            let role = format!("{wanted} ({count})");
            if self.graph.symbols().find_role(&role).is_none() {
                return role;
            }
        }
    }

    /// A name for a location that no other location has.
    fn location_name(&mut self, wanted: String) -> String {
        let count = self.roles.entry(format!("location {wanted}")).or_insert(0);
        *count += 1;
        if *count == 1 { wanted } else { format!("{wanted} ({count})") }
    }
}

/// Which node is hosted on which.
fn hostings(topology: &Topology) -> impl Iterator<Item = (usize, usize)> {
    let hosted = |one: &&crate::topology::Relationship| Topology::is_a(&one.types, "HostedOn");
    let relationships = topology.relationships.iter().filter(hosted);
    relationships.filter_map(|one| Some((one.source, one.target?))).filter(|(guest, host)| guest != host)
}

/// A value for an attribute of a location, if all of it is known.
fn fact(datum: &Datum) -> Option<GraphValue> {
    Some(match &datum.value {
        Content::Null => GraphValue::Null,
        Content::Bool(value) => GraphValue::Bool(*value),
        Content::Int(value) => GraphValue::Int(*value),
        Content::Float(value) => GraphValue::Float(Float(*value)),
        Content::Str(text) | Content::BigInt(text) => GraphValue::Text(Arc::clone(text)),
        Content::List(items) => GraphValue::list(items.iter().map(fact).collect::<Option<Vec<_>>>()?),
        Content::Map(fields) => {
            let fields = fields.iter().map(|field| Some((Arc::clone(&field.key), fact(&field.value)?)));
            GraphValue::record(fields.collect::<Option<Vec<_>>>()?)
        }
        Content::Unknown(_) | Content::Location(_) | Content::Absent => return None,
    })
}

/// The value of a field of this name.
pub(crate) fn field<'f>(fields: &'f [Field], key: &str) -> Option<&'f Field> {
    fields.iter().find(|one| &*one.key == key)
}
