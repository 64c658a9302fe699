//! Facts judged on every configuration of a way: things come and go by steps that are ordered only in part.
//!
//! The data has everything that is there at some time. Each step is a choice, and a set of steps that were done has all
//! those that come before one of them. A tuple is there exactly while all versions of things in it are. How the ways to
//! break a fact are found is the relational engine's affair ([`locus_relational::passing`]); here is how facts and data
//! are put to it.
//!
//! A value that is not known is a value unlike any other there. So whoever needs to be sure asks whether a case is
//! settled ([`Passage::settled`]).

use std::collections::BTreeMap;
use std::time::Duration;

pub use locus_relational::passing::Span;
use locus_relational::passing::{self, Case};
use locus_relational::sat::Interrupt;
use locus_relational::{Evaluator, Formula, Instance, Worlds};
use locus_source::{Finding, Place, Span as TextSpan};
use rustc_hash::FxHashMap;

use crate::ground::{Data, Given, Named, Subject};
use crate::translate::{self, Ground};
use crate::worlds::{self, Layout};
use crate::{Model, rules};

/// The way that is judged.
pub struct Passing<'a> {
    /// For each step, those that come right before it, which have smaller numbers.
    pub after: &'a [Vec<usize>],
    /// For each version of a thing, when it is there: within any of these.
    pub versions: &'a [Vec<Span>],
    /// The version that an atom belongs to, by its name; others are always there.
    pub version_of: &'a BTreeMap<String, usize>,
    /// Whether a fact, by its position, is asked about.
    pub is_asked: &'a dyn Fn(usize) -> bool,
    /// The time after which the search is given up.
    pub timeout: Duration,
}

/// A way in which a fact is broken by some configuration.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The fact, by its position.
    pub fact: usize,
    /// The variables and what each is bound to.
    pub bindings: Vec<(String, Given)>,
    /// Whether it is broken before the first step or after the last.
    pub at_ends: bool,
    case: Case,
}

/// All ways in which facts are broken on a way.
pub struct Passage<'a> {
    passing: passing::Passing<'a>,
    worlds: Worlds,
    /// The ways, fact by fact.
    pub broken: Vec<Broken>,
    /// The facts that are broken in more ways than are listed.
    pub truncated: Vec<usize>,
    /// The facts of which it could not be told, and why.
    pub not_told: Vec<(usize, String)>,
    /// The configuration that was looked at last.
    last: Option<(Vec<bool>, Instance)>,
}

impl Model {
    /// Returns the ways in which facts are broken on a way.
    ///
    /// # Errors
    /// If the data does not fit the model; the finding says why.
    pub fn passage<'a>(&self, data: &Data, passing: &Passing<'a>) -> Result<Passage<'a>, Box<Finding>> {
        let place = Place::new(self.world.modules[0].file, TextSpan::point(0));
        let Ground { space, facts, .. } = translate::ground(&self.world, data)?;
        let asked: Vec<(usize, Formula)> = (facts.into_iter())
            .filter_map(|(subject, formula)| match subject {
                Subject::Fact(fact) if (passing.is_asked)(fact) => Some((fact, formula)),
                _ => None,
            })
            .collect();
        let worlds = worlds::worlds(&self.world, data, &Layout::of(&space));
        let universe = space.bounds.universe();
        let named = Named::of(universe, &space.unknown);
        let Some(all) = space.bounds.ground_instance() else {
            let message = "the data leaves something open";
            return Err(Box::new(Finding::new(&rules::TOO_LARGE, place, message)));
        };
        let version_of: FxHashMap<_, usize> = (passing.version_of.iter())
            .filter_map(|(name, &version)| Some((named.atom(name)?, version)))
            .collect();
        let way = passing::Way { after: passing.after, versions: passing.versions, version_of };
        let interrupt = Interrupt::never().with_timeout(passing.timeout);
        let ast = space.ast.clone();
        let mut asking = passing::Passing::new(space.ast.clone(), universe, all.clone(), way, interrupt);
        let formulas: Vec<Formula> = asked.iter().map(|(_, formula)| *formula).collect();
        let evaluator = Evaluator::new(&ast, universe, &all);
        let (mut broken, mut truncated, mut not_told) = (Vec::new(), Vec::new(), Vec::new());
        for (&(fact, _), cases) in asked.iter().zip(asking.broken(&formulas)) {
            let cases = match cases {
                Ok(cases) => cases,
                Err(why) => {
                    not_told.push((fact, why.to_string()));
                    continue;
                }
            };
            if cases.truncated {
                truncated.push(fact);
            }
            broken.extend(cases.list.into_iter().map(|case| {
                let bound = case.bindings.iter().filter_map(|(var, tuples)| {
                    let &atom = tuples.flat().first()?;
                    Some((ast.var_name(*var).to_owned(), named.given(atom, &evaluator)))
                });
                Broken { fact, bindings: bound.collect(), at_ends: case.done.is_empty(), case }
            }));
        }
        Ok(Passage { passing: asking, worlds, broken, truncated, not_told, last: None })
    }
}

impl Passage<'_> {
    /// Whether a way to break a fact is one whatever the values that are not known turn out to be, and for each step
    /// whether it is done then. None if it is broken at the ends.
    pub fn settled(&mut self, at: usize) -> Option<(bool, Vec<bool>)> {
        let case = &self.broken[at].case;
        let first = case.done.first()?;
        if self.worlds.is_certain() {
            return Some((true, first.clone()));
        }
        for done in &case.done {
            if self.last.as_ref().is_none_or(|(last, _)| last != done) {
                self.last = Some((done.clone(), self.passing.instance(done)));
            }
            if let Some((_, instance)) = &self.last
                && self.passing.is_settled(case, instance, &self.worlds)
            {
                return Some((true, done.clone()));
            }
        }
        Some((false, first.clone()))
    }
}
