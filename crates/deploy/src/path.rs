//! From what is there to what is to be there: the plan of `locus-plan`, as steps of the engine.

use std::collections::{BTreeMap, BTreeSet};

use locus_aeolus::Action;
use locus_engine::{Does, Planned, State};
use locus_meaning::Key;
use locus_meaning::things::{Thing, operation_to};
use locus_plan::{Answer, Difference, Fate, Limits, Pivot, Plan, Stage, pivot, solve};

use crate::there::There;
use crate::{Error, Node, StoredKey};

/// A plan, and what it comes to.
#[derive(Debug)]
pub struct Path {
    /// The steps.
    pub steps: Vec<Planned>,
    pub(crate) pivot: Pivot,
    pub(crate) plan: Plan,
}

impl Path {
    /// The fate of each thing.
    pub fn differences(&self) -> &[Difference] {
        &self.pivot.differences
    }

    /// How many things have a fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.pivot.count(fate)
    }

    /// The things that the plan is about, as the planner has them.
    pub fn pivot(&self) -> &Pivot {
        &self.pivot
    }

    /// The plan that the steps are made of.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The steps, without what led to them.
    pub fn into_steps(self) -> Vec<Planned> {
        self.steps
    }

    /// The assumptions, in words.
    pub fn assumptions(&self) -> &[String] {
        &self.pivot.assumptions
    }
}

/// The way from what is there to what is wanted. What is renewed at every update is not, if nothing else is to be done.
///
/// # Errors
/// As [`path`].
pub fn update(state: &State, wanted: &[Node]) -> Result<Path, Error> {
    if wanted.iter().any(|node| node.renewed.is_some()) {
        let plain: Vec<Node> = wanted.iter().map(|node| Node { renewed: None, ..node.clone() }).collect();
        let path = path(state, &plain)?;
        if path.steps.is_empty() {
            return Ok(path);
        }
    }
    path(state, wanted)
}

/// The way from what is there to what is wanted.
///
/// # Errors
/// If there is no plan, or none was found; in words.
pub fn path(state: &State, wanted: &[Node]) -> Result<Path, Error> {
    let (mut there, wanted) = There::new(state, wanted)?;
    let by_key: BTreeMap<Key, &Node> = wanted.iter().map(|node| (node.key(), node)).collect();
    let old = there.present();
    let new: Vec<Thing> = wanted.iter().map(|node| there.wanted(node)).collect();
    let pivot = pivot(&old, &new);
    // Planning takes most of the memory of a deployment.
    drop((old, new));
    for difference in &pivot.differences {
        if let Some(why) = difference.why.iter().find(|why| why.is_refused) {
            let (thing, why) = (difference.name.clone(), why.to_string());
            return Err(Error::Refused { thing, why });
        }
    }
    let problem = pivot.problem();
    let plan = match solve(&problem, Limits::default()).0 {
        Answer::Plan(plan) => plan,
        Answer::None(_) => return Err(Error::NoOrder),
        Answer::Unknown(bounds) => return Err(Error::OrderNotFound(bounds)),
    };
    let wanted = Meant::new(&pivot, &by_key, &mut there);
    let mut steps = Steps::default();
    steps.of(&plan, &pivot, &wanted, &mut there)?;
    steps.mark_cleanup();
    Ok(Path { steps: steps.planned, pivot, plan })
}

/// The nodes that are wanted: under which name the engine will have it, and which names it refers to.
struct Meant<'n> {
    nodes: &'n BTreeMap<Key, &'n Node>,
    names: BTreeMap<Key, String>,
}

impl<'n> Meant<'n> {
    fn new(pivot: &Pivot, nodes: &'n BTreeMap<Key, &'n Node>, there: &mut There) -> Self {
        let mut names: BTreeMap<Key, String> = BTreeMap::new();
        for difference in &pivot.differences {
            let key = &difference.key;
            let Some(node) = nodes.get(key) else { continue };
            let is_made = matches!(difference.fate, Fate::Add | Fate::Replace);
            let name = match (there.damaged.get(key), there.things.get(key)) {
                (_, Some((name, _))) if !is_made => name.clone(),
                (Some((name, _)), _) => name.clone(),
                _ => there.names.fresh(node),
            };
            names.insert(key.clone(), name);
        }
        Self { nodes, names }
    }

    /// The name and the node of a thing. It is made when it is asked for: all of them at once would take as much memory
    /// as the rest.
    fn get(&self, key: &Key) -> Result<(String, Node), Error> {
        let not_wanted = || Error::NotWanted(StoredKey(key.clone()));
        let name = self.names.get(key).ok_or_else(not_wanted)?;
        let mut node = (*self.nodes.get(key).ok_or_else(not_wanted)?).clone();
        for need in &node.needs {
            if let (Some(via), Some(name)) = (&need.via, self.names.get(&need.target.0)) {
                node.refers.insert(via.clone(), name.clone());
            }
        }
        for (input, (of, _)) in &node.outputs {
            if let Some(name) = self.names.get(&of.0) {
                node.sources.insert(input.clone(), name.clone());
            }
        }
        Ok((name.clone(), node))
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

#[derive(Default)]
struct Steps {
    planned: Vec<Planned>,
    /// The steps that each step of the plan stands for, or those before it if nothing is done in it.
    stands_for: Vec<Vec<u32>>,
    /// The nodes that are made.
    made: BTreeSet<String>,
    /// The nodes that went before those that replace them were made.
    gone: BTreeSet<String>,
}

/// The operation that is called for a node that is made to be in a phase; none if the file says that none is.
fn called<'n>(node: &'n Node, phase: &'n str) -> Option<&'n str> {
    match &node.building {
        Some(building) => building.calls.get(phase).map(String::as_str),
        // A program may be named for the phase itself.
        None if node.operations.contains_key(phase) => Some(phase),
        None => Some(operation_to(phase)),
    }
}

/// The last operation of a node whose takedown the file describes, after all operations of that description.
const REMOVED: &str = "removed";

impl Steps {
    fn of(&mut self, plan: &Plan, pivot: &Pivot, wanted: &Meant<'_>, there: &mut There) -> Result<(), Error> {
        for step in &plan.steps {
            let mut before: Vec<u32> = step
                .after
                .iter()
                .flat_map(|&after| self.stands_for[after as usize].iter().copied())
                .collect();
            before.sort_unstable();
            before.dedup();
            let done = match &step.action {
                Action::Change(changes) => {
                    let mut done = Vec::new();
                    for change in changes {
                        let component = &plan.components[change.component.index()];
                        let part = &pivot.parts[component.kind.index()];
                        let to = &pivot.universe.state(component.kind, change.to).name;
                        let asked = || wanted.get(&part.key);
                        done.extend(match part.stages[change.to.index()] {
                            Stage::Absent | Stage::Waiting | Stage::Retired => None,
                            Stage::Phase => self.make(&asked()?, to, &before, there),
                            Stage::Updated => {
                                let (key, node) = asked()?;
                                Some(self.update(&key, &node, before.clone()))
                            }
                            Stage::Gone => self.retire(&part.key, there, &before),
                            Stage::Ending => {
                                let (key, node) = &there.things[&part.key];
                                self.call(key, node, Some(operation_to(to)), &before)
                            }
                            Stage::TakenDown => {
                                let (key, node) = &there.things[&part.key];
                                let calls = node.takedown.as_ref().map(|takedown| &takedown.calls);
                                let call = calls.and_then(|calls| calls.get(to)).map(String::as_str);
                                self.call(key, node, call, &before)
                            }
                        });
                    }
                    done
                }
                Action::Delete(component) => {
                    let thing = &pivot.parts[plan.components[component.index()].kind.index()].key;
                    let found = there.things.get(thing).filter(|(key, _)| !self.gone.contains(key));
                    let delete = |(key, node): &(String, Node)| {
                        let is_told = wanted.is_empty() && node.takedown.is_some();
                        let operation = if is_told { REMOVED } else { "delete" };
                        self.push(key, node, Does::Delete, operation, before.clone())
                    };
                    found.map(delete).into_iter().collect()
                }
                Action::Bind(_) | Action::Unbind(_) | Action::New(..) => Vec::new(),
            };
            self.stands_for.push(if done.is_empty() { before } else { done });
        }
        Ok(())
    }

    /// An old node goes, so that another can take its place.
    fn retire(&mut self, thing: &Key, there: &There, before: &[u32]) -> Option<u32> {
        let (key, old) = &there.things[thing];
        if old.stays {
            return None;
        }
        self.gone.insert(key.clone());
        Some(self.push(key, old, Does::Delete, "delete", before.to_vec()))
    }

    /// A step on the way to a node that is ready.
    fn make(
        &mut self,
        (key, node): &(String, Node),
        phase: &str,
        before: &[u32],
        there: &mut There,
    ) -> Option<u32> {
        if !self.made.insert(key.clone()) {
            return self.call(key, node, called(node, phase), before);
        }
        let mut before = before.to_vec();
        if let Some((key, old)) = there.damaged.remove(&node.key()) {
            // What is left of the attempt before goes first.
            before.push(self.delete(&key, &old, Vec::new()));
        }
        Some(self.push(key, node, Does::Create, called(node, phase).unwrap_or(phase), before))
    }

    /// A step that calls an operation; none if nothing is called, or the node has programs and none for it.
    fn call(&mut self, key: &str, node: &Node, operation: Option<&str>, before: &[u32]) -> Option<u32> {
        let has_program = |name: &&str| node.operations.is_empty() || node.operations.contains_key(*name);
        let name = operation.filter(has_program)?;
        Some(self.push(key, node, Does::Change, name, before.to_vec()))
    }

    /// The steps that change a node in place, one after the other.
    fn update(&mut self, key: &str, node: &Node, before: Vec<u32>) -> u32 {
        let wishes: &[&str] = if node.operations.contains_key("update") {
            &["update"]
        } else {
            &["stop", "configure", "start"]
        };
        let names = wishes.iter().filter(|name| node.operations.contains_key(**name));
        let mut needs = before;
        let mut last = None;
        for name in names {
            last = Some(self.push(key, node, Does::Change, name, std::mem::take(&mut needs)));
            needs.extend(last);
        }
        last.unwrap_or_else(|| self.push(key, node, Does::Change, "update", needs))
    }

    /// The steps that delete a node that nobody needs.
    fn delete(&mut self, key: &str, node: &Node, mut before: Vec<u32>) -> u32 {
        for ending in &node.endings {
            before =
                self.call(key, node, Some(operation_to(ending)), &before).map_or(before, |step| vec![step]);
        }
        self.push(key, node, Does::Delete, "delete", before)
    }

    fn push(&mut self, key: &str, node: &Node, does: Does, operation: &str, needs: Vec<u32>) -> u32 {
        self.planned.push(Planned {
            node: key.to_owned(),
            does,
            operation: operation.to_owned(),
            desired: node.text(),
            needs,
            cleanup: false,
        });
        self.planned.len() as u32 - 1
    }

    /// Marks as cleanup the steps that only delete, and after which nothing else comes.
    fn mark_cleanup(&mut self) {
        let mut needed = vec![false; self.planned.len()];
        let deleted: BTreeSet<String> = self
            .planned
            .iter()
            .filter(|step| step.does == Does::Delete && !self.made.contains(&step.node))
            .map(|step| step.node.clone())
            .collect();
        for place in (0..self.planned.len()).rev() {
            let step = &mut self.planned[place];
            step.cleanup = deleted.contains(&step.node) && !needed[place];
            if !step.cleanup {
                for &need in &step.needs {
                    needed[need as usize] = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use locus_meaning::things::{Need, Thing};

    use super::*;
    use crate::Return;

    /// Two things with two phases. The second needs the first to be created, and the first may need the same of the
    /// second before it starts.
    fn two(is_circle: bool) -> Vec<Node> {
        let two = |name: &str| Thing {
            phases: vec!["created".to_owned(), "started".to_owned()],
            ..Thing::new(name, "thing")
        };
        let other =
            |target: &str, at: usize| Need { at, phase: Some("created".to_owned()), ..Need::new(target) };
        let (mut first, mut second) = (two("first"), two("second"));
        second.needs.push(other("first", 0));
        if is_circle {
            first.needs.push(other("second", 1));
        }
        Node::of_all(&[first, second])
    }

    #[test]
    fn it_is_known_before_the_first_step_whether_it_can_be_undone() {
        let way = path(&State::default(), &two(false)).expect("there is a way");
        assert!(matches!(way.back(), Return::Open { cleans_up: false }));
        let way = path(&State::default(), &two(true)).expect("there is a way");
        let Return::Closed(why) = way.back() else { panic!("they wait for each other") };
        assert_eq!(why, "on the way back things would wait for each other");
    }
}
