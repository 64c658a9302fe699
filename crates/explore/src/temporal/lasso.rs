//! From fair components to a short lasso: a way from an initial state, then a cycle.
//!
//! The way is a shortest one to any fair component. The cycle goes from where the way ends to the nearest arc
//! that shows something still to be shown, and so on, then back. A behaviour that stays for ever in one state is
//! preferred if it is not longer.

use std::collections::VecDeque;

use super::Temporal;
use super::product::{Arc, Pair, Product};
use super::scc::{Component, Interrupt, VISITS_BETWEEN_CHECKS, contains};
use super::source::{Reader, Source};
use crate::limits::Reason;
use crate::model::{AtomSet, Explorable};
use crate::report::{Trace, TraceEnd};
use crate::trace::{self, Rebuilt, Wanted};

/// A behaviour: the steps of `way`, then those of `cycle` for ever. Each step begins where the one before ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lasso {
    pub(crate) start: u32,
    pub(crate) way: Vec<Hop>,
    pub(crate) cycle: Vec<Hop>,
}

/// A step to a state of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) to: u32,
    /// The letter of the step.
    pub(crate) letter: u32,
}

/// The requirements on a cycle.
#[derive(Clone)]
struct Needed {
    marks: u64,
    recurrent: Vec<usize>,
}

/// A short lasso to and through one of the components, of which there must be at least one.
pub(crate) fn find<R: Reader>(
    product: &Product<'_>,
    reader: &mut R,
    components: &[Component],
    interrupt: Interrupt<'_>,
) -> Result<Lasso, Reason> {
    // One more than the place of the first component that a pair is in.
    let mut owner: Vec<u32> = vec![0; product.size()];
    for (number, component) in (1..).zip(components) {
        for &pair in &component.pairs {
            let owner = &mut owner[pair as usize];
            *owner = if *owner == 0 { number } else { *owner };
        }
    }
    let mut walk = Walk { product, reader, interrupt, visits: 0 };
    let mut tree = Tree::new(product);
    let mut found: Option<(Pair, Vec<Hop>, usize)> = None;
    while let Some((pair, distance)) = tree.next(&mut walk)? {
        if let Some((_, _, limit)) = &found
            && distance as usize > *limit
        {
            break;
        }
        let Some(index) = (owner[pair as usize] as usize).checked_sub(1) else { continue };
        let component = &components[index];
        let needed = Needed::new(product, component);
        let stutter = walk.reader.steps(product.state(pair))?.stutter;
        let mut stuttering = product.stuttering(pair, stutter);
        if let Some(arc) = stuttering.find(|arc| needed.all_shown_by(product, component, arc)) {
            let cycle = vec![Hop { to: product.state(pair), letter: arc.letter }];
            return tree.lasso(&mut walk, pair, cycle);
        }
        if found.is_none() {
            let cycle = cycle(&mut walk, component, needed, pair)?;
            // A stuttering lasso to a pair at most this far is not longer.
            let limit = distance as usize + cycle.len() - 1;
            found = Some((pair, cycle, limit));
        }
    }
    let (pair, cycle, _) = found.ok_or(DAMAGED)?;
    tree.lasso(&mut walk, pair, cycle)
}

/// A graph in which there is no way where there must be one was not read back as it was written.
const DAMAGED: Reason = Reason::Disk;

/// The state of a walk through the product.
struct Walk<'a, R> {
    product: &'a Product<'a>,
    reader: &'a mut R,
    interrupt: Interrupt<'a>,
    visits: usize,
}

impl<R: Reader> Walk<'_, R> {
    /// Calls `look` with the arcs out of a pair, and whether each is a stuttering step, until it gives something.
    fn visit<T>(
        &mut self,
        pair: Pair,
        mut look: impl FnMut(Arc, bool) -> Option<T>,
    ) -> Result<Option<T>, Reason> {
        self.visits += 1;
        if self.visits.is_multiple_of(VISITS_BETWEEN_CHECKS)
            && let Some(reason) = (self.interrupt)()
        {
            return Err(reason);
        }
        let product = self.product;
        let out = self.reader.steps(product.state(pair))?;
        Ok(product.arcs(pair, out).find_map(|arc| look(arc, product.is_stuttering(pair, out, &arc))))
    }
}

impl Lasso {
    /// The lasso without stuttering steps, unless it does nothing else in the end: formulas cannot tell.
    pub(crate) fn without_stuttering<S: Source>(&self, graph: &S) -> Result<Lasso, Reason> {
        let mut reader = graph.reader(0);
        let mut at = self.start;
        let mut walk = |hops: &[Hop]| {
            let mut kept = Vec::new();
            for &hop in hops {
                if hop.to != at || hop.letter != reader.steps(at)?.stutter.letter {
                    kept.push(hop);
                }
                at = hop.to;
            }
            Ok(kept)
        };
        Ok(Lasso { start: self.start, way: walk(&self.way)?, cycle: walk(&self.cycle)? })
    }

    /// The trace of the lasso.
    pub(crate) fn trace<M: Explorable, S: Source>(
        &self,
        model: &M,
        worker: &mut M::Worker,
        graph: &S,
        temporal: &Temporal,
    ) -> Result<Trace<M>, Reason> {
        let lasso = self.without_stuttering(graph)?;
        let obligations = temporal.obligations();
        let state_words = obligations.state_atoms.div_ceil(64);
        let mut path = vec![Wanted { fingerprint: graph.fingerprint(lasso.start)?, step: None }];
        for hop in lasso.way.iter().chain(&lasso.cycle) {
            let step = AtomSet::from_words(&graph.letters()[hop.letter as usize][state_words..]);
            path.push(Wanted { fingerprint: graph.fingerprint(hop.to)?, step: Some(step) });
        }
        // The last step of the cycle leads back to where it began.
        let back = if lasso.cycle.is_empty() { None } else { path.pop() };
        let Rebuilt { steps, mut cut } = trace::rebuild(model, worker, &path);
        let missing = path.len() - steps.len();
        let end = match (&back, steps.last()) {
            (Some(back), Some(last)) if missing == 0 => {
                model.repeating(worker, true);
                let step = trace::step_to(model, worker, (&last.state, steps.len() as u32), back);
                model.repeating(worker, false);
                let action = step.map_or_else(
                    |reason| {
                        cut = reason;
                        None
                    },
                    |step| step.action,
                );
                TraceEnd::BackTo { index: lasso.way.len(), action }
            }
            (Some(_), _) => TraceEnd::BackTo { index: lasso.way.len(), action: None },
            (None, _) => TraceEnd::Stuttering,
        };
        Ok(Trace { steps, end, missing, cut })
    }
}

impl Needed {
    fn new(product: &Product<'_>, component: &Component) -> Needed {
        let conditions = &product.check.conditions;
        let open = conditions.iter().filter(|condition| {
            !condition.persistent.iter().any(|&index| contains(&component.filter, index))
        });
        Needed {
            marks: product.check.automaton.all_marks,
            recurrent: open.filter_map(|condition| condition.recurrent).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.marks == 0 && self.recurrent.is_empty()
    }

    fn is_shown_by(&self, product: &Product<'_>, arc: &Arc) -> bool {
        let truth = product.truth(arc);
        self.marks & arc.marks != 0 || self.recurrent.iter().any(|&index| contains(truth, index))
    }

    fn all_shown_by(&self, product: &Product<'_>, component: &Component, arc: &Arc) -> bool {
        let truth = product.truth(arc);
        self.marks & !arc.marks == 0
            && self.recurrent.iter().all(|&index| contains(truth, index))
            && product.satisfies(arc, &component.filter)
    }

    fn show(&mut self, product: &Product<'_>, arc: &Arc) {
        self.marks &= !arc.marks;
        let truth = product.truth(arc);
        self.recurrent.retain(|&index| !contains(truth, index));
    }
}

/// A cycle through `entry` within the component that shows all that is needed.
fn cycle<R: Reader>(
    walk: &mut Walk<'_, R>,
    component: &Component,
    mut needed: Needed,
    entry: Pair,
) -> Result<Vec<Hop>, Reason> {
    let product = walk.product;
    let mut members = vec![false; product.size()];
    component.pairs.iter().for_each(|&pair| members[pair as usize] = true);
    let inside = |arc: &Arc| members[arc.to as usize] && product.satisfies(arc, &component.filter);
    let mut cycle: Vec<Hop> = Vec::new();
    let mut at = entry;
    loop {
        let done = needed.is_empty();
        if done && at == entry && !cycle.is_empty() {
            return Ok(cycle);
        }
        let wanted = |arc: &Arc| if done { arc.to == entry } else { needed.is_shown_by(product, arc) };
        let way = nearest(walk, at, &inside, &wanted)?;
        for arc in way {
            needed.show(product, &arc);
            cycle.push(Hop { to: product.state(arc.to), letter: arc.letter });
            at = arc.to;
        }
    }
}

/// A shortest way from `from` along arcs that are `inside` whose last arc is `wanted`. There is one, since the
/// arcs inside connect everything with everything.
fn nearest<R: Reader>(
    walk: &mut Walk<'_, R>,
    from: Pair,
    inside: &dyn Fn(&Arc) -> bool,
    wanted: &dyn Fn(&Arc) -> bool,
) -> Result<Vec<Arc>, Reason> {
    // One more than the pair that a pair was reached from: arcs are found again in the end.
    let mut reached_from: Vec<Pair> = vec![0; walk.product.size()];
    let mut queue = VecDeque::from([from]);
    while let Some(pair) = queue.pop_front() {
        let last = walk.visit(pair, |arc, _| {
            if !inside(&arc) {
                return None;
            }
            if wanted(&arc) {
                return Some(arc);
            }
            let reached_from = &mut reached_from[arc.to as usize];
            if arc.to != from && *reached_from == 0 {
                *reached_from = pair + 1;
                queue.push_back(arc.to);
            }
            None
        })?;
        let Some(last) = last else { continue };
        let mut way = vec![last];
        let mut at = pair;
        while at != from {
            let before = reached_from[at as usize] - 1;
            let arc = walk.visit(before, |arc, _| (arc.to == at && inside(&arc)).then_some(arc))?;
            way.push(arc.ok_or(DAMAGED)?);
            at = before;
        }
        way.reverse();
        return Ok(way);
    }
    Err(DAMAGED)
}

/// The tree of shortest ways from the initial pairs, as far as it was asked for. Stuttering steps will not be
/// shown, so they have no length: a pair may be found again with a lesser distance while it waits in the queue.
///
/// There may be many pairs, so that of each little is kept, and letters are found again in the end.
struct Tree {
    /// One more than the pair that each pair was reached from, which for an initial one is itself.
    from: Vec<Pair>,
    distance: Vec<u32>,
    queue: VecDeque<(Pair, u32)>,
}

impl Tree {
    fn new(product: &Product<'_>) -> Tree {
        let mut from = vec![0; product.size()];
        product.initial().for_each(|pair| from[pair as usize] = pair + 1);
        let queue = product.initial().map(|pair| (pair, 0)).collect();
        Tree { from, distance: vec![0; product.size()], queue }
    }

    /// The next pair, nearest first, with its distance.
    fn next<R: Reader>(&mut self, walk: &mut Walk<'_, R>) -> Result<Option<(Pair, u32)>, Reason> {
        let (pair, distance) = loop {
            let Some((pair, distance)) = self.queue.pop_front() else { return Ok(None) };
            if self.distance[pair as usize] == distance {
                break (pair, distance);
            }
        };
        walk.visit(pair, |arc, stutters| {
            let length = distance + u32::from(!stutters);
            let (from, known) = (&mut self.from[arc.to as usize], &mut self.distance[arc.to as usize]);
            if *from == 0 || *known > length {
                (*from, *known) = (pair + 1, length);
                if stutters {
                    self.queue.push_front((arc.to, length));
                } else {
                    self.queue.push_back((arc.to, length));
                }
            }
            None::<()>
        })?;
        Ok(Some((pair, distance)))
    }

    fn lasso<R: Reader>(&self, walk: &mut Walk<'_, R>, pair: Pair, cycle: Vec<Hop>) -> Result<Lasso, Reason> {
        let mut way = Vec::new();
        let mut at = pair;
        loop {
            let before = self.from[at as usize] - 1;
            if before == at {
                break;
            }
            let length = self.distance[at as usize] - self.distance[before as usize];
            let letter = walk.visit(before, |arc, stutters| {
                (arc.to == at && u32::from(!stutters) == length).then_some(arc.letter)
            })?;
            way.push(Hop { to: walk.product.state(at), letter: letter.ok_or(DAMAGED)? });
            at = before;
        }
        way.reverse();
        Ok(Lasso { start: walk.product.state(at), way, cycle })
    }
}
