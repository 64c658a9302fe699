//! Running plans and evaluating what they consist of.

use super::EvalError;
use super::index::{Indexed, join, reach};
use super::plan::{Condition, HashKey, Plan, Plans, Step};
use super::sparse::Sparse;
use crate::ast::{Ast, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Mult, Quantifier, Range, Var};
use crate::bounds::Instance;
use crate::ints::IntMode;
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::universe::{Atom, Universe};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The largest set that is built.
const MAX_TUPLES: usize = 50_000_000;
/// The largest set whose subsets are gone through.
const MAX_SUBSETS_OF: usize = 20;

/// So many candidates for a variable are few.
const FEW: usize = 4;

/// Formulas and integers that nest at least so deeply are kept: parts may be shared many times over.
const WORTH_KEEPING: usize = 8;

type Stamps = SmallVec<[u64; 2]>;

/// A hash table over the domain of a variable: from values of its keys to positions in the domain.
type Table = FxHashMap<TableKey, Vec<u32>>;
type TableKey = SmallVec<[u64; 2]>;

/// The state that is kept from one evaluation to the next.
#[derive(Default)]
pub(super) struct State {
    relations: Sparse<Rc<Indexed>>,
    /// The value of each bound variable, and when it got it. Between questions none has one.
    env: Sparse<(u64, Rc<Indexed>)>,
    /// The last value of each expression, and for which bindings of its variables it is right.
    memo: Sparse<(Stamps, Rc<Indexed>)>,
    /// The same for formulas and integers that are worth it.
    truths: FxHashMap<Formula, (Stamps, bool)>,
    numbers: FxHashMap<IntExpr, (Stamps, i64)>,
    tables: FxHashMap<usize, Rc<Table>>,
    /// Atoms that reach themselves, by the relation.
    cyclic: FxHashMap<Expr, Rc<Indexed>>,
    /// Numbers for sets that are keys of tables.
    sets: FxHashMap<TupleSet, u64>,
    /// Integers that no atom of the universe stands for.
    extra_ints: Vec<i64>,
    extra_atoms: FxHashMap<i64, Atom>,
    clock: u64,
}

impl State {
    pub(super) fn int_value(&self, universe: &Universe, atom: Atom) -> Option<i64> {
        match (atom.0 as usize).checked_sub(universe.len()) {
            None => universe.int_value(atom),
            Some(extra) => self.extra_ints.get(extra).copied(),
        }
    }
}

pub(super) struct Run<'a> {
    pub(super) ast: &'a Ast,
    plans: &'a Plans,
    pub(super) universe: &'a Universe,
    instance: &'a Instance,
    mode: IntMode,
    interrupt: &'a Interrupt,
    state: &'a mut State,
    ticks: u64,
    budget: u64,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        (ast, plans): (&'a Ast, &'a Plans),
        universe: &'a Universe,
        instance: &'a Instance,
        mode: IntMode,
        interrupt: &'a Interrupt,
        state: &'a mut State,
    ) -> Self {
        Self { ast, plans, universe, instance, mode, interrupt, state, ticks: 0, budget: u64::MAX }
    }

    pub(super) fn with_budget(mut self, budget: u64) -> Self {
        self.budget = budget;
        self
    }

    pub(super) fn ast(&self) -> &'a Ast {
        self.ast
    }

    /// How to look for what makes a universal formula false.
    pub(super) fn plan(&self, universal: Formula) -> &'a Plan {
        &self.plans.formulas[&universal]
    }

    /// The tuples that a bound variable stands for.
    pub(super) fn value(&self, var: Var) -> TupleSet {
        self.state.env.get(var.index()).map_or_else(|| TupleSet::empty(1), |(_, value)| value.set.clone())
    }

    fn tick(&mut self) -> Result<(), EvalError> {
        self.ticks += 1;
        if self.ticks > self.budget {
            return Err(EvalError::Budget { limit: self.budget });
        }
        if self.ticks.is_multiple_of(4096) && self.interrupt.is_raised() {
            return Err(EvalError::Interrupted);
        }
        Ok(())
    }

    /// When a variable got the value it has now.
    fn stamp(&self, var: Var) -> u64 {
        self.state.env.get(var.index()).map_or(0, |(stamp, _)| *stamp)
    }

    fn stamps(&self, free: &[Var]) -> Stamps {
        free.iter().map(|&var| self.stamp(var)).collect()
    }

    /// Whether the variables have the values that they had at some time.
    fn is_unchanged(&self, free: &[Var], since: &Stamps) -> bool {
        free.iter().zip(since).all(|(&var, &stamp)| self.stamp(var) == stamp)
    }

    pub(super) fn expr(&mut self, expr: Expr) -> Result<Rc<Indexed>, EvalError> {
        match *self.ast.expr(expr) {
            ExprNode::Var(var) => {
                return match self.state.env.get(var.index()) {
                    Some((_, value)) => Ok(value.clone()),
                    None => Err(EvalError::Free { variable: self.ast.var_name(var).to_owned() }),
                };
            }
            ExprNode::Relation(relation) => {
                if let Some(value) = self.state.relations.get(relation.index()) {
                    return Ok(value.clone());
                }
                let Some(tuples) = self.instance.get(relation) else {
                    return Err(EvalError::Unbound { relation: self.ast.relation_name(relation).to_owned() });
                };
                let value = Indexed::new(tuples.clone());
                *self.state.relations.slot(relation.index()) = Some(value.clone());
                return Ok(value);
            }
            // The chosen value itself, not a copy: it may be large.
            ExprNode::If(condition, a, b) => {
                let chosen = if self.formula(condition)? { a } else { b };
                return self.expr(chosen);
            }
            _ => {}
        }
        let free = self.ast.free_in_expr(expr);
        if let Some((known, value)) = self.state.memo.get(expr.index())
            && self.is_unchanged(free, known)
        {
            return Ok(value.clone());
        }
        let stamps = self.stamps(free);
        let set = self.compute(expr)?;
        if set.len() > MAX_TUPLES {
            return Err(EvalError::TooLarge { limit: MAX_TUPLES });
        }
        let value = Indexed::new(set);
        *self.state.memo.slot(expr.index()) = Some((stamps, value.clone()));
        Ok(value)
    }

    fn compute(&mut self, expr: Expr) -> Result<TupleSet, EvalError> {
        let ast = self.ast;
        Ok(match ast.expr(expr) {
            ExprNode::Relation(_) | ExprNode::Var(_) | ExprNode::If(..) => {
                unreachable!("answered by the caller")
            }
            ExprNode::Univ => TupleSet::unary(self.universe.atoms()),
            ExprNode::Ints => TupleSet::unary(self.universe.ints().map(|(atom, _)| atom)),
            ExprNode::Iden => TupleSet::binary(self.universe.atoms().map(|a| (a, a))),
            ExprNode::Constant(constant) => ast.constant(*constant).clone(),
            ExprNode::Union(parts) => {
                let mut atoms = Vec::new();
                for &part in parts.iter() {
                    atoms.extend_from_slice(self.expr(part)?.set.flat());
                }
                TupleSet::from_flat(ast.arity(expr), atoms)
            }
            ExprNode::Intersection(parts) => self.intersection(parts)?,
            ExprNode::Difference(a, b) => {
                let left = self.expr(*a)?;
                self.filter(&left.set, |run, tuple| Ok(!run.member(*b, tuple)?))?
            }
            ExprNode::Join(a, b) => self.join(*a, *b)?,
            ExprNode::Product(a, b) => {
                let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                if a.set.len().saturating_mul(b.set.len()) > MAX_TUPLES {
                    return Err(EvalError::TooLarge { limit: MAX_TUPLES });
                }
                TupleSet::product(&[&a.set, &b.set])
            }
            ExprNode::Transpose(a) => self.expr(*a)?.turned().set.clone(),
            ExprNode::Closure(a) => self.closure(*a)?,
            ExprNode::ReflexiveClosure(a) => {
                let closed = self.closure(*a)?;
                closed.union(&TupleSet::binary(self.universe.atoms().map(|a| (a, a))))
            }
            ExprNode::Override(a, b) => {
                let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                let kept = self.filter(&a.set, |_, tuple| Ok(b.row(tuple[0]).is_empty()))?;
                kept.union(&b.set)
            }
            ExprNode::DomainRestriction(set, a) => {
                let a = self.expr(*a)?;
                self.filter(&a.set, |run, tuple| run.member(*set, &tuple[..1]))?
            }
            ExprNode::RangeRestriction(a, set) => {
                let a = self.expr(*a)?;
                self.filter(&a.set, |run, tuple| run.member(*set, &tuple[tuple.len() - 1..]))?
            }
            ExprNode::Comprehension(decls, _) => {
                let plan = &self.plans.exprs[&expr];
                let mut atoms = Vec::new();
                self.search(plan, &mut |run| {
                    for decl in decls.iter() {
                        if let Some((_, value)) = run.state.env.get(decl.var.index()) {
                            atoms.extend_from_slice(value.set.flat());
                        }
                    }
                    if atoms.len() > MAX_TUPLES {
                        return Err(EvalError::TooLarge { limit: MAX_TUPLES });
                    }
                    Ok(false)
                })?;
                TupleSet::from_flat(ast.arity(expr), atoms)
            }
            ExprNode::FromInt(int) => {
                let value = self.int(*int)?;
                TupleSet::unary(self.int_atom(value))
            }
        })
    }

    /// The atom of an integer. Where integers are exact there always is one; where they wrap, only those of the
    /// universe.
    fn int_atom(&mut self, value: i64) -> Option<Atom> {
        let known = self.universe.int(value);
        if known.is_some() || self.mode != IntMode::Exact {
            return known;
        }
        let state = &mut *self.state;
        let next = Atom((self.universe.len() + state.extra_ints.len()) as u32);
        Some(*state.extra_atoms.entry(value).or_insert_with(|| {
            state.extra_ints.push(value);
            next
        }))
    }

    fn filter(
        &mut self,
        set: &TupleSet,
        mut keep: impl FnMut(&mut Self, &[Atom]) -> Result<bool, EvalError>,
    ) -> Result<TupleSet, EvalError> {
        let mut atoms = Vec::new();
        for tuple in set {
            if keep(self, tuple)? {
                atoms.extend_from_slice(tuple);
            }
        }
        Ok(TupleSet::from_flat(set.arity(), atoms))
    }

    /// How much it is likely to take to build a set and go through it, beside that of other sets.
    fn effort(&self, e: Expr) -> usize {
        const PATH: usize = 8;
        const OTHER: usize = 64;
        const LARGE: usize = 1 << 32;
        match *self.ast.expr(e) {
            ExprNode::Var(_) => 1,
            ExprNode::Relation(relation) => self.instance.get(relation).map_or(0, TupleSet::len),
            ExprNode::Constant(constant) => self.ast.constant(constant).len(),
            // What one thing leads to is mostly little.
            ExprNode::Join(a, _) if matches!(self.ast.expr(a), ExprNode::Var(_)) => PATH,
            ExprNode::Product(..) => LARGE,
            ExprNode::Univ | ExprNode::Iden => LARGE + 1,
            ExprNode::Closure(_) | ExprNode::ReflexiveClosure(_) => LARGE + 2,
            _ => OTHER,
        }
    }

    /// Builds the part that is easiest to build, and asks the others about its tuples.
    fn intersection(&mut self, parts: &[Expr]) -> Result<TupleSet, EvalError> {
        let ast = self.ast;
        if let [a, b] = *parts {
            for (iden, other) in [(a, b), (b, a)] {
                if let (ExprNode::Iden, ExprNode::Closure(r)) = (ast.expr(iden), ast.expr(other))
                    && ast.free_in_expr(*r).is_empty()
                {
                    let cyclic = self.cyclic(*r)?;
                    return Ok(TupleSet::binary(cyclic.set.flat().iter().map(|&a| (a, a))));
                }
            }
        }
        let first = parts.iter().copied().min_by_key(|&e| self.effort(e)).expect("at least one part");
        let value = self.expr(first)?;
        self.filter(&value.set, |run, tuple| {
            for &part in parts.iter().filter(|&&part| part != first) {
                if !run.member(part, tuple)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn join(&mut self, a: Expr, b: Expr) -> Result<TupleSet, EvalError> {
        let ast = self.ast;
        if ast.arity(a) == 1 {
            match *ast.expr(b) {
                ExprNode::Closure(r) => {
                    let (from, step) = (self.expr(a)?, self.expr(r)?);
                    return Ok(reach(from.set.flat(), &step));
                }
                ExprNode::ReflexiveClosure(r) => {
                    let (from, step) = (self.expr(a)?, self.expr(r)?);
                    return Ok(self.inside(&from.set).union(&reach(from.set.flat(), &step)));
                }
                ExprNode::Transpose(r) => {
                    let (from, step) = (self.expr(a)?, self.expr(r)?);
                    return Ok(join(&from, step.turned()));
                }
                ExprNode::Iden => {
                    let from = self.expr(a)?;
                    return Ok(self.inside(&from.set));
                }
                _ => {}
            }
        }
        if ast.arity(b) == 1 {
            match *ast.expr(a) {
                ExprNode::Closure(r) => {
                    let (to, step) = (self.expr(b)?, self.expr(r)?);
                    return Ok(reach(to.set.flat(), step.turned()));
                }
                ExprNode::ReflexiveClosure(r) => {
                    let (to, step) = (self.expr(b)?, self.expr(r)?);
                    return Ok(self.inside(&to.set).union(&reach(to.set.flat(), step.turned())));
                }
                ExprNode::Transpose(r) => {
                    let (to, step) = (self.expr(b)?, self.expr(r)?);
                    return Ok(join(&to, &step));
                }
                _ => {}
            }
        }
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        Ok(join(&left, &right))
    }

    /// The atoms of a set that belong to the universe.
    fn inside(&self, set: &TupleSet) -> TupleSet {
        let size = self.universe.len();
        TupleSet::unary(set.flat().iter().copied().filter(|a| (a.0 as usize) < size))
    }

    fn closure(&mut self, r: Expr) -> Result<TupleSet, EvalError> {
        let step = self.expr(r)?;
        let mut atoms = Vec::new();
        let mut last = None;
        for tuple in &step.set {
            if last == Some(tuple[0]) {
                continue;
            }
            last = Some(tuple[0]);
            self.tick()?;
            for &to in reach(&tuple[..1], &step).flat() {
                atoms.extend([tuple[0], to]);
            }
            if atoms.len() > MAX_TUPLES {
                return Err(EvalError::TooLarge { limit: MAX_TUPLES });
            }
        }
        Ok(TupleSet::from_flat(2, atoms))
    }

    /// The atoms that reach themselves, in one pass over a closed relation.
    pub(super) fn cyclic(&mut self, r: Expr) -> Result<Rc<Indexed>, EvalError> {
        if let Some(known) = self.state.cyclic.get(&r) {
            return Ok(known.clone());
        }
        let step = self.expr(r)?;
        let edges: Vec<(u32, u32)> = step.set.iter().map(|t| (t[0].0, t[1].0)).collect();
        let value = Indexed::new(TupleSet::unary(crate::graph::on_cycles(&edges).into_iter().map(Atom)));
        self.state.cyclic.insert(r, value.clone());
        Ok(value)
    }

    pub(super) fn formula(&mut self, formula: Formula) -> Result<bool, EvalError> {
        if self.ast.depth(formula) < WORTH_KEEPING {
            return self.compute_formula(formula);
        }
        let free = self.ast.free_in_formula(formula);
        if let Some((known, value)) = self.state.truths.get(&formula)
            && self.is_unchanged(free, known)
        {
            return Ok(*value);
        }
        let stamps = self.stamps(free);
        let value = self.compute_formula(formula)?;
        self.state.truths.insert(formula, (stamps, value));
        Ok(value)
    }

    fn compute_formula(&mut self, formula: Formula) -> Result<bool, EvalError> {
        let ast = self.ast;
        Ok(match ast.formula(formula) {
            FormulaNode::Const(value) => *value,
            FormulaNode::In(a, b) => {
                let left = self.expr(*a)?;
                for tuple in &left.set {
                    if !self.member(*b, tuple)? {
                        return Ok(false);
                    }
                }
                true
            }
            FormulaNode::Equal(a, b) => {
                let (left, right) = (self.expr(*a)?, self.expr(*b)?);
                left.set == right.set
            }
            FormulaNode::Mult(mult, e) => {
                let count = self.expr(*e)?.set.len();
                match mult {
                    Mult::No => count == 0,
                    Mult::Lone => count <= 1,
                    Mult::One => count == 1,
                    Mult::Some => count >= 1,
                }
            }
            FormulaNode::And(parts) => {
                for &part in parts.iter() {
                    if !self.formula(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            FormulaNode::Or(parts) => {
                for &part in parts.iter() {
                    if self.formula(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            FormulaNode::Not(inner) => !self.formula(*inner)?,
            FormulaNode::Iff(a, b) => self.formula(*a)? == self.formula(*b)?,
            FormulaNode::Quantified(quantifier, ..) => {
                let plan = self.plan(formula);
                let found = self.search(plan, &mut |_| Ok(true))?;
                // The plan of a universal looks for a counterexample.
                found == (*quantifier == Quantifier::Some)
            }
            FormulaNode::Compare(compare, a, b) => compare.holds(self.int(*a)?, self.int(*b)?),
            FormulaNode::TotalOrder { elements, first, next } => {
                let (elements, first, next) = (self.expr(*elements)?, self.expr(*first)?, self.expr(*next)?);
                is_total_order(&elements, &first, &next)
            }
            FormulaNode::Tagged(_, inner) => self.formula(*inner)?,
        })
    }

    fn fit(&self, (value, overflow): (i64, bool)) -> Result<i64, EvalError> {
        if overflow && self.mode == IntMode::Exact { Err(EvalError::Overflow) } else { Ok(value) }
    }

    pub(super) fn int(&mut self, int: IntExpr) -> Result<i64, EvalError> {
        if self.ast.int_depth(int) < WORTH_KEEPING {
            return self.compute_int(int);
        }
        let free = self.ast.free_in_int(int);
        if let Some((known, value)) = self.state.numbers.get(&int)
            && self.is_unchanged(free, known)
        {
            return Ok(*value);
        }
        let stamps = self.stamps(free);
        let value = self.compute_int(int)?;
        self.state.numbers.insert(int, (stamps, value));
        Ok(value)
    }

    fn compute_int(&mut self, int: IntExpr) -> Result<i64, EvalError> {
        let ast = self.ast;
        match ast.int(int) {
            IntNode::Const(value) => self.fit(self.mode.fit(i128::from(*value))),
            IntNode::Count(e) => {
                let count = self.expr(*e)?.set.len();
                self.fit(self.mode.fit(count as i128))
            }
            IntNode::Sum(e) => {
                let set = self.expr(*e)?;
                let values = set.set.flat().iter().filter_map(|&a| self.state.int_value(self.universe, a));
                let sum: i128 = values.map(i128::from).sum();
                self.fit(self.mode.fit(sum))
            }
            IntNode::SumOver(_, body) => {
                let plan = &self.plans.ints[&int];
                let mut sum = 0i128;
                self.search(plan, &mut |run| {
                    sum += i128::from(run.int(*body)?);
                    Ok(false)
                })?;
                self.fit(self.mode.fit(sum))
            }
            IntNode::Binary(op, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                self.fit(self.mode.apply(*op, a, b))
            }
            IntNode::If(condition, a, b) => {
                let chosen = if self.formula(*condition)? { *a } else { *b };
                self.int(chosen)
            }
        }
    }

    /// Goes through the bindings that satisfy a plan until `visit` gives true; says whether it did.
    pub(super) fn search(
        &mut self,
        plan: &Plan,
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        if !self.all_hold(&plan.before)? {
            return Ok(false);
        }
        self.step(&plan.steps, visit)
    }

    fn all_hold(&mut self, conditions: &[Condition]) -> Result<bool, EvalError> {
        for condition in conditions {
            if self.formula(condition.formula)? == condition.negated {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn step(
        &mut self,
        steps: &[Step],
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        let Some((step, rest)) = steps.split_first() else { return visit(self) };
        if step.decl.range != Range::One {
            return self.subsets(step, rest, visit);
        }
        let domain = self.expr(step.decl.domain)?;
        if !step.keys.is_empty() {
            let Some(found) = self.look_up(step, &domain)? else { return Ok(false) };
            let (table, key) = found;
            for &at in table.get(&key).into_iter().flatten() {
                let tuple = domain.set.get(at as usize);
                let mut fits = true;
                for &member in &step.members {
                    fits = fits && self.member(member, tuple)?;
                }
                if fits && self.try_tuple(step, tuple, rest, visit)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let (mut members, mut asked) = (Vec::new(), Vec::new());
        // For a few candidates it is not worth while to build other sets of them, which may be large.
        let few = domain.set.len() <= FEW;
        for &member in &step.members {
            if few || is_better_asked(self.ast, member) {
                asked.push(member);
            } else {
                members.push(self.expr(member)?);
            }
        }
        members.push(domain);
        let smallest = (0..members.len()).min_by_key(|&i| members[i].set.len()).unwrap_or(0);
        let driver = members.swap_remove(smallest);
        for tuple in &driver.set {
            let mut fits = members.iter().all(|member| member.contains(tuple));
            for &member in &asked {
                fits =
                    fits && if few { self.leads_into(member, tuple)? } else { self.member(member, tuple)? };
            }
            if fits && self.try_tuple(step, tuple, rest, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn try_tuple(
        &mut self,
        step: &Step,
        tuple: &[Atom],
        rest: &[Step],
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        self.try_value(step, Indexed::single(tuple), rest, visit)
    }

    fn try_value(
        &mut self,
        step: &Step,
        value: Rc<Indexed>,
        rest: &[Step],
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        self.tick()?;
        self.state.clock += 1;
        let var = step.decl.var.index();
        let outer = self.state.env.slot(var).replace((self.state.clock, value));
        let found = match self.all_hold(&step.filters) {
            Ok(true) => self.step(rest, visit),
            decided => decided,
        };
        *self.state.env.slot(var) = outer;
        found
    }

    fn subsets(
        &mut self,
        step: &Step,
        rest: &[Step],
        visit: &mut dyn FnMut(&mut Self) -> Result<bool, EvalError>,
    ) -> Result<bool, EvalError> {
        let domain = self.expr(step.decl.domain)?;
        let arity = domain.set.arity();
        if step.decl.range == Range::Lone {
            if self.try_value(step, Indexed::new(TupleSet::empty(arity)), rest, visit)? {
                return Ok(true);
            }
            for tuple in &domain.set {
                if self.try_tuple(step, tuple, rest, visit)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let size = domain.set.len();
        if size > MAX_SUBSETS_OF {
            let variable = self.ast.var_name(step.decl.var).to_owned();
            return Err(EvalError::HigherOrder { variable, size, limit: MAX_SUBSETS_OF });
        }
        for choice in u32::from(step.decl.range == Range::Some)..1 << size {
            let chosen = (0..size).filter(|i| choice >> i & 1 == 1).map(|i| domain.set.get(i));
            let value = Indexed::new(TupleSet::from_tuples(arity, chosen));
            if self.try_value(step, value, rest, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The table of a step, and the key to look up in it; nothing when no entry can have the key.
    fn look_up(
        &mut self,
        step: &Step,
        domain: &Rc<Indexed>,
    ) -> Result<Option<(Rc<Table>, TableKey)>, EvalError> {
        let table = if let Some(table) = self.state.tables.get(&step.table) {
            table.clone()
        } else {
            let table = Rc::new(self.build_table(step, domain)?);
            self.state.tables.insert(step.table, table.clone());
            table
        };
        let mut key = SmallVec::new();
        for part in &step.keys {
            key.push(match *part {
                HashKey::Set { of_others, .. } => {
                    let value = self.expr(of_others)?;
                    let Some(number) = set_key(&value.set, &self.state.sets) else { return Ok(None) };
                    number
                }
                HashKey::Int { of_others, .. } => self.int(of_others)? as u64,
            });
        }
        Ok(Some((table, key)))
    }

    fn build_table(&mut self, step: &Step, domain: &Rc<Indexed>) -> Result<Table, EvalError> {
        let var = step.decl.var.index();
        let outer = self.state.env.slot(var).take();
        let table = self.table_of(step, domain);
        *self.state.env.slot(var) = outer;
        table
    }

    fn table_of(&mut self, step: &Step, domain: &Rc<Indexed>) -> Result<Table, EvalError> {
        let mut table = Table::default();
        let var = step.decl.var.index();
        for (at, tuple) in domain.set.iter().enumerate() {
            self.tick()?;
            self.state.clock += 1;
            *self.state.env.slot(var) = Some((self.state.clock, Indexed::single(tuple)));
            let mut key = SmallVec::new();
            for part in &step.keys {
                key.push(match *part {
                    HashKey::Set { of_variable, .. } => {
                        let value = self.expr(of_variable)?;
                        if let Some(number) = set_key(&value.set, &self.state.sets) {
                            number
                        } else {
                            let number = 3 << 32 | self.state.sets.len() as u64;
                            self.state.sets.insert(value.set.clone(), number);
                            number
                        }
                    }
                    HashKey::Int { of_variable, .. } => self.int(of_variable)? as u64,
                });
            }
            table.entry(key).or_default().push(at as u32);
        }
        Ok(table)
    }
}

/// Whether an expression is better asked about single tuples than built.
fn is_better_asked(ast: &Ast, expr: Expr) -> bool {
    matches!(
        ast.expr(expr),
        ExprNode::Product(..)
            | ExprNode::Closure(_)
            | ExprNode::ReflexiveClosure(_)
            | ExprNode::Univ
            | ExprNode::Iden
    )
}

/// A number for a set: directly for the empty set and for single atoms, else the one it was given.
fn set_key(set: &TupleSet, known: &FxHashMap<TupleSet, u64>) -> Option<u64> {
    match set.flat() {
        [] => Some(1 << 32),
        [atom] => Some(2 << 32 | u64::from(atom.0)),
        _ => known.get(set).copied(),
    }
}

/// Whether `next` is a chain from `first` through all elements.
fn is_total_order(elements: &Indexed, first: &Indexed, next: &Indexed) -> bool {
    let count = elements.set.len();
    if first.set.len() != 1 || next.set.len() + 1 != count {
        return false;
    }
    let mut at = first.set.get(0)[0];
    for position in 1..=count {
        if !elements.contains(&[at]) {
            return false;
        }
        let row = next.row(at);
        match (row.len(), position == count) {
            (0, true) => return true,
            (1, false) => at = next.set.get(row.start)[1],
            _ => return false,
        }
    }
    false
}
