//! From the resolved program to the compiled form ([`crate::eval::ir`]), after the configuration has been applied.
//!
//! Here are the compiler itself and what every part of it uses; expressions are in [`expression`], applications of
//! operators in [`application`], actions in [`action`].

mod action;
mod action_call;
mod application;
mod disjunction;
mod expression;
mod facts;
mod memo;
mod points;
mod scope;

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::semantic::{
    ConstId, DefId, ExprId, ExprKind, Level, LocalId, OpRef, Program, SubstId, SubstValue,
};
use crate::value::{Fault, FaultKind, Names, Outcome, Value};

use crate::eval::ir::{Bind, Cell, Code, Kind, Label, Node, Pattern, Slot, Var};
use facts::Facts;
use scope::{Binding, DefBinding};

pub use application::Opened;
pub use facts::var_bit;
pub use points::Points;
pub use scope::{Argument, Mode, Scope};

/// The most nodes that are made, against definitions that grow without measure when they are expanded.
const MAX_NODES: usize = 4_000_000;
/// The deepest nesting of expressions and expanded definitions.
const MAX_NESTING: usize = 4_000;

/// The meaning that the configuration gives to a constant.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A value.
    Value(Value),
    /// An expression.
    Expr(ExprId),
    /// A definition.
    Def(DefId),
}

/// Compiles expressions of one program under one configuration.
pub struct Compiler<'p> {
    /// The program.
    pub program: &'p Program,
    /// The names in values.
    pub names: Arc<Names>,
    /// The constants as the configuration has them.
    pub constants: FxHashMap<ConstId, Meaning>,
    /// The numbers of the variables.
    pub vars: FxHashMap<crate::semantic::VarId, Var>,
    /// How many slots there are.
    pub slots: Slot,
    /// How many cells there are.
    cells: u32,
    /// The named actions.
    pub labels: Vec<Label>,
    /// The dependencies of what is being compiled.
    pub facts: Facts,
    active: Vec<Active>,
    active_acts: Vec<action_call::ActiveAct>,
    codes: FxHashMap<(DefId, bool, bool), (Arc<Code>, Facts)>,
    constant_defs: FxHashMap<DefId, Arc<Cell>>,
    constant_cells: FxHashMap<ConstId, Node>,
    /// The memo: results that are kept between uses of a definition within one evaluation.
    memo: Option<memo::Memo>,
    /// The named action whose parts are being compiled, for those parts that have no name.
    enclosing: Option<(DefId, Scope)>,
    /// Where the next-state action is referred to by name: that is above all actions.
    pub root_action: Option<Place>,
    /// Of each `ENABLED` around what is being compiled, the next values that are its own, and an expression where it
    /// stands.
    shadows: Vec<(FxHashMap<SubstId, Slot>, Option<ExprId>)>,
    /// Whether something is used whose result depends on the order in which states are looked at.
    pub ordered: bool,
    /// Where evaluations are counted, if they are.
    pub points: Option<Points>,
    nodes: usize,
    nesting: usize,
}

/// A recursive operator whose body is being compiled.
struct Active {
    def: DefId,
    mode: Mode,
    scope: Scope,
    operators: Vec<(OpRef, Scope)>,
    code: Arc<Code>,
}

impl<'p> Compiler<'p> {
    /// A compiler for a program, without constants.
    pub fn new(program: &'p Program, names: Arc<Names>) -> Self {
        let vars = program.root_variables.iter().enumerate().map(|(i, var)| (*var, i as Var)).collect();
        Self {
            program,
            names,
            constants: FxHashMap::default(),
            constant_cells: FxHashMap::default(),
            vars,
            slots: 0,
            cells: 0,
            labels: Vec::new(),
            facts: Facts::default(),
            active: Vec::new(),
            active_acts: Vec::new(),
            codes: FxHashMap::default(),
            constant_defs: FxHashMap::default(),
            memo: None,
            enclosing: None,
            root_action: None,
            shadows: vec![(FxHashMap::default(), None)],
            ordered: false,
            points: None,
            nodes: 0,
            nesting: 0,
        }
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    /// A constant expression as a cell, unless it is as simple as one.
    fn sealed(&mut self, node: Node) -> Node {
        match node.kind {
            Kind::Const(_) | Kind::Cell(_) | Kind::Refuse(_) => node,
            Kind::ByName(inner) => Node::new(Kind::ByName(inner), node.place),
            _ => {
                let place = node.place;
                Node::new(Kind::Cell(self.cell(node)), place)
            }
        }
    }

    fn cell(&mut self, node: Node) -> Arc<Cell> {
        self.cells += 1;
        Arc::new(Cell { number: self.cells - 1, node, value: OnceLock::new(), by_chance: false })
    }

    fn place(&self, expr: ExprId) -> Place {
        self.program.expr(expr).place
    }

    fn text(&self, name: crate::semantic::Name) -> &'p str {
        self.program.names.text(name)
    }

    /// Compiles an expression. What is the same in every state becomes a [`Cell`].
    pub fn expr(&mut self, id: ExprId, scope: &Scope, mode: Mode) -> Outcome<Node> {
        let expr = self.program.expr(id);
        let outer = std::mem::take(&mut self.facts);
        let compiled = self.nested(expr.place, |this| this.expression(id, scope, mode));
        let facts = std::mem::replace(&mut self.facts, outer);
        self.facts.merge(&facts);
        let node = match compiled {
            Ok(node) => node,
            // Refused when it is evaluated, and not if it never is.
            Err(fault) => match fault.kind {
                FaultKind::Unsupported(what) => {
                    let place = fault.place.unwrap_or(expr.place);
                    return Ok(Node::new(Kind::Refuse(what.into()), place));
                }
                _ => return Err(fault),
            },
        };
        Ok(if facts.is_constant() { self.sealed(node) } else { node })
    }

    /// Guards the recursion of the compiler against depth and size.
    fn nested<T>(&mut self, place: Place, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.nodes += 1;
        self.nesting += 1;
        if self.nodes > MAX_NODES || self.nesting > MAX_NESTING {
            self.nesting -= 1;
            let (what, figure) = if self.nodes > MAX_NODES {
                ("the specification is too large when its definitions are expanded", MAX_NODES)
            } else {
                ("expressions and definitions are nested too deeply", MAX_NESTING)
            };
            return Err(Fault::kind(FaultKind::Limit(what, format!("the limit is {figure}"))).at(place));
        }
        let result = stacker::maybe_grow(256 << 10, 8 << 20, || work(self));
        self.nesting -= 1;
        result
    }

    /// Runs `work` with facts of its own, which are returned and not merged.
    fn separately<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> (Outcome<T>, Facts) {
        let outer = std::mem::take(&mut self.facts);
        let result = work(self);
        let facts = std::mem::replace(&mut self.facts, outer);
        (result, facts)
    }

    /// Compiles something, and says which variables it reads; all of them if it depends on more than that.
    pub fn watched<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<(T, u64)> {
        let (made, facts) = self.separately(work);
        Ok((made?, if facts.varies() { u64::MAX } else { facts.vars }))
    }

    /// An argument or definition, to be compiled where it is used.
    fn argument(expr: ExprId, scope: &Scope, mode: Mode) -> Rc<Argument> {
        Rc::new(Argument {
            expr,
            scope: scope.clone().into(),
            mode,
            slot: std::cell::OnceCell::new(),
            thunk: std::cell::OnceCell::new(),
        })
    }

    /// A use of an argument or definition.
    fn use_argument(&mut self, argument: &Rc<Argument>, mode: Mode, place: Place) -> Outcome<Node> {
        let scope = argument.scope.borrow().clone();
        if mode != argument.mode {
            let mut mode = mode;
            mode.prime |= argument.mode.prime;
            return self.expr(argument.expr, &scope, mode);
        }
        if argument.thunk.get().is_none() {
            let (node, facts) = self.separately(|this| this.expr(argument.expr, &scope, mode));
            let _ = argument.thunk.set((Arc::new(node?), facts));
        }
        let (thunk, facts) = argument.thunk.get().expect("set above");
        self.facts.merge(facts);
        let kind = match &thunk.kind {
            Kind::Const(value) => Kind::Const(value.clone()),
            Kind::Cell(cell) => Kind::Cell(Arc::clone(cell)),
            Kind::Var(var) => Kind::Var(*var),
            Kind::Primed(var) => Kind::Primed(*var),
            Kind::Slot(slot) => Kind::Slot(*slot),
            Kind::Param(slot) => Kind::Param(*slot),
            Kind::Lazy(slot, inner) => Kind::Lazy(*slot, Arc::clone(inner)),
            _ if facts.next || facts.varies() => Kind::ByName(Arc::clone(thunk)),
            _ => {
                let slot = *argument.slot.get_or_init(|| {
                    self.slots += 1;
                    self.slots - 1
                });
                self.facts.read(slot);
                Kind::Lazy(slot, Arc::clone(thunk))
            }
        };
        Ok(Node::new(kind, place))
    }

    /// Wraps a node so that the slots of these arguments are reset before it.
    pub fn scoped(&mut self, arguments: &[Rc<Argument>], node: Node) -> Node {
        let reset = self.resets(arguments);
        if reset.is_empty() {
            return node;
        }
        let place = node.place;
        Node::new(Kind::Scope(reset.into(), Box::new(node)), place)
    }

    /// The slots of arguments, which are reset before what they are arguments of.
    pub fn resets(&mut self, arguments: &[Rc<Argument>]) -> Box<[Slot]> {
        let reset: Box<[Slot]> = arguments.iter().filter_map(|a| a.slot.get().copied()).collect();
        for slot in &reset {
            self.facts.bind(*slot);
        }
        reset
    }

    /// Compiles the sets of bounds, and extends the scope with their variables.
    pub fn bounds(
        &mut self,
        bounds: &[crate::semantic::Bound],
        scope: &Scope,
        mode: Mode,
        place: Place,
    ) -> Outcome<(Vec<Bind>, Scope)> {
        let mut binds = Vec::new();
        let mut inner = scope.clone();
        for bound in bounds {
            let Some(set) = bound.set else {
                let what = "a quantifier without a set: write \\A x \\in S : P or \\E x \\in S : P";
                return Err(Fault::kind(FaultKind::Unsupported(what.to_owned())).at(place));
            };
            if bound.tuple {
                let slots: Box<[Slot]> = bound.locals.iter().map(|_| self.slot()).collect();
                for (local, slot) in bound.locals.iter().zip(&slots) {
                    inner = inner.with_local(*local, Binding::Slot(*slot));
                }
                binds.push(Bind { pattern: Pattern::Tuple(slots), set: self.expr(set, scope, mode)? });
                continue;
            }
            for local in &bound.locals {
                let slot = self.slot();
                inner = inner.with_local(*local, Binding::Slot(slot));
                binds.push(Bind { pattern: Pattern::One(slot), set: self.expr(set, scope, mode)? });
            }
        }
        Ok((binds, inner))
    }

    /// Takes the variables of bounds out of the facts.
    pub fn unbind(&mut self, binds: &[Bind]) {
        for bind in binds {
            match &bind.pattern {
                Pattern::One(slot) => self.facts.bind(*slot),
                Pattern::Tuple(slots) => slots.iter().for_each(|slot| self.facts.bind(*slot)),
            }
        }
    }

    /// The variable that an expression is, if it is one: through parameters, substitutions and primes.
    /// `primed` says whether a prime was met.
    fn as_variable(&mut self, expr: ExprId, scope: &Scope, mode: Mode) -> Option<Target> {
        let mut expr = expr;
        let mut scope = scope.clone();
        let mut primed = mode.prime;
        for _ in 0..MAX_NESTING {
            match &self.program.expr(expr).kind {
                ExprKind::Builtin(crate::semantic::Builtin::Prime, args) => {
                    primed = true;
                    expr = args[0];
                }
                ExprKind::Label(_, inner) => expr = *inner,
                ExprKind::Variable(var) => {
                    let var = *self.vars.get(var)?;
                    return Some(Target { to: To::Var(var), primed });
                }
                ExprKind::Subst(subst) => {
                    let substitution = self.program.subst(*subst);
                    let SubstValue::Expr(inner) = substitution.value else { return None };
                    if primed && self.is_of_enabled(*subst, mode) {
                        let to = match self.root_variable(inner, &scope, mode) {
                            Some(to) if !self.is_shared(*subst, to, &scope, mode) => to,
                            _ => To::Shadow(self.shadow(*subst, mode)),
                        };
                        return Some(Target { to, primed });
                    }
                    expr = inner;
                }
                ExprKind::Local(local) => match scope.local(*local)?.clone() {
                    Binding::Expr(argument) => {
                        primed |= argument.mode.prime;
                        expr = argument.expr;
                        let inner = argument.scope.borrow().clone();
                        scope = inner;
                    }
                    _ => return None,
                },
                ExprKind::Let(defs, body) => {
                    scope = self.definitions(defs, &scope, mode).0;
                    expr = *body;
                }
                ExprKind::Apply(def, args) if args.is_empty() => match scope.def(*def).cloned() {
                    Some(DefBinding::Expr(argument)) => {
                        primed |= argument.mode.prime;
                        expr = argument.expr;
                        scope = argument.scope.borrow().clone();
                    }
                    Some(DefBinding::Op(_)) => return None,
                    None => {
                        expr = self.program.def(*def).body?;
                        scope = Scope::default();
                    }
                },
                _ => return None,
            }
        }
        None
    }

    /// Whether a substitution stands for a variable of a module in which there is the `ENABLED` that is being compiled.
    /// It speaks of that variable's next value, whatever stands for it: one that is not bound by what else is
    /// substituted.
    fn is_of_enabled(&self, subst: SubstId, mode: Mode) -> bool {
        let substitution = self.program.subst(subst);
        let (_, enabled) = &self.shadows[mode.enabled as usize];
        substitution.variable && enabled.is_some_and(|enabled| substitution.is_around(enabled))
    }

    /// The variable that an expression is, without a prime.
    fn root_variable(&mut self, expr: ExprId, scope: &Scope, mode: Mode) -> Option<To> {
        let plain = Mode { prime: false, ..mode };
        self.as_variable(expr, scope, plain).map(|target| target.to)
    }

    /// Whether the same variable stands for another one of the instance.
    fn is_shared(&mut self, subst: SubstId, to: To, scope: &Scope, mode: Mode) -> bool {
        let within = self.program.subst(subst).within.clone();
        (0..self.program.substs.len()).map(|index| SubstId(index as u32)).any(|other| {
            let found = self.program.subst(other);
            let SubstValue::Expr(inner) = found.value else { return false };
            other != subst
                && found.variable
                && found.within == within
                && self.root_variable(inner, scope, mode) == Some(to)
        })
    }

    fn shadow(&mut self, subst: SubstId, mode: Mode) -> Slot {
        if let Some(slot) = self.shadows[mode.enabled as usize].0.get(&subst) {
            return *slot;
        }
        let slot = self.slot();
        self.shadows[mode.enabled as usize].0.insert(subst, slot);
        slot
    }

    /// The name of a local.
    fn local_name(&self, local: LocalId) -> Box<str> {
        self.text(self.program.local(local).name).into()
    }

    /// Follows an operator through parameters to what it is.
    pub fn resolve_op(&self, op: OpRef, scope: &Scope) -> (OpRef, Scope) {
        let (mut op, mut scope) = (op, scope.clone());
        for _ in 0..MAX_NESTING {
            match op {
                OpRef::Local(local) => match scope.local(local).cloned() {
                    Some(Binding::Op(inner, surroundings)) => {
                        op = inner;
                        scope = surroundings;
                    }
                    _ => break,
                },
                OpRef::Subst(subst) => match self.program.subst(subst).value {
                    SubstValue::Op(inner) => op = inner,
                    SubstValue::Expr(_) => break,
                },
                OpRef::Constant(constant) => match self.constants.get(&constant) {
                    Some(Meaning::Def(def)) => {
                        op = OpRef::Def(*def);
                        scope = Scope::default();
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        (op, scope)
    }

    /// A definition without parameters that is the same in every state.
    fn is_constant_def(&self, def: DefId) -> bool {
        let definition = self.program.def(def);
        definition.level == Level::Constant && definition.params.is_empty() && definition.captures.is_empty()
    }
}

/// The variable to which an equation of an action gives a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The variable, or its shadow.
    pub to: To,
    /// Whether it is one of the next state.
    pub primed: bool,
}

/// A variable, or the shadow of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum To {
    /// A variable.
    Var(Var),
    /// A shadow.
    Shadow(Slot),
}
