//! A bounded search for plans where capacities or conflicts are against the usual ones.
//!
//! Breadth first over what is deployed, one component at a time: a component is created, deleted, or enters a state,
//! after it was bound to what it then requires and before it is unbound from what it no longer does. Every
//! configuration on the way is correct. Which of several providers a component is bound to is not tried out, and states
//! with the same components in the same states count as the same, so a plan may be missed; what is found is right.

use std::collections::VecDeque;
use std::rc::Rc;

use locus_aeolus::{Action, Binding, Change, Component, ComponentId, Configuration, StateId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::{Others, Plan, Planned, Problem, Step};

/// How many components there may be beside those that are wanted or deployed.
pub(crate) const HELPERS: usize = 3;
/// Where the search is, and how it came there.
struct Place {
    configuration: Configuration,
    actions: Vec<Action>,
    before: Option<Rc<Place>>,
    /// The number that the next new component gets.
    next: u32,
}

/// A plan whose steps come one after the other, if one is found among so many configurations.
pub(crate) fn search(problem: &Problem<'_>, configurations: usize) -> Option<Plan> {
    let most = problem.wanted.len().max(problem.start.components.len()) + HELPERS;
    let next = problem.names.len() as u32;
    let start = Place { configuration: problem.start.clone(), actions: Vec::new(), before: None, next };
    let mut seen: FxHashSet<Vec<(u32, Component)>> = FxHashSet::default();
    seen.insert(key(problem, &start.configuration));
    let mut queue = VecDeque::from([Rc::new(start)]);
    while let Some(place) = queue.pop_front() {
        if is_goal(problem, &place.configuration) {
            return Some(unrolled(problem, &place));
        }
        for (actions, next) in moves(problem, &place, most) {
            let mut configuration = place.configuration.clone();
            let is_right = actions.iter().all(|action| {
                configuration.perform(problem.universe, action).is_ok()
                    && configuration.is_correct(problem.universe)
            });
            if is_right && seen.insert(key(problem, &configuration)) {
                if seen.len() > configurations {
                    return None;
                }
                queue.push_back(Rc::new(Place {
                    configuration,
                    actions,
                    before: Some(Rc::clone(&place)),
                    next,
                }));
            }
        }
    }
    None
}

/// The components by state; those that were deployed are told apart, new ones are not.
fn key(problem: &Problem<'_>, configuration: &Configuration) -> Vec<(u32, Component)> {
    let new = u32::MAX;
    let deployed = |id: ComponentId| problem.start.components.contains_key(&id);
    let mut key: Vec<_> =
        configuration.components.iter().map(|(id, c)| (if deployed(*id) { id.0 } else { new }, *c)).collect();
    key.sort_unstable();
    key
}

/// Whether a configuration has what is wanted, and of the rest what may stay.
pub(crate) fn is_goal(problem: &Problem<'_>, configuration: &Configuration) -> bool {
    let start = &problem.start.components;
    let mut new: FxHashMap<Component, usize> = FxHashMap::default();
    for (_, component) in configuration.components.iter().filter(|(id, _)| !start.contains_key(id)) {
        *new.entry(*component).or_default() += 1;
    }
    let mut named: FxHashSet<ComponentId> = FxHashSet::default();
    for wanted in &problem.wanted {
        let component = Component { kind: wanted.kind, state: wanted.state };
        if let Some(id) = wanted.existing {
            named.insert(id);
            let expected = (!wanted.then_delete).then_some(&component);
            if configuration.components.get(&id) != expected {
                return false;
            }
        } else if let Some(left) = new.get_mut(&component).filter(|left| **left > 0) {
            *left -= 1;
        } else {
            return false;
        }
    }
    let mut rest = start.iter().filter(|(id, _)| !named.contains(id));
    match problem.others {
        // Helpers may stay; what was deployed must.
        Others::Keep => rest.all(|(id, component)| configuration.components.get(id) == Some(component)),
        Others::Delete => {
            rest.all(|(id, _)| !configuration.components.contains_key(id))
                && new.values().all(|&left| left == 0)
        }
    }
}

fn moves(problem: &Problem<'_>, place: &Place, most: usize) -> Vec<(Vec<Action>, u32)> {
    let (universe, configuration) = (problem.universe, &place.configuration);
    let mut moves = Vec::new();
    for (&id, &Component { kind, state }) in &configuration.components {
        for &to in &universe.state(kind, state).next {
            moves.extend(
                enter(problem, configuration, id, kind, (state, to)).map(|actions| (actions, place.next)),
            );
        }
    }
    if configuration.components.len() < most {
        for (kind, _) in universe.types() {
            moves.push((vec![Action::New(ComponentId(place.next), kind)], place.next + 1));
        }
    }
    for &id in configuration.components.keys() {
        moves.push((vec![Action::Delete(id)], place.next));
    }
    moves
}

/// Binds what a state requires, enters it, and takes away the bindings that are not needed there.
fn enter(
    problem: &Problem<'_>,
    configuration: &Configuration,
    id: ComponentId,
    kind: TypeId,
    (from, to): (StateId, StateId),
) -> Option<Vec<Action>> {
    let universe = problem.universe;
    let target = universe.state(kind, to);
    let (mut actions, mut taken) = (Vec::new(), FxHashSet::default());
    for requirement in target.requires.iter().filter(|r| r.number > 0) {
        let port = requirement.port;
        let mut found = 0;
        let provides = |other: ComponentId, component: &Component| {
            let state = universe.state(component.kind, component.state);
            other != id && state.provision(port).is_some()
        };
        let bound = |other: ComponentId| {
            configuration.bindings.contains(&Binding { port, requirer: id, provider: other })
        };
        let mut order: Vec<(bool, ComponentId)> = configuration
            .components
            .iter()
            .filter(|(other, component)| provides(**other, component))
            .map(|(other, _)| (!bound(*other), *other))
            .collect();
        order.sort_unstable();
        for (is_new, provider) in order {
            if found == requirement.number {
                break;
            }
            let component = configuration.components[&provider];
            let capacity = universe.state(component.kind, component.state).provision(port)?.capacity;
            let used =
                configuration.bindings.iter().filter(|b| b.port == port && b.provider == provider).count();
            if is_new && capacity.is_some_and(|capacity| used >= capacity as usize) {
                continue;
            }
            found += 1;
            let binding = Binding { port, requirer: id, provider };
            taken.insert(binding);
            if is_new {
                actions.push(Action::Bind(binding));
            }
        }
        if found < requirement.number {
            return None;
        }
    }
    actions.push(Action::Change(vec![Change { component: id, from, to }]));
    let mine = configuration.bindings.iter().filter(|b| b.requirer == id && !taken.contains(*b));
    actions.extend(mine.map(|&binding| Action::Unbind(binding)));
    Some(actions)
}

/// The actions from the start on, each after the one before.
fn unrolled(problem: &Problem<'_>, place: &Rc<Place>) -> Plan {
    let mut parts: Vec<&[Action]> = Vec::new();
    let mut at = Some(place);
    while let Some(here) = at {
        parts.push(&here.actions);
        at = here.before.as_ref();
    }
    let actions: Vec<&Action> = parts.into_iter().rev().flatten().collect();
    let mut plan = Plan { end: place.configuration.clone(), ..Plan::default() };
    for (index, name) in problem.names.iter().enumerate() {
        let kind = problem.start.components.get(&ComponentId(index as u32)).map_or(TypeId(0), |c| c.kind);
        plan.components.push(Planned { name: name.clone(), kind, is_new: false });
    }
    for action in &actions {
        if let Action::New(id, kind) = action {
            let name = format!("{}-{}", problem.universe.kind(*kind).name, id.0 + 1);
            debug_assert_eq!(id.index(), plan.components.len(), "new components are numbered in order");
            plan.components.push(Planned { name, kind: *kind, is_new: true });
        }
    }
    let steps = actions.into_iter().enumerate().map(|(index, action)| Step {
        action: action.clone(),
        after: index.checked_sub(1).map(|before| before as u32).into_iter().collect(),
    });
    plan.steps = steps.collect();
    plan
}
