//! Strings as sequences of characters.

use crate::eval::Context;
use crate::value::{Fault, Outcome, Symbol, Value, room};

/// The longest string in bytes. Strings are kept until the end of a check, whoever has forgotten them.
const MAX_STRING: usize = 1 << 24;

pub(super) fn concatenated(context: &Context, a: Symbol, b: Symbol) -> Outcome<Value> {
    let (a, b) = (context.names().text(a), context.names().text(b));
    if a.len() + b.len() > MAX_STRING {
        return super::core::too_long("a string", "bytes", MAX_STRING);
    }
    room(a.len() + b.len())?;
    Ok(Value::string(context.names(), &format!("{a}{b}")))
}

/// The number of characters.
pub(super) fn length(context: &Context, text: Symbol) -> i64 {
    context.names().text(text).chars().count() as i64
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

/// A text in which one part, wherever it stands, is replaced by another; an empty one is found before each character,
/// as TLC has it.
pub(super) fn replaced(context: &Context, new: Symbol, old: Symbol, text: Symbol) -> Value {
    let names = context.names();
    let (new, old, text) = (names.text(new), names.text(old), names.text(text));
    let result = match (old.is_empty(), text.is_empty()) {
        (true, true) => new.to_string(),
        (true, false) => {
            text.chars().fold(String::new(), |result, c| result + &new + c.encode_utf8(&mut [0; 4]))
        }
        (false, _) => text.replace(&*old, &new),
    };
    Value::string(names, &result)
}
