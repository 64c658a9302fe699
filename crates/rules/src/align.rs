//! Two instances of the same rules side by side: what is the same in both has the same name.

use locus_alloy::model::FieldId;
use locus_alloy::types::SigId;
use locus_alloy::{Blank, Data, Given};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instance::{AtomId, Instance, Item, Tuple, UnknownId};

impl Instance<'_> {
    /// The data of another instance with the names of this one: of a text that is a little different from that which
    /// this instance was made of. `back` leads from places there to those here.
    ///
    /// An atom is the same in both if its signature and its label are and no other has them, or else if it is in the
    /// same place. A value that is not known is the same if it stands in the same place.
    pub(crate) fn aligned(&self, other: &Instance<'_>, back: &dyn Fn(Place) -> Place) -> Data {
        let atoms = self.atoms_of(other, back);
        let mut known: FxHashMap<(String, FieldId, Place), UnknownId> = FxHashMap::default();
        for (tuple, unknown) in self.unknown_tuples() {
            known.entry((tuple.owner.name(), tuple.field, tuple.place)).or_insert(unknown);
        }
        let mut fresh = 0;
        let mut unknowns: FxHashMap<Blank, Blank> = FxHashMap::default();
        for (Tuple { owner, field, place, .. }, unknown) in other.unknown_tuples() {
            let Some(owner) = atoms.get(&owner.name()) else { continue };
            unknowns.entry(unknown.unknown()).or_insert_with(|| {
                if let Some(same) = known.get(&(owner.clone(), *field, back(*place))) {
                    return same.unknown();
                }
                fresh += 1;
                unknown.unknown_of(owner, self.unknown + fresh)
            });
        }
        other.data.renamed(&|given| match given {
            Given::Atom(name) => Given::Atom(atoms.get(name).unwrap_or(name).clone()),
            Given::Unknown(unknown) => Given::Unknown(unknowns.get(unknown).unwrap_or(unknown).clone()),
            Given::Int(_) | Given::Text(_) => given.clone(),
        })
    }

    /// The tuples with a text or a number that is not known.
    fn unknown_tuples(&self) -> impl Iterator<Item = (&Tuple, UnknownId)> {
        self.tuples.iter().filter_map(|tuple| match tuple.item {
            Item::Unknown(unknown) => Some((tuple, unknown)),
            _ => None,
        })
    }

    /// The name here of every atom there.
    fn atoms_of(&self, other: &Instance<'_>, back: &dyn Fn(Place) -> Place) -> FxHashMap<String, String> {
        let mut here: FxHashMap<(&str, SigId), Vec<AtomId>> = FxHashMap::default();
        for (at, atom) in self.atoms.iter().enumerate() {
            here.entry((&atom.label, atom.sig)).or_default().push(AtomId::at(at));
        }
        let mut there: FxHashMap<(&str, SigId), usize> = FxHashMap::default();
        for atom in &other.atoms {
            *there.entry((&atom.label, atom.sig)).or_default() += 1;
        }
        let mut taken: FxHashSet<AtomId> = FxHashSet::default();
        let mut fresh: FxHashMap<String, u32> = FxHashMap::default();
        let mut names = FxHashMap::default();
        for (at, atom) in other.atoms.iter().enumerate() {
            let key = (&*atom.label, atom.sig);
            let alike = here.get(&key).map_or(&[][..], Vec::as_slice);
            let same = match alike {
                [only] if there[&key] == 1 => Some(*only),
                alike => {
                    let place = back(atom.place);
                    let is_here = |id: &&AtomId| self.atoms[id.index()].place == place && !taken.contains(id);
                    alike.iter().find(is_here).copied()
                }
            };
            taken.extend(same);
            // What several changes add is the same if it is called the same.
            let name = same.map_or_else(
                || {
                    let name = AtomId::name_of_new(atom.sig, &atom.label);
                    let count = fresh.entry(name.clone()).or_default();
                    *count += 1;
                    format!("{name}/{count}")
                },
                AtomId::name,
            );
            names.insert(AtomId::at(at).name(), name);
        }
        names
    }
}
