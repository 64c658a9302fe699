//! The argument: every requirement, capacity and conflict is met, by what comes before what.

use locus_aeolus::{Action, ComponentId, Configuration, PortId, StateId, TypeId, Universe};
use rustc_hash::FxHashMap;

use super::order::{Order, START};
use crate::problem::Plan;

/// The argument does not apply. Whether the plan is right is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Doubt;

/// Something that begins at a moment and may end at another.
#[derive(Clone, Copy, Debug)]
struct Span {
    begin: u32,
    end: Option<u32>,
}

/// The life of a component: the states that it is in, one after the other.
struct Life {
    kind: TypeId,
    states: Vec<(StateId, Span)>,
    end: Option<u32>,
}

struct Argument<'a> {
    universe: &'a Universe,
    order: Order<'a>,
    lives: FxHashMap<ComponentId, Life>,
    /// The bindings of a required port: the provider, and when.
    bindings: FxHashMap<(ComponentId, PortId), Vec<(ComponentId, Span)>>,
    /// When a port is provided.
    provided: FxHashMap<(ComponentId, PortId), Vec<Span>>,
}

/// Shows that a plan is right, if it can be shown.
pub(super) fn argue(universe: &Universe, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
    let mut argument = Argument {
        universe,
        order: Order::new(&plan.steps),
        lives: FxHashMap::default(),
        bindings: FxHashMap::default(),
        provided: FxHashMap::default(),
    };
    argument.live(start, plan)?;
    argument.bind(start, plan)?;
    let mut ids: Vec<ComponentId> = argument.lives.keys().copied().collect();
    ids.sort_unstable();
    argument.provide(&ids);
    for &id in &ids {
        argument.requirements(id)?;
    }
    argument.capacities(&ids)?;
    argument.conflicts(&ids)
}

fn demand(holds: bool) -> Result<(), Doubt> {
    if holds { Ok(()) } else { Err(Doubt) }
}

impl Argument<'_> {
    /// Whether something that may never happen comes after a moment in any case.
    fn ends_after(&self, end: Option<u32>, moment: Option<u32>) -> bool {
        match (end, moment) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(end), Some(moment)) => self.order.is_before(moment, end),
        }
    }

    /// The states of all components. The steps of each must be in a fixed order.
    fn live(&mut self, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
        for (&id, component) in &start.components {
            let span = Span { begin: START, end: None };
            let life = Life { kind: component.kind, states: vec![(component.state, span)], end: None };
            self.lives.insert(id, life);
        }
        for (step, action) in plan.steps.iter().enumerate().map(|(index, step)| (index as u32, &step.action))
        {
            let touched: Vec<(ComponentId, Option<StateId>)> = match action {
                Action::New(id, kind) => {
                    // A component that comes back after it was deleted has two lives.
                    demand(!self.lives.contains_key(id))?;
                    let span = Span { begin: step, end: None };
                    let states = vec![(self.universe.kind(*kind).initial, span)];
                    self.lives.insert(*id, Life { kind: *kind, states, end: None });
                    continue;
                }
                Action::Change(changes) => changes.iter().map(|c| (c.component, Some(c.to))).collect(),
                Action::Delete(id) => vec![(*id, None)],
                Action::Bind(_) | Action::Unbind(_) => continue,
            };
            for (id, state) in touched {
                let life = self.lives.get_mut(&id).ok_or(Doubt)?;
                let (_, span) = life.states.last_mut().ok_or(Doubt)?;
                demand(life.end.is_none() && self.order.is_before(span.begin, step))?;
                span.end = Some(step);
                match state {
                    Some(state) => life.states.push((state, Span { begin: step, end: None })),
                    None => life.end = Some(step),
                }
            }
        }
        Ok(())
    }

    /// The bindings. Those between the same ports must be in a fixed order, and their ends there all the time.
    fn bind(&mut self, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
        let mut open: FxHashMap<_, usize> = FxHashMap::default();
        for binding in &start.bindings {
            let key = (binding.requirer, binding.port);
            let of = self.bindings.entry(key).or_default();
            open.insert((key, binding.provider), of.len());
            of.push((binding.provider, Span { begin: START, end: None }));
        }
        for (step, action) in plan.steps.iter().enumerate().map(|(index, step)| (index as u32, &step.action))
        {
            let (Action::Bind(binding) | Action::Unbind(binding)) = action else { continue };
            let key = (binding.requirer, binding.port);
            for id in [binding.requirer, binding.provider] {
                let life = self.lives.get(&id).ok_or(Doubt)?;
                let born = life.states[0].1.begin;
                demand(self.order.is_before(born, step) && self.ends_after(life.end, Some(step)))?;
            }
            let of = self.bindings.entry(key).or_default();
            let before = open.get(&(key, binding.provider)).copied();
            if matches!(action, Action::Bind(_)) {
                if let Some(before) = before {
                    let unbound = of[before].1.end.ok_or(Doubt)?;
                    demand(self.order.is_before(unbound, step))?;
                }
                open.insert((key, binding.provider), of.len());
                of.push((binding.provider, Span { begin: step, end: None }));
            } else {
                let (_, span) = &mut of[before.ok_or(Doubt)?];
                demand(span.end.is_none() && self.order.is_before(span.begin, step))?;
                span.end = Some(step);
            }
        }
        Ok(())
    }

    /// When each port is provided: neighbouring states that provide it are one stretch.
    fn provide(&mut self, ids: &[ComponentId]) {
        for &id in ids {
            let life = &self.lives[&id];
            for (index, (state, span)) in life.states.iter().enumerate() {
                for provision in &self.universe.state(life.kind, *state).provides {
                    let stretches = self.provided.entry((id, provision.port)).or_default();
                    let goes_on =
                        index > 0 && stretches.last().is_some_and(|last| last.end == Some(span.begin));
                    match stretches.last_mut() {
                        Some(last) if goes_on => last.end = span.end,
                        _ => stretches.push(*span),
                    }
                }
            }
        }
    }

    /// Enough providers for each required port, from before it is needed to after it no longer is. Neighbouring states
    /// that require a port are looked at together first, since their bindings usually last that long.
    fn requirements(&self, id: ComponentId) -> Result<(), Doubt> {
        let life = &self.lives[&id];
        let mut visits: FxHashMap<PortId, Vec<(Span, u32)>> = FxHashMap::default();
        for (state, span) in &life.states {
            for requirement in self.universe.state(life.kind, *state).requires.iter().filter(|r| r.number > 0)
            {
                visits.entry(requirement.port).or_default().push((*span, requirement.number));
            }
        }
        let mut visits: Vec<_> = visits.into_iter().collect();
        visits.sort_unstable_by_key(|&(port, _)| port);
        for (port, visits) in visits {
            for stretch in visits.chunk_by(|a, b| a.0.end == Some(b.0.begin)) {
                let whole = Span { begin: stretch[0].0.begin, end: stretch[stretch.len() - 1].0.end };
                let most = stretch.iter().map(|&(_, number)| number).max().unwrap_or(0);
                if self.served(id, port, whole, most).is_err() {
                    stretch.iter().try_for_each(|&(span, number)| self.served(id, port, span, number))?;
                }
            }
        }
        Ok(())
    }

    fn served(&self, id: ComponentId, port: PortId, need: Span, number: u32) -> Result<(), Doubt> {
        let covers =
            |span: &Span| self.order.is_before(span.begin, need.begin) && self.ends_after(span.end, need.end);
        let mut providers: Vec<ComponentId> = Vec::new();
        for (provider, bound) in self.bindings.get(&(id, port)).into_iter().flatten() {
            let stretches = self.provided.get(&(*provider, port)).map_or(&[][..], Vec::as_slice);
            let serves = *provider != id && covers(bound) && stretches.iter().any(covers);
            if serves && !providers.contains(provider) {
                providers.push(*provider);
                if providers.len() >= number as usize {
                    return Ok(());
                }
            }
        }
        Err(Doubt)
    }

    /// No more bindings of a provided port at once than it bears: they make no more chains, in each of which one ends
    /// before the next begins.
    fn capacities(&self, ids: &[ComponentId]) -> Result<(), Doubt> {
        let mut bound: FxHashMap<(ComponentId, PortId), Vec<Span>> = FxHashMap::default();
        let mut keys: Vec<_> = self.bindings.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            for &(provider, span) in &self.bindings[&key] {
                bound.entry((provider, key.1)).or_default().push(span);
            }
        }
        for &id in ids {
            let life = &self.lives[&id];
            for (state, active) in &life.states {
                for provision in &self.universe.state(life.kind, *state).provides {
                    let Some(capacity) = provision.capacity else { continue };
                    let mut chains: Vec<Option<u32>> = Vec::new();
                    for span in bound.get(&(id, provision.port)).into_iter().flatten() {
                        let apart = span.end.is_some_and(|end| self.order.is_before(end, active.begin))
                            || active.end.is_some_and(|end| self.order.is_before(end, span.begin));
                        if apart {
                            continue;
                        }
                        let follows =
                            |end: &Option<u32>| end.is_some_and(|e| self.order.is_before(e, span.begin));
                        match chains.iter().position(follows) {
                            Some(chain) => chains[chain] = span.end,
                            None => chains.push(span.end),
                        }
                        demand(chains.len() <= capacity as usize)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whoever is in conflict with a port is so before or after anybody else provides it.
    fn conflicts(&self, ids: &[ComponentId]) -> Result<(), Doubt> {
        let mut by_port: FxHashMap<PortId, Vec<(ComponentId, Span)>> = FxHashMap::default();
        let mut against = Vec::new();
        for &id in ids {
            let life = &self.lives[&id];
            for (state, span) in &life.states {
                let state = self.universe.state(life.kind, *state);
                against.extend(state.requires.iter().filter(|r| r.number == 0).map(|r| (id, r.port, *span)));
            }
        }
        if against.is_empty() {
            return Ok(());
        }
        let mut provided: Vec<_> = self.provided.iter().collect();
        provided.sort_unstable_by_key(|(key, _)| **key);
        for (&(id, port), stretches) in provided {
            by_port.entry(port).or_default().extend(stretches.iter().map(|&span| (id, span)));
        }
        for (id, port, span) in against {
            for (other, stretch) in by_port.get(&port).into_iter().flatten() {
                let before = |a: &Span, b: &Span| a.end.is_some_and(|end| self.order.is_before(end, b.begin));
                demand(*other == id || before(&span, stretch) || before(stretch, &span))?;
            }
        }
        Ok(())
    }
}
