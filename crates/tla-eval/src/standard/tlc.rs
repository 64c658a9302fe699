//! The modules `TLC`, `TLCExt` and `Randomization`.

use rustc_hash::FxHashSet;

use crate::eval::Context;
use crate::eval::ir::Lambda;
use crate::value::{Fault, FaultKind, MAX_ELEMENTS, Outcome, SetBuilder, Symbolic, Truth, Value};

use super::{Provided, registers};

pub(super) fn provided(name: &str) -> Option<Provided> {
    Some(match name {
        "Print" => Provided::Impure(|context, args| {
            let line = format!("{}  {}", shown(context, &args[0]), shown(context, &args[1]));
            context.shared.session.print(line);
            Ok(args[1].clone())
        }),
        "PrintT" => Provided::Impure(|context, args| {
            context.shared.session.print(shown(context, &args[0]));
            Ok(Value::TRUE)
        }),
        "Assert" => Provided::Native(|_, args| match &args[0] {
            Value::Bool(Truth::True) => Ok(Value::TRUE),
            _ => Err(Fault::kind(FaultKind::Assertion(args[1].clone()))),
        }),
        "JavaTime" => Provided::Impure(|_, _| {
            Err(Fault::kind(FaultKind::Unsupported(
                "JavaTime: results must not depend on the clock".to_owned(),
            )))
        }),
        "TLCGet" => Provided::Ordered(registers::get),
        "TLCSet" => Provided::Ordered(registers::set),
        "TLCGetOrDefault" => Provided::Ordered(registers::get_or_default),
        ":>" => Provided::Native(|_, args| Ok(Value::function_of(vec![(args[0].clone(), args[1].clone())]))),
        "@@" => Provided::Native(|_, args| {
            let mut pairs = args[0].pairs().ok_or_else(|| Fault::wrong("@@", "functions", &args[0]))?;
            pairs.extend(args[1].pairs().ok_or_else(|| Fault::wrong("@@", "functions", &args[1]))?);
            Ok(Value::function_of(pairs))
        }),
        "Permutations" => Provided::Native(permutations),
        "SortSeq" => Provided::Over(sort, &[0, 2]),
        "RandomElement" => Provided::Random(|context, args| {
            if args[0].cardinality()?.same(&Value::Int(0)) {
                return Err(Fault::other("RandomElement of an empty set"));
            }
            args[0].sample(&mut |below| context.shared.session.random() % below)
        }),
        "Any" => Provided::Constant(|| Symbolic::Any.into()),
        "ToString" => Provided::Native(|context, args| {
            let text = args[0].shown(context.names()).whole()?;
            Ok(Value::string(context.names(), &text))
        }),
        "TLCEval" | "TLCDefer" | "TLCNoOp" => Provided::Native(|_, args| args[0].clone().settled()),
        "AssertEq" => Provided::Native(|context, args| {
            if args[0].same(&args[1]) {
                return Ok(Value::TRUE);
            }
            let (a, b) = (shown(context, &args[0]), shown(context, &args[1]));
            context.shared.session.print(format!("AssertEq: {a} is not {b}"));
            Ok(Value::FALSE)
        }),
        "TLCModelValue" => Provided::Native(|context, args| match &args[0] {
            Value::Str(text) => Ok(Value::Model(*text)),
            other => {
                let _ = context;
                Err(Fault::wrong("TLCModelValue", "a string", other))
            }
        }),
        "RandomSubset" => Provided::Random(random_subset),
        "RandomSetOfSubsets" => Provided::Random(random_subsets),
        _ => return None,
    })
}

fn shown(context: &Context, value: &Value) -> String {
    value.shown(context.names()).to_string()
}

fn permutations(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    let set = args[0].explicit("Permutations")?;
    let size = set.slice.len();
    if size > 10 {
        return Err(Fault::kind(FaultKind::Limit(
            "a set has too many permutations",
            format!("{size} elements; the limit is 10"),
        )));
    }
    let mut order: Vec<usize> = (0..size).collect();
    let mut builder = SetBuilder::default();
    loop {
        let pairs = set.slice.iter().cloned().zip(order.iter().map(|&i| set.slice[i].clone())).collect();
        builder.push(Value::function_of(pairs))?;
        let Some(at) = (1..size).rev().find(|&i| order[i - 1] < order[i]) else { break };
        let swap = (at..size).rev().find(|&j| order[j] > order[at - 1]).expect("the one at `at` is larger");
        order.swap(at - 1, swap);
        order[at..].reverse();
    }
    Ok(builder.finish())
}

/// A stable insertion sort: the order is an operator and may fail.
pub(super) fn sort(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let mut sorted: Vec<Value> = Vec::new();
    for item in args[0].items("SortSeq")? {
        let mut at = sorted.len();
        while at > 0 && lambdas[0].call(context, &[item, &sorted[at - 1]])?.truth("SortSeq")? {
            at -= 1;
        }
        sorted.insert(at, item.clone());
    }
    Ok(Value::seq(sorted))
}

/// The most elements of a set that is only described, for it to be enumerated before some of them are chosen.
const FEW: i64 = 1 << 16;

#[expect(clippy::mutable_key_type, reason = "only the memory of the hash is mutable")]
fn random_subset(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    let wanted = args[0].to_int("RandomSubset")?;
    if !matches!(args[1], Value::Set(_))
        && args[1].is_finite_set()?
        && (0..=MAX_ELEMENTS as i64).contains(&wanted)
        && args[1].cardinality()?.compare_numbers(&Value::Int(FEW.max(wanted * 2)), "RandomSubset")?.is_gt()
    {
        // There are so many that most of those taken are new.
        let mut taken = FxHashSet::default();
        while taken.len() < wanted as usize {
            taken.insert(args[1].sample(&mut |below| context.shared.session.random() % below)?);
        }
        return Ok(Value::set_of(taken));
    }
    let set = args[1].explicit("RandomSubset")?;
    if wanted < 0 || wanted > set.slice.len() as i64 {
        return Err(Fault::other(format!("RandomSubset of {wanted} of {} elements", set.slice.len())));
    }
    let mut left: Vec<Value> = set.slice.to_vec();
    let mut taken = Vec::new();
    for _ in 0..wanted {
        let at = context.shared.session.random() % left.len() as u64;
        taken.push(left.swap_remove(at as usize));
    }
    Ok(Value::set_of(taken))
}

fn random_subsets(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    let count = args[0].to_int("RandomSetOfSubsets")?;
    let average = args[1].to_int("RandomSetOfSubsets")?;
    let set = args[2].explicit("RandomSetOfSubsets")?;
    if count < 0 || count > MAX_ELEMENTS as i64 || average < 0 || average > set.slice.len() as i64 {
        return Err(Fault::other("RandomSetOfSubsets takes a number of sets and a mean size within the set"));
    }
    let mut subsets = Vec::new();
    for _ in 0..count {
        let mut kept = Vec::new();
        for element in &set.slice {
            if context.shared.session.random() % (set.slice.len() as u64) < average as u64 {
                kept.push(element.clone());
            }
        }
        subsets.push(Value::from_sorted(kept));
    }
    Ok(Value::set_of(subsets))
}
