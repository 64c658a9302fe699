//! Which components there are, which states each goes through, and who serves whom.
//!
//! A *line* is the way of one component: the states that it goes through, and whether it is deleted at the end. Lines
//! are chosen backwards from what is wanted, along the parents that [`reach`](crate::reach) found: states that lie on
//! one way share a component. A *service* is a stretch of a line that requires a port, with the line that provides it
//! meanwhile. [`schedule`](crate::schedule) puts the events of all lines in order.

use std::cell::Cell;
use std::collections::BinaryHeap;

use locus_aeolus::{ComponentId, PortId, StateId, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::problem::{Others, Problem};
use crate::reach::{Node, Nodes, Reached};

/// The most components of a plan.
pub(crate) const MOST_LINES: usize = 1_000_000;

/// How often planning looks at what a component offers: capacities may make many offers useless, and each line looks at
/// all of them.
pub(crate) const MOST_LOOKS: u64 = 20_000_000;

/// The way of one component.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) kind: TypeId,
    /// The states, the first of which it is created in, or in at the start.
    pub(crate) path: Vec<StateId>,
    pub(crate) existing: Option<ComponentId>,
    pub(crate) name: Option<String>,
    /// Whether it is wanted at the end, or was there and stays.
    pub(crate) is_kept: bool,
    /// Whether it is deleted at the end of its path.
    pub(crate) dies: bool,
    /// Whether the path does not follow the parents, so that rounds say nothing of it.
    pub(crate) is_detour: bool,
}

impl Line {
    pub(crate) fn last(&self) -> usize {
        self.path.len() - 1
    }
}

/// A line is served at a port: in its states `from..=to`, by another that provides the port in its states `a..=b`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    pub(crate) port: PortId,
    pub(crate) requirer: u32,
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) provider: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// A stretch of a line in which it provides a port.
#[derive(Clone, Copy, Debug)]
struct Offer {
    line: u32,
    a: u32,
    b: u32,
    /// How many services it still bears.
    left: u32,
}

/// Choices that differ from the usual ones.
#[derive(Clone, Default)]
pub(crate) struct Choices {
    /// The provider for a port of a state.
    pub(crate) providers: FxHashMap<(Node, PortId), Node>,
    /// Whether the offer that bears most is taken, instead of the first: so that those who need several at once find
    /// them.
    pub(crate) is_balanced: bool,
}

/// Lines and services.
pub(crate) struct Lines<'a> {
    pub(crate) nodes: &'a Nodes<'a>,
    pub(crate) reached: &'a Reached,
    pub(crate) all: Vec<Line>,
    pub(crate) services: Vec<Service>,
    /// The provider chosen for each required port of each state that is needed.
    pub(crate) chosen: FxHashMap<(Node, PortId), Node>,
    offers: Vec<Vec<Offer>>,
    is_balanced: bool,
    /// How many offers were looked at.
    looks: Cell<u64>,
    /// Deployed components that no line has yet, by node.
    free: FxHashMap<Node, Vec<ComponentId>>,
    start_bindings: FxHashSet<(PortId, ComponentId, ComponentId)>,
    line_of: FxHashMap<ComponentId, u32>,
    /// The services of a line at a port.
    at_port: FxHashMap<(u32, PortId), Vec<u32>>,
    /// While stand-ins are looked for.
    stand_ins: Option<StandIns>,
}

/// Stand-ins use each other and whatever is there for good, so that they wait for nothing that is yet to happen.
struct StandIns {
    /// The first line that is one.
    first: usize,
    /// How many states of each line before were entered.
    entered: Vec<u32>,
}

/// Why there are no lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// More than [`MOST_LINES`].
    TooMany,
    /// More than [`MOST_LOOKS`].
    TooLong,
    /// A deployed component would be needed more than once, and no other can be made.
    NotTwice(Node),
    /// A deployed component cannot get to its wanted state.
    NoPath(ComponentId),
}

impl<'a> Lines<'a> {
    /// The lines for a problem whose wanted states were all reached.
    pub(crate) fn new(
        problem: &Problem<'_>,
        nodes: &'a Nodes<'a>,
        reached: &'a Reached,
        choices: &Choices,
    ) -> Result<Self, Failure> {
        let start_bindings =
            problem.start.bindings.iter().map(|b| (b.port, b.requirer, b.provider)).collect();
        let mut lines = Self {
            nodes,
            reached,
            all: Vec::new(),
            services: Vec::new(),
            chosen: FxHashMap::default(),
            offers: vec![Vec::new(); nodes.universe.port_count()],
            is_balanced: choices.is_balanced,
            looks: Cell::new(0),
            free: FxHashMap::default(),
            start_bindings,
            line_of: FxHashMap::default(),
            at_port: FxHashMap::default(),
            stand_ins: None,
        };
        let named: FxHashSet<ComponentId> =
            problem.wanted.iter().filter_map(|wanted| wanted.existing).collect();
        for (&id, component) in problem.start.components.iter().rev() {
            if !named.contains(&id) {
                lines.free.entry(nodes.node(component.kind, component.state)).or_default().push(id);
            }
        }
        lines.wanted(problem)?;
        let needed = lines.needed(problem, choices);
        lines.leaves(&needed)?;
        // What is deployed and only needed on the way does not stay where nothing stays that is not wanted.
        if problem.others == Others::Delete {
            for line in &mut lines.all {
                if line.existing.is_some_and(|id| !named.contains(&id)) {
                    (line.dies, line.is_kept) = (true, false);
                }
            }
        }
        lines.rest(problem);
        for line in 0..lines.all.len() {
            lines.offer(line);
        }
        lines.serve_all(0)?;
        Ok(lines)
    }

    fn wanted(&mut self, problem: &Problem<'_>) -> Result<(), Failure> {
        for wanted in &problem.wanted {
            let goal = self.nodes.node(wanted.kind, wanted.state);
            let line = if let Some(id) = wanted.existing {
                let from = problem.start.components[&id].state;
                let (path, is_detour) = self.path_of(wanted.kind, from, goal).ok_or(Failure::NoPath(id))?;
                self.line_of.insert(id, self.all.len() as u32);
                Line {
                    kind: wanted.kind,
                    path,
                    existing: Some(id),
                    name: None,
                    is_kept: !wanted.then_delete,
                    dies: wanted.then_delete,
                    is_detour,
                }
            } else {
                let line = self.tree_line(goal, false)?;
                Line { is_kept: true, name: wanted.name.clone(), ..line }
            };
            self.all.push(line);
        }
        Ok(())
    }

    /// The states from one to another: along the parents if they lead there, else a shortest detour.
    fn path_of(&self, kind: TypeId, from: StateId, goal: Node) -> Option<(Vec<StateId>, bool)> {
        let start = self.nodes.node(kind, from);
        let mut path = vec![goal];
        loop {
            let node = *path.last().expect("it is not empty");
            if node == start {
                path.reverse();
                return Some((path.into_iter().map(|node| self.nodes.of(node).1).collect(), false));
            }
            let parent = self.reached.parent[node] as usize;
            if parent == node {
                break;
            }
            path.push(parent);
        }
        let states = &self.nodes.universe.kind(kind).states;
        let mut before = vec![None; states.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        before[from.index()] = Some(from);
        while let Some(state) = queue.pop_front() {
            for &next in &states[state.index()].next {
                if before[next.index()].is_none() && self.reached.has(self.nodes.node(kind, next)) {
                    before[next.index()] = Some(state);
                    queue.push_back(next);
                }
            }
        }
        let mut path = vec![self.nodes.of(goal).1];
        while *path.last().expect("it is not empty") != from {
            path.push(before[path.last().expect("it is not empty").index()]?);
        }
        path.reverse();
        Some((path, true))
    }

    /// A line to a state along the parents, by a deployed component if it starts where one is, else by a new one.
    fn tree_line(&mut self, goal: Node, may_use_deployed: bool) -> Result<Line, Failure> {
        let mut path = vec![goal];
        loop {
            let node = *path.last().expect("it is not empty");
            let parent = self.reached.parent[node] as usize;
            if parent == node {
                break;
            }
            path.push(parent);
        }
        let root = *path.last().expect("it is not empty");
        let (kind, state) = self.nodes.of(root);
        let universe = self.nodes.universe;
        let creatable = universe.kind(kind).initial == state
            && universe.state(kind, state).requires.iter().all(|requirement| requirement.number == 0);
        let mut existing = None;
        if may_use_deployed || !creatable {
            existing = self.free.get_mut(&root).and_then(Vec::pop);
        }
        if existing.is_none() && !creatable {
            return Err(Failure::NotTwice(root));
        }
        if let Some(id) = existing {
            self.line_of.insert(id, self.all.len() as u32);
        }
        path.reverse();
        let path = path.into_iter().map(|node| self.nodes.of(node).1).collect();
        Ok(Line {
            kind,
            path,
            existing,
            name: None,
            is_kept: existing.is_some(),
            dies: false,
            is_detour: false,
        })
    }

    /// The states that are needed for what is wanted, with the providers that are chosen for them. Later rounds come
    /// first, so that a provider that is needed anyway is known when somebody earlier could use it.
    fn needed(&mut self, problem: &Problem<'_>, choices: &Choices) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut known: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.universe.port_count()];
        let mut heap: BinaryHeap<(u32, Node)> = BinaryHeap::new();
        let need =
            |node: Node, needed: &mut Vec<bool>, known: &mut Vec<Vec<u32>>, heap: &mut BinaryHeap<_>| {
                if !std::mem::replace(&mut needed[node], true) {
                    for provision in &self.nodes.state(node).provides {
                        known[provision.port.index()].push(node as u32);
                    }
                    heap.push((self.reached.round[node], node));
                }
            };
        // Deployed components that stay provide without being asked to.
        let mut deployed: FxHashMap<PortId, u32> = FxHashMap::default();
        for component in problem.start.components.values().filter(|_| problem.others == Others::Keep) {
            let node = self.nodes.node(component.kind, component.state);
            for provision in &self.nodes.state(node).provides {
                deployed.entry(provision.port).or_insert(node as u32);
            }
        }
        for line in &self.all {
            for &state in &line.path {
                need(self.nodes.node(line.kind, state), &mut needed, &mut known, &mut heap);
            }
        }
        while let Some((round, node)) = heap.pop() {
            let parent = self.reached.parent[node] as usize;
            need(parent, &mut needed, &mut known, &mut heap);
            for requirement in self.nodes.state(node).requires.iter().filter(|r| r.number > 0) {
                let port = requirement.port;
                let before = |&provider: &u32| {
                    let provider = provider as usize;
                    let together = self.reached.group[node] != 0
                        && self.reached.group[node] == self.reached.group[provider];
                    self.reached.has(provider) && (self.reached.round[provider] < round || together)
                };
                let all = &self.nodes.providers[port.index()];
                let usual = || {
                    let known = known[port.index()].iter().rev().take(8).copied();
                    let known = deployed.get(&port).copied().into_iter().chain(known).find(&before);
                    let earliest = || {
                        all.iter().copied().filter(&before).min_by_key(|&p| self.reached.round[p as usize])
                    };
                    known.or_else(earliest)
                };
                let asked =
                    choices.providers.get(&(node, port)).map(|&provider| provider as u32).filter(before);
                // A state at the start may have been entered in another world: then what it requires is bound.
                let Some(provider) = asked.or_else(usual) else { continue };
                self.chosen.insert((node, port), provider as usize);
                need(provider as usize, &mut needed, &mut known, &mut heap);
            }
        }
        needed
    }

    /// A line to each needed state that is on no line and before no other needed state.
    fn leaves(&mut self, needed: &[bool]) -> Result<(), Failure> {
        let mut covered = vec![false; self.nodes.len()];
        for line in &self.all {
            for &state in &line.path {
                covered[self.nodes.node(line.kind, state)] = true;
            }
        }
        let mut has_child = vec![false; self.nodes.len()];
        for node in (0..self.nodes.len()).filter(|&node| needed[node]) {
            let parent = self.reached.parent[node] as usize;
            has_child[parent] |= parent != node;
        }
        for node in (0..self.nodes.len()).filter(|&node| needed[node] && !has_child[node]) {
            if !covered[node] {
                let line = self.tree_line(node, true)?;
                self.all.push(line);
            }
        }
        Ok(())
    }

    /// Deployed components that no line has.
    fn rest(&mut self, problem: &Problem<'_>) {
        for (&id, component) in &problem.start.components {
            if self.line_of.contains_key(&id) {
                continue;
            }
            self.line_of.insert(id, self.all.len() as u32);
            let dies = problem.others == Others::Delete;
            self.all.push(Line {
                kind: component.kind,
                path: vec![component.state],
                existing: Some(id),
                name: None,
                is_kept: !dies,
                dies,
                is_detour: false,
            });
        }
        self.free.clear();
    }

    /// Finds providers for the lines from this one on, and for those that are added meanwhile.
    fn serve_all(&mut self, first: usize) -> Result<(), Failure> {
        let mut line = first;
        while line < self.all.len() {
            for (port, from, to) in self.needs(line) {
                let service = self.serve(line, port, from, to)?;
                self.add_service(service);
            }
            line += 1;
            if self.all.len() > MOST_LINES {
                return Err(Failure::TooMany);
            }
            if self.looks.get() > MOST_LOOKS {
                return Err(Failure::TooLong);
            }
        }
        Ok(())
    }

    fn offer(&mut self, index: usize) {
        let line = &self.all[index];
        let states = &self.nodes.universe.kind(line.kind).states;
        for (at, &state) in line.path.iter().enumerate() {
            for provision in &states[state.index()].provides {
                let offers = &mut self.offers[provision.port.index()];
                let goes_on = at > 0 && states[line.path[at - 1].index()].provision(provision.port).is_some();
                let left = provision.capacity.unwrap_or(u32::MAX);
                if goes_on && let Some(offer) = offers.iter_mut().rev().find(|o| o.line == index as u32) {
                    offer.b = at as u32;
                    offer.left = offer.left.min(left);
                } else {
                    let at = at as u32;
                    offers.push(Offer { line: index as u32, a: at, b: at, left });
                }
            }
        }
    }

    /// The stretches of a line in which it requires a port, one for each provider that it needs at once.
    fn needs(&self, index: usize) -> Vec<(PortId, u32, u32)> {
        let line = &self.all[index];
        let states = &self.nodes.universe.kind(line.kind).states;
        let mut needs: Vec<(PortId, u32, u32)> = Vec::new();
        let mut open: FxHashMap<(PortId, u32), usize> = FxHashMap::default();
        for (at, &state) in line.path.iter().enumerate() {
            for requirement in &states[state.index()].requires {
                for slot in 0..requirement.number {
                    let key = (requirement.port, slot);
                    match open.get(&key) {
                        Some(&need) if needs[need].2 + 1 == at as u32 => needs[need].2 = at as u32,
                        _ => {
                            open.insert(key, needs.len());
                            needs.push((requirement.port, at as u32, at as u32));
                        }
                    }
                }
            }
        }
        needs
    }

    /// A provider for a stretch of a line; a line is added where none fits.
    fn serve(&mut self, line: usize, port: PortId, from: u32, to: u32) -> Result<Service, Failure> {
        if let Some(at) = self.best_offer(line, port, from, to) {
            return Ok(self.take(at, line, port, from, to));
        }
        let node = self.nodes.node(self.all[line].kind, self.all[line].path[from as usize]);
        let provider = if self.stand_ins.is_some() {
            self.fresh_provider(line, node, port)
        } else {
            self.chosen.get(&(node, port)).copied()
        };
        let provider = provider.ok_or(Failure::NotTwice(node))?;
        let added = self.tree_line(provider, false)?;
        self.all.push(added);
        let index = self.all.len() - 1;
        self.offer(index);
        let offers = &self.offers[port.index()];
        let at = offers.iter().rposition(|offer| offer.line == index as u32);
        Ok(self.take(at.expect("it goes to a state that provides the port"), line, port, from, to))
    }

    /// Adds a service, and gives its number.
    pub(crate) fn add_service(&mut self, service: Service) -> u32 {
        let number = self.services.len() as u32;
        self.at_port.entry((service.requirer, service.port)).or_default().push(number);
        self.services.push(service);
        number
    }

    /// Other providers for services of a line that is about to leave the state in which it provides them, with lines
    /// that are added for that. As many states of each line as `entered` says were entered.
    pub(crate) fn stand_in(&mut self, services: &[u32], entered: Vec<u32>) -> Result<Vec<Service>, Failure> {
        for &index in services {
            let Service { port, provider, b, .. } = self.services[index as usize];
            self.offers[port.index()].retain(|offer| (offer.line, offer.b) != (provider, b));
        }
        let first = self.all.len();
        self.stand_ins = Some(StandIns { first, entered });
        let mut found = Vec::with_capacity(services.len());
        for &index in services {
            let Service { port, requirer, from, to, .. } = self.services[index as usize];
            found.push(self.serve(requirer as usize, port, from, to)?);
        }
        self.serve_all(first)?;
        self.stand_ins = None;
        Ok(found)
    }

    /// The first state that new components reach and that provides a port; before the line itself, if that is a
    /// stand-in.
    fn fresh_provider(&self, line: usize, node: Node, port: PortId) -> Option<Node> {
        let is_stand_in = self.stand_ins.as_ref().is_some_and(|stand_ins| line >= stand_ins.first);
        let providers = self.nodes.providers[port.index()].iter().map(|&provider| provider as usize);
        let fits = |&provider: &Node| {
            self.reached.is_fresh[provider] && (!is_stand_in || self.is_before(provider, node))
        };
        providers.filter(fits).min_by_key(|&provider| self.reached.round[provider])
    }

    /// Whether a state is there before another is entered, or at the same moment.
    fn is_before(&self, provider: Node, node: Node) -> bool {
        let together =
            self.reached.group[node] != 0 && self.reached.group[node] == self.reached.group[provider];
        self.reached.round[provider] < self.reached.round[node] || together
    }

    fn take(&mut self, at: usize, line: usize, port: PortId, from: u32, to: u32) -> Service {
        let offers = &mut self.offers[port.index()];
        let offer = offers[at];
        offers[at].left = offer.left.saturating_sub(u32::from(offer.left != u32::MAX));
        if offers[at].left == 0 {
            offers.remove(at);
        }
        Service { port, requirer: line as u32, from, to, provider: offer.line, a: offer.a, b: offer.b }
    }

    /// The offer that costs least, if there is one: first one that lasts, then one that must be given back in time.
    fn best_offer(&self, line: usize, port: PortId, from: u32, to: u32) -> Option<usize> {
        let requirer = &self.all[line];
        let node = self.nodes.node(requirer.kind, requirer.path[from as usize]);
        let stays = to as usize == requirer.last() && !requirer.dies;
        let mut best: Option<((u32, u32), usize)> = None;
        self.looks.set(self.looks.get() + self.offers[port.index()].len() as u64);
        for (at, offer) in self.offers[port.index()].iter().enumerate() {
            let provider = &self.all[offer.line as usize];
            if offer.line as usize == line || !self.is_in_time(line, (node, from), port, offer) {
                continue;
            }
            let taken = self.at_port.get(&(line as u32, port)).into_iter().flatten();
            let overlaps = taken.into_iter().any(|&service| {
                let service = &self.services[service as usize];
                service.provider == offer.line && service.to >= from && service.from <= to
            });
            if overlaps {
                continue;
            }
            let lasts = offer.b as usize == provider.last() && !provider.dies;
            let cost = match (lasts, stays) {
                (true, _) => 0,
                (false, false) => 1,
                (false, true) => 2,
            };
            let key = (cost, if self.is_balanced { u32::MAX - offer.left } else { 0 });
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, at));
            }
            if key == (0, 0) {
                break;
            }
        }
        best.map(|(_, at)| at)
    }

    /// Whether an offer is there when it is needed, whatever the order of other things.
    fn is_in_time(&self, line: usize, (node, from): (Node, u32), port: PortId, offer: &Offer) -> bool {
        let (requirer, provider) = (&self.all[line], &self.all[offer.line as usize]);
        let other = self.nodes.node(provider.kind, provider.path[offer.a as usize]);
        if let Some(StandIns { first, entered }) = &self.stand_ins {
            return match entered.get(offer.line as usize) {
                Some(&entered) => entered > offer.a && offer.b as usize == provider.last() && !provider.dies,
                None => line < *first || self.is_before(other, node),
            };
        }
        if from == 0
            && let Some(id) = requirer.existing
        {
            let bound =
                provider.existing.is_some_and(|other| self.start_bindings.contains(&(port, id, other)));
            return bound && offer.a == 0;
        }
        if offer.a == 0 && provider.existing.is_some() {
            return true;
        }
        !provider.is_detour && (requirer.is_detour || self.is_before(other, node))
    }
}
