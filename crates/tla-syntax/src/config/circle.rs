//! Circles among definitions, which replacing them can make: `Foo <- Bar` where `Bar` is defined by `Foo`.

use rustc_hash::FxHashSet;

use super::Binding;
use crate::semantic::{ConstId, DefId, ExprId, ExprKind, OpRef, Part, Program, SubstId, SubstValue};

/// An item that depends on others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Item {
    /// A definition.
    Def(DefId),
    /// A constant that the configuration binds.
    Constant(ConstId),
}

/// A circle of definitions and constants, unless one of them is declared RECURSIVE; first and last are the same.
pub(super) fn find_circle(program: &Program, constants: &[(ConstId, Binding)]) -> Option<Vec<Item>> {
    let mut done = FxHashSet::default();
    let starts = (0..program.defs.len() as u32).map(|i| Item::Def(DefId(i)));
    for start in starts.chain(constants.iter().map(|(id, _)| Item::Constant(*id))) {
        // A way, with what is still to be followed from each item of it.
        let mut way = vec![(start, needs(program, constants, start))];
        while let Some((item, rest)) = way.last_mut() {
            let Some(next) = rest.pop() else {
                done.insert(*item);
                way.pop();
                continue;
            };
            if done.contains(&next) {
                continue;
            }
            if let Some(first) = way.iter().position(|(item, _)| *item == next) {
                let mut circle: Vec<Item> = way[first..].iter().map(|(item, _)| *item).collect();
                circle.push(next);
                return Some(circle);
            }
            let further = needs(program, constants, next);
            way.push((next, further));
        }
    }
    None
}

/// The items that an item needs for its value. An item that is declared RECURSIVE may need itself, so it is left out.
fn needs(program: &Program, constants: &[(ConstId, Binding)], item: Item) -> Vec<Item> {
    let mut needed = Vec::new();
    let mut todo: Vec<ExprId> = Vec::new();
    match item {
        Item::Def(def) => todo.extend(program.def(def).body),
        Item::Constant(id) => match constants.iter().find(|(known, _)| *known == id) {
            Some((_, Binding::Expr(expr))) => todo.push(*expr),
            Some((_, Binding::Operator(def))) => needed.push(Item::Def(*def)),
            None => {}
        },
    }
    let mut substs: FxHashSet<SubstId> = FxHashSet::default();
    while let Some(expr) = todo.pop() {
        let kind = &program.expr(expr).kind;
        if let ExprKind::Constant(id) = kind {
            needed.push(Item::Constant(*id));
        }
        let mut ops = Vec::new();
        kind.parts(&mut |part| match part {
            Part::Expr(part) => todo.push(part),
            Part::Def(def) => ops.push(OpRef::Def(def)),
            Part::Op(op) => ops.push(op),
            Part::Subst(subst) => ops.push(OpRef::Subst(subst)),
            Part::Local(_) | Part::Binds(_) => {}
        });
        while let Some(op) = ops.pop() {
            match op {
                OpRef::Def(def) => needed.push(Item::Def(def)),
                OpRef::Constant(id) => needed.push(Item::Constant(id)),
                OpRef::Subst(subst) if substs.insert(subst) => match program.subst(subst).value {
                    SubstValue::Expr(expr) => todo.push(expr),
                    SubstValue::Op(op) => ops.push(op),
                },
                OpRef::Subst(_) | OpRef::Local(_) | OpRef::Builtin(_) => {}
            }
        }
    }
    needed.retain(|item| !matches!(item, Item::Def(def) if program.def(*def).recursive));
    needed
}
