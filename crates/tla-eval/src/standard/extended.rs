//! Community modules about functions, sets, sequences, bits and fractions.

use std::ops::ControlFlow;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};

use crate::eval::Context;
use crate::eval::ir::Lambda;
use crate::value::{Fault, FaultKind, Outcome, SetBuilder, Value, each_subset_of_size, tick};

use super::{Provided, strings};

pub(super) fn provided(module: &str, name: &str) -> Option<Provided> {
    Some(match (module, name) {
        ("Folds", "MapThenFoldSet") => Provided::Over(map_then_fold_set, &[2, 0, 1, 1, 0]),
        ("Functions", "Range") | ("SequencesExt", "ToSet") => Provided::Native(range),
        ("Functions", "IsInjective") => Provided::Native(|_, args| {
            let values = args[0].values("IsInjective")?;
            let distinct = Value::set_of(values.iter().cloned());
            Ok(Value::from(distinct.cardinality()?.same(&Value::Int(values.len() as i64))))
        }),
        ("Functions", "FoldFunction") => Provided::Over(
            |context, args, lambdas| {
                let values = args[1].values("FoldFunction")?.to_vec();
                fold(context, &lambdas[0], args[0].clone(), &values)
            },
            &[2, 0, 0],
        ),
        ("Functions", "FoldFunctionOnSet") => Provided::Over(
            |context, args, lambdas| {
                let mut values = Vec::new();
                for index in &args[2].explicit("FoldFunctionOnSet")?.slice {
                    values.push(args[1].apply(index)?.clone());
                }
                fold(context, &lambdas[0], args[0].clone(), &values)
            },
            &[2, 0, 0, 0],
        ),
        ("FiniteSetsExt", "FoldSet") => Provided::Over(
            |context, args, lambdas| {
                let set = args[1].explicit("FoldSet")?;
                fold(context, &lambdas[0], args[0].clone(), &set.slice)
            },
            &[2, 0, 0],
        ),
        ("FiniteSetsExt", "kSubset") => Provided::Native(subsets_of_size),
        ("FiniteSetsExt", "Max") => Provided::Native(|_, args| extreme(&args[0], "Max", true)),
        ("FiniteSetsExt", "Min") => Provided::Native(|_, args| extreme(&args[0], "Min", false)),
        ("SequencesExt", "SetToSeq") => {
            Provided::Native(|_, args| Ok(Value::seq(args[0].explicit("SetToSeq")?.slice.to_vec())))
        }
        ("SequencesExt", "Reverse") => Provided::Native(|context, args| {
            // Of strings, TLC takes the one without characters.
            if matches!(&args[0], Value::Str(text) if context.names().text(*text).is_empty()) {
                return Ok(Value::seq(Vec::new()));
            }
            let mut items = args[0].items("Reverse")?.to_vec();
            items.reverse();
            Ok(Value::seq(items))
        }),
        ("SequencesExt", "Front") => Provided::Native(|context, args| {
            if let Value::Str(text) = args[0] {
                return strings::part(context, text, 1, strings::length(context, text) - 1);
            }
            match args[0].items("Front")?.split_last() {
                Some((_, front)) => Ok(Value::seq(front.to_vec())),
                None => Ok(Value::seq(Vec::new())),
            }
        }),
        ("SequencesExt", "Last") => Provided::Native(|_, args| match args[0].items("Last")?.last() {
            Some(last) => Ok(last.clone()),
            None => Err(Fault::other("Last of an empty sequence")),
        }),
        ("SequencesExt", "FoldLeft") => Provided::Over(
            |context, args, lambdas| {
                let mut result = args[0].clone();
                for item in args[1].items("FoldLeft")? {
                    result = lambdas[0].call(context, &[&result, item])?;
                }
                Ok(result)
            },
            &[2, 0, 0],
        ),
        ("SequencesExt", "FoldRight") => Provided::Over(
            |context, args, lambdas| {
                let mut result = args[1].clone();
                for item in args[0].items("FoldRight")?.iter().rev() {
                    result = lambdas[0].call(context, &[item, &result])?;
                }
                Ok(result)
            },
            &[2, 0, 0],
        ),
        ("SequencesExt", "FlattenSeq") => Provided::Native(|_, args| {
            let mut items = Vec::new();
            for part in args[0].items("FlattenSeq")? {
                items.extend_from_slice(part.items("FlattenSeq")?);
            }
            Ok(Value::seq(items))
        }),
        ("SequencesExt", "ReplaceAllSubSeqs") => Provided::Native(replace_all),
        ("BagsExt", "FoldBag") => Provided::Over(fold_bag, &[2, 0, 0]),
        ("Bitwise", "&") => Provided::Native(|_, args| bits(args, |a, b| a & b)),
        ("Bitwise", "|") => Provided::Native(|_, args| bits(args, |a, b| a | b)),
        ("Bitwise", "^^") => Provided::Native(|_, args| bits(args, |a, b| a ^ b)),
        ("Bitwise", "Not") => Provided::Native(|_, args| {
            let a = natural(&args[0])?;
            let ones = (BigInt::from(1) << a.bits()) - 1;
            Ok(Value::from_big(ones ^ a))
        }),
        ("Bitwise", "shiftR") => {
            Provided::Native(|_, args| Ok(Value::from_big(natural(&args[0])? >> shift(&args[1])?)))
        }
        ("Bitwise", "shiftL") => {
            Provided::Native(|_, args| Ok(Value::from_big(natural(&args[0])? << shift(&args[1])?)))
        }
        ("DyadicRationals", "Reduced") => Provided::Native(reduced),
        _ => return None,
    })
}

fn range(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    Ok(Value::set_of(args[0].values("Range")?.iter().cloned()))
}

fn fold(context: &mut Context, op: &Lambda, base: Value, items: &[Value]) -> Outcome<Value> {
    let mut result = base;
    for item in items {
        result = op.call(context, &[item, &result])?;
    }
    Ok(result)
}

fn map_then_fold_set(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let [op, map, choose] = lambdas else { return Err(Fault::other("MapThenFoldSet takes three operators")) };
    let mut left = args[1].clone();
    let mut taken = Vec::new();
    while !left.is_empty_set("MapThenFoldSet")? {
        let chosen = choose.call(context, &[&left])?;
        let rest = left.difference(&Value::set_of([chosen.clone()]))?;
        if rest.cardinality()?.same(&left.cardinality()?) {
            return Err(Fault::other("MapThenFoldSet: what was chosen is not an element of the set"));
        }
        left = rest;
        taken.push(chosen);
    }
    let mut result = args[0].clone();
    for element in taken.iter().rev() {
        let mapped = map.call(context, &[element])?;
        result = op.call(context, &[&mapped, &result])?;
    }
    Ok(result)
}

fn subsets_of_size(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    let size = args[0].to_int("kSubset")?;
    let set = args[1].explicit("kSubset")?;
    let mut builder = SetBuilder::default();
    if size >= 0 {
        let _ = each_subset_of_size(&set.slice, size as usize, &mut |subset| {
            builder.push(subset)?;
            Ok(ControlFlow::Continue(()))
        })?;
    }
    Ok(builder.finish())
}

fn extreme(set: &Value, operator: &'static str, greatest: bool) -> Outcome<Value> {
    let set = set.explicit(operator)?;
    let mut best: Option<&Value> = None;
    for element in &set.slice {
        let better = match best {
            None => {
                element.to_big(operator)?;
                true
            }
            Some(best) => element.compare_numbers(best, operator)?.is_gt() == greatest,
        };
        if better {
            best = Some(element);
        }
    }
    best.cloned().ok_or_else(|| Fault::other(format!("{operator} of an empty set")))
}

/// `ReplaceAllSubSeqs(r, s, t)`: in `t`, from the left, `r` for each `s`; an empty `s` is found before each element.
fn replace_all(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    if args[1].same(&args[2]) {
        return Ok(args[0].clone());
    }
    if let [Value::Str(new), Value::Str(old), Value::Str(text)] = args {
        return Ok(strings::replaced(context, *new, *old, *text));
    }
    let [new, old, items] = [&args[0], &args[1], &args[2]].map(|arg| arg.items("ReplaceAllSubSeqs"));
    let (new, old, items) = (new?, old?, items?);
    let mut result = Vec::new();
    let mut at = 0;
    while at < items.len() {
        tick(1)?;
        let found = items[at..].len() >= old.len() && items[at..].iter().zip(old).all(|(a, b)| a.same(b));
        if found {
            result.extend_from_slice(new);
            at += old.len();
        }
        if !found || old.is_empty() {
            result.push(items[at].clone());
            at += 1;
        }
    }
    Ok(Value::seq(result))
}

fn fold_bag(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let mut result = args[0].clone();
    for (element, count) in super::bags::counts(&args[1], "FoldBag")? {
        for _ in 0..count.to_int("FoldBag")? {
            tick(1)?;
            result = lambdas[0].call(context, &[&result, &element])?;
        }
    }
    Ok(result)
}

fn natural(value: &Value) -> Outcome<BigInt> {
    let number = value.to_big("a bitwise operator")?;
    if number.is_negative() {
        return Err(Fault::wrong("a bitwise operator", "natural numbers", value));
    }
    Ok(number)
}

fn shift(value: &Value) -> Outcome<usize> {
    natural(value)?.to_usize().filter(|n| *n <= 100_000).ok_or_else(|| {
        Fault::kind(FaultKind::Limit("a shift is too far", "the limit is 100000 bits".to_owned()))
    })
}

fn bits(args: &[Value], op: fn(BigInt, BigInt) -> BigInt) -> Outcome<Value> {
    Ok(Value::from_big(op(natural(&args[0])?, natural(&args[1])?)))
}

fn reduced(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    let (mut n, mut d) = (args[0].to_big("Add")?, args[1].to_big("Add")?);
    let even = |number: &BigInt| !number.bit(0);
    while !n.is_zero() && even(&n) && even(&d) && d > BigInt::from(1) {
        n /= 2;
        d /= 2;
    }
    if n.is_zero() {
        d = BigInt::from(1);
    }
    let names = context.names();
    Ok(Value::function_of(vec![
        (Value::string(names, "num"), Value::from_big(n)),
        (Value::string(names, "den"), Value::from_big(d)),
    ]))
}
