//! The argument: every requirement, capacity and conflict is met, by what comes before what.

use locus_aeolus::{Action, ComponentId, Configuration, PortId, StateId, TypeId, Universe};

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
    /// By component.
    lives: Vec<Option<Life>>,
    /// In order of requirers, ports and providers; those between the same ports in order of time.
    bindings: Vec<Bound>,
    /// In order of components and ports, then of time.
    provided: Vec<Stretch>,
}

/// A binding, and when it is there.
#[derive(Clone, Copy, Debug)]
struct Bound {
    requirer: ComponentId,
    port: PortId,
    provider: ComponentId,
    span: Span,
}

/// A component provides a port for a while.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    provider: ComponentId,
    port: PortId,
    span: Span,
}

/// Shows that a plan is right, if it can be shown.
pub(super) fn argue(universe: &Universe, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
    let mut argument = Argument {
        universe,
        order: Order::new(&plan.steps),
        lives: Vec::new(),
        bindings: Vec::new(),
        provided: Vec::new(),
    };
    argument.live(start, plan)?;
    argument.bind(start, plan)?;
    argument.provide();
    for (id, life) in argument.lives() {
        argument.requirements(id, life)?;
    }
    if universe.has_capacities() {
        argument.capacities()?;
    }
    argument.conflicts()
}

/// More bindings of one component at one port than this are not looked at in pairs.
const MOST_RELAYED: usize = 64;

fn demand(holds: bool) -> Result<(), Doubt> {
    if holds { Ok(()) } else { Err(Doubt) }
}

/// The items of an ordered list with a key.
fn with<'i, T, K: Ord>(items: &'i [T], key: impl Fn(&T) -> K, wanted: &K) -> &'i [T] {
    let from = items.partition_point(|item| key(item) < *wanted);
    let count = items[from..].iter().take_while(|item| key(item) == *wanted).count();
    &items[from..from + count]
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

    fn life(&self, id: ComponentId) -> Result<&Life, Doubt> {
        self.lives.get(id.index()).and_then(Option::as_ref).ok_or(Doubt)
    }

    fn lives(&self) -> impl Iterator<Item = (ComponentId, &Life)> {
        let all = self.lives.iter().enumerate();
        all.filter_map(|(index, life)| Some((ComponentId(index as u32), life.as_ref()?)))
    }

    /// The states of all components. The steps of each must be in a fixed order.
    fn live(&mut self, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
        let last = start.components.keys().next_back().map_or(0, |id| id.index() + 1);
        self.lives.resize_with(last.max(plan.components.len()), || None);
        for (&id, component) in &start.components {
            let span = Span { begin: START, end: None };
            let life = Life { kind: component.kind, states: vec![(component.state, span)], end: None };
            self.lives[id.index()] = Some(life);
        }
        for (step, action) in plan.steps.iter().enumerate().map(|(index, step)| (index as u32, &step.action))
        {
            match action {
                Action::New(id, kind) => {
                    // A component that comes back after it was deleted has two lives.
                    let life = self.lives.get_mut(id.index()).ok_or(Doubt)?;
                    demand(life.is_none())?;
                    let span = Span { begin: step, end: None };
                    let states = vec![(self.universe.kind(*kind).initial, span)];
                    *life = Some(Life { kind: *kind, states, end: None });
                }
                Action::Change(changes) => {
                    changes.iter().try_for_each(|c| self.enter(c.component, Some(c.to), step))?;
                }
                Action::Delete(id) => self.enter(*id, None, step)?,
                Action::Bind(_) | Action::Unbind(_) => {}
            }
        }
        Ok(())
    }

    /// A component enters a state, or is deleted.
    fn enter(&mut self, id: ComponentId, state: Option<StateId>, step: u32) -> Result<(), Doubt> {
        let life = self.lives.get_mut(id.index()).and_then(Option::as_mut).ok_or(Doubt)?;
        let (_, span) = life.states.last_mut().ok_or(Doubt)?;
        demand(life.end.is_none() && self.order.is_before(span.begin, step))?;
        span.end = Some(step);
        match state {
            Some(state) => life.states.push((state, Span { begin: step, end: None })),
            None => life.end = Some(step),
        }
        Ok(())
    }

    /// The bindings. Those between the same ports must be in a fixed order, and their ends there all the time.
    fn bind(&mut self, start: &Configuration, plan: &Plan) -> Result<(), Doubt> {
        // Steps come in order of their numbers; the start comes before them.
        let mut events: Vec<(ComponentId, PortId, ComponentId, Option<u32>, bool)> = Vec::new();
        events.extend(start.bindings.iter().map(|b| (b.requirer, b.port, b.provider, None, true)));
        for (step, action) in plan.steps.iter().enumerate().map(|(index, step)| (index as u32, &step.action))
        {
            let (Action::Bind(binding) | Action::Unbind(binding)) = action else { continue };
            for id in [binding.requirer, binding.provider] {
                let life = self.life(id)?;
                let born = life.states[0].1.begin;
                demand(self.order.is_before(born, step) && self.ends_after(life.end, Some(step)))?;
            }
            let is_made = matches!(action, Action::Bind(_));
            events.push((binding.requirer, binding.port, binding.provider, Some(step), is_made));
        }
        events.sort_unstable();
        self.bindings.reserve(events.len());
        for (requirer, port, provider, step, is_made) in events {
            let last = self.bindings.last_mut();
            let same =
                |one: &&mut Bound| (one.requirer, one.port, one.provider) == (requirer, port, provider);
            match (last.filter(same), step) {
                (before, _) if is_made => {
                    if let Some(before) = before {
                        let unbound = before.span.end.ok_or(Doubt)?;
                        demand(step.is_some_and(|step| self.order.is_before(unbound, step)))?;
                    }
                    let span = Span { begin: step.unwrap_or(START), end: None };
                    self.bindings.push(Bound { requirer, port, provider, span });
                }
                (Some(before), Some(step)) => {
                    let span = &mut before.span;
                    demand(span.end.is_none() && self.order.is_before(span.begin, step))?;
                    span.end = Some(step);
                }
                _ => return Err(Doubt),
            }
        }
        Ok(())
    }

    /// When each port is provided: neighbouring states that provide it are one stretch.
    fn provide(&mut self) {
        let mut all: Vec<(ComponentId, PortId, u32, Span)> = Vec::new();
        for (id, life) in self.lives() {
            for (index, (state, span)) in life.states.iter().enumerate() {
                let provides = &self.universe.state(life.kind, *state).provides;
                all.extend(provides.iter().map(|provision| (id, provision.port, index as u32, *span)));
            }
        }
        all.sort_unstable_by_key(|&(id, port, index, _)| (id, port, index));
        let mut provided: Vec<Stretch> = Vec::with_capacity(all.len());
        for (provider, port, _, span) in all {
            match provided.last_mut() {
                Some(last)
                    if (last.provider, last.port) == (provider, port)
                        && last.span.end == Some(span.begin) =>
                {
                    last.span.end = span.end;
                }
                _ => provided.push(Stretch { provider, port, span }),
            }
        }
        self.provided = provided;
    }

    /// Enough providers for each required port, from before it is needed to after it no longer is. Neighbouring states
    /// that require a port are looked at together first, since their bindings usually last that long.
    fn requirements(&self, id: ComponentId, life: &Life) -> Result<(), Doubt> {
        let mut visits: Vec<(PortId, u32, Span, u32)> = Vec::new();
        for (index, (state, span)) in life.states.iter().enumerate() {
            let requires = self.universe.state(life.kind, *state).requires.iter().filter(|r| r.number > 0);
            visits.extend(requires.map(|r| (r.port, index as u32, *span, r.number)));
        }
        visits.sort_unstable_by_key(|&(port, index, ..)| (port, index));
        for stretch in visits.chunk_by(|a, b| a.0 == b.0 && a.2.end == Some(b.2.begin)) {
            let whole = Span { begin: stretch[0].2.begin, end: stretch[stretch.len() - 1].2.end };
            let most = stretch.iter().map(|&(.., number)| number).max().unwrap_or(0);
            if self.served(id, stretch[0].0, whole, most).is_err() {
                stretch
                    .iter()
                    .try_for_each(|&(port, _, span, number)| self.served(id, port, span, number))?;
            }
        }
        Ok(())
    }

    fn served(&self, id: ComponentId, port: PortId, need: Span, number: u32) -> Result<(), Doubt> {
        let covers =
            |span: &Span| self.order.is_before(span.begin, need.begin) && self.ends_after(span.end, need.end);
        let (mut providers, mut last) = (0, None);
        for bound in with(&self.bindings, |bound| (bound.requirer, bound.port), &(id, port)) {
            let key = |stretch: &Stretch| (stretch.provider, stretch.port);
            let serves = bound.provider != id
                && last != Some(bound.provider)
                && covers(&bound.span)
                && with(&self.provided, key, &(bound.provider, port)).iter().any(|one| covers(&one.span));
            if serves {
                // Those of one provider stand side by side.
                last = Some(bound.provider);
                providers += 1;
                if providers >= number {
                    return Ok(());
                }
            }
        }
        self.relayed(id, port, need, number)
    }

    /// The same where one provider takes over from another on the way: the second is bound before the first is unbound,
    /// so that together they are as good as one that exists all the time.
    fn relayed(&self, id: ComponentId, port: PortId, need: Span, number: u32) -> Result<(), Doubt> {
        let bound = with(&self.bindings, |bound| (bound.requirer, bound.port), &(id, port));
        let serves = |bound: &Bound, span: Span| {
            let covers = |one: &Span| {
                self.order.is_before(one.begin, span.begin) && self.ends_after(one.end, span.end)
            };
            let key = |stretch: &Stretch| (stretch.provider, stretch.port);
            bound.provider != id
                && covers(&bound.span)
                && with(&self.provided, key, &(bound.provider, port)).iter().any(|one| covers(&one.span))
        };
        demand(bound.len() <= MOST_RELAYED)?;
        let mut used: Vec<ComponentId> = Vec::new();
        let mut first: Vec<&Bound> = Vec::new();
        for one in bound {
            if serves(one, need) {
                used.push(one.provider);
            } else {
                first.push(one);
            }
        }
        used.dedup();
        let mut providers = used.len();
        for one in first {
            let Some(end) = one.span.end else { continue };
            if used.contains(&one.provider) || !serves(one, Span { begin: need.begin, end: Some(end) }) {
                continue;
            }
            let rest = Span { begin: end, end: need.end };
            let next = bound.iter().find(|next| !used.contains(&next.provider) && serves(next, rest));
            if let Some(next) = next.filter(|next| next.provider != one.provider) {
                used.extend([one.provider, next.provider]);
                providers += 1;
            }
        }
        demand(providers >= number as usize)
    }

    /// No more bindings of a provided port at once than it bears: they make no more chains, in each of which one ends
    /// before the next begins.
    fn capacities(&self) -> Result<(), Doubt> {
        let mut bound: Vec<(ComponentId, PortId, Span)> =
            self.bindings.iter().map(|one| (one.provider, one.port, one.span)).collect();
        // Of the bindings of a port in order of their requirers, as they stand in the list.
        bound.sort_by_key(|&(provider, port, _)| (provider, port));
        for (id, life) in self.lives() {
            for (state, active) in &life.states {
                for provision in &self.universe.state(life.kind, *state).provides {
                    let Some(capacity) = provision.capacity else { continue };
                    let mut chains: Vec<Option<u32>> = Vec::new();
                    for (.., span) in with(&bound, |&(id, port, _)| (id, port), &(id, provision.port)) {
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

    /// Shows that a component in conflict with a port is so before or after any other provides it.
    fn conflicts(&self) -> Result<(), Doubt> {
        let mut against = Vec::new();
        for (id, life) in self.lives() {
            for (state, span) in &life.states {
                let state = self.universe.state(life.kind, *state);
                against.extend(state.requires.iter().filter(|r| r.number == 0).map(|r| (id, r.port, *span)));
            }
        }
        if against.is_empty() {
            return Ok(());
        }
        let mut by_port: Vec<(PortId, ComponentId, Span)> =
            self.provided.iter().map(|one| (one.port, one.provider, one.span)).collect();
        by_port.sort_by_key(|&(port, ..)| port);
        for (id, port, span) in against {
            for (_, other, stretch) in with(&by_port, |&(port, ..)| port, &port) {
                let before = |a: &Span, b: &Span| a.end.is_some_and(|end| self.order.is_before(end, b.begin));
                demand(*other == id || before(&span, stretch) || before(stretch, &span))?;
            }
        }
        Ok(())
    }
}
