//! Configurations and when they are correct: definitions 2 and 3 of the report.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ComponentId, PortId, StateId, TypeId, Universe};

/// A deployed component: its type and the state that it is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Component {
    /// Its type.
    pub kind: TypeId,
    /// Its current state.
    pub state: StateId,
}

/// A connection from a required port of one component to the provided port of another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Binding {
    /// The interface name of both ports.
    pub port: PortId,
    /// The component that requires it.
    pub requirer: ComponentId,
    /// The component that provides it.
    pub provider: ComponentId,
}

/// A deployment over a universe that is given beside it: the components and their bindings.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Configuration {
    /// The deployed components.
    pub components: BTreeMap<ComponentId, Component>,
    /// The bindings between them.
    pub bindings: BTreeSet<Binding>,
}

/// A port that is not content: what is against the correctness of a configuration.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Violation {
    /// A required port is bound to too few components that provide it in their current state.
    TooFewProviders {
        /// The component that requires the port.
        component: ComponentId,
        /// The port.
        port: PortId,
        /// How many components it needs.
        needed: u32,
        /// The components that serve it.
        found: Vec<ComponentId>,
    },
    /// A provided port has more bindings than it bears.
    TooManyBindings {
        /// The component that provides the port.
        component: ComponentId,
        /// The port.
        port: PortId,
        /// How many bindings it bears.
        capacity: u32,
        /// The components that are bound to it.
        found: Vec<ComponentId>,
    },
    /// A component provides a port with which another is in conflict.
    Conflict {
        /// The component that bears no other provider of the port.
        component: ComponentId,
        /// The port.
        port: PortId,
        /// The first component that provides it.
        other: ComponentId,
    },
}

impl Configuration {
    /// The configuration without components.
    pub fn new() -> Self {
        Self::default()
    }

    /// Everything that is against the correctness of the configuration (definition 3), in order.
    ///
    /// Bindings of ports that are not active in the current states of their components do not count as service, and
    /// do count against a capacity only while the provided port is active.
    pub fn violations(&self, universe: &Universe) -> Vec<Violation> {
        let mut requirers: BTreeMap<(ComponentId, PortId), Vec<ComponentId>> = BTreeMap::new();
        let mut providers: BTreeMap<(ComponentId, PortId), Vec<ComponentId>> = BTreeMap::new();
        for binding in &self.bindings {
            requirers.entry((binding.provider, binding.port)).or_default().push(binding.requirer);
            let serves = binding.provider != binding.requirer
                && self.components.get(&binding.provider).is_some_and(|provider| {
                    universe.state(provider.kind, provider.state).provision(binding.port).is_some()
                });
            if serves {
                providers.entry((binding.requirer, binding.port)).or_default().push(binding.provider);
            }
        }
        // Two providers of a port are enough to answer for every component whether another provides it.
        let mut active: BTreeMap<PortId, Vec<ComponentId>> = BTreeMap::new();
        for (&id, component) in &self.components {
            for provision in &universe.state(component.kind, component.state).provides {
                let ids = active.entry(provision.port).or_default();
                if ids.len() < 2 {
                    ids.push(id);
                }
            }
        }
        let mut violations = Vec::new();
        for (&id, component) in &self.components {
            let state = universe.state(component.kind, component.state);
            for provision in &state.provides {
                let found = requirers.get(&(id, provision.port)).map_or(&[][..], Vec::as_slice);
                if let Some(capacity) = provision.capacity
                    && found.len() > capacity as usize
                {
                    let found = found.to_vec();
                    let port = provision.port;
                    violations.push(Violation::TooManyBindings { component: id, port, capacity, found });
                }
            }
            for requirement in &state.requires {
                let port = requirement.port;
                if requirement.number == 0 {
                    let others = active.get(&port).into_iter().flatten();
                    if let Some(&other) = others.into_iter().find(|&&other| other != id) {
                        violations.push(Violation::Conflict { component: id, port, other });
                    }
                    continue;
                }
                let found = providers.get(&(id, port)).map_or(&[][..], Vec::as_slice);
                if found.len() < requirement.number as usize {
                    let (needed, found) = (requirement.number, found.to_vec());
                    violations.push(Violation::TooFewProviders { component: id, port, needed, found });
                }
            }
        }
        violations
    }

    /// Whether all active ports are content (definition 3).
    pub fn is_correct(&self, universe: &Universe) -> bool {
        self.violations(universe).is_empty()
    }

    /// A component that the configuration does not have: the least such.
    pub fn fresh(&self) -> ComponentId {
        ComponentId(self.components.last_key_value().map_or(0, |(id, _)| id.0 + 1))
    }
}
