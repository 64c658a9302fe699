//! Data: what an expression of a document is known to be before anything is deployed.
//!
//! A [`Datum`] knows where it is written, and where it came from if that is another place: the default of an input,
//! another file. What it is known to be is its [`Content`]. What cannot be known is [`Content::Unknown`] with the
//! reason. Both are cheap to clone, so a large input that a thousand resources use exists once.

use std::fmt::Write as _;
use std::sync::Arc;

use locus_source::{Node, Place};

use crate::constraint::shown;
use crate::unknown::{CONTENTS, Later, Unknown, Why};
use locus_source::words::short;

/// A value and its places.
#[derive(Clone, PartialEq, Debug)]
pub struct Datum {
    /// Its content.
    pub value: Content,
    /// Where it is used.
    pub place: Place,
    /// Where it came from, if that is somewhere else.
    pub origin: Option<Place>,
    /// The file that the document names and that the value was read from, or made of. What such a file contains is not
    /// shown to anybody: see [`Datum::made_of`].
    pub contents_of: Option<Arc<str>>,
    /// Whether the document says that the value is a secret, or it is made of one: see [`Datum::secret`].
    pub is_secret: bool,
}

/// The known content of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number of more than 64 bits, as it is written.
    BigInt(Arc<str>),
    /// Any other number.
    Float(f64),
    /// A text.
    Str(Arc<str>),
    /// Values in order.
    List(Arc<[Datum]>),
    /// Values by key, in the order of the text.
    Map(Arc<[Field]>),
    /// The id that a location of this document will have, by its name.
    Location(Arc<str>),
    /// As if it were not written: what `if` gives without a third argument.
    Absent,
    /// Not known before deployment.
    Unknown(Arc<Unknown>),
}

/// A key with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The key.
    pub key: Arc<str>,
    /// Where the key is written.
    pub place: Place,
    /// The value.
    pub value: Datum,
}

impl Datum {
    /// A value that is written where it is used.
    pub fn new(value: Content, place: Place) -> Self {
        Self { value, place, origin: None, contents_of: None, is_secret: false }
    }

    /// A value that is not known.
    pub fn unknown(why: Why, place: Place) -> Self {
        Self::new(Content::Unknown(Arc::new(Unknown { why, place, call: None })), place)
    }

    /// A value that is the result of a call, once the deployment tells its arguments.
    pub fn deferred(why: Why, place: Place, call: Later) -> Self {
        Self::new(Content::Unknown(Arc::new(Unknown { why, place, call: Some(call) })), place)
    }

    /// The same value with other arguments of the calls in it, as `change` makes them.
    #[must_use]
    pub fn with_given(&self, unknown: &Unknown, change: impl FnOnce(&Datum) -> Datum) -> Self {
        let Some(call) = &unknown.call else { return self.clone() };
        let call = Later { function: Arc::clone(&call.function), given: change(&call.given) };
        let value = Content::Unknown(Arc::new(Unknown { call: Some(call), ..unknown.clone() }));
        Self { value, ..self.clone() }
    }

    /// The same value, used in another place.
    #[must_use]
    pub fn used_at(&self, place: Place) -> Self {
        let origin = self.origin.unwrap_or(self.place);
        Self { place, origin: (origin != place).then_some(origin), ..self.clone() }
    }

    /// The same value, marked as made of the contents of a file, with all that is in it.
    #[must_use]
    pub fn made_of(self, file: &Arc<str>) -> Self {
        let marked = self.with_parts(|part| part.made_of(file));
        Self { contents_of: Some(Arc::clone(file)), ..marked }
    }

    /// The same value, marked as a secret, with all that is in it.
    #[must_use]
    pub fn secret(self) -> Self {
        let marked = self.with_parts(Datum::secret);
        Self { is_secret: true, ..marked }
    }

    /// The same value, with all values right in it as `change` makes them.
    fn with_parts(mut self, change: impl Fn(Datum) -> Datum) -> Self {
        let change = |part: &Datum| change(part.clone());
        match &self.value {
            Content::List(items) => self.value = Content::List(items.iter().map(change).collect()),
            Content::Map(fields) => {
                let field = |field: &Field| Field { value: change(&field.value), ..field.clone() };
                self.value = Content::Map(fields.iter().map(field).collect());
            }
            _ => {}
        }
        self
    }

    /// Whether this value, or one in it, is marked as a secret.
    pub fn has_secret(&self) -> bool {
        self.is_secret
            || match &self.value {
                Content::List(items) => items.iter().any(Self::has_secret),
                Content::Map(fields) => fields.iter().any(|field| field.value.has_secret()),
                _ => false,
            }
    }

    /// The first file whose contents are in this value.
    pub fn file_within(&self) -> Option<&Arc<str>> {
        self.contents_of.as_ref().or_else(|| match &self.value {
            Content::List(items) => items.iter().find_map(Self::file_within),
            Content::Map(fields) => fields.iter().find_map(|field| field.value.file_within()),
            _ => None,
        })
    }

    /// The same value with everything unknown that was made of the contents of a file.
    #[must_use]
    pub fn without_contents(&self) -> Self {
        if let Some(file) = &self.contents_of {
            return Self::unknown(Why::of(&CONTENTS, Arc::clone(file)), self.place);
        }
        let value = match &self.value {
            Content::List(items) => Content::List(items.iter().map(Self::without_contents).collect()),
            Content::Map(fields) => {
                let field = |field: &Field| Field { value: field.value.without_contents(), ..field.clone() };
                Content::Map(fields.iter().map(field).collect())
            }
            other => other.clone(),
        };
        Self { value, ..self.clone() }
    }

    /// The value for a message. The contents of a file are not shown.
    pub fn shown(&self) -> String {
        match self.file_within() {
            Some(file) => format!("made of the contents of `{}`", short(file)),
            None => shown(&self.value),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Datum> {
        let Content::Map(fields) = &self.value else { return None };
        fields.iter().rev().find(|field| &*field.key == key).map(|field| &field.value)
    }

    /// The text, of a text.
    pub fn as_str(&self) -> Option<&str> {
        if let Content::Str(text) = &self.value { Some(text) } else { None }
    }

    /// The items of a list; none of anything else.
    pub fn items(&self) -> &[Datum] {
        if let Content::List(items) = &self.value { items } else { &[] }
    }

    /// The fields of a map; none of anything else.
    pub fn fields(&self) -> &[Field] {
        if let Content::Map(fields) = &self.value { fields } else { &[] }
    }

    /// Calls `see` for every value in this one that is not known, and for this one.
    pub fn each_unknown(&self, see: &mut impl FnMut(&Arc<Unknown>)) {
        match &self.value {
            Content::Unknown(unknown) => see(unknown),
            Content::List(items) => items.iter().for_each(|item| item.each_unknown(see)),
            Content::Map(fields) => fields.iter().for_each(|field| field.value.each_unknown(see)),
            _ => {}
        }
    }
}

impl Content {
    /// A text.
    pub fn str(text: &str) -> Self {
        Self::Str(text.into())
    }

    /// Returns the value of a scalar of a tree for Heat, which reads dates as texts.
    pub fn of_scalar(node: Node<'_>) -> Self {
        use locus_source::Value as Read;
        match node.value() {
            Read::Null => Self::Null,
            Read::Bool(value) => Self::Bool(value),
            Read::Int(value) => Self::Int(value),
            Read::BigInt(text) => Self::BigInt(text.into()),
            Read::Float(value) => Self::Float(value),
            Read::Str(text) | Read::Timestamp(text) => Self::str(text),
            Read::Sequence => Self::List(Arc::new([])),
            Read::Mapping => Self::Map(Arc::new([])),
        }
    }

    /// Returns its kind with an article, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::BigInt(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Str(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Location(_) => "the id of a resource",
            Self::Absent => "nothing",
            Self::Unknown(_) => "not known",
        }
    }

    /// Whether Python takes it for a number, as it does truth values.
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int(_) | Self::BigInt(_) | Self::Float(_) | Self::Bool(_))
    }

    /// Whether it, or something in it, is not known.
    pub fn is_partly_unknown(&self) -> bool {
        match self {
            Self::Unknown(_) | Self::Location(_) => true,
            Self::List(items) => items.iter().any(|item| item.value.is_partly_unknown()),
            Self::Map(fields) => fields.iter().any(|field| field.value.value.is_partly_unknown()),
            _ => false,
        }
    }

    /// The text that Python's `str` makes of a scalar.
    pub fn to_text(&self) -> Option<Arc<str>> {
        Some(match self {
            Self::Null => "None".into(),
            Self::Bool(value) => if *value { "True" } else { "False" }.into(),
            Self::Int(value) => value.to_string().into(),
            Self::BigInt(text) | Self::Str(text) => Arc::clone(text),
            Self::Float(value) => format!("{value:?}").into(),
            _ => return None,
        })
    }

    /// Whether two values are equal for Python: numbers and truth values by what they are worth. Nothing where
    /// that depends on something that is not known.
    pub fn equals(&self, other: &Self) -> Option<bool> {
        let number = |value: &Self| match value {
            Self::Bool(value) => Some(f64::from(u8::from(*value))),
            Self::Int(value) => Some(*value as f64),
            Self::Float(value) => Some(*value),
            Self::BigInt(text) => text.parse().ok(),
            _ => None,
        };
        match (self, other) {
            (Self::Location(a), Self::Location(b)) if a == b => Some(true),
            (Self::Unknown(_), _)
            | (_, Self::Unknown(_))
            | (Self::Location(_), Self::Str(_) | Self::Location(_))
            | (Self::Str(_), Self::Location(_)) => None,
            (Self::Null, Self::Null) | (Self::Absent, Self::Absent) => Some(true),
            (Self::Str(a), Self::Str(b)) => Some(a == b),
            (Self::Int(a), Self::Int(b)) => Some(a == b),
            (Self::List(a), Self::List(b)) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                all(a.iter().zip(b.iter()).map(|(a, b)| a.value.equals(&b.value)))
            }
            (Self::Map(a), Self::Map(b)) => {
                if a.len() != b.len() {
                    return Some(false);
                }
                all(a.iter().map(|field| {
                    let other = b.iter().find(|other| other.key == field.key);
                    other.map_or(Some(false), |other| field.value.value.equals(&other.value.value))
                }))
            }
            _ => match (number(self), number(other)) {
                (Some(a), Some(b)) => Some(a.partial_cmp(&b).is_some_and(std::cmp::Ordering::is_eq)),
                _ => Some(false),
            },
        }
    }

    /// As JSON, in the way of Python's `json.dumps` with sorted keys. Nothing if something is not known.
    pub fn to_json(&self) -> Option<String> {
        let mut text = String::new();
        self.write_json(&mut text)?;
        Some(text)
    }

    fn write_json(&self, into: &mut String) -> Option<()> {
        match self {
            Self::Null => into.push_str("null"),
            Self::Bool(value) => into.push_str(if *value { "true" } else { "false" }),
            Self::Int(value) => into.push_str(&value.to_string()),
            Self::BigInt(text) => into.push_str(text),
            Self::Float(_) => into.push_str(&self.to_text()?),
            Self::Str(text) => write_json_text(text, into),
            Self::List(items) => {
                into.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        into.push_str(", ");
                    }
                    item.value.write_json(into)?;
                }
                into.push(']');
            }
            Self::Map(fields) => {
                let mut sorted: Vec<&Field> = fields.iter().collect();
                sorted.sort_by(|a, b| a.key.cmp(&b.key));
                into.push('{');
                for (i, field) in sorted.into_iter().enumerate() {
                    if i > 0 {
                        into.push_str(", ");
                    }
                    write_json_text(&field.key, into);
                    into.push_str(": ");
                    field.value.value.write_json(into)?;
                }
                into.push('}');
            }
            Self::Location(_) | Self::Absent | Self::Unknown(_) => return None,
        }
        Some(())
    }
}

/// Returns the conjunction of all parts, if it is known.
pub fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return Some(false),
            None => result = None,
        }
    }
    result
}

fn write_json_text(text: &str, into: &mut String) {
    into.push('"');
    let mut units = [0; 2];
    for c in text.chars() {
        match c {
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '\u{8}' => into.push_str("\\b"),
            '\u{c}' => into.push_str("\\f"),
            ' '..='~' => into.push(c),
            _ => {
                for unit in c.encode_utf16(&mut units) {
                    let _ = write!(into, "\\u{unit:04x}");
                }
            }
        }
    }
    into.push('"');
}
