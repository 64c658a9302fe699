//! Values: what attributes hold and what locations exchange.
//!
//! The model is higher-order: names, roles, sorts and processes are values like any other, so an interaction
//! can carry a new role to bind or a new process to run. The report leaves sorts and processes open; here
//! both are terms built from values, and the names and roles inside a term are its *atoms*.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::{Name, Role, Symbols};

/// A value. Cheap to clone, with an order and equality of content.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A floating-point number.
    Float(Float),
    /// A text.
    Text(Arc<str>),
    /// Values in order.
    List(Arc<[Value]>),
    /// Values by key, in the order of keys. Made by [`Value::record`], which keeps that so.
    Record(Arc<[(Arc<str>, Value)]>),
    /// The name of a location.
    Name(Name),
    /// A role.
    Role(Role),
    /// A sort.
    Sort(Arc<Sort>),
    /// A process.
    Process(Arc<Process>),
    /// A value that is not known, with the reason in words.
    Unknown(Arc<str>),
    /// A value that is not shown, with a digest of it: two with the same digest are the same.
    Secret(Arc<str>),
}

impl Value {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Value>) -> Self {
        Self::List(items.into_iter().collect())
    }

    /// A record. Of fields with the same key, the last counts.
    pub fn record<K: Into<Arc<str>>>(fields: impl IntoIterator<Item = (K, Value)>) -> Self {
        let mut fields: Vec<(Arc<str>, Value)> = fields.into_iter().map(|(k, v)| (k.into(), v)).collect();
        // A stable sort keeps the last of equal keys last, and the loop keeps that one.
        fields.sort_by(|a, b| a.0.cmp(&b.0));
        fields.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        Self::Record(fields.into())
    }

    /// The value under a key of a record.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let Self::Record(fields) = self else { return None };
        fields.binary_search_by(|(k, _)| (**k).cmp(key)).ok().map(|i| &fields[i].1)
    }

    /// The text, of a text.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// Calls `see` for every name and role in the value, at any depth, as often as it occurs.
    pub fn each_atom(&self, see: &mut impl FnMut(Atom)) {
        match self {
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Text(_)
            | Self::Unknown(_)
            | Self::Secret(_) => {}
            Self::List(items) => items.iter().for_each(|item| item.each_atom(see)),
            Self::Record(fields) => fields.iter().for_each(|(_, value)| value.each_atom(see)),
            Self::Name(name) => see(Atom::Name(*name)),
            Self::Role(role) => see(Atom::Role(*role)),
            Self::Sort(sort) => sort.0.each_atom(see),
            Self::Process(process) => process.0.each_atom(see),
        }
    }

    /// The same value with its names and roles, which belong to `from`, as ids of `to`.
    #[must_use]
    pub fn translate(&self, from: &Symbols, to: &mut Symbols) -> Self {
        match self {
            Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Float(_)
            | Self::Text(_)
            | Self::Unknown(_)
            | Self::Secret(_) => self.clone(),
            Self::List(items) => Self::List(items.iter().map(|item| item.translate(from, to)).collect()),
            Self::Record(fields) => Self::Record(
                fields.iter().map(|(key, value)| (Arc::clone(key), value.translate(from, to))).collect(),
            ),
            Self::Name(name) => Self::Name(to.name(from.name_text(*name))),
            Self::Role(role) => Self::Role(to.role(from.role_text(*role))),
            Self::Sort(sort) => Self::Sort(Arc::new(sort.translate(from, to))),
            Self::Process(process) => Self::Process(Arc::new(process.translate(from, to))),
        }
    }

    /// The value for people to read, on one line.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        std::fmt::from_fn(move |f| self.fmt(f, symbols))
    }

    fn fmt(&self, f: &mut std::fmt::Formatter<'_>, symbols: &Symbols) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Float(x) => write!(f, "{:?}", x.0),
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    item.fmt(f, symbols)?;
                }
                f.write_str("]")
            }
            Self::Record(fields) => {
                f.write_str("{")?;
                for (i, (key, value)) in fields.iter().enumerate() {
                    write!(f, "{}{key}: ", if i == 0 { "" } else { ", " })?;
                    value.fmt(f, symbols)?;
                }
                f.write_str("}")
            }
            Self::Name(name) => write!(f, "name {}", symbols.name_text(*name)),
            Self::Role(role) => write!(f, "role {}", symbols.role_text(*role)),
            Self::Sort(sort) => {
                f.write_str("sort ")?;
                sort.0.fmt(f, symbols)
            }
            Self::Process(process) => {
                f.write_str("process ")?;
                process.0.fmt(f, symbols)
            }
            Self::Unknown(why) => write!(f, "unknown {why:?}"),
            Self::Secret(digest) => write!(f, "secret {digest:?}"),
        }
    }
}

/// A floating-point number that can be compared and hashed: by IEEE 754's total order, so that a NaN equals
/// itself and -0.0 is not 0.0.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Float {}

impl PartialOrd for Float {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Float {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl std::hash::Hash for Float {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// A name or a role: what the report calls an atom. Contexts are sets of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// The name of a location.
    Name(Name),
    /// A role.
    Role(Role),
}

impl Atom {
    /// The atom for people to read.
    pub fn display(self, symbols: &Symbols) -> impl std::fmt::Display + '_ {
        std::fmt::from_fn(move |f| match self {
            Self::Name(name) => write!(f, "name {}", symbols.name_text(name)),
            Self::Role(role) => write!(f, "role {}", symbols.role_text(role)),
        })
    }
}

macro_rules! term {
    ($(#[$doc:meta])* $term:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        pub struct $term(pub Value);

        impl $term {
            /// The plainest term: a word.
            pub fn named(word: &str) -> Self {
                Self(Value::text(word))
            }

            /// Its atoms: the names and roles in its term, in order and without repetition.
            pub fn atoms(&self) -> Vec<Atom> {
                let mut atoms = Vec::new();
                self.0.each_atom(&mut |atom| atoms.push(atom));
                atoms.sort_unstable();
                atoms.dedup();
                atoms
            }

            /// The same term with ids of `to` in place of those of `from`.
            #[must_use]
            pub fn translate(&self, from: &Symbols, to: &mut Symbols) -> Self {
                Self(self.0.translate(from, to))
            }
        }
    };
}

term!(
    /// The kind of thing that a location is: the type of a component, of a connector, of a relation. [`Sort::atoms`]
    /// is `satoms` in the report.
    Sort
);
term!(
    /// How a location behaves, as far as anybody said. What a process means is up to the
    /// [`Behaviour`](crate::semantics::Behaviour) that runs it. [`Process::atoms`] is `patoms` in the report.
    Process
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_ordered_and_the_last_of_a_key_counts() {
        let record = Value::record([("b", Value::Int(1)), ("a", Value::Int(2)), ("b", Value::Int(3))]);
        assert_eq!(record, Value::record([("a", Value::Int(2)), ("b", Value::Int(3))]));
        assert_eq!(record.get("b"), Some(&Value::Int(3)));
        assert_eq!(record.get("c"), None);
    }

    #[test]
    fn atoms_are_found_at_any_depth() {
        let mut symbols = Symbols::new();
        let (web, http) = (symbols.name("web"), symbols.role("http"));
        let inner = Process(Value::list([Value::Role(http), Value::Name(web), Value::Role(http)]));
        let sort = Sort(Value::record([("run", Value::Process(Arc::new(inner)))]));
        assert_eq!(sort.atoms(), [Atom::Name(web), Atom::Role(http)]);
        let text = sort.0.display(&symbols).to_string();
        assert_eq!(text, "{run: process [role http, name web, role http]}");
    }

    #[test]
    fn values_move_between_symbol_tables() {
        let (mut from, mut to) = (Symbols::new(), Symbols::new());
        to.role("other");
        let value = Value::list([Value::Role(from.role("http")), Value::Name(from.name("web")), Value::Null]);
        let moved = value.translate(&from, &mut to);
        assert_ne!(value, moved);
        assert_eq!(value.display(&from).to_string(), moved.display(&to).to_string());
    }

    #[test]
    fn floats_have_a_total_order() {
        let nan = Float(f64::NAN);
        assert_eq!(nan, nan);
        assert!(Float(-0.0) < Float(0.0));
        assert!(Float(f64::INFINITY) < nan);
    }
}
