//! The instance that a language makes of a file: atoms and tuples, each with the place that it came from.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_alloy::model::FieldId;
use locus_alloy::types::SigId;
use locus_alloy::{Blank, Data, Given, Sort};
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::Rules;

/// A signature of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sig(pub(crate) SigId);

/// A field of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field(pub(crate) FieldId);

/// An atom of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(u32);

/// A text or a number of an instance that nobody knows yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnknownId {
    sort: Sort,
    number: u32,
}

/// An item that an atom is related to in an instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Item {
    /// An atom.
    Atom(AtomId),
    /// An integer.
    Int(i64),
    /// A text.
    Text(Arc<str>),
    /// A text or a number that is not known.
    Unknown(UnknownId),
}

/// Atoms and tuples for the signatures and fields of rules.
pub struct Instance<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) data: Data,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) tuples: Vec<Tuple>,
    /// How many texts and numbers that are not known there are.
    pub(crate) unknown: u32,
    /// The element that atoms are of which are added now.
    about: Option<u32>,
    /// The inputs that values stand for which are not known.
    pub(crate) inputs: FxHashMap<Item, Arc<str>>,
}

/// The properties of an atom beside its signature.
pub(crate) struct Atom {
    pub(crate) sig: SigId,
    pub(crate) label: Arc<str>,
    pub(crate) place: Place,
    /// The element of the document that it is, or is a part of; none if several have it in common.
    pub(crate) of: Option<u32>,
}

/// That a field relates an atom to a value, and where that is said.
pub(crate) struct Tuple {
    pub(crate) owner: AtomId,
    pub(crate) field: FieldId,
    pub(crate) item: Item,
    pub(crate) place: Place,
    pub(crate) origin: Option<Place>,
}

impl Rules {
    /// A signature by the name of its module and its own name.
    pub fn sig(&self, module: &str, name: &str) -> Option<Sig> {
        let world = self.model.world();
        let module = world.module(*self.modules.get(module)?);
        module.sigs.iter().copied().find(|&sig| world.sig(sig).name == name).map(Sig)
    }

    /// The fields of a signature, as they are declared.
    pub fn fields(&self, sig: Sig) -> impl Iterator<Item = (&str, Field)> {
        let world = self.model.world();
        let fields = world.sig(sig.0).decls.iter().flat_map(|decl| &decl.fields);
        fields.map(|&field| (world.field(field).name.as_str(), Field(field)))
    }

    /// A field of a signature.
    pub fn field(&self, sig: Sig, name: &str) -> Option<Field> {
        self.model.find_field(sig.0, name).map(Field)
    }
}

impl<'r> Instance<'r> {
    pub(crate) fn new(rules: &'r Rules) -> Self {
        let mut data = Data::new();
        data.is_well_formed();
        let (atoms, tuples, inputs) = (Vec::new(), Vec::new(), FxHashMap::default());
        Self { rules, data, atoms, tuples, unknown: 0, about: None, inputs }
    }

    /// Says of which element of the document those atoms are that are added from now on, by a number; none if
    /// elements have them in common. Returns the element before.
    pub fn about(&mut self, element: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.about, element)
    }

    /// Says that atoms without an element that are only related from atoms of one element belong to it.
    pub fn adopt(&mut self) {
        let mut owners: FxHashMap<AtomId, Vec<AtomId>> = FxHashMap::default();
        for tuple in &self.tuples {
            if let Item::Atom(to) = tuple.item {
                owners.entry(to).or_default().push(tuple.owner);
            }
        }
        let mut is_open = true;
        while std::mem::take(&mut is_open) {
            for at in 0..self.atoms.len() {
                if self.atoms[at].of.is_some() {
                    continue;
                }
                let owners = owners.get(&AtomId::at(at)).map_or(&[][..], Vec::as_slice);
                let mut elements = owners.iter().map(|owner| self.atoms[owner.index()].of);
                let first = elements.next().flatten();
                if first.is_some() && elements.all(|other| other == first) {
                    self.atoms[at].of = first;
                    is_open = true;
                }
            }
        }
    }

    /// The elements that have atoms, by their numbers.
    pub fn elements(&self) -> BTreeSet<u32> {
        self.atoms.iter().filter_map(|atom| atom.of).collect()
    }

    /// Says that a value that is not known is that of an input, so that it is the same in another version of the
    /// document.
    pub fn of_input(&mut self, item: &Item, input: impl Into<Arc<str>>) {
        self.inputs.insert(item.clone(), input.into());
    }

    /// Adds an atom. The label is what people call it, the place is where it is written.
    pub fn atom(&mut self, sig: Sig, label: impl Into<Arc<str>>, place: Place) -> AtomId {
        let id = AtomId::at(self.atoms.len());
        self.data.atom(sig.0, id.name());
        self.atoms.push(Atom { sig: sig.0, label: label.into(), place, of: self.about });
        id
    }

    /// Says that a field relates an atom to a value, where that is written, and where the value came from if that is
    /// another place.
    pub fn tuple(&mut self, owner: AtomId, field: Field, item: Item, place: Place, origin: Option<Place>) {
        self.data.tuple(field.0, vec![owner.given(), item.given()]);
        self.tuples.push(Tuple { owner, field: field.0, item, place, origin });
    }

    /// A text that nobody knows yet.
    pub fn unknown_text(&mut self) -> Item {
        self.not_known(Sort::Text)
    }

    /// A number that nobody knows yet.
    pub fn unknown_int(&mut self) -> Item {
        self.not_known(Sort::Int)
    }

    fn not_known(&mut self, sort: Sort) -> Item {
        self.unknown += 1;
        Item::Unknown(UnknownId { sort, number: self.unknown })
    }

    /// Another value that nobody knows yet, of the same sort as one of another instance.
    pub(crate) fn another(&mut self, like: &Item) -> Item {
        match like {
            Item::Unknown(unknown) => self.not_known(unknown.sort),
            other => other.clone(),
        }
    }

    /// Says that an atom stands for something that nobody knows yet.
    pub fn unknown_atom(&mut self, atom: AtomId) -> Item {
        self.data.unknown_atom(atom.name());
        Item::Atom(atom)
    }

    /// Says that it is not known whether something is there at all.
    pub fn optional(&mut self, item: &Item) {
        self.data.optional(item.given());
    }

    /// The tuples of each atom, by the name of the field.
    pub(crate) fn by_owner(&self) -> FxHashMap<AtomId, Vec<&Tuple>> {
        let mut by_owner: FxHashMap<AtomId, Vec<&Tuple>> = FxHashMap::default();
        for tuple in &self.tuples {
            by_owner.entry(tuple.owner).or_default().push(tuple);
        }
        by_owner
    }
}

impl AtomId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The atom with this number.
    pub(crate) fn at(index: usize) -> Self {
        Self(u32::try_from(index).expect("an instance fits into memory"))
    }

    /// As data has it.
    pub(crate) fn given(self) -> Given {
        Given::Atom(self.name())
    }

    /// Its name in data. No signature has such a name.
    pub(crate) fn name(self) -> String {
        self.0.to_string()
    }

    /// A name for an atom that only a changed instance has.
    pub(crate) fn name_of_new(sig: SigId, label: &str) -> String {
        format!("+{}/{label}", sig.0)
    }
}

impl UnknownId {
    /// As data has it.
    pub(crate) fn unknown(self) -> Blank {
        Blank { sort: self.sort, id: self.number.to_string() }
    }

    /// One that only a changed instance has, by whose it is and by its number.
    pub(crate) fn unknown_of(self, owner: &str, number: u32) -> Blank {
        Blank { sort: self.sort, id: format!("+{owner}/{number}") }
    }
}

impl Item {
    /// As data has it.
    pub(crate) fn given(&self) -> Given {
        match self {
            Self::Atom(atom) => atom.given(),
            Self::Int(value) => Given::Int(*value),
            Self::Text(text) => Given::Text(text.to_string()),
            Self::Unknown(unknown) => Given::Unknown(unknown.unknown()),
        }
    }

    /// Returns the content of data, if it is something of this instance. A signature with one atom that was not given
    /// is not.
    pub(crate) fn of(given: &Given) -> Option<Self> {
        Some(match given {
            Given::Atom(name) => Self::Atom(AtomId(name.parse().ok()?)),
            Given::Int(value) => Self::Int(*value),
            Given::Text(text) => Self::Text(text.as_str().into()),
            Given::Unknown(Blank { sort, id }) => {
                Self::Unknown(UnknownId { sort: *sort, number: id.parse().ok()? })
            }
        })
    }
}
