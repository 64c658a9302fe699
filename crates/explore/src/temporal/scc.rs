//! The search for a fair component of the product: strongly connected, with a step, accepted by the automaton,
//! and satisfying every condition.
//!
//! Components come from Pearce's variant of Tarjan's algorithm (one number per node), without recursion. A
//! component that satisfies everything but some `[]<>q \/ <>[]p` is searched again without the arcs where `p` is
//! false: what remains decomposes further, until it is fair or used up (the method for Streett conditions).

use super::product::{Arc, Check, Cursor, Pair, Product};
use super::source::Reader;
use crate::limits::Reason;

/// A fair component.
pub(crate) struct Component {
    pub(crate) pairs: Vec<Pair>,
    /// The predicates that the arcs of the component must satisfy, as bits.
    pub(crate) filter: Vec<u64>,
}

/// Asked now and then; a reason ends the search.
pub(crate) type Interrupt<'a> = &'a (dyn Fn() -> Option<Reason> + Sync);

pub(crate) const VISITS_BETWEEN_CHECKS: usize = 1 << 16;

/// All pairs that can be reached, nearest first.
pub(crate) fn reachable<R: Reader>(
    product: &Product<'_>,
    reader: &mut R,
    interrupt: Interrupt<'_>,
) -> Result<Vec<Pair>, Reason> {
    if product.check.automaton.accepts_everything() {
        // The product is the graph, and every state of it was reached when it was made.
        return Ok((0..product.size() as Pair).collect());
    }
    let mut seen = vec![false; product.size()];
    let mut queue: Vec<Pair> = Vec::new();
    for pair in product.initial() {
        seen[pair as usize] = true;
        queue.push(pair);
    }
    let mut next = 0;
    while let Some(&pair) = queue.get(next) {
        next += 1;
        if next.is_multiple_of(VISITS_BETWEEN_CHECKS)
            && let Some(reason) = interrupt()
        {
            return Err(reason);
        }
        product.for_each_arc(pair, reader.steps(product.state(pair))?, |arc| {
            if !std::mem::replace(&mut seen[arc.to as usize], true) {
                queue.push(arc.to);
            }
        });
    }
    Ok(queue)
}

/// The fair components among `pairs`. The path through them may take `path_bytes`.
pub(crate) fn fair_components<R: Reader>(
    product: &Product<'_>,
    (reader, path_bytes): (&mut R, usize),
    pairs: Vec<Pair>,
    interrupt: Interrupt<'_>,
) -> Result<Vec<Component>, Reason> {
    let mut filter = vec![0; product.words];
    for condition in &product.check.conditions {
        if let (None, [only]) = (condition.recurrent, &condition.persistent[..]) {
            insert(&mut filter, *only);
        }
    }
    let mut finder = Finder {
        product,
        reader,
        path_bytes,
        number: vec![u32::MAX; product.size()],
        next_component: u32::MAX - 1,
        todo: vec![Component { pairs, filter }],
        fair: Vec::new(),
    };
    while let Some(part) = finder.todo.pop() {
        finder.decompose(&part, interrupt)?;
    }
    Ok(finder.fair)
}

struct Finder<'a, R> {
    product: &'a Product<'a>,
    reader: &'a mut R,
    path_bytes: usize,
    /// Of each pair: 0 if it is to be visited, its place on the path while it is, then the number of its
    /// component. Those are greater than all places, and so is what pairs have that are left out.
    number: Vec<u32>,
    next_component: u32,
    todo: Vec<Component>,
    fair: Vec<Component>,
}

struct Frame {
    pair: Pair,
    cursor: Cursor,
    is_root: bool,
}

/// The bytes that a pair on the path takes.
pub(crate) const BYTES_ON_PATH: usize = size_of::<Frame>();

/// What the arcs of a component show.
struct Shown {
    marks: u64,
    truth: Vec<u64>,
    has_arc: bool,
}

impl Shown {
    fn add(&mut self, product: &Product<'_>, arc: &Arc) {
        self.has_arc = true;
        self.marks |= arc.marks;
        for (all, one) in self.truth.iter_mut().zip(product.truth(arc)) {
            *all |= one;
        }
    }
}

impl<R: Reader> Finder<'_, R> {
    /// Finds the components of a part and examines each.
    fn decompose(&mut self, part: &Component, interrupt: Interrupt<'_>) -> Result<(), Reason> {
        for &pair in &part.pairs {
            self.number[pair as usize] = 0;
        }
        let product = self.product;
        let passes = product.classes_satisfying(&part.filter);
        let mut visits = 0_usize;
        let mut place = 1;
        let mut path: Vec<Frame> = Vec::new();
        let mut waiting: Vec<Pair> = Vec::new();
        for &start in &part.pairs {
            if self.number[start as usize] != 0 {
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
                    let members = waiting.split_off(begin.map_or(0, |begin| begin + 1));
                    place -= members.len() as u32;
                    self.close(members, &part.filter, &passes)?;
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
    fn close(&mut self, pairs: Vec<Pair>, filter: &[u64], passes: &[bool]) -> Result<(), Reason> {
        let component = self.next_component;
        if component < 1 << 31 {
            return Err(Reason::Product);
        }
        self.next_component -= 1;
        for &pair in &pairs {
            self.number[pair as usize] = component;
        }
        let mut shown = Shown { marks: 0, truth: vec![0; self.product.words], has_arc: false };
        let product = self.product;
        if let [only] = pairs[..] {
            // Most components are like this.
            product
                .loops(only, self.reader.steps(product.state(only))?)
                .filter(|arc| passes[arc.class as usize])
                .for_each(|arc| shown.add(product, &arc));
        } else {
            for &pair in &pairs {
                product.for_each_arc(pair, self.reader.steps(product.state(pair))?, |arc| {
                    if self.number[arc.to as usize] == component && passes[arc.class as usize] {
                        shown.add(product, &arc);
                    }
                });
            }
        }
        let Shown { marks, truth, has_arc } = shown;
        let check: &Check = self.product.check;
        if !has_arc || marks != check.automaton.all_marks {
            return Ok(());
        }
        let mut stricter = filter.to_vec();
        let mut choices: &[usize] = &[];
        for condition in &check.conditions {
            let is_met = condition.recurrent.is_some_and(|index| contains(&truth, index))
                || condition.persistent.iter().any(|&index| contains(filter, index));
            match &condition.persistent[..] {
                _ if is_met => {}
                [] => return Ok(()),
                [only] => insert(&mut stricter, *only),
                several => choices = several,
            }
        }
        if stricter == filter && choices.is_empty() {
            self.fair.push(Component { pairs, filter: stricter });
        } else if choices.is_empty() {
            self.todo.push(Component { pairs, filter: stricter });
        } else {
            for &choice in choices {
                let mut filter = stricter.clone();
                insert(&mut filter, choice);
                self.todo.push(Component { pairs: pairs.clone(), filter });
            }
        }
        Ok(())
    }
}

pub(crate) fn contains(set: &[u64], index: usize) -> bool {
    set[index / 64] >> (index % 64) & 1 == 1
}

fn insert(set: &mut [u64], index: usize) {
    set[index / 64] |= 1 << (index % 64);
}
