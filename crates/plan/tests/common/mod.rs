//! The planner beside brute force, on random universes: the same targets can be reached, plans are valid, and the
//! smallest configurations have the same size. For tests and for the measurement `examples/brute_force.rs`.
//!
//! Brute force goes through all multisets of states of a few components, with all bindings that are possible: without
//! capacities and conflicts, more bindings never do harm.

use std::collections::{HashSet, VecDeque};

use locus_aeolus::random::{self, Dice, Shape};
use locus_aeolus::{Configuration, Counted, Relation, StateId, Sum, TypeId, Universe, Want};
use locus_plan::{Answer, Choice, Limits, Others, Problem, Wanted, check, choose, solve, wanted};

type States = Vec<(TypeId, StateId)>;

fn is_correct(universe: &Universe, states: &States) -> bool {
    states.iter().enumerate().all(|(index, &(kind, state))| {
        universe.state(kind, state).requires.iter().all(|requirement| {
            let others = states.iter().enumerate().filter(|&(other, &(kind, state))| {
                other != index && universe.state(kind, state).provision(requirement.port).is_some()
            });
            others.count() >= requirement.number as usize
        })
    })
}

/// All ways in which some components change their states at once.
fn changed(universe: &Universe, states: &States) -> Vec<States> {
    let mut found: Vec<States> = vec![Vec::new()];
    for &(kind, state) in states {
        let mut longer = Vec::new();
        for prefix in &found {
            for &to in std::iter::once(&state).chain(&universe.state(kind, state).next) {
                let mut prefix = prefix.clone();
                prefix.push((kind, to));
                longer.push(prefix);
            }
        }
        found = longer;
    }
    found
}

/// All multisets that follow: one component more, one less, or some change their states at once.
fn next(universe: &Universe, states: &States, most: usize) -> Vec<States> {
    let mut found = changed(universe, states);
    if states.len() < most {
        found.extend(new_ones(universe).map(|new| states.iter().copied().chain([new]).collect()));
    }
    for index in 0..states.len() {
        let mut fewer = states.clone();
        fewer.remove(index);
        found.push(fewer);
    }
    for states in &mut found {
        states.sort_unstable();
    }
    found.retain(|states| is_correct(universe, states));
    found
}

/// Components that were there at the start, by number, and others, in order.
type Deployed = (States, States);

/// Whether each deployed component gets to the state in which it is wanted, with so many others at most.
fn gets_there(universe: &Universe, start: &States, wanted: &[StateId], most: usize) -> bool {
    let mut seen: HashSet<Deployed> = HashSet::from([(start.clone(), Vec::new())]);
    let mut queue = VecDeque::from([(start.clone(), States::new())]);
    while let Some((deployed, others)) = queue.pop_front() {
        if deployed.iter().zip(wanted).all(|(&(_, state), &wanted)| state == wanted) {
            return true;
        }
        let all: States = deployed.iter().chain(&others).copied().collect();
        for states in changed(universe, &all) {
            let mut next = vec![states];
            if others.len() < most {
                let more = new_ones(universe).map(|new| all.iter().copied().chain([new]).collect());
                next.extend(more);
            }
            for index in deployed.len()..all.len() {
                let mut fewer = all.clone();
                fewer.remove(index);
                next.push(fewer);
            }
            for states in next.into_iter().filter(|states| is_correct(universe, states)) {
                let mut others = states[deployed.len()..].to_vec();
                others.sort_unstable();
                let next = (states[..deployed.len()].to_vec(), others);
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
    }
    false
}

/// Components that can be made.
fn new_ones(universe: &Universe) -> impl Iterator<Item = (TypeId, StateId)> {
    universe.types().filter_map(|(kind, declared)| {
        // A new component has no bindings yet.
        let needs_none = declared.state(declared.initial).requires.iter().all(|r| r.number == 0);
        needs_none.then_some((kind, declared.initial))
    })
}

/// The tally of comparing where something is deployed.
#[derive(Debug, Default)]
pub(crate) struct DeployedTally {
    /// There is a plan.
    pub(crate) planned: usize,
    /// There is none: some state cannot be reached.
    pub(crate) none: usize,
    /// The planner could not tell: brute force found nothing either, or there are deployed components that cannot be
    /// made anew.
    pub(crate) unknown: usize,
    /// Of the plans, those with components for a while.
    pub(crate) with_helpers: usize,
}

/// Compares on so many random universes without capacities and conflicts, in each of which some components are deployed
/// and go to other states.
///
/// # Panics
/// If brute force gets there and the planner does not, although what is deployed could be made anew.
pub(crate) fn compare_deployed(cases: usize, seed: u64) -> DeployedTally {
    let small = Shape { types: 2, states: 3, ports: 2, number: 1, capacities: 0, conflicts: 0 };
    let large = Shape { types: 3, ports: 3, number: 2, ..small };
    let (mut dice, mut tally) = (Dice::new(seed), DeployedTally::default());
    let mut left = cases;
    while left > 0 {
        let universe = random::universe(&mut dice, if left.is_multiple_of(2) { small } else { large });
        let start = random::configuration(&mut dice, &universe, 3);
        if start.components.is_empty() || !start.is_correct(&universe) {
            continue;
        }
        left -= 1;
        let names: Vec<String> = (0..=start.components.keys().map(|id| id.0).max().unwrap_or(0))
            .map(|id| format!("c{id}"))
            .collect();
        let states: States = start.components.values().map(|c| (c.kind, c.state)).collect();
        let targets: Vec<StateId> = states
            .iter()
            .map(|&(kind, _)| StateId(dice.below(universe.kind(kind).states.len()) as u32))
            .collect();
        let wanted = start.components.iter().zip(&targets).map(|((&id, component), &state)| Wanted {
            kind: component.kind,
            state,
            existing: Some(id),
            name: None,
            then_delete: false,
        });
        let problem = Problem {
            universe: &universe,
            start: &start,
            names: &names,
            wanted: wanted.collect(),
            others: Others::Keep,
        };
        let about = || format!("{targets:?} from {start:?} of {universe:?}");
        match solve(&problem, Limits { searched: 0, ..Limits::default() }).0 {
            Answer::Plan(plan) => {
                tally.planned += 1;
                check(&universe, &start, &plan, 100_000).expect("it was checked before");
                for ((id, _), &state) in start.components.iter().zip(&targets) {
                    assert_eq!(plan.end.components[id].state, state, "{}", about());
                }
                tally.with_helpers += usize::from(!locus_plan::helpers(&plan).is_empty());
            }
            Answer::None(_) => {
                tally.none += 1;
                assert!(!gets_there(&universe, &states, &targets, 2), "{}", about());
            }
            Answer::Unknown(why) => {
                tally.unknown += 1;
                // A state that nothing new gets to cannot be had twice.
                let fresh = reachable(&universe);
                let is_fresh = states.iter().all(|state| fresh.contains(state));
                assert!(!is_fresh || !gets_there(&universe, &states, &targets, 2), "{why}: {}", about());
            }
        }
    }
    tally
}

/// The fewest components at once with which the target is reached, up to `most`.
fn fewest(universe: &Universe, target: (TypeId, StateId), most: usize) -> Option<usize> {
    (1..=most).find(|&most| {
        let mut seen: HashSet<States> = HashSet::from([Vec::new()]);
        let mut queue = VecDeque::from([Vec::new()]);
        while let Some(states) = queue.pop_front() {
            if states.contains(&target) {
                return true;
            }
            for next in next(universe, &states, most) {
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        false
    })
}

/// The states that can be reached when there may be any number of components: those that can be entered, several at
/// once if they serve each other, until there are no more.
fn reachable(universe: &Universe) -> States {
    let mut found: States = Vec::new();
    for (kind, declared) in universe.types() {
        if declared.state(declared.initial).requires.iter().all(|requirement| requirement.number == 0) {
            found.push((kind, declared.initial));
        }
    }
    loop {
        let mut more = found.clone();
        for &(kind, state) in &found {
            more.extend(universe.state(kind, state).next.iter().map(|&next| (kind, next)));
        }
        more.sort_unstable();
        more.dedup();
        loop {
            let served = |&(kind, state): &(TypeId, StateId)| {
                let provided =
                    |port| more.iter().any(|&(k, s)| universe.state(k, s).provision(port).is_some());
                universe.state(kind, state).requires.iter().all(|requirement| provided(requirement.port))
            };
            let kept: States =
                more.iter().copied().filter(|one| found.contains(one) || served(one)).collect();
            if kept.len() == more.len() {
                break;
            }
            more = kept;
        }
        if more.len() == found.len() {
            return found;
        }
        found = more;
    }
}

/// The size of the smallest correct configuration of states that can be reached with a target in it, up to `most`.
fn smallest(universe: &Universe, target: (TypeId, StateId), most: usize) -> Option<usize> {
    let states = reachable(universe);
    if !states.contains(&target) {
        return None;
    }
    let mut sets: Vec<States> = vec![vec![target]];
    for size in 1..=most {
        if sets.iter().any(|set| is_correct(universe, set)) {
            return Some(size);
        }
        let larger = |set: &States| {
            let last = set.get(1..).and_then(<[_]>::last).copied();
            let next = states.iter().copied().filter(move |&one| last.is_none_or(|last| one >= last));
            next.map(|one| set.iter().copied().chain([one]).collect::<States>()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(larger).collect();
    }
    None
}

/// The largest configurations that brute force looks at.
const MOST: usize = 4;

/// The size of the configuration that is chosen, which a plan must reach, maybe with helpers that stay; nothing if it
/// is larger than brute force looks at.
fn chosen(universe: &Universe, (kind, state): (TypeId, StateId)) -> Option<usize> {
    let sum = Sum { terms: vec![(1, Counted::Components(kind, Some(state)))], constant: -1 };
    let (want, start) = (Want::Compare(sum, Relation::AtLeast), Configuration::new());
    let Choice::Chosen(chosen) = choose(universe, &start, &want) else { return None };
    assert_eq!(chosen.at_least, None, "it is proven to be smallest");
    let size = chosen.cost as usize;
    if size <= MOST {
        let (wanted, others) = wanted(universe, &start, &want, &chosen);
        let problem = Problem { universe, start: &start, names: &[], wanted, others };
        let Answer::Plan(plan) = solve(&problem, Limits::default()).0 else {
            panic!("it is reached: {universe:?}")
        };
        assert!(plan.end.components.len() >= size, "{universe:?}");
        return Some(size);
    }
    None
}

/// The tally of comparing.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Targets with a plan.
    pub(crate) reachable: usize,
    /// Targets without.
    pub(crate) unreachable: usize,
    /// Found by brute force within its bound.
    pub(crate) bounded: usize,
    /// Of those, plans that need no more components than brute force.
    pub(crate) as_small: usize,
    /// Smallest configurations of the same size.
    pub(crate) same_size: usize,
}

/// Compares on so many random universes without capacities and conflicts.
///
/// # Panics
/// If the two differ.
pub(crate) fn compare(cases: usize, seed: u64) -> Tally {
    let shape = Shape { types: 3, states: 3, ports: 3, number: 2, capacities: 0, conflicts: 0 };
    let (mut dice, mut tally) = (Dice::new(seed), Tally::default());
    let start = Configuration::new();
    for _ in 0..cases {
        let universe = random::universe(&mut dice, shape);
        let kind = TypeId(dice.below(universe.types().len()) as u32);
        let state = StateId(dice.below(universe.kind(kind).states.len()) as u32);
        let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
        let problem =
            Problem { universe: &universe, start: &start, names: &[], wanted, others: Others::Keep };
        let brute = fewest(&universe, (kind, state), MOST);
        let size = smallest(&universe, (kind, state), MOST);
        assert_eq!(chosen(&universe, (kind, state)), size, "{kind:?} {state:?} of {universe:?}");
        tally.same_size += usize::from(size.is_some());
        match solve(&problem, Limits::default()).0 {
            Answer::Plan(plan) => {
                tally.reachable += 1;
                check(&universe, &start, &plan, 100_000).expect("it was checked before");
                let at_end = plan.end.components.values();
                assert!(at_end.into_iter().any(|c| (c.kind, c.state) == (kind, state)));
                if let Some(fewest) = brute {
                    tally.bounded += 1;
                    tally.as_small += usize::from(plan.components.len() <= fewest);
                }
            }
            Answer::None(reasons) => {
                tally.unreachable += 1;
                assert!(!reasons.is_empty());
                assert_eq!(brute, None, "brute force reaches {kind:?} {state:?} of {universe:?}");
            }
            Answer::Unknown(why) => {
                panic!("without capacities and conflicts all is known: {why}\n{universe:?}")
            }
        }
    }
    tally
}
