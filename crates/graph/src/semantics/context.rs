//! Contexts: the names and roles that are known when a transition starts.

use std::sync::Arc;

use crate::location::sorted;
use crate::{Atom, LocationSet};

/// A set of known atoms (`Context`, its `eatoms`). Cheap to clone.
///
/// Slip: in Alloy two contexts with the same atoms are still two, so `one ts.env` asks for more than it
/// means. Here contexts are compared by the atoms they hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Context(Arc<[Atom]>);

impl Context {
    /// The smallest context in which these locations can move: the atoms that occur in them.
    pub fn of(locations: &LocationSet) -> Self {
        Self(locations.atoms().into())
    }

    /// The context with further atoms.
    #[must_use]
    pub fn with(&self, atoms: impl IntoIterator<Item = Atom>) -> Self {
        self.atoms().iter().copied().chain(atoms).collect()
    }

    /// The atoms, in order.
    pub fn atoms(&self) -> &[Atom] {
        &self.0
    }

    /// Whether an atom is known.
    pub fn contains(&self, atom: Atom) -> bool {
        self.0.binary_search(&atom).is_ok()
    }

    /// Those of some atoms that are not known.
    pub(crate) fn missing(&self, atoms: impl IntoIterator<Item = Atom>) -> Vec<Atom> {
        atoms.into_iter().filter(|&atom| !self.contains(atom)).collect()
    }
}

impl FromIterator<Atom> for Context {
    fn from_iter<I: IntoIterator<Item = Atom>>(atoms: I) -> Self {
        Self(sorted(atoms).into())
    }
}
