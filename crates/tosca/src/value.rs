//! Values: what an expression of a file is known to be before anything is deployed.

use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

use locus_source::Place;

use crate::data::Schema;

/// A value and where it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Datum {
    /// What it is.
    pub value: Value,
    /// Where it is written, or used if a function gives it.
    pub place: Place,
}

/// What is known of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A text, also one that is a number with a unit, a version or a timestamp.
    Text(Arc<str>),
    /// Values in order.
    List(Arc<[Datum]>),
    /// Values by key, in the order of the text.
    Map(Arc<[(Arc<str>, Datum)]>),
    /// Not known before deployment.
    Unknown(Arc<Why>),
}

/// Reasons for a value not to be known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// Nobody gave this input a value.
    Input(Arc<str>),
    /// An attribute of something.
    Attribute(Arc<str>),
    /// Something that a requirement leads to, which is not decided.
    Target(Arc<str>),
    /// What a function gives that is not evaluated here.
    Function(Arc<str>),
    /// The number of a node or relationship among those of one template.
    Index,
    /// A value that the definition leaves open.
    Unset(Arc<str>),
    /// It would be too large.
    TooLarge,
    /// There is something wrong with it, which has been reported.
    Wrong,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(name) => write!(f, "the input `{name}` has no value"),
            Self::Attribute(name) => write!(f, "{name} is known only when it is deployed"),
            Self::Target(name) => write!(f, "the target of {name} is not decided"),
            Self::Function(name) => write!(f, "the result of `{name}` is not known"),
            Self::Index => f.write_str("it depends on which of several nodes or relationships it is about"),
            Self::Unset(name) => write!(f, "{name} has no value"),
            Self::TooLarge => f.write_str("it would be too large"),
            Self::Wrong => f.write_str("there is something wrong with it"),
        }
    }
}

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
}

impl Datum {
    pub(crate) fn new(value: Value, place: Place) -> Self {
        Self { value, place }
    }

    pub(crate) fn unknown(why: Why, place: Place) -> Self {
        Self { value: Value::Unknown(Arc::new(why)), place }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let Value::Map(fields) = &self.value else { return None };
        fields.iter().find(|(name, _)| &**name == key).map(|(_, value)| value)
    }

    /// The text, of a text.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }
}

impl Value {
    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// What it is, with its article, for messages.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Unknown(_) => "not known",
        }
    }

    /// Whether it and all in it is known.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Unknown(_) => false,
            Self::List(items) => items.iter().all(|item| item.value.is_known()),
            Self::Map(fields) => fields.iter().all(|(_, value)| value.value.is_known()),
            _ => true,
        }
    }

    /// Whether two values that are known say the same, wherever they are written.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.value.same(&b.value))
            }
            (Self::Map(a), Self::Map(b)) => {
                let get =
                    |name: &str| b.iter().find(|(key, _)| &**key == name).map(|(_, value)| &value.value);
                a.len() == b.len()
                    && a.iter().all(|(key, value)| get(key).is_some_and(|other| value.value.same(other)))
            }
            (Self::Int(a), Self::Float(b)) | (Self::Float(b), Self::Int(a)) => (*a as f64 - b).abs() == 0.0,
            (a, b) => a == b,
        }
    }

    /// For messages: not longer than a line.
    pub(crate) fn show(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        crate::report::short(&text)
    }

    fn write(&self, text: &mut String) {
        if text.len() > 200 {
            return;
        }
        let _ = match self {
            Self::Null => write!(text, "null"),
            Self::Bool(value) => write!(text, "{value}"),
            Self::Int(value) => write!(text, "{value}"),
            Self::Float(value) => write!(text, "{value}"),
            Self::Text(value) => write!(text, "{value}"),
            Self::Unknown(_) => write!(text, "?"),
            Self::List(items) => {
                text.push('[');
                for (at, item) in items.iter().enumerate() {
                    text.push_str(if at == 0 { "" } else { ", " });
                    item.value.write(text);
                }
                write!(text, "]")
            }
            Self::Map(fields) => {
                text.push('{');
                for (at, (key, value)) in fields.iter().enumerate() {
                    let _ = write!(text, "{}{key}: ", if at == 0 { "" } else { ", " });
                    value.value.write(text);
                }
                write!(text, "}}")
            }
        };
    }
}
