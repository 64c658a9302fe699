//! Membership in a set as it is written, so that the set need not be built.

use smallvec::SmallVec;

use crate::value::{Fault, Outcome, Value, equal, tick};

use super::Context;
use super::ir::{Cell, Kind, Node};

/// The most elements of a set from which another one is filtered to be kept.
const WORTH_BUILDING: i64 = 1 << 12;

impl Context {
    /// `a \in b`.
    pub(super) fn member(&mut self, pair: &[Node; 2]) -> Outcome<bool> {
        if self.trace.is_some()
            && let Some(known) = self.traced_member(pair)?
        {
            return Ok(known);
        }
        if !is_taken_apart(&pair[1]) {
            if let Kind::Record(names, values) = &pair[0].kind {
                return self.is_record_in(names, values, &pair[1]);
            }
            let element = self.operand(&pair[0])?;
            let set = self.operand(&pair[1])?;
            let element = element.as_ref().unwrap_or_else(|| self.peek(&pair[0]));
            return set.as_ref().unwrap_or_else(|| self.peek(&pair[1])).contains(element);
        }
        let element = self.eval(&pair[0])?;
        self.is_in(&element, &pair[1])
    }

    /// Whether a record is in a set; it is built only if it must be.
    fn is_record_in(&mut self, names: &Cell, values: &[Node], set: &Node) -> Outcome<bool> {
        let names = self.field_names(names)?;
        let values = self.eval_all(values)?.collect::<SmallVec<[Value; 8]>>();
        self.look(set, |_, set| match set.contains_record(&names, &values) {
            Some(found) => Ok(found),
            None => set.contains(&Value::record(names, values)),
        })
    }

    fn is_in(&mut self, element: &Value, set: &Node) -> Outcome<bool> {
        let result = match &set.kind {
            Kind::Range(ends) => self.is_between(element, ends),
            Kind::SetOf(items) => {
                // All of them are evaluated, so that one that cannot be is found wherever the element stands.
                let mut found = false;
                for item in items {
                    found |= self.look(item, |_, item| equal(element, item))?;
                }
                Ok(found)
            }
            Kind::Filter(filter) => {
                let (bind, body) = &**filter;
                if !self.is_in(element, &bind.set)? {
                    return Ok(false);
                }
                self.bind(&bind.pattern, element.clone())?;
                self.test(body)
            }
            Kind::Cup(pair) => Ok(self.is_in(element, &pair[0])? || self.is_in(element, &pair[1])?),
            Kind::Cap(pair) => Ok(self.is_in(element, &pair[0])? && self.is_in(element, &pair[1])?),
            Kind::Minus(pair) => Ok(self.is_in(element, &pair[0])? && !self.is_in(element, &pair[1])?),
            Kind::ByName(inner) => self.is_in(element, inner),
            Kind::Scope(entry, body) => {
                self.enter(entry);
                self.is_in(element, body)
            }
            Kind::Lazy(slot, thunk) if !self.slots[*slot as usize].is_set() && is_filter(thunk) => {
                if is_vast_filter(thunk) {
                    self.is_in(element, thunk)
                } else {
                    self.is_in_built(element, set, thunk)
                }
            }
            Kind::Cell(cell) if has_failed(cell) && is_taken_apart(&cell.node) => {
                self.is_in(element, &cell.node)
            }
            Kind::Cell(cell) if is_filter(&cell.node) => {
                if self.is_small(&cell.node)? {
                    self.is_in_built(element, set, &cell.node)
                } else {
                    self.is_in(element, &cell.node)
                }
            }
            _ => self.look(set, |_, set| set.contains(element)),
        };
        result.map_err(|fault| fault.at(set.place))
    }

    /// Membership in a set that is built and kept; one that cannot be, because its condition has no value for some
    /// element, is asked about this element alone.
    fn is_in_built(&mut self, element: &Value, set: &Node, filter: &Node) -> Outcome<bool> {
        match self.look(set, |_, set| set.contains(element)) {
            Err(fault) if fault.is_of_the_specification() => self.is_in(element, filter),
            result => result,
        }
    }

    /// Whether a filtered set is worth building for one question of membership, as there may be more of them.
    fn is_small(&mut self, set: &Node) -> Outcome<bool> {
        match &set.kind {
            Kind::Filter(filter) if is_vast(&filter.0.set) => {
                let base = self.eval(&filter.0.set)?;
                Ok(base.is_at_most(WORTH_BUILDING))
            }
            Kind::ByName(inner) => self.is_small(inner),
            Kind::Scope(entry, inner) => {
                self.enter(entry);
                self.is_small(inner)
            }
            _ => Ok(true),
        }
    }

    /// The elements of the first set that are in the second (`keep`), or those that are not, where the second one
    /// cannot be built: it is asked about each of them.
    pub(super) fn sifted(&mut self, pair: &[Node; 2], keep: bool) -> Outcome<Value> {
        let all = self.eval(&pair[0])?;
        let mut kept = Vec::new();
        for element in &all.explicit("\\cap")?.slice {
            tick(1)?;
            if self.is_in(element, &pair[1])? == keep {
                kept.push(element.clone());
            }
        }
        Ok(Value::from_sorted(kept))
    }

    fn is_between(&mut self, element: &Value, ends: &[Node; 2]) -> Outcome<bool> {
        let lo = self.look(&ends[0], |_, lo| lo.to_int(".."))?;
        let hi = self.look(&ends[1], |_, hi| hi.to_int(".."))?;
        Ok(matches!(element, Value::Int(i) if *i >= lo && *i <= hi))
    }
}

/// Whether membership in a set is decided by its parts.
fn is_taken_apart(set: &Node) -> bool {
    match &set.kind {
        Kind::Range(_) | Kind::SetOf(_) | Kind::Filter(_) | Kind::Cup(_) | Kind::Cap(_) | Kind::Minus(_) => {
            true
        }
        Kind::ByName(inner) => is_taken_apart(inner),
        Kind::Scope(_, inner) => is_taken_apart(inner),
        Kind::Lazy(_, thunk) => is_filter(thunk),
        Kind::Cell(cell) => !matches!(cell.value.get(), Some(Ok(_))) && is_filter(&cell.node),
        _ => false,
    }
}

/// Whether the second of two sets, which could not be built, may be asked about the elements of the first.
pub(super) fn may_be_sifted(fault: &Fault, pair: &[Node; 2]) -> bool {
    let parts = match &pair[1].kind {
        Kind::Cell(cell) if has_failed(cell) => &cell.node,
        _ => &pair[1],
    };
    fault.is_of_the_specification() && is_taken_apart(parts)
}

/// Whether a constant was evaluated and has no value.
fn has_failed(cell: &Cell) -> bool {
    matches!(cell.value.get(), Some(Err(_)))
}

/// Whether a set is filtered out of another.
fn is_filter(set: &Node) -> bool {
    match &set.kind {
        Kind::Filter(_) => true,
        Kind::ByName(inner) => is_filter(inner),
        Kind::Scope(_, inner) => is_filter(inner),
        _ => false,
    }
}

/// Whether a set is filtered out of one that is much larger than what describes it. Any other filter is better built
/// once, if there is a place to keep it.
fn is_vast_filter(set: &Node) -> bool {
    match &set.kind {
        Kind::Filter(filter) => is_vast(&filter.0.set),
        Kind::ByName(inner) => is_vast_filter(inner),
        Kind::Scope(_, inner) => is_vast_filter(inner),
        _ => false,
    }
}

/// Whether a set may be much larger than what describes it.
pub(super) fn is_vast(set: &Node) -> bool {
    match &set.kind {
        Kind::PowerSet(_) | Kind::FunctionSet(_) | Kind::RecordSet(..) | Kind::Times(_) | Kind::Union(_) => {
            true
        }
        Kind::Filter(filter) => is_vast(&filter.0.set),
        Kind::Cell(cell) => is_vast(&cell.node),
        Kind::ByName(inner) | Kind::Lazy(_, inner) => is_vast(inner),
        Kind::Scope(_, inner) => is_vast(inner),
        _ => false,
    }
}
