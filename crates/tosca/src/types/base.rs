//! The base types of values: the built-in data types, and maps with the properties of a complex type.

use std::rc::Rc;

use crate::read::version::Version;
use crate::types::names::TypeId;
use crate::types::units::Units;

/// The base type of a value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Base {
    String,
    Integer,
    Float,
    Boolean,
    Bytes,
    Nil,
    Timestamp,
    Range,
    Version,
    List,
    Map,
    /// A number with a unit; without units if those are not known.
    Scalar(Option<Rc<Units>>),
    /// A map with these properties.
    Complex(TypeId),
    /// Not known.
    Any,
}

impl Base {
    /// For messages, with article.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Float => "a float",
            Self::Boolean => "a boolean",
            Self::Bytes => "Base64",
            Self::Nil => "null",
            Self::Timestamp => "a timestamp",
            Self::Range => "a range",
            Self::Version => "a version",
            Self::List => "a list",
            Self::Map | Self::Complex(_) => "a map",
            Self::Scalar(_) => "a number with a unit",
            Self::Any => "a value",
        }
    }
    /// The built-in data type of this name; the one of values with a unit is abstract, and has no units.
    pub(crate) fn built_in(name: &str, version: Version) -> Option<Self> {
        let simple = version.is_simple();
        let name = if simple { name.strip_prefix("tosca:").unwrap_or(name) } else { name };
        let with = |units: Units| Self::Scalar(Some(Rc::new(units)));
        Some(match name {
            "string" => Self::String,
            "integer" => Self::Integer,
            "float" => Self::Float,
            "boolean" => Self::Boolean,
            "bytes" if !simple => Self::Bytes,
            "nil" if !simple => Self::Nil,
            "null" if simple => Self::Nil,
            "timestamp" => Self::Timestamp,
            "range" => Self::Range,
            "version" => Self::Version,
            "list" => Self::List,
            "map" => Self::Map,
            "scalar" if !simple => Self::Scalar(None),
            "scalar-unit" => Self::Scalar(None),
            "scalar-unit.size" => with(Units::size()),
            "scalar-unit.time" => with(Units::time()),
            "scalar-unit.frequency" => with(Units::frequency()),
            "scalar-unit.bitrate" => with(Units::bitrate()),
            _ => return None,
        })
    }
}
