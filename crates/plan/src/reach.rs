//! Which states of which types can be reached, when there may be as many components as one likes.
//!
//! Without capacities and conflicts this decides everything: more components never do harm, so a configuration can be
//! reached exactly if each state in it can. With them it is a necessary condition.
//!
//! States are found in rounds: a state can be entered when one before it was found, and each port that it requires is
//! provided by some state found before. Where that ends, several components may still change their states at once and
//! serve each other from that moment: the largest set of states one transition away whose requirements are met by
//! what was found and by the set itself.

use locus_aeolus::{Configuration, PortId, StateId, TypeId, Universe};

use crate::problem::Reason;

/// A state of a type, as a number.
pub(crate) type Node = usize;

/// Not found.
pub(crate) const NEVER: u32 = u32::MAX;

/// The states of all types, numbered.
pub(crate) struct Nodes<'a> {
    pub(crate) universe: &'a Universe,
    base: Vec<usize>,
    of: Vec<(TypeId, StateId)>,
    /// The states that provide each port.
    pub(crate) providers: Vec<Vec<u32>>,
}

impl<'a> Nodes<'a> {
    pub(crate) fn new(universe: &'a Universe) -> Self {
        let mut nodes = Self {
            universe,
            base: Vec::new(),
            of: Vec::new(),
            providers: vec![Vec::new(); universe.port_count()],
        };
        for (id, kind) in universe.types() {
            nodes.base.push(nodes.of.len());
            for state in kind.state_ids() {
                for provision in &kind.state(state).provides {
                    nodes.providers[provision.port.index()].push(nodes.of.len() as u32);
                }
                nodes.of.push((id, state));
            }
        }
        nodes
    }

    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }

    pub(crate) fn node(&self, kind: TypeId, state: StateId) -> Node {
        self.base[kind.index()] + state.index()
    }

    pub(crate) fn of(&self, node: Node) -> (TypeId, StateId) {
        self.of[node]
    }

    pub(crate) fn state(&self, node: Node) -> &'a locus_aeolus::State {
        let (kind, state) = self.of[node];
        self.universe.state(kind, state)
    }

    fn next(&self, node: Node) -> impl Iterator<Item = Node> + use<'_, 'a> {
        let base = self.base[self.of[node].0.index()];
        self.state(node).next.iter().map(move |next| base + next.index())
    }
}

/// The states that were found, and how.
pub(crate) struct Reached {
    /// The round in which a state was found.
    pub(crate) round: Vec<u32>,
    /// The state from which it was found; itself, if it is an initial state or one at the start.
    pub(crate) parent: Vec<u32>,
    /// For states that can only be entered together with others: which set. Sets are numbered from 1.
    pub(crate) group: Vec<u32>,
    /// Whether a new component reaches the state without what is deployed, so that there can be as many as one likes.
    /// Only known of what [`anew`] finds.
    pub(crate) is_fresh: Vec<bool>,
}

impl Reached {
    pub(crate) fn has(&self, node: Node) -> bool {
        self.round[node] != NEVER
    }
}

/// The states that can be reached from a configuration, until all of `goals` are found or nothing more is.
pub(crate) fn reach(nodes: &Nodes<'_>, start: &Configuration, goals: &[Node]) -> Reached {
    let mut search = Search::new(nodes);
    for component in start.components.values() {
        let node = nodes.node(component.kind, component.state);
        search.find(node, node, 0, 0);
    }
    for (id, kind) in nodes.universe.types() {
        // A new component has no bindings yet.
        if kind.state(kind.initial).requires.iter().all(|requirement| requirement.number == 0) {
            let node = nodes.node(id, kind.initial);
            search.find(node, node, 0, 0);
        }
    }
    let mut groups = 0;
    loop {
        search.saturate();
        if goals.iter().all(|&goal| search.reached.has(goal)) || !search.together(goals, groups + 1) {
            return search.reached;
        }
        groups += 1;
    }
}

/// All states that can be reached, each found without what is deployed where that is possible. The others come in later
/// rounds.
pub(crate) fn anew(nodes: &Nodes<'_>, start: &Configuration) -> Reached {
    // Everything is a goal, so that nothing is left out.
    let goals: Vec<Node> = (0..nodes.len()).collect();
    let mut fresh = reach(nodes, &Configuration::new(), &goals);
    let reached = reach(nodes, start, &goals);
    let last = fresh.round.iter().copied().filter(|&round| round != NEVER).max().unwrap_or(0);
    let groups = fresh.group.iter().copied().max().unwrap_or(0);
    for node in 0..nodes.len() {
        fresh.is_fresh[node] = fresh.has(node);
        if !fresh.has(node) && reached.has(node) {
            fresh.round[node] = last + 1 + reached.round[node];
            fresh.parent[node] = reached.parent[node];
            let group = reached.group[node];
            fresh.group[node] = if group == 0 { 0 } else { groups + group };
        }
    }
    fresh
}

struct Search<'a, 'u> {
    nodes: &'a Nodes<'u>,
    reached: Reached,
    /// How many required ports of a state nobody provides yet.
    missing: Vec<u32>,
    /// The found state from which a state can be entered.
    before: Vec<u32>,
    /// The states that wait for a port.
    waiting: Vec<Vec<u32>>,
    provided: Vec<bool>,
    /// Found in the last round, and in this one.
    last: Vec<u32>,
    now: Vec<u32>,
    round: u32,
}

impl<'a, 'u> Search<'a, 'u> {
    fn new(nodes: &'a Nodes<'u>) -> Self {
        let count = nodes.len();
        let mut waiting = vec![Vec::new(); nodes.universe.port_count()];
        let mut missing = vec![0; count];
        for (node, missing) in missing.iter_mut().enumerate() {
            for requirement in nodes.state(node).requires.iter().filter(|r| r.number > 0) {
                waiting[requirement.port.index()].push(node as u32);
                *missing += 1;
            }
        }
        let reached = Reached {
            round: vec![NEVER; count],
            parent: vec![NEVER; count],
            group: vec![0; count],
            is_fresh: vec![false; count],
        };
        let provided = vec![false; nodes.universe.port_count()];
        let (last, now) = (Vec::new(), Vec::new());
        Self { nodes, reached, missing, before: vec![NEVER; count], waiting, provided, last, now, round: 0 }
    }

    fn find(&mut self, node: Node, parent: Node, round: u32, group: u32) {
        if !self.reached.has(node) {
            self.reached.round[node] = round;
            self.reached.parent[node] = parent as u32;
            self.reached.group[node] = group;
            self.now.push(node as u32);
        }
    }

    /// Finds states in rounds until nothing more is found.
    fn saturate(&mut self) {
        while !self.now.is_empty() {
            self.round += 1;
            self.last = std::mem::take(&mut self.now);
            let mut enterable = Vec::new();
            for &node in &self.last {
                for provision in &self.nodes.state(node as usize).provides {
                    if !std::mem::replace(&mut self.provided[provision.port.index()], true) {
                        for &waiting in &self.waiting[provision.port.index()] {
                            self.missing[waiting as usize] -= 1;
                            if self.missing[waiting as usize] == 0 {
                                enterable.push(waiting);
                            }
                        }
                    }
                }
                for next in self.nodes.next(node as usize) {
                    if self.before[next] == NEVER {
                        self.before[next] = node;
                        enterable.push(next as u32);
                    }
                }
            }
            for node in enterable {
                let node = node as usize;
                if self.missing[node] == 0 && self.before[node] != NEVER {
                    self.find(node, self.before[node] as usize, self.round, 0);
                }
            }
        }
    }

    /// Finds states that can be entered at once; says whether there are any. Of all such sets, one as small as can be
    /// told quickly is taken, and one with a goal if there is one.
    fn together(&mut self, goals: &[Node], group: u32) -> bool {
        let nodes = self.nodes;
        let is_frontier =
            |search: &Self, node: Node| !search.reached.has(node) && search.before[node] != NEVER;
        let mut inside: Vec<bool> = (0..nodes.len()).map(|node| is_frontier(self, node)).collect();
        let mut providing = vec![0u32; nodes.universe.port_count()];
        for node in (0..nodes.len()).filter(|&node| inside[node]) {
            nodes.state(node).provides.iter().for_each(|p| providing[p.port.index()] += 1);
        }
        let served = |search: &Self, providing: &[u32], port: PortId| {
            search.provided[port.index()] || providing[port.index()] > 0
        };
        let mut out: Vec<Node> = (0..nodes.len())
            .filter(|&node| {
                let requires = &nodes.state(node).requires;
                inside[node] && requires.iter().any(|r| r.number > 0 && !served(self, &providing, r.port))
            })
            .collect();
        for &node in &out {
            inside[node] = false;
        }
        while let Some(node) = out.pop() {
            for provision in &nodes.state(node).provides {
                providing[provision.port.index()] -= 1;
                if !served(self, &providing, provision.port) {
                    for &waiting in &self.waiting[provision.port.index()] {
                        if std::mem::replace(&mut inside[waiting as usize], false) {
                            out.push(waiting as usize);
                        }
                    }
                }
            }
        }
        let Some(first) = goals.iter().copied().chain(0..nodes.len()).find(|&node| inside[node]) else {
            return false;
        };
        let mut set = vec![first];
        let mut next = 0;
        while let Some(&node) = set.get(next) {
            next += 1;
            for requirement in nodes.state(node).requires.iter().filter(|r| r.number > 0) {
                let port = requirement.port.index();
                let has = |node: &Node| nodes.state(*node).provision(requirement.port).is_some();
                if !self.provided[port] && !set.iter().any(has) {
                    let provider = nodes.providers[port].iter().find(|&&provider| inside[provider as usize]);
                    set.push(*provider.expect("the set serves itself") as usize);
                }
            }
        }
        self.round += 1;
        for node in set {
            self.find(node, self.before[node] as usize, self.round, group);
        }
        true
    }
}

/// Why a state was not found.
pub(crate) fn reasons(nodes: &Nodes<'_>, reached: &Reached, goal: Node) -> Vec<Reason> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for node in 0..nodes.len() {
        for next in nodes.next(node) {
            before[next].push(node);
        }
    }
    let (mut reasons, mut todo, mut seen) = (Vec::new(), vec![goal], vec![false; nodes.len()]);
    seen[goal] = true;
    let mut next = 0;
    while let Some(&node) = todo.get(next) {
        next += 1;
        let (kind, state) = nodes.of(node);
        let is_initial = nodes.universe.kind(kind).initial == state;
        let mut open: Vec<usize> = Vec::new();
        let enterable = before[node].iter().any(|&from| reached.has(from));
        if is_initial && before[node].iter().all(|&from| !reached.has(from)) {
            let unmet = nodes.state(node).requires.iter().find(|r| r.number > 0);
            let port = unmet.expect("an initial state without requirements is reached").port;
            reasons.push(Reason::NotCreatable { kind, port });
        } else if enterable {
            for requirement in nodes.state(node).requires.iter().filter(|r| r.number > 0) {
                let providers = &nodes.providers[requirement.port.index()];
                if providers.iter().all(|&provider| !reached.has(provider as usize)) {
                    open.extend(providers.iter().map(|&provider| provider as usize));
                    let providers = providers.iter().map(|&provider| nodes.of(provider as usize)).collect();
                    reasons.push(Reason::Port { of: (kind, state), port: requirement.port, providers });
                }
            }
        } else {
            open.extend(&before[node]);
            let from = before[node].iter().map(|&from| nodes.of(from)).collect();
            reasons.push(Reason::NoWay { of: (kind, state), from });
        }
        todo.extend(open.into_iter().filter(|&node| !std::mem::replace(&mut seen[node], true)));
    }
    reasons
}
