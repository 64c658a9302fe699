//! The actions as transitions of location graphs: section 8.3 of the report.
//!
//! The administrator starts every action, and the components and bindings concerned go along: their individual
//! transitions synchronise at the notification roles, and the rest of the graph is uncoupled.
//!
//! Where the report's predicates cannot be meant as printed, `specs/report/Aeolus_actions.als` says so, and what it has
//! instead is done here. One slip more matters to a program: the operation by which the administrator tells a
//! component of a new binding (`BdpOp`, `BdrOp`) carries the role but not the port. A component with two provided
//! ports could put the role to either, and the administrator's picture would be wrong; `Binding_Transition` hides it
//! by giving the same `s` to all predicates. Here the operation names the port.

use std::collections::BTreeMap;

use locus_graph::semantics::{Behaviour, Context, Fresh, Interaction, Label, Move, Polarity, Step};
use locus_graph::{Location, LocationSet, Name, Role, Symbols, Value};

use crate::interpretation::{Administrator, Bound, Deployed, Part};
use crate::{Action, Binding, Change, Component, ComponentId, PortId, StateId, TypeId, Universe};

/// The behaviour of the locations of a deployment.
#[derive(Clone, Copy, Debug)]
pub struct Deploying<'a> {
    /// The component types.
    pub universe: &'a Universe,
    /// How many components may change their states at once: there are exponentially many ways in this number.
    pub at_once: usize,
}

/// The operations that the administrator and the others exchange.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    /// `ScOp`: the component enters this state.
    Change(TypeId, StateId),
    /// `BdpOp`, `BdrOp`: the provided or required port gets this role.
    Bind(Side, PortId, Role),
    /// `UbpOp`, `UbrOp`: the provided or required port loses this role.
    Unbind(Side, Role),
    /// `UbOp`: the binding goes.
    Dissolve,
    /// `DelOp`: the component or the binding goes.
    Delete,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Provided,
    Required,
}

impl Side {
    fn pick<T>(self, provided: T, required: T) -> T {
        match self {
            Self::Provided => provided,
            Self::Required => required,
        }
    }
}

impl Operation {
    fn value(self, universe: &Universe) -> Value {
        let operation = |name: &str, more: Vec<(&str, Value)>| {
            let name = [("operation", Value::text(name))];
            Value::record(name.into_iter().chain(more))
        };
        match self {
            Self::Change(kind, state) => {
                let state = Value::text(&universe.state(kind, state).name);
                operation("ScOp", vec![("state", state)])
            }
            Self::Bind(side, port, role) => {
                let port = ("port", Value::text(universe.port_name(port)));
                operation(side.pick("BdpOp", "BdrOp"), vec![port, ("role", Value::Role(role))])
            }
            Self::Unbind(side, role) => {
                operation(side.pick("UbpOp", "UbrOp"), vec![("role", Value::Role(role))])
            }
            Self::Dissolve => operation("UbOp", Vec::new()),
            Self::Delete => operation("DelOp", Vec::new()),
        }
    }
}

impl Deploying<'_> {
    fn signal(&self, role: Role, polarity: Polarity, operation: Operation) -> Interaction {
        Interaction { role, polarity, payload: operation.value(self.universe) }
    }

    /// A component or binding does what it is told at its notification role.
    fn told(&self, role: Role, operation: Operation, term: Option<&Deployed>) -> Move {
        let label = Label::from_iter([self.signal(role, Polarity::Plus, operation)]);
        let term = term.map(|component| component.location(self.universe));
        Move { label, term: term.into_iter().collect::<LocationSet>() }
    }

    /// `Comp_State_Change_Transition`, `Provided_Comp_Unbinding_Transition`, `Required_Comp_Unbinding_Transition`
    /// and `Component_Delete_Transition`. Being bound is an answer: see [`Behaviour::answers`].
    fn component(&self, component: &Deployed) -> Vec<Move> {
        let role = component.notification;
        let Component { kind, state } = component.component;
        let mut moves = vec![self.told(role, Operation::Delete, None)];
        for &next in &self.universe.state(kind, state).next {
            let mut after = component.clone();
            after.component.state = next;
            moves.push(self.told(role, Operation::Change(kind, next), Some(&after)));
        }
        for side in [Side::Provided, Side::Required] {
            for (&port, roles) in side.pick(&component.provided, &component.required) {
                for &bound in roles {
                    let mut after = component.clone();
                    let ports = side.pick(&mut after.provided, &mut after.required);
                    ports.get_mut(&port).expect("the same ports").remove(&bound);
                    moves.push(self.told(role, Operation::Unbind(side, bound), Some(&after)));
                }
            }
        }
        moves
    }

    /// The administrator's part in all five actions.
    fn administrator(&self, administrator: &Administrator, fresh: &mut Fresh<'_>) -> Vec<Move> {
        let mut moves = Vec::new();
        for (kind, _) in self.universe.types() {
            moves.push(self.create(administrator, kind, fresh));
        }
        for name in administrator.components.keys() {
            moves.push(self.delete(administrator, *name));
        }
        for provider in administrator.components.values() {
            for requirer in administrator.components.values() {
                for &port in provider.provided.keys() {
                    moves.extend(self.bind(administrator, provider, requirer, port, fresh));
                }
            }
        }
        moves.extend(administrator.bindings.values().filter_map(|bound| self.unbind(administrator, bound)));
        moves.extend(self.changes(administrator));
        moves
    }

    /// `Admin_New_Transition`.
    fn create(&self, administrator: &Administrator, kind: TypeId, fresh: &mut Fresh<'_>) -> Move {
        let template = self.universe.kind(kind);
        let (name, role) = (fresh.name(&template.name), fresh.role("notify"));
        let component = Component { kind, state: template.initial };
        let created = Deployed::new(self.universe, name, component, role);
        let location = created.location(self.universe);
        let mut after = administrator.clone();
        after.components.insert(name, created);
        let term = [after.location(self.universe), location].into_iter().collect();
        Move { label: Label::silent(), term }
    }

    /// `Admin_Delete_Transition`. The components at the other ends of the bindings keep their roles, now unbound.
    fn delete(&self, administrator: &Administrator, name: Name) -> Move {
        let mut after = administrator.clone();
        let component = after.components.remove(&name).expect("one of its components");
        let is_end = |bound: &Bound| {
            let has = |ports: &BTreeMap<PortId, _>, role| {
                ports.values().any(|roles: &std::collections::BTreeSet<Role>| roles.contains(&role))
            };
            has(&component.provided, bound.provided) || has(&component.required, bound.required)
        };
        let mut gone = vec![component.notification];
        gone.extend(after.bindings.values().filter(|bound| is_end(bound)).map(|bound| bound.notification));
        after.bindings.retain(|_, bound| !is_end(bound));
        let label = gone.into_iter().map(|role| self.signal(role, Polarity::Minus, Operation::Delete));
        Move::to(after.location(self.universe), label.collect())
    }

    /// `Admin_Binding_Transition`, if the two can be bound.
    fn bind(
        &self,
        administrator: &Administrator,
        provider: &Deployed,
        requirer: &Deployed,
        port: PortId,
        fresh: &mut Fresh<'_>,
    ) -> Option<Move> {
        let joins = |bound: &&Bound| {
            bound.port == port
                && provider.provided[&port].contains(&bound.provided)
                && requirer.required[&port].contains(&bound.required)
        };
        if provider.name == requirer.name
            || !requirer.required.contains_key(&port)
            || administrator.bindings.values().any(|bound| joins(&bound))
        {
            return None;
        }
        let bound = Bound {
            name: fresh.name("binding"),
            port,
            required: fresh.role("requirer"),
            provided: fresh.role("provider"),
            notification: fresh.role("notify"),
        };
        let mut after = administrator.clone();
        after.bindings.insert(bound.name, bound);
        let expect = "the ends are among its components, with this port";
        let end = after.components.get_mut(&provider.name).expect(expect);
        end.provided.get_mut(&port).expect(expect).insert(bound.provided);
        let end = after.components.get_mut(&requirer.name).expect(expect);
        end.required.get_mut(&port).expect(expect).insert(bound.required);
        let at_provider = Operation::Bind(Side::Provided, port, bound.provided);
        let at_requirer = Operation::Bind(Side::Required, port, bound.required);
        let label = Label::from_iter([
            self.signal(provider.notification, Polarity::Minus, at_provider),
            self.signal(requirer.notification, Polarity::Minus, at_requirer),
        ]);
        let term = [after.location(self.universe), bound.location(self.universe)].into_iter().collect();
        Some(Move { label, term })
    }

    /// `Admin_Unbinding_Transition`.
    fn unbind(&self, administrator: &Administrator, bound: &Bound) -> Option<Move> {
        let (provider, requirer) = (administrator.end(bound, false)?, administrator.end(bound, true)?);
        let mut after = administrator.clone();
        after.bindings.remove(&bound.name);
        let expect = "the ends are among its components, with this port";
        let end = after.components.get_mut(&provider.name).expect(expect);
        end.provided.get_mut(&bound.port).expect(expect).remove(&bound.provided);
        let end = after.components.get_mut(&requirer.name).expect(expect);
        end.required.get_mut(&bound.port).expect(expect).remove(&bound.required);
        let minus = Polarity::Minus;
        let label = Label::from_iter([
            self.signal(bound.notification, minus, Operation::Dissolve),
            self.signal(provider.notification, minus, Operation::Unbind(Side::Provided, bound.provided)),
            self.signal(requirer.notification, minus, Operation::Unbind(Side::Required, bound.required)),
        ]);
        Some(Move::to(after.location(self.universe), label))
    }

    /// `Admin_Multi_State_Change_Transition`: for every set of transitions of different components.
    fn changes(&self, administrator: &Administrator) -> Vec<Move> {
        let mut sets: Vec<(Administrator, Vec<Interaction>)> = vec![(administrator.clone(), Vec::new())];
        for (name, component) in &administrator.components {
            let Component { kind, state } = component.component;
            for index in 0..sets.len() {
                if sets[index].1.len() == self.at_once {
                    continue;
                }
                for &next in &self.universe.state(kind, state).next {
                    let (mut after, mut signals) = sets[index].clone();
                    after.components.get_mut(name).expect("the same components").component.state = next;
                    let operation = Operation::Change(kind, next);
                    signals.push(self.signal(component.notification, Polarity::Minus, operation));
                    sets.push((after, signals));
                }
            }
        }
        let sets = sets.into_iter().filter(|(_, signals)| !signals.is_empty());
        sets.map(|(after, signals)| Move::to(after.location(self.universe), signals.into_iter().collect()))
            .collect()
    }

    /// The action that a step of a deployment is, with the component that each name stands for; none if the step
    /// is not one of a deployment.
    pub fn action(
        &self,
        symbols: &Symbols,
        step: &Step,
        mut id: impl FnMut(&str) -> ComponentId,
    ) -> Option<Action> {
        let mut id = |name: Name| id(symbols.name_text(name));
        let (mut changes, mut ends, mut bound, mut deleted) = (Vec::new(), [None; 2], None, None);
        let mut created = None;
        for part in &step.parts {
            let location = part.init().iter().next()?;
            let payload = |index: usize| part.label().signals().get(index).map(|signal| &signal.payload);
            let Some(this) = Part::read(self.universe, location) else {
                let old = Administrator::read(self.universe, location)?;
                let new = part.term().iter().find_map(|l| Administrator::read(self.universe, l))?;
                let added = new.components.values().find(|c| !old.components.contains_key(&c.name));
                created = added.map(|c| (c.name, c.component.kind));
                bound = new.bindings.values().find(|b| !old.bindings.contains_key(&b.name)).map(|b| b.port);
                continue;
            };
            let operation = payload(0)?.get("operation")?.as_text()?;
            match (this, operation) {
                (Part::Component(one), "ScOp") => {
                    let Component { kind, state: from } = one.component;
                    let to = self.universe.kind(kind).find_state(payload(0)?.get("state")?.as_text()?)?;
                    changes.push(Change { component: id(one.name), from, to });
                }
                (Part::Component(one), "DelOp") => deleted = Some(one.name),
                (Part::Component(one), "BdpOp" | "UbpOp") => ends[0] = Some(one.name),
                (Part::Component(one), "BdrOp" | "UbrOp") => ends[1] = Some(one.name),
                (Part::Binding(one), "UbOp") => bound = Some(one.port),
                (Part::Binding(_), "DelOp") => {}
                _ => return None,
            }
        }
        changes.sort_unstable();
        match (created, deleted, ends, bound) {
            (Some((name, kind)), None, [None, None], None) => Some(Action::New(id(name), kind)),
            (None, Some(name), [None, None], _) => Some(Action::Delete(id(name))),
            (None, None, [Some(provider), Some(requirer)], Some(port)) => {
                let binding = Binding { port, requirer: id(requirer), provider: id(provider) };
                let dissolves = step.moving.init().len() == 4;
                Some(if dissolves { Action::Unbind(binding) } else { Action::Bind(binding) })
            }
            (None, None, [None, None], None) if !changes.is_empty() => Some(Action::Change(changes)),
            _ => None,
        }
    }
}

impl Behaviour for Deploying<'_> {
    fn moves(&self, location: &Location, _: &Context, fresh: &mut Fresh<'_>) -> Vec<Move> {
        match (Administrator::read(self.universe, location), Part::read(self.universe, location)) {
            (Some(administrator), _) => self.administrator(&administrator, fresh),
            (None, Some(Part::Component(component))) => self.component(&component),
            (None, Some(Part::Binding(bound))) => {
                let goes = |operation| self.told(bound.notification, operation, None);
                vec![goes(Operation::Dissolve), goes(Operation::Delete)]
            }
            (None, None) => Vec::new(),
        }
    }

    /// `Provided_Comp_Binding_Transition` and `Required_Comp_Binding_Transition`: a component takes any new role.
    fn answers(&self, location: &Location, offer: &Interaction, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
        let Some(Part::Component(mut component)) = Part::read(self.universe, location) else {
            return Vec::new();
        };
        let mut bind = || {
            let side = match offer.payload.get("operation")?.as_text()? {
                "BdpOp" => Side::Provided,
                "BdrOp" => Side::Required,
                _ => return None,
            };
            let port = self.universe.find_port(offer.payload.get("port")?.as_text()?)?;
            let Value::Role(role) = *offer.payload.get("role")? else { return None };
            let roles = side.pick(&mut component.provided, &mut component.required).get_mut(&port)?;
            roles.insert(role);
            Some(self.told(component.notification, Operation::Bind(side, port, role), Some(&component)))
        };
        bind().into_iter().collect()
    }
}
