//! Conditions on the fields of a bound element that are decided before it is bound.
//!
//! Much of a specification goes through a set of records for those with a certain type, as in
//! `\E m \in msgs : m.type = "ack" /\ ...`. Binding an element costs more than looking at a field of it, so what a body
//! asks of the fields first is looked at first. An element is passed over only if the body would certainly be false,
//! and could not have failed.

use smallvec::SmallVec;

use crate::value::{Symbol, Value};

use super::Context;
use super::ir::{Act, ActKind, Kind, Node, Pattern, Slot};

/// Fields with the values they must have, in the order in which the body asks for them.
#[derive(Default)]
pub(super) struct Wanted(SmallVec<[Asked; 2]>);

struct Asked {
    field: Symbol,
    value: Value,
    /// Where the last element had the field; the next one in a set is likely to be of the same kind.
    place: usize,
}

impl Wanted {
    /// Whether an element does not have what is wanted.
    #[inline]
    pub(super) fn excludes(&mut self, element: &Value) -> bool {
        for Asked { field, value: wanted, place } in &mut self.0 {
            match element.field(*field, *place) {
                Some((at, value)) if value.is_simple() => {
                    *place = at;
                    if !value.is_identical(wanted) {
                        return true;
                    }
                }
                // Whether that fails is seen when the body is evaluated.
                _ => return false,
            }
        }
        false
    }
}

impl Context {
    /// The demands of a condition on the element in `slot`, before anything else.
    pub(super) fn wanted(&self, slot: Slot, condition: &Node) -> Wanted {
        let mut wanted = Wanted::default();
        self.collect(slot, condition, &mut wanted);
        wanted
    }

    /// The same for what a pattern takes, if it takes an element as a whole.
    pub(super) fn wanted_of(&self, pattern: &Pattern, condition: &Node) -> Wanted {
        match pattern {
            Pattern::One(slot) => self.wanted(*slot, condition),
            Pattern::Tuple(_) => Wanted::default(),
        }
    }

    /// The same for an action.
    pub(super) fn wanted_by(&self, slot: Slot, act: &Act) -> Wanted {
        let mut wanted = Wanted::default();
        self.collect_act(slot, act, &mut wanted);
        wanted
    }

    /// Adds what a condition asks for. False if there is more to it.
    fn collect(&self, slot: Slot, condition: &Node, wanted: &mut Wanted) -> bool {
        match &condition.kind {
            Kind::And(parts) => parts.iter().all(|part| self.collect(slot, part, wanted)),
            Kind::Scope(entry, inner) => entry.point.is_none() && self.collect(slot, inner, wanted),
            Kind::ByName(inner) => self.collect(slot, inner, wanted),
            Kind::Equal(pair) => {
                let Kind::Field(record, field) = &pair[0].kind else { return false };
                if !matches!(record.kind, Kind::Slot(of) if of == slot) || !is_fixed(slot, &pair[1]) {
                    return false;
                }
                let value = self.peek(&pair[1]);
                if value.is_simple() {
                    wanted.0.push(Asked { field: field.name, value: value.clone(), place: 0 });
                }
                value.is_simple()
            }
            _ => false,
        }
    }

    fn collect_act(&self, slot: Slot, act: &Act, wanted: &mut Wanted) -> bool {
        match &act.kind {
            ActKind::Seq(acts) => acts.iter().all(|act| self.collect_act(slot, act, wanted)),
            ActKind::Label(_, inner) => self.collect_act(slot, inner, wanted),
            ActKind::Scope(entry, inner) => entry.point.is_none() && self.collect_act(slot, inner, wanted),
            ActKind::Guard(condition) => self.collect(slot, condition, wanted),
            _ => false,
        }
    }
}

/// Whether an expression can be looked at before `slot` is bound.
fn is_fixed(slot: Slot, node: &Node) -> bool {
    match &node.kind {
        Kind::Const(_) | Kind::Cell(_) | Kind::Var(_) | Kind::Primed(_) => true,
        Kind::Slot(other) | Kind::Param(other) => *other != slot,
        Kind::ByName(inner) => is_fixed(slot, inner),
        Kind::Field(inner, _) => is_fixed(slot, inner),
        Kind::Index(pair) => is_fixed(slot, &pair[0]) && is_fixed(slot, &pair[1]),
        _ => false,
    }
}
