//! Two instances of the same rules side by side: what is the same in both has the same name.

use locus_alloy::model::FieldId;
use locus_alloy::types::SigId;
use locus_alloy::{Data, Value as Given};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instance::{AtomId, Instance, Tuple, Value};

impl Instance<'_> {
    /// The data of another instance with the names of this one: of a text that is a little different from that which
    /// this instance was made of. `back` leads from places there to those here.
    ///
    /// An atom is the same in both if its signature and its label are and no other has them, or else if it is in the same
    /// place. A value that is not known is the same if it stands in the same place.
    pub(crate) fn aligned(&self, other: &Instance<'_>, back: &dyn Fn(Place) -> Place) -> Data {
        let mut names = self.atoms_of(other, back);
        let mut known: FxHashMap<(String, FieldId, Place), &Value> = FxHashMap::default();
        for tuple in self.tuples.iter().filter(|tuple| tuple.value.is_made_up()) {
            known.entry((tuple.owner.name(), tuple.field, tuple.place)).or_insert(&tuple.value);
        }
        let mut fresh = 0;
        for Tuple { owner, field, value, place, .. } in
            other.tuples.iter().filter(|one| one.value.is_made_up())
        {
            if names.contains_key(&value.given()) {
                continue;
            }
            let Some(Given::Atom(owner)) = names.get(&owner.given()).cloned() else { continue };
            let same = known.get(&(owner.clone(), *field, back(*place)));
            let name = same.map_or_else(
                || {
                    fresh += 1;
                    value.renamed(&owner, self.unknown + fresh).given()
                },
                |same| same.given(),
            );
            names.insert(value.given(), name);
        }
        other.data.renamed(&|value| names.get(value).unwrap_or(value).clone())
    }

    /// The name here of every atom there.
    fn atoms_of(&self, other: &Instance<'_>, back: &dyn Fn(Place) -> Place) -> FxHashMap<Given, Given> {
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
                    Given::Atom(format!("{name}/{count}"))
                },
                AtomId::given,
            );
            names.insert(AtomId::at(at).given(), name);
        }
        names
    }
}
