//! Facts judged on given data: the instance is known, so nothing is solved.
//!
//! [`Data`] has atoms for signatures and tuples for fields. [`Model::judge`] evaluates every fact on it, and what the
//! declarations of signatures and fields say, and gives for each that does not hold all the bindings that make it
//! false. Integers have 64 bits here; there are as many as the data and the model mention.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use locus_relational::{Atom, AtomKind, EvalError, Evaluator, TupleSet, Universe};
use locus_source::{Finding, Place, Span};
use rustc_hash::FxHashMap;

use crate::Model;
use crate::model::FieldId;
use crate::prepared::Prepared;
use crate::translate::{self, Part};
use crate::types::SigId;
use crate::worlds::Layout;
use crate::{model, rules, worlds};

/// A value in a tuple of given data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Given {
    /// An atom of a signature, by its name.
    Atom(String),
    /// An integer.
    Int(i64),
    /// A string.
    Text(String),
    /// An integer or a string that is not known. It may turn out to be equal to any other of its sort, or to none of
    /// them. Where it is used twice, it is the same.
    Unknown(Blank),
}

/// An integer or a string that is not known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Blank {
    /// Its sort, if nothing else is known of it.
    pub sort: Sort,
    /// The name that tells it from others of its sort. It is not a value: a string with the same characters is
    /// something else.
    pub id: String,
}

/// The values that are no atoms of signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Integers.
    Int,
    /// Strings.
    Text,
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(name) => f.write_str(name),
            Self::Int(n) => n.fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Unknown(_) => f.write_str("(not known)"),
        }
    }
}

/// The atoms of a universe and the values of given data that they stand for.
pub(crate) struct Named<'s> {
    universe: &'s Universe,
    plain: FxHashMap<&'s str, Atom>,
    unknown: &'s BTreeMap<Blank, Atom>,
    unknown_atoms: FxHashMap<Atom, &'s Blank>,
}

impl<'s> Named<'s> {
    pub(crate) fn of(universe: &'s Universe, unknown: &'s BTreeMap<Blank, Atom>) -> Self {
        let plain = universe.atoms().filter(|&atom| universe.kind(atom) == AtomKind::Plain);
        Self {
            universe,
            plain: plain.map(|atom| (universe.label(atom), atom)).collect(),
            unknown,
            unknown_atoms: unknown.iter().map(|(unknown, &atom)| (atom, unknown)).collect(),
        }
    }

    /// The atom of a signature with this name.
    pub(crate) fn atom(&self, name: &str) -> Option<Atom> {
        self.plain.get(name).copied()
    }

    /// The atom of a value.
    pub(crate) fn find(&self, given: &Given) -> Option<Atom> {
        match given {
            Given::Atom(name) => self.atom(name),
            Given::Int(n) => self.universe.int(*n),
            Given::Text(text) => self.universe.text(text),
            Given::Unknown(unknown) => self.unknown.get(unknown).copied(),
        }
    }

    /// The value that an atom stands for.
    pub(crate) fn given(&self, atom: Atom, evaluator: &Evaluator<'_>) -> Given {
        if let Some(&unknown) = self.unknown_atoms.get(&atom) {
            return Given::Unknown(unknown.clone());
        }
        // An evaluation can meet integers that the universe does not have.
        if let Some(n) = evaluator.int_value(atom) {
            return Given::Int(n);
        }
        let label = self.universe.label(atom).to_owned();
        match self.universe.kind(atom) {
            AtomKind::Text => Given::Text(label),
            AtomKind::Plain | AtomKind::Int(_) => Given::Atom(label),
        }
    }
}

/// Atoms and tuples for the signatures and fields of a model.
#[derive(Clone, Debug, Default)]
pub struct Data {
    pub(crate) atoms: BTreeMap<SigId, Vec<String>>,
    pub(crate) tuples: BTreeMap<FieldId, BTreeSet<Vec<Given>>>,
    pub(crate) unknown_atoms: BTreeSet<String>,
    pub(crate) optional: BTreeSet<Given>,
    pub(crate) only_facts: bool,
}

impl Data {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says that the data is as the declarations of signatures and fields say, so that only facts are judged.
    pub fn is_well_formed(&mut self) {
        self.only_facts = true;
    }

    /// Adds an atom to a signature, and so to all that it extends. Where a signature is ordered by `util/ordering`,
    /// it is in this order.
    pub fn atom(&mut self, sig: SigId, name: impl Into<String>) {
        self.atoms.entry(sig).or_default().push(name.into());
    }

    /// Adds a tuple to a field, the signature's atom first.
    pub fn tuple(&mut self, field: FieldId, tuple: Vec<Given>) {
        self.tuples.entry(field).or_default().insert(tuple);
    }

    /// Says that an atom stands for something that is not known: it may turn out to be equal to any other of its
    /// signature, or to none of them.
    pub fn unknown_atom(&mut self, name: impl Into<String>) {
        self.unknown_atoms.insert(name.into());
    }

    /// Whether an atom stands for something that is not known.
    pub fn is_unknown(&self, name: &str) -> bool {
        self.unknown_atoms.contains(name)
    }

    /// The values that may not be there.
    pub fn optionals(&self) -> impl Iterator<Item = &Given> {
        self.optional.iter()
    }

    /// Says that a value may not be there: neither in its signature, nor any tuple with it. If it is also unknown, it
    /// stands for any number of values, each with the tuples it has.
    pub fn optional(&mut self, given: Given) {
        self.optional.insert(given);
    }
}

/// The subject of a judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A fact, by its position among the model's facts.
    Fact(usize),
    /// The declaration of a signature: its hierarchy, its fields, its own facts.
    Signature(SigId),
}

/// A part of a fact that is false, and for which values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where the part stands.
    pub place: Place,
    /// Its statement, in a few words.
    pub text: String,
    /// The universally quantified variables and their values, outermost first.
    pub bindings: Vec<(String, Vec<Vec<Given>>)>,
    /// Whether the part is false whatever the unknown values turn out to be and whichever of the optional ones are
    /// there. If exactly one of the bound values is optional (and not unknown), it is taken to be there.
    pub settled: bool,
}

/// A judgement that a fact or declaration does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The fact or declaration that it is about.
    pub subject: Subject,
    /// All the ways in which it does not hold: up to the limit those that are settled, and up to it the others.
    pub violations: Vec<Violation>,
    /// Whether there are more.
    pub truncated: bool,
    /// How many more, up to [`MOST_COUNTED`](locus_relational::MOST_COUNTED); 0 if they were not counted, because not
    /// everything is known.
    pub more: usize,
}

impl Model {
    /// A signature of the model's own file by its name, or of a module by its path (`alias/Name`).
    pub fn find_sig(&self, name: &str) -> Option<SigId> {
        self.world.user_sigs().find(|&sig| self.world.short(sig) == name)
    }

    /// A field of a signature by its name.
    pub fn find_field(&self, sig: SigId, name: &str) -> Option<FieldId> {
        let decls = &self.world.sig(sig).decls;
        decls
            .iter()
            .flat_map(|decl| &decl.fields)
            .copied()
            .find(|&field| self.world.field(field).name == name)
    }

    /// The facts of the model.
    pub fn facts(&self) -> &[model::Statement] {
        &self.world.facts
    }

    /// Which facts and declarations do not hold of the data, each with up to `limit` ways in which it does not. Where
    /// some of the data is not known, those that depend on it are given as not settled, up to `limit` as well.
    ///
    /// # Errors
    /// If the data does not fit the model, or a fact cannot be evaluated; the finding says why.
    pub fn judge(&self, data: &Data, limit: usize) -> Result<Vec<Judgement>, Box<Finding>> {
        let prepared = self.prepared.get_or_init(|| Prepared::new(&self.world));
        if let Some(prepared) = prepared
            && let Some(scene) = prepared.lay_out(&self.world, data)?
        {
            let layout = prepared.layout(&scene);
            let worlds = worlds::worlds(&self.world, data, &layout);
            let evaluator =
                Evaluator::of(&prepared.formulas, layout.universe, &scene.instance).with_worlds(&worlds);
            return self.judgements(layout, evaluator, &prepared.subjects, &prepared.parts, limit);
        }
        let ground = translate::ground(&self.world, data)?;
        let refuse = |error: EvalError| self.refuse(error.to_string());
        let formulas =
            locus_relational::Prepared::new(ground.space.ast.clone(), &ground.formulas()).map_err(refuse)?;
        let Some(instance) = ground.space.bounds.ground_instance() else {
            return Err(self.refuse("the data leaves something open".to_owned()));
        };
        let layout = Layout::of(&ground.space);
        let worlds = worlds::worlds(&self.world, data, &layout);
        let evaluator = Evaluator::of(&formulas, layout.universe, &instance).with_worlds(&worlds);
        let subjects: Vec<Subject> = ground.facts.into_iter().map(|(subject, _)| subject).collect();
        self.judgements(layout, evaluator, &subjects, &ground.parts, limit)
    }

    fn refuse(&self, message: String) -> Box<Finding> {
        Box::new(Finding::new(
            &rules::TOO_LARGE,
            Place::new(self.world.modules[0].file, Span::point(0)),
            message,
        ))
    }

    /// Returns the violations of formulas that were prepared, each of which is about one of the subjects.
    fn judgements(
        &self,
        layout: Layout<'_>,
        mut evaluator: Evaluator<'_>,
        subjects: &[Subject],
        parts: &[Part],
        limit: usize,
    ) -> Result<Vec<Judgement>, Box<Finding>> {
        let mut named = None;
        let mut judgements: Vec<Judgement> = Vec::new();
        for (position, subject) in subjects.iter().enumerate() {
            let found = evaluator
                .violations_at(position, limit)
                .map_err(|error: EvalError| self.refuse(error.to_string()))?;
            if found.list.is_empty() {
                continue;
            }
            let named = named.get_or_insert_with(|| Named::of(layout.universe, layout.unknown));
            let data = |tuples: &TupleSet| -> Vec<Vec<Given>> {
                tuples.iter().map(|t| t.iter().map(|&atom| named.given(atom, &evaluator)).collect()).collect()
            };
            let violations = found.list.iter().map(|violation| {
                let part = violation.tag.and_then(|tag| parts.get(tag.0 as usize));
                let bindings = violation.bindings.iter();
                Violation {
                    place: part.map_or_else(
                        || Place::new(self.world.modules[0].file, Span::point(0)),
                        |part| part.place,
                    ),
                    text: part.map(|part| part.text.clone()).unwrap_or_default(),
                    bindings: bindings
                        .map(|(var, tuples)| (layout.ast.var_name(*var).to_owned(), data(tuples)))
                        .collect(),
                    settled: violation.settled,
                }
            });
            match judgements.iter_mut().find(|judgement| judgement.subject == *subject) {
                Some(judgement) => {
                    judgement.violations.extend(violations);
                    judgement.truncated |= found.truncated;
                    judgement.more += found.more;
                }
                None => judgements.push(Judgement {
                    subject: subject.clone(),
                    violations: violations.collect(),
                    truncated: found.truncated,
                    more: found.more,
                }),
            }
        }
        Ok(judgements)
    }
}
