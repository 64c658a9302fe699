//! Actions taken apart: what an action does, one thing after another, as far as it goes one way.
//!
//! Everything that looks into an action without evaluating it does so here: what a search over packed states splits
//! it into, what an initial predicate has left when all variables have values, what a bound element is asked first,
//! and which disjuncts exclude one another. The order is that in which [`super::act`] evaluates.

use std::ops::ControlFlow;

use super::ir::{Act, ActKind, Bind, Entry, Node, Pattern, Var};
use super::trace::Choices;
use super::with_stack;

/// Something that an action does.
#[derive(Clone, Copy, Debug)]
pub enum Item<'a> {
    /// A condition.
    Condition(&'a Node),
    /// A variable gets a value.
    Value(Var, &'a Node),
    /// A variable gets one of the values of a set.
    OneOf(Var),
    /// Variables keep their values.
    Kept(&'a [Var]),
    /// The items that follow are within a named action.
    Named(u32),
    /// Something is done before what follows.
    Entered(&'a Entry),
    /// It goes on in one of these ways.
    Ways(&'a [Act]),
    /// It goes on in one way for each value of these bounds.
    Bound(&'a [Bind], &'a Act),
    /// It goes on in one of two ways, which a condition decides.
    Branches(&'a [Act; 2]),
    /// Anything else.
    Other,
}

impl Act {
    /// Shows what the action does along the ways that are chosen, each time with the part of the action that does it,
    /// until `see` breaks off. Where no way is chosen, that is one thing, and what comes behind it is shown next.
    pub fn follow<'a, B>(
        &'a self,
        choices: &Choices,
        see: &mut dyn FnMut(Item<'a>, &'a Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match &self.kind {
            ActKind::Guard(node) => see(Item::Condition(node), self),
            ActKind::Assign(var, node) => see(Item::Value(*var, node), self),
            ActKind::Among(var, _) => see(Item::OneOf(*var), self),
            ActKind::Keep(vars, _) => see(Item::Kept(vars), self),
            ActKind::Seq(acts) => acts.iter().try_for_each(|act| within(act, choices, see)),
            ActKind::Or(acts) => self.ways(acts, choices, see),
            ActKind::Choice(choice) => self.ways(&choice.acts, choices, see),
            ActKind::Exists(binds, body) if binds.iter().all(|bind| is_pinned(choices, bind)) => {
                within(body, choices, see)
            }
            ActKind::Exists(binds, body) => see(Item::Bound(binds, body), self),
            ActKind::If(_, branches) => see(Item::Branches(branches), self),
            ActKind::Label(label, inner) => {
                see(Item::Named(*label), self)?;
                within(inner, choices, see)
            }
            ActKind::Scope(entry, inner) => {
                see(Item::Entered(entry), self)?;
                within(inner, choices, see)
            }
            _ => see(Item::Other, self),
        }
    }

    fn ways<'a, B>(
        &'a self,
        acts: &'a [Self],
        choices: &Choices,
        see: &mut dyn FnMut(Item<'a>, &'a Self) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        match choices.chosen(self.id) {
            Some(part) => within(&acts[part], choices, see),
            None => see(Item::Ways(acts), self),
        }
    }
}

fn within<'a, B>(
    act: &'a Act,
    choices: &Choices,
    see: &mut dyn FnMut(Item<'a>, &'a Act) -> ControlFlow<B>,
) -> ControlFlow<B> {
    with_stack(|| act.follow(choices, see))
}

/// Whether there is a value for what a bound binds.
fn is_pinned(choices: &Choices, bind: &Bind) -> bool {
    match bind.pattern {
        Pattern::One(slot) => choices.pinned(slot).is_some(),
        Pattern::Tuple(_) => false,
    }
}
