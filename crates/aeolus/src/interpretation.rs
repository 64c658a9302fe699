//! Configurations as location graphs, and back: section 8.2 of the report.
//!
//! Each component and each binding is a location, and one more location, the administrator, stands for whoever
//! deploys. The administrator knows the component types and keeps a picture of what is deployed; it has a role in
//! common with every component and every binding, for notifications. A binding requires a role that its provider
//! provides, and provides a role that its requirer requires.
//!
//! The behaviour of these locations is in [`crate::behaviour`].

use std::collections::{BTreeMap, BTreeSet};

use locus_graph::{Location, LocationSet, Name, Process, Role, Sort, Symbols, Value};

use crate::{Binding, Component, ComponentId, ComponentType, Configuration, PortId, Universe};

/// The sorts of the three kinds of location.
pub(crate) const ADMINISTRATOR: &str = "Administrator";
pub(crate) const COMPONENT: &str = "Aeolus_component";
pub(crate) const BINDING: &str = "Aeolus_binding";

/// A location graph of a configuration, with the names of its components.
#[derive(Clone, Debug)]
pub struct Deployment {
    /// The texts of names and roles.
    pub symbols: Symbols,
    /// The locations.
    pub locations: LocationSet,
}

/// Why a set of locations is not the graph of a configuration.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotADeployment {
    /// There is not exactly one administrator.
    #[error("there are {0} administrators, not one")]
    Administrators(usize),
    /// A location is neither administrator nor component nor binding, or does not look like one.
    #[error("the location {0} is not a component, a binding or an administrator")]
    Unknown(String),
    /// The administrator's picture is not what there is (`ZconfigReflectsConfig`).
    #[error("the picture that the administrator has of {0} is not exact")]
    Picture(String),
    /// A binding does not connect ports of two different components (`BindingsConnectDifferentComponents`).
    #[error("the binding {0} does not connect two components")]
    Dangling(String),
    /// A location has no role in common with the administrator (`AllComponentsHaveNotif`, `AllBindingsHaveNotif`).
    #[error("the administrator does not hear of {0}")]
    NoNotification(String),
}

/// A deployed component as a location has it: the report's `Aeolus_process`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Deployed {
    pub(crate) name: Name,
    pub(crate) component: Component,
    pub(crate) notification: Role,
    /// The roles of provided and of required ports, one for each binding.
    pub(crate) provided: BTreeMap<PortId, BTreeSet<Role>>,
    pub(crate) required: BTreeMap<PortId, BTreeSet<Role>>,
}

/// A binding as a location has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Bound {
    pub(crate) name: Name,
    pub(crate) port: PortId,
    /// At the side of the requirer: provided by the binding.
    pub(crate) required: Role,
    /// At the side of the provider: required by the binding.
    pub(crate) provided: Role,
    pub(crate) notification: Role,
}

/// The administrator as a location has it: the report's `Admin_process`. The names of components and bindings are in
/// order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Administrator {
    pub(crate) name: Name,
    pub(crate) components: BTreeMap<Name, Deployed>,
    pub(crate) bindings: BTreeMap<Name, Bound>,
}

impl Deployed {
    pub(crate) fn new(universe: &Universe, name: Name, component: Component, notification: Role) -> Self {
        let kind = universe.kind(component.kind);
        let ports = |ports: &[PortId]| ports.iter().map(|&port| (port, BTreeSet::new())).collect();
        Self {
            name,
            component,
            notification,
            provided: ports(&kind.provided),
            required: ports(&kind.required),
        }
    }

    pub(crate) fn location(&self, universe: &Universe) -> Location {
        let all =
            |ports: &BTreeMap<PortId, BTreeSet<Role>>| ports.values().flatten().copied().collect::<Vec<_>>();
        let mut provided = all(&self.provided);
        provided.push(self.notification);
        let process = Process(self.value(universe));
        Location::new(self.name, Sort::named(COMPONENT), process, provided, all(&self.required))
            .expect("the roles of a component are all different")
    }

    fn value(&self, universe: &Universe) -> Value {
        let kind = universe.kind(self.component.kind);
        let ports = |ports: &BTreeMap<PortId, BTreeSet<Role>>| {
            let roles = |roles: &BTreeSet<Role>| Value::list(roles.iter().map(|&role| Value::Role(role)));
            Value::record(ports.iter().map(|(&port, of)| (universe.port_name(port), roles(of))))
        };
        Value::record([
            ("template", Value::text(&kind.name)),
            ("current", Value::text(&kind.state(self.component.state).name)),
            ("cnotif", Value::Role(self.notification)),
            ("pprov", ports(&self.provided)),
            ("preq", ports(&self.required)),
        ])
    }

    fn read(universe: &Universe, name: Name, value: &Value) -> Option<Self> {
        let kind_id = universe.find_type(value.get("template")?.as_text()?)?;
        let kind = universe.kind(kind_id);
        let state = kind.find_state(value.get("current")?.as_text()?)?;
        let ports = |key: &str, declared: &[PortId]| -> Option<BTreeMap<PortId, BTreeSet<Role>>> {
            let Value::Record(fields) = value.get(key)? else { return None };
            let mut ports = BTreeMap::new();
            for (port, roles) in fields.iter() {
                let Value::List(roles) = roles else { return None };
                ports.insert(universe.find_port(port)?, roles.iter().map(role).collect::<Option<_>>()?);
            }
            (ports.len() == declared.len() && declared.iter().all(|port| ports.contains_key(port)))
                .then_some(ports)
        };
        Some(Self {
            name,
            component: Component { kind: kind_id, state },
            notification: role(value.get("cnotif")?)?,
            provided: ports("pprov", &kind.provided)?,
            required: ports("preq", &kind.required)?,
        })
    }
}

fn role(value: &Value) -> Option<Role> {
    if let Value::Role(role) = value { Some(*role) } else { None }
}

impl Bound {
    pub(crate) fn location(&self, universe: &Universe) -> Location {
        let process = Process(self.value(universe));
        let provided = [self.required, self.notification];
        Location::new(self.name, Sort::named(BINDING), process, provided, [self.provided])
            .expect("the roles of a binding are all different")
    }

    fn value(&self, universe: &Universe) -> Value {
        Value::record([
            ("bsort", Value::text(universe.port_name(self.port))),
            ("req", Value::Role(self.required)),
            ("prov", Value::Role(self.provided)),
            ("bnotif", Value::Role(self.notification)),
        ])
    }

    fn read(universe: &Universe, name: Name, value: &Value) -> Option<Self> {
        Some(Self {
            name,
            port: universe.find_port(value.get("bsort")?.as_text()?)?,
            required: role(value.get("req")?)?,
            provided: role(value.get("prov")?)?,
            notification: role(value.get("bnotif")?)?,
        })
    }
}

impl Administrator {
    pub(crate) fn location(&self, universe: &Universe) -> Location {
        let notifications = self.components.values().map(|component| component.notification);
        let notifications = notifications.chain(self.bindings.values().map(|bound| bound.notification));
        let picture = |name: Name, value: Value| Value::list([Value::Name(name), value]);
        let components = self.components.values().map(|one| picture(one.name, one.value(universe)));
        let bindings = self.bindings.values().map(|one| picture(one.name, one.value(universe)));
        let process = Process(Value::record([
            ("templates", Value::list(universe.types().map(|(_, kind)| machine(universe, kind)))),
            ("zcomponents", Value::list(components)),
            ("zbindings", Value::list(bindings)),
        ]));
        Location::new(self.name, Sort::named(ADMINISTRATOR), process, [], notifications)
            .expect("the administrator provides no role")
    }

    /// The administrator that a location is.
    pub(crate) fn read(universe: &Universe, location: &Location) -> Option<Self> {
        fn pictures<T>(value: &Value, one: impl Fn(Name, &Value) -> Option<T>) -> Option<BTreeMap<Name, T>> {
            let Value::List(items) = value else { return None };
            items
                .iter()
                .map(|item| {
                    let Value::List(pair) = item else { return None };
                    let [Value::Name(name), value] = &**pair else { return None };
                    Some((*name, one(*name, value)?))
                })
                .collect()
        }
        if *location.sort() != Sort::named(ADMINISTRATOR) {
            return None;
        }
        let process = &location.process().0;
        Some(Self {
            name: location.name(),
            components: pictures(process.get("zcomponents")?, |n, v| Deployed::read(universe, n, v))?,
            bindings: pictures(process.get("zbindings")?, |n, v| Bound::read(universe, n, v))?,
        })
    }

    /// The component with this port and role: the end of a binding.
    pub(crate) fn end(&self, bound: &Bound, requirer: bool) -> Option<&Deployed> {
        self.components.values().find(|component| {
            let (ports, role) = if requirer {
                (&component.required, bound.required)
            } else {
                (&component.provided, bound.provided)
            };
            ports.get(&bound.port).is_some_and(|roles| roles.contains(&role))
        })
    }
}

/// A component or a binding that a location is.
pub(crate) enum Part {
    Component(Deployed),
    Binding(Bound),
}

impl Part {
    pub(crate) fn read(universe: &Universe, location: &Location) -> Option<Self> {
        let (name, value) = (location.name(), &location.process().0);
        if *location.sort() == Sort::named(COMPONENT) {
            Deployed::read(universe, name, value).map(Self::Component)
        } else if *location.sort() == Sort::named(BINDING) {
            Bound::read(universe, name, value).map(Self::Binding)
        } else {
            None
        }
    }
}

/// A component type as a value: the report's `DL_Machine`.
fn machine(universe: &Universe, kind: &ComponentType) -> Value {
    let ports =
        |ports: &[PortId]| Value::list(ports.iter().map(|&port| Value::text(universe.port_name(port))));
    let cards = |cards: Vec<(PortId, i64)>| {
        Value::record(cards.into_iter().map(|(port, card)| (universe.port_name(port), Value::Int(card))))
    };
    let name = |state| Value::text(&kind.state(state).name);
    let states = kind.states.iter().map(|state| {
        // As in the report, 0 bindings of a provided port mean any number.
        let provides = state.provides.iter().map(|p| (p.port, p.capacity.map_or(0, i64::from)));
        let requires = state.requires.iter().map(|r| (r.port, i64::from(r.number)));
        Value::record([
            ("astate", Value::text(&state.name)),
            ("ap", cards(provides.collect())),
            ("ar", cards(requires.collect())),
            ("dtransitions", Value::list(state.next.iter().map(|&next| name(next)))),
        ])
    });
    let finals = kind.state_ids().filter(|&state| kind.state(state).is_final);
    Value::record([
        ("name", Value::text(&kind.name)),
        ("dinit", name(kind.initial)),
        ("dstates", Value::list(states)),
        ("pports", ports(&kind.provided)),
        ("rports", ports(&kind.required)),
        ("dfinal", Value::list(finals.map(name))),
    ])
}

/// The location graph of a configuration. `name` gives each component a name; all must be different.
///
/// # Panics
/// If two components have the same name.
pub fn interpret(
    universe: &Universe,
    configuration: &Configuration,
    name: impl Fn(ComponentId) -> String,
) -> Deployment {
    let mut symbols = Symbols::new();
    let mut components: BTreeMap<ComponentId, Deployed> = BTreeMap::new();
    for (&id, &component) in &configuration.components {
        let text = name(id);
        assert!(symbols.find_name(&text).is_none(), "components have different names");
        let (name, role) = (symbols.name(&text), symbols.role(&format!("notify:{text}")));
        components.insert(id, Deployed::new(universe, name, component, role));
    }
    // Components may be called anything, so the other locations take names that are left.
    let fresh = |symbols: &Symbols, mut text: String| {
        while symbols.find_name(&text).is_some() {
            text.push('\'');
        }
        text
    };
    let text = fresh(&symbols, "administrator".to_owned());
    let administrator = symbols.name(&text);
    let mut bindings = BTreeMap::new();
    for (index, binding) in configuration.bindings.iter().enumerate() {
        let text = fresh(&symbols, format!("binding:{index}"));
        let bound = Bound {
            name: symbols.name(&text),
            port: binding.port,
            required: symbols.role(&format!("requirer:{index}")),
            provided: symbols.role(&format!("provider:{index}")),
            notification: symbols.role(&format!("notify:{text}")),
        };
        let expect = "bindings are between ports of deployed components";
        let requirer = components.get_mut(&binding.requirer).expect(expect);
        requirer.required.get_mut(&binding.port).expect(expect).insert(bound.required);
        let provider = components.get_mut(&binding.provider).expect(expect);
        provider.provided.get_mut(&binding.port).expect(expect).insert(bound.provided);
        bindings.insert(bound.name, bound);
    }
    let components: BTreeMap<Name, Deployed> = components.into_values().map(|one| (one.name, one)).collect();
    let mut locations: Vec<Location> = components.values().map(|one| one.location(universe)).collect();
    locations.extend(bindings.values().map(|bound| bound.location(universe)));
    locations.push(Administrator { name: administrator, components, bindings }.location(universe));
    Deployment { symbols, locations: locations.into_iter().collect() }
}

/// The configuration of which a set of locations is the graph. `id` says which component a name stands for.
///
/// # Errors
/// If it is not the graph of any: with the condition of `WFConfiguration` that does not hold.
pub fn read_back(
    universe: &Universe,
    deployment: &Deployment,
    mut id: impl FnMut(&str) -> ComponentId,
) -> Result<Configuration, NotADeployment> {
    let text = |name: Name| deployment.symbols.name_text(name).to_owned();
    let (mut administrators, mut components, mut bindings) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
    for location in &deployment.locations {
        match (Administrator::read(universe, location), Part::read(universe, location)) {
            (Some(administrator), _) => administrators.push(administrator),
            (_, Some(Part::Component(one))) if one.location(universe) == **location => {
                components.insert(one.name, one);
            }
            (_, Some(Part::Binding(bound))) if bound.location(universe) == **location => {
                bindings.insert(bound.name, bound);
            }
            _ => return Err(NotADeployment::Unknown(text(location.name()))),
        }
    }
    let [administrator] = administrators.as_slice() else {
        return Err(NotADeployment::Administrators(administrators.len()));
    };
    let all = components.keys().chain(bindings.keys());
    let pictured = administrator.components.keys().chain(administrator.bindings.keys());
    for &name in all.chain(pictured) {
        let exact = administrator.components.get(&name) == components.get(&name)
            && administrator.bindings.get(&name) == bindings.get(&name);
        if !exact {
            return Err(NotADeployment::Picture(text(name)));
        }
    }
    let hears = administrator.location(universe);
    let notifications = components.values().map(|one| (one.name, one.notification));
    for (name, role) in notifications.chain(bindings.values().map(|one| (one.name, one.notification))) {
        let is_there = deployment
            .locations
            .iter()
            .any(|location| location.name() == administrator.name && location.required() == hears.required());
        if !is_there || hears.required().binary_search(&role).is_err() {
            return Err(NotADeployment::NoNotification(text(name)));
        }
    }
    let mut configuration = Configuration::new();
    for one in components.values() {
        configuration.components.insert(id(&text(one.name)), one.component);
    }
    for bound in bindings.values() {
        let ends = (administrator.end(bound, true), administrator.end(bound, false));
        let (Some(requirer), Some(provider)) = ends else {
            return Err(NotADeployment::Dangling(text(bound.name)));
        };
        if requirer.name == provider.name {
            return Err(NotADeployment::Dangling(text(bound.name)));
        }
        let (requirer, provider) = (id(&text(requirer.name)), id(&text(provider.name)));
        configuration.bindings.insert(Binding { port: bound.port, requirer, provider });
    }
    Ok(configuration)
}
