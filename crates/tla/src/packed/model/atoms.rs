//! Atoms of temporal formulas: many predicates at once, most of them false.

use locus_explore::AtomSet;

use locus_tla_eval::value::Outcome;

use super::super::memo::{Look, Memo};
use super::super::plan::Test;
use super::super::switch::{self, Switch};
use super::{Packed, Worker};

/// The tests of atoms, in order, with a switch for so many as it is for.
#[derive(Default)]
pub(super) struct Atoms<'m>(Vec<(Vec<Test<'m>>, Switch)>);

impl<'m> Atoms<'m> {
    pub(super) fn new(tests: impl Iterator<Item = Test<'m>>) -> Self {
        let mut all: Vec<(Vec<Test<'m>>, Switch)> = Vec::new();
        for test in tests {
            match all.last_mut() {
                Some((last, _)) if last.len() < switch::MOST => last.push(test),
                _ => all.push((vec![test], Switch::default())),
            }
        }
        Self(all)
    }
}

impl<'m> Packed<'m> {
    /// Sets atoms that are not set yet as their tests say.
    pub(super) fn atoms(
        &self,
        worker: &mut Worker<'m>,
        Atoms(all): &mut Atoms<'m>,
        state: &[u32],
        atoms: &mut AtomSet,
    ) -> Outcome<()> {
        for (block, (tests, switch)) in all.iter_mut().enumerate() {
            let mut open = switch.open(tests.len(), state);
            worker.memo.count_known(tests.len() as u32 - open.count_ones());
            while open != 0 {
                let index = open.trailing_zeros() as usize;
                open &= open - 1;
                if self.holds(worker, &mut tests[index], state)? {
                    atoms.set(block * switch::MOST + index, true);
                } else if let Some(look) = self.never(&worker.memo, &tests[index], state) {
                    switch.rule_out(index, look);
                }
            }
        }
        Ok(())
    }

    /// The one look that is enough to know that a test is false in this state. What a test asks first is all that
    /// counts: what it asks later may fail to be evaluated before.
    pub(super) fn never(&self, memo: &Memo, test: &Test<'m>, state: &[u32]) -> Option<Look> {
        match test {
            Test::One(region, ..) | Test::Act(region, ..) => memo.never(*region, state),
            Test::All(tests) => {
                let asks = |test: &&Test<'m>| !self.is_sameness(test, state);
                self.never(memo, tests.iter().find(asks)?, state)
            }
            Test::Any(tests, _) => {
                let look = self.never(memo, tests.first()?, state)?;
                tests.iter().all(|test| self.never(memo, test, state) == Some(look)).then_some(look)
            }
            Test::Group(group) => self.never(memo, &group.tests, state),
            Test::Elements(false, _, elements) => {
                let field = &self.packing.tables.layout.fields[elements.field as usize];
                let is_small = field.words == 1 && field.mask.count_ones() <= 8;
                let (word, mask, shift) = (field.word, field.mask, field.shift);
                (is_small && field.elements(state, 0) == 0).then_some(Look { word, mask, shift, value: 0 })
            }
            _ => None,
        }
    }

    /// Whether a test is whether variables keep their values, or not: that never fails to be evaluated.
    fn is_sameness(&self, test: &Test<'m>, state: &[u32]) -> bool {
        match test {
            Test::Same(_) => state.len() > self.packing.tables.layout.words,
            Test::Not(inner) => self.is_sameness(inner, state),
            _ => false,
        }
    }
}
