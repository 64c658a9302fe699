//! Symmetry: states that differ only by a permutation of model values have one fingerprint.
//!
//! The fingerprint is the least over all permutations of a hash that does not depend on the order of elements, so
//! that the permuted state need not be built.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::value::{Domain, DomainKind, Fault, FaultKind, Outcome, Symbol, Value, mix};

/// A group of permutations of model values.
#[derive(Debug)]
pub(crate) struct Symmetry {
    /// For each permutation, the image of each model value by its number; others stand for themselves.
    permutations: Vec<Vec<u32>>,
}

/// The most permutations that are tried on every state.
const MAX_PERMUTATIONS: usize = 100_000;

impl Symmetry {
    /// From the value of the configuration's SYMMETRY: a set of permutations, whose products are taken too.
    pub(crate) fn new(value: &Value) -> Outcome<Self> {
        let functions = value.explicit("SYMMETRY")?;
        let mut generators: Vec<FxHashMap<Symbol, Symbol>> = Vec::new();
        for function in &functions.slice {
            let pairs = function.pairs().ok_or_else(|| Fault::wrong("SYMMETRY", "permutations", function))?;
            let mut images = FxHashMap::default();
            for (key, image) in pairs {
                match (key, image) {
                    (Value::Model(key), Value::Model(image)) => {
                        images.insert(key, image);
                    }
                    (other, Value::Model(_)) | (_, other) => {
                        return Err(Fault::wrong("SYMMETRY", "permutations of model values", &other));
                    }
                }
            }
            let taken: FxHashSet<Symbol> = images.values().copied().collect();
            if taken.len() < images.len() || !taken.iter().all(|image| images.contains_key(image)) {
                let what = "permutations (which take the elements of a set to those of the same set, each to one of its own)";
                return Err(Fault::wrong("SYMMETRY", what, function));
            }
            generators.push(images);
        }
        let size = generators
            .iter()
            .flat_map(|images| images.keys().chain(images.values()))
            .map(|symbol| symbol.0 as usize + 1)
            .max()
            .unwrap_or(0);
        let tables: Vec<Vec<u32>> = generators
            .iter()
            .map(|images| (0..size as u32).map(|i| images.get(&Symbol(i)).map_or(i, |s| s.0)).collect())
            .collect();
        Ok(Self { permutations: closure(size, &tables)? })
    }

    /// The least hash of the state under all permutations.
    pub(crate) fn fingerprint(&self, state: &[Value]) -> u64 {
        let mut walk = Walk { permutations: &self.permutations, stack: Vec::with_capacity(256) };
        let mut hashes = Sums::Same(state.len() as u64);
        for value in state {
            walk.add(&mut hashes, value, mix);
        }
        match hashes {
            Sums::Same(hash) => hash,
            Sums::Each(hashes) => hashes.into_iter().min().unwrap_or(0),
        }
    }
}

/// Hashes a value under all permutations in one walk. The order of elements does not matter to the hash.
struct Walk<'a> {
    permutations: &'a [Vec<u32>],
    /// The hashes of values that are not the same under all permutations, one for each permutation.
    stack: Vec<u64>,
}

impl Walk<'_> {
    /// The hash if it is the same under all permutations; otherwise one for each is on the stack.
    fn hash(&mut self, value: &Value) -> Option<u64> {
        match value {
            Value::Model(symbol) => {
                let at = symbol.0 as usize;
                if self
                    .permutations
                    .iter()
                    .all(|images| images.get(at).is_none_or(|image| *image == symbol.0))
                {
                    return Some(mix(1, u64::from(symbol.0)));
                }
                for images in self.permutations {
                    self.stack.push(mix(1, u64::from(images.get(at).copied().unwrap_or(symbol.0))));
                }
                None
            }
            Value::Set(set) => {
                let mut sums = Sums::Same(set.slice.len() as u64);
                for element in &set.slice {
                    self.add(&mut sums, element, |sum, hash| sum.wrapping_add(mix(11, hash)));
                }
                self.end(sums, 5)
            }
            Value::Fn(function) => {
                let size = function.slice.len() as u64;
                match function.domain_kind() {
                    Domain::Keys(keys) => {
                        let mut sums = Sums::Same(size);
                        for (key, value) in keys.slice.iter().zip(&function.slice) {
                            let mut pair = Sums::Same(13);
                            self.add(&mut pair, key, mix);
                            self.add(&mut pair, value, mix);
                            sums.combine(pair, u64::wrapping_add);
                        }
                        self.end(sums, 6)
                    }
                    Domain::Seq => self.sequence(1, &function.slice),
                    Domain::From(lo) => self.sequence(*lo as u64, &function.slice),
                }
            }
            Value::Lazy(lazy) => match lazy.forced() {
                Some(set) => self.hash(set),
                None => Some(value.hash64()),
            },
            Value::Interval(lo, hi) => {
                let size = (i64::from(*hi) - i64::from(*lo) + 1).max(0) as u64;
                let sum = (*lo..=*hi)
                    .fold(size, |sum, i| sum.wrapping_add(mix(11, Value::Int(i64::from(i)).hash64())));
                Some(mix(5, sum))
            }
            other => Some(other.hash64()),
        }
    }

    fn sequence(&mut self, first: u64, values: &[Value]) -> Option<u64> {
        let mut hashes = Sums::Same(mix(7, first));
        for value in values {
            self.add(&mut hashes, value, mix);
        }
        self.end(hashes, 7)
    }

    /// Combines the hash of a value into what is collected.
    fn add(&mut self, sums: &mut Sums, value: &Value, combine: impl Fn(u64, u64) -> u64) {
        let hash = match self.hash(value) {
            Some(hash) => Sums::Same(hash),
            None => Sums::Each(self.stack.split_off(self.stack.len() - self.permutations.len())),
        };
        sums.combine(hash, combine);
    }

    fn end(&mut self, sums: Sums, tag: u64) -> Option<u64> {
        match sums {
            Sums::Same(sum) => Some(mix(tag, sum)),
            Sums::Each(all) => {
                self.stack.extend(all.into_iter().map(|sum| mix(tag, sum)));
                None
            }
        }
    }
}

/// Hashes that are being collected: one for all permutations, or one for each.
enum Sums {
    Same(u64),
    Each(Vec<u64>),
}

impl Sums {
    fn combine(&mut self, other: Self, combine: impl Fn(u64, u64) -> u64) {
        match (&mut *self, other) {
            (Self::Same(sum), Self::Same(hash)) => *sum = combine(*sum, hash),
            (Self::Each(all), Self::Same(hash)) => {
                for sum in all {
                    *sum = combine(*sum, hash);
                }
            }
            (Self::Each(all), Self::Each(hashes)) => {
                for (sum, hash) in all.iter_mut().zip(hashes) {
                    *sum = combine(*sum, hash);
                }
            }
            (Self::Same(sum), Self::Each(mut hashes)) => {
                for hash in &mut hashes {
                    *hash = combine(*sum, *hash);
                }
                *self = Self::Each(hashes);
            }
        }
    }
}

/// All products of the permutations.
fn closure(size: usize, generators: &[Vec<u32>]) -> Outcome<Vec<Vec<u32>>> {
    let identity: Vec<u32> = (0..size as u32).collect();
    let mut known = FxHashSet::default();
    known.insert(identity.clone());
    let mut all = vec![identity];
    let mut at = 0;
    while at < all.len() {
        for generator in generators {
            let product: Vec<u32> = all[at].iter().map(|&i| generator[i as usize]).collect();
            if known.insert(product.clone()) {
                all.push(product);
            }
        }
        if all.len() > MAX_PERMUTATIONS {
            return Err(Fault::kind(FaultKind::Limit(
                "SYMMETRY has too many permutations",
                format!("more than {MAX_PERMUTATIONS}"),
            )));
        }
        at += 1;
    }
    Ok(all)
}
