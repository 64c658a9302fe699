//! Numbers, sequences and finite sets.

use crate::eval::Context;
use crate::eval::ir::{Comparison, Kind, Lambda, Node};
use crate::value::{Arithmetic, Fault, FaultKind, MAX_ELEMENTS, Outcome, Symbolic, Value, room};

use super::{Provided, strings};

pub(super) fn provided(name: &str) -> Option<Provided> {
    Some(match name {
        "Nat" => Provided::Constant(|| Symbolic::Nat.into()),
        "Int" => Provided::Constant(|| Symbolic::Int.into()),
        "Real" => Provided::Constant(|| Symbolic::Real.into()),
        "+" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Add, pair(nodes))),
        "-" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Subtract, pair(nodes))),
        "*" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Multiply, pair(nodes))),
        "^" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Power, pair(nodes))),
        "%" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Modulo, pair(nodes))),
        "\\div" => Provided::Kind(|nodes| Kind::Arithmetic(Arithmetic::Divide, pair(nodes))),
        "<" => Provided::Kind(|nodes| Kind::Compare(Comparison::Less, pair(nodes))),
        ">" => Provided::Kind(|nodes| Kind::Compare(Comparison::Greater, pair(nodes))),
        "\\leq" | "<=" | "=<" => Provided::Kind(|nodes| Kind::Compare(Comparison::LessEqual, pair(nodes))),
        "\\geq" | ">=" => Provided::Kind(|nodes| Kind::Compare(Comparison::GreaterEqual, pair(nodes))),
        ".." => Provided::Kind(|nodes| Kind::Range(pair(nodes))),
        "-." => Provided::Kind(|mut nodes| Kind::Negate(Box::new(nodes.remove(0)))),
        "/" => Provided::Native(quotient),
        "Seq" => Provided::Unary(|_, set| match set {
            set if set.is_a_set() => Ok(Symbolic::Seq(set.clone()).into()),
            other => Err(Fault::wrong("Seq", "a set", other)),
        }),
        "Len" => Provided::Unary(length),
        "\\o" | "\\circ" => Provided::Binary(concatenate),
        "Append" => Provided::Binary(append),
        "Head" => Provided::Unary(head),
        "Tail" => Provided::Unary(tail),
        "SubSeq" => Provided::Native(subsequence),
        "SelectSeq" => Provided::Over(select, &[0, 1]),
        "IsFiniteSet" => Provided::Unary(is_finite),
        "Cardinality" => Provided::Unary(|_, set| set.cardinality()),
        _ => return None,
    })
}

#[expect(clippy::unnecessary_box_returns, reason = "nodes hold their operands boxed")]
fn pair(nodes: Vec<Node>) -> Box<[Node; 2]> {
    let mut nodes = nodes.into_iter();
    let mut next = || nodes.next().expect("the front end checks the number of operands");
    Box::new([next(), next()])
}

fn is_finite(_: &Context, set: &Value) -> Outcome<Value> {
    let finite = set.is_finite_set()?;
    if !finite && set.at_least() < f64::INFINITY {
        return Err(Fault::other(
            "whether this set is finite cannot be decided: it is part of an infinite one",
        ));
    }
    Ok(Value::from(finite))
}

fn head(context: &Context, sequence: &Value) -> Outcome<Value> {
    if let Value::Str(text) = sequence {
        return strings::part(context, *text, 1, 1);
    }
    match sequence.items("Head")?.first() {
        Some(first) => Ok(first.clone()),
        None => Err(Fault::other("Head of an empty sequence")),
    }
}

fn tail(context: &Context, sequence: &Value) -> Outcome<Value> {
    if let Value::Str(text) = sequence {
        return strings::rest(context, *text);
    }
    match sequence.items("Tail")?.split_first() {
        Some((_, rest)) => Ok(Value::seq_from(rest)),
        None => Err(Fault::other("Tail of an empty sequence")),
    }
}

fn quotient(_: &mut Context, args: &[Value]) -> Outcome<Value> {
    let remainder = Arithmetic::Modulo.apply(&args[0], &args[1])?;
    if remainder.same(&Value::Int(0)) {
        return Arithmetic::Divide.apply(&args[0], &args[1]);
    }
    Err(Fault::kind(FaultKind::Unsupported("a fraction: only integers can be computed with".to_owned())))
}

fn length(context: &Context, sequence: &Value) -> Outcome<Value> {
    match sequence {
        Value::Str(text) => Ok(Value::Int(strings::length(context, *text))),
        other => Ok(Value::Int(other.items("Len")?.len() as i64)),
    }
}

fn concatenate(context: &Context, left: &Value, right: &Value) -> Outcome<Value> {
    if let (Value::Str(a), Value::Str(b)) = (left, right) {
        return strings::concatenated(context, *a, *b);
    }
    let (a, b) = (left.items("\\o")?, right.items("\\o")?);
    if b.is_empty() {
        return Ok(left.clone());
    }
    if a.is_empty() {
        return Ok(right.clone());
    }
    let length = a.len() + b.len();
    if length > MAX_ELEMENTS {
        return too_long("a sequence", "elements", MAX_ELEMENTS);
    }
    // The list, and the value that is made of it.
    room(2 * length * size_of::<Value>())?;
    let mut items = Vec::with_capacity(length);
    items.extend_from_slice(a);
    items.extend_from_slice(b);
    Ok(Value::seq(items))
}

/// The fault of a sequence or string that does not fit.
pub(super) fn too_long<T>(what: &str, unit: &str, most: usize) -> Outcome<T> {
    Err(Fault::kind(FaultKind::Limit("a value is too large", format!("{what} of more than {most} {unit}"))))
}

fn append(_: &Context, sequence: &Value, item: &Value) -> Outcome<Value> {
    Ok(Value::appended(sequence.items("Append")?, item))
}

fn subsequence(context: &mut Context, args: &[Value]) -> Outcome<Value> {
    let (from, to) = (args[1].to_int("SubSeq")?, args[2].to_int("SubSeq")?);
    if let Value::Str(text) = args[0] {
        return strings::part(context, text, from, to);
    }
    let items = args[0].items("SubSeq")?;
    if from > to {
        return Ok(Value::seq(Vec::new()));
    }
    if from < 1 || to > items.len() as i64 {
        return Err(Fault::other(format!(
            "SubSeq from {from} to {to} of a sequence of length {}",
            items.len()
        )));
    }
    Ok(Value::seq(items[from as usize - 1..to as usize].to_vec()))
}

fn select(context: &mut Context, args: &[Value], lambdas: &[Lambda]) -> Outcome<Value> {
    let mut kept = Vec::new();
    for item in args[0].items("SelectSeq")? {
        if lambdas[0].call(context, &[item])?.truth("SelectSeq")? {
            kept.push(item.clone());
        }
    }
    Ok(Value::seq(kept))
}

impl Lambda {
    /// Applies the operator.
    pub fn call(&self, context: &mut Context, args: &[&Value]) -> Outcome<Value> {
        for (slot, value) in self.params.iter().zip(args) {
            context.slots[*slot as usize] = (*value).clone();
        }
        context.eval(&self.body)
    }
}
