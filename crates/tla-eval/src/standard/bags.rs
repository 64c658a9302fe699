//! The module `Bags`.

use crate::eval::Context;
use crate::eval::ir::Lambda;
use crate::value::{Arithmetic, Fault, Outcome, SetBuilder, Value};

use super::Provided;

pub(super) fn provided(name: &str) -> Option<Provided> {
    Some(match name {
        "IsABag" => Provided::Native(|_, args| Ok(Value::from(counts(&args[0], "IsABag").is_ok()))),
        "(+)" | "\\oplus" => Provided::Native(|_, args| {
            let mut pairs = counts(&args[0], "(+)")?;
            pairs.extend(counts(&args[1], "(+)")?);
            sum(pairs)
        }),
        "(-)" | "\\ominus" => Provided::Native(|_, args| {
            let mut kept = Vec::new();
            for (element, count) in counts(&args[0], "(-)")? {
                let taken = args[1].get(&element).cloned().unwrap_or(Value::Int(0));
                let left = Arithmetic::Subtract.apply(&count, &taken)?;
                if left.compare_numbers(&Value::Int(0), "(-)")?.is_gt() {
                    kept.push((element, left));
                }
            }
            Ok(Value::function_of(kept))
        }),
        "BagUnion" => Provided::Native(|_, args| {
            let mut pairs = Vec::new();
            for bag in &args[0].explicit("BagUnion")?.slice {
                pairs.extend(counts(bag, "BagUnion")?);
            }
            sum(pairs)
        }),
        "BagCardinality" => Provided::Native(|_, args| {
            let mut total = Value::Int(0);
            for (_, count) in counts(&args[0], "BagCardinality")? {
                total = Arithmetic::Add.apply(&total, &count)?;
            }
            Ok(total)
        }),
        "SubBag" => Provided::Native(sub_bags),
        "BagOfAll" => Provided::Over(bag_of_all, &[1, 0]),
        _ => return None,
    })
}

/// Elements with their counts; a fault if the value is no bag.
pub(super) fn counts(value: &Value, operator: &'static str) -> Outcome<Vec<(Value, Value)>> {
    let pairs = value.pairs().ok_or_else(|| Fault::wrong(operator, "a bag", value))?;
    if pairs.iter().all(|(_, count)| matches!(count, Value::Int(1..) | Value::Big(_))) {
        return Ok(pairs);
    }
    Err(Fault::wrong(operator, "a bag, in which everything occurs at least once", value))
}

fn sum(mut pairs: Vec<(Value, Value)>) -> Outcome<Value> {
    pairs.sort_by(|a, b| a.0.cmp(&b.0));
    let mut total: Vec<(Value, Value)> = Vec::with_capacity(pairs.len());
    for (element, count) in pairs {
        match total.last_mut() {
            Some((last, so_far)) if *last == element => *so_far = Arithmetic::Add.apply(so_far, &count)?,
            _ => total.push((element, count)),
        }
    }
    Ok(Value::function_of(total))
}

fn sub_bags(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    let pairs = counts(&args[0], "SubBag")?;
    let mut builder = SetBuilder::default();
    let mut chosen = vec![0_i64; pairs.len()];
    loop {
        let bag = pairs.iter().zip(&chosen).filter(|(_, n)| **n > 0);
        builder.push(Value::function_of(bag.map(|((e, _), n)| (e.clone(), Value::Int(*n))).collect()))?;
        let mut at = 0;
        loop {
            let Some((_, count)) = pairs.get(at) else { return Ok(builder.finish()) };
            if chosen[at] < count.to_int("SubBag")? {
                chosen[at] += 1;
                break;
            }
            chosen[at] = 0;
            at += 1;
        }
    }
}

fn bag_of_all(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let mut pairs = Vec::new();
    for (element, count) in counts(&args[0], "BagOfAll")? {
        pairs.push((lambdas[0].call(context, &[&element])?, count));
    }
    sum(pairs)
}
