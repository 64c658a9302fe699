//! Where components run: placement on machines with resources, at the least cost.
//!
//! Machines of one kind are alike. Components are put on machines one after the other, larger ones first, depth first with
//! bounds: what is still to be placed needs at least so much more of each resource, and no machine offers it for less. The
//! answer is proven to be cheapest, or says what any placement costs at least.

use locus_aeolus::{
    Component, ComponentId, Configuration, Counted, Document, Machine, Relation, Universe, Want,
};
use rustc_hash::FxHashMap;

use crate::goal::holds;

/// How many steps of the search are made.
const MOST_STEPS: u64 = 3_000_000;
/// The most components and machines that are placed.
const MOST: usize = 2_000;

/// A machine that is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Used {
    /// Its kind, by index in the document.
    pub machine: usize,
    /// Its name: that of the kind, with a number if there are several.
    pub name: String,
    /// The components on it, in order.
    pub components: Vec<ComponentId>,
}

/// What came of placing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placing {
    /// A placement.
    Placed {
        /// The machines.
        machines: Vec<Used>,
        /// What they cost.
        cost: u64,
        /// What any placement costs at least: the same, if this is proven to be cheapest.
        at_least: u64,
    },
    /// There is none for these components: in words, why.
    None(String),
    /// None was found: in words, within what bounds.
    Unknown(String),
}

/// Divides a condition into one on components and conditions that must hold on no machine.
///
/// # Errors
/// If it says something else of machines: in words, what is not decided.
pub fn divide(want: &Want) -> Result<(Want, Vec<Want>), String> {
    let parts = match want {
        Want::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    let (mut rest, mut never) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Want::Compare(sum, Relation::Equal | Relation::AtMost)
                if sum.constant == 0 && matches!(sum.terms.as_slice(), [(1.., Counted::Machines(_))]) =>
            {
                let (_, Counted::Machines(condition)) = &sum.terms[0] else { unreachable!("just matched") };
                never.push((**condition).clone());
            }
            part if mentions_machines(part) => {
                return Err("since of machines only that none is of some kind can be wanted".to_owned());
            }
            part => rest.push(part.clone()),
        }
    }
    Ok((Want::And(rest), never))
}

/// Whether a condition is about machines.
pub(crate) fn mentions_machines(want: &Want) -> bool {
    match want {
        Want::True => false,
        Want::Compare(sum, _) => sum.terms.iter().any(|(_, counted)| matches!(counted, Counted::Machines(_))),
        Want::And(parts) | Want::Or(parts) => parts.iter().any(mentions_machines),
        Want::Not(part) => mentions_machines(part),
    }
}

/// Places the components of a configuration on the machines of a document, so that none of the conditions holds on any
/// machine. Components that are on a machine at the start stay there.
pub fn place(document: &Document, end: &Configuration, never: &[Want]) -> Placing {
    if end.components.len() > MOST {
        return Placing::Unknown(format!("since there are more than {MOST} components"));
    }
    let empty = Configuration::new();
    if never.iter().any(|condition| holds(&document.universe, &empty, condition)) {
        return Placing::Unknown("since a machine that is not used is not as wanted".to_owned());
    }
    let resources = resources(document);
    let kinds: Vec<Kind> = document.machines.iter().map(|machine| Kind::new(machine, &resources)).collect();
    let mut items = match items(document, end, &resources, &kinds) {
        Ok(items) => items,
        Err(why) => return why,
    };
    items.sort_by(|a, b| {
        let key = |item: &Item| (item.fixed.is_none(), std::cmp::Reverse(item.size));
        key(a).cmp(&key(b)).then(a.like.cmp(&b.like)).then(a.id.cmp(&b.id))
    });
    let mut search = Search {
        universe: &document.universe,
        end,
        never,
        kinds: &kinds,
        items: &items,
        open: Vec::new(),
        left: kinds.iter().map(|kind| kind.count).collect(),
        cost: 0,
        best: None,
        steps: 0,
    };
    let at_least = search.bound(0);
    search.run(0);
    let complete = search.steps < MOST_STEPS;
    match search.best {
        Some((cost, placed)) => {
            let at_least = if complete { cost } else { at_least };
            Placing::Placed { machines: named(document, placed), cost, at_least }
        }
        None if complete => Placing::None("the components do not fit on the machines".to_owned()),
        None => Placing::Unknown(format!("in {MOST_STEPS} steps of the search")),
    }
}

/// The names of all resources that somebody takes.
fn resources(document: &Document) -> Vec<String> {
    let taken = document.universe.types().flat_map(|(_, kind)| kind.consumes.iter());
    let mut names: Vec<String> = taken.map(|(name, _)| name.to_string()).collect();
    names.sort();
    names.dedup();
    names
}

struct Kind {
    offers: Vec<u64>,
    cost: u64,
    count: u32,
}

impl Kind {
    fn new(machine: &Machine, resources: &[String]) -> Self {
        let offers = resources.iter().map(|name| amount(&machine.resources, name));
        Self { offers: offers.collect(), cost: machine.cost, count: machine.count.min(MOST as u32) }
    }
}

fn amount(amounts: &[(std::sync::Arc<str>, u64)], name: &str) -> u64 {
    amounts.iter().find(|(own, _)| &**own == name).map_or(0, |&(_, amount)| amount)
}

struct Item {
    id: ComponentId,
    takes: Vec<u64>,
    /// The largest share that it takes of what a machine has, in thousandths.
    size: u64,
    /// Components of one type and state are alike.
    like: (u32, u32),
    /// The machine on which it is.
    fixed: Option<usize>,
}

fn items(
    document: &Document,
    end: &Configuration,
    resources: &[String],
    kinds: &[Kind],
) -> Result<Vec<Item>, Placing> {
    let most: Vec<u64> = (0..resources.len())
        .map(|resource| kinds.iter().map(|kind| kind.offers[resource]).max().unwrap_or(0))
        .collect();
    let mut items = Vec::new();
    for (&id, component) in &end.components {
        let kind = document.universe.kind(component.kind);
        let takes: Vec<u64> = resources.iter().map(|name| amount(&kind.consumes, name)).collect();
        if let Some(short) = (0..takes.len()).find(|&resource| takes[resource] > most[resource]) {
            return Err(Placing::None(format!(
                "{} takes {} of {}, and no machine has more than {}",
                kind.name, takes[short], resources[short], most[short]
            )));
        }
        let share = |(&takes, &most): (&u64, &u64)| takes.saturating_mul(1000) / most.max(1);
        let fixed = document.placement.get(&id).copied();
        if fixed.is_some_and(|machine| document.machines[machine].count != 1) {
            return Err(Placing::Unknown(
                "since components are on machines of which there are several".to_owned(),
            ));
        }
        let size = takes.iter().zip(&most).map(share).max().unwrap_or(0);
        items.push(Item { id, takes, size, like: (component.kind.0, component.state.0), fixed });
    }
    Ok(items)
}

fn named(document: &Document, placed: Placement) -> Vec<Used> {
    let mut seen: FxHashMap<usize, u32> = FxHashMap::default();
    let used = placed.into_iter().map(|(machine, mut components)| {
        let of = &document.machines[machine];
        let number = seen.entry(machine).or_default();
        *number += 1;
        components.sort_unstable();
        let name = if of.count == 1 { of.name.clone() } else { format!("{}-{number}", of.name) };
        Used { machine, name, components }
    });
    used.collect()
}

/// A machine that is in use, while searching.
struct Opened {
    kind: usize,
    free: Vec<u64>,
    items: Vec<usize>,
}

type Placement = Vec<(usize, Vec<ComponentId>)>;

struct Search<'a> {
    universe: &'a Universe,
    end: &'a Configuration,
    never: &'a [Want],
    kinds: &'a [Kind],
    items: &'a [Item],
    open: Vec<Opened>,
    left: Vec<u32>,
    cost: u64,
    /// What the cheapest placement so far costs, and the kind of each of its machines with what is on it.
    best: Option<(u64, Placement)>,
    steps: u64,
}

impl Search<'_> {
    /// What everything costs at least, when the items from this one on are still to be placed.
    fn bound(&self, next: usize) -> u64 {
        let resources = self.kinds.first().map_or(0, |kind| kind.offers.len());
        let more = |resource: usize| -> u64 {
            let needed: u64 = self.items[next..].iter().map(|item| item.takes[resource]).sum();
            let free: u64 = self.open.iter().map(|machine| machine.free[resource]).sum();
            let lacking = needed.saturating_sub(free);
            if lacking == 0 {
                return 0;
            }
            // The cheapest offer of this resource, as a fraction; it is rounded up once.
            let offers = self.kinds.iter().filter(|kind| kind.offers[resource] > 0 && kind.count > 0);
            offers
                .map(|kind| {
                    (u128::from(lacking) * u128::from(kind.cost)).div_ceil(u128::from(kind.offers[resource]))
                })
                .min()
                .map_or(0, |cost| u64::try_from(cost).unwrap_or(u64::MAX))
        };
        self.cost.saturating_add((0..resources).map(more).max().unwrap_or(0))
    }

    fn run(&mut self, next: usize) {
        self.steps += 1;
        if self.steps >= MOST_STEPS || self.best.as_ref().is_some_and(|(cost, _)| self.bound(next) >= *cost) {
            return;
        }
        let Some(item) = self.items.get(next) else {
            if self.open.iter().all(|machine| self.is_as_wanted(machine)) {
                let placed = self.open.iter().map(|machine| {
                    (machine.kind, machine.items.iter().map(|&item| self.items[item].id).collect())
                });
                self.best = Some((self.cost, placed.collect()));
            }
            return;
        };
        // Of components that are alike, a later one goes on no earlier machine.
        let like =
            |&before: &usize| self.items[before].like == item.like && self.items[before].fixed.is_none();
        let first = next.checked_sub(1).filter(like).filter(|_| item.fixed.is_none()).map_or(0, |before| {
            self.open.iter().position(|machine| machine.items.contains(&before)).unwrap_or(0)
        });
        for machine in first..self.open.len() {
            let fits = self.open[machine].free.iter().zip(&item.takes).all(|(free, takes)| free >= takes);
            if fits && item.fixed.is_none_or(|fixed| self.open[machine].kind == fixed) {
                self.put(machine, next, true);
                self.run(next + 1);
                self.put(machine, next, false);
            }
        }
        for kind in 0..self.kinds.len() {
            let fits = self.kinds[kind].offers.iter().zip(&item.takes).all(|(offers, takes)| offers >= takes);
            if !fits || self.left[kind] == 0 || item.fixed.is_some_and(|fixed| fixed != kind) {
                continue;
            }
            self.left[kind] -= 1;
            self.cost += self.kinds[kind].cost;
            self.open.push(Opened { kind, free: self.kinds[kind].offers.clone(), items: Vec::new() });
            self.put(self.open.len() - 1, next, true);
            self.run(next + 1);
            self.open.pop();
            self.cost -= self.kinds[kind].cost;
            self.left[kind] += 1;
        }
    }

    /// Puts an item on a machine, or takes it away again.
    fn put(&mut self, machine: usize, item: usize, on: bool) {
        let opened = &mut self.open[machine];
        for (free, takes) in opened.free.iter_mut().zip(&self.items[item].takes) {
            if on {
                *free -= takes;
            } else {
                *free += takes;
            }
        }
        if on {
            opened.items.push(item);
        } else {
            opened.items.pop();
        }
    }

    fn is_as_wanted(&self, machine: &Opened) -> bool {
        let mut on = Configuration::new();
        for &item in &machine.items {
            let id = self.items[item].id;
            let component: Component = self.end.components[&id];
            on.components.insert(id, component);
        }
        !self.never.iter().any(|condition| holds(self.universe, &on, condition))
    }
}
