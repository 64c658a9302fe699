//! Which locals of its surroundings a definition uses.

use std::collections::BTreeSet;

use super::program::{DefId, DefKind, ExprId, LocalId, OpRef, Program, SubstId, SubstValue};
use super::visit::Part;

/// Fills [`Definition::captures`](super::Definition::captures) of all definitions from `first` on.
pub(crate) fn find_captures(program: &mut Program, first: usize) {
    // What a substitution uses depends on definitions and the other way round, and definitions may be recursive;
    // so both grow until nothing changes.
    let mut substs = vec![BTreeSet::new(); program.substs.len()];
    loop {
        let mut changed = false;
        for i in 0..substs.len() {
            let found = free_of_value(program, &substs, SubstId(i as u32));
            if found.len() > substs[i].len() {
                substs[i] = found;
                changed = true;
            }
        }
        for i in first..program.defs.len() {
            let Some(body) = program.defs[i].body else { continue };
            if !matches!(program.defs[i].kind, DefKind::Let | DefKind::Lambda) {
                continue;
            }
            let mut found = free(program, &substs, body);
            for param in &program.defs[i].params {
                found.remove(param);
            }
            if found.len() > program.defs[i].captures.len() {
                program.defs[i].captures = found.into_iter().collect();
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn free_of_value(program: &Program, substs: &[BTreeSet<LocalId>], subst: SubstId) -> BTreeSet<LocalId> {
    match program.subst(subst).value {
        SubstValue::Expr(expr) => free(program, substs, expr),
        SubstValue::Op(op) => {
            let mut found = BTreeSet::new();
            free_of_op(program, substs, op, &mut found);
            found
        }
    }
}

fn free_of_op(program: &Program, substs: &[BTreeSet<LocalId>], op: OpRef, found: &mut BTreeSet<LocalId>) {
    match op {
        OpRef::Def(def) => found.extend(&program.def(def).captures),
        OpRef::Local(local) => {
            found.insert(local);
        }
        OpRef::Subst(subst) => found.extend(&substs[subst.index()]),
        OpRef::Constant(_) | OpRef::Builtin(_) => {}
    }
}

/// The locals that an expression uses and does not bind.
fn free(program: &Program, substs: &[BTreeSet<LocalId>], expr: ExprId) -> BTreeSet<LocalId> {
    let (mut used, mut bound) = (BTreeSet::new(), BTreeSet::new());
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        program.expr(expr).kind.parts(&mut |part| match part {
            Part::Expr(expr) => todo.push(expr),
            Part::Op(op) => free_of_op(program, substs, op, &mut used),
            Part::Subst(subst) => used.extend(&substs[subst.index()]),
            Part::Local(local) => {
                used.insert(local);
            }
            Part::Binds(local) => {
                bound.insert(local);
            }
            Part::Def(DefId(def)) => used.extend(&program.defs[def as usize].captures),
        });
    }
    used.retain(|local| !bound.contains(local));
    used
}
