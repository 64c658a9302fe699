//! The worlds that there can be: which conditions can hold together, and with which values of parameters.
//!
//! A parameter has one of the values that it is compared with, or another; so each has few values that matter. They
//! are tried one after the other, and given up as soon as what is asked of the conditions cannot hold any more. A
//! condition whose formula cannot be decided may hold or not.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_source::{Node, Span};
use rustc_hash::FxHashMap;

use super::conditions::parameter;
use super::{Assumed, Evaluator, Guard, World, function_of};
use crate::values::parameters::Parameter;
use crate::values::scope::Scope;

/// So many choices are made for one question.
const MOST_STEPS: usize = 4_000;

/// So many combinations of conditions are looked at in one place.
pub(crate) const MOST_WORLDS: usize = 64;

/// Finds worlds.
pub(crate) struct Worlds<'w, 't> {
    scope: &'w Scope<'t>,
    /// The parameters that a condition depends on.
    parameters: FxHashMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// The values of parameters that matter.
    values: FxHashMap<Arc<str>, Vec<Assumed>>,
    /// All that the section `Rules` demands, with the parameters that it is about.
    demands: Vec<(Node<'t>, BTreeSet<Arc<str>>)>,
    known: FxHashMap<Vec<Guard>, Option<World>>,
}

/// A world and the conditions in it that were chosen.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    pub(crate) world: World,
    pub(crate) chosen: Vec<Guard>,
}

impl<'w, 't> Worlds<'w, 't> {
    pub(crate) fn new(scope: &'w Scope<'t>) -> Self {
        let mut literals: FxHashMap<Arc<str>, Vec<Arc<str>>> = FxHashMap::default();
        let conditions = scope.conditions.iter().map(|one| one.node);
        for node in conditions.chain(scope.demands.iter().copied()) {
            compared(node, &mut literals);
        }
        let mut values = FxHashMap::default();
        let names = scope.parameters.iter().map(|one| &one.name.text).chain(literals.keys());
        let names: BTreeSet<Arc<str>> = names.cloned().collect();
        for name in names {
            let compared = literals.get(&name).map_or(&[][..], Vec::as_slice);
            values.insert(Arc::clone(&name), domain(scope, &name, compared));
        }
        let mut worlds = Self {
            scope,
            parameters: FxHashMap::default(),
            values,
            demands: Vec::new(),
            known: FxHashMap::default(),
        };
        let open = worlds.open(&worlds.values.keys().cloned().collect());
        for one in &scope.conditions {
            let mut evaluator = Evaluator::new(scope, &open, None);
            evaluator.loops.clone_from(&one.loops);
            evaluator.condition(&one.name, scope.file.place(Span::point(0)));
            worlds.parameters.insert(Arc::clone(&one.name), evaluator.parameters);
        }
        for node in &scope.demands {
            let mut evaluator = Evaluator::new(scope, &open, None);
            evaluator.formula(*node);
            worlds.demands.push((*node, evaluator.parameters));
        }
        worlds
    }

    /// A world in which nothing is known of some parameters.
    fn open(&self, names: &BTreeSet<Arc<str>>) -> World {
        let parameters =
            names.iter().filter(|name| self.values.get(*name).is_some_and(|all| !all.is_empty()));
        World {
            parameters: parameters.map(|name| (Arc::clone(name), Assumed::Open)).collect(),
            ..World::default()
        }
    }

    /// A world in which conditions hold, or do not, as is asked; nothing if there is none, or none was found.
    pub(crate) fn find(&mut self, wanted: &[Guard]) -> Option<World> {
        let mut wanted = wanted.to_vec();
        wanted.sort();
        wanted.dedup();
        if wanted.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        if let Some(known) = self.known.get(&wanted) {
            return known.clone();
        }
        let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
        for (name, _) in &wanted {
            names.extend(self.parameters.get(name).into_iter().flatten().cloned());
        }
        let mut demands: Vec<Node<'t>> = Vec::new();
        for (node, about) in &self.demands {
            if !about.is_disjoint(&names) {
                names.extend(about.iter().cloned());
                demands.push(*node);
            }
        }
        let mut world = self.open(&names);
        world.conditions = wanted.iter().cloned().collect();
        let names: Vec<Arc<str>> =
            world.parameters.keys().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        let mut steps = 0;
        let found = self.search(&names, &wanted, &demands, &mut world, &mut steps).then_some(world);
        self.known.insert(wanted, found.clone());
        found
    }

    fn search(
        &self,
        names: &[Arc<str>],
        wanted: &[Guard],
        demands: &[Node<'t>],
        world: &mut World,
        steps: &mut usize,
    ) -> bool {
        *steps += 1;
        if *steps > MOST_STEPS || !self.may_hold(wanted, demands, world) {
            return false;
        }
        let Some((first, rest)) = names.split_first() else { return true };
        for value in self.values.get(first).map_or(&[][..], Vec::as_slice) {
            world.parameters.insert(Arc::clone(first), value.clone());
            if self.search(rest, wanted, demands, world, steps) {
                return true;
            }
        }
        world.parameters.insert(Arc::clone(first), Assumed::Open);
        false
    }

    fn may_hold(&self, wanted: &[Guard], demands: &[Node<'t>], world: &World) -> bool {
        let everywhere = self.scope.file.place(Span::point(0));
        wanted.iter().all(|(name, holds)| {
            let mut evaluator = Evaluator::new(self.scope, world, None);
            evaluator.formula_of(name, everywhere).is_none_or(|found| found == *holds)
        }) && demands.iter().all(|node| {
            let mut evaluator = Evaluator::new(self.scope, world, None);
            evaluator.formula(*node) != Some(false)
        })
    }

    /// The combinations of some conditions that there can be, beside what is asked of others. If they are too many,
    /// each condition holds in one of them and does not in another; the flag says so.
    pub(crate) fn combinations(
        &mut self,
        names: &BTreeSet<Arc<str>>,
        fixed: &[Guard],
        most: usize,
    ) -> (Vec<Combination>, bool) {
        let names: Vec<&Arc<str>> =
            names.iter().filter(|name| self.scope.condition(name).is_some() && !has(fixed, name)).collect();
        let mut open = vec![fixed.to_vec()];
        for name in &names {
            let mut next = Vec::new();
            for chosen in open {
                for holds in [true, false] {
                    let mut chosen = chosen.clone();
                    chosen.push((Arc::clone(name), holds));
                    if self.find(&chosen).is_some() {
                        next.push(chosen);
                    }
                }
            }
            if next.len() > most {
                return (self.each(&names, fixed), false);
            }
            open = next;
        }
        let all = open.into_iter();
        let all = all.filter_map(|chosen| Some(Combination { world: self.find(&chosen)?, chosen }));
        (all.collect(), true)
    }

    /// For each condition a combination in which it holds, and one in which it does not.
    fn each(&mut self, names: &[&Arc<str>], fixed: &[Guard]) -> Vec<Combination> {
        let mut all: Vec<Combination> = Vec::new();
        for name in names {
            for holds in [true, false] {
                if all.iter().any(|one| one.chosen.contains(&(Arc::clone(name), holds))) {
                    continue;
                }
                let mut chosen = fixed.to_vec();
                chosen.push((Arc::clone(name), holds));
                if self.find(&chosen).is_none() {
                    continue;
                }
                // The others are as they come.
                for other in names.iter().filter(|other| *other != name) {
                    for holds in [true, false] {
                        chosen.push((Arc::clone(other), holds));
                        if self.find(&chosen).is_some() {
                            break;
                        }
                        chosen.pop();
                    }
                }
                all.extend(self.find(&chosen).map(|world| Combination { world, chosen }));
            }
        }
        all
    }
}

fn has(guards: &[Guard], name: &str) -> bool {
    guards.iter().any(|(known, _)| **known == *name)
}

/// All that parameters are compared with in a formula.
fn compared(node: Node<'_>, literals: &mut FxHashMap<Arc<str>, Vec<Arc<str>>>) {
    let pairs: Vec<(Node<'_>, Node<'_>)> = match function_of(node) {
        Some((name, argument)) if name == "Fn::Equals" => {
            let parts: Vec<Node<'_>> = argument.items().collect();
            if let [a, b] = parts.as_slice() { vec![(*a, *b), (*b, *a)] } else { Vec::new() }
        }
        Some((name, argument)) if name == "Fn::Contains" => {
            let parts: Vec<Node<'_>> = argument.items().collect();
            if let [list, value] = parts.as_slice() {
                list.items().map(|item| (*value, item)).collect()
            } else {
                Vec::new()
            }
        }
        _ => Vec::new(),
    };
    for (one, other) in pairs {
        if let Some(name) = parameter(one)
            && other.is_scalar()
            && function_of(other).is_none()
        {
            let text: Arc<str> = match other.as_bool() {
                Some(value) => value.to_string().into(),
                None => other.raw().into(),
            };
            let all = literals.entry(name.into()).or_default();
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    node.items().for_each(|item| compared(item, literals));
    node.entries().for_each(|entry| compared(entry.value, literals));
}

/// The values of a parameter that matter, the default first.
fn domain(scope: &Scope<'_>, name: &Arc<str>, compared: &[Arc<str>]) -> Vec<Assumed> {
    if let Some(given) = scope.given(name) {
        return vec![Assumed::Is(given.into())];
    }
    let parameter = scope.parameter(name);
    let default = parameter.and_then(Parameter::default_text);
    let allowed: &[Arc<str>] = parameter.map_or(&[], |one| &one.allowed);
    let mut values: Vec<Arc<str>> = default.into_iter().collect();
    if allowed.is_empty() {
        values.extend(compared.iter().filter(|one| values.first() != Some(one)).cloned().collect::<Vec<_>>());
        let has_other = values.first().is_some_and(|first| parameter.is_some() && !compared.contains(first));
        let other = if has_other { None } else { Some(Assumed::Other) };
        return values.into_iter().map(Assumed::Is).chain(other).collect();
    }
    // Of the allowed values that nothing is compared with, one stands for all.
    let mut has_other = values.first().is_some_and(|first| !compared.contains(first));
    for value in allowed {
        let is_compared = compared.contains(value);
        if !values.contains(value) && (is_compared || !has_other) {
            has_other |= !is_compared;
            values.push(Arc::clone(value));
        }
    }
    values.into_iter().map(Assumed::Is).collect()
}
