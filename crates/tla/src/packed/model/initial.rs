//! Initial states.
//!
//! The evaluator finds them, since the initial predicate seldom depends on little. But the conditions that it has left
//! when all variables have values are asked of the packed state, as invariants are: what is found out of one of a
//! million candidates is known of most others.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use locus_explore::{InitialSink, Model, Tuning};

use locus_tla_eval::eval::ir::{Act, ActKind};
use locus_tla_eval::eval::{Choices, Context};
use locus_tla_eval::value::{FaultKind, Outcome, Value};

use super::super::Refusal;
use super::super::layout::HEAD;
use super::super::own::OwnNumbers;
use super::super::plan::{Planner, Test};
use super::super::tables::{Write, is_laid_out};
use super::{LEAST_HITS, LEAST_JUDGED, MOST_MISSES, Packed, TRIAL, Words, Worker};

/// The successors of so many initial states are found while the others are. Tests have fewer.
const FIRST: usize = if cfg!(test) { 8 } else { TRIAL as usize };

/// A state as it was packed last: of the next one, only variables that have other values are.
struct Packer {
    values: Vec<Value>,
    /// The addend of each variable to the fingerprint.
    sums: Vec<u64>,
    words: Words,
    writes: Vec<Write>,
    numbers: OwnNumbers,
}

/// The parts of an initial predicate that are left when all variables have values.
fn conditions<'m>(act: &'m Act, given: &mut [bool], found: &mut Vec<&'m Act>) {
    match &act.kind {
        ActKind::Seq(acts) => acts.iter().for_each(|act| conditions(act, given, found)),
        ActKind::Label(_, inner) | ActKind::Scope(_, inner) => conditions(inner, given, found),
        _ if given.iter().all(|given| *given) => found.push(act),
        ActKind::Assign(var, _) | ActKind::Among(var, _) => given[*var as usize] = true,
        _ => {}
    }
}

impl<'m> Packed<'m> {
    /// Finds the initial states.
    pub(super) fn find_initial(
        &self,
        worker: &mut Worker<'m>,
        sink: &mut InitialSink<'_, Self>,
    ) -> Outcome<()> {
        let mut finder = Model::worker(self.machine);
        let workers = worker.share.map_or(1, |(number, of)| {
            self.machine.divide_initial(&mut finder, number, of);
            of
        });
        // Where there are several, each finds out what the others need not.
        let few = if workers > 1 { FIRST / 2 } else { FIRST };
        let mut tests = self.postpone(worker, &mut finder);
        let variables = self.example.len();
        let mut packer = Packer {
            values: vec![Value::Unset; variables],
            sums: vec![0; variables],
            words: vec![0; self.packing.tables.layout.words].into(),
            writes: Vec::new(),
            numbers: OwnNumbers::new(&self.packing.tables.layout, self.packing.exchange.is_none()),
        };
        let (mut candidates, mut first) = (0, Vec::new());
        let mut failed = None;
        let found = self.machine.initial_states(&mut finder, &mut |finder, state| {
            candidates += 1;
            worker.place = self.machine.place_of_initial(finder);
            self.attend(worker);
            let mut look = || -> Outcome<bool> {
                self.pack(worker, state, &mut packer)?;
                if !tests.is_empty() {
                    if candidates % TRIAL == 0 && Self::is_vain(worker, candidates) {
                        finder.postponed.clear();
                    }
                    let pair = Self::pair(worker, &packer.words, &packer.words);
                    let holds = self.all_hold(worker, &mut tests, &pair);
                    worker.pair = pair;
                    if finder.postponed.is_empty() {
                        tests.clear();
                    }
                    if !holds? {
                        return Ok(false);
                    }
                }
                if first.len() < few {
                    first.push(packer.words.clone());
                    if first.len() == few {
                        self.try_successors(worker, &first)?;
                    }
                }
                Ok(true)
            };
            match look() {
                Ok(true) => sink(worker, &packer.words),
                Ok(false) => ControlFlow::Continue(()),
                Err(fault) => {
                    failed = Some(fault);
                    ControlFlow::Break(())
                }
            }
        });
        // Of what goes wrong for several workers, the first is reported.
        worker.place = self.machine.place_of_initial(&finder);
        found?;
        let Some(fault) = failed else { return Ok(()) };
        self.referred(worker, fault, |machine, context| {
            machine.initial_states(context, &mut |_, _| ControlFlow::Continue(()))
        })?;
        Err(self.packing.refuse(Refusal::Contradiction))
    }

    /// The conditions that are left when all variables have values, which the evaluator is not to ask.
    fn postpone(&self, worker: &mut Worker<'m>, finder: &mut Context) -> Vec<Test<'m>> {
        let mut found = Vec::new();
        conditions(&self.machine.init, &mut vec![false; self.example.len()], &mut found);
        worker.context.state.clone_from(&self.example);
        let mut planner =
            Planner { packing: &self.packing, context: &mut worker.context, memo: &mut worker.memo };
        let none = Choices::default();
        finder.postponed = found.iter().map(|act| act.id).collect();
        found.into_iter().map(|act| planner.condition(act, &none)).collect()
    }

    /// Whether too much has to be evaluated to ask candidates.
    fn is_vain(worker: &Worker<'m>, candidates: u64) -> bool {
        let (hits, misses) = worker.memo.balance();
        misses > candidates * MOST_MISSES && misses * LEAST_HITS > hits
    }

    /// Packs a state.
    fn pack(&self, worker: &mut Worker<'m>, state: &[Value], packer: &mut Packer) -> Outcome<()> {
        let tables = &self.packing.tables;
        let layout = &tables.layout;
        let Packer { values, sums, words, writes, numbers } = packer;
        for (((value, before), sum), &root) in state.iter().zip(values).zip(&mut *sums).zip(&layout.roots) {
            if value.is_identical(before) {
                continue;
            }
            if !is_laid_out(value) {
                return Err(self.packing.refuse(Refusal::Value));
            }
            writes.clear();
            numbers.write(tables, root, value, writes).map_err(|misfit| self.packing.misfit(misfit))?;
            for &(word, mask) in &layout.shapes[root as usize].bits {
                words[word as usize] &= !mask;
            }
            *sum = 0;
            for write in &*writes {
                words[write.word as usize] |= write.value;
                *sum = sum.wrapping_add(write.hash);
            }
            before.clone_from(value);
        }
        let mut terms = 0_u64;
        if !self.view.terms.is_empty() {
            for write in self.term_writes(worker, words)? {
                let word = &mut words[write.word as usize];
                *word = *word & !write.mask | write.value;
                terms = terms.wrapping_add(write.hash);
            }
        }
        let fingerprint = if self.machine.symmetry.is_some() {
            words[..HEAD].fill(0);
            let Worker { hashes, sums, .. } = worker;
            tables.sums(words, hashes, sums);
            sums.iter().copied().min().unwrap_or(0)
        } else {
            sums.iter().fold(terms, |all, sum| all.wrapping_add(*sum))
        };
        words[0] = fingerprint as u32;
        words[1] = (fingerprint >> 32) as u32;
        Ok(())
    }

    /// Finds the successors of some states of many, so that if looking up does not pay, this is known before all
    /// initial states are.
    fn try_successors(&self, worker: &mut Worker<'m>, states: &[Words]) -> Outcome<()> {
        let between = self.machine.shared.session.between.load(Ordering::Relaxed);
        for state in states {
            match self.successors(worker, state, &mut |_, _, _| ControlFlow::Continue(())) {
                // Whatever is wrong is said when the state is explored.
                Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => return Err(fault),
                _ => {}
            }
        }
        self.machine.shared.session.between.store(between, Ordering::Relaxed);
        if worker.explored >= LEAST_JUDGED { self.judge(worker) } else { Ok(()) }
    }
}
