//! Functions that are evaluated argument by argument: recursive ones, and those whose domain is infinite or large.
//!
//! They travel as [`Value::Operator`]. Applying one evaluates its body for that argument and remembers the result;
//! any other use turns it into an ordinary function, if its domain can be enumerated. A function that has no value for
//! some argument becomes one of these where it is applied to another, as in TLC.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::value::{Copier, Domain, Fault, FaultKind, FnBuilder, Outcome, Value};

use super::Context;
use super::ir::{FunctionNode, Kind, Node, Slot};

/// A function as a body and a memory.
pub(crate) struct LazyFunction {
    node: Arc<FunctionNode>,
    domain: Value,
    /// The surroundings that the body uses.
    captured: Vec<(Slot, Value)>,
    known: Mutex<FxHashMap<Value, Value>>,
    /// Where this is another function with some of its values replaced: that function, and these values.
    changed: Option<(Opaque, FxHashMap<Value, Value>)>,
}

type Opaque = Arc<Box<dyn std::any::Any + Send + Sync>>;

impl LazyFunction {
    pub(crate) fn new(context: &Context, node: &Arc<FunctionNode>, domain: Value) -> Self {
        if !domain.is_finite_set().unwrap_or(false) {
            context.shared.session.opaque.store(true, std::sync::atomic::Ordering::Relaxed);
        }
        let captured = node.free.iter().map(|slot| (*slot, context.slots[*slot as usize].clone())).collect();
        Self { node: Arc::clone(node), domain, captured, known: Mutex::default(), changed: None }
    }

    pub(crate) fn into_value(self) -> Value {
        Value::Operator(Arc::new(Box::new(self)))
    }
}

fn known(function: &Opaque) -> Outcome<&LazyFunction> {
    function
        .downcast_ref::<LazyFunction>()
        .ok_or_else(|| Fault::kind(FaultKind::Unsupported("an operator in place of a value".to_owned())))
}

impl Context {
    /// A recursive function, not yet evaluated anywhere.
    pub fn lazy_function(&mut self, node: &Arc<FunctionNode>) -> Outcome<Value> {
        let domain = self.domain_of(&node.binds)?;
        if !domain.is_a_set() {
            return Err(Fault::wrong("[x \\in S |-> e]", "a set", &domain));
        }
        Ok(LazyFunction::new(self, node, domain).into_value())
    }

    /// Evaluates, leaving a recursive function unevaluated, and one that fails for some argument: for use where it is
    /// applied.
    pub fn eval_lazily(&mut self, node: &Node) -> Outcome<Value> {
        match &node.kind {
            Kind::Function(function) if function.this.is_some() => {
                self.lazy_function(function).map_err(|fault| fault.at(node.place))
            }
            Kind::Function(function) => match self.function(function) {
                Err(fault) if fault.is_of_the_specification() => self.lazy_function(function),
                result => result,
            }
            .map_err(|fault| fault.at(node.place)),
            Kind::Index(pair) => self.index(pair).map_err(|fault| fault.at(node.place)),
            Kind::Cell(cell) => self.cell_by(cell, |context| context.eval_lazily(&cell.node)),
            Kind::Lazy(slot, thunk) => match &self.slots[*slot as usize] {
                Value::Unset => {
                    let value = self.eval_lazily(thunk)?;
                    self.slots[*slot as usize].put(value.clone());
                    Ok(value)
                }
                value => Ok(value.clone()),
            },
            Kind::Slot(slot) => Ok(self.slots[*slot as usize].clone()),
            Kind::ByName(node) => self.eval_lazily(node),
            Kind::Scope(entry, body) => {
                self.enter(entry);
                self.eval_lazily(body)
            }
            _ => self.eval(node),
        }
    }

    /// Evaluates an argument of a recursive operator while what is read is noted: a function is left unevaluated, so
    /// that no more is read for it than it is applied to.
    pub fn eval_argument(&mut self, node: &Node) -> Outcome<Value> {
        match &node.kind {
            Kind::Function(function) if function.this.is_none() => {
                self.lazy_function(function).map_err(|fault| fault.at(node.place))
            }
            Kind::Lazy(slot, thunk) if matches!(self.slots[*slot as usize], Value::Unset) => {
                let value = self.eval_argument(thunk)?;
                self.slots[*slot as usize].put(value.clone());
                Ok(value)
            }
            Kind::Lazy(slot, _) | Kind::Slot(slot) | Kind::Param(slot)
                if matches!(self.slots[*slot as usize], Value::Operator(_)) =>
            {
                Ok(self.slots[*slot as usize].clone())
            }
            Kind::ByName(inner) => self.eval_argument(inner),
            _ => self.eval(node),
        }
    }

    /// Applies a function to an argument.
    pub fn apply_lazy(&mut self, opaque: &Opaque, argument: Value) -> Outcome<Value> {
        let function = known(opaque)?;
        if let Some((original, values)) = &function.changed {
            return match values.get(&argument) {
                Some(value) => Ok(value.clone()),
                None => self.apply_lazy(original, argument),
            };
        }
        let known = function.known.lock().expect("no panic while locked").get(&argument).cloned();
        match known {
            // Its value for this argument is being evaluated, and is asked for on the way.
            Some(Value::Unset) => {
                let value = self.apply_body(opaque, function, &argument, Self::eval_body_lazily)?;
                function.known.lock().expect("no panic while locked").insert(argument, value.clone());
                return Ok(value);
            }
            Some(value) => return Ok(value),
            None => {}
        }
        if !function.domain.contains(&argument)? {
            return Err(self.outside(&argument, &function.domain, function.node.place));
        }
        function.known.lock().expect("no panic while locked").insert(argument.clone(), Value::Unset);
        let value = self.apply_body(opaque, function, &argument, Self::eval);
        let mut known = function.known.lock().expect("no panic while locked");
        match &value {
            Ok(value) => _ = known.insert(argument, value.clone()),
            Err(_) => _ = known.remove(&argument),
        }
        value
    }

    /// The body of a function for an argument.
    fn apply_body(
        &mut self,
        opaque: &Opaque,
        function: &LazyFunction,
        argument: &Value,
        eval: fn(&mut Self, &Node) -> Outcome<Value>,
    ) -> Outcome<Value> {
        let node = Arc::clone(&function.node);
        self.with_fresh(node.range, |context| {
            let outer: Vec<Value> = function
                .captured
                .iter()
                .map(|(slot, value)| std::mem::replace(&mut context.slots[*slot as usize], value.clone()))
                .collect();
            if let Some(this) = node.this {
                context.slots[this as usize] = Value::Operator(Arc::clone(opaque));
            }
            let result =
                context.bind_arguments(&node.binds, argument).and_then(|()| eval(context, &node.body));
            for ((slot, _), value) in function.captured.iter().zip(outer) {
                context.slots[*slot as usize] = value;
            }
            result
        })
    }

    /// The body of a function whose values are functions, without their values: `f[n]` in
    /// `f[n \in S] == [j \in T |-> IF j = 0 THEN n ELSE f[n][j - 1]]`.
    fn eval_body_lazily(&mut self, node: &Node) -> Outcome<Value> {
        match &node.kind {
            Kind::Function(function) => self.lazy_function(function).map_err(|fault| fault.at(node.place)),
            Kind::If(parts) => {
                let taken = if self.test(&parts[0])? { &parts[1] } else { &parts[2] };
                self.eval_body_lazily(taken)
            }
            Kind::Scope(entry, body) => {
                self.enter(entry);
                self.eval_body_lazily(body)
            }
            Kind::ByName(inner) => self.eval_body_lazily(inner),
            _ => self.eval_lazily(node),
        }
    }

    /// `[f EXCEPT ![argument] = e]`, where `change` gives the new value for the old one.
    pub(super) fn change_lazy(
        &mut self,
        opaque: Opaque,
        argument: &Value,
        change: impl FnOnce(&mut Self, Value) -> Outcome<Value>,
    ) -> Outcome<Value> {
        if !known(&opaque)?.domain.contains(argument)? {
            return Ok(Value::Operator(opaque));
        }
        let old = self.apply_lazy(&opaque, argument.clone())?;
        let new = change(self, old)?;
        let function = known(&opaque)?;
        // One change on top of another is another one of the same function, so that they need not be followed.
        let (original, mut values) = match &function.changed {
            Some((original, values)) => (Arc::clone(original), values.clone()),
            None => (Arc::clone(&opaque), FxHashMap::default()),
        };
        values.insert(argument.clone(), new);
        let changed = LazyFunction {
            node: Arc::clone(&function.node),
            domain: function.domain.clone(),
            captured: Vec::new(),
            known: Mutex::default(),
            changed: Some((original, values)),
        };
        Ok(changed.into_value())
    }

    /// The fault of an argument outside of a function's domain.
    #[cold]
    pub(super) fn outside(&self, argument: &Value, domain: &Value, place: locus_source::Place) -> Box<Fault> {
        let (argument, domain) = (argument.shown(self.names()).short(), domain.shown(self.names()).short());
        Fault::other(format!("{argument} is not in the domain of the function, {domain}")).at(place)
    }

    /// An ordinary value: functions with a finite domain are built in full.
    #[inline]
    pub fn forced(&mut self, value: Value) -> Outcome<Value> {
        match value {
            Value::Operator(opaque) => self.force_function(opaque),
            value => Ok(value),
        }
    }

    #[cold]
    fn force_function(&mut self, opaque: Opaque) -> Outcome<Value> {
        let Some(function) = opaque.downcast_ref::<LazyFunction>() else {
            return Ok(Value::Operator(opaque));
        };
        if !function.domain.is_finite_set()? {
            return Ok(Value::Operator(opaque));
        }
        let keys = function.domain.explicit("[x \\in S |-> e]")?;
        let mut values = Vec::with_capacity(keys.slice.len());
        for key in &keys.slice {
            values.push(self.apply_lazy(&opaque, key.clone())?);
        }
        Ok(FnBuilder::finish_with(Domain::of(&keys), values))
    }
}

/// A copy of such a function, with a memory of its own.
pub(super) fn copy(opaque: &Opaque, copier: &mut Copier) -> Value {
    let Ok(function) = known(opaque) else { return Value::Operator(Arc::clone(opaque)) };
    let captured = function.captured.iter().map(|(slot, value)| (*slot, copier.copy(value))).collect();
    let domain = copier.copy(&function.domain);
    let changed = function.changed.as_ref().and_then(|(original, values)| {
        let Value::Operator(original) = copy(original, copier) else { return None };
        let copies = values.iter().map(|(argument, value)| (copier.copy(argument), copier.copy(value)));
        Some((original, copies.collect()))
    });
    let node = Arc::clone(&function.node);
    LazyFunction { node, domain, captured, known: Mutex::default(), changed }.into_value()
}

/// The domain of such a function.
pub(super) fn lazy_domain(opaque: &Opaque) -> Outcome<Value> {
    Ok(known(opaque)?.domain.clone())
}
