//! Temporal formulas in terms of atoms that the machine decides.

use locus_tla_eval::compile::{Compiler, Mode, Opened, Scope};
use locus_tla_eval::eval::Context;
use locus_tla_eval::eval::ir::{Kind, Node};
use locus_tla_eval::value::{Fault, FaultKind, Outcome, Value};
use locus_tla_syntax::semantic::{Arg, Bound, Builtin, DefId, ExprId, ExprKind, Level, LocalId, OpRef};

use super::formula::{Surroundings, level};
use crate::machine::clause::{Clause, ClauseKind};

/// Collects the atoms of temporal formulas while it translates them.
#[derive(Default)]
pub(crate) struct Atoms {
    pub(crate) states: Vec<Node>,
    pub(crate) steps: Vec<Node>,
}

/// The most instances of a quantifier over constants.
const MAX_INSTANCES: usize = 10_000;

/// Translates formulas.
pub(crate) struct Translator<'c, 'p> {
    pub(crate) compiler: &'c mut Compiler<'p>,
    pub(crate) atoms: &'c mut Atoms,
    /// Makes a context in which constants can be evaluated.
    pub(crate) context: &'c dyn Fn(&Compiler<'p>) -> Context,
}

impl Translator<'_, '_> {
    /// Translates a formula.
    pub(crate) fn formula(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Clause> {
        let place = self.compiler.program.expr(id).place;
        stacker::maybe_grow(256 << 10, 8 << 20, || self.translate(id, around))
            .map_err(|fault| fault.at(place))
    }

    fn translate(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Clause> {
        let program = self.compiler.program;
        let expr = program.expr(id);
        let new = |kind| Ok(Clause::new(expr.place, kind));
        if level(self.compiler, id, &around.scope) <= Level::State {
            return new(self.state_atom(id, around)?);
        }
        match &expr.kind {
            ExprKind::Label(_, inner) => self.formula(*inner, around),
            ExprKind::And(parts) => new(ClauseKind::And(self.formulas(parts, around)?)),
            ExprKind::Or(parts) => new(ClauseKind::Or(self.formulas(parts, around)?)),
            ExprKind::Builtin(builtin, args) => new(self.builtin(*builtin, args, id, around)?),
            ExprKind::Square(..) | ExprKind::Angle(..) => new(self.step_atom(id, around)?),
            ExprKind::Weak(subscript, action) => {
                let (enabled, step) = self.fairness(*action, *subscript, around)?;
                new(ClauseKind::Weak(enabled, step))
            }
            ExprKind::Strong(subscript, action) => {
                let (enabled, step) = self.fairness(*action, *subscript, around)?;
                new(ClauseKind::Strong(enabled, step))
            }
            ExprKind::Quantifier(all, bounds, body) => {
                let instances = self.instances(bounds, *body, around)?;
                new(if *all { ClauseKind::And(instances) } else { ClauseKind::Or(instances) })
            }
            ExprKind::If(condition, then, other) => {
                let condition = self.formula(*condition, around)?;
                let then = self.formula(*then, around)?;
                let other = self.formula(*other, around)?;
                let not = Clause::new(condition.place, ClauseKind::Not(Box::new(condition.clone())));
                let then = Clause::new(then.place, ClauseKind::Implies(Box::new([condition, then])));
                let other = Clause::new(other.place, ClauseKind::Implies(Box::new([not, other])));
                new(ClauseKind::And(vec![then, other]))
            }
            ExprKind::Let(defs, body) => {
                let (scope, arguments) = self.compiler.definitions(defs, &around.scope, Mode::default());
                self.formula(*body, &around.within(scope, arguments))
            }
            ExprKind::Apply(def, args) => self.apply(*def, args, &around.scope, id, around),
            ExprKind::ApplyLocal(local, args) => self.apply_op(OpRef::Local(*local), args, id, around),
            ExprKind::ApplyConstant(constant, args) => {
                self.apply_op(OpRef::Constant(*constant), args, id, around)
            }
            ExprKind::ApplySubst(subst, args) => self.apply_op(OpRef::Subst(*subst), args, id, around),
            ExprKind::Local(local) => match around.scope.argument_of(*local) {
                Some((inner, scope)) => self.formula(inner, &around.with_scope(scope)),
                None => new(self.state_atom(id, around)?),
            },
            ExprKind::TemporalQuantifier(..) => unsupported("temporal quantification (\\AA, \\EE)"),
            _ => unsupported("this kind of expression as a temporal formula"),
        }
    }

    fn formulas(&mut self, parts: &[ExprId], around: &Surroundings) -> Outcome<Vec<Clause>> {
        parts.iter().map(|part| self.formula(*part, around)).collect()
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        id: ExprId,
        around: &Surroundings,
    ) -> Outcome<ClauseKind> {
        let mut part = |arg: usize| self.formula(args[arg], around);
        Ok(match builtin {
            Builtin::Not => ClauseKind::Not(Box::new(part(0)?)),
            Builtin::Implies => ClauseKind::Implies(Box::new([part(0)?, part(1)?])),
            Builtin::Equiv => ClauseKind::Equivalent(Box::new([part(0)?, part(1)?])),
            Builtin::Always => ClauseKind::Always(Box::new(part(0)?)),
            Builtin::Eventually => ClauseKind::Eventually(Box::new(part(0)?)),
            Builtin::LeadsTo => ClauseKind::LeadsTo(Box::new([part(0)?, part(1)?])),
            Builtin::PlusArrow => return unsupported("the operator -+->"),
            _ if level(self.compiler, id, &around.scope) == Level::Action => {
                return unsupported("an action that is not within [A]_v or <<A>>_v");
            }
            _ => return self.state_atom(id, around),
        })
    }

    fn state_atom(&mut self, id: ExprId, around: &Surroundings) -> Outcome<ClauseKind> {
        let node = self.compiler.expr(id, &around.scope, Mode::default())?;
        let node = self.compiler.scoped(&around.arguments, node);
        if let Kind::Const(Value::Bool(truth)) = node.kind {
            return Ok(ClauseKind::Constant(truth.into()));
        }
        self.atoms.states.push(node);
        Ok(ClauseKind::State(self.atoms.states.len() - 1))
    }

    fn step_atom(&mut self, id: ExprId, around: &Surroundings) -> Outcome<ClauseKind> {
        let node = self.compiler.expr(id, &around.scope, Mode::default())?;
        let node = self.compiler.scoped(&around.arguments, node);
        self.atoms.steps.push(node);
        Ok(ClauseKind::Step(self.atoms.steps.len() - 1))
    }

    /// The atoms `ENABLED <<A>>_v` and `<<A>>_v` of a fairness condition.
    fn fairness(
        &mut self,
        action: ExprId,
        subscript: ExprId,
        around: &Surroundings,
    ) -> Outcome<(usize, usize)> {
        let scope = &around.scope;
        let enabled = self.compiler.enabled_angle(action, subscript, scope)?;
        let enabled = self.compiler.scoped(&around.arguments, enabled);
        let step = self.compiler.angle(action, subscript, scope)?;
        let step = self.compiler.scoped(&around.arguments, step);
        self.atoms.states.push(enabled);
        self.atoms.steps.push(step);
        Ok((self.atoms.states.len() - 1, self.atoms.steps.len() - 1))
    }

    /// One formula for each combination of values of bounds over constant sets.
    fn instances(&mut self, bounds: &[Bound], body: ExprId, around: &Surroundings) -> Outcome<Vec<Clause>> {
        let mut scopes = vec![(around.scope.clone(), Vec::new())];
        for bound in bounds {
            let Some(set) = bound.set else { return unsupported("a quantifier without a set") };
            let node = self.compiler.expr(set, &around.scope, Mode::default())?;
            let node = self.compiler.scoped(&around.arguments, node);
            let mut context = (self.context)(self.compiler);
            let set = match context.eval(&node) {
                Ok(set) => set.explicit("a quantifier")?,
                Err(fault) if matches!(fault.kind, FaultKind::Unassigned { .. }) => {
                    return unsupported("a temporal formula quantified over a set that depends on the state");
                }
                Err(fault) => return Err(fault),
            };
            let repeats = if bound.tuple { 1 } else { bound.locals.len() };
            for repeat in 0..repeats {
                let mut extended = Vec::new();
                for (scope, values) in &scopes {
                    for element in &set.slice {
                        let (mut scope, mut values) = (scope.clone(), values.clone());
                        let mut bind = |local: LocalId, value: &Value| {
                            scope = scope.with_value(local, value.clone());
                            let program = self.compiler.program;
                            values.push((program.text(program.local(local).name).to_owned(), value.clone()));
                        };
                        if bound.tuple {
                            let items = element.items("a tuple of variables")?;
                            bound.locals.iter().zip(items).for_each(|(local, item)| bind(*local, item));
                        } else {
                            bind(bound.locals[repeat], element);
                        }
                        extended.push((scope, values));
                    }
                }
                if extended.len() > MAX_INSTANCES {
                    return Err(Fault::kind(FaultKind::Limit(
                        "a temporal quantifier has too many instances",
                        format!("the limit is {MAX_INSTANCES}"),
                    )));
                }
                scopes = extended;
            }
        }
        scopes
            .into_iter()
            .map(|(scope, bound)| Ok(Clause { bound, ..self.formula(body, &around.with_scope(scope))? }))
            .collect()
    }

    fn apply_op(&mut self, op: OpRef, args: &[Arg], id: ExprId, around: &Surroundings) -> Outcome<Clause> {
        let (op, scope) = self.compiler.resolve_op(op, &around.scope);
        match op {
            OpRef::Def(def) => self.apply(def, args, &scope, id, around),
            _ => unsupported("an operator that is not known, as part of a temporal formula"),
        }
    }

    fn apply(
        &mut self,
        def: DefId,
        args: &[Arg],
        scope: &Scope,
        id: ExprId,
        around: &Surroundings,
    ) -> Outcome<Clause> {
        let place = self.compiler.program.expr(id).place;
        if args.is_empty()
            && let Some((inner, scope)) = scope.let_definition(def)
        {
            return self.formula(inner, &around.with_scope(scope));
        }
        let bindings = self.compiler.bindings(args, &around.scope, Mode::default());
        match self.compiler.open(def, bindings, scope, Mode::default(), place, true)? {
            Opened::Done(node) => {
                let node = self.compiler.scoped(&around.arguments, node);
                self.atoms.states.push(node);
                Ok(Clause::new(place, ClauseKind::State(self.atoms.states.len() - 1)))
            }
            Opened::Body(body, scope, arguments) => self.formula(body, &around.within(scope, arguments)),
        }
    }
}

fn unsupported<T>(what: &str) -> Outcome<T> {
    Err(Fault::kind(FaultKind::Unsupported(what.to_owned())))
}
