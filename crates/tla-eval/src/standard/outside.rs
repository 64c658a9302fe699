//! Operators that reach outside of the checker: JSON text and files of it, the environment; and honest refusals of the
//! rest.
//!
//! Files are read as if they never changed, so that what they say is a constant. Nothing is written, nothing is run.

use serde_json::{Map, Number, Value as Json};

use crate::eval::Context;
use crate::value::{Fault, FaultKind, Outcome, Value, outside};

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
        ("Json", "JsonDeserialize") => Provided::Native(|context, args| {
            let (path, text) = file("JsonDeserialize", context, &args[0])?;
            parsed(context, &text, |line, why| format!("{path}, line {line}: {why}"))
        }),
        ("Json", "ndJsonDeserialize") => Provided::Native(|context, args| {
            let (path, text) = file("ndJsonDeserialize", context, &args[0])?;
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let values = lines
                .map(|(at, line)| parsed(context, line, |_, why| format!("{path}, line {}: {why}", at + 1)));
            Ok(Value::seq(values.collect::<Outcome<_>>()?))
        }),
        ("IOUtils", "IOEnv") => Provided::Native(|context, _| {
            let variables = outside().map(|outside| outside.environment()).unwrap_or_default();
            let text = |text: &str| Value::string(context.names(), text);
            Ok(Value::function_of(variables.iter().map(|(name, value)| (text(name), text(value))).collect()))
        }),
        _ => Provided::Impure(|_, _| {
            let what = "an operator that writes files, runs programs, or reads files that are not JSON";
            Err(Fault::kind(FaultKind::Unsupported(what.to_owned())))
        }),
    }
}

/// The name of a file and its text.
fn file(operator: &'static str, context: &Context, path: &Value) -> Outcome<(String, String)> {
    let Value::Str(path) = path else { return Err(Fault::wrong(operator, "the name of a file", path)) };
    let path = context.names().text(*path).to_string();
    match outside() {
        Some(outside) => {
            let text = outside.read(&path).map_err(|why| Fault::other(format!("{operator}: {why}")))?;
            Ok((path, text))
        }
        None => Err(Fault::kind(FaultKind::Unsupported(format!("{operator} where there are no files")))),
    }
}

/// JSON text as a value. `told` makes the message of a fault from its line and reason.
fn parsed(context: &Context, text: &str, told: impl Fn(usize, String) -> String) -> Outcome<Value> {
    let json: Json =
        serde_json::from_str(text).map_err(|error| Fault::other(told(error.line(), error.to_string())))?;
    from_json(context, &json).map_err(|why| Fault::other(told(1, why)))
}

/// JSON as a value: objects are records, arrays are sequences. TLA+ has nothing for `null`, nor for fractions.
fn from_json(context: &Context, json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => return Err("there is no value for `null`".to_owned()),
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Int(number),
            None => return Err(format!("{number} is not an integer of 64 bits")),
        },
        Json::String(text) => Value::string(context.names(), text),
        Json::Array(items) => {
            Value::seq(items.iter().map(|item| from_json(context, item)).collect::<Result<_, _>>()?)
        }
        Json::Object(fields) => {
            let field = |(name, value): (&String, &Json)| {
                Ok((Value::string(context.names(), name), from_json(context, value)?))
            };
            Value::function_of(fields.iter().map(field).collect::<Result<_, String>>()?)
        }
    })
}

/// A value as JSON: functions from strings are objects, sequences and sets are arrays.
///
/// # Errors
/// If a part of it is infinite, or it is too long.
pub fn json(context: &Context, value: &Value) -> Outcome<Json> {
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
        Value::Bool(truth) => Json::Bool((*truth).into()),
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
