//! Pictures of component types and configurations, in the manner of figures 14 and 15 of the report.
//!
//! A component or component type is a box with its automaton. Ports stand beside the states, with the numbers that
//! bound them; a dotted line leads from each state to the ports that are active in it. In a configuration the current
//! state of a component stands out, and its bindings run from port to port.

use locus_draw::{Direction, Edge, EdgeStyle, Emphasis, Group, GroupId, Node, NodeId, Scene, Shape};
use rustc_hash::FxHashMap;

use crate::{Document, PortId, StateId, TypeId, Universe};

/// The scene for a document: what is deployed, if it says so, else its component types.
pub fn picture(document: &Document, title: &str) -> Scene {
    let universe = &document.universe;
    let mut scene = Scene::new(title).direction(Direction::Right);
    if !document.has_configuration {
        for (id, kind) in universe.types() {
            let group = scene.add_group(Group::new(&kind.name, &kind.name));
            automaton(&mut scene, universe, id, None, group);
        }
        return scene;
    }
    let mut ports: FxHashMap<(u32, PortId, bool), NodeId> = FxHashMap::default();
    for (&id, component) in &document.configuration.components {
        let name = document.name(id);
        let kind = universe.kind(component.kind);
        let group = scene.add_group(Group::new(name, format!("{name}: {}", kind.name)));
        let drawn = automaton(&mut scene, universe, component.kind, Some(component.state), group);
        ports.extend(drawn.into_iter().map(|((port, provided), node)| ((id.0, port, provided), node)));
    }
    for binding in &document.configuration.bindings {
        let requirer = ports.get(&(binding.requirer.0, binding.port, false));
        let provider = ports.get(&(binding.provider.0, binding.port, true));
        if let (Some(&requirer), Some(&provider)) = (requirer, provider) {
            scene.add_edge(Edge::arrow(requirer, provider).emphasis(Emphasis::Strong));
        }
    }
    scene
}

/// Draws an automaton with its ports into a group, and gives the nodes of the ports: required and provided ones.
fn automaton(
    scene: &mut Scene,
    universe: &Universe,
    id: TypeId,
    current: Option<StateId>,
    group: GroupId,
) -> FxHashMap<(PortId, bool), NodeId> {
    let kind = universe.kind(id);
    let mut ports: FxHashMap<(PortId, bool), NodeId> = FxHashMap::default();
    let states: Vec<NodeId> = kind
        .state_ids()
        .map(|id| {
            let state = kind.state(id);
            let marked = current.unwrap_or(kind.initial) == id;
            let emphasis = if marked { Emphasis::Strong } else { Emphasis::Normal };
            let node = Node::oval(&state.name, &state.name).inside(group).emphasis(emphasis);
            let node = if current.is_some() && marked { node.category("current state") } else { node };
            scene.add_node(node)
        })
        .collect();
    for (index, state) in kind.states.iter().enumerate() {
        for next in &state.next {
            scene.add_edge(Edge::arrow(states[index], states[next.index()]));
        }
        let provided = state.provides.iter().map(|p| (p.port, true, capacity(p.capacity)));
        let required = state.requires.iter().map(|r| (r.port, false, number(r.number)));
        for (port, is_provided, bound) in provided.chain(required) {
            let node = *ports.entry((port, is_provided)).or_insert_with(|| {
                let name = universe.port_name(port);
                let category = if is_provided { "provided port" } else { "required port" };
                let node = Node::oval(name, name).shape(Shape::Rounded).category(category).inside(group);
                scene.add_node(node)
            });
            let line = Edge::line(states[index], node).style(EdgeStyle::Dotted).label(bound);
            scene.add_edge(line.emphasis(Emphasis::Muted));
        }
    }
    ports
}

fn capacity(capacity: Option<u32>) -> String {
    capacity.map_or_else(|| "≤ ∞".to_owned(), |most| format!("≤ {most}"))
}

fn number(number: u32) -> String {
    if number == 0 { "= 0".to_owned() } else { format!("≥ {number}") }
}
