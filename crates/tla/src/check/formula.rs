//! Formulas taken apart: what a specification or a property says of initial states, steps, and behaviours.
//!
//! A formula is looked into through definitions with and without parameters, instances, `LET` and parentheses; so a
//! part of it comes with what the names in it stand for.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use locus_tla_eval::compile::{Argument, Compiler, Mode, Opened, Scope};
use locus_tla_eval::value::{Fault, FaultKind, Outcome};
use locus_tla_syntax::semantic::{
    Builtin, DefId, ExprId, ExprKind, Level, LocalId, OpRef, Part as Piece, Program, SubstValue,
};

/// The most conjuncts into which a formula is taken apart.
const MAX_PARTS: usize = 10_000;

/// Where a formula stands: its scope, and the arguments whose slots must be reset before it is evaluated.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) scope: Scope,
    pub(crate) arguments: Vec<Rc<Argument>>,
}

impl Surroundings {
    /// The same, but for the names.
    pub(crate) fn with_scope(&self, scope: Scope) -> Self {
        Self { scope, arguments: self.arguments.clone() }
    }

    /// Further in: other names, and more arguments.
    pub(crate) fn within(&self, scope: Scope, arguments: Vec<Rc<Argument>>) -> Self {
        let mut inner = self.with_scope(scope);
        inner.arguments.extend(arguments);
        inner
    }
}

/// An expression, with what the names in it stand for.
#[derive(Clone)]
pub(crate) struct Closure {
    pub(crate) expr: ExprId,
    pub(crate) around: Surroundings,
}

impl From<ExprId> for Closure {
    fn from(expr: ExprId) -> Self {
        Self { expr, around: Surroundings::default() }
    }
}

impl Closure {
    /// How much of a behaviour it speaks of.
    pub(crate) fn level(&self, compiler: &Compiler<'_>) -> Level {
        level(compiler, self.expr, &self.around.scope)
    }

    fn part(&self, expr: ExprId) -> Self {
        Self { expr, around: self.around.clone() }
    }
}

/// The form of a conjunct of a specification or property.
pub(crate) enum Part {
    /// A predicate on the first state.
    Initial(Closure),
    /// `[]P`, a predicate on every state.
    Invariant(Closure),
    /// `[][A]_v`: the action, and the whole `[A]_v`.
    Steps { action: Closure, square: Closure },
    /// Anything that speaks of behaviours.
    Temporal(Closure),
}

/// Takes a formula apart into conjuncts, through definitions, `LET` and parentheses.
pub(crate) fn parts(compiler: &mut Compiler<'_>, formula: ExprId) -> Outcome<Vec<Part>> {
    let program = compiler.program;
    let mut found = Vec::new();
    let mut todo = vec![(Closure::from(formula), 0_u32)];
    while let Some((closure, depth)) = todo.pop() {
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
        let closure = opened(compiler, closure)?;
        match &program.expr(closure.expr).kind {
            ExprKind::And(conjuncts) => {
                todo.extend(conjuncts.iter().rev().map(|part| (closure.part(*part), depth + 1)));
            }
            ExprKind::Builtin(Builtin::Always, args) => {
                let always = closure.part(args[0]);
                if always.level(compiler) <= Level::State {
                    found.push(Part::Invariant(always));
                    continue;
                }
                let square = opened(compiler, always)?;
                match &program.expr(square.expr).kind {
                    ExprKind::Square(action, _) => {
                        let action = follow(program, square.part(*action), false);
                        found.push(Part::Steps { action, square });
                    }
                    _ => found.push(Part::Temporal(closure)),
                }
            }
            _ if closure.level(compiler) <= Level::State => found.push(Part::Initial(closure)),
            _ => found.push(Part::Temporal(closure)),
        }
    }
    Ok(found)
}

/// Looks through definitions, parameters and `LET` to what a formula is that speaks of more than one state.
fn opened(compiler: &mut Compiler<'_>, closure: Closure) -> Outcome<Closure> {
    let program = compiler.program;
    let mut at = closure;
    for _ in 0..1000 {
        if at.level(compiler) <= Level::State {
            return Ok(at);
        }
        at = follow(program, at, true);
        let place = program.expr(at.expr).place;
        let (op, args) = match &program.expr(at.expr).kind {
            ExprKind::And(parts) if parts.len() == 1 => {
                at = at.part(parts[0]);
                continue;
            }
            ExprKind::Let(defs, body) => {
                let (scope, arguments) = compiler.definitions(defs, &at.around.scope, Mode::default());
                at = Closure { expr: *body, around: at.around.within(scope, arguments) };
                continue;
            }
            ExprKind::Apply(def, args) => (OpRef::Def(*def), args),
            ExprKind::ApplyLocal(local, args) => (OpRef::Local(*local), args),
            ExprKind::ApplyConstant(constant, args) => (OpRef::Constant(*constant), args),
            ExprKind::ApplySubst(subst, args) => (OpRef::Subst(*subst), args),
            _ => return Ok(at),
        };
        let (op, scope) = compiler.resolve_op(op, &at.around.scope);
        let OpRef::Def(def) = op else { return Ok(at) };
        // What calls itself has no conjuncts that could be counted, and what has no body has none at all.
        if program.def(def).recursive || program.def(def).body.is_none() {
            return Ok(at);
        }
        let bindings = compiler.bindings(args, &at.around.scope, Mode::default());
        match compiler.open(def, bindings, &scope, Mode::default(), place, true)? {
            Opened::Done(_) => return Ok(at),
            Opened::Body(body, scope, arguments) => {
                at = Closure { expr: body, around: at.around.within(scope, arguments) };
            }
        }
    }
    Ok(at)
}

/// Follows parameters, labels and (with `definitions`) definitions that take no arguments to what they are.
pub(crate) fn follow(program: &Program, closure: Closure, definitions: bool) -> Closure {
    let mut at = closure;
    for _ in 0..1000 {
        match &program.expr(at.expr).kind {
            ExprKind::Label(_, inner) => at.expr = *inner,
            ExprKind::Local(local) => match at.around.scope.argument_of(*local) {
                Some((expr, scope)) => at = Closure { expr, around: at.around.with_scope(scope) },
                None => break,
            },
            ExprKind::Apply(def, args) if definitions && args.is_empty() => {
                let definition = program.def(*def);
                if let Some((expr, scope)) = at.around.scope.let_definition(*def) {
                    at = Closure { expr, around: at.around.with_scope(scope) };
                } else if let Some(body) = definition.body
                    && !definition.recursive
                    && definition.captures.is_empty()
                {
                    at = Closure { expr: body, around: at.around.with_scope(Scope::default()) };
                } else {
                    break;
                }
            }
            _ => break,
        }
    }
    at
}

/// The conjuncts of a predicate on states, through definitions without parameters.
pub(crate) fn conjuncts(program: &Program, predicate: &Closure) -> Vec<Closure> {
    let mut found = Vec::new();
    let mut todo = vec![(predicate.clone(), 0_u32)];
    while let Some((closure, depth)) = todo.pop() {
        // A definition that uses another one twice, which uses a third one twice, has too many parts to count.
        let is_small = depth < 1000 && found.len() + todo.len() < MAX_PARTS;
        let inner = if is_small { follow(program, closure.clone(), true) } else { closure.clone() };
        match &program.expr(inner.expr).kind {
            ExprKind::And(parts) if is_small => {
                todo.extend(parts.iter().rev().map(|part| (inner.part(*part), depth + 1)));
            }
            // The definition itself, so that it is compiled as it is named.
            _ => found.push(closure),
        }
    }
    found
}

/// How much of a behaviour an expression speaks of where it stands: one that is low by itself may hold a parameter that
/// stands for a formula. Never too low.
pub(crate) fn level(compiler: &Compiler<'_>, expr: ExprId, scope: &Scope) -> Level {
    let program = compiler.program;
    let mut highest = program.expr(expr).level;
    if scope.is(&Scope::default()) {
        return highest;
    }
    let mut seen = FxHashSet::default();
    let mut todo = vec![(expr, scope.clone(), false)];
    while let Some((expr, scope, primed)) = todo.pop() {
        if highest == Level::Temporal || !seen.insert((expr, scope.id(), primed)) {
            continue;
        }
        let kind = &program.expr(expr).kind;
        if matches!(kind, ExprKind::Builtin(Builtin::Enabled, _)) {
            highest = highest.max(Level::State);
            continue;
        }
        let primed = primed || matches!(kind, ExprKind::Builtin(Builtin::Prime | Builtin::Unchanged, _));
        let mut raise = |found: Level| {
            let found = if primed && found == Level::State { Level::Action } else { found };
            highest = highest.max(found);
        };
        let mut locals: Vec<LocalId> = Vec::new();
        let mut defs: Vec<DefId> = Vec::new();
        kind.parts(&mut |piece| match piece {
            Piece::Expr(inner) => todo.push((inner, scope.clone(), primed)),
            Piece::Local(local) => locals.push(local),
            Piece::Def(def) | Piece::Op(OpRef::Def(def)) => defs.push(def),
            Piece::Op(op) => match compiler.resolve_op(op, &scope).0 {
                OpRef::Def(def) => defs.push(def),
                OpRef::Local(local) => locals.push(local),
                _ => {}
            },
            Piece::Subst(subst) => match &program.subst(subst).value {
                SubstValue::Expr(inner) => {
                    raise(program.expr(*inner).level);
                    todo.push((*inner, scope.clone(), primed));
                }
                SubstValue::Op(op) => {
                    if let OpRef::Def(def) = compiler.resolve_op(*op, &scope).0 {
                        defs.push(def);
                    }
                }
            },
            Piece::Binds(_) => {}
        });
        for def in defs {
            raise(program.def(def).level);
            locals.extend(&program.def(def).captures);
        }
        for local in locals {
            if let Some((inner, around)) = scope.argument_of(local) {
                raise(program.expr(inner).level);
                todo.push((inner, around, primed));
            } else if let (OpRef::Def(def), around) = compiler.resolve_op(OpRef::Local(local), &scope) {
                raise(program.def(def).level);
                for captured in &program.def(def).captures {
                    if let Some((inner, around)) = around.argument_of(*captured) {
                        raise(program.expr(inner).level);
                        todo.push((inner, around, primed));
                    }
                }
            }
        }
    }
    highest
}
