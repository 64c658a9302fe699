//! The imperative workflows `deploy` and `undeploy` of a service, as they are given: steps with what they do to which
//! nodes, and what comes after what.
//!
//! A workflow that is inlined becomes part of it. A plan is about what happens when all goes well: conditions
//! (`filter`, `preconditions`) are taken to hold, steps that come after a failure (`on_failure`) are not part of it,
//! and both is said.
//!
//! Out of scope: whether what it names exists ([`crate::checks::workflow`]).

use locus_meaning::Activity;
use locus_source::{Finding, Node};

use crate::report::short;
use crate::rules;
use crate::service::Service;

/// The workflow with which a service is deployed, and that with which it is taken down.
pub(crate) const DEPLOY: &str = "deploy";
pub(crate) const UNDEPLOY: &str = "undeploy";

/// More steps than this are refused, with those of inlined workflows.
const MOST: usize = 10_000;

/// A step of a workflow.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    /// The nodes, by number.
    pub targets: Vec<usize>,
    /// The activities for each of them, in order. A call names the operation with its interface, and its relationship.
    pub activities: Vec<Activity>,
    /// The steps that come after it, by number.
    pub next: Vec<usize>,
    /// The assumptions, in words.
    pub assumptions: Vec<String>,
}

/// Where a part of a workflow begins and where it ends, by the numbers of steps.
#[derive(Clone, Default)]
struct Ends {
    first: Vec<usize>,
    last: Vec<usize>,
}

struct Reader<'s, 'w, 't> {
    service: &'s Service<'w, 't>,
    /// The workflow that all is about.
    name: &'static str,
    steps: Vec<Step>,
    /// The workflows that are being read, the outermost first.
    inside: Vec<&'t str>,
    is_wrong: bool,
}

impl Service<'_, '_> {
    /// The steps of a workflow, each after those that it waits for; none if there is no such workflow.
    pub(crate) fn steps_of(&self, name: &'static str) -> Vec<Step> {
        let (steps, inside) = (Vec::new(), Vec::new());
        let mut reader = Reader { service: self, name, steps, inside, is_wrong: false };
        reader.workflow(name);
        let Reader { steps, is_wrong, .. } = reader;
        match in_order(&steps) {
            _ if is_wrong => Vec::new(),
            Some(steps) => steps,
            None => {
                let all = self.section("workflows").and_then(|all| all.get_entry(name));
                if let Some(entry) = all {
                    let message = format!("steps of the workflow `{name}` come after each other in a circle");
                    self.world.say(self.file, &rules::WORKFLOW, entry.key.use_place(), message);
                }
                Vec::new()
            }
        }
    }
}

impl<'t> Reader<'_, '_, 't> {
    fn workflow(&mut self, name: &str) -> Ends {
        let entry = self.service.section("workflows").and_then(|all| all.get_entry(name));
        let Some(entry) = entry.filter(|_| !self.is_wrong) else { return Ends::default() };
        let name = entry.key.raw();
        if self.inside.contains(&name) {
            return self.refuse(entry.key, format!("the workflow `{}` is inlined into itself", short(name)));
        }
        self.inside.push(name);
        let first = self.steps.len();
        let steps: Vec<_> = entry.value.get("steps").into_iter().flat_map(Node::entries).collect();
        let mut parts: Vec<(&'t str, Ends, Vec<&'t str>)> = Vec::with_capacity(steps.len());
        for step in &steps {
            let next = step.value.get("on_success");
            let next = next.into_iter().flat_map(|node| node.items().chain(node.as_str().map(|_| node)));
            parts.push((step.key.raw(), self.step(step.key, step.value), next.map(Node::raw).collect()));
        }
        self.inside.pop();
        if entry.value.get("preconditions").is_some_and(|all| all.items().next().is_some()) {
            let assumption = format!("the preconditions of the workflow `{}` are taken to hold", short(name));
            self.steps.iter_mut().skip(first).for_each(|step| step.assumptions.push(assumption.clone()));
        }
        self.join(&parts)
    }

    fn refuse(&mut self, at: Node<'t>, message: String) -> Ends {
        let finding = Finding::new(&rules::WORKFLOW, at.use_place(), message);
        self.service.world.add(self.service.file, finding);
        self.is_wrong = true;
        Ends::default()
    }

    /// Puts the parts of a workflow in the order that they say.
    fn join(&mut self, parts: &[(&'t str, Ends, Vec<&'t str>)]) -> Ends {
        let mut ends = Ends::default();
        let mut has_before = vec![false; parts.len()];
        let number: rustc_hash::FxHashMap<&str, usize> =
            parts.iter().enumerate().map(|(at, part)| (part.0, at)).collect();
        for (_, from, names) in parts {
            let next: Vec<usize> = names.iter().filter_map(|name| number.get(name).copied()).collect();
            if next.is_empty() {
                ends.last.extend(&from.last);
            }
            for to in next {
                has_before[to] = true;
                self.connect(&from.last, &parts[to].1.first);
            }
        }
        for ((_, part, _), _) in parts.iter().zip(has_before).filter(|(_, has_before)| !has_before) {
            ends.first.extend(&part.first);
        }
        ends
    }

    fn connect(&mut self, from: &[usize], to: &[usize]) {
        for &one in from {
            self.steps[one].next.extend(to);
        }
    }

    /// A step: its activities one after the other, with the steps of workflows that are inlined between them.
    fn step(&mut self, key: Node<'t>, node: Node<'t>) -> Ends {
        let targets = self.targets(node);
        let relationship = node.get("target_relationship").and_then(Node::as_str);
        let workflow = self.inside.last().copied().unwrap_or(self.name);
        let (step, workflow) = (short(key.raw()), short(workflow));
        let mut assumptions = Vec::new();
        if node.get("filter").is_some() {
            assumptions.push(format!(
                "the filter of the step `{step}` of the workflow `{workflow}` is taken to hold"
            ));
        }
        if node.get("on_failure").is_some() {
            assumptions.push(format!(
                "steps after a failure of the step `{step}` of the workflow `{workflow}` are not part of the plan"
            ));
        }
        let begin = self.push(key, Step { targets: targets.clone(), assumptions, ..Step::default() });
        let mut ends = Ends { first: vec![begin], last: vec![begin] };
        for activity in node.get("activities").into_iter().flat_map(Node::items) {
            let Some(entry) = activity.entries().next() else { continue };
            let named = |keyname: &str| entry.value.as_str().or_else(|| entry.value.get(keyname)?.as_str());
            let done = match entry.key.raw() {
                "call_operation" => named("operation").map(|name| match relationship {
                    Some(relationship) => Activity::Call(format!("{name} of {relationship}").into()),
                    None => Activity::Call(name.into()),
                }),
                "set_state" => named("state").map(|name| Activity::State(name.into())),
                "delegate" => Some(Activity::Lifecycle),
                "inline" => {
                    let inner = named("workflow").map(|name| self.workflow(name)).unwrap_or_default();
                    if !inner.first.is_empty() {
                        self.connect(&ends.last, &inner.first);
                        let after = self.push(key, Step { targets: targets.clone(), ..Step::default() });
                        self.connect(&inner.last, &[after]);
                        ends.last = vec![after];
                    }
                    None
                }
                _ => None,
            };
            let last = ends.last[0];
            self.steps[last].activities.extend(done);
        }
        ends
    }

    fn push(&mut self, key: Node<'t>, step: Step) -> usize {
        if self.steps.len() == MOST {
            self.refuse(key, format!("the workflow `{}` has more than {MOST} steps", self.name));
        }
        self.steps.push(step);
        self.steps.len() - 1
    }

    /// The node that a step names, or the members of a group.
    fn targets(&self, step: Node<'t>) -> Vec<usize> {
        let Some(name) = step.get("target").and_then(Node::as_str) else { return Vec::new() };
        if let Some(&at) = self.service.by_name.get(name) {
            return vec![at];
        }
        let members = self.service.section("groups").and_then(|all| all.get(name)?.get("members"));
        let members = members.into_iter().flat_map(Node::items);
        members.filter_map(|one| self.service.by_name.get(one.as_str()?).copied()).collect()
    }
}

/// The same steps, each after those that it waits for, and otherwise as they are written; nothing if there is a circle.
fn in_order(steps: &[Step]) -> Option<Vec<Step>> {
    let mut waits = vec![0usize; steps.len()];
    for &next in steps.iter().flat_map(|step| &step.next) {
        waits[next] += 1;
    }
    let ready = (0..steps.len()).filter(|&at| waits[at] == 0);
    let mut ready: std::collections::BTreeSet<usize> = ready.collect();
    let (mut order, mut place) = (Vec::with_capacity(steps.len()), vec![0; steps.len()]);
    while let Some(at) = ready.pop_first() {
        place[at] = order.len();
        order.push(at);
        for &next in &steps[at].next {
            waits[next] -= 1;
            if waits[next] == 0 {
                ready.insert(next);
            }
        }
    }
    let moved = |&at: &usize| {
        let step = &steps[at];
        Step { next: step.next.iter().map(|&next| place[next]).collect(), ..step.clone() }
    };
    (order.len() == steps.len()).then(|| order.iter().map(moved).collect())
}
