//! Writes to packed states, with their fingerprints kept up to date.

use super::super::layout::Field;
use super::super::memo::Way;
use super::super::tables::{Write, WriteKind};
use super::{Packed, Worker};

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

    /// Writes to a state, and gives its new fingerprint.
    pub(super) fn apply(
        &self,
        hashes: &mut [Vec<u64>],
        writes: &[Write],
        next: &mut [u32],
        before: u64,
    ) -> u64 {
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
        fingerprint
    }

    /// Writes to a state whose fingerprints under each permutation are known, and gives the least of its own.
    pub(super) fn apply_symmetric(&self, worker: &mut Worker<'m>, way: Way, next: &mut [u32]) -> u64 {
        let tables = &self.packing.tables;
        let mut sums = std::mem::take(&mut worker.next_sums);
        sums.clone_from(&worker.sums);
        for write in worker.memo.writes(way) {
            let word = &mut next[write.word as usize];
            let old = *word & write.mask;
            if old == write.value {
                continue;
            }
            *word = *word & !write.mask | write.value;
            let (field, hashes) = (write.field, &mut worker.hashes);
            let Field { word, shift, .. } = tables.layout.fields[field as usize];
            if write.kind == WriteKind::Number {
                tables.add(field, old >> shift, hashes, &mut sums, u64::wrapping_sub);
                tables.add(field, write.value >> shift, hashes, &mut sums, u64::wrapping_add);
            } else {
                let first = (write.word - word) * 32;
                let (gone, new) = ((old & !write.value) >> shift, (write.value & !old) >> shift);
                tables.add_bits(field, first, gone, hashes, &mut sums, u64::wrapping_sub);
                tables.add_bits(field, first, new, hashes, &mut sums, u64::wrapping_add);
            }
        }
        let least = sums.iter().copied().min().unwrap_or(0);
        worker.next_sums = sums;
        next[0] = least as u32;
        next[1] = (least >> 32) as u32;
        least
    }
}
