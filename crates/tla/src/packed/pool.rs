//! What several workers have found out, for each other. Each looks up what it knows itself; what it does not know it asks for
//! here before it evaluates it, and what it has evaluated it tells.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::memo::{Leaf, Memo};
use super::plan::Choices;
use super::tables::is_laid_out;

/// In how many parts the pool is, so that workers seldom wait for each other.
const SHARDS: usize = 16;

/// What is found out of a part of a specification.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Asking {
    /// The successors by an action.
    Successors,
    /// Whether an action is possible.
    Possible,
    /// Whether so many conditions are true, of which this is the first.
    True(usize),
    /// What a variable becomes, or the part of it at this place.
    Value(Option<usize>),
    /// What `x' = e` makes of `x`.
    Becomes,
}

/// What a region is about, whoever has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Subject {
    asking: Asking,
    /// Where the part of the specification is.
    address: usize,
    choices: Choices,
}

impl Subject {
    pub(crate) fn new<T>(asking: Asking, part: &T, choices: &Choices) -> Self {
        Self { asking, address: std::ptr::from_ref(part) as usize, choices: choices.clone() }
    }
}

/// What workers tell each other.
#[derive(Debug)]
pub(crate) struct Pool {
    numbers: Mutex<FxHashMap<Subject, u32>>,
    shards: [Mutex<Memo>; SHARDS],
    /// Bytes of a shard beyond which it is forgotten.
    most_kept: usize,
}

impl Pool {
    pub(crate) fn new(most_kept: usize) -> Self {
        Self {
            numbers: Mutex::default(),
            shards: std::array::from_fn(|_| Mutex::new(Memo::new())),
            most_kept: most_kept / SHARDS,
        }
    }

    /// The number of a subject here. None if it cannot be compared with others.
    pub(crate) fn number(&self, subject: Subject) -> Option<u32> {
        if !subject.choices.pins.iter().all(|(_, value)| is_laid_out(value)) {
            return None;
        }
        let mut numbers = lock(&self.numbers);
        let next = numbers.len() as u32;
        let number = *numbers.entry(subject).or_insert(next);
        if number == next {
            let (mut shard, _) = self.shard(number);
            shard.region(None);
        }
        Some(number)
    }

    /// The shard of a number, and the region there.
    fn shard(&self, number: u32) -> (MutexGuard<'_, Memo>, u32) {
        (lock(&self.shards[number as usize % SHARDS]), number / SHARDS as u32)
    }

    /// Has a worker know what another one knows of this.
    pub(crate) fn tell(&self, memo: &mut Memo, region: u32, state: &[u32]) -> Option<Leaf> {
        let (shard, there) = self.shard(memo.in_pool(region)?);
        // What is kept decides what is looked at first, so what others have forgotten is of no use here either.
        memo.forget(region, shard.elements(there));
        memo.learn(region, &shard, there, state)
    }

    /// Has others know what a worker has found out.
    pub(crate) fn hear(&self, memo: &Memo, region: u32, reads: &[(u32, u32)], state: &[u32], leaf: Leaf) {
        let Some(number) = memo.in_pool(region) else { return };
        let (mut shard, there) = self.shard(number);
        if memo.elements(region) < shard.elements(there) {
            return;
        }
        if shard.bytes() > self.most_kept {
            shard.clear();
        }
        let leaf = shard.same_leaf(memo, leaf);
        shard.keep(there, reads, state, leaf);
    }

    /// Forgets what a worker has forgotten too, if that was found out when sets had fewer elements than now.
    pub(crate) fn forget(&self, memo: &Memo, region: u32, elements: u32) {
        let Some(number) = memo.in_pool(region) else { return };
        let (mut shard, there) = self.shard(number);
        shard.forget(there, elements);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::tables::{Write, WriteKind};

    #[test]
    fn what_one_worker_finds_out_another_one_knows() {
        let pool = Pool::new(1 << 20);
        let part = 0_u64;
        let number = |asking| pool.number(Subject::new(asking, &part, &Choices::default()));
        assert_eq!(number(Asking::Successors), number(Asking::Successors));
        assert_ne!(number(Asking::Successors), number(Asking::Possible));

        let (mut first, mut second) = (Memo::new(), Memo::new());
        let here = first.region(number(Asking::Successors));
        second.region(None);
        let there = second.region(number(Asking::Successors));
        let write = Write { field: 0, word: 2, mask: 15, value: 8, hash: 1, kind: WriteKind::Number };
        let leaf = first.leaf(&[(3, vec![write.clone()])]);
        first.keep(here, &[(2, 15)], &[0, 0, 7], leaf);

        assert_eq!(pool.tell(&mut second, there, &[0, 0, 7]), None);
        pool.hear(&first, here, &[(2, 15)], &[0, 0, 7], leaf);
        // It depends on no more than what was read.
        let told = pool.tell(&mut second, there, &[1, 1, 7 | 16]).expect("the first one knows it");
        let ways: Vec<_> = second.ways(told).map(|way| second.way(way)).collect();
        assert_eq!(
            ways.iter().map(|way| (way.label, second.writes(*way))).collect::<Vec<_>>(),
            [(3, [write].as_slice())]
        );
        assert_eq!(second.find(there, &[0, 0, 7]), Some(told));
        assert_eq!(pool.tell(&mut second, there, &[0, 0, 6]), None);

        pool.forget(&first, here, 1);
        let mut third = Memo::new();
        let region = third.region(number(Asking::Successors));
        assert_eq!(pool.tell(&mut third, region, &[0, 0, 7]), None);
        // Who asks for what was forgotten forgets it too, and what was found out before is not told any more.
        assert_eq!(second.find(there, &[0, 0, 7]), Some(told));
        assert_eq!(pool.tell(&mut second, there, &[0, 0, 6]), None);
        assert_eq!((second.find(there, &[0, 0, 7]), second.elements(there)), (None, 1));
        pool.hear(&first, here, &[(2, 15)], &[0, 0, 7], leaf);
        assert_eq!(pool.tell(&mut second, there, &[0, 0, 7]), None);
        first.forget(here, 1);
        first.keep(here, &[(2, 15)], &[0, 0, 7], leaf);
        pool.hear(&first, here, &[(2, 15)], &[0, 0, 7], leaf);
        assert!(pool.tell(&mut second, there, &[0, 0, 7]).is_some());
    }
}
