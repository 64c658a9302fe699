//! Formulas judged on every configuration of a way: things come and go by steps that are ordered only in part.
//!
//! The instance has everything that is there at some time. A set of steps that were done has all those that come before
//! one of them, and after each such set some versions of things are there; a tuple is there exactly while all versions
//! of things in it are.
//!
//! - [`order`]: steps, and when each version is there.
//! - [`sure`]: each formula is evaluated once, on everything, so that what may break it is found as the evaluator finds
//!   what breaks a formula: by joins that begin with few tuples.
//! - [`cases`]: for each of the bindings that are left, which steps must be done so that the formula is broken.
//!
//! So what it costs grows with what comes and goes, and not with the number of configurations. A value that is not
//! known is a value unlike any other here; [`Passing::is_settled`] says what holds whatever it is.

mod cases;
mod order;
mod sure;

use rustc_hash::FxHashSet;

use crate::ast::{Ast, Formula, FormulaNode, Relation, Tag};
use crate::bounds::{Bounds, Instance};
use crate::circuit::Lit;
use crate::error::SolveError;
use crate::evaluate::{Bindings, EvalError, Evaluator, parts_of_formula, universal};
use crate::ground::{Grounder, Limits};
use crate::ints::IntMode;
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::universe::{Atom, Universe};
use crate::{Worlds, evaluate};
use cases::Needed;
use order::Order;
pub use order::{Span, Way};
use sure::{Sure, fill};

/// Integers of the circuits.
const INTS: IntMode = IntMode::Wrap(64);
/// So many bindings of one part of a formula are looked at.
const MOST_BINDINGS: usize = 200_000;
/// So many sets of steps are found for one way to break a formula.
const MOST_SETS: usize = 8;
/// So many ways to break one formula are found.
const MOST_CASES: usize = 1_000;
/// After so many bindings what was computed for them is forgotten.
const KEPT: usize = 20_000;

/// Why a question about a way has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PassError {
    /// It could not be evaluated.
    #[error(transparent)]
    Evaluate(#[from] EvalError),
    /// It could not be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// More bindings may break the formula than are looked at.
    #[error("more than {limit} bindings of variables may break it on the way")]
    Many {
        /// How many are looked at.
        limit: usize,
    },
}

/// A way in which a formula is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The tag nearest to the part that is broken.
    pub tag: Option<Tag>,
    /// The part that is broken.
    pub part: Formula,
    /// The values of its universal variables.
    pub bindings: Bindings,
    /// For some sets of steps, whether each step is done: it is broken after just these. None if it is broken before
    /// the first step or after the last.
    pub done: Vec<Vec<bool>>,
}

/// The ways in which a formula is broken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cases {
    /// Some of them.
    pub list: Vec<Case>,
    /// Whether there may be more.
    pub truncated: bool,
}

/// Formulas on a way, ready to be asked about.
pub struct Passing<'a> {
    ast: Ast,
    bounds: Bounds,
    all: Instance,
    order: Order<'a>,
    interrupt: Interrupt,
}

/// A part of a formula, and the formula that is true only if it always is.
struct Asked {
    formula: usize,
    tag: Option<Tag>,
    part: Formula,
    sure: Formula,
}

impl<'a> Passing<'a> {
    /// The way that a given instance goes: it has everything that is there at some time.
    pub fn new(ast: Ast, universe: &Universe, all: Instance, way: Way<'a>, interrupt: Interrupt) -> Self {
        let order = Order::new(way);
        let mut bounds = Bounds::new(universe.clone());
        for (relation, tuples) in all.relations() {
            let always = |tuple: &[Atom]| {
                tuple.iter().filter_map(|&atom| order.version(atom)).all(|version| order.is_always(version))
            };
            let lower = TupleSet::from_tuples(tuples.arity(), tuples.iter().filter(|tuple| always(tuple)));
            bounds.bound(relation, lower, tuples.clone());
        }
        Self { ast, bounds, all, order, interrupt }
    }

    /// Returns the ways in which each of some formulas is broken by some configuration on the way, or why that could
    /// not be told.
    pub fn broken(&mut self, formulas: &[Formula]) -> Vec<Result<Cases, PassError>> {
        let mut found: Vec<Result<Cases, PassError>> =
            formulas.iter().map(|_| Ok(Cases::default())).collect();
        let (asked, all) = self.asked(formulas, &mut found);
        let mut open: Vec<(&Asked, Vec<Bindings>)> = Vec::new();
        {
            let mut evaluator = Evaluator::new(&self.ast, self.bounds.universe(), &all)
                .with_interrupt(self.interrupt.clone());
            for asked in &asked {
                match evaluator.violations(asked.sure, MOST_BINDINGS) {
                    Err(why) => found[asked.formula] = Err(why.into()),
                    Ok(violations) if violations.truncated => {
                        found[asked.formula] = Err(PassError::Many { limit: MOST_BINDINGS });
                    }
                    Ok(violations) => {
                        let bindings = self.bindings_of(asked.part, violations.list);
                        if !bindings.is_empty() {
                            open.push((asked, bindings));
                        }
                    }
                }
            }
        }
        if open.is_empty() {
            return found;
        }
        let grounder = Grounder::new(&self.ast, &self.bounds, INTS, Limits::default(), &self.interrupt);
        let mut grounder = match grounder {
            Ok(grounder) => grounder,
            Err(why) => {
                for (asked, _) in &open {
                    found[asked.formula] = Err(why.clone().into());
                }
                return found;
            }
        };
        let mut count = 0;
        for (asked, bindings) in open {
            for bindings in bindings {
                let Ok(cases) = &mut found[asked.formula] else { break };
                if cases.list.len() >= MOST_CASES {
                    cases.truncated = true;
                    break;
                }
                count += 1;
                if count % KEPT == 0 {
                    grounder.forget();
                }
                let Asked { tag, part, .. } = *asked;
                match self.done(&mut grounder, part, &bindings) {
                    Ok(None) => {}
                    Ok(Some(done)) => cases.list.push(Case { tag, part, bindings, done }),
                    Err(why) => found[asked.formula] = Err(why.into()),
                }
            }
        }
        found
    }

    /// The parts of formulas, made stronger, and the instance that these are evaluated on.
    fn asked(
        &mut self,
        formulas: &[Formula],
        found: &mut [Result<Cases, PassError>],
    ) -> (Vec<Asked>, Instance) {
        let is_open = |relation: &Relation| self.bounds.get(*relation).is_some_and(|bound| !bound.is_exact());
        let open: FxHashSet<Relation> = self.ast.relations().filter(is_open).collect();
        let is_open = |relation: Relation| open.contains(&relation);
        let mut asked = Vec::new();
        for (at, &formula) in formulas.iter().enumerate() {
            match parts_of_formula(&mut self.ast, formula) {
                Ok(parts) => asked.extend(parts.into_iter().map(|(tag, part)| (at, tag, part))),
                Err(why) => found[at] = Err(why.into()),
            }
        }
        let mut sure = Sure::new(&mut self.ast, &is_open);
        let asked = asked.into_iter().map(|(formula, tag, part)| Asked {
            formula,
            tag,
            part,
            sure: sure.formula(part, false),
        });
        let asked: Vec<Asked> = asked.collect();
        let parts = std::mem::take(&mut sure.parts);
        let mut all = self.all.clone();
        fill(&parts, &self.order, &mut all);
        (asked, all)
    }

    /// The values of the universal variables of a part, among those of what is evaluated for it.
    fn bindings_of(&self, part: Formula, violations: Vec<evaluate::Violation>) -> Vec<Bindings> {
        let decls = universal(&self.ast, part).map(|universal| match self.ast.formula(universal) {
            FormulaNode::Quantified(_, decls, _) => decls.clone(),
            _ => [].into(),
        });
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        for violation in violations {
            let value =
                |decl: &crate::Decl| violation.bindings.iter().find(|(var, _)| *var == decl.var).cloned();
            let own: Option<Bindings> = decls.iter().flat_map(|decls| decls.iter()).map(value).collect();
            // Of a part that is evaluated without its variables, all of these are asked about.
            let own = own.filter(|own| own.iter().all(|(_, tuples)| tuples.len() == 1)).unwrap_or_default();
            if seen.insert(own.clone()) {
                found.push(own);
            }
        }
        found
    }

    /// Sets of steps after which a part is broken for these values; none if there are no such steps.
    fn done(
        &self,
        grounder: &mut Grounder<'_>,
        part: Formula,
        bindings: &Bindings,
    ) -> Result<Option<Vec<Vec<bool>>>, SolveError> {
        let lit = !grounder.ground_at(part, bindings)?;
        if lit == Lit::FALSE {
            return Ok(None);
        }
        let needed = |node: usize| -> Needed {
            let at = grounder.primaries.binary_search_by_key(&node, |primary| primary.lit.node());
            let primary = &grounder.primaries[at.expect("every input is a tuple")];
            let mut tuple = Vec::new();
            grounder.packing.unpack(primary.tuple, self.ast.relation_arity(primary.relation), &mut tuple);
            tuple.iter().filter_map(|&atom| self.order.version(atom)).collect()
        };
        let found = cases::find(&grounder.circuit, lit, &self.order, &needed, MOST_SETS, &self.interrupt)?;
        Ok(match (found.at_ends, found.done) {
            (true, _) => Some(Vec::new()),
            (false, done) if done.is_empty() => None,
            (false, done) => Some(done),
        })
    }

    /// The instance after just these steps.
    pub fn instance(&self, done: &[bool]) -> Instance {
        let there: Vec<bool> = (0..self.order.versions())
            .map(|version| self.order.is_there(version, |step| done[step]))
            .collect();
        let is_there = |tuple: &[Atom]| {
            tuple.iter().filter_map(|&atom| self.order.version(atom)).all(|version| there[version])
        };
        let mut instance = Instance::new();
        for (relation, tuples) in self.all.relations() {
            instance.set(
                relation,
                TupleSet::from_tuples(tuples.arity(), tuples.iter().filter(|tuple| is_there(tuple))),
            );
        }
        instance
    }

    /// Whether a case is so in every world after just these steps.
    pub fn is_settled(&self, case: &Case, instance: &Instance, worlds: &Worlds) -> bool {
        let mut evaluator = Evaluator::new(&self.ast, self.bounds.universe(), instance).with_worlds(worlds);
        evaluator.is_settled(case.part, &case.bindings)
    }
}
