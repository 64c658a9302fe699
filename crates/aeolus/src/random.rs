//! Universes and configurations chosen at random, for tests and measurements here and in the crates above.
//!
//! The same seed gives the same choices on every machine.

use crate::{Action, ComponentType, Configuration, Provision, Requirement, State, StateId, TypeId, Universe};

/// A source of choices: the generator `splitmix64`.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The source with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// How large a universe is, and what is in it.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The most component types.
    pub types: usize,
    /// The most states of a type.
    pub states: usize,
    /// The number of interface names.
    pub ports: usize,
    /// The most components that a requirement asks for.
    pub number: u32,
    /// How many of 100 provided ports have a capacity.
    pub capacities: usize,
    /// How many of 100 required ports are conflicts.
    pub conflicts: usize,
}

/// A universe of this shape.
pub fn universe(dice: &mut Dice, shape: Shape) -> Universe {
    let mut universe = Universe::new();
    let ports: Vec<_> = (0..shape.ports).map(|i| universe.port(&format!("p{i}"))).collect();
    for number in 0..=dice.below(shape.types) {
        let states = 1 + dice.below(shape.states);
        let mut kind = ComponentType { name: format!("T{number}"), cost: 1, ..ComponentType::default() };
        for index in 0..states {
            let mut state = State { name: format!("s{index}"), ..State::default() };
            // A way through all states, so that most can be reached, and other transitions beside it.
            if index + 1 < states {
                state.next.push(StateId(index as u32 + 1));
            }
            for other in 0..states {
                if dice.chance(20) {
                    state.next.push(StateId(other as u32));
                }
            }
            for &port in &ports {
                if dice.chance(35) {
                    let capacity = dice.chance(shape.capacities).then(|| 1 + dice.below(2) as u32);
                    state.provides.push(Provision { port, capacity });
                }
                if dice.chance(if index == 0 { 10 } else { 30 }) {
                    let conflict = dice.chance(shape.conflicts);
                    let number = if conflict { 0 } else { 1 + dice.below(shape.number as usize) as u32 };
                    state.requires.push(Requirement { port, number });
                }
            }
            kind.states.push(state);
        }
        universe.add(kind);
    }
    universe
}

/// A configuration with this many components at most, in any states and with any bindings: correct or not.
pub fn configuration(dice: &mut Dice, universe: &Universe, components: usize) -> Configuration {
    let mut configuration = Configuration::new();
    for _ in 0..dice.below(components + 1) {
        let kind = TypeId(dice.below(universe.types().len()) as u32);
        let id = configuration.fresh();
        configuration.perform(universe, &Action::New(id, kind)).expect("a fresh component of a known type");
        let state = StateId(dice.below(universe.kind(kind).states.len()) as u32);
        configuration.components.get_mut(&id).expect("just created").state = state;
    }
    let binds = configuration.actions(universe, 0);
    for action in binds.into_iter().filter(|action| matches!(action, Action::Bind(_))) {
        if dice.chance(40) {
            configuration.perform(universe, &action).expect("it was possible, and others do not change that");
        }
    }
    configuration
}
