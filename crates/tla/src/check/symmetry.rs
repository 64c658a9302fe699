//! Symmetry: states that differ only by a permutation of model values have one fingerprint, the least over all
//! permutations of a hash. Here the configuration becomes a group of permutations.

use rustc_hash::{FxHashMap, FxHashSet};

use locus_tla_eval::value::{Fault, FaultKind, Outcome, Permutations, Symbol, Value};

/// The most permutations that are tried on every state.
const MAX_PERMUTATIONS: usize = 100_000;

/// The group that the value of the configuration's SYMMETRY, a set of permutations, generates.
pub(crate) fn group(value: &Value) -> Outcome<Permutations> {
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
    let tables: Vec<Vec<u64>> = generators
        .iter()
        .map(|images| (0..size as u64).map(|i| images.get(&Symbol(i)).map_or(i, |s| s.0)).collect())
        .collect();
    Ok(Permutations::new(&closure(size, &tables)?))
}

/// All products of the permutations.
fn closure(size: usize, generators: &[Vec<u64>]) -> Outcome<Vec<Vec<u64>>> {
    let identity: Vec<u64> = (0..size as u64).collect();
    let mut known = FxHashSet::default();
    known.insert(identity.clone());
    let mut all = vec![identity];
    let mut at = 0;
    while at < all.len() {
        for generator in generators {
            let product: Vec<u64> = all[at].iter().map(|&i| generator[i as usize]).collect();
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
