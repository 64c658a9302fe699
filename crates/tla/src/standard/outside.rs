//! JSON text, and honest refusals of everything that would reach outside of the checker.

use serde_json::{Map, Number, Value as Json};

use crate::eval::Context;
use crate::value::{Fault, FaultKind, Outcome, Value};

use super::Provided;

pub(super) fn provided(module: &str, name: &str) -> Provided {
    match (module, name) {
        ("Json", "ToJson" | "ToJsonArray" | "ToJsonObject") => Provided::Native(|context, args| {
            let text = json(context, &args[0])?.to_string();
            Ok(Value::string(context.names(), &text))
        }),
        ("IOUtils", "atoi") => Provided::Native(|context, args| match &args[0] {
            Value::Str(text) => {
                let text = context.names().text(*text);
                match text.parse() {
                    Ok(number) => Ok(Value::Int(number)),
                    Err(_) => Err(Fault::other(format!("atoi: \"{text}\" is not an integer"))),
                }
            }
            other => Err(Fault::wrong("atoi", "a string", other)),
        }),
        ("IOUtils", "zeroPadN") => Provided::Native(|context, args| {
            let (number, width) = (args[0].to_int("zeroPadN")?, args[1].to_int("zeroPadN")?);
            let text = format!("{number:0width$}", width = width.clamp(0, 100) as usize);
            Ok(Value::string(context.names(), &text))
        }),
        ("IOUtils", "IOEnv") => Provided::Native(|_, _| Ok(Value::seq(Vec::new()))),
        _ => Provided::Impure(|_, _| {
            let what = "an operator that reads or writes files, runs programs or reads the environment";
            Err(Fault::kind(FaultKind::Unsupported(what.to_owned())))
        }),
    }
}

/// A value as JSON: functions from strings are objects, sequences and sets are arrays.
///
/// # Errors
/// If a part of it is infinite, or it is too long.
pub(crate) fn json(context: &Context, value: &Value) -> Outcome<Json> {
    json_within(context, value, &mut (crate::value::MAX_TEXT / 2))
}

/// The same, with at most so many parts: a value that takes little memory may hold a part many times over.
fn json_within(context: &Context, value: &Value, left: &mut usize) -> Outcome<Json> {
    let names = context.names();
    *left = left.checked_sub(1).ok_or_else(|| {
        let limit = format!("more than {} parts", crate::value::MAX_TEXT / 2);
        Fault::kind(FaultKind::Limit("a value is too long to be written as JSON", limit))
    })?;
    Ok(match value {
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(number) => Json::Number(Number::from(*number)),
        Value::Str(text) | Value::Model(text) => Json::String(names.text(*text).to_string()),
        set if set.is_a_set() => {
            let set = set.explicit("ToJson")?;
            Json::Array(set.slice.iter().map(|v| json_within(context, v, left)).collect::<Outcome<_>>()?)
        }
        function if let Some(items) = function.as_seq() => {
            Json::Array(items.iter().map(|v| json_within(context, v, left)).collect::<Outcome<_>>()?)
        }
        function if let Some(pairs) = function.pairs() => {
            let mut object = Map::new();
            for (key, value) in pairs {
                let key = match key {
                    Value::Str(text) | Value::Model(text) => names.text(text).to_string(),
                    other => other.shown(names).whole()?,
                };
                object.insert(key, json_within(context, &value, left)?);
            }
            Json::Object(object)
        }
        other => Json::String(other.shown(names).whole()?),
    })
}
