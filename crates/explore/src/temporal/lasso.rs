//! From fair components to a short lasso: a way from an initial state, then a cycle.
//!
//! The way is a shortest one to any fair component. The cycle goes from where the way ends to the nearest arc
//! that shows something still to be shown, and so on, then back. A behaviour that stays for ever in one state is
//! preferred if it is not longer.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Temporal;
use super::product::{Arc, Pair, Product};
use super::scc::{Component, contains};
use crate::graph::Graph;
use crate::model::{AtomSet, Model};
use crate::report::{Trace, TraceEnd};
use crate::trace::{self, Wanted};

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

/// What a cycle must show.
#[derive(Clone)]
struct Needed {
    marks: u64,
    recurrent: Vec<usize>,
}

/// A short lasso to and through one of the components, of which there must be at least one.
pub(crate) fn find(product: &Product<'_>, components: &[Component]) -> Lasso {
    let mut owner: FxHashMap<Pair, usize> = FxHashMap::default();
    for (index, component) in components.iter().enumerate() {
        for &pair in &component.pairs {
            owner.entry(pair).or_insert(index);
        }
    }
    let mut tree = Tree::new(product);
    let mut found: Option<(Pair, Vec<Hop>, usize)> = None;
    while let Some((pair, distance)) = tree.next(product) {
        if let Some((_, _, limit)) = &found
            && distance > *limit
        {
            break;
        }
        let Some(&index) = owner.get(&pair) else { continue };
        let component = &components[index];
        let needed = Needed::new(product, component);
        if let Some(arc) = product.stuttering(pair).find(|arc| needed.all_shown_by(product, component, arc)) {
            let cycle = vec![Hop { to: product.state(pair), letter: arc.letter }];
            return tree.lasso(product, pair, cycle);
        }
        if found.is_none() {
            let cycle = cycle(product, component, needed, pair);
            // A stuttering lasso to a pair at most this far is not longer.
            let limit = distance + cycle.len() - 1;
            found = Some((pair, cycle, limit));
        }
    }
    match found {
        Some((pair, cycle, _)) => tree.lasso(product, pair, cycle),
        None => unreachable!("a fair component consists of reachable pairs"),
    }
}

impl Lasso {
    /// The lasso without stuttering steps, unless it does nothing else in the end: formulas cannot tell.
    pub(crate) fn without_stuttering(&self, graph: &Graph) -> Lasso {
        let mut at = self.start;
        let mut walk = |hops: &[Hop]| {
            let mut kept = Vec::new();
            for &hop in hops {
                if hop.to != at || hop.letter != graph.stutter(at).letter {
                    kept.push(hop);
                }
                at = hop.to;
            }
            kept
        };
        Lasso { start: self.start, way: walk(&self.way), cycle: walk(&self.cycle) }
    }

    /// The trace of the lasso.
    pub(crate) fn trace<M: Model>(
        &self,
        model: &M,
        worker: &mut M::Worker,
        graph: &Graph,
        temporal: &Temporal,
    ) -> Trace<M> {
        let lasso = self.without_stuttering(graph);
        let obligations = temporal.obligations();
        let state_words = obligations.state_atoms.div_ceil(64);
        let wanted = |hop: &Hop| Wanted {
            fingerprint: graph.fingerprint(hop.to),
            step: Some(AtomSet::from_words(&graph.letters()[hop.letter as usize][state_words..])),
        };
        let mut path = vec![Wanted { fingerprint: graph.fingerprint(lasso.start), step: None }];
        path.extend(lasso.way.iter().chain(&lasso.cycle).map(wanted));
        // The last step of the cycle leads back to where it began.
        let back = if lasso.cycle.is_empty() { None } else { path.pop() };
        let steps = trace::rebuild(model, worker, &path);
        let missing = path.len() - steps.len();
        let end = match (&back, steps.last()) {
            (Some(back), Some(last)) if missing == 0 => {
                let step = trace::step_to(model, worker, (&last.state, steps.len() as u32), back);
                TraceEnd::BackTo { index: lasso.way.len(), action: step.and_then(|step| step.action) }
            }
            (Some(_), _) => TraceEnd::BackTo { index: lasso.way.len(), action: None },
            (None, _) => TraceEnd::Stuttering,
        };
        Trace { steps, end, missing }
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
fn cycle(product: &Product<'_>, component: &Component, mut needed: Needed, entry: Pair) -> Vec<Hop> {
    let members: FxHashSet<Pair> = component.pairs.iter().copied().collect();
    let inside = |arc: &Arc| members.contains(&arc.to) && product.satisfies(arc, &component.filter);
    let mut cycle: Vec<Hop> = Vec::new();
    let mut at = entry;
    loop {
        let done = needed.is_empty();
        if done && at == entry && !cycle.is_empty() {
            return cycle;
        }
        let wanted = |arc: &Arc| if done { arc.to == entry } else { needed.is_shown_by(product, arc) };
        let way = nearest(product, at, &inside, &wanted);
        for arc in way {
            needed.show(product, &arc);
            cycle.push(Hop { to: product.state(arc.to), letter: arc.letter });
            at = arc.to;
        }
    }
}

/// A shortest way from `from` along arcs that are `inside` whose last arc is `wanted`. There is one, since the
/// arcs inside connect everything with everything.
fn nearest(
    product: &Product<'_>,
    from: Pair,
    inside: &dyn Fn(&Arc) -> bool,
    wanted: &dyn Fn(&Arc) -> bool,
) -> Vec<Arc> {
    let mut reached_by: FxHashMap<Pair, (Pair, Arc)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    while let Some(pair) = queue.pop_front() {
        for arc in product.arcs(pair).filter(inside) {
            if wanted(&arc) {
                let mut way = vec![arc];
                let mut at = pair;
                while at != from {
                    let (before, arc) = reached_by[&at];
                    way.push(arc);
                    at = before;
                }
                way.reverse();
                return way;
            }
            if arc.to != from && !reached_by.contains_key(&arc.to) {
                reached_by.insert(arc.to, (pair, arc));
                queue.push_back(arc.to);
            }
        }
    }
    unreachable!("a component is strongly connected and shows what it was found to show")
}

/// The tree of shortest ways from the initial pairs, as far as it was asked for. Stuttering steps will not be
/// shown, so they have no length: a pair may be found again with a lesser distance while it waits in the queue.
struct Tree {
    reached_by: FxHashMap<Pair, Reached>,
    queue: VecDeque<(Pair, usize)>,
}

/// How a pair was reached, if it is not initial: from which one, by which letter.
struct Reached {
    distance: usize,
    from: Option<(Pair, u32)>,
}

impl Tree {
    fn new(product: &Product<'_>) -> Tree {
        let initial = |pair| (pair, Reached { distance: 0, from: None });
        Tree {
            reached_by: product.initial().map(initial).collect(),
            queue: product.initial().map(|pair| (pair, 0)).collect(),
        }
    }

    /// The next pair, nearest first, with its distance.
    fn next(&mut self, product: &Product<'_>) -> Option<(Pair, usize)> {
        let (pair, distance) = loop {
            let (pair, distance) = self.queue.pop_front()?;
            if self.reached_by[&pair].distance == distance {
                break (pair, distance);
            }
        };
        for arc in product.arcs(pair) {
            let stutters = product.is_stuttering(pair, &arc);
            let length = distance + usize::from(!stutters);
            let from = Some((pair, arc.letter));
            let known = self.reached_by.get(&arc.to);
            if known.is_none_or(|known| known.distance > length) {
                self.reached_by.insert(arc.to, Reached { distance: length, from });
                if stutters {
                    self.queue.push_front((arc.to, length));
                } else {
                    self.queue.push_back((arc.to, length));
                }
            }
        }
        Some((pair, distance))
    }

    fn lasso(&self, product: &Product<'_>, pair: Pair, cycle: Vec<Hop>) -> Lasso {
        let mut way = Vec::new();
        let mut at = pair;
        while let Some((before, letter)) = self.reached_by[&at].from {
            way.push(Hop { to: product.state(at), letter });
            at = before;
        }
        way.reverse();
        Lasso { start: product.state(at), way, cycle }
    }
}
