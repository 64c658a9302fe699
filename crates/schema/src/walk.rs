//! The one walk over values along with what their types say of them.
//!
//! Whoever looks at the properties of a thing is a [`Visitor`]: checks, references, what rules see, what could be
//! changed. The walk decides what belongs to which property: maps by their keys, lists by their items, and of keys that
//! are repeated the last, as readers of YAML have it. A visitor decides how far to go.

use std::fmt;

use locus_source::Place;

use crate::datum::{Content, Datum, Field};
use crate::modules::item;
use crate::types::{Property, Type};
use locus_source::words::short;

/// Where a value is within a thing, from the outside in. Shown as `networks[0].port`.
#[derive(Clone, Copy, Debug)]
pub struct Path<'p> {
    /// Where the map or list is that it is in; nothing for a property of the thing itself.
    pub outer: Option<&'p Path<'p>>,
    /// Where it is in that.
    pub step: Step<'p>,
}

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'p> {
    /// To the value of a key.
    Key(&'p str),
    /// To an item of a list.
    Item(usize),
}

impl Path<'_> {
    /// The key of the property, or of the list that the value is an item of.
    pub fn key(&self) -> &str {
        match (self.step, self.outer) {
            (Step::Key(key), _) => key,
            (Step::Item(_), Some(outer)) => outer.key(),
            (Step::Item(_), None) => "",
        }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(outer) = self.outer {
            write!(f, "{outer}")?;
        }
        match self.step {
            Step::Key(key) if self.outer.is_some() => write!(f, ".{}", short(key)),
            Step::Key(key) => write!(f, "{}", short(key)),
            Step::Item(index) => write!(f, "[{index}]"),
        }
    }
}

/// A value and what its type says of it.
#[derive(Clone, Copy, Debug)]
pub struct Typed<'p, 'd> {
    /// The definition of it. For an item of a list of whose items nothing is defined, the definition of the list.
    pub property: &'d Property,
    /// The value.
    pub datum: &'d Datum,
    /// Where its key is written; nothing for an item of a list.
    pub key: Option<Place>,
    /// The property whose value is the list that this is an item of.
    pub list: Option<&'d Property>,
    /// Where it is within the thing.
    pub at: Path<'p>,
}

impl<'d> Typed<'_, 'd> {
    /// The kind of thing that the value names, if it names one: a list says it of its items, or they of themselves.
    pub fn names_kind(&self) -> Option<&'d str> {
        kind_named(self.property, self.list)
    }
}

/// The kind of thing that a value names. `list` is the property whose value is the list that it is an item of.
pub fn kind_named<'p>(property: &'p Property, list: Option<&'p Property>) -> Option<&'p str> {
    item(property).names_kind().or_else(|| property.names_kind()).or_else(|| list?.names_kind())
}

/// A map and what may be in it.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'p, 'd> {
    /// The fields that may be there, in order of names.
    pub known: &'d [Property],
    /// The fields that are there.
    pub given: &'d [Field],
    /// Where it is; nothing for the properties of the thing itself.
    pub at: Option<&'p Path<'p>>,
    /// Where it is written, or the name of the thing.
    pub place: Place,
}

impl<'d> Keys<'_, 'd> {
    /// Returns the field given under a name. Of repeated keys the last counts.
    pub fn get(&self, name: &str) -> Option<&'d Field> {
        self.given.iter().rev().find(|field| &*field.key == name)
    }

    /// The path to a key of this map.
    pub fn path<'k>(&'k self, key: &'k str) -> Path<'k> {
        Path { outer: self.at, step: Step::Key(key) }
    }
}

/// Looks at values.
#[expect(unused_variables, reason = "most visitors look at some of it only")]
pub trait Visitor<'d> {
    /// A map with keys that are known, before what is in it. The properties of the thing itself are one.
    fn map(&mut self, keys: Keys<'_, 'd>) {}

    /// A value, before what is in it. What is in it is left out if this is false.
    fn value(&mut self, typed: Typed<'_, 'd>) -> bool {
        true
    }

    /// A value in which nothing has a type of its own, after [`Self::value`].
    fn leaf(&mut self, typed: Typed<'_, 'd>) {}

    /// A list or a map, after what is in it.
    fn leave(&mut self, typed: Typed<'_, 'd>) {}

    /// A key that is not among those that are known.
    fn surplus(&mut self, keys: Keys<'_, 'd>, field: &'d Field) {}

    /// A key that is known and not there, after those that are.
    fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {}
}

/// Walks over the properties of a thing, in the order of the text. `place` is that of the thing.
pub fn walk<'d>(known: &'d [Property], given: &'d [Field], place: Place, visitor: &mut impl Visitor<'d>) {
    map(Keys { known, given, at: None, place }, visitor);
}

/// Walks over a map within a thing.
pub fn map<'d>(keys: Keys<'_, 'd>, visitor: &mut impl Visitor<'d>) {
    const NONE: usize = usize::MAX;
    visitor.map(keys);
    let index = |field: &Field| keys.known.binary_search_by(|property| (*property.name).cmp(&field.key));
    let indices: Vec<_> = keys.given.iter().map(index).collect();
    let mut last = vec![NONE; keys.known.len()];
    for (at, index) in indices.iter().enumerate() {
        if let Ok(index) = index {
            last[*index] = at;
        }
    }
    for (at, (field, index)) in keys.given.iter().zip(indices).enumerate() {
        match index {
            Ok(index) if last[index] == at => {
                let path = Path { outer: keys.at, step: Step::Key(&field.key) };
                let property = &keys.known[index];
                value(
                    Typed { property, datum: &field.value, key: Some(field.place), list: None, at: path },
                    visitor,
                );
            }
            Ok(_) => {}
            Err(_) => visitor.surplus(keys, field),
        }
    }
    for (property, _) in keys.known.iter().zip(&last).filter(|(_, last)| **last == NONE) {
        visitor.absent(keys, property);
    }
}

fn value<'d>(typed: Typed<'_, 'd>, visitor: &mut impl Visitor<'d>) {
    if !visitor.value(typed) {
        return;
    }
    let Typed { property, datum, at, .. } = typed;
    match (&datum.value, property.kind) {
        (Content::Map(given), Type::Map) if !property.nested.is_empty() => {
            map(Keys { known: &property.nested, given, at: Some(&at), place: datum.place }, visitor);
            visitor.leave(typed);
        }
        (Content::List(items), Type::List) => {
            let of_items = property.get("*").unwrap_or(property);
            for (index, item) in items.iter().enumerate() {
                let path = Path { outer: Some(&at), step: Step::Item(index) };
                value(
                    Typed { property: of_items, datum: item, key: None, list: Some(property), at: path },
                    visitor,
                );
            }
            visitor.leave(typed);
        }
        _ => visitor.leaf(typed),
    }
}

#[cfg(test)]
mod tests {
    use locus_source::{Sources, Span};

    use super::*;

    /// Writes down all that it sees.
    #[derive(Default)]
    struct Writer(Vec<String>);

    impl<'d> Visitor<'d> for Writer {
        fn value(&mut self, typed: Typed<'_, 'd>) -> bool {
            self.0.push(format!("{} {}", typed.at, typed.property.name));
            true
        }

        fn leaf(&mut self, typed: Typed<'_, 'd>) {
            self.0.push(format!("leaf {} of {}", typed.datum.value.kind_name(), typed.at.key()));
        }

        fn leave(&mut self, typed: Typed<'_, 'd>) {
            self.0.push(format!("leave {}", typed.at));
        }

        fn surplus(&mut self, keys: Keys<'_, 'd>, field: &'d Field) {
            self.0.push(format!("surplus {}", keys.path(&field.key)));
        }

        fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {
            self.0.push(format!("absent {}", keys.path(&property.name)));
        }
    }

    #[test]
    fn values_are_met_in_the_order_of_the_text_with_what_their_types_say() {
        let place = Place::new(Sources::new().add("t", "").id(), Span::point(0));
        let field =
            |key: &str, value: Content| Field { key: key.into(), place, value: Datum::new(value, place) };
        let mut item = Property::new("*", Type::Map);
        item.nested = vec![Property::new("port", Type::Integer), Property::new("to", Type::String)];
        let mut doors = Property::new("doors", Type::List);
        doors.nested = vec![item];
        let known = [doors, Property::new("size", Type::Integer), Property::new("tags", Type::List)];
        let door = Content::Map([field("port", Content::Int(22)), field("colour", Content::Null)].into());
        let given = [
            field("size", Content::Int(1)),
            field("tags", Content::List([Datum::new(Content::str("a"), place)].into())),
            field("other", Content::Null),
            field("size", Content::str("2")),
            field("doors", Content::List([Datum::new(door, place)].into())),
        ];
        let mut writer = Writer::default();
        walk(&known, &given, place, &mut writer);
        let expected = [
            "tags tags",
            // Of the items of this list nothing is said but what is said of the list.
            "tags[0] tags",
            "leaf a string of tags",
            "leave tags",
            "surplus other",
            // Of repeated keys the last counts.
            "size size",
            "leaf a string of size",
            "doors doors",
            "doors[0] *",
            "doors[0].port port",
            "leaf an integer of port",
            "surplus doors[0].colour",
            "absent doors[0].to",
            "leave doors[0]",
            "leave doors",
        ];
        assert_eq!(writer.0, expected);
        let mut writer = Writer::default();
        walk(&known, &[], place, &mut writer);
        assert_eq!(writer.0, ["absent doors", "absent size", "absent tags"]);
    }
}
