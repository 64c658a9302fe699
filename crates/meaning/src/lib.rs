//! The meaning of a document: made once, by its language; everything else is made of it and of nothing else.
//!
//! A [`Meaning`] has what a location graph of the report has, grown up: [`Element`]s with an identity ([`Key`]), a
//! sort, attributes, roles that they require of others ([`Link`]) or provide ([`Offer`]), a number ([`Copies`]), and a
//! [`Process`]: the states of their lifecycle, what they need of others in each, and what follows from a change.
//! Of it are made
//!
//! - the location graph ([`Meaning::graph`]),
//! - the instance that rules speak of ([`Meaning::instance`], [`Meaning::parts_instance`]),
//! - the things that a plan is about ([`Meaning::things`]),
//!
//! A language says which elements its document has. What the values of their properties name and the document does not
//! define is found here, by the walk over values and types: it is an element that exists already.
//!
//! Out of scope: any particular language, the search for an order, and everything about drivers.

mod element;
mod existing;
mod facts;
mod graph;
mod instance;
mod key;
pub mod lifecycle;
#[cfg(debug_assertions)]
pub mod mutant;
mod occurring;
mod process;
pub mod secret;
pub mod shown;

#[cfg(test)]
mod tests;
pub mod things;
mod workflows;
pub mod written;

use std::sync::Arc;

pub use locus_graph::{Alike, Certainty};
use locus_schema::{Content, Datum};
use locus_source::Place;
use rustc_hash::FxHashMap;

pub use self::element::{Copies, Element, Enclosure, Kind, Link, Naming, Offer, Relationship, Standing};
pub use self::facts::{Fact, PartId, Parts, Related, Said, Subject};
pub use self::graph::Relationships;
pub use self::instance::Vocabulary;
pub use self::key::{Key, Segment};
pub use self::process::{
    Activity, Attribute, Milestone, Need, Needed, OnChange, PRESENT, Process, Programs, Removal, Replacement,
    Step, Workflows,
};
pub use self::things::Thing;
pub use self::written::Notation;

/// Which element of a meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThingId(u32);

impl ThingId {
    fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, as the atoms of an instance have it that are of this element.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Which box of a meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnclosureId(u32);

impl EnclosureId {
    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A value that names something that exists already.
#[derive(Clone, Debug)]
struct Use {
    from: ThingId,
    to: ThingId,
    by: Arc<str>,
    place: Place,
}

/// The identity of a thing that exists already: its kind, and its name or the input that will tell it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Known {
    kind: Arc<str>,
    name: Arc<str>,
    is_input: bool,
}

/// The meaning of a document.
#[derive(Clone, Debug, Default)]
pub struct Meaning<'d> {
    elements: Vec<Element<'d>>,
    /// Those that the document defines, by the names with which values name them.
    by_name: FxHashMap<Arc<str>, ThingId>,
    /// The elements that each element makes, in order.
    members: FxHashMap<ThingId, Vec<ThingId>>,
    existing: FxHashMap<Known, ThingId>,
    uses: Vec<Use>,
    /// References by name to elements that may not be there yet.
    open: Vec<(ThingId, Arc<str>, Link)>,
    enclosures: Vec<Enclosure>,
    milestones: Vec<Milestone>,
    notation: Notation,
    workflows: Workflows,
    parts: Parts,
}

impl<'d> Meaning<'d> {
    /// A meaning without elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an element. Elements that are members come after what makes them.
    ///
    /// # Panics
    /// If there are more than 2^32.
    pub fn add(&mut self, element: Element<'d>) -> ThingId {
        let id = ThingId(u32::try_from(self.elements.len()).expect("a document has fewer elements"));
        match element.standing {
            Standing::Defined => {
                if let Some(name) = element.key.as_name() {
                    self.by_name.insert(Arc::clone(name), id);
                }
            }
            Standing::Member(of) => self.members.entry(of).or_default().push(id),
            Standing::Inside(_) | Standing::Existing => {}
        }
        self.elements.push(element);
        id
    }

    /// Adds a reference to the element that values name so; none if there is no such element once all are added. The
    /// target in `link` does not count.
    pub fn refer(&mut self, from: ThingId, name: Arc<str>, link: Link) {
        self.open.push((from, name, link));
    }

    /// Adds a box.
    pub fn enclose(&mut self, enclosure: Enclosure) -> EnclosureId {
        let id = EnclosureId(u32::try_from(self.enclosures.len()).expect("a document has fewer boxes"));
        self.enclosures.push(enclosure);
        id
    }

    /// Puts a box into another.
    pub fn nest(&mut self, inner: EnclosureId, outer: EnclosureId) {
        self.enclosures[inner.0 as usize].within = Some(outer);
    }

    /// Adds a milestone, which needs refer to by the index that is returned.
    pub fn milestone(&mut self, milestone: Milestone) -> usize {
        self.milestones.push(milestone);
        self.milestones.len() - 1
    }

    /// Sets how the attributes of processes are written in plans, if not as usual.
    pub fn set_notation(&mut self, notation: Notation) {
        self.notation = notation;
    }

    /// The workflows that the document gives.
    pub fn workflows(&mut self) -> &mut Workflows {
        &mut self.workflows
    }

    /// The workflows, to be read.
    pub fn given_workflows(&self) -> &Workflows {
        &self.workflows
    }

    /// The parts that rules see beside the elements.
    pub fn parts(&mut self) -> &mut Parts {
        &mut self.parts
    }

    /// All elements; those that exist already come last.
    pub fn elements(&self) -> impl Iterator<Item = (ThingId, &Element<'d>)> {
        (0..).zip(&self.elements).map(|(at, element)| (ThingId(at), element))
    }

    /// The boxes of the drawing.
    pub fn enclosures(&self) -> impl Iterator<Item = (EnclosureId, &Enclosure)> {
        (0..).zip(&self.enclosures).map(|(at, one)| (EnclosureId(at), one))
    }

    /// The milestones, in the order of the indexes that needs refer to.
    pub fn milestones(&self) -> &[Milestone] {
        &self.milestones
    }

    /// The things that exist already and that the values of an element name: each with the property that does, and its
    /// place.
    pub fn used_by(&self, id: ThingId) -> impl Iterator<Item = (ThingId, &Arc<str>, Place)> {
        let begin = self.uses.partition_point(|one| one.from < id);
        let own = self.uses[begin..].iter().take_while(move |one| one.from == id);
        own.map(|one| (one.to, &one.by, one.place))
    }

    /// The element that the document defines under this name.
    pub fn named(&self, name: &str) -> Option<ThingId> {
        self.by_name.get(name).copied()
    }

    /// An element.
    ///
    /// # Panics
    /// If it is one of another meaning.
    pub fn element(&self, id: ThingId) -> &Element<'d> {
        &self.elements[id.index()]
    }

    /// An element, to be completed.
    ///
    /// # Panics
    /// If it is one of another meaning.
    pub fn element_mut(&mut self, id: ThingId) -> &mut Element<'d> {
        &mut self.elements[id.index()]
    }

    /// Completes the meaning when all elements are there: references by name, and what exists already.
    #[must_use]
    pub fn finish(mut self) -> Self {
        for (from, name, link) in std::mem::take(&mut self.open) {
            if let Some(to) = self.named(&name) {
                self.elements[from.index()].links.push(Link { to, ..link });
            }
        }
        #[cfg(debug_assertions)]
        mutant::change(&mut self);
        self.find_existing();
        self
    }

    /// The elements of the graph that exist only by this document.
    fn made(&self) -> impl Iterator<Item = (ThingId, &Element<'d>)> {
        self.elements().filter(|(_, element)| element.standing != Standing::Existing && element.drawn)
    }

    /// The elements that an element makes, in order.
    pub fn members_of(&self, id: ThingId) -> &[ThingId] {
        self.members.get(&id).map_or(&[], Vec::as_slice)
    }

    fn defined(&self) -> impl Iterator<Item = (ThingId, &Element<'d>)> {
        self.elements().filter(|(_, element)| element.standing == Standing::Defined)
    }
}

/// The name by which a value names a thing, and whether that is an input that will tell it.
fn name_of(datum: &Datum) -> Option<(Arc<str>, bool)> {
    match &datum.value {
        Content::Null | Content::Absent | Content::Location(_) => None,
        Content::Unknown(unknown) => Some((Arc::clone(unknown.why.input()?), true)),
        value => Some((value.to_text()?, false)),
    }
}
