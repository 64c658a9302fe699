//! Values against what TLA+ says of them.

use super::*;

fn ints(items: &[i64]) -> Vec<Value> {
    items.iter().map(|i| Value::Int(*i)).collect()
}

#[test]
fn layouts_of_one_value_are_equal() {
    let tuple = Value::seq(ints(&[10, 20]));
    let function = Value::function_of(vec![(Value::Int(2), Value::Int(20)), (Value::Int(1), Value::Int(10))]);
    assert_eq!(tuple, function);
    assert_eq!(tuple.hash64(), function.hash64());
    let interval = Value::interval(1, 3);
    let explicit = Value::set_of(ints(&[3, 1, 2, 1]));
    assert_eq!(interval, explicit);
    assert_eq!(interval.hash64(), explicit.hash64());
    let subsets: Value = Symbolic::Subset(Value::interval(1, 2)).into();
    let listed = Value::set_of([
        Value::empty_set(),
        Value::set_of(ints(&[1])),
        Value::set_of(ints(&[2])),
        Value::set_of(ints(&[1, 2])),
    ]);
    assert_eq!(subsets, listed);
    assert_eq!(subsets.hash64(), listed.hash64());
}

#[test]
fn unlike_values_are_unequal() {
    let names = Names::new();
    assert_ne!(Value::Int(1), Value::string(&names, "1"));
    assert_ne!(Value::Model(names.intern("1")), Value::string(&names, "1"));
    assert_ne!(Value::empty_set(), Value::seq(Vec::new()));
}

#[test]
fn symbolic_sets_know_members_and_size_without_enumeration() {
    let big: Value = Symbolic::Subset(Value::interval(1, 200)).into();
    assert!(big.contains(&Value::set_of(ints(&[5, 200]))).unwrap());
    assert!(!big.contains(&Value::set_of(ints(&[5, 201]))).unwrap());
    let names = Names::new();
    assert_eq!(
        big.cardinality().unwrap().shown(&names).to_string(),
        "1606938044258990275541962092341162602522202993782792835301376"
    );
    assert!(big.explicit("test").is_err());
    let nat: Value = Symbolic::Nat.into();
    assert!(nat.cardinality().is_err());
    let minus = nat.difference(&Value::set_of(ints(&[0]))).unwrap();
    assert!(!minus.contains(&Value::Int(0)).unwrap());
    assert!(minus.contains(&Value::Int(7)).unwrap());
}

#[test]
fn except_leaves_shared_functions_alone() {
    let f = Value::seq(ints(&[1, 2, 3]));
    let g = f.clone().except(&Value::Int(2), &mut |_| Ok(Value::Int(9))).unwrap();
    assert_eq!(f, Value::seq(ints(&[1, 2, 3])));
    assert_eq!(g, Value::seq(ints(&[1, 9, 3])));
    let h = g.except(&Value::Int(3), &mut |old| Ok(Value::Int(old.to_int("test")? + 1))).unwrap();
    assert_eq!(h, Value::seq(ints(&[1, 9, 4])));
    assert_eq!(h.hash64(), Value::seq(ints(&[1, 9, 4])).hash64());
}

#[test]
fn integers_grow_and_shrink() {
    let names = Names::new();
    let max = Value::Int(i64::MAX);
    let big = Arithmetic::Add.apply(&max, &Value::Int(1)).unwrap();
    assert_eq!(big.shown(&names).to_string(), "9223372036854775808");
    assert_eq!(Arithmetic::Subtract.apply(&big, &Value::Int(1)).unwrap(), max);
    for (a, b, quotient, remainder) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, 0), (-7, -2, 3, 0)] {
        assert_eq!(Arithmetic::Divide.apply(&Value::Int(a), &Value::Int(b)).unwrap(), Value::Int(quotient));
        if b > 0 {
            assert_eq!(
                Arithmetic::Modulo.apply(&Value::Int(a), &Value::Int(b)).unwrap(),
                Value::Int(remainder)
            );
        }
    }
}
