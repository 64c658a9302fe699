//! Facts made ready for any data: all that does not depend on data, done once for a model.
//!
//! The facts are translated over the atoms that the model itself mentions. Data adds its own atoms after these, and
//! gives relations their values. Data that is not well-formed, and models whose facts depend on which integers there
//! are, are translated together instead ([`translate::ground`]).

use std::collections::{BTreeMap, BTreeSet};

use locus_relational::{self as relational, Atom, Expr, ExprNode, Instance, Relation, TupleSet, Universe};
use locus_source::{Finding, Place, Span};
use rustc_hash::FxHashMap;

use crate::ast::Mult;
use crate::bounds::{Space, given_tuples, ordered, stand_ins, too_many_atoms};
use crate::ground::{Blank, Data, Given, Subject};
use crate::model::{FieldId, Parent, World};
use crate::native::{self, OwnTexts, Wanted};
use crate::translate::{self, AnyData, Part};
use crate::types::SigId;
use crate::worlds::Layout;

/// The facts of a model, ready for data.
pub(crate) struct Prepared {
    pub(crate) formulas: relational::Prepared,
    /// The subject of each formula.
    pub(crate) subjects: Vec<Subject>,
    /// The parts that tags stand for, by their number.
    pub(crate) parts: Vec<Part>,
    space: Space,
    /// The relations without data.
    instance: Instance,
    /// The relation of each signature that has one.
    sigs: Vec<Option<Relation>>,
    /// The relation of each field that data can have tuples for.
    fields: Vec<Option<Relation>>,
    /// Signatures that are ordered, with the relations for the first atom and for the steps.
    orders: Vec<(SigId, [Relation; 2])>,
    /// The relation that has all texts.
    strings: Relation,
    /// The atoms that the model mentions.
    universe: Universe,
    texts: OwnTexts,
    native: Vec<Wanted>,
}

/// Data in the terms of the relational engine.
pub(crate) struct Scene {
    pub(crate) universe: Universe,
    pub(crate) instance: Instance,
    pub(crate) unknown: BTreeMap<Blank, Atom>,
}

impl Prepared {
    /// Makes the facts of a model ready, if they can be.
    pub(crate) fn new(world: &World) -> Option<Self> {
        let AnyData { ground, fields: used, strings, asked } =
            translate::for_any_data(world).ok().flatten()?;
        let formulas = relational::Prepared::new(ground.space.ast.clone(), &ground.formulas()).ok()?;
        let space = ground.space;
        let instance = space.bounds.ground_instance()?;
        let own_relation = |&expr: &Expr| match *space.ast.expr(expr) {
            ExprNode::Relation(relation) => Some(relation),
            _ => None,
        };
        let orders = world.user_sigs().filter_map(|sig| {
            let fields = world.sig(sig).decls.iter().flat_map(|decl| &decl.fields);
            let relations: Option<Vec<Relation>> =
                fields.map(|field| native::relation_of(&space.ast, space.fields[field.index()])).collect();
            Some((ordered(world, sig)?, <[Relation; 2]>::try_from(relations?).ok()?))
        });
        let mut universe = space.bounds.universe().clone();
        Some(Self {
            texts: OwnTexts::of(world, &used, &mut universe),
            universe,
            formulas,
            subjects: ground.facts.into_iter().map(|(subject, _)| subject).collect(),
            parts: ground.parts,
            instance,
            sigs: space.sigs.iter().map(own_relation).collect(),
            fields: space.fields.iter().map(own_relation).collect(),
            orders: orders.collect(),
            strings,
            native: Wanted::of(world, &space.ast, &space.fields, asked),
            space,
        })
    }

    /// Lays data out. Nothing if it is of a kind that the facts were not made ready for.
    ///
    /// # Errors
    /// If the data does not fit the model; the finding says why.
    pub(crate) fn lay_out(&self, world: &World, data: &Data) -> Result<Option<Scene>, Box<Finding>> {
        let is_ready = |field: &FieldId| self.fields[field.index()].is_some();
        if !data.only_facts || !data.tuples.keys().all(is_ready) {
            return Ok(None);
        }
        let mut universe = self.universe.clone();
        let mut instance = self.instance.clone();
        let Some(named) = self.atoms(world, data, &mut universe, &mut instance)? else { return Ok(None) };
        let mut unknown = BTreeSet::new();
        for given in data.tuples.values().flatten().flatten() {
            match given {
                Given::Int(n) => drop(universe.add_int(*n)),
                Given::Text(text) => drop(universe.add_text(text)),
                Given::Unknown(one) => drop(unknown.insert(one.clone())),
                Given::Atom(_) => {}
            }
        }
        let networks = self.texts.measure(&mut universe);
        if !self.native.is_empty() {
            let values = self.texts.values(&universe, networks);
            for wanted in &self.native {
                instance.set(wanted.relation, wanted.compute(world, &values)?);
            }
        }
        let unknown = stand_ins(unknown, &mut universe);
        instance.set(self.strings, TupleSet::unary(universe.texts().map(|(atom, _)| atom)));
        for (field, tuples) in &data.tuples {
            let Some(relation) = self.fields[field.index()] else { return Ok(None) };
            let atom = |given: &Given| match given {
                Given::Atom(name) => named.get(name.as_str()).copied(),
                Given::Int(n) => universe.int(*n),
                Given::Text(text) => universe.text(text),
                Given::Unknown(one) => unknown.get(one).copied(),
            };
            instance.set(relation, given_tuples(world.field(*field), tuples.iter(), atom)?);
        }
        Ok(Some(Scene { universe, instance, unknown }))
    }

    /// Adds the atoms of data, each also to what its signature extends, and the orders of them. Nothing if data has
    /// other than one atom for a signature that is declared `one`.
    fn atoms<'d>(
        &self,
        world: &World,
        data: &'d Data,
        universe: &mut Universe,
        instance: &mut Instance,
    ) -> Result<Option<FxHashMap<&'d str, Atom>>, Box<Finding>> {
        let mut named: FxHashMap<&str, Atom> = FxHashMap::default();
        let mut of_sig: BTreeMap<SigId, Vec<Atom>> = BTreeMap::new();
        for (&sig, names) in &data.atoms {
            let mut atoms = Vec::with_capacity(names.len());
            if world.sig(sig).is(Mult::One) {
                // It has its atom already, under another name.
                let known = self.sigs[sig.index()].and_then(|relation| instance.get(relation));
                let ([name], Some([atom])) = (names.as_slice(), known.map(TupleSet::flat)) else {
                    return Ok(None);
                };
                if named.insert(name, *atom).is_some() {
                    return Ok(None);
                }
                universe.rename(*atom, name.as_str());
                continue;
            }
            for name in names {
                atoms.push(*named.entry(name).or_insert_with(|| universe.add(name.as_str())));
            }
            let mut at = sig;
            while at != SigId::UNIV {
                if world.sig(at).is(Mult::One) || self.sigs[at.index()].is_none() {
                    return Ok(None);
                }
                of_sig.entry(at).or_default().extend(&atoms);
                match world.sig(at).parent {
                    Parent::Prim(parent) => at = parent,
                    Parent::Subset(..) => break,
                }
            }
        }
        too_many_atoms(named.len(), Place::new(world.modules[0].file, Span::point(0)))?;
        for (sig, atoms) in of_sig {
            if let Some(relation) = self.sigs[sig.index()] {
                // Some atoms may be those of signatures that have one each, which extend this one.
                let known = instance.get(relation).into_iter().flat_map(TupleSet::flat).copied();
                let all = TupleSet::unary(known.chain(atoms));
                instance.set(relation, all);
            }
        }
        for (sig, [first, next]) in &self.orders {
            let atoms = self.sigs[sig.index()].and_then(|relation| instance.get(relation));
            let atoms = atoms.map(|all| all.flat().to_vec()).unwrap_or_default();
            instance.set(*first, TupleSet::unary(atoms.first().copied()));
            instance.set(*next, TupleSet::binary(atoms.windows(2).map(|pair| (pair[0], pair[1]))));
        }
        Ok(Some(named))
    }

    /// Where data that was laid out is.
    pub(crate) fn layout<'s>(&'s self, scene: &'s Scene) -> Layout<'s> {
        let Scene { universe, unknown, .. } = scene;
        let strings = Some(self.strings);
        Layout { ast: self.formulas.ast(), fields: &self.space.fields, universe, unknown, strings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, NoFiles};
    use locus_source::Sources;

    fn model(text: &str) -> Model {
        let sources = Sources::new();
        let file = sources.add("m.als", text);
        let (model, findings) = Model::load(&sources, &NoFiles, file.id());
        model.unwrap_or_else(|| panic!("{findings:?}"))
    }

    #[test]
    fn data_of_rules_is_laid_out_without_translating_again() {
        let model = model(
            "abstract sig Truth {} one sig Yes, No extends Truth {} sig A { is: lone Truth, name: lone String }
             fact { all a: A | a.is = Yes and a.name != \"x\" }",
        );
        let prepared =
            Prepared::new(model.world()).expect("the fact does not depend on which texts there are");
        let sig = |name: &str| model.find_sig(name).expect("it is declared");
        let field = |name: &str| model.find_field(sig("A"), name).expect("it is declared");
        let atom = |name: &str| Given::Atom(name.to_owned());
        let mut data = Data::new();
        data.atom(sig("Yes"), "0");
        data.atom(sig("No"), "1");
        data.atom(sig("A"), "2");
        data.tuple(field("is"), vec![atom("2"), atom("1")]);
        data.tuple(field("name"), vec![atom("2"), Given::Text("x".to_owned())]);
        let is_laid_out =
            |data: &Data| prepared.lay_out(model.world(), data).is_ok_and(|scene| scene.is_some());
        assert!(!is_laid_out(&data), "it may break what declarations say");
        data.is_well_formed();
        assert!(is_laid_out(&data));
        let judged = model.judge(&data, 10).unwrap_or_else(|finding| panic!("{}", finding.message));
        assert_eq!(judged[0].violations.len(), 1);
        assert_eq!(judged[0].violations[0].bindings, [("a".to_owned(), vec![vec![atom("2")]])]);
        data.atom(sig("Yes"), "3");
        assert!(!is_laid_out(&data), "there is one `Yes` only");
    }

    #[test]
    fn facts_about_the_next_number_are_not_prepared() {
        assert!(Prepared::new(model("sig A {} fact { some String }").world()).is_some());
        let next = "open util/integer\nsig A { n: Int } fact { all a: A | some a.n.(integer/next) }";
        assert!(Prepared::new(model(next).world()).is_none());
        assert!(Prepared::new(model("sig A { n: Int } fact { all a: A | a.n > 1 }").world()).is_some());
    }
}
