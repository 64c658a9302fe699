//! Definition 3 beside a second, naive reading of it.

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{Binding, Configuration, Universe};

/// The definition word by word: for every component, every active port, over all other components.
fn is_correct(universe: &Universe, configuration: &Configuration) -> bool {
    let provides = |other: &locus_aeolus::Component, port| {
        universe.state(other.kind, other.state).provides.iter().any(|p| p.port == port)
    };
    configuration.components.iter().all(|(&z, component)| {
        let state = universe.state(component.kind, component.state);
        let others = || configuration.components.iter().filter(move |&(&other, _)| other != z);
        state.requires.iter().all(|r| {
            let serving = others().filter(|&(&provider, other)| {
                let binding = Binding { port: r.port, requirer: z, provider };
                configuration.bindings.contains(&binding) && provides(other, r.port)
            });
            if r.number == 0 {
                others().all(|(_, other)| !provides(other, r.port))
            } else {
                serving.count() >= r.number as usize
            }
        }) && state.provides.iter().all(|p| {
            let bound = configuration.bindings.iter().filter(|b| b.port == p.port && b.provider == z);
            p.capacity.is_none_or(|most| bound.count() <= most as usize)
        })
    })
}

#[test]
fn correctness_is_what_the_definition_says() {
    let shape = Shape { types: 3, states: 3, ports: 3, number: 2, capacities: 30, conflicts: 20 };
    let mut dice = Dice::new(7);
    let mut correct = 0;
    for _ in 0..50_000 {
        let universe = random::universe(&mut dice, shape);
        let configuration = random::configuration(&mut dice, &universe, 4);
        let expected = is_correct(&universe, &configuration);
        assert_eq!(configuration.is_correct(&universe), expected, "{configuration:?} over {universe:?}");
        correct += usize::from(expected && configuration.components.len() > 1);
    }
    assert!(correct > 1000, "only {correct} configurations with two components or more were correct");
}
