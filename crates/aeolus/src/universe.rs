//! Component types and universes: definition 1 of the report.
//!
//! A component type is a finite automaton. Each of its states says which ports are active in it: how many
//! bindings a provided port bears at most, and how many a required port needs at least.

use std::sync::Arc;

use locus_source::Place;
use rustc_hash::FxHashMap;

locus_source::ids! {
    /// A component type of a universe.
    #[derive(Default)]
    TypeId(pub u32);
    /// A state of a component type; it means something only together with the type.
    #[derive(Default)]
    StateId(pub u32);
    /// An interface name: a port of any type that provides or requires it.
    #[derive(Default)]
    PortId(pub u32);
    /// A component: one of the infinitely many identities that a configuration may deploy.
    #[derive(Default)]
    ComponentId(pub u32);
}

/// A provided port that is active in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Provision {
    /// Its interface name.
    pub port: PortId,
    /// The most bindings that it bears; `None` for any number.
    pub capacity: Option<u32>,
}

/// A required port that is active in a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Requirement {
    /// Its interface name.
    pub port: PortId,
    /// From how many different components it must be provided; 0 is a conflict: nobody else may provide it.
    pub number: u32,
}

/// A state of a component type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Its name.
    pub name: String,
    /// The states to which a transition leads, in order, each once.
    pub next: Vec<StateId>,
    /// The provided ports that are active, in order of ports, each once.
    pub provides: Vec<Provision>,
    /// The required ports that are active, in order of ports, each once.
    pub requires: Vec<Requirement>,
    /// The program that is run for a component to enter it, if there is one.
    pub run: Option<Arc<str>>,
    /// Whether a deployment may end here: the report's addition to the model (section 8.2).
    pub is_final: bool,
    /// Where it is declared.
    pub place: Option<Place>,
}

impl State {
    /// Whether a port is provided in this state, and how many bindings it bears.
    pub fn provision(&self, port: PortId) -> Option<Provision> {
        let found = self.provides.binary_search_by_key(&port, |provision| provision.port);
        found.ok().map(|index| self.provides[index])
    }

    /// Whether a port is required in this state, and how often.
    pub fn requirement(&self, port: PortId) -> Option<Requirement> {
        let found = self.requires.binary_search_by_key(&port, |requirement| requirement.port);
        found.ok().map(|index| self.requires[index])
    }
}

/// A component type: a lifecycle, and what its components cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComponentType {
    /// Its name.
    pub name: String,
    /// The name by which people know it, if that is not its own: several types may be variants of one.
    pub title: Option<String>,
    /// Its states. There is at least one.
    pub states: Vec<State>,
    /// The state in which components are created.
    pub initial: StateId,
    /// The interface names that it provides in some state, or declares to provide; in order.
    pub provided: Vec<PortId>,
    /// The interface names that it requires in some state, or declares to require; in order.
    pub required: Vec<PortId>,
    /// The cost of a component.
    pub cost: u64,
    /// The program that is run to delete a component, if there is one.
    pub delete: Option<Arc<str>>,
    /// The machine that programs run on, as `ssh` takes it; none if it is this one.
    pub ssh: Option<Arc<str>>,
    /// Whether a program that was killed may be run again.
    pub is_idempotent: bool,
    /// The resources that a component takes of its machine, in order of their names.
    pub consumes: Vec<(Arc<str>, u64)>,
    /// Where it is declared.
    pub place: Option<Place>,
}

impl ComponentType {
    /// Returns the name by which people know it.
    pub fn shown(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// The state with this name.
    pub fn find_state(&self, name: &str) -> Option<StateId> {
        self.states.iter().position(|state| state.name == name).map(|index| StateId(index as u32))
    }

    /// A state.
    ///
    /// # Panics
    /// If the type has no such state.
    pub fn state(&self, id: StateId) -> &State {
        &self.states[id.index()]
    }

    /// The ids of all states.
    pub fn state_ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }
}

/// A set of component types with the interface names that they mention.
#[derive(Clone, Debug, Default)]
pub struct Universe {
    types: Vec<ComponentType>,
    ports: Vec<Arc<str>>,
    type_ids: FxHashMap<Arc<str>, TypeId>,
    port_ids: FxHashMap<Arc<str>, PortId>,
}

impl Universe {
    /// The universe without component types.
    pub fn new() -> Self {
        Self::default()
    }

    /// The port with this interface name; made if there is none yet.
    pub fn port(&mut self, name: &str) -> PortId {
        if let Some(&id) = self.port_ids.get(name) {
            return id;
        }
        let id = PortId(self.ports.len() as u32);
        let name: Arc<str> = name.into();
        self.ports.push(Arc::clone(&name));
        self.port_ids.insert(name, id);
        id
    }

    /// Adds a component type. Lists are put in order; ports that its states mention are added to its own.
    /// Of two types with the same name, the first is the one that [`Universe::find_type`] gives.
    ///
    /// # Panics
    /// If the type has no state, or its initial state or a transition leads to a state that it does not have.
    pub fn add(&mut self, mut kind: ComponentType) -> TypeId {
        let states = kind.states.len();
        assert!(kind.initial.index() < states, "the initial state is a state of the type");
        for state in &mut kind.states {
            tidy(&mut state.next, |&next| next);
            assert!(state.next.iter().all(|next| next.index() < states), "transitions lead to states");
            tidy(&mut state.provides, |provision| provision.port);
            tidy(&mut state.requires, |requirement| requirement.port);
            kind.provided.extend(state.provides.iter().map(|provision| provision.port));
            kind.required.extend(state.requires.iter().map(|requirement| requirement.port));
        }
        tidy(&mut kind.provided, |&port| port);
        tidy(&mut kind.required, |&port| port);
        kind.consumes.sort();
        let id = TypeId(self.types.len() as u32);
        self.type_ids.entry(kind.name.as_str().into()).or_insert(id);
        self.types.push(kind);
        id
    }

    /// A component type.
    ///
    /// # Panics
    /// If there is no such type.
    pub fn kind(&self, id: TypeId) -> &ComponentType {
        &self.types[id.index()]
    }

    /// A state of a component type.
    ///
    /// # Panics
    /// If there is no such type or state.
    pub fn state(&self, kind: TypeId, state: StateId) -> &State {
        self.kind(kind).state(state)
    }

    /// All component types, in order of declaration.
    pub fn types(&self) -> impl ExactSizeIterator<Item = (TypeId, &ComponentType)> {
        self.types.iter().enumerate().map(|(index, kind)| (TypeId(index as u32), kind))
    }

    /// The component type with this name.
    pub fn find_type(&self, name: &str) -> Option<TypeId> {
        self.type_ids.get(name).copied()
    }

    /// The port with this interface name, if some type mentions it.
    pub fn find_port(&self, name: &str) -> Option<PortId> {
        self.port_ids.get(name).copied()
    }

    /// The interface name of a port.
    ///
    /// # Panics
    /// If there is no such port.
    pub fn port_name(&self, port: PortId) -> &str {
        &self.ports[port.index()]
    }

    /// How many interface names there are; port ids are below this.
    pub fn port_count(&self) -> usize {
        self.ports.len()
    }

    /// How many states all types have together.
    pub fn state_count(&self) -> usize {
        self.types.iter().map(|kind| kind.states.len()).sum()
    }

    /// Whether some port bears only so many bindings.
    pub fn has_capacities(&self) -> bool {
        self.states().any(|state| state.provides.iter().any(|provision| provision.capacity.is_some()))
    }

    /// Whether some state is in conflict with a port.
    pub fn has_conflicts(&self) -> bool {
        self.states().any(|state| state.requires.iter().any(|requirement| requirement.number == 0))
    }

    fn states(&self) -> impl Iterator<Item = &State> {
        self.types.iter().flat_map(|kind| &kind.states)
    }
}

/// Puts items in order and keeps the first of those with the same key.
fn tidy<T, K: Ord>(items: &mut Vec<T>, key: impl Fn(&T) -> K) {
    items.sort_by_key(&key);
    items.dedup_by(|later, kept| key(later) == key(kept));
}
