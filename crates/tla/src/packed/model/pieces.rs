//! Actions in pieces: conditions and the values of variables, each looked up by what it alone reads.

use std::ops::ControlFlow;

use locus_explore::StepSink;

use locus_tla_eval::eval::Choices;
use locus_tla_eval::value::{FaultKind, Outcome};

use super::super::plan::{Piece, Pieces, Planner};
use super::super::tables::Write;
use super::super::trace;
use super::predicate::sole_writes;
use super::{Packed, Words, Worker};

/// After so many states it is looked at whether pieces are better: there is less than one evaluation for each.
const TRIAL: u32 = 1 << 12;

impl<'m> Packed<'m> {
    /// The pieces of an action.
    pub(super) fn in_pieces(
        &self,
        worker: &mut Worker<'m>,
        region: u32,
        choices: &Choices,
    ) -> Option<Pieces<'m>> {
        worker.context.state.clone_from(&self.example);
        let mut planner =
            Planner { packing: &self.packing, context: &mut worker.context, memo: &mut worker.memo };
        planner.pieces(&self.machine.next, region, choices)
    }

    /// Goes through the successors of a state. None if that cannot be done in pieces, or is not worth it.
    pub(super) fn walk_pieces(
        &self,
        worker: &mut Worker<'m>,
        pieces: &mut Pieces<'m>,
        state: &[u32],
        next: &mut Words,
        sink: &mut StepSink<'_, Self>,
    ) -> Outcome<Option<ControlFlow<()>>> {
        pieces.walked = pieces.walked.wrapping_add(1);
        if pieces.walked.is_multiple_of(TRIAL) {
            let misses = worker.memo.misses(pieces.all.iter().map(|(region, _)| *region));
            if misses.saturating_sub(pieces.missed) > u64::from(TRIAL) {
                return Ok(None);
            }
            pieces.missed = misses;
        }
        let mut ways = [(pieces.label, Vec::new())];
        for (region, piece) in &pieces.all {
            match self.piece(worker, *region, *piece, &pieces.choices, state, &mut ways[0].1) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(ControlFlow::Continue(()))),
                Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => return Err(fault),
                // It asks for the next state, or what is wrong is wrong in all of it.
                Err(_) => return Ok(None),
            }
        }
        self.take_found(worker, &ways, state, next, sink).map(Some)
    }

    /// Whether the action is possible as far as a piece of it goes. Adds what it writes.
    fn piece(
        &self,
        worker: &mut Worker<'m>,
        region: u32,
        piece: Piece<'m>,
        choices: &Choices,
        state: &[u32],
        writes: &mut Vec<Write>,
    ) -> Outcome<bool> {
        let (var, part, node) = match piece {
            Piece::Condition(node) => return self.condition(worker, region, &[node], choices, state),
            Piece::Value(var, part, node) => (var, part, node),
        };
        if let Some(leaf) = self.find(worker, region, state) {
            writes.extend_from_slice(sole_writes(&worker.memo, leaf));
            return Ok(true);
        }
        let found =
            self.evaluate(worker, choices, state, |context| trace::written(context, var, part, node))?;
        writes.extend_from_slice(&found);
        if worker.keeps(region) {
            let leaf = worker.memo.leaf(&[(0, found)]);
            Self::keep(worker, region, state, leaf);
        }
        Ok(true)
    }
}
