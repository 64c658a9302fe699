//! Lifecycles of nodes: section 8.4 of INRIA report RR-9317.
//!
//! The report adds to each node of a topology the automaton of an Aeolus component: the states that it goes through
//! until it runs, and in which of them it needs what it requires. Here a lifecycle is
//!
//! - what the metadata of the node template, of a policy that targets it or of its type says under `locus.lifecycle`:
//!   states in order, each with the requirements that it needs from then on, as in
//!   `installed, running (host, database@running)`; after `@` stands the state of the other node;
//! - else that of the interface `Standard` of the Simple Profile: created, configured, started.
//!
//! Out of scope: which order follows from it.

use std::sync::Arc;

use locus_source::{Finding, Node, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Service, Target};
use crate::types::names::TypeId;

/// Where a lifecycle is written.
const KEY: &str = "locus.lifecycle";

/// More states than this are refused.
const MOST: usize = 64;

/// The states that a node goes through.
#[derive(Clone, PartialEq, Debug)]
pub struct Lifecycle {
    /// The states in order; the last one is that of a node that runs.
    pub states: Vec<Arc<str>>,
    /// The states that it goes through before it is deleted.
    pub endings: Vec<Arc<str>>,
    /// The needs of the node in each state. Requirements that are not named are needed in the first one; of the
    /// Standard lifecycle, those that are not for a host in the second.
    pub needs: Vec<StateNeed>,
    /// Where it is written; nothing for that of the Simple Profile.
    pub place: Option<Place>,
}

/// A node needs what fulfils one of its requirements.
#[derive(Clone, PartialEq, Debug)]
pub struct StateNeed {
    /// The requirement.
    pub requirement: Arc<str>,
    /// The state from which on it is needed, by number.
    pub state: usize,
    /// The state that the other node must have reached; nothing for its last one.
    pub target: Option<Arc<str>>,
}

impl Lifecycle {
    /// That of the interface `Standard`.
    pub(crate) fn standard() -> Self {
        let states = ["created", "configured", "started"].map(Arc::from).to_vec();
        Self { states, endings: vec![Arc::from("stopped")], needs: Vec::new(), place: None }
    }
}

impl<'t> Service<'_, 't> {
    /// The lifecycle of each node template, where one is known; findings about those that are not right.
    pub(crate) fn lifecycles(&self) -> Vec<Option<Lifecycle>> {
        let by_policy = self.policy_lifecycles();
        let mut standard: FxHashMap<TypeId, bool> = FxHashMap::default();
        let mut all = Vec::with_capacity(self.templates.len());
        for (at, template) in self.templates.iter().enumerate() {
            let own = template.get("metadata").and_then(|all| all.get(KEY));
            let node = own
                .or_else(|| by_policy.get(&at).copied())
                .or_else(|| self.type_lifecycle(template.type_id?));
            all.push(match node {
                Some(node) => self.lifecycle(at, node),
                None => template
                    .type_id
                    .is_some_and(|id| *standard.entry(id).or_insert_with(|| self.is_standard(at)))
                    .then(Lifecycle::standard),
            });
        }
        self.check_target_states(&all);
        all
    }

    /// The lifecycles that policies give to their targets.
    fn policy_lifecycles(&self) -> FxHashMap<usize, Node<'t>> {
        let mut found: FxHashMap<usize, Node<'t>> = FxHashMap::default();
        let policies = self.section("policies").into_iter().flat_map(Node::items).flat_map(Node::entries);
        for policy in policies {
            let Some(node) = policy.value.get("metadata").and_then(|all| all.get(KEY)) else { continue };
            for target in policy.value.get("targets").into_iter().flat_map(Node::items) {
                let group = self.section("groups").and_then(|all| all.get(target.raw())?.get("members"));
                let members = group.into_iter().flat_map(Node::items);
                for one in members.chain([target]).filter_map(|one| self.by_name.get(one.as_str()?).copied())
                {
                    if let Some(first) = found.insert(one, node).filter(|first| !first.is_same(node)) {
                        let message = format!(
                            "the node `{}` has lifecycles from two policies, and can have one",
                            short(self.templates[one].name)
                        );
                        let finding = Finding::new(&rules::LIFECYCLE, node.use_place(), message);
                        self.world.add(self.file, finding.also(first.use_place(), "the other one"));
                    }
                }
            }
        }
        found
    }

    fn type_lifecycle(&self, id: TypeId) -> Option<Node<'t>> {
        let line = self.world.names.line(id);
        line.into_iter().find_map(|id| self.world.names.get(id).node.get("metadata")?.get(KEY))
    }

    /// Whether a node has the interface `Standard` of the Simple Profile.
    fn is_standard(&self, at: usize) -> bool {
        let names = &self.world.names;
        let of_type = |id: TypeId| {
            names.line(id).into_iter().any(|id| {
                matches!(
                    names.get(id).name,
                    "tosca.interfaces.node.lifecycle.Standard" | "Lifecycle.Standard"
                )
            })
        };
        self.templates[at].flat.interfaces.iter().any(|one| one.type_id.is_some_and(of_type))
    }

    /// Reads a lifecycle.
    fn lifecycle(&self, at: usize, node: Node<'t>) -> Option<Lifecycle> {
        let texts: Vec<Node<'t>> = if node.is_sequence() { node.items().collect() } else { vec![node] };
        let mut found = Lifecycle {
            states: Vec::new(),
            endings: Vec::new(),
            needs: Vec::new(),
            place: Some(node.place()),
        };
        for text in texts {
            let Some(written) = text.as_str() else {
                self.wrong_lifecycle(at, text, "is not a text such as `installed, running (host)`");
                return None;
            };
            for part in parts(written) {
                if let Err(problem) = add_state(&mut found, part) {
                    self.wrong_lifecycle(at, text, &problem);
                    return None;
                }
            }
        }
        self.check_needs(at, node, &found);
        Some(found)
    }

    fn wrong_lifecycle(&self, at: usize, node: Node<'t>, problem: &str) {
        let message = format!("the lifecycle of `{}` {problem}", short(self.templates[at].name));
        self.world.say(self.file, &rules::LIFECYCLE, node.use_place(), message);
    }

    /// That the requirements that a lifecycle names exist.
    fn check_needs(&self, at: usize, node: Node<'t>, lifecycle: &Lifecycle) {
        let template = &self.templates[at];
        let mut seen = FxHashSet::default();
        for need in &lifecycle.needs {
            let name = &*need.requirement;
            if !seen.insert(name) {
                let problem =
                    format!("needs the requirement `{}` in two states; name the first one", short(name));
                self.wrong_lifecycle(at, node, &problem);
            }
            let known = template.flat.requirements.iter().map(|one| one.name);
            if template.is_whole() && !known.clone().any(|one| one == name) {
                let message = format!(
                    "the lifecycle of `{}` names the requirement `{}`, which the node does not have",
                    short(template.name),
                    short(name)
                );
                let finding = Finding::new(&rules::LIFECYCLE, node.use_place(), message);
                self.world.add(self.file, did_you_mean(finding, name, known));
            }
        }
    }

    /// That the nodes that fulfil requirements have the states that they are needed in.
    fn check_target_states(&self, all: &[Option<Lifecycle>]) {
        for (at, lifecycle) in all.iter().enumerate() {
            let Some(lifecycle) = lifecycle.as_ref().filter(|one| !one.needs.is_empty()) else { continue };
            for need in &lifecycle.needs {
                let Some(state) = &need.target else { continue };
                for assignment in
                    self.templates[at].requirements.iter().filter(|one| *one.name == *need.requirement)
                {
                    let Target::Node(target, _) = assignment.target else { continue };
                    let Some(other) = &all[target] else { continue };
                    if !other.states.contains(state) {
                        let message = format!(
                            "the lifecycle of `{}` needs `{}` in the state `{}`, which it does not have",
                            short(self.templates[at].name),
                            short(self.templates[target].name),
                            short(state)
                        );
                        let place = lifecycle.place.unwrap_or(self.templates[at].key.use_place());
                        let finding = Finding::new(&rules::LIFECYCLE, place, message);
                        let finding = finding
                            .also(other.place.unwrap_or(self.templates[target].key.use_place()), "this node");
                        self.world.add(
                            self.file,
                            did_you_mean(finding, state, other.states.iter().map(|one| &**one)),
                        );
                    }
                }
            }
        }
    }
}

/// The parts of a text between commas that are not in parentheses.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ',' && depth == 0
    })
}

/// Adds `state` or `state (requirement, requirement@state)` to a lifecycle.
fn add_state(lifecycle: &mut Lifecycle, part: &str) -> Result<(), String> {
    let part = part.trim();
    let (state, needs) = match part.split_once('(') {
        None => (part, ""),
        Some((state, rest)) => {
            let rest = rest
                .strip_suffix(')')
                .ok_or_else(|| format!("has no closing parenthesis in `{}`", short(part)))?;
            (state.trim(), rest)
        }
    };
    let state = name(state)?;
    if lifecycle.states.iter().any(|one| **one == *state) {
        return Err(format!("has the state `{}` twice", short(state)));
    }
    if lifecycle.states.len() == MOST {
        return Err(format!("has more than {MOST} states"));
    }
    for need in needs.split(',').map(str::trim).filter(|_| !needs.trim().is_empty()) {
        let (requirement, target) = match need.split_once('@') {
            None => (need, None),
            Some((requirement, target)) => (requirement, Some(Arc::from(name(target)?))),
        };
        let requirement = Arc::from(name(requirement)?);
        lifecycle.needs.push(StateNeed { requirement, state: lifecycle.states.len(), target });
    }
    lifecycle.states.push(state.into());
    Ok(())
}

fn name(text: &str) -> Result<&str, String> {
    let fits = |character: char| character.is_alphanumeric() || "_-.".contains(character);
    if !text.is_empty() && text.chars().all(fits) {
        return Ok(text);
    }
    Err(format!("has `{}` where the name of a state or requirement must stand", short(text)))
}
