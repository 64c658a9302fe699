//! From what is there to what is to be there: the plan of `locus-plan`, as steps of the engine.

use std::collections::{BTreeMap, BTreeSet};

use locus_aeolus::{Action, StateId};
use locus_engine::{Does, Planned, State};
use locus_plan::{Answer, Difference, Limits, Pivot, Plan, Problem, Thing, pivot, solve};

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
    taken: BTreeSet<String>,
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
    let (mut current, mut left_over) = (BTreeMap::new(), Vec::new());
    for (key, node) in all {
        let replaced = current.insert(base(key).0.to_owned(), (key.clone(), node));
        left_over.extend(replaced);
    }
    Ok(There { current, left_over, taken })
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
    let old: Vec<Thing> = there.current.values().map(|(_, node)| node.thing()).collect();
    let new: Vec<Thing> = wanted.iter().map(Node::thing).collect();
    let pivot = pivot(&old, &new);
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
        steps.chain(key, node, Does::Delete, Vec::new());
    }
    steps.mark_cleanup();
    Ok(Path { steps: steps.planned, differences: pivot.differences })
}

struct Steps {
    planned: Vec<Planned>,
    /// The steps that each step of the plan stands for, or those before it if nothing is done in it.
    stands_for: Vec<Vec<u32>>,
}

const ABSENT: StateId = StateId(0);

impl Steps {
    fn of(&mut self, plan: &Plan, pivot: &Pivot, wanted: &[Node], there: &mut There) -> anyhow::Result<()> {
        let wanted: BTreeMap<&str, &Node> = wanted.iter().map(|node| (node.name.as_str(), node)).collect();
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
                        let does = match (change.from, to.as_str()) {
                            (ABSENT, _) => Does::Create,
                            (_, "updated") => Does::Change,
                            _ => continue,
                        };
                        let node = wanted.get(name).ok_or_else(|| anyhow::anyhow!("{name} is not wanted"))?;
                        let key = match does {
                            Does::Create => fresh(name, &mut there.taken),
                            _ => there.current[name].0.clone(),
                        };
                        done.push(self.chain(&key, node, does, before.clone()));
                    }
                    done
                }
                Action::Delete(component) => {
                    let name = &plan.components[component.index()].name;
                    match there.current.get(name) {
                        Some((key, node)) => vec![self.chain(key, node, Does::Delete, before.clone())],
                        None => Vec::new(),
                    }
                }
                Action::Bind(_) | Action::Unbind(_) | Action::New(..) => Vec::new(),
            };
            self.stands_for.push(if done.is_empty() { before } else { done });
        }
        Ok(())
    }

    /// The operations that make, change or delete a node, one after the other. Gives the last.
    fn chain(&mut self, key: &str, node: &Node, does: Does, before: Vec<u32>) -> u32 {
        let has = |name: &&&str| node.operations.contains_key(**name);
        let wishes: &[&str] = match does {
            Does::Create => &["create", "configure", "start"],
            Does::Change if node.operations.contains_key("update") => &["update"],
            Does::Change => &["stop", "configure", "start"],
            Does::Delete => &["stop", "delete"],
        };
        let mut names: Vec<&str> = wishes.iter().filter(has).copied().collect();
        if names.is_empty() {
            names.push(match does {
                Does::Create => "create",
                Does::Change => "update",
                Does::Delete => "delete",
            });
        }
        let mut needs = before;
        for (place, name) in names.iter().enumerate() {
            let is_end = match does {
                Does::Create => place == 0,
                Does::Change => false,
                Does::Delete => place + 1 == names.len(),
            };
            self.planned.push(Planned {
                node: key.to_owned(),
                does: if is_end { does } else { Does::Change },
                operation: (*name).to_owned(),
                desired: node.text(),
                needs: std::mem::take(&mut needs),
                cleanup: false,
            });
            needs.push(self.planned.len() as u32 - 1);
        }
        needs[0]
    }

    /// What only deletes, and after which nothing else comes, is cleaning up.
    fn mark_cleanup(&mut self) {
        let mut needed = vec![false; self.planned.len()];
        let deleted: BTreeSet<String> = self
            .planned
            .iter()
            .filter(|step| step.does == Does::Delete)
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
