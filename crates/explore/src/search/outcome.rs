//! What a search found, in terms of the model: traces are made.

use std::sync::atomic::Ordering;

use super::spill::Spill;
use super::{Candidate, Hand, Search, Tally, get_mut};
use crate::fingerprint_set::{NO_NODE, Node};
use crate::model::Model;
use crate::report::{Report, Statistics, Trace, TraceEnd, Verdict, Violation};
use crate::trace::{self, Wanted};

impl<'a, M: Model> Search<'a, M> {
    pub(super) fn report(mut self, leader: Hand<'a, M>, others: Vec<Tally<'a, M>>) -> Report<M> {
        let found = std::mem::take(get_mut(&mut self.found));
        let Hand { mut worker, tally, .. } = leader;
        let mut violations: Vec<Violation<M>> =
            found.into_iter().map(|candidate| self.violation(&mut worker, candidate)).collect();
        violations.append(get_mut(&mut self.temporal));
        let generated = self.counts.generated.load(Ordering::Relaxed);
        let distinct = self.distinct();
        let verdict = match (violations.is_empty(), self.reason()) {
            (false, _) => Verdict::Violated,
            (true, Some(reason)) => Verdict::Incomplete(reason),
            (true, None) => Verdict::Holds,
        };
        for mut tally in std::iter::once(tally).chain(others) {
            self.hand_in(&mut tally);
        }
        let coverage = std::mem::take(get_mut(&mut self.coverage));
        let collision_actual = violations.is_empty().then(|| {
            if self.is_spilled() { self.closest_on_disk() } else { Some(self.set.closest_collision()) }
        });
        let bytes = self.bytes();
        let statistics = Statistics {
            generated,
            distinct,
            outside: self.counts.outside.load(Ordering::Relaxed),
            initial: self.course.initial,
            depth: self.course.depth,
            queue: self.queue(),
            elapsed: self.start.elapsed(),
            spills: self.epoch(),
            saved: self.spill.as_ref().is_some_and(Spill::is_saved),
            bytes: self.counts.peak_bytes.load(Ordering::Relaxed).max(bytes),
            collision_estimate: distinct as f64 * (generated - distinct) as f64 / 2_f64.powi(64),
            collision_actual: collision_actual.flatten(),
            product: self.product,
        };
        let trouble = self.spill.as_ref().and_then(Spill::trouble);
        Report { verdict, violations, statistics, coverage, trouble }
    }

    fn violation(&self, worker: &mut M::Worker, candidate: Candidate<M>) -> Violation<M> {
        let nodes = match candidate.node {
            NO_NODE => Vec::new(),
            _ if self.is_spilled() => self.path_on_disk(candidate.fingerprint),
            node => self.path(node),
        };
        let wanted = |fingerprint| Wanted { fingerprint, step: None };
        let path: Vec<Wanted> = nodes.into_iter().map(wanted).collect();
        let mut steps = trace::rebuild(self.model, worker, &path);
        let missing = path.len() - steps.len();
        steps.extend(candidate.last);
        Violation { kind: candidate.kind, trace: Trace { steps, end: TraceEnd::Finite, missing } }
    }

    /// The fingerprints from an initial state to `node`.
    fn path(&self, node: Node) -> Vec<u64> {
        let nodes = std::iter::successors(Some(node), |&node| self.set.parent(node));
        let mut path: Vec<u64> = nodes.map(|node| self.set.fingerprint(node)).collect();
        path.reverse();
        path
    }
}
