//! Compilation of expressions that give a value.

use std::rc::Rc;
use std::sync::Arc;

use crate::semantic::{
    Bound, Builtin, Case, DefId, ExprId, ExprKind, Field, LocalId, Step, SubstId, SubstValue, Update,
};
use crate::value::{Fault, FaultKind, Outcome, SetRef, Symbolic, Value};

use super::scope::{Argument, Binding, DefBinding, Mode, Scope};
use super::{Compiler, Meaning, Target, To};
use crate::eval::PointKind;
use crate::eval::ir::{Act, ActKind, Change, FieldName, FunctionNode, Kind, Loop, Node};

impl Compiler<'_> {
    pub(super) fn expression(&mut self, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let program = self.program;
        let expr = program.expr(id);
        let place = expr.place;
        let kind = match &expr.kind {
            ExprKind::Number(number) => Kind::Const(Value::from_big(number.clone())),
            ExprKind::String(name) => Kind::Const(Value::string(&self.names, self.text(*name))),
            ExprKind::Decimal(text) => {
                return Err(unsupported(format!("the decimal number {}", self.text(*text))).at(place));
            }
            ExprKind::Constant(constant) => return self.constant(*constant, scope, mode, place),
            ExprKind::Variable(var) => match self.vars.get(var) {
                Some(var) if mode.prime || mode.init => {
                    self.facts.read_next_var(*var);
                    Kind::Primed(*var)
                }
                Some(var) => {
                    self.facts.read_var(*var);
                    Kind::Var(*var)
                }
                None => {
                    let name = self.text(program.variables[var.index()].name);
                    return Err(
                        Fault::other(format!("{name} is not a variable of the specification")).at(place)
                    );
                }
            },
            ExprKind::Subst(subst) => return self.substituted(*subst, id, scope, mode),
            ExprKind::Local(local) => return self.local(*local, id, scope, mode),
            ExprKind::Label(_, inner) => return self.expression(*inner, scope, mode),
            ExprKind::Builtin(builtin, args) => return self.builtin(*builtin, args, id, scope, mode),
            ExprKind::Apply(def, args) => return self.apply(*def, args, scope, mode, place),
            ExprKind::ApplyLocal(local, args) => {
                return self.apply_op(crate::semantic::OpRef::Local(*local), args, scope, mode, place);
            }
            ExprKind::ApplyConstant(constant, args) => {
                return self.apply_op(crate::semantic::OpRef::Constant(*constant), args, scope, mode, place);
            }
            ExprKind::ApplySubst(subst, args) => {
                return self.apply_op(crate::semantic::OpRef::Subst(*subst), args, scope, mode, place);
            }
            ExprKind::And(parts) => Kind::And(self.truths(parts, scope, mode)?.into()),
            ExprKind::Or(parts) => Kind::Or(self.truths(parts, scope, mode)?.into()),
            ExprKind::Quantifier(all, bounds, body) => {
                let mut over = self.binder(bounds, *body, scope, mode, id)?;
                over.body = self.counted(*body, over.body, PointKind::Truth);
                Kind::Quantifier(*all, Box::new(over))
            }
            ExprKind::TemporalQuantifier(..) => Kind::Refuse("temporal quantification".into()),
            ExprKind::Choose(bound, body) => self.choice(bound, *body, scope, mode, id)?,
            ExprKind::SetOf(items) => Kind::SetOf(self.list(items, scope, mode)?.into()),
            ExprKind::Filter(bound, body) => {
                let (mut binds, inner) = self.bounds(std::slice::from_ref(bound), scope, mode, place)?;
                let body = self.truth(*body, &inner, mode)?;
                self.unbind(&binds);
                let bind = binds.pop().expect("a filter has one bound");
                Kind::Filter(Arc::new((bind, body)))
            }
            ExprKind::Map(body, bounds) => Kind::Map(Box::new(self.binder(bounds, *body, scope, mode, id)?)),
            ExprKind::Function { bounds, body, this } => {
                self.function_constructor(bounds, *body, *this, scope, mode, id)?
            }
            ExprKind::FunctionSet(a, b) => Kind::FunctionSet(self.pair(*a, *b, scope, mode)?),
            ExprKind::Record(fields) => {
                let (keys, values) = self.fields(fields, scope, mode)?;
                let place = self.place(id);
                let keys = Node::new(Kind::Const(Value::Set(keys)), place);
                Kind::Record(self.cell(keys), values.into())
            }
            ExprKind::RecordSet(fields) => {
                let (keys, values) = self.fields(fields, scope, mode)?;
                Kind::RecordSet(keys, values.into())
            }
            ExprKind::Except(base, updates) => {
                let base = Box::new(self.expr(*base, scope, mode)?);
                let changes =
                    updates.iter().map(|u| self.change(u, scope, mode)).collect::<Outcome<Vec<_>>>()?;
                Kind::Except(base, changes.into())
            }
            ExprKind::Index(function, args) => {
                let head = self.expr(*function, scope, mode)?;
                let argument = self.tuple_of(args, scope, mode)?;
                Kind::Index(Box::new([head, argument]))
            }
            ExprKind::Field(record, name) => {
                let record = self.expr(*record, scope, mode)?;
                Kind::Field(Box::new(record), FieldName::new(self.names.intern(self.text(*name))))
            }
            ExprKind::Tuple(items) => Kind::Tuple(self.list(items, scope, mode)?.into()),
            ExprKind::Times(sets) => Kind::Times(self.list(sets, scope, mode)?.into()),
            ExprKind::Square(action, subscript) => {
                // Whether anything changed is the cheaper question.
                let same = self.unchanged(*subscript, scope, mode)?;
                let action = self.expr(*action, scope, mode)?;
                Kind::Or(Box::new([same, action]))
            }
            ExprKind::Angle(action, subscript) => {
                let action = self.expr(*action, scope, mode)?;
                let same = self.unchanged(*subscript, scope, mode)?;
                let differs = Node::new(Kind::Not(Box::new(same)), place);
                Kind::And(Box::new([action, differs]))
            }
            ExprKind::Weak(..) | ExprKind::Strong(..) => {
                Kind::Refuse("fairness as the value of a state or step".into())
            }
            ExprKind::If(condition, then, other) => Kind::If(Box::new([
                self.truth(*condition, scope, mode)?,
                self.taken(*then, scope, mode)?,
                self.taken(*other, scope, mode)?,
            ])),
            ExprKind::Case(arms, other) => self.cases(arms, *other, scope, mode)?,
            ExprKind::Let(defs, body) => {
                let (inner, lazies) = self.definitions(defs, scope, mode);
                let body = self.expr(*body, &inner, mode)?;
                return Ok(self.scoped(&lazies, body));
            }
        };
        Ok(Node::new(kind, place))
    }

    /// A declared constant, as the configuration has it.
    pub(super) fn constant(
        &mut self,
        constant: crate::semantic::ConstId,
        scope: &Scope,
        mode: Mode,
        place: locus_source::Place,
    ) -> Outcome<Node> {
        match self.constants.get(&constant).cloned() {
            Some(Meaning::Value(value)) => Ok(Node::new(Kind::Const(value), place)),
            Some(Meaning::Def(def)) => self.apply(def, &[], scope, mode, place),
            Some(Meaning::Expr(expr)) => {
                if let Some(Node { kind: Kind::Cell(cell), .. }) = self.constant_cells.get(&constant) {
                    return Ok(Node::new(Kind::Cell(Arc::clone(cell)), place));
                }
                let node = self.expr(expr, &Scope::default(), Mode::default())?;
                if let Kind::Cell(cell) = &node.kind {
                    let kept = Node::new(Kind::Cell(Arc::clone(cell)), place);
                    self.constant_cells.insert(constant, kept);
                }
                Ok(node)
            }
            None => {
                let name = self.text(self.program.constants[constant.index()].name);
                let message = format!("the constant {name} has no value; give it one in the configuration");
                Err(Fault::other(message).at(place))
            }
        }
    }

    pub(super) fn list(&mut self, exprs: &[ExprId], scope: &Scope, mode: Mode) -> Outcome<Vec<Node>> {
        exprs.iter().map(|expr| self.expr(*expr, scope, mode)).collect()
    }

    pub(super) fn pair(
        &mut self,
        a: ExprId,
        b: ExprId,
        scope: &Scope,
        mode: Mode,
    ) -> Outcome<Box<[Node; 2]>> {
        Ok(Box::new([self.expr(a, scope, mode)?, self.expr(b, scope, mode)?]))
    }

    pub(super) fn tuple_of(&mut self, args: &[ExprId], scope: &Scope, mode: Mode) -> Outcome<Node> {
        if let [only] = args {
            return self.expr(*only, scope, mode);
        }
        let place = self.place(args[0]);
        Ok(Node::new(Kind::Tuple(self.list(args, scope, mode)?.into()), place))
    }

    fn local(&mut self, local: LocalId, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let place = self.place(id);
        match scope.local(local).cloned() {
            Some(Binding::Slot(slot)) => {
                self.facts.read(slot);
                Ok(Node::new(Kind::Slot(slot), place))
            }
            Some(Binding::Param(slot, primed)) => Ok(self.param(slot, primed, mode, place)),
            Some(Binding::Value(value)) => Ok(Node::new(Kind::Const(value), place)),
            Some(Binding::Expr(argument)) => self.use_argument(&argument, mode, place),
            Some(Binding::Op(op, surroundings)) => self.apply_op(op, &[], &surroundings, mode, place),
            None => {
                self.facts.unbound = true;
                let name = self.local_name(local);
                Err(unsupported(format!("{name} is not bound to a value here")).at(place))
            }
        }
    }

    fn substituted(&mut self, subst: SubstId, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        if mode.prime
            && mode.enabled > 0
            && let Some(Target { to: To::Shadow(slot), .. }) = self.as_variable(id, scope, mode)
        {
            self.facts.read_next();
            self.facts.read(slot);
            return Ok(Node::new(Kind::Shadow(slot), self.place(id)));
        }
        match self.program.subst(subst).value {
            SubstValue::Expr(inner) => {
                if let Some(node) = self.kept(super::memo::Key::Subst(subst), inner, mode, self.place(id))? {
                    return Ok(node);
                }
                self.expr(inner, scope, mode)
            }
            SubstValue::Op(op) => self.apply_op(op, &[], scope, mode, self.place(id)),
        }
    }

    fn binder(
        &mut self,
        bounds: &[Bound],
        body: ExprId,
        scope: &Scope,
        mode: Mode,
        id: ExprId,
    ) -> Outcome<Loop> {
        let (binds, inner) = self.bounds(bounds, scope, mode, self.place(id))?;
        let body = self.expr(body, &inner, mode)?;
        self.unbind(&binds);
        let locals = bounds.iter().flat_map(|bound| &bound.locals);
        let names = locals
            .filter_map(|local| match inner.local(*local) {
                Some(Binding::Slot(slot)) => Some((*slot, self.local_name(*local))),
                _ => None,
            })
            .collect();
        Ok(Loop { binds: binds.into(), body, names })
    }

    fn choice(
        &mut self,
        bound: &Bound,
        body: ExprId,
        scope: &Scope,
        mode: Mode,
        id: ExprId,
    ) -> Outcome<Kind> {
        if bound.set.is_none() {
            return Ok(Kind::ChooseUnbounded);
        }
        let (mut binds, inner) = self.bounds(std::slice::from_ref(bound), scope, mode, self.place(id))?;
        let body = self.truth(body, &inner, mode)?;
        self.unbind(&binds);
        let bind = binds.pop().expect("CHOOSE has one bound");
        Ok(Kind::Choose(Box::new(bind), Box::new(body)))
    }

    fn function_constructor(
        &mut self,
        bounds: &[Bound],
        body: ExprId,
        this: Option<LocalId>,
        scope: &Scope,
        mode: Mode,
        id: ExprId,
    ) -> Outcome<Kind> {
        let first = self.slots;
        let place = self.place(id);
        let (binds, mut inner) = self.bounds(bounds, scope, mode, place)?;
        let slot = this.map(|local| {
            let slot = self.slot();
            inner = inner.with_local(local, Binding::Slot(slot));
            slot
        });
        let (body, mut facts) = self.separately(|compiler| compiler.expr(body, &inner, mode));
        let body = body?;
        for bind in &binds {
            match &bind.pattern {
                crate::eval::ir::Pattern::One(slot) => facts.bind(*slot),
                crate::eval::ir::Pattern::Tuple(slots) => slots.iter().for_each(|slot| facts.bind(*slot)),
            }
        }
        if let Some(slot) = slot {
            facts.bind(slot);
        }
        self.facts.merge(&facts);
        Ok(Kind::Function(Arc::new(FunctionNode {
            binds: binds.into(),
            body,
            this: slot,
            range: (first, self.slots),
            free: facts.free.into(),
            place,
        })))
    }

    /// Fields in the order of their names, as functions from strings have them.
    fn fields(&mut self, fields: &[Field], scope: &Scope, mode: Mode) -> Outcome<(SetRef, Vec<Node>)> {
        let mut nodes = Vec::with_capacity(fields.len());
        for field in fields {
            let name = Value::string(&self.names, self.text(field.name));
            nodes.push((name, self.expr(field.value, scope, mode)?));
        }
        nodes.sort_by(|a, b| a.0.cmp(&b.0));
        let (keys, values): (Vec<Value>, Vec<Node>) = nodes.into_iter().unzip();
        match Value::set_of(keys) {
            Value::Set(keys) if keys.slice.len() == values.len() => Ok((keys, values)),
            _ => Err(Fault::other("a record has a field twice")),
        }
    }

    fn change(&mut self, update: &Update, scope: &Scope, mode: Mode) -> Outcome<Change> {
        let mut path = Vec::with_capacity(update.path.len());
        for step in &update.path {
            path.push(match step {
                Step::Index(args) => self.tuple_of(args, scope, mode)?,
                Step::Field(name) => {
                    let name = Value::string(&self.names, self.text(*name));
                    Node::new(Kind::Const(name), update.place)
                }
            });
        }
        let at = update.at.map(|_| self.slot());
        let inner = match (update.at, at) {
            (Some(local), Some(slot)) => scope.with_local(local, Binding::Slot(slot)),
            _ => scope.clone(),
        };
        let value = self.expr(update.value, &inner, mode)?;
        if let Some(slot) = at {
            self.facts.bind(slot);
        }
        Ok(Change { path: path.into(), at, value })
    }

    fn cases(&mut self, arms: &[Case], other: Option<ExprId>, scope: &Scope, mode: Mode) -> Outcome<Kind> {
        let mut nodes = Vec::with_capacity(arms.len());
        for arm in arms {
            nodes.push((self.truth(arm.condition, scope, mode)?, self.taken(arm.value, scope, mode)?));
        }
        let other = match other {
            Some(other) => Some(Box::new(self.taken(other, scope, mode)?)),
            None => None,
        };
        Ok(Kind::Case(nodes.into(), other))
    }

    /// Brings the definitions of a `LET` into scope.
    pub fn definitions(&mut self, defs: &[DefId], scope: &Scope, mode: Mode) -> (Scope, Vec<Rc<Argument>>) {
        let mut inner = scope.clone();
        let mut lazies = Vec::new();
        let mut operators = Vec::new();
        for id in defs {
            let definition = self.program.def(*id);
            let binding = match definition.body {
                Some(body) if definition.params.is_empty() => {
                    let argument = Self::argument(body, scope, mode);
                    lazies.push(Rc::clone(&argument));
                    DefBinding::Expr(argument)
                }
                _ => {
                    let own = Rc::new(std::cell::RefCell::new(scope.clone()));
                    operators.push(Rc::clone(&own));
                    DefBinding::Op(own)
                }
            };
            inner = inner.with_def(*id, binding);
        }
        // Definitions see one another. The scope that holds them holds itself; the compiler is short-lived, and
        // the cycle costs a few links of memory.
        for argument in &lazies {
            *argument.scope.borrow_mut() = inner.clone();
        }
        for own in operators {
            *own.borrow_mut() = inner.clone();
        }
        (inner, lazies)
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        id: ExprId,
        scope: &Scope,
        mode: Mode,
    ) -> Outcome<Node> {
        let place = self.place(id);
        let kind = match builtin {
            Builtin::Prime => {
                if mode.prime {
                    return Err(Fault::other("a prime within a prime").at(place));
                }
                let mode = Mode { prime: true, ..mode };
                return self.expr(args[0], scope, mode);
            }
            Builtin::Enabled => {
                let elsewhere = mode.prime || mode.init;
                let memo = if elsewhere { self.memo.take() } else { None };
                let node = self.enabled(id, |this, inside| this.act(args[0], scope, inside, false));
                if elsewhere {
                    self.memo = memo;
                }
                let node = node?;
                if mode.prime || mode.init {
                    self.facts.read_next();
                    Kind::InNext(Box::new(node))
                } else {
                    return Ok(node);
                }
            }
            Builtin::Unchanged => return self.unchanged(args[0], scope, mode),
            Builtin::Cdot => {
                let (act, facts) = self.separately(|this| this.act(args[0], scope, mode, false));
                self.facts.merge(&facts);
                let second = self.without_memo(|this| this.expr(args[1], scope, mode))?;
                self.facts.read_next();
                self.facts.state = true;
                self.facts.vars = u64::MAX;
                Kind::Composed(Box::new((act?, second)))
            }
            Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::PlusArrow => {
                Kind::Refuse("a temporal formula as the value of a state or step".into())
            }
            Builtin::And | Builtin::Or | Builtin::Not | Builtin::Implies | Builtin::Equiv => {
                let nodes = self.truths(args, scope, mode)?;
                Self::builtin_of(builtin, nodes)
            }
            _ => {
                let nodes = self.list(args, scope, mode)?;
                Self::builtin_of(builtin, nodes)
            }
        };
        Ok(Node::new(kind, place))
    }

    /// `ENABLED` of an action that `compile` makes. `id` is an expression that stands where it does.
    fn enabled(
        &mut self,
        id: ExprId,
        compile: impl FnOnce(&mut Self, Mode) -> Outcome<Act>,
    ) -> Outcome<Node> {
        self.shadows.push((rustc_hash::FxHashMap::default(), Some(id)));
        let inside = Mode { prime: false, init: false, enabled: (self.shadows.len() - 1) as u32 };
        let (act, mut facts) = self.separately(|this| compile(this, inside));
        let act = act?;
        for (_, slot) in self.shadow_slots(inside) {
            facts.bind(slot);
        }
        self.facts.merge(&super::facts::Facts {
            next: false,
            next_vars: 0,
            state: true,
            vars: u64::MAX,
            ..facts
        });
        Ok(Node::new(Kind::Enabled(Box::new(act)), self.place(id)))
    }

    /// `ENABLED <<A>>_v`.
    pub fn enabled_angle(&mut self, action: ExprId, subscript: ExprId, scope: &Scope) -> Outcome<Node> {
        let place = self.place(action);
        self.enabled(action, |this, inside| {
            let act = this.act(action, scope, inside, false)?;
            let same = this.unchanged(subscript, scope, inside)?;
            let differs = Node::new(Kind::Not(Box::new(same)), place);
            Ok(Act::from(ActKind::Seq(Box::new([act, Act::from(ActKind::Guard(differs))]))))
        })
    }

    /// `<<A>>_v`.
    pub fn angle(&mut self, action: ExprId, subscript: ExprId, scope: &Scope) -> Outcome<Node> {
        let place = self.place(action);
        let mode = Mode::default();
        let act = self.expr(action, scope, mode)?;
        let same = self.unchanged(subscript, scope, mode)?;
        let differs = Node::new(Kind::Not(Box::new(same)), place);
        Ok(Node::new(Kind::And(Box::new([differs, act])), place))
    }

    fn shadow_slots(&self, mode: Mode) -> Vec<(SubstId, crate::eval::ir::Slot)> {
        let mut slots: Vec<_> = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "the order does not matter and is not kept")]
        for (subst, slot) in &self.shadows[mode.enabled as usize].0 {
            slots.push((*subst, *slot));
        }
        slots
    }

    /// A built-in operator on compiled operands.
    pub(super) fn builtin_of(builtin: Builtin, nodes: Vec<Node>) -> Kind {
        let mut nodes = nodes.into_iter();
        let mut one = || Box::new(nodes.next().expect("the front end checks the number of operands"));
        macro_rules! two {
            () => {{
                let (a, b) = (*one(), *one());
                Box::new([a, b])
            }};
        }
        match builtin {
            Builtin::True => Kind::Const(Value::TRUE),
            Builtin::False => Kind::Const(Value::FALSE),
            Builtin::Boolean => Kind::Const(Value::booleans()),
            Builtin::StringSet => Kind::Const(Symbolic::Strings.into()),
            Builtin::And => Kind::And(two!()),
            Builtin::Or => Kind::Or(two!()),
            Builtin::Not => Kind::Not(one()),
            Builtin::Implies => Kind::Implies(two!()),
            Builtin::Equiv => Kind::Equiv(two!()),
            Builtin::Eq => Kind::Equal(two!()),
            Builtin::Ne => Kind::Unequal(two!()),
            Builtin::In => Kind::In(two!()),
            Builtin::NotIn => Kind::NotIn(two!()),
            Builtin::SubsetEq => Kind::Subset(two!()),
            Builtin::Cup => Kind::Cup(two!()),
            Builtin::Cap => Kind::Cap(two!()),
            Builtin::SetMinus => Kind::Minus(two!()),
            Builtin::Subset => Kind::PowerSet(one()),
            Builtin::Union => Kind::Union(one()),
            Builtin::Domain => Kind::Domain(one()),
            Builtin::Prime
            | Builtin::Enabled
            | Builtin::Unchanged
            | Builtin::Always
            | Builtin::Eventually
            | Builtin::LeadsTo
            | Builtin::PlusArrow
            | Builtin::Cdot => Kind::Refuse("an action or temporal operator as an argument".into()),
        }
    }

    /// `UNCHANGED e` as a condition on a step.
    pub(super) fn unchanged(&mut self, expr: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let place = self.place(expr);
        let (vars, others) = self.frame(expr, scope, mode);
        let mut parts = Vec::new();
        if !vars.is_empty() {
            for var in &vars {
                self.facts.read_var(*var);
            }
            self.facts.read_next();
            parts.push(Node::new(Kind::Unchanged(vars.into()), place));
        }
        for (expr, scope) in others {
            let after = self.expr(expr, &scope, Mode { prime: true, ..mode })?;
            let before = self.expr(expr, &scope, mode)?;
            parts.push(Node::new(Kind::Equal(Box::new([after, before])), place));
        }
        Ok(if parts.len() == 1 {
            parts.pop().expect("there is one")
        } else {
            Node::new(Kind::And(parts.into()), place)
        })
    }

    /// Takes an expression such as `<<x, y, vars>>` apart into variables and whatever else there is.
    pub(super) fn frame(
        &mut self,
        expr: ExprId,
        scope: &Scope,
        mode: Mode,
    ) -> (Vec<crate::eval::ir::Var>, Vec<(ExprId, Scope)>) {
        let mut vars = Vec::new();
        let mut others = Vec::new();
        let mut todo = vec![(expr, scope.clone())];
        while let Some((expr, scope)) = todo.pop() {
            let primed = Mode { prime: true, ..mode };
            if let Some(Target { to: To::Var(var), .. }) = self.as_variable(expr, &scope, primed) {
                if !vars.contains(&var) {
                    vars.push(var);
                }
                continue;
            }
            match &self.program.expr(expr).kind {
                ExprKind::Tuple(items) => todo.extend(items.iter().rev().map(|item| (*item, scope.clone()))),
                ExprKind::Label(_, inner) => todo.push((*inner, scope)),
                ExprKind::Subst(subst)
                    if let SubstValue::Expr(inner) = self.program.subst(*subst).value
                        && !self.is_of_enabled(*subst, mode) =>
                {
                    todo.push((inner, scope));
                }
                ExprKind::Local(local) if let Some(Binding::Expr(argument)) = scope.local(*local) => {
                    let inner = argument.scope.borrow().clone();
                    todo.push((argument.expr, inner));
                }
                ExprKind::Apply(def, args) if args.is_empty() => {
                    match (scope.def(*def).cloned(), self.program.def(*def).body) {
                        (Some(DefBinding::Expr(argument)), _) => {
                            let inner = argument.scope.borrow().clone();
                            todo.push((argument.expr, inner));
                        }
                        (None, Some(body)) if !self.program.def(*def).recursive => {
                            // An expanded instance may use the locals of its surroundings.
                            let inner = if self.program.def(*def).captures.is_empty() {
                                Scope::default()
                            } else {
                                scope
                            };
                            todo.push((body, inner));
                        }
                        _ => others.push((expr, scope)),
                    }
                }
                _ => others.push((expr, scope)),
            }
        }
        (vars, others)
    }
}

#[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
pub(super) fn unsupported(what: String) -> Box<Fault> {
    Fault::kind(FaultKind::Unsupported(what))
}
