//! The values that a thing of a type may have: properties, their types, what is in them.
//!
//! Types may come from a catalogue that never changes, or from the document itself. Whoever looks at values along
//! with them uses the walk ([`crate::walk`]).

use crate::constraint::Constraint;

/// The type of the value of a property or an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Values by key.
    Map,
    /// Values in order.
    List,
    /// Anything.
    Any,
}

impl Type {
    /// With its article, for messages.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Map => "a map",
            Self::List => "a list",
            Self::Any => "anything",
        }
    }
}

/// Whether something is still to be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// `DEPRECATED`, `HIDDEN` or `UNSUPPORTED`; what is supported has no status.
    pub status: Box<str>,
    /// Since which version; may be empty.
    pub version: Box<str>,
    /// The advice on a replacement; may be empty.
    pub message: Box<str>,
}

/// A property of a type, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name; `*` for the items of a list.
    pub name: Box<str>,
    /// The type of its value.
    pub kind: Type,
    /// Whether a document must give it.
    pub required: bool,
    /// Whether an update changes it in place; otherwise the thing is replaced.
    pub update_allowed: bool,
    /// Whether an update that changes it fails.
    pub immutable: bool,
    /// Whether it has an effect.
    pub implemented: bool,
    /// Whether a string may stand for a list or a map.
    pub converted: bool,
    /// Further constraints on its value.
    pub constraints: Vec<Constraint>,
    /// Its default where a document does not give it, as JSON.
    pub default: Option<Box<str>>,
    /// Whether it is still to be used.
    pub status: Option<Status>,
    /// An old name, which a document may give instead.
    pub old_name: Option<Box<str>>,
    /// The kind of thing that it names, where no constraint says so.
    pub kind_named: Option<Box<str>>,
    /// Its parts: for a map by name, for a list one called `*`. Empty where anything goes.
    pub nested: Vec<Property>,
}

impl Property {
    /// An optional property of which nothing more is said.
    pub fn new(name: impl Into<Box<str>>, kind: Type) -> Self {
        Self {
            name: name.into(),
            kind,
            required: false,
            update_allowed: true,
            immutable: false,
            implemented: true,
            converted: false,
            constraints: Vec::new(),
            default: None,
            status: None,
            old_name: None,
            kind_named: None,
            nested: Vec::new(),
        }
    }

    /// The part with this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        find(&self.nested, name)
    }

    /// The kind of thing that the value names, as custom constraints say it: `neutron.network`.
    pub fn names_kind(&self) -> Option<&str> {
        let constraint = self.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Custom(name) if name.contains('.') => Some(&**name),
            _ => None,
        });
        constraint.or(self.kind_named.as_deref())
    }
}

/// The property with this name, among some in order of names.
pub fn find<'p>(properties: &'p [Property], name: &str) -> Option<&'p Property> {
    properties.binary_search_by(|property| (*property.name).cmp(name)).ok().map(|at| &properties[at])
}
