//! The five actions of Aeolus: figure 16 of the report.
//!
//! Where the figure as printed cannot be meant, the text around it is followed:
//!
//! - Slip: rule DEL keeps the bindings `B \ B'` where `B'` are those *without* the component, so just those of the
//!   deleted component would stay. The text says that they go, and here they do.
//! - Slip: rule BIND lets a component be bound to itself. The text before definition 2 has bindings between a
//!   component and "some other component", and the location graph has no such transition
//!   (`BindingsConnectDifferentComponents`), so that theorem 1 would not hold. Here the two differ.
//! - Slip: rule CHANGE says `T.trans` for the transitions of the type of each component.

use crate::{Binding, Component, ComponentId, Configuration, StateId, TypeId, Universe};

/// A component follows a transition of its lifecycle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Change {
    /// The component.
    pub component: ComponentId,
    /// The state that it leaves.
    pub from: StateId,
    /// The state that it enters.
    pub to: StateId,
}

/// An action of a deployment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Components change their states, all at once; at least one does.
    Change(Vec<Change>),
    /// A required port is bound to a provided one.
    Bind(Binding),
    /// A binding is removed.
    Unbind(Binding),
    /// A component is created, in the initial state of its type.
    New(ComponentId, TypeId),
    /// A component is deleted, with all its bindings.
    Delete(ComponentId),
}

/// Why an action is not possible in a configuration: the premise of its rule that does not hold.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// A change of no component.
    #[error("no component changes its state")]
    NothingChanges,
    /// A component is not deployed.
    #[error("the component is not deployed")]
    Absent(ComponentId),
    /// A component is deployed already.
    #[error("the component is deployed already")]
    Present(ComponentId),
    /// A component changes twice at once.
    #[error("the component changes its state twice at once")]
    Twice(ComponentId),
    /// A component is not in the state that it is to leave.
    #[error("the component is in another state")]
    OtherState(ComponentId, StateId),
    /// The lifecycle has no such transition.
    #[error("the lifecycle has no such transition")]
    NoTransition(Change),
    /// The binding exists.
    #[error("the two are bound already")]
    Bound,
    /// The binding does not exist.
    #[error("the two are not bound")]
    NotBound,
    /// A component is bound to itself.
    #[error("a component is not bound to itself")]
    Itself,
    /// The type of the requirer never requires the port, or that of the provider never provides it.
    #[error("the component type does not have the port")]
    NoPort(ComponentId),
}

impl Configuration {
    /// The configuration after an action, by the rules of figure 16. Whether it is correct is another question.
    ///
    /// # Errors
    /// With the premise that does not hold.
    ///
    /// # Panics
    /// If the action creates a component of a type that the universe does not have.
    pub fn after(&self, universe: &Universe, action: &Action) -> Result<Self, Refusal> {
        let mut next = self.clone();
        next.perform(universe, action)?;
        Ok(next)
    }

    /// Performs an action; if it is refused, the configuration stays as it is.
    ///
    /// # Errors
    /// With the premise that does not hold.
    ///
    /// # Panics
    /// If the action creates a component of a type that the universe does not have.
    pub fn perform(&mut self, universe: &Universe, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Change(changes) => self.change(universe, changes)?,
            Action::Bind(binding) => {
                self.check_bind(universe, *binding)?;
                self.bindings.insert(*binding);
            }
            Action::Unbind(binding) => {
                if !self.bindings.remove(binding) {
                    return Err(Refusal::NotBound);
                }
            }
            &Action::New(id, kind) => {
                if self.components.contains_key(&id) {
                    return Err(Refusal::Present(id));
                }
                self.components.insert(id, Component { kind, state: universe.kind(kind).initial });
            }
            &Action::Delete(id) => {
                if self.components.remove(&id).is_none() {
                    return Err(Refusal::Absent(id));
                }
                self.bindings.retain(|binding| binding.requirer != id && binding.provider != id);
            }
        }
        Ok(())
    }

    fn change(&mut self, universe: &Universe, changes: &[Change]) -> Result<(), Refusal> {
        if changes.is_empty() {
            return Err(Refusal::NothingChanges);
        }
        for (index, change) in changes.iter().enumerate() {
            let id = change.component;
            if changes[..index].iter().any(|earlier| earlier.component == id) {
                return Err(Refusal::Twice(id));
            }
            let component = self.components.get(&id).ok_or(Refusal::Absent(id))?;
            if component.state != change.from {
                return Err(Refusal::OtherState(id, component.state));
            }
            if universe.state(component.kind, change.from).next.binary_search(&change.to).is_err() {
                return Err(Refusal::NoTransition(*change));
            }
        }
        for change in changes {
            self.components.get_mut(&change.component).expect("just looked up").state = change.to;
        }
        Ok(())
    }

    fn check_bind(&self, universe: &Universe, binding: Binding) -> Result<(), Refusal> {
        let Binding { port, requirer, provider } = binding;
        let kind = |id| self.components.get(&id).ok_or(Refusal::Absent(id)).map(|c| universe.kind(c.kind));
        if kind(requirer)?.required.binary_search(&port).is_err() {
            return Err(Refusal::NoPort(requirer));
        }
        if kind(provider)?.provided.binary_search(&port).is_err() {
            return Err(Refusal::NoPort(provider));
        }
        if requirer == provider {
            return Err(Refusal::Itself);
        }
        if self.bindings.contains(&binding) { Err(Refusal::Bound) } else { Ok(()) }
    }

    /// All actions that the rules of figure 16 allow, in order: with `at_once` components at most in a change of
    /// states, and with [`Configuration::fresh`] for the component that is created. There are exponentially many
    /// changes in `at_once`.
    pub fn actions(&self, universe: &Universe, at_once: usize) -> Vec<Action> {
        let mut actions = self.changes(universe, at_once);
        for (&requirer, a) in &self.components {
            for (&provider, b) in &self.components {
                for &port in &universe.kind(a.kind).required {
                    let binding = Binding { port, requirer, provider };
                    let provides = universe.kind(b.kind).provided.binary_search(&port).is_ok();
                    if requirer != provider && provides && !self.bindings.contains(&binding) {
                        actions.push(Action::Bind(binding));
                    }
                }
            }
        }
        actions.extend(self.bindings.iter().map(|&binding| Action::Unbind(binding)));
        actions.extend(universe.types().map(|(kind, _)| Action::New(self.fresh(), kind)));
        actions.extend(self.components.keys().map(|&id| Action::Delete(id)));
        actions
    }

    /// Every non-empty set of transitions of different components, `at_once` of them at most.
    fn changes(&self, universe: &Universe, at_once: usize) -> Vec<Action> {
        let mut sets: Vec<Vec<Change>> = vec![Vec::new()];
        for (&component, &Component { kind, state: from }) in &self.components {
            for set in sets.clone().into_iter().filter(|set| set.len() < at_once) {
                for &to in &universe.state(kind, from).next {
                    let mut larger = set.clone();
                    larger.push(Change { component, from, to });
                    sets.push(larger);
                }
            }
        }
        sets.into_iter().filter(|set| !set.is_empty()).map(Action::Change).collect()
    }
}
