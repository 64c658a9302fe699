//! Hashes of values under permutations of model values, such that the permuted values need not be built.
//!
//! A hash here does not depend on the order of elements, which a permutation changes. All permutations are followed in
//! one walk. Parts of a state mostly were parts of the state before, so what is found out of them is remembered.

use super::{Domain, FnBuilder, Symbol, Value, mix};

/// Permutations of model values.
#[derive(Debug)]
pub struct Permutations {
    count: usize,
    /// For each model value by its number, the hash of its image under each permutation; nothing if it is its own image
    /// under all of them.
    images: Vec<Box<[u64]>>,
    /// The permutations themselves, the identity first.
    maps: Vec<Vec<u64>>,
}

impl Permutations {
    /// From the images of the first model values under each permutation; others stand for themselves.
    pub fn new(permutations: &[Vec<u64>]) -> Self {
        let size = permutations.iter().map(Vec::len).max().unwrap_or(0);
        let image = |permutation: &Vec<u64>, i: usize| permutation.get(i).copied().unwrap_or(i as u64);
        let images = |i| {
            if permutations.iter().all(|permutation| image(permutation, i) == i as u64) {
                return Box::default();
            }
            permutations.iter().map(|permutation| hash_of_model_value(image(permutation, i))).collect()
        };
        let maps = permutations.to_vec();
        Self { count: permutations.len(), images: (0..size).map(images).collect(), maps }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The hashes of a value under each of them, as [`Value::hash64`] has it.
    pub fn hashes<'a>(&'a self, value: &'a Value) -> impl Iterator<Item = u64> + 'a {
        self.maps.iter().map(|map| permuted(value, map).hash64())
    }
}

/// A value with other model values in place of those in it.
fn permuted(value: &Value, map: &[u64]) -> Value {
    match value {
        Value::Model(Symbol(number)) => {
            Value::Model(Symbol(map.get(*number as usize).copied().unwrap_or(*number)))
        }
        Value::Set(set) => Value::set_of(set.slice.iter().map(|element| permuted(element, map))),
        Value::Fn(function) => {
            let values = function.slice.iter().map(|value| permuted(value, map)).collect::<Vec<_>>();
            match &function.header.header.domain {
                Domain::Keys(keys) => {
                    let keys = keys.slice.iter().map(|key| permuted(key, map));
                    Value::function_of(keys.zip(values).collect())
                }
                domain => FnBuilder::finish_with(domain.clone(), values),
            }
        }
        other => other.clone(),
    }
}

fn hash_of_model_value(number: u64) -> u64 {
    mix(1, number)
}

/// The most hashes that are remembered.
const MAX_HASHES: usize = 1 << 17;
/// The most values whose hashes are remembered.
const MAX_ENTRIES: usize = 1 << 14;

/// One worker's cache of the hashes of values under the permutations of one symmetry.
#[derive(Debug, Default)]
pub struct PermutedHashes {
    /// Values at the place that their address gives them. They are kept so that the address remains theirs.
    entries: Box<[Entry]>,
    /// The hashes of the value at each place, one for each permutation.
    hashes: Box<[u64]>,
    /// The hashes of what is being walked through, one for each permutation.
    stack: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Entry {
    value: Value,
    /// The hash, if it is the same under all permutations.
    same: Option<u64>,
}

/// A hash under all permutations: one for all of them, or one for each on the stack, from this place on.
#[derive(Clone, Copy)]
enum Hash {
    Same(u64),
    Each(usize),
}

impl PermutedHashes {
    /// The least hash of a state under all permutations. They must be the same each time.
    pub fn least(&mut self, permutations: &Permutations, state: &[Value]) -> u64 {
        if self.entries.is_empty() {
            let room = (MAX_HASHES / permutations.count.max(1)).clamp(1, MAX_ENTRIES);
            let size = 1 << room.ilog2();
            self.entries = vec![Entry { value: Value::Unset, same: None }; size].into();
            self.hashes = vec![0; size * permutations.count].into();
        }
        self.stack.clear();
        let mut walk = Walk { permutations, known: self };
        let mut hash = Hash::Same(state.len() as u64);
        for value in state {
            hash = walk.add(hash, value, mix);
        }
        match hash {
            Hash::Same(hash) => hash,
            Hash::Each(at) => self.stack[at..].iter().copied().min().unwrap_or(0),
        }
    }
}

struct Walk<'a> {
    permutations: &'a Permutations,
    known: &'a mut PermutedHashes,
}

impl Walk<'_> {
    /// Combines the hash of a value into what is collected, which is on top of the stack if it is there.
    #[inline]
    fn add(&mut self, sum: Hash, value: &Value, combine: impl Fn(u64, u64) -> u64) -> Hash {
        let hash = self.hash(value);
        self.combine(sum, hash, combine)
    }

    #[inline]
    fn combine(&mut self, sum: Hash, hash: Hash, combine: impl Fn(u64, u64) -> u64) -> Hash {
        let count = self.permutations.count;
        match (sum, hash) {
            (Hash::Same(sum), Hash::Same(hash)) => Hash::Same(combine(sum, hash)),
            (Hash::Each(at), Hash::Same(hash)) => {
                self.known.stack[at..at + count].iter_mut().for_each(|sum| *sum = combine(*sum, hash));
                Hash::Each(at)
            }
            (Hash::Same(sum), Hash::Each(at)) => {
                self.known.stack[at..at + count].iter_mut().for_each(|hash| *hash = combine(sum, *hash));
                Hash::Each(at)
            }
            (Hash::Each(at), Hash::Each(top)) => {
                let (below, above) = self.known.stack.split_at_mut(top);
                for (sum, hash) in below[at..].iter_mut().zip(above) {
                    *sum = combine(*sum, *hash);
                }
                self.known.stack.truncate(top);
                Hash::Each(at)
            }
        }
    }

    fn hash(&mut self, value: &Value) -> Hash {
        match value {
            Value::Model(symbol) => match self.permutations.images.get(symbol.0 as usize) {
                Some(images) if !images.is_empty() => {
                    self.known.stack.extend_from_slice(images);
                    Hash::Each(self.known.stack.len() - images.len())
                }
                _ => Hash::Same(hash_of_model_value(symbol.0)),
            },
            Value::Set(set) => self.remembered(value, set.slice.as_ptr() as usize),
            Value::Fn(function) => self.remembered(value, function.slice.as_ptr() as usize),
            Value::Lazy(lazy) => match lazy.forced() {
                Some(set) => self.hash(set),
                None => Hash::Same(value.hash64()),
            },
            Value::Interval(ends) => {
                let add = |sum: u64, i| sum.wrapping_add(mix(11, Value::Int(i).hash64()));
                Hash::Same(mix(5, ends.all().fold(ends.size() as u64, add)))
            }
            other => Hash::Same(other.hash64()),
        }
    }

    /// The hash of a set or function, from memory if it is there.
    fn remembered(&mut self, value: &Value, address: usize) -> Hash {
        let count = self.permutations.count;
        let place = (mix(0, address as u64) as usize) & (self.known.entries.len() - 1);
        let places = place * count..(place + 1) * count;
        let entry = &self.known.entries[place];
        if entry.value.is_identical(value) {
            if let Some(hash) = entry.same {
                return Hash::Same(hash);
            }
            self.known.stack.extend_from_slice(&self.known.hashes[places]);
            return Hash::Each(self.known.stack.len() - count);
        }
        let hash = self.hash_parts(value);
        let same = match hash {
            Hash::Same(hash) => Some(hash),
            Hash::Each(at) => {
                self.known.hashes[places].copy_from_slice(&self.known.stack[at..at + count]);
                None
            }
        };
        self.known.entries[place] = Entry { value: value.clone(), same };
        hash
    }

    fn hash_parts(&mut self, value: &Value) -> Hash {
        match value {
            Value::Set(set) => {
                let mut sum = Hash::Same(set.slice.len() as u64);
                for element in &set.slice {
                    sum = self.add(sum, element, |sum, hash| sum.wrapping_add(mix(11, hash)));
                }
                self.end(sum, 5)
            }
            Value::Fn(function) => match &function.header.header.domain {
                Domain::Keys(keys) => {
                    let mut sum = Hash::Same(function.slice.len() as u64);
                    for (key, value) in keys.slice.iter().zip(&function.slice) {
                        let pair = self.add(Hash::Same(13), key, mix);
                        let pair = self.add(pair, value, mix);
                        sum = self.combine(sum, pair, u64::wrapping_add);
                    }
                    self.end(sum, 6)
                }
                Domain::Seq => self.sequence(1, &function.slice),
                Domain::From(lo) => self.sequence(*lo as u64, &function.slice),
            },
            other => self.hash(other),
        }
    }

    fn sequence(&mut self, first: u64, values: &[Value]) -> Hash {
        let mut sum = Hash::Same(mix(7, first));
        for value in values {
            sum = self.add(sum, value, mix);
        }
        self.end(sum, 7)
    }

    fn end(&mut self, sum: Hash, tag: u64) -> Hash {
        match sum {
            Hash::Same(sum) => Hash::Same(mix(tag, sum)),
            Hash::Each(at) => {
                let count = self.permutations.count;
                self.known.stack[at..at + count].iter_mut().for_each(|sum| *sum = mix(tag, *sum));
                Hash::Each(at)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Permutations, PermutedHashes, permuted};
    use crate::value::{Symbol, Value};

    fn model(i: u64) -> Value {
        Value::Model(Symbol(i))
    }

    /// A state that speaks of two model values in sets, functions, sequences and records.
    fn state(a: u64, b: u64) -> Vec<Value> {
        let function = Value::function_of(vec![(model(a), Value::Int(1)), (model(b), model(a))]);
        let pair = Value::seq(vec![model(b), Value::set_of([model(a), Value::seq(vec![])])]);
        vec![Value::set_of([function.clone(), pair.clone()]), pair, function, model(b), Value::Int(7)]
    }

    #[test]
    fn permuted_states_have_one_hash_and_others_another() {
        let permutations = Permutations::new(&[vec![0, 1, 2], vec![0, 2, 1]]);
        let mut hashes = PermutedHashes::default();
        let (one, other) = (state(1, 2), state(2, 1));
        let least = hashes.least(&permutations, &one);
        assert_eq!(least, hashes.least(&permutations, &other));
        // Again, from memory, and with nothing in memory.
        assert_eq!(least, hashes.least(&permutations, &one));
        assert_eq!(least, PermutedHashes::default().least(&permutations, &other));
        assert_ne!(least, hashes.least(&permutations, &state(0, 1)), "0 is not permuted");
        assert_ne!(least, hashes.least(&permutations, &state(1, 1)));
        let mut mixed = one.clone();
        mixed[3] = model(1);
        assert_ne!(least, hashes.least(&permutations, &mixed), "all of a state is permuted at once");
        let images: Vec<Value> = one.iter().map(|value| permuted(value, &[0, 2, 1])).collect();
        assert_eq!(images, other);
    }
}
