//! Predicates on packed states and steps.

use locus_tla_eval::value::{Outcome, Value, check_nesting};

use super::super::layout::{Field, Layout, ShapeId};
use super::super::memo::{FALSE, Leaf, Memo, Reads, TRUE};
use super::super::plan::{Becomes, Group, Same, Test, Within};
use super::super::switch::{self, Switch};
use super::super::tables::Write;
use super::super::trace::{self, Becoming};
use super::{Packed, Worker};
use locus_tla_eval::eval::ir::Node;
use locus_tla_eval::eval::{Choices, Context};

/// So many tests, of which one must be true, are worth a switch.
const MANY_TESTS: usize = 4;

impl<'m> Packed<'m> {
    /// The truth of conditions.
    pub(super) fn condition(
        &self,
        worker: &mut Worker<'m>,
        region: u32,
        nodes: &[&'m Node],
        choices: &Choices,
        state: &[u32],
    ) -> Outcome<bool> {
        self.truth(worker, region, choices, state, |context| {
            for node in nodes {
                if !context.test(node)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The truth of something that is evaluated if it is not known.
    fn truth(
        &self,
        worker: &mut Worker<'m>,
        region: u32,
        choices: &Choices,
        state: &[u32],
        work: impl FnOnce(&mut Context) -> Outcome<bool>,
    ) -> Outcome<bool> {
        if let Some(leaf) = self.find(worker, region, state) {
            return Ok(leaf == TRUE);
        }
        let holds = self.evaluate(worker, choices, state, work)?;
        Self::keep(worker, region, state, if holds { TRUE } else { FALSE });
        Ok(holds)
    }

    /// The truth of a predicate on a state, or on a step, which is two states one after the other.
    pub(super) fn holds(&self, worker: &mut Worker<'m>, test: &mut Test<'m>, state: &[u32]) -> Outcome<bool> {
        match test {
            Test::One(region, node, choices) => self.condition(worker, *region, &[node], choices, state),
            Test::Act(region, act, choices) => {
                self.truth(worker, *region, choices, state, |context| context.is_possible(act))
            }
            Test::All(tests) => {
                for test in tests {
                    if !self.holds(worker, test, state)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Test::Any(tests, switch) => self.any(worker, tests, switch, state),
            Test::Not(test) => Ok(!self.holds(worker, test, state)?),
            Test::Member(region, shape, set) => {
                if let Some(leaf) = worker.memo.find(*region, state) {
                    return Ok(leaf == TRUE);
                }
                let tables = &self.packing.tables;
                let holds = set.contains(&worker.own.value(tables, *shape, state))?;
                check_nesting()?;
                let reads = &tables.layout.shapes[*shape as usize].bits;
                if worker.keeps(*region) {
                    worker.memo.keep(*region, reads, state, if holds { TRUE } else { FALSE });
                }
                Ok(holds)
            }
            Test::Within(within) => self.is_within_set(within, state),
            Test::Group(group) => self.group(worker, group, state),
            Test::Becomes(becomes) => {
                if let Some(holds) = self.becomes(worker, becomes, state)? {
                    return Ok(holds);
                }
                let region = worker.memo.region(None);
                *test = Test::One(region, becomes.node, becomes.choices.clone());
                self.holds(worker, test, state)
            }
            Test::Same(same) => {
                let words = self.packing.tables.layout.words;
                if state.len() > words {
                    return Ok(same.holds(words, state));
                }
                let region = worker.memo.region(None);
                *test = Test::One(region, same.node, same.choices.clone());
                self.holds(worker, test, state)
            }
            Test::Elements(all, body, elements) => {
                let (all, body) = (*all, *body);
                self.grow(worker, elements, state, |planner, choices| planner.test(body, choices));
                let field = &self.packing.tables.layout.fields[elements.field as usize];
                for at in 0..field.words {
                    let mut bits = field.elements(state, at);
                    while bits != 0 {
                        let number = (at * 32 + bits.trailing_zeros()) as usize;
                        bits &= bits - 1;
                        if let Some(Some(test)) = elements.made.get_mut(number)
                            && self.holds(worker, test, state)? != all
                        {
                            return Ok(!all);
                        }
                    }
                }
                Ok(all)
            }
        }
    }

    /// Whether any of some tests is true. Where there are many, those that one look rules out are not asked.
    fn any(
        &self,
        worker: &mut Worker<'m>,
        tests: &mut [Test<'m>],
        switch: &mut Switch,
        state: &[u32],
    ) -> Outcome<bool> {
        if !(MANY_TESTS..=switch::MOST).contains(&tests.len()) {
            for test in tests {
                if self.holds(worker, test, state)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let mut open = switch.open(tests.len(), state);
        while open != 0 {
            let index = open.trailing_zeros() as usize;
            open &= open - 1;
            if self.holds(worker, &mut tests[index], state)? {
                return Ok(true);
            }
            if let Some(look) = self.never(&worker.memo, &tests[index], state) {
                switch.rule_out(index, look);
            }
        }
        Ok(false)
    }

    /// The truth of tests that are looked up at once.
    fn group(&self, worker: &mut Worker<'m>, group: &mut Group<'m>, state: &[u32]) -> Outcome<bool> {
        let Some(region) = group.region else { return self.holds(worker, &mut group.tests, state) };
        if let Some(leaf) = worker.memo.find(region, state) {
            return Ok(leaf == TRUE);
        }
        worker.groups += 1;
        let holds = self.holds(worker, &mut group.tests, state);
        worker.groups -= 1;
        let holds = holds?;
        let mut reads = Reads::default();
        let known = self.known(&worker.memo, &group.tests, state, &mut reads);
        if reads.are_many() || worker.memo.is_of_no_use(region) {
            group.region = None;
            recount(&mut worker.memo, &group.tests);
        } else if known == Some(holds) {
            worker.memo.keep(region, reads.as_slice(), state, if holds { TRUE } else { FALSE });
        }
        Ok(holds)
    }

    /// The truth of a test by what is known already, and what it depends on. None if not all of it is known.
    fn known(&self, memo: &Memo, test: &Test<'m>, state: &[u32], reads: &mut Reads) -> Option<bool> {
        if reads.are_many() {
            return None;
        }
        let layout = &self.packing.tables.layout;
        match test {
            Test::One(region, ..) | Test::Act(region, ..) | Test::Member(region, ..) => {
                memo.path(*region, state, reads).map(|leaf| leaf == TRUE)
            }
            Test::All(tests) => {
                for test in tests {
                    if !self.known(memo, test, state, reads)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Test::Any(tests, _) => {
                for test in tests {
                    if self.known(memo, test, state, reads)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Test::Not(test) => self.known(memo, test, state, reads).map(|truth| !truth),
            Test::Group(group) => self.known(memo, &group.tests, state, reads),
            Test::Within(within) => {
                let field = &layout.fields[within.field as usize];
                (0..field.words).for_each(|at| reads.add(field.word + at, field.mask));
                (!within.has_others(field, state)).then_some(true)
            }
            Test::Becomes(becomes) if state.len() > layout.words => {
                let writes = sole_writes(memo, memo.path(becomes.region, state, reads)?);
                let shape = layout.roots[becomes.var as usize];
                for &(word, mask) in &layout.shapes[shape as usize].bits {
                    reads.add(word, mask);
                    reads.add(word + layout.words as u32, mask);
                }
                Some(is_as_written(layout, shape, writes, state))
            }
            Test::Same(same) if state.len() > layout.words => {
                for &(word, mask) in &same.bits {
                    reads.add(word, mask);
                    reads.add(word + layout.words as u32, mask);
                }
                Some(same.holds(layout.words, state))
            }
            Test::Becomes(_) | Test::Same(_) => None,
            Test::Elements(all, _, elements) => {
                let field = &layout.fields[elements.field as usize];
                for at in 0..field.words {
                    reads.add(field.word + at, field.mask);
                    let mut bits = field.elements(state, at);
                    while bits != 0 {
                        let test = elements.made.get((at * 32 + bits.trailing_zeros()) as usize)?.as_ref()?;
                        bits &= bits - 1;
                        if self.known(memo, test, state, reads)? != *all {
                            return Some(!all);
                        }
                    }
                }
                Some(*all)
            }
        }
    }

    /// Whether a set of the state with a bit for each element is a subset of another set.
    fn is_within_set(&self, within: &mut Within, state: &[u32]) -> Outcome<bool> {
        let tables = &self.packing.tables;
        let field = &tables.layout.fields[within.field as usize];
        if !within.has_others(field, state) {
            return Ok(true);
        }
        tables.elements(within.field, |elements| {
            within.good.resize(elements.len().div_ceil(32), 0);
            for (number, element) in elements.iter().enumerate().skip(within.asked) {
                if matches!(within.set.contains(element), Ok(true)) {
                    within.good[number / 32] |= 1 << (number % 32);
                }
            }
            within.asked = elements.len();
        });
        check_nesting()?;
        if !within.has_others(field, state) {
            return Ok(true);
        }
        // What fails for an element is said of the set that has it.
        let set: Value = tables.value(field.shape, state);
        let holds = set.is_subset(&within.set)?;
        check_nesting()?;
        Ok(holds)
    }

    /// Whether `x' = e` in a step, by what `e` makes of the first state. None if that cannot be told.
    fn becomes(&self, worker: &mut Worker<'m>, becomes: &Becomes<'m>, step: &[u32]) -> Outcome<Option<bool>> {
        let layout = &self.packing.tables.layout;
        if step.len() <= layout.words {
            return Ok(None);
        }
        let shape = layout.roots[becomes.var as usize];
        if let Some(leaf) = self.find(worker, becomes.region, step) {
            return Ok(Some(is_as_written(layout, shape, sole_writes(&worker.memo, leaf), step)));
        }
        let is_kept = worker.keeps(becomes.region);
        let becoming = self.evaluate(worker, &becomes.choices, step, |context| {
            trace::becoming(context, becomes.var, becomes.value)
        })?;
        match becoming {
            Becoming::Unknown => Ok(None),
            Becoming::Never => Ok(Some(false)),
            Becoming::Written(writes) => {
                let holds = is_as_written(layout, shape, &writes, step);
                if is_kept {
                    let leaf = worker.memo.leaf(&[(0, writes)]);
                    Self::keep(worker, becomes.region, step, leaf);
                }
                Ok(Some(holds))
            }
        }
    }
}

impl Same<'_> {
    /// Whether the second state of a step, which begins after so many words, has what the first has.
    #[inline]
    fn holds(&self, words: usize, step: &[u32]) -> bool {
        let (from, to) = step.split_at(words);
        self.bits.iter().all(|&(word, mask)| (from[word as usize] ^ to[word as usize]) & mask == 0)
    }
}

impl Within {
    /// Whether a state has elements that are not known to be in the other set.
    fn has_others(&self, field: &Field, state: &[u32]) -> bool {
        let good = |at: u32| self.good.get(at as usize).copied().unwrap_or(0);
        (0..field.words).any(|at| field.elements(state, at) & !good(at) != 0)
    }
}

/// Counts anew how often tests are found that were part of a group.
fn recount(memo: &mut Memo, test: &Test<'_>) {
    match test {
        Test::One(region, ..) | Test::Act(region, ..) | Test::Member(region, ..) => memo.recount(*region),
        Test::Becomes(becomes) => memo.recount(becomes.region),
        Test::All(tests) | Test::Any(tests, _) => tests.iter().for_each(|test| recount(memo, test)),
        Test::Not(test) => recount(memo, test),
        Test::Elements(_, _, elements) => {
            elements.made.iter().flatten().for_each(|test| recount(memo, test));
        }
        Test::Group(group) => {
            group.region.iter().for_each(|region| memo.recount(*region));
            recount(memo, &group.tests);
        }
        Test::Within(_) | Test::Same(_) => {}
    }
}

/// The writes of a leaf that has one successor.
pub(super) fn sole_writes(memo: &Memo, leaf: Leaf) -> &[Write] {
    memo.ways(leaf).next().map_or(&[], |way| memo.writes(memo.way(way)))
}

/// Whether a part of the second state of a step is that of the first with these changes.
fn is_as_written(layout: &Layout, shape: ShapeId, writes: &[Write], step: &[u32]) -> bool {
    let (from, to) = step.split_at(layout.words);
    layout.shapes[shape as usize].bits.iter().all(|&(word, mask)| {
        let mut expected = from[word as usize];
        for write in writes.iter().filter(|write| write.word == word) {
            expected = expected & !write.mask | write.value;
        }
        (expected ^ to[word as usize]) & mask == 0
    })
}
