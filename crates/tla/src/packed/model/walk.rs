//! The successors of a state, by a plan.

use std::ops::ControlFlow;

use locus_explore::StepSink;
use smallvec::SmallVec;

use crate::machine::Machine;
use locus_tla_eval::eval::Choices;
use locus_tla_eval::eval::ir::Act;
use locus_tla_eval::value::{Outcome, check_nesting};

use super::super::Refusal;
use super::super::memo::{Known, Leaf, TRUE};
use super::super::plan::{Elements, Plan, Several};
use super::super::tables::Write;
use super::super::trace;
use super::apply::Writes;
use super::{Packed, Words, Worker};

/// Of more ways than these in which an action can be taken in one state, each is looked at as it is found, which is
/// done by values.
const MOST_WAYS: usize = 1 << 16;

impl<'m> Packed<'m> {
    /// Goes through the successors of a state.
    pub(super) fn walk(
        &self,
        worker: &mut Worker<'m>,
        plan: &mut Plan<'m>,
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<ControlFlow<()>> {
        match plan {
            Plan::All(several) => self.walk_several(worker, several, state, next, sink),
            Plan::Gate(region, conditions, choices, inner) => {
                if !self.condition(worker, *region, conditions, choices, state)? {
                    return Ok(ControlFlow::Continue(()));
                }
                self.walk(worker, inner, state, next, sink)
            }
            Plan::One(region, choices) => {
                if let Some(leaf) = worker.memo.find(*region, state) {
                    return self.take(worker, leaf, state, next, sink);
                }
                self.miss(worker, *region);
                if worker.memo.may_be_in_pieces(*region)
                    && let Some(pieces) = self.in_pieces(worker, *region, choices)
                {
                    *plan = Plan::Pieces(Box::new(pieces));
                    return self.walk(worker, plan, state, next, sink);
                }
                let ways = self.find_ways(worker, *region, choices, state)?;
                self.take_found(worker, &ways, state, next, sink)
            }
            Plan::Pieces(pieces) => {
                if let Some(flow) = self.walk_pieces(worker, pieces, state, next, sink)? {
                    return Ok(flow);
                }
                *plan = Plan::One(pieces.region, pieces.choices.clone());
                self.walk(worker, plan, state, next, sink)
            }
            Plan::Elements(elements) => {
                let act = &self.machine.next;
                let asked = elements.asked;
                self.grow(worker, elements, state, |planner, choices| planner.action(act, choices, asked));
                let field = &self.packing.tables.layout.fields[elements.field as usize];
                if self.view.is_partial() {
                    return self.walk_in_order(worker, elements, state, next, sink);
                }
                for at in 0..field.words.min(elements.live.len() as u32) {
                    let mut bits = field.elements(state, at) & elements.live[at as usize];
                    while bits != 0 {
                        let bit = bits.trailing_zeros();
                        bits &= bits - 1;
                        let Some(Some(plan)) = elements.made.get_mut((at * 32 + bit) as usize) else {
                            continue;
                        };
                        if self.walk(worker, plan, state, next, sink)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                        if plan.is_dead(&worker.memo) {
                            elements.live[at as usize] &= !(1 << bit);
                        }
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Goes through the successors by the plans for the elements of a set, in the order of the elements.
    fn walk_in_order(
        &self,
        worker: &mut Worker<'m>,
        elements: &mut Elements<Plan<'m>>,
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<ControlFlow<()>> {
        let field = &self.packing.tables.layout.fields[elements.field as usize];
        let mut numbers: SmallVec<[u32; 16]> = SmallVec::new();
        for at in 0..field.words.min(elements.live.len() as u32) {
            let mut bits = field.elements(state, at) & elements.live[at as usize];
            while bits != 0 {
                numbers.push(at * 32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
        numbers.sort_unstable_by_key(|number| elements.ranks.get(*number as usize).copied());
        for number in numbers {
            let Some(Some(plan)) = elements.made.get_mut(number as usize) else { continue };
            if self.walk(worker, plan, state, next, sink)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if plan.is_dead(&worker.memo) {
                elements.live[number as usize / 32] &= !(1 << (number % 32));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes through the successors by several plans.
    fn walk_several(
        &self,
        worker: &mut Worker<'m>,
        Several { plans, switch }: &mut Several<'m>,
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<ControlFlow<()>> {
        let mut open = switch.open(plans.len(), state);
        worker.memo.count_known(plans.len() as u32 - open.count_ones());
        while open != 0 {
            let index = open.trailing_zeros() as usize;
            open &= open - 1;
            let plan = &mut plans[index];
            let flow = match plan {
                Plan::One(region, _) | Plan::Gate(region, ..) => {
                    match (worker.memo.find_first(*region, state), &mut *plan) {
                        (Known::Never(look), _) => {
                            switch.rule_out(index, look);
                            continue;
                        }
                        (Known::Leaf(leaf), Plan::One(..)) => self.take(worker, leaf, state, next, sink)?,
                        (Known::Leaf(TRUE), Plan::Gate(.., inner)) => {
                            self.walk(worker, inner, state, next, sink)?
                        }
                        (Known::Leaf(_), _) => continue,
                        (Known::Nothing, plan) => self.walk(worker, plan, state, next, sink)?,
                    }
                }
                plan => self.walk(worker, plan, state, next, sink)?,
            };
            if flow.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Hands on the successors of a leaf.
    fn take(
        &self,
        worker: &mut Worker<'m>,
        leaf: Leaf,
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<ControlFlow<()>> {
        for way in worker.memo.ways(leaf) {
            let way = worker.memo.way(way);
            self.write(worker, Writes::Known(way), next)?;
            let flow = sink(worker, &way.label, next);
            next.copy_from_slice(state);
            if flow.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Hands on successors that are not kept in a leaf.
    pub(super) fn take_found(
        &self,
        worker: &mut Worker<'m>,
        ways: &[(u32, Vec<Write>)],
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<ControlFlow<()>> {
        for (label, writes) in ways {
            self.write(worker, Writes::Found(writes), next)?;
            let flow = sink(worker, label, next);
            next.copy_from_slice(state);
            if flow.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Finds the successors by evaluation.
    fn find_ways(
        &self,
        worker: &mut Worker<'m>,
        region: u32,
        choices: &Choices,
        state: &[u32],
    ) -> Outcome<Vec<(u32, Vec<Write>)>> {
        let act: &Act = &self.machine.next;
        let mut ways = Vec::new();
        worker.context.label = locus_tla_eval::eval::NO_LABEL;
        self.evaluate(worker, choices, state, |context| {
            let found = context.enumerate(act, &mut |context| {
                Machine::complete(context, None, true)?;
                check_nesting()?;
                if ways.len() >= MOST_WAYS {
                    // All of them would be found before the first is looked at.
                    return Err(self.packing.refuse(Refusal::NoGain));
                }
                ways.push((context.label, trace::writes(context)?));
                Ok(ControlFlow::Continue(()))
            });
            found.map(|_| ())
        })?;
        let is_composed = worker.context.trace.as_ref().is_some_and(|trace| trace.is_composed);
        if !is_composed && worker.keeps(region) {
            let leaf = worker.memo.leaf(&ways);
            Self::keep(worker, region, state, leaf);
        }
        Ok(ways)
    }
}
