//! Families of universes of any size, with which planners are measured.

use crate::{ComponentType, Provision, Requirement, State, StateId, Universe};

/// A state with these ports, each of any capacity and required from one component.
pub fn state(
    universe: &mut Universe,
    name: String,
    next: Option<usize>,
    provides: &[String],
    requires: &[String],
) -> State {
    let next = next.map(|next| StateId(next as u32)).into_iter().collect();
    let provides =
        provides.iter().map(|port| Provision { port: universe.port(port), capacity: None }).collect();
    let requires = requires.iter().map(|port| Requirement { port: universe.port(port), number: 1 }).collect();
    State { name, next, provides, requires, ..State::default() }
}

/// Test A of Metis: two components that need each other at every step.
pub fn metis_a(states: usize) -> Universe {
    let mut universe = Universe::new();
    let port = |side: usize, at: usize| format!("p{side}_{at}");
    let next = |at: usize| (at + 1 < states).then_some(at + 1);
    let mut a = ComponentType { name: "A".to_owned(), cost: 1, ..ComponentType::default() };
    let mut b = ComponentType { name: "B".to_owned(), cost: 1, ..ComponentType::default() };
    for at in 0..states {
        let provides = if at > 1 { vec![port(0, at), port(0, at - 1)] } else { vec![port(0, at)] };
        let requires = if at > 1 { vec![port(1, at)] } else { Vec::new() };
        let provides = if at == 0 { Vec::new() } else { provides };
        a.states.push(state(&mut universe, format!("s{at}"), next(at), &provides, &requires));
        let provides = match at {
            0 => Vec::new(),
            1 => vec![port(1, 2)],
            _ if at + 1 == states => vec![port(1, at)],
            _ => vec![port(1, at), port(1, at + 1)],
        };
        let requires = if at == 0 { Vec::new() } else { vec![port(0, at)] };
        b.states.push(state(&mut universe, format!("q{at}"), next(at), &provides, &requires));
    }
    universe.add(a);
    universe.add(b);
    universe
}

/// Test B of Metis: a chain of components, each of which needs the next to start, and the one before to finish.
pub fn metis_b(components: usize) -> Universe {
    let mut universe = Universe::new();
    let last = components - 1;
    for at in 0..components {
        let mut kind = ComponentType { name: format!("C{at}"), cost: 1, ..ComponentType::default() };
        let (first, second) = (format!("p{at}_1"), format!("p{at}_2"));
        kind.states.push(state(&mut universe, "s0".to_owned(), Some(1), &[], &[]));
        let needs = if at == last { Vec::new() } else { vec![format!("p{}_1", at + 1)] };
        if at == 0 {
            kind.states.push(state(&mut universe, "s1".to_owned(), None, &[second], &needs));
        } else {
            kind.states.push(state(
                &mut universe,
                "s1".to_owned(),
                Some(2),
                std::slice::from_ref(&first),
                &needs,
            ));
            let before = vec![format!("p{}_2", at - 1)];
            let provides = if at == last { vec![first] } else { vec![second, first] };
            kind.states.push(state(&mut universe, "s2".to_owned(), None, &provides, &before));
        }
        universe.add(kind);
    }
    universe
}
