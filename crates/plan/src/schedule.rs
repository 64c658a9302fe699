//! The events of lines in an order, and the steps of the plan.
//!
//! An event is a component entering a state, being created or being deleted. Some must come before others:
//!
//! - the provider enters a state that provides a port before the requirer enters one that requires it (*forward*);
//! - the requirer leaves the states that require it before the provider leaves those that provide it (*back*).
//!
//! Forward constraints follow the rounds of [`reach`](crate::reach) and make no circle; together with back constraints
//! they may. Then there is an event that waits for back constraints only, and the component that wants to leave is
//! divided in two: a twin does the same up to here and stays, and those who still need it are served by the twin. Twins
//! serve each other, so a line is divided at most once at each of its states and there is always an order; at worst
//! each state that is needed has a component of its own.
//!
//! A deployed component has no twin, since the plan begins after its creation: [`substitute`] makes another component
//! meanwhile, and those who need it turn to that one.

mod helpers;
mod substitute;

use std::rc::Rc;

use locus_aeolus::{Action, Binding, Change, Component, ComponentId, Configuration, PortId, StateId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lines::{Lines, MOST_LINES, Service};
use crate::problem::{Plan, Planned, Problem, Step};

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
struct Event {
    /// The lines that take part, each with the index of the state that it enters; the number of its states to be
    /// deleted.
    items: Vec<(u32, u32)>,
    /// Events that wait for this one: forward or back.
    next: Vec<(u32, bool)>,
    forward: u32,
    back: u32,
    /// How many services that never end keep it from happening.
    pins: u32,
    is_done: bool,
    /// Whether all items happen at once.
    is_group: bool,
    /// Services that end here, each with the one that takes its place.
    handed_over: Vec<(u32, u32)>,
}

/// Events that wait for each other in a way that no twin resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stuck;

pub(crate) struct Schedule<'a, 'l> {
    lines: &'l mut Lines<'a>,
    events: Vec<Event>,
    /// The event of each index of each line; `NONE` where a deployed component starts.
    of: Vec<Vec<u32>>,
    /// The services of each line as provider.
    by_provider: Vec<Vec<u32>>,
    by_requirer: Vec<Vec<u32>>,
    /// The twins of each line.
    twins: Vec<Vec<u32>>,
    /// Services that are handed over: by which event, and the service that takes their place.
    handed: FxHashMap<u32, (u32, u32)>,
    /// The services that take the place of others.
    taken_over: FxHashSet<u32>,
    order: Vec<u32>,
}

impl<'a, 'l> Schedule<'a, 'l> {
    /// Puts the events in order.
    pub(crate) fn new(lines: &'l mut Lines<'a>) -> Result<Self, Stuck> {
        let mut schedule = Self {
            lines,
            events: Vec::new(),
            of: Vec::new(),
            by_provider: Vec::new(),
            by_requirer: Vec::new(),
            twins: Vec::new(),
            handed: FxHashMap::default(),
            taken_over: FxHashSet::default(),
            order: Vec::new(),
        };
        schedule.make_events();
        for service in 0..schedule.lines.services.len() {
            schedule.constrain(service);
        }
        schedule.run()?;
        Ok(schedule)
    }

    /// The events of lines that have none yet.
    fn make_events(&mut self) {
        let mut groups: FxHashMap<u32, u32> = FxHashMap::default();
        for (index, line) in self.lines.all.iter().enumerate().skip(self.of.len()) {
            let mut of = Vec::with_capacity(line.path.len() + 1);
            for (at, &state) in line.path.iter().enumerate() {
                if at == 0 && line.existing.is_some() {
                    of.push(NONE);
                    continue;
                }
                let group = self.lines.reached.group[self.lines.nodes.node(line.kind, state)];
                let event = if group != 0 && at > 0 && !line.is_detour {
                    *groups.entry(group).or_insert_with(|| {
                        self.events.push(Event { is_group: true, ..Event::default() });
                        self.events.len() as u32 - 1
                    })
                } else {
                    self.events.push(Event::default());
                    self.events.len() as u32 - 1
                };
                self.events[event as usize].items.push((index as u32, at as u32));
                of.push(event);
            }
            if line.dies {
                of.push(self.events.len() as u32);
                let items = vec![(index as u32, line.path.len() as u32)];
                self.events.push(Event { items, ..Event::default() });
            }
            for pair in of.windows(2).filter(|pair| pair[0] != NONE) {
                self.events[pair[0] as usize].next.push((pair[1], true));
                self.events[pair[1] as usize].forward += 1;
            }
            self.of.push(of);
        }
        self.by_provider.resize(self.of.len(), Vec::new());
        self.by_requirer.resize(self.of.len(), Vec::new());
        self.twins.resize(self.of.len(), Vec::new());
    }

    /// The event with which the requirer of a service no longer needs it.
    fn release(&self, service: &Service) -> Option<u32> {
        self.of[service.requirer as usize].get(service.to as usize + 1).copied()
    }

    /// The event with which the provider of a service no longer provides it.
    fn withdraw(&self, service: &Service) -> Option<u32> {
        self.of[service.provider as usize].get(service.b as usize + 1).copied()
    }

    fn constrain(&mut self, index: usize) {
        let service = self.lines.services[index];
        self.by_provider[service.provider as usize].push(index as u32);
        self.by_requirer[service.requirer as usize].push(index as u32);
        let enters = self.of[service.requirer as usize][service.from as usize];
        let provides = self.of[service.provider as usize][service.a as usize];
        if enters != NONE && provides != NONE && enters != provides && !self.events[provides as usize].is_done
        {
            self.events[provides as usize].next.push((enters, true));
            self.events[enters as usize].forward += 1;
        }
        self.constrain_back(&service);
    }

    fn constrain_back(&mut self, service: &Service) {
        let Some(withdraws) = self.withdraw(service) else { return };
        match self.release(service) {
            Some(releases) if releases == withdraws => {}
            Some(releases) => {
                if !self.events[releases as usize].is_done {
                    self.events[releases as usize].next.push((withdraws, false));
                    self.events[withdraws as usize].back += 1;
                }
            }
            None => self.events[withdraws as usize].pins += 1,
        }
    }

    fn is_ready(&self, event: u32) -> bool {
        let event = &self.events[event as usize];
        event.forward == 0 && event.back == 0 && event.pins == 0 && !event.is_done
    }

    fn run(&mut self) -> Result<(), Stuck> {
        let mut ready: std::collections::VecDeque<u32> =
            (0..self.events.len() as u32).filter(|&event| self.is_ready(event)).collect();
        // Events that wait for back constraints only; those found wanting are looked at again when nothing is ready.
        let mut held: std::collections::VecDeque<u32> =
            (0..self.events.len() as u32).filter(|&e| self.events[e as usize].forward == 0).collect();
        loop {
            while let Some(event) = ready.pop_front() {
                if self.events[event as usize].is_done {
                    continue;
                }
                self.events[event as usize].is_done = true;
                self.order.push(event);
                for (next, is_forward) in std::mem::take(&mut self.events[event as usize].next) {
                    let waiting = &mut self.events[next as usize];
                    let count = if is_forward { &mut waiting.forward } else { &mut waiting.back };
                    *count -= 1;
                    if self.is_ready(next) {
                        ready.push_back(next);
                    } else if is_forward && self.events[next as usize].forward == 0 {
                        held.push_back(next);
                    }
                }
            }
            if self.order.len() == self.events.len() {
                return Ok(());
            }
            // One that is held for ever needs a twin in any case.
            held.retain(|&event| !self.events[event as usize].is_done);
            let pinned = held.iter().take(64).position(|&event| self.events[event as usize].pins > 0);
            let Some(event) = held.get(pinned.unwrap_or(0)).copied() else { return Err(Stuck) };
            if self.lines.all.len() > MOST_LINES {
                return Err(Stuck);
            }
            let first = self.events.len() as u32;
            self.divide(event)?;
            if self.is_ready(event) {
                ready.push_back(event);
            }
            for event in first..self.events.len() as u32 {
                if self.is_ready(event) {
                    ready.push_back(event);
                } else if self.events[event as usize].forward == 0 {
                    held.push_back(event);
                }
            }
        }
    }

    /// Gives a twin to each component that an event keeps from leaving, and the twin to those who need it.
    fn divide(&mut self, event: u32) -> Result<(), Stuck> {
        for (line, at) in self.events[event as usize].items.clone() {
            let last = at - 1;
            let open = self.open(event, line, last);
            if open.is_empty() {
                continue;
            }
            if self.lines.all[line as usize].existing.is_some() {
                self.substitute(event, &open)?;
                continue;
            }
            let twin = self.twin(line, last);
            for index in open {
                self.let_go(event, index);
                self.lines.services[index as usize].provider = twin;
                self.by_provider[twin as usize].push(index);
                // Who has not come so far yet waits for the same event as before, which was done.
            }
        }
        Ok(())
    }

    /// The services that keep a line from leaving a state.
    fn open(&self, event: u32, line: u32, last: u32) -> Vec<u32> {
        let is_open = |index: &u32| {
            let service = &self.lines.services[*index as usize];
            service.b == last
                && service.provider == line
                && self.withdraw(service) == Some(event)
                && self.release(service) != Some(event)
                && self.release(service).is_none_or(|e| !self.events[e as usize].is_done)
                && !self.handed.contains_key(index)
        };
        self.by_provider[line as usize].iter().copied().filter(is_open).collect()
    }

    /// A service no longer keeps an event from happening.
    fn let_go(&mut self, event: u32, service: u32) {
        match self.release(&self.lines.services[service as usize]) {
            None => self.events[event as usize].pins -= 1,
            Some(releases) => {
                let next = &mut self.events[releases as usize].next;
                let at = next.iter().position(|&entry| entry == (event, false));
                next.swap_remove(at.expect("it was constrained"));
                self.events[event as usize].back -= 1;
            }
        }
    }

    /// A component that does what another did up to a state, at the same moments, and stays there.
    fn twin(&mut self, line: u32, last: u32) -> u32 {
        let twin = self.lines.all.len() as u32;
        let mut copy = self.lines.all[line as usize].clone();
        copy.path.truncate(last as usize + 1);
        (copy.name, copy.dies, copy.is_kept) = (None, false, false);
        self.lines.all.push(copy);
        let of: Vec<u32> = self.of[line as usize][..=last as usize].to_vec();
        for (at, &event) in of.iter().enumerate() {
            debug_assert!(self.events[event as usize].is_done, "a twin does what was done");
            self.events[event as usize].items.push((twin, at as u32));
        }
        self.of.push(of);
        self.by_provider.push(Vec::new());
        self.by_requirer.push(Vec::new());
        self.twins.push(Vec::new());
        self.twins[line as usize].push(twin);
        for index in self.by_requirer[line as usize].clone() {
            let mut service = self.lines.services[index as usize];
            if service.from > last || self.taken_over.contains(&index) {
                continue;
            }
            (service.requirer, service.to) = (twin, service.to.min(last));
            if let Some(&(by, other)) = self.handed.get(&index) {
                let mut next = self.lines.services[other as usize];
                (next.requirer, next.to) = (service.requirer, service.to);
                let index = self.add_service(service);
                self.hand_over(index, next, by);
                continue;
            }
            self.prefer_twin(&mut service);
            self.add_service(service);
            self.constrain_back(&service);
        }
        twin
    }

    fn add_service(&mut self, service: Service) -> u32 {
        let index = self.lines.add_service(service);
        self.by_requirer[service.requirer as usize].push(index);
        self.by_provider[service.provider as usize].push(index);
        index
    }

    /// Serves a twin, which stays, by a twin of its provider if there is one that stays where it provides. Otherwise
    /// two lines that need each other would be divided in turn without end, each for the last twin of the other.
    fn prefer_twin(&self, service: &mut Service) {
        let stays = |&twin: &u32| {
            let last = self.lines.all[twin as usize].last() as u32;
            (service.a..=service.b).contains(&last).then_some((twin, last))
        };
        if let Some((twin, last)) = self.twins[service.provider as usize].iter().find_map(stays) {
            (service.provider, service.b) = (twin, last);
        }
    }

    /// The steps of the plan.
    pub(crate) fn plan(self, problem: &Problem<'_>) -> Plan {
        Emission::new(&self, problem).plan()
    }
}

/// The services at each index of each line: one list for all, in order.
struct ByEvent {
    /// Where the services of an index begin; the next entry is where they end.
    starts: Vec<u32>,
    services: Vec<u32>,
}

impl ByEvent {
    /// Services for which there is no index are left out.
    fn new(services: &[Service], indexes: usize, key: impl Fn(u32, &Service) -> Option<u32>) -> Self {
        let mut starts = vec![0u32; indexes + 1];
        let keyed = |(number, service): (usize, &Service)| Some((number, key(number as u32, service)?));
        for (_, index) in services.iter().enumerate().filter_map(keyed) {
            starts[index as usize + 1] += 1;
        }
        for index in 0..indexes {
            starts[index + 1] += starts[index];
        }
        let (mut next, mut all) = (starts.clone(), vec![0; services.len()]);
        for (number, index) in services.iter().enumerate().filter_map(keyed) {
            let next = &mut next[index as usize];
            all[*next as usize] = number as u32;
            *next += 1;
        }
        Self { starts, services: all }
    }

    fn at(&self, index: u32) -> &[u32] {
        &self.services[self.starts[index as usize] as usize..self.starts[index as usize + 1] as usize]
    }
}

/// The plan as it grows.
struct Emission<'s, 'a, 'l> {
    schedule: &'s Schedule<'a, 'l>,
    plan: Plan,
    ids: Vec<ComponentId>,
    /// The step with which each line was created, and its last step.
    born: Vec<u32>,
    latest: Vec<u32>,
    is_deleted: Vec<bool>,
    /// The number of the first index of each line: an index of a line is this and its place on the line.
    base: Vec<u32>,
    /// The step of each index.
    entered: Vec<u32>,
    /// The step that ends a service, for those that have ended.
    released: Vec<u32>,
    /// The services of a line that begin at a state of it, that end there, and that it provides up to there.
    from: Rc<ByEvent>,
    to: Rc<ByEvent>,
    until: ByEvent,
    /// Whether two lines are bound, and the step that did it or undid it.
    bound: FxHashMap<(PortId, u32, u32), (bool, u32)>,
}

impl<'s, 'a, 'l> Emission<'s, 'a, 'l> {
    fn new(schedule: &'s Schedule<'a, 'l>, problem: &Problem<'_>) -> Self {
        let lines = &schedule.lines.all;
        let mut plan = Plan::default();
        for (index, name) in problem.names.iter().enumerate() {
            let kind =
                problem.start.components.get(&ComponentId(index as u32)).map(|component| component.kind);
            let kind = kind.unwrap_or(locus_aeolus::TypeId(0));
            plan.components.push(Planned { name: name.clone(), kind, is_new: false });
        }
        let mut ids = Vec::new();
        let mut names = Names::new(problem.names);
        for line in lines {
            ids.push(line.existing.unwrap_or_else(|| {
                let wish = line.name.as_deref().unwrap_or(&problem.universe.kind(line.kind).name);
                let name = names.take(wish, line.name.is_some());
                plan.components.push(Planned { name, kind: line.kind, is_new: true });
                ComponentId(plan.components.len() as u32 - 1)
            }));
        }
        let line_of: FxHashMap<ComponentId, u32> =
            lines.iter().enumerate().filter_map(|(i, line)| Some((line.existing?, i as u32))).collect();
        let services = &schedule.lines.services;
        let mut bound = FxHashMap::with_capacity_and_hasher(services.len(), rustc_hash::FxBuildHasher);
        for binding in &problem.start.bindings {
            if let (Some(&x), Some(&y)) = (line_of.get(&binding.requirer), line_of.get(&binding.provider)) {
                bound.insert((binding.port, x, y), (true, NONE));
            }
        }
        let (mut base, mut indexes) = (Vec::with_capacity(lines.len()), 0u32);
        for line in lines {
            base.push(indexes);
            indexes += line.path.len() as u32;
        }
        let by = |key: &dyn Fn(u32, &Service) -> Option<u32>| ByEvent::new(services, indexes as usize, key);
        let (handed, taken_over) = (&schedule.handed, &schedule.taken_over);
        let count = lines.len();
        Self {
            from: Rc::new(by(&|number, service| {
                (!taken_over.contains(&number)).then(|| base[service.requirer as usize] + service.from)
            })),
            to: Rc::new(by(&|number, service| {
                (!handed.contains_key(&number)).then(|| base[service.requirer as usize] + service.to)
            })),
            until: by(&|_, service| Some(base[service.provider as usize] + service.b)),
            schedule,
            plan,
            ids,
            born: vec![NONE; count],
            latest: vec![NONE; count],
            is_deleted: vec![false; count],
            base,
            entered: vec![NONE; indexes as usize],
            released: vec![NONE; services.len()],
            bound,
        }
    }

    fn plan(mut self) -> Plan {
        let schedule = self.schedule;
        for &event in &schedule.order {
            let event = &schedule.events[event as usize];
            for &(service, next) in &event.handed_over {
                let Service { provider, a, .. } = schedule.lines.services[next as usize];
                self.turn_to(service, provider, a);
            }
            if event.is_group {
                self.enter(&event.items);
            } else {
                for item in &event.items {
                    self.enter(std::slice::from_ref(item));
                }
            }
        }
        self.remove_helpers();
        self.plan.end = self.end();
        self.plan
    }

    /// The configuration after all steps.
    fn end(&self) -> Configuration {
        let lines = self.schedule.lines.all.iter().enumerate();
        let stays = |line: u32| !self.is_deleted[line as usize];
        let mut components: Vec<(ComponentId, Component)> = lines
            .filter(|&(line, _)| stays(line as u32))
            .map(|(index, line)| {
                (self.ids[index], Component { kind: line.kind, state: line.path[line.last()] })
            })
            .collect();
        components.sort_unstable_by_key(|&(id, _)| id);
        let kept = self.bound.iter().filter(|&(&(_, x, y), &(is_bound, _))| is_bound && stays(x) && stays(y));
        let mut bindings: Vec<Binding> = kept
            .map(|(&(port, x, y), _)| {
                let (requirer, provider) = (self.ids[x as usize], self.ids[y as usize]);
                Binding { port, requirer, provider }
            })
            .collect();
        bindings.sort_unstable();
        Configuration {
            components: components.into_iter().collect(),
            bindings: bindings.into_iter().collect(),
        }
    }

    fn step(&mut self, action: Action, mut after: Vec<u32>) -> u32 {
        after.retain(|&step| step != NONE);
        after.sort_unstable();
        after.dedup();
        self.plan.steps.push(Step { action, after });
        self.plan.steps.len() as u32 - 1
    }

    fn index(&self, line: u32, at: u32) -> u32 {
        self.base[line as usize] + at
    }

    /// Some lines enter states at once, or one is created or deleted.
    fn enter(&mut self, items: &[(u32, u32)]) {
        let lines = &self.schedule.lines.all;
        let (line, at) = items[0];
        if at == 0 {
            let step = self.step(Action::New(self.ids[line as usize], lines[line as usize].kind), Vec::new());
            (self.born[line as usize], self.latest[line as usize]) = (step, step);
            let index = self.index(line, 0);
            self.entered[index as usize] = step;
            return;
        }
        let mut after = Vec::with_capacity(4);
        let mut changes = Vec::with_capacity(items.len());
        for &(line, at) in items {
            after.push(self.latest[line as usize]);
            // The steps after which nobody needs what the line provides up to here.
            let until = self.until.at(self.index(line, at - 1));
            after.extend(until.iter().map(|&service| self.released[service as usize]));
            let path = &lines[line as usize].path;
            if at as usize == path.len() {
                self.delete(line, after);
                return;
            }
            self.bind_for(line, at, items, &mut after);
            let state = |at: u32| -> StateId { path[at as usize] };
            changes.push(Change { component: self.ids[line as usize], from: state(at - 1), to: state(at) });
        }
        let step = self.step(Action::Change(changes), after);
        for &(line, at) in items {
            self.latest[line as usize] = step;
            let index = self.index(line, at);
            self.entered[index as usize] = step;
        }
        for &(line, at) in items {
            self.unbind_after(line, at - 1, step);
        }
    }

    /// Binds what a line needs in a state that it enters; `after` gets the steps to wait for.
    fn bind_for(&mut self, line: u32, at: u32, items: &[(u32, u32)], after: &mut Vec<u32>) {
        let from = Rc::clone(&self.from);
        for &service in from.at(self.index(line, at)) {
            let Service { port, provider, a, .. } = self.schedule.lines.services[service as usize];
            let key = (port, line, provider);
            let before = self.bound.get(&key).copied().unwrap_or((false, NONE));
            let together = items.contains(&(provider, a));
            let ready = if together { NONE } else { self.entered[self.index(provider, a) as usize] };
            after.push(ready);
            if before.0 {
                after.push(before.1);
                continue;
            }
            let wait = vec![self.born[line as usize], self.born[provider as usize], ready, before.1];
            let (requirer, provider) = (self.ids[line as usize], self.ids[provider as usize]);
            let step = self.step(Action::Bind(Binding { port, requirer, provider }), wait);
            self.bound.insert(key, (true, step));
            after.push(step);
        }
    }

    /// Takes away bindings that a line no longer needs, having left a state.
    fn unbind_after(&mut self, line: u32, last: u32, step: u32) {
        let (from, to) = (Rc::clone(&self.from), Rc::clone(&self.to));
        let next = from.at(self.index(line, last + 1));
        for &index in to.at(self.index(line, last)) {
            let Service { port, provider, .. } = self.schedule.lines.services[index as usize];
            let key = (port, line, provider);
            let used = next.iter().any(|&other| {
                let other = &self.schedule.lines.services[other as usize];
                (other.port, other.provider) == (port, provider)
            });
            let Some(&(true, bound)) = self.bound.get(&key) else { continue };
            if used {
                self.released[index as usize] = step;
                continue;
            }
            let (requirer, provider) = (self.ids[line as usize], self.ids[provider as usize]);
            let undone = self.step(Action::Unbind(Binding { port, requirer, provider }), vec![step, bound]);
            self.bound.insert(key, (false, undone));
            self.released[index as usize] = undone;
        }
    }

    fn delete(&mut self, line: u32, mut after: Vec<u32>) {
        for &index in &self.schedule.by_requirer[line as usize] {
            let Service { port, provider, .. } = self.schedule.lines.services[index as usize];
            after.extend(self.bound.get(&(port, line, provider)).map(|&(_, step)| step));
        }
        let services = &self.schedule.lines.services;
        for &index in &self.schedule.by_provider[line as usize] {
            let service = &services[index as usize];
            if service.provider == line {
                after.extend(self.bound.get(&(service.port, service.requirer, line)).map(|&(_, step)| step));
                after.push(self.released[index as usize]);
            }
        }
        let step = self.step(Action::Delete(self.ids[line as usize]), after);
        self.latest[line as usize] = step;
        self.is_deleted[line as usize] = true;
        for &index in &self.schedule.by_requirer[line as usize] {
            let service = &self.schedule.lines.services[index as usize];
            let is_last = service.to as usize == self.schedule.lines.all[line as usize].last();
            if is_last && !self.schedule.handed.contains_key(&index) {
                self.released[index as usize] = step;
            }
        }
    }
}

/// Names for new components that no other has.
struct Names {
    taken: FxHashSet<String>,
    last: FxHashMap<String, u32>,
}

impl Names {
    fn new(taken: &[String]) -> Self {
        Self { taken: taken.iter().cloned().collect(), last: FxHashMap::default() }
    }

    /// The wish itself if it may be used as it is and is free, else the wish with a number.
    fn take(&mut self, wish: &str, as_it_is: bool) -> String {
        if as_it_is && self.taken.insert(wish.to_owned()) {
            return wish.to_owned();
        }
        let number = self.last.entry(wish.to_owned()).or_default();
        loop {
            *number += 1;
            let name = format!("{wish}-{number}");
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}
