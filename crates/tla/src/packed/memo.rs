//! Results of evaluations, by the parts of the state that they read: a tree of decisions for each action and predicate.
//!
//! An inner node says which bits of which word are looked at next, a leaf what follows. Which bits are looked at may depend on
//! those before: an action whose first condition is false has read no more than that. Numbers of values are small, so most
//! nodes have a table of their branches; those of wide fields and of sets share a hash table. Below the last node that several
//! results have in common there are no nodes but a *tail*: all that a state must have, one after the other, and the leaf.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::tables::Write;

/// A node, a tail, a leaf, or nothing yet.
type Branch = u32;

const LEAF: Branch = 1 << 31;
const TAIL: Branch = 1 << 30;
const NOTHING: Branch = 0;
/// The most bits for which a node has a table of its own.
const MAX_DIRECT_BITS: u32 = 8;

/// After so many misses an action is looked at in pieces. Tests have more of them.
const MISSES_OF_ONE: u32 = if cfg!(test) { 2 } else { 512 };

/// After so many questions to other workers it is looked at whether it was worth it: if one in so many was answered.
const LEAST_ASKED: u32 = if cfg!(test) { 64 } else { 1024 };
const SHARE_OF_TOLD: u32 = 32;

/// What follows, by number.
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
    /// What a state has where the node looks.
    #[inline]
    fn value(&self, state: &[u32]) -> u32 {
        (state[self.word as usize] & self.mask) >> self.mask.trailing_zeros()
    }
}

/// What a state has in some bits of a word.
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

/// What follows if conditions hold, which are kept from the first to the one after the last.
#[derive(Clone, Copy, Debug)]
struct Tail {
    first: u32,
    end: u32,
    leaf: Leaf,
}

/// What is known of an action or predicate in a state.
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

/// What is known of one action or predicate.
#[derive(Clone, Copy, Default, Debug)]
struct Region {
    root: Branch,
    hits: u32,
    misses: u32,
    /// How many elements the sets of the state had had when it was begun.
    elements: u32,
    /// Its number in the pool of what workers know, if there is one.
    in_pool: Option<u32>,
    /// How often the pool was asked, and how often it knew.
    asked: u32,
    told: u32,
}

/// What several results together depend on: words, and bits of them.
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
        }
    }

    /// Room for one more action or predicate, with its number in the pool of what workers know.
    pub(crate) fn region(&mut self, in_pool: Option<u32>) -> u32 {
        self.regions.push(Region { in_pool, ..Region::default() });
        self.regions.len() as u32 - 1
    }

    /// The number of an action or predicate in the pool of what workers know.
    pub(crate) fn in_pool(&self, region: u32) -> Option<u32> {
        self.regions[region as usize].in_pool
    }

    /// How many actions and predicates there are.
    pub(crate) fn regions(&self) -> usize {
        self.regions.len()
    }

    /// What follows in this state, if that is known.
    #[inline]
    pub(crate) fn find(&mut self, region: u32, state: &[u32]) -> Option<Leaf> {
        let at = self.seek(region, state, |_, _| {});
        let Region { hits, misses, .. } = &mut self.regions[region as usize];
        if at == NOTHING {
            *misses += 1;
            return None;
        }
        *hits += 1;
        Some(at & !LEAF)
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

    /// What follows in this state, or that nothing does because of the first thing that is looked at. What is not known
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
        Known::Leaf(at & !LEAF)
    }

    /// The first thing that is looked at, if it is enough to know that an action or predicate is false in this state.
    #[inline]
    pub(crate) fn never(&self, region: u32, state: &[u32]) -> Option<Look> {
        let root = self.regions[region as usize].root;
        if root == LEAF | FALSE {
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
        (self.branch(root, node, value) == LEAF | FALSE).then_some(look)
    }

    /// The same where only one result is known.
    #[inline(never)]
    fn never_by_tail(&self, at: Branch, state: &[u32]) -> Option<Look> {
        let tail = self.tail(at);
        let [only] = self.conditions(tail) else { return None };
        let Condition { word, mask, .. } = *only;
        let look = Look { word, mask, shift: mask.trailing_zeros(), value: only.value() };
        let is_enough = tail.leaf == FALSE && only.holds(state) && width(mask) <= MAX_DIRECT_BITS;
        is_enough.then_some(look)
    }

    /// Counts what was known without being looked for.
    pub(crate) fn count_known(&mut self, count: u32) {
        self.past.0 += u64::from(count);
    }

    /// Counts that other workers were asked. What one of them knew counts as if it had been known here: how much of it there is
    /// says nothing about how often it is needed again.
    pub(crate) fn count_asked(&mut self, region: u32, was_told: bool) {
        let Region { hits, misses, asked, told, .. } = &mut self.regions[region as usize];
        *asked += 1;
        if was_told {
            *told += 1;
            *hits += 1;
            *misses = misses.saturating_sub(1);
        }
    }

    /// Whether others so seldom know what is asked of an action or predicate that asking and telling takes longer than it saves.
    pub(crate) fn is_asked_in_vain(&self, region: u32) -> bool {
        let Region { asked, told, .. } = self.regions[region as usize];
        asked >= LEAST_ASKED && told < asked / SHARE_OF_TOLD
    }

    /// The same, with what is looked at on the way. Nothing is counted.
    pub(crate) fn path(&self, region: u32, state: &[u32], reads: &mut Reads) -> Option<Leaf> {
        let at = self.seek(region, state, |word, mask| reads.add(word, mask));
        (at != NOTHING).then_some(at & !LEAF)
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

    /// Forgets what is seldom of use, if that may be because the sets of the state have got more elements since: what goes
    /// through a set depends on all elements that are not known, and there are less of those now. Says whether it did.
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
        let Region { hits, misses, elements: before, in_pool, .. } = self.regions[region as usize];
        if elements <= before {
            return false;
        }
        self.past.0 += u64::from(hits);
        self.past.1 += u64::from(misses);
        self.regions[region as usize] = Region { elements, in_pool, ..Region::default() };
        true
    }

    /// Whether it is time to look at an action in pieces: seldom, and if what is found out of it is seldom needed again.
    pub(crate) fn may_be_in_pieces(&self, region: u32) -> bool {
        let Region { hits, misses, .. } = self.regions[region as usize];
        misses >= MISSES_OF_ONE && misses.is_power_of_two() && hits / 2 < misses
    }

    /// How often something of some actions and predicates was not known.
    pub(crate) fn misses(&self, regions: impl Iterator<Item = u32>) -> u64 {
        regions.map(|region| u64::from(self.regions[region as usize].misses)).sum()
    }

    /// Whether nothing of the state is needed to know that there are no successors.
    pub(crate) fn is_dead(&self, region: u32) -> bool {
        self.regions[region as usize].root == LEAF | FALSE
    }

    /// A leaf for these successors.
    pub(crate) fn leaf(&mut self, ways: &[(u32, Vec<Write>)]) -> Leaf {
        if ways.is_empty() {
            return FALSE;
        }
        self.leaf_of(ways.iter().map(|(label, writes)| (*label, writes.as_slice())))
    }

    /// The same for labels and writes. States that differ in what is read often have the same successors, which are kept once.
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
        let mut left: SmallVec<[(u32, u32); 16]> = reads.into();
        let mut at = self.regions[region as usize].root;
        // Where the branch is that is followed: the node and the value, or the root.
        let mut from = None;
        while at != NOTHING {
            if at & LEAF != 0 {
                return;
            }
            if at & TAIL != 0 {
                let Some(node) = self.branch_off(at, state) else { return };
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
    }

    /// A branch for a tail, which is a leaf if it has no conditions.
    fn tail_of(&mut self, tail: Tail) -> Branch {
        if tail.first == tail.end {
            return LEAF | tail.leaf;
        }
        self.tails.push(tail);
        TAIL | (self.tails.len() as u32 - 1)
    }

    /// Makes nodes of a tail up to the first condition that does not hold in a state, and gives the first node. None if all
    /// of them hold.
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

    /// Keeps what another one knows of the same action or predicate in this state.
    pub(crate) fn learn(&mut self, region: u32, other: &Self, there: u32, state: &[u32]) -> Option<Leaf> {
        let mut reads: SmallVec<[(u32, u32); 16]> = SmallVec::new();
        let at = other.seek(there, state, |word, mask| reads.push((word, mask)));
        if at == NOTHING {
            return None;
        }
        let leaf = self.same_leaf(other, at & !LEAF);
        self.keep(region, &reads, state, leaf);
        Some(leaf)
    }

    /// The leaf for what follows by a leaf of another one.
    pub(crate) fn same_leaf(&mut self, other: &Self, leaf: Leaf) -> Leaf {
        if matches!(leaf, FALSE | TRUE) {
            return leaf;
        }
        let ways = other.ways(leaf).map(|way| other.way(way));
        self.leaf_of(ways.map(|way| (way.label, other.writes(way))))
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
        let past = self.past;
        *self = Self::new();
        self.past = past;
        self.regions = regions.into_iter().map(|region| Region { root: NOTHING, ..region }).collect();
    }
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
        // Written to at once, which `vec!` does not do for zeros: memory that is read before it is written to is made twice, and
        // all workers are held up for it. Entries are scattered, so all of it is needed soon.
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
mod tests {
    use super::*;

    /// What an imaginary action reads of a state, one after the other, and what follows: which bits it reads depends on what
    /// it has read before.
    fn evaluate(state: &[u32], action: u32) -> (Vec<(u32, u32)>, Leaf) {
        let masks = [0xF, 0xF0, 0x3FF00, 0x7000_0000];
        let (mut reads, mut seen) = (Vec::new(), u64::from(action));
        while reads.len() < 6 && !(seen ^ (seen >> 17)).is_multiple_of(4) {
            let (word, mask) = ((seen % 3) as u32, masks[(seen >> 2) as usize % masks.len()]);
            reads.push((word, mask));
            let value = u64::from(state[word as usize] & mask);
            seen = (seen ^ value).wrapping_mul(0x2545_F491_4F6C_DD1D).rotate_left(23);
        }
        (reads, (seen % 2) as Leaf)
    }

    #[test]
    fn a_word_may_have_all_its_bits() {
        let mut memo = Memo::new();
        let region = memo.region(None);
        for (word, leaf) in [(1, TRUE), (u32::MAX, FALSE), (0, TRUE)] {
            memo.keep(region, &[(0, u32::MAX)], &[word], leaf);
        }
        let found = [0, 1, u32::MAX, 2].map(|word| memo.find(region, &[word]));
        assert_eq!(found, [Some(TRUE), Some(TRUE), Some(FALSE), None]);
    }

    #[test]
    fn who_is_never_told_anything_asks_no_more() {
        let mut memo = Memo::new();
        let [silent, rare, useful] = [0; 3].map(|_| memo.region(Some(0)));
        for question in 0..2 * SHARE_OF_TOLD * LEAST_ASKED {
            memo.count_asked(silent, false);
            memo.count_asked(rare, question % (2 * SHARE_OF_TOLD) == 0);
            memo.count_asked(useful, question % (SHARE_OF_TOLD / 2) == 0);
            let asked = question + 1;
            assert_eq!(memo.is_asked_in_vain(silent), asked >= LEAST_ASKED);
            assert!(!memo.is_asked_in_vain(useful));
        }
        assert!(memo.is_asked_in_vain(rare));
        // What is begun anew is asked for anew.
        assert!(memo.forget(silent, 1) && !memo.is_asked_in_vain(silent));
    }

    #[test]
    fn what_is_known_is_what_evaluation_says() {
        let mut memo = Memo::new();
        let mut random = 7_u64;
        let mut next = move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as u32
        };
        let regions: Vec<u32> = (0..8).map(|_| memo.region(None)).collect();
        let (mut known, mut ruled_out) = (0, 0);
        for _ in 0..20_000 {
            let state = [next() & 0x7003_FF33, next() & 0x1001_0111, next() & 0x3000_0F01];
            for &region in &regions {
                let (reads, leaf) = evaluate(&state, region);
                if let Some(look) = memo.never(region, &state) {
                    assert_eq!(
                        (leaf, (state[look.word as usize] & look.mask) >> look.shift),
                        (FALSE, look.value)
                    );
                    ruled_out += 1;
                }
                let found = memo.find(region, &state);
                assert!(found.is_none_or(|found| found == leaf), "{state:?} {reads:?}");
                known += usize::from(found.is_some());
                let mut path = Reads::default();
                assert_eq!(memo.path(region, &state, &mut path), found);
                memo.keep(region, &reads, &state, leaf);
                assert_eq!(memo.find(region, &state), Some(leaf));
            }
        }
        assert!(known > 40_000 && ruled_out > 100, "{known} were known, {ruled_out} by one look");
        let mut other = Memo::new();
        let there = other.region(None);
        assert_eq!(other.learn(there, &memo, regions[3], &[0; 3]), memo.find(regions[3], &[0; 3]));
    }
}
