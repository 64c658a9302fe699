//! Results of evaluations, by the parts of the state that they read: a tree of decisions for each action and predicate.
//!
//! An inner node says which bits of which word are looked at next, a leaf what follows. Which bits are looked at may
//! depend on those before: an action whose first condition is false has read no more than that. Numbers of values are
//! small, so most nodes have a table of their branches; those of wide fields and of sets share a hash table. Below the
//! last node that several results have in common there are no nodes but a *tail*: all that a state must have, one after
//! the other, and the leaf.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::exchange::{Content, Message, Messages};
use super::tables::Write;

/// A node, a tail, a leaf, or nothing yet.
type Branch = u32;

const LEAF: Branch = 1 << 31;
const TAIL: Branch = 1 << 30;
const NOTHING: Branch = 0;
/// Of a leaf in a tree: another worker has found it out, and it was of no use here so far.
const FOREIGN: Leaf = 1 << 29;
/// The most bits for which a node has a table of its own.
const MAX_DIRECT_BITS: u32 = 8;

/// After so many misses, of all workers together, an action is looked at in pieces. Tests have more of them.
const MISSES_OF_ONE: u32 = if cfg!(test) { 2 } else { 512 };

/// After so many results of other workers it is looked at whether they are worth it: if one in so many was of use.
const LEAST_HEARD: u32 = if cfg!(test) { 64 } else { 1024 };
const SHARE_OF_USED: u32 = 16;
/// Bytes of results beyond which no more are kept of actions and predicates that a worker has not met yet.
const MOST_EARLY: usize = 1 << 24;

/// The result of a lookup, by number.
pub(crate) type Leaf = u32;
/// The leaf of what is false, or has no successor.
pub(crate) const FALSE: Leaf = 0;
/// The leaf of what is true.
pub(crate) const TRUE: Leaf = 1;

#[derive(Clone, Copy, Debug)]
struct Node {
    word: u32,
    mask: u32,
    /// Where its branches begin, and how many they are; [`SHARED`] if they are in the shared table.
    first: u32,
    count: u32,
}

/// The number of branches of a node that has no table of its own.
const SHARED: u32 = u32::MAX;

impl Node {
    /// The bits of a state where the node looks.
    #[inline]
    fn value(&self, state: &[u32]) -> u32 {
        (state[self.word as usize] & self.mask) >> self.mask.trailing_zeros()
    }
}

/// The value of some bits of a word in a state.
#[derive(Clone, Copy, Debug)]
struct Condition {
    word: u32,
    mask: u32,
    bits: u32,
}

impl Condition {
    #[inline]
    fn holds(&self, state: &[u32]) -> bool {
        state[self.word as usize] & self.mask == self.bits
    }

    /// The same as a node sees it.
    fn value(&self) -> u32 {
        self.bits >> self.mask.trailing_zeros()
    }
}

/// The result if conditions hold, which are kept from the first to the one after the last.
#[derive(Clone, Copy, Debug)]
struct Tail {
    first: u32,
    end: u32,
    leaf: Leaf,
}

/// The knowledge about an action or predicate in a state.
pub(crate) enum Known {
    /// It is false in every state that has this.
    Never(Look),
    Leaf(Leaf),
    Nothing,
}

/// One look at a state: some bits of a word, and what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Look {
    pub(crate) word: u32,
    pub(crate) mask: u32,
    pub(crate) shift: u32,
    pub(crate) value: u32,
}

/// A successor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) label: u32,
    /// Its writes, from the first to the one after the last.
    pub(crate) writes: (u32, u32),
}

/// The results of one action or predicate.
#[derive(Clone, Copy, Default, Debug)]
struct Region {
    root: Branch,
    hits: u32,
    misses: u32,
    /// How many elements the sets of the state had had when it was begun.
    elements: u32,
    /// Its number among workers, if there are several.
    number: Option<u32>,
    /// How many results of others are kept, and how many of them were of use.
    heard: u32,
    used: u32,
    /// Whether others have no use for what is found out of it.
    is_unwanted: bool,
}

/// The bits on which several results together depend: words, and bits of them.
#[derive(Default, Debug)]
pub(crate) struct Reads(Vec<(u32, u32)>);

/// The most of them that are worth being looked at.
const MOST_READS: usize = 12;

impl Reads {
    /// Adds bits of a word that are not there yet.
    pub(crate) fn add(&mut self, word: u32, mask: u32) {
        let known = self.0.iter().filter(|(other, _)| *other == word).fold(0, |all, (_, mask)| all | mask);
        let new = mask & !known;
        if new != 0 && !self.are_many() {
            self.0.push((word, new));
        }
    }

    /// Whether there are too many to be of use; then they are not all here.
    pub(crate) fn are_many(&self) -> bool {
        self.0.len() > MOST_READS
    }

    pub(crate) fn as_slice(&self) -> &[(u32, u32)] {
        &self.0
    }
}

/// Everything that one worker has found out.
#[derive(Debug)]
pub(crate) struct Memo {
    regions: Vec<Region>,
    /// Hits and misses of what was forgotten.
    past: (u64, u64),
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    /// Tables of branches that are no longer used, by the logarithm of their size.
    unused: [Vec<u32>; MAX_DIRECT_BITS as usize + 1],
    shared: Shared,
    tails: Vec<Tail>,
    conditions: Vec<Condition>,
    /// The successors of leaves, from the first to the one after the last.
    leaves: Vec<(u32, u32)>,
    ways: Vec<Way>,
    writes: Vec<Write>,
    /// Leaves by a hash of their successors; of several with one hash, the last.
    same: FxHashMap<u32, Leaf>,
    /// The actions and predicates by their numbers among workers.
    numbered: FxHashMap<u32, u32>,
    early: Early,
    /// After how many misses an action may be looked at in pieces.
    most_misses: u32,
}

/// Results of others for actions and predicates that this worker has not met yet.
#[derive(Default, Debug)]
struct Early {
    messages: Messages,
    /// Which of them there are, by number.
    places: FxHashMap<u32, Vec<u32>>,
}

impl Memo {
    pub(crate) fn new() -> Self {
        let leaves = vec![(0, 0), (0, 0)];
        Self {
            regions: Vec::new(),
            past: (0, 0),
            nodes: Vec::new(),
            branches: Vec::new(),
            unused: Default::default(),
            shared: Shared::new(1 << 8),
            tails: Vec::new(),
            conditions: Vec::new(),
            leaves,
            ways: Vec::new(),
            writes: Vec::new(),
            same: FxHashMap::default(),
            numbered: FxHashMap::default(),
            early: Early::default(),
            most_misses: MISSES_OF_ONE,
        }
    }

    /// The same for one of so many workers, who tell each other what they find out: each misses its share.
    pub(crate) fn of_one_among(workers: usize) -> Self {
        let most_misses = (MISSES_OF_ONE / workers as u32).next_power_of_two();
        Self { most_misses, ..Self::new() }
    }

    /// Room for one more action or predicate, with its number among workers.
    pub(crate) fn region(&mut self, number: Option<u32>) -> u32 {
        self.regions.push(Region { number, ..Region::default() });
        let region = self.regions.len() as u32 - 1;
        if let Some(number) = number {
            self.numbered.insert(number, region);
            for place in self.early.places.remove(&number).unwrap_or_default() {
                let messages = std::mem::take(&mut self.early.messages);
                self.hear_one(region, messages.get(place as usize));
                self.early.messages = messages;
            }
        }
        region
    }

    /// How many actions and predicates there are.
    pub(crate) fn regions(&self) -> usize {
        self.regions.len()
    }

    /// The result in this state, if it is known.
    #[inline]
    pub(crate) fn find(&mut self, region: u32, state: &[u32]) -> Option<Leaf> {
        let at = self.seek(region, state, |_, _| {});
        let Region { hits, misses, .. } = &mut self.regions[region as usize];
        if at == NOTHING {
            *misses += 1;
            return None;
        }
        *hits += 1;
        Some(self.leaf_at(region, state, at))
    }

    /// The leaf that was found for a state.
    #[inline]
    fn leaf_at(&mut self, region: u32, state: &[u32], at: Branch) -> Leaf {
        if at & FOREIGN != 0 {
            self.count_used(region, state);
        }
        at & !(LEAF | FOREIGN)
    }

    /// Counts that what another worker has found out of this state was of use, once.
    #[cold]
    fn count_used(&mut self, region: u32, state: &[u32]) {
        let Region { root, used, .. } = &mut self.regions[region as usize];
        *used += 1;
        let (mut at, mut from) = (*root, None);
        while is_node(at) {
            let node = &self.nodes[at as usize];
            let value = node.value(state);
            from = Some((at, value));
            at = self.branch(at, node, value);
        }
        if at & LEAF == 0 {
            self.tails[(at & !TAIL) as usize].leaf &= !FOREIGN;
        } else {
            self.set(region, from, at & !FOREIGN);
        }
    }

    /// The leaf for a state, or nothing. `look` is called with the words and bits that are looked at on the way.
    #[inline]
    fn seek(&self, region: u32, state: &[u32], mut look: impl FnMut(u32, u32)) -> Branch {
        let mut at = self.regions[region as usize].root;
        while is_node(at) {
            let node = &self.nodes[at as usize];
            look(node.word, node.mask);
            at = self.branch(at, node, node.value(state));
        }
        if at & (LEAF | TAIL) == TAIL { self.follow(at, state, look) } else { at }
    }

    /// The leaf of a tail, or nothing if the state has something else.
    #[inline(never)]
    fn follow(&self, at: Branch, state: &[u32], mut look: impl FnMut(u32, u32)) -> Branch {
        let tail = self.tail(at);
        for condition in self.conditions(tail) {
            if !condition.holds(state) {
                return NOTHING;
            }
            look(condition.word, condition.mask);
        }
        LEAF | tail.leaf
    }

    #[inline]
    fn tail(&self, at: Branch) -> Tail {
        self.tails[(at & !TAIL) as usize]
    }

    #[inline]
    fn conditions(&self, tail: Tail) -> &[Condition] {
        &self.conditions[tail.first as usize..tail.end as usize]
    }

    /// The result in this state, or that there is none because of the first bits that are looked at. An unknown result
    /// is not counted.
    #[inline]
    pub(crate) fn find_first(&mut self, region: u32, state: &[u32]) -> Known {
        if let Some(look) = self.never(region, state) {
            self.regions[region as usize].hits += 1;
            return Known::Never(look);
        }
        let at = self.seek(region, state, |_, _| {});
        if at == NOTHING {
            return Known::Nothing;
        }
        self.regions[region as usize].hits += 1;
        Known::Leaf(self.leaf_at(region, state, at))
    }

    /// The first thing that is looked at, if it is enough to know that an action or predicate is false in this state.
    #[inline]
    pub(crate) fn never(&self, region: u32, state: &[u32]) -> Option<Look> {
        let root = self.regions[region as usize].root;
        if is_false(root) {
            return Some(Look { word: 0, mask: 0, shift: 0, value: 0 });
        }
        if root & LEAF != 0 || root == NOTHING {
            return None;
        }
        if root & TAIL != 0 {
            return self.never_by_tail(root, state);
        }
        let node = &self.nodes[root as usize];
        if node.count == SHARED {
            return None;
        }
        let value = node.value(state);
        let Node { word, mask, .. } = *node;
        let look = Look { word, mask, shift: mask.trailing_zeros(), value };
        is_false(self.branch(root, node, value)).then_some(look)
    }

    /// The same where only one result is known.
    #[inline(never)]
    fn never_by_tail(&self, at: Branch, state: &[u32]) -> Option<Look> {
        let tail = self.tail(at);
        let [only] = self.conditions(tail) else { return None };
        let Condition { word, mask, .. } = *only;
        let look = Look { word, mask, shift: mask.trailing_zeros(), value: only.value() };
        let is_enough = tail.leaf & !FOREIGN == FALSE && only.holds(state) && width(mask) <= MAX_DIRECT_BITS;
        is_enough.then_some(look)
    }

    /// Counts what was known without being looked for.
    pub(crate) fn count_known(&mut self, count: u32) {
        self.past.0 += u64::from(count);
    }

    /// The number of an action or predicate among workers, if others have use for what is found out of it.
    pub(crate) fn wanted(&self, region: u32) -> Option<u32> {
        let Region { number, is_unwanted, .. } = self.regions[region as usize];
        number.filter(|_| !is_unwanted)
    }

    /// Keeps what others have found out. Numbers of what there is no use for are added to `answers`.
    pub(crate) fn hear(&mut self, messages: &Messages, answers: &mut Messages) {
        for message in (0..messages.len()).map(|index| messages.get(index)) {
            if let Some(&region) = self.numbered.get(&message.number) {
                if self.hear_one(region, message) {
                    answers.push_enough(message.number);
                }
            } else if self.early.messages.bytes() < MOST_EARLY {
                let place = self.early.messages.len() as u32;
                self.early.places.entry(message.number).or_default().push(place);
                self.early.messages.copy(message);
            }
        }
    }

    /// Keeps what another one has found out. Says whether such results turn out to be of little use.
    fn hear_one(&mut self, region: u32, message: Message<'_>) -> bool {
        if message.content == Content::Enough {
            self.regions[region as usize].is_unwanted = true;
            return false;
        }
        // What is kept decides what is looked at first, so what others have forgotten is of no use here either.
        self.forget(region, message.elements);
        if message.elements < self.elements(region) || self.is_vain(region) {
            return false;
        }
        let leaf = match message.content {
            Content::Leaf(leaf) => leaf,
            _ => self.leaf_of(message.ways()),
        };
        let is_new = self.put(region, message.reads, message.state, leaf | FOREIGN);
        let Region { heard, used, .. } = &mut self.regions[region as usize];
        *heard += u32::from(is_new);
        is_new && *heard >= LEAST_HEARD && heard.is_power_of_two() && *used < *heard / SHARE_OF_USED
    }

    /// The same, with what is looked at on the way. Nothing is counted.
    pub(crate) fn path(&self, region: u32, state: &[u32], reads: &mut Reads) -> Option<Leaf> {
        let at = self.seek(region, state, |word, mask| reads.add(word, mask));
        (at != NOTHING).then_some(at & !(LEAF | FOREIGN))
    }

    /// Whether several tests are not worth being looked up at once.
    pub(crate) fn is_of_no_use(&self, region: u32) -> bool {
        let Region { hits, misses, .. } = self.regions[region as usize];
        // Of what is new in a search, most is new in the beginning.
        let least = (misses / 64).min(32);
        misses > 500 && hits / least < misses
    }

    /// Counts anew how often something of an action or predicate is found.
    pub(crate) fn recount(&mut self, region: u32) {
        let Region { hits, misses, .. } = &mut self.regions[region as usize];
        self.past.0 += u64::from(std::mem::take(hits));
        self.past.1 += u64::from(std::mem::take(misses));
    }

    /// Whether what is found out of an action or predicate is seldom needed again.
    pub(crate) fn is_vain(&self, region: u32) -> bool {
        let Region { hits, misses, .. } = self.regions[region as usize];
        misses > 2000 && hits / 2 < misses
    }

    /// Forgets what is seldom of use, if that may be because the sets of the state have got more elements since: what
    /// goes through a set depends on all elements that are not known, and there are less of those now. Says whether it
    /// did.
    pub(crate) fn refresh(&mut self, region: u32, elements: u32) -> bool {
        let Region { hits, misses, .. } = self.regions[region as usize];
        misses >= 64 && hits / 4 < misses && self.forget(region, elements)
    }

    /// How many elements the sets of the state had had when an action or predicate was begun.
    pub(crate) fn elements(&self, region: u32) -> u32 {
        self.regions[region as usize].elements
    }

    /// Forgets what was found out when the sets of the state had had fewer elements than now. Says whether it did.
    pub(crate) fn forget(&mut self, region: u32, elements: u32) -> bool {
        let Region { hits, misses, elements: before, number, .. } = self.regions[region as usize];
        if elements <= before {
            return false;
        }
        self.past.0 += u64::from(hits);
        self.past.1 += u64::from(misses);
        self.regions[region as usize] = Region { elements, number, ..Region::default() };
        true
    }

    /// Whether it is time to look at an action in pieces: seldom, and if what is found out of it is seldom needed
    /// again.
    pub(crate) fn may_be_in_pieces(&self, region: u32) -> bool {
        let Region { hits, misses, .. } = self.regions[region as usize];
        misses >= self.most_misses && misses.is_power_of_two() && hits / 2 < misses
    }

    /// How often something of some actions and predicates was not known.
    pub(crate) fn misses(&self, regions: impl Iterator<Item = u32>) -> u64 {
        regions.map(|region| u64::from(self.regions[region as usize].misses)).sum()
    }

    /// Whether nothing of the state is needed to know that there are no successors.
    pub(crate) fn is_dead(&self, region: u32) -> bool {
        is_false(self.regions[region as usize].root)
    }

    /// A leaf for these successors.
    pub(crate) fn leaf(&mut self, ways: &[(u32, Vec<Write>)]) -> Leaf {
        if ways.is_empty() {
            return FALSE;
        }
        self.leaf_of(ways.iter().map(|(label, writes)| (*label, writes.as_slice())))
    }

    /// The same for labels and writes. States that differ in what is read often have the same successors, which are
    /// kept once.
    fn leaf_of<'a>(&mut self, ways: impl Iterator<Item = (u32, &'a [Write])> + Clone) -> Leaf {
        let mut hasher = FxHasher::default();
        ways.clone().for_each(|way| way.hash(&mut hasher));
        let hash = hasher.finish() as u32;
        if let Some(&leaf) = self.same.get(&hash)
            && self.has(leaf, ways.clone())
        {
            return leaf;
        }
        let first = self.ways.len() as u32;
        for (label, writes) in ways {
            let begin = self.writes.len() as u32;
            self.writes.extend_from_slice(writes);
            self.ways.push(Way { label, writes: (begin, self.writes.len() as u32) });
        }
        self.leaves.push((first, self.ways.len() as u32));
        let leaf = self.leaves.len() as u32 - 1;
        self.same.insert(hash, leaf);
        leaf
    }

    /// Whether these are the successors of a leaf.
    fn has<'a>(&self, leaf: Leaf, mut ways: impl Iterator<Item = (u32, &'a [Write])>) -> bool {
        let is_next = |own: Way| {
            ways.next().is_some_and(|(label, writes)| label == own.label && writes == self.writes(own))
        };
        self.ways(leaf).map(|way| self.way(way)).all(is_next) && ways.next().is_none()
    }

    /// The successors of a leaf.
    #[inline]
    pub(crate) fn ways(&self, leaf: Leaf) -> std::ops::Range<u32> {
        let (first, end) = self.leaves[leaf as usize];
        first..end
    }

    /// Their labels and writes.
    pub(crate) fn found(&self, leaf: Leaf) -> impl Iterator<Item = (u32, &[Write])> {
        self.ways(leaf).map(|way| self.way(way)).map(|way| (way.label, self.writes(way)))
    }

    #[inline]
    pub(crate) fn way(&self, way: u32) -> Way {
        self.ways[way as usize]
    }

    #[inline]
    pub(crate) fn writes(&self, way: Way) -> &[Write] {
        &self.writes[way.writes.0 as usize..way.writes.1 as usize]
    }

    /// Keeps what follows in states that are like this one in what was read.
    pub(crate) fn keep(&mut self, region: u32, reads: &[(u32, u32)], state: &[u32], leaf: Leaf) {
        self.put(region, reads, state, leaf);
    }

    /// The same, for a leaf that may be [`FOREIGN`]. Says whether it was not known.
    fn put(&mut self, region: u32, reads: &[(u32, u32)], state: &[u32], leaf: Leaf) -> bool {
        let mut left: SmallVec<[(u32, u32); 16]> = reads.into();
        let mut at = self.regions[region as usize].root;
        // Where the branch is that is followed: the node and the value, or the root.
        let mut from = None;
        while at != NOTHING {
            if at & LEAF != 0 {
                return false;
            }
            if at & TAIL != 0 {
                let Some(node) = self.branch_off(at, state) else { return false };
                self.set(region, from, node);
                at = node;
            }
            let node = &self.nodes[at as usize];
            for (word, mask) in &mut left {
                if *word == node.word {
                    *mask &= !node.mask;
                }
            }
            let value = node.value(state);
            from = Some((at, value));
            at = self.branch(at, node, value);
        }
        let first = self.conditions.len() as u32;
        let left = left.into_iter().filter(|(_, mask)| *mask != 0);
        self.conditions.extend(left.map(|(word, mask)| Condition {
            word,
            mask,
            bits: state[word as usize] & mask,
        }));
        let tail = self.tail_of(Tail { first, end: self.conditions.len() as u32, leaf });
        self.set(region, from, tail);
        true
    }

    /// A branch for a tail, which is a leaf if it has no conditions.
    fn tail_of(&mut self, tail: Tail) -> Branch {
        if tail.first == tail.end {
            return LEAF | tail.leaf;
        }
        self.tails.push(tail);
        TAIL | (self.tails.len() as u32 - 1)
    }

    /// Makes nodes of a tail up to the first condition that does not hold in a state, and gives the first node. None if
    /// all of them hold.
    fn branch_off(&mut self, at: Branch, state: &[u32]) -> Option<Branch> {
        let tail = self.tail(at);
        let first = self.conditions(tail).iter().position(|condition| !condition.holds(state))?;
        let middle = tail.first + first as u32;
        let mut below = self.tail_of(Tail { first: middle + 1, ..tail });
        for condition in (tail.first..=middle).rev() {
            let condition = self.conditions[condition as usize];
            let node = self.node(condition.word, condition.mask);
            self.set_branch(node, condition.value(), below);
            below = node;
        }
        Some(below)
    }

    /// The branch of the node at a number for a value.
    #[inline]
    fn branch(&self, at: Branch, node: &Node, value: u32) -> Branch {
        if node.count == SHARED {
            return self.shared.get(at, value);
        }
        if value < node.count { self.branches[(node.first + value) as usize] } else { NOTHING }
    }

    fn node(&mut self, word: u32, mask: u32) -> Branch {
        if self.nodes.is_empty() {
            // The first number stands for nothing.
            self.nodes.push(Node { word: 0, mask: 0, first: 0, count: 0 });
        }
        let count = if width(mask) <= MAX_DIRECT_BITS { 0 } else { SHARED };
        self.nodes.push(Node { word, mask, first: 0, count });
        self.nodes.len() as Branch - 1
    }

    fn set(&mut self, region: u32, from: Option<(Branch, u32)>, to: Branch) {
        match from {
            Some((at, value)) => self.set_branch(at, value, to),
            None => self.regions[region as usize].root = to,
        }
    }

    fn set_branch(&mut self, at: Branch, value: u32, to: Branch) {
        let Node { first, count, .. } = self.nodes[at as usize];
        if count == SHARED {
            self.shared.set(at, value, to);
            return;
        }
        let first = if value < count { first } else { self.enlarge(at, value) };
        self.branches[(first + value) as usize] = to;
    }

    /// Makes room for the branch of a value in the table of a node; says where it begins.
    fn enlarge(&mut self, at: Branch, value: u32) -> u32 {
        let Node { first, count, .. } = self.nodes[at as usize];
        let more = (value + 1).next_power_of_two().max(2);
        let new = self.unused[more.ilog2() as usize].pop().unwrap_or_else(|| {
            let new = self.branches.len() as u32;
            self.branches.resize((new + more) as usize, NOTHING);
            new
        });
        let old = first as usize..(first + count) as usize;
        self.branches.copy_within(old, new as usize);
        self.branches[(new + count) as usize..(new + more) as usize].fill(NOTHING);
        if count > 0 {
            self.unused[count.ilog2() as usize].push(first);
        }
        let node = &mut self.nodes[at as usize];
        (node.first, node.count) = (new, more);
        new
    }

    /// Bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.branches)
            + size_of_val(&*self.tails)
            + size_of_val(&*self.conditions)
            + self.shared.entries.len() * size_of::<(u64, Branch)>()
            + size_of_val(&*self.writes)
            + size_of_val(&*self.ways)
            + size_of_val(&*self.leaves)
            + self.same.capacity() * size_of::<(u32, Leaf)>()
            + self.early.messages.bytes()
    }

    /// How often something was found, and how often it was not.
    pub(crate) fn balance(&self) -> (u64, u64) {
        self.regions.iter().fold(self.past, |(hits, misses), region| {
            (hits + u64::from(region.hits), misses + u64::from(region.misses))
        })
    }

    /// Forgets everything but which actions and predicates there are.
    pub(crate) fn clear(&mut self) {
        let regions = std::mem::take(&mut self.regions);
        let numbered = std::mem::take(&mut self.numbered);
        let past = self.past;
        *self = Self { past, numbered, most_misses: self.most_misses, ..Self::new() };
        self.regions = regions.into_iter().map(|region| Region { root: NOTHING, ..region }).collect();
    }
}

/// Whether a branch is the leaf of what is false.
#[inline]
fn is_false(at: Branch) -> bool {
    at & !FOREIGN == LEAF | FALSE
}

/// Whether a branch is a node. The first number stands for nothing.
#[inline]
fn is_node(at: Branch) -> bool {
    at.wrapping_sub(1) < TAIL - 1
}

/// How many bits there are from the first to the last.
fn width(mask: u32) -> u32 {
    32 - mask.trailing_zeros() - mask.leading_zeros()
}

/// Branches by node and value.
#[derive(Debug)]
struct Shared {
    entries: Vec<(u64, Branch)>,
    taken: usize,
}

impl Shared {
    fn new(size: usize) -> Self {
        // Written to at once, which `vec!` does not do for zeros: memory that is read before it is written to is made
        // twice, and all workers are held up for it. Entries are scattered, so all of it is needed soon.
        let mut entries = Vec::with_capacity(size);
        entries.resize_with(size, || (0, NOTHING));
        Self { entries, taken: 0 }
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mixed = (key ^ (key >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 20) as usize & (self.entries.len() - 1)
    }

    #[inline]
    fn get(&self, node: Branch, value: u32) -> Branch {
        let key = u64::from(node) << 32 | u64::from(value);
        let mut place = self.place(key);
        loop {
            let (other, branch) = self.entries[place];
            if other == key || branch == NOTHING {
                return branch;
            }
            place = (place + 1) & (self.entries.len() - 1);
        }
    }

    fn set(&mut self, node: Branch, value: u32, branch: Branch) {
        if self.taken * 2 >= self.entries.len() {
            let larger = Self::new(self.entries.len() * 2);
            let old = std::mem::replace(self, larger);
            for (key, branch) in old.entries.into_iter().filter(|(_, branch)| *branch != NOTHING) {
                self.put(key, branch);
            }
        }
        self.put(u64::from(node) << 32 | u64::from(value), branch);
    }

    fn put(&mut self, key: u64, branch: Branch) {
        let mut place = self.place(key);
        while self.entries[place].1 != NOTHING && self.entries[place].0 != key {
            place = (place + 1) & (self.entries.len() - 1);
        }
        self.taken += usize::from(self.entries[place].1 == NOTHING);
        self.entries[place] = (key, branch);
    }
}

#[cfg(test)]
mod tests;
