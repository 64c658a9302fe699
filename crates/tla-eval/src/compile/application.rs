//! Compilation of applications: operators expanded in place, recursive ones called, native ones evaluated here.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use locus_source::Place;

use crate::semantic::{Arg, Builtin, DefId, Level, OpRef, SubstValue};
use crate::standard::{self, Provided};
use crate::value::{Fault, FaultKind, Outcome};

use super::expression::unsupported;
use super::memo::Key;
use super::scope::{Argument, Binding, DefBinding, Mode, Scope};
use super::{Active, Compiler, Meaning};
use crate::eval::ir::{Body, Cell, Code, Kind, Lambda, Node, Params, Slot};

/// The form of a definition when it is applied.
pub enum Opened {
    /// It has been compiled already.
    Done(Node),
    /// Its body is to be compiled in this scope, and the arguments reset around it.
    Body(crate::semantic::ExprId, Scope, Vec<Rc<Argument>>),
}

/// The arguments of a recursive operator.
pub(super) struct Arguments {
    pub(super) operators: Vec<(OpRef, Scope)>,
    pub(super) nodes: Vec<Node>,
    /// Whether one of the nodes reads the state.
    pub(super) vary: bool,
}

impl Compiler<'_> {
    /// An application of a definition.
    pub(super) fn apply(
        &mut self,
        def: DefId,
        args: &[Arg],
        scope: &Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        let bindings = self.bindings(args, scope, mode);
        self.apply_bindings(def, bindings, scope, mode, place)
    }

    fn apply_bindings(
        &mut self,
        def: DefId,
        bindings: Vec<Binding>,
        scope: &Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        match self.open(def, bindings, scope, mode, place, false)? {
            Opened::Done(node) => Ok(node),
            Opened::Body(body, inner, lazies) => {
                let node = self.expr(body, &inner, mode)?;
                Ok(self.scoped(&lazies, node))
            }
        }
    }

    /// Arguments as what parameters stand for.
    pub fn bindings(&mut self, args: &[Arg], scope: &Scope, mode: Mode) -> Vec<Binding> {
        args.iter()
            .map(|arg| match arg {
                Arg::Expr(expr) => Binding::Expr(Self::argument(*expr, scope, mode)),
                Arg::Op(op) => {
                    let (op, scope) = self.resolve_op(*op, scope);
                    Binding::Op(op, scope)
                }
            })
            .collect()
    }

    /// Looks into an application as far as it is the same for values and actions. With `splits`, the ways in which
    /// it can be true count, and the body is needed.
    pub fn open(
        &mut self,
        def: DefId,
        bindings: Vec<Binding>,
        scope: &Scope,
        mode: Mode,
        place: Place,
        splits: bool,
    ) -> Outcome<Opened> {
        let definition = self.program.def(def);
        if definition.params.len() != bindings.len() {
            let name = self.text(definition.name);
            let message = format!(
                "{name} takes {} arguments, but is given {}",
                definition.params.len(),
                bindings.len()
            );
            return Err(Fault::other(message).at(place));
        }
        let module = &self.program.modules[definition.origin.index()];
        if definition.body.is_none()
            && let Some(provided) =
                standard::provided(self.text(module.name), self.text(definition.base_name))
        {
            return Ok(Opened::Done(self.native(provided, bindings, mode, place)?));
        }
        let Some(body) = definition.body else {
            let (module, name) = (self.text(module.name), self.text(definition.base_name));
            return Err(unsupported(format!("the operator {name} of the module {module}")).at(place));
        };
        if let Some(DefBinding::Expr(argument)) = scope.def(def).cloned() {
            return Ok(Opened::Done(self.use_argument(&argument, mode, place)?));
        }
        let inner = self.scope_of(def, scope);
        if definition.recursive {
            return Ok(Opened::Done(self.call(def, bindings, inner, mode, place)?));
        }
        if self.is_constant_def(def) && definition.level == Level::Constant {
            return Ok(Opened::Done(self.constant_definition(def, body, mode, place)?));
        }
        let is_state_function = definition.level <= Level::State
            && definition.params.is_empty()
            && definition.captures.is_empty();
        if is_state_function
            && !splits
            && let Some(node) = self.kept(Key::Def(def), body, mode, place)?
        {
            return Ok(Opened::Done(node));
        }
        let (inner, lazies) = Self::with_params(inner, &definition.params, bindings);
        Ok(Opened::Body(body, inner, lazies))
    }

    /// The scope in which the body of a definition is to be read, but for its parameters.
    pub(super) fn scope_of(&self, def: DefId, scope: &Scope) -> Scope {
        match scope.def(def) {
            Some(DefBinding::Op(own)) => own.borrow().clone(),
            _ if self.program.def(def).captures.is_empty() => Scope::default(),
            _ => scope.clone(),
        }
    }

    pub(super) fn with_params(
        inner: Scope,
        params: &[crate::semantic::LocalId],
        bindings: Vec<Binding>,
    ) -> (Scope, Vec<Rc<Argument>>) {
        let mut inner = inner;
        let mut lazies = Vec::new();
        for (param, binding) in params.iter().zip(bindings) {
            if let Binding::Expr(argument) = &binding {
                lazies.push(Rc::clone(argument));
            }
            inner = inner.with_local(*param, binding);
        }
        (inner, lazies)
    }

    /// A definition that is the same in every state is compiled once.
    fn constant_definition(
        &mut self,
        def: DefId,
        body: crate::semantic::ExprId,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        if let Some(cell) = self.constant_defs.get(&def) {
            return Ok(Node::new(Kind::Cell(Arc::clone(cell)), place));
        }
        let (node, mut facts) = self.separately(|this| this.expr(body, &Scope::default(), Mode::default()));
        // As TLC has it, a definition that is left to chance is the same in all of a run.
        let by_chance = std::mem::take(&mut facts.chance);
        let node = node?;
        if !facts.is_constant() && mode.prime {
            // What it asks about the state it asks about the next one.
            return self.expr(body, &Scope::default(), mode);
        }
        let mut node = self.sealed(node);
        if by_chance
            && let Kind::Cell(cell) = &mut node.kind
            && let Some(cell) = Arc::get_mut(cell)
        {
            cell.by_chance = true;
        }
        self.facts.merge(&facts);
        if facts.is_constant()
            && let Kind::Cell(cell) = &node.kind
        {
            self.constant_defs.insert(def, Arc::clone(cell));
        }
        if !facts.is_constant()
            && let Kind::Cell(cell) = node.kind
        {
            // It was sealed for nothing: it varies.
            return match Arc::try_unwrap(cell) {
                Ok(Cell { node, .. }) => Ok(node),
                Err(cell) => Ok(Node::new(Kind::Cell(cell), place)),
            };
        }
        Ok(node)
    }

    /// An application of an operator that is a parameter, a constant, or substituted.
    pub(super) fn apply_op(
        &mut self,
        op: OpRef,
        args: &[Arg],
        scope: &Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        let bindings = self.bindings(args, scope, mode);
        let (op, surroundings) = self.resolve_op(op, scope);
        self.apply_op_bindings(op, bindings, &surroundings, mode, place)
    }

    fn apply_op_bindings(
        &mut self,
        op: OpRef,
        bindings: Vec<Binding>,
        scope: &Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        match op {
            OpRef::Def(def) => self.apply_bindings(def, bindings, scope, mode, place),
            OpRef::Builtin(builtin) => {
                let nodes = self.operands(bindings, mode, place)?;
                Ok(Node::new(Self::builtin_of(builtin, nodes), place))
            }
            OpRef::Constant(constant) => match self.constants.get(&constant).cloned() {
                Some(Meaning::Def(def)) => self.apply_bindings(def, bindings, scope, mode, place),
                Some(_) if bindings.is_empty() => self.constant(constant, scope, mode, place),
                _ => {
                    let name = self.text(self.program.constants[constant.index()].name);
                    Err(Fault::other(format!(
                        "the constant operator {name} has no definition; give it one in the configuration"
                    ))
                    .at(place))
                }
            },
            OpRef::Subst(subst) => match self.program.subst(subst).value {
                SubstValue::Expr(expr) if bindings.is_empty() => self.expr(expr, scope, mode),
                _ => Err(unsupported("an expression substituted for an operator".to_owned()).at(place)),
            },
            OpRef::Local(local) => match scope.local(local).cloned() {
                Some(Binding::Expr(argument)) if bindings.is_empty() => {
                    self.use_argument(&argument, mode, place)
                }
                _ => {
                    let name = self.local_name(local);
                    Err(unsupported(format!("the operator {name}, which is not known here")).at(place))
                }
            },
        }
    }

    pub(super) fn operand(&mut self, binding: Binding, mode: Mode, place: Place) -> Outcome<Node> {
        match binding {
            Binding::Expr(argument) => {
                let scope = argument.scope.borrow().clone();
                let mode = Mode { prime: mode.prime | argument.mode.prime, ..mode };
                self.expr(argument.expr, &scope, mode)
            }
            Binding::Slot(slot) => {
                self.facts.read(slot);
                Ok(Node::new(Kind::Slot(slot), place))
            }
            Binding::Param(slot, primed) => Ok(self.param(slot, primed, mode, place)),
            Binding::Value(value) => Ok(Node::new(Kind::Const(value), place)),
            Binding::Op(op, scope) => self.apply_op_bindings(op, Vec::new(), &scope, mode, place),
        }
    }

    /// A use of a parameter of a recursive operator.
    pub(super) fn param(&mut self, slot: Slot, primed: bool, mode: Mode, place: Place) -> Node {
        if mode.prime && !primed {
            // It may belong to any operator around.
            for params in self.active.iter().map(|active| &active.code.params) {
                params.primed.store(true, Ordering::Relaxed);
            }
            for active in &self.active_acts {
                active.code.params.primed.store(true, Ordering::Relaxed);
            }
        }
        self.facts.read(slot);
        Node::new(Kind::Param(slot), place)
    }

    /// The arguments of a recursive operator.
    pub(super) fn arguments(
        &mut self,
        params: &[crate::semantic::LocalId],
        bindings: Vec<Binding>,
        mode: Mode,
        place: Place,
    ) -> Outcome<Arguments> {
        let (mut operators, mut nodes) = (Vec::new(), Vec::new());
        let (result, facts) = self.separately(|this| {
            for (param, binding) in params.iter().zip(bindings) {
                match binding {
                    Binding::Op(op, around) if this.program.local(*param).arity > 0 => {
                        operators.push((op, around));
                    }
                    binding => nodes.push(this.operand(binding, mode, place)?),
                }
            }
            Ok(())
        });
        result?;
        self.facts.merge(&facts);
        Ok(Arguments { operators, nodes, vary: facts.state })
    }

    fn operands(&mut self, bindings: Vec<Binding>, mode: Mode, place: Place) -> Outcome<Vec<Node>> {
        bindings.into_iter().map(|binding| self.operand(binding, mode, place)).collect()
    }

    /// An application of an operator that the evaluator provides.
    fn native(
        &mut self,
        provided: Provided,
        bindings: Vec<Binding>,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        let kind = match provided {
            Provided::Kind(make) => make(self.operands(bindings, mode, place)?),
            Provided::Constant(make) => Kind::Const(make()),
            Provided::Unary(native) => {
                let mut nodes = self.operands(bindings, mode, place)?;
                Kind::Unary(native, Box::new(nodes.remove(0)))
            }
            Provided::Binary(native) => {
                let mut nodes = self.operands(bindings, mode, place)?;
                let second = nodes.remove(1);
                Kind::Binary(native, Box::new([nodes.remove(0), second]))
            }
            Provided::Native(native) => Kind::Native(native, self.operands(bindings, mode, place)?.into()),
            Provided::Impure(native) => {
                self.facts.impure = true;
                Kind::Native(native, self.operands(bindings, mode, place)?.into())
            }
            Provided::Random(native) => {
                self.facts.chance = true;
                Kind::Native(native, self.operands(bindings, mode, place)?.into())
            }
            Provided::Ordered(native) => {
                self.facts.impure = true;
                let operands = self.operands(bindings, mode, place)?;
                self.ordered |= standard::is_ordered(&self.names, &operands);
                let is_fixed = operands.iter().all(|operand| matches!(operand.kind, Kind::Const(_)));
                let kind = Kind::Native(native, operands.into());
                if mode.prime && is_fixed {
                    // What is asked about the next state is answered there: its level is one more.
                    self.facts.read_next();
                    return Ok(Node::new(Kind::InNext(Box::new(Node::new(kind, place))), place));
                }
                kind
            }
            Provided::Over(native, arities) => {
                let mut values = Vec::new();
                let mut lambdas = Vec::new();
                for (binding, arity) in bindings.into_iter().zip(arities) {
                    if *arity == 0 {
                        values.push(self.operand(binding, mode, place)?);
                    } else {
                        lambdas.push(self.lambda(binding, *arity, mode, place)?);
                    }
                }
                Kind::NativeOver(native, values.into(), lambdas.into())
            }
        };
        Ok(Node::new(kind, place))
    }

    fn lambda(&mut self, binding: Binding, arity: usize, mode: Mode, place: Place) -> Outcome<Lambda> {
        let Binding::Op(op, scope) = binding else {
            return Err(Fault::other("an operator is expected here, not a value").at(place));
        };
        let params: Vec<Slot> = (0..arity).map(|_| self.slot()).collect();
        let bindings = params.iter().map(|slot| Binding::Slot(*slot)).collect();
        let body = self.apply_op_bindings(op, bindings, &scope, mode, place)?;
        for slot in &params {
            self.facts.bind(*slot);
        }
        Ok(Lambda { params: params.into(), body })
    }

    /// A call of a recursive operator.
    fn call(
        &mut self,
        def: DefId,
        bindings: Vec<Binding>,
        scope: Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Node> {
        let params = &self.program.def(def).params;
        let Arguments { operators, nodes, vary } = self.arguments(params, bindings, mode, place)?;
        let code = self.code(def, &operators, scope, mode, place)?;
        code.params.vary.fetch_or(vary, Ordering::Relaxed);
        Ok(Node::new(Kind::Call(code, nodes.into()), place))
    }

    fn code(
        &mut self,
        def: DefId,
        operators: &[(OpRef, Scope)],
        scope: Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<Arc<Code>> {
        let found = self.active.iter().position(|active| {
            active.def == def
                && active.mode == mode
                && active.scope.is(&scope)
                && active.operators.len() == operators.len()
                && active.operators.iter().zip(operators).all(|(a, b)| a.0 == b.0 && a.1.is(&b.1))
        });
        if let Some(depth) = found {
            let pending = self.facts.pending.map_or(depth, |other| other.min(depth));
            self.facts.pending = Some(pending);
            return Ok(Arc::clone(&self.active[depth].code));
        }
        let definition = self.program.def(def);
        let shared = operators.is_empty() && definition.captures.is_empty() && mode.enabled == 0;
        if shared && let Some((code, facts)) = self.codes.get(&(def, mode.prime, mode.init)) {
            let (code, facts) = (Arc::clone(code), facts.clone());
            self.facts.merge(&facts);
            return Ok(code);
        }
        if self.active.len() > 200 {
            let message =
                "a recursive operator that takes a new operator as argument each time it calls itself";
            return Err(unsupported(message.to_owned()).at(place));
        }
        let first = self.slots;
        let mut inner = scope.clone();
        let mut params = Vec::new();
        let mut rest = operators.iter();
        for param in &definition.params {
            let binding = if self.program.local(*param).arity > 0 {
                let (op, surroundings) =
                    rest.next().ok_or_else(|| Fault::other("an operator is expected here").at(place))?;
                Binding::Op(*op, surroundings.clone())
            } else {
                let slot = self.slot();
                params.push(slot);
                Binding::Param(slot, mode.prime)
            };
            inner = inner.with_local(*param, binding);
        }
        let code = Arc::new(Code {
            name: self.text(definition.name).into(),
            place: definition.name_place,
            params: Params::new(params.clone()),
            body: OnceLock::new(),
        });
        let depth = self.active.len();
        self.active.push(Active { def, mode, scope, operators: operators.to_vec(), code: Arc::clone(&code) });
        let body = definition.body.expect("operators without a body are native");
        // The code may be shared with what is evaluated at other times.
        let (node, mut facts) =
            self.separately(|this| this.without_memo(|this| this.expr(body, &inner, mode)));
        self.active.pop();
        for slot in params {
            facts.bind(slot);
        }
        if facts.pending.is_some_and(|pending| pending >= depth) {
            facts.pending = None;
        }
        let body = Body { node: node?, range: (first, self.slots) };
        let _ = code.body.set(body);
        if shared {
            let mut kept = facts.clone();
            if kept.pending.take().is_some() {
                // Part of a larger recursion whose facts are not known yet.
                kept.impure = true;
            }
            self.codes.insert((def, mode.prime, mode.init), (Arc::clone(&code), kept));
        }
        self.facts.merge(&facts);
        Ok(code)
    }
}

/// Whether a built-in operator belongs to actions or temporal formulas.
pub(super) fn is_temporal(builtin: Builtin) -> bool {
    matches!(builtin, Builtin::Always | Builtin::Eventually | Builtin::LeadsTo | Builtin::PlusArrow)
}

/// The fault of something that cannot be part of an action.
#[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
pub(super) fn not_an_action(place: Place) -> Box<Fault> {
    Fault::kind(FaultKind::Unsupported("a temporal formula as part of an action".to_owned())).at(place)
}
