//! Types as Alloy modules: a signature for each, with a field for each property.
//!
//! The names are those of the report: `OS::Neutron::Port` is `OS_Neutron_Port`, its property `fixed_ips` is
//! `prop_fixed_ips`, and the items of that list are `OS_Neutron_Port_fixed_ips_elements`, with a field for each key.
//! A property that names another location relates to the location itself, whether the document defines it or it
//! exists already.
//!
//! The modules open the core of their language, which has the signatures `Location`, `Part`, `Data` and `Boolean`.

use std::fmt::Write;

use locus_rules::KEYWORDS;

use crate::types::{Property, Type};

/// The kind of values that a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// A location: one of the document, or something that exists already.
    Location,
    /// A text.
    Text,
    /// A number.
    Number,
    /// A truth value.
    Truth,
    /// A map with known keys.
    Part,
    /// Anything else.
    Anything,
}

impl Holds {
    /// Returns the kind of the value of a property, or of an item of it if it is a list.
    pub fn of(property: &Property) -> Self {
        match property.kind {
            _ if property.names_kind().is_some() => Self::Location,
            Type::String => Self::Text,
            Type::Integer | Type::Number => Self::Number,
            Type::Boolean => Self::Truth,
            Type::Map if !property.nested.is_empty() => Self::Part,
            Type::List if !property.nested.is_empty() && property.nested[0].kind != Type::List => {
                Self::of(&property.nested[0])
            }
            Type::Map | Type::List | Type::Any => Self::Anything,
        }
    }
}

/// The property that says what is in a list, or the property itself if it is none.
pub fn item(property: &Property) -> &Property {
    if property.kind == Type::List && !property.nested.is_empty() { &property.nested[0] } else { property }
}

/// The name of the signature for the maps in a property.
pub fn part_name(owner: &str, property: &Property) -> String {
    let elements = if property.kind == Type::List { "_elements" } else { "" };
    format!("{owner}_{}{elements}", identifier(&property.name))
}

/// The name of the field for a property of a type, or of a map in one.
pub fn field_name(property: &str, top: bool) -> String {
    let name = identifier(property);
    if top {
        ["prop_", &name].concat()
    } else if KEYWORDS.contains(&&*name) {
        format!("{name}_")
    } else {
        name
    }
}

/// Whether this is the name of the field for a property, as [`field_name`] has it.
pub fn is_field_name(field: &str, property: &str, top: bool) -> bool {
    // No text is made of it: this is asked for every property of every type that a document has.
    let is_same = |name: &str| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        name == property || (name.len() <= property.len() && name.chars().eq(property.chars().map(plain)))
    };
    if top {
        return field.strip_prefix("prop_").is_some_and(is_same);
    }
    (is_same(field) && !KEYWORDS.contains(&field))
        || field.strip_suffix('_').is_some_and(|word| KEYWORDS.contains(&word) && is_same(word))
}

/// A name as an identifier of Alloy: what cannot stand in one becomes an underscore.
pub fn identifier(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return name.to_owned();
    }
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The parts of a module for a type.
#[derive(Clone, Copy, Debug)]
pub struct TypeModule<'t> {
    /// The name of the module, such as `hot/types/OS_Neutron_Port`.
    pub module: &'t str,
    /// The module that has the signatures that all types use, such as `hot/core`.
    pub core: &'t str,
    /// The name of the signature.
    pub sig: &'t str,
    /// The signature of the core that it extends.
    pub extends: &'t str,
    /// Its description, for its comment.
    pub doc: &'t str,
    /// The properties of the type, in order of names.
    pub properties: &'t [Property],
}

impl std::fmt::Display for TypeModule<'_> {
    /// The text of the module.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "module {}\nopen {}\n\n/** {} */\n", self.module, self.core, self.doc)?;
        let mut text = String::new();
        signature(&mut text, self.sig, self.extends, self.properties, true);
        f.write_str(&text)
    }
}

fn signature(text: &mut String, name: &str, parent: &str, properties: &[Property], top: bool) {
    let _ = writeln!(text, "sig {name} extends {parent} {{");
    let count = properties.len();
    for (at, property) in properties.iter().enumerate() {
        let many = if property.kind == Type::List { "set" } else { "lone" };
        let what = match Holds::of(property) {
            Holds::Location => "Location".to_owned(),
            Holds::Text => "String".to_owned(),
            Holds::Number => "Int".to_owned(),
            Holds::Truth => "Boolean".to_owned(),
            Holds::Part => part_name(name, property),
            Holds::Anything => "(Location + String + Int + Boolean + Data)".to_owned(),
        };
        let comma = if at + 1 < count { "," } else { "" };
        let many = if Holds::of(property) == Holds::Anything { "set" } else { many };
        let _ = writeln!(text, "  {}: {many} {what}{comma}", field_name(&property.name, top));
    }
    text.push_str("}\n");
    for property in properties {
        if Holds::of(property) == Holds::Part {
            let part = part_name(name, property);
            let _ = writeln!(
                text,
                "\n/** {} in `{}`. */",
                if property.kind == Type::List { "An item" } else { "What is" },
                property.name
            );
            signature(text, &part, "Part", &item(property).nested, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_told_by_its_name() {
        let properties = ["size", "fixed_ips", "set", "some", "cpu-count", "größe", "a_", "all_", "", "_"];
        let fields = properties.iter().flat_map(|name| [field_name(name, true), field_name(name, false)]);
        let fields: Vec<String> = fields.chain(["prop_".to_owned(), "set".to_owned()]).collect();
        for property in properties {
            for top in [true, false] {
                for field in &fields {
                    let is_it = *field == field_name(property, top);
                    assert_eq!(is_field_name(field, property, top), is_it, "{field} for {property}, {top}");
                }
            }
        }
    }
}
