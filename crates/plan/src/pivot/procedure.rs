//! Things are made, or all are taken down, in the order that the document gives step by step.
//!
//! Before a phase a thing waits for others in a state of its own, so that these may go as soon as it enters the phase:
//! the order says nothing about needs.

use locus_aeolus::{Requirement, State};
use locus_meaning::Key;
use locus_meaning::things::{After, Thing};
use rustc_hash::FxHashMap;

use super::ports::{PortKey, Version};
use super::{Builder, Stage};

/// The phases in which the things of which that is said are taken down.
pub(super) fn takedowns(things: &[Thing]) -> FxHashMap<&Key, &[String]> {
    let told = things.iter().rev().filter_map(|thing| Some((thing, thing.takedown.as_ref()?)));
    told.map(|(thing, takedown)| (&thing.key, takedown.phases.as_slice())).collect()
}

/// The assumptions under which things are made, or all are taken down.
pub(super) fn assumptions(old: &[Thing], new: &[Thing]) -> Vec<String> {
    let made = new.iter().filter_map(|thing| thing.building.as_deref());
    let down = old.iter().filter(|_| new.is_empty()).filter_map(|thing| thing.takedown.as_deref());
    made.chain(down).flat_map(|procedure| &procedure.assumptions).cloned().collect()
}

impl<'a> Builder<'a> {
    /// The ports that a thing waits for before it enters a phase, if it is said how it is made.
    pub(super) fn awaited(&self, thing: &'a Thing, index: usize) -> Vec<PortKey<'a>> {
        let after = thing.building.iter().flat_map(|building| &building.after);
        after
            .filter(|after| after.at == index)
            .filter_map(|after| self.port_of(&after.target, Some(&after.phase)))
            .collect()
    }

    /// The states that a thing goes through before it is deleted, if all is taken down and it is said how.
    pub(super) fn takedown(&mut self, thing: &'a Thing, ready: &State) -> Option<Vec<(Stage, State)>> {
        let takedown = thing.takedown.as_ref().filter(|_| self.takedowns.contains_key(&thing.key))?;
        let mut states: Vec<(Stage, State)> = Vec::new();
        let mut reached: Vec<PortKey<'a>> = Vec::new();
        for (index, phase) in takedown.phases.iter().enumerate() {
            let others = takedown.after.iter().filter(|after| {
                let phases = self.takedowns.get(&after.target);
                after.at == index && phases.is_some_and(|phases| phases.contains(&after.phase))
            });
            let down = |after: &'a After| PortKey::phase(&after.target, &after.phase, Version::TakenDown);
            let waits: Vec<_> = others.map(down).collect();
            if !waits.is_empty() {
                let mut waiting = self.state(&format!("before {phase}"), &reached, &waits);
                waiting.requires.extend(ready.requires.iter().copied());
                states.push((Stage::Waiting, waiting));
            }
            reached.push(PortKey::phase(&thing.key, phase, Version::TakenDown));
            let mut state = self.state(phase, &reached, &[]);
            state.requires.clone_from(&ready.requires);
            states.push((Stage::TakenDown, state));
        }
        for (_, state) in &mut states {
            state.requires.sort_unstable_by_key(|requirement: &Requirement| requirement.port);
        }
        Some(states)
    }
}
