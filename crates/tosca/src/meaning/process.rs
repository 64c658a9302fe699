//! The processes of nodes: the lifecycles that the file gives them, or else the Standard lifecycle of TOSCA: created,
//! configured, started; stopped before they are deleted.
//!
//! In the Standard lifecycle a node is created on a host that is ready, and configured when what it depends on or
//! connects to is ready: the declarative workflow of the Simple Profile. Operations of relationships that are
//! implemented are phases of their own, at the moments that the Simple Profile gives them ([`Moment`]). Properties are
//! changed in place. What exists already, and what another service takes the place of, is ready from the start and has
//! no process.
//!
//! If the file gives the workflow `deploy`, its steps take the place of the lifecycles of the nodes that it is about,
//! in the order that it gives; and so do those of `undeploy` when the service is taken down.

use std::sync::Arc;

use locus_meaning::{Attribute, Meaning, Need, Needed, OnChange, Process, Step, ThingId};
use locus_schema::Field;
use rustc_hash::FxHashSet;

use super::copies;
use crate::service::imperative;
use crate::service::lifecycle::Lifecycle;
use crate::service::operations::{Moment, moment, phase_of};
use crate::service::topology::{Node, Relationship, Topology};

/// The phase of the Standard lifecycle, by index, in which a node needs what it is not hosted on.
const CONFIGURED_AT: usize = 1;

/// Adds the processes of the nodes, whose elements are given in their order, and the workflows.
pub(super) fn add(all: &mut Meaning<'_>, topology: &Topology, ids: &[ThingId]) {
    let nodes = Nodes::new(topology);
    for (index, node) in topology.nodes.iter().enumerate().filter(|(_, node)| copies::is_planned(node)) {
        let (phases, endings) = nodes.phases(index);
        let process = Process {
            attributes: node.properties.iter().map(attribute).collect(),
            needs: nodes.needs(index, ids),
            programs: node.programs.clone(),
            holds_data: HOLD_DATA.iter().any(|name| Topology::is_a(&node.types, name)),
            phases,
            endings,
            ..Process::default()
        };
        all.element_mut(ids[index]).process = Some(Box::new(process));
    }
    let step = |step: &imperative::Step| Step {
        targets: step.targets.iter().map(|&target| ids[target]).collect(),
        activities: step.activities.clone(),
        next: step.next.clone(),
        assumptions: step.assumptions.clone(),
    };
    let workflows = all.workflows();
    workflows.deploy = topology.deployment.iter().map(step).collect();
    workflows.undeploy = topology.takedown.iter().map(step).collect();
}

/// The types of nodes in which data is kept, and so those that derive from them.
const HOLD_DATA: &[&str] =
    &["Database", "BlockStorage", "ObjectStorage", "Storage.BlockStorage", "Storage.ObjectStorage"];

fn attribute(field: &Field) -> Attribute {
    Attribute {
        name: Arc::clone(&field.key),
        value: field.value.clone(),
        on_change: OnChange::InPlace,
        place: field.value.place,
    }
}

/// A phase of a node, as the planner sees it.
pub(super) struct PhaseOrder {
    pub(super) node: usize,
    pub(super) name: Arc<str>,
    /// The phases that must be over before, by number.
    pub(super) after: Vec<usize>,
}

/// The phases of all nodes; none unless a node has a lifecycle of its own, since the Standard one leaves no choice of
/// order.
pub(super) fn phases(topology: &Topology) -> Vec<PhaseOrder> {
    let own = |node: &Node| node.lifecycle.as_ref().is_some_and(|one| one.place.is_some());
    if topology.nodes.iter().any(own) { Nodes::new(topology).order() } else { Vec::new() }
}

/// The nodes with their relationships.
struct Nodes<'t> {
    topology: &'t Topology,
    standard: Lifecycle,
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
        Self { topology, standard: Lifecycle::standard(), sources, targets }
    }

    fn lifecycle(&self, index: usize) -> &Lifecycle {
        self.topology.nodes[index].lifecycle.as_ref().unwrap_or(&self.standard)
    }

    /// The phases that a node goes through until it is ready, and those before it is deleted.
    fn phases(&self, index: usize) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
        let lifecycle = self.lifecycle(index);
        let (mut phases, mut endings) = (lifecycle.states.clone(), lifecycle.endings.clone());
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
    fn operations(&self, index: usize, when: Moment) -> Vec<Arc<str>> {
        let name = |at: usize| &self.topology.nodes[at].name.text;
        let mut found: Vec<Arc<str>> = Vec::new();
        for (all, at_target) in [(&self.sources[index], false), (&self.targets[index], true)] {
            for relationship in all {
                let Some(target) = relationship.target else { continue };
                let (requirement, source) = (&relationship.name.text, name(relationship.source));
                let called = relationship.operations.iter().filter(|one| moment(one) == (when, at_target));
                let phase = |operation| phase_of(operation, requirement, (source, name(target)));
                found.extend(called.filter_map(|operation| phase(operation)).map(|(phase, _)| phase.into()));
            }
        }
        let mut seen = FxHashSet::default();
        found.retain(|one| seen.insert(one.clone()));
        found
    }

    /// The phases of all nodes, each with its node and those that must be over before it.
    fn order(&self) -> Vec<PhaseOrder> {
        let phases: Vec<Vec<Arc<str>>> = (0..self.topology.nodes.len()).map(|at| self.phases(at).0).collect();
        let starts: Vec<usize> =
            phases.iter().scan(0, |next, all| Some(std::mem::replace(next, *next + all.len()))).collect();
        let mut order = Vec::new();
        for (node, all) in phases.iter().enumerate() {
            for (at, name) in all.iter().enumerate() {
                let before = at.checked_sub(1).map(|last| starts[node] + last);
                order.push(PhaseOrder { node, name: Arc::clone(name), after: before.into_iter().collect() });
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

    /// The needs of a node by its relationships. Of several nodes each takes those that are next in turn, as in the
    /// location graph.
    fn needs(&self, index: usize, ids: &[ThingId]) -> Vec<Need> {
        let mut needs = Vec::new();
        for relationship in &self.sources[index] {
            let Some(target) = relationship.target.filter(|&target| target != index) else { continue };
            let (at, phase) = self.needed(self.lifecycle(index), relationship, target);
            let to = Needed::InTurn(ids[target], copies::links(self.topology, relationship));
            needs.push(Need { to, at, phase, ..Need::new(ids[target]) });
        }
        needs
    }

    /// From which state on a node needs what fulfils a requirement, and in which state; none for the last one of that.
    fn needed(
        &self,
        lifecycle: &Lifecycle,
        relationship: &Relationship,
        target: usize,
    ) -> (usize, Option<Arc<str>>) {
        let named = lifecycle.needs.iter().find(|need| need.requirement == relationship.name.text);
        if let Some(need) = named {
            return (need.state, need.target.clone());
        }
        // Only the Standard lifecycle has no place.
        let at_once = lifecycle.place.is_some() || Topology::is_a(&relationship.types, "HostedOn");
        // Nobody waits until a node that is started has been told of others.
        let other = self.lifecycle(target);
        let is_told = other.place.is_none() && !self.operations(target, Moment::AfterStart).is_empty();
        let started = other.states.last().filter(|_| is_told).cloned();
        (if at_once { 0 } else { CONFIGURED_AT }, started)
    }
}
