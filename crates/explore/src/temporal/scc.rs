//! The search for a fair component of the product: strongly connected, with a step, accepted by the automaton,
//! and satisfying every condition.
//!
//! Components come from Pearce's variant of Tarjan's algorithm (one number per node), without recursion. A
//! component that satisfies everything but some `[]<>q \/ <>[]p` is searched again without the arcs where `p` is
//! false: what remains decomposes further, until it is fair or used up (the method for Streett conditions).
//!
//! Several threads look for the components of a large part together (see [`Settled`]): they share what they are done
//! with, as in Renault, Duret-Lutz, Kordon and Poitrenaud, *Parallel explicit model checking for generalized Büchi
//! automata* (TACAS 2015).

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::product::{Arc, Check, Cursor, Pair, Product};
use super::source::Reader;
use crate::limits::Reason;
use crate::sync::share;

/// A fair component.
pub(crate) struct Component {
    pub(crate) pairs: Vec<Pair>,
    /// The predicates that the arcs of the component must satisfy, as bits.
    pub(crate) filter: Vec<u64>,
}

/// Asked now and then; a reason ends the search.
pub(crate) type Interrupt<'a> = &'a (dyn Fn() -> Option<Reason> + Sync);

pub(crate) const VISITS_BETWEEN_CHECKS: usize = 1 << 16;
/// A part with fewer pairs than this is not worth several threads. Tests share smaller ones.
const WORTH_SHARING: usize = if cfg!(test) { 2 } else { 1 << 14 };

/// All pairs that can be reached, nearest first. Each reader is for a thread.
pub(crate) fn reachable<R: Reader + Send>(
    product: &Product<'_>,
    readers: &mut [R],
    interrupt: Interrupt<'_>,
) -> Result<Vec<Pair>, Reason> {
    if product.check.automaton.accepts_everything() {
        // The product is the graph, and every state of it was reached when it was made.
        return Ok((0..product.size() as Pair).collect());
    }
    let seen: Vec<AtomicBool> = (0..product.size()).map(|_| AtomicBool::new(false)).collect();
    let is_new = |pair: Pair| !seen[pair as usize].swap(true, Ordering::Relaxed);
    let mut all: Vec<Pair> = product.initial().filter(|&pair| is_new(pair)).collect();
    let mut level = 0..all.len();
    while !level.is_empty() {
        let pairs = &all[level.clone()];
        let threads = if pairs.len() < WORTH_SHARING { 1 } else { readers.len() };
        let parts = pairs.chunks(pairs.len().div_ceil(threads)).zip(&mut *readers).collect();
        let found = share(parts, threads, |(pairs, reader): (&[Pair], &mut R)| {
            let mut found = Vec::new();
            for (visits, &pair) in (1..).zip(pairs) {
                if usize::is_multiple_of(visits, VISITS_BETWEEN_CHECKS)
                    && let Some(reason) = interrupt()
                {
                    return Err(reason);
                }
                product.for_each_arc(pair, reader.steps(product.state(pair))?, |arc| {
                    if !seen[arc.to as usize].load(Ordering::Relaxed) && is_new(arc.to) {
                        found.push(arc.to);
                    }
                });
            }
            Ok(found)
        });
        if let Some(reason) = interrupt() {
            return Err(reason);
        }
        for found in found {
            all.append(&mut found?);
        }
        level = level.end..all.len();
    }
    Ok(all)
}

/// The fair components among `pairs`, in no particular order. Each reader is for a thread, whose path may take
/// `path_bytes`.
pub(crate) fn fair_components<R: Reader + Send>(
    product: &Product<'_>,
    (readers, path_bytes): (&mut [R], usize),
    pairs: Vec<Pair>,
    interrupt: Interrupt<'_>,
) -> Result<Vec<Component>, Reason> {
    let mut filter = vec![0; product.words];
    for condition in &product.check.conditions {
        if let (None, [only]) = (condition.recurrent, &condition.persistent[..]) {
            insert(&mut filter, *only);
        }
    }
    let threads = if pairs.len() < WORTH_SHARING { 1 } else { readers.len() };
    let settled = if threads > 1 { Some(Settled::new(product.size())) } else { None };
    let finder = |reader| Finder::new(product, reader, path_bytes);
    let mut finders: Vec<Finder<'_, R>> = readers[..threads].iter_mut().map(finder).collect();
    let mut todo = vec![Component { pairs, filter }];
    let mut fair = Vec::new();
    while let Some(part) = todo.pop() {
        let threads = if part.pairs.len() < WORTH_SHARING { 1 } else { threads };
        let settled = settled.as_ref().filter(|_| threads > 1);
        settled.inspect(|settled| settled.reopen(&part.pairs));
        for finder in &mut finders {
            finder.settled = settled;
        }
        let several: Vec<_> = finders[..threads].iter_mut().enumerate().collect();
        // Each begins somewhere else.
        let begin = |place: usize| part.pairs.len() / threads * place;
        share(several, threads, |(place, finder)| finder.decompose(&part, begin(place), interrupt))
            .into_iter()
            .collect::<Result<(), Reason>>()?;
        for finder in &mut finders[..threads] {
            todo.append(&mut finder.todo);
            fair.append(&mut finder.fair);
        }
    }
    Ok(fair)
}

/// Which pairs are in components that are found, for threads that look for them together.
///
/// Each thread searches on its own, with numbers of its own, and passes over pairs that are *settled*: all that can
/// be reached from those was found before. A thread that was among such pairs when another one settled them takes
/// parts of their component for components. It must be able to tell, so who has found a component *takes* all of its
/// pairs before it settles the first one: who has passed over a pair of a component finds the others taken. Of two
/// threads that have found all of a component at the same time, the one counts that takes the least pair.
struct Settled(Vec<AtomicU8>);

const OPEN: u8 = 0;
const TAKEN: u8 = 1;
const SETTLED: u8 = 2;

impl Settled {
    fn new(pairs: usize) -> Self {
        Settled((0..pairs).map(|_| AtomicU8::new(SETTLED)).collect())
    }

    /// Begins anew with these pairs.
    fn reopen(&self, pairs: &[Pair]) {
        for &pair in pairs {
            self.0[pair as usize].store(OPEN, Ordering::Relaxed);
        }
    }

    #[inline]
    fn is_settled(&self, pair: Pair) -> bool {
        self.0[pair as usize].load(Ordering::Acquire) == SETTLED
    }

    /// Settles a pair that is a component of its own and of no use, whoever else has found that.
    ///
    /// If it is part of a larger one, another thread has taken all of that, and is about to settle it.
    fn pass(&self, pair: Pair) {
        self.0[pair as usize].store(SETTLED, Ordering::Release);
    }

    /// Settles a component. False if another thread does.
    fn settle(&self, pairs: &[Pair]) -> bool {
        let Some(least) = pairs.iter().min() else { return false };
        let least = &self.0[*least as usize];
        if least.compare_exchange(OPEN, TAKEN, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return false;
        }
        for &pair in pairs {
            self.0[pair as usize].store(TAKEN, Ordering::Relaxed);
        }
        for &pair in pairs {
            self.0[pair as usize].store(SETTLED, Ordering::Release);
        }
        true
    }
}

/// Whether a pair that a thread has not visited need not be visited, since another one has.
#[inline]
fn is_passed_over(settled: Option<&Settled>, pair: Pair) -> bool {
    settled.is_some_and(|settled| settled.is_settled(pair))
}

/// One thread's search.
struct Finder<'a, R> {
    product: &'a Product<'a>,
    reader: &'a mut R,
    path_bytes: usize,
    /// Of each pair: 0 if it is to be visited, its place on the path while it is, then the number of its
    /// component. Those are greater than all places, and so is what pairs have that are left out.
    number: Vec<u32>,
    next_component: u32,
    /// The pairs that the threads have settled together, if several are at work.
    settled: Option<&'a Settled>,
    todo: Vec<Component>,
    fair: Vec<Component>,
    /// Room for what is needed of each component: what its arcs show, what they must satisfy besides, and of what one.
    shown: Shown,
    stricter: Vec<u64>,
    choices: &'a [usize],
}

struct Frame {
    pair: Pair,
    cursor: Cursor,
    is_root: bool,
}

/// The bytes that a pair on the path takes.
pub(crate) const BYTES_ON_PATH: usize = size_of::<Frame>();

/// The properties that the arcs of a component show.
#[derive(Default)]
struct Shown {
    marks: u64,
    truth: Vec<u64>,
    has_arc: bool,
}

impl Shown {
    /// Nothing yet, of so many words.
    fn clear(&mut self, words: usize) {
        (self.marks, self.has_arc) = (0, false);
        self.truth.clear();
        self.truth.resize(words, 0);
    }

    fn add(&mut self, product: &Product<'_>, arc: &Arc) {
        self.has_arc = true;
        self.marks |= arc.marks;
        for (all, one) in self.truth.iter_mut().zip(product.truth(arc)) {
            *all |= one;
        }
    }
}

impl<'a, R: Reader> Finder<'a, R> {
    fn new(product: &'a Product<'a>, reader: &'a mut R, path_bytes: usize) -> Self {
        Finder {
            product,
            reader,
            path_bytes,
            number: vec![u32::MAX; product.size()],
            next_component: u32::MAX - 1,
            settled: None,
            todo: Vec::new(),
            fair: Vec::new(),
            shown: Shown::default(),
            stricter: Vec::new(),
            choices: &[],
        }
    }

    /// Finds the components of a part and examines each. Begins with the pair at this place.
    fn decompose(&mut self, part: &Component, begin: usize, interrupt: Interrupt<'_>) -> Result<(), Reason> {
        for &pair in &part.pairs {
            self.number[pair as usize] = 0;
        }
        let product = self.product;
        let passes = product.classes_satisfying(&part.filter);
        let mut visits = 0_usize;
        let mut place = 1;
        let mut path: Vec<Frame> = Vec::new();
        let mut waiting: Vec<Pair> = Vec::new();
        let (later, first) = part.pairs.split_at(begin);
        for &start in first.iter().chain(later) {
            if self.number[start as usize] != 0 || is_passed_over(self.settled, start) {
                continue;
            }
            self.number[start as usize] = place;
            place += 1;
            self.push(&mut path, start)?;
            while let Some(frame) = path.last_mut() {
                visits += 1;
                if visits.is_multiple_of(VISITS_BETWEEN_CHECKS)
                    && let Some(reason) = interrupt()
                {
                    return Err(reason);
                }
                let pair = frame.pair;
                if let Some(next) = self.advance(frame, &passes)? {
                    self.number[next as usize] = place;
                    place += 1;
                    self.push(&mut path, next)?;
                    continue;
                }
                let is_root = frame.is_root;
                let own = self.number[pair as usize];
                path.pop();
                waiting.push(pair);
                if is_root {
                    let begin = waiting.iter().rposition(|&other| self.number[other as usize] < own);
                    let begin = begin.map_or(0, |begin| begin + 1);
                    place -= (waiting.len() - begin) as u32;
                    self.close(&waiting[begin..], &part.filter, &passes)?;
                    waiting.truncate(begin);
                }
                if let Some(frame) = path.last_mut() {
                    let own = self.number[pair as usize];
                    if own < self.number[frame.pair as usize] {
                        self.number[frame.pair as usize] = own;
                        frame.is_root = false;
                    }
                }
            }
        }
        if self.settled.is_some() {
            // What was passed over is left out of other parts.
            for &pair in &part.pairs {
                self.number[pair as usize] = u32::MAX;
            }
        }
        Ok(())
    }

    /// Looks at the arcs out of a pair up to one that leads to a pair that was not visited.
    #[inline]
    fn advance(&mut self, frame: &mut Frame, passes: &[bool]) -> Result<Option<Pair>, Reason> {
        let pair = frame.pair;
        let out = self.reader.steps(self.product.state(pair))?;
        while let Some(arc) = self.product.next_arc(pair, out, &mut frame.cursor) {
            if !passes[arc.class as usize] {
                continue;
            }
            let to = self.number[arc.to as usize];
            if to == 0 {
                if is_passed_over(self.settled, arc.to) {
                    continue;
                }
                return Ok(Some(arc.to));
            }
            if to < self.number[pair as usize] {
                self.number[pair as usize] = to;
                frame.is_root = false;
            }
        }
        Ok(None)
    }

    #[inline]
    fn push(&self, path: &mut Vec<Frame>, pair: Pair) -> Result<(), Reason> {
        if path.len() == path.capacity() {
            self.lengthen(path)?;
        }
        path.push(Frame { pair, cursor: Cursor::default(), is_root: true });
        Ok(())
    }

    /// Makes room on a path. It is never longer than there are pairs.
    #[cold]
    fn lengthen(&self, path: &mut Vec<Frame>) -> Result<(), Reason> {
        let most = self.product.size().min(self.path_bytes / BYTES_ON_PATH);
        let more = path.len().max(64).min(most.saturating_sub(path.len()));
        if more == 0 {
            return Err(Reason::Memory);
        }
        path.reserve_exact(more);
        Ok(())
    }

    /// Numbers a component, and looks whether it is fair or may have a fair part.
    fn close(&mut self, pairs: &[Pair], filter: &[u64], passes: &[bool]) -> Result<(), Reason> {
        let component = self.next_component;
        if component < 1 << 31 {
            return Err(Reason::Product);
        }
        self.next_component -= 1;
        for &pair in pairs {
            self.number[pair as usize] = component;
        }
        let is_lost = |settled: &Settled| !settled.settle(pairs);
        if pairs.len() > 1 && self.settled.is_some_and(is_lost) {
            return Ok(());
        }
        let is_of_use = self.examine(pairs, (component, filter), passes)?;
        if let ([only], Some(settled)) = (pairs, self.settled) {
            if !is_of_use {
                // Then it does not matter who has found it.
                settled.pass(*only);
            } else if is_lost(settled) {
                return Ok(());
            }
        }
        if is_of_use {
            self.keep(pairs, filter);
        }
        Ok(())
    }

    /// Whether a component is fair, or may have a fair part; then with what its arcs must satisfy.
    fn examine(
        &mut self,
        pairs: &[Pair],
        (component, filter): (u32, &[u64]),
        passes: &[bool],
    ) -> Result<bool, Reason> {
        let product = self.product;
        let shown = &mut self.shown;
        shown.clear(product.words);
        if let [only] = *pairs {
            // Most components are like this.
            product
                .loops(only, self.reader.steps(product.state(only))?)
                .filter(|arc| passes[arc.class as usize])
                .for_each(|arc| shown.add(product, &arc));
        } else {
            for &pair in pairs {
                product.for_each_arc(pair, self.reader.steps(product.state(pair))?, |arc| {
                    if self.number[arc.to as usize] == component && passes[arc.class as usize] {
                        shown.add(product, &arc);
                    }
                });
            }
        }
        let check: &Check = product.check;
        if !shown.has_arc || shown.marks != check.automaton.all_marks {
            return Ok(false);
        }
        self.stricter.clear();
        self.stricter.extend_from_slice(filter);
        self.choices = &[];
        for condition in &check.conditions {
            let is_met = condition.recurrent.is_some_and(|index| contains(&shown.truth, index))
                || condition.persistent.iter().any(|&index| contains(filter, index));
            match &condition.persistent[..] {
                _ if is_met => {}
                [] => return Ok(false),
                [only] => insert(&mut self.stricter, *only),
                several => self.choices = several,
            }
        }
        Ok(true)
    }

    /// Keeps a component that was examined: as a fair one, or to be searched again.
    fn keep(&mut self, pairs: &[Pair], filter: &[u64]) {
        let component = |filter: &[u64]| Component { pairs: pairs.to_vec(), filter: filter.to_vec() };
        if self.stricter == filter && self.choices.is_empty() {
            self.fair.push(component(filter));
        } else if self.choices.is_empty() {
            self.todo.push(component(&self.stricter));
        } else {
            for &choice in self.choices {
                let mut part = component(&self.stricter);
                insert(&mut part.filter, choice);
                self.todo.push(part);
            }
        }
    }
}

pub(crate) fn contains(set: &[u64], index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

fn insert(set: &mut [u64], index: usize) {
    set[index / 64] |= 1 << (index % 64);
}
