//! Where components run: placement on machines with resources, at the least cost.
//!
//! Machines of one kind are alike, and so are components of one type in one state. [`fill`] lists what can be on one
//! machine, [`cover`] chooses machines such that everything is on one. The answer is proven to be cheapest, or says
//! what any placement costs at least: what is to be placed needs so much of each resource, and no machine offers it for
//! less.

mod cover;
mod fill;

use locus_aeolus::{ComponentId, Configuration, Counted, Document, Relation, TypeId, Want};
use rustc_hash::FxHashMap;

use crate::goal::holds;
use cover::{Cover, Covered, Kind, Opened};
pub(crate) use fill::rises;
use fill::{Load, Rules, Sort};

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

/// The result of placing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placing {
    /// A placement.
    Placed {
        /// The machines.
        machines: Vec<Used>,
        /// Their cost.
        cost: u64,
        /// The least cost of any placement: the same, if this is proven to be cheapest.
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

/// The resources that the machines of a document offer.
pub(crate) struct Offers {
    /// The names of all resources that somebody takes.
    resources: Vec<String>,
    kinds: Vec<Kind>,
}

impl Offers {
    pub(crate) fn new(document: &Document) -> Self {
        let taken = document.universe.types().flat_map(|(_, kind)| kind.consumes.iter());
        let mut resources: Vec<String> = taken.map(|(name, _)| name.to_string()).collect();
        resources.sort();
        resources.dedup();
        let kind = |machine: &locus_aeolus::Machine| Kind {
            offers: resources.iter().map(|name| amount(&machine.resources, name)).collect(),
            cost: machine.cost,
            left: machine.count.min(MOST as u32),
        };
        let kinds = document.machines.iter().map(kind).collect();
        Self { resources, kinds }
    }

    /// The amount of each resource that a component of a type takes.
    pub(crate) fn takes(&self, document: &Document, kind: TypeId) -> Vec<u64> {
        let consumes = &document.universe.kind(kind).consumes;
        self.resources.iter().map(|name| amount(consumes, name)).collect()
    }

    /// The least cost of machines that together have so much of each resource.
    ///
    /// # Errors
    /// If all machines together do not have it: in words.
    pub(crate) fn at_least(&self, needed: &[u64]) -> Result<u64, String> {
        let mut least = 0;
        for (resource, &needed) in needed.iter().enumerate().filter(|&(_, &needed)| needed > 0) {
            let all =
                self.kinds.iter().map(|kind| kind.offers[resource].saturating_mul(u64::from(kind.left)));
            let all = all.fold(0, u64::saturating_add);
            if needed > all {
                return Err(format!(
                    "the components take at least {needed} of {}, and all machines together have {all}",
                    self.resources[resource]
                ));
            }
            // The cheapest offer of this resource, as a fraction; it is rounded up once.
            let offers = self.kinds.iter().filter(|kind| kind.offers[resource] > 0 && kind.left > 0);
            let cost = offers.map(|kind| {
                (u128::from(needed) * u128::from(kind.cost)).div_ceil(u128::from(kind.offers[resource]))
            });
            least = least.max(cost.min().map_or(0, |cost| u64::try_from(cost).unwrap_or(u64::MAX)));
        }
        Ok(least)
    }
}

fn amount(amounts: &[(std::sync::Arc<str>, u64)], name: &str) -> u64 {
    amounts.iter().find(|(own, _)| &**own == name).map_or(0, |&(_, amount)| amount)
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
    if document.machines.is_empty() {
        return Placing::Unknown("since the document has no machines".to_owned());
    }
    let mut offers = Offers::new(document);
    let mut total = vec![0u64; offers.resources.len()];
    for component in end.components.values() {
        for (total, takes) in total.iter_mut().zip(offers.takes(document, component.kind)) {
            *total = total.saturating_add(takes);
        }
    }
    let at_least = match offers.at_least(&total) {
        Ok(at_least) => at_least,
        Err(why) => return Placing::None(why),
    };
    let items = match Items::new(document, end, &mut offers) {
        Ok(items) => items,
        Err(answer) => return answer,
    };
    let rising = never.iter().all(rises);
    let rules = Rules { universe: &document.universe, never, sorts: &items.sorts, rising };
    let there: u64 = items.opened.iter().map(|machine| offers.kinds[machine.kind].cost).sum();
    match Cover::new(&offers.kinds, &items.opened, &rules).run() {
        Covered::Found { opened, new, is_cheapest } => {
            let cost = new.iter().map(|&(kind, _)| offers.kinds[kind].cost).fold(there, u64::saturating_add);
            let at_least = if is_cheapest { cost } else { at_least.max(there).min(cost) };
            Placing::Placed { machines: items.named(document, opened, new), cost, at_least }
        }
        Covered::None if never.is_empty() => {
            Placing::None("the components do not fit on the machines".to_owned())
        }
        Covered::None => {
            Placing::None("the components do not fit on the machines as is wanted of them".to_owned())
        }
        Covered::Unknown => Placing::Unknown("within the steps of the search".to_owned()),
    }
}

/// The components to place.
struct Items {
    sorts: Vec<Sort>,
    /// The components of each sort that are on no machine.
    free: Vec<Vec<ComponentId>>,
    opened: Vec<Opened>,
    /// The components that are on each opened machine.
    fixed: Vec<Vec<ComponentId>>,
}

impl Items {
    /// The components of a configuration. Machines that are in use are taken from what is on offer.
    fn new(document: &Document, end: &Configuration, offers: &mut Offers) -> Result<Self, Placing> {
        let most: Vec<u64> = (0..offers.resources.len())
            .map(|resource| offers.kinds.iter().map(|kind| kind.offers[resource]).max().unwrap_or(0))
            .collect();
        let mut sorts: Vec<Sort> = Vec::new();
        for component in end.components.values() {
            if sorts.iter().any(|sort| (sort.kind, sort.state) == (component.kind, component.state)) {
                continue;
            }
            let takes = offers.takes(document, component.kind);
            if let Some(short) = (0..takes.len()).find(|&resource| takes[resource] > most[resource]) {
                return Err(Placing::None(format!(
                    "{} takes {} of {}, and no machine has more than {}",
                    document.universe.kind(component.kind).name,
                    takes[short],
                    offers.resources[short],
                    most[short]
                )));
            }
            let share = |(&takes, &most): (&u64, &u64)| takes.saturating_mul(1000) / most.max(1);
            let size = takes.iter().zip(&most).map(share).max().unwrap_or(0);
            sorts.push(Sort { kind: component.kind, state: component.state, takes, size, count: 0 });
        }
        // Large ones first.
        sorts.sort_by_key(|sort| (std::cmp::Reverse(sort.size), sort.kind, sort.state));
        let mut items =
            Self { free: vec![Vec::new(); sorts.len()], sorts, opened: Vec::new(), fixed: Vec::new() };
        for (&id, component) in &end.components {
            let of = |sort: &Sort| (sort.kind, sort.state) == (component.kind, component.state);
            let sort = items.sorts.iter().position(of).expect("every component has a sort");
            if let Some(&machine) = document.placement.get(&id) {
                items.fix(document, offers, id, sort, machine)?;
            } else {
                items.sorts[sort].count += 1;
                items.free[sort].push(id);
            }
        }
        Ok(items)
    }

    /// A component is on a machine.
    fn fix(
        &mut self,
        document: &Document,
        offers: &mut Offers,
        id: ComponentId,
        sort: usize,
        machine: usize,
    ) -> Result<(), Placing> {
        if document.machines[machine].count != 1 {
            return Err(Placing::Unknown(
                "since components are on machines of which there are several".to_owned(),
            ));
        }
        let at = self.opened.iter().position(|opened| opened.kind == machine).unwrap_or_else(|| {
            offers.kinds[machine].left = 0;
            let free = offers.kinds[machine].offers.clone();
            self.opened.push(Opened { kind: machine, free, load: vec![0; self.sorts.len()].into() });
            self.fixed.push(Vec::new());
            self.opened.len() - 1
        });
        let opened = &mut self.opened[at];
        for (free, takes) in opened.free.iter_mut().zip(&self.sorts[sort].takes) {
            let Some(less) = free.checked_sub(*takes) else {
                let name = &document.machines[machine].name;
                return Err(Placing::None(format!(
                    "the components that are on {name} take more than it has"
                )));
            };
            *free = less;
        }
        opened.load[sort] += 1;
        self.fixed[at].push(id);
        Ok(())
    }

    /// The machines with the components on them.
    fn named(mut self, document: &Document, opened: Vec<Load>, new: Vec<(usize, Load)>) -> Vec<Used> {
        let mut seen: FxHashMap<usize, u32> = FxHashMap::default();
        let there = self.opened.iter().map(|machine| machine.kind).zip(opened);
        let mut machines = Vec::new();
        for (at, (machine, load)) in there.chain(new).enumerate() {
            let mut components = self.fixed.get(at).cloned().unwrap_or_default();
            for (free, number) in self.free.iter_mut().zip(load) {
                components.extend(free.drain(..usize::from(number)));
            }
            components.sort_unstable();
            let of = &document.machines[machine];
            let number = seen.entry(machine).or_default();
            *number += 1;
            let name = if of.count == 1 { of.name.clone() } else { format!("{}-{number}", of.name) };
            machines.push(Used { machine, name, components });
        }
        machines
    }
}
