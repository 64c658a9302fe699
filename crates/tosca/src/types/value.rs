//! Values as TOSCA has them: a type beside them, and its own words and equality for them.
//!
//! Of [`Content`], TOSCA makes neither `BigInt` (whole numbers of more than 64 bits are floats), nor `Location`, nor
//! `Absent`.

use std::fmt::Write as _;
use std::rc::Rc;

use locus_schema::unknown::WRONG;
use locus_schema::{Content, Datum, Why};
use locus_source::Place;

use crate::types::data::Schema;

/// A value with what is known of its type.
#[derive(Clone, Debug)]
pub(crate) struct Typed<'t> {
    pub(crate) datum: Datum,
    pub(crate) schema: Rc<Schema<'t>>,
}

impl<'t> Typed<'t> {
    pub(crate) fn new(datum: Datum, schema: &Rc<Schema<'t>>) -> Self {
        Self { datum, schema: Rc::clone(schema) }
    }

    pub(crate) fn untyped(datum: Datum) -> Self {
        Self { datum, schema: Rc::new(Schema::any()) }
    }

    pub(crate) fn unknown(why: Why, place: Place) -> Self {
        Self::untyped(Datum::unknown(why, place))
    }

    /// A value that is not known because of something that has been reported.
    pub(crate) fn wrong(place: Place) -> Self {
        Self::unknown(Why::plain(&WRONG), place)
    }

    /// Whether it and all in it is known.
    pub(crate) fn is_known(&self) -> bool {
        !self.datum.value.is_partly_unknown()
    }
}

/// The value of a key. Of keys with the same text, as `1` and `"1"`, the first one counts, and not the last as for
/// [`Datum::get`].
pub(crate) fn get<'d>(datum: &'d Datum, key: &str) -> Option<&'d Datum> {
    datum.fields().iter().find(|field| &*field.key == key).map(|field| &field.value)
}

/// The kind of a value, with its article, in the words of TOSCA.
pub(crate) fn kind_of(value: &Content) -> &'static str {
    match value {
        Content::Float(_) => "a float",
        other => other.kind_name(),
    }
}

/// Whether two values that are known say the same, wherever they are written. Truth values are not numbers.
pub(crate) fn same(one: &Content, two: &Content) -> bool {
    match (one, two) {
        (Content::List(a), Content::List(b)) => same_items(a, b),
        (Content::Map(a), Content::Map(b)) => {
            let get = |name: &str| b.iter().find(|other| &*other.key == name);
            let has = |key: &str, value| get(key).is_some_and(|other| same(value, &other.value.value));
            a.len() == b.len() && a.iter().all(|field| has(&field.key, &field.value.value))
        }
        (Content::Int(a), Content::Float(b)) | (Content::Float(b), Content::Int(a)) => {
            (*a as f64 - b).abs() == 0.0
        }
        (a, b) => a == b,
    }
}

/// The same of the items of two lists.
pub(crate) fn same_items(one: &[Datum], two: &[Datum]) -> bool {
    one.len() == two.len() && one.iter().zip(two).all(|(a, b)| same(&a.value, &b.value))
}

/// For messages: not longer than a line.
pub(crate) fn show(value: &Content) -> String {
    crate::report::short(&text_of(value))
}

/// The text of a scalar, as it stands for a key or in another text: all of it, as it is.
pub(crate) fn text_of(value: &Content) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

/// Lists and maps are cut where nobody would read on.
fn write(value: &Content, text: &mut String) {
    if text.len() > 200 {
        return;
    }
    let _ = match value {
        Content::Null => write!(text, "null"),
        Content::Bool(value) => write!(text, "{value}"),
        Content::Int(value) => write!(text, "{value}"),
        Content::Float(value) => write!(text, "{value}"),
        Content::Str(value) | Content::BigInt(value) => write!(text, "{value}"),
        Content::Unknown(_) | Content::Location(_) | Content::Absent => write!(text, "?"),
        Content::List(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                write(&item.value, text);
            }
            write!(text, "]")
        }
        Content::Map(fields) => {
            text.push('{');
            for (at, field) in fields.iter().enumerate() {
                let _ = write!(text, "{}{}: ", if at == 0 { "" } else { ", " }, field.key);
                write(&field.value.value, text);
            }
            write!(text, "}}")
        }
    };
}
