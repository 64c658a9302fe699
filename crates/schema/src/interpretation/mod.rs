//! The meaning of a document, decided once: which locations it has, which of them are certain, what they refer to and
//! what exists already. The location graph ([`Interpretation::graph`]) and the instance that rules speak of
//! ([`Interpretation::instance`]) are both made of this.
//!
//! A language says which [`Element`]s its document has. What the values of their properties name and the document
//! does not define is found here, by the walk over values and types: it is an element that exists already.

mod existing;
mod graph;
mod instance;
mod occurring;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use locus_graph::Certainty;
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::datum::{Content, Datum, Field};
use crate::types::Property;

pub use self::instance::Vocabulary;

/// Which element of an interpretation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ElementId(usize);

/// A location of a document.
#[derive(Clone, Debug)]
pub struct Element<'d> {
    /// Its name in the graph. Elements that a document defines have different ones.
    pub name: Arc<str>,
    /// The name by which findings call it; it need not be unique.
    pub label: Arc<str>,
    /// Where it is defined: best the place of its name.
    pub place: Place,
    /// Its type as the document has it, or the kind of thing that exists already.
    pub sort: Arc<str>,
    /// The known part of its type; nothing if rules cannot speak of its properties.
    pub kind: Option<Kind<'d>>,
    /// How it comes to be there.
    pub standing: Standing,
    /// Whether it is certain to be there, and how often.
    pub certainty: Certainty,
    /// Its properties.
    pub properties: &'d [Field],
    /// Whether all properties are known by name.
    pub complete: bool,
    /// Whether its properties are as they are in the world, whatever the document says: nobody looks at them.
    pub adopted: bool,
    /// The other elements that it refers to.
    pub links: Vec<Link>,
    /// Further facts that rules see of it.
    pub facts: Vec<Fact>,
    /// Whether it is in the graph. Of several that are alike, rules may see more than one, and the graph has one.
    pub drawn: bool,
    /// The box in which it is drawn.
    pub within: Option<Arc<str>>,
}

/// A type of elements.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its properties, in order of names.
    pub properties: &'d [Property],
}

/// How an element comes to be there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The document defines it.
    Defined,
    /// Another element makes it.
    Member(ElementId),
    /// It exists already.
    Existing,
}

/// That an element refers to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Link {
    /// The name of the other.
    pub to: Arc<str>,
    /// By what: the name of a property, or another word of the language.
    pub by: Arc<str>,
    /// Where.
    pub place: Place,
    /// A field of elements in the core of the rules that has the other, beside the one that has all references.
    pub field: Option<&'static str>,
    /// Whether it is drawn. What an element refers to only through its members is drawn for those.
    pub drawn: bool,
}

/// Something that rules see of an element beside its properties.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The field of elements in the core of the rules.
    pub field: &'static str,
    /// The value that it states.
    pub value: Said,
    /// Where that is said.
    pub place: Place,
    /// Where it came from, if that is somewhere else.
    pub origin: Option<Place>,
}

/// The value of a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// A text; nothing if it is not known.
    Text(Option<Arc<str>>),
    /// A number; nothing if it is not known.
    Int(Option<i64>),
    /// Something of a signature of the core, with its own fields.
    Part(&'static str, Vec<(&'static str, Said)>),
}

impl<'d> Element<'d> {
    /// An element that a document defines, of which nothing else is known.
    pub fn new(name: Arc<str>, sort: Arc<str>, place: Place) -> Self {
        Self {
            label: Arc::clone(&name),
            name,
            place,
            sort,
            kind: None,
            standing: Standing::Defined,
            certainty: Certainty::default(),
            properties: &[],
            complete: true,
            adopted: false,
            links: Vec::new(),
            facts: Vec::new(),
            drawn: true,
            within: None,
        }
    }

    /// The properties to look at, with what the type says of them.
    fn typed(&self) -> Option<(&'d [Property], &'d [Field])> {
        let kind = self.kind.filter(|_| !self.adopted)?;
        Some((kind.properties, self.properties))
    }
}

/// A value that names something that exists already.
#[derive(Clone, Debug)]
struct Use {
    from: ElementId,
    to: ElementId,
    by: Arc<str>,
    place: Place,
}

/// A thing that exists already is known by its kind, and by its name or by the input that will tell it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Known {
    kind: Arc<str>,
    name: Arc<str>,
    is_input: bool,
}

/// The meaning of a document.
#[derive(Clone, Debug, Default)]
pub struct Interpretation<'d> {
    elements: Vec<Element<'d>>,
    /// Those that the document defines, by name.
    by_name: FxHashMap<Arc<str>, ElementId>,
    /// The members that each element makes, in order.
    members: FxHashMap<ElementId, Vec<ElementId>>,
    existing: FxHashMap<Known, ElementId>,
    uses: Vec<Use>,
}

impl<'d> Interpretation<'d> {
    /// An interpretation without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an element. Elements that are members come after what makes them.
    pub fn add(&mut self, element: Element<'d>) -> ElementId {
        let id = ElementId(self.elements.len());
        match element.standing {
            Standing::Defined => drop(self.by_name.insert(Arc::clone(&element.name), id)),
            Standing::Member(of) => self.members.entry(of).or_default().push(id),
            Standing::Existing => {}
        }
        self.elements.push(element);
        id
    }

    /// All elements; those that exist already come last.
    pub fn elements(&self) -> impl Iterator<Item = (ElementId, &Element<'d>)> {
        self.elements.iter().enumerate().map(|(at, element)| (ElementId(at), element))
    }

    /// The element that the document defines under this name.
    pub fn named(&self, name: &str) -> Option<ElementId> {
        self.by_name.get(name).copied()
    }

    /// An element.
    ///
    /// # Panics
    /// If it is one of another interpretation.
    pub fn element(&self, id: ElementId) -> &Element<'d> {
        &self.elements[id.0]
    }

    /// The elements of the graph that exist only by this document.
    fn made(&self) -> impl Iterator<Item = (ElementId, &Element<'d>)> {
        self.elements().filter(|(_, element)| element.standing != Standing::Existing && element.drawn)
    }

    fn members_of(&self, id: ElementId) -> &[ElementId] {
        self.members.get(&id).map_or(&[], Vec::as_slice)
    }

    fn defined(&self) -> impl Iterator<Item = (ElementId, &Element<'d>)> {
        self.elements().filter(|(_, element)| element.standing == Standing::Defined)
    }
}

/// Returns the name by which a value refers to a thing, and whether that is an input that will tell it.
fn name_of(datum: &Datum) -> Option<(Arc<str>, bool)> {
    match &datum.value {
        Content::Null | Content::Absent | Content::Location(_) => None,
        Content::Unknown(unknown) => Some((Arc::clone(unknown.why.input()?), true)),
        value => Some((value.to_text()?, false)),
    }
}
