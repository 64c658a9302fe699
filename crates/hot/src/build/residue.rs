//! Values as JSON in which calls are left that only the deployment can work out.
//!
//! `{"$id": NAME}` is the id of a thing, `{"$attr": [NAME, ATTRIBUTE, STEP…]}` an attribute of it, and
//! `{"$call": FUNCTION, "given": ARGUMENTS}` the result of a function. No key of a template may begin in this way.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::constraint::{text_to_number, to_bool};
use locus_schema::{Content, Datum, Nature, Property, Type, Unknown};
use serde_json::{Map, Number, Value, json};

use super::{Building, Known};
use crate::read::parameters::SHOWN_SECRET;
use crate::template::{Resource, Template};
use crate::values::functions::PART;

/// The functions that whoever builds works out.
const LATER: [&str; 18] = [
    "get_param",
    "list_join",
    "str_replace",
    "str_replace_strict",
    "str_replace_vstrict",
    "str_split",
    "digest",
    "make_url",
    "map_merge",
    "map_replace",
    "list_concat",
    "list_concat_unique",
    "repeat",
    "filter",
    "contains",
    "equals",
    PART,
    crate::read::parameters::SECRET,
];

/// The deepest nesting of values that name others.
const DEEPEST: usize = 64;

impl Building<'_> {
    /// A value as JSON.
    pub(super) fn residue(&self, datum: &Datum) -> Result<Value, String> {
        self.residue_within(datum, DEEPEST)
    }

    fn residue_within(&self, datum: &Datum, depth: usize) -> Result<Value, String> {
        if depth == 0 {
            return Err("values refer to each other too deeply".to_owned());
        }
        Ok(match &datum.value {
            Content::Null | Content::Absent => Value::Null,
            Content::Bool(value) => Value::Bool(*value),
            Content::Int(value) => Value::from(*value),
            Content::BigInt(text) => text.parse::<u64>().map_or_else(|_| Value::from(&**text), Value::from),
            Content::Float(value) => Number::from_f64(*value).map_or(Value::Null, Value::Number),
            Content::Str(text) => Value::from(&**text),
            Content::List(items) => {
                let items = items.iter().map(|item| self.residue_within(item, depth - 1));
                Value::Array(items.collect::<Result<_, _>>()?)
            }
            Content::Map(fields) => {
                let mut map = Map::new();
                for field in fields.iter() {
                    if field.key.starts_with('$') && ["$id", "$attr", "$call"].contains(&&*field.key) {
                        return Err(format!("a key cannot be `{}`", field.key));
                    }
                    map.insert(field.key.to_string(), self.residue_within(&field.value, depth - 1)?);
                }
                Value::Object(map)
            }
            Content::Location(id) => self.id(id)?,
            Content::Unknown(unknown) => self.later(unknown, depth)?,
        })
    }

    /// The id of a resource.
    fn id(&self, id: &Arc<str>) -> Result<Value, String> {
        match self.known.get(id) {
            Some(Known::Made) => Ok(json!({ "$id": &*self.labels[id] })),
            Some(Known::Plain(resource)) => self.plain(resource, None),
            Some(Known::Stack(template)) => match template.output("OS::stack_id") {
                Some(output) => self.residue(&output.value),
                None => Ok(Value::from(&*self.labels[id])),
            },
            Some(Known::Group(_)) => Ok(Value::from(&*self.labels[id])),
            // Heat takes the id of what is not created for nothing.
            None => Ok(Value::Null),
        }
    }

    fn later(&self, unknown: &Unknown, depth: usize) -> Result<Value, String> {
        let Some(call) = &unknown.call else {
            return Err(match (unknown.why.input(), unknown.why.nature()) {
                (Some(name), _) => format!("the parameter `{name}` has no value"),
                (None, Nature::Wrong) => "there is something wrong with it".to_owned(),
                (None, _) => unknown.why.to_string(),
            });
        };
        if &*call.function == "get_attr" {
            return self.get_attr(&call.given, depth);
        }
        if &*call.function == SHOWN_SECRET {
            let name = call.given.as_str().unwrap_or_default();
            return Err(format!(
                "the parameter `{name}` is hidden, so that its value is stored nowhere: say where it is, with -P \
                 {name}=secret:env:VARIABLE or secret:file:PATH"
            ));
        }
        if !LATER.contains(&&*call.function) {
            return Err(format!("the function `{}` is not worked out by Locus", call.function));
        }
        let given = self.residue_within(&call.given, depth - 1)?;
        Ok(json!({ "$call": &*call.function, "given": given }))
    }

    fn get_attr(&self, given: &Datum, depth: usize) -> Result<Value, String> {
        let Some((first, rest)) = given.items().split_first() else {
            return Err("it names nothing".to_owned());
        };
        let path = rest.iter().map(|item| self.residue_within(item, depth - 1));
        let path: Vec<Value> = path.collect::<Result<_, _>>()?;
        let id = first.as_str().ok_or("which resource is meant is not known")?;
        self.attribute(id, &path, depth - 1)
    }

    /// An attribute of a resource, or a part of it.
    pub(super) fn attribute(&self, id: &str, path: &[Value], depth: usize) -> Result<Value, String> {
        let Some(known) = self.known.get(id) else { return Ok(Value::Null) };
        let (name, rest) = match path.split_first() {
            Some((Value::String(name), rest)) => (name.as_str(), rest),
            None if matches!(known, Known::Made) => ("", path),
            _ => return Err(format!("which attribute of `{}` is meant is not known", self.labels[id])),
        };
        match known {
            Known::Made => {
                let label = Value::from(&*self.labels[id]);
                let items = std::iter::once(label).chain(path.iter().cloned());
                Ok(json!({ "$attr": items.collect::<Vec<_>>() }))
            }
            Known::Plain(resource) => Ok(part(self.plain(resource, Some(name))?, rest)),
            Known::Stack(template) => self.of_stack(template, (name, rest), depth),
            Known::Group(group) => self.of_group(group, (name, rest), depth),
        }
    }

    /// An attribute of a template: an output, all of them, or what a resource in it has.
    fn of_stack(
        &self,
        template: &Template,
        (name, rest): (&str, &[Value]),
        depth: usize,
    ) -> Result<Value, String> {
        if let Some(inner) = name.strip_prefix("resource.") {
            return self.of_inner(&format!("{}{inner}", template.scope), rest, depth);
        }
        if let (None, "outputs") = (template.output(name), name) {
            let mut outputs = Map::new();
            for output in template.outputs.iter().filter(|output| output.enabled == Some(true)) {
                outputs.insert(output.name.text.to_string(), self.residue_within(&output.value, depth - 1)?);
            }
            return Ok(part(Value::Object(outputs), rest));
        }
        match template.output(name).filter(|output| output.enabled == Some(true)) {
            Some(output) if depth > 0 => Ok(part(self.residue_within(&output.value, depth - 1)?, rest)),
            _ => Ok(Value::Null),
        }
    }

    /// The id of a resource within another one, or an attribute of it.
    pub(super) fn of_inner(&self, id: &str, rest: &[Value], depth: usize) -> Result<Value, String> {
        match rest {
            [] => self.id(&id.into()),
            path => self.attribute(id, path, depth.saturating_sub(1)),
        }
    }

    /// The id of a member of a group.
    pub(super) fn id_of(&self, member: &Resource) -> Result<Value, String> {
        self.id(&member.id)
    }
}

/// A part of a value, by the steps that lead there.
pub(super) fn part(value: Value, path: &[Value]) -> Value {
    let mut at = value;
    for (done, step) in path.iter().enumerate() {
        let is_later = at.as_object().is_some_and(|map| map.keys().any(|key| key.starts_with('$')));
        if is_later || step.is_object() || step.is_array() {
            if let Some(items) = at.get_mut("$attr").and_then(Value::as_array_mut) {
                items.extend(path[done..].iter().cloned());
                return at;
            }
            let items = std::iter::once(at).chain(path[done..].iter().cloned());
            return json!({ "$call": PART, "given": items.collect::<Vec<_>>() });
        }
        let found = match (&at, step) {
            (Value::Object(map), Value::String(key)) => map.get(key),
            (Value::Array(items), step) => {
                let index = step.as_u64().or_else(|| step.as_str()?.parse().ok());
                index.and_then(|index| items.get(index as usize))
            }
            _ => None,
        };
        at = found.cloned().unwrap_or_else(|| Value::from(""));
    }
    at
}

/// The names of the things that a value refers to.
pub(super) fn names_in(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            if let Some(name) = map.get("$id").and_then(Value::as_str) {
                into.insert(name.to_owned());
            } else if let Some(name) = map.get("$attr").and_then(|items| items.get(0)).and_then(Value::as_str)
            {
                into.insert(name.to_owned());
            }
            map.values().for_each(|value| names_in(value, into));
        }
        Value::Array(items) => items.iter().for_each(|item| names_in(item, into)),
        _ => {}
    }
}

/// A value as one of the type of its property: Heat takes `"80"` for a number where one is wanted, and a number for a
/// text.
pub(super) fn typed(value: Value, property: &Property) -> Value {
    match (property.kind, value) {
        (Type::Boolean, Value::String(text)) => to_bool(&text).map_or(Value::String(text), Value::Bool),
        (Type::Integer | Type::Number, Value::String(text)) => match text_to_number(&text) {
            Some(number) if number.fract() == 0.0 && number.abs() < 9e15 => Value::from(number as i64),
            Some(number) => Number::from_f64(number).map_or(Value::String(text), Value::Number),
            None => Value::String(text),
        },
        (Type::String, Value::Bool(value)) => Value::from(if value { "True" } else { "False" }),
        (Type::String, Value::Number(number)) => Value::from(number.to_string()),
        (Type::List, Value::String(text)) if !text.is_empty() => {
            let items = text.split(',').map(|item| Value::from(item.trim()));
            items.collect()
        }
        (Type::List, Value::Array(items)) => match property.get("*") {
            Some(each) => {
                let items = items.into_iter().filter(|item| !item.is_null());
                Value::Array(items.map(|item| typed(item, each)).collect())
            }
            None => Value::Array(items),
        },
        (Type::Map, Value::Object(map)) if !map.keys().any(|key| key.starts_with('$')) => {
            let mut typed_map = Map::new();
            for (key, value) in map {
                if value.is_null() {
                    continue;
                }
                let by_old = || property.nested.iter().find(|one| one.old_name.as_deref() == Some(&*key));
                match by_old().or_else(|| property.get(&key)) {
                    Some(inner) => _ = typed_map.insert(inner.name.to_string(), typed(value, inner)),
                    None => _ = typed_map.insert(key, value),
                }
            }
            for inner in &property.nested {
                if let Some(default) =
                    inner.default.as_deref().filter(|_| !typed_map.contains_key(&*inner.name))
                {
                    let default = serde_json::from_str(default).unwrap_or_else(|_| Value::from(default));
                    typed_map.insert(inner.name.to_string(), typed(default, inner));
                }
            }
            Value::Object(typed_map)
        }
        (_, value) => value,
    }
}
