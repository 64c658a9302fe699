//! The steps of a plan that bring, change or take a version of a thing, in their order.

use std::collections::BTreeMap;

use locus_aeolus::{Action, ComponentId, TypeId};
use locus_plan::{Pivot, Plan, Stage};

/// The steps of the plan at which something of a component happens that rules may see.
#[derive(Clone, Default, Debug)]
pub(crate) struct Events {
    /// The step at which it enters each of its phases, in order; of those that the plan has it enter.
    pub(crate) phases: Vec<Option<u32>>,
    /// The step that changes it in place.
    pub(crate) updated: Option<u32>,
    /// The step that begins to end it.
    pub(crate) ends: Option<u32>,
    /// The step that deletes it.
    pub(crate) deleted: Option<u32>,
    /// Whether it is there at the start.
    pub(crate) is_old: bool,
}

/// The steps of a plan in their order, and the components at which something happens.
pub(crate) struct Order {
    /// By thing: its component at the start, and the one that is made.
    pub(crate) components: BTreeMap<TypeId, Events>,
    /// For each step, those that come right before it.
    pub(crate) after: Vec<Vec<usize>>,
    /// For each step, whether it brings, changes or takes something.
    matters: Vec<bool>,
}

impl Order {
    pub(crate) fn of(pivot: &Pivot, plan: &Plan) -> Self {
        let kind = |component: ComponentId| plan.components[component.0 as usize].kind;
        let mut components: BTreeMap<TypeId, Events> = BTreeMap::new();
        for planned in &plan.components {
            let stages = &pivot.parts[planned.kind.0 as usize].stages;
            let phases = stages.iter().filter(|stage| **stage == Stage::Phase).count();
            let events = components.entry(planned.kind).or_default();
            events.phases.resize(phases, None);
            events.is_old |= !planned.is_new;
        }
        let mut matters = vec![false; plan.steps.len()];
        for (step, action) in (0..).zip(plan.steps.iter().map(|step| &step.action)) {
            match action {
                Action::Change(changes) => {
                    for change in changes {
                        let kind = kind(change.component);
                        let stages = &pivot.parts[kind.0 as usize].stages;
                        let Some(events) = components.get_mut(&kind) else { continue };
                        let reached = change.to.0 as usize;
                        match stages[reached] {
                            Stage::Phase => {
                                let phase =
                                    stages[..reached].iter().filter(|one| **one == Stage::Phase).count();
                                events.phases[phase] = Some(step);
                            }
                            Stage::Updated => events.updated = Some(step),
                            Stage::Ending | Stage::TakenDown => drop(events.ends.get_or_insert(step)),
                            Stage::Gone => drop(events.deleted.get_or_insert(step)),
                            Stage::Absent | Stage::Waiting | Stage::Retired => continue,
                        }
                        matters[step as usize] = true;
                    }
                }
                Action::Delete(component) => {
                    if let Some(events) = components.get_mut(&kind(*component)) {
                        events.deleted.get_or_insert(step);
                        matters[step as usize] = true;
                    }
                }
                Action::New(..) | Action::Bind(_) | Action::Unbind(_) => {}
            }
        }
        let after = plan.steps.iter().map(|step| step.after.iter().map(|&step| step as usize).collect());
        Self { components, after: after.collect(), matters }
    }

    /// Of steps that were done, those that matter and after which no other of them comes that matters.
    pub(crate) fn last(&self, done: &[bool]) -> Vec<u32> {
        let mut is_covered = vec![false; done.len()];
        let mut last = Vec::new();
        for step in (0..done.len()).rev().filter(|&step| done[step]) {
            if self.matters[step] && !is_covered[step] {
                last.push(step as u32);
            }
            if self.matters[step] || is_covered[step] {
                self.after[step].iter().for_each(|&before| is_covered[before] = true);
            }
        }
        last.reverse();
        last
    }
}
