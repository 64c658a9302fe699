//! Binders: quantifiers, `CHOOSE`, set and function constructors.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::value::{Domain, Fault, FaultKind, FnBuilder, Outcome, SetBuilder, Step, Symbolic, Value, tick};

use super::Context;
use super::ir::{Bind, FunctionNode, Kind, Loop, Node, Pattern};
use super::lazy_function::LazyFunction;
use super::wanted::Wanted;

/// The largest domain of a function that is built at once.
const EAGER_DOMAIN: i64 = 1 << 20;

impl Context {
    /// Binds the variables of a pattern to an element.
    #[inline]
    pub fn bind(&mut self, pattern: &Pattern, element: Value) -> Outcome<()> {
        match pattern {
            Pattern::One(slot) => self.slots[*slot as usize].put(element),
            Pattern::Tuple(slots) => {
                let items = element.items("a tuple of variables")?;
                if items.len() != slots.len() {
                    return Err(Fault::wrong("a tuple of variables", "tuples of the same length", &element));
                }
                for (slot, item) in slots.iter().zip(items) {
                    self.slots[*slot as usize].put(item.clone());
                }
            }
        }
        Ok(())
    }

    /// Calls `body` for every combination of elements.
    pub fn iterate(
        &mut self,
        binds: &[Bind],
        body: &mut dyn FnMut(&mut Self) -> Step,
    ) -> Outcome<ControlFlow<()>> {
        if let [only] = binds {
            let set = self.eval(&only.set)?;
            return self.over(&only.pattern, &set, body).map_err(|fault| fault.at(only.set.place));
        }
        let mut sets = Vec::with_capacity(binds.len());
        for bind in binds {
            sets.push(self.eval(&bind.set)?);
        }
        self.nest(binds, &sets, body)
    }

    fn nest(&mut self, binds: &[Bind], sets: &[Value], body: &mut dyn FnMut(&mut Self) -> Step) -> Step {
        match (binds.split_first(), sets.split_first()) {
            (Some((bind, binds)), Some((set, sets))) => {
                let over = self.over(&bind.pattern, set, &mut |context| context.nest(binds, sets, body));
                over.map_err(|fault| fault.at(bind.set.place))
            }
            _ => body(self),
        }
    }

    /// Calls `body` for every element of one set.
    pub fn over(&mut self, pattern: &Pattern, set: &Value, body: &mut dyn FnMut(&mut Self) -> Step) -> Step {
        match (pattern, set) {
            (Pattern::One(slot), Value::Set(set)) => {
                tick(set.slice.len())?;
                for element in &set.slice {
                    self.slots[*slot as usize].put(element.clone());
                    if body(self)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            (Pattern::One(slot), Value::Interval(ends)) => {
                for i in ends.all() {
                    tick(1)?;
                    self.slots[*slot as usize].put(Value::Int(i));
                    if body(self)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            _ => set.each("a bound", &mut |element| {
                tick(1)?;
                self.bind(pattern, element)?;
                body(self)
            }),
        }
    }

    /// The set that a variable is bound over. `S \ {e}` comes as two, if `S` has elements in memory: the second is `e`,
    /// and is to be passed over.
    pub fn bounds(&mut self, set: &Node) -> Outcome<(Value, Value)> {
        if let Kind::Minus(pair) = &set.kind
            && let Kind::SetOf(items) = &pair[1].kind
            && let [only] = &**items
        {
            let all = self.eval(&pair[0])?;
            let but = self.eval(only)?;
            if matches!(all, Value::Set(_) | Value::Interval(..)) {
                return Ok((all, but));
            }
            let rest = all.difference(&Value::set_of([but])).map_err(|fault| fault.at(set.place))?;
            return Ok((rest, Value::Unset));
        }
        Ok((self.eval(set)?, Value::Unset))
    }

    /// The truth of `\A` or `\E`.
    pub fn quantifier(&mut self, all: bool, node: &Loop) -> Outcome<bool> {
        if let [Bind { pattern: Pattern::One(slot), set }] = &*node.binds {
            let (slot, place) = (*slot as usize, set.place);
            if self.noted_set(set).is_some() {
                let mut wanted = match &node.body.kind {
                    Kind::Implies(parts) if all => self.wanted(slot as u32, &parts[0]),
                    _ if all => Wanted::default(),
                    _ => self.wanted(slot as u32, &node.body),
                };
                if let Some(elements) = self.wanted_elements(set, &mut wanted) {
                    tick(elements.len())?;
                    for element in elements {
                        self.slots[slot].put(element);
                        if self.test(&node.body)? != all {
                            return Ok(!all);
                        }
                    }
                    return Ok(all);
                }
            }
            let (set, but) = self.bounds(set)?;
            match set {
                Value::Set(set) => {
                    tick(set.slice.len())?;
                    let mut wanted = match &node.body.kind {
                        Kind::Implies(parts) if all => self.wanted(slot as u32, &parts[0]),
                        _ if all => Wanted::default(),
                        _ => self.wanted(slot as u32, &node.body),
                    };
                    for element in &set.slice {
                        if wanted.excludes(element) || (but.is_set() && element.same(&but)) {
                            continue;
                        }
                        self.slots[slot].put(element.clone());
                        if self.test(&node.body)? != all {
                            return Ok(!all);
                        }
                    }
                    return Ok(all);
                }
                Value::Interval(ends) => {
                    for i in ends.all() {
                        tick(1)?;
                        if matches!(but, Value::Int(but) if but == i) {
                            continue;
                        }
                        self.slots[slot].put(Value::Int(i));
                        if self.test(&node.body)? != all {
                            return Ok(!all);
                        }
                    }
                    return Ok(all);
                }
                other => {
                    let mut result = all;
                    let over = self.over(&Pattern::One(slot as u32), &other, &mut |context| {
                        result = context.test(&node.body)?;
                        Ok(if result == all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
                    });
                    let _ = over.map_err(|fault| fault.at(place))?;
                    return Ok(result);
                }
            }
        }
        let mut result = all;
        let _ = self.iterate(&node.binds, &mut |context| {
            if context.test(&node.body)? == all {
                Ok(ControlFlow::Continue(()))
            } else {
                result = !all;
                Ok(ControlFlow::Break(()))
            }
        })?;
        Ok(result)
    }

    pub(crate) fn choose(&mut self, bind: &Bind, body: &Node) -> Outcome<Value> {
        let set = self.eval(&bind.set)?;
        let mut wanted = self.wanted_of(&bind.pattern, body);
        let mut chosen = None;
        let _ = set.each("CHOOSE", &mut |element| {
            tick(1)?;
            if wanted.excludes(&element) {
                return Ok(ControlFlow::Continue(()));
            }
            self.bind(&bind.pattern, element.clone())?;
            if self.test(body)? {
                chosen = Some(element);
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        chosen.ok_or_else(|| Fault::kind(FaultKind::NoChoice(set)))
    }

    /// The value of `{x \in S : p}`.
    pub fn filter(&mut self, filter: &Arc<(Bind, Node)>) -> Outcome<Value> {
        let (bind, body) = &**filter;
        if self.noted_set(&bind.set).is_some() {
            let mut wanted = self.wanted_of(&bind.pattern, body);
            if let Some(elements) = self.wanted_elements(&bind.set, &mut wanted) {
                tick(elements.len())?;
                let mut kept = Vec::new();
                for element in elements {
                    self.bind(&bind.pattern, element.clone())?;
                    if self.test(body)? {
                        kept.push(element);
                    }
                }
                return Ok(Value::from_sorted(kept));
            }
        }
        let set = self.eval(&bind.set)?;
        match &set {
            Value::Set(elements) => {
                tick(elements.slice.len())?;
                let mut wanted = self.wanted_of(&bind.pattern, body);
                let mut kept = Vec::new();
                for element in &elements.slice {
                    if wanted.excludes(element) {
                        continue;
                    }
                    self.bind(&bind.pattern, element.clone())?;
                    if self.test(body)? {
                        kept.push(element.clone());
                    }
                }
                if kept.len() == elements.slice.len() {
                    return Ok(set);
                }
                Ok(Value::from_sorted(kept))
            }
            Value::Lazy(lazy) if !lazy.kind.is_finite() || lazy.cardinality().is_err() => {
                Ok(self.symbolic_filter(set, filter))
            }
            Value::Lazy(_) | Value::Interval(..) => {
                let mut kept = SetBuilder::default();
                let _ = set.each("{x \\in S : P}", &mut |element| {
                    tick(1)?;
                    self.bind(&bind.pattern, element.clone())?;
                    if self.test(body)? {
                        kept.push(element)?;
                    }
                    Ok(ControlFlow::Continue(()))
                })?;
                Ok(kept.finish())
            }
            other => Err(Fault::wrong("{x \\in S : P}", "a set", other)),
        }
    }

    /// A filter of a set that cannot be enumerated: keeps what the predicate needs to be decided later.
    fn symbolic_filter(&self, set: Value, filter: &Arc<(Bind, Node)>) -> Value {
        // Refused in any case: what such a set reads later is not noted.
        let _ = self.only_untraced();
        let shared = Arc::clone(&self.shared);
        let (state, next, slots) = (self.state.clone(), self.next.clone(), self.slots.clone());
        let filter = Arc::clone(filter);
        Symbolic::Filter(
            set,
            Arc::new(move |element| {
                let mut context = Context::new(&shared, 0);
                context.state.clone_from(&state);
                context.next.clone_from(&next);
                context.slots.clone_from(&slots);
                context.bind(&filter.0.pattern, element.clone())?;
                context.test(&filter.1)
            }),
        )
        .into()
    }

    /// The value of `{e : x \in S}`.
    pub fn map(&mut self, node: &Loop) -> Outcome<Value> {
        let mut builder = SetBuilder::default();
        let _ = self.iterate(&node.binds, &mut |context| {
            builder.push(context.eval(&node.body)?)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(builder.finish())
    }

    /// `[x \in S |-> e]` as a value; see [`LazyFunction`] for those that are not built at once.
    pub fn function(&mut self, node: &Arc<FunctionNode>) -> Outcome<Value> {
        if node.this.is_some() {
            let lazy = self.lazy_function(node)?;
            return self.forced(lazy);
        }
        if let [bind] = &*node.binds {
            let domain = self.eval(&bind.set)?;
            if is_too_big(&domain)? {
                return Ok(LazyFunction::new(self, node, domain).into_value());
            }
            let mut builder = FnBuilder::over(&domain)?;
            let _ = self.over(&bind.pattern, &domain, &mut |context| {
                builder.push(context.eval(&node.body)?);
                Ok(ControlFlow::Continue(()))
            })?;
            return Ok(builder.finish());
        }
        let domain = self.domain_of(&node.binds)?;
        if is_too_big(&domain)? {
            return Ok(LazyFunction::new(self, node, domain).into_value());
        }
        let keys = domain.explicit("[x \\in S |-> e]")?;
        let mut values = Vec::with_capacity(keys.slice.len());
        for key in &keys.slice {
            self.bind_arguments(&node.binds, key)?;
            values.push(self.eval(&node.body)?);
        }
        Ok(FnBuilder::finish_with(Domain::of(&keys), values))
    }

    /// The domain of a function constructor.
    pub fn domain_of(&mut self, binds: &[Bind]) -> Outcome<Value> {
        if let [bind] = binds {
            return self.eval(&bind.set);
        }
        let mut sets = Vec::with_capacity(binds.len());
        for bind in binds {
            sets.push(self.eval(&bind.set)?);
        }
        Ok(Symbolic::Product(sets).into())
    }

    /// Binds the parameters of a function to an element of its domain.
    pub fn bind_arguments(&mut self, binds: &[Bind], key: &Value) -> Outcome<()> {
        if let [bind] = binds {
            return self.bind(&bind.pattern, key.clone());
        }
        let items = key.items("a function of several arguments")?;
        if items.len() != binds.len() {
            return Err(Fault::wrong("a function of several arguments", "as many arguments", key));
        }
        for (bind, item) in binds.iter().zip(items) {
            self.bind(&bind.pattern, item.clone())?;
        }
        Ok(())
    }
}

fn is_too_big(domain: &Value) -> Outcome<bool> {
    match domain {
        Value::Lazy(lazy) => Ok(!lazy.kind.is_finite()
            || !matches!(lazy.cardinality(), Ok(Value::Int(size)) if size <= EAGER_DOMAIN)),
        Value::Interval(ends) => Ok(ends.size() > EAGER_DOMAIN),
        Value::Set(_) => Ok(false),
        other => Err(Fault::wrong("[x \\in S |-> e]", "a set", other)),
    }
}
