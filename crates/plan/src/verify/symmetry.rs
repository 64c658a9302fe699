//! Which components of a plan are interchangeable.
//!
//! Two components are if exchanging their operations, place by place, changes nothing: neither what comes before what,
//! nor who is bound to whom, nor what their states require and provide. Where that holds of a pair it holds of any
//! order of a set of components that are pairwise so; states that differ by such an order are explored once.

use std::collections::{BTreeMap, BTreeSet};

use locus_aeolus::{Action, Binding, ComponentId, PortId, StateId};

use super::operations::Operations;

/// The operations of each of some interchangeable components, in corresponding order.
pub(crate) type Orbit = Vec<Vec<u32>>;

/// All sets of two or more components that are interchangeable.
pub(crate) fn orbits(operations: &Operations<'_>) -> Vec<Orbit> {
    let lines = lines(operations);
    let signatures = Signatures::new(operations);
    let mut leaders: Vec<usize> = Vec::new();
    let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (unit, line) in lines.iter().enumerate() {
        if line.is_empty() || operations.units[unit].len() != 1 {
            continue;
        }
        let fits = |&&leader: &&usize| {
            lines[leader].len() == line.len() && are_alike(operations, &signatures, &lines, leader, unit)
        };
        match leaders.iter().find(fits) {
            Some(&leader) => members.entry(leader).or_default().push(unit),
            None => leaders.push(unit),
        }
    }
    let orbit = |(leader, others): (usize, Vec<usize>)| {
        [leader].into_iter().chain(others).map(|unit| lines[unit].clone()).collect()
    };
    members.into_iter().map(orbit).collect()
}

/// The operations of each unit, in order.
pub(crate) fn lines(operations: &Operations<'_>) -> Vec<Vec<u32>> {
    let mut lines = vec![Vec::new(); operations.units.len()];
    for (index, operation) in operations.all.iter().enumerate() {
        lines[operation.unit as usize].push(index as u32);
    }
    lines
}

fn are_alike(
    operations: &Operations<'_>,
    signatures: &Signatures,
    lines: &[Vec<u32>],
    one: usize,
    other: usize,
) -> bool {
    if !same_way(operations, lines, one, other) {
        return false;
    }
    let swapped = |operation: u32| {
        let at = |line: &[u32]| line.iter().position(|&own| own == operation);
        match (at(&lines[one]), at(&lines[other])) {
            (Some(place), _) => lines[other][place],
            (_, Some(place)) => lines[one][place],
            _ => operation,
        }
    };
    let image = |list: &[u32]| list.iter().map(|&operation| swapped(operation)).collect::<BTreeSet<u32>>();
    let fits = |operation: u32| {
        let (this, that) =
            (&operations.all[operation as usize], &operations.all[swapped(operation) as usize]);
        this.undo == that.undo
            && this.is_cleanup == that.is_cleanup
            && image(&this.before) == that.before.iter().copied().collect()
            && image(&this.later) == that.later.iter().copied().collect()
    };
    let touched = lines[one].iter().chain(&lines[other]).copied();
    let near: BTreeSet<u32> = touched
        .flat_map(|operation| {
            let of = &operations.all[operation as usize];
            [operation].into_iter().chain(of.before.iter().copied()).chain(of.later.iter().copied())
        })
        .collect();
    near.into_iter().all(fits) && signatures.allow(ComponentId(one as u32), ComponentId(other as u32))
}

/// Whether two components start alike and go through states with the same numbers. With conflicts, ports matter that
/// nobody is bound to, so their types must be the same.
fn same_way(operations: &Operations<'_>, lines: &[Vec<u32>], one: usize, other: usize) -> bool {
    let plan = operations.plan;
    let (this, that) = (&plan.components[one], &plan.components[other]);
    let state = |id: usize| operations.start.components.get(&ComponentId(id as u32)).map(|c| c.state);
    let way = |unit: usize| {
        let action = |&own: &u32| match &plan.steps[operations.all[own as usize].step as usize].action {
            Action::Change(changes) => (0, changes[0].from, changes[0].to),
            Action::Delete(_) => (1, StateId(0), StateId(0)),
            Action::New(..) => (2, StateId(0), StateId(0)),
            Action::Bind(_) => (3, StateId(0), StateId(0)),
            Action::Unbind(_) => (4, StateId(0), StateId(0)),
        };
        lines[unit].iter().map(action).collect::<Vec<_>>()
    };
    this.is_new == that.is_new
        && (this.kind == that.kind || !operations.universe.has_conflicts())
        && state(one) == state(other)
        && way(one) == way(other)
}

/// The properties in which two components must agree to be interchangeable.
struct Signatures {
    of: Vec<Signature>,
    /// The components bound to each component, either way.
    neighbours: Vec<BTreeSet<ComponentId>>,
}

/// For each state on the way, in order: what it requires and provides, as number or capacity and the components that it
/// is ever bound to there.
type Signature = Vec<(Vec<(u32, Ends)>, Vec<(Option<u32>, Ends)>)>;
type Ends = BTreeSet<ComponentId>;

impl Signatures {
    fn new(operations: &Operations<'_>) -> Self {
        let plan = operations.plan;
        let mut required: BTreeMap<(ComponentId, PortId), Ends> = BTreeMap::new();
        let mut provided: BTreeMap<(ComponentId, PortId), Ends> = BTreeMap::new();
        let mut neighbours = vec![BTreeSet::new(); plan.components.len()];
        let made = plan.steps.iter().filter_map(|step| match &step.action {
            Action::Bind(binding) => Some(binding),
            _ => None,
        });
        for &Binding { port, requirer, provider } in made.chain(&operations.start.bindings) {
            required.entry((requirer, port)).or_default().insert(provider);
            provided.entry((provider, port)).or_default().insert(requirer);
            neighbours[requirer.index()].insert(provider);
            neighbours[provider.index()].insert(requirer);
        }
        let signature = |id: ComponentId| -> Signature {
            let kind = operations.universe.kind(plan.components[id.index()].kind);
            let ends = |table: &BTreeMap<_, Ends>, port| table.get(&(id, port)).cloned().unwrap_or_default();
            let of = |state: &locus_aeolus::State| {
                let mut requires: Vec<_> =
                    state.requires.iter().map(|r| (r.number, ends(&required, r.port))).collect();
                let mut provides: Vec<_> =
                    state.provides.iter().map(|p| (p.capacity, ends(&provided, p.port))).collect();
                // Ports that nobody is bound to make no difference, unless somebody is in conflict with them.
                requires.retain(|(number, ends)| *number == 0 || !ends.is_empty());
                provides.retain(|(_, ends)| !ends.is_empty());
                requires.sort();
                provides.sort();
                (requires, provides)
            };
            kind.states.iter().map(of).collect()
        };
        let of = (0..plan.components.len() as u32).map(|id| signature(ComponentId(id))).collect();
        Self { of, neighbours }
    }

    /// Whether exchanging two components leaves all signatures as they are.
    fn allow(&self, one: ComponentId, other: ComponentId) -> bool {
        let swapped = |id: ComponentId| match id {
            id if id == one => other,
            id if id == other => one,
            id => id,
        };
        let image = |ends: &Ends| ends.iter().map(|&id| swapped(id)).collect::<Ends>();
        let mut near: BTreeSet<ComponentId> = [one, other].into();
        near.extend(&self.neighbours[one.index()]);
        near.extend(&self.neighbours[other.index()]);
        near.into_iter().all(|id| {
            let mut imaged = self.of[id.index()].clone();
            for (requires, provides) in &mut imaged {
                for (_, ends) in requires.iter_mut() {
                    *ends = image(ends);
                }
                for (_, ends) in provides.iter_mut() {
                    *ends = image(ends);
                }
                requires.sort();
                provides.sort();
            }
            imaged == self.of[swapped(id).index()]
        })
    }
}
