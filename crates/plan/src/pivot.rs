//! The plan of a location graph: what any language gives to the pivot can be built and taken down in order.
//!
//! Each location becomes a component type with the plainest lifecycle: absent, then present. A location that requires a
//! role needs the location that provides it from before it is present until after it no longer is. Locations that exist
//! already, which are in one of the boxes named by the caller, are present from the start and stay.

use locus_aeolus::{
    Component, ComponentId, ComponentType, Configuration, Provision, Requirement, State, StateId, TypeId,
    Universe,
};
use locus_graph::{LocationGraph, LocationId};

use crate::problem::{Others, Wanted};

/// A location graph as components with lifecycles.
#[derive(Clone, Debug)]
pub struct Pivot {
    /// A type for each location, in order of declaration.
    pub universe: Universe,
    /// What is present at the start.
    pub start: Configuration,
    /// The names of the components that are present at the start.
    pub names: Vec<String>,
    /// What is to be present at the end.
    pub wanted: Vec<Wanted>,
    /// What becomes of the rest.
    pub others: Others,
    /// A circle of locations each of which requires the next: they could only be made at once.
    pub circle: Vec<String>,
}

const ABSENT: StateId = StateId(0);
const PRESENT: StateId = StateId(1);

/// The components of a graph, from nothing; or, with `down`, from all of it to nothing. Of two locations with the same
/// name, which is against the rules, the first counts.
pub fn pivot(graph: &LocationGraph, exists: impl Fn(LocationId) -> bool, down: bool) -> Pivot {
    let mut universe = Universe::new();
    let mut needs: Vec<Vec<LocationId>> = vec![Vec::new(); graph.len()];
    for binding in graph.bindings() {
        needs[binding.requirer.index()].push(binding.provider);
    }
    for list in &mut needs {
        list.sort_unstable();
        list.dedup();
    }
    let port = |id: LocationId| format!("{} ({})", graph.name_of(id), id.index());
    for (id, entry) in graph.iter() {
        let provided = universe.port(&port(id));
        let requires = &needs[id.index()];
        let requires =
            requires.iter().map(|&other| Requirement { port: universe.port(&port(other)), number: 1 });
        let present = State {
            name: "present".to_owned(),
            next: vec![ABSENT],
            provides: vec![Provision { port: provided, capacity: None }],
            requires: requires.collect(),
            is_final: true,
            place: entry.place,
        };
        let absent = State { name: "absent".to_owned(), next: vec![PRESENT], ..State::default() };
        let name = graph.name_of(id).to_owned();
        let states = vec![absent, present];
        universe.add(ComponentType { name, states, cost: 1, place: entry.place, ..ComponentType::default() });
    }
    let mut result = Pivot {
        universe,
        start: Configuration::new(),
        names: Vec::new(),
        wanted: Vec::new(),
        others: if down { Others::Delete } else { Others::Keep },
        circle: circle(graph, &needs),
    };
    let mut ids = vec![None; graph.len()];
    for (id, _) in graph.iter() {
        let kind = TypeId(id.index() as u32);
        if down || exists(id) {
            let component = ComponentId(result.names.len() as u32);
            ids[id.index()] = Some(component);
            result.names.push(graph.name_of(id).to_owned());
            result.start.components.insert(component, Component { kind, state: PRESENT });
            if exists(id) {
                result.wanted.push(Wanted { kind, state: PRESENT, existing: Some(component), name: None });
            }
        } else {
            let name = Some(graph.name_of(id).to_owned());
            result.wanted.push(Wanted { kind, state: PRESENT, existing: None, name });
        }
    }
    for (id, requirer) in ids.iter().enumerate().filter_map(|(id, &component)| Some((id, component?))) {
        for other in &needs[id] {
            if let Some(provider) = ids[other.index()] {
                let port = result.universe.find_port(&port(*other)).expect("each location provides its port");
                result.start.bindings.insert(locus_aeolus::Binding { port, requirer, provider });
            }
        }
    }
    result
}

/// The names of locations on a circle of requirements, if there is one.
fn circle(graph: &LocationGraph, needs: &[Vec<LocationId>]) -> Vec<String> {
    // 0: not seen, 1: on the way, 2: done.
    let mut mark = vec![0u8; needs.len()];
    for first in 0..needs.len() {
        let mut way: Vec<(usize, usize)> = Vec::new();
        if mark[first] == 0 {
            mark[first] = 1;
            way.push((first, 0));
        }
        while let Some((at, next)) = way.last_mut() {
            let Some(other) = needs[*at].get(*next).map(|id| id.index()) else {
                mark[*at] = 2;
                way.pop();
                continue;
            };
            *next += 1;
            match mark[other] {
                0 => {
                    mark[other] = 1;
                    way.push((other, 0));
                }
                1 => {
                    let from = way.iter().position(|&(at, _)| at == other).unwrap_or(0);
                    let name = |at: usize| graph.symbols().name_text(graph.entries()[at].name).to_owned();
                    return way[from..].iter().map(|&(at, _)| name(at)).collect();
                }
                _ => {}
            }
        }
    }
    Vec::new()
}
