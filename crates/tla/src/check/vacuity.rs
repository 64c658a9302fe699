//! The implications of invariants: one whose premise is never true says nothing.
//!
//! They are looked for where an invariant needs them all to be true: in conjunctions, under `\A`, in the conclusions of
//! other implications, through definitions. What stands under `\A` is never true if it is true for no values of the
//! bound variables.

use locus_tla_eval::compile::{Compiler, Mode, Opened, Scope};
use locus_tla_eval::eval::ir::{Kind, Loop, Node};
use locus_tla_eval::value::Outcome;
use locus_tla_syntax::semantic::{Builtin, ExprId, ExprKind, Level, Program};

use super::formula::Closure;
use crate::machine::Premise;

/// The most implications of one conjunct that are looked at.
const MAX_PREMISES: usize = 64;
/// The deepest nesting of what is looked into.
const MAX_DEPTH: u32 = 100;

/// The way from a formula to a premise: which conjunct, and of an implication its premise (0) or its conclusion (1).
type Way = Vec<usize>;

/// The premises of the implications in a predicate.
pub(super) fn premises(compiler: &mut Compiler<'_>, predicate: &Closure) -> Outcome<Vec<Premise>> {
    let Closure { expr, around } = predicate;
    let mut ways = Vec::new();
    find(compiler.program, *expr, 0, &mut Vec::new(), &mut ways);
    let mut found = Vec::new();
    for (way, premise) in ways {
        let (node, vars) = compiler.watched(|compiler| {
            let node = along(compiler, *expr, &around.scope, &mut way.iter())?;
            Ok(node.map(|node| compiler.scoped(&around.arguments, node)))
        })?;
        if let Some(node) = node {
            found.push(Premise::new(compiler.program.expr(premise).place, (node, vars)));
        }
    }
    Ok(found)
}

fn find(program: &Program, expr: ExprId, depth: u32, way: &mut Way, found: &mut Vec<(Way, ExprId)>) {
    if depth > MAX_DEPTH || found.len() >= MAX_PREMISES {
        return;
    }
    match &program.expr(expr).kind {
        ExprKind::And(parts) => {
            for (i, part) in parts.iter().enumerate() {
                way.push(i);
                find(program, *part, depth + 1, way, found);
                way.pop();
            }
        }
        ExprKind::Builtin(Builtin::Implies, args) => {
            way.push(0);
            found.push((way.clone(), args[0]));
            way.pop();
            way.push(1);
            find(program, args[1], depth + 1, way, found);
            way.pop();
        }
        ExprKind::Label(_, inner) | ExprKind::Quantifier(true, _, inner) | ExprKind::Let(_, inner) => {
            find(program, *inner, depth + 1, way, found);
        }
        ExprKind::Apply(def, _) => {
            let definition = program.def(*def);
            if let Some(body) = definition.body
                && !definition.recursive
                && definition.level > Level::Constant
            {
                find(program, body, depth + 1, way, found);
            }
        }
        _ => {}
    }
}

/// Compiles the premise at the end of a way, together with what must be true for it to count. None if the way turns out
/// to lead into something that is kept as a whole.
fn along(
    compiler: &mut Compiler<'_>,
    expr: ExprId,
    scope: &Scope,
    way: &mut std::slice::Iter<'_, usize>,
) -> Outcome<Option<Node>> {
    let mode = Mode::default();
    let node = compiler.program.expr(expr);
    let place = node.place;
    match &node.kind {
        ExprKind::And(parts) => match way.next() {
            Some(part) => along(compiler, parts[*part], scope, way),
            None => Ok(None),
        },
        ExprKind::Builtin(Builtin::Implies, args) => {
            let premise = compiler.expr(args[0], scope, mode)?;
            if way.next() == Some(&0) {
                return Ok(Some(premise));
            }
            let Some(inner) = along(compiler, args[1], scope, way)? else { return Ok(None) };
            Ok(Some(Node::new(Kind::And(Box::new([premise, inner])), place)))
        }
        ExprKind::Label(_, inner) => along(compiler, *inner, scope, way),
        ExprKind::Quantifier(true, bounds, body) => {
            let (binds, inner) = compiler.bounds(bounds, scope, mode, place)?;
            let body = along(compiler, *body, &inner, way)?;
            compiler.unbind(&binds);
            let some = |body| {
                let each = Loop { binds: binds.into(), body, names: Box::new([]) };
                Node::new(Kind::Quantifier(false, Box::new(each)), place)
            };
            Ok(body.map(some))
        }
        ExprKind::Let(defs, body) => {
            let (inner, lazies) = compiler.definitions(defs, scope, mode);
            let body = along(compiler, *body, &inner, way)?;
            Ok(body.map(|body| compiler.scoped(&lazies, body)))
        }
        ExprKind::Apply(def, args) => {
            if args.is_empty()
                && let Some((inner, scope)) = scope.let_definition(*def)
            {
                return along(compiler, inner, &scope, way);
            }
            let bindings = compiler.bindings(args, scope, mode);
            match compiler.open(*def, bindings, scope, mode, place, true)? {
                Opened::Done(_) => Ok(None),
                Opened::Body(body, inner, lazies) => {
                    let body = along(compiler, body, &inner, way)?;
                    Ok(body.map(|body| compiler.scoped(&lazies, body)))
                }
            }
        }
        _ => Ok(None),
    }
}
