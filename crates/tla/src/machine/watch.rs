//! The parts of temporal properties that a simulation can see: those that a single state or step can violate.
//!
//! `[]f`, where `f` speaks of no later place, is such a part, wherever it stands in a conjunction: under quantifiers
//! over constants too, which are conjunctions by now.

use locus_explore::{AtomSet, Formula};

/// A part of a temporal property.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The property, as an index into the temporal ones.
    pub(crate) property: usize,
    /// The formula that must hold at each place of a behaviour.
    everywhere: Formula,
}

impl Watched {
    /// Whether it holds at a place with these atoms.
    pub(crate) fn holds(&self, states: &AtomSet, steps: &AtomSet) -> bool {
        holds(&self.everywhere, states, steps)
    }
}

/// The parts of properties that can be watched, and the properties that have other parts too.
pub(crate) fn watched(properties: &[Formula]) -> (Vec<Watched>, Vec<usize>) {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    for (property, formula) in properties.iter().enumerate() {
        let mut found = Vec::new();
        if !collect(formula, false, &mut found) {
            others.push(property);
        }
        parts.extend(found.into_iter().map(|everywhere| Watched { property, everywhere }));
    }
    (parts, others)
}

/// Collects what must hold everywhere; whether that is all that the formula says.
fn collect(formula: &Formula, always: bool, found: &mut Vec<Formula>) -> bool {
    match formula {
        Formula::And(parts) => {
            let all: Vec<bool> = parts.iter().map(|part| collect(part, always, found)).collect();
            all.into_iter().all(|all| all)
        }
        Formula::Always(inner) => collect(inner, true, found),
        Formula::Constant(true) => true,
        _ if always && is_of_one_place(formula) => {
            found.push(formula.clone());
            true
        }
        _ => false,
    }
}

fn is_of_one_place(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) | Formula::State(_) | Formula::Step(_) => true,
        Formula::Not(inner) => is_of_one_place(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_of_one_place),
        Formula::Always(_) | Formula::Eventually(_) => false,
    }
}

fn holds(formula: &Formula, states: &AtomSet, steps: &AtomSet) -> bool {
    match formula {
        Formula::Constant(truth) => *truth,
        Formula::State(atom) => states.contains(*atom),
        Formula::Step(atom) => steps.contains(*atom),
        Formula::Not(inner) => !holds(inner, states, steps),
        Formula::And(parts) => parts.iter().all(|part| holds(part, states, steps)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, states, steps)),
        Formula::Always(_) | Formula::Eventually(_) => unreachable!("such formulas are not watched"),
    }
}
