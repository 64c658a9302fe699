//! One interleaving of a plan: its steps in the order in which they are listed, by the rules of figure 16 of the
//! report.
//!
//! [`Configuration::perform`](locus_aeolus::Configuration::perform) does the same for any configuration; here a
//! deletion looks at the bindings of its component alone, so that plans with many deletions take no longer than others.

use locus_aeolus::{Action, Binding, Change, Component, ComponentId, Configuration, Universe};
use rustc_hash::FxHashSet;

use super::Fault;
use crate::problem::Plan;

/// Performs the steps in the order in which they are listed. Every step must be possible, and the end as announced.
pub(super) fn one_way(universe: &Universe, start: &Configuration, plan: &Plan) -> Result<(), Fault> {
    let mut world = World::new(universe, start, plan);
    for (index, step) in plan.steps.iter().enumerate() {
        if world.perform(&step.action).is_none() {
            return Err(Fault::Impossible { step: index as u32 });
        }
    }
    if world.is(&plan.end) { Ok(()) } else { Err(Fault::OtherEnd) }
}

/// A configuration on the way.
struct World<'a> {
    universe: &'a Universe,
    /// By id.
    components: Vec<Option<Component>>,
    bindings: FxHashSet<Binding>,
    /// The bindings that a component has, and some that it had.
    of: Vec<Vec<Binding>>,
}

impl<'a> World<'a> {
    fn new(universe: &'a Universe, start: &Configuration, plan: &Plan) -> Self {
        let last = start.components.keys().next_back().map_or(0, |id| id.index() + 1);
        let count = last.max(plan.components.len());
        let mut world = Self {
            universe,
            components: vec![None; count],
            bindings: FxHashSet::default(),
            of: vec![Vec::new(); count],
        };
        for (id, &component) in &start.components {
            world.components[id.index()] = Some(component);
        }
        for &binding in &start.bindings {
            world.add(binding);
        }
        world
    }

    fn add(&mut self, binding: Binding) {
        self.bindings.insert(binding);
        for id in [binding.requirer, binding.provider] {
            if let Some(of) = self.of.get_mut(id.index()) {
                of.push(binding);
            }
        }
    }

    fn get(&self, id: ComponentId) -> Option<Component> {
        self.components.get(id.index()).copied().flatten()
    }

    /// Performs an action; nothing if one of its premises does not hold.
    fn perform(&mut self, action: &Action) -> Option<()> {
        match action {
            Action::Change(changes) => self.change(changes),
            Action::Bind(binding) => {
                let Binding { port, requirer, provider } = *binding;
                let (user, server) = (self.get(requirer)?, self.get(provider)?);
                self.universe.kind(user.kind).required.binary_search(&port).ok()?;
                self.universe.kind(server.kind).provided.binary_search(&port).ok()?;
                let is_possible = requirer != provider && !self.bindings.contains(binding);
                is_possible.then(|| self.add(*binding))
            }
            Action::Unbind(binding) => self.bindings.remove(binding).then_some(()),
            &Action::New(id, kind) => {
                let is_known = kind.index() < self.universe.types().len();
                let place = self.components.get_mut(id.index()).filter(|one| one.is_none() && is_known)?;
                *place = Some(Component { kind, state: self.universe.kind(kind).initial });
                Some(())
            }
            Action::Delete(id) => {
                self.components.get_mut(id.index())?.take()?;
                for binding in std::mem::take(&mut self.of[id.index()]) {
                    self.bindings.remove(&binding);
                }
                Some(())
            }
        }
    }

    fn change(&mut self, changes: &[Change]) -> Option<()> {
        for (index, change) in changes.iter().enumerate() {
            let component = self.get(change.component)?;
            let twice = changes[..index].iter().any(|earlier| earlier.component == change.component);
            let next = &self.universe.state(component.kind, component.state).next;
            let leads = component.state == change.from && next.binary_search(&change.to).is_ok();
            if twice || !leads {
                return None;
            }
        }
        for change in changes {
            if let Some(component) = &mut self.components[change.component.index()] {
                component.state = change.to;
            }
        }
        (!changes.is_empty()).then_some(())
    }

    /// Whether this is that configuration.
    fn is(&self, other: &Configuration) -> bool {
        let own = self.components.iter().enumerate();
        let own = own.filter_map(|(index, &one)| Some((ComponentId(index as u32), one?)));
        own.eq(other.components.iter().map(|(&id, &one)| (id, one)))
            && self.bindings.len() == other.bindings.len()
            && other.bindings.iter().all(|binding| self.bindings.contains(binding))
    }
}
