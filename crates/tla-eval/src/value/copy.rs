//! Copies of values that share no memory with the original, for one worker of several.
//!
//! Values count who holds them. Two workers that hold the same value write to the same count whenever one of them takes
//! or drops it, and each waits for the other's cache; so each has its own.

use rustc_hash::FxHashMap;
use triomphe::{Arc, ThinArc};

use super::{Domain, FnMeta, Lazy, Meta, SetRef, Symbolic, Value};

/// The most values that are remembered.
const MAX_KNOWN: usize = 1 << 12;

/// Makes copies. What is the same value in several originals is the same in their copies, as far as it is remembered.
#[derive(Debug, Default)]
pub struct Copier {
    /// Copies by the address of the original, which is kept so that the address remains its own.
    known: FxHashMap<usize, (Value, Value)>,
}

/// The most parts that a constant may have to be copied for each worker.
const MAX_PARTS: usize = 1 << 16;

impl Copier {
    /// Whether a constant is small enough to be copied for each worker.
    pub fn is_worth_it(value: &Value) -> bool {
        fn take(value: &Value, left: &mut usize) -> bool {
            let parts: &[Value] = match value {
                Value::Set(set) => &set.slice,
                Value::Fn(function) => &function.slice,
                _ => return true,
            };
            match left.checked_sub(parts.len()) {
                Some(rest) => *left = rest,
                None => return false,
            }
            parts.iter().all(|part| take(part, left))
        }
        take(value, &mut MAX_PARTS.clone())
    }

    /// A copy of a value.
    pub fn copy(&mut self, value: &Value) -> Value {
        match value {
            Value::Set(set) => Value::Set(self.set(set)),
            Value::Fn(function) => {
                let is_shared = ThinArc::with_arc(function, Arc::strong_count) > 1;
                let address = function.slice.as_ptr() as usize;
                if is_shared && let Some((_, copy)) = self.known.get(&address) {
                    return copy.clone();
                }
                let FnMeta { hash, nesting, domain } = &function.header.header;
                let domain = self.domain(domain);
                let values: Vec<Value> = function.slice.iter().map(|value| self.copy(value)).collect();
                let meta = FnMeta { hash: again(hash), nesting: *nesting, domain };
                let copy = Value::Fn(ThinArc::from_header_and_iter(meta, values.into_iter()));
                if is_shared {
                    self.remember(address, value, &copy);
                }
                copy
            }
            Value::Lazy(lazy) => match self.symbolic(&lazy.kind) {
                Some(kind) => Value::Lazy(std::sync::Arc::new(Lazy::new(kind))),
                None => value.clone(),
            },
            other => other.clone(),
        }
    }

    /// A copy of the domain of a function.
    pub fn domain(&mut self, domain: &Domain) -> Domain {
        match domain {
            Domain::Keys(keys) => Domain::Keys(self.set(keys)),
            other => other.clone(),
        }
    }

    fn set(&mut self, set: &SetRef) -> SetRef {
        let is_shared = ThinArc::with_arc(set, Arc::strong_count) > 1;
        let address = set.slice.as_ptr() as usize;
        if is_shared && let Some((_, Value::Set(copy))) = self.known.get(&address) {
            return copy.clone();
        }
        let Meta { hash, nesting } = &set.header.header;
        let elements: Vec<Value> = set.slice.iter().map(|element| self.copy(element)).collect();
        let meta = Meta { hash: again(hash), nesting: *nesting };
        let copy = ThinArc::from_header_and_iter(meta, elements.into_iter());
        if is_shared {
            self.remember(address, &Value::Set(set.clone()), &Value::Set(copy.clone()));
        }
        copy
    }

    /// The description of a set with its parts copied; none if what it is made of cannot be.
    fn symbolic(&mut self, kind: &Symbolic) -> Option<Symbolic> {
        let mut all = |sets: &[Value]| sets.iter().map(|set| self.copy(set)).collect();
        Some(match kind {
            Symbolic::Records(keys, sets) => {
                let sets = all(sets);
                Symbolic::Records(self.set(keys), sets)
            }
            Symbolic::Product(sets) => Symbolic::Product(all(sets)),
            Symbolic::Union(sets) => Symbolic::Union(all(sets)),
            Symbolic::Subset(set) => Symbolic::Subset(self.copy(set)),
            Symbolic::Seq(set) => Symbolic::Seq(self.copy(set)),
            Symbolic::Bags(set) => Symbolic::Bags(self.copy(set)),
            Symbolic::Functions(a, b) => Symbolic::Functions(self.copy(a), self.copy(b)),
            Symbolic::Cup(a, b) => Symbolic::Cup(self.copy(a), self.copy(b)),
            Symbolic::Cap(a, b) => Symbolic::Cap(self.copy(a), self.copy(b)),
            Symbolic::Minus(a, b) => Symbolic::Minus(self.copy(a), self.copy(b)),
            Symbolic::Filter(..) => return None,
            plain => plain.clone(),
        })
    }

    fn remember(&mut self, address: usize, original: &Value, copy: &Value) {
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert(address, (original.clone(), copy.clone()));
    }
}

/// The same hash for a copy.
fn again(hash: &std::sync::atomic::AtomicU64) -> std::sync::atomic::AtomicU64 {
    hash.load(std::sync::atomic::Ordering::Relaxed).into()
}

#[cfg(test)]
mod tests {
    use super::Copier;
    use crate::value::{Domain, FnBuilder, Names, Symbolic, Value};

    #[test]
    fn copies_are_equal_and_share_nothing_with_the_original() {
        let names = Names::new();
        let Value::Set(keys) = Value::set_of([Value::string(&names, "a"), Value::string(&names, "b")]) else {
            unreachable!("a set was made")
        };
        let row = Value::seq(vec![Value::Int(7)]);
        let record = Value::record(keys.clone(), vec![row.clone(), row.clone()]);
        let values = [
            record.clone(),
            Value::set_of([record.clone(), row.clone()]),
            FnBuilder::finish_with(Domain::From(3), vec![row.clone(), Value::TRUE]),
            Symbolic::Functions(Value::Set(keys.clone()), Value::set_of([row.clone()])).into(),
        ];
        let mut copier = Copier::default();
        for value in &values {
            let copy = copier.copy(value);
            assert!(copy.same(value) && !copy.is_identical(value), "{value:?}");
            assert_eq!(copy.hash64(), value.hash64());
        }
        // What was one value twice is so in the copy.
        let copy = copier.copy(&record);
        let copied = copy.values("a test").unwrap();
        assert!(copied[0].is_identical(&copied[1]) && !copied[0].is_identical(&row));
    }
}
