//! Strings as sequences of characters.

use crate::eval::Context;
use crate::value::{Fault, Outcome, Symbol, Value};

pub(super) fn concatenated(context: &Context, a: Symbol, b: Symbol) -> Value {
    let text = format!("{}{}", context.names().text(a), context.names().text(b));
    Value::string(context.names(), &text)
}

pub(super) fn part(context: &Context, text: Symbol, from: i64, to: i64) -> Outcome<Value> {
    let text = context.names().text(text);
    if from > to {
        return Ok(Value::string(context.names(), ""));
    }
    let length = text.chars().count() as i64;
    if from < 1 || to > length {
        return Err(Fault::other(format!("SubSeq from {from} to {to} of a string of length {length}")));
    }
    let part: String = text.chars().skip(from as usize - 1).take((to - from + 1) as usize).collect();
    Ok(Value::string(context.names(), &part))
}

/// All but the first character.
pub(super) fn rest(context: &Context, text: Symbol) -> Outcome<Value> {
    let text = context.names().text(text);
    let mut chars = text.chars();
    match chars.next() {
        Some(_) => Ok(Value::string(context.names(), chars.as_str())),
        None => Err(Fault::other("Tail of an empty string")),
    }
}
