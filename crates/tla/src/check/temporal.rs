//! Temporal formulas in terms of atoms that the machine decides.

use std::rc::Rc;

use locus_explore::Formula;

use crate::eval::ir::{Kind, Node};
use crate::eval::{Argument, Compiler, Context, Mode, Opened, Scope};
use crate::semantic::{Arg, Bound, Builtin, DefId, ExprId, ExprKind, Level, OpRef};
use crate::value::{Fault, FaultKind, Outcome, Value};

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

/// Where a formula stands: its scope, and the arguments whose slots must be reset before an atom is evaluated.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) scope: Scope,
    arguments: Vec<Rc<Argument>>,
}

impl From<Scope> for Surroundings {
    fn from(scope: Scope) -> Self {
        Self { scope, arguments: Vec::new() }
    }
}

impl Translator<'_, '_> {
    /// Translates a formula.
    pub(crate) fn formula(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Formula> {
        let place = self.compiler.program.expr(id).place;
        stacker::maybe_grow(256 << 10, 8 << 20, || self.translate(id, around))
            .map_err(|fault| fault.at(place))
    }

    fn translate(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Formula> {
        let program = self.compiler.program;
        let expr = program.expr(id);
        if expr.level <= Level::State && !self.has_temporal_operator(id, around) {
            return self.state_atom(id, around);
        }
        match &expr.kind {
            ExprKind::Label(_, inner) => self.formula(*inner, around),
            ExprKind::And(parts) => Ok(Formula::And(self.formulas(parts, around)?)),
            ExprKind::Or(parts) => Ok(Formula::Or(self.formulas(parts, around)?)),
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, id, around),
            ExprKind::Square(..) | ExprKind::Angle(..) => self.step_atom(id, around),
            ExprKind::Weak(subscript, action) => {
                let (enabled, step) = self.fairness(*action, *subscript, around)?;
                Ok(Formula::weak_fairness(enabled, step))
            }
            ExprKind::Strong(subscript, action) => {
                let (enabled, step) = self.fairness(*action, *subscript, around)?;
                Ok(Formula::strong_fairness(enabled, step))
            }
            ExprKind::Quantifier(all, bounds, body) => {
                let instances = self.instances(bounds, *body, around)?;
                Ok(if *all { Formula::And(instances) } else { Formula::Or(instances) })
            }
            ExprKind::If(condition, then, other) => {
                let condition = self.formula(*condition, around)?;
                let then = self.formula(*then, around)?;
                let other = self.formula(*other, around)?;
                Ok(condition.clone().implies(then).and(condition.not().implies(other)))
            }
            ExprKind::Let(defs, body) => {
                let (scope, arguments) = self.compiler.definitions(defs, &around.scope, Mode::default());
                let mut inner = Surroundings { scope, arguments: around.arguments.clone() };
                inner.arguments.extend(arguments);
                self.formula(*body, &inner)
            }
            ExprKind::Apply(def, args) => self.apply(*def, args, &around.scope, id, around),
            ExprKind::ApplyLocal(local, args) => self.apply_op(OpRef::Local(*local), args, id, around),
            ExprKind::ApplyConstant(constant, args) => {
                self.apply_op(OpRef::Constant(*constant), args, id, around)
            }
            ExprKind::ApplySubst(subst, args) => self.apply_op(OpRef::Subst(*subst), args, id, around),
            ExprKind::Local(local) => match around.scope.argument_of(*local) {
                Some((inner, scope)) => {
                    let around = Surroundings { scope, arguments: around.arguments.clone() };
                    self.formula(inner, &around)
                }
                None => self.state_atom(id, around),
            },
            ExprKind::TemporalQuantifier(..) => unsupported("temporal quantification (\\AA, \\EE)"),
            _ => unsupported("this kind of expression as a temporal formula"),
        }
    }

    fn formulas(&mut self, parts: &[ExprId], around: &Surroundings) -> Outcome<Vec<Formula>> {
        parts.iter().map(|part| self.formula(*part, around)).collect()
    }

    /// An expression may have a low level by itself and yet hold a parameter that stands for a formula.
    fn has_temporal_operator(&self, id: ExprId, around: &Surroundings) -> bool {
        match &self.compiler.program.expr(id).kind {
            ExprKind::Local(local) => match around.scope.argument_of(*local) {
                Some((inner, _)) => self.compiler.program.expr(inner).level > Level::State,
                None => false,
            },
            ExprKind::Builtin(_, args) => args.iter().any(|arg| self.has_temporal_operator(*arg, around)),
            ExprKind::And(parts) | ExprKind::Or(parts) => {
                parts.iter().any(|part| self.has_temporal_operator(*part, around))
            }
            _ => false,
        }
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        id: ExprId,
        around: &Surroundings,
    ) -> Outcome<Formula> {
        Ok(match builtin {
            Builtin::Not => self.formula(args[0], around)?.not(),
            Builtin::Implies => self.formula(args[0], around)?.implies(self.formula(args[1], around)?),
            Builtin::Equiv => {
                let (a, b) = (self.formula(args[0], around)?, self.formula(args[1], around)?);
                a.equivalent(b)
            }
            Builtin::Always => self.formula(args[0], around)?.always(),
            Builtin::Eventually => self.formula(args[0], around)?.eventually(),
            Builtin::LeadsTo => {
                let (a, b) = (self.formula(args[0], around)?, self.formula(args[1], around)?);
                a.leads_to(b)
            }
            Builtin::PlusArrow => return unsupported("the operator -+->"),
            _ if self.compiler.program.expr(id).level == Level::Action => {
                return unsupported("an action that is not within [A]_v or <<A>>_v");
            }
            _ => return self.state_atom(id, around),
        })
    }

    fn state_atom(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Formula> {
        let node = self.compiler.expr(id, &around.scope, Mode::default())?;
        let node = self.compiler.scoped(&around.arguments, node);
        if let Kind::Const(Value::Bool(truth)) = node.kind {
            return Ok(Formula::Constant(truth));
        }
        self.atoms.states.push(node);
        Ok(Formula::State(self.atoms.states.len() - 1))
    }

    fn step_atom(&mut self, id: ExprId, around: &Surroundings) -> Outcome<Formula> {
        let node = self.compiler.expr(id, &around.scope, Mode::default())?;
        let node = self.compiler.scoped(&around.arguments, node);
        self.atoms.steps.push(node);
        Ok(Formula::Step(self.atoms.steps.len() - 1))
    }

    /// `ENABLED <<A>>_v` and `<<A>>_v` of a fairness condition.
    fn fairness(
        &mut self,
        action: ExprId,
        subscript: ExprId,
        around: &Surroundings,
    ) -> Outcome<(Formula, Formula)> {
        let scope = &around.scope;
        let enabled = self.compiler.enabled_angle(action, subscript, scope)?;
        let enabled = self.compiler.scoped(&around.arguments, enabled);
        let step = self.compiler.angle(action, subscript, scope)?;
        let step = self.compiler.scoped(&around.arguments, step);
        self.atoms.states.push(enabled);
        self.atoms.steps.push(step);
        Ok((Formula::State(self.atoms.states.len() - 1), Formula::Step(self.atoms.steps.len() - 1)))
    }

    /// One formula for each combination of values of bounds over constant sets.
    fn instances(&mut self, bounds: &[Bound], body: ExprId, around: &Surroundings) -> Outcome<Vec<Formula>> {
        let mut scopes = vec![around.scope.clone()];
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
                for scope in &scopes {
                    for element in &set.slice {
                        let scope = if bound.tuple {
                            let items = element.items("a tuple of variables")?;
                            let pairs = bound.locals.iter().zip(items);
                            pairs.fold(scope.clone(), |scope, (local, item)| {
                                scope.with_value(*local, item.clone())
                            })
                        } else {
                            scope.with_value(bound.locals[repeat], element.clone())
                        };
                        extended.push(scope);
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
            .map(|scope| self.formula(body, &Surroundings { scope, arguments: around.arguments.clone() }))
            .collect()
    }

    fn apply_op(&mut self, op: OpRef, args: &[Arg], id: ExprId, around: &Surroundings) -> Outcome<Formula> {
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
    ) -> Outcome<Formula> {
        let place = self.compiler.program.expr(id).place;
        if args.is_empty()
            && let Some((inner, scope)) = scope.let_definition(def)
        {
            return self.formula(inner, &Surroundings { scope, arguments: around.arguments.clone() });
        }
        let bindings = self.compiler.bindings(args, &around.scope, Mode::default());
        match self.compiler.open(def, bindings, scope, Mode::default(), place, true)? {
            Opened::Done(node) => {
                let node = self.compiler.scoped(&around.arguments, node);
                self.atoms.states.push(node);
                Ok(Formula::State(self.atoms.states.len() - 1))
            }
            Opened::Body(body, scope, arguments) => {
                let mut inner = Surroundings { scope, arguments: around.arguments.clone() };
                inner.arguments.extend(arguments);
                self.formula(body, &inner)
            }
        }
    }
}

fn unsupported<T>(what: &str) -> Outcome<T> {
    Err(Fault::kind(FaultKind::Unsupported(what.to_owned())))
}
