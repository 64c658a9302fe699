//! The one walk over the compiled form: the direct parts of each expression and action, and all that is within one.
//!
//! Definitions and arguments are shared between their uses, so a walk looks into each once; and into the body of a
//! recursive operator once, however often it calls itself.

use rustc_hash::FxHashSet;

use super::ir::{Act, ActKind, Bind, Change, Kind, Lambda, Node, Slot};

/// A part of a specification.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// An expression.
    Expression(&'a Node),
    /// An action.
    Action(&'a Act),
}

impl<'a> Part<'a> {
    /// Shows the parts that this one directly consists of, in the order of the text.
    pub fn each(self, see: &mut dyn FnMut(Part<'a>)) {
        match self {
            Self::Expression(node) => each_of_expression(node, see),
            Self::Action(act) => each_of_action(act, see),
        }
    }

    /// Whether this part or one within it is such a one.
    pub fn has(self, is: &mut dyn FnMut(Part<'a>) -> bool) -> bool {
        Walk { seen: FxHashSet::default(), is }.has(self)
    }
}

impl Node {
    /// Whether a slot is read by this expression.
    pub fn reads_slot(&self, slot: Slot) -> bool {
        Part::Expression(self).has(&mut |part| match part {
            Part::Expression(Node { kind, .. }) => match kind {
                Kind::Slot(other) | Kind::Param(other) | Kind::Lazy(other, _) | Kind::Shadow(other) => {
                    *other == slot
                }
                _ => false,
            },
            Part::Action(_) => false,
        })
    }
}

struct Walk<'w, 'a> {
    /// A part that may be met again: shared expressions by their numbers, recursive operators by those of their bodies.
    seen: FxHashSet<Shared>,
    is: &'w mut dyn FnMut(Part<'a>) -> bool,
}

/// The number of what may be met again.
#[derive(PartialEq, Eq, Hash)]
enum Shared {
    Expression(super::ir::NodeId),
    Action(super::ir::ActId),
}

impl<'a> Walk<'_, 'a> {
    fn has(&mut self, part: Part<'a>) -> bool {
        if (self.is)(part) {
            return true;
        }
        let may_recur = match part {
            Part::Expression(node) => {
                matches!(node.kind, Kind::Lazy(..) | Kind::ByName(_) | Kind::Cell(_) | Kind::Call(..))
            }
            Part::Action(act) => matches!(act.kind, ActKind::Call(..) | ActKind::Apply(..)),
        };
        let mut found = false;
        part.each(&mut |inner| {
            let is_new = !may_recur
                || self.seen.insert(match inner {
                    Part::Expression(node) => Shared::Expression(node.id),
                    Part::Action(act) => Shared::Action(act.id),
                });
            found = found || is_new && stacker::maybe_grow(64 << 10, 1 << 20, || self.has(inner));
        });
        found
    }
}

fn each_of_expression<'a>(node: &'a Node, see: &mut dyn FnMut(Part<'a>)) {
    let mut all = |nodes: &'a [Node]| nodes.iter().for_each(|node| see(Part::Expression(node)));
    match &node.kind {
        Kind::Const(_)
        | Kind::Var(_)
        | Kind::Primed(_)
        | Kind::Slot(_)
        | Kind::Param(_)
        | Kind::ChooseUnbounded
        | Kind::Unchanged(_)
        | Kind::Shadow(_)
        | Kind::Refuse(_) => {}
        Kind::Cell(cell) => see(Part::Expression(&cell.node)),
        Kind::Lazy(_, inner) | Kind::ByName(inner) => see(Part::Expression(inner)),
        Kind::Scope(_, inner)
        | Kind::Not(inner)
        | Kind::PowerSet(inner)
        | Kind::Union(inner)
        | Kind::Domain(inner)
        | Kind::Field(inner, _)
        | Kind::Negate(inner)
        | Kind::Unary(_, inner)
        | Kind::InNext(inner) => see(Part::Expression(inner)),
        Kind::And(parts)
        | Kind::Or(parts)
        | Kind::SetOf(parts)
        | Kind::Record(_, parts)
        | Kind::RecordSet(_, parts)
        | Kind::Tuple(parts)
        | Kind::Times(parts)
        | Kind::Native(_, parts) => all(parts),
        Kind::Implies(parts)
        | Kind::Equiv(parts)
        | Kind::Equal(parts)
        | Kind::Unequal(parts)
        | Kind::In(parts)
        | Kind::NotIn(parts)
        | Kind::Subset(parts)
        | Kind::Cup(parts)
        | Kind::Cap(parts)
        | Kind::Minus(parts)
        | Kind::FunctionSet(parts)
        | Kind::Index(parts)
        | Kind::Arithmetic(_, parts)
        | Kind::Compare(_, parts)
        | Kind::Range(parts)
        | Kind::Binary(_, parts) => all(&**parts),
        Kind::If(parts) => all(&**parts),
        Kind::Case(arms, other) => {
            for (condition, value) in arms {
                see(Part::Expression(condition));
                see(Part::Expression(value));
            }
            if let Some(other) = other {
                see(Part::Expression(other));
            }
        }
        Kind::Quantifier(_, body) | Kind::Map(body) => {
            each_set(&body.binds, see);
            see(Part::Expression(&body.body));
        }
        Kind::Choose(bind, body) => {
            each_set(std::slice::from_ref(bind), see);
            see(Part::Expression(body));
        }
        Kind::Filter(filter) => {
            each_set(std::slice::from_ref(&filter.0), see);
            see(Part::Expression(&filter.1));
        }
        Kind::Function(function) => {
            each_set(&function.binds, see);
            see(Part::Expression(&function.body));
        }
        Kind::Except(base, changes) => {
            see(Part::Expression(base));
            for Change { path, value, .. } in changes {
                path.iter().for_each(|step| see(Part::Expression(step)));
                see(Part::Expression(value));
            }
        }
        Kind::NativeOver(_, parts, lambdas) => {
            all(parts);
            lambdas.iter().for_each(|Lambda { body, .. }| see(Part::Expression(body)));
        }
        Kind::Call(code, arguments) => {
            all(arguments);
            code.body.get().into_iter().for_each(|body| see(Part::Expression(&body.node)));
        }
        Kind::Enabled(act) => see(Part::Action(act)),
        Kind::Composed(parts) => {
            see(Part::Action(&parts.0));
            see(Part::Expression(&parts.1));
        }
    }
}

fn each_of_action<'a>(act: &'a Act, see: &mut dyn FnMut(Part<'a>)) {
    let mut all = |acts: &'a [Act]| acts.iter().for_each(|act| see(Part::Action(act)));
    match &act.kind {
        ActKind::Guard(node)
        | ActKind::Assign(_, node)
        | ActKind::Among(_, node)
        | ActKind::AssignShadow(_, node)
        | ActKind::AmongShadow(_, node) => see(Part::Expression(node)),
        ActKind::Keep(..) | ActKind::Passed(_) => {}
        ActKind::Seq(acts) | ActKind::Or(acts) => all(acts),
        ActKind::Choice(choice) => all(&choice.acts),
        ActKind::Exists(binds, body) | ActKind::Forall(binds, body, _) => {
            each_set(binds, see);
            see(Part::Action(body));
        }
        ActKind::If(condition, branches) => {
            see(Part::Expression(condition));
            branches.iter().for_each(|act| see(Part::Action(act)));
        }
        ActKind::Case(arms, other, _) => {
            for (condition, act) in arms {
                see(Part::Expression(condition));
                see(Part::Action(act));
            }
            if let Some(other) = other {
                see(Part::Action(other));
            }
        }
        ActKind::Scope(_, inner) | ActKind::Label(_, inner) => see(Part::Action(inner)),
        ActKind::Composed(acts) => all(&**acts),
        ActKind::Call(code, arguments) => {
            arguments.iter().for_each(|argument| see(Part::Expression(argument)));
            code.body.get().into_iter().for_each(|(body, _)| see(Part::Action(body)));
        }
        ActKind::Apply(code, argument) => {
            see(Part::Expression(argument));
            each_set(&code.binds, see);
            code.body.get().into_iter().for_each(|(body, _)| see(Part::Action(body)));
        }
    }
}

fn each_set<'a>(binds: &'a [Bind], see: &mut dyn FnMut(Part<'a>)) {
    for bind in binds {
        see(Part::Expression(&bind.set));
    }
}
