//! The nodes of a topology as things with the lifecycles that the file gives them, or else with the Standard lifecycle of TOSCA:
//! created, configured, started; stopped before they are deleted.
//!
//! In the Standard lifecycle a node is created on a host that is ready, and configured when what it depends on or connects to is
//! ready: the declarative workflow of the Simple Profile. Operations of relationships that are implemented are phases of
//! their own, at the moments that the Simple Profile gives them ([`Moment`]). A template with a count is as many nodes.
//! Properties are changed in place. What exists already, and what another service takes the place of, is ready from the
//! start and left out.
//!
//! If the file gives the workflow `deploy`, its steps take the place of the lifecycles of the nodes that it is about, in the
//! order that it gives; and so do those of `undeploy` when the service is taken down ([`follow`]).

mod follow;

use std::sync::Arc;

use locus_meaning::things::{Need, OnChange, Property, Thing};
use locus_meaning::written::{self, Within};
use locus_schema::{Content, Datum};
use rustc_hash::FxHashSet;

use crate::copies;
use crate::lifecycle::Lifecycle;
use crate::operations::{Moment, moment, phase_of};
use crate::topology::{Node, Relationship, Topology};

/// The phase of the Standard lifecycle, by index, in which a node needs what it is not hosted on.
const CONFIGURED_AT: usize = 1;

/// The things of a topology.
pub(crate) fn things(topology: &Topology) -> Vec<Thing> {
    let nodes = Nodes::new(topology);
    let mut things = Vec::new();
    for (index, node) in topology.nodes.iter().enumerate() {
        let (phases, endings) = nodes.phases(index);
        let sort = node.types.first().map_or("?", |name| name);
        for (copy, name) in nodes.copies[index].iter().enumerate() {
            things.push(Thing {
                properties: node.properties.iter().map(property).collect(),
                needs: nodes.needs(index, copy),
                place: Some(node.name.place),
                phases: phases.clone(),
                endings: endings.clone(),
                programs: node.programs.clone(),
                ..Thing::new(name, sort)
            });
        }
    }
    follow::deploy(&topology.deployment, &nodes.copies, &mut things);
    follow::undeploy(&topology.takedown, &nodes.copies, &mut things);
    things
}

/// The names of the nodes that a template makes.
fn made(node: &Node) -> Vec<String> {
    if node.selected || node.substituted { Vec::new() } else { copies::names(node) }
}

/// A phase of a node, as the planner sees it.
pub(crate) struct PhaseOrder {
    pub(crate) node: usize,
    pub(crate) name: String,
    /// The phases that must be over before, by number.
    pub(crate) after: Vec<usize>,
}

/// The phases of all nodes; none unless a node has a lifecycle of its own, since the Standard one has no choice of order.
pub(crate) fn phases(topology: &Topology) -> Vec<PhaseOrder> {
    let own = |node: &Node| node.lifecycle.as_ref().is_some_and(|one| one.place.is_some());
    if topology.nodes.iter().any(own) { Nodes::new(topology).order() } else { Vec::new() }
}

/// The nodes with their relationships.
struct Nodes<'t> {
    topology: &'t Topology,
    standard: Lifecycle,
    copies: Vec<Vec<String>>,
    /// The relationships of each node as source and as target.
    sources: Vec<Vec<&'t Relationship>>,
    targets: Vec<Vec<&'t Relationship>>,
}

impl<'t> Nodes<'t> {
    fn new(topology: &'t Topology) -> Self {
        let none = vec![Vec::new(); topology.nodes.len()];
        let (mut sources, mut targets): (Vec<Vec<&Relationship>>, _) = (none.clone(), none);
        for relationship in &topology.relationships {
            sources[relationship.source].push(relationship);
            if let Some(target) = relationship.target {
                targets[target].push(relationship);
            }
        }
        let copies = topology.nodes.iter().map(made).collect();
        Self { topology, standard: Lifecycle::standard(), copies, sources, targets }
    }

    fn lifecycle(&self, index: usize) -> &Lifecycle {
        self.topology.nodes[index].lifecycle.as_ref().unwrap_or(&self.standard)
    }

    /// The phases that a node goes through until it is ready, and those before it is deleted.
    fn phases(&self, index: usize) -> (Vec<String>, Vec<String>) {
        let lifecycle = self.lifecycle(index);
        let texts = |names: &[Arc<str>]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
        let (mut phases, mut endings) = (texts(&lifecycle.states), texts(&lifecycle.endings));
        // A lifecycle that the file gives says itself what happens when.
        if lifecycle.place.is_none() {
            phases.extend(self.operations(index, Moment::AfterStart));
            for (at, moment) in [(2, Moment::AfterConfigure), (1, Moment::BeforeConfigure)] {
                phases.splice(at..at, self.operations(index, moment));
            }
            endings.extend(self.operations(index, Moment::AfterStop));
        }
        (phases, endings)
    }

    /// The operations of relationships that are called at a node in a moment, each once.
    fn operations(&self, index: usize, when: Moment) -> Vec<String> {
        let name = |at: usize| &self.topology.nodes[at].name.text;
        let mut found: Vec<String> = Vec::new();
        for (all, at_target) in [(&self.sources[index], false), (&self.targets[index], true)] {
            for relationship in all {
                let Some(target) = relationship.target else { continue };
                let (requirement, source) = (&relationship.name.text, name(relationship.source));
                let called = relationship.operations.iter().filter(|one| moment(one) == (when, at_target));
                let phase = |operation| phase_of(operation, requirement, (source, name(target)));
                found.extend(called.filter_map(|operation| phase(operation)).map(|(phase, _)| phase));
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|one| seen.insert(one.clone()));
        found
    }

    /// The phases of all nodes, each with its node and those that must be over before it.
    fn order(&self) -> Vec<PhaseOrder> {
        let phases: Vec<Vec<String>> = (0..self.topology.nodes.len()).map(|at| self.phases(at).0).collect();
        let starts: Vec<usize> =
            phases.iter().scan(0, |next, all| Some(std::mem::replace(next, *next + all.len()))).collect();
        let mut order = Vec::new();
        for (node, all) in phases.iter().enumerate() {
            for (at, name) in all.iter().enumerate() {
                let before = at.checked_sub(1).map(|last| starts[node] + last);
                order.push(PhaseOrder { node, name: name.clone(), after: before.into_iter().collect() });
            }
            for relationship in &self.sources[node] {
                let Some(target) = relationship.target else { continue };
                let (at, wanted) = self.needed(self.lifecycle(node), relationship, target);
                let last = phases[target].len().checked_sub(1);
                let reached =
                    wanted.and_then(|name| phases[target].iter().position(|one| *one == name)).or(last);
                if let (Some(reached), true) = (reached, at < all.len()) {
                    order[starts[node] + at].after.push(starts[target] + reached);
                }
            }
        }
        order
    }

    /// What a node needs by its relationships.
    fn needs(&self, index: usize, copy: usize) -> Vec<Need> {
        let mut needs = Vec::new();
        for relationship in &self.sources[index] {
            let Some(target) = relationship.target.filter(|&target| target != index) else { continue };
            let (at, phase) = self.needed(self.lifecycle(index), relationship, target);
            let targets = &self.copies[target];
            let count = (copies::links(self.topology, relationship) as usize).min(targets.len());
            // Of several nodes each takes those that are next in turn, as in the location graph.
            let next = (0..count).map(|step| &targets[(copy + step) % targets.len()]);
            needs.extend(next.map(|name| Need { at, phase: phase.clone(), ..Need::new(name.as_str()) }));
        }
        needs
    }

    /// From which state on a node needs what fulfils a requirement, and in which state; none for the last one of that.
    fn needed(
        &self,
        lifecycle: &Lifecycle,
        relationship: &Relationship,
        target: usize,
    ) -> (usize, Option<String>) {
        let named = lifecycle.needs.iter().find(|need| need.requirement == relationship.name.text);
        if let Some(need) = named {
            return (need.state, need.target.as_ref().map(ToString::to_string));
        }
        // Only the Standard lifecycle has no place.
        let at_once = lifecycle.place.is_some() || Topology::is_a(&relationship.types, "HostedOn");
        // Nobody waits until a node that is started has been told of others.
        let other = self.lifecycle(target);
        let is_told = other.place.is_none() && !self.operations(target, Moment::AfterStart).is_empty();
        let started = other.states.last().filter(|_| is_told).map(ToString::to_string);
        (if at_once { 0 } else { CONFIGURED_AT }, started)
    }
}

fn property(field: &crate::topology::Field) -> Property {
    Property {
        name: field.key.to_string(),
        value: text(&field.value),
        on_change: OnChange::InPlace,
        place: Some(field.value.place),
    }
}

/// A value as a text. What is not known counts as the same as long as the reason is.
pub(crate) fn text(datum: &Datum) -> String {
    within(datum, Within::Nothing)
}

fn within(datum: &Datum, place: Within) -> String {
    match &datum.value {
        Content::Null => "null".to_owned(),
        Content::Bool(value) => value.to_string(),
        Content::Int(value) => value.to_string(),
        Content::Float(value) => value.to_string(),
        Content::BigInt(text) => text.to_string(),
        Content::Str(text) => written::text(text, place).into_owned(),
        Content::List(items) => written::list(items.iter().map(|item| within(item, Within::List))),
        Content::Map(fields) => written::map(
            fields.iter().map(|field| (field.key.to_string(), within(&field.value, Within::Map))),
        ),
        Content::Unknown(unknown) => format!("not known: {}", unknown.why),
        other @ (Content::Location(_) | Content::Absent) => other.kind_name().to_owned(),
    }
}
