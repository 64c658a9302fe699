//! The values that variables get in the next state, and which parts of the state change by that.
//!
//! `x' = [x EXCEPT ![i] = e]` changes a part of `x`, whatever the other parts are, and `x' = x \cup {e}` an element. So
//! that is all that changes, and no more of `x` is read than `e` asks for.

use crate::value::{FnBuilder, Outcome, Value};

use super::Context;
use super::ir::{Change, FunctionNode, Kind, Node, Pattern, Slot, Var};
use super::trace::{Given, Part, Spot};

impl Context {
    /// The value that `x' = e` gives a variable that has none yet.
    pub(super) fn traced_value(&mut self, var: Var, node: &Node) -> Outcome<Value> {
        let Some(trace) = &self.trace else { return self.eval(node) };
        let spot = trace.spot(var);
        let now = self.state[var as usize].clone();
        let (value, changes) = self.changed(spot, &now, node)?;
        if let Some(trace) = &mut self.trace {
            trace.give(var, changes.given());
        }
        Ok(value)
    }

    /// The value of `node` for a part of the state that is `now`, and how it differs from that.
    pub fn changed(&mut self, spot: Spot, now: &Value, node: &Node) -> Outcome<(Value, Changes)> {
        let mut changes = Changes::default();
        let value = self.become_at(spot, now, node, &mut changes)?;
        Ok((value, changes))
    }

    /// The value of `node` for a part of the state that is `now`. Notes which parts of it change.
    fn become_at(&mut self, spot: Spot, now: &Value, node: &Node, changes: &mut Changes) -> Outcome<Value> {
        let result = match &node.kind {
            Kind::Var(_) | Kind::Index(_) | Kind::Field(..) => match self.locate(node) {
                (Some(other), value) if other == spot && value.is_set() => return Ok(now.clone()),
                _ => self.eval(node),
            },
            Kind::ByName(inner) => return self.become_at(spot, now, inner, changes),
            Kind::Scope(entry, inner) => {
                self.enter(entry);
                return self.become_at(spot, now, inner, changes);
            }
            Kind::If(parts) => {
                let taken = if self.test(&parts[0])? { &parts[1] } else { &parts[2] };
                return self.become_at(spot, now, taken, changes);
            }
            Kind::Except(base, all) if self.is_at(spot, base) => {
                return self.excepted(spot, now, all, changes).map_err(|fault| fault.at(node.place));
            }
            Kind::Function(function) if function.this.is_none() => {
                if let Some(result) = self.become_function(spot, now, function, changes) {
                    return result.map_err(|fault| fault.at(node.place));
                }
                self.eval(node)
            }
            Kind::Cup(pair) | Kind::Minus(pair) if self.is_set_at(spot, node) => {
                let before = self.become_at(spot, now, &pair[0], changes)?;
                let is_in = matches!(node.kind, Kind::Cup(_));
                let after = self.with_elements(spot, &before, pair, is_in, changes);
                return after.map_err(|fault| fault.at(node.place));
            }
            _ => self.eval(node),
        };
        changes.parts.push(spot.part);
        result
    }

    /// Whether an expression is a part of the state.
    fn is_at(&self, spot: Spot, node: &Node) -> bool {
        matches!(self.locate(node), (Some(other), value) if other == spot && value.is_set())
    }

    /// Whether an expression is a set of the state with elements added and taken away.
    fn is_set_at(&self, spot: Spot, node: &Node) -> bool {
        let Some(trace) = &self.trace else { return false };
        trace.by.is_set(spot.part)
            && match &node.kind {
                Kind::Cup(pair) | Kind::Minus(pair) => self.is_set_at(spot, &pair[0]),
                Kind::ByName(inner) => self.is_set_at(spot, inner),
                _ => self.is_at(spot, node),
            }
    }

    /// `[f EXCEPT ...]`, where `f` is a part of the state.
    fn excepted(&mut self, spot: Spot, now: &Value, all: &[Change], changes: &mut Changes) -> Outcome<Value> {
        let mut value = now.clone();
        for change in all {
            let mut path: smallvec::SmallVec<[Value; 4]> = smallvec::SmallVec::new();
            for step in &change.path {
                path.push(self.eval(step)?);
            }
            // The part that changes: as far as the layout goes.
            let (mut inner, mut part) = (Some(spot), &value);
            for step in &path {
                let found = part.find(step);
                if found.is_none() {
                    self.note(inner);
                    inner = None;
                    break;
                }
                let inside = inner.and_then(|spot| {
                    let (at, _) = found?;
                    let count = part.parts()?.1.len();
                    self.trace.as_ref()?.by.inner(spot.part, at, count)
                });
                let Some(inside) = inside else {
                    // What is not taken apart is read, changed and written as a whole.
                    self.note(inner);
                    break;
                };
                inner = Some(Spot { part: inside, ..spot });
                part = found.map_or(part, |(_, value)| value);
            }
            let is_known = matches!((inner, change.at), (Some(inner), Some(at)) if self.is_change_of(inner, at, &change.value));
            if !is_known {
                if change.at.is_some() {
                    self.note(inner);
                }
                changes.parts.extend(inner.map(|spot| spot.part));
                value = self.change_at(value, &path, change)?;
                continue;
            }
            // Only parts of the old value change, and nothing else of it is asked for.
            let (Some(inner), Some(at)) = (inner, change.at) else { continue };
            value = value.except_at(&path, &mut |old| {
                self.slots[at as usize].put(old.clone());
                let new = self.change_of(inner, &old, &change.value, changes);
                self.slots[at as usize].put(Value::Unset);
                new
            })?;
        }
        Ok(value)
    }

    /// Whether an expression does no more with an old value, the `@` in a slot, than to change parts of it, or put
    /// elements into it or take them out.
    fn is_change_of(&self, spot: Spot, at: Slot, node: &Node) -> bool {
        let Some(trace) = &self.trace else { return false };
        let is_free = |change: &Change| {
            change.path.iter().all(|step| is_free_of(step, at)) && is_free_of(&change.value, at)
        };
        match &node.kind {
            Kind::Slot(slot) => *slot == at,
            Kind::ByName(inner) => self.is_change_of(spot, at, inner),
            Kind::Except(base, all) => {
                matches!(base.kind, Kind::Slot(slot) if slot == at) && all.iter().all(is_free)
            }
            Kind::Cup(pair) | Kind::Minus(pair) => {
                trace.by.is_set(spot.part)
                    && self.is_change_of(spot, at, &pair[0])
                    && is_free_of(&pair[1], at)
            }
            _ => false,
        }
    }

    /// The value that such an expression gives to a part of the state.
    fn change_of(&mut self, spot: Spot, old: &Value, node: &Node, changes: &mut Changes) -> Outcome<Value> {
        match &node.kind {
            Kind::Slot(_) => Ok(old.clone()),
            Kind::ByName(inner) => self.change_of(spot, old, inner, changes),
            Kind::Except(_, all) => self.excepted(spot, old, all, changes),
            Kind::Cup(pair) | Kind::Minus(pair) => {
                let before = self.change_of(spot, old, &pair[0], changes)?;
                self.with_elements(spot, &before, pair, matches!(node.kind, Kind::Cup(_)), changes)
            }
            _ => self.eval(node),
        }
        .map_err(|fault| fault.at(node.place))
    }

    /// A set of the state with the elements of another one, or without them.
    fn with_elements(
        &mut self,
        spot: Spot,
        before: &Value,
        pair: &[Node; 2],
        is_in: bool,
        changes: &mut Changes,
    ) -> Outcome<Value> {
        let other = self.eval(&pair[1])?;
        let after = if is_in { before.union(&other) } else { before.difference(&other) }?;
        let is_set = self.trace.as_ref().is_some_and(|trace| trace.by.is_set(spot.part));
        if let (true, Ok(elements)) = (is_set, other.explicit("a state")) {
            changes.elements.extend(elements.slice.iter().map(|element| (spot.part, element.clone(), is_in)));
        } else {
            // It is written as a whole, so all of it is read.
            self.note(Some(spot));
            changes.elements.retain(|(other, ..)| *other != spot.part);
            changes.parts.push(spot.part);
        }
        Ok(after)
    }

    /// `[x \in S |-> e]` for a part of the state that is a function with the domain `S`.
    fn become_function(
        &mut self,
        spot: Spot,
        now: &Value,
        function: &FunctionNode,
        changes: &mut Changes,
    ) -> Option<Outcome<Value>> {
        let [bind] = &*function.binds else { return None };
        let Pattern::One(slot) = bind.pattern else { return None };
        let (domain, parts) = self.trace.as_ref()?.by.function(spot.part)?;
        let (_, values) = now.parts()?;
        let set = match self.eval(&bind.set) {
            Ok(set) => set,
            Err(fault) => return Some(Err(fault)),
        };
        if values.len() != parts.len() || !set.same(&domain.set(parts.len())) {
            return None;
        }
        let mut made = Vec::with_capacity(parts.len());
        for (at, (part, value)) in parts.iter().zip(values).enumerate() {
            self.slots[slot as usize].put(domain.key(at));
            match self.become_at(Spot { part: *part, ..spot }, value, &function.body, changes) {
                Ok(value) => made.push(value),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(Ok(FnBuilder::finish_with(domain, made)))
    }
}

/// The changes of a part of the state.
#[derive(Clone, Default, Debug)]
pub struct Changes {
    /// Parts that get other values.
    pub parts: Vec<Part>,
    /// Elements that sets get, or lose.
    pub elements: Vec<(Part, Value, bool)>,
}

impl Changes {
    /// How a variable gets its value that changes so.
    pub fn given(self) -> Given {
        if self.parts.is_empty() && self.elements.is_empty() { Given::Kept } else { Given::Parts(self) }
    }
}

/// Whether an expression certainly does not read a slot.
fn is_free_of(node: &Node, slot: Slot) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Cell(_) | Kind::Var(_) | Kind::Primed(_) => true,
        Kind::Slot(other) | Kind::Param(other) => *other != slot,
        Kind::Lazy(_, inner) | Kind::ByName(inner) => is_free_of(inner, slot),
        Kind::Scope(_, inner) | Kind::Not(inner) | Kind::Domain(inner) | Kind::Negate(inner) => {
            is_free_of(inner, slot)
        }
        Kind::Field(inner, _) | Kind::Unary(_, inner) => is_free_of(inner, slot),
        Kind::And(parts)
        | Kind::Or(parts)
        | Kind::SetOf(parts)
        | Kind::Tuple(parts)
        | Kind::Record(_, parts)
        | Kind::Native(_, parts) => parts.iter().all(|part| is_free_of(part, slot)),
        Kind::Equal(parts)
        | Kind::Unequal(parts)
        | Kind::In(parts)
        | Kind::NotIn(parts)
        | Kind::Index(parts)
        | Kind::Cup(parts)
        | Kind::Cap(parts)
        | Kind::Minus(parts)
        | Kind::Range(parts)
        | Kind::Arithmetic(_, parts)
        | Kind::Compare(_, parts)
        | Kind::Binary(_, parts) => parts.iter().all(|part| is_free_of(part, slot)),
        Kind::If(parts) => parts.iter().all(|part| is_free_of(part, slot)),
        _ => false,
    }
}
