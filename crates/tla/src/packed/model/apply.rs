//! Writes to packed states, with their fingerprints kept up to date.

use locus_tla_eval::eval::Choices;
use locus_tla_eval::value::{FaultKind, Outcome};
use smallvec::SmallVec;

use super::super::layout::Field;
use super::super::memo::Way;
use super::super::tables::{Write, WriteKind};
use super::super::{Refusal, trace};
use super::predicate::sole_writes;
use super::{Packed, Worker};

/// The changes to write.
#[derive(Clone, Copy)]
pub(super) enum Writes<'a> {
    /// That of a successor that is known.
    Known(Way),
    Found(&'a [Write]),
}

impl<'m> Packed<'m> {
    /// The share of a value of a field in fingerprints.
    #[inline]
    pub(super) fn hash(&self, hashes: &mut [Vec<u64>], field: u32, number: u32) -> u64 {
        let known = &mut hashes[field as usize];
        if known.len() <= number as usize {
            self.packing.tables.hashes(field, known);
        }
        known[number as usize]
    }

    /// Writes to a state that is as that which is explored.
    pub(super) fn write(&self, worker: &mut Worker<'m>, writes: Writes<'_>, next: &mut [u32]) -> Outcome<()> {
        let Worker { memo, hashes, sums, next_sums, .. } = worker;
        let writes = match writes {
            Writes::Known(way) => memo.writes(way),
            Writes::Found(writes) => writes,
        };
        next_sums.clone_from(sums);
        self.apply_to(hashes, next_sums, writes, next);
        if self.view.terms.is_empty() {
            return Ok(());
        }
        let writes = self.term_writes(worker, next)?;
        let Worker { hashes, next_sums, .. } = worker;
        self.apply_to(hashes, next_sums, &writes, next);
        Ok(())
    }

    /// Writes to a state whose fingerprints under each permutation of a symmetry, if there is one, are `sums`.
    fn apply_to(&self, hashes: &mut [Vec<u64>], sums: &mut [u64], writes: &[Write], next: &mut [u32]) {
        if self.machine.symmetry.is_some() {
            self.apply_symmetric(hashes, sums, writes, next);
        } else {
            let before = super::fingerprint(next);
            self.apply(hashes, writes, next, before);
        }
    }

    /// The writes that make the terms of a view what they are in a state.
    pub(super) fn term_writes(
        &self,
        worker: &mut Worker<'m>,
        state: &[u32],
    ) -> Outcome<SmallVec<[Write; 2]>> {
        let mut writes = SmallVec::new();
        for (at, node) in self.view.terms.iter().enumerate() {
            let region = worker.terms[at];
            if let Some(leaf) = self.find(worker, region, state) {
                writes.extend(sole_writes(&worker.memo, leaf).iter().cloned());
                continue;
            }
            let value = self.evaluate(worker, &Choices::default(), state, |context| context.eval(node));
            // The evaluator says what is wrong, if something is.
            let value = match value {
                Ok(value) => value,
                Err(fault) if matches!(fault.kind, FaultKind::Stop(_)) => return Err(fault),
                Err(_) => return Err(self.packing.refuse(Refusal::Evaluation)),
            };
            let field = self.packing.tables.layout.terms[at];
            let write = trace::number(&worker.context, field, &value)?;
            if worker.keeps(region) {
                let leaf = worker.memo.leaf(&[(0, vec![write.clone()])]);
                Self::keep(worker, region, state, leaf);
            }
            writes.push(write);
        }
        Ok(writes)
    }

    /// Writes to a state, whose fingerprint is `before`.
    fn apply(&self, hashes: &mut [Vec<u64>], writes: &[Write], next: &mut [u32], before: u64) {
        let mut fingerprint = before;
        for write in writes {
            let word = &mut next[write.word as usize];
            let old = *word & write.mask;
            if old == write.value {
                continue;
            }
            *word = *word & !write.mask | write.value;
            match write.kind {
                WriteKind::Number => {
                    let shift = self.packing.tables.layout.fields[write.field as usize].shift;
                    let old = self.hash(hashes, write.field, old >> shift);
                    fingerprint = fingerprint.wrapping_add(write.hash).wrapping_sub(old);
                }
                WriteKind::Element if write.value != 0 => fingerprint = fingerprint.wrapping_add(write.hash),
                WriteKind::Element => fingerprint = fingerprint.wrapping_sub(write.hash),
                WriteKind::Word => {
                    let Field { word, shift, .. } = self.packing.tables.layout.fields[write.field as usize];
                    let first = (write.word - word) * 32;
                    let mut gone = old >> shift;
                    while gone != 0 {
                        let hash = self.hash(hashes, write.field, first + gone.trailing_zeros());
                        fingerprint = fingerprint.wrapping_sub(hash);
                        gone &= gone - 1;
                    }
                    fingerprint = fingerprint.wrapping_add(write.hash);
                }
            }
        }
        next[0] = fingerprint as u32;
        next[1] = (fingerprint >> 32) as u32;
    }

    /// Writes to a state whose fingerprints under each permutation are known; the least of the new ones is its own.
    fn apply_symmetric(&self, hashes: &mut [Vec<u64>], sums: &mut [u64], writes: &[Write], next: &mut [u32]) {
        let tables = &self.packing.tables;
        for write in writes {
            let word = &mut next[write.word as usize];
            let old = *word & write.mask;
            if old == write.value {
                continue;
            }
            *word = *word & !write.mask | write.value;
            let field = write.field;
            let Field { word, shift, .. } = tables.layout.fields[field as usize];
            if write.kind == WriteKind::Number {
                tables.add(field, old >> shift, hashes, sums, u64::wrapping_sub);
                tables.add(field, write.value >> shift, hashes, sums, u64::wrapping_add);
            } else {
                let first = (write.word - word) * 32;
                let (gone, new) = ((old & !write.value) >> shift, (write.value & !old) >> shift);
                tables.add_bits(field, first, gone, hashes, sums, u64::wrapping_sub);
                tables.add_bits(field, first, new, hashes, sums, u64::wrapping_add);
            }
        }
        let least = sums.iter().copied().min().unwrap_or(0);
        next[0] = least as u32;
        next[1] = (least >> 32) as u32;
    }
}
