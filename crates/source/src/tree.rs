//! Trees: what a YAML or JSON document says, with the place of every key and value.
//!
//! A [`Tree`] is one document, a [`Node`] a cheap handle to a value in it. Nodes that aliases repeat exist
//! once; whoever walks a tree meets them as often as they are reached, which the reader has made sure is
//! finite and within [`Limits`](crate::Limits), depth included. So a recursive walk is safe.
//!
//! The readers are [`yaml`](crate::yaml) and [`json`](crate::json).

mod arena;
mod build;
mod keys;
mod schema;
mod walk;

use std::sync::Arc;

pub(crate) use arena::Arena;
use arena::Kind;
pub(crate) use build::{Builder, Problem};
pub use schema::{Schema, is_timestamp};
pub use walk::{Entries, Entry, Items};

use crate::{FileId, Finding, Place, Severity, SourceFile, Span};

/// After this many problems in one file, readers stop to report more: nobody reads them, and a hostile file
/// must not make us hold millions.
pub(crate) const MOST_PROBLEMS: usize = 200;

/// The result of reading a file: parsing never fails, it gives findings.
#[derive(Debug, Default)]
pub struct Parsed {
    /// The documents, in order, without those that are broken (each of these has an error among the
    /// findings). A text without a value has none.
    pub documents: Vec<Tree>,
    /// Comments, in order, from the sign that starts them to the end of their line.
    pub comments: Vec<Span>,
    /// The faults that were found.
    pub findings: Vec<Finding>,
}

impl Parsed {
    /// Whether something is so wrong that the documents must not be relied on.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

/// One document.
#[derive(Clone)]
pub struct Tree {
    arena: Arc<Arena>,
    root: u32,
}

impl Tree {
    pub(crate) fn new(arena: Arc<Arena>, root: u32) -> Self {
        Self { arena, root }
    }

    /// The value that the document is.
    pub fn root(&self) -> Node<'_> {
        Node { arena: &self.arena, at: self.root }
    }

    /// The file that it was read from.
    pub fn file(&self) -> FileId {
        self.arena.file.id()
    }

    /// The same, with its text.
    pub fn source(&self) -> &Arc<SourceFile> {
        &self.arena.file
    }

    /// Bytes of memory that all documents of the file take together, without the text of the file.
    pub fn memory(&self) -> usize {
        self.arena.bytes()
    }
}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tree({:?})", self.root())
    }
}

/// The content of a node, with the value of a scalar worked out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'t> {
    /// Nothing: `null`, `~` or no text at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that 64 bits do not hold, as it is written.
    BigInt(&'t str),
    /// Any other number.
    Float(f64),
    /// A text.
    Str(&'t str),
    /// A date or a time, as it is written; only PyYAML's reading knows these.
    Timestamp(&'t str),
    /// A list of values: see [`Node::items`].
    Sequence,
    /// Keys with values: see [`Node::entries`].
    Mapping,
}

impl Value<'_> {
    /// Returns its kind with an article, for messages: `a mapping`, `a string`, `null`.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Int(_) | Self::BigInt(_) => "an integer",
            Self::Float(_) => "a number",
            Self::Str(_) => "a string",
            Self::Timestamp(_) => "a timestamp",
            Self::Sequence => "a sequence",
            Self::Mapping => "a mapping",
        }
    }
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A scalar without quotes, or no text at all.
    Plain,
    /// A scalar in `'`.
    SingleQuoted,
    /// A scalar in `"`.
    DoubleQuoted,
    /// A scalar after `|`.
    Literal,
    /// A scalar after `>`.
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets.
    Flow,
}

/// A node that a reader adds to a tree.
#[derive(Clone, Copy)]
pub(crate) enum Shape<'s> {
    Absent,
    Scalar(&'s str, Style),
    Sequence(Style),
    Mapping(Style),
    Alias(u32),
}

/// A value in a tree, or a key.
///
/// Where an alias (`*name`) stands, the node is the one that it means, and [`Node::alias`] tells where it
/// was reached from.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    arena: &'t Arena,
    at: u32,
}

impl<'t> Node<'t> {
    fn target(self) -> u32 {
        self.arena.target(self.at)
    }

    /// Where it stands, without its tag and anchor. Through an alias, this is where the value is written.
    /// The span of a value that is not there is empty.
    pub fn span(self) -> Span {
        self.arena.span(self.target())
    }

    /// The same, with the file.
    pub fn place(self) -> Place {
        self.arena.file.place(self.span())
    }

    /// Where the alias stands through which the node was reached, if it was.
    pub fn alias(self) -> Option<Span> {
        (self.arena.kind(self.at) == Kind::Alias).then(|| self.arena.span(self.at))
    }

    /// The place in the text where the node is used: that of the alias, or else its own.
    pub fn use_place(self) -> Place {
        self.arena.file.place(self.arena.span(self.at))
    }

    /// The name of the tag, and where it stands. Local tags start with one exclamation mark (`!Ref`), YAML's
    /// own with two (`!!str`); others are written out (`tag:example.org,2000:thing`).
    pub fn tag(self) -> Option<(&'t str, Span)> {
        self.arena.tag(self.target())
    }

    /// The name of the anchor, and where it stands with its `&`.
    pub fn anchor(self) -> Option<(&'t str, Span)> {
        let span = self.arena.anchor(self.target())?;
        Some((&self.arena.file.slice(span)[1..], span))
    }

    /// How it is written.
    pub fn style(self) -> Style {
        self.arena.style(self.target())
    }

    /// Returns its value. The text of a quoted or block scalar is a string; so is that of a scalar whose tag is not
    /// one of YAML's own, and of one that is not as its tag says (which the reader reports).
    pub fn value(self) -> Value<'t> {
        let at = self.target();
        match self.arena.kind(at) {
            Kind::Sequence => Value::Sequence,
            Kind::Mapping => Value::Mapping,
            Kind::Absent | Kind::Scalar | Kind::Alias => self.scalar(at),
        }
    }

    fn scalar(self, at: u32) -> Value<'t> {
        let text = self.arena.raw(at);
        match self.tag() {
            Some((name, _)) => match name.strip_prefix("!!") {
                Some(name) => self.arena.schema.tagged(name, text).unwrap_or(Value::Str(text)),
                None => Value::Str(text),
            },
            None if self.arena.style(at) == Style::Plain => self.arena.schema.resolve(text),
            None => Value::Str(text),
        }
    }

    /// The text of a scalar: unescaped, unfolded, not interpreted. Empty for a collection.
    pub fn raw(self) -> &'t str {
        self.arena.raw(self.target())
    }

    /// The text, if the node is a string.
    pub fn as_str(self) -> Option<&'t str> {
        match self.value() {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if the node is a whole number of at most 64 bits.
    pub fn as_i64(self) -> Option<i64> {
        match self.value() {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The number, if the node is one. A whole number may lose digits.
    pub fn as_f64(self) -> Option<f64> {
        match self.value() {
            Value::Int(value) => Some(value as f64),
            Value::BigInt(text) => text.parse().ok(),
            Value::Float(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value, if the node is one.
    pub fn as_bool(self) -> Option<bool> {
        match self.value() {
            Value::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// Whether the node is null: written so, or not there.
    pub fn is_null(self) -> bool {
        self.value() == Value::Null
    }

    /// Whether the node is neither a sequence nor a mapping.
    pub fn is_scalar(self) -> bool {
        !self.is_sequence() && !self.is_mapping()
    }

    /// Whether the node is a sequence.
    pub fn is_sequence(self) -> bool {
        self.arena.kind(self.target()) == Kind::Sequence
    }

    /// Whether the node is a mapping.
    pub fn is_mapping(self) -> bool {
        self.arena.kind(self.target()) == Kind::Mapping
    }

    /// Returns the kind of the node with an article, for messages: `a mapping`, `a string`, `null`.
    pub fn kind_name(self) -> &'static str {
        self.value().kind_name()
    }

    /// Whether two handles mean the same node of the same file, perhaps reached in different ways.
    pub fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.arena, other.arena) && self.target() == other.target()
    }
}

impl std::fmt::Debug for Node<'_> {
    /// Only the node itself, since its descendants may be many.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:?}", self.value(), self.span())
    }
}

/// A key for a message: in backticks and not longer than a line.
pub(crate) fn quote_key(key: &str) -> String {
    if key.is_empty() { "an empty key".to_owned() } else { format!("the key `{}`", crate::words::short(key)) }
}
