//! Evaluation of expressions.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::value::{
    Domain, Fault, FaultKind, FnBuilder, Outcome, SetBuilder, SetRef, Symbolic, Value, equal,
};

use super::Context;
use super::ir::{Cell, Change, Kind, Node};
use super::member::may_be_sifted;

/// Evaluates both operands of a pair without cloning what can be looked at in place.
macro_rules! both {
    ($context:ident, $pair:expr, |$a:ident, $b:ident| $body:expr) => {{
        let pair: &[Node; 2] = $pair;
        let $a = $context.glance(&pair[0]);
        if $a.is_plain() {
            let $b = $context.glance(&pair[1]);
            if $b.is_plain() {
                return $body;
            }
            let second = $context.evaluated(&pair[1])?;
            let $a = $context.peek(&pair[0]);
            let $b = second.as_ref().unwrap_or_else(|| $context.peek(&pair[1]));
            return $body;
        }
        let first = $context.evaluated(&pair[0])?;
        let second = $context.operand(&pair[1])?;
        let $a = first.as_ref().unwrap_or_else(|| $context.peek(&pair[0]));
        let $b = second.as_ref().unwrap_or_else(|| $context.glance(&pair[1]));
        $body
    }};
}

impl Context {
    /// The value of an expression.
    #[inline]
    pub fn eval(&mut self, node: &Node) -> Outcome<Value> {
        match self.eval_kind(node) {
            Ok(value) => Ok(value),
            Err(fault) => Err(fault.at(node.place)),
        }
    }

    /// The truth of an expression.
    #[inline]
    pub fn test(&mut self, node: &Node) -> Outcome<bool> {
        match self.test_kind(node) {
            Ok(truth) => Ok(truth),
            Err(fault) => Err(fault.at(node.place)),
        }
    }

    fn eval_kind(&mut self, node: &Node) -> Outcome<Value> {
        match &node.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Cell(cell) => {
                let value = self.cell(cell)?;
                self.forced(value)
            }
            Kind::Var(var) => match self.var(*var) {
                Value::Unset => Err(self.unassigned(*var, false)),
                value => Ok(value.clone()),
            },
            Kind::Primed(var) => match self.primed(*var) {
                Value::Unset => Err(self.unassigned(*var, true)),
                value => Ok(value.clone()),
            },
            Kind::Slot(slot) | Kind::Param(slot) => match &self.slots[*slot as usize] {
                Value::Failed(fault) => Err(Box::new((**fault).clone())),
                Value::Operator(_) => {
                    let value = self.slots[*slot as usize].clone();
                    self.forced(value)
                }
                value => Ok(value.clone()),
            },
            Kind::Lazy(slot, thunk) => {
                let value = match &self.slots[*slot as usize] {
                    Value::Unset => {
                        let value = self.eval_lazily(thunk)?;
                        self.slots[*slot as usize].put(value.clone());
                        value
                    }
                    value => value.clone(),
                };
                self.forced(value)
            }
            Kind::ByName(node) => self.eval(node),
            Kind::Scope(entry, body) => {
                self.enter(entry);
                let value = self.eval(body)?;
                if matches!(value, Value::Bool(truth) if !bool::from(truth)) {
                    self.refuted(entry);
                }
                Ok(value)
            }
            Kind::If(parts) => {
                if self.test(&parts[0])? {
                    self.eval(&parts[1])
                } else {
                    self.eval(&parts[2])
                }
            }
            Kind::Case(arms, other) => {
                for (condition, value) in arms {
                    if self.test(condition)? {
                        return self.eval(value);
                    }
                }
                match other {
                    Some(other) => self.eval(other),
                    None => Err(Fault::other("no condition of this CASE is true, and it has no OTHER")),
                }
            }
            Kind::Index(pair) => {
                let value = self.index(pair)?;
                self.forced(value)
            }
            Kind::Field(record, field) => match self.traced_field(node) {
                Some(value) => Ok(value),
                None => self.look(record, |_, record| match field.of(record) {
                    Some(value) => Ok(value.clone()),
                    None if !matches!(record, Value::Fn(_)) => {
                        Err(Fault::wrong("a field", "a record", record))
                    }
                    None => record.apply(&Value::Str(field.name)).cloned(),
                }),
            },
            Kind::Except(base, changes) => {
                let mut value = self.eval(base)?;
                for change in changes {
                    value = self.change(value, change)?;
                }
                Ok(value)
            }
            Kind::Arithmetic(operator, pair) => both!(self, pair, |a, b| operator.apply(a, b)),
            Kind::Tuple(items) => Ok(FnBuilder::finish_with(Domain::Seq, self.eval_all(items)?)),
            Kind::Record(keys, values) => {
                let keys = self.field_names(keys)?;
                Ok(Value::record(keys, self.eval_all(values)?))
            }
            Kind::Function(function) => self.function(function),
            Kind::SetOf(items) => {
                let mut builder = SetBuilder::with_capacity(items.len());
                for item in items {
                    builder.push(self.eval(item)?)?;
                }
                Ok(builder.finish())
            }
            Kind::Cup(pair) => {
                if let Kind::SetOf(items) = &pair[1].kind
                    && let [only] = &**items
                {
                    // `S \cup {e}` is how sets grow: the second one is not built.
                    let set = self.operand(&pair[0])?;
                    let element = self.eval(only)?;
                    return set.as_ref().unwrap_or_else(|| self.peek(&pair[0])).union_with(element);
                }
                both!(self, pair, |a, b| a.union(b))
            }
            Kind::Cap(pair) => match self.intersection(pair) {
                Err(fault) if may_be_sifted(&fault, pair) => self.sifted(pair, true),
                result => result,
            },
            Kind::Minus(pair) => match self.difference(pair) {
                Err(fault) if may_be_sifted(&fault, pair) => self.sifted(pair, false),
                result => result,
            },
            Kind::Filter(filter) => self.filter(filter),
            Kind::Map(map) => self.map(map),
            Kind::Choose(bind, body) => self.choose(bind, body),
            Kind::Range(pair) => both!(self, pair, |a, b| {
                let lo = a.to_int("..")?;
                let hi = b.to_int("..")?;
                Ok(Value::interval(lo, hi))
            }),
            Kind::Negate(node) => self.eval(node)?.negated(),
            Kind::Domain(node) => match self.traced_domain(node) {
                Some(domain) => Ok(domain),
                None => match self.eval(node)? {
                    Value::Operator(function) => super::lazy_function::lazy_domain(&function),
                    value @ Value::Fn(_) => Ok(value.domain()),
                    other => Err(Fault::wrong("DOMAIN", "a function", &other)),
                },
            },
            Kind::Call(code, args) => self.call(code, args),
            Kind::Unary(native, arg) => self.look(arg, native),
            Kind::Binary(native, pair) => both!(self, pair, |a, b| native(self, a, b)),
            Kind::Native(native, args) => {
                let values = self.operands(args)?;
                native(self, &values)
            }
            Kind::NativeOver(native, args, lambdas) => {
                let values = self.operands(args)?;
                native(self, &values, lambdas)
            }
            Kind::PowerSet(node) => self.symbolic(node, "SUBSET", Symbolic::Subset),
            Kind::Union(node) => self.eval(node)?.big_union(),
            Kind::FunctionSet(pair) => {
                let domain = self.eval(&pair[0])?;
                let range = self.eval(&pair[1])?;
                for set in [&domain, &range] {
                    if !set.is_a_set() {
                        return Err(Fault::wrong("[S -> T]", "sets", set));
                    }
                }
                Ok(Symbolic::Functions(domain, range).into())
            }
            Kind::RecordSet(keys, sets) => {
                let sets = self.sets(sets, "[a : S]")?;
                Ok(Symbolic::Records(keys.clone(), sets).into())
            }
            Kind::Times(sets) => Ok(Symbolic::Product(self.sets(sets, "\\X")?).into()),
            Kind::InNext(node) => self.in_next(|context| context.eval(node)),
            Kind::Shadow(slot) => match &self.slots[*slot as usize] {
                Value::Unset => {
                    Err(Fault::other("the next value of an instantiated variable is not known here"))
                }
                value => Ok(value.clone()),
            },
            Kind::ChooseUnbounded => Err(Fault::kind(FaultKind::Unsupported(
                "CHOOSE without a set; give the operator a value in the configuration, as in Op = Op"
                    .to_owned(),
            ))),
            Kind::Refuse(what) => Err(Fault::kind(FaultKind::Unsupported(what.to_string()))),
            Kind::Not(_)
            | Kind::And(_)
            | Kind::Or(_)
            | Kind::Implies(_)
            | Kind::Equiv(_)
            | Kind::Equal(_)
            | Kind::Unequal(_)
            | Kind::In(_)
            | Kind::NotIn(_)
            | Kind::Subset(_)
            | Kind::Quantifier(..)
            | Kind::Compare(..)
            | Kind::Enabled(_)
            | Kind::Composed(_)
            | Kind::Unchanged(_) => self.test_kind(node).map(Value::from),
        }
    }

    /// The truth of an expression; if it is of a kind that has none by itself, its value must be a Boolean.
    fn test_kind(&mut self, node: &Node) -> Outcome<bool> {
        match &node.kind {
            Kind::Const(Value::Bool(truth)) => Ok((*truth).into()),
            Kind::If(parts) => {
                if self.test(&parts[0])? {
                    self.test(&parts[1])
                } else {
                    self.test(&parts[2])
                }
            }
            Kind::ByName(node) => self.test(node),
            Kind::Scope(entry, body) => {
                self.enter(entry);
                let truth = self.test(body)?;
                if !truth {
                    self.refuted(entry);
                }
                Ok(truth)
            }
            Kind::Const(_)
            | Kind::Cell(_)
            | Kind::Var(_)
            | Kind::Primed(_)
            | Kind::Slot(_)
            | Kind::Lazy(..)
            | Kind::Index(_)
            | Kind::Field(..)
            | Kind::Call(..)
            | Kind::Case(..)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Native(..)
            | Kind::NativeOver(..) => self.look(node, |_, value| value.truth("a condition")),
            Kind::And(parts) => {
                for part in parts {
                    if !self.test(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Or(parts) => {
                for part in parts {
                    if self.test(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Kind::Not(node) => Ok(!self.test(node)?),
            Kind::Implies(pair) => Ok(!self.test(&pair[0])? || self.test(&pair[1])?),
            Kind::Equiv(pair) => Ok(self.test(&pair[0])? == self.test(&pair[1])?),
            Kind::Equal(pair) => {
                if let Kind::Except(base, changes) = &pair[1].kind
                    && let [change] = &**changes
                    && let [step] = &*change.path
                {
                    return self.equals_except(&pair[0], base, step, change);
                }
                both!(self, pair, |a, b| equal(a, b))
            }
            Kind::Unequal(pair) => both!(self, pair, |a, b| Ok(!equal(a, b)?)),
            Kind::In(pair) => self.member(pair),
            Kind::NotIn(pair) => Ok(!self.member(pair)?),
            Kind::Subset(pair) => match self.is_subset(pair) {
                Err(fault) if may_be_sifted(&fault, pair) => {
                    let rest = self.sifted(pair, false)?;
                    rest.is_empty_set("\\subseteq")
                }
                result => result,
            },
            Kind::Compare(comparison, pair) => {
                both!(self, pair, |a, b| Ok(comparison.holds(a.compare_numbers(b, comparison.name())?)))
            }
            Kind::Quantifier(all, body) => self.quantifier(*all, body),
            Kind::Enabled(act) => self.enabled(act),
            Kind::Unchanged(vars) => {
                for var in vars {
                    match self.primed(*var) {
                        Value::Unset => return Err(self.unassigned(*var, true)),
                        next if !next.same(self.var(*var)) => return Ok(false),
                        _ => {}
                    }
                }
                Ok(true)
            }
            Kind::Composed(parts) => self.composed(&parts.0, &parts.1),
            _ => self.eval_kind(node)?.truth("a condition"),
        }
    }

    fn intersection(&mut self, pair: &[Node; 2]) -> Outcome<Value> {
        both!(self, pair, |a, b| a.intersection(b))
    }

    fn difference(&mut self, pair: &[Node; 2]) -> Outcome<Value> {
        both!(self, pair, |a, b| a.difference(b))
    }

    fn is_subset(&mut self, pair: &[Node; 2]) -> Outcome<bool> {
        if let Some(known) = self.traced_subset(pair)? {
            return Ok(known);
        }
        both!(self, pair, |a, b| a.is_subset(b))
    }

    fn operands(&mut self, nodes: &[Node]) -> Outcome<smallvec::SmallVec<[Value; 4]>> {
        Ok(self.eval_all(nodes)?.collect())
    }

    /// The sorted names of the fields of a record.
    pub(super) fn field_names(&mut self, names: &Cell) -> Outcome<SetRef> {
        match self.cell(names)? {
            Value::Set(names) => Ok(names),
            other => Err(Fault::wrong("a record", "names of fields", &other)),
        }
    }

    fn sets(&mut self, nodes: &[Node], operator: &'static str) -> Outcome<Vec<Value>> {
        let sets: Vec<Value> = self.eval_all(nodes)?.collect();
        match sets.iter().find(|set| !set.is_a_set()) {
            Some(other) => Err(Fault::wrong(operator, "sets", other)),
            None => Ok(sets),
        }
    }

    fn symbolic(
        &mut self,
        node: &Node,
        operator: &'static str,
        make: fn(Value) -> Symbolic,
    ) -> Outcome<Value> {
        let set = self.eval(node)?;
        if !set.is_a_set() {
            return Err(Fault::wrong(operator, "a set", &set));
        }
        Ok(make(set).into())
    }

    /// `f[e]`; the result may be a function that is not evaluated yet, if `f` is recursive.
    pub(super) fn index(&mut self, pair: &[Node; 2]) -> Outcome<Value> {
        if self.trace.is_some() {
            return self.traced_index(pair);
        }
        if let function @ Value::Fn(_) = self.peek(&pair[0]) {
            let argument = self.peek(&pair[1]);
            if argument.is_plain() {
                return function.apply(argument).cloned();
            }
        }
        let argument = self.operand(&pair[1])?;
        let head = match self.peek(&pair[0]) {
            Value::Unset => Some(self.eval_lazily(&pair[0])?),
            Value::Operator(function) => Some(Value::Operator(Arc::clone(function))),
            _ => None,
        };
        if let Some(Value::Operator(function)) = &head {
            let argument = match argument {
                Some(argument) => argument,
                None => self.peek(&pair[1]).clone(),
            };
            return self.apply_lazy(function, argument);
        }
        let head = head.as_ref().unwrap_or_else(|| self.peek(&pair[0]));
        let argument = argument.as_ref().unwrap_or_else(|| self.peek(&pair[1]));
        head.apply(argument).cloned()
    }

    fn change(&mut self, value: Value, change: &Change) -> Outcome<Value> {
        let mut path: smallvec::SmallVec<[Value; 4]> = smallvec::SmallVec::new();
        for step in &change.path {
            path.push(self.eval(step)?);
        }
        self.change_at(value, &path, change)
    }

    pub(super) fn change_at(&mut self, value: Value, path: &[Value], change: &Change) -> Outcome<Value> {
        match path.split_first() {
            None => {
                if let Some(slot) = change.at {
                    self.slots[slot as usize].put(value);
                } else {
                    drop(value);
                }
                let new = self.eval(&change.value);
                if let Some(slot) = change.at {
                    self.slots[slot as usize] = Value::Unset;
                }
                new
            }
            Some((first, rest)) => match value {
                Value::Operator(function) => {
                    self.change_lazy(function, first, |context, old| context.change_at(old, rest, change))
                }
                value => value.except(first, &mut |old| self.change_at(old, rest, change)),
            },
        }
    }

    /// `a = [f EXCEPT ![i] = e]`, without building the function.
    fn equals_except(&mut self, left: &Node, base: &Node, step: &Node, change: &Change) -> Outcome<bool> {
        let left = self.eval(left)?;
        let base = self.eval(base)?;
        let key = self.eval(step)?;
        let Some((at, old)) = base.find(&key) else {
            let changed = self.change_at(base, std::slice::from_ref(&key), change)?;
            return equal(&left, &changed);
        };
        let old = old.clone();
        let new = self.change_at(old, &[], change)?;
        left.equals_with(&base, at, &new)
    }

    /// `A \cdot B` as a relation: some state is reached by `A`, from which `B` leads to the next state.
    fn composed(&mut self, first: &super::ir::Act, second: &Node) -> Outcome<bool> {
        self.only_untraced()?;
        let unset = super::context::unset(self.shared.variables.len());
        let target = std::mem::replace(&mut self.next, unset);
        let mut possible = false;
        let result = self.enumerate(first, &mut |context| {
            let middle = context.next.clone();
            let origin = std::mem::replace(&mut context.state, middle.clone());
            let outer = std::mem::replace(&mut context.next, target.clone());
            let holds = context.test(second);
            context.next = outer;
            context.state = origin;
            possible = holds?;
            Ok(if possible { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        });
        self.next = target;
        let _ = result?;
        Ok(possible)
    }
}
