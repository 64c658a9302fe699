//! Bounds made tighter by what the formula says outright.
//!
//! A conjunct `r = e`, `r in e`, `e in r`, `no r` or `one r` of the whole formula, and the same for a row `a.r` of a
//! relation, bounds `r` by what is certain and what is possible of `e`. A tuple that is decided here costs neither a
//! variable nor a gate later. The conjunct itself stays: where bounds and conjunct contradict each other, that is for
//! the solver to find.

use crate::ast::{Ast, Expr, ExprNode, Formula, FormulaNode, Mult, Relation};
use crate::bounds::{Bound, Bounds};
use crate::circuit::Lit;
use crate::error::SolveError;
use crate::ground::{Grounder, Limits};
use crate::ints::IntMode;
use crate::sat::Interrupt;
use crate::tuples::TupleSet;
use crate::universe::Atom;

/// How often bounds are gone through; each round may use what the one before found.
const ROUNDS: usize = 8;

/// A relation, or the part of it that begins with some atoms.
struct Target {
    relation: Relation,
    prefix: Vec<Atom>,
}

/// Tightens bounds as far as the conjuncts allow.
pub(crate) fn propagate(
    ast: &Ast,
    bounds: &mut Bounds,
    conjuncts: &[Formula],
    mode: IntMode,
    limits: Limits,
    interrupt: &Interrupt,
) -> Result<(), SolveError> {
    let candidates: Vec<Formula> = conjuncts.iter().copied().filter(|&f| is_candidate(ast, f)).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    for _ in 0..ROUNDS {
        let changes = {
            let mut grounder = Grounder::new(ast, bounds, mode, limits, interrupt)?;
            let mut changes = Vec::new();
            for &formula in &candidates {
                consider(ast, &mut grounder, formula, &mut changes)?;
            }
            changes
        };
        let mut changed = false;
        for (target, lower, upper) in changes {
            changed |= tighten(bounds, &target, lower.as_ref(), upper.as_ref());
        }
        if !changed {
            break;
        }
    }
    Ok(())
}

fn is_candidate(ast: &Ast, formula: Formula) -> bool {
    match ast.formula(formula) {
        FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
            leads_to_relation(ast, *a) || leads_to_relation(ast, *b)
        }
        FormulaNode::Mult(_, a) => leads_to_relation(ast, *a),
        _ => false,
    }
}

fn leads_to_relation(ast: &Ast, expr: Expr) -> bool {
    match ast.expr(expr) {
        ExprNode::Relation(_) => true,
        ExprNode::Join(_, b) => leads_to_relation(ast, *b),
        _ => false,
    }
}

type Change = (Target, Option<TupleSet>, Option<TupleSet>);

fn consider(
    ast: &Ast,
    grounder: &mut Grounder<'_>,
    formula: Formula,
    changes: &mut Vec<Change>,
) -> Result<(), SolveError> {
    match *ast.formula(formula) {
        FormulaNode::In(a, b) => {
            bound_by(ast, grounder, a, b, false, true, changes)?;
            bound_by(ast, grounder, b, a, true, false, changes)?;
        }
        FormulaNode::Equal(a, b) => {
            bound_by(ast, grounder, a, b, true, true, changes)?;
            bound_by(ast, grounder, b, a, true, true, changes)?;
        }
        FormulaNode::Mult(mult, e) => {
            let Some(target) = target(ast, grounder, e)? else { return Ok(()) };
            let matrix = grounder.ground_expr(e)?;
            let (lower, upper) = (matrix.lower(grounder.packing), matrix.upper(grounder.packing));
            match mult {
                Mult::No => changes.push((target, None, Some(TupleSet::empty(upper.arity())))),
                Mult::Lone | Mult::One if lower.len() == 1 => changes.push((target, None, Some(lower))),
                Mult::Some | Mult::One if upper.len() == 1 => changes.push((target, Some(upper), None)),
                _ => {}
            }
        }
        _ => {}
    }
    Ok(())
}

/// Bounds one side by the other, from below, from above or both.
fn bound_by(
    ast: &Ast,
    grounder: &mut Grounder<'_>,
    side: Expr,
    by: Expr,
    from_below: bool,
    from_above: bool,
    changes: &mut Vec<Change>,
) -> Result<(), SolveError> {
    let Some(target) = target(ast, grounder, side)? else { return Ok(()) };
    let matrix = grounder.ground_expr(by)?;
    if matrix.overflow != Lit::FALSE {
        return Ok(());
    }
    let lower = from_below.then(|| matrix.lower(grounder.packing));
    let upper = from_above.then(|| matrix.upper(grounder.packing));
    changes.push((target, lower, upper));
    Ok(())
}

/// Returns the part of a relation that an expression is, if that is certain.
fn target(ast: &Ast, grounder: &mut Grounder<'_>, expr: Expr) -> Result<Option<Target>, SolveError> {
    match *ast.expr(expr) {
        ExprNode::Relation(relation) => Ok(Some(Target { relation, prefix: Vec::new() })),
        ExprNode::Join(a, b) if ast.arity(a) == 1 && leads_to_relation(ast, b) => {
            let Some(mut target) = target(ast, grounder, b)? else { return Ok(None) };
            let matrix = grounder.ground_expr(a)?;
            if matrix.cells.len() != 1 || !matrix.is_constant() {
                return Ok(None);
            }
            target.prefix.extend_from_slice(matrix.lower(grounder.packing).get(0));
            Ok(Some(target))
        }
        _ => Ok(None),
    }
}

/// Applies what was found. Says whether it changed anything; nothing is changed where it would contradict the bounds.
fn tighten(bounds: &mut Bounds, target: &Target, lower: Option<&TupleSet>, upper: Option<&TupleSet>) -> bool {
    let Some(Bound { lower: old_lower, upper: old_upper }) = bounds.get(target.relation).cloned() else {
        return false;
    };
    let width = target.prefix.len();
    let mut new_upper = old_upper.clone();
    if let Some(upper) = upper {
        let kept =
            old_upper.iter().filter(|t| t[..width] != target.prefix[..] || upper.contains(&t[width..]));
        new_upper = TupleSet::from_tuples(old_upper.arity(), kept);
    }
    let mut new_lower = old_lower.clone();
    if let Some(lower) = lower {
        let added = lower.iter().map(|t| [&target.prefix[..], t].concat());
        new_lower = new_lower.union(&TupleSet::from_tuples(old_lower.arity(), added));
    }
    if !new_lower.is_subset(&new_upper) || (new_lower == old_lower && new_upper == old_upper) {
        return false;
    }
    bounds.bound(target.relation, new_lower, new_upper);
    true
}
