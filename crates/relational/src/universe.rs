//! The atoms everything is made of.
//!
//! A universe is a list of atoms in a fixed order. An atom is a number; what it is called, and whether it stands
//! for an integer or a text, is kept here and nowhere else.

use rustc_hash::FxHashMap;

/// An atom: its position in its [`Universe`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Atom(pub u32);

/// The kind of thing that an atom stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtomKind {
    /// Itself, and nothing more.
    Plain,
    /// An integer: casts between integers and atoms go by this value.
    Int(i64),
    /// A text; its label is the text.
    Text,
}

#[derive(Clone, Debug)]
struct AtomData {
    label: String,
    kind: AtomKind,
}

/// The atoms of a problem or of an instance, in a fixed order.
#[derive(Clone, Debug, Default)]
pub struct Universe {
    atoms: Vec<AtomData>,
    ints: FxHashMap<i64, Atom>,
    texts: FxHashMap<String, Atom>,
}

impl Universe {
    /// A universe without atoms.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a plain atom. Labels are for people: two atoms may share one.
    pub fn add(&mut self, label: impl Into<String>) -> Atom {
        self.push(label.into(), AtomKind::Plain)
    }

    /// The atom of an integer, added when it is not there yet.
    pub fn add_int(&mut self, value: i64) -> Atom {
        if let Some(&atom) = self.ints.get(&value) {
            return atom;
        }
        let atom = self.push(value.to_string(), AtomKind::Int(value));
        self.ints.insert(value, atom);
        atom
    }

    /// The atom of a text, added when it is not there yet.
    pub fn add_text(&mut self, text: &str) -> Atom {
        if let Some(&atom) = self.texts.get(text) {
            return atom;
        }
        let atom = self.push(text.to_owned(), AtomKind::Text);
        self.texts.insert(text.to_owned(), atom);
        atom
    }

    /// Gives a plain atom another label.
    pub fn rename(&mut self, atom: Atom, label: impl Into<String>) {
        debug_assert_eq!(self.kind(atom), AtomKind::Plain, "the labels of others are what they stand for");
        self.atoms[atom.0 as usize].label = label.into();
    }

    fn push(&mut self, label: String, kind: AtomKind) -> Atom {
        let atom = Atom(u32::try_from(self.atoms.len()).expect("fewer than 2^32 atoms"));
        self.atoms.push(AtomData { label, kind });
        atom
    }

    /// How many atoms there are.
    pub fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Whether there is no atom at all.
    pub fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// All atoms, in order.
    pub fn atoms(&self) -> impl ExactSizeIterator<Item = Atom> + use<> {
        (0..self.atoms.len() as u32).map(Atom)
    }

    /// Returns the name of an atom.
    pub fn label(&self, atom: Atom) -> &str {
        &self.atoms[atom.0 as usize].label
    }

    /// Returns the kind of thing that an atom stands for.
    pub fn kind(&self, atom: Atom) -> AtomKind {
        self.atoms[atom.0 as usize].kind
    }

    /// The integer an atom stands for, if it stands for one.
    pub fn int_value(&self, atom: Atom) -> Option<i64> {
        match self.atoms[atom.0 as usize].kind {
            AtomKind::Int(value) => Some(value),
            AtomKind::Plain | AtomKind::Text => None,
        }
    }

    /// The atom that stands for an integer.
    pub fn int(&self, value: i64) -> Option<Atom> {
        self.ints.get(&value).copied()
    }

    /// The atom that stands for a text.
    pub fn text(&self, text: &str) -> Option<Atom> {
        self.texts.get(text).copied()
    }

    /// All texts with their atoms, in the order of the atoms.
    pub fn texts(&self) -> impl Iterator<Item = (Atom, &str)> + Clone {
        let texts = self.atoms.iter().enumerate().filter(|(_, atom)| atom.kind == AtomKind::Text);
        texts.map(|(at, atom)| (Atom(at as u32), atom.label.as_str()))
    }

    /// All integer atoms with their values, in the order of the atoms.
    pub fn ints(&self) -> impl Iterator<Item = (Atom, i64)> {
        self.atoms().filter_map(|atom| self.int_value(atom).map(|value| (atom, value)))
    }
}
