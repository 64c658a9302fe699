//! Order and equality of values, with regard to what their types say of units, versions and timestamps.

use std::cmp::Ordering;

use locus_schema::Content;

use crate::read::scalar;
use crate::types::base::Base;
use crate::types::data::Schema;
use crate::types::value::{Typed, same};

/// How two values that are known compare; nothing if they do not.
pub(crate) fn order(one: &Typed<'_>, two: &Typed<'_>) -> Option<Ordering> {
    let (a, b) = (&one.datum.value, &two.datum.value);
    if let (Content::Str(a), Content::Str(b)) = (a, b) {
        return order_of_texts(a, b, base_of(&one.schema, &two.schema));
    }
    match (a, b) {
        (Content::Int(a), Content::Int(b)) => Some(a.cmp(b)),
        _ => number(a)?.partial_cmp(&number(b)?),
    }
}

/// The type that says most.
fn base_of<'s>(one: &'s Schema<'_>, two: &'s Schema<'_>) -> &'s Base {
    match (&one.base, &two.base) {
        (Base::Any | Base::String, two) => two,
        (one, _) => one,
    }
}

fn order_of_texts(a: &str, b: &str, base: &Base) -> Option<Ordering> {
    match base {
        Base::Scalar(Some(units)) => {
            let (a, b) = (units.read(a).ok()?, units.read(b).ok()?);
            a.value.partial_cmp(&b.value)
        }
        Base::Scalar(None) => None,
        Base::Version => scalar::version(a)?.partial_cmp(&scalar::version(b)?),
        Base::Timestamp => Some(scalar::instant(a)?.cmp(&scalar::instant(b)?)),
        _ => Some(a.cmp(b)),
    }
}

/// Whether two values that are known are equal.
pub(crate) fn equal(one: &Typed<'_>, two: &Typed<'_>) -> bool {
    match (&one.datum.value, &two.datum.value) {
        (Content::Str(a), Content::Str(b)) => {
            a == b || order_of_texts(a, b, base_of(&one.schema, &two.schema)) == Some(Ordering::Equal)
        }
        (a, b) => same(a, b),
    }
}

/// Whether two values can be of one type, as far as that is known.
pub(crate) fn same_kind(one: &Typed<'_>, two: &Typed<'_>) -> bool {
    match (kind(one), kind(two)) {
        (Some(one), Some(two)) => one == two,
        _ => true,
    }
}

/// The kind that values of a type have in YAML; nothing if that is not known. Integers and floats are numbers.
fn kind(one: &Typed<'_>) -> Option<&'static str> {
    Some(match (&one.datum.value, &one.schema.base) {
        (Content::Int(_) | Content::BigInt(_) | Content::Float(_), _)
        | (Content::Unknown(_), Base::Integer | Base::Float) => "number",
        (Content::Str(_), _)
        | (
            Content::Unknown(_),
            Base::String | Base::Bytes | Base::Timestamp | Base::Version | Base::Scalar(_),
        ) => "text",
        (Content::Bool(_), _) | (Content::Unknown(_), Base::Boolean) => "boolean",
        (Content::List(_), _) | (Content::Unknown(_), Base::List | Base::Range) => "list",
        (Content::Map(_), _) | (Content::Unknown(_), Base::Map) => "map",
        (Content::Null | Content::Location(_) | Content::Absent, _)
        | (Content::Unknown(_), Base::Nil | Base::Complex(_) | Base::Any) => return None,
    })
}

/// The number, of a number.
pub(crate) fn number(value: &Content) -> Option<f64> {
    match value {
        Content::Int(value) => Some(*value as f64),
        Content::Float(value) => Some(*value),
        Content::BigInt(text) => text.parse().ok(),
        _ => None,
    }
}
