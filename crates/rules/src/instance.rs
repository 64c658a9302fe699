//! What a language makes of a file: atoms and tuples, each with the place that it came from.

use std::sync::Arc;

use locus_alloy::model::FieldId;
use locus_alloy::types::SigId;
use locus_alloy::{Data, Value as Given};
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::Rules;

/// A signature of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sig(SigId);

/// A field of the model.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field(pub(crate) FieldId);

/// An atom of an instance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(u32);

/// A value in an instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    /// An atom.
    Atom(AtomId),
    /// An integer.
    Int(i64),
    /// A text; for one of a file see [`Value::text`].
    Text(Arc<str>),
}

/// Atoms and tuples for the signatures and fields of rules.
pub struct Instance<'r> {
    pub(crate) rules: &'r Rules,
    pub(crate) data: Data,
    pub(crate) atoms: Vec<Atom>,
    pub(crate) tuples: Vec<Tuple>,
    /// How many values that are not known there are.
    pub(crate) unknown: i64,
}

/// What is known of an atom beside its signature.
pub(crate) struct Atom {
    pub(crate) sig: SigId,
    pub(crate) label: Arc<str>,
    pub(crate) place: Place,
}

/// That a field relates an atom to a value, and where that is said.
pub(crate) struct Tuple {
    pub(crate) owner: AtomId,
    pub(crate) field: FieldId,
    pub(crate) value: Value,
    pub(crate) place: Place,
    pub(crate) origin: Option<Place>,
}

impl Rules {
    /// A signature by the name of its module and its own name.
    pub fn sig(&self, module: &str, name: &str) -> Option<Sig> {
        let world = self.model.world();
        let module = world
            .modules
            .iter()
            .find(|one| one.ast.module.as_ref().is_some_and(|own| own.name.text == module))?;
        module.sigs.iter().copied().find(|&sig| world.sig(sig).name == name).map(Sig)
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
        Self { rules, data, atoms: Vec::new(), tuples: Vec::new(), unknown: 0 }
    }

    /// Adds an atom. The label is what people call it, the place is where it is written.
    pub fn atom(&mut self, sig: Sig, label: impl Into<Arc<str>>, place: Place) -> AtomId {
        let id = AtomId::at(self.atoms.len());
        self.data.atom(sig.0, id.name());
        self.atoms.push(Atom { sig: sig.0, label: label.into(), place });
        id
    }

    /// Says that a field relates an atom to a value, where that is written, and where the value came from if that is
    /// another place.
    pub fn tuple(&mut self, owner: AtomId, field: Field, value: Value, place: Place, origin: Option<Place>) {
        self.data.tuple(field.0, vec![Given::Atom(owner.name()), value.given()]);
        self.tuples.push(Tuple { owner, field: field.0, value, place, origin });
    }

    /// A text that nobody knows yet.
    pub fn unknown_text(&mut self) -> Value {
        self.unknown += 1;
        self.not_known(Value::unknown_text(self.unknown))
    }

    /// A number that nobody knows yet.
    pub fn unknown_int(&mut self) -> Value {
        self.unknown += 1;
        self.not_known(Value::unknown_int(self.unknown))
    }

    /// Says that an atom stands for something that nobody knows yet.
    pub fn unknown_atom(&mut self, atom: AtomId) -> Value {
        self.not_known(Value::Atom(atom))
    }

    fn not_known(&mut self, value: Value) -> Value {
        self.data.unknown(value.given());
        value
    }

    /// Says that it is not known whether a value is there at all.
    pub fn optional(&mut self, value: &Value) {
        self.data.optional(value.given());
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

/// Before the number of an atom in its name, and in texts that are not known: no text of a file looks like it.
const MARK: char = '\u{1}';

/// Numbers below this one are not known. It is far from what files have, and not so far that sums overflow.
const UNKNOWN_INTS: i64 = -(1 << 48);

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

    pub(crate) fn name(self) -> String {
        format!("{MARK}{}", self.0)
    }

    /// A name for an atom that only a changed instance has.
    pub(crate) fn name_of_new(sig: SigId, label: &str) -> String {
        format!("{MARK}+{}/{label}", sig.0)
    }

    /// The atom with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        name.strip_prefix(MARK)?.parse().ok().map(Self)
    }
}

impl Value {
    /// A text of a file. The sign that marks what was made up is no part of it.
    pub fn text(text: &Arc<str>) -> Self {
        if text.contains(MARK) {
            return Self::Text(text.replace(MARK, "\u{fffd}").into());
        }
        Self::Text(Arc::clone(text))
    }

    /// The text for something that is not known, by its number.
    pub(crate) fn unknown_text(number: i64) -> Self {
        Self::Text(format!("{MARK}?{number}").into())
    }

    /// The number for something that is not known, by its number.
    pub(crate) fn unknown_int(number: i64) -> Self {
        Self::Int(UNKNOWN_INTS - number)
    }

    /// A value for something that is not known and that only a changed instance has, by whose it is.
    pub(crate) fn renamed(&self, owner: &str, number: i64) -> Self {
        match self {
            Self::Int(_) => Self::unknown_int(number),
            _ => Self::Text(format!("{MARK}?{owner}/{number}").into()),
        }
    }

    /// Whether it was made for something that is not known.
    pub(crate) fn is_made_up(&self) -> bool {
        match self {
            Self::Atom(_) => false,
            Self::Int(value) => *value < UNKNOWN_INTS,
            Self::Text(text) => text.starts_with(MARK),
        }
    }

    /// As data has it.
    pub(crate) fn given(&self) -> Given {
        match self {
            Self::Atom(atom) => Given::Atom(atom.name()),
            Self::Int(value) => Given::Int(*value),
            Self::Text(text) => Given::Text(text.to_string()),
        }
    }
}
