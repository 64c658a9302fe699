//! The check of temporal properties against the definition: formulas evaluated on lassos, lassos enumerated.

use proptest::collection::vec;
use proptest::prelude::*;

use super::lasso::Hop;
use super::{Formula, Lasso, Obligations, Temporal};
use crate::graph::{Edge, Graph};

const STATE_ATOMS: usize = 2;
const STEP_ATOMS: usize = 2;

/// A graph in the open: which state atoms are true in each state, and the steps with their step atoms.
#[derive(Clone, Debug)]
struct Plain {
    atoms: Vec<u64>,
    steps: Vec<Vec<(usize, u64)>>,
    initial: usize,
}

impl Plain {
    fn graph(&self) -> Graph {
        let mut letters: Vec<Box<[u64]>> = Vec::new();
        let mut letter = |state: u64, step: u64| {
            let words: Box<[u64]> = [state, step].into();
            letters.iter().position(|other| *other == words).unwrap_or_else(|| {
                letters.push(words);
                letters.len() - 1
            }) as u32
        };
        let mut steps = Vec::new();
        let mut stutter = Vec::new();
        for (state, &atoms) in self.atoms.iter().enumerate() {
            let edge = |&(to, step): &(usize, u64)| Edge { to: to as u32, letter: letter(atoms, step) };
            steps.push(self.steps[state].iter().map(edge).collect());
            stutter.push(letter(atoms, 0));
        }
        Graph::from_parts(&steps, stutter, self.initial as u32, letters)
    }

    /// All steps of a state, stuttering included.
    fn all_steps(&self, state: usize) -> impl Iterator<Item = (usize, u64)> {
        self.steps[state].iter().copied().chain([(state, 0)])
    }

    /// Whether some lasso with at most `length` steps satisfies `formula`.
    fn has_lasso(&self, formula: &Formula, length: usize) -> bool {
        (0..self.initial).any(|start| self.extend(formula, length, &mut vec![start], &mut Vec::new()))
    }

    fn extend(
        &self,
        formula: &Formula,
        length: usize,
        states: &mut Vec<usize>,
        steps: &mut Vec<u64>,
    ) -> bool {
        let at = states[states.len() - 1];
        for (to, step) in self.all_steps(at) {
            steps.push(step);
            for back in (0..states.len()).filter(|&back| states[back] == to) {
                let word: Word =
                    states.iter().zip(&*steps).map(|(&state, &step)| (self.atoms[state], step)).collect();
                if holds(formula, &word, back)[0] {
                    return true;
                }
            }
            if steps.len() < length {
                states.push(to);
                let found = self.extend(formula, length, states, steps);
                states.pop();
                if found {
                    return true;
                }
            }
            steps.pop();
        }
        false
    }
}

/// State and step atoms at each place.
type Word = Vec<(u64, u64)>;

/// The definition: where in a word that goes back from its end to `back` the formula is true.
fn holds(formula: &Formula, word: &Word, back: usize) -> Vec<bool> {
    // From a place one comes to all places behind it, and to the whole cycle.
    let ahead = |place: usize| place.min(back)..word.len();
    let places = 0..word.len();
    match formula {
        Formula::Constant(value) => vec![*value; word.len()],
        Formula::State(atom) => word.iter().map(|(state, _)| state >> atom & 1 == 1).collect(),
        Formula::Step(atom) => word.iter().map(|(_, step)| step >> atom & 1 == 1).collect(),
        Formula::Not(part) => holds(part, word, back).into_iter().map(|value| !value).collect(),
        Formula::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, word, back)).collect();
            places.map(|place| parts.iter().all(|part| part[place])).collect()
        }
        Formula::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, word, back)).collect();
            places.map(|place| parts.iter().any(|part| part[place])).collect()
        }
        Formula::Always(part) => {
            let part = holds(part, word, back);
            places.map(|place| ahead(place).all(|place| part[place])).collect()
        }
        Formula::Eventually(part) => {
            let part = holds(part, word, back);
            places.map(|place| ahead(place).any(|place| part[place])).collect()
        }
    }
}

/// The word of a lasso, and where its cycle begins. Panics if it is not one of the graph.
fn word(plain: &Plain, graph: &Graph, lasso: &Lasso) -> (Word, usize) {
    assert!((lasso.start as usize) < plain.initial);
    let mut at = lasso.start;
    let mut word = Word::new();
    let mut take = |hops: &[Hop]| {
        for hop in hops {
            let letter = &graph.letters()[hop.letter as usize];
            assert_eq!(letter[0], plain.atoms[at as usize]);
            assert!(plain.all_steps(at as usize).any(|step| step == (hop.to as usize, letter[1])));
            word.push((letter[0], letter[1]));
            at = hop.to;
        }
        at
    };
    let entry = take(&lasso.way);
    if lasso.cycle.is_empty() {
        word.push((plain.atoms[entry as usize], 0));
    } else {
        assert_eq!(take(&lasso.cycle), entry, "the cycle is closed");
    }
    (word, lasso.way.len())
}

/// The lassos of at most so many properties, and how many states are in fair components, which is the same whoever
/// looks for them.
fn by_threads(temporal: &Temporal, graph: &Graph, limit: usize) -> (Vec<(usize, Lasso)>, Option<u64>) {
    let find = |threads| {
        let found = temporal.check(graph, limit, (threads, usize::MAX), &|| None).unwrap();
        assert_eq!(found.ended, None);
        (found.lassos, found.fair)
    };
    let alone = find(1);
    for threads in [2, 3, 7] {
        assert_eq!(find(threads), alone, "{threads} threads find something else");
    }
    alone
}

fn check(plain: &Plain, assumptions: &[Formula], property: &Formula, stutter_invariant: bool) {
    let obligations = Obligations {
        state_atoms: STATE_ATOMS,
        step_atoms: STEP_ATOMS,
        enabled: Vec::new(),
        assumptions: assumptions.to_vec(),
        properties: vec![property.clone()],
    };
    let temporal = Temporal::new(obligations).unwrap();
    let graph = plain.graph();
    let found = by_threads(&temporal, &graph, 1).0;
    let violation = Formula::And(assumptions.to_vec()).and(property.clone().not());
    if let [(0, lasso)] = &found[..] {
        let (letters, back) = word(plain, &graph, lasso);
        assert!(holds(&violation, &letters, back)[0], "no violation: {letters:?} back to {back}");
        if stutter_invariant {
            let (letters, back) = word(plain, &graph, &lasso.without_stuttering(&graph).unwrap());
            assert!(holds(&violation, &letters, back)[0], "none without stuttering: {letters:?} to {back}");
        }
    } else {
        assert!(found.is_empty());
        assert!(!plain.has_lasso(&violation, 6), "a violation was missed");
    }
}

fn plain() -> impl Strategy<Value = Plain> {
    (1..4_usize).prop_flat_map(|states| {
        let steps = vec(vec((0..states, 0..1_u64 << STEP_ATOMS), 0..3), states);
        (vec(0..1_u64 << STATE_ATOMS, states), steps, 1..=states.min(2)).prop_map(
            |(atoms, steps, initial)| {
                let mut plain = Plain { atoms, steps, initial };
                plain.make_reachable();
                plain
            },
        )
    })
}

impl Plain {
    /// Every state of a state graph is reachable: leaves the others out.
    fn make_reachable(&mut self) {
        let mut order: Vec<usize> = (0..self.initial).collect();
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            for &(to, _) in &self.steps[state] {
                if !order.contains(&to) {
                    order.push(to);
                }
            }
            next += 1;
        }
        let place = |state: usize| order.iter().position(|&other| other == state).unwrap();
        let steps = |&state: &usize| self.steps[state].iter().map(|&(to, step)| (place(to), step)).collect();
        self.steps = order.iter().map(steps).collect();
        self.atoms = order.iter().map(|&state| self.atoms[state]).collect();
    }
}

fn state_formula() -> impl Strategy<Value = Formula> {
    let atom = (0..STATE_ATOMS).prop_map(Formula::State);
    prop_oneof![
        4 => atom.clone(),
        2 => atom.clone().prop_map(Formula::not),
        1 => vec(atom.clone(), 2).prop_map(Formula::And),
        1 => vec(atom, 2).prop_map(Formula::Or),
        1 => any::<bool>().prop_map(Formula::Constant),
    ]
}

fn nested(leaf: BoxedStrategy<Formula>) -> impl Strategy<Value = Formula> {
    leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            2 => inner.clone().prop_map(Formula::not),
            2 => vec(inner.clone(), 1..3).prop_map(Formula::And),
            2 => vec(inner.clone(), 1..3).prop_map(Formula::Or),
            3 => inner.clone().prop_map(Formula::always),
            3 => inner.clone().prop_map(Formula::eventually),
            1 => (inner.clone(), inner).prop_map(|(from, to)| from.leads_to(to)),
        ]
    })
}

/// Any formula, step atoms anywhere.
fn any_formula() -> impl Strategy<Value = Formula> {
    nested(prop_oneof![2 => state_formula(), 1 => (0..STEP_ATOMS).prop_map(Formula::Step)].boxed())
}

/// A formula as TLA+ has them: steps only as `[][A]_v`, `<><<A>>_v` and in fairness.
fn tla_formula() -> impl Strategy<Value = Formula> {
    let step = (0..STEP_ATOMS).prop_map(Formula::Step);
    let leaf = prop_oneof![
        4 => state_formula(),
        1 => step.clone().prop_map(|step| step.not().always()),
        1 => step.prop_map(Formula::eventually),
        1 => fairness(),
    ];
    nested(leaf.boxed())
}

fn fairness() -> impl Strategy<Value = Formula> {
    (state_formula(), 0..STEP_ATOMS, any::<bool>()).prop_map(|(enabled, step, weak)| {
        let step = Formula::Step(step);
        if weak { Formula::weak_fairness(enabled, step) } else { Formula::strong_fairness(enabled, step) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_property_agrees_with_the_definition(plain in plain(), property in any_formula()) {
        check(&plain, &[], &property, false);
    }

    #[test]
    fn properties_under_fairness_agree_with_the_definition(
        plain in plain(),
        fairness in vec(fairness(), 1..4),
        property in tla_formula(),
    ) {
        check(&plain, &fairness, &property, true);
    }

    #[test]
    fn any_assumption_agrees_with_the_definition(
        plain in plain(),
        assumption in any_formula(),
        property in any_formula(),
    ) {
        check(&plain, &[assumption], &property, false);
    }
}

/// Threads that look for components together get in each other's way: large graphs, with components of all sizes.
#[test]
fn several_threads_find_the_components_that_one_finds() {
    let atom = Formula::State;
    let fairness = [
        Formula::strong_fairness(atom(0), Formula::Step(0)),
        Formula::strong_fairness(atom(1), Formula::Step(1)),
    ];
    let properties = vec![
        atom(0).always().eventually(),
        Formula::Or(vec![atom(1).not().always().eventually(), atom(0).eventually().always()]),
        atom(0).leads_to(Formula::And(vec![atom(1), atom(0).not()])),
    ];
    let obligations = Obligations {
        state_atoms: STATE_ATOMS,
        step_atoms: STEP_ATOMS,
        enabled: Vec::new(),
        assumptions: fairness.to_vec(),
        properties,
    };
    let temporal = Temporal::new(obligations).unwrap();
    let mut random = 1_u64;
    let mut next = move |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize % below
    };
    let mut sizes = std::collections::BTreeSet::new();
    for round in 0..60 {
        let states = 300 + next(1200);
        // How often a step leads back, and how far.
        let (back, far) = ([0, 2, 10, 40, 100][round % 5], [3, 30, states][round % 3]);
        let mut plain =
            Plain { atoms: (0..states).map(|_| next(4) as u64).collect(), steps: Vec::new(), initial: 1 };
        for state in 0..states {
            let mut steps = vec![((state + 1).min(states - 1), next(4) as u64)];
            for _ in 0..next(3) {
                let far = 1 + next(far);
                let to =
                    if next(100) < back { state.saturating_sub(far) } else { (state + far).min(states - 1) };
                steps.push((to, next(4) as u64));
            }
            plain.steps.push(steps);
        }
        let (lassos, fair) = by_threads(&temporal, &plain.graph(), 3);
        sizes.insert((lassos.len(), fair.map(|fair| fair * 4 / states as u64)));
    }
    assert!(sizes.len() > 4, "the graphs are all alike: {sizes:?}");
}
