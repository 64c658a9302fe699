//! Elements of sets taken by chance, without going through sets that are only described.

use super::{Domain, FnBuilder, Outcome, Symbolic, Value, tick};

/// A source of chance: a number below the one it is given.
pub(crate) type Chance<'a> = dyn FnMut(u64) -> u64 + 'a;

impl Value {
    /// An element of a finite set that is not empty, each with equal chance.
    pub fn sample(&self, chance: &mut Chance<'_>) -> Outcome<Self> {
        tick(1)?;
        let lazy = match self {
            Self::Set(set) if !set.slice.is_empty() => {
                return Ok(set.slice[chance(set.slice.len() as u64) as usize].clone());
            }
            Self::Interval(ends) => {
                return Ok(Self::Int(ends.first() + chance(ends.size() as u64) as i64));
            }
            Self::Lazy(lazy) => lazy,
            other => return Err(super::Fault::wrong("a random choice", "sets that are not empty", other)),
        };
        match &lazy.kind {
            Symbolic::Subset(set) => {
                let set = set.explicit("SUBSET")?;
                let kept = set.slice.iter().filter(|_| chance(2) == 1).cloned();
                Ok(Self::from_sorted(kept.collect()))
            }
            Symbolic::Functions(domain, range) => {
                let keys = domain.explicit("[S -> T]")?;
                let mut values = Vec::with_capacity(keys.slice.len());
                for _ in &keys.slice {
                    values.push(range.sample(chance)?);
                }
                Ok(FnBuilder::finish_with(Domain::of(&keys), values))
            }
            Symbolic::Records(names, sets) => {
                let values: Outcome<Vec<Self>> = sets.iter().map(|set| set.sample(chance)).collect();
                Ok(Self::record(names.clone(), values?))
            }
            Symbolic::Product(sets) => {
                let items: Outcome<Vec<Self>> = sets.iter().map(|set| set.sample(chance)).collect();
                Ok(Self::seq(items?))
            }
            _ => Self::Set(self.explicit("a random choice")?).sample(chance),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Symbolic, Value};

    #[test]
    #[expect(clippy::mutable_key_type, reason = "only the memory of the hash is mutable")]
    fn every_element_is_taken_about_as_often_as_any_other() {
        let two = Value::interval(1, 2);
        let sets: [Value; 4] = [
            Symbolic::Subset(Value::interval(1, 3)).into(),
            Symbolic::Functions(Value::interval(5, 7), two.clone()).into(),
            Symbolic::Product(vec![two.clone(), two.clone(), two.clone()]).into(),
            Value::interval(11, 18),
        ];
        for set in sets {
            let mut counts = std::collections::BTreeMap::new();
            let mut state = 1_u64;
            for _ in 0..8000 {
                let mut chance = |below: u64| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (state >> 33) % below
                };
                *counts.entry(set.sample(&mut chance).unwrap()).or_insert(0) += 1;
            }
            assert_eq!(counts.len(), 8, "{set:?}");
            for (element, count) in counts {
                assert!(set.contains(&element).unwrap());
                assert!((800..1200).contains(&count), "{element:?} {count}");
            }
        }
    }
}
