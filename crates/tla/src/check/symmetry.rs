//! Symmetry: states that differ only by a permutation of model values have one fingerprint.
//!
//! The fingerprint is the least over all permutations of a hash that does not depend on the order of elements, so
//! that the permuted state need not be built.

use rustc_hash::FxHashMap;

use crate::eval::Context;
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
    pub(crate) fn new(context: &Context, value: &Value) -> Outcome<Self> {
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
        let _ = context;
        Ok(Self { permutations: closure(size, &tables)? })
    }

    /// The least hash of the state under all permutations.
    pub(crate) fn fingerprint(&self, state: &[Value]) -> u64 {
        self.permutations
            .iter()
            .map(|images| {
                state.iter().fold(state.len() as u64, |hash, value| mix(hash, permuted_hash(value, images)))
            })
            .min()
            .unwrap_or(0)
    }
}

/// All products of the permutations.
fn closure(size: usize, generators: &[Vec<u32>]) -> Outcome<Vec<Vec<u32>>> {
    let identity: Vec<u32> = (0..size as u32).collect();
    let mut known = rustc_hash::FxHashSet::default();
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

fn permuted_hash(value: &Value, images: &[u32]) -> u64 {
    match value {
        Value::Model(symbol) => {
            let image = images.get(symbol.0 as usize).copied().unwrap_or(symbol.0);
            mix(1, u64::from(image))
        }
        Value::Set(set) => {
            let sum = set
                .slice
                .iter()
                .fold(0_u64, |sum, element| sum.wrapping_add(mix(11, permuted_hash(element, images))));
            mix(5, sum ^ set.slice.len() as u64)
        }
        Value::Fn(function) => match function.domain_kind() {
            Domain::Keys(keys) => {
                let sum = keys.slice.iter().zip(&function.slice).fold(0_u64, |sum, (key, value)| {
                    sum.wrapping_add(mix(permuted_hash(key, images), permuted_hash(value, images)))
                });
                mix(6, sum ^ function.slice.len() as u64)
            }
            Domain::Seq => sequence_hash(1, &function.slice, images),
            Domain::From(lo) => sequence_hash(*lo as u64, &function.slice, images),
        },
        Value::Lazy(lazy) => match lazy.forced() {
            Some(set) => permuted_hash(set, images),
            None => value.hash64(),
        },
        Value::Interval(lo, hi) => {
            let sum = (*lo..=*hi)
                .fold(0_u64, |sum, i| sum.wrapping_add(mix(11, Value::Int(i64::from(i)).hash64())));
            let size = (i64::from(*hi) - i64::from(*lo) + 1).max(0) as u64;
            mix(5, sum ^ size)
        }
        other => other.hash64(),
    }
}

fn sequence_hash(first: u64, values: &[Value], images: &[u32]) -> u64 {
    values.iter().fold(mix(7, first), |hash, value| mix(hash, permuted_hash(value, images)))
}
