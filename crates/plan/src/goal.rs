//! From a condition to the components that are wanted.

use locus_aeolus::{ComponentId, ComponentType, Configuration, Counted, Relation, StateId, Universe, Want};
use rustc_hash::FxHashSet;

use crate::configure::Chosen;
use crate::problem::{Others, Wanted};

/// The components of a chosen configuration, as far as possible those that are deployed: first those that are in the
/// state already, then others of the type from whose state transitions lead there. What is deployed beside them stays
/// if the condition still holds then.
pub fn wanted(
    universe: &Universe,
    start: &Configuration,
    want: &Want,
    chosen: &Chosen,
) -> (Vec<Wanted>, Others) {
    let mut used: FxHashSet<ComponentId> = FxHashSet::default();
    let mut wanted: Vec<Wanted> = Vec::new();
    let mut left: Vec<u64> = chosen.components.iter().map(|&(_, _, number)| number).collect();
    for in_place in [true, false] {
        for (&(kind, state, _), left) in chosen.components.iter().zip(&mut left) {
            let leads = leading_to(universe.kind(kind), state);
            for (&id, component) in &start.components {
                let fits = component.kind == kind
                    && (component.state == state || !in_place && leads[component.state.index()]);
                if *left > 0 && fits && used.insert(id) {
                    *left -= 1;
                    wanted.push(Wanted { kind, state, existing: Some(id), name: None, then_delete: false });
                }
            }
        }
    }
    for (&(kind, state, _), left) in chosen.components.iter().zip(left) {
        let new = Wanted { kind, state, existing: None, name: None, then_delete: false };
        wanted.extend(std::iter::repeat_n(new, left as usize));
    }
    let mut after = Configuration::new();
    for (index, one) in wanted.iter().enumerate() {
        let component = locus_aeolus::Component { kind: one.kind, state: one.state };
        after.components.insert(ComponentId(index as u32), component);
    }
    for (id, component) in start.components.iter().filter(|(id, _)| !used.contains(id)) {
        after.components.insert(ComponentId(wanted.len() as u32 + id.0), *component);
    }
    let others = if holds(universe, &after, want) { Others::Keep } else { Others::Delete };
    (wanted, others)
}

/// Whether transitions lead from each state to this one.
fn leading_to(kind: &ComponentType, goal: StateId) -> Vec<bool> {
    let mut before: Vec<Vec<StateId>> = vec![Vec::new(); kind.states.len()];
    for state in kind.state_ids() {
        for next in &kind.state(state).next {
            before[next.index()].push(state);
        }
    }
    let (mut leads, mut todo) = (vec![false; kind.states.len()], vec![goal]);
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut leads[state.index()], true) {
            todo.extend(&before[state.index()]);
        }
    }
    leads
}

/// Whether a configuration satisfies a condition. Conditions on machines are taken to hold: they are not about
/// components.
pub fn holds(universe: &Universe, configuration: &Configuration, want: &Want) -> bool {
    holds_of(want, &|counted| {
        let fits = |component: &&locus_aeolus::Component| match counted {
            Counted::Components(kind, state) => {
                component.kind == *kind && state.is_none_or(|state| component.state == state)
            }
            Counted::Providers(port) => {
                universe.state(component.kind, component.state).provision(*port).is_some()
            }
            Counted::Machines(_) => false,
        };
        configuration.components.values().filter(fits).count() as i64
    })
}

/// Whether a condition holds where there are so many of each thing.
pub(crate) fn holds_of(want: &Want, number: &dyn Fn(&Counted) -> i64) -> bool {
    match want {
        Want::True => true,
        Want::And(all) => all.iter().all(|want| holds_of(want, number)),
        Want::Or(any) => any.iter().any(|want| holds_of(want, number)),
        Want::Not(inner) => !holds_of(inner, number),
        Want::Compare(sum, relation) => {
            if sum.terms.iter().any(|(_, counted)| matches!(counted, Counted::Machines(_))) {
                return true;
            }
            let value = sum.terms.iter().map(|(factor, counted)| factor * number(counted)).sum::<i64>();
            let value = value + sum.constant;
            match relation {
                Relation::Less => value < 0,
                Relation::AtMost => value <= 0,
                Relation::Equal => value == 0,
                Relation::AtLeast => value >= 0,
                Relation::Greater => value > 0,
                Relation::Different => value != 0,
            }
        }
    }
}
