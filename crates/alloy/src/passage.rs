//! Facts judged on every configuration of a way: things come and go by steps that are ordered only in part.
//!
//! The data has everything that is there at some time. Each step is a choice, and a set of steps that were done has all
//! those that come before one of them. A tuple is there exactly while all versions of things in it are. Facts that are
//! true in all worlds, whichever of these are there, need no search. Of each other one the model finder is asked for a
//! set of steps after which it is broken; the translation is made once, and which fact is asked about is an assumption
//! of the solver.
//!
//! A value that is not known is a value unlike any other here. So whoever needs to be sure judges the data of the
//! configuration that was found.

use std::collections::BTreeMap;
use std::time::Duration;

use locus_relational::sat::{Hope, Interrupt};
use locus_relational::{
    Ast, Atom, Bindings, Bounds, Evaluator, Expr, Formula, Instance, IntMode, Relation, Search, TupleSet,
    Universe,
};
use locus_source::{Finding, Place, Span as TextSpan};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::Space;
use crate::excepted::excepted;
use crate::ground::{Data, Given, Named, Subject};
use crate::translate::{self, Ground};
use crate::worlds::{self, Layout};
use crate::{Model, rules};

/// Integers of the solver: enough for ports and sizes.
const BITS: u32 = 32;
/// So many ways in which one fact is broken at an end of the way are looked at.
const LIMIT: usize = 1000;

/// The time in which a version of a thing is there: between two steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The step by which it comes; none if it is there at the start.
    pub comes: Option<usize>,
    /// The step by which it goes; none if it stays.
    pub goes: Option<usize>,
}

/// The way that is judged.
pub struct Passing<'a> {
    /// For each step, those that come right before it.
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

/// The facts that some configuration of a way may break.
pub struct Passage {
    facts: Vec<usize>,
    /// None if no fact can be broken.
    asking: Option<Asking>,
    place: Place,
}

struct Asking {
    search: Search,
    done: Relation,
    /// The steps that are not done.
    open: Relation,
    /// One atom for each step.
    steps: Vec<Atom>,
    broken: Relation,
    /// One atom for each fact.
    which: Vec<Atom>,
}

impl Model {
    /// Returns the facts that may be broken on a way, ready to be asked about.
    ///
    /// # Errors
    /// If a fact cannot be evaluated or solved for; the finding says why.
    pub fn passage(&self, data: &Data, passing: &Passing<'_>) -> Result<Passage, Box<Finding>> {
        let place = Place::new(self.world.modules[0].file, TextSpan::point(0));
        let refuse = |message: String| Box::new(Finding::new(&rules::TOO_LARGE, place, message));
        // Everything that comes or goes may be there or not.
        let mut uncertain = data.clone();
        uncertain.optional.extend(passing.version_of.keys().map(|name| Given::Atom(name.clone())));
        let Ground { space, facts, .. } = translate::ground(&self.world, &uncertain)?;
        let asked = facts.into_iter().filter_map(|(subject, formula)| match subject {
            Subject::Fact(fact) if (passing.is_asked)(fact) => Some((fact, formula)),
            _ => None,
        });
        let worlds = worlds::worlds(&self.world, &uncertain, &Layout::of(&space));
        let Some(all) = space.bounds.ground_instance() else {
            return Err(refuse("the data leaves something open".to_owned()));
        };
        let mut open: Vec<(usize, Formula)> = Vec::new();
        {
            let mut evaluator = Evaluator::new(&space.ast, space.bounds.universe(), &all)
                .with_ints(IntMode::Exact)
                .with_worlds(&worlds);
            for (fact, formula) in asked {
                let truth = evaluator.truth(formula).map_err(|error| refuse(error.to_string()))?;
                if truth != Some(true) {
                    open.push((fact, formula));
                }
            }
        }
        let facts: Vec<usize> = open.iter().map(|&(fact, _)| fact).collect();
        if open.is_empty() {
            return Ok(Passage { facts, asking: None, place });
        }
        let mut translating = Translating::new(&space, passing);
        // What is broken before the first step or after the last is not broken by the way.
        let worlds = worlds::worlds(&self.world, data, &Layout::of(&space));
        for is_done in [false, true] {
            let there = end(&space, &all, passing, is_done);
            let mut evaluator = Evaluator::new(&space.ast, space.bounds.universe(), &there)
                .with_ints(IntMode::Exact)
                .with_worlds(&worlds);
            for (_, formula) in &mut open {
                let found =
                    evaluator.violations(*formula, LIMIT).map_err(|error| refuse(error.to_string()))?;
                if found.truncated {
                    return Err(refuse(
                        "a rule is broken in too many ways before the first step or after the last"
                            .to_owned(),
                    ));
                }
                let ways: Vec<_> = found.list.into_iter().map(|found| (found.bindings, None)).collect();
                translating.excepted.push(ways);
            }
        }
        let asking = translating.search(&space, &open, passing, place)?;
        Ok(Passage { facts, asking: Some(asking), place })
    }
}

/// The instance before the first step, or after the last.
fn end(space: &Space, all: &Instance, passing: &Passing<'_>, is_done: bool) -> Instance {
    let named = Named::of(space.bounds.universe(), &space.unknown);
    let is_there = |spans: &Vec<Span>| {
        let within = |span: &Span| {
            let (came, went) = (span.comes.is_none() || is_done, span.goes.is_some() && is_done);
            came && !went
        };
        spans.iter().any(within)
    };
    let absent: FxHashSet<Atom> = passing
        .version_of
        .iter()
        .filter(|(_, version)| !is_there(&passing.versions[**version]))
        .filter_map(|(name, _)| named.atom(name))
        .collect();
    let mut instance = Instance::new();
    for (relation, tuples) in all.relations() {
        let kept = tuples.iter().filter(|tuple| !tuple.iter().any(|atom| absent.contains(atom)));
        instance.set(relation, TupleSet::from_tuples(tuples.arity(), kept));
    }
    instance
}

impl Passage {
    /// The facts that may be broken, by their positions, each once or more often: by parts.
    pub fn facts(&self) -> &[usize] {
        &self.facts
    }

    /// Steps after which the fact at this place of the list is broken: all of these and no others are done, and as few
    /// as can be found by leaving out some. None if there are no such steps.
    ///
    /// # Errors
    /// If the time is up.
    pub fn broken_after(&mut self, at: usize) -> Result<Option<Vec<bool>>, Box<Finding>> {
        let place = self.place;
        let Some(asking) = &mut self.asking else { return Ok(None) };
        let refuse = |error: locus_relational::SolveError| {
            Box::new(Finding::new(&rules::TOO_LARGE, place, error.to_string()))
        };
        let Some(mut done) = asking.ask(at, &[]).map_err(refuse)? else { return Ok(None) };
        let mut left_out: Vec<usize> = (0..done.len()).filter(|&step| !done[step]).collect();
        // Many at once first: mostly few steps are needed.
        let mut size = done.len().next_power_of_two();
        while size > 0 {
            let open: Vec<usize> = (0..done.len()).rev().filter(|&step| done[step]).collect();
            for some in open.chunks(size) {
                let tried = left_out.len();
                left_out.extend(some.iter().filter(|step| done[**step]));
                if left_out.len() == tried {
                    continue;
                }
                match asking.ask(at, &left_out).map_err(refuse)? {
                    Some(fewer) => {
                        left_out = (0..fewer.len()).filter(|&step| !fewer[step]).collect();
                        done = fewer;
                    }
                    None => left_out.truncate(tried),
                }
            }
            size /= 2;
        }
        Ok(Some(done))
    }
}

impl Passage {
    /// Has a fact not be asked about for just these steps again. False if that cannot be said.
    pub fn forbid(&mut self, at: usize, done: &[bool]) -> bool {
        let Some(asking) = &mut self.asking else { return false };
        let mut together = vec![(asking.broken, std::slice::from_ref(&asking.which[at]))];
        let relation = |is_done: bool| if is_done { asking.done } else { asking.open };
        let steps = asking.steps.iter().zip(done);
        together.extend(steps.map(|(step, &is_done)| (relation(is_done), std::slice::from_ref(step))));
        asking.search.forbid(&together);
        true
    }
}

impl Asking {
    /// Steps after which a fact is broken, without some that are not done.
    fn ask(
        &mut self,
        at: usize,
        left_out: &[usize],
    ) -> Result<Option<Vec<bool>>, locus_relational::SolveError> {
        let mut assumed = vec![(self.broken, std::slice::from_ref(&self.which[at]), true)];
        assumed
            .extend(left_out.iter().map(|&step| (self.done, std::slice::from_ref(&self.steps[step]), false)));
        let Some(found) = self.search.under(&assumed)? else { return Ok(None) };
        let done = found.instance.get(self.done);
        let is_done = |atom: &Atom| done.is_some_and(|done| done.contains(std::slice::from_ref(atom)));
        Ok(Some(self.steps.iter().map(is_done).collect()))
    }
}

/// The problem for the solver, as it grows.
struct Translating {
    ast: Ast,
    universe: Universe,
    steps: Vec<Atom>,
    versions: Vec<Atom>,
    done: Relation,
    present: Relation,
    formulas: Vec<Formula>,
    /// For each fact, at the start and then for each at the end, how it is broken there.
    excepted: Vec<Vec<(Bindings, Option<Formula>)>>,
}

impl Translating {
    fn new(space: &Space, passing: &Passing<'_>) -> Self {
        let mut universe = space.bounds.universe().clone();
        let mut atoms = |count: usize, word: &str| -> Vec<Atom> {
            (0..count).map(|i| universe.add(format!("{word}{i}"))).collect()
        };
        let steps = atoms(passing.after.len(), "step");
        let versions = atoms(passing.versions.len(), "version");
        let mut ast = space.ast.clone();
        let (done, present) = (ast.relation("done", 1), ast.relation("present", 1));
        let (formulas, excepted) = (Vec::new(), Vec::new());
        Self { ast, universe, steps, versions, done, present, formulas, excepted }
    }

    fn is_in(&mut self, atom: Atom, relation: Relation) -> Formula {
        let (atom, relation) = (self.ast.constant_expr(TupleSet::unary([atom])), self.ast.rel(relation));
        self.ast.subset(atom, relation)
    }

    fn is_done(&mut self, step: usize) -> Formula {
        self.is_in(self.steps[step], self.done)
    }

    /// All that was done before each step, and which versions are there.
    fn order(&mut self, passing: &Passing<'_>) {
        for (step, before) in passing.after.iter().enumerate() {
            for &other in before {
                let (this, that) = (self.is_done(step), self.is_done(other));
                let formula = self.ast.implies(this, that);
                self.formulas.push(formula);
            }
        }
        for (version, spans) in passing.versions.iter().enumerate() {
            let within: Vec<Formula> = spans.iter().map(|span| self.within(*span)).collect();
            let (is_there, within) = (self.is_in(self.versions[version], self.present), self.ast.or(&within));
            let formula = self.ast.iff(is_there, within);
            self.formulas.push(formula);
        }
    }

    fn within(&mut self, span: Span) -> Formula {
        let mut parts = Vec::new();
        if let Some(step) = span.comes {
            parts.push(self.is_done(step));
        }
        if let Some(step) = span.goes {
            let gone = self.is_done(step);
            parts.push(self.ast.not(gone));
        }
        self.ast.and(&parts)
    }

    /// The bounds of relations, with every tuple left open in which something comes or goes. It is there exactly while
    /// all of that is.
    fn open(&mut self, space: &Space, passing: &Passing<'_>) -> Bounds {
        let named = Named::of(space.bounds.universe(), &space.unknown);
        let passing: FxHashMap<Atom, usize> = passing
            .version_of
            .iter()
            .filter_map(|(name, &version)| Some((named.atom(name)?, version)))
            .collect();
        let mut bounds = Bounds::new(self.universe.clone());
        for (relation, bound) in space.bounds.relations() {
            let is_open = |tuple: &[Atom]| tuple.iter().any(|atom| passing.contains_key(atom));
            let open: Vec<Vec<Atom>> =
                bound.upper.iter().filter(|tuple| is_open(tuple)).map(<[Atom]>::to_vec).collect();
            if open.is_empty() {
                bounds.bound(relation, bound.lower.clone(), bound.upper.clone());
                continue;
            }
            let lower = bound.upper.difference(&TupleSet::from_tuples(bound.upper.arity(), &open));
            bounds.bound(relation, lower, bound.upper.clone());
            for tuple in open {
                let versions: FxHashSet<usize> =
                    tuple.iter().filter_map(|atom| passing.get(atom)).copied().collect();
                let mut versions: Vec<usize> = versions.into_iter().collect();
                versions.sort_unstable();
                let value = self.ast.constant_expr(TupleSet::from_tuples(tuple.len(), [&tuple]));
                let relation: Expr = self.ast.rel(relation);
                let is_there = self.ast.subset(value, relation);
                let all: Vec<Formula> = versions
                    .iter()
                    .map(|&version| self.is_in(self.versions[version], self.present))
                    .collect();
                let all = self.ast.and(&all);
                let formula = self.ast.iff(is_there, all);
                self.formulas.push(formula);
            }
        }
        bounds
    }

    /// Hands all to the solver.
    fn search(
        mut self,
        space: &Space,
        facts: &[(usize, Formula)],
        passing: &Passing<'_>,
        place: Place,
    ) -> Result<Asking, Box<Finding>> {
        let which: Vec<Atom> =
            (0..facts.len()).map(|fact| self.universe.add(format!("broken{fact}"))).collect();
        let broken = self.ast.relation("broken", 1);
        self.order(passing);
        let mut bounds = self.open(space, passing);
        for (at, (&atom, &(_, formula))) in which.iter().zip(facts).enumerate() {
            let ways = [at, facts.len() + at].map(|at| std::mem::take(&mut self.excepted[at])).concat();
            let formula = excepted(&mut self.ast, formula, &ways);
            let (is_asked, fails) = (self.is_in(atom, broken), self.ast.not(formula));
            let formula = self.ast.implies(is_asked, fails);
            self.formulas.push(formula);
        }
        let open = self.ast.relation("open", 1);
        for &step in &self.steps.clone() {
            let (is_open, is_done) = (self.is_in(step, open), self.is_in(step, self.done));
            let is_not_done = self.ast.not(is_done);
            let formula = self.ast.iff(is_open, is_not_done);
            self.formulas.push(formula);
        }
        let Self { mut ast, steps, versions, done, present, formulas, .. } = self;
        for (relation, atoms) in [(done, &steps), (open, &steps), (present, &versions), (broken, &which)] {
            bounds.upper(relation, TupleSet::unary(atoms.iter().copied()));
        }
        let formula = ast.and(&formulas);
        let options = locus_relational::Options {
            ints: IntMode::Wrap(BITS),
            symmetry: 0,
            fix_orders: false,
            hope: Hope::Model,
            interrupt: Interrupt::never().with_timeout(passing.timeout),
            ..locus_relational::Options::default()
        };
        let search = Search::new(&ast, &bounds, formula, &options)
            .map_err(|error| Box::new(Finding::new(&rules::TOO_LARGE, place, error.to_string())))?;
        Ok(Asking { search, done, open, steps, broken, which })
    }
}
