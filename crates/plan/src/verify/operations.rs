//! The operations of a plan: what is done to components, and can fail.
//!
//! Changes of state and deletions are operations. New components, bindings and their removal are entries in the books
//! of the administrator (section 8.2): they are made together with the first operation that needs them.

use locus_aeolus::{Action, ComponentId, Configuration, Universe};

use crate::problem::Plan;

/// How an operation is taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Undo {
    /// With all others of its unit: the components are new, and are deleted.
    Remove,
    /// By itself: the lifecycle leads back.
    Back,
    /// Not at all.
    Never,
}

/// An operation.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    /// The step that it is.
    pub(crate) step: u32,
    /// The operations that come directly before, in order.
    pub(crate) before: Vec<u32>,
    /// All operations that come later, in order.
    pub(crate) later: Vec<u32>,
    /// The unit of components that it is about.
    pub(crate) unit: u32,
    pub(crate) undo: Undo,
    /// Whether it belongs to the end of components that are not wanted any more.
    pub(crate) is_cleanup: bool,
}

/// A plan as operations.
pub(crate) struct Operations<'a> {
    pub(crate) universe: &'a Universe,
    pub(crate) start: &'a Configuration,
    pub(crate) plan: &'a Plan,
    pub(crate) all: Vec<Operation>,
    /// For each step the operations with which it happens: it has happened as soon as one of them is done.
    pub(crate) owners: Vec<Vec<u32>>,
    /// The components of each unit: those that change together at some time, and most often just one.
    pub(crate) units: Vec<Vec<ComponentId>>,
}

impl<'a> Operations<'a> {
    pub(crate) fn new(universe: &'a Universe, start: &'a Configuration, plan: &'a Plan) -> Self {
        let is_operation = operations(plan);
        let units = units(plan);
        let mut operations = Self { universe, start, plan, all: Vec::new(), owners: Vec::new(), units };
        operations.order(&is_operation);
        operations
    }

    /// Numbers the operations and finds out what comes before what.
    fn order(&mut self, is_operation: &[bool]) {
        let mut unit_of = vec![0u32; self.plan.components.len()];
        for (unit, components) in self.units.iter().enumerate() {
            for component in components {
                unit_of[component.index()] = unit as u32;
            }
        }
        // The operations directly before each step, along steps that are none.
        let mut before: Vec<Vec<u32>> = Vec::with_capacity(self.plan.steps.len());
        let mut number = vec![None; self.plan.steps.len()];
        self.owners = vec![Vec::new(); self.plan.steps.len()];
        for (index, step) in self.plan.steps.iter().enumerate() {
            let mut own: Vec<u32> = Vec::new();
            for &earlier in &step.after {
                match number[earlier as usize] {
                    Some(operation) => own.push(operation),
                    None => own.extend(&before[earlier as usize]),
                }
            }
            own.sort_unstable();
            own.dedup();
            if is_operation[index] {
                number[index] = Some(self.all.len() as u32);
                let component = subject(&step.action);
                let unit = unit_of[component.index()];
                self.all.push(Operation {
                    step: index as u32,
                    before: own.clone(),
                    later: Vec::new(),
                    unit,
                    undo: undo(self.universe, self.plan, self.is_new(unit), &step.action),
                    is_cleanup: self.is_cleanup(component),
                });
            }
            before.push(own);
        }
        self.own_books(&number);
        let later = later(&self.all);
        for (operation, later) in self.all.iter_mut().zip(later) {
            operation.later = later;
        }
    }

    /// A step that is no operation happens with those that directly follow it.
    fn own_books(&mut self, number: &[Option<u32>]) {
        for index in (0..self.plan.steps.len()).rev() {
            if let Some(operation) = number[index] {
                self.owners[index] = vec![operation];
            }
            let mut owners = std::mem::take(&mut self.owners[index]);
            owners.sort_unstable();
            owners.dedup();
            for &earlier in &self.plan.steps[index].after {
                if number[earlier as usize].is_none() {
                    self.owners[earlier as usize].extend(&owners);
                }
            }
            self.owners[index] = owners;
        }
    }

    /// Whether all components of a unit are new.
    fn is_new(&self, unit: u32) -> bool {
        self.units[unit as usize].iter().all(|id| self.plan.components[id.index()].is_new)
    }

    fn is_cleanup(&self, component: ComponentId) -> bool {
        !self.plan.end.components.contains_key(&component)
    }

    /// The configuration when some steps have happened.
    pub(crate) fn configuration(&self, happened: impl Fn(u32) -> bool) -> Configuration {
        let mut configuration = self.start.clone();
        for (step, owners) in self.plan.steps.iter().zip(&self.owners) {
            if owners.iter().any(|&owner| happened(owner)) {
                let performed = configuration.perform(self.universe, &step.action);
                debug_assert!(performed.is_ok(), "what has happened is closed under what comes before");
            }
        }
        configuration
    }
}

/// How a step is taken back, of a unit that is new or not.
pub(super) fn undo(universe: &Universe, plan: &Plan, is_new: bool, action: &Action) -> Undo {
    if is_new {
        return Undo::Remove;
    }
    match action {
        Action::Change(changes) => {
            let leads_back = changes.iter().all(|change| {
                let kind = universe.kind(plan.components[change.component.index()].kind);
                kind.state(change.to).next.contains(&change.from)
            });
            if leads_back { Undo::Back } else { Undo::Never }
        }
        Action::Delete(_) => Undo::Never,
        Action::Bind(_) | Action::Unbind(_) | Action::New(..) => Undo::Back,
    }
}

/// The component that a step is about.
pub(super) fn subject(action: &Action) -> ComponentId {
    match action {
        Action::Change(changes) => changes[0].component,
        Action::New(id, _) | Action::Delete(id) => *id,
        Action::Bind(binding) | Action::Unbind(binding) => binding.requirer,
    }
}

/// Which steps are operations: changes and deletions, and what nothing of that kind follows.
fn operations(plan: &Plan) -> Vec<bool> {
    let mut is_operation: Vec<bool> =
        plan.steps.iter().map(|step| matches!(step.action, Action::Change(_) | Action::Delete(_))).collect();
    let mut followed = vec![false; plan.steps.len()];
    for (index, step) in plan.steps.iter().enumerate().rev() {
        is_operation[index] |= !followed[index];
        for &earlier in &step.after {
            followed[earlier as usize] = true;
        }
    }
    is_operation
}

/// Components that change together at some time are one unit.
pub(super) fn units(plan: &Plan) -> Vec<Vec<ComponentId>> {
    let mut leader: Vec<usize> = (0..plan.components.len()).collect();
    for step in &plan.steps {
        if let Action::Change(changes) = &step.action
            && changes.len() > 1
        {
            let ids: Vec<usize> = changes.iter().map(|change| leader[change.component.index()]).collect();
            let least = ids.iter().copied().min().unwrap_or(0);
            for one in &mut leader {
                if ids.contains(one) {
                    *one = least;
                }
            }
        }
    }
    let mut units: Vec<Vec<ComponentId>> = vec![Vec::new(); plan.components.len()];
    for (component, &unit) in leader.iter().enumerate() {
        units[unit].push(ComponentId(component as u32));
    }
    units
}

/// All that come later, for each operation.
fn later(all: &[Operation]) -> Vec<Vec<u32>> {
    let words = all.len().div_ceil(64);
    let mut later: Vec<Vec<u64>> = vec![vec![0; words]; all.len()];
    for (index, operation) in all.iter().enumerate().rev() {
        for &before in &operation.before {
            let (left, right) = later.split_at_mut(index);
            for (word, more) in left[before as usize].iter_mut().zip(&right[0]) {
                *word |= more;
            }
            left[before as usize][index / 64] |= 1 << (index % 64);
        }
    }
    let list = |bits: Vec<u64>| {
        let has = |index: &u32| bits[*index as usize / 64] & (1 << (index % 64)) != 0;
        (0..all.len() as u32).filter(has).collect()
    };
    later.into_iter().map(list).collect()
}
