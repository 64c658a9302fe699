//! Finding instances within bounds.

use crate::ast::{Ast, Formula, Relation, Tag, Var};
use crate::bounds::{Bound, Bounds, Instance};
use crate::circuit::{Circuit, Lit};
use crate::cnf::Cnf;
use crate::error::SolveError;
use crate::evaluate::{EvalError, Evaluator};
use crate::function::Functions;
use crate::ground::{Grounder, Limits, Primary};
use crate::ints::IntMode;
use crate::known::Known;
use crate::matrix::Packing;
use crate::normal::{Conjunct, Normalizer, conjuncts};
use crate::sat::{Backend, Hope, Interrupt, SatResult, SatSolver, new_solver};
use crate::skolem::{Skolem, Skolemizer};
use crate::tuples::TupleSet;
use crate::universe::Atom;
use crate::{propagate, symmetry};
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// The widest integers that are solved for.
const MAX_BITS: u32 = 32;

/// How many bindings are tried for a part over constants before it goes to the solver after all: a puzzle with many
/// variables is a search, and that is what solvers are for.
const EVALUATION: u64 = 1_000_000;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Options {
    /// The width of integers and what happens on overflow. [`IntMode::Exact`] is for evaluation only.
    pub ints: IntMode,
    /// The length of each symmetry-breaking constraint, in pairs of tuples; 0 for none at all.
    pub symmetry: usize,
    /// Whether a total order over atoms that nothing else tells apart is fixed. It makes one instance of those that
    /// differ in it, and is no part of `symmetry`: Kodkod does it always.
    pub fix_orders: bool,
    /// Which SAT solver.
    pub backend: Backend,
    /// Whether an instance is thought to exist; finding it is then faster, and finding out that there is none may be
    /// slower.
    pub hope: Hope,
    /// The limits on time and memory.
    pub limits: Limits,
    /// When to give up.
    pub interrupt: Interrupt,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            ints: IntMode::Wrap(4),
            symmetry: 20,
            fix_orders: true,
            backend: Backend::default(),
            hope: Hope::default(),
            limits: Limits::default(),
            interrupt: Interrupt::never(),
        }
    }
}

/// The effort that it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Tuples whose membership is open: one variable each.
    pub primary_variables: usize,
    /// All variables of the clauses.
    pub variables: usize,
    /// Clauses.
    pub clauses: usize,
    /// Gates of the circuit.
    pub gates: usize,
    /// Time until the clauses were there.
    pub translation: Duration,
    /// Time in the SAT solver.
    pub solving: Duration,
}

/// An instance that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// A value for every bounded relation.
    pub instance: Instance,
    /// The values of the existential variables outside of everything else, in the order of their binding.
    pub witnesses: Vec<(Var, TupleSet)>,
}

/// A problem ready to be grounded.
pub(crate) struct Prepared {
    pub(crate) ast: Ast,
    pub(crate) bounds: Bounds,
    /// The formulas that must hold, each part with its tag.
    pub(crate) parts: Vec<(Option<Tag>, Formula)>,
    /// The numbers of tuples that the parts give to relations, and how many parts at the front give them.
    functions: Functions,
    relied_upon: usize,
    skolems: Vec<Skolem>,
    /// Relations of the caller; the rest are skolem relations.
    declared: usize,
    /// Existential variables of parts that were evaluated.
    witnesses: Vec<(Var, TupleSet)>,
}

/// Splits, tightens, orders, normalises and skolemises. With `keep_tags`, no conjunct influences another, so that each
/// can be left out of the problem by itself.
pub(crate) fn prepare(
    ast: &Ast,
    bounds: &Bounds,
    formula: Formula,
    options: &Options,
    keep_tags: bool,
) -> Result<Prepared, SolveError> {
    if options.ints.bits() > MAX_BITS {
        return Err(SolveError::Width { bits: options.ints.bits(), max: MAX_BITS });
    }
    if ast.depth(formula) > options.limits.depth {
        return Err(SolveError::TooDeep { depth: ast.depth(formula), limit: options.limits.depth });
    }
    let (mut ast, mut bounds) = (ast.clone(), bounds.clone());
    let declared = ast.relations().len();
    let mut found = conjuncts(&mut ast, formula);
    let raw: Vec<Formula> = found.iter().map(|part| part.formula).collect();
    // Whether an overflow counts depends on what is known before solving (see `Grounder`): Kodkod knows less than
    // this would find.
    if !keep_tags && !options.ints.prevents_overflow() {
        propagate::propagate(&ast, &mut bounds, &raw, options.ints, options.limits, &options.interrupt)?;
    }
    if options.fix_orders {
        symmetry::fix_orders(&ast, &mut bounds, &raw);
    }
    let witnesses = evaluate_ground_parts(&mut ast, &bounds, &mut found, options)?;
    // With tags, no conjunct may be relied upon when another is grounded: it may be left out.
    let raw: Vec<Formula> =
        if keep_tags { Vec::new() } else { found.iter().map(|part| part.formula).collect() };
    let mut functions = Functions::find(&ast, &bounds, &raw);
    // What others rely on comes first.
    found.sort_by_key(|part| !functions.because.contains(&part.formula));
    let relied_upon = found.iter().filter(|part| functions.because.contains(&part.formula)).count();
    let mut normalizer = Normalizer::new(&mut ast, options.ints.prevents_overflow(), true);
    let normal: Vec<Formula> = found.iter().map(|part| normalizer.normalize(part.formula)).collect();
    let mut skolemizer = Skolemizer::new(&mut ast, &mut bounds, options.ints.prevents_overflow());
    let mut parts: Vec<(Option<Tag>, Formula)> =
        found.iter().zip(normal).map(|(part, f)| (part.tag, skolemizer.skolemize(f))).collect();
    let Skolemizer { skolems, lone, .. } = skolemizer;
    for &relation in &lone {
        let value = ast.rel(relation);
        parts.insert(0, (None, ast.lone(value)));
    }
    functions.lone.extend(&lone);
    let relied_upon = relied_upon + lone.len();
    Ok(Prepared { ast, bounds, parts, functions, relied_upon, skolems, declared, witnesses })
}

/// Decides the parts that only mention constant relations by evaluation: a true one goes, a false one becomes just
/// that. Gives the values of the existential variables on the way.
fn evaluate_ground_parts(
    ast: &mut Ast,
    bounds: &Bounds,
    parts: &mut Vec<Conjunct>,
    options: &Options,
) -> Result<Vec<(Var, TupleSet)>, SolveError> {
    let mut witnesses = Vec::new();
    if options.ints.prevents_overflow() {
        return Ok(witnesses);
    }
    let is_constant = |relation: Relation| bounds.get(relation).is_some_and(Bound::is_exact);
    let mut known = Known::new(ast, &is_constant);
    let ground: Vec<bool> = parts.iter().map(|part| known.formula(part.formula)).collect();
    if !ground.contains(&true) {
        return Ok(witnesses);
    }
    let negated: Vec<Formula> = parts.iter().map(|part| ast.not(part.formula)).collect();
    let falsity = ast.falsity();
    let mut instance = Instance::new();
    for (relation, bound) in bounds.relations().filter(|(_, bound)| bound.is_exact()) {
        instance.set(relation, bound.lower.clone());
    }
    let mut evaluator = Evaluator::new(ast, bounds.universe(), &instance)
        .with_ints(options.ints)
        .with_interrupt(options.interrupt.clone())
        .with_budget(EVALUATION);
    let mut left = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        if !ground[i] {
            left.push(*part);
            continue;
        }
        // What makes the negation false makes the part true.
        match evaluator.violations(negated[i], 1) {
            Ok(found) => match found.list.into_iter().next() {
                Some(violation) => witnesses.extend(violation.bindings),
                None => left.push(Conjunct { tag: part.tag, formula: falsity }),
            },
            Err(EvalError::Interrupted) => return Err(SolveError::Interrupted),
            Err(_) => left.push(*part),
        }
    }
    *parts = left;
    Ok(witnesses)
}

/// A prepared problem as a circuit: what must hold, part by part.
pub(crate) struct Grounded {
    pub(crate) circuit: Circuit,
    pub(crate) packing: Packing,
    pub(crate) primaries: Vec<Primary>,
    /// One literal for each part, in order.
    pub(crate) parts: Vec<Lit>,
    /// The literals that remove symmetric copies.
    pub(crate) symmetry: Vec<Lit>,
}

pub(crate) fn ground(prepared: &Prepared, options: &Options) -> Result<Grounded, SolveError> {
    let Prepared { ast, bounds, parts, .. } = prepared;
    let mut grounder = Grounder::new(ast, bounds, options.ints, options.limits, &options.interrupt)?;
    grounder.know(&prepared.functions);
    let mut lits = Vec::with_capacity(parts.len());
    for (i, &(_, formula)) in parts.iter().enumerate() {
        if i == prepared.relied_upon {
            grounder.rely();
        }
        lits.push(grounder.ground(formula)?);
    }
    let mut symmetry = Vec::new();
    if options.symmetry > 0 && !lits.contains(&Lit::FALSE) {
        let formulas: Vec<Formula> = parts.iter().map(|part| part.1).collect();
        let classes = symmetry::classes(ast, bounds, &formulas);
        symmetry = symmetry::lex_leaders(ast, &mut grounder, &classes, options.symmetry)?;
    }
    let Grounder { circuit, packing, primaries, .. } = grounder;
    Ok(Grounded { circuit, packing, primaries, parts: lits, symmetry })
}

/// A search for the instances of one problem.
///
/// Each call of [`Search::next`] gives another instance, until there is none left. Two instances differ in
/// a relation of the caller, not only in the witnesses. With symmetry breaking on, many of the copies that differ only
/// in the names of atoms are left out; with it off, and orders not fixed, every instance is found.
pub struct Search {
    solver: Box<dyn SatSolver>,
    /// Each open tuple with the variable that decides it, if the clauses mention it.
    open: Vec<(Primary, Option<i32>)>,
    /// Where each open tuple is in the list, once that was asked for.
    by_tuple: FxHashMap<(Relation, u64), usize>,
    bounds: Bounds,
    skolems: Vec<Skolem>,
    witnesses: Vec<(Var, TupleSet)>,
    declared: usize,
    packing: Packing,
    statistics: Statistics,
    finished: bool,
    /// No clause was given to the solver yet.
    untouched: bool,
    next_variable: i32,
}

impl Search {
    /// Translates a problem. The search itself begins with the first [`Search::next`].
    pub fn new(ast: &Ast, bounds: &Bounds, formula: Formula, options: &Options) -> Result<Self, SolveError> {
        let start = Instant::now();
        let prepared = prepare(ast, bounds, formula, options, false)?;
        let grounded = ground(&prepared, options)?;
        let asserted: Vec<Lit> = grounded.parts.iter().chain(&grounded.symmetry).copied().collect();
        let (cnf, _) = Cnf::new(&grounded.circuit, &asserted, &[]);
        let mut solver = new_solver(options.backend, options.hope, &options.interrupt);
        cnf.load(&mut *solver);
        let open = grounded.primaries.iter().map(|&p| (p, cnf.variable(p.lit))).collect();
        Ok(Self {
            solver,
            open,
            by_tuple: FxHashMap::default(),
            skolems: prepared.skolems,
            witnesses: prepared.witnesses,
            declared: prepared.declared,
            packing: grounded.packing,
            statistics: Statistics {
                primary_variables: grounded.primaries.len(),
                variables: cnf.variable_count(),
                clauses: cnf.count,
                gates: grounded.circuit.len(),
                translation: start.elapsed(),
                solving: Duration::ZERO,
            },
            finished: cnf.contradiction,
            untouched: cnf.count == 0,
            next_variable: i32::try_from(cnf.variable_count()).unwrap_or(i32::MAX),
            bounds: prepared.bounds,
        })
    }

    /// The next instance, or nothing when there is none left.
    #[expect(clippy::should_implement_trait, reason = "a search may fail, so it is no iterator")]
    pub fn next(&mut self) -> Result<Option<Model>, SolveError> {
        if self.finished {
            return Ok(None);
        }
        let start = Instant::now();
        // Without clauses nothing is to be decided: everything open may stay out.
        let answer = if self.untouched { SatResult::Sat } else { self.solver.solve(&[]) };
        self.statistics.solving += start.elapsed();
        match answer {
            SatResult::Unknown => Err(SolveError::Interrupted),
            SatResult::Unsat => {
                self.finished = true;
                Ok(None)
            }
            SatResult::Sat => {
                let chosen = if self.untouched { vec![false; self.open.len()] } else { self.read() };
                self.untouched = false;
                let model = self.model(&chosen);
                self.block(&chosen);
                Ok(Some(model))
            }
        }
    }

    /// Looks for an instance in which some tuples are in their relations and others are not, each as said. Nothing of
    /// this holds for later questions, and instances are not used up: the same question has the same answer. Only for
    /// searches without symmetry breaking and fixed orders, which may have removed just the instances asked for.
    pub fn under(&mut self, assumed: &[(Relation, &[Atom], bool)]) -> Result<Option<Model>, SolveError> {
        if self.finished {
            return Ok(None);
        }
        let mut literals = Vec::with_capacity(assumed.len());
        for &(relation, tuple, is_in) in assumed {
            match self.literal(relation, tuple) {
                Ok(variable) => literals.push(if is_in { variable } else { -variable }),
                Err(known) if known == is_in => {}
                Err(_) => return Ok(None),
            }
        }
        let start = Instant::now();
        let answer = self.solver.solve(&literals);
        self.statistics.solving += start.elapsed();
        match answer {
            SatResult::Unknown => Err(SolveError::Interrupted),
            SatResult::Unsat => Ok(None),
            SatResult::Sat => {
                let chosen = self.read();
                Ok(Some(self.model(&chosen)))
            }
        }
    }

    /// From now on, these tuples are not all in their relations at once.
    pub fn forbid(&mut self, together: &[(Relation, &[Atom])]) {
        let mut clause = Vec::with_capacity(together.len());
        for &(relation, tuple) in together {
            match self.literal(relation, tuple) {
                Ok(variable) => clause.push(-variable),
                Err(true) => {}
                Err(false) => return,
            }
        }
        self.untouched = false;
        if clause.is_empty() {
            self.finished = true;
        } else {
            self.solver.add_clause(&clause);
        }
    }

    /// The variable that decides whether a tuple is in a relation, or whether it is if that is known.
    fn literal(&mut self, relation: Relation, tuple: &[Atom]) -> Result<i32, bool> {
        if self.by_tuple.is_empty() {
            let number = |(at, (primary, _)): (usize, &(Primary, _))| ((primary.relation, primary.tuple), at);
            self.by_tuple = self.open.iter().enumerate().map(number).collect();
        }
        let Some(&at) = self.by_tuple.get(&(relation, self.packing.pack(tuple))) else {
            return Err(self.bounds.get(relation).is_some_and(|bound| bound.lower.contains(tuple)));
        };
        Ok(*self.open[at].1.get_or_insert_with(|| {
            self.next_variable += 1;
            self.next_variable
        }))
    }

    /// Returns the effort that it took so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Which open tuples are in.
    fn read(&mut self) -> Vec<bool> {
        let solver = &mut self.solver;
        self.open.iter().map(|(_, variable)| variable.is_some_and(|v| solver.value(v))).collect()
    }

    fn model(&self, chosen: &[bool]) -> Model {
        let mut atoms: Vec<Vec<Atom>> = Vec::new();
        for ((primary, _), &is_in) in self.open.iter().zip(chosen) {
            let index = primary.relation.index();
            atoms.resize(atoms.len().max(index + 1), Vec::new());
            if is_in {
                let arity = self.bounds.get(primary.relation).map_or(1, |b| b.upper.arity());
                self.packing.unpack(primary.tuple, arity, &mut atoms[index]);
            }
        }
        let value = |relation: Relation, lower: &TupleSet| {
            let added = atoms.get(relation.index()).cloned().unwrap_or_default();
            if added.is_empty() {
                lower.clone()
            } else {
                lower.union(&TupleSet::from_flat(lower.arity(), added))
            }
        };
        let mut instance = Instance::new();
        let mut witnesses = self.witnesses.clone();
        for (relation, bound) in self.bounds.relations() {
            if relation.index() < self.declared {
                instance.set(relation, value(relation, &bound.lower));
            } else if let Some(skolem) = self.skolems.iter().find(|s| s.relation == relation && s.plain) {
                witnesses.push((skolem.var, value(relation, &bound.lower)));
            }
        }
        Model { instance, witnesses }
    }

    /// Forbids the relations of the caller to be as they are now. An open tuple that no clause mentions gets
    /// a variable now: it is free, and both of its choices are instances.
    fn block(&mut self, chosen: &[bool]) {
        let mut clause = Vec::new();
        for ((primary, variable), &is_in) in self.open.iter_mut().zip(chosen) {
            if primary.relation.index() >= self.declared {
                continue;
            }
            let variable = *variable.get_or_insert_with(|| {
                self.next_variable += 1;
                self.next_variable
            });
            clause.push(if is_in { -variable } else { variable });
        }
        if clause.is_empty() {
            self.finished = true;
        } else {
            self.solver.add_clause(&clause);
        }
    }
}

/// The verdict on a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is an instance.
    Sat(Box<Model>),
    /// There is none within the bounds.
    Unsat,
}

/// Looks for one instance.
pub fn solve(
    ast: &Ast,
    bounds: &Bounds,
    formula: Formula,
    options: &Options,
) -> Result<(Verdict, Statistics), SolveError> {
    let mut search = Search::new(ast, bounds, formula, options)?;
    let verdict = match search.next()? {
        Some(model) => Verdict::Sat(Box::new(model)),
        None => Verdict::Unsat,
    };
    Ok((verdict, search.statistics()))
}
