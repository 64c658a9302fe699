//! Which configuration: the cheapest correct one that satisfies a condition.
//!
//! A configuration is looked for as numbers of components by type and state. A search by cost adds components where
//! something is missing: whatever else a configuration contains, it must contain one of those that could mend what is
//! missing, so nothing is overlooked, and the first one found that lacks nothing is the cheapest. Where just one kind
//! of component mends something, as many as are needed are added at once.
//!
//! Where components are placed on machines, what lacks nothing is placed, and the search continues until everything
//! else costs at least as much: components with the machines that have the resources they take.

mod forced;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use locus_aeolus::{
    Component, ComponentId, Configuration, Counted, Document, PortId, Relation, StateId, Sum, TypeId,
    Universe, Want,
};
use rustc_hash::FxHashSet;

use crate::goal::wanted;
use crate::place::{Offers, Placing, mentions_machines, place, rises};
use crate::problem::Others;
use crate::reach::{Node, Nodes, reach, reasons as unreached};
use crate::render::explain;

/// How many partial configurations are looked at.
const MOST: usize = 20_000;
/// How many kinds of components these have together at most: each of them is kept.
const MOST_KINDS: usize = 4_000_000;
/// The most components of a configuration.
const MOST_COMPONENTS: u64 = 1_000_000;

/// A configuration, as numbers of components by type and state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// The components, in order of types and states.
    pub components: Vec<(TypeId, StateId, u64)>,
    /// Their cost, with the machines that they are placed on.
    pub cost: u64,
    /// Whether no other costs less; if not, the least that any costs.
    pub at_least: Option<u64>,
}

/// The result of searching for a configuration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// This one.
    Chosen(Chosen),
    /// There is none; in words, why not: what is against the ways that were tried first.
    None(Vec<String>),
    /// None was found within the limit that is named.
    Unknown(String),
}

/// The numbers of components, by node.
type Counts = BTreeMap<Node, u64>;

/// Chooses the cheapest correct configuration that satisfies a condition, of states that can be reached from what is
/// deployed. Which of its components are those that are deployed is left open.
pub fn choose(universe: &Universe, start: &Configuration, want: &Want) -> Choice {
    chosen(universe, start, want, None)
}

/// Chooses a configuration together with its placement on the machines of a document, such that none of some conditions
/// holds on any machine: the one whose components and machines cost least.
pub fn choose_placed(document: &Document, want: &Want, never: &[Want]) -> Choice {
    let machines =
        Machines { document, want, never, offers: Offers::new(document), rising: never.iter().all(rises) };
    chosen(&document.universe, &document.configuration, want, Some(&machines))
}

fn chosen(
    universe: &Universe,
    start: &Configuration,
    want: &Want,
    machines: Option<&Machines<'_>>,
) -> Choice {
    if mentions_machines(want) {
        return Choice::Unknown("since a condition on machines is not one on components".to_owned());
    }
    let nodes = Nodes::new(universe);
    let reached = reach(&nodes, start, &(0..nodes.len()).collect::<Vec<_>>());
    let usable: Vec<bool> = (0..nodes.len()).map(|node| reached.has(node)).collect();
    let search = Search { nodes: &nodes, usable, machines };
    let choice = search.run(&negation_normal(want, false), MOST);
    let Choice::None(mut reasons) = choice else { return choice };
    if let Want::And(parts) = want {
        reasons = search.core(universe, parts, &reasons);
    }
    // What is missing may be missing because it cannot be reached: then that is the end of the chain.
    let is_missing = |&node: &Node| {
        let name = search.name(node);
        !reached.has(node) && reasons.iter().any(|why| why.split([' ', ',']).any(|word| word == name))
    };
    let missing: Vec<Node> = (0..nodes.len()).filter(is_missing).take(3).collect();
    for node in missing {
        for why in explain(universe, &unreached(&nodes, &reached, node)) {
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
    }
    Choice::None(reasons)
}

/// Machines that components must be placed on.
struct Machines<'a> {
    document: &'a Document,
    want: &'a Want,
    never: &'a [Want],
    offers: Offers,
    /// Whether more components on a machine are never a remedy.
    rising: bool,
}

struct Search<'a> {
    nodes: &'a Nodes<'a>,
    usable: Vec<bool>,
    machines: Option<&'a Machines<'a>>,
}

/// A way to mend something that is missing.
enum Mend {
    /// Nothing can be done: in words, why.
    Never(String),
    /// So many of one of these must be added, at least.
    Add(Vec<Node>, u64),
}

/// A configuration that lacks nothing, with the cost of its machines.
struct Found {
    counts: Counts,
    cost: u64,
}

/// The queue of the search: in order of what a configuration costs at least, and of equals those with more components,
/// which have fewer still to come. Last, whether it was placed already.
type Queue = BinaryHeap<(Reverse<(u64, u64)>, Counts, bool)>;

/// The search as it goes on.
struct Progress {
    queue: Queue,
    seen: FxHashSet<Counts>,
    /// How many kinds of components those have together.
    kinds: usize,
    reasons: Vec<String>,
    best: Option<Found>,
    /// The configuration that could not be placed for want of time: what it costs at least, and in words why.
    undecided: Option<(u64, String)>,
}

impl Progress {
    fn reason(&mut self, why: String) {
        if self.reasons.len() < 5 && !self.reasons.contains(&why) {
            self.reasons.push(why);
        }
    }

    fn push(&mut self, at_least: u64, counts: Counts, is_placed: bool) {
        let size = u64::MAX - counts.values().sum::<u64>();
        self.queue.push((Reverse((at_least, size)), counts, is_placed));
    }
}

impl Search<'_> {
    fn run(&self, want: &Want, most: usize) -> Choice {
        let mut progress = Progress {
            queue: Queue::new(),
            seen: FxHashSet::from_iter([Counts::new()]),
            kinds: 0,
            reasons: Vec::new(),
            best: None,
            undecided: None,
        };
        progress.push(0, Counts::new(), false);
        while let Some((Reverse((cost, _)), counts, is_placed)) = progress.queue.pop() {
            if is_placed {
                // Whatever else there is costs at least as much.
                return self.settle(progress, cost);
            }
            if progress.seen.len() > most || progress.kinds > MOST_KINDS {
                if progress.best.is_none()
                    && let Some(counts) = self.greedy(counts, want)
                {
                    self.complete(counts, &mut progress);
                }
                return match progress.best {
                    Some(_) => self.settle(progress, cost),
                    None => {
                        Choice::Unknown(format!("within {} partial configurations", progress.seen.len() - 1))
                    }
                };
            }
            match self.missing(&counts, want) {
                None => {
                    let helpers = self.helpers();
                    if !helpers.is_empty() && !self.extend(&counts, (helpers, 1), want, &mut progress) {
                        return Choice::Unknown(format!("within {MOST_COMPONENTS} components"));
                    }
                    self.complete(counts, &mut progress);
                }
                Some(Mend::Never(why)) => progress.reason(why),
                Some(Mend::Add(nodes, number)) => {
                    let number = if nodes.len() == 1 { number } else { 1 };
                    if !self.extend(&counts, (nodes, number), want, &mut progress) {
                        return Choice::Unknown(format!("within {MOST_COMPONENTS} components"));
                    }
                }
            }
        }
        match progress.undecided {
            Some((_, why)) => Choice::Unknown(why),
            None => Choice::None(progress.reasons),
        }
    }

    /// The configurations with so many components more of one of these; false if there are too many components.
    fn extend(
        &self,
        counts: &Counts,
        (nodes, number): (Vec<Node>, u64),
        want: &Want,
        progress: &mut Progress,
    ) -> bool {
        for node in nodes {
            let mut more = counts.clone();
            *more.entry(node).or_default() += number;
            self.force(&mut more, want);
            if more.values().sum::<u64>() > MOST_COMPONENTS {
                return false;
            }
            if progress.seen.insert(more.clone()) {
                progress.kinds += more.len();
                match self.at_least(&more) {
                    Ok(cost) => progress.push(cost, more, false),
                    Err(why) => progress.reason(why),
                }
            }
        }
        true
    }

    /// The least cost of a configuration with these components, with its machines.
    fn at_least(&self, counts: &Counts) -> Result<u64, String> {
        let cost = self.cost(counts);
        let Some(machines) = self.machines else { return Ok(cost) };
        let mut needed: Vec<u64> = Vec::new();
        for (&node, &number) in counts {
            let takes = machines.offers.takes(machines.document, self.nodes.of(node).0);
            needed.resize(takes.len(), 0);
            for (needed, takes) in needed.iter_mut().zip(takes) {
                *needed = needed.saturating_add(takes.saturating_mul(number));
            }
        }
        Ok(cost.saturating_add(machines.offers.at_least(&needed)?))
    }

    /// A configuration lacks nothing: it is placed, if there are machines.
    fn complete(&self, counts: Counts, progress: &mut Progress) {
        let own = self.cost(&counts);
        let (cost, at_least) = match self.machines {
            None => (own, own),
            Some(machines) => {
                let chosen = Chosen { components: self.listed(&counts), cost: own, at_least: None };
                match place(machines.document, &machines.end(&chosen), machines.never) {
                    Placing::Placed { cost, at_least, .. } => {
                        (own.saturating_add(cost), own.saturating_add(at_least))
                    }
                    Placing::None(why) => return progress.reason(why),
                    Placing::Unknown(bound) => {
                        let least = self.at_least(&counts).unwrap_or(own);
                        if progress.undecided.as_ref().is_none_or(|&(cost, _)| least < cost) {
                            progress.undecided = Some((least, bound));
                        }
                        return;
                    }
                }
            }
        };
        if progress.best.as_ref().is_none_or(|best| cost < best.cost) {
            progress.best = Some(Found { counts: counts.clone(), cost });
        }
        progress.push(at_least, counts, true);
    }

    /// The best that was found, when everything that was not looked at costs at least so much.
    fn settle(&self, progress: Progress, others: u64) -> Choice {
        let best = progress.best.expect("something was found");
        let undecided = progress.undecided.map_or(u64::MAX, |(cost, _)| cost);
        let least = others.min(undecided).min(best.cost);
        let components = self.listed(&best.counts);
        Choice::Chosen(Chosen { components, cost: best.cost, at_least: (least < best.cost).then_some(least) })
    }

    /// The components of which more may help to place the others.
    fn helpers(&self) -> Vec<Node> {
        let Some(machines) = self.machines.filter(|machines| !machines.rising) else { return Vec::new() };
        let mut nodes = Vec::new();
        let mut todo: Vec<&Want> = machines.never.iter().collect();
        while let Some(want) = todo.pop() {
            match want {
                Want::True => {}
                Want::And(parts) | Want::Or(parts) => todo.extend(parts),
                Want::Not(part) => todo.push(part),
                Want::Compare(sum, _) => nodes.extend(sum.terms.iter().flat_map(|(_, c)| self.matching(c))),
            }
        }
        nodes.retain(|&node| self.usable[node]);
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// Why nothing satisfies some conditions together: as few of them as are needed for that, and what is against the
    /// ways that were tried.
    fn core(&self, universe: &Universe, parts: &[Want], reasons: &[String]) -> Vec<String> {
        let mut core: Vec<&Want> = parts.iter().collect();
        let mut reasons = reasons.to_vec();
        let mut index = 0;
        while core.len() > 1 && index < core.len() {
            let less: Vec<Want> = core
                .iter()
                .enumerate()
                .filter(|&(at, _)| at != index)
                .map(|(_, &part)| part.clone())
                .collect();
            match self.run(&negation_normal(&Want::And(less), false), MOST / 20) {
                Choice::None(others) => {
                    core.remove(index);
                    reasons = others;
                }
                _ => index += 1,
            }
        }
        if core.len() > 1 {
            let shown: Vec<String> = core.iter().map(|part| format!("`{}`", part.shown(universe))).collect();
            reasons.insert(0, format!("these exclude each other: {}", shown.join(", ")));
        }
        reasons
    }

    /// Some correct configuration: the first that lacks nothing, where always the first kind is added.
    fn greedy(&self, mut counts: Counts, want: &Want) -> Option<Counts> {
        for _ in 0..MOST {
            match self.missing(&counts, want) {
                None => return Some(counts),
                Some(Mend::Never(_)) => return None,
                Some(Mend::Add(nodes, number)) => {
                    *counts.entry(nodes[0]).or_default() += number;
                    self.force(&mut counts, want);
                }
            }
        }
        None
    }

    fn listed(&self, counts: &Counts) -> Vec<(TypeId, StateId, u64)> {
        counts.iter().map(|(&node, &number)| (self.nodes.of(node).0, self.nodes.of(node).1, number)).collect()
    }

    fn cost(&self, counts: &Counts) -> u64 {
        let cost = |node: Node| self.nodes.universe.kind(self.nodes.of(node).0).cost;
        counts.iter().map(|(&node, &number)| cost(node).saturating_mul(number)).sum()
    }

    fn name(&self, node: Node) -> String {
        let (kind, state) = self.nodes.of(node);
        let kind = self.nodes.universe.kind(kind);
        format!("{}@{}", kind.name, kind.state(state).name)
    }

    /// The first thing that is missing; nothing if the configuration is correct and as wanted.
    fn missing(&self, counts: &Counts, want: &Want) -> Option<Mend> {
        // What nothing can mend comes first, so that no time is lost on the rest.
        let mends = [self.conflicts(counts), self.ports(counts)];
        let mut mend = None;
        for found in mends.into_iter().flatten().chain(self.wanted(counts, want)) {
            if matches!(found, Mend::Never(_)) {
                return Some(found);
            }
            mend = mend.or(Some(found));
        }
        mend
    }

    fn conflicts(&self, counts: &Counts) -> Option<Mend> {
        for (&node, &number) in counts {
            for requirement in self.nodes.state(node).requires.iter().filter(|r| r.number == 0) {
                let port = requirement.port;
                let others =
                    |other: Node| counts.get(&other).copied().unwrap_or(0) - u64::from(other == node);
                let providers = self.nodes.providers[port.index()].iter().map(|&provider| provider as usize);
                let mut present = providers.filter(|provider| counts.contains_key(provider));
                if let Some(other) = present.find(|&other| number > 0 && others(other) > 0) {
                    let port = self.nodes.universe.port_name(port);
                    let (one, other) = (self.name(node), self.name(other));
                    return Some(Mend::Never(format!(
                        "{one} is in conflict with the port {port} of {other}"
                    )));
                }
            }
        }
        None
    }

    /// Ports with too few providers, or with too little capacity.
    fn ports(&self, counts: &Counts) -> Option<Mend> {
        let mut required: BTreeMap<PortId, Vec<(Node, u64, u64)>> = BTreeMap::new();
        for (&node, &number) in counts {
            for requirement in self.nodes.state(node).requires.iter().filter(|r| r.number > 0) {
                let of = required.entry(requirement.port).or_default();
                of.push((node, u64::from(requirement.number), number));
            }
        }
        let mut short: Option<(usize, Mend)> = None;
        for (port, requirers) in required {
            match self.port(counts, port, &requirers) {
                None => {}
                Some(Mend::Add(usable, missing)) => {
                    if short.as_ref().is_none_or(|(ways, _)| usable.len() < *ways) {
                        short = Some((usable.len(), Mend::Add(usable, missing)));
                    }
                }
                never => return never,
            }
        }
        short.map(|(_, mend)| mend)
    }

    /// The shortage at a port that so many require.
    fn port(&self, counts: &Counts, port: PortId, requirers: &[(Node, u64, u64)]) -> Option<Mend> {
        let providers: Vec<Node> =
            self.nodes.providers[port.index()].iter().map(|&provider| provider as usize).collect();
        let missing = self.shortage(counts, port, requirers, &providers);
        if missing == 0 {
            return None;
        }
        let usable: Vec<Node> = providers.into_iter().filter(|&provider| self.usable[provider]).collect();
        if usable.is_empty() {
            let (name, port) = (self.name(requirers[0].0), self.nodes.universe.port_name(port));
            let why = format!("{name} requires the port {port}, which nothing that can be reached provides");
            return Some(Mend::Never(why));
        }
        Some(Mend::Add(usable, missing))
    }

    /// How many providers of a port are missing at least; 0 if all requirers can be bound.
    ///
    /// With unlimited capacities the largest number asked for decides. With limits it is the condition of Gale and
    /// Ryser, over the requirers that ask for most.
    fn shortage(
        &self,
        counts: &Counts,
        port: PortId,
        requirers: &[(Node, u64, u64)],
        providers: &[Node],
    ) -> u64 {
        let capacity = |node: Node| {
            let provision = self.nodes.state(node).provision(port).expect("it is a provider of the port");
            provision.capacity.map_or(u64::MAX, u64::from)
        };
        let present: Vec<(u64, u64)> = providers
            .iter()
            .filter_map(|&provider| Some((capacity(provider), *counts.get(&provider)?)))
            .collect();
        let count: u64 = present.iter().map(|&(_, number)| number).sum();
        let distinct = requirers.iter().map(|&(node, asks, _)| {
            let itself = u64::from(self.nodes.state(node).provision(port).is_some());
            (asks + itself).saturating_sub(count)
        });
        let distinct = distinct.max().unwrap_or(0);
        if distinct > 0 {
            return distinct;
        }
        let mut asking: Vec<(u64, u64)> = requirers.iter().map(|&(_, asks, number)| (asks, number)).collect();
        asking.sort_unstable_by(|a, b| b.cmp(a));
        let largest = providers.iter().filter(|&&p| self.usable[p]).map(|&p| capacity(p)).max().unwrap_or(1);
        let (mut asked, mut bound) = (0u64, 0u64);
        for (asks, number) in asking {
            asked += number;
            bound += asks * number;
            let bears: u64 = present
                .iter()
                .map(|&(capacity, number)| capacity.min(asked).saturating_mul(number))
                .fold(0, u64::saturating_add);
            if bears < bound {
                return (bound - bears).div_ceil(largest.min(asked)).max(1);
            }
        }
        0
    }

    fn wanted(&self, counts: &Counts, want: &Want) -> Option<Mend> {
        match want {
            Want::True => None,
            Want::Compare(sum, relation) => self.compared(counts, sum, *relation),
            Want::And(all) => {
                let mends: Vec<Mend> = all.iter().filter_map(|want| self.wanted(counts, want)).collect();
                let never = mends.iter().position(|mend| matches!(mend, Mend::Never(_)));
                mends.into_iter().nth(never.unwrap_or(0))
            }
            Want::Or(any) => {
                let (mut ways, mut why) = (Vec::new(), String::new());
                for want in any {
                    match self.wanted(counts, want) {
                        None => return None,
                        Some(Mend::Never(reason)) => why = reason,
                        Some(Mend::Add(nodes, _)) => ways.extend(nodes),
                    }
                }
                ways.sort_unstable();
                ways.dedup();
                Some(if ways.is_empty() { Mend::Never(why) } else { Mend::Add(ways, 1) })
            }
            Want::Not(_) => unreachable!("negations were moved to the comparisons"),
        }
    }

    fn matching(&self, counted: &Counted) -> Vec<Node> {
        match counted {
            Counted::Components(kind, Some(state)) => vec![self.nodes.node(*kind, *state)],
            Counted::Components(kind, None) => {
                let states = self.nodes.universe.kind(*kind).state_ids();
                states.map(|state| self.nodes.node(*kind, state)).collect()
            }
            Counted::Providers(port) => {
                self.nodes.providers[port.index()].iter().map(|&provider| provider as usize).collect()
            }
            Counted::Machines(_) => unreachable!("conditions on machines were refused"),
        }
    }

    fn compared(&self, counts: &Counts, sum: &Sum, relation: Relation) -> Option<Mend> {
        let number = |counted: &Counted| -> i64 {
            self.matching(counted).iter().filter_map(|node| counts.get(node)).sum::<u64>() as i64
        };
        let value =
            sum.constant + sum.terms.iter().map(|(factor, counted)| factor * number(counted)).sum::<i64>();
        // What must be added: something that makes the sum larger, or smaller, or either.
        let (missing, larger, smaller) = match relation {
            Relation::AtLeast if value < 0 => (-value, true, false),
            Relation::Greater if value <= 0 => (1 - value, true, false),
            Relation::AtMost if value > 0 => (value, false, true),
            Relation::Less if value >= 0 => (value + 1, false, true),
            Relation::Equal if value != 0 => (value.abs(), value < 0, value > 0),
            Relation::Different if value == 0 => (1, true, true),
            _ => return None,
        };
        // A component may be counted more than once.
        let mut effects: BTreeMap<Node, i64> = BTreeMap::new();
        for (factor, counted) in &sum.terms {
            for node in self.matching(counted) {
                *effects.entry(node).or_default() += factor;
            }
        }
        let named: Vec<String> = effects.keys().map(|&node| self.name(node)).collect();
        let helps = |effect: i64| (larger && effect > 0) || (smaller && effect < 0);
        effects.retain(|&node, &mut effect| self.usable[node] && helps(effect));
        let nodes: Vec<Node> = effects.keys().copied().collect();
        if nodes.is_empty() {
            let too = if larger { "few" } else { "many" };
            return Some(Mend::Never(format!(
                "there are too {too} of {} in what is wanted",
                named.join(", ")
            )));
        }
        let most = effects.values().map(|effect| effect.unsigned_abs()).max().unwrap_or(1);
        Some(Mend::Add(nodes, missing.unsigned_abs().div_ceil(most)))
    }
}

impl Machines<'_> {
    /// The components at the end, if this is chosen.
    fn end(&self, chosen: &Chosen) -> Configuration {
        let start = &self.document.configuration;
        let (wanted, others) = wanted(&self.document.universe, start, self.want, chosen);
        let mut end = Configuration::new();
        if others == Others::Keep {
            end.components.clone_from(&start.components);
        }
        let mut fresh = self.document.names.len() as u32;
        for one in wanted {
            let id = one.existing.unwrap_or_else(|| {
                fresh += 1;
                ComponentId(fresh - 1)
            });
            end.components.insert(id, Component { kind: one.kind, state: one.state });
        }
        end
    }
}

/// The condition without negations, except in comparisons.
fn negation_normal(want: &Want, negated: bool) -> Want {
    match want {
        Want::True if negated => Want::Or(Vec::new()),
        Want::True => Want::True,
        Want::Not(inner) => negation_normal(inner, !negated),
        Want::And(all) if negated => Want::Or(all.iter().map(|want| negation_normal(want, true)).collect()),
        Want::Or(any) if negated => Want::And(any.iter().map(|want| negation_normal(want, true)).collect()),
        Want::And(all) => Want::And(all.iter().map(|want| negation_normal(want, false)).collect()),
        Want::Or(any) => Want::Or(any.iter().map(|want| negation_normal(want, false)).collect()),
        Want::Compare(sum, relation) if negated => {
            let relation = match relation {
                Relation::Less => Relation::AtLeast,
                Relation::AtMost => Relation::Greater,
                Relation::Equal => Relation::Different,
                Relation::AtLeast => Relation::Less,
                Relation::Greater => Relation::AtMost,
                Relation::Different => Relation::Equal,
            };
            Want::Compare(sum.clone(), relation)
        }
        Want::Compare(sum, relation) => Want::Compare(sum.clone(), *relation),
    }
}
