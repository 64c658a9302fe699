//! The steps of a plan that bring, change or take a version of a thing, in their order.

use std::collections::BTreeMap;

use locus_aeolus::{Action, ComponentId, TypeId};
use locus_plan::{Pivot, Plan, Stage};
use rustc_hash::FxHashMap;

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

/// The steps that matter to versions, numbered in one of the orders that the plan allows.
pub(crate) struct Order {
    /// By thing: its component at the start, and the one that is made.
    pub(crate) components: BTreeMap<TypeId, Events>,
    /// The steps of the plan that matter, in order.
    pub(crate) steps: Vec<u32>,
    numbers: FxHashMap<u32, usize>,
    /// For each of them, those that come before it.
    pub(crate) after: Vec<Vec<usize>>,
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
        let mut matter: Vec<u32> = Vec::new();
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
                            Stage::Absent | Stage::Waiting | Stage::Retired => continue,
                        }
                        matter.push(step);
                    }
                }
                Action::Delete(component) => {
                    if let Some(events) = components.get_mut(&kind(*component)) {
                        events.deleted = Some(step);
                        matter.push(step);
                    }
                }
                Action::New(..) | Action::Bind(_) | Action::Unbind(_) => {}
            }
        }
        matter.dedup();
        Self::ordered(components, matter, plan)
    }

    /// Finds which of the steps that matter come before which, over all that do not.
    fn ordered(components: BTreeMap<TypeId, Events>, steps: Vec<u32>, plan: &Plan) -> Self {
        let numbers: FxHashMap<u32, usize> = steps.iter().enumerate().map(|(at, &step)| (step, at)).collect();
        let words = steps.len().div_ceil(64);
        // For each step of the plan, those that matter among all before it.
        let mut before: Vec<Vec<u64>> = Vec::with_capacity(plan.steps.len());
        for step in &plan.steps {
            let mut own = vec![0u64; words];
            for &other in &step.after {
                for (word, more) in own.iter_mut().zip(&before[other as usize]) {
                    *word |= more;
                }
                if let Some(&at) = numbers.get(&other) {
                    own[at / 64] |= 1 << (at % 64);
                }
            }
            before.push(own);
        }
        let listed = |bits: &[u64]| -> Vec<usize> {
            (0..steps.len()).filter(|at| bits[at / 64] & (1 << (at % 64)) != 0).collect()
        };
        let nearest = |step: &u32| {
            let all = listed(&before[*step as usize]);
            // One that comes before another of them need not be said.
            let is_last = |at: &usize| {
                !all.iter().any(|other| before[steps[*other] as usize][at / 64] & (1 << (at % 64)) != 0)
            };
            all.iter().copied().filter(is_last).collect()
        };
        let after = steps.iter().map(nearest).collect();
        Self { components, steps, numbers, after }
    }

    /// The number of a step of the plan that matters.
    pub(crate) fn number(&self, step: u32) -> usize {
        self.numbers[&step]
    }
}
