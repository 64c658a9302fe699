//! The table of the set: open addressing, with entries nearly in the order of mixed fingerprints.
//!
//! What takes long in a large table is done in parts, on several threads. A part begins behind a free slot, so that
//! no entry in it has its place in the part before, and the other way round.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{MAX_NODES, Room};
use crate::sync::share;

/// A part with fewer slots than this is not worth a thread. Tests have more of them.
const LEAST_PART: usize = if cfg!(test) { 1 << 8 } else { 1 << 16 };

/// See the module.
pub(super) struct Table {
    pub(super) slots: Box<[AtomicU64]>,
    pub(super) slots_log2: u32,
    /// The table should grow when this many nodes exist.
    pub(super) limit: u32,
}

/// Slots of a page of memory.
const PAGE: usize = 4096 / size_of::<AtomicU64>();

impl Table {
    pub(super) fn new(slots_log2: u32, room: Option<Room>) -> Table {
        let table = Table::unmapped(slots_log2, room);
        map(&table.slots);
        table
    }

    /// A table whose memory is still to be [mapped](map).
    fn unmapped(slots_log2: u32, room: Option<Room>) -> Table {
        let slots = (0..1_u64 << slots_log2).map(|_| AtomicU64::new(0)).collect();
        Table { slots, slots_log2, limit: Table::limit(slots_log2, room) }
    }

    pub(super) fn limit(slots_log2: u32, room: Option<Room>) -> u32 {
        let limit = u32::try_from((1_u64 << slots_log2) / 10 * 7).unwrap_or(MAX_NODES).min(MAX_NODES);
        room.map_or(limit, |room| limit.min(room.states))
    }

    /// How full a table may get at the most: searches in it take long then.
    pub(super) fn last_limit(slots_log2: u32) -> u32 {
        u32::try_from((1_u64 << slots_log2) / 16 * 15).unwrap_or(MAX_NODES).min(MAX_NODES)
    }

    /// The slot where the search for a mixed fingerprint (or an entry) starts.
    pub(super) fn start(&self, mixed: u64) -> usize {
        (mixed >> (64 - self.slots_log2)) as usize
    }

    pub(super) fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    /// The parts of the table for so many workers; some may be empty.
    pub(super) fn parts(&self, workers: usize) -> Vec<Range<usize>> {
        let size = self.slots.len();
        let workers = workers.min(size / LEAST_PART).max(1);
        let is_free = |at: usize| self.slots[at].load(Ordering::Relaxed) == 0;
        let begin = |part: usize| (part * (size / workers)..size).find(|&at| at == 0 || is_free(at - 1));
        let mut bounds: Vec<usize> = (0..workers).map(|part| begin(part).unwrap_or(size)).collect();
        bounds.push(size);
        bounds.windows(2).map(|bounds| bounds[0]..bounds[1]).collect()
    }

    /// A larger table with the same entries, made by so many workers.
    pub(super) fn grown(&self, slots_log2: u32, room: Option<Room>, workers: usize) -> Table {
        let mut grown = Table::unmapped(slots_log2, room);
        let more = slots_log2 - self.slots_log2;
        let mut parts = Vec::new();
        let mut rest = &mut grown.slots[..];
        for part in self.parts(workers) {
            let (mine, others) = rest.split_at_mut(part.len() << more);
            rest = others;
            parts.push((part, mine));
        }
        let left = share(parts, workers, |(part, slots)| {
            map(slots);
            let first = part.start << more;
            let is_left = |entry: &u64| !place(slots, (entry >> (64 - slots_log2)) as usize, first, *entry);
            let entries = self.slots[part].iter().map(|slot| slot.load(Ordering::Relaxed));
            entries.filter(|entry| *entry != 0).filter(is_left).collect::<Vec<u64>>()
        });
        // Entries of the end that are at the front since there was no room, here or there.
        for entry in left.into_iter().flatten() {
            let start = grown.start(entry);
            let _ = place(&mut grown.slots, start, 0, entry) || place(&mut grown.slots, 0, 0, entry);
        }
        grown
    }
}

/// Writes to each page of slots that are all free, before anything is read there.
///
/// The system gives memory of zeros that is only read to all who ask for it, and gives them pages of their own when
/// they write. A process on several processors then has to interrupt all of them: for a table of a few megabytes that
/// takes longer than to fill it.
fn map(slots: &[AtomicU64]) {
    for slot in slots.iter().step_by(PAGE) {
        slot.store(0, Ordering::Relaxed);
    }
}

/// Puts an entry into a part of a table, of which the number of the first slot is given, at `start` or behind it.
/// False if there is no room, or it does not belong there.
fn place(slots: &mut [AtomicU64], start: usize, first: usize, entry: u64) -> bool {
    let from = start.checked_sub(first).and_then(|from| slots.get_mut(from..));
    let Some(free) = from.and_then(|slots| {
        slots.iter_mut().find_map(|slot| {
            let slot = slot.get_mut();
            (*slot == 0).then_some(slot)
        })
    }) else {
        return false;
    };
    *free = entry;
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds an entry, as a worker would.
    fn add(table: &mut Table, entry: u64) {
        let mut slot = table.start(entry);
        while *table.slots[slot].get_mut() != 0 {
            slot = table.after(slot);
        }
        *table.slots[slot].get_mut() = entry;
    }

    fn finds(table: &mut Table, entry: u64) -> bool {
        let mut slot = table.start(entry);
        loop {
            match *table.slots[slot].get_mut() {
                0 => return false,
                other if other == entry => return true,
                _ => slot = table.after(slot),
            }
        }
    }

    #[test]
    fn a_grown_table_has_the_same_entries_wherever_they_are_close() {
        let mut x = 1_u64;
        for (round, close) in (0..40).zip([0, u64::MAX, 1 << 63, u64::MAX / 3].into_iter().cycle()) {
            let mut table = Table::new(11, None);
            let mut entries = Vec::new();
            for number in 1..1200 {
                x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Some are anywhere, others are close to each other, and more so in later rounds.
                let mixed = if number % 3 == 0 { x } else { close ^ x >> (4 + round / 4) };
                let entry = mixed & !0xFFFF_FFFF | number;
                add(&mut table, entry);
                entries.push(entry);
            }
            for (workers, more) in [(1, 1), (2, 1), (3, 2), (8, 2)] {
                let mut grown = table.grown(11 + more, None, workers);
                assert!(entries.iter().all(|entry| finds(&mut grown, *entry)), "{round} {workers}");
                let used = grown.slots.iter().filter(|slot| slot.load(Ordering::Relaxed) != 0);
                assert_eq!(used.count(), entries.len());
            }
        }
    }
}
