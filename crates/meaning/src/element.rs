//! The elements of a document: what a location of the report has, with places in the file.

use std::borrow::Cow;
use std::sync::Arc;

use locus_graph::Certainty;
use locus_schema::{Field, Property};
use locus_source::Place;

use crate::facts::Fact;
use crate::key::Key;
use crate::process::Process;
use crate::{EnclosureId, ThingId};

/// A location of a document.
#[derive(Clone, Debug)]
pub struct Element<'d> {
    /// Its identity across versions of the document.
    pub key: Key,
    /// Its name in the location graph.
    pub name: Arc<str>,
    /// Its name in findings and plans; it need not be unique.
    pub label: Arc<str>,
    /// Where it is defined: best the place of its name.
    pub place: Place,
    /// Its type as the document has it, or the kind of thing that exists already.
    pub sort: Arc<str>,
    /// Its type in the catalogue; none if rules cannot speak of its properties.
    pub kind: Option<Kind<'d>>,
    /// The signature of the rules that it belongs to, where the language has one for it instead of a catalogue.
    pub signature: Option<&'static str>,
    /// The reason for which it is there.
    pub standing: Standing,
    /// Whether it is certain to be there, and how many a group makes that are like it.
    pub certainty: Certainty,
    /// How many there are of it.
    pub copies: Copies,
    /// Its properties: attributes of the location, and for rules, if it has a type in the catalogue.
    pub properties: Cow<'d, [Field]>,
    /// Whether all properties are known by name.
    pub complete: bool,
    /// Whether it only stands for something in the world, whatever the document says of its properties.
    pub adopted: bool,
    /// The other elements that it refers to.
    pub links: Vec<Link>,
    /// The roles that it provides to anybody outside of the document.
    pub offers: Vec<Offer>,
    /// The roles that it requires and nothing in the document provides.
    pub open: Vec<Offer>,
    /// Whether it provides a role of its own name when nobody refers to it: then it is there for anybody.
    pub offers_itself: bool,
    /// Further facts that rules see of it.
    pub facts: Vec<Fact>,
    /// Whether it is in the location graph. Of several that are alike, rules may see more than one.
    pub drawn: bool,
    /// The box in which it is drawn.
    pub within: Option<EnclosureId>,
    /// Its process; none if a deployment does not make it.
    pub process: Option<Box<Process>>,
    /// Its process as a location graph says it, in words, where that is no lifecycle.
    pub says: Option<Arc<str>>,
}

/// A type of elements in a catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its properties, in order of names.
    pub properties: &'d [Property],
}

/// The reason for which an element is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The document defines it.
    Defined,
    /// Another element makes it.
    Member(ThingId),
    /// It is a part of a service that takes the place of another element.
    Inside(ThingId),
    /// The document names it, and it exists already.
    Existing,
}

/// How many there are of an element, each with the same definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Copies {
    /// Their number.
    pub count: u32,
    /// Where the number is written; none if nothing is said.
    pub place: Option<Place>,
    /// How they are told apart by name.
    pub naming: Naming,
    /// Whether each of them is a location of its own. If not, the number is an attribute of the one location.
    pub drawn_each: bool,
}

/// How copies of an element are told apart by name.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Naming {
    /// `web[0]`, `web[1]`; a single one is `web`.
    #[default]
    Brackets,
    /// `web`, `web #2`: the first keeps its name when there are to be more.
    Ordinals,
}

impl Copies {
    /// A single one.
    pub const ONE: Self = Self { count: 1, place: None, naming: Naming::Brackets, drawn_each: true };

    /// The name of a copy, counted from zero.
    pub fn name<'n>(&self, name: &'n str, copy: u32) -> Cow<'n, str> {
        match self.naming {
            Naming::Brackets if self.count != 1 => Cow::Owned(format!("{name}[{copy}]")),
            Naming::Ordinals if copy > 0 => Cow::Owned(format!("{name} #{}", u64::from(copy) + 1)),
            Naming::Brackets | Naming::Ordinals => Cow::Borrowed(name),
        }
    }

    /// The key of a copy, counted from zero: that of the element for the only one, or for the first one where it keeps
    /// its name.
    pub fn key(&self, key: &Key, copy: u32) -> Key {
        let is_numbered = match self.naming {
            Naming::Brackets => self.count != 1,
            Naming::Ordinals => copy > 0,
        };
        if is_numbered { key.numbered(copy) } else { key.clone() }
    }
}

/// An element refers to another: it requires a role that the other provides.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// The other.
    pub to: ThingId,
    /// The means: the name of a property, or another word of the language.
    pub by: Arc<str>,
    /// The name of the role; none if it is made from the three names.
    pub role: Option<Arc<str>>,
    /// The attributes of the reference itself, such as an address or an alias.
    pub attributes: Vec<Field>,
    /// How many copies of the other are bound to each copy of this one, in turn.
    pub number: u32,
    /// The relationship of the reference, where the language has relationships with types.
    pub relationship: Option<Relationship>,
    /// Where it is written.
    pub place: Place,
    /// A field of elements in the core of the rules that has the other, beside the one that has all references.
    pub field: Option<&'static str>,
    /// Whether it is drawn. What an element refers to only through its members is drawn for those.
    pub drawn: bool,
}

impl Link {
    /// A reference that is drawn.
    pub fn new(to: ThingId, by: impl Into<Arc<str>>, place: Place) -> Self {
        Self {
            to,
            by: by.into(),
            role: None,
            attributes: Vec::new(),
            number: 1,
            relationship: None,
            place,
            field: None,
            drawn: true,
        }
    }
}

/// A reference that is a thing with a type, which may be drawn as a location between the two elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relationship {
    /// Its type.
    pub sort: Arc<str>,
    /// The name of the capability of the target.
    pub capability: Arc<str>,
}

/// A role that an element provides to anybody outside of the document, such as a published port, or that it requires of
/// somebody there.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer {
    /// The name of the role.
    pub role: Arc<str>,
    /// Its attributes.
    pub attributes: Vec<Field>,
    /// Where it is written.
    pub place: Place,
}

/// A box of the drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Enclosure {
    /// Its name.
    pub name: Arc<str>,
    /// Where its reason is written.
    pub place: Option<Place>,
    /// The box around it.
    pub within: Option<EnclosureId>,
}

impl<'d> Element<'d> {
    /// An element that a document defines, of which nothing else is known.
    pub fn new(key: Key, name: Arc<str>, sort: Arc<str>, place: Place) -> Self {
        Self {
            key,
            label: Arc::clone(&name),
            name,
            place,
            sort,
            kind: None,
            signature: None,
            standing: Standing::Defined,
            certainty: Certainty::default(),
            copies: Copies::ONE,
            properties: Cow::Borrowed(&[]),
            complete: true,
            adopted: false,
            links: Vec::new(),
            offers: Vec::new(),
            open: Vec::new(),
            offers_itself: true,
            facts: Vec::new(),
            drawn: true,
            within: None,
            process: None,
            says: None,
        }
    }

    /// Its name in plans.
    pub(crate) fn planned_name(&self) -> &str {
        self.process.as_ref().and_then(|process| process.name.as_deref()).unwrap_or(&self.label)
    }

    /// Its sort in plans.
    pub(crate) fn planned_sort(&self) -> &str {
        self.process.as_ref().and_then(|process| process.sort.as_deref()).unwrap_or(&self.sort)
    }

    /// The properties to look at, with what the type says of them. An element of a type of a catalogue borrows them
    /// from its document.
    pub(crate) fn typed(&self) -> Option<(&'d [Property], &'d [Field])> {
        let kind = self.kind.filter(|_| !self.adopted)?;
        let Cow::Borrowed(properties) = self.properties else { return None };
        Some((kind.properties, properties))
    }
}
