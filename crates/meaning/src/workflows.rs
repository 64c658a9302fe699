//! Things that do what a workflow says, in its order: each operation that is called and each state that is set is a
//! phase.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::process::{Activity, Step};
use crate::things::{After, Procedure, Thing, operation_to};

/// The phases of things, as they follow from the steps of a workflow.
struct Followed {
    /// The things that it is about.
    told: BTreeSet<usize>,
    phases: Vec<Vec<String>>,
    /// By thing: before which of its phases, by index, which phase of which thing comes.
    after: Vec<Vec<(usize, usize, String)>>,
    /// The operation that each phase calls.
    calls: Vec<BTreeMap<String, String>>,
    /// The assumptions about the things concerned.
    assumptions: Vec<String>,
}

/// Goes through the steps of a workflow; `copies` are the things of each element, and `lifecycles` are the phases of a
/// thing that goes through its own.
fn followed(
    steps: &[Step],
    copies: &[Range<usize>],
    things: &[Thing],
    lifecycles: &[Vec<String>],
) -> Followed {
    // The things to which each step does something.
    let of = |step: &Step| -> Vec<usize> {
        let targets = step.targets.iter().filter(|_| !step.activities.is_empty());
        targets.flat_map(|target| copies[target.index()].clone()).collect()
    };
    let mut followed = Followed {
        told: steps.iter().flat_map(of).collect(),
        phases: vec![Vec::new(); things.len()],
        after: vec![Vec::new(); things.len()],
        calls: vec![BTreeMap::new(); things.len()],
        assumptions: steps.iter().flat_map(|step| step.assumptions.iter().cloned()).collect(),
    };
    let mut seen = FxHashSet::default();
    followed.assumptions.retain(|one| seen.insert(one.clone()));
    // The phases, by thing, after which each step may begin.
    let mut after: Vec<FxHashSet<(usize, String)>> = vec![FxHashSet::default(); steps.len()];
    for (number, step) in steps.iter().enumerate() {
        let mut done = std::mem::take(&mut after[number]);
        let targets = of(step);
        if !targets.is_empty() {
            let mut before: Vec<(usize, String)> = done.drain().collect();
            before.sort_unstable();
            for at in targets {
                let first = followed.phases[at].len();
                followed.act(at, &step.activities, &lifecycles[at]);
                let others = before.iter().filter(|(other, _)| *other != at);
                followed.after[at].extend(others.map(|(other, phase)| (first, *other, phase.clone())));
                done.extend(followed.phases[at].last().map(|last| (at, last.clone())));
            }
        }
        for &next in &step.next {
            after[next].extend(done.iter().cloned());
        }
    }
    followed
}

impl Followed {
    /// Adds the phases of a step; a name that is there already gets a number.
    fn act(&mut self, at: usize, activities: &[Activity], lifecycle: &[String]) {
        for activity in activities {
            match activity {
                Activity::Call(name) => {
                    let phase = self.add(at, name);
                    // Interfaces are named in full or not; a program has the name of the operation.
                    let operation = name.rsplit('.').next().unwrap_or(name);
                    self.calls[at].insert(phase, operation.to_owned());
                }
                Activity::State(name) => {
                    self.add(at, name);
                }
                Activity::Lifecycle => {
                    for name in lifecycle {
                        let phase = self.add(at, name);
                        self.calls[at].insert(phase, operation_to(name).to_owned());
                    }
                }
            }
        }
    }

    fn add(&mut self, at: usize, name: &str) -> String {
        let phases = &mut self.phases[at];
        let again = (2..).map(|number| format!("{name} ({number})"));
        let mut names = std::iter::once(name.to_owned()).chain(again);
        let free = names.find(|one| !phases.contains(one)).unwrap_or_default();
        phases.push(free.clone());
        free
    }
}

/// The procedures of the things that a workflow is about.
fn procedures(
    steps: &[Step],
    copies: &[Range<usize>],
    things: &[Thing],
    lifecycles: &[Vec<String>],
) -> Vec<(usize, Box<Procedure>)> {
    let mut followed = followed(steps, copies, things, lifecycles);
    let told = std::mem::take(&mut followed.told);
    let procedure = |at: usize| {
        let after = followed.after[at].drain(..).map(|(at, other, phase)| After {
            at,
            target: things[other].key.clone(),
            phase,
        });
        let procedure = Procedure {
            after: after.collect(),
            phases: std::mem::take(&mut followed.phases[at]),
            calls: std::mem::take(&mut followed.calls[at]),
            // All are about the workflow; they are said once.
            assumptions: std::mem::take(&mut followed.assumptions),
        };
        (at, Box::new(procedure))
    };
    told.into_iter().map(procedure).collect()
}

/// Has the things that the workflow `deploy` is about do what it says.
pub(crate) fn deploy(steps: &[Step], copies: &[Range<usize>], things: &mut [Thing]) {
    if steps.is_empty() {
        return;
    }
    let lifecycles: Vec<Vec<String>> = things.iter().map(|thing| thing.phases.clone()).collect();
    let told = procedures(steps, copies, things, &lifecycles);
    let keys: FxHashSet<_> = told.iter().map(|&(at, _)| things[at].key.clone()).collect();
    for thing in &mut *things {
        // What they were to have reached by their lifecycles.
        let needs = thing.needs.iter_mut().filter(|need| keys.contains(&need.target));
        needs.for_each(|need| need.phase = None);
    }
    for (at, procedure) in told {
        let last = procedure.phases.len() - 1;
        // It is bound to others once it is there.
        things[at].needs.iter_mut().for_each(|need| need.at = last);
        things[at].phases.clone_from(&procedure.phases);
        things[at].building = Some(procedure);
    }
}

/// Has the things that the workflow `undeploy` is about do what it says when all is taken down.
pub(crate) fn undeploy(steps: &[Step], copies: &[Range<usize>], things: &mut [Thing]) {
    if steps.is_empty() {
        return;
    }
    let lifecycles: Vec<Vec<String>> = things.iter().map(|thing| thing.endings.clone()).collect();
    for (at, procedure) in procedures(steps, copies, things, &lifecycles) {
        things[at].takedown = Some(procedure);
    }
}
