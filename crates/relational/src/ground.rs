//! From formulas to circuits: quantifiers become conjunctions and disjunctions over the tuples of their domains.
//!
//! A variable is always bound to one known tuple (or to none, for `lone`); what is unknown is only whether that
//! tuple is in the domain, which becomes a guard. Results are kept by node and by the tuples of the variables that
//! are free in it, so what does not depend on an inner variable is grounded once.

mod at;

use crate::ast::OverflowVars;
use crate::ast::{
    Ast, Compare, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Mult, Node, Quantifier,
    Range, Var,
};
use crate::bits::Int;
use crate::bounds::Bounds;
use crate::circuit::{Circuit, Lit};
use crate::error::SolveError;
use crate::function::Functions;
use crate::ints::IntMode;
use crate::matrix::{Matrix, Packing, Space};
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::{Relation, Universe};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// The limits on time and memory for one problem.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Gates and their inputs.
    pub circuit: usize,
    /// Cells of matrices computed on the way.
    pub cells: u64,
    /// Nesting of formulas.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { circuit: 150_000_000, cells: 5_000_000_000, depth: 2_000 }
    }
}

/// A literal that stands for "this tuple is in this relation".
#[derive(Clone, Copy, Debug)]
pub(crate) struct Primary {
    pub(crate) relation: Relation,
    pub(crate) tuple: u64,
    pub(crate) lit: Lit,
}

/// The kind of a node, in the key of a memo.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Expr(Expr),
    Formula(Formula),
    Int(IntExpr),
}

type MemoKey = (Key, SmallVec<[u64; 3]>);

/// A variable that is bound at present.
struct Frame {
    var: Var,
    over_ints: bool,
    /// Whether it is universally quantified, seen from the outside; comprehensions and sums are neither.
    universal: bool,
}

/// How many cells of matrices are kept for later use.
const MAX_KEPT: usize = 60_000_000;

/// No tuple: the value of a `lone` variable that has none.
const ABSENT: u64 = u64::MAX;

pub(crate) struct Grounder<'a> {
    ast: &'a Ast,
    universe: &'a Universe,
    pub(crate) packing: Packing,
    pub(crate) circuit: Circuit,
    work: u64,
    limits: Limits,
    mode: IntMode,
    leaves: Vec<Option<Rc<Matrix>>>,
    pub(crate) primaries: Vec<Primary>,
    /// Whether to rely on what matrices are known to be.
    rely: bool,
    values: Vec<(u64, Option<Rc<Matrix>>)>,
    frames: Vec<Frame>,
    negated: bool,
    /// Values of expressions without free variables, which need no key.
    closed: Vec<Option<Rc<Matrix>>>,
    exprs: FxHashMap<MemoKey, Rc<Matrix>>,
    /// How many cells are in `exprs`.
    kept: usize,
    formulas: FxHashMap<MemoKey, Lit>,
    ints: FxHashMap<MemoKey, Rc<Int>>,
    interrupt: &'a Interrupt,
    ticks: u32,
    error: Option<SolveError>,
    overflow_vars: OverflowVars,
}

impl<'a> Grounder<'a> {
    pub(crate) fn new(
        ast: &'a Ast,
        bounds: &'a Bounds,
        mode: IntMode,
        limits: Limits,
        interrupt: &'a Interrupt,
    ) -> Result<Self, SolveError> {
        let universe = bounds.universe();
        let packing = Packing::new(universe.len());
        let mut grounder = Self {
            ast,
            universe,
            packing,
            circuit: Circuit::new(limits.circuit),
            work: limits.cells,
            limits,
            mode,
            leaves: vec![None; ast.relations().len()],
            primaries: Vec::new(),
            rely: false,
            values: vec![(ABSENT, None); ast.var_count()],
            frames: Vec::new(),
            negated: false,
            closed: vec![None; ast.expr_count()],
            exprs: FxHashMap::default(),
            kept: 0,
            formulas: FxHashMap::default(),
            ints: FxHashMap::default(),
            interrupt,
            ticks: 0,
            error: None,
            overflow_vars: OverflowVars::default(),
        };
        for (relation, bound) in bounds.relations() {
            let arity = bound.upper.arity();
            if arity > packing.max_arity() {
                return Err(SolveError::TooWide { arity, atoms: universe.len() });
            }
            if grounder.circuit.is_full() {
                return Err(grounder.too_large());
            }
            if interrupt.is_raised() {
                return Err(SolveError::Interrupted);
            }
            let mut cells = Vec::with_capacity(bound.upper.len());
            let mut sure = bound.lower.iter().peekable();
            for tuple in &bound.upper {
                let key = packing.pack(tuple);
                if sure.next_if_eq(&tuple).is_some() {
                    cells.push((key, Lit::TRUE));
                } else {
                    let lit = grounder.circuit.input();
                    grounder.primaries.push(Primary { relation, tuple: key, lit });
                    cells.push((key, lit));
                }
            }
            let mut matrix = Matrix::new(arity, cells);
            matrix.functional |= matrix.is_function_by_shape(packing);
            grounder.leaves[relation.index()] = Some(Rc::new(matrix));
        }
        Ok(grounder)
    }

    /// Says which relations have how many tuples. Must come before anything is grounded.
    pub(crate) fn know(&mut self, functions: &Functions) {
        for (index, leaf) in self.leaves.iter_mut().enumerate() {
            let relation = Relation::from_index(index);
            let Some(matrix) = leaf else { continue };
            if functions.functional.contains(&relation) || functions.lone.contains(&relation) {
                let matrix = Rc::make_mut(matrix);
                matrix.functional |= functions.functional.contains(&relation);
                matrix.lone |= functions.lone.contains(&relation);
            }
        }
    }

    /// From now on, relies on what [`Self::know`] said. What was grounded before did not.
    pub(crate) fn rely(&mut self) {
        self.rely = true;
    }

    fn too_large(&self) -> SolveError {
        SolveError::TooLarge {
            atoms: self.universe.len(),
            variables: self.primaries.len(),
            gates: self.circuit.len(),
        }
    }

    /// A formula as a literal.
    pub(crate) fn ground(&mut self, formula: Formula) -> Result<Lit, SolveError> {
        if self.ast.depth(formula) > self.limits.depth {
            return Err(SolveError::TooDeep { depth: self.ast.depth(formula), limit: self.limits.depth });
        }
        let lit = self.formula(formula);
        self.finish(lit)
    }

    /// An expression as a matrix.
    pub(crate) fn ground_expr(&mut self, expr: Expr) -> Result<Rc<Matrix>, SolveError> {
        if self.ast.expr_depth(expr) > self.limits.depth {
            return Err(SolveError::TooDeep { depth: self.ast.expr_depth(expr), limit: self.limits.depth });
        }
        let matrix = self.expr(expr);
        self.finish(matrix)
    }

    pub(crate) fn finish<T>(&mut self, value: T) -> Result<T, SolveError> {
        self.check();
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(value),
        }
    }

    /// Notices that a limit is reached. True when it makes no sense to go on.
    pub(crate) fn check(&mut self) -> bool {
        if self.error.is_some() {
            return true;
        }
        let spent = self.circuit.is_full() || self.work == 0;
        self.ticks += 1;
        if (spent || self.ticks.is_multiple_of(256)) && self.interrupt.is_raised() {
            self.error = Some(SolveError::Interrupted);
        } else if spent {
            self.error = Some(self.too_large());
        }
        self.error.is_some()
    }

    /// The key under which the value of a node is kept: the tuples of its free variables and, when overflow is
    /// prevented, how these are quantified.
    fn key(&self, key: Key, free: &[Var]) -> MemoKey {
        let mut parts: SmallVec<[u64; 3]> = free.iter().map(|var| self.values[var.index()].0).collect();
        if self.mode.prevents_overflow() {
            let mut how = u64::from(self.negated);
            for frame in &self.frames {
                if frame.universal && frame.over_ints && free.contains(&frame.var) {
                    let at = free.iter().position(|&v| v == frame.var).unwrap_or(0);
                    how |= 2 << (at % 62);
                }
            }
            parts.push(how);
        }
        (key, parts)
    }

    fn space(&mut self) -> Space<'_> {
        Space {
            circuit: &mut self.circuit,
            packing: self.packing,
            work: &mut self.work,
            interrupt: self.interrupt,
        }
    }

    pub(crate) fn expr(&mut self, expr: Expr) -> Rc<Matrix> {
        match self.ast.expr(expr) {
            ExprNode::Relation(relation) => {
                return if let Some(matrix) = &self.leaves[relation.index()] {
                    matrix.clone()
                } else {
                    let name = self.ast.relation_name(*relation).to_owned();
                    self.error.get_or_insert(SolveError::Unbound { relation: name });
                    Rc::new(Matrix::empty(self.ast.arity(expr)))
                };
            }
            ExprNode::Var(var) => {
                return self.values[var.index()].1.clone().unwrap_or_else(|| {
                    self.error
                        .get_or_insert(SolveError::Free { variable: self.ast.var_name(*var).to_owned() });
                    Rc::new(Matrix::empty(self.ast.arity(expr)))
                });
            }
            _ => {}
        }
        let free = self.ast.free_in_expr(expr);
        let is_closed = free.is_empty() && !self.mode.prevents_overflow();
        if is_closed && let Some(known) = &self.closed[expr.index()] {
            return known.clone();
        }
        let key = self.key(Key::Expr(expr), free);
        if !is_closed && let Some(known) = self.exprs.get(&key) {
            return known.clone();
        }
        if self.ast.arity(expr) > self.packing.max_arity() {
            self.error.get_or_insert(SolveError::TooWide {
                arity: self.ast.arity(expr),
                atoms: self.universe.len(),
            });
        }
        if self.check() {
            return Rc::new(Matrix::empty(self.ast.arity(expr)));
        }
        let matrix = Rc::new(self.compute_expr(expr));
        if is_closed {
            self.closed[expr.index()] = Some(matrix.clone());
        } else {
            // What is kept is only there to save time: when it is too much, start anew.
            self.kept += matrix.cells.len() + 8;
            if self.kept > MAX_KEPT {
                self.exprs.clear();
                self.kept = 0;
            }
            self.exprs.insert(key, matrix.clone());
        }
        matrix
    }

    fn compute_expr(&mut self, expr: Expr) -> Matrix {
        let ast = self.ast;
        match ast.expr(expr) {
            ExprNode::Relation(_) | ExprNode::Var(_) => unreachable!("leaves are answered by the caller"),
            ExprNode::Univ => Matrix::constant(&TupleSet::unary(self.universe.atoms()), self.packing),
            ExprNode::Ints => {
                Matrix::constant(&TupleSet::unary(self.universe.ints().map(|(atom, _)| atom)), self.packing)
            }
            ExprNode::Iden => {
                Matrix::constant(&TupleSet::binary(self.universe.atoms().map(|a| (a, a))), self.packing)
            }
            ExprNode::Constant(constant) => Matrix::constant(ast.constant(*constant), self.packing),
            ExprNode::Union(parts) => {
                let parts: Vec<Rc<Matrix>> = parts.iter().map(|&part| self.expr(part)).collect();
                let refs: Vec<&Matrix> = parts.iter().map(|part| &**part).collect();
                Matrix::union(&refs, &mut self.space())
            }
            ExprNode::Intersection(parts) => {
                let mut result = (*self.expr(parts[0])).clone();
                for &part in &parts[1..] {
                    let part = self.expr(part);
                    result = result.intersection(&part, &mut self.space());
                }
                result
            }
            ExprNode::Difference(a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                a.difference(&b, &mut self.space())
            }
            ExprNode::Join(a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                a.join(&b, &mut self.space())
            }
            ExprNode::Product(a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                a.product(&b, &mut self.space())
            }
            ExprNode::Transpose(a) => self.expr(*a).transpose(self.packing),
            ExprNode::Closure(a) => self.expr(*a).closure(&mut self.space()),
            ExprNode::ReflexiveClosure(a) => {
                let closure = self.expr(*a).closure(&mut self.space());
                let iden =
                    Matrix::constant(&TupleSet::binary(self.universe.atoms().map(|a| (a, a))), self.packing);
                Matrix::union(&[&closure, &iden], &mut self.space())
            }
            ExprNode::Override(a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                a.override_with(&b, &mut self.space())
            }
            ExprNode::DomainRestriction(set, a) => {
                let (set, a) = (self.expr(*set), self.expr(*a));
                a.restrict(&set, true, &mut self.space())
            }
            ExprNode::RangeRestriction(a, set) => {
                let (set, a) = (self.expr(*set), self.expr(*a));
                a.restrict(&set, false, &mut self.space())
            }
            ExprNode::Comprehension(decls, body) => self.comprehension(decls, *body),
            ExprNode::If(condition, a, b) => {
                let condition = self.formula(*condition);
                match condition {
                    Lit::TRUE => (*self.expr(*a)).clone(),
                    Lit::FALSE => (*self.expr(*b)).clone(),
                    _ => {
                        let (a, b) = (self.expr(*a), self.expr(*b));
                        Matrix::choose(condition, &a, &b, &mut self.space())
                    }
                }
            }
            ExprNode::FromInt(int) => {
                let int = self.int(*int);
                let universe = self.universe;
                let mut cells = Vec::new();
                for (atom, value) in universe.ints() {
                    let mut lit = int.is(value, &mut self.circuit);
                    if self.mode.prevents_overflow() {
                        lit = self.circuit.and2(lit, !int.overflow);
                    }
                    if lit != Lit::FALSE {
                        cells.push((self.packing.pack(&[atom]), lit));
                    }
                }
                let mut matrix = Matrix::new(1, cells);
                matrix.overflow = int.overflow;
                matrix
            }
        }
    }

    /// Binds a variable to each tuple that it may have, with the guard of the tuple, until a step says that it is
    /// enough. False then.
    fn each(
        &mut self,
        decl: &Decl,
        universal: bool,
        mut step: impl FnMut(&mut Self, u64, Lit) -> bool,
    ) -> bool {
        let choices = self.choices(decl);
        let arity = self.ast.var_arity(decl.var);
        let over_ints = matches!(self.ast.expr(decl.domain), ExprNode::Ints);
        self.frames.push(Frame { var: decl.var, over_ints, universal });
        let mut open = true;
        for (key, guard) in choices {
            if self.check() {
                break;
            }
            let matrix = if key == ABSENT { Matrix::empty(arity) } else { Matrix::single(arity, key) };
            self.values[decl.var.index()] = (key, Some(Rc::new(matrix)));
            open = step(self, key, guard);
            if !open {
                break;
            }
        }
        self.frames.pop();
        self.values[decl.var.index()] = (ABSENT, None);
        open
    }

    /// The tuples a variable may be bound to, each with its guard.
    fn choices(&mut self, decl: &Decl) -> Vec<(u64, Lit)> {
        let domain = self.expr(decl.domain);
        match decl.range {
            Range::One => domain.cells.clone(),
            Range::Lone => {
                let mut cells = vec![(ABSENT, Lit::TRUE)];
                cells.extend_from_slice(&domain.cells);
                cells
            }
            Range::Some | Range::Set => {
                let variable = self.ast.var_name(decl.var).to_owned();
                self.error.get_or_insert(SolveError::HigherOrder { variable });
                Vec::new()
            }
        }
    }

    fn comprehension(&mut self, decls: &[Decl], body: Formula) -> Matrix {
        let negated = std::mem::replace(&mut self.negated, false);
        let mut cells = Vec::new();
        self.comprehend(decls, body, Lit::TRUE, 0, &mut cells);
        self.negated = negated;
        Matrix::new(decls.iter().map(|d| self.ast.var_arity(d.var)).sum(), cells)
    }

    fn comprehend(
        &mut self,
        decls: &[Decl],
        body: Formula,
        guard: Lit,
        prefix: u64,
        cells: &mut Vec<(u64, Lit)>,
    ) {
        let Some((decl, rest)) = decls.split_first() else {
            let holds = self.formula(body);
            let lit = self.circuit.and2(guard, holds);
            if lit != Lit::FALSE {
                cells.push((prefix, lit));
            }
            return;
        };
        self.each(decl, false, |this, key, lit| {
            let inner = this.circuit.and2(guard, lit);
            let prefix = this.packing.append(prefix, key, this.ast.var_arity(decl.var));
            this.comprehend(rest, body, inner, prefix, cells);
            true
        });
    }

    pub(crate) fn formula(&mut self, formula: Formula) -> Lit {
        let ast = self.ast;
        match ast.formula(formula) {
            FormulaNode::Const(value) => return Lit::from(*value),
            FormulaNode::Not(inner) => {
                self.negated = !self.negated;
                let lit = !self.formula(*inner);
                self.negated = !self.negated;
                return lit;
            }
            FormulaNode::Tagged(_, inner) => return self.formula(*inner),
            _ => {}
        }
        let key = self.key(Key::Formula(formula), ast.free_in_formula(formula));
        if let Some(&known) = self.formulas.get(&key) {
            return known;
        }
        if self.check() {
            return Lit::TRUE;
        }
        let lit = self.compute_formula(formula);
        self.formulas.insert(key, lit);
        lit
    }

    fn compute_formula(&mut self, formula: Formula) -> Lit {
        let ast = self.ast;
        match ast.formula(formula) {
            FormulaNode::Const(_) | FormulaNode::Not(_) | FormulaNode::Tagged(..) => {
                unreachable!("answered by the caller")
            }
            FormulaNode::In(a, b) => {
                let (left, right) = (self.expr(*a), self.expr(*b));
                let lit = left.subset(&right, &mut self.circuit);
                // What is known before solving is said as Kodkod says it: at once, whatever overflowed on the way.
                if lit == Lit::FALSE {
                    return lit;
                }
                self.defined(lit, &[(left.overflow, Node::Expr(*a)), (right.overflow, Node::Expr(*b))])
            }
            FormulaNode::Equal(a, b) => {
                let (left, right) = (self.expr(*a), self.expr(*b));
                let lit = if self.rely && left.lone && right.lone {
                    left.equal_lone(&right, self.negated, &mut self.circuit)
                } else {
                    left.equal(&right, &mut self.circuit)
                };
                self.defined(lit, &[(left.overflow, Node::Expr(*a)), (right.overflow, Node::Expr(*b))])
            }
            FormulaNode::Mult(mult, e) => {
                let matrix = self.expr(*e);
                let circuit = &mut self.circuit;
                let lit = match mult {
                    Mult::Lone if matrix.cells.is_empty() => return Lit::TRUE,
                    Mult::One if matrix.cells.is_empty() => return Lit::FALSE,
                    Mult::Lone if self.rely && matrix.lone => Lit::TRUE,
                    Mult::One if self.rely && matrix.lone => matrix.some(circuit),
                    Mult::No => !matrix.some(circuit),
                    Mult::Some => matrix.some(circuit),
                    Mult::Lone => matrix.lone(circuit),
                    Mult::One => {
                        let (some, lone) = (matrix.some(circuit), matrix.lone(circuit));
                        circuit.and2(some, lone)
                    }
                };
                // As with `in`: these are found on the way, before anybody looks for an overflow.
                let decided = if *mult == Mult::Some { Lit::TRUE } else { Lit::FALSE };
                if lit == decided {
                    return lit;
                }
                self.defined(lit, &[(matrix.overflow, Node::Expr(*e))])
            }
            FormulaNode::And(parts) => self.connect(parts, true),
            FormulaNode::Or(parts) => self.connect(parts, false),
            FormulaNode::Iff(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                self.circuit.iff(a, b)
            }
            FormulaNode::Quantified(quantifier, decls, body) => {
                let all = *quantifier == Quantifier::All;
                let mut parts = Vec::new();
                self.quantify(all, decls, *body, &mut Vec::new(), &mut parts);
                if all { self.circuit.and(parts) } else { self.circuit.or(parts) }
            }
            FormulaNode::Compare(compare, a, b) => self.compare(*compare, *a, *b),
            FormulaNode::TotalOrder { elements, first, next } => self.total_order(*elements, *first, *next),
        }
    }

    /// A conjunction or disjunction, until one part decides it.
    fn connect(&mut self, parts: &[Formula], and: bool) -> Lit {
        let decided = Lit::from(!and);
        let mut lits = Vec::with_capacity(parts.len());
        for &part in parts {
            let lit = self.formula(part);
            if lit == decided {
                return decided;
            }
            lits.push(lit);
        }
        if and { self.circuit.and(lits) } else { self.circuit.or(lits) }
    }

    /// Collects one literal for each binding. False when a binding decided the whole.
    fn quantify(
        &mut self,
        all: bool,
        decls: &[Decl],
        body: Formula,
        guards: &mut Vec<Lit>,
        parts: &mut Vec<Lit>,
    ) -> bool {
        let Some((decl, rest)) = decls.split_first() else {
            let holds = self.formula(body);
            let lit = if all {
                self.circuit.or(guards.iter().map(|&guard| !guard).chain([holds]))
            } else {
                self.circuit.and(guards.iter().copied().chain([holds]))
            };
            if lit == Lit::from(!all) {
                parts.clear();
            }
            parts.push(lit);
            return lit != Lit::from(!all);
        };
        self.each(decl, all != self.negated, |this, _, lit| {
            guards.push(lit);
            let open = this.quantify(all, rest, body, guards, parts);
            guards.pop();
            open
        })
    }

    fn compare(&mut self, compare: Compare, a: IntExpr, b: IntExpr) -> Lit {
        let ast = self.ast;
        for (count, constant, flipped) in [(a, b, false), (b, a, true)] {
            let (IntNode::Count(e), IntNode::Const(value)) = (ast.int(count), ast.int(constant)) else {
                continue;
            };
            let matrix = self.expr(*e);
            // Only where the count certainly fits and the constant too.
            if matrix.cells.len() as i128 <= i128::from(self.mode.max())
                && (self.mode.min()..=self.mode.max()).contains(value)
                && matrix.overflow == Lit::FALSE
            {
                let lits: Vec<Lit> = matrix.cells.iter().map(|cell| cell.1).collect();
                return Int::count_against(&lits, compare, *value, flipped, &mut self.circuit);
            }
        }
        let (left, right) = (self.int(a), self.int(b));
        let lit = left.compare(compare, &right, self.negated, &mut self.circuit);
        self.defined(lit, &[(left.overflow, Node::Int(a)), (right.overflow, Node::Int(b))])
    }

    /// When overflow is prevented: the value of a comparison whose sides may have overflown. See [`IntMode`].
    fn defined(&mut self, lit: Lit, sides: &[(Lit, Node)]) -> Lit {
        if !self.mode.prevents_overflow() {
            return lit;
        }
        let mut result = lit;
        // First those that excuse, then those that forbid, in the order of the polarity.
        for excuse in [true, false] {
            for &(overflow, side) in sides {
                let vars = self.ast.overflow_vars(side, &mut self.overflow_vars);
                let universal = self
                    .frames
                    .iter()
                    .rev()
                    .find(|frame| frame.over_ints && vars.contains(&frame.var))
                    .is_some_and(|frame| frame.universal);
                if (universal != self.negated) == excuse {
                    result = if excuse {
                        self.circuit.or2(result, overflow)
                    } else {
                        self.circuit.and2(result, !overflow)
                    };
                }
            }
        }
        result
    }

    fn total_order(&mut self, elements: Expr, first: Expr, next: Expr) -> Lit {
        let (elements, first, next) = (self.expr(elements), self.expr(first), self.expr(next));
        let mut parts = vec![first.some(&mut self.circuit), first.lone(&mut self.circuit)];
        parts.push(first.subset(&elements, &mut self.circuit));
        let square = elements.product(&elements, &mut self.space());
        parts.push(next.subset(&square, &mut self.circuit));
        let before = next.join(&first, &mut self.space());
        parts.push(!before.some(&mut self.circuit));
        let back = next.transpose(self.packing);
        for &(atom, _) in &elements.cells {
            let element = Matrix::single(1, atom);
            for relation in [&*next, &back] {
                let row = element.join(relation, &mut self.space());
                parts.push(row.lone(&mut self.circuit));
            }
        }
        let closure = next.closure(&mut self.space());
        let reached = first.join(&closure, &mut self.space());
        let covered = Matrix::union(&[&reached, &first], &mut self.space());
        parts.push(elements.subset(&covered, &mut self.circuit));
        self.circuit.and(parts)
    }

    fn int(&mut self, int: IntExpr) -> Rc<Int> {
        let key = self.key(Key::Int(int), self.ast.free_in_int(int));
        if let Some(known) = self.ints.get(&key) {
            return known.clone();
        }
        let value = Rc::new(if self.check() { Int::constant(0, self.mode) } else { self.compute_int(int) });
        self.ints.insert(key, value.clone());
        value
    }

    fn compute_int(&mut self, int: IntExpr) -> Int {
        let ast = self.ast;
        match ast.int(int) {
            IntNode::Const(value) => Int::constant(*value, self.mode),
            IntNode::Count(e) => {
                let matrix = self.expr(*e);
                let lits: Vec<Lit> = matrix.cells.iter().map(|cell| cell.1).collect();
                Int::count(&lits, self.mode, &mut self.circuit)
                    .with_overflow(matrix.overflow, &mut self.circuit)
            }
            IntNode::Sum(e) => {
                let matrix = self.expr(*e);
                let mut terms = Vec::new();
                let mut tuple = Vec::new();
                for &(key, lit) in &matrix.cells {
                    tuple.clear();
                    self.packing.unpack(key, 1, &mut tuple);
                    if let Some(value) = self.universe.int_value(tuple[0]) {
                        terms.push((lit, value));
                    }
                }
                let exclusive = self.rely && matrix.lone;
                if self.mode.prevents_overflow() && !exclusive {
                    terms.sort_unstable_by_key(|term| term.1);
                    Int::sum_by_halves(&terms, self.mode, &mut self.circuit)
                } else {
                    Int::sum_of(&terms, exclusive, self.mode, &mut self.circuit)
                }
            }
            IntNode::SumOver(decls, body) => {
                let mut terms = Vec::new();
                let negated = std::mem::replace(&mut self.negated, false);
                self.sum_over(decls, *body, Lit::TRUE, &mut terms);
                self.negated = negated;
                Int::sum_over(&terms, self.mode, &mut self.circuit)
            }
            IntNode::Binary(op, a, b) => {
                let (a, b) = (self.int(*a), self.int(*b));
                a.apply(*op, &b, self.mode, &mut self.circuit)
            }
            IntNode::If(condition, a, b) => {
                let condition = self.formula(*condition);
                match condition {
                    Lit::TRUE => (*self.int(*a)).clone(),
                    Lit::FALSE => (*self.int(*b)).clone(),
                    _ => {
                        let (a, b) = (self.int(*a), self.int(*b));
                        Int::choose(condition, &a, &b, &mut self.circuit)
                    }
                }
            }
        }
    }

    fn sum_over(&mut self, decls: &[Decl], body: IntExpr, guard: Lit, terms: &mut Vec<(Lit, Int)>) {
        let Some((decl, rest)) = decls.split_first() else {
            let value = self.int(body);
            terms.push((guard, (*value).clone()));
            return;
        };
        self.each(decl, false, |this, _, lit| {
            let inner = this.circuit.and2(guard, lit);
            // Where partial sums matter, so does what is added to what.
            if inner != Lit::FALSE || this.mode.prevents_overflow() {
                this.sum_over(rest, body, inner, terms);
            }
            true
        });
    }
}
