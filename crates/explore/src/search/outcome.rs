//! The outcome of a search: collected while it runs, and in the end put in terms of the model, for which traces are
//! made.

use std::sync::atomic::Ordering;

use super::spill::Spill;
use super::{Candidate, Hand, Order, Search, Tally, get_mut};
use crate::fingerprint_set::{NO_NODE, Node};
use crate::limits::Reason;
use crate::model::Explorable;
use crate::report::{Report, Statistics, Trace, TraceEnd, TraceStep, Verdict, Violation, ViolationKind};
use crate::trace::{self, Rebuilt, Wanted};

impl<'a, M: Explorable> Search<'a, M> {
    /// Notes an error of the model at the end of a path, as a violation.
    pub(super) fn fail(
        &self,
        tally: &mut Tally<'a, M>,
        error: M::Error,
        node: Node,
        last: Option<(Option<&M::Action>, &M::State)>,
        length: u32,
    ) {
        tally.violated.clear();
        let fingerprint = if node == NO_NODE { 0 } else { self.set.fingerprint(node) };
        self.violate(tally, ViolationKind::Error(error), node, last, (length, 4, 0, fingerprint, 0));
    }

    /// Notes a violation: the path to `node`, then `last`.
    pub(super) fn violate(
        &self,
        tally: &mut Tally<'a, M>,
        kind: ViolationKind<M::Error>,
        node: Node,
        last: Option<(Option<&M::Action>, &M::State)>,
        order: Order,
    ) {
        if let ViolationKind::Error(error) = &kind
            && let Some(reason) = self.model.gave_up(error)
        {
            self.halt(Some(reason));
            return;
        }
        let last = last.map(|(action, state)| TraceStep { action: action.cloned(), state: state.clone() });
        let fingerprint = if node == NO_NODE { 0 } else { self.set.fingerprint(node) };
        let about = tally.about.take();
        tally.found.push(Candidate { kind, node, fingerprint, about, last, again: None, order });
        let limit = self.options.violations.max(1);
        if tally.found.len() >= 2 * limit {
            tally.found.sort_by_key(|candidate| candidate.order);
            tally.found.truncate(limit);
        }
        if self.options.at_once && tally.found.len() >= limit {
            self.halt(None);
        }
    }

    pub(super) fn report(mut self, leader: Hand<'a, M>, others: Vec<Tally<'a, M>>) -> Report<M> {
        let found = std::mem::take(get_mut(&mut self.found));
        let Hand { mut worker, tally, .. } = leader;
        let mut violations: Vec<Violation<M>> =
            found.into_iter().map(|candidate| self.violation(&mut worker, candidate)).collect();
        violations.append(get_mut(&mut self.temporal));
        let generated = self.counts.generated.load(Ordering::Relaxed);
        let distinct = self.distinct();
        let ended = self.reason().filter(|_| violations.len() < self.options.violations.max(1));
        let verdict = match (violations.is_empty(), ended) {
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
        Report { verdict, violations, statistics, coverage, ended, trouble }
    }

    fn violation(&self, worker: &mut M::Worker, candidate: Candidate<M>) -> Violation<M> {
        let nodes = match candidate.node {
            NO_NODE => Vec::new(),
            _ if self.is_spilled() => self.path_on_disk(candidate.fingerprint),
            node => self.path(node),
        };
        let wanted = |fingerprint| Wanted { fingerprint, step: None };
        let before = nodes.len();
        // The last state is looked for too, even if it is known: states of one origin may share memory.
        let path: Vec<Wanted> = nodes.into_iter().chain(candidate.again).map(wanted).collect();
        let Rebuilt { mut steps, mut cut } = trace::rebuild(self.model, worker, &path);
        let missing = before.saturating_sub(steps.len());
        if steps.len() < path.len() || candidate.again.is_none() {
            steps.extend(candidate.last);
        }
        // Where a part of the path cannot be read back, what is left of it begins nowhere.
        let is_unreadable = self.spill.as_ref().is_some_and(Spill::has_trouble);
        cut = cut.or(is_unreadable.then_some(Reason::Disk)).filter(|_| missing > 0);
        Violation { kind: candidate.kind, trace: Trace { steps, end: TraceEnd::Finite, missing, cut } }
    }

    /// The fingerprints from an initial state to `node`.
    fn path(&self, node: Node) -> Vec<u64> {
        let nodes = std::iter::successors(Some(node), |&node| self.set.parent(node));
        let mut path: Vec<u64> = nodes.map(|node| self.set.fingerprint(node)).collect();
        path.reverse();
        path
    }
}
