//! Compilation of actions and initial predicates.

use std::ops::ControlFlow;

use crate::semantic::{Arg, Builtin, DefId, ExprId, ExprKind, Level, OpRef, Program, SubstValue};
use crate::value::Outcome;

use super::application::{Opened, is_temporal, not_an_action};
use super::disjunction::disjunction;
use super::scope::{Binding, Mode, Scope};
use super::{Compiler, Target, To};
use crate::eval::course::Item;
use crate::eval::ir::{Act, ActKind, Kind, Label, Node};
use crate::eval::{Choices, PointKind};

impl Compiler<'_> {
    /// Compiles an action, or with [`Mode::init`] an initial predicate. With `top`, named parts get labels.
    pub fn act(&mut self, id: ExprId, scope: &Scope, mode: Mode, top: bool) -> Outcome<Act> {
        self.nested(self.program.expr(id).place, |this| this.action(id, scope, mode, top))
    }

    fn action(&mut self, id: ExprId, scope: &Scope, mode: Mode, top: bool) -> Outcome<Act> {
        let program = self.program;
        let place = program.expr(id).place;
        match &program.expr(id).kind {
            ExprKind::Label(_, inner) => self.act(*inner, scope, mode, top),
            ExprKind::And(parts) if parts.len() == 1 => self.act(parts[0], scope, mode, top),
            ExprKind::And(parts) => {
                let acts = parts
                    .iter()
                    .map(|part| self.act(*part, scope, mode, false))
                    .collect::<Outcome<Vec<_>>>()?;
                let mut flat = Vec::with_capacity(acts.len());
                for act in acts {
                    match act.kind {
                        ActKind::Seq(inner) => flat.extend(inner),
                        _ => flat.push(act),
                    }
                }
                Ok(Act::from(ActKind::Seq(flat.into())))
            }
            ExprKind::Or(parts) => {
                let mut acts = Vec::with_capacity(parts.len());
                for part in parts {
                    let act = self.act(*part, scope, mode, top)?;
                    let act = if top { self.unlabelled(act, *part, mode)? } else { act };
                    acts.push(self.branch(*part, act));
                }
                Ok(disjunction(acts))
            }
            ExprKind::Quantifier(all, bounds, body) => {
                let first = self.slots;
                let (binds, inner) = self.bounds(bounds, scope, mode, place)?;
                let (act, facts) = self.separately(|this| this.act(*body, &inner, mode, top && !all));
                let act = act?;
                self.facts.merge(&facts);
                self.unbind(&binds);
                if !all {
                    return Ok(Act::from(ActKind::Exists(binds.into(), Box::new(act))));
                }
                if matches!(act.kind, ActKind::Guard(_)) {
                    return Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?)));
                }
                Ok(Act::from(ActKind::Forall(binds.into(), Box::new(act), (first, self.slots))))
            }
            ExprKind::If(condition, then, other) => Ok(Act::from(ActKind::If(
                Box::new(self.truth(*condition, scope, mode)?),
                Box::new([
                    self.branch_of(*then, scope, mode, top)?,
                    self.branch_of(*other, scope, mode, top)?,
                ]),
            ))),
            ExprKind::Case(arms, other) => {
                let mut acts = Vec::with_capacity(arms.len());
                for arm in arms {
                    acts.push((
                        self.truth(arm.condition, scope, mode)?,
                        self.branch_of(arm.value, scope, mode, top)?,
                    ));
                }
                let other = match other {
                    Some(other) => Some(Box::new(self.branch_of(*other, scope, mode, top)?)),
                    None => None,
                };
                Ok(Act::from(ActKind::Case(acts.into(), other, place)))
            }
            ExprKind::Let(defs, body) => {
                let (inner, lazies) = self.definitions(defs, scope, mode);
                let act = self.act(*body, &inner, mode, top)?;
                let reset = self.resets(&lazies);
                Ok(if reset.is_empty() {
                    act
                } else {
                    Act::from(ActKind::Scope(reset.into(), Box::new(act)))
                })
            }
            ExprKind::Builtin(builtin, args) => self.builtin_act(*builtin, args, id, scope, mode),
            ExprKind::Square(action, subscript) => {
                let act = self.act(*action, scope, mode, top)?;
                let same = self.keep(*subscript, scope, mode)?;
                Ok(Act::from(ActKind::Or(Box::new([act, same]))))
            }
            ExprKind::Angle(action, subscript) => {
                let act = self.act(*action, scope, mode, top)?;
                let same = self.unchanged(*subscript, scope, mode)?;
                let differs = Node::new(Kind::Not(Box::new(same)), place);
                Ok(Act::from(ActKind::Seq(Box::new([act, Act::from(ActKind::Guard(differs))]))))
            }
            ExprKind::Apply(def, args) => self.apply_act(*def, args, id, scope, mode, top),
            ExprKind::ApplyLocal(local, args) => {
                self.apply_op_act(OpRef::Local(*local), args, id, scope, mode, top)
            }
            ExprKind::ApplySubst(subst, args) => {
                self.apply_op_act(OpRef::Subst(*subst), args, id, scope, mode, top)
            }
            ExprKind::ApplyConstant(constant, args) => {
                self.apply_op_act(OpRef::Constant(*constant), args, id, scope, mode, top)
            }
            ExprKind::Local(local) => match scope.local(*local).cloned() {
                Some(Binding::Expr(argument)) if !argument.mode.prime => {
                    let inner = argument.scope.borrow().clone();
                    self.act(argument.expr, &inner, mode, top)
                }
                _ => Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?))),
            },
            ExprKind::Subst(subst) => match program.subst(*subst).value {
                SubstValue::Expr(inner) if !program.subst(*subst).variable => {
                    self.act(inner, scope, mode, top)
                }
                _ => Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?))),
            },
            ExprKind::Index(function, args) => match self.function_act(*function, args, scope, mode)? {
                Some(act) => Ok(act),
                None => Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?))),
            },
            ExprKind::Weak(..) | ExprKind::Strong(..) | ExprKind::TemporalQuantifier(..) => {
                Err(not_an_action(place))
            }
            _ => Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?))),
        }
    }

    fn branch_of(&mut self, id: ExprId, scope: &Scope, mode: Mode, top: bool) -> Outcome<Act> {
        let act = self.act(id, scope, mode, top)?;
        Ok(self.branch(id, act))
    }

    /// The variable to which an equation or membership with this left-hand side gives a value.
    fn target(&mut self, expr: ExprId, scope: &Scope, mode: Mode) -> Option<To> {
        match self.as_variable(expr, scope, mode) {
            Some(Target { to, primed }) if primed != mode.init => Some(to),
            _ => None,
        }
    }

    fn builtin_act(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        id: ExprId,
        scope: &Scope,
        mode: Mode,
    ) -> Outcome<Act> {
        match builtin {
            Builtin::Eq | Builtin::In | Builtin::SubsetEq => {
                if let Some(to) = self.target(args[0], scope, mode) {
                    let node = self.expr(args[1], scope, mode)?;
                    let node = self.counted(id, node, PointKind::Value);
                    self.facts.read_next();
                    return Ok(given(to, builtin, node));
                }
            }
            Builtin::Implies => {
                let premise = Box::new(self.truth(args[0], scope, mode)?);
                let conclusion = self.act(args[1], scope, mode, false)?;
                let nothing = Act::from(ActKind::Seq(Box::new([])));
                return Ok(match conclusion.kind {
                    ActKind::Guard(_) => Act::from(ActKind::Guard(self.truth(id, scope, mode)?)),
                    _ => Act::from(ActKind::If(premise, Box::new([conclusion, nothing]))),
                });
            }
            Builtin::Unchanged if !mode.init => return self.keep(args[0], scope, mode),
            Builtin::Cdot => {
                let first = self.act(args[0], scope, mode, false)?;
                let second = self.without_memo(|this| this.act(args[1], scope, mode, false))?;
                return Ok(Act::from(ActKind::Composed(Box::new([first, second]))));
            }
            other if is_temporal(other) => return Err(not_an_action(self.place(id))),
            _ => {}
        }
        Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?)))
    }

    /// `UNCHANGED e` as part of an action.
    fn keep(&mut self, expr: ExprId, scope: &Scope, mode: Mode) -> Outcome<Act> {
        let place = self.place(expr);
        let (vars, others) = self.frame(expr, scope, mode);
        for var in &vars {
            self.facts.read_var(*var);
        }
        self.facts.read_next();
        let mut acts = Vec::new();
        if !vars.is_empty() {
            acts.push(Act::from(ActKind::Keep(vars.into(), place)));
        }
        for (expr, scope) in others {
            let before = self.expr(expr, &scope, mode)?;
            let primed = Mode { prime: true, ..mode };
            if let Some(Target { to: To::Shadow(slot), .. }) = self.as_variable(expr, &scope, primed) {
                acts.push(Act::from(ActKind::AssignShadow(slot, before)));
                continue;
            }
            let after = self.expr(expr, &scope, primed)?;
            let same = Kind::Equal(Box::new([after, before]));
            acts.push(Act::from(ActKind::Guard(Node::new(same, place))));
        }
        Ok(if acts.len() == 1 {
            acts.pop().expect("there is one")
        } else {
            Act::from(ActKind::Seq(acts.into()))
        })
    }

    fn apply_op_act(
        &mut self,
        op: OpRef,
        args: &[Arg],
        id: ExprId,
        scope: &Scope,
        mode: Mode,
        top: bool,
    ) -> Outcome<Act> {
        let (resolved, surroundings) = self.resolve_op(op, scope);
        if let OpRef::Def(def) = resolved {
            let bindings = self.bindings(args, scope, mode);
            let act = self.opened_act(def, bindings, self.place(id), &surroundings, mode, top)?;
            return Ok(self.condition(id, act));
        }
        Ok(Act::from(ActKind::Guard(self.truth(id, scope, mode)?)))
    }

    fn apply_act(
        &mut self,
        def: DefId,
        args: &[Arg],
        id: ExprId,
        scope: &Scope,
        mode: Mode,
        top: bool,
    ) -> Outcome<Act> {
        if let Some(super::scope::DefBinding::Expr(argument)) = scope.def(def).cloned() {
            let inner = argument.scope.borrow().clone();
            return self.act(argument.expr, &inner, mode, top);
        }
        let bindings = self.bindings(args, scope, mode);
        let act = self.opened_act(def, bindings, self.place(id), scope, mode, top)?;
        Ok(self.condition(id, act))
    }

    fn opened_act(
        &mut self,
        def: DefId,
        bindings: Vec<Binding>,
        place: locus_source::Place,
        scope: &Scope,
        mode: Mode,
        top: bool,
    ) -> Outcome<Act> {
        let definition = self.program.def(def);
        if definition.recursive && definition.body.is_some() {
            let own = self.scope_of(def, scope);
            if let Some(act) = self.call_act(def, bindings.clone(), own.clone(), mode, place)? {
                if !top {
                    return Ok(act);
                }
                let (inner, lazies) = Self::with_params(own, &definition.params, bindings);
                let act = Act::from(ActKind::Label(self.label(def, &inner, mode, true)?, Box::new(act)));
                let reset = self.resets(&lazies);
                return Ok(if reset.is_empty() {
                    act
                } else {
                    Act::from(ActKind::Scope(reset.into(), Box::new(act)))
                });
            }
        }
        match self.open(def, bindings, scope, mode, place, true)? {
            Opened::Done(node) => Ok(Act::from(ActKind::Guard(node))),
            Opened::Body(body, inner, lazies) => {
                // The body of an action is not looked into for names, only what stands above actions.
                let enter = top && (self.root_action == Some(place) || is_above_actions(self.program, body));
                let outer = if enter { self.enclosing.replace((def, inner.clone())) } else { None };
                let act = self.act(body, &inner, mode, enter);
                if enter {
                    self.enclosing = outer;
                }
                let mut act = act?;
                if top {
                    let label = self.label(def, &inner, mode, !enter)?;
                    act = Act::from(ActKind::Label(label, Box::new(act)));
                }
                let reset = self.resets(&lazies);
                Ok(if reset.is_empty() {
                    act
                } else {
                    Act::from(ActKind::Scope(reset.into(), Box::new(act)))
                })
            }
        }
    }

    /// The label of a named action, with the parameters that it has here.
    fn label(&mut self, def: DefId, inner: &Scope, mode: Mode, action: bool) -> Outcome<u32> {
        let definition = self.program.def(def);
        let mut params = Vec::new();
        for param in &definition.params {
            if let Some(Binding::Expr(argument)) = inner.local(*param).cloned() {
                let node = self.use_argument(&argument, mode, definition.name_place)?;
                params.push((self.local_name(*param), node));
            }
        }
        self.labels.push(Label {
            name: self.text(definition.name).into(),
            place: definition.name_place,
            action,
            params,
        });
        Ok(self.labels.len() as u32 - 1)
    }

    /// A disjunct without a name of its own gets a label with that of the definition it is in, and its own place.
    fn unlabelled(&mut self, act: Act, expr: ExprId, mode: Mode) -> Outcome<Act> {
        if has_label(&act) {
            return Ok(act);
        }
        let place = self.place(expr);
        let label = if let Some((def, inner)) = self.enclosing.clone() {
            let label = self.label(def, &inner, mode, false)?;
            self.labels[label as usize].place = place;
            label
        } else {
            self.labels.push(Label { name: "".into(), place, action: false, params: Vec::new() });
            self.labels.len() as u32 - 1
        };
        Ok(Act::from(ActKind::Label(label, Box::new(act))))
    }
}

/// `x' = e`, `x' \in e` or `x' \subseteq e`, where `x'` is what gets a value.
fn given(to: To, relation: Builtin, node: Node) -> Act {
    let place = node.place;
    match (to, relation) {
        (To::Var(var), Builtin::Eq) => Act::from(ActKind::Assign(var, node)),
        (To::Shadow(slot), Builtin::Eq) => Act::from(ActKind::AssignShadow(slot, node)),
        (to, relation) => {
            let set = match relation {
                Builtin::SubsetEq => Node::new(Kind::PowerSet(Box::new(node)), place),
                _ => node,
            };
            match to {
                To::Var(var) => Act::from(ActKind::Among(var, set)),
                To::Shadow(slot) => Act::from(ActKind::AmongShadow(slot, set)),
            }
        }
    }
}

/// Whether the body of a definition is nothing but a choice among actions that have names of their own.
fn is_above_actions(program: &Program, body: ExprId) -> bool {
    let is_named = |id: ExprId| match &program.expr(id).kind {
        ExprKind::Apply(..) => program.expr(id).level == Level::Action,
        ExprKind::ApplyLocal(..) | ExprKind::ApplySubst(..) | ExprKind::ApplyConstant(..) => true,
        _ => is_above_actions(program, id),
    };
    match &program.expr(body).kind {
        ExprKind::Label(_, inner) => is_above_actions(program, *inner),
        ExprKind::And(parts) if parts.len() == 1 => is_above_actions(program, parts[0]),
        ExprKind::Or(parts) => parts.iter().all(|part| is_named(*part)),
        ExprKind::Quantifier(false, _, inner) => is_named(*inner),
        _ => false,
    }
}

/// Whether every way through an action passes a label.
fn has_label(act: &Act) -> bool {
    let labelled = act.follow(&Choices::default(), &mut |item, _| {
        let is_labelled = match item {
            Item::Named(_) => true,
            Item::Ways(acts) => acts.iter().all(has_label),
            Item::Bound(_, body) => has_label(body),
            Item::Branches(branches) => branches.iter().all(has_label),
            _ => false,
        };
        if is_labelled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    labelled.is_break()
}
