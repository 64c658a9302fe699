//! Compilation of applications that are actions and may call themselves: recursive operators that give variables
//! their next values, and functions that are applied where an action is expected.
//!
//! Either could be evaluated as a condition if it gives nothing a value. But TLC looks into both as it does into any
//! other part of an action, so each way through their disjunctions counts; only what has one way is left a condition.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use locus_source::Place;

use crate::semantic::{DefId, ExprId, ExprKind, OpRef, SubstValue};
use crate::value::{Fault, Outcome};

use super::Compiler;
use super::application::Arguments;
use super::expression::unsupported;
use super::scope::{Binding, DefBinding, Mode, Scope};
use crate::eval::ir::{Act, ActCode, ActKind, Params, Slot};

/// The most such applications that are compiled one within the other.
const MAX_ACTIVE: usize = 200;

/// An application whose body is being compiled.
pub(super) struct ActiveAct {
    what: What,
    mode: Mode,
    scope: Scope,
    pub(super) code: Arc<ActCode>,
}

/// The operator or function that is applied.
enum What {
    Operator(DefId, Vec<(OpRef, Scope)>),
    Function(ExprId),
}

impl What {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Operator(a, x), Self::Operator(b, y)) => {
                a == b && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.0 == y.0 && x.1.is(&y.1))
            }
            (Self::Function(a), Self::Function(b)) => a == b,
            _ => false,
        }
    }
}

impl Compiler<'_> {
    /// A recursive operator as an action; none if it is a condition that has one way of being true.
    pub(super) fn call_act(
        &mut self,
        def: DefId,
        bindings: Vec<Binding>,
        scope: Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Option<Act>> {
        let definition = self.program.def(def);
        let Arguments { operators, nodes, vary } =
            self.arguments(&definition.params, bindings, mode, place)?;
        let what = What::Operator(def, operators.clone());
        if let Some(code) = self.active_act(&what, &scope, mode) {
            code.params.vary.fetch_or(vary, Ordering::Relaxed);
            return Ok(Some(Act::from(ActKind::Call(code, nodes.into()))));
        }
        let first = self.slots;
        let mut inner = scope.clone();
        let mut params: Vec<Slot> = Vec::new();
        let mut operators = operators.into_iter();
        for param in &definition.params {
            let binding = if self.program.local(*param).arity > 0 {
                let (op, around) =
                    operators.next().ok_or_else(|| Fault::other("an operator is expected here").at(place))?;
                Binding::Op(op, around)
            } else {
                params.push(self.slot());
                Binding::Param(self.slots - 1, mode.prime)
            };
            inner = inner.with_local(*param, binding);
        }
        let code = Arc::new(ActCode {
            name: self.text(definition.name).into(),
            place: definition.name_place,
            params: Params::new(params),
            binds: Box::default(),
            body: OnceLock::new(),
        });
        code.params.vary.store(vary, Ordering::Relaxed);
        let body = definition.body.expect("operators without a body are native");
        let active = ActiveAct { what, mode, scope, code: Arc::clone(&code) };
        let splits = self.act_code(active, body, &inner, first, place)?;
        Ok(splits.then(|| Act::from(ActKind::Call(code, nodes.into()))))
    }

    /// A function, applied where an action is expected; none if it is not known which, or if it is a condition that
    /// has one way of being true.
    pub(super) fn function_act(
        &mut self,
        function: ExprId,
        args: &[ExprId],
        scope: &Scope,
        mode: Mode,
    ) -> Outcome<Option<Act>> {
        let Some((function, scope_of_it)) = self.as_function(function, scope) else { return Ok(None) };
        let ExprKind::Function { bounds, body, this } = &self.program.expr(function).kind else {
            return Ok(None);
        };
        let place = self.place(function);
        let what = What::Function(function);
        if let Some(code) = self.active_act(&what, &scope_of_it, mode) {
            let argument = self.tuple_of(args, scope, mode)?;
            return Ok(Some(Act::from(ActKind::Apply(code, Box::new(argument)))));
        }
        let first = self.slots;
        let (binds, mut inner) = self.bounds(bounds, &scope_of_it, mode, place)?;
        if let Some(this) = this {
            let itself = Self::argument(function, &scope_of_it, mode);
            inner = inner.with_local(*this, Binding::Expr(itself));
        }
        let code = Arc::new(ActCode {
            name: "".into(),
            place,
            params: Params::default(),
            binds: binds.into(),
            body: OnceLock::new(),
        });
        let active = ActiveAct { what, mode, scope: scope_of_it, code: Arc::clone(&code) };
        if !self.act_code(active, *body, &inner, first, place)? {
            return Ok(None);
        }
        let argument = self.tuple_of(args, scope, mode)?;
        Ok(Some(Act::from(ActKind::Apply(code, Box::new(argument)))))
    }

    fn active_act(&mut self, what: &What, scope: &Scope, mode: Mode) -> Option<Arc<ActCode>> {
        let active = self
            .active_acts
            .iter()
            .find(|active| active.mode == mode && active.scope.is(scope) && active.what.is(what))?;
        Some(Arc::clone(&active.code))
    }

    /// Compiles the body of an application, and says whether it has to be an action.
    fn act_code(
        &mut self,
        active: ActiveAct,
        body: ExprId,
        inner: &Scope,
        first: Slot,
        place: Place,
    ) -> Outcome<bool> {
        if self.active_acts.len() > MAX_ACTIVE {
            let what = "a recursive action that takes a new operator or function each time it calls itself";
            return Err(unsupported(what.to_owned()).at(place));
        }
        let (mode, code) = (active.mode, Arc::clone(&active.code));
        self.active_acts.push(active);
        let (act, mut facts) = self.separately(|this| this.act(body, inner, mode, false));
        self.active_acts.pop();
        for slot in &code.params.slots {
            facts.bind(*slot);
        }
        self.facts.merge(&facts);
        self.unbind(&code.binds);
        let act = act?;
        let splits = has_ways(&act, &code);
        let _ = code.body.set((act, (first, self.slots)));
        Ok(splits)
    }

    /// The function constructor that an expression is, through definitions and parameters.
    fn as_function(&self, expr: ExprId, scope: &Scope) -> Option<(ExprId, Scope)> {
        let (mut expr, mut scope) = (expr, scope.clone());
        for _ in 0..1000 {
            match &self.program.expr(expr).kind {
                ExprKind::Function { .. } => return Some((expr, scope)),
                ExprKind::Label(_, inner) => expr = *inner,
                ExprKind::Local(local) => match scope.local(*local)?.clone() {
                    Binding::Expr(argument) if !argument.mode.prime => {
                        expr = argument.expr;
                        let inner = argument.scope.borrow().clone();
                        scope = inner;
                    }
                    _ => return None,
                },
                ExprKind::Subst(subst) => match self.program.subst(*subst).value {
                    SubstValue::Expr(inner) => expr = inner,
                    SubstValue::Op(_) => return None,
                },
                ExprKind::Apply(def, args) if args.is_empty() => {
                    if let Some(DefBinding::Expr(argument)) = scope.def(*def).cloned() {
                        expr = argument.expr;
                        let inner = argument.scope.borrow().clone();
                        scope = inner;
                        continue;
                    }
                    // A function that is the same in every state is evaluated once, and then it is a value.
                    if self.is_constant_def(*def) {
                        return None;
                    }
                    expr = self.program.def(*def).body?;
                    if self.program.def(*def).captures.is_empty() {
                        scope = Scope::default();
                    }
                }
                _ => return None,
            }
        }
        None
    }
}

/// Whether the body of an application gives variables values, or can be true in more ways than one. Another
/// application within would not be an action if it did not.
fn has_ways(act: &Act, own: &Arc<ActCode>) -> bool {
    match &act.kind {
        ActKind::Guard(_) | ActKind::Passed(_) => false,
        ActKind::Call(code, _) | ActKind::Apply(code, _) => !Arc::ptr_eq(code, own),
        ActKind::Seq(acts) => acts.iter().any(|act| has_ways(act, own)),
        ActKind::If(_, branches) => branches.iter().any(|act| has_ways(act, own)),
        ActKind::Case(arms, other, _) => {
            let mut acts = arms.iter().map(|(_, act)| act).chain(other.as_deref());
            acts.any(|act| has_ways(act, own))
        }
        ActKind::Forall(_, body, _) | ActKind::Scope(_, body) | ActKind::Label(_, body) => {
            has_ways(body, own)
        }
        _ => true,
    }
}
