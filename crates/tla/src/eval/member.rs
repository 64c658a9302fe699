//! Membership in a set as it is written, so that the set need not be built.

use smallvec::SmallVec;

use crate::value::{Outcome, Value, equal};

use super::Context;
use super::ir::{Cell, Kind, Node};

impl Context {
    /// `a \in b`.
    pub(super) fn member(&mut self, pair: &[Node; 2]) -> Outcome<bool> {
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
            Kind::Scope(reset, body) => {
                self.reset(reset);
                self.is_in(element, body)
            }
            Kind::Lazy(slot, thunk) if !self.slots[*slot as usize].is_set() && is_vast_filter(thunk) => {
                self.is_in(element, thunk)
            }
            _ => self.look(set, |_, set| set.contains(element)),
        };
        result.map_err(|fault| fault.at(set.place))
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
        Kind::Lazy(_, thunk) => is_vast_filter(thunk),
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

fn is_vast(set: &Node) -> bool {
    match &set.kind {
        Kind::PowerSet(_) | Kind::FunctionSet(_) | Kind::RecordSet(..) | Kind::Times(_) => true,
        Kind::Filter(filter) => is_vast(&filter.0.set),
        Kind::Cell(cell) => is_vast(&cell.node),
        Kind::ByName(inner) | Kind::Lazy(_, inner) => is_vast(inner),
        Kind::Scope(_, inner) => is_vast(inner),
        _ => false,
    }
}
