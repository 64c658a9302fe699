//! Formulas on data of which not everything is known: what holds whatever the rest turns out to be.
//!
//! [`Worlds`] says which atoms stand for something unknown and which may not be there at all. Each way to settle that
//! is a *world*: an unknown atom becomes any atom of its classes, or something new; an optional one is there or not;
//! one that is both becomes any number of atoms, also none. Formulas are evaluated over all worlds at once: a set has
//! tuples that are surely in it and tuples that may be ([`set`]), an integer lies in an interval, a formula is true
//! in all worlds, false in all of them, or neither is certain ([`formula`], [`expression`]).
//!
//! It is sound, and not complete: `Some` is never wrong, `None` may be said of a formula on which all worlds agree,
//! since what two parts of a formula have in common (`x in a or x not in a`) is not seen, and work is limited.

mod expression;
mod formula;
mod set;
mod symbols;

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Ast, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Quantifier, Relation, Var};
use crate::bounds::Instance;
use crate::tuples::TupleSet;
use crate::universe::{Atom, AtomKind, Universe};
use set::Set;
use symbols::Symbols;

/// The class of integers; plain atoms have the classes below.
const INTS: u32 = u32::MAX - 2;
/// The class of texts.
const TEXTS: u32 = u32::MAX - 1;

/// How many steps one question may take.
const STEPS: u64 = 1_000_000;
/// How many steps all questions to one evaluator may take together.
const ALL_STEPS: u64 = 50_000_000;
/// Formulas that nest more deeply are not looked at: each level takes stack.
const MAX_DEPTH: usize = 400;

/// The unknown properties of the atoms of a universe.
///
/// Whether an unknown atom can be equal to another is a matter of their classes: each atom has one class, and an
/// unknown atom may be equal to those whose class is in its range. So a hierarchy, numbered from the top down, is
/// said in a line: the range of an atom is that of the branch that it is known to be in.
#[derive(Clone, Debug)]
pub struct Worlds {
    classes: Vec<u32>,
    unknown: FxHashMap<Atom, Range<u32>>,
    optional: FxHashSet<Atom>,
    computed: FxHashSet<Relation>,
    loose: FxHashSet<Relation>,
    steps: u64,
    all_steps: u64,
}

impl Worlds {
    /// One world: everything is known. Plain atoms are of class 0; integers and texts have classes of their own.
    pub fn new(universe: &Universe) -> Self {
        let class = |atom| match universe.kind(atom) {
            AtomKind::Plain => 0,
            AtomKind::Int(_) => INTS,
            AtomKind::Text => TEXTS,
        };
        Self {
            classes: universe.atoms().map(class).collect(),
            unknown: FxHashMap::default(),
            optional: FxHashSet::default(),
            computed: FxHashSet::default(),
            loose: FxHashSet::default(),
            steps: STEPS,
            all_steps: ALL_STEPS,
        }
    }

    /// Puts a plain atom into a class, a number up to a few less than the largest.
    pub fn classify(&mut self, atom: Atom, class: u32) {
        if let Some(known) = self.classes.get_mut(atom.0 as usize).filter(|known| **known < INTS) {
            *known = class.min(INTS - 1);
        }
    }

    /// The atom stands for something unknown, which may be any atom of its own class, or new.
    pub fn unknown(&mut self, atom: Atom) {
        if let Some(&class) = self.classes.get(atom.0 as usize) {
            self.unknown.insert(atom, class..class + 1);
        }
    }

    /// The plain atom stands for something unknown, which may be any plain atom of these classes, or new.
    pub fn unknown_among(&mut self, atom: Atom, classes: Range<u32>) {
        match self.classes.get(atom.0 as usize) {
            Some(&class) if class < INTS => {
                self.unknown.insert(atom, classes.start..classes.end.min(INTS));
            }
            _ => self.unknown(atom),
        }
    }

    /// The atom, and every tuple with it, may not be there. If it is also unknown, there may be several of its kind.
    pub fn optional(&mut self, atom: Atom) {
        if (atom.0 as usize) < self.classes.len() {
            self.optional.insert(atom);
        }
    }

    /// The relation is computed from the integers and texts that its atoms stand for. It has no tuple with an unknown
    /// one: of these nothing is known, and what it says of the others is so in every world.
    pub fn computed(&mut self, relation: Relation) {
        self.computed.insert(relation);
    }

    /// Nothing is certain about the relation: it is another one in each world.
    pub fn loose(&mut self, relation: Relation) {
        self.loose.insert(relation);
    }

    /// Limits the steps for one question, and those for all questions to an evaluator.
    #[must_use]
    pub fn with_steps(mut self, one: u64, all: u64) -> Self {
        (self.steps, self.all_steps) = (one, all);
        self
    }

    /// Whether there is one world only.
    pub fn is_certain(&self) -> bool {
        self.unknown.is_empty() && self.optional.is_empty() && self.loose.is_empty()
    }

    fn is_known(&self, atom: Atom) -> bool {
        !self.unknown.contains_key(&atom) && !self.optional.contains(&atom)
    }

    fn are_known(&self, tuples: &TupleSet) -> bool {
        tuples.flat().iter().all(|&atom| self.is_known(atom))
    }
}

/// More steps would have been needed than are allowed.
#[derive(Debug)]
struct Stop;

type Answer<T> = Result<T, Stop>;

/// The state that is kept from one question to the next.
pub(super) struct State<'a> {
    worlds: &'a Worlds,
    symbols: Symbols<'a>,
    relations: Vec<Option<Set>>,
    /// Values of expressions without variables, when no optional atom is assumed to be there.
    closed: FxHashMap<Expr, Set>,
    truths: FxHashMap<Formula, Option<bool>>,
    /// Whether everything about a part is known.
    clean: Clean,
    left: u64,
}

impl<'a> State<'a> {
    pub(super) fn new(worlds: &'a Worlds, universe: &'a Universe, instance: &Instance) -> Self {
        let mut dirty = FxHashSet::default();
        for (relation, tuples) in instance.relations() {
            let computed = worlds.computed.contains(&relation) && !worlds.unknown.is_empty();
            if computed || worlds.loose.contains(&relation) || !worlds.are_known(tuples) {
                dirty.insert(relation);
            }
        }
        Self {
            worlds,
            symbols: Symbols::new(worlds, universe),
            relations: Vec::new(),
            closed: FxHashMap::default(),
            truths: FxHashMap::default(),
            clean: Clean { dirty, formulas: FxHashMap::default(), exprs: FxHashMap::default() },
            left: worlds.all_steps,
        }
    }

    /// Whether there are steps left for another question.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// Whether a formula without free variables is true in all worlds, or false in all of them.
    pub(super) fn truth(&mut self, ast: &Ast, instance: &Instance, formula: Formula) -> Option<bool> {
        if ast.depth(formula) > MAX_DEPTH {
            return None;
        }
        self.ask(ast, instance, |run| run.formula(formula))
    }

    /// Whether a part of a formula is false in every world for these values of its universal variables. An optional
    /// atom is assumed to be there if it is the only one among the values.
    pub(super) fn is_settled(
        &mut self,
        ast: &Ast,
        instance: &Instance,
        part: Formula,
        bindings: &[(Var, TupleSet)],
    ) -> bool {
        if self.clean.formula(ast, self.worlds, part) {
            return true;
        }
        let mut assumed: Vec<Atom> = bindings
            .iter()
            .flat_map(|(_, tuples)| tuples.flat())
            .copied()
            .filter(|atom| self.worlds.optional.contains(atom))
            .collect();
        assumed.sort_unstable();
        assumed.dedup();
        let is_many = |atom: &Atom| self.worlds.unknown.contains_key(atom);
        if assumed.len() > 1 || assumed.iter().any(is_many) || ast.depth(part) > MAX_DEPTH {
            return false;
        }
        let outcome = self.ask(ast, instance, |run| {
            run.assumed = assumed;
            run.part(part, bindings)
        });
        outcome == Some(false)
    }

    fn ask(
        &mut self,
        ast: &Ast,
        instance: &Instance,
        question: impl FnOnce(&mut Run<'_, 'a>) -> Answer<Option<bool>>,
    ) -> Option<bool> {
        self.relations.resize_with(ast.relations().len(), || None);
        let steps = self.worlds.steps.min(self.left);
        let mut run = Run { ast, instance, state: self, env: Vec::new(), assumed: Vec::new(), steps };
        let answer = question(&mut run).unwrap_or(None);
        let used = steps - run.steps;
        self.left -= used;
        answer
    }
}

/// The evaluation of one question.
struct Run<'r, 'a> {
    ast: &'r Ast,
    instance: &'r Instance,
    state: &'r mut State<'a>,
    /// The values of variables, innermost last.
    env: Vec<(Var, Set)>,
    /// Optional atoms that are there in the worlds looked at.
    assumed: Vec<Atom>,
    steps: u64,
}

impl Run<'_, '_> {
    fn spend(&mut self, steps: usize) -> Answer<()> {
        self.steps = self.steps.saturating_sub(steps as u64);
        if self.steps == 0 { Err(Stop) } else { Ok(()) }
    }

    /// Whether an atom is there in all the worlds looked at.
    fn is_present(&self, atom: Atom) -> bool {
        !self.state.worlds.optional.contains(&atom) || self.assumed.contains(&atom)
    }

    fn are_present(&self, tuple: &[Atom]) -> bool {
        tuple.iter().all(|&atom| self.is_present(atom))
    }

    /// A part of a formula for given values of its universal variables, as the evaluator takes parts apart: a
    /// universal formula, perhaps beside others in a disjunction, or any other formula.
    fn part(&mut self, part: Formula, bindings: &[(Var, TupleSet)]) -> Answer<Option<bool>> {
        let ast = self.ast;
        match ast.formula(part) {
            FormulaNode::Quantified(Quantifier::All, decls, body)
                if decls.len() == bindings.len()
                    && decls.iter().zip(bindings).all(|(decl, (var, _))| decl.var == *var) =>
            {
                for (decl, (var, tuples)) in decls.iter().zip(bindings) {
                    if decl.range != crate::ast::Range::One || tuples.len() != 1 {
                        return Ok(None);
                    }
                    if self.member(decl.domain, tuples.get(0))? != Some(true) {
                        return Ok(None);
                    }
                    self.env.push((*var, Set::exact(tuples.clone())));
                }
                self.formula(*body)
            }
            FormulaNode::Or(parts) if !bindings.is_empty() => {
                let is_all =
                    |f: Formula| matches!(ast.formula(f), FormulaNode::Quantified(Quantifier::All, _, _));
                for &other in parts.iter().filter(|&&f| !is_all(f)) {
                    if self.formula(other)? != Some(false) {
                        return Ok(None);
                    }
                }
                match parts.iter().copied().filter(|&f| is_all(f)).collect::<Vec<_>>()[..] {
                    [only] => self.part(only, bindings),
                    _ => Ok(None),
                }
            }
            _ => self.formula(part),
        }
    }
}

/// Which parts of formulas are about nothing unknown. Two-valued evaluation is right about them.
struct Clean {
    dirty: FxHashSet<Relation>,
    formulas: FxHashMap<Formula, bool>,
    exprs: FxHashMap<Expr, bool>,
}

impl Clean {
    fn formula(&mut self, ast: &Ast, worlds: &Worlds, formula: Formula) -> bool {
        if let Some(&known) = self.formulas.get(&formula) {
            return known;
        }
        let clean = match ast.formula(formula) {
            FormulaNode::Const(_) => true,
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
                self.expr(ast, worlds, *a) && self.expr(ast, worlds, *b)
            }
            FormulaNode::Mult(_, e) => self.expr(ast, worlds, *e),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().all(|&part| self.formula(ast, worlds, part))
            }
            FormulaNode::Not(inner) | FormulaNode::Tagged(_, inner) => self.formula(ast, worlds, *inner),
            FormulaNode::Iff(a, b) => self.formula(ast, worlds, *a) && self.formula(ast, worlds, *b),
            FormulaNode::Quantified(_, decls, body) => {
                decls.iter().all(|decl| self.expr(ast, worlds, decl.domain))
                    && self.formula(ast, worlds, *body)
            }
            FormulaNode::Compare(_, a, b) => self.int(ast, worlds, *a) && self.int(ast, worlds, *b),
            FormulaNode::TotalOrder { elements, first, next } => {
                [*elements, *first, *next].iter().all(|&e| self.expr(ast, worlds, e))
            }
        };
        self.formulas.insert(formula, clean);
        clean
    }

    fn expr(&mut self, ast: &Ast, worlds: &Worlds, expr: Expr) -> bool {
        if let Some(&known) = self.exprs.get(&expr) {
            return known;
        }
        let clean = match ast.expr(expr) {
            ExprNode::Relation(relation) => !self.dirty.contains(relation),
            ExprNode::Var(_) => true,
            ExprNode::Univ | ExprNode::Ints | ExprNode::Iden => worlds.is_certain(),
            ExprNode::Constant(constant) => {
                // One about integers may be another where there are others.
                let tuples = ast.constant(*constant);
                let is_int = |atom: &Atom| worlds.classes.get(atom.0 as usize) == Some(&INTS);
                worlds.are_known(tuples) && (worlds.unknown.is_empty() || !tuples.flat().iter().any(is_int))
            }
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => {
                parts.iter().all(|&part| self.expr(ast, worlds, part))
            }
            ExprNode::Difference(a, b)
            | ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => self.expr(ast, worlds, *a) && self.expr(ast, worlds, *b),
            ExprNode::ReflexiveClosure(a) => worlds.is_certain() && self.expr(ast, worlds, *a),
            ExprNode::Transpose(a) | ExprNode::Closure(a) => self.expr(ast, worlds, *a),
            ExprNode::Comprehension(decls, body) => {
                decls.iter().all(|decl| self.expr(ast, worlds, decl.domain))
                    && self.formula(ast, worlds, *body)
            }
            ExprNode::If(condition, a, b) => {
                self.formula(ast, worlds, *condition)
                    && self.expr(ast, worlds, *a)
                    && self.expr(ast, worlds, *b)
            }
            ExprNode::FromInt(int) => self.int(ast, worlds, *int),
        };
        self.exprs.insert(expr, clean);
        clean
    }

    fn int(&mut self, ast: &Ast, worlds: &Worlds, int: IntExpr) -> bool {
        match ast.int(int) {
            IntNode::Const(_) => true,
            IntNode::Count(e) | IntNode::Sum(e) => self.expr(ast, worlds, *e),
            IntNode::SumOver(decls, body) => {
                decls.iter().all(|decl| self.expr(ast, worlds, decl.domain)) && self.int(ast, worlds, *body)
            }
            IntNode::Binary(_, a, b) => self.int(ast, worlds, *a) && self.int(ast, worlds, *b),
            IntNode::If(condition, a, b) => {
                self.formula(ast, worlds, *condition)
                    && self.int(ast, worlds, *a)
                    && self.int(ast, worlds, *b)
            }
        }
    }
}
