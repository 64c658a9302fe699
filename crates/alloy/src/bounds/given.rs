//! Bounds for given data: every atom and tuple is known.

use std::collections::{BTreeMap, BTreeSet};

use locus_relational::{Atom, TupleSet, Universe};
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use super::{Making, Space};
use crate::ast::{ListOp, Mult};
use crate::ground::{Blank, Data, Given, Sort};
use crate::model::{Command, E, Field, FieldId, Kind, Parent, World};
use crate::rules;
use crate::scope::{MAX_ATOMS, Scopes};
use crate::types::SigId;

/// The integers and strings that given data and the model have.
#[derive(Default)]
pub(crate) struct Values {
    pub(crate) ints: BTreeSet<i64>,
    pub(crate) texts: BTreeSet<String>,
    pub(crate) unknown: BTreeSet<Blank>,
}

/// Makes the universe and all relations of given data: everything is known.
pub(crate) fn ground(
    world: &World,
    command: &Command,
    data: &Data,
    values: Values,
) -> Result<Space, Box<Finding>> {
    let scopes =
        Scopes { sizes: vec![None; world.sigs.len()], bitwidth: 64, max_seq: i64::MAX, strings: None };
    let mut making = Making::new(world, command, scopes);
    making.given = true;
    let named = making.given_atoms(data)?;
    let Values { ints, texts, unknown } = values;
    making.built_in(ints.into_iter(), texts.into_iter().collect(), unknown);
    making.relations();
    making.given_fields(data, &named)?;
    making.sizes();
    Ok(making.space)
}

/// Integers that stand for unknown ones are below this one: most rules compare with what is greater, and sums and
/// products of them fit into 64 bits.
const BELOW: i64 = -(1 << 40);

/// Atoms for values that are not known. Each stands for an integer or a string that is none of the known ones: so what
/// is true of these is what is true in one of the worlds that are possible.
pub(crate) fn stand_ins(unknown: BTreeSet<Blank>, universe: &mut Universe) -> BTreeMap<Blank, Atom> {
    let (mut int, mut text) = (BELOW, 0_u64);
    let mut stand_ins = BTreeMap::new();
    for one in unknown {
        let atom = match one.sort {
            Sort::Int => {
                int -= 1;
                while universe.int(int).is_some() {
                    int -= 1;
                }
                universe.add_int(int)
            }
            Sort::Text => {
                let label = |number: u64| format!("(not known {number})");
                text += 1;
                while universe.text(&label(text)).is_some() {
                    text += 1;
                }
                universe.add_text(&label(text))
            }
        };
        stand_ins.insert(one, atom);
    }
    stand_ins
}

/// The value of a field whose tuples are given.
pub(crate) fn given_tuples<'d>(
    field: &Field,
    given: impl Iterator<Item = &'d Vec<Given>>,
    atom: impl Fn(&Given) -> Option<Atom>,
) -> Result<TupleSet, Box<Finding>> {
    let arity = field.ty.arity().unwrap_or(1);
    let mut atoms: Vec<Atom> = Vec::new();
    for tuple in given {
        let before = atoms.len();
        atoms.extend(tuple.iter().map_while(&atom));
        if tuple.len() != arity || atoms.len() != before + arity {
            let message = format!("a tuple given for `{}` has other columns, or an unknown atom", field.name);
            return Err(Box::new(Finding::new(&rules::ARITY, field.place, message)));
        }
    }
    Ok(TupleSet::from_flat(arity, atoms))
}

/// That the data has more atoms than can be handled, if it has.
pub(crate) fn too_many_atoms(count: usize, place: Place) -> Result<(), Box<Finding>> {
    if count as i64 <= MAX_ATOMS {
        return Ok(());
    }
    let message = format!("the data has {count} atoms; the limit is {MAX_ATOMS}");
    Err(Box::new(Finding::new(&rules::TOO_LARGE, place, message)))
}

/// Returns the signature that a signature orders, if it is the order of another.
pub(crate) fn ordered(world: &World, sig: SigId) -> Option<SigId> {
    let [fact] = &world.sig(sig).facts[..] else { return None };
    let Kind::List(ListOp::TotalOrder, parts) = &fact.kind else { return None };
    match parts[0].kind {
        Kind::Sig(ordered) => Some(ordered),
        _ => None,
    }
}

impl Making<'_> {
    /// Atoms as given, each also in what its signature extends. A `one` signature without an atom gets one.
    fn given_atoms(&mut self, data: &Data) -> Result<FxHashMap<String, Atom>, Box<Finding>> {
        let mut named: FxHashMap<String, Atom> = FxHashMap::default();
        for sig in self.world.user_sigs().collect::<Vec<_>>() {
            let declared = self.world.sig(sig);
            let own = data.atoms.get(&sig).cloned().unwrap_or_default();
            let own = if own.is_empty() && declared.is(Mult::One) && declared.is_prim() {
                vec![self.world.short(sig).to_owned()]
            } else {
                own
            };
            let atoms: Vec<Atom> = own
                .into_iter()
                .map(|name| *named.entry(name.clone()).or_insert_with(|| self.universe.add(name)))
                .collect();
            let atoms = TupleSet::unary(atoms);
            let mut at = sig;
            while at != SigId::UNIV {
                let known = &mut self.space.sig_bounds[at.index()];
                let all = known.0.union(&atoms);
                *known = (all.clone(), all);
                match self.world.sig(at).parent {
                    Parent::Prim(parent) => at = parent,
                    Parent::Subset(..) => break,
                }
            }
        }
        too_many_atoms(named.len(), self.command.place)?;
        Ok(named)
    }

    fn given_fields(&mut self, data: &Data, named: &FxHashMap<String, Atom>) -> Result<(), Box<Finding>> {
        let ints: FxHashMap<i64, Atom> = self.space.ints.iter().copied().collect();
        let texts: FxHashMap<String, Atom> = self.space.strings.iter().cloned().collect();
        for sig in self.world.user_sigs().collect::<Vec<_>>() {
            if self.native(sig)? || self.given_order(sig) {
                continue;
            }
            for (decl, field) in self.fields_of(sig) {
                if !data.tuples.contains_key(&field) && self.defined(sig, field, &decl) {
                    continue;
                }
                let atom = |given: &Given| match given {
                    Given::Atom(name) => named.get(name).copied(),
                    Given::Int(n) => ints.get(n).copied(),
                    Given::Text(text) => texts.get(text).copied(),
                    Given::Unknown(unknown) => self.space.unknown.get(unknown).copied(),
                };
                let declared = self.world.field(field);
                let value = given_tuples(declared, data.tuples.get(&field).into_iter().flatten(), atom)?;
                let label = format!("{}.{}", self.world.sig(sig).label, declared.name);
                let (_, rel) = self.relation(&label, value.clone(), value);
                self.space.fields[field.index()] = rel;
            }
        }
        Ok(())
    }

    fn fields_of(&self, sig: SigId) -> Vec<(E, FieldId)> {
        let decls = &self.world.sig(sig).decls;
        decls
            .iter()
            .flat_map(|decl| decl.fields.iter().map(|&field| (E::clone(&decl.bound), field)))
            .collect()
    }

    /// The order of a signature whose atoms are known: as they are given.
    fn given_order(&mut self, sig: SigId) -> bool {
        let Some(ordered) = ordered(self.world, sig) else { return false };
        let atoms = self.space.sig_bounds[ordered.index()].0.flat().to_vec();
        self.order(sig, &atoms)
    }
}
