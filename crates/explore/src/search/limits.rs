//! Counts, limits and progress of a search.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::spill::Spill;
use super::{STEPS_BETWEEN_CHECKS, Search, Tally};
use crate::estimate;
use crate::limits::{Progress, Reason};
use crate::model::Explorable;
use crate::sync::lock;

impl<'a, M: Explorable> Search<'a, M> {
    /// Makes a worker's counts known to the others.
    pub(super) fn publish(&self, tally: &mut Tally<'a, M>) {
        self.counts.generated.fetch_add(std::mem::take(&mut tally.generated), Ordering::Relaxed);
        let distinct = std::mem::take(&mut tally.distinct);
        self.counts.distinct.fetch_add(distinct, Ordering::Relaxed);
        // What was explored was counted before, all of it, when the level was handed in.
        let more = distinct.wrapping_sub(std::mem::take(&mut tally.explored));
        self.counts.queue.fetch_add(more, Ordering::Relaxed);
        let explored = std::mem::take(&mut tally.explored_bytes);
        let more = std::mem::take(&mut tally.next_bytes).wrapping_sub(explored);
        self.counts.frontier_bytes.fetch_add(more, Ordering::Relaxed);
        if let Some(recorder) = &mut tally.recorder {
            self.counts.graph_bytes.fetch_add(recorder.more_bytes(), Ordering::Relaxed);
        }
    }

    /// Distinct states, as far as is known.
    pub(super) fn distinct(&self) -> u64 {
        self.counts
            .distinct
            .load(Ordering::Relaxed)
            .saturating_sub(self.counts.repeated.load(Ordering::Relaxed))
    }

    /// Those that are not explored yet.
    pub(super) fn queue(&self) -> u64 {
        self.counts.queue.load(Ordering::Relaxed).saturating_sub(self.counts.repeated.load(Ordering::Relaxed))
    }

    pub(super) fn check_states(&self) {
        if self.options.limits.states.is_some_and(|limit| self.distinct() >= limit) {
            self.end(Reason::States);
        }
    }

    /// Ends the search; one that is saved, where it can be saved.
    fn end(&self, reason: Reason) {
        if !self.spill.as_ref().is_some_and(|spill| spill.pause(reason)) {
            self.halt(Some(reason));
        }
    }

    pub(super) fn check_limits(&self, tally: &mut Tally<'a, M>) {
        tally.until_check = STEPS_BETWEEN_CHECKS;
        tally.unchecked = 0;
        self.publish(tally);
        self.check_bytes();
        if let Some(reason) = self.interruption() {
            self.end(reason);
        }
        // Once states are on disk, what seems new may not be, and only from time to time it is known.
        if !self.is_spilled() {
            self.check_states();
        }
        self.tell(tally.level.depth);
    }

    pub(super) fn check_bytes(&self) {
        let bytes = self.bytes();
        self.counts.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
        let Some(limit) = self.options.limits.bytes else { return };
        let used = self.options.limits.used.map_or(0, |used| used());
        if let Some(spill) = &self.spill
            && used > limit / 8 * 5
            && self.are_logs_large(limit)
        {
            // So much and the graph would be too much. What is given back may stay with the process, and is used again.
            spill.want();
        }
        // With a disk, logs go there as soon as the graph would not fit beside them.
        if bytes.saturating_add(self.graph_bytes_to_come(limit)) <= limit && used <= self.process_bytes(limit)
        {
            return;
        }
        match &self.spill {
            Some(spill) if self.are_logs_large(limit) || self.can_make_room(limit) => spill.want(),
            _ if bytes > limit || used > limit && self.options.limits.in_use() > limit => {
                self.halt(Some(Reason::Memory));
            }
            _ => {}
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let moving = [&self.counts.frontier_bytes, &self.counts.graph_bytes];
        let moving = moving.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum::<usize>();
        self.set.bytes() + moving + self.spill.as_ref().map_or(0, Spill::bytes)
    }

    pub(super) fn tell(&self, depth: u32) {
        let Some(progress) = self.options.progress else { return };
        // Whoever finds the lock taken leaves it to the other.
        let Ok(mut last) = self.last_progress.try_lock() else { return };
        if last.elapsed() >= self.options.progress_every {
            *last = Instant::now();
            let sizes = lock(&self.sizes);
            let found = self.distinct().saturating_sub(sizes.iter().sum());
            progress(&Progress {
                generated: self.counts.generated.load(Ordering::Relaxed),
                distinct: self.distinct(),
                queue: self.queue(),
                left: estimate::left(&sizes).map(|left| left.saturating_sub(found)),
                depth,
                elapsed: self.start.elapsed(),
            });
        }
    }

    /// Whether to stop from outside.
    pub(super) fn interruption(&self) -> Option<Reason> {
        let limits = &self.options.limits;
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Reason::Stopped);
        }
        limits.time.is_some_and(|limit| self.start.elapsed() >= limit).then_some(Reason::Time)
    }
}
