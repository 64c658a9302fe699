//! Formulas taken apart: what a specification or a property says of initial states, steps, and behaviours.

use crate::semantic::{Builtin, ExprId, ExprKind, Level, Program};
use crate::value::{Fault, FaultKind, Outcome};

/// The most conjuncts into which a formula is taken apart.
const MAX_PARTS: usize = 10_000;

/// What a conjunct of a specification or property says.
pub(crate) enum Part {
    /// A predicate on the first state.
    Initial(ExprId),
    /// `[]P`, a predicate on every state.
    Invariant(ExprId),
    /// `[][A]_v`: the action, and the whole `[A]_v`.
    Steps { action: ExprId, square: ExprId },
    /// Anything that speaks of behaviours.
    Temporal(ExprId),
}

/// Takes a formula apart into conjuncts, through definitions, `LET` and parentheses.
pub(crate) fn parts(program: &Program, formula: ExprId) -> Outcome<Vec<Part>> {
    let mut found = Vec::new();
    let mut todo = vec![(formula, 0_u32)];
    while let Some((expr, depth)) = todo.pop() {
        if depth > 1000 {
            return Err(Fault::kind(FaultKind::Limit(
                "definitions are nested too deeply",
                "1000".to_owned(),
            )));
        }
        if found.len() + todo.len() > MAX_PARTS {
            let figure = format!("more than {MAX_PARTS}");
            return Err(Fault::kind(FaultKind::Limit("a formula has too many conjuncts", figure)));
        }
        let node = program.expr(expr);
        match &node.kind {
            ExprKind::And(conjuncts) => {
                todo.extend(conjuncts.iter().rev().map(|part| (*part, depth + 1)));
            }
            ExprKind::Label(_, inner) => todo.push((*inner, depth + 1)),
            ExprKind::Apply(def, args) if args.is_empty() && node.level > Level::State => {
                match program.def(*def).body {
                    Some(body) if !program.def(*def).recursive => todo.push((body, depth + 1)),
                    _ => found.push(Part::Temporal(expr)),
                }
            }
            ExprKind::Builtin(Builtin::Always, args) => {
                let inner = through_definitions(program, args[0]);
                match &program.expr(inner).kind {
                    ExprKind::Square(action, _) => {
                        found.push(Part::Steps { action: *action, square: inner });
                    }
                    _ if program.expr(args[0]).level <= Level::State => {
                        found.push(Part::Invariant(args[0]));
                    }
                    _ => found.push(Part::Temporal(expr)),
                }
            }
            _ if node.level <= Level::State => found.push(Part::Initial(expr)),
            _ => found.push(Part::Temporal(expr)),
        }
    }
    Ok(found)
}

/// Follows definitions without parameters to what they are.
pub(crate) fn through_definitions(program: &Program, expr: ExprId) -> ExprId {
    let mut at = expr;
    for _ in 0..1000 {
        at = match &program.expr(at).kind {
            ExprKind::Label(_, inner) => *inner,
            ExprKind::Apply(def, args) if args.is_empty() && !program.def(*def).recursive => {
                match program.def(*def).body {
                    Some(body) => body,
                    None => break,
                }
            }
            _ => break,
        };
    }
    at
}

/// The conjuncts of a predicate on states, through definitions without parameters.
pub(crate) fn conjuncts(program: &Program, predicate: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut todo = vec![(predicate, 0_u32)];
    while let Some((expr, depth)) = todo.pop() {
        // A definition that uses another one twice, which uses a third one twice, has too many parts to count.
        let is_small = depth < 1000 && found.len() + todo.len() < MAX_PARTS;
        let inner = if is_small { through_definitions(program, expr) } else { expr };
        match &program.expr(inner).kind {
            ExprKind::And(parts) if is_small => {
                todo.extend(parts.iter().rev().map(|part| (*part, depth + 1)));
            }
            // The definition itself, so that it is compiled as it is named.
            _ => found.push(expr),
        }
    }
    found
}
