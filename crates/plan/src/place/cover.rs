//! Which machines are used and what goes on each, at the least cost.
//!
//! The components that are still to be placed are a load: their numbers by sort. Some machine gets a component of its
//! first sort; the ways to fill that machine are known, and what is left is a smaller load, whose least cost is
//! remembered.
//! That gives the cheapest placement as long as there are enough machines of each kind. Where there are not, a
//! depth-first search counts them, with the least costs as bounds.

use rustc_hash::FxHashMap;

use super::fill::{Load, Rules, fillings};

/// How many steps are made to find out what loads cost.
const MOST_STEPS: u64 = 4_000_000;
/// The cost of the impossible.
const NEVER: u64 = u64::MAX;

/// Machines that are alike.
pub(super) struct Kind {
    pub(super) offers: Vec<u64>,
    pub(super) cost: u64,
    /// How many are not in use.
    pub(super) left: u32,
}

/// A machine that has components already.
pub(super) struct Opened {
    pub(super) kind: usize,
    pub(super) free: Vec<u64>,
    pub(super) load: Load,
}

/// Machines that were not used before, by kind, with their loads.
type Machines = Vec<(usize, Load)>;

/// The result of covering.
pub(super) enum Covered {
    /// The load of each opened machine that is added, and further machines with their loads; whether this is cheapest.
    Found {
        opened: Vec<Load>,
        new: Machines,
        is_cheapest: bool,
    },
    None,
    Unknown,
}

/// A way to fill a machine that was not used.
struct Pattern {
    load: Load,
    /// The cheapest kind that has room for it.
    kind: usize,
    cost: u64,
}

pub(super) struct Cover<'a> {
    kinds: &'a [Kind],
    opened: &'a [Opened],
    rules: &'a Rules<'a>,
    patterns: Vec<Pattern>,
    /// The patterns with a component of each sort, cheap ones first.
    with: Vec<Vec<u32>>,
    /// The loads that can be added to each opened machine.
    additions: Vec<Vec<Load>>,
    is_complete: bool,
    /// The least cost of a load, from an opened machine on, and how to begin.
    known: FxHashMap<(u32, Load), (u64, u32)>,
    steps: u64,
    best: Option<(u64, Vec<Load>, Machines)>,
}

impl<'a> Cover<'a> {
    pub(super) fn new(kinds: &'a [Kind], opened: &'a [Opened], rules: &'a Rules<'a>) -> Self {
        let mut order: Vec<usize> = (0..kinds.len()).filter(|&kind| kinds[kind].left > 0).collect();
        order.sort_by_key(|&kind| (kinds[kind].cost, kind));
        let room =
            |kind: usize, used: &[u64]| kinds[kind].offers.iter().zip(used).all(|(has, used)| has >= used);
        let nothing = vec![0u16; rules.sorts.len()];
        let (loads, mut is_complete) =
            fillings(rules, &nothing, &|used| order.iter().any(|&kind| room(kind, used)));
        let mut patterns: Vec<Pattern> = Vec::with_capacity(loads.len());
        for load in loads.into_iter().filter(|load| load.iter().any(|&number| number > 0)) {
            let used = used(rules, &load);
            let kind =
                order.iter().copied().find(|&kind| room(kind, &used)).expect("some machine has room for it");
            patterns.push(Pattern { load, kind, cost: kinds[kind].cost });
        }
        patterns.sort_by(|a, b| a.cost.cmp(&b.cost).then_with(|| b.load.cmp(&a.load)));
        let mut with = vec![Vec::new(); rules.sorts.len()];
        for (index, pattern) in patterns.iter().enumerate() {
            for (sort, _) in pattern.load.iter().enumerate().filter(|&(_, &number)| number > 0) {
                with[sort].push(index as u32);
            }
        }
        let mut additions = Vec::new();
        for machine in opened {
            let fits = |used: &[u64]| machine.free.iter().zip(used).all(|(free, used)| free >= used);
            let (mut loads, all) = fillings(rules, &machine.load, &fits);
            is_complete &= all;
            // Full machines first.
            loads.reverse();
            additions.push(loads);
        }
        let known = FxHashMap::default();
        Self { kinds, opened, rules, patterns, with, additions, is_complete, known, steps: 0, best: None }
    }

    /// The cheapest placement of everything.
    pub(super) fn run(mut self) -> Covered {
        let all: Load = self.rules.sorts.iter().map(|sort| sort.count).collect();
        let least = self.least(0, &all);
        let mut proven = self.is_complete && self.steps <= MOST_STEPS;
        if proven && least == NEVER {
            return Covered::None;
        }
        if least != NEVER && self.steps <= MOST_STEPS {
            let (opened, new) = self.follow(&all);
            if self.enough(&new) {
                return Covered::Found { opened, new, is_cheapest: proven };
            }
        }
        self.greedy(all.clone());
        self.steps = 0;
        let mut left: Vec<u32> = self.kinds.iter().map(|kind| kind.left).collect();
        let mut way = Way { opened: Vec::new(), new: Vec::new(), cost: 0, last: 0 };
        let bounds = proven;
        self.limited(&all, &mut left, &mut way, bounds);
        proven = self.is_complete && self.steps <= MOST_STEPS;
        match self.best {
            Some((_, opened, new)) => Covered::Found { opened, new, is_cheapest: proven },
            None if proven => Covered::None,
            None => Covered::Unknown,
        }
    }

    fn enough(&self, new: &[(usize, Load)]) -> bool {
        let used = |kind: usize| new.iter().filter(|(of, _)| *of == kind).count();
        self.kinds.iter().enumerate().all(|(kind, of)| used(kind) <= of.left as usize)
    }

    /// The least cost of a load on the opened machines from this one on and on others, of which there are enough.
    fn least(&mut self, opened: u32, load: &[u16]) -> u64 {
        if load.iter().all(|&number| number == 0) && opened as usize == self.opened.len() {
            return 0;
        }
        let key = (opened, Load::from(load));
        if let Some(&(cost, _)) = self.known.get(&key) {
            return cost;
        }
        let mut best = (NEVER, 0);
        let first = load.iter().position(|&number| number > 0).unwrap_or(0);
        let is_opened = (opened as usize) < self.opened.len();
        let count = if is_opened { self.additions[opened as usize].len() } else { self.with[first].len() };
        for index in 0..count {
            self.steps += 1;
            if self.steps > MOST_STEPS {
                return 0;
            }
            let (rest, cost, next) = if is_opened {
                (minus(load, &self.additions[opened as usize][index]), 0, opened + 1)
            } else {
                let pattern = &self.patterns[self.with[first][index] as usize];
                if pattern.cost >= best.0 {
                    break;
                }
                (minus(load, &pattern.load), pattern.cost, opened)
            };
            let Some(rest) = rest else { continue };
            let cost = self.least(next, &rest).saturating_add(cost);
            if cost < best.0 {
                best = (cost, index as u32);
            }
        }
        self.known.insert(key, best);
        best.0
    }

    /// The placement that costs least.
    fn follow(&self, all: &[u16]) -> (Vec<Load>, Machines) {
        let (mut load, mut opened, mut new) = (Load::from(all), Vec::new(), Vec::new());
        loop {
            let at = opened.len() as u32;
            let Some(&(_, index)) = self.known.get(&(at, load.clone())) else { return (opened, new) };
            let first = load.iter().position(|&number| number > 0).unwrap_or(0);
            let added = if (at as usize) < self.opened.len() {
                let added = self.additions[at as usize][index as usize].clone();
                opened.push(added.clone());
                added
            } else {
                let pattern = &self.patterns[self.with[first][index as usize] as usize];
                new.push((pattern.kind, pattern.load.clone()));
                pattern.load.clone()
            };
            load = minus(&load, &added).expect("it was taken from it before");
        }
    }

    /// Some placement: each machine is filled with what costs least for its size.
    fn greedy(&mut self, mut load: Load) {
        let mut left: Vec<u32> = self.kinds.iter().map(|kind| kind.left).collect();
        let (mut opened, mut new, mut cost) = (Vec::new(), Vec::new(), 0u64);
        for additions in &self.additions {
            let size = |added: &&Load| (self.size(added), std::cmp::Reverse((*added).clone()));
            let Some(added) = additions.iter().filter(|added| minus(&load, added).is_some()).max_by_key(size)
            else {
                return;
            };
            load = minus(&load, added).expect("just looked up");
            opened.push(added.clone());
        }
        while load.iter().any(|&number| number > 0) {
            let fits = |pattern: &&Pattern| left[pattern.kind] > 0 && minus(&load, &pattern.load).is_some();
            let better = |a: &&Pattern, b: &&Pattern| {
                let worth = |one: &Pattern, other: &Pattern| {
                    u128::from(one.cost) * u128::from(self.size(&other.load))
                };
                worth(a, b).cmp(&worth(b, a)).then(self.size(&b.load).cmp(&self.size(&a.load)))
            };
            let Some(pattern) = self.patterns.iter().filter(fits).min_by(better) else { return };
            load = minus(&load, &pattern.load).expect("just looked up");
            left[pattern.kind] -= 1;
            cost = cost.saturating_add(pattern.cost);
            new.push((pattern.kind, pattern.load.clone()));
        }
        self.best = Some((cost, opened, new));
    }

    /// How much room a load takes.
    fn size(&self, load: &[u16]) -> u64 {
        self.rules.sorts.iter().zip(load).map(|(sort, &number)| (sort.size + 1) * u64::from(number)).sum()
    }

    /// Goes through all placements that use no more machines of a kind than there are and could be cheaper than the
    /// best.
    fn limited(&mut self, load: &[u16], left: &mut Vec<u32>, way: &mut Way, bounds: bool) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        let at = way.opened.len();
        // All least costs of what can be left are known, if they are known at all.
        let least = if bounds {
            self.known.get(&(at as u32, Load::from(load))).map_or(0, |known| known.0)
        } else {
            0
        };
        if least == NEVER
            || self.best.as_ref().is_some_and(|(cost, ..)| way.cost.saturating_add(least) >= *cost)
        {
            return;
        }
        if at < self.opened.len() {
            for index in 0..self.additions[at].len() {
                let added = self.additions[at][index].clone();
                let Some(rest) = minus(load, &added) else { continue };
                way.opened.push(added);
                self.limited(&rest, left, way, bounds);
                way.opened.pop();
            }
            return;
        }
        let Some(first) = load.iter().position(|&number| number > 0) else {
            self.best = Some((way.cost, way.opened.clone(), way.new.clone()));
            return;
        };
        // Machines with components of one sort are chosen in order, so that no set of them comes twice.
        let goes_on = way
            .new
            .last()
            .is_some_and(|(_, before)| before[first] > 0 && before[..first].iter().all(|&n| n == 0));
        let from = if goes_on { way.last } else { 0 };
        for slot in 0..self.with[first].len() {
            let index = self.with[first][slot] as usize;
            let Some(rest) = minus(load, &self.patterns[index].load) else { continue };
            let used = used(self.rules, &self.patterns[index].load);
            for kind in 0..self.kinds.len() {
                let number = index * self.kinds.len() + kind;
                let room = self.kinds[kind].offers.iter().zip(&used).all(|(has, used)| has >= used);
                if number < from || left[kind] == 0 || !room {
                    continue;
                }
                let before = (way.cost, way.last);
                left[kind] -= 1;
                (way.cost, way.last) = (way.cost.saturating_add(self.kinds[kind].cost), number);
                way.new.push((kind, self.patterns[index].load.clone()));
                self.limited(&rest, left, way, bounds);
                way.new.pop();
                (way.cost, way.last) = before;
                left[kind] += 1;
            }
        }
    }
}

/// A placement as it grows.
struct Way {
    opened: Vec<Load>,
    new: Machines,
    cost: u64,
    /// The number of the last pattern with its kind.
    last: usize,
}

/// The amount of every resource that a load takes.
fn used(rules: &Rules<'_>, load: &[u16]) -> Vec<u64> {
    let resources = rules.sorts.first().map_or(0, |sort| sort.takes.len());
    let of = |resource: usize| {
        rules
            .sorts
            .iter()
            .zip(load)
            .map(|(sort, &number)| sort.takes[resource].saturating_mul(u64::from(number)))
            .sum()
    };
    (0..resources).map(of).collect()
}

/// The rest of a load, if it has as much.
fn minus(load: &[u16], less: &[u16]) -> Option<Load> {
    load.iter().zip(less).map(|(&number, &less)| number.checked_sub(less)).collect()
}
