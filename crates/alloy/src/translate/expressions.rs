//! Expressions, formulas and integers.

use std::collections::BTreeSet;

use locus_relational::sat::Interrupt;
use locus_relational::{
    Atom, Compare, Decl, Expr, ExprNode, Formula, IntExpr, IntOp, Mult as Count, Range, TupleSet, Var,
};
use locus_source::Finding;
use rustc_hash::FxHashMap;

use super::{Failure, Lowered, recursion};
use crate::ast::{BinOp, ListOp, Quant, UnOp};
use crate::bounds::Space;
use crate::execute::{LargeNumber, Overflow};
use crate::model::{self, E, FuncId, Kind, World};
use crate::rules;
use crate::types::{SigId, Type};

/// The value of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Formula(Formula),
    Set(Expr),
    Int(IntExpr),
}

/// How deep expressions may nest, calls included: the translation recurses with them.
const MAX_DEPTH: u32 = 800;

/// How many calls with different arguments a command may unfold to.
const MAX_CALLS: u32 = 200_000;

/// Variables and what they stood for before.
type Saved = Vec<(u32, Option<Value>)>;

/// Translates expressions of a model into those of the relational engine.
pub(crate) struct Lower<'a> {
    pub(crate) world: &'a World,
    pub(crate) space: Space,
    env: FxHashMap<u32, Value>,
    /// Calls that are being opened, and the variables to restore when each is left.
    stack: Vec<(FuncId, Saved)>,
    unrolls: Option<u32>,
    /// Values of calls that have been translated before.
    calls: FxHashMap<(FuncId, Vec<Value>), Value>,
    /// Whether a call that called itself has been seen: then values depend on how deep they are.
    recursive: bool,
    name: String,
    next: Option<Expr>,
    /// How deep the expression here is, with the calls it is in.
    depth: u32,
    /// How many calls have been translated.
    call_count: u32,
    /// How many expressions have been translated.
    steps: u32,
    interrupt: Interrupt,
    overflow: Overflow,
    /// Numbers that the bitwidth has no room for, and where they stand.
    pub(crate) large: BTreeSet<LargeNumber>,
    /// The types of the variables that quantifiers have bound.
    pub(crate) var_types: FxHashMap<Var, Type>,
}

impl<'a> Lower<'a> {
    pub(crate) fn new(world: &'a World, space: Space, unrolls: Option<u32>) -> Self {
        Self {
            world,
            space,
            env: FxHashMap::default(),
            stack: Vec::new(),
            unrolls,
            calls: FxHashMap::default(),
            recursive: false,
            name: String::new(),
            next: None,
            depth: 0,
            call_count: 0,
            steps: 0,
            interrupt: Interrupt::never(),
            overflow: Overflow::Wrap,
            large: BTreeSet::new(),
            var_types: FxHashMap::default(),
        }
    }

    /// The same with a way to stop it, and for another kind of integers.
    pub(crate) fn within(mut self, interrupt: Interrupt, overflow: Overflow) -> Self {
        (self.interrupt, self.overflow) = (interrupt, overflow);
        self
    }

    /// The name of the command, for the variables it quantifies.
    pub(crate) fn goal_name(&mut self, name: &str) {
        self.name = if name.contains('$') { String::new() } else { name.to_owned() };
    }

    pub(crate) fn bind_value(&mut self, var: u32, value: Value) {
        self.env.insert(var, value);
    }

    /// A variable that ranges over the atoms of a set.
    pub(crate) fn quantified_atom(&mut self, name: &str, domain: Expr) -> (Decl, Expr) {
        let var = self.space.ast.var(name, 1);
        let value = self.space.ast.var_expr(var);
        (Decl::one(var, domain), value)
    }

    pub(crate) fn is_open(&self, func: FuncId) -> bool {
        self.stack.iter().any(|(open, _)| *open == func)
    }

    /// Binds the arguments of a call and gives the body to translate, until [`Self::leave`].
    pub(crate) fn enter(&mut self, func: FuncId, args: &[E]) -> Lowered<E> {
        let values = args.iter().map(|arg| self.set(arg).map(Value::Set)).collect::<Lowered<Vec<_>>>()?;
        self.enter_values(func, &values);
        Ok(self.world.func(func).body.clone())
    }

    fn enter_values(&mut self, func: FuncId, values: &[Value]) {
        let mut saved = Vec::new();
        for (param, value) in self.world.func(func).params().zip(values) {
            saved.push((param.id, self.env.insert(param.id, *value)));
        }
        self.stack.push((func, saved));
    }

    pub(crate) fn leave(&mut self) {
        let Some((_, saved)) = self.stack.pop() else { return };
        for (var, value) in saved {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
    }

    pub(crate) fn formula(&mut self, e: &E) -> Lowered<Formula> {
        match self.value(e)? {
            Value::Formula(formula) => Ok(formula),
            Value::Set(_) | Value::Int(_) => unreachable!("the checker has made sure that this is a formula"),
        }
    }

    pub(crate) fn set(&mut self, e: &E) -> Lowered<Expr> {
        Ok(match self.value(e)? {
            Value::Set(set) => set,
            Value::Int(int) => self.space.ast.int_atom(int),
            Value::Formula(_) => unreachable!("the checker has made sure that this is an expression"),
        })
    }

    pub(crate) fn int(&mut self, e: &E) -> Lowered<IntExpr> {
        Ok(match self.value(e)? {
            Value::Int(int) => int,
            Value::Set(set) => match *self.space.ast.expr(set) {
                ExprNode::FromInt(int) => int,
                _ => self.space.ast.sum(set),
            },
            Value::Formula(_) => unreachable!("the checker has made sure that this is an integer"),
        })
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, e: &E) -> Lowered<Value> {
        if self.depth >= MAX_DEPTH {
            let message = format!("with the calls in it, this nests more than {MAX_DEPTH} levels deep");
            return Err(Box::new(Finding::new(&rules::TOO_DEEP, e.place, message)).into());
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(4096) && self.interrupt.is_raised() {
            return Err(Failure::Interrupted);
        }
        self.depth += 1;
        let value = crate::stack::as_it_grows(|| self.value_inner(e));
        self.depth -= 1;
        value
    }

    fn value_inner(&mut self, e: &E) -> Lowered<Value> {
        Ok(match &e.kind {
            Kind::Sig(sig) => Value::Set(self.space.sigs[sig.index()]),
            Kind::Field(field) => Value::Set(self.space.fields[field.index()]),
            Kind::Var(v) => match self.env.get(&v.id) {
                Some(value) => *value,
                None => unreachable!("`{}` is bound before it is used", v.name),
            },
            Kind::Number(n) => {
                let unused = 64 - self.space.int_bits();
                let wrapped = n << unused >> unused;
                if wrapped != *n {
                    self.large.insert(LargeNumber { place: e.place, number: *n, wrapped });
                }
                let int = self.space.ast.int_const(*n);
                Value::Set(self.space.ast.int_atom(int))
            }
            Kind::Text(text) => {
                let atom =
                    self.space.strings.iter().find(|(known, _)| **known == **text).map(|(_, atom)| *atom);
                Value::Set(self.space.ast.constant_expr(TupleSet::unary(atom)))
            }
            Kind::Iden => Value::Set(self.iden()),
            Kind::IntMin => Value::Int(self.space.ast.int_const(self.space.scopes.min_int())),
            Kind::IntMax => Value::Int(self.space.ast.int_const(self.space.scopes.max_int())),
            Kind::IntNext => Value::Set(self.int_next()),
            _ if crate::behaviour::is_temporal(e) => return Err(crate::behaviour::not_yet(e.place).into()),
            Kind::Unary(op, sub) => self.unary(*op, sub)?,
            Kind::Binary(op, a, b) => self.binary(*op, a, b)?,
            Kind::List(op, parts) => self.list(*op, parts)?,
            Kind::IfElse(condition, then, other) => self.if_else(condition, then, other)?,
            Kind::Let(v, value, body) => {
                let value = self.value(value)?;
                let before = self.env.insert(v.id, value);
                let result = self.value(body)?;
                if let Some(before) = before {
                    self.env.insert(v.id, before);
                }
                result
            }
            Kind::Quant(quant, decls, body) => self.quant(*quant, decls, body)?,
            Kind::Call(func, args) => self.call(e, *func, args)?,
            Kind::Bad if let Some(finding) = crate::behaviour::refusal(e) => return Err(finding.into()),
            Kind::Choice(_) | Kind::PartialCall(..) | Kind::PartialMacro(..) | Kind::Bad => {
                unreachable!("a checked model has no unresolved names")
            }
        })
    }

    /// `iden` over the atoms that there are; bounds may have more.
    fn iden(&mut self) -> Expr {
        let univ = self.space.sigs[SigId::UNIV.index()];
        let iden = self.space.ast.iden();
        match self.space.ast.expr(univ) {
            ExprNode::Univ => iden,
            _ => self.space.ast.domain_restriction(univ, iden),
        }
    }

    /// Whether the order of the integers that there are was used.
    pub(crate) fn uses_next(&self) -> bool {
        self.next.is_some()
    }

    pub(crate) fn int_next(&mut self) -> Expr {
        if let Some(next) = self.next {
            return next;
        }
        let following = |pair: &[(i64, Atom)]| {
            (pair[0].0.checked_add(1) == Some(pair[1].0)).then(|| (pair[0].1, pair[1].1))
        };
        let pairs = self.space.ints.windows(2).filter_map(following);
        let next = self.space.ast.constant_expr(TupleSet::binary(pairs.collect::<Vec<_>>()));
        self.next = Some(next);
        next
    }

    fn unary(&mut self, op: UnOp, sub: &E) -> Lowered<Value> {
        if op == UnOp::Not {
            let sub = self.formula(sub)?;
            return Ok(Value::Formula(self.space.ast.not(sub)));
        }
        if op == UnOp::Sum {
            return Ok(Value::Int(self.int(sub)?));
        }
        let set = self.set(sub)?;
        let ast = &mut self.space.ast;
        Ok(match op {
            UnOp::No => Value::Formula(ast.mult(Count::No, set)),
            UnOp::Some => Value::Formula(ast.mult(Count::Some, set)),
            UnOp::Lone => Value::Formula(ast.mult(Count::Lone, set)),
            UnOp::One => Value::Formula(ast.mult(Count::One, set)),
            UnOp::Transpose => Value::Set(ast.transpose(set)),
            UnOp::Closure => Value::Set(ast.closure(set)),
            UnOp::ReflexiveClosure => {
                let closure = ast.closure(set);
                let iden = self.iden();
                Value::Set(match self.space.ast.expr(iden) {
                    ExprNode::Iden => self.space.ast.reflexive_closure(set),
                    _ => self.space.ast.union(&[closure, iden]),
                })
            }
            UnOp::Cardinality => Value::Int(ast.count(set)),
            _ => Value::Set(set),
        })
    }

    /// `a.b`. The only atom of a `one` signature, joined with a product that begins with it, leaves the rest.
    pub(crate) fn join(&mut self, a: Expr, b: Expr) -> Expr {
        match *self.space.ast.expr(b) {
            ExprNode::Product(first, rest) if first == a && self.is_one(a) => rest,
            _ => self.space.ast.join(a, b),
        }
    }

    fn is_one(&self, value: Expr) -> bool {
        let found = self.space.sigs.iter().position(|&sig| sig == value);
        found.is_some_and(|sig| {
            let (lower, upper) = &self.space.sig_bounds[sig];
            lower.len() == 1 && upper.len() == 1
        })
    }

    /// Both sides of a join. Everything is made of atoms that there are, so a reflexive closure beside it need
    /// not leave out those that bounds have in addition.
    fn join_operands(&mut self, a: &E, b: &E) -> Lowered<(Expr, Expr)> {
        let operand = |this: &mut Self, e: &E, other: &E| match (&e.kind, &other.kind) {
            (Kind::Unary(UnOp::ReflexiveClosure, _), Kind::Unary(UnOp::ReflexiveClosure, _)) => this.set(e),
            (Kind::Unary(UnOp::ReflexiveClosure, sub), _) => {
                let sub = this.set(sub)?;
                Ok(this.space.ast.reflexive_closure(sub))
            }
            _ => this.set(e),
        };
        Ok((operand(self, a, b)?, operand(self, b, a)?))
    }

    fn binary(&mut self, op: BinOp, a: &E, b: &E) -> Lowered<Value> {
        match op {
            BinOp::Iff => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                Ok(Value::Formula(self.space.ast.iff(a, b)))
            }
            BinOp::Implies => {
                let (a, b) = (self.formula(a)?, self.formula(b)?);
                let unless = self.unless(a);
                Ok(Value::Formula(self.space.ast.or(&[unless, b])))
            }
            BinOp::In | BinOp::NotIn => {
                let left = self.set(a)?;
                let formula = self.is_in(left, b)?;
                Ok(Value::Formula(if op == BinOp::In { formula } else { self.space.ast.not(formula) }))
            }
            BinOp::Equals | BinOp::NotEquals => {
                let formula = self.equal(a, b)?;
                Ok(Value::Formula(if op == BinOp::Equals { formula } else { self.space.ast.not(formula) }))
            }
            BinOp::Less | BinOp::LessEqual | BinOp::Greater | BinOp::GreaterEqual => {
                Ok(Value::Formula(self.compare(op, a, b)?))
            }
            BinOp::NotLess | BinOp::NotLessEqual | BinOp::NotGreater | BinOp::NotGreaterEqual => {
                let positive = match op {
                    BinOp::NotLess => BinOp::Less,
                    BinOp::NotLessEqual => BinOp::LessEqual,
                    BinOp::NotGreater => BinOp::Greater,
                    _ => BinOp::GreaterEqual,
                };
                let formula = self.compare(positive, a, b)?;
                Ok(Value::Formula(self.space.ast.not(formula)))
            }
            BinOp::IntPlus => self.arithmetic(IntOp::Add, a, b),
            BinOp::IntMinus => self.arithmetic(IntOp::Sub, a, b),
            BinOp::Mul => self.arithmetic(IntOp::Mul, a, b),
            BinOp::Div => self.arithmetic(IntOp::Div, a, b),
            BinOp::Rem => self.arithmetic(IntOp::Rem, a, b),
            BinOp::ShiftLeft => self.arithmetic(IntOp::Shl, a, b),
            BinOp::ShiftRight => self.arithmetic(IntOp::Shr, a, b),
            BinOp::ShiftArithmetic => self.arithmetic(IntOp::Sha, a, b),
            BinOp::Join => {
                let (a, b) = self.join_operands(a, b)?;
                Ok(Value::Set(self.join(a, b)))
            }
            BinOp::Minus if self.is_smallest(a, b) => {
                Ok(Value::Int(self.space.ast.int_const(self.space.scopes.min_int())))
            }
            _ => self.relational(op, a, b),
        }
    }

    /// `0 - 8` with four bits is the smallest integer, although 8 is none.
    fn is_smallest(&self, a: &E, b: &E) -> bool {
        matches!((&a.kind, &b.kind), (Kind::Number(0), Kind::Number(n)) if *n == self.space.scopes.max_int() + 1)
    }

    fn relational(&mut self, op: BinOp, a: &E, b: &E) -> Lowered<Value> {
        let (a, b) = (self.set(a)?, self.set(b)?);
        let ast = &mut self.space.ast;
        Ok(Value::Set(match op {
            BinOp::Minus => ast.difference(a, b),
            BinOp::Override => ast.override_with(a, b),
            BinOp::Intersect => ast.intersection(&[a, b]),
            BinOp::Domain => ast.domain_restriction(a, b),
            BinOp::Range => ast.range_restriction(a, b),
            _ => ast.product(a, b),
        }))
    }

    fn arithmetic(&mut self, op: IntOp, a: &E, b: &E) -> Lowered<Value> {
        let (a, b) = (self.int(a)?, self.int(b)?);
        Ok(Value::Int(self.space.ast.int_op(op, a, b)))
    }

    fn equal(&mut self, a: &E, b: &E) -> Lowered<Formula> {
        let (a, b) = (self.set(a)?, self.set(b)?);
        let ast = &mut self.space.ast;
        Ok(match (ast.expr(a), ast.expr(b)) {
            (&ExprNode::FromInt(a), &ExprNode::FromInt(b)) => ast.compare(Compare::Eq, a, b),
            _ => ast.equal(a, b),
        })
    }

    fn compare(&mut self, op: BinOp, a: &E, b: &E) -> Lowered<Formula> {
        let (a, b) = (self.int(a)?, self.int(b)?);
        let ast = &mut self.space.ast;
        Ok(match op {
            BinOp::Less => ast.compare(Compare::Lt, a, b),
            BinOp::LessEqual => ast.compare(Compare::Le, a, b),
            BinOp::Greater => ast.compare(Compare::Lt, b, a),
            _ => ast.compare(Compare::Le, b, a),
        })
    }

    fn list(&mut self, op: ListOp, parts: &[E]) -> Lowered<Value> {
        if matches!(op, ListOp::And | ListOp::Or) {
            let parts = parts.iter().map(|part| self.formula(part)).collect::<Lowered<Vec<_>>>()?;
            let ast = &mut self.space.ast;
            return Ok(Value::Formula(if op == ListOp::And { ast.and(&parts) } else { ast.or(&parts) }));
        }
        let sets = parts.iter().map(|part| self.set(part)).collect::<Lowered<Vec<_>>>()?;
        Ok(match op {
            ListOp::Union => Value::Set(self.space.ast.union(&sets)),
            ListOp::Disjoint => Value::Formula(self.disjoint(&sets)),
            _ => Value::Formula(self.total_order(parts, [sets[0], sets[1], sets[2]])),
        })
    }

    /// No two of these have a tuple in common.
    pub(crate) fn disjoint(&mut self, sets: &[Expr]) -> Formula {
        let ast = &mut self.space.ast;
        let mut apart = Vec::new();
        for i in 1..sets.len() {
            let before = ast.union(&sets[..i]);
            let both = ast.intersection(&[before, sets[i]]);
            apart.push(ast.no(both));
        }
        ast.and(&apart)
    }

    /// An order on a set. Of a signature that nothing extends, with relations of their own for the rest, it is the
    /// order of the whole relation, and there is an element. Any other set may be empty, and only the steps between
    /// its elements count: that is all that the library needs to be told apart, whose steps lead nowhere else.
    fn total_order(&mut self, parts: &[E], [elements, first, next]: [Expr; 3]) -> Formula {
        let extended = |sig: usize| !self.world.sigs[sig].children.is_empty();
        let alone = self.space.sigs.iter().position(|&sig| sig == elements).is_some_and(|sig| !extended(sig));
        let relation = |e: Expr| matches!(self.space.ast.expr(e), ExprNode::Relation(_));
        let file = parts[0].place.file;
        let in_library = |module: &model::Module| module.file == file && module.library.is_some();
        let whole = alone && relation(first) && relation(next);
        if !whole && !self.world.modules.iter().any(in_library) {
            return self.order_of_some(elements, first, next);
        }
        let ast = &mut self.space.ast;
        let order = ast.total_order(elements, first, next);
        if alone {
            return order;
        }
        let empty = [ast.no(elements), ast.no(first), ast.no(next)];
        let empty = ast.and(&empty);
        ast.or(&[order, empty])
    }

    /// An order on a set by a relation that may have more to it.
    fn order_of_some(&mut self, elements: Expr, first: Expr, next: Expr) -> Formula {
        let (quantified, element) = self.quantified_atom("element", elements);
        let ast = &mut self.space.ast;
        let reached = ast.reflexive_closure(next);
        let reached = ast.join(first, reached);
        let (before, after) = (ast.join(next, element), ast.join(element, next));
        let is_first = ast.equal(element, first);
        let one_before = ast.one(before);
        let followed = ast.join(next, elements);
        let last = ast.difference(elements, followed);
        let is_last = ast.equal(element, last);
        let one_after = ast.one(after);
        let later = ast.closure(next);
        let later = ast.join(element, later);
        let again = ast.subset(element, later);
        let each = [ast.or(&[is_first, one_before]), ast.or(&[is_last, one_after]), ast.not(again)];
        let each = ast.and(&each);
        let before_first = ast.join(next, first);
        let all = [ast.all(&[quantified], each), ast.subset(elements, reached), ast.no(before_first)];
        ast.and(&all)
    }

    /// Whether integers wrap around.
    pub(crate) fn wraps(&self) -> bool {
        self.overflow == Overflow::Wrap
    }

    /// That a condition does not hold. To Kodkod what stands before `implies` is not negated: where overflow is
    /// prevented, it matters that a comparison in it is taken as it is where the whole stands.
    fn unless(&mut self, condition: Formula) -> Formula {
        let ast = &mut self.space.ast;
        match self.overflow {
            Overflow::Wrap => ast.not(condition),
            Overflow::Prevent => {
                let never = ast.falsity();
                ast.iff(condition, never)
            }
        }
    }

    fn if_else(&mut self, condition: &E, then: &E, other: &E) -> Lowered<Value> {
        let condition = self.formula(condition)?;
        let then = self.value(then)?;
        Ok(match then {
            Value::Formula(then) => {
                let other = self.formula(other)?;
                let unless = self.unless(condition);
                let ast = &mut self.space.ast;
                let (first, second) = (ast.or(&[unless, then]), ast.or(&[condition, other]));
                Value::Formula(ast.and(&[first, second]))
            }
            Value::Set(then) => {
                let other = self.set(other)?;
                Value::Set(self.space.ast.if_expr(condition, then, other))
            }
            Value::Int(then) => {
                let other = self.int(other)?;
                Value::Int(self.space.ast.if_int(condition, then, other))
            }
        })
    }

    fn call(&mut self, e: &E, func: FuncId, args: &[E]) -> Lowered<Value> {
        let f = self.world.func(func);
        let depth = self.stack.iter().filter(|(open, _)| *open == func).count();
        if depth > 0 {
            self.recursive = true;
            match self.unrolls {
                None => return recursion(e.place, &f.name),
                Some(unrolls) if depth > unrolls as usize => return Ok(self.bottom(func)),
                Some(_) => {}
            }
        }
        let values = args.iter().map(|arg| self.set(arg).map(Value::Set)).collect::<Lowered<Vec<_>>>()?;
        let key = (func, values);
        if let Some(value) = self.calls.get(&key)
            && !self.recursive
        {
            return Ok(*value);
        }
        self.call_count += 1;
        if self.call_count > MAX_CALLS {
            let message = format!("the calls of this command unfold to more than {MAX_CALLS}");
            return Err(Box::new(Finding::new(&rules::TOO_LARGE, e.place, message)).into());
        }
        self.enter_values(func, &key.1);
        let body = f.body.clone();
        let result = self.value(&body);
        self.leave();
        let mut result = result?;
        // To Alloy, a function gives a set. That matters where the set of an integer may be empty.
        if let Value::Int(int) = result
            && (self.space.scopes.bitwidth == 0 || !self.wraps())
        {
            result = Value::Set(self.space.ast.int_atom(int));
        }
        if !self.recursive {
            self.calls.insert(key, result);
        }
        Ok(result)
    }

    /// Returns the value of a call that would call itself too often.
    fn bottom(&mut self, func: FuncId) -> Value {
        let f = self.world.func(func);
        match &f.returns {
            None => Value::Formula(self.space.ast.falsity()),
            Some(returns) if returns.ty.is_int() => Value::Int(self.space.ast.int_const(0)),
            Some(returns) => Value::Set(self.space.ast.none(returns.ty.arity().unwrap_or(1))),
        }
    }

    /// The name of a variable as instances show it: with the predicate or command it belongs to.
    fn var_name(&self, name: &str) -> String {
        let around = match self.stack.last() {
            Some((func, _)) => &self.world.func(*func).name,
            None => &self.name,
        };
        if around.is_empty() || around.contains('$') { name.to_owned() } else { format!("{around}_{name}") }
    }

    fn quant(&mut self, quant: Quant, decls: &[model::Decl], body: &E) -> Lowered<Value> {
        let single =
            decls.iter().all(|decl| decl.bound.ty.arity() == Some(1) && range_of(&decl.bound) == Range::One);
        match quant {
            Quant::One | Quant::Lone if single => {
                let (bound, _, body) = self.quantified(decls, body, false)?;
                let Value::Formula(body) = body else { unreachable!("quantifiers are about formulas") };
                let set = self.space.ast.comprehension(&bound, body);
                let count = if quant == Quant::One { Count::One } else { Count::Lone };
                Ok(Value::Formula(self.space.ast.mult(count, set)))
            }
            Quant::One => {
                let Value::Formula(lone) = self.quant(Quant::Lone, decls, body)? else {
                    unreachable!("a formula")
                };
                let Value::Formula(some) = self.quant(Quant::Some, decls, body)? else {
                    unreachable!("a formula")
                };
                Ok(Value::Formula(self.space.ast.and(&[lone, some])))
            }
            Quant::Lone => self.lone(decls, body),
            Quant::Comprehension => {
                let (bound, _, body) = self.quantified(decls, body, false)?;
                let Value::Formula(body) = body else { unreachable!("comprehensions are about formulas") };
                Ok(Value::Set(self.space.ast.comprehension(&bound, body)))
            }
            Quant::Sum => {
                let (bound, apart, body) = self.quantified(decls, body, true)?;
                let Value::Int(mut body) = body else { unreachable!("sums are of integers") };
                if !apart.is_empty() {
                    let apart = self.space.ast.and(&apart);
                    let zero = self.space.ast.int_const(0);
                    body = self.space.ast.if_int(apart, body, zero);
                }
                Ok(Value::Int(self.space.ast.sum_over(&bound, body)))
            }
            Quant::All | Quant::No | Quant::Some => {
                let (bound, guards, body) = self.quantified(decls, body, true)?;
                let Value::Formula(body) = body else { unreachable!("quantifiers are about formulas") };
                let ast = &mut self.space.ast;
                Ok(Value::Formula(if quant == Quant::Some {
                    let all: Vec<Formula> = guards.into_iter().chain([body]).collect();
                    let body = ast.and(&all);
                    ast.exists(&bound, body)
                } else {
                    let body = if quant == Quant::No { ast.not(body) } else { body };
                    let guard = ast.and(&guards);
                    let body = ast.implies(guard, body);
                    ast.all(&bound, body)
                }))
            }
        }
    }

    /// At most one binding, where variables are sets: any two are the same.
    fn lone(&mut self, decls: &[model::Decl], body: &E) -> Lowered<Value> {
        let (first, guards, one) = self.quantified(decls, body, true)?;
        let (second, more, two) = self.quantified(decls, body, true)?;
        let (Value::Formula(one), Value::Formula(two)) = (one, two) else { unreachable!("formulas") };
        let ast = &mut self.space.ast;
        let mut equal = Vec::new();
        for (a, b) in first.iter().zip(&second) {
            let (a, b) = (ast.var_expr(a.var), ast.var_expr(b.var));
            equal.push(ast.equal(a, b));
        }
        let both: Vec<Formula> = guards.into_iter().chain(more).chain([one, two]).collect();
        let (both, equal) = (ast.and(&both), ast.and(&equal));
        let body = ast.implies(both, equal);
        let all: Vec<Decl> = first.into_iter().chain(second).collect();
        Ok(Value::Formula(ast.all(&all, body)))
    }

    /// Declares variables and translates what they are bound in. Gives the declarations, what else must hold of the
    /// variables (unless `separate` is false: then it is part of the body), and the body.
    fn quantified(
        &mut self,
        decls: &[model::Decl],
        body: &E,
        separate: bool,
    ) -> Lowered<(Vec<Decl>, Vec<Formula>, Value)> {
        let mut bound = Vec::new();
        let mut guards = Vec::new();
        let mut saved = Vec::new();
        for decl in decls {
            let domain = self.set(&decl.bound)?;
            let arity = self.space.ast.arity(domain);
            let mut values = Vec::new();
            for v in &decl.vars {
                let name = self.var_name(&v.name);
                let var = self.space.ast.var(name, arity);
                self.var_types.insert(var, v.ty.clone());
                let value = self.space.ast.var_expr(var);
                saved.push((v.id, self.env.insert(v.id, Value::Set(value))));
                let range = if arity == 1 { range_of(&decl.bound) } else { Range::Set };
                bound.push(Decl { var, range, domain });
                if arity > 1
                    && let Some(guard) = self.multiplicity(value, &decl.bound)?
                {
                    guards.push(guard);
                }
                values.push(value);
            }
            if decl.disjoint.is_some() && values.len() > 1 {
                guards.push(self.disjoint(&values));
            }
        }
        let mut body = match self.value(body)? {
            Value::Set(set) => Value::Int(self.space.ast.sum(set)),
            other => other,
        };
        if !separate && let Value::Formula(formula) = body {
            let all: Vec<Formula> = std::mem::take(&mut guards).into_iter().chain([formula]).collect();
            body = Value::Formula(self.space.ast.and(&all));
        }
        for (var, value) in saved.into_iter().rev() {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
        Ok((bound, guards, body))
    }
}

fn range_of(bound: &E) -> Range {
    match bound.kind {
        Kind::Unary(UnOp::SetOf, _) => Range::Set,
        Kind::Unary(UnOp::SomeOf, _) => Range::Some,
        Kind::Unary(UnOp::LoneOf, _) => Range::Lone,
        _ => Range::One,
    }
}
