//! Disjunctions whose parts begin by asking for different values of the same thing.
//!
//! `pc[self] = "a"`, `pc[self] = "b"` and so on: of such parts at most one can be taken, and which one is found by
//! looking once. A part is passed over only if its first conjunct is certainly false, and could not have failed.

use std::sync::Arc;

use crate::value::Value;

use crate::eval::ir::{Act, ActKind, Choice, FieldName, Kind, Node};

/// A disjunction of these.
pub(super) fn disjunction(acts: Vec<Act>) -> Act {
    let asked: Vec<Option<(&Node, &Value)>> = acts.iter().map(asked).collect();
    let count = |on: &Node| asked.iter().flatten().filter(|(other, _)| is_same(on, other)).count();
    let most = asked.iter().flatten().max_by_key(|(on, _)| count(on)).filter(|(on, _)| count(on) > 1);
    let Some(on) = most.and_then(|(on, _)| copy(on)) else { return Act::from(ActKind::Or(acts.into())) };
    let key = |asked: &Option<(&Node, &Value)>| {
        asked.filter(|(other, _)| is_same(&on, other)).map(|(_, value)| value.clone())
    };
    let keys = asked.iter().map(key).collect();
    Act::from(ActKind::Choice(Box::new(Choice { on, keys, acts: acts.into() })))
}

/// The value that an action asks for before anything else, and of what.
fn asked(act: &Act) -> Option<(&Node, &Value)> {
    match &act.kind {
        ActKind::Label(_, inner) | ActKind::Scope(_, inner) => asked(inner),
        ActKind::Seq(acts) => asked(acts.first()?),
        ActKind::Guard(node) => asked_by(node),
        ActKind::Or(acts) => asked_by_all(acts),
        ActKind::Choice(choice) => asked_by_all(&choice.acts),
        _ => None,
    }
}

fn asked_by_all(acts: &[Act]) -> Option<(&Node, &Value)> {
    let (on, value) = asked(acts.first()?)?;
    let is_asked =
        |act: &Act| asked(act).is_some_and(|(other, wanted)| is_same(on, other) && value == wanted);
    acts.iter().all(is_asked).then_some((on, value))
}

fn asked_by(node: &Node) -> Option<(&Node, &Value)> {
    match &node.kind {
        Kind::And(parts) => asked_by(parts.first()?),
        Kind::ByName(inner) => asked_by(inner),
        Kind::Equal(pair) => match &pair[1].kind {
            Kind::Const(value) if value.is_simple() && copy(&pair[0]).is_some() => Some((&pair[0], value)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two expressions are the same, of those that can be copied.
fn is_same(a: &Node, b: &Node) -> bool {
    match (&a.kind, &b.kind) {
        (Kind::ByName(inner), _) => is_same(inner, b),
        (_, Kind::ByName(inner)) => is_same(a, inner),
        (Kind::Var(a), Kind::Var(b)) | (Kind::Slot(a), Kind::Slot(b)) | (Kind::Param(a), Kind::Param(b)) => {
            a == b
        }
        (Kind::Const(a), Kind::Const(b)) => a == b,
        (Kind::Cell(a), Kind::Cell(b)) => a.number == b.number,
        (Kind::Field(a, field), Kind::Field(b, other)) => field.name == other.name && is_same(a, b),
        (Kind::Index(a), Kind::Index(b)) => is_same(&a[0], &b[0]) && is_same(&a[1], &b[1]),
        _ => false,
    }
}

/// A copy of an expression that can be looked at without being evaluated.
fn copy(node: &Node) -> Option<Node> {
    let kind = match &node.kind {
        Kind::Var(var) => Kind::Var(*var),
        Kind::Slot(slot) => Kind::Slot(*slot),
        Kind::Param(slot) => Kind::Param(*slot),
        Kind::Const(value) => Kind::Const(value.clone()),
        Kind::Cell(cell) => Kind::Cell(Arc::clone(cell)),
        Kind::ByName(inner) => return copy(inner),
        Kind::Field(record, field) => Kind::Field(Box::new(copy(record)?), FieldName::new(field.name)),
        Kind::Index(pair) => Kind::Index(Box::new([copy(&pair[0])?, copy(&pair[1])?])),
        _ => return None,
    };
    Some(Node::new(kind, node.place))
}
