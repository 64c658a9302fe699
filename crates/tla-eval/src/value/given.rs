//! Membership of a value that differs little from one that is known to be a member.
//!
//! Most invariants have conjuncts such as `network \in [Proc -> [Proc -> Seq(Message)]]`. The state before a step
//! satisfies them, and the step changes one entry, so one entry is looked at.

use super::order::same_domain;
use super::{Outcome, Symbolic, Value};

impl Value {
    /// Whether `element` is in this set, given that `known` is.
    pub fn contains_given(&self, element: &Self, known: &Self) -> Outcome<bool> {
        if element.is_identical(known) {
            return Ok(true);
        }
        let Self::Lazy(lazy) = self else { return self.contains(element) };
        match (&lazy.kind, element, known) {
            (Symbolic::Functions(_, range), Self::Fn(f), Self::Fn(g)) if same_domain(f, g) => {
                all(f.slice.iter().zip(&g.slice).map(|(a, b)| range.contains_given(a, b)))
            }
            (Symbolic::Records(_, sets), Self::Fn(f), Self::Fn(g)) if same_domain(f, g) => {
                all(f.slice.iter().zip(&g.slice).zip(sets).map(|((a, b), set)| set.contains_given(a, b)))
            }
            (Symbolic::Product(sets), Self::Fn(f), Self::Fn(g)) if same_domain(f, g) => {
                all(f.slice.iter().zip(&g.slice).zip(sets).map(|((a, b), set)| set.contains_given(a, b)))
            }
            (Symbolic::Seq(set), _, _) => match (element.as_seq(), known.as_seq()) {
                (Some(items), Some(known)) => all_given(set, items, known),
                _ => self.contains(element),
            },
            (Symbolic::Subset(set), Self::Set(a), Self::Set(b)) => all_given(set, &a.slice, &b.slice),
            _ => self.contains(element),
        }
    }
}

/// Whether all items are in a set, given that all of `known` are. What stands in both lists in the same order, and no
/// more than one place further in the second, is found there.
fn all_given(set: &Value, items: &[Value], known: &[Value]) -> Outcome<bool> {
    let mut at = 0;
    for item in items {
        if known.get(at).is_some_and(|known| known.is_identical(item)) {
            at += 1;
        } else if known.get(at + 1).is_some_and(|known| known.is_identical(item)) {
            at += 2;
        } else if !set.contains(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn all(results: impl Iterator<Item = Outcome<bool>>) -> Outcome<bool> {
    for result in results {
        if !result? {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::value::{Symbolic, Value};

    /// Sets of nested values, and values some of which are in them.
    fn sets() -> Vec<Value> {
        let small = Value::interval(0, 2);
        let row: Value = Symbolic::Functions(Value::interval(1, 2), small.clone()).into();
        vec![
            row.clone(),
            Symbolic::Seq(small.clone()).into(),
            Symbolic::Seq(Symbolic::Subset(small.clone()).into()).into(),
            Symbolic::Subset(small.clone()).into(),
            Symbolic::Subset(row.clone()).into(),
            Symbolic::Product(vec![small.clone(), row.clone()]).into(),
            Symbolic::Functions(Value::interval(1, 2), row).into(),
            Symbolic::Functions(Value::interval(1, 3), Symbolic::Seq(small).into()).into(),
        ]
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = (0_i64..4).prop_map(Value::Int);
        leaf.prop_recursive(3, 12, 3, |inner| {
            let items = proptest::collection::vec(inner, 0..4);
            prop_oneof![items.clone().prop_map(Value::seq), items.prop_map(Value::set_of)]
        })
    }

    /// The value with one of its parts, at any depth, in the place of another.
    fn changed(value: &Value, path: &[usize], new: &Value) -> Value {
        let Some((first, rest)) = path.split_first() else { return new.clone() };
        let change = |parts: &[Value]| {
            let mut parts = parts.to_vec();
            match (first % (parts.len() + 2)).checked_sub(2) {
                Some(at) => parts[at] = changed(&parts[at], rest, new),
                None if first % 2 == 0 => parts.insert(0, new.clone()),
                None => _ = parts.pop(),
            }
            parts
        };
        match value {
            Value::Fn(function) => Value::seq(change(&function.slice)),
            Value::Set(set) => Value::set_of(change(&set.slice)),
            _ => new.clone(),
        }
    }

    proptest! {
        #[test]
        fn what_is_given_changes_nothing(
            known in value(),
            path in proptest::collection::vec(0_usize..6, 1..4),
            new in value(),
        ) {
            let element = changed(&known, &path, &new);
            for set in sets() {
                if set.contains(&known).unwrap() {
                    let given = set.contains_given(&element, &known).unwrap();
                    prop_assert_eq!(given, set.contains(&element).unwrap(), "{:?}", &element);
                }
            }
        }
    }
}
