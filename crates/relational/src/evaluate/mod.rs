//! The value of a formula on a given instance, without a solver.
//!
//! Everything is known, so a formula is evaluated: quantifiers are searches for bindings, run by plans that use
//! indexes and hash tables ([`plan`]) instead of going through all combinations. A false universal formula gives
//! all its counterexamples ([`Evaluator::violations`]).
//!
//! In [`IntMode::Exact`] an integer that no atom of the universe stands for is an atom of its own, outside of
//! `univ`; so `x.size.plus[1] = y.size` means what it says whatever values are present.
//!
//! Where not everything is known ([`Evaluator::with_worlds`]), a counterexample is looked at once more, over all that
//! it may turn out to be ([`worlds`]).

mod index;
mod member;
mod needs;
mod plan;
mod prepared;
mod run;
mod sparse;
mod worlds;

pub use prepared::Prepared;
pub use worlds::Worlds;

use std::borrow::Cow;

use crate::ast::{Ast, Expr, Formula, FormulaNode, IntExpr, Tag, Var};
use crate::bounds::Instance;
use crate::ints::IntMode;
use crate::normal::Normalizer;
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::universe::Universe;
use needs::Needs;
use plan::{Planner, Plans};
use prepared::{Part, parts_of};
pub(crate) use prepared::{parts_of_formula, universal};
use rustc_hash::{FxHashMap, FxHashSet};

/// Why a formula could not be evaluated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EvalError {
    /// A relation that the instance says nothing about.
    #[error("relation `{relation}` has no value")]
    Unbound {
        /// Its name.
        relation: String,
    },
    /// A variable that nothing binds.
    #[error("variable `{variable}` is not bound")]
    Free {
        /// Its name.
        variable: String,
    },
    /// A quantifier over the subsets of a large set.
    #[error("`{variable}` ranges over the subsets of {size} tuples; at most {limit} are gone through")]
    HigherOrder {
        /// The variable.
        variable: String,
        /// How large the set is.
        size: usize,
        /// How large it may be.
        limit: usize,
    },
    /// A set that would not fit into memory.
    #[error("a set of more than {limit} tuples would have to be built")]
    TooLarge {
        /// How many tuples are allowed.
        limit: usize,
    },
    /// A formula nested too deeply.
    #[error("the formula nests {depth} levels deep, of which {limit} are allowed")]
    TooDeep {
        /// How deep.
        depth: usize,
        /// How deep is allowed.
        limit: usize,
    },
    /// An integer that does not fit into 64 bits, or a division by zero.
    #[error("an integer does not fit into 64 bits, or was divided by zero")]
    Overflow,
    /// More bindings were tried than allowed.
    #[error("more than {limit} bindings of variables would have to be tried")]
    Budget {
        /// How many are allowed.
        limit: u64,
    },
    /// Overflow is to be prevented, which only solving does.
    #[error("a formula cannot be evaluated with overflow prevented; use exact or wrapping integers")]
    Prevented,
    /// Stopped by the caller or by the deadline.
    #[error("stopped before the answer was known")]
    Interrupted,
}

/// How deeply a formula may nest.
const MAX_DEPTH: usize = 2_000;

/// A part of a formula that is false, and for which values of its universal variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The tag nearest to the part.
    pub tag: Option<Tag>,
    /// The variables and their values, in the order of declaration. Empty when the part is not universal.
    pub bindings: Bindings,
    /// Whether the part is false for these values in every world. An optional atom is assumed to be there if it is the
    /// only one among them.
    pub settled: bool,
}

/// Variables and their values.
pub type Bindings = Vec<(Var, TupleSet)>;

/// All that makes a formula false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violations {
    /// Each false part with each of its bindings, once. As many as were asked for, and that again of those that are not
    /// settled.
    pub list: Vec<Violation>,
    /// Whether there are more than were asked for.
    pub truncated: bool,
    /// How many more there are, up to [`MOST_COUNTED`]. Where not everything is known they are not counted.
    pub more: usize,
}

/// Violations beyond those that were asked for are counted up to this number.
pub const MOST_COUNTED: usize = 10_000;

/// An evaluator for formulas on one instance. Indexes are kept from one formula to the next.
pub struct Evaluator<'a> {
    ast: Cow<'a, Ast>,
    plans: Cow<'a, Plans>,
    /// The parts that were prepared before.
    parts: &'a [Vec<Part>],
    universe: &'a Universe,
    instance: &'a Instance,
    mode: IntMode,
    interrupt: Interrupt,
    budget: u64,
    state: run::State,
    worlds: Option<worlds::State<'a>>,
}

/// Collects violations.
struct Collecting<'e, 'a> {
    found: Violations,
    seen: FxHashMap<(Option<Tag>, Bindings), usize>,
    /// Those that are only counted.
    counted: FxHashSet<(Option<Tag>, Bindings)>,
    limit: usize,
    /// How many are settled, and how many are not.
    settled: usize,
    open: usize,
    worlds: &'e mut Option<worlds::State<'a>>,
    instance: &'a Instance,
}

impl Collecting<'_, '_> {
    fn is_settled(&mut self, ast: &Ast, part: Formula, bindings: &Bindings) -> bool {
        self.worlds.as_mut().is_none_or(|worlds| worlds.is_settled(ast, self.instance, part, bindings))
    }

    /// Takes a violation; says whether more are wanted.
    fn add(&mut self, ast: &Ast, tag: Option<Tag>, part: Formula, bindings: Bindings) -> bool {
        let key = (tag, bindings);
        if let Some(&at) = self.seen.get(&key) {
            // Parts with one tag are one to the reader: what one of them settles is settled.
            if !self.found.list[at].settled && self.is_settled(ast, part, &key.1) {
                self.found.list[at].settled = true;
                self.settled += 1;
                self.open -= 1;
            }
            return true;
        }
        let settled =
            (self.settled < self.limit || self.open < self.limit) && self.is_settled(ast, part, &key.1);
        let count = if settled { &mut self.settled } else { &mut self.open };
        if *count >= self.limit {
            self.found.truncated = true;
            if self.worlds.is_none() {
                self.counted.insert(key);
                self.found.more = self.counted.len();
                return self.found.more < MOST_COUNTED;
            }
            // Among more that are open there may be one that is settled, as long as that can be found out.
            return !settled
                && self.settled < self.limit
                && self.worlds.as_ref().is_some_and(|worlds| !worlds.is_exhausted());
        }
        *count += 1;
        self.seen.insert(key.clone(), self.found.list.len());
        self.found.list.push(Violation { tag, bindings: key.1, settled });
        true
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator with exact integers. The arena is copied: plans add nodes of their own.
    pub fn new(ast: &Ast, universe: &'a Universe, instance: &'a Instance) -> Self {
        Self::with(Cow::Owned(ast.clone()), Cow::Owned(Plans::default()), &[], universe, instance)
    }

    /// An evaluator with exact integers for formulas that were made ready. Nothing of them is copied.
    pub fn of(prepared: &'a Prepared, universe: &'a Universe, instance: &'a Instance) -> Self {
        let Prepared { ast, plans, parts } = prepared;
        Self::with(Cow::Borrowed(ast), Cow::Borrowed(plans), parts, universe, instance)
    }

    fn with(
        ast: Cow<'a, Ast>,
        plans: Cow<'a, Plans>,
        parts: &'a [Vec<Part>],
        universe: &'a Universe,
        instance: &'a Instance,
    ) -> Self {
        Self {
            ast,
            plans,
            parts,
            universe,
            instance,
            mode: IntMode::Exact,
            interrupt: Interrupt::never(),
            budget: u64::MAX,
            state: run::State::default(),
            worlds: None,
        }
    }

    /// The same for data of which not everything is known: violations are settled or not, and [`Self::truth`] has
    /// more than one world to look at. For exact integers only.
    #[must_use]
    pub fn with_worlds(mut self, worlds: &'a Worlds) -> Self {
        if !worlds.is_certain() {
            self.worlds = Some(worlds::State::new(worlds, self.universe, self.instance));
        }
        self
    }

    /// The same with other integers; not with [`IntMode::Prevent`].
    #[must_use]
    pub fn with_ints(mut self, mode: IntMode) -> Self {
        self.mode = mode;
        self
    }

    /// The same with a way to stop it.
    #[must_use]
    pub fn with_interrupt(mut self, interrupt: Interrupt) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// The same, giving up with [`EvalError::Budget`] after so many bindings of variables for one question.
    #[must_use]
    pub fn with_budget(mut self, bindings: u64) -> Self {
        self.budget = bindings;
        self
    }

    /// Whether a formula holds.
    pub fn holds(&mut self, formula: Formula) -> Result<bool, EvalError> {
        self.check(self.ast.depth(formula))?;
        let formula = Normalizer::new(self.ast.to_mut(), false, false).normalize(formula);
        self.plan(|planner| planner.formula(formula));
        self.run().formula(formula)
    }

    /// Whether a formula is true in every world, or false in every world. `None` if neither is certain.
    pub fn truth(&mut self, formula: Formula) -> Result<Option<bool>, EvalError> {
        self.check(self.ast.depth(formula))?;
        match &mut self.worlds {
            None => self.holds(formula).map(Some),
            Some(worlds) => Ok(worlds.truth(&self.ast, self.instance, formula)),
        }
    }

    /// The value of an expression.
    pub fn tuples(&mut self, expr: Expr) -> Result<TupleSet, EvalError> {
        self.check(self.ast.expr_depth(expr))?;
        self.plan(|planner| planner.expr(expr));
        Ok(self.run().expr(expr)?.set.clone())
    }

    /// The value of an integer expression.
    pub fn int(&mut self, int: IntExpr) -> Result<i64, EvalError> {
        self.check(self.ast.int_depth(int))?;
        self.plan(|planner| planner.int(int));
        self.run().int(int)
    }

    /// The integer that an atom stands for, those outside of the universe included.
    pub fn int_value(&self, atom: crate::Atom) -> Option<i64> {
        self.state.int_value(self.universe, atom)
    }

    /// Returns the bindings that make a formula false, up to a number of violations. Nothing when it holds.
    pub fn violations(&mut self, formula: Formula, limit: usize) -> Result<Violations, EvalError> {
        self.check(self.ast.depth(formula))?;
        let parts = parts_of(self.ast.to_mut(), self.plans.to_mut(), &mut Needs::default(), formula)?;
        self.violations_of_parts(&parts, limit)
    }

    /// The same for the formula at a position of those that were made ready.
    ///
    /// # Panics
    /// If there is none at this position.
    pub fn violations_at(&mut self, position: usize, limit: usize) -> Result<Violations, EvalError> {
        self.check(0)?;
        self.violations_of_parts(&self.parts[position], limit)
    }

    fn violations_of_parts(&mut self, parts: &[Part], limit: usize) -> Result<Violations, EvalError> {
        let mut worlds = self.worlds.take();
        let mut collecting = Collecting {
            found: Violations::default(),
            seen: FxHashMap::default(),
            counted: FxHashSet::default(),
            limit,
            settled: 0,
            open: 0,
            worlds: &mut worlds,
            instance: self.instance,
        };
        let outcome = self.collect(parts, &mut collecting);
        let found = std::mem::take(&mut collecting.found);
        self.worlds = worlds;
        outcome.map(|()| found)
    }

    /// Whether a part is false in every world for these values of its universal variables.
    pub(crate) fn is_settled(&mut self, part: Formula, bindings: &Bindings) -> bool {
        match &mut self.worlds {
            None => true,
            Some(worlds) => worlds.is_settled(&self.ast, self.instance, part, bindings),
        }
    }

    fn collect(&mut self, parts: &[Part], into: &mut Collecting<'_, 'a>) -> Result<(), EvalError> {
        for part in parts {
            if part.is_about_nothing(self.instance) {
                continue;
            }
            let mut more = true;
            self.violations_of(part.formula, &mut |ast, bindings| {
                more = into.add(ast, part.tag, part.formula, bindings);
                more
            })?;
            if !more {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Gives the bindings that make a part false to `add`, until that gives false.
    fn violations_of(
        &mut self,
        part: Formula,
        add: &mut dyn FnMut(&Ast, Bindings) -> bool,
    ) -> Result<(), EvalError> {
        let universal = universal(&self.ast, part);
        if universal.is_some()
            && let FormulaNode::Or(parts) = self.ast.formula(part).clone()
        {
            for &other in parts.iter().filter(|&&f| Some(f) != universal) {
                if self.run().formula(other)? {
                    return Ok(());
                }
            }
        }
        if let Some(universal) = universal
            && let FormulaNode::Quantified(_, decls, _) = self.ast.formula(universal).clone()
        {
            let mut run = self.run();
            let plan = run.plan(universal);
            run.search(plan, &mut |run| {
                let bindings = decls.iter().map(|decl| (decl.var, run.value(decl.var))).collect();
                Ok(!add(run.ast(), bindings))
            })?;
            return Ok(());
        }
        if !self.run().formula(part)? {
            add(&self.ast, Vec::new());
        }
        Ok(())
    }

    fn check(&self, depth: usize) -> Result<(), EvalError> {
        if self.mode.prevents_overflow() {
            return Err(EvalError::Prevented);
        }
        if depth > MAX_DEPTH {
            return Err(EvalError::TooDeep { depth, limit: MAX_DEPTH });
        }
        Ok(())
    }

    fn plan(&mut self, what: impl FnOnce(&mut Planner<'_>)) {
        let plans = std::mem::take(self.plans.to_mut());
        let mut planner = Planner::new(self.ast.to_mut(), plans);
        what(&mut planner);
        self.plans = Cow::Owned(planner.plans);
    }

    fn run(&mut self) -> run::Run<'_> {
        let what = (&*self.ast, &*self.plans);
        run::Run::new(what, self.universe, self.instance, self.mode, &self.interrupt, &mut self.state)
            .with_budget(self.budget)
    }
}
