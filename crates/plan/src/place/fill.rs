//! Loads that fit on one machine: numbers of components by sort, within what the machine offers, and as wanted.

use locus_aeolus::{Counted, StateId, TypeId, Universe, Want};

use crate::goal::holds_of;

/// Numbers of components, by sort.
pub(super) type Load = Box<[u16]>;

/// The most fillings of a machine that are looked at.
const MOST: usize = 20_000;

/// Components of one type in one state: they are alike.
pub(super) struct Sort {
    pub(super) kind: TypeId,
    pub(super) state: StateId,
    /// The amount of every resource that each takes.
    pub(super) takes: Vec<u64>,
    /// The largest share that it takes of what a machine has, in thousandths.
    pub(super) size: u64,
    /// How many are to be placed.
    pub(super) count: u16,
}

/// The conditions on the contents of a machine.
pub(super) struct Rules<'a> {
    pub(super) universe: &'a Universe,
    /// Conditions that must not hold.
    pub(super) never: &'a [Want],
    pub(super) sorts: &'a [Sort],
    /// Whether each of the conditions still holds when there is more on the machine.
    pub(super) rising: bool,
}

impl Rules<'_> {
    /// Whether a machine may have these.
    pub(super) fn allow(&self, load: &[u16]) -> bool {
        let number = |counted: &Counted| -> i64 {
            let fits = |sort: &Sort| match counted {
                Counted::Components(kind, state) => {
                    sort.kind == *kind && state.is_none_or(|state| sort.state == state)
                }
                Counted::Providers(port) => {
                    self.universe.state(sort.kind, sort.state).provision(*port).is_some()
                }
                Counted::Machines(_) => false,
            };
            self.sorts
                .iter()
                .zip(load)
                .filter(|(sort, _)| fits(sort))
                .map(|(_, &number)| i64::from(number))
                .sum()
        };
        !self.never.iter().any(|want| holds_of(want, &number))
    }
}

/// All ways to fill a machine on which there is something already: what is added. False if there are too many to list.
pub(super) fn fillings(rules: &Rules<'_>, there: &[u16], fits: &dyn Fn(&[u64]) -> bool) -> (Vec<Load>, bool) {
    let resources = rules.sorts.first().map_or(0, |sort| sort.takes.len());
    let mut filling = Filling {
        rules,
        there,
        fits,
        load: vec![0; rules.sorts.len()],
        used: vec![0; resources],
        found: Vec::new(),
        looked: 0,
    };
    let is_complete = filling.from(0);
    (filling.found, is_complete)
}

struct Filling<'a> {
    rules: &'a Rules<'a>,
    there: &'a [u16],
    fits: &'a dyn Fn(&[u64]) -> bool,
    load: Vec<u16>,
    used: Vec<u64>,
    found: Vec<Load>,
    looked: usize,
}

impl Filling<'_> {
    /// Fills with the sorts from this one on.
    fn from(&mut self, sort: usize) -> bool {
        self.looked += 1;
        if self.looked > MOST * 10 || self.found.len() > MOST {
            return false;
        }
        let whole =
            || self.there.iter().zip(&self.load).map(|(there, more)| there + more).collect::<Vec<u16>>();
        let Some(of) = self.rules.sorts.get(sort) else {
            if self.rules.allow(&whole()) {
                self.found.push(self.load.clone().into());
            }
            return true;
        };
        let mut is_complete = true;
        for number in 0..=of.count {
            if number > 0 {
                self.load[sort] = number;
                self.used.iter_mut().zip(&of.takes).for_each(|(used, takes)| *used += takes);
                let whole = || {
                    self.there.iter().zip(&self.load).map(|(there, more)| there + more).collect::<Vec<u16>>()
                };
                if !(self.fits)(&self.used) || (self.rules.rising && !self.rules.allow(&whole())) {
                    break;
                }
            }
            is_complete &= self.from(sort + 1);
            if !is_complete {
                break;
            }
        }
        let number = u64::from(std::mem::take(&mut self.load[sort]));
        self.used.iter_mut().zip(&of.takes).for_each(|(used, takes)| *used -= takes * number);
        is_complete
    }
}

/// Whether a condition that holds of some components holds of more, too.
pub(crate) fn rises(want: &Want) -> bool {
    tends(want, true)
}

/// Whether more components never make a condition false, or never make it true.
fn tends(want: &Want, up: bool) -> bool {
    use locus_aeolus::Relation;
    match want {
        Want::True => true,
        Want::And(all) | Want::Or(all) => all.iter().all(|want| tends(want, up)),
        Want::Not(inner) => tends(inner, !up),
        Want::Compare(sum, relation) => {
            let grows = sum.terms.iter().all(|&(factor, _)| factor >= 0);
            let falls = sum.terms.iter().all(|&(factor, _)| factor <= 0);
            match relation {
                Relation::AtLeast | Relation::Greater => (grows && up) || (falls && !up),
                Relation::AtMost | Relation::Less => (falls && up) || (grows && !up),
                Relation::Equal | Relation::Different => grows && falls,
            }
        }
    }
}
