//! The schema of a type as a tree of properties, for rules: names, types, and which resource a property names.
//!
//! Schemas may refer to themselves, and some are very large: what is deeper than rules look is left out, and is then
//! any value.

use locus_schema::{Constraint, Property, Type};
use serde_json::Value as Json;

use super::{ResourceType, kinds};

/// Rules look so deep.
const DEEPEST: usize = 8;

/// So many properties are made of a type.
const MOST: usize = 3_000;

/// The properties of a type, in order of names.
pub(super) fn of(kind: &ResourceType) -> Vec<Property> {
    let mut making = Making { type_name: kind.name, root: kind.schema(), left: MOST };
    making.nested(kind.schema(), "", 0)
}

struct Making<'m> {
    type_name: &'m str,
    root: &'m Json,
    left: usize,
}

impl<'m> Making<'m> {
    fn nested(&mut self, schema: &'m Json, path: &str, depth: usize) -> Vec<Property> {
        let required = schema["required"].as_array();
        let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let mut found: Vec<Property> = Vec::new();
        for (name, inner) in fields(schema) {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            let mut property = self.property(name, inner, &path, depth);
            property.required = is_required(name);
            found.push(property);
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found.dedup_by(|a, b| a.name == b.name);
        found
    }

    fn property(&mut self, name: &str, schema: &'m Json, path: &str, depth: usize) -> Property {
        let schema = shaped(self.root, schema);
        let mut property = Property::new(name, type_of(schema));
        let is_name = match property.kind {
            Type::String => true,
            Type::List => matches!(type_of(shaped(self.root, &schema["items"])), Type::String),
            _ => false,
        };
        property.kind_named = is_name.then(|| self.named(schema, path)).flatten();
        if schema["format"].as_str().is_some_and(|form| form.starts_with("ipv")) {
            property.constraints.push(Constraint::Custom("net_cidr".into()));
        }
        if depth >= DEEPEST {
            if matches!(property.kind, Type::Map | Type::List) {
                property.kind = Type::Any;
            }
            return property;
        }
        match property.kind {
            Type::Map => property.nested = self.nested(schema, path, depth + 1),
            Type::List => {
                let items = self.property("*", &schema["items"], &format!("{path}/*"), depth + 1);
                if items.kind_named.is_some() {
                    property.kind_named.clone_from(&items.kind_named);
                }
                // Of a list of anything the list says all.
                if items.kind != Type::Any {
                    property.nested = vec![items];
                }
            }
            _ => {}
        }
        property
    }

    /// The type of resource that a text names.
    fn named(&self, schema: &Json, path: &str) -> Option<Box<str>> {
        let mut forms = std::iter::once(schema).chain(schema["anyOf"].as_array().into_iter().flatten());
        let known = forms.find_map(|one| kinds::base(one["format"].as_str()?));
        let known = known.or_else(|| schema["relationshipRef"]["typeName"].as_str());
        known.or_else(|| kinds::named(self.type_name, path)).map(Into::into)
    }
}

/// The schema that a reference leads to.
pub(super) fn resolved<'j>(root: &'j Json, schema: &'j Json) -> &'j Json {
    let mut schema = schema;
    // A reference to a reference is rare, and one to itself is none.
    for _ in 0..8 {
        let Some(path) = schema["$ref"].as_str() else { break };
        match path.strip_prefix('#').and_then(|path| root.pointer(path)) {
            Some(found) => schema = found,
            None => break,
        }
    }
    schema
}

/// The schema that a value has, of several forms the first that is a list or a map.
fn shaped<'j>(root: &'j Json, schema: &'j Json) -> &'j Json {
    let schema = resolved(root, schema);
    if !schema["type"].is_null() || !fields(schema).is_empty() {
        return schema;
    }
    let forms = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    let mut forms = forms.map(|one| resolved(root, one));
    forms.find(|one| matches!(type_of(one), Type::List | Type::Map)).unwrap_or(schema)
}

/// The properties of a schema, and those of the schemas of which one or all hold.
fn fields(schema: &Json) -> Vec<(&String, &Json)> {
    let mut all: Vec<(&String, &Json)> = schema["properties"].as_object().into_iter().flatten().collect();
    for key in ["allOf", "anyOf", "oneOf"] {
        for one in schema[key].as_array().into_iter().flatten() {
            let more = one["properties"].as_object().into_iter().flatten();
            // What the schema itself says of a property is more than what a case of it adds.
            let new: Vec<_> = more.filter(|(name, _)| all.iter().all(|(known, _)| known != name)).collect();
            all.extend(new);
        }
    }
    all
}

fn type_of(schema: &Json) -> Type {
    match schema["type"].as_str() {
        Some("string") if schema["format"] != "json" => Type::String,
        Some("integer") => Type::Integer,
        Some("number") => Type::Number,
        Some("boolean") => Type::Boolean,
        Some("array") => Type::List,
        Some("object") if schema["format"] != "json" && !fields(schema).is_empty() => Type::Map,
        None if schema["properties"].is_object() => Type::Map,
        _ => Type::Any,
    }
}
