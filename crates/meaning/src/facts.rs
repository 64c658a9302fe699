//! Facts that rules see of a document beside the properties of its elements.
//!
//! An element of a type of a catalogue has [`Fact`]s about it. A language whose rules have a core of their own, with a
//! signature for each notion, says everything as [`Parts`]: atoms and what relates them.

use std::sync::Arc;

use locus_rules::{AtomId, Instance, Item, Rules};
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::{Meaning, Standing, ThingId};

/// Something that rules see of an element beside its properties.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The field of elements in the core of the rules.
    pub field: &'static str,
    /// Its value.
    pub value: Said,
    /// Where that is said.
    pub place: Place,
    /// Where it came from, if that is somewhere else.
    pub origin: Option<Place>,
}

/// The value of a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Said {
    /// A text; none if it is not known.
    Text(Option<Arc<str>>),
    /// A number; none if it is not known.
    Int(Option<i64>),
    /// Something of a signature of the core, with its own fields.
    Part(&'static str, Vec<(&'static str, Said)>),
}

/// Which part of a meaning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PartId(u32);

/// An atom of the rules that is said of: an element or a part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// An element.
    Element(ThingId),
    /// A part.
    Part(PartId),
}

impl From<ThingId> for Subject {
    fn from(id: ThingId) -> Self {
        Self::Element(id)
    }
}

impl From<PartId> for Subject {
    fn from(id: PartId) -> Self {
        Self::Part(id)
    }
}

/// The value that a part or an element is related to.
#[derive(Clone, PartialEq, Debug)]
pub enum Related {
    /// An element or a part.
    To(Subject),
    /// A text.
    Text(Arc<str>),
    /// A number.
    Int(i64),
    /// How many copies there are of an element.
    Copies(ThingId),
    /// True or false.
    Truth(bool),
    /// A text that is not known.
    UnknownText,
    /// A number that is not known.
    UnknownInt,
}

impl Related {
    /// A text.
    pub fn text(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Subject>> From<T> for Related {
    fn from(subject: T) -> Self {
        Self::To(subject.into())
    }
}

/// The parts of a document and what relates them, in the order in which they were added.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Parts {
    parts: Vec<Part>,
    tuples: Vec<Tuple>,
}

#[derive(Clone, PartialEq, Debug)]
struct Part {
    signature: &'static str,
    label: Arc<str>,
    place: Place,
}

#[derive(Clone, PartialEq, Debug)]
struct Tuple {
    of: Subject,
    signature: &'static str,
    field: Arc<str>,
    value: Related,
    place: Place,
    /// Whether the signature may lack the field: a property that no rule asks for.
    if_declared: bool,
}

impl Parts {
    /// Adds a part of a signature of the core.
    pub fn add(&mut self, signature: &'static str, label: impl Into<Arc<str>>, place: Place) -> PartId {
        let id = PartId(u32::try_from(self.parts.len()).expect("a document has fewer parts"));
        self.parts.push(Part { signature, label: label.into(), place });
        id
    }

    /// Relates an element or a part to a value by a field that its signature has.
    pub fn put(
        &mut self,
        of: impl Into<Subject>,
        signature: &'static str,
        field: &'static str,
        value: Related,
        place: Place,
    ) {
        let field = field.into();
        self.tuples.push(Tuple { of: of.into(), signature, field, value, place, if_declared: false });
    }

    /// The same by a field that the signature may not have: then no rule asks for it.
    pub fn put_if_declared(
        &mut self,
        of: impl Into<Subject>,
        signature: &'static str,
        field: &Arc<str>,
        value: Related,
        place: Place,
    ) {
        let field = Arc::clone(field);
        self.tuples.push(Tuple { of: of.into(), signature, field, value, place, if_declared: true });
    }
}

impl Meaning<'_> {
    /// The instance of rules whose core has a signature for each notion; nothing in it if the rules do not use that
    /// core. Without `unknowns`, values that are not known are left out.
    ///
    /// # Panics
    /// If the core lacks a signature or a field that the language names, or those for true and false if it says such.
    pub fn parts_instance<'r>(
        &self,
        rules: &'r Rules,
        core: &str,
        everywhere: Place,
        unknowns: bool,
    ) -> Instance<'r> {
        let mut instance = rules.instance();
        if !rules.has_module(core) {
            return instance;
        }
        let truths = truths(rules, core, &mut instance, everywhere);
        let mut signatures = FxHashMap::default();
        let mut signature = |name: &'static str| {
            let found = *signatures.entry(name).or_insert_with(|| rules.sig(core, name));
            found.expect("the core has this signature")
        };
        let mut elements: Vec<Option<AtomId>> = vec![None; self.elements.len()];
        for (id, element) in self.elements().filter(|(_, one)| !matches!(one.standing, Standing::Inside(_))) {
            let Some(name) = element.signature else { continue };
            instance.about(Some(id.0));
            elements[id.index()] =
                Some(instance.atom(signature(name), Arc::clone(&element.label), element.place));
        }
        instance.about(None);
        let parts: Vec<AtomId> = (self.parts.parts.iter())
            .map(|part| instance.atom(signature(part.signature), Arc::clone(&part.label), part.place))
            .collect();
        let atom = |subject: Subject| match subject {
            Subject::Element(id) => elements[id.index()],
            Subject::Part(id) => Some(parts[id.0 as usize]),
        };
        let mut fields = FxHashMap::default();
        for Tuple { of, signature: name, field, value, place, if_declared } in &self.parts.tuples {
            let known = fields.entry((*name, Arc::clone(field)));
            let known = *known.or_insert_with(|| rules.field(signature(name), field));
            let Some(field) = known else {
                assert!(*if_declared, "the core has no field {field} of {name}");
                continue;
            };
            let (Some(owner), Some(item)) = (
                atom(*of),
                match value {
                    Related::To(subject) => atom(*subject).map(Item::Atom),
                    Related::Text(text) => Some(Item::Text(Arc::clone(text))),
                    Related::Int(number) => Some(Item::Int(*number)),
                    Related::Copies(id) => Some(Item::Int(self.element(*id).copies.count.into())),
                    Related::Truth(truth) => {
                        let truths = truths.expect("the core has true and false");
                        Some(Item::Atom(truths[usize::from(*truth)]))
                    }
                    Related::UnknownText => unknowns.then(|| instance.unknown_text()),
                    Related::UnknownInt => unknowns.then(|| instance.unknown_int()),
                },
            ) else {
                continue;
            };
            instance.tuple(owner, field, item, *place, None);
        }
        instance.adopt();
        instance
    }
}

/// The atoms for false and true, if the core has them.
fn truths(rules: &Rules, core: &str, instance: &mut Instance<'_>, everywhere: Place) -> Option<[AtomId; 2]> {
    let no = rules.sig(core, "false");
    let yes = rules.sig(core, "true");
    Some([instance.atom(no?, "false", everywhere), instance.atom(yes?, "true", everywhere)])
}
