//! The compiled specification as a state machine over packed states.
//!
//! Whatever is violated or cannot be evaluated is left to the evaluator, on values, to say.

mod apply;
mod atoms;
mod initial;
mod pieces;
mod predicate;
mod walk;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use locus_explore::{
    AtomSet, InitialSink, Model, Options, Properties, Reason, Reduction, Saving, StepSink, Tuning,
};

use crate::machine::{Machine, saved};
use locus_tla_eval::eval::{Choices, Context, Values, stopped, unset, with_stack};
use locus_tla_eval::value::{Fault, FaultKind, Outcome, Value, check_nesting};

use super::exchange::{Content, Correspondent, Exchange};
use super::layout::{Layout, Learned};
use super::memo::{FALSE, Leaf, Memo, TRUE};
use super::own::OwnValues;
use super::plan::{Asked, Elements, Plan, Planner, Several, Test};
use super::tables::{Tables, is_laid_out};
use super::view::View;
use super::{Packing, Refusal, trace};
use atoms::Atoms;

/// Bytes of what is kept beyond which a worker forgets it; where memory is limited, all of them may keep this share of
/// it.
const MAX_BYTES: usize = 1 << 29;
const SHARE_OF_KEPT: usize = 6;
/// Bytes of what a worker is told beyond which it is told no more before it has listened.
const MOST_SENT: usize = 1 << 24;
/// After so many states it is looked at whether it is worth it.
const TRIAL: u64 = 1 << 13;
/// Or after so many of the first, if there are several workers.
const LEAST_JUDGED: u64 = TRIAL / 2;
/// It is, if there are at most so many evaluations for each state, or if so many times as much was known already.
const MOST_MISSES: u64 = 2;
const LEAST_HITS: u64 = 3;
/// With a view more must have been known in each round. Measured: Raft, whose messages are new in nearly every state,
/// is slower packed by a third to a half with 5 times as much known as not, since the order of successors is kept too.
const LEAST_HITS_OF_VIEW: u64 = 16;
/// It is not either, if in two rounds of so many states, the second of which has just ended, more had to be evaluated
/// for each state than that, and less was known than not.
const ROUND: u64 = 1 << 9;
/// Nor, if after so many states there are so many evaluations for each time that one is checked or explored.
const EARLY_TRIAL: u64 = 1 << 8;
const EARLY_MISSES: u64 = 64;

/// A state in words; the first are its fingerprint.
pub(crate) type Words = Box<[u32]>;

/// A specification over packed states.
pub(crate) struct Packed<'m> {
    machine: &'m Machine,
    view: View<'m>,
    pub(crate) packing: Arc<Packing>,
    /// Some state.
    example: Values,
    /// How layout and tables came to be.
    learned: Learned,
    /// Bytes of what is kept beyond which a worker forgets it.
    most_kept: usize,
}

/// The data of one worker.
pub(crate) struct Worker<'m> {
    context: Context,
    memo: Memo,
    plan: Plan<'m>,
    tests: Tests<'m>,
    /// The addends of the values of each field to fingerprints, as far as they are known here.
    hashes: Vec<Vec<u64>>,
    next: Words,
    pair: Vec<u32>,
    /// The parts that are kept of the terms of a view, by their places.
    terms: Vec<u32>,
    /// The fingerprints of the state that is explored, and of a successor, under each permutation of a symmetry.
    sums: Vec<u64>,
    next_sums: Vec<u64>,
    own: OwnValues,
    values: [Unpacked; 2],
    explored: u64,
    /// How often a state was checked or explored.
    looked_at: u64,
    /// The hits and misses of the memo when a round ended, and whether the round before was poor.
    balance: (u64, u64),
    is_poor: bool,
    /// How many groups of tests are looked into.
    groups: u32,
    /// The exchange with other workers.
    mail: Option<Correspondent>,
    /// Which of how many workers finds which initial states, if they are divided, and where the last one stands.
    share: Option<(usize, usize)>,
    place: Option<u64>,
}

impl Worker<'_> {
    /// Whether what is found out of an action or predicate is kept. Within a group it is: the group alone finds it
    /// again.
    fn keeps(&self, region: u32) -> bool {
        self.groups > 0 || !self.memo.is_vain(region)
    }
}

/// The predicates, taken apart.
#[derive(Default)]
struct Tests<'m> {
    invariants: Vec<Vec<Test<'m>>>,
    premises: Vec<Vec<Test<'m>>>,
    constraints: Vec<Test<'m>>,
    steps: Vec<Test<'m>>,
    step_constraints: Vec<Test<'m>>,
    state_atoms: Atoms<'m>,
    step_atoms: Atoms<'m>,
}

/// A state as values, and in words.
#[derive(Default)]
struct Unpacked {
    words: Vec<u32>,
    values: Values,
}

impl<'m> Packed<'m> {
    /// None if states like this one are not packed.
    pub(crate) fn new(machine: &'m Machine, example: &Values, learned: &Learned) -> Option<Self> {
        if !example.iter().all(is_laid_out) {
            return None;
        }
        let symmetry = machine.symmetry.as_ref();
        let view = View::of(machine.view.as_ref(), example.len());
        let layout = Layout::new(example, learned, symmetry.map(|symmetry| &**symmetry), &view);
        let packing = Arc::new(Packing::new(Tables::new(layout, symmetry)));
        Some(Self {
            machine,
            view,
            packing,
            example: example.clone(),
            learned: learned.clone(),
            most_kept: MAX_BYTES,
        })
    }

    /// The same with workers that keep no more than their share of the memory there is, and if there are several, tell
    /// each other what they have found out, for which there is a share too.
    pub(crate) fn within(mut self, options: &Options<'_>) -> Self {
        let shares = if options.workers > 1 { options.workers + 1 } else { 1 };
        let share = options.limits.bytes.map(|bytes| bytes / SHARE_OF_KEPT / shares);
        self.most_kept = share.unwrap_or(MAX_BYTES).min(MAX_BYTES);
        if let (2.., Some(packing)) = (options.workers, Arc::get_mut(&mut self.packing)) {
            let most_sent = (self.most_kept / options.workers).min(MOST_SENT);
            packing.exchange = Some(Exchange::new(options.workers, most_sent));
        }
        self
    }

    /// Restores the model that another one saved for the same specification.
    pub(crate) fn recall(machine: &'m Machine, example: &Values, mut bytes: &[u8]) -> Option<Self> {
        let learned = Learned::restore(&mut bytes)?;
        let packed = Self::new(machine, example, &learned)?;
        packed.packing.tables.restore(&mut bytes)?;
        bytes.is_empty().then_some(packed)
    }

    /// The state that words stand for.
    pub(crate) fn unpack(&self, state: &[u32]) -> Values {
        self.packing.tables.unpack(state)
    }

    fn unpacked<'w>(&self, own: &mut OwnValues, cache: &'w mut Unpacked, state: &[u32]) -> &'w Values {
        if cache.words != state {
            cache.values = own.unpack(&self.packing.tables, state);
            cache.words.clear();
            cache.words.extend_from_slice(state);
        }
        &cache.values
    }

    /// Evaluates a part of an action or predicate in a state, or in a step, which is two states one after the other.
    fn evaluate<T>(
        &self,
        worker: &mut Worker<'m>,
        choices: &Choices,
        state: &[u32],
        work: impl FnOnce(&mut Context) -> Outcome<T>,
    ) -> Outcome<T> {
        worker.context.heed();
        let words = self.packing.tables.layout.words;
        let is_step = state.len() > words;
        let Worker { context, values: [first, second], own, .. } = worker;
        context.state.clone_from(self.unpacked(own, first, &state[..words]));
        if is_step {
            context.next.clone_from(self.unpacked(own, second, &state[words..]));
        } else {
            context.next.fill(Value::Unset);
        }
        worker.context.begin_part(choices, is_step);
        let result = with_stack(|| work(&mut worker.context));
        let result = result.and_then(|value| check_nesting().map(|()| value));
        worker.context.next.fill(Value::Unset);
        if self.packing.ended().is_some() && !worker.context.repeats {
            return Err(stopped());
        }
        result
    }

    /// The result in this state, if it is known.
    fn find(&self, worker: &mut Worker<'m>, region: u32, state: &[u32]) -> Option<Leaf> {
        let found = worker.memo.find(region, state);
        if found.is_none() {
            self.miss(worker, region);
        }
        found
    }

    /// Notes that something has to be evaluated.
    #[cold]
    fn miss(&self, worker: &mut Worker<'m>, region: u32) {
        worker.memo.refresh(region, self.packing.tables.elements_so_far());
    }

    /// Keeps what was found out, if that is worth it.
    fn keep(worker: &mut Worker<'m>, region: u32, state: &[u32], leaf: Leaf) {
        if worker.keeps(region) {
            let Worker { context, memo, mail, .. } = worker;
            let Some(reads) = trace::reads(context) else { return };
            memo.keep(region, reads, state, leaf);
            if let (Some(mail), Some(number)) = (mail, memo.wanted(region)) {
                let content = if matches!(leaf, FALSE | TRUE) { Content::Leaf(leaf) } else { Content::Ways };
                let about = (number, content, memo.elements(region));
                mail.found.push(about, (reads, state), memo.found(leaf));
            }
        }
    }

    /// Tells other workers what was found out since the last time, and keeps what they have found out.
    #[inline]
    fn attend(&self, worker: &mut Worker<'m>) {
        if let (Some(exchange), Some(mail)) = (&self.packing.exchange, &mut worker.mail)
            && exchange.attend(mail)
        {
            worker.memo.hear(&mail.received, &mut mail.found);
        }
    }

    /// Makes what is there for each element for those that are new.
    fn grow<T>(
        &self,
        worker: &mut Worker<'m>,
        elements: &mut Elements<T>,
        state: &[u32],
        mut make: impl FnMut(&mut Planner<'_>, &Choices) -> T,
    ) {
        let tables = &self.packing.tables;
        let field = &tables.layout.fields[elements.field as usize];
        let Some((at, bits)) =
            (0..field.words).rev().map(|at| (at, field.elements(state, at))).find(|(_, bits)| *bits != 0)
        else {
            return;
        };
        if ((at * 32 + bits.ilog2()) as usize) < elements.made.len() {
            return;
        }
        let new: Vec<Value> = tables.elements(elements.field, |all| all[elements.made.len()..].to_vec());
        worker.context.state.clone_from(&self.example);
        let mut planner =
            Planner { packing: &self.packing, context: &mut worker.context, memo: &mut worker.memo };
        for element in new {
            let mut choices = elements.choices.clone();
            choices.pins.push((elements.slot, element));
            let number = elements.made.len();
            elements.made.push(Some(make(&mut planner, &choices)));
            if elements.live.len() <= number / 32 {
                elements.live.push(0);
            }
            elements.live[number / 32] |= 1 << (number % 32);
        }
        if self.view.is_partial() {
            elements.ranks = tables.elements(elements.field, |all| ranks(&all[..elements.made.len()]));
        }
    }

    /// Has the evaluator say what is wrong with a state, whose successors, or some predicate, could not be evaluated
    /// here.
    fn referred<T>(
        &self,
        worker: &mut Worker<'m>,
        fault: Box<Fault>,
        work: impl FnOnce(&Machine, &mut Context) -> Outcome<T>,
    ) -> Outcome<T> {
        if matches!(fault.kind, FaultKind::Stop(_)) {
            return Err(fault);
        }
        self.referred_to(worker, work)
    }

    fn referred_to<T>(
        &self,
        worker: &mut Worker<'m>,
        work: impl FnOnce(&Machine, &mut Context) -> Outcome<T>,
    ) -> Outcome<T> {
        let _ = check_nesting();
        let trace = worker.context.trace.take();
        let outer = std::mem::replace(&mut worker.context.state, unset(self.example.len()));
        for slot in &mut worker.context.slots {
            slot.put(Value::Unset);
        }
        let result = work(self.machine, &mut worker.context);
        worker.context.state = outer;
        worker.context.trace = trace;
        result
    }

    /// Whether all of these hold; what cannot be evaluated is left to the evaluator.
    fn all_hold(&self, worker: &mut Worker<'m>, tests: &mut [Test<'m>], state: &[u32]) -> Outcome<bool> {
        for test in tests {
            if !self.holds(worker, test, state)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Both states of a step, one after the other.
    fn pair(worker: &mut Worker<'m>, from: &[u32], to: &[u32]) -> Vec<u32> {
        let mut pair = std::mem::take(&mut worker.pair);
        pair.clear();
        pair.extend_from_slice(from);
        pair.extend_from_slice(to);
        pair
    }

    /// Hears what others have found out, and ends the search if far too much has to be evaluated.
    #[inline]
    fn consider_early(&self, worker: &mut Worker<'m>) -> Outcome<()> {
        self.attend(worker);
        worker.looked_at += 1;
        // What was found is shown, whether or not it would pay to go on.
        if worker.context.repeats || !worker.looked_at.is_multiple_of(EARLY_TRIAL) {
            return Ok(());
        }
        let (hits, misses) = worker.memo.balance();
        if misses > worker.looked_at * EARLY_MISSES && misses * LEAST_HITS > hits {
            return Err(self.packing.refuse(Refusal::NoGain));
        }
        Ok(())
    }

    /// Ends the search if too much has to be evaluated.
    fn consider(&self, worker: &mut Worker<'m>) -> Outcome<()> {
        worker.explored += 1;
        self.consider_early(worker)?;
        if worker.context.repeats || !worker.explored.is_multiple_of(ROUND) {
            return Ok(());
        }
        self.judge_round(worker)?;
        if !worker.explored.is_multiple_of(TRIAL) {
            return Ok(());
        }
        self.judge(worker)?;
        if worker.memo.bytes() > self.most_kept {
            worker.memo.clear();
        }
        Ok(())
    }

    /// Ends the search if round after round nearly all has to be evaluated. In the first round little can be known.
    fn judge_round(&self, worker: &mut Worker<'m>) -> Outcome<()> {
        let balance = worker.memo.balance();
        let before = std::mem::replace(&mut worker.balance, balance);
        let (hits, misses) = (balance.0.saturating_sub(before.0), balance.1.saturating_sub(before.1));
        if self.view.is_partial() && misses > ROUND * MOST_MISSES && misses * LEAST_HITS_OF_VIEW > hits {
            return Err(self.packing.refuse(Refusal::NoGain));
        }
        let is_poor = misses > ROUND * MOST_MISSES && misses > hits && worker.explored > ROUND;
        if is_poor && std::mem::replace(&mut worker.is_poor, is_poor) {
            return Err(self.packing.refuse(Refusal::NoGain));
        }
        worker.is_poor = is_poor;
        Ok(())
    }

    /// Ends the search if too much had to be evaluated so far.
    fn judge(&self, worker: &Worker<'m>) -> Outcome<()> {
        let (hits, misses) = worker.memo.balance();
        if misses > worker.explored * MOST_MISSES && misses * LEAST_HITS > hits {
            return Err(self.packing.refuse(Refusal::NoGain));
        }
        Ok(())
    }
}

/// The places that values have in their order.
fn ranks(values: &[Value]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..values.len() as u32).collect();
    numbers.sort_by(|a, b| values[*a as usize].compare(&values[*b as usize]));
    let mut ranks = vec![0; values.len()];
    for (rank, number) in (0..).zip(numbers) {
        ranks[number as usize] = rank;
    }
    ranks
}

/// The fingerprint of a packed state.
#[inline]
fn fingerprint(state: &[u32]) -> u64 {
    u64::from(state[0]) | u64::from(state[1]) << 32
}

impl<'m> Model for Packed<'m> {
    type State = Words;
    type Action = u32;
    type Error = Box<Fault>;
    type Worker = Worker<'m>;

    fn worker(&self) -> Worker<'m> {
        let machine = self.machine;
        let mut context = Model::worker(machine);
        context.heed();
        context.trace = Some(Box::new(trace::tracing(&self.packing)));
        context.state.clone_from(&self.example);
        let mut memo = Memo::of_one_among(self.packing.exchange.as_ref().map_or(1, Exchange::workers));
        let mut planner = Planner { packing: &self.packing, context: &mut context, memo: &mut memo };
        let none = Choices::default();
        let plan = planner.action(&machine.next, &none, 0);
        let mut tests = Tests::default();
        let mut asked = Asked::default();
        for invariant in &machine.invariants {
            let all = invariant.conjuncts.iter().map(|(node, _)| planner.test(node, &none));
            tests.invariants.push(all.filter_map(|test| test.but_for(&mut asked)).collect());
            tests
                .premises
                .push(invariant.premises.iter().map(|one| planner.test(&one.node, &none)).collect());
        }
        for constraint in &machine.constraints {
            tests.constraints.extend(constraint.conjuncts.iter().map(|(node, _)| planner.test(node, &none)));
        }
        tests.steps = machine.steps.iter().map(|step| planner.test(&step.node, &none)).collect();
        tests.step_constraints =
            machine.step_constraints.iter().map(|node| planner.test(node, &none)).collect();
        tests.state_atoms = Atoms::new(machine.state_atoms.iter().map(|node| planner.test(node, &none)));
        tests.step_atoms = Atoms::new(machine.step_atoms.iter().map(|node| planner.test(node, &none)));
        let terms = self.view.terms.iter().map(|node| planner.term(node)).collect();
        Worker {
            terms,
            own: OwnValues::new(&self.packing.tables.layout, context.copies.is_none()),
            context,
            memo,
            plan,
            tests,
            hashes: vec![Vec::new(); self.packing.tables.layout.fields.len()],
            next: vec![0; self.packing.tables.layout.words].into(),
            pair: Vec::new(),
            sums: Vec::new(),
            next_sums: Vec::new(),
            values: Default::default(),
            explored: 0,
            looked_at: 0,
            balance: (0, 0),
            is_poor: false,
            groups: 0,
            share: None,
            place: None,
            mail: self.packing.exchange.as_ref().and_then(Exchange::join),
        }
    }

    fn initial_states(&self, worker: &mut Worker<'m>, sink: &mut InitialSink<'_, Self>) -> Outcome<()> {
        self.find_initial(worker, sink)
    }

    fn successors(
        &self,
        worker: &mut Worker<'m>,
        state: &Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<()> {
        self.consider(worker)?;
        let mut plan = std::mem::replace(&mut worker.plan, Plan::All(Several::default()));
        let mut next = std::mem::take(&mut worker.next);
        next.copy_from_slice(state);
        if self.machine.symmetry.is_some() {
            let Worker { hashes, sums, .. } = worker;
            self.packing.tables.sums(state, hashes, sums);
        }
        let result = self.walk(worker, &mut plan, state, &mut next, sink);
        worker.plan = plan;
        worker.next = next;
        let Err(fault) = result else { return Ok(()) };
        let values = self.unpack(state);
        self.referred(worker, fault, |machine, context| {
            machine.successors(context, &values, &mut |_, _, _| ControlFlow::Continue(()))
        })?;
        Err(self.packing.refuse(Refusal::Contradiction))
    }

    fn fingerprint(&self, _: &mut Worker<'m>, state: &Words) -> Outcome<u64> {
        Ok(fingerprint(state))
    }

    fn reduction(&self) -> Reduction {
        self.machine.reduction()
    }

    fn check_state(&self, worker: &mut Worker<'m>, state: &Words, violated: &mut Vec<usize>) -> Outcome<()> {
        self.consider_early(worker)?;
        let mut tests = std::mem::take(&mut worker.tests.invariants);
        let mut premises = std::mem::take(&mut worker.tests.premises);
        let result: Outcome<bool> = (|| {
            for ((tests, premises), invariant) in
                tests.iter_mut().zip(&mut premises).zip(&self.machine.invariants)
            {
                if !self.all_hold(worker, tests, state)? {
                    return Ok(false);
                }
                for (test, premise) in premises.iter_mut().zip(&invariant.premises) {
                    if !premise.seen.load(Ordering::Relaxed) && self.holds(worker, test, state)? {
                        premise.seen.store(true, Ordering::Relaxed);
                    }
                }
            }
            Ok(true)
        })();
        worker.tests.invariants = tests;
        worker.tests.premises = premises;
        let values = match result {
            Ok(true) => return Ok(()),
            Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => return Err(fault),
            _ => self.unpack(state),
        };
        let before = violated.len();
        self.referred_to(worker, |machine, context| machine.check_state(context, &values, violated))?;
        if violated.len() == before {
            return Err(self.packing.refuse(Refusal::Contradiction));
        }
        Ok(())
    }
}

impl<'m> Properties for Packed<'m> {
    fn is_constrained(&self) -> bool {
        self.machine.is_constrained()
    }

    fn is_within(&self, worker: &mut Worker<'m>, state: &Words) -> Outcome<bool> {
        if worker.tests.constraints.is_empty() {
            return Ok(true);
        }
        let mut tests = std::mem::take(&mut worker.tests.constraints);
        let result = self.all_hold(worker, &mut tests, state);
        worker.tests.constraints = tests;
        result.or_else(|fault| {
            let values = self.unpack(state);
            self.referred(worker, fault, |machine, context| machine.is_within(context, &values))
        })
    }

    fn is_step_within(
        &self,
        worker: &mut Worker<'m>,
        from: &Words,
        action: &u32,
        to: &Words,
    ) -> Outcome<bool> {
        if worker.tests.step_constraints.is_empty() {
            return Ok(true);
        }
        let mut tests = std::mem::take(&mut worker.tests.step_constraints);
        let pair = Self::pair(worker, from, to);
        let result = self.all_hold(worker, &mut tests, &pair);
        worker.tests.step_constraints = tests;
        worker.pair = pair;
        result.or_else(|fault| {
            let (from, to) = (self.unpack(from), self.unpack(to));
            self.referred(worker, fault, |machine, context| {
                machine.is_step_within(context, &from, action, &to)
            })
        })
    }

    fn check_initial(
        &self,
        worker: &mut Worker<'m>,
        state: &Words,
        violated: &mut Vec<usize>,
    ) -> Outcome<()> {
        if self.machine.initial.is_empty() {
            return Ok(());
        }
        let values = self.unpack(state);
        self.referred_to(worker, |machine, context| machine.check_initial(context, &values, violated))
    }

    fn check_step(
        &self,
        worker: &mut Worker<'m>,
        from: &Words,
        action: &u32,
        to: &Words,
        violated: &mut Vec<usize>,
    ) -> Outcome<()> {
        if worker.tests.steps.is_empty() {
            return Ok(());
        }
        let mut tests = std::mem::take(&mut worker.tests.steps);
        let pair = Self::pair(worker, from, to);
        let result = self.all_hold(worker, &mut tests, &pair);
        worker.tests.steps = tests;
        worker.pair = pair;
        match result {
            Ok(true) => return Ok(()),
            Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => return Err(fault),
            _ => {}
        }
        let (from, to) = (self.unpack(from), self.unpack(to));
        let before = violated.len();
        self.referred_to(worker, |machine, context| {
            machine.check_step(context, &from, action, &to, violated)
        })?;
        if violated.len() == before {
            return Err(self.packing.refuse(Refusal::Contradiction));
        }
        Ok(())
    }

    fn state_atoms(&self, worker: &mut Worker<'m>, state: &Words, atoms: &mut AtomSet) -> Outcome<()> {
        let mut tests = std::mem::take(&mut worker.tests.state_atoms);
        let result = self.atoms(worker, &mut tests, state, atoms);
        worker.tests.state_atoms = tests;
        result.or_else(|fault| {
            let values = self.unpack(state);
            self.referred(worker, fault, |machine, context| machine.state_atoms(context, &values, atoms))
        })
    }

    fn step_atoms(
        &self,
        worker: &mut Worker<'m>,
        from: &Words,
        action: Option<&u32>,
        to: &Words,
        atoms: &mut AtomSet,
    ) -> Outcome<()> {
        let mut tests = std::mem::take(&mut worker.tests.step_atoms);
        let pair = Self::pair(worker, from, to);
        let result = self.atoms(worker, &mut tests, &pair, atoms);
        worker.tests.step_atoms = tests;
        worker.pair = pair;
        result.or_else(|fault| {
            let (from, to) = (self.unpack(from), self.unpack(to));
            self.referred(worker, fault, |machine, context| {
                machine.step_atoms(context, &from, action, &to, atoms)
            })
        })
    }
}

impl<'m> Saving for Packed<'m> {
    fn store(&self, state: &Words, bytes: &mut Vec<u8>) -> bool {
        bytes.extend(state.iter().flat_map(|word| word.to_le_bytes()));
        true
    }

    fn restore(&self, _: &mut Worker<'m>, bytes: &[u8]) -> Option<Words> {
        let words = bytes.chunks_exact(4).map(|word| word.try_into().map_or(0, u32::from_le_bytes));
        (bytes.len() == self.packing.tables.layout.words * 4).then(|| words.collect())
    }

    fn remember(&self) -> Vec<u8> {
        let mut bytes = saved::remember(self.machine, saved::Form::Packed);
        self.learned.store(&mut bytes);
        self.packing.tables.store(&mut bytes);
        bytes
    }

    fn heap_bytes(&self, state: &Words) -> usize {
        size_of_val::<[u32]>(state)
    }
}

impl<'m> Tuning for Packed<'m> {
    fn divide_initial(&self, worker: &mut Worker<'m>, number: usize, of: usize) {
        worker.share = Some((number, of));
    }

    fn place_of_initial(&self, worker: &Worker<'m>) -> Option<u64> {
        worker.place
    }

    fn at_depth(&self, worker: &mut Worker<'m>, depth: u32) {
        if depth == 0 {
            worker.context.heed();
        }
    }

    fn watch(&self, worker: &mut Worker<'m>, ended: &Arc<AtomicBool>) {
        self.machine.watch(&mut worker.context, ended);
    }

    fn repeating(&self, worker: &mut Worker<'m>, repeats: bool) {
        worker.context.repeat(repeats);
    }

    fn gave_up(&self, fault: &Box<Fault>) -> Option<Reason> {
        self.machine.gave_up(fault)
    }

    fn is_held_back(&self) -> bool {
        true
    }

    fn action_kinds(&self) -> usize {
        self.machine.action_kinds()
    }

    fn action_kind(&self, action: &u32) -> usize {
        self.machine.action_kind(action)
    }
}
