//! From what is there to what is to be there: the plan of `locus-plan`, as steps of the engine.

use std::collections::{BTreeMap, BTreeSet};

use locus_aeolus::Action;
use locus_engine::{Does, Planned, State, StepState};
use locus_graph::lifecycle::{OnChange, Property, Thing};
use locus_plan::{Answer, Difference, Limits, Pivot, Plan, Problem, pivot, solve};

use super::goal::Node;

/// A plan, and what it comes to.
pub(crate) struct Path {
    pub(crate) steps: Vec<Planned>,
    pub(crate) differences: Vec<Difference>,
}

impl Path {
    pub(crate) fn count(&self, fate: locus_plan::Fate) -> usize {
        self.differences.iter().filter(|difference| difference.fate == fate).count()
    }
}

/// What is there of each name: the newest node, and others that should have been deleted.
struct There {
    current: BTreeMap<String, (String, Node)>,
    left_over: Vec<(String, Node)>,
    /// Those whose creation failed: they go before they are made again.
    tainted: BTreeMap<String, (String, Node)>,
    /// Those that something was begun with and not finished.
    unfinished: BTreeSet<String>,
    taken: BTreeSet<String>,
}

/// The nodes whose creation failed, and those that something was begun with and not finished.
fn halfway(state: &State) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut steps: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    let mut tainted = BTreeSet::new();
    for step in &state.steps {
        let (begun, ended) = steps.entry(&step.planned.node).or_insert((false, true));
        *begun |= !matches!(step.state, StepState::Waiting | StepState::Skipped);
        *ended &= step.state == StepState::Done;
        if step.state == StepState::Failed && step.planned.does == Does::Create {
            tainted.insert(step.planned.node.clone());
        }
    }
    let unfinished = steps.iter().filter(|(_, (begun, ended))| *begun && !ended);
    (tainted, unfinished.map(|(node, _)| (*node).to_owned()).collect())
}

fn base(key: &str) -> (&str, u32) {
    match key.rsplit_once('~') {
        Some((name, number)) => (name, number.parse().unwrap_or(1)),
        None => (key, 1),
    }
}

fn there(state: &State) -> anyhow::Result<There> {
    let mut all: Vec<(&String, Node)> = Vec::new();
    for (key, node) in state.nodes.iter().filter(|(_, node)| node.present) {
        all.push((key, Node::parse(&node.desired)?));
    }
    all.sort_by_key(|(key, _)| base(key).1);
    let taken = all.iter().map(|(key, _)| (*key).clone()).collect();
    let (tainted_keys, unfinished) = halfway(state);
    let (mut current, mut left_over, mut tainted) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
    for (key, node) in all {
        if tainted_keys.contains(key) {
            left_over.extend(tainted.insert(base(key).0.to_owned(), (key.clone(), node)));
            continue;
        }
        let replaced = current.insert(base(key).0.to_owned(), (key.clone(), node));
        left_over.extend(replaced);
    }
    Ok(There { current, left_over, tainted, unfinished, taken })
}

/// A key for a new node with a name.
fn fresh(name: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2u32..).map(|number| format!("{name}~{number}"));
    let key = std::iter::once(name.to_owned()).chain(numbered).find(|key| !taken.contains(key));
    let key = key.expect("there are enough numbers");
    taken.insert(key.clone());
    key
}

/// The way from what is there to what is wanted.
///
/// # Errors
/// If there is no plan, or none was found; in words.
pub(crate) fn path(state: &State, wanted: &[Node]) -> anyhow::Result<Path> {
    let mut there = there(state)?;
    // What is not made again goes in order, with the rest.
    let is_wanted = |name: &String| wanted.iter().any(|node| node.name == *name);
    let (again, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
        std::mem::take(&mut there.tainted).into_iter().partition(|(name, _)| is_wanted(name));
    there.tainted = again;
    for (name, entry) in gone {
        there.left_over.extend(there.current.insert(name, entry));
    }
    let mut old: Vec<Thing> = Vec::new();
    for (key, node) in there.current.values() {
        let mut thing = node.thing();
        if there.unfinished.contains(key) {
            // It is to be changed, even if it is to be what it was to be before.
            let (name, value) = (UNFINISHED.to_owned(), "true".to_owned());
            thing.properties.push(Property { name, value, on_change: OnChange::InPlace, place: None });
        }
        old.push(thing);
    }
    let new: Vec<Thing> = wanted.iter().map(Node::thing).collect();
    let pivot = pivot(&old, &new);
    if let Some(why) =
        pivot.differences.iter().flat_map(|difference| &difference.why).find(|why| why.is_refused)
    {
        anyhow::bail!("it cannot be changed so: {}", why.text);
    }
    let problem = Problem {
        universe: &pivot.universe,
        start: &pivot.start,
        names: &pivot.names,
        wanted: pivot.wanted.clone(),
        others: Pivot::OTHERS,
    };
    let plan = match solve(&problem, Limits::default()).0 {
        Answer::Plan(plan) => plan,
        Answer::None(_) => anyhow::bail!("there is no order in which it can be done: something needs itself"),
        Answer::Unknown(bounds) => anyhow::bail!("no order was found in which it can be done: {bounds}"),
    };
    let mut steps = Steps { planned: Vec::new(), stands_for: Vec::new() };
    steps.of(&plan, &pivot, wanted, &mut there)?;
    for (key, node) in &there.left_over {
        steps.delete(key, node, Vec::new());
    }
    steps.mark_cleanup();
    let mut differences = pivot.differences;
    for why in differences.iter_mut().flat_map(|difference| &mut difference.why) {
        if why.text == format!("the property {UNFINISHED} is gone") {
            "something was begun with it and not finished".clone_into(&mut why.text);
        }
    }
    Ok(Path { steps: steps.planned, differences })
}

struct Steps {
    planned: Vec<Planned>,
    /// The steps that each step of the plan stands for, or those before it if nothing is done in it.
    stands_for: Vec<Vec<u32>>,
}

/// The property of nodes that are not finished, which no language has.
const UNFINISHED: &str = "unfinished ~";

/// The operation that leads to a phase.
fn operation(phase: &str) -> &str {
    match phase {
        "created" | "present" => "create",
        "configured" => "configure",
        "started" => "start",
        "stopped" => "stop",
        other => other,
    }
}

impl Steps {
    fn of(&mut self, plan: &Plan, pivot: &Pivot, wanted: &[Node], there: &mut There) -> anyhow::Result<()> {
        let wanted: BTreeMap<&str, &Node> = wanted.iter().map(|node| (node.name.as_str(), node)).collect();
        let mut keys: BTreeMap<u32, String> = BTreeMap::new();
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
                        let name = component.name.strip_suffix(" (new)").unwrap_or(&component.name);
                        let to = &pivot.universe.state(component.kind, change.to).name;
                        let made = (component.is_new).then(|| wanted.get(name).copied()).flatten();
                        done.extend(match (made, to.as_str()) {
                            (Some(node), phase) => {
                                self.make(change.component.0, node, phase, &before, (&mut keys, there))
                            }
                            (None, "updated") => {
                                let node = wanted.get(name);
                                let node = node.ok_or_else(|| anyhow::anyhow!("{name} is not wanted"))?;
                                Some(self.update(&there.current[name].0, node, before.clone()))
                            }
                            (None, "retired") => None,
                            (None, ending) => {
                                let (key, node) = &there.current[name];
                                self.phase(key, node, Does::Change, ending, &before)
                            }
                        });
                    }
                    done
                }
                Action::Delete(component) => {
                    let name = &plan.components[component.index()].name;
                    let found = there.current.get(name);
                    found
                        .map(|(key, node)| self.push(key, node, Does::Delete, "delete", before.clone()))
                        .into_iter()
                        .collect()
                }
                Action::Bind(_) | Action::Unbind(_) | Action::New(..) => Vec::new(),
            };
            self.stands_for.push(if done.is_empty() { before } else { done });
        }
        Ok(())
    }

    /// A step on the way to a node that is ready.
    fn make(
        &mut self,
        component: u32,
        node: &Node,
        phase: &str,
        before: &[u32],
        (keys, there): (&mut BTreeMap<u32, String>, &mut There),
    ) -> Option<u32> {
        let is_first = !keys.contains_key(&component);
        if phase.starts_with("before ") && !node.phases.iter().any(|other| other == phase) {
            return None;
        }
        if !is_first {
            return self.phase(&keys[&component].clone(), node, Does::Change, phase, before);
        }
        let mut before = before.to_vec();
        let key = match there.tainted.remove(&node.name) {
            Some((key, old)) => {
                // What is left of the attempt before goes first.
                before.push(self.delete(&key, &old, Vec::new()));
                key
            }
            None => fresh(&node.name, &mut there.taken),
        };
        keys.insert(component, key.clone());
        Some(self.push(&key, node, Does::Create, operation(phase), before))
    }

    /// A step to a phase; none if nothing is done in it, because the node has programs and none for it.
    fn phase(&mut self, key: &str, node: &Node, does: Does, phase: &str, before: &[u32]) -> Option<u32> {
        let name = operation(phase);
        let is_empty = !node.operations.is_empty() && !node.operations.contains_key(name);
        (!is_empty).then(|| self.push(key, node, does, name, before.to_vec()))
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
            before = self.phase(key, node, Does::Change, ending, &before).map_or(before, |step| vec![step]);
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

    /// What only deletes, and after which nothing else comes, is cleaning up.
    fn mark_cleanup(&mut self) {
        let mut needed = vec![false; self.planned.len()];
        let made: BTreeSet<String> = self
            .planned
            .iter()
            .filter(|step| step.does == Does::Create)
            .map(|step| step.node.clone())
            .collect();
        let deleted: BTreeSet<String> = self
            .planned
            .iter()
            .filter(|step| step.does == Does::Delete && !made.contains(&step.node))
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
