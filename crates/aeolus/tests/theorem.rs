//! Theorem 1 of the report: the rules of figure 16 and the transitions of the location graph allow the same actions,
//! with corresponding results.
//!
//! On random configurations, correct or not, both ways: what the rules allow, and what `graph::semantics` computes
//! from the individual transitions of the administrator, the components and the bindings. And again after each of a
//! few steps, since a graph that was stepped has roles that one made from a configuration has not (those that
//! deletion leaves unbound).

use std::collections::{BTreeMap, BTreeSet};

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{
    Action, ComponentId, Configuration, Deploying, Deployment, Universe, interpret, read_back,
};
use locus_graph::semantics::{Context, StepOptions, step};

/// The components by the names of their locations. A name that is new stands for the component `fresh`.
struct Ids {
    known: BTreeMap<String, ComponentId>,
    fresh: ComponentId,
}

impl Ids {
    fn get(&self, name: &str) -> ComponentId {
        self.known.get(name).copied().unwrap_or(self.fresh)
    }
}

/// Compares what both sides allow, and gives the graphs after each action.
fn compare(
    universe: &Universe,
    configuration: &Configuration,
    deployment: &Deployment,
    ids: &Ids,
) -> Vec<(Action, Configuration, Deployment)> {
    let deploying = Deploying { universe, at_once: usize::MAX };
    let mut symbols = deployment.symbols.clone();
    let context = Context::of(&deployment.locations);
    let steps = step(&deploying, &deployment.locations, &context, &mut symbols, StepOptions::default());
    let steps = steps.expect("small graphs are stepped");
    let mut by_graph = Vec::new();
    for one in &steps {
        let action = deploying.action(&symbols, one, |name| ids.get(name)).expect("every step is an action");
        let transition = one.transition(&deployment.locations);
        assert!(transition.label().is_silent(), "a deployment needs nobody outside");
        let after = Deployment { symbols: symbols.clone(), locations: transition.term().clone() };
        let result = read_back(universe, &after, |name| ids.get(name)).expect("it stays well-formed");
        by_graph.push((action, result, after));
    }
    let seen: BTreeSet<_> =
        by_graph.iter().map(|(action, result, _)| (action.clone(), result.clone())).collect();
    assert_eq!(seen.len(), by_graph.len(), "no action is found twice");
    let by_rules: BTreeSet<_> = configuration
        .actions(universe, usize::MAX)
        .into_iter()
        .map(|action| {
            let result = configuration.after(universe, &action).expect("the rules allow what they list");
            (action, result)
        })
        .collect();
    let only_rules: Vec<_> = by_rules.difference(&seen).collect();
    let only_graph: Vec<_> = seen.difference(&by_rules).collect();
    assert!(
        only_rules.is_empty() && only_graph.is_empty(),
        "{configuration:?}\nonly by the rules: {only_rules:?}\nonly by the graph: {only_graph:?}\n{universe:?}"
    );
    by_graph
}

/// Compares both sides on this many random configurations; gives how many actions were compared.
fn compare_many(configurations: usize, seed: u64) -> usize {
    let shape = Shape { types: 2, states: 3, ports: 2, number: 2, capacities: 30, conflicts: 20 };
    let mut dice = Dice::new(seed);
    let (mut compared, mut actions) = (0, 0);
    while compared < configurations {
        let universe = random::universe(&mut dice, shape);
        let mut configuration = random::configuration(&mut dice, &universe, 3);
        let mut ids = Ids { known: BTreeMap::new(), fresh: configuration.fresh() };
        let mut deployment = interpret(&universe, &configuration, |id| format!("z{}", id.0));
        for id in configuration.components.keys() {
            ids.known.insert(format!("z{}", id.0), *id);
        }
        assert_eq!(read_back(&universe, &deployment, |name| ids.get(name)).as_ref(), Ok(&configuration));
        for _ in 0..3 {
            let mut found = compare(&universe, &configuration, &deployment, &ids);
            compared += 1;
            actions += found.len();
            let (action, after, graph) = found.swap_remove(dice.below(found.len()));
            if after.components.len() > 3 {
                break;
            }
            if let Action::New(id, _) = action {
                let names = graph.locations.iter().map(|location| graph.symbols.name_text(location.name()));
                let new = names.into_iter().find(|name| {
                    !ids.known.contains_key(*name) && !name.starts_with("binding") && *name != "administrator"
                });
                ids.known.insert(new.expect("there is a new component").to_owned(), id);
            }
            if let Action::Delete(id) = action {
                ids.known.retain(|_, known| *known != id);
            }
            (configuration, deployment) = (after, graph);
            ids.fresh = configuration.fresh();
        }
    }
    actions
}

#[test]
fn the_rules_and_the_location_graph_allow_the_same() {
    let actions = compare_many(20_000, 1);
    assert!(actions > 100_000, "only {actions} actions were compared");
}
